"""Silver labels: training data from names of the lexicon in unlabelled papers.

The annotated papers name few datasets, so that the type model also learns from unlabelled papers
(distant supervision; Mintz et al. 2009). Half of the lexicon is hidden, and the type of a hidden
name is its label.
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

#: Maximum number of rows for one name, chosen by cross-validation.
_MAX_PER_NAME: Final = 5


def unlabelled_papers(path: Path, left_out: Iterable[Path]) -> Iterator[Document]:
    """Yield the papers of a gzip-compressed JSON Lines file.

    Papers with a title that occurs in the files `left_out` are skipped.
    """
    skipped = {
        _folded(json.loads(line)["title"])
        for file in left_out
        for line in file.open(encoding="utf-8")
    }
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if _folded(row["title"]) not in skipped:
                yield make_document(Paper(row["id"], row["title"], row["abstract"]))


def _folded(title: str) -> str:
    return " ".join(title.casefold().split())


def silver_type_rows(papers: Iterable[Document]) -> Iterator[Row]:
    """Yield training rows of the type model: feature columns, lexicon type and weight 1.

    Names that need context or are in lower case are skipped; the tagger is the shipped one.
    """
    full, *halves = lexicon_views(shipped_lexicon())
    row_counts: Counter[str] = Counter()
    for doc in papers:
        probabilities = tagger.shipped_tagger().probabilities(doc)
        spans, rows = tagger.decode_spans(probabilities), probabilities.tolist()
        entries_by_span = _known_entries(
            generate_candidates(doc, full, frozenset(LAYERS), spans).values()
        )
        for half in halves:
            found = list(generate_candidates(doc, half, frozenset(LAYERS), spans).values())
            known = {span: c.entry.type for c in found if c.entry for span in c.spans}
            for candidate in found:
                entry = entries_by_span.get(candidate.spans[0])
                if entry is None or candidate.entry or doc.span_text(*candidate.spans[0]).islower():
                    continue
                row_counts[entry.key] += 1
                if row_counts[entry.key] <= _MAX_PER_NAME:
                    yield (
                        sorted(feature_columns(doc, candidate, known, rows)),
                        list(TYPES).index(entry.type),
                        1.0,
                    )


def _known_entries(candidates: Iterable[Candidate]) -> dict[tuple[int, int], Entry]:
    """Return the unambiguous entries of the lexicon, by token span."""
    entries = ((span, c.entry) for c in candidates for span in c.spans)
    return {
        span: entry for span, entry in entries if entry and not entry.umbrella and not entry.context
    }
