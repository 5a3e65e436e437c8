"""The topics of a graph: groups of entities that the same papers name, derived from the relations.

Entities that at least two papers name form a graph, in which each paper connects the entities that
it names. Its communities are the topics. A paper belongs to the topic to which most of its entities
belong, with a higher weight of rare entities; an entity that only one paper names belongs to the
topic of this paper. Tentative relations do not count.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, islice, pairwise
from math import log, sqrt
from typing import Final

from citekg.schemas.communities import communities
from citekg.schemas.records import Entity, Relation, Topic
from citekg.schemas.vocabulary import MENTIONS

#: The entities of a paper, each with the weight of its strongest role.
Named = Mapping[str, float]

#: The weight of a paper's entity if the paper only mentions it; that of other roles is 1.
_MENTION_WEIGHT: Final = 0.5
#: The number of most frequent entities that form the topics; it bounds time and memory for large
#: corpora.
MAX_CORE: Final = 20_000
_RESOLUTION: Final = 1.15
_MIN_PAPERS: Final = 3
_MIN_ENTITIES: Final = 3
#: The number of entities that name a topic.
NAMES_OF_TOPIC: Final = 3
#: The group of papers and entities without a topic, and the node of entities outside the core.
NO_GROUP: Final = -1


def named_entities(relations: Iterable[Relation]) -> dict[str, dict[str, float]]:
    """Return the entities of each paper with their weights, from relations sorted by paper."""
    papers: dict[str, dict[str, float]] = defaultdict(dict)
    for relation in relations:
        weight = _MENTION_WEIGHT if relation.role == MENTIONS else 1.0
        named = papers[relation.paper]
        named[relation.entity] = max(weight, named.get(relation.entity, 0.0))
    return papers


def find_topics(entities: Mapping[str, Entity], corpus: NamedEntities) -> tuple[Topic, ...]:
    """Return the topics of papers, those with most papers first.

    A topic has at least three papers and three entities that several papers name.
    """
    groups = communities(_adjacency(corpus), _RESOLUTION)
    sizes = Counter(groups)
    group_of = [NO_GROUP] * len(corpus.entities)
    for entity, group in zip(corpus.core, groups, strict=True):
        group_of[entity] = group
    of_paper = corpus.groups_of_papers(group_of)
    own = _by_group(of_paper)
    members = corpus.members(group_of, of_paper)
    found = [
        _topic([corpus.entities[i] for i in members[group]], own[group], corpus, entities)
        for group in own
        if len(own[group]) >= _MIN_PAPERS and sizes[group] >= _MIN_ENTITIES
    ]
    return tuple(sorted(found, key=lambda topic: (-len(topic.papers), topic.id)))


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """The entities that papers name, in columns.

    `counts` is the number of entities of each paper. `entities` and `weights` are those of all
    papers, in the order of the papers; the entities of a paper are sorted.
    """

    papers: Sequence[str]
    counts: Sequence[int]
    entities: Sequence[str]
    weights: Sequence[float]

    @classmethod
    def of(cls, papers: Mapping[str, Named]) -> NamedColumns:
        """Return the columns for the entities of each paper with their weights."""
        rows = [(entity, named[entity]) for named in papers.values() for entity in sorted(named)]
        return cls(
            [*papers],
            [*map(len, papers.values())],
            [entity for entity, _ in rows],
            [weight for _, weight in rows],
        )


@dataclass(frozen=True, slots=True)
class NamedEntities:
    """The entities that the papers of a corpus name, by their indexes in `papers` and `entities`.

    `papers` and `entities` are sorted ids. The entities of paper `i`, sorted, and their weights are
    the items `bounds[i]:bounds[i + 1]` of `named` and `weights`. `counts` is the number of papers
    that name each entity, and `core` the most frequent of the entities that several papers name.
    """

    papers: Sequence[str]
    entities: Sequence[str]
    bounds: Sequence[int]
    named: Sequence[int]
    weights: Sequence[float]
    counts: Sequence[int]
    core: Sequence[int]

    @classmethod
    def of(cls, columns: NamedColumns) -> NamedEntities:
        """Return the named entities of papers, which are sorted by their ids."""
        entities = sorted({*columns.entities})
        index_of = {entity: index for index, entity in enumerate(entities)}
        named = [*map(index_of.__getitem__, columns.entities)]
        return cls.indexed(columns.papers, columns.counts, entities, named, columns.weights)

    @classmethod
    def indexed(
        cls,
        papers: Sequence[str],
        sizes: Iterable[int],
        entities: Sequence[str],
        named: Sequence[int],
        weights: Sequence[float],
    ) -> NamedEntities:
        """Return the named entities of papers.

        `papers` and `entities` are sorted ids, `sizes` the numbers of entities of the papers.
        `named` holds the indexes of these entities, paper by paper, and `weights` their weights.
        """
        bounds = array("q", accumulate(sizes, initial=0))
        counts = [0] * len(entities)
        for entity in named:
            counts[entity] += 1
        return cls(papers, entities, bounds, named, weights, counts, _core(counts))

    def by_paper(self) -> Iterator[Sequence[int]]:
        """Yield the entities of each paper."""
        return (self.named[low:high] for low, high in pairwise(self.bounds))

    def shared_weights(self) -> Mapping[tuple[int, int], float]:
        """Return the weight of each pair of core entities that a paper names, by their numbers.

        These are their places in `core`. A paper gives each of its entities a weight of 1.
        """
        node_of = [NO_GROUP] * len(self.entities)
        for node, entity in enumerate(self.core):
            node_of[entity] = node
        weights: dict[tuple[int, int], float] = defaultdict(float)
        for named in self.by_paper():
            nodes = [node for node in map(node_of.__getitem__, named) if node != NO_GROUP]
            if len(nodes) > 1:
                share = 1 / (len(nodes) - 1)
                for pair in combinations(nodes, 2):
                    weights[pair] += share
        return weights

    def groups_of_papers(self, group_of: Sequence[int]) -> Sequence[int]:
        """Return the group of each paper, given those of entities.

        A paper has none (-1) if none of its entities has a group.
        """
        return [*self._groups_of_papers(group_of)]

    def _groups_of_papers(self, group_of: Sequence[int]) -> Iterator[int]:
        roots = [*map(sqrt, self.counts)]
        for low, high in pairwise(self.bounds):
            shares: dict[int, float] = {}
            for entity, weight in zip(self.named[low:high], self.weights[low:high], strict=True):
                group = group_of[entity]
                if group != NO_GROUP:
                    shares[group] = shares.get(group, 0.0) + weight / roots[entity]
            yield min(shares, key=lambda one: (-shares[one], one), default=NO_GROUP)

    def members(
        self, group_of: Sequence[int], of_paper: Sequence[int]
    ) -> Mapping[int, Sequence[int]]:
        """Return the entities of each group, the most typical ones first.

        An entity is more typical the more papers of the group, and the fewer other papers, name it.
        An entity without a group belongs to the group of most of its papers.
        """
        own, inside = [*group_of], [0] * len(group_of)
        others: dict[int, Counter[int]] = defaultdict(Counter)
        for group, named in zip(of_paper, self.by_paper(), strict=True):
            if group == NO_GROUP:
                continue
            for entity in named:
                if self.counts[entity] == 1:  # most entities; a counter each would take much memory
                    own[entity], inside[entity] = group, 1
                elif group_of[entity] == group:
                    inside[entity] += 1
                elif group_of[entity] == NO_GROUP:
                    others[entity][group] += 1
        for entity, groups in others.items():
            own[entity] = min(groups, key=lambda one: (-groups[one], one))
            inside[entity] = groups[own[entity]]
        members = _by_group(
            group if papers else NO_GROUP for group, papers in zip(own, inside, strict=True)
        )
        for found in members.values():
            found.sort(key=lambda entity: -inside[entity] * inside[entity] / self.counts[entity])
        return members


def _core(counts: Sequence[int]) -> list[int]:
    """Return the most frequent of the entities that several papers name, sorted."""
    several = [entity for entity, papers in enumerate(counts) if papers > 1]
    several.sort(key=lambda entity: -counts[entity])
    return sorted(several[:MAX_CORE])


def _adjacency(corpus: NamedEntities) -> Sequence[Mapping[int, float]]:
    """Connect the core entities that a paper names.

    The weight that they share is multiplied by the logarithm of 1 + its ratio to the weight that
    would be expected if papers named entities at random: entities that many papers name connect
    less.
    """
    weights = corpus.shared_weights()
    degrees = [0.0] * len(corpus.core)
    for (first, second), weight in weights.items():
        degrees[first] += weight
        degrees[second] += weight
    total = sum(degrees)
    edges: list[dict[int, float]] = [{} for _ in corpus.core]
    for (first, second), weight in weights.items():
        ratio = weight * total / (degrees[first] * degrees[second])
        edges[first][second] = edges[second][first] = weight * log(1 + ratio)
    return edges


def _by_group(groups: Iterable[int]) -> dict[int, list[int]]:
    """Return the indexes of each group, in their order, without those of `NO_GROUP`."""
    found: dict[int, list[int]] = defaultdict(list)
    for index, group in enumerate(groups):
        found[group].append(index)
    found.pop(NO_GROUP, None)
    return found


def _topic(
    order: Sequence[str],
    papers: Iterable[int],
    corpus: NamedEntities,
    entities: Mapping[str, Entity],
) -> Topic:
    """Return the topic of papers and of entities, of which the most typical ones come first."""
    names = [*islice(_distinct(order, entities), NAMES_OF_TOPIC)]
    label = " · ".join(entities[one].name for one in names)
    ranked = (*names, *(one for one in order if one not in names))
    return Topic("_".join(names), label, ranked, tuple(corpus.papers[i] for i in papers))


def _distinct(order: Iterable[str], entities: Mapping[str, Entity]) -> Iterator[str]:
    """Yield the entities without those of the same family as an earlier one."""
    seen: set[str] = set()
    for one in order:
        family = _root(one, entities)
        if family not in seen:
            seen.add(family)
            yield one


def _root(entity: str, entities: Mapping[str, Entity]) -> str:
    """Return the broadest family of an entity, or the entity itself."""
    seen = {entity}
    while entity in entities and (family := entities[entity].family) and family not in seen:
        seen.add(family)
        entity = family
    return entity
