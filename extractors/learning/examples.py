"""Training examples: annotated papers with the labels of their tokens and candidates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from citekg.extractors.adaptation.learnt_tagger import dense_features
from citekg.extractors.adaptation.name_rates import rate_columns
from citekg.extractors.adaptation.token_features import token_columns
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.gold import GoldEntity, normalise
from citekg.extractors.learning.sequences import LabelledTokens
from citekg.extractors.nlp import Document, make_document
from citekg.extractors.pipeline import schema_matches
from citekg.schemas.records import Paper

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

Span = tuple[int, int]


@dataclass(frozen=True)
class AnnotatedDocument:
    """An annotated paper in tokens; `spans` are those of each gold entity, without overlaps.

    `decided` are the normalised names that are examples, or None where all are.
    """

    doc: Document
    gold: tuple[GoldEntity, ...]
    spans: tuple[tuple[Span, ...], ...]
    decided: frozenset[str] | None = None

    def is_example(self, candidate: Candidate) -> bool:
        """Return whether the label of a candidate is known."""
        if self.decided is None:
            return True
        return normalise(self.doc.span_text(*candidate.spans[0])) in self.decided


def annotated_document(paper: Paper, gold: Sequence[GoldEntity]) -> AnnotatedDocument:
    """Return a paper with the token spans of its gold entities; longer spans come first."""
    doc = make_document(paper)
    found = {
        span: n for n, entity in enumerate(gold) for s in entity.surfaces for span in _find(doc, s)
    }
    is_taken = [False] * len(doc.words)
    spans: list[list[Span]] = [[] for _ in gold]
    for first, last in sorted(found, key=lambda span: (span[0] - span[1], span)):
        if not any(is_taken[first:last]):
            is_taken[first:last] = [True] * (last - first)
            spans[found[first, last]].append((first, last))
    return AnnotatedDocument(doc, tuple(gold), tuple(tuple(sorted(own)) for own in spans))


def _find(doc: Document, surface: str) -> list[Span]:
    """Return the token spans of a surface form, which may contain markup of the original text."""
    plain = re.finditer(re.escape(surface), doc.text)
    given = re.finditer(re.escape(surface), doc.paper.text)
    spans = {
        *(doc.token_span(*m.span()) for m in plain),
        *(_tokens_inside(doc, m.start(), m.end()) for m in given),
    }
    return sorted(filter(None, spans))


def _tokens_inside(doc: Document, start: int, end: int) -> Span | None:
    """Return the tokens of a span of the original text, or None if it splits one or has none.

    Markup at the ends of the span belongs to no token.
    """
    places = doc.original_token_spans.items()
    found = [(a, b, n) for (a, b), n in places if a < end and b > start]
    if not found or any(a < start or b > end for a, b, _ in found):
        return None
    return min(n for _, _, n in found), max(n for _, _, n in found) + 1


def labelled_tokens(
    document: AnnotatedDocument, types: Sequence[str], pipeline: ExtractionPipeline
) -> LabelledTokens:
    """Return the tokens with their features and BIO labels (see `learnt_tagger.forbidden`)."""
    doc = document.doc
    tagged = pipeline.run(doc, until="tag").tagged
    assert tagged is not None, "learning uses the layer of the tagger"  # noqa: S101
    labels = np.zeros(len(doc.words), dtype=np.int64)
    for entity, spans in zip(document.gold, document.spans, strict=True):
        for first, last in spans if entity.type in types else ():
            # A name that a wrong sentence boundary splits has no label sequence.
            if doc.sentence_of[first] == doc.sentence_of[last - 1]:
                label = 2 * types.index(entity.type) + 1
                labels[first:last] = label + 1
                labels[first] = label
    return LabelledTokens(
        token_columns(doc, schema_matches(pipeline, doc)),
        rate_columns(doc),
        dense_features(tagged),
        doc.sentences,
        labels,
    )
