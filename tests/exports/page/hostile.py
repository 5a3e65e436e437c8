"""The sample graph with hostile texts, for the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Introduction, Link, Paper, Relation
from tests.sample import sample_graph

_Claim = TypeVar("_Claim", Relation, Link)
_Record = TypeVar("_Record", Relation, Link, Introduction)

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)> "
    'href="javascript:alert(1)" {{ 7*7 }} ]]> --> \u2028'
)


def hostile_graph() -> KnowledgeGraph:
    """Return the sample graph with hostile text in every field that a source or a user can set."""
    graph = sample_graph()
    shift = len(HOSTILE)
    papers = {p.id: _hostile_paper(p) for p in (*graph.papers, *graph.stubs)}
    entities = {e.id: _hostile_entity(e) for e in graph.entities}
    mentions = {
        m.id: replace(
            m,
            paper=papers[m.paper].id,
            entity=entities[m.entity].id,
            start=m.start + shift,
            end=m.end + shift,
            sentence=(m.sentence[0] + shift, m.sentence[1] + shift),
        )
        for m in graph.mentions
    }

    def with_hostile_ids(record: _Record, *ends: str) -> _Record:
        ids: dict[str, Any] = {name: (papers | entities)[getattr(record, name)].id for name in ends}
        return replace(record, **ids)

    def with_evidence(claim: _Claim, *ends: str) -> _Claim:
        return replace(
            with_hostile_ids(claim, *ends), evidence=tuple(mentions[m].id for m in claim.evidence)
        )

    return KnowledgeGraph.of(
        papers=[papers[p.id] for p in graph.papers],
        entities=entities.values(),
        mentions=mentions.values(),
        relations=[with_evidence(r, "paper", "entity") for r in graph.relations],
        links=[with_evidence(k, "citing", "cited", "entity") for k in graph.links],
        run=graph.run,
        stubs=[papers[p.id] for p in graph.stubs],
        introductions=[with_hostile_ids(i, "paper", "entity") for i in graph.introductions],
    )


def _hostile_paper(paper: Paper) -> Paper:
    texts: dict[str, Any] = dict.fromkeys(("date", "arxiv_id", "venue"), HOSTILE)
    title, abstract = HOSTILE + paper.title, paper.abstract + HOSTILE
    address = f"javascript:alert(1)//{HOSTILE}"
    return replace(
        paper,
        id=HOSTILE + paper.id,
        title=title,
        abstract=abstract,
        url=address,
        authors=(HOSTILE,),
        **texts,
    )


def _hostile_entity(entity: Entity) -> Entity:
    family = HOSTILE + entity.family if entity.family else ""
    return replace(
        entity,
        id=HOSTILE + entity.id,
        name=HOSTILE + entity.name,
        type=f"{HOSTILE}{entity.type}" if entity.type == "Dataset" else entity.type,
        aliases=(*entity.aliases, HOSTILE),
        hidden_names=(f"hidden {HOSTILE}",),
        family=family,
    )
