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

from citekg.schemas.errors import InputError

_OWN_FILES: Final = Path(__file__).parent / "annotations"


def annotated_papers(
    files: Iterable[Path], unlabelled: Iterable[Path], left_out: Iterable[Path]
) -> list[dict[str, Any]]:
    """Return rows with id, title, abstract and entities.

    First come the rows of `files`, which hold the texts; then the project's own annotations whose
    texts are in `unlabelled`. Titles that occur in `files` or `left_out` are skipped among these.
    """
    return with_own_annotations(files, unlabelled, _OWN_FILES, "entities", left_out)


def with_own_annotations(
    files: Iterable[Path],
    unlabelled: Iterable[Path],
    own_files: Path,
    annotation: str,
    left_out: Iterable[Path] = (),
) -> list[dict[str, Any]]:
    """Return the rows of `files`, then those of the folder `own_files` with their texts.

    `annotation` is the key of what the project's own files annotate. Raises `InputError` if there
    are none: a strict editable installation links Python files only.
    """
    own = sorted(own_files.glob("*.jsonl"))
    if not own:
        raise InputError(str(own_files), "no annotations: install with pip install -e .")
    rows = [row for file in files for row in read_rows(file)]
    skipped = {fold_title(row["title"]) for row in rows} | titles_of(left_out)
    texts = {
        (row["id"], fold_title(row["title"])): row
        for file in unlabelled
        for row in unlabelled_rows(file)
    }
    for row in (row for file in own for row in read_rows(file)):
        title = fold_title(row["title"])
        if title not in skipped and (text := texts.get((row["id"], title))):
            rows.append({**text, annotation: row[annotation]})
    return rows


def unlabelled_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a gzip-compressed JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def titles_of(files: Iterable[Path]) -> set[str]:
    """Return the titles in JSON Lines files, as `fold_title` gives them."""
    return {fold_title(row["title"]) for file in files for row in read_rows(file)}


def read_rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a JSON Lines file."""
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def fold_title(title: str) -> str:
    """Return the title in lower case, with single spaces."""
    return " ".join(title.casefold().split())
