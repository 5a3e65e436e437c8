"""Assembling a graph in memory: the only step that holds the records of the whole corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from citekg.building.stages import (
    SHARD_STAGES,
    ShardContext,
    ShardDraft,
    index_corpus,
    make_links,
    make_results,
    run_stages,
)
from citekg.curation.decisions.alias_mentions import add_alias_mentions
from citekg.curation.decisions.apply import apply_decisions, denied_introductions
from citekg.curation.decisions.draft_graph import DraftGraph
from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.known_introductions import KnownPaper
from citekg.inference.known_introductions import KnownIntroductions
from citekg.inference.link_conditions import (
    coined_in_title,
    in_other_sense,
    plain_entities,
    uses_of_names,
)
from citekg.linking import link
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Extraction, Paper, Run
from citekg.sources.keyed_papers import DIGEST_BYTES, keyed_papers

NO_INTRODUCTIONS: Final[Mapping[str, KnownPaper]] = MappingProxyType({})


def assemble(
    extractions: Iterable[Extraction],
    lexicon: Lexicon,
    run: Run,
    decisions: Decisions = NO_DECISIONS,
    on_stale: Callable[[str], None] = lambda _message: None,
    introduced_in: Mapping[str, KnownPaper] = NO_INTRODUCTIONS,
) -> KnowledgeGraph:
    """Return the graph of these extractions with the decisions applied, independent of their order.

    `on_stale` receives a message for each decision without effect; `introduced_in` is the
    list of introductions, by the key of the name.
    """
    found = tuple(add_alias_mentions(sorted(extractions, key=lambda e: e.paper.id), decisions))
    papers = [extraction.paper for extraction in found]
    linked = link(found, lexicon)
    known = KnownIntroductions.of(introduced_in, papers, lexicon)
    listed = {entity: paper.id for entity, paper in known.papers_of(linked.entities).items()}
    context = ShardContext(linked, listed, entities=linked.entities, vocabulary=lexicon.vocabulary)
    draft = run_stages(SHARD_STAGES, ShardDraft(found), context)
    decided = apply_decisions(_draft_graph(draft, context), decisions, on_stale)
    denied = denied_introductions(decided, decisions)
    other = _in_other_sense(decided, papers, listed)
    index = index_corpus(papers, _named(decided), decided.relations, known, denied, other)
    context = replace(
        context,
        introduced_by=index.introduced_by,
        entities=decided.entities,
        plain=plain_entities(decided.entities, listed),
    )
    draft = replace(draft, mentions=decided.mentions, relations=decided.relations)
    draft = run_stages((make_links, make_results), draft, context)
    return KnowledgeGraph.of(
        papers=papers,
        entities=decided.entities,
        mentions=decided.mentions,
        relations=decided.relations,
        links=draft.links,
        run=run,
        stubs=index.stubs,
        introductions=index.introductions,
        vocabulary=lexicon.vocabulary,
        results=draft.results,
    )


def _draft_graph(draft: ShardDraft, context: ShardContext) -> DraftGraph:
    return DraftGraph(
        papers=frozenset(extraction.paper.id for extraction in draft.extractions),
        entities=context.linked.entities,
        mentions=draft.mentions,
        relations=draft.relations,
        vocabulary=context.vocabulary,
    )


def _in_other_sense(
    draft: DraftGraph, papers: Iterable[Paper], listed: Mapping[str, str]
) -> frozenset[tuple[str, str]]:
    """Return the pairs of a paper and an entity whose name the paper uses in another sense."""
    entities = {entity.id: entity for entity in draft.entities}
    types = {entity.id: entity.type for entity in draft.entities}
    titles = {paper.id: paper.title for paper in papers}
    return in_other_sense(uses_of_names(draft.mentions), types, draft.vocabulary) | {
        (paper, entity)
        for paper, entity in coined_in_title(draft.relations, titles, entities)
        if listed.get(entity, paper) != paper
    }


def _named(draft: DraftGraph) -> Iterator[Entity]:
    """Yield the entities with a relation to a paper, without families that no paper names."""
    named = {relation.entity for relation in draft.relations}
    return (entity for entity in draft.entities if entity.id in named)


def input_digest(papers: Iterable[Paper]) -> str:
    """Return a SHA-256 of the papers in any order, with a few bytes of memory per paper."""
    return joint_digest(paper.digest for paper in keyed_papers(papers))


def joint_digest(digests: Iterable[bytes | memoryview]) -> str:
    """Return a SHA-256 of digests of one size in any order; those of several may be joined."""
    import numpy as np

    joined = np.frombuffer(b"".join(digests), dtype=f"S{DIGEST_BYTES}")
    return hashlib.sha256(np.sort(joined).tobytes()).hexdigest()
