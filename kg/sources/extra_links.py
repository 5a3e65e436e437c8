"""Further links of a paper: web addresses other than its page and its identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi

_WEB: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_IN_TEXT: Final = re.compile(r"https?://[^\s<>\"')\]},;]+", re.IGNORECASE)


def is_web_url(link: str) -> bool:
    """Return whether a text is a web address."""
    return bool(_WEB.fullmatch(link))


def find_urls(text: str) -> tuple[str, ...]:
    """Return the web addresses inside a text, such as a comment of the authors.

    >>> find_urls("9 pages. Code (https://code.example/kite) and https://kite.example.")
    ('https://code.example/kite', 'https://kite.example')
    """
    return tuple(link.rstrip(".:!?") for link in _IN_TEXT.findall(text))


def further_links(links: Iterable[str], page: str, own_arxiv: str, own_doi: str) -> tuple[str, ...]:
    """Return the unique web addresses, sorted, without the page and its arXiv id and DOI."""
    return tuple(
        link
        for link in sorted(set(links) - {page})
        if is_web_url(link)
        and not (own_arxiv and arxiv_id(link) == own_arxiv)
        and not (own_doi and doi(link) == own_doi)
    )
