"""Known introductions: the papers that introduced entities of the lexicon.

The table `extractors/introductions.tsv` has the columns `name` (as in the lexicon), `title`, `year`
and `arxiv` (the identifier of the paper, or empty). Several titles of one paper, such as those of a
preprint and of its proceedings, are separated by `|`. A paper that introduced several entities has
the same titles, year and identifier in all its rows. The table contains only verified
introductions.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

from citekg.extractors.candidates.tsv import read_rows
from citekg.schemas.errors import LexiconError
from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.names import key
from citekg.schemas.records import Paper

_COLUMNS: Final = ("name", "title", "year", "arxiv")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ARXIV: Final = re.compile(r"\d{4}\.\d{4,5}|[a-z.-]+/\d{7}|")


class KnownPaper(NamedTuple):
    """A paper that is known to have introduced an entity.

    `arxiv_id` may be empty. `other_titles` holds its other titles, separated by `|`.
    """

    title: str
    year: str
    arxiv_id: str
    other_titles: str = ""

    @property
    def titles(self) -> tuple[str, ...]:
        """The title, followed by the other titles."""
        return (self.title, *filter(None, self.other_titles.split("|")))

    def is_paper(self, paper: Paper) -> bool:
        """Return whether a paper is the known one, by title, arXiv identifier or arXiv DOI."""
        if self.arxiv_id and self.arxiv_id in (paper.arxiv_id, arxiv_id(paper.doi)):
            return True
        return key(paper.title) in map(key, self.titles)


def read_introductions(path: Path) -> Iterator[tuple[str, KnownPaper]]:
    """Yield the names of a table of introductions, each with its paper.

    Raises `LexiconError` with file and line for an invalid row.
    """
    for number, cells in read_rows(path, _COLUMNS):
        if len(cells) != len(_COLUMNS) or not all(cells[:2]) or not _is_valid(*cells[2:]):
            raise LexiconError(
                f"{path}:{number}: expected a name, a title, a year"
                " and an arXiv identifier (or an empty cell)"
            )
        name, titles, year, arxiv = cells
        title, _, others = titles.partition("|")
        yield name, KnownPaper(title, year, arxiv, others)


def _is_valid(year: str, arxiv_id: str) -> bool:
    return bool(_YEAR.fullmatch(year) and _ARXIV.fullmatch(arxiv_id))


@cache
def shipped_introductions() -> dict[str, KnownPaper]:
    """Return the introductions that come with the package, by the key of the name."""
    return {key(name): paper for name, paper in read_introductions(_shipped_table())}


def shipped_digest() -> str:
    """Return a SHA-256 of the introductions that come with the package, in hexadecimal digits."""
    return hashlib.sha256(_shipped_table().read_bytes()).hexdigest()


def _shipped_table() -> Path:
    return Path(str(resources.files("citekg.extractors"))) / "introductions.tsv"
