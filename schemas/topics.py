"""The topics of a graph: groups of entities that the same papers name, derived from the relations.

Entities that at least two papers name form a graph, in which each paper connects the entities that
it names. Its communities are the topics. A paper belongs to the topic to which most of its entities
belong, with a higher weight of rare entities; an entity that only one paper names belongs to the
topic of this paper. Tentative relations do not count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import log, sqrt
from typing import Final

from citekg.schemas.communities import communities
from citekg.schemas.records import Entity, Relation, Topic
from citekg.schemas.vocabulary import MENTIONS

#: The entities of a paper, each with the weight of its strongest role.
Named = Mapping[str, float]
#: A callable that yields the papers with their entities: a large corpus is read several times.
NamedByPaper = Callable[[], Iterable[tuple[str, Named]]]

#: The weight of a paper's entity if the paper only mentions it; that of other roles is 1.
_MENTION_WEIGHT: Final = 0.5
#: The number of most frequent entities that form the topics; it bounds time and memory for large
#: corpora.
_MAX_CORE: Final = 20_000
_RESOLUTION: Final = 1.15
_MIN_PAPERS: Final = 3
_MIN_ENTITIES: Final = 3
#: The number of entities that name a topic.
NAMES_OF_TOPIC: Final = 3


def named_entities(relations: Iterable[Relation]) -> dict[str, dict[str, float]]:
    """Return the entities of each paper with their weights, from relations sorted by paper."""
    papers: dict[str, dict[str, float]] = defaultdict(dict)
    for relation in relations:
        weight = _MENTION_WEIGHT if relation.role == MENTIONS else 1.0
        named = papers[relation.paper]
        named[relation.entity] = max(weight, named.get(relation.entity, 0.0))
    return papers


def find_topics(entities: Mapping[str, Entity], papers: NamedByPaper) -> tuple[Topic, ...]:
    """Return the topics of papers, those with most papers first.

    `papers` yields every paper once, in the order of their ids. A topic has at least three papers
    and three entities that several papers name.
    """
    counts = Counter(chain.from_iterable(named for _, named in papers()))
    core = _core(counts)
    groups = communities(_adjacency(core, papers()), _RESOLUTION)
    group_of = {entity: groups[at] for entity, at in core.items()}
    sizes = Counter(groups)
    members = _Members.of(group_of, counts, papers())
    found = [
        _topic(members, group, entities, counts)
        for group, inside in members.papers.items()
        if len(inside) >= _MIN_PAPERS and sizes[group] >= _MIN_ENTITIES
    ]
    return tuple(sorted(found, key=lambda topic: (-len(topic.papers), topic.id)))


def _core(counts: Counter[str]) -> dict[str, int]:
    """Return the numbers of the entities that several papers name, in the order of their ids."""
    several = [entity for entity, papers in counts.items() if papers > 1]
    several.sort(key=lambda entity: (-counts[entity], entity))
    return {entity: at for at, entity in enumerate(sorted(several[:_MAX_CORE]))}


def _adjacency(
    core: Mapping[str, int], papers: Iterable[tuple[str, Named]]
) -> Sequence[Mapping[int, float]]:
    """Connect the entities that a paper names with a weight of 1 for each entity and paper.

    A weight is then multiplied by the logarithm of 1 + its ratio to the weight that would be
    expected if papers named entities at random: entities that many papers name connect less.
    """
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for _, named in papers:
        numbers = sorted(core[entity] for entity in named if entity in core)
        share = 1 / max(len(numbers) - 1, 1)
        for pair in combinations(numbers, 2):
            weights[pair] += share
    degrees = [0.0] * len(core)
    for (first, second), weight in weights.items():
        degrees[first] += weight
        degrees[second] += weight
    total = sum(degrees)
    edges: list[dict[int, float]] = [{} for _ in core]
    for (first, second), weight in weights.items():
        ratio = weight * total / (degrees[first] * degrees[second])
        edges[first][second] = edges[second][first] = weight * log(1 + ratio)
    return edges


@dataclass(frozen=True, slots=True)
class _Members:
    """The papers of each group, and how many papers of the group name each of its entities."""

    papers: Mapping[int, Collection[str]]
    counts: Mapping[int, Counter[str]]

    @classmethod
    def of(
        cls,
        group_of: Mapping[str, int],
        counts: Mapping[str, int],
        papers: Iterable[tuple[str, Named]],
    ) -> _Members:
        own: dict[int, list[str]] = defaultdict(list)
        inside: dict[int, Counter[str]] = defaultdict(Counter)
        others: dict[str, Counter[int]] = defaultdict(Counter)
        for paper, named in papers:
            group = _group_of_paper(group_of, counts, named)
            if group is None:
                continue
            own[group].append(paper)
            for entity in named:
                if counts[entity] == 1:  # most entities; a counter each would take much memory
                    inside[group][entity] = 1
                elif entity not in group_of:
                    others[entity][group] += 1
                elif group_of[entity] == group:
                    inside[group][entity] += 1
        for entity, groups in others.items():
            group = min(groups, key=lambda one: (-groups[one], one))
            inside[group][entity] = groups[group]
        return cls(own, inside)


def _group_of_paper(
    group_of: Mapping[str, int], counts: Mapping[str, int], named: Named
) -> int | None:
    """Return the group of a paper, or None if no other paper names any of its entities."""
    weights: dict[int, float] = defaultdict(float)
    for entity in sorted(named):
        if entity in group_of:
            weights[group_of[entity]] += named[entity] / sqrt(counts[entity])
    return min(weights, key=lambda group: (-weights[group], group)) if weights else None


def _topic(
    members: _Members, group: int, entities: Mapping[str, Entity], counts: Mapping[str, int]
) -> Topic:
    """Return the topic of a group; the entities most typical of it come first.

    An entity is more typical the more papers of the topic, and the fewer other papers, name it.
    """
    inside = members.counts[group]
    order = sorted(inside, key=lambda one: (-inside[one] * inside[one] / counts[one], one))
    names = [*islice(_distinct(order, entities), NAMES_OF_TOPIC)]
    label = " · ".join(entities[one].name for one in names)
    ranked = (*names, *(one for one in order if one not in names))
    return Topic("_".join(names), label, ranked, tuple(members.papers[group]))


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
