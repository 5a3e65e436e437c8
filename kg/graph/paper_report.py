"""The facts of a graph about a paper, as text and as values for JSON (`kg show`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Link, Paper, Relation
from citekg.schemas.vocabulary import COMPARES_TO, LINKS, OUTPERFORMS, Vocabulary


def as_values(graph: KnowledgeGraph, paper: Paper) -> dict[str, Any]:
    """Return a paper as lists and dictionaries: roles with sentences, links and references."""
    relations = sorted(
        (r for r in graph.relations if r.paper == paper.id), key=lambda r: (-r.confidence, r.entity)
    )
    claims = {
        role: [_claim(graph, r) for r in relations if r.role == role]
        for role in graph.vocabulary.roles
    }
    return {
        "id": paper.id,
        "type": "Paper",
        "title": paper.title,
        "date": paper.date,
        "authors": list(paper.authors),
        "venue": paper.venue,
        "arxiv_id": paper.arxiv_id,
        "doi": paper.doi,
        "url": paper.url,
        "in_corpus": paper.id in graph.paper_by_id,
        "roles": {role: found for role, found in claims.items() if found},
        "known_to_introduce": _known(graph, paper),
        "cites": [_link(graph, k, k.cited) for k in graph.links if k.citing == paper.id],
        "cited_by": [_link(graph, k, k.citing) for k in graph.links if k.cited == paper.id],
        "references": [_paper(graph, c.cited) for c in graph.citations if c.citing == paper.id],
        "referenced_by": [_paper(graph, c.citing) for c in graph.citations if c.cited == paper.id],
    }


def _claim(graph: KnowledgeGraph, relation: Relation) -> dict[str, Any]:
    entity = graph.entity_by_id[relation.entity]
    return {
        "entity": entity.id,
        "name": entity.name,
        "type": entity.type,
        "confidence": relation.confidence,
        "evidence": [
            {
                "mention": e.mention.text,
                "start": e.mention.start,
                "end": e.mention.end,
                "sentence": e.sentence,
            }
            for e in graph.evidence(relation)
        ],
    }


def _known(graph: KnowledgeGraph, paper: Paper) -> list[str]:
    """Return the names of entities that the paper introduces by the list of introductions."""
    return [graph.entity_by_id[i.entity].name for i in graph.introductions if i.paper == paper.id]


def _link(graph: KnowledgeGraph, link: Link, other: str) -> dict[str, Any]:
    through = graph.entity_by_id[link.entity].name
    return {
        **_paper(graph, other),
        "kind": link.kind,
        "through": through,
        "confidence": link.confidence,
    }


def _paper(graph: KnowledgeGraph, paper: str) -> dict[str, Any]:
    found = graph.cited_by_id[paper]
    return {"paper": found.id, "title": found.title, "date": found.date}


def as_text(graph: KnowledgeGraph, paper: Paper, limit: int) -> str:
    """Return a paper as text, with at most `limit` entries in each section."""
    return "\n".join(_lines(as_values(graph, paper), limit, graph.vocabulary))


def _lines(values: dict[str, Any], limit: int, vocabulary: Vocabulary) -> Iterator[str]:
    outside = "" if values["in_corpus"] else "known, outside this corpus"
    names = (values["date"] or "undated", values["venue"], _named("arXiv", values["arxiv_id"]))
    details = filter(None, (*names, _named("DOI", values["doi"]), outside))
    yield f"{values['title']} ({', '.join(details)})"
    if values["authors"]:
        yield f"by: {', '.join(values['authors'])}"
    if values["known_to_introduce"]:
        yield f"known to introduce: {', '.join(values['known_to_introduce'])}"
    compared = {c["entity"] for c in values["roles"].get(OUTPERFORMS, ())}
    for role, claims in values["roles"].items():
        shown = [c for c in claims if role != COMPARES_TO or c["entity"] not in compared]
        yield from _section(vocabulary.roles[role].label, map(_claim_lines, shown), limit)
    yield from _section("cites", map(_link_lines, values["cites"]), limit)
    yield from _section("is cited by", map(_link_lines, values["cited_by"]), limit)
    yield from _section("has in its references", map(_paper_lines, values["references"]), limit)
    yield from _section(
        "is in the references of", map(_paper_lines, values["referenced_by"]), limit
    )


def _named(kind: str, identifier: str) -> str:
    return identifier and f"{kind} {identifier}"


def _section(heading: str, entries: Iterable[tuple[str, ...]], limit: int) -> Iterator[str]:
    """Yield a heading with the number of entries, and the first entries, indented."""
    listed = list(entries)
    if listed:
        yield f"\n{heading} ({len(listed)})"
    for first, *others in listed[:limit]:
        yield f"  {first}"
        yield from (f"    {line}" for line in others)
    if len(listed) > limit:
        yield f"  … and {len(listed) - limit} more"


def _claim_lines(claim: dict[str, Any]) -> tuple[str, ...]:
    sentences = (f"“{' '.join(e['sentence'].split())}”" for e in claim["evidence"][:1])
    return f"{claim['name']} ({claim['type']})", *sentences


def _link_lines(link: dict[str, Any]) -> tuple[str, ...]:
    return *_paper_lines(link), f"{LINKS[link['kind']].label}, through {link['through']}"


def _paper_lines(paper: dict[str, Any]) -> tuple[str, ...]:
    return (f"{paper['title']} ({paper['date'] or 'undated'})",)
