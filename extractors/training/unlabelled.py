"""The unlabelled papers of the training, whose extractions are its silver labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from citekg.extractors.nlp import Document, make_document
from citekg.extractors.training.annotated import fold_title, titles_of, unlabelled_rows
from citekg.schemas.records import Paper


def unlabelled_papers(path: Path, left_out: Iterable[Path]) -> Iterator[Document]:
    """Yield the papers of a gzip-compressed JSON Lines file.

    Papers with a title that occurs in the files `left_out` are skipped.
    """
    skipped = titles_of(left_out)
    for row in unlabelled_rows(path):
        if fold_title(row["title"]) not in skipped:
            yield make_document(Paper(row["id"], row["title"], row["abstract"]))
