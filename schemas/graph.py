"""The knowledge graph: sorted tuples of records, with indices for look-ups.

The records are the source of truth; networkx, rdflib and the viewer are views that `exports` makes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TypeVar

from citekg.schemas.identifiers import identifier
from citekg.schemas.outperformance import outperformances
from citekg.schemas.records import (
    Citation,
    Entity,
    Evidence,
    Introduction,
    Link,
    Mention,
    Outperformance,
    Paper,
    Relation,
    Result,
    Run,
    Topic,
)
from citekg.schemas.topics import NamedColumns, NamedEntities, find_topics, named_entities
from citekg.schemas.usage import Usage, usage_by_entity
from citekg.schemas.vocabulary import DEFAULT, INTRODUCES, MIN_CONFIDENCE, Vocabulary

_Graph = TypeVar("_Graph", bound="KnowledgeGraph")


@dataclass(frozen=True)
class KnowledgeGraph:
    """Papers, entities, mentions, relations and links, sorted, so that equal graphs compare equal.

    `stubs` are papers outside the corpus; `introductions` are known from a list and not from a
    text; `vocabulary` defines the types and roles of the records; `results` are the measured
    results that the abstracts report. `stated_topics` are the topics of a graph whose relations do
    not determine them; without them, `topics` derives the topics from the relations.

    `KnowledgeGraph.of` sorts the records; the constructor takes the tuples as they are.
    """

    papers: tuple[Paper, ...]
    entities: tuple[Entity, ...]
    mentions: tuple[Mention, ...]
    relations: tuple[Relation, ...]
    links: tuple[Link, ...]
    run: Run
    stubs: tuple[Paper, ...] = ()
    introductions: tuple[Introduction, ...] = ()
    vocabulary: Vocabulary = field(default_factory=lambda: DEFAULT)
    results: tuple[Result, ...] = ()
    stated_topics: tuple[Topic, ...] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(
        cls: type[_Graph],
        *,
        papers: Iterable[Paper],
        entities: Iterable[Entity],
        mentions: Iterable[Mention],
        relations: Iterable[Relation],
        links: Iterable[Link],
        run: Run,
        stubs: Iterable[Paper] = (),
        introductions: Iterable[Introduction] = (),
        vocabulary: Vocabulary = DEFAULT,
        results: Iterable[Result] = (),
        stated_topics: Iterable[Topic] | None = None,
    ) -> _Graph:
        """Return the graph of these records, sorted in the canonical order."""
        return cls(
            papers=tuple(sorted(papers, key=lambda p: p.id)),
            entities=tuple(sorted(entities, key=lambda e: e.id)),
            mentions=tuple(sorted(mentions, key=lambda m: (m.paper, m.start))),
            relations=tuple(sorted(relations, key=lambda r: (r.paper, r.entity, r.role))),
            links=tuple(sorted(links, key=lambda k: (k.citing, k.cited, k.kind, k.entity))),
            run=run,
            stubs=tuple(sorted(stubs, key=lambda p: p.id)),
            introductions=tuple(sorted(introductions)),
            vocabulary=vocabulary,
            results=tuple(sorted(results, key=lambda r: (r.paper, r.start))),
            stated_topics=None if stated_topics is None else tuple(stated_topics),
        )

    def __repr__(self) -> str:
        records = [f.name for f in fields(self) if f.repr and f.name not in ("run", "vocabulary")]
        counts = ", ".join(f"{len(getattr(self, name))} {name}" for name in records)
        return f"<{type(self).__name__}: {counts}>"

    @cached_property
    def paper_by_id(self) -> dict[str, Paper]:
        """Papers by id."""
        return {p.id: p for p in self.papers}

    @cached_property
    def cited_by_id(self) -> dict[str, Paper]:
        """The possible targets of a link by id: papers and stubs."""
        return {p.id: p for p in (*self.papers, *self.stubs)}

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The citations in the papers' lists of references, sorted, without self-citations."""
        if not any(paper.references for paper in self.papers):
            return ()
        named = {
            name: paper.id
            for paper in (*self.stubs, *self.papers)
            for name in reference_names(paper)
        }
        found = {(p.id, named[name]) for p in self.papers for name in p.references if name in named}
        return tuple(Citation(*pair) for pair in sorted(found) if pair[0] != pair[1])

    @cached_property
    def outperformances(self) -> tuple[Outperformance, ...]:
        """Pairs of entities of which one outperforms the other in a reported result, sorted."""
        return outperformances(self.results)

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """Groups of entities that the same papers name, those with most papers first."""
        if self.stated_topics is not None:
            return self.stated_topics
        return find_topics(self.entity_by_id, NamedEntities.of(self.named_columns))

    @cached_property
    def named_columns(self) -> NamedColumns:
        """The entities of each paper with their weights for topics.

        Tentative relations are left out, and so are relations of unknown entities (in an invalid
        graph).
        """
        known = self.entity_by_id
        relations = (r for r in self.relations if r.entity in known and not self.is_tentative(r))
        return NamedColumns.of(named_entities(relations))

    @cached_property
    def topic_of(self) -> dict[str, Topic]:
        """Topics by the id of each of their entities; an entity without a topic is left out."""
        return {entity: topic for topic in self.topics for entity in topic.entities}

    @cached_property
    def topic_of_paper(self) -> dict[str, Topic]:
        """Topics by the id of each of their papers; a paper without a topic is left out."""
        return {paper: topic for topic in self.topics for paper in topic.papers}

    @cached_property
    def result_by_id(self) -> dict[str, Result]:
        """Results by id."""
        return {r.id: r for r in self.results}

    @cached_property
    def entity_by_id(self) -> dict[str, Entity]:
        """Entities by id."""
        return {e.id: e for e in self.entities}

    @cached_property
    def mention_by_id(self) -> dict[str, Mention]:
        """Mentions by id."""
        return {m.id: m for m in self.mentions}

    @cached_property
    def mentions_of(self) -> dict[str, tuple[Mention, ...]]:
        """Mentions by entity id, in the graph's order; entities without a mention are left out."""
        found: dict[str, list[Mention]] = defaultdict(list)
        for mention in self.mentions:
            found[mention.entity].append(mention)
        return {entity: tuple(mentions) for entity, mentions in found.items()}

    @cached_property
    def mentions_in(self) -> dict[str, list[Mention]]:
        """Mentions by paper id, in the graph's order; papers without a mention are left out."""
        found: dict[str, list[Mention]] = defaultdict(list)
        for mention in self.mentions:
            found[mention.paper].append(mention)
        return dict(found)

    @cached_property
    def usage(self) -> dict[str, Usage]:
        """The papers that name, use and introduce each entity; every entity id has an entry."""
        found = usage_by_entity(self.mentions, self.relations, self.introductions, self.vocabulary)
        return {entity.id: found.get(entity.id, Usage()) for entity in self.entities}

    @cached_property
    def listed_introductions(self) -> frozenset[tuple[str, str]]:
        """Pairs of paper and entity that the list of introductions holds."""
        return frozenset((i.paper, i.entity) for i in self.introductions)

    def confidence(self, claim: Relation | Link | Introduction | Result | Outperformance) -> float:
        """Return the confidence of a claim; 1 for an introduction that the list holds."""
        if isinstance(claim, Introduction) or (
            isinstance(claim, Relation)
            and claim.role == INTRODUCES
            and (claim.paper, claim.entity) in self.listed_introductions
        ):
            return 1.0
        return claim.confidence

    def is_tentative(self, claim: Relation | Link | Result | Outperformance) -> bool:
        """Return whether a claim is tentative: below `MIN_CONFIDENCE` and not on the list."""
        return claim.confidence < MIN_CONFIDENCE and self.confidence(claim) < MIN_CONFIDENCE

    @cached_property
    def tentative_entities(self) -> frozenset[str]:
        """The ids of the entities with tentative claims only; claims also count for families."""
        firm, tentative = set[str](), set[str]()
        for relation in self.relations:
            (tentative if self.is_tentative(relation) else firm).add(relation.entity)
        firm |= {i.entity for i in self.introductions if i.paper in self.paper_by_id}
        for result in self.results:
            if not self.is_tentative(result):
                firm |= {name.entity for name in result.names} - {""}
        return self._with_families(tentative) - self._with_families(firm)

    @cached_property
    def tentative_stubs(self) -> frozenset[str]:
        """The ids of the stubs that introduced only tentative entities."""
        entities = self.tentative_entities
        firm = {i.paper for i in self.introductions if i.entity not in entities}
        introducing = {i.paper for i in self.introductions} - firm
        return frozenset(stub.id for stub in self.stubs if stub.id in introducing)

    def _with_families(self, entities: Iterable[str]) -> frozenset[str]:
        """Return the ids of entities and of all their families."""
        found: set[str] = set()
        for entity in entities:
            while entity and entity not in found:
                found.add(entity)
                entity = self.entity_by_id[entity].family if entity in self.entity_by_id else ""
        return frozenset(found)

    def evidence(self, claim: Relation | Link) -> Iterator[Evidence]:
        """Yield the evidence of a relation or a link: its mentions, each with its sentence."""
        for mention_id in claim.evidence:
            mention = self.mention_by_id[mention_id]
            yield Evidence(mention, self.sentence(mention))

    def sentence(self, record: Mention | Result) -> str:
        """Return the text of the sentence of a mention or a result."""
        start, end = record.sentence
        return self.paper_by_id[record.paper].text[start:end]


@dataclass(frozen=True)
class Shard(KnowledgeGraph):
    """Some papers of a graph with their records and entities, or the links of such papers.

    A graph consists of its shards and its head, which holds the entities, the stubs and the topics.
    The links and citations of papers form a shard of their own, without the papers, because they
    depend on other papers. A shard stores its citations (`cited`), to any papers of the graph.
    """

    cited: tuple[Citation, ...] = ()

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of the shard's papers, to any papers and stubs of the whole graph."""
        return self.cited

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """An empty tuple: the topics are in the head of the graph."""
        return ()


def reference_names(paper: Paper) -> set[str]:
    """Return the identifiers by which a list of references may cite the paper.

    Of its links, only OpenAlex and Semantic Scholar pages count: others may be about several
    papers.
    """
    own = {identifier(name) for name in (paper.id, paper.arxiv_id, paper.doi, paper.url)}
    pages = {name for name in map(identifier, paper.links) if name.startswith(("openalex:", "s2:"))}
    return (own | pages) - {""}
