"""One paper, several sources: what they say is merged, and their order leaves no trace."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from kg.sources.further import further
from schemas.identifiers import doi
from schemas.records import Paper

_SINGLE: Final = ("url", "arxiv_id", "doi")


def folded_title(title: str) -> str:
    """A title as it is compared: compatibility forms, case, spaces and punctuation folded."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+|[^\w\s.,:;!?'\"-]", folded))


def merged(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """The papers, each once, sorted by id.

    A paper is known by its id, else its arXiv id, else its title; a record that goes by its DOI joins the
    paper of that DOI, and one without an id the paper of the same title. The fullest record wins, the
    others fill its gaps.
    """
    records = list(papers)
    ids_by_doi: dict[str, set[str]] = defaultdict(set)
    ids_by_title: dict[str, set[str]] = defaultdict(set)
    for paper in records:
        known = paper.id or paper.arxiv_id
        if known and paper.doi and not doi(known):
            ids_by_doi[paper.doi].add(known)
    for paper in records:
        if known := _known(paper, ids_by_doi):
            ids_by_title[folded_title(paper.title)].add(known)
    same: dict[str, list[Paper]] = defaultdict(list)
    for paper in records:
        same[_known(paper, ids_by_doi) or _titled(paper, ids_by_title)].append(paper)
    return tuple(_one(paper_id, group) for paper_id, group in sorted(same.items()))


def _known(paper: Paper, ids_by_doi: dict[str, set[str]]) -> str:
    """What the paper goes by, empty where only its title is known."""
    known = paper.id or paper.arxiv_id or paper.doi
    return min(ids_by_doi.get(known, {known}))


def _titled(paper: Paper, ids_by_title: dict[str, set[str]]) -> str:
    known = ids_by_title.get(folded_title(paper.title))
    return min(known) if known else title_id(paper.title)


def title_id(title: str) -> str:
    """The id of a paper that has nothing but its title to be known by."""
    return "t" + hashlib.sha256(folded_title(title).encode()).hexdigest()[:12]


def _one(paper_id: str, group: list[Paper]) -> Paper:
    ranked = sorted(group, key=_fullness, reverse=True)
    url, arxiv, own_doi = (next(filter(None, (getattr(p, name) for p in ranked)), "") for name in _SINGLE)
    return replace(
        ranked[0],
        id=paper_id,
        date=max((p.date for p in ranked), key=lambda d: (len(d), d)),
        authors=next((p.authors for p in ranked if p.authors), ()),
        url=url,
        arxiv_id=arxiv,
        venue=next((p.venue for p in ranked if p.venue), ""),
        sources=tuple(sorted({s for p in ranked for s in p.sources})),
        doi=own_doi,
        links=further((link for p in ranked for link in (p.url, *p.links)), url, arxiv, own_doi),
        references=tuple(sorted({name for p in ranked for name in p.references})),
    )


def _fullness(paper: Paper) -> tuple[int, str, str, int, tuple[str, ...], str, str, str, str]:
    return (len(paper.abstract), paper.abstract, paper.title, len(paper.authors), paper.authors, *_rest(paper))


def _rest(paper: Paper) -> tuple[str, str, str, str]:
    return paper.url, paper.arxiv_id, paper.venue, paper.doi
