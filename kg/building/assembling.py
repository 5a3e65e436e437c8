"""From readings to the graph: the only step that sees the whole corpus."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Final

from citekg.curation.decisions.alias_mentions import with_aliases
from citekg.curation.decisions.apply import apply_decisions
from citekg.curation.decisions.facts import DraftGraph
from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.known_introductions import KnownPaper
from citekg.graph.graph import Graph
from citekg.inference.citation_links import links
from citekg.inference.known_introductions import KnownIntroductions, introductions, with_known_roles
from citekg.linking import Linked, link
from citekg.schemas.records import Entity, Extraction, Mention, Paper, PaperEntity, Relation, Run

NO_INTRODUCTIONS: Final[Mapping[str, KnownPaper]] = MappingProxyType({})


def assemble(
    readings: Iterable[Extraction],
    lexicon: Lexicon,
    run: Run,
    decisions: Decisions = NO_DECISIONS,
    on_stale: Callable[[str], None] = lambda _message: None,
    introduced_in: Mapping[str, KnownPaper] = NO_INTRODUCTIONS,
) -> Graph:
    """The graph of these readings, as the decisions want it; the order of either leaves no trace.

    `on_stale` hears of decisions that find nothing to act on; `introduced_in` says which paper is known
    to have introduced what, by the key of its name.
    """
    found = with_aliases(sorted(readings, key=lambda r: r.paper.id), decisions)
    linked = link(found, lexicon)
    papers = [reading.paper for reading in found]
    known = KnownIntroductions.of(introduced_in, papers)
    relations = (relation for reading in found for relation in relations_of(reading, linked))
    facts = DraftGraph(
        papers=frozenset(paper.id for paper in papers),
        entities=linked.entities,
        mentions=tuple(mention for reading in found for mention in mentions_of(reading, linked)),
        relations=tuple(with_known_roles(relations, known.papers_of(linked.entities))),
        vocabulary=lexicon.vocabulary,
    )
    facts = apply_decisions(facts, decisions, on_stale)
    stubs, introduced = introductions(_named(facts), facts.relations, known)
    types = {e.id: e.type for e in facts.entities}
    return Graph.of(
        papers=papers,
        entities=facts.entities,
        mentions=facts.mentions,
        relations=facts.relations,
        links=links((*papers, *stubs), facts.relations, types, introduced, lexicon.vocabulary),
        run=run,
        stubs=stubs,
        introductions=introduced,
        vocabulary=lexicon.vocabulary,
    )


def _named(facts: DraftGraph) -> Iterator[Entity]:
    """The entities that papers have something to do with, without families that none names."""
    named = {relation.entity for relation in facts.relations}
    return (entity for entity in facts.entities if entity.id in named)


def mentions_of(reading: Extraction, linked: Linked) -> Iterator[Mention]:
    """The mentions of a paper."""
    for entity in reading.entities:
        for start, end in entity.spans:
            yield Mention(
                paper=reading.paper.id,
                entity=linked.entity_id(reading.paper.id, entity.key),
                start=start,
                end=end,
                text=reading.paper.text[start:end],
                type=entity.type,
                sentence=_sentence(reading.sentences, start, end),
                layer=entity.layer,
                confidence=entity.confidence,
            )


def _sentence(sentences: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    around = [s for s in sentences if s[0] <= start and end <= s[1]]
    return around[0] if around else (start, end)


def relations_of(reading: Extraction, linked: Linked) -> list[Relation]:
    """What a paper does with the entities.

    Where two of its names turned out to be one entity, the surer relation of each role stays.
    """
    best: dict[tuple[str, str], Relation] = {}
    for entity in reading.entities:
        target = linked.entity_id(reading.paper.id, entity.key)
        for role, sure, spans in claims(entity):
            evidence = tuple(f"{reading.paper.id}_m{entity.spans[n][0]}" for n in spans)
            relation = Relation(reading.paper.id, role, target, sure, evidence)
            best[role, target] = max(relation, best.get((role, target), relation), key=_strength)
    return [*best.values()]


def _strength(relation: Relation) -> tuple[float, tuple[str, ...]]:
    return relation.confidence, relation.evidence


def claims(entity: PaperEntity) -> Iterator[tuple[str, float, tuple[int, ...]]]:
    """The roles of an entity, how sure each is with the entity itself, and the spans that prove it."""
    for role, confidence, spans in entity.roles:
        yield role, round(confidence * entity.confidence, 2), spans


def input_digest(papers: Iterable[Paper]) -> str:
    """A SHA-256 of what the papers say, whatever their order; only a few bytes a paper are held."""
    lines = (json.dumps(asdict(p), ensure_ascii=False, sort_keys=True) for p in papers)
    told = sorted(hashlib.sha256(line.encode()).digest() for line in lines)
    return hashlib.sha256(b"".join(told)).hexdigest()
