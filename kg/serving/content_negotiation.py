"""Which form of an answer a client is given: HTTP's content negotiation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

#: The forms of rows and of yes or no, by media type; the names are pyoxigraph's.
RESULTS: Final = {
    "application/sparql-results+json": "JSON",
    "application/sparql-results+xml": "XML",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
    "application/json": "JSON",
    "application/xml": "XML",
}
#: The forms of triples, by media type.
TRIPLES: Final = {
    "text/turtle": "TURTLE",
    "application/n-triples": "N_TRIPLES",
    "application/rdf+xml": "RDF_XML",
    "application/ld+json": "JSON_LD",
    "application/json": "JSON_LD",
    "application/xml": "RDF_XML",
}
PAGE: Final = "text/html"


def negotiate(accept: str, offered: Iterable[str]) -> str | None:
    """The offered media type that is wanted most, the first of equals; `None` where none is wanted.

    >>> chosen("text/csv;q=0.5, application/*", ["text/csv", "application/json"])
    'application/json'
    """
    wanted = _wanted(accept)
    best = max(offered, key=lambda media_type: _quality(media_type, wanted))
    return best if _quality(best, wanted) > 0 else None


def wants_page(accept: str) -> bool:
    """Whether a client is a browser that shows a page, rather than a program that asks for data."""
    return PAGE in accept and negotiate(accept, (PAGE, *RESULTS, *TRIPLES)) == PAGE


def _quality(media_type: str, wanted: Mapping[str, float]) -> float:
    """How much a media type is wanted: what the most exact entry says."""
    ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
    return next((wanted[range_] for range_ in ranges if range_ in wanted), 0)


def _wanted(accept: str) -> dict[str, float]:
    """The types and wildcards of an Accept header, and how much each is wanted where it first stands."""
    wanted: dict[str, float] = {}
    for entry in (accept or "*/*").split(","):
        media_type, *parameters = (part.strip().lower() for part in entry.split(";"))
        given = [p.partition("=")[2] for p in parameters if p.startswith("q=")]
        try:
            wanted.setdefault(media_type, float(given[0]) if given else 1.0)
        except ValueError:
            continue
    return wanted
