"""The knowledge graph: plain records, with a few ways to look things up.

The records are the truth; networkx, rdflib and the viewer are views that `exports` makes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TypeVar

from citekg.schemas.identifiers import identifier
from citekg.schemas.records import Citation, Entity, Evidence, Introduction, Link, Mention, Paper, Relation, Run
from citekg.schemas.usage import Usage, usage_by_entity
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

_Graph = TypeVar("_Graph", bound="KnowledgeGraph")


@dataclass(frozen=True)
class KnowledgeGraph:
    """Papers, entities, mentions, relations and links, each sorted so that equal graphs are equal.

    `stubs` are papers that were not read; `introductions` says who is known to have introduced what;
    `vocabulary` holds the types and roles that the records speak of.

    Build one with `KnowledgeGraph.of`, which sorts; the constructor takes the tuples as they are.
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
    ) -> _Graph:
        """A graph of these records in their one order."""
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
        )

    def __repr__(self) -> str:
        records = [f.name for f in fields(self) if f.name not in ("run", "vocabulary")]
        counts = ", ".join(f"{len(getattr(self, name))} {name}" for name in records)
        return f"<{type(self).__name__}: {counts}>"

    @cached_property
    def paper_by_id(self) -> dict[str, Paper]:
        """The papers by id."""
        return {p.id: p for p in self.papers}

    @cached_property
    def cited_by_id(self) -> dict[str, Paper]:
        """Everything that a link can point to, by id: the papers and the stubs."""
        return {p.id: p for p in (*self.papers, *self.stubs)}

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """Which papers and stubs the lists of references point to, sorted; nothing here is derived from texts."""
        named = {name: paper.id for paper in (*self.stubs, *self.papers) for name in reference_names(paper)}
        found = {(p.id, named[name]) for p in self.papers for name in p.references if name in named}
        return tuple(Citation(*pair) for pair in sorted(found) if pair[0] != pair[1])

    @cached_property
    def entity_by_id(self) -> dict[str, Entity]:
        """The entities by id."""
        return {e.id: e for e in self.entities}

    @cached_property
    def mention_by_id(self) -> dict[str, Mention]:
        """The mentions by id."""
        return {m.id: m for m in self.mentions}

    @cached_property
    def mentions_of(self) -> dict[str, tuple[Mention, ...]]:
        """The mentions by the entity they name, in their one order; only entities with a mention are in it."""
        found: dict[str, list[Mention]] = defaultdict(list)
        for mention in self.mentions:
            found[mention.entity].append(mention)
        return {entity: tuple(mentions) for entity, mentions in found.items()}

    @cached_property
    def usage(self) -> dict[str, Usage]:
        """The papers that name, use and introduce each entity, by its id; empty for an entity that no paper names."""
        found = usage_by_entity(self.mentions, self.relations, self.introductions, self.vocabulary)
        return {entity.id: found.get(entity.id, Usage()) for entity in self.entities}

    def evidence(self, claim: Relation | Link) -> Iterator[Evidence]:
        """The mentions that prove a relation or a link, each with its sentence."""
        for mention_id in claim.evidence:
            mention = self.mention_by_id[mention_id]
            start, end = mention.sentence
            yield Evidence(mention, self.paper_by_id[mention.paper].text[start:end])


@dataclass(frozen=True)
class Shard(KnowledgeGraph):
    """Some papers of a graph, with all that is told of them and the entities they name; what they cite is given.

    A graph is its shards and its head, which holds the entities and the stubs.
    """

    cited: tuple[Citation, ...] = ()

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """Which papers and stubs of the whole graph the lists of references point to."""
        return self.cited


def reference_names(paper: Paper) -> set[str]:
    """What a list of references may call the paper; of its links only pages that are about it alone."""
    own = {identifier(name) for name in (paper.id, paper.arxiv_id, paper.doi, paper.url)}
    pages = {name for name in map(identifier, paper.links) if name.startswith(("openalex:", "s2:"))}
    return (own | pages) - {""}
