"""The further links of a paper: web addresses beside its page that tell more than its identifiers do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi

_WEB: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_IN_TEXT: Final = re.compile(r"https?://[^\s<>\"')\]},;]+", re.IGNORECASE)


def is_web(link: str) -> bool:
    """Whether a text is the address of a web page."""
    return bool(_WEB.fullmatch(link))


def web_links(text: str) -> tuple[str, ...]:
    """The web addresses inside a text, such as a remark of its authors.

    >>> web_links("9 pages. Code (https://code.example/kite) and https://kite.example.")
    ('https://code.example/kite', 'https://kite.example')
    """
    return tuple(link.rstrip(".:!?") for link in _IN_TEXT.findall(text))


def further(links: Iterable[str], page: str, own_arxiv: str, own_doi: str) -> tuple[str, ...]:
    """The links, each once and sorted, but for the paper's page and for what only resolves its arXiv id or DOI."""
    return tuple(
        link
        for link in sorted(set(links) - {page})
        if is_web(link) and not (own_arxiv and arxiv_id(link) == own_arxiv) and not (own_doi and doi(link) == own_doi)
    )
