"""Synthetic graphs of any size with planted topics, to time the viewer, the layout and the exports.

Every topic has its own methods, benchmarks, models and datasets, a few of them very popular; a
paper draws most of its entities from one topic and a few from all topics.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Link, Mention, Paper, Relation, Run, Source
from citekg.schemas.vocabulary import LINK_OF_ROLE, ROLES, TYPES

_SYLLABLES = (
    "ra ven mo li qua tor nex sa pha del mir ko zen ul bri gos ta fir lum ex or cy dra wi no"
).split()
_ROLES_BY_TYPE = {
    "Method": ("uses", "extends", "comparesTo", "outperforms", "mentions"),
    "Benchmark": ("evaluatesOn", "evaluatesOn", "trainsOn", "mentions"),
    "Model": ("uses", "comparesTo", "outperforms", "extends", "mentions"),
    "Dataset": ("trainsOn", "evaluatesOn", "uses", "mentions"),
}
_SENTENCES = {
    "introduces": "We propose {}, which is new here.",
    "extends": "Our work builds on {} and keeps its interface.",
    "uses": "Training relies on {} throughout.",
    "evaluatesOn": "We report results on {} with five seeds.",
    "trainsOn": "All weights are fitted to {} alone.",
    "outperforms": "The result is ahead of {} by a clear margin.",
    "comparesTo": "As a baseline we take {} in its public form.",
    "mentions": "Much has been written since {} appeared.",
}


@dataclass(frozen=True, slots=True)
class _EntityPool:
    """The entities by topic, most popular first."""

    entities: tuple[Entity, ...]
    by_topic: tuple[tuple[Entity, ...], ...]


def synthetic(nodes: int, seed: int = 7) -> KnowledgeGraph:
    """Return a graph of about `nodes` nodes, two fifths of them papers; the seed determines it."""
    rng = random.Random(seed)
    pool = _entity_pool(rng, nodes - nodes * 2 // 5)
    papers: list[Paper] = []
    mentions: list[Mention] = []
    relations: list[Relation] = []
    introducer: dict[str, str] = {}
    for number in range(nodes * 2 // 5):
        paper, seen, claims = _paper(rng, pool, number, set(introducer))
        papers.append(paper)
        mentions += seen
        relations += claims
        introducer.update({r.entity: paper.id for r in claims if r.role == "introduces"})
    used = {r.entity for r in relations}
    return KnowledgeGraph.of(
        papers=papers,
        entities=[e for e in pool.entities if e.id in used],
        mentions=mentions,
        relations=relations,
        links=_links(relations, introducer, {e.id: e.type for e in pool.entities}),
        run=Run("citekg", "0", "0" * 64, "0" * 64),
    )


def topic_of(name: str) -> int:
    """Return the planted topic of an entity: the number at the end of its id."""
    return int(name.rsplit("-", 1)[1])


def _entity_pool(rng: random.Random, size: int) -> _EntityPool:
    topics = max(4, round(size**0.5 / 3))
    by_topic: list[list[Entity]] = [[] for _ in range(topics)]
    for number in range(size):
        topic = number % topics
        kind = rng.choices(list(TYPES), (5, 2, 2, 1))[0]
        name = "".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))).capitalize()
        aliases = (name.upper(),) if rng.random() < 0.2 else ()
        by_topic[topic].append(
            Entity(f"{kind.lower()}-{number}-{topic}", f"{name}-{number}", kind, aliases)
        )
    return _EntityPool(tuple(e for group in by_topic for e in group), tuple(map(tuple, by_topic)))


def _paper(
    rng: random.Random, pool: _EntityPool, number: int, known: set[str]
) -> tuple[Paper, list[Mention], list[Relation]]:
    topic = number % len(pool.by_topic)
    chosen = list(dict.fromkeys(_sample_entities(rng, pool, topic, rng.randint(3, 9))))
    roles = [_role(rng, entity, known) for entity in chosen]
    title = f"On {chosen[0].name} and what it changes, part {number}"
    abstract, spans = "", []
    for entity, role in zip(chosen, roles, strict=True):
        begin = len(abstract)
        sentence = _SENTENCES[role].format(entity.name)
        offset = len(title) + 1 + begin
        start = offset + _SENTENCES[role].index("{}")
        spans.append((start, start + len(entity.name), offset, offset + len(sentence)))
        abstract += sentence + " "
    year = 2018 + number % 8
    date = f"{year}-{1 + number % 12:02d}"
    authors = (f"Ada {number % 401}", f"Bo {number % 397}")
    paper = Paper(
        f"{year}.{number:05d}",
        title,
        abstract.rstrip(),
        date,
        authors,
        sources=(Source("synthetic", number),),
    )
    return paper, *_claims(paper, chosen, roles, spans)


def _sample_entities(
    rng: random.Random, pool: _EntityPool, topic: int, count: int
) -> Iterator[Entity]:
    for _ in range(count):
        group = pool.by_topic[topic] if rng.random() < 0.92 else rng.choice(pool.by_topic)
        yield group[int(len(group) * rng.random() ** 3)]


def _role(rng: random.Random, entity: Entity, known: set[str]) -> str:
    if entity.id not in known and rng.random() < 0.3:
        return "introduces"
    return rng.choice(_ROLES_BY_TYPE[entity.type])


def _claims(
    paper: Paper, chosen: list[Entity], roles: list[str], spans: list[tuple[int, int, int, int]]
) -> tuple[list[Mention], list[Relation]]:
    mentions, relations = [], []
    for entity, role, (start, end, begin, stop) in zip(chosen, roles, spans, strict=True):
        confidence = 0.5 + 0.1 * (start % 5)
        mention = Mention(
            paper.id,
            entity.id,
            start,
            end,
            entity.name,
            entity.type,
            (begin, stop),
            "synthetic",
            confidence,
        )
        mentions.append(mention)
        relations.append(Relation(paper.id, role, entity.id, confidence, (mention.id,)))
    return mentions, relations


def _links(
    relations: list[Relation], introducer: dict[str, str], types: dict[str, str]
) -> Iterator[Link]:
    for relation in relations:
        cited = introducer.get(relation.entity)
        if cited and cited != relation.paper and relation.role in ROLES:
            kind = LINK_OF_ROLE.get((relation.role, types[relation.entity]), "cites")
            yield Link(
                relation.paper, kind, cited, relation.entity, relation.confidence, relation.evidence
            )
