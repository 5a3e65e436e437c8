"""The topics of a graph: groups of entities that the same papers name, derived from the relations.

Entities that at least two papers name form a graph, in which each paper connects the entities that
it names. Its communities are the topics. A paper belongs to the topic to which most of its entities
belong, with a higher weight of rare entities; an entity that only one paper names belongs to the
topic of this paper. Tentative relations do not count.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import fsum, log
from typing import TYPE_CHECKING, Final

from citekg.schemas.communities import communities
from citekg.schemas.records import Entity, Relation, Topic
from citekg.schemas.vocabulary import MENTIONS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

#: The entities of a paper, each with the weight of its strongest role.
Named = Mapping[str, float]

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


def find_topics(
    entities: Mapping[str, Entity], papers: Iterable[tuple[str, Named]]
) -> tuple[Topic, ...]:
    """Return the topics of papers, those with most papers first.

    `papers` yields every paper once, in the order of their ids. A topic has at least three papers
    and three entities that several papers name.
    """
    import numpy as np

    rows = _Rows.of(papers)
    core = _core(rows.counts)
    groups = np.array(communities(_adjacency(core, rows), _RESOLUTION), dtype=np.int64)
    group_of = np.full(len(rows.entities), -1)
    group_of[core] = groups
    of_paper = _groups_of_papers(group_of, rows)
    members = _members(group_of, of_paper, rows)
    inside = _by_group(of_paper, np.arange(len(rows.papers)))
    sizes = np.bincount(groups)
    found = [
        _topic(
            [rows.entities[at] for at in members[group]], [rows.papers[at] for at in own], entities
        )
        for group, own in inside.items()
        if len(own) >= _MIN_PAPERS and sizes[group] >= _MIN_ENTITIES
    ]
    return tuple(sorted(found, key=lambda topic: (-len(topic.papers), topic.id)))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The entities that papers name: a row for each paper and entity, sorted by both.

    `papers` and `entities` are their ids, those of entities sorted. `paper_of` and `entity_of` are
    the indexes of each row in them, and `weights` is the weight of its entity in its paper; their
    shape is (rows,). `counts` is the number of papers of each entity, (entities,).
    """

    papers: Sequence[str]
    entities: Sequence[str]
    paper_of: Integers
    entity_of: Integers
    weights: Floats
    counts: Integers

    @classmethod
    def of(cls, papers: Iterable[tuple[str, Named]]) -> _Rows:
        import numpy as np

        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        ids: list[str] = []
        sizes, numbered, weights = array("q"), array("q"), array("d")
        for paper, named in papers:
            ids.append(paper)
            sizes.append(len(named))
            numbered.extend(map(numbers.__getitem__, named))
            weights.extend(named.values())
        entities = sorted(numbers)
        ranks = np.empty(len(entities), np.int64)
        ranks[[numbers[entity] for entity in entities]] = np.arange(len(entities))
        paper_of = np.repeat(np.arange(len(ids)), np.array(sizes, np.int64))
        entity_of = ranks[np.array(numbered, np.int64)]
        order = np.lexsort((entity_of, paper_of))
        return cls(
            ids,
            entities,
            paper_of[order],
            entity_of[order],
            np.array(weights)[order],
            np.bincount(entity_of, minlength=len(entities)),
        )


def _core(counts: Integers) -> Integers:
    """Return the most frequent of the entities that several papers name, sorted."""
    import numpy as np

    several = np.flatnonzero(counts > 1)
    frequent = several[np.argsort(-counts[several], kind="stable")]
    return np.sort(frequent[:_MAX_CORE])


def _adjacency(core: Integers, rows: _Rows) -> Sequence[Mapping[int, float]]:
    """Connect the entities that a paper names with a weight of 1 for each entity and paper.

    A weight is then multiplied by the logarithm of 1 + its ratio to the weight that would be
    expected if papers named entities at random: entities that many papers name connect less.
    """
    import numpy as np

    first, second, weights = _connections(core, rows)
    nodes = np.concatenate([first, second])
    degrees = np.bincount(nodes, np.tile(weights, 2), len(core))
    ratios = weights * fsum(degrees) / (degrees[first] * degrees[second])
    edges: list[dict[int, float]] = [{} for _ in core]
    columns = (column.tolist() for column in (first, second, weights, ratios))
    for one, other, weight, ratio in zip(*columns, strict=True):
        # The last bits of `numpy.log` depend on the processor.
        edges[one][other] = edges[other][one] = weight * log(1 + ratio)
    return edges


