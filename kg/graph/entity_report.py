"""The facts of a graph about an entity or a paper, as text and as values for JSON (`kg show`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from citekg.graph import paper_report
from citekg.graph.lookup import find_any
from citekg.graph.subsets import Selection, subset
from citekg.graph.usage import (
    families_of,
    introducers,
    papers_naming,
    papers_naming_variants,
    users_of,
    variants_of,
)
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper, Relation
from citekg.schemas.vocabulary import COMPARES_TO, OUTPERFORMS, Vocabulary


def as_values(graph: KnowledgeGraph, name: str, min_confidence: float = 0.0) -> dict[str, Any]:
    """Return an entity or paper, looked up by `find_any`, as lists and dictionaries.

    Every claim of at least `min_confidence` comes with its sentences; `papers`, `used` and
    `introduced` count the papers that name, use and introduce an entity by these claims;
    `papers_of_variants` counts further papers, which name only its versions, sizes or other
    variants. Raises `UnknownName`.
    """
    found = find_any(graph, name)
    if isinstance(found, Paper):
        return paper_report.as_values(_confident(graph, found, min_confidence), found)
    return _entity(graph, found, min_confidence)


def _confident(
    graph: KnowledgeGraph, found: Paper | Entity, min_confidence: float
) -> KnowledgeGraph:
    """Return the part of the graph for a report: the claims with at least this confidence.

    For an entity, only claims about it are included; for a paper, also those of other papers, which
    may link to it.
    """
    if not min_confidence:
        return graph
    about = None if isinstance(found, Paper) else found
    return subset(graph, Selection(about=about, min_confidence=min_confidence))


def _entity(whole: KnowledgeGraph, entity: Entity, min_confidence: float) -> dict[str, Any]:
    graph = _confident(whole, entity, min_confidence)
    introducing = introducers(graph, entity)
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "spellings": sorted({m.text for m in graph.mentions_of.get(entity.id, ())}),
        "papers": papers_naming(graph, entity.id),
        "papers_of_variants": papers_naming_variants(graph, entity),
        "used": len(graph.usage[entity.id].used),
        "introduced": len(graph.usage[entity.id].introduced),
        "families": [_family(whole, wider) for wider in families_of(whole, entity)],
        "variants": [
            {"name": e.name, "papers": papers_naming(graph, e.id)}
            for e in variants_of(graph, entity)
        ],
        "introduced_by": [_introducer(graph, paper) for paper in introducing],
        "contested": len(introducing) > 1,
        "roles": {
            role: found
            for role in graph.vocabulary.roles
            if (found := _claims(graph, entity, role))
        },
    }


def _family(graph: KnowledgeGraph, entity: Entity) -> dict[str, Any]:
    return {
        "name": entity.name,
        "introduced_by": [_introducer(graph, p) for p in introducers(graph, entity)],
    }


def _introducer(graph: KnowledgeGraph, paper: Paper) -> dict[str, Any]:
    return _paper(paper) | {"arxiv_id": paper.arxiv_id, "in_corpus": paper.id in graph.paper_by_id}


def _paper(paper: Paper) -> dict[str, str]:
    return {"paper": paper.id, "title": paper.title, "date": paper.date}


def _claims(graph: KnowledgeGraph, entity: Entity, role: str) -> list[dict[str, Any]]:
    return [_claim(graph, relation) for relation in users_of(graph, entity, (role,))]


def _claim(graph: KnowledgeGraph, relation: Relation) -> dict[str, Any]:
    evidence = [
        {
            "mention": e.mention.text,
            "start": e.mention.start,
            "end": e.mention.end,
            "sentence": e.sentence,
        }
        for e in graph.evidence(relation)
    ]
    return _paper(graph.paper_by_id[relation.paper]) | {
        "confidence": relation.confidence,
        "evidence": evidence,
    }


def as_text(graph: KnowledgeGraph, name: str, limit: int, min_confidence: float = 0.0) -> str:
    """Return an entity or paper, looked up by `find_any`, as text.

    Each role lists at most `limit` claims, each with one sentence. Raises `UnknownName`.
    """
    found = find_any(graph, name)
    if isinstance(found, Paper):
        text = paper_report.as_text(_confident(graph, found, min_confidence), found, limit)
    else:
        text = "\n".join(_lines(_entity(graph, found, min_confidence), limit, graph.vocabulary))
    return "\n".join((text, *_hidden(graph, found, min_confidence)))


def _hidden(graph: KnowledgeGraph, found: Paper | Entity, min_confidence: float) -> Iterator[str]:
    """Yield a line that counts the claims below the minimum confidence, if there are any."""
    own = (r for r in graph.relations if found.id == _end(r, found))
    hidden = sum(graph.confidence(relation) < min_confidence for relation in own)
    if hidden:
        counted = f"{hidden} more claim{'s' * (hidden != 1)}"
        yield f"\n{counted} below {min_confidence:.2f}: show with --all"


def _end(relation: Relation, like: Paper | Entity) -> str:
    return relation.paper if isinstance(like, Paper) else relation.entity


def _lines(values: dict[str, Any], limit: int, vocabulary: Vocabulary) -> Iterator[str]:
    papers = values["papers"]
    counted = f"{papers} paper{'s' * (papers != 1)} name{'s' * (papers == 1)}"
    label = vocabulary.types[values["type"]].label
    further = values["papers_of_variants"]
    beyond = f", and {further} more name{'s' * (further == 1)} only its variants"
    yield f"{values['name']}: {_article(label)} {label} that {counted}{beyond * bool(further)}"
    if others := [spelling for spelling in values["spellings"] if spelling != values["name"]]:
        yield f"here also: {', '.join(others)}"
    if values["used"]:
        yield f"used by: {values['used']} paper{'s' * (values['used'] != 1)} in their own work"
    for family in values["families"]:
        papers = "; ".join(map(_address, family["introduced_by"]))
        yield f"a variant of: {family['name']}{f', introduced by {papers}' if papers else ''}"
    if values["variants"]:
        variants = (f"{v['name']} ({v['papers']})" for v in values["variants"])
        yield f"its variants: {', '.join(variants)}"
    yield from _introduction(values)
    for role, claims in values["roles"].items():
        yield from _section(
            vocabulary.roles[role].label, _without_implied(values, role, claims), limit
        )


def _article(label: str) -> str:
    return "an" if label[:1].lower() in {*"aeiou"} else "a"


def _introduction(values: dict[str, Any]) -> Iterator[str]:
    introducing = values["introduced_by"]
    if not introducing:
        yield "introduced by: unknown"
    if values["contested"]:
        yield "introduced by: contested, more than one paper claims it"
    for paper in introducing:
        yield ("  " if values["contested"] else "introduced by: ") + _address(paper)


def _address(paper: dict[str, Any]) -> str:
    """Return an introducing paper as its title, date and arXiv id."""
    address = f", arXiv {paper['arxiv_id']}" if paper["arxiv_id"] else ""
    beyond = "" if paper["in_corpus"] else "; known, outside this corpus"
    return f"{paper['title']} ({paper['date'] or 'undated'}{address}{beyond})"


def _without_implied(
    values: dict[str, Any], role: str, claims: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the claims without comparisons by papers that also claim to outperform the entity."""
    if role != COMPARES_TO:
        return claims
    outperforming = {claim["paper"] for claim in values["roles"].get(OUTPERFORMS, ())}
    return [claim for claim in claims if claim["paper"] not in outperforming]


def _section(label: str, claims: list[dict[str, Any]], limit: int) -> Iterator[str]:
    if claims:
        yield f"\n{label} it ({len(claims)})"
    for claim in claims[:limit]:
        date = f" ({claim['date']})" if claim["date"] else ""
        yield f"  {claim['confidence']:.2f}  {claim['title']}{date}"
        for evidence in claim["evidence"][:1]:
            yield f"    “{' '.join(evidence['sentence'].split())}”"
    if len(claims) > limit:
        yield f"  … and {len(claims) - limit} more"
