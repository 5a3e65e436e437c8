"""Identifiers of papers, however they are written: arXiv ids and DOIs."""

from __future__ import annotations

import re
from typing import Final

_ARXIV: Final = r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
_WRITTEN_ARXIV: Final = (
    re.compile(rf"(?i:arxiv:\s*)?{_ARXIV}"),
    re.compile(rf"(?i:https?://(?:[\w-]+\.)*arxiv\.org/(?:abs|pdf|html)/){_ARXIV}(?:\.pdf)?/?"),
    re.compile(rf"(?i:(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.48550/arxiv\.){_ARXIV}"),
    re.compile(rf"(?i:oai:arxiv\.org:){_ARXIV}"),
)
_DOI: Final = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


def arxiv_id(written: str) -> str:
    """The arXiv id without its version, from an id, a link, a DOI or an OAI name; empty for anything else.

    >>> arxiv_id("http://arxiv.org/pdf/2405.00001v2.pdf"), arxiv_id("10.48550/arXiv.2405.00001")
    ('2405.00001', '2405.00001')
    >>> arxiv_id("arXiv:math.GT/0309136"), arxiv_id("https://example.org/2405.00001")
    ('math.GT/0309136', '')
    """
    found = (form.fullmatch(written.strip()) for form in _WRITTEN_ARXIV)
    return next((match["id"] for match in found if match), "")


def doi(written: str) -> str:
    """The DOI in lower case, from a DOI or a link to its resolver; empty for anything else.

    >>> doi("https://doi.org/10.1000/XYZ"), doi("https://example.org/10.1000/xyz")
    ('10.1000/xyz', '')
    """
    found = _DOI.fullmatch(written.strip())
    return found[1].lower() if found else ""
