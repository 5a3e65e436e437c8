"""HTTP content negotiation by the `Accept` header (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

#: The formats of SELECT and ASK results by media type; the names are those of pyoxigraph.
RESULTS: Final = {
    "application/sparql-results+json": "JSON",
    "application/sparql-results+xml": "XML",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
    "application/json": "JSON",
    "application/xml": "XML",
}
#: The formats of triples by media type.
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
    """Return the offered media type of the highest quality, the first of equals; `None` if none.

    >>> negotiate("text/csv;q=0.5, application/*", ["text/csv", "application/json"])
    'application/json'
    """
    qualities = _parse_accept(accept)
    best = max(offered, key=lambda media_type: _quality(media_type, qualities))
    return best if _quality(best, qualities) > 0 else None


def wants_page(accept: str) -> bool:
    """Return whether the client prefers HTML, as browsers do."""
    return PAGE in accept and negotiate(accept, (PAGE, *RESULTS, *TRIPLES)) == PAGE


def _quality(media_type: str, qualities: Mapping[str, float]) -> float:
    """Return the quality of a media type by its most specific media range; 0 if there is none."""
    ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
    return next((qualities[range_] for range_ in ranges if range_ in qualities), 0)


def _parse_accept(accept: str) -> dict[str, float]:
    """Return the quality (`q`) of each media range of an `Accept` header, the first if repeated."""
    qualities: dict[str, float] = {}
    for entry in (accept or "*/*").split(","):
        media_type, *parameters = (part.strip().lower() for part in entry.split(";"))
        given = [p.partition("=")[2] for p in parameters if p.startswith("q=")]
        try:
            qualities.setdefault(media_type, float(given[0]) if given else 1.0)
        except ValueError:
            continue
    return qualities
