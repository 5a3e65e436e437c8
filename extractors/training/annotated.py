"""The annotated papers of the training.

The annotations of `annotations/*.jsonl` are part of the project; their titles and abstracts are
not. Training looks the texts up by id and title in the unlabelled papers.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

_OWN_FILES: Final = Path(__file__).parent / "annotations"


def annotated_papers(
    files: Iterable[Path], unlabelled: Iterable[Path], left_out: Iterable[Path]
) -> list[dict[str, Any]]:
    """Return rows with id, title, abstract and entities.

    First come the rows of `files`, which hold the texts; then the project's own annotations whose
    texts are in `unlabelled`. Titles that occur in `files` or `left_out` are skipped among these.
    """
    rows = [row for file in files for row in _rows(file)]
    skipped = {fold_title(row["title"]) for row in rows} | titles_of(left_out)
    texts = {
        (row["id"], fold_title(row["title"])): row
        for file in unlabelled
        for row in unlabelled_rows(file)
    }
    for own in (row for file in sorted(_OWN_FILES.glob("*.jsonl")) for row in _rows(file)):
        title = fold_title(own["title"])
        if title not in skipped and (text := texts.get((own["id"], title))):
            rows.append({**text, "entities": own["entities"]})
    return rows


def unlabelled_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a gzip-compressed JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def titles_of(files: Iterable[Path]) -> set[str]:
    """Return the titles in JSON Lines files, as `fold_title` gives them."""
    return {fold_title(row["title"]) for file in files for row in _rows(file)}


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def fold_title(title: str) -> str:
    """Return the title in lower case, with single spaces."""
    return " ".join(title.casefold().split())
