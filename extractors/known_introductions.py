"""Well-known introductions: which paper brought a name of the lexicon into the world.

The table `extractors/introductions.tsv` has the columns `name` (as the lexicon names it), `title`,
`year` and `arxiv` (the identifier of the paper, empty where it has none). A row holds only what is
sure; what is not is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from citekg.extractors.candidates.tsv import read_rows
from citekg.schemas.errors import LexiconError
from citekg.schemas.names import key

_COLUMNS: Final = ("name", "title", "year", "arxiv")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ARXIV: Final = re.compile(r"\d{4}\.\d{4,5}|[a-z.-]+/\d{7}|")


@dataclass(frozen=True, slots=True, order=True)
class KnownPaper:
    """A paper that is known to have introduced something; `arxiv_id` may be empty."""

    title: str
    year: str
    arxiv_id: str


def read_introductions(path: Path) -> Iterator[tuple[str, KnownPaper]]:
    """The names of a table of introductions, each with its paper; raises `LexiconError` naming file and line."""
    for number, cells in read_rows(path, _COLUMNS):
        if len(cells) != len(_COLUMNS) or not all(cells[:2]) or not _are_facts(*cells[2:]):
            raise LexiconError(f"{path}:{number}: want a name, a title, a year and an arXiv identifier or nothing")
        yield cells[0], KnownPaper(*cells[1:])


def _are_facts(year: str, arxiv_id: str) -> bool:
    return bool(_YEAR.fullmatch(year) and _ARXIV.fullmatch(arxiv_id))


@cache
def shipped_introductions() -> dict[str, KnownPaper]:
    """The introductions that come with the package, by the key of the name."""
    table = resources.files("citekg.extractors") / "introductions.tsv"
    return {key(name): paper for name, paper in read_introductions(Path(str(table)))}
