"""The stages from extractions to the records of a graph, for builds in memory and out of core.

`SHARD_STAGES` run for some papers at a time: for all of them in memory, for a shard out of core.
They need the entities of the names in the whole corpus, which linking determines
(`citekg.linking`). Then `index_corpus` determines the introducer of each entity, and `make_links`
links the same papers with this index. The decisions of a curator apply before it, in memory only;
`make_results` follows them, because names in results are resolved by the mentions that remain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from citekg.inference.citation_links import (
    date_of,
    links_to_introducers,
    naming_years,
    sole_introducers,
)
from citekg.inference.known_introductions import (
    KnownIntroductions,
    apply_known_roles,
    introductions,
)
from citekg.inference.link_conditions import (
    coined_in_title,
    in_other_sense,
    linkable,
    uses_of_names,
)
from citekg.linking import Linked
from citekg.schemas.names import key
from citekg.schemas.records import (
    Entity,
    Extraction,
    Introduction,
    Link,
    Mention,
    Paper,
    Relation,
    Result,
    ResultName,
)
from citekg.schemas.vocabulary import DEFAULT, Vocabulary


@dataclass(frozen=True)
class ShardContext:
    """The corpus data that the stages need for a set of papers.

    `linked` holds the entities of their names, and `listed` the paper on the list of introductions
    by entity id. Only `make_links` needs `introduced_by`, the only paper, with its date, that
    introduced an entity, and `plain`, the entities whose names are too vague for a link. The other
    fields hold further records of the part of the graph with these papers, and its vocabulary.
    """

    linked: Linked
    listed: Mapping[str, str]
    introduced_by: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    entities: tuple[Entity, ...] = ()
    introductions: tuple[Introduction, ...] = ()
    vocabulary: Vocabulary = DEFAULT


@dataclass(frozen=True)
class ShardDraft:
    """The records that the stages have made from a set of papers so far."""

    extractions: tuple[Extraction, ...]
    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    links: tuple[Link, ...] = ()
    results: tuple[Result, ...] = ()


Stage = Callable[[ShardDraft, ShardContext], ShardDraft]


def make_mentions(draft: ShardDraft, context: ShardContext) -> ShardDraft:
    """Make a mention of its entity from every span of the extractions."""
    mentions = (
        mention for each in draft.extractions for mention in _mentions_of(each, context.linked)
    )
    return replace(draft, mentions=tuple(mentions))


def make_relations(draft: ShardDraft, context: ShardContext) -> ShardDraft:
    """Make a relation to its entity from every role of the extractions."""
    relations = (
        relation for each in draft.extractions for relation in _relations_of(each, context.linked)
    )
    return replace(draft, relations=tuple(relations))


def apply_known_introductions(draft: ShardDraft, context: ShardContext) -> ShardDraft:
    """Make the paper that the list of introductions names the only introducer of its entity."""
    entities = {entity.id: entity for entity in context.entities}
    types = {entity.id: entity.type for entity in context.entities}
    titles = {each.paper.id: each.paper.title for each in draft.extractions}
    other = in_other_sense(uses_of_names(draft.mentions), types, context.vocabulary)
    other |= coined_in_title(draft.relations, titles, entities)
    relations = apply_known_roles(draft.relations, context.listed, other)
    return replace(draft, relations=tuple(relations))


def make_links(draft: ShardDraft, context: ShardContext) -> ShardDraft:
    """Link the papers to the introducers of what they use, extend, evaluate on or compare with."""
    dates = {each.paper.id: date_of(each.paper) for each in draft.extractions}
    types = {entity.id: entity.type for entity in context.entities}
    relations = linkable(draft.relations, draft.mentions, types, context.plain, context.vocabulary)
    found = links_to_introducers(context.introduced_by, relations, dates, types, context.vocabulary)
    return replace(draft, links=tuple(found))


def make_results(draft: ShardDraft, context: ShardContext) -> ShardDraft:  # noqa: ARG001
    """Link the names in reported results to the entities that they denote in their papers."""
    reported = [each for each in draft.extractions if each.results]
    if not reported:
        return draft
    papers = {each.paper.id for each in reported}
    mentions: dict[tuple[str, str], list[Mention]] = defaultdict(list)
    for mention in draft.mentions:
        if mention.paper in papers:
            mentions[mention.paper, key(mention.text)].append(mention)
    results = (_linked(r, mentions) for each in reported for r in each.results)
    return replace(draft, results=tuple(results))


#: The stages before the introducers are determined, in order.
SHARD_STAGES: Final[tuple[Stage, ...]] = (
    make_mentions,
    make_relations,
    apply_known_introductions,
)


def run_stages(stages: Iterable[Stage], draft: ShardDraft, context: ShardContext) -> ShardDraft:
    """Return the draft after the stages, in their order."""
    for stage in stages:
        draft = stage(draft, context)
    return draft


@dataclass(frozen=True)
class CorpusIndex:
    """The introducers of entities in the whole corpus.

    `stubs` are papers outside the corpus that the list of introductions names, `introduced_by` is
    as in `ShardContext`.
    """

    stubs: tuple[Paper, ...]
    introductions: tuple[Introduction, ...]
    introduced_by: Mapping[str, tuple[str, str]]


def index_corpus(
    papers: Iterable[Paper],
    entities: Iterable[Entity],
    relations: Sequence[Relation],
    known: KnownIntroductions,
    denied: Container[tuple[str, str]] = (),
    in_another_sense: Container[tuple[str, str]] = (),
) -> CorpusIndex:
    """Determine the introducers, from the list of introductions and the claims of the papers.

    `entities` are those that papers name, and `relations` all those of the papers. `denied` holds
    pairs of a paper and an entity that it did not introduce; it takes precedence over the list. The
    relations of the pairs that are `in_another_sense` are no claims.
    """
    claims = [r for r in relations if (r.paper, r.entity) not in in_another_sense]
    stubs, introduced = introductions(known.papers_of(entities), claims, known.here, denied)
    dates = {paper.id: date_of(paper) for some in (stubs, papers) for paper in some}
    found = sole_introducers(claims, introduced, dates, naming_years(relations, dates))
    return CorpusIndex(
        stubs, introduced, {entity: (paper, dates[paper]) for entity, paper in found.items()}
    )


def _mentions_of(extraction: Extraction, linked: Linked) -> Iterator[Mention]:
    paper = extraction.paper
    for entity in extraction.entities:
        for start, end in entity.spans:
            yield Mention(
                paper=paper.id,
                entity=linked.entity_id(paper.id, entity.key),
                start=start,
                end=end,
                text=paper.text[start:end],
                type=entity.type,
                sentence=_sentence(extraction.sentences, start, end),
                layer=entity.layer,
                confidence=entity.confidence,
            )


def _linked(result: Result, mentions: Mapping[tuple[str, str], list[Mention]]) -> Result:
    """Return the result with the entity of the nearest mention of each name in its paper."""

    def entity_of(name: ResultName) -> str:
        found = mentions.get((result.paper, key(name.text)), ())
        nearest = min(found, key=lambda m: abs(m.start - result.start), default=None)
        return nearest.entity if nearest else ""

    return result.with_entities(entity_of)


def _sentence(sentences: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    enclosing = [s for s in sentences if s[0] <= start and end <= s[1]]
    return enclosing[0] if enclosing else (start, end)


def _relations_of(extraction: Extraction, linked: Linked) -> list[Relation]:
    """Return the relations of a paper.

    If linking made two of its names one entity, the most confident relation of each role stays.
    """
    paper = extraction.paper.id
    best: dict[tuple[str, str], Relation] = {}
    for entity in extraction.entities:
        target = linked.entity_id(paper, entity.key)
        for role, confidence, spans in entity.roles:
            evidence = tuple(f"{paper}_m{entity.spans[n][0]}" for n in spans)
            relation = Relation(paper, role, target, confidence, evidence)
            best[role, target] = max(relation, best.get((role, target), relation), key=_strength)
    return [*best.values()]


def _strength(relation: Relation) -> tuple[float, tuple[str, ...]]:
    return relation.confidence, relation.evidence
