"""Missing fields of a paper, and how another record of the same paper fills them."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi
from citekg.schemas.records import Paper

#: The optional subject class of older arXiv ids: `math.GT/0309136` is `math/0309136`.
_SUBJECT_CLASS: Final = re.compile(r"\.[A-Z]{2}(?=/)")


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A record that could not be completed: its source, title or id, missing fields and the reason.

    `lacks` may be empty if the id belongs to a different paper.
    """

    place: str
    name: str
    lacks: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        lacks = f"lacks {', '.join(self.lacks)}: " if self.lacks else ""
        return f"{self.place}: {self.name[:60]!r} {lacks}{self.reason}"


def missing_fields(paper: Paper) -> tuple[str, ...]:
    """Return the names of the fields that completion fills and the paper lacks.

    >>> missing_fields(Paper("10.1000/kites", "Kites", "", date="2024", doi="10.1000/kites"))
    ('abstract', 'authors')
    """
    has = {
        "title": paper.title.strip(),
        "abstract": paper.abstract.strip(),
        "date": paper.date,
        "authors": paper.authors,
        "arXiv id or DOI": any(paper_ids(paper)),
    }
    return tuple(name for name, value in has.items() if not value)


def fill_gaps(paper: Paper, found: Paper) -> Paper:
    """Return the paper with its empty fields taken from another record of the same paper."""
    empty = {
        one.name: getattr(found, one.name)
        for one in fields(Paper)
        if one.name != "sources" and _is_empty(getattr(paper, one.name))
    }
    return replace(paper, **empty)


def _is_empty(value: str | tuple[object, ...]) -> bool:
    return not (value.strip() if isinstance(value, str) else value)


def paper_ids(paper: Paper) -> tuple[str, str]:
    """Return the arXiv id and the DOI of a paper, from any field that holds them."""
    places = (paper.arxiv_id, paper.doi, paper.id, paper.url)
    arxiv, own_doi = (next(filter(None, map(form, places)), "") for form in (arxiv_id, doi))
    return _SUBJECT_CLASS.sub("", arxiv), "" if arxiv_id(own_doi) else own_doi