def _connections(core: Integers, rows: _Rows) -> tuple[Integers, Integers, Floats]:
    """Return the pairs of the core that papers name together, as indexes of it, and their weights.

    A paper has a weight of 1 for each of its entities, in equal shares for its pairs.
    """
    import numpy as np

    number = np.full(len(rows.entities), -1)
    number[core] = np.arange(len(core))
    inside = number[rows.entity_of] >= 0
    paper_of, node_of = rows.paper_of[inside], number[rows.entity_of[inside]]
    sizes = np.bincount(paper_of, minlength=len(rows.papers))
    later = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(paper_of)) - 1
    first = np.repeat(np.arange(len(paper_of)), later)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    shares = 1 / (sizes[paper_of[first]] - 1)
    one, other, place = _distinct_pairs(node_of[first], node_of[second])
    return one, other, np.bincount(place, shares)


def _groups_of_papers(group_of: Integers, rows: _Rows) -> Integers:
    """Return the group of each paper, or -1 if no other paper names any of its entities."""
    import numpy as np

    inside = group_of[rows.entity_of] >= 0
    paper_of, entity_of = rows.paper_of[inside], rows.entity_of[inside]
    shares = rows.weights[inside] / np.sqrt(rows.counts[entity_of])
    papers, groups, place = _distinct_pairs(paper_of, group_of[entity_of])
    of_paper = np.full(len(rows.papers), -1)
    best = _largest(papers, groups, np.bincount(place, shares))
    of_paper[papers[best]] = groups[best]
    return of_paper


def _members(group_of: Integers, of_paper: Integers, rows: _Rows) -> dict[int, Integers]:
    """Return the entities of each group, the most typical first.

    An entity is more typical the more papers of the group, and the fewer other papers, name it. An
    entity that is not in the core belongs to the group of most of its papers.
    """
    import numpy as np

    group_of_row = of_paper[rows.paper_of]
    inside = group_of_row >= 0
    entities, groups, place = _distinct_pairs(rows.entity_of[inside], group_of_row[inside])
    papers = np.bincount(place)
    own = np.flatnonzero((group_of[entities] < 0) | (group_of[entities] == groups))
    chosen = own[_largest(entities[own], groups[own], papers[own])]
    entities, groups, papers = entities[chosen], groups[chosen], papers[chosen]
    order = np.lexsort((entities, -papers * papers / rows.counts[entities]))
    return _by_group(groups[order], entities[order])


def _distinct_pairs(first: Integers, second: Integers) -> tuple[Integers, Integers, Integers]:
    """Return the distinct pairs of numbers, sorted, and the index of the pair of each row."""
    import numpy as np

    base = int(second.max(initial=0)) + 1
    pairs, place = np.unique(first * base + second, return_inverse=True)
    return pairs // base, pairs % base, place


def _largest(items: Integers, groups: Integers, amounts: NDArray[np.number]) -> Integers:
    """Return the row with the largest amount of each item; of equal ones, the smallest group."""
    import numpy as np

    order = np.lexsort((groups, -amounts, items))
    _, first = np.unique(items[order], return_index=True)
    return order[first]


def _by_group(groups: Integers, values: Integers) -> dict[int, Integers]:
    """Return the values by group, in their order, without those of the group -1."""
    import numpy as np

    order = np.argsort(groups, kind="stable")
    numbers, first = np.unique(groups[order], return_index=True)
    parts = np.split(values[order], first)[1:]
    return {group: part for group, part in zip(numbers.tolist(), parts, strict=True) if group >= 0}


def _topic(order: Sequence[str], papers: Sequence[str], entities: Mapping[str, Entity]) -> Topic:
    """Return the topic of papers and of entities, of which the most typical come first."""
    names = [*islice(_distinct(order, entities), NAMES_OF_TOPIC)]
    label = " · ".join(entities[one].name for one in names)
    ranked = (*names, *(one for one in order if one not in names))
    return Topic("_".join(names), label, ranked, tuple(papers))


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
