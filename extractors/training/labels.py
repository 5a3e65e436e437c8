"""The labels of taggers: gold ones of annotated papers, silver ones of unlabelled papers."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from pathlib import Path

import numpy as np

from citekg.extractors.candidates import tagger
from citekg.extractors.models import FAST
from citekg.extractors.nlp import Document
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.extractors.training.annotated import fold_title
from citekg.extractors.training.classifiers import Example
from citekg.extractors.training.tagger_network import IGNORED, SEED, LabelledDocument
from citekg.extractors.training.unlabelled import unlabelled_papers

#: Minimum probability of a certain silver entity; less probable ones are masked, and those below
#: the second number are not entities.
_CERTAIN, _UNCERTAIN = 0.5, 0.25
Span = tuple[int, int]


def label_gold(example: Example) -> LabelledDocument:
    """Return the labelled document of an annotated paper; optional names are masked."""
    spans: list[tuple[Span, str | None]] = []
    for candidate, gold in zip(example.candidates, example.candidate_gold, strict=True):
        if gold is not None:
            spans += [(span, None if gold.optional else gold.type) for span in candidate.spans]
    return label_tokens(example.doc, spans)


def silver_documents(
    unlabelled: Iterable[Path],
    left_out: Collection[Path],
    annotated: Collection[str] = (),
    count: int | None = None,
    model: str = FAST,
) -> list[LabelledDocument]:
    """Return unlabelled papers with the labels of a model: all, or `count` drawn at random.

    Papers whose title occurs in the files `left_out` or is among `annotated`, as `fold_title` gives
    it, are not used.
    """
    found = [
        doc
        for path in unlabelled
        for doc in unlabelled_papers(path, left_out)
        if fold_title(doc.paper.title) not in annotated
    ]
    if count is not None and count < len(found):
        found = random.Random(SEED).sample(found, count)  # noqa: S311
    teacher = ExtractionPipeline(threshold=_UNCERTAIN).with_model(model)
    return [label_silver(doc, teacher) for doc in found]


def label_silver(doc: Document, pipeline: ExtractionPipeline) -> LabelledDocument:
    """Return the document labelled by the pipeline; uncertain entities are masked."""
    spans: list[tuple[Span, str | None]] = []
    for accepted in pipeline.run(doc, until="apply_stated_types").accepted:
        umbrella = any(c.entry is not None and c.entry.umbrella for c in accepted.candidates)
        is_certain = accepted.confidence >= _CERTAIN and not umbrella
        spans += [(span, accepted.type if is_certain else None) for span in accepted.spans]
    return label_tokens(doc, spans)


def label_tokens(doc: Document, spans: list[tuple[Span, str | None]]) -> LabelledDocument:
    """Return the document with BIO labels for typed token spans; spans of type None are masked.

    Longer spans precede shorter ones that overlap with them, and typed spans precede masked ones.
    """
    labels = np.zeros(len(doc.words), dtype=np.int64)
    is_taken = np.zeros(len(doc.words), dtype=bool)
    for (first, last), type_ in sorted(
        spans, key=lambda m: (m[1] is None, m[0][0] - m[0][1], m[0])
    ):
        if is_taken[first:last].any():
            continue
        is_taken[first:last] = True
        if type_ is None:
            labels[first:last] = IGNORED
        else:
            labels[first:last] = tagger.LABELS.index(f"I-{type_}")
            labels[first] = tagger.LABELS.index(f"B-{type_}")
    return LabelledDocument(doc.words, doc.title_tokens, labels)
