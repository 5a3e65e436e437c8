"""Normalisation of paper identifiers: arXiv ids, DOIs, OpenAlex and Semantic Scholar ids.

`identifier` returns the canonical form, `arxiv:…`, `doi:…`, `openalex:W…` or `s2:…`, and `url_of`
its URL; the two forms convert into each other without loss.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import quote, unquote

_ARXIV: Final = r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:[vV]\d+)?"
_ARXIV_FORMS: Final = (
    re.compile(rf"(?i:arxiv(?::\s*|\s+))?{_ARXIV}(?:\s*\[[\w.-]+\])?"),
    re.compile(
        rf"(?i:(?:https?://)?(?:[\w-]+\.)*arxiv\.org/(?:abs|pdf|html|format|ps)/){_ARXIV}(?:\.pdf)?/?(?:[?#]\S*)?"
    ),
    re.compile(rf"(?i:(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.48550/arxiv\.){_ARXIV}"),
    re.compile(rf"(?i:oai:arxiv\.org:){_ARXIV}"),
)
_DOI: Final = re.compile(
    r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", re.IGNORECASE
)
_OPENALEX: Final = re.compile(
    r"(?i:openalex:|https?://(?:api\.)?openalex\.org/(?:works/)?)?([Ww][0-9]+)"
)
_S2_PAPER: Final = re.compile(
    r"(?i:s2:|https?://(?:www\.|api\.)?semanticscholar\.org/(?:paper/)?(?:[^/\s]+/)?)?([0-9a-f]{40})"
)
_S2_CORPUS: Final = re.compile(
    r"(?i:s2:|(?:https?://api\.semanticscholar\.org/)?corpusid:)([0-9]+)"
)


def arxiv_id(written: str) -> str:
    """Return the arXiv id without version of an id, URL, DOI or OAI name; empty for any other text.

    >>> arxiv_id("http://arxiv.org/pdf/2405.00001v2.pdf"), arxiv_id("10.48550/arXiv.2405.00001")
    ('2405.00001', '2405.00001')
    >>> arxiv_id("arXiv:math.GT/0309136"), arxiv_id("https://example.org/2405.00001")
    ('math.GT/0309136', '')
    >>> arxiv_id("arXiv:2405.00001v2 [cs.LG]"), arxiv_id("arxiv.org/abs/cs/0112017v1?context=cs")
    ('2405.00001', 'cs/0112017')
    """
    written = written.strip()
    for form in _ARXIV_FORMS:
        if match := form.fullmatch(written):
            return str(match["id"])
    return ""


def doi(written: str) -> str:
    """Return the DOI in lower case of a DOI or its resolver URL; empty for any other text.

    >>> doi("https://doi.org/10.1000/XYZ"), doi("https://example.org/10.1000/xyz")
    ('10.1000/xyz', '')
    """
    found = _DOI.fullmatch(written.strip())
    return found[1].lower() if found else ""


def openalex_id(written: str) -> str:
    """Return the id of an OpenAlex work from an id or a URL; empty for any other text.

    >>> openalex_id("https://openalex.org/W4391234567")
    'W4391234567'
    """
    found = _OPENALEX.fullmatch(written.strip())
    return found[1].upper() if found else ""


def semantic_scholar_id(written: str) -> str:
    """Return the paper id or corpus id of Semantic Scholar from an id or a URL; otherwise empty.

    >>> semantic_scholar_id("CorpusID:2718"), semantic_scholar_id("2718")
    ('2718', '')
    """
    found = _S2_PAPER.fullmatch(written.strip()) or _S2_CORPUS.fullmatch(written.strip())
    return found[1] if found else ""


#: The identifier schemes in the order in which they are tried, each with its parser and resolver
#: URL.
_SCHEMES: Final[dict[str, tuple[Callable[[str], str], str]]] = {
    "arxiv": (arxiv_id, "https://arxiv.org/abs/"),
    "doi": (doi, "https://doi.org/"),
    "openalex": (openalex_id, "https://openalex.org/"),
    "s2": (semantic_scholar_id, "https://www.semanticscholar.org/paper/"),
}
_S2_CORPUS_URL: Final = "https://api.semanticscholar.org/CorpusID:"


def identifier(written: str) -> str:
    """Return the canonical form of an identifier or its URL; empty for any other text.

    >>> identifier("https://arxiv.org/abs/2405.00001v3"), identifier("https://doi.org/10.1000/XYZ")
    ('arxiv:2405.00001', 'doi:10.1000/xyz')
    >>> identifier("https://openalex.org/W271828"), identifier("CorpusID:2718"), identifier("Lark")
    ('openalex:W271828', 's2:2718', '')
    """
    for name, (form, _) in _SCHEMES.items() if written else ():
        if own := form(written):
            return f"{name}:{own}"
    return ""


def identifiers(written: Iterable[str]) -> tuple[str, ...]:
    """Return the identifiers among the texts in canonical form, without duplicates and sorted."""
    return tuple(sorted({identifier(text) for text in written} - {""}))


def url_of(name: str) -> str:
    """Return the URL of an identifier in canonical form; `identifier_at` is the inverse.

    >>> url_of("doi:10.1000/x<y>"), url_of("s2:2718")
    ('https://doi.org/10.1000/x%3Cy%3E', 'https://api.semanticscholar.org/CorpusID:2718')
    """
    form, _, own = name.partition(":")
    place = _S2_CORPUS_URL if form == "s2" and own.isdecimal() else _SCHEMES[form][1]
    return place + quote(own, safe="/:;(),")


def identifier_at(place: str) -> str:
    """Return the identifier whose URL `url_of` returned; empty for any other URL."""
    return identifier(unquote(place))
