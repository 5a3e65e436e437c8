"""One paper, several sources: what they say is merged, and their order leaves no trace."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from schemas.records import Paper


def folded_title(title: str) -> str:
    """A title as it is compared: compatibility forms, case, spaces and punctuation folded."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+|[^\w\s.,:;!?'\"-]", folded))


def merged(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """The papers, each once, sorted by id.

    A paper is known by its id, else its arXiv id, else its title; a record without an id joins
    the paper of the same title. The fullest record wins, the others fill its gaps.
    """
    records = list(papers)
    ids_by_title: dict[str, set[str]] = defaultdict(set)
    for paper in records:
        if paper.id or paper.arxiv_id:
            ids_by_title[folded_title(paper.title)].add(paper.id or paper.arxiv_id)
    same: dict[str, list[Paper]] = defaultdict(list)
    for paper in records:
        same[_identity(paper, ids_by_title)].append(paper)
    return tuple(_one(paper_id, group) for paper_id, group in sorted(same.items()))


def _identity(paper: Paper, ids_by_title: dict[str, set[str]]) -> str:
    if paper.id or paper.arxiv_id:
        return paper.id or paper.arxiv_id
    title = folded_title(paper.title)
    known = ids_by_title.get(title)
    return min(known) if known else title_id(paper.title)


def title_id(title: str) -> str:
    """The id of a paper that has nothing but its title to be known by."""
    return "t" + hashlib.sha256(folded_title(title).encode()).hexdigest()[:12]


def _one(paper_id: str, group: list[Paper]) -> Paper:
    ranked = sorted(group, key=_fullness, reverse=True)
    return replace(
        ranked[0],
        id=paper_id,
        date=max((p.date for p in ranked), key=lambda d: (len(d), d)),
        authors=next((p.authors for p in ranked if p.authors), ()),
        url=next((p.url for p in ranked if p.url), ""),
        arxiv_id=next((p.arxiv_id for p in ranked if p.arxiv_id), ""),
        venue=next((p.venue for p in ranked if p.venue), ""),
        sources=tuple(sorted({s for p in ranked for s in p.sources})),
    )


def _fullness(paper: Paper) -> tuple[int, str, str, int, tuple[str, ...], str, str, str]:
    return (len(paper.abstract), paper.abstract, paper.title, len(paper.authors), paper.authors, *_rest(paper))


def _rest(paper: Paper) -> tuple[str, str, str]:
    return paper.url, paper.arxiv_id, paper.venue
