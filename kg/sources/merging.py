"""Merge the records of one paper."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from citekg.schemas.records import Paper
from citekg.sources.extra_links import further_links

_SINGLE_FIELDS: Final = ("url", "arxiv_id", "doi")


def merge_group(paper_id: str, group: list[Paper]) -> Paper:
    """Return one paper of several records; values of more complete records come first."""
    ranked = sorted(group, key=_completeness, reverse=True)
    url, arxiv, own_doi = (
        next(filter(None, (getattr(p, name) for p in ranked)), "") for name in _SINGLE_FIELDS
    )
    return replace(
        ranked[0],
        id=paper_id,
        title=next(p.title for p in ranked if p.title.strip()),
        date=max((p.date for p in ranked), key=lambda d: (len(d), d)),
        authors=next((p.authors for p in ranked if p.authors), ()),
        url=url,
        arxiv_id=arxiv,
        venue=next((p.venue for p in ranked if p.venue), ""),
        sources=tuple(sorted({s for p in ranked for s in p.sources})),
        doi=own_doi,
        links=further_links(
            (link for p in ranked for link in (p.url, *p.links)), url, arxiv, own_doi
        ),
        references=tuple(sorted({name for p in ranked for name in p.references})),
    )


def _completeness(paper: Paper) -> tuple[int, str, str, int, tuple[str, ...], str, str, str, str]:
    """Return the sort key of a record: length of the abstract first, then ties by content."""
    return (
        len(paper.abstract),
        paper.abstract,
        paper.title,
        len(paper.authors),
        paper.authors,
        paper.url,
        paper.arxiv_id,
        paper.venue,
        paper.doi,
    )
