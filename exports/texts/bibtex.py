"""The papers as BibTeX, without stubs; the special characters of LaTeX are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from citekg.exports.texts.citation_keys import cite_keys
from citekg.exports.texts.venues import VenueKind, venue_kind
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.months import MONTHS
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Paper

_DATE: Final = re.compile(r"([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?(?![0-9])")
_WEB_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
#: The entry type and the field of the venue, by the kind of venue.
_ENTRIES: Final[dict[VenueKind, tuple[str, str]]] = {
    "meeting": ("inproceedings", "booktitle"),
    "periodical": ("article", "journal"),
    "preprint": ("misc", "howpublished"),
}
_SPACES: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_"},
    }
)


def bibtex(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001
    """Yield a BibTeX entry for each paper.

    It is `@inproceedings` or `@article` by its venue, and `@misc` for a preprint or without a
    venue.
    """
    keys = cite_keys(graph.papers)
    for paper in graph.papers:
        fields = ",\n".join(f"  {name} = {value}" for name, value in _fields(paper))
        yield f"@{entry_type(paper)}{{{keys[paper.id]},\n{fields}\n}}\n\n".encode()


def entry_type(paper: Paper) -> str:
    """Return the type of a paper's entry: `inproceedings`, `article` or `misc`."""
    return _entry(paper)[0]


def _entry(paper: Paper) -> tuple[str, str]:
    return _ENTRIES[venue_kind(paper.venue) if paper.venue.strip() else "preprint"]


def _fields(paper: Paper) -> Iterator[tuple[str, str]]:
    yield "title", f"{{{{{_latex(paper.title)}}}}}"
    if authors := " and ".join(filter(None, map(_author, paper.authors))):
        yield "author", f"{{{authors}}}"
    if venue := _latex(paper.venue):
        yield _entry(paper)[1], f"{{{venue}}}"
    if date := _DATE.match(paper.date):
        yield "year", f"{{{date[1]}}}"
        if date[2]:
            yield "month", MONTHS[int(date[2]) - 1]
        if date[3]:
            yield "day", f"{{{int(date[3])}}}"
    if eprint := _latex(paper.arxiv_id):
        yield "eprint", f"{{{eprint}}}"
        yield "archiveprefix", "{arXiv}"
    if doi := _latex(paper.doi):
        yield "doi", f"{{{doi}}}"
    if _WEB_ADDRESS.fullmatch(paper.url):
        yield "url", f"{{{quote(paper.url, safe=_URL_CHARACTERS)}}}"
    if abstract := _latex(paper.abstract):
        yield "abstract", f"{{{abstract}}}"


#: The characters of a URL that are not percent-encoded; braces and backslashes are.
_URL_CHARACTERS: Final = ":/?#[]@!$&'()*+,;=%-._~"


def _author(name: str) -> str:
    """Return an author's name, in braces if BibTeX would split it into several names."""
    text = _latex(name)
    is_split = re.search(r"\band\b", text, re.IGNORECASE) or text.count(",") > 1
    return f"{{{text}}}" if is_split else text


def _latex(text: str) -> str:
    return _SPACES.sub(" ", text).strip().translate(_ESCAPES)
