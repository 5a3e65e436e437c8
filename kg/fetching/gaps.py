"""What a paper lacks, and how another record of it fills that."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi
from citekg.schemas.records import Paper

#: What arXiv's older ids may name or not: `math.GT/0309136` is `math/0309136`.
_SUBJECT_CLASS: Final = re.compile(r"\.[A-Z]{2}(?=/)")


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A record that could not be completed: where it was read, its title or id, what it lacks, and why.

    It lacks nothing where its id is that of a different paper.
    """

    place: str
    name: str
    lacks: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        lacks = f"lacks {', '.join(self.lacks)}: " if self.lacks else ""
        return f"{self.place}: {self.name[:60]!r} {lacks}{self.reason}"


def lacking(paper: Paper) -> tuple[str, ...]:
    """What completing looks for and the paper does not have.

    >>> lacking(Paper("10.1000/kites", "Kites", "", date="2024", doi="10.1000/kites"))
    ('abstract', 'authors')
    """
    has = {
        "title": paper.title.strip(),
        "abstract": paper.abstract.strip(),
        "date": paper.date,
        "authors": paper.authors,
        "arXiv id or DOI": any(ids(paper)),
    }
    return tuple(name for name, value in has.items() if not value)


def filled(paper: Paper, found: Paper) -> Paper:
    """The paper with its empty fields taken from another record of it; what it has stays as it is."""
    empty = {
        one.name: getattr(found, one.name)
        for one in fields(Paper)
        if one.name != "sources" and _is_empty(getattr(paper, one.name))
    }
    return replace(paper, **empty)


def _is_empty(value: str | tuple[object, ...]) -> bool:
    return not (value.strip() if isinstance(value, str) else value)


def ids(paper: Paper) -> tuple[str, str]:
    """The arXiv id and the DOI of a paper, from whichever field holds them."""
    places = (paper.arxiv_id, paper.doi, paper.id, paper.url)
    arxiv, own_doi = (next(filter(None, map(form, places)), "") for form in (arxiv_id, doi))
    return _SUBJECT_CLASS.sub("", arxiv), "" if arxiv_id(own_doi) else own_doi
