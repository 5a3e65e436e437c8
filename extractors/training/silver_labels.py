"""What unlabelled papers teach: names that the lexicon knows, read as if it did not.

The annotated papers name few data sets, so the regression that tells types apart learns from the
lexicon's names in unlabelled papers, too: half of the lexicon is hidden, and what it would have said
of a hidden name is the answer.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.generate import LAYERS, Candidate, generate_candidates
from citekg.extractors.candidates.lexicon import Entry, shipped_lexicon
from citekg.extractors.classification.features import feature_columns
from citekg.extractors.nlp import Document, make_document
from citekg.extractors.training.classifiers import Row, lexicon_views
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import TYPES

#: How many places of one name teach: chosen by cross-validation.
_PLACES: Final = 5


def unlabelled_papers(path: Path, left_out: Iterable[Path]) -> Iterator[Document]:
    """The papers of a compressed file of JSON Lines, but for those whose titles stand in the files left out."""
    skipped = {_folded(json.loads(line)["title"]) for file in left_out for line in file.open(encoding="utf-8")}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if _folded(row["title"]) not in skipped:
                yield make_document(Paper(row["id"], row["title"], row["abstract"]))


def _folded(title: str) -> str:
    return " ".join(title.casefold().split())


def silver_types(papers: Iterable[Document]) -> Iterator[Row]:
    """Training rows for the types of names: what is seen of a name, its type in the lexicon, and 1 for its weight.

    Names that need context, or stand in plain words, teach nothing; the tagger is the shipped one.
    """
    whole, *halves = lexicon_views(shipped_lexicon())
    places: Counter[str] = Counter()
    for doc in papers:
        tagged = tagger.shipped_tagger().probabilities(doc)
        spans, rows = tagger.decode_spans(tagged), tagged.tolist()
        answers = _answers(generate_candidates(doc, whole, frozenset(LAYERS), spans).values())
        for half in halves:
            found = list(generate_candidates(doc, half, frozenset(LAYERS), spans).values())
            known = {span: c.entry.type for c in found if c.entry for span in c.spans}
            for candidate in found:
                entry = answers.get(candidate.spans[0])
                if entry is None or candidate.entry or doc.span_text(*candidate.spans[0]).islower():
                    continue
                places[entry.key] += 1
                if places[entry.key] <= _PLACES:
                    yield sorted(feature_columns(doc, candidate, known, rows)), list(TYPES).index(entry.type), 1.0


def _answers(candidates: Iterable[Candidate]) -> dict[tuple[int, int], Entry]:
    """What the lexicon surely knows, by token span."""
    entries = ((span, c.entry) for c in candidates for span in c.spans)
    return {span: entry for span, entry in entries if entry and not entry.umbrella and not entry.context}
