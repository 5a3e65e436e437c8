"""Influence of papers and entities, and co-use of entities.

Influence is PageRank (Brin and Page 1998) over the citation-style links and the citations of the
reference lists. A paper gives weight to the entities that it uses, and each entity passes it on to
the paper that introduced it. A reference passes weight directly, as much as the weakest link.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from citekg.schemas.errors import FilterError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper
from citekg.schemas.vocabulary import (
    BENCHMARK,
    CITES,
    COMPARES_TO,
    EXTENDS,
    MENTIONS,
    METHOD,
    TYPES,
    USES_DATA_FROM,
    USES_METHOD_IN,
)

if TYPE_CHECKING:
    import networkx as nx

_Node = tuple[str, str]
#: The edge weight of each kind of link.
_STRENGTH: Final = {EXTENDS: 3.0, USES_METHOD_IN: 2.0, USES_DATA_FROM: 2.0, CITES: 1.0}
_DAMPING: Final = 0.85
_TOLERANCE: Final = 1e-10
_MAX_ITERATIONS: Final = 200


@dataclass(frozen=True)
class Influence:
    """A paper or an entity with its share of the total weight, and the papers that name and use it.

    `papers` counts the papers that name an entity, or that link to a paper or have it in their
    references. `used` counts those of them that use it, or what it introduced, in their own work: a
    comparison or a mention does not count. `in_corpus` is false for a stub, a cited paper outside
    the corpus.
    """

    node: Paper | Entity
    share: float
    papers: int
    used: int
    in_corpus: bool = True

    @property
    def name(self) -> str:
        """Return the title of a paper or the name of an entity."""
        return self.node.title if isinstance(self.node, Paper) else self.node.name


@dataclass(frozen=True)
class CoUse:
    """Two entities and the ids of the papers that use both."""

    one: Entity
    other: Entity
    papers: tuple[str, ...]


def influential_papers(graph: KnowledgeGraph, count: int = 10) -> list[Influence]:
    """Return the most influential papers and stubs, highest share first."""
    citing, using = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for link in graph.links:
        citing[link.cited].add(link.citing)
        if link.kind != CITES:
            using[link.cited].add(link.citing)
    for citation in graph.citations:
        citing[citation.cited].add(citation.citing)
    shares = pagerank(citation_network(graph))
    found = (
        Influence(
            graph.cited_by_id[p],
            shares["paper", p],
            len(papers),
            len(using[p]),
            p in graph.paper_by_id,
        )
        for p, papers in citing.items()
    )
    return _top(found, count)


def influential_entities(
    graph: KnowledgeGraph, count: int = 10, type_: str = ""
) -> list[Influence]:
    """Return the most influential entities of one type or of all, highest share first.

    Raises `FilterError` for an unknown type.
    """
    _check_types(graph, type_ or METHOD)
    shares = pagerank(citation_network(graph))
    linked = (graph.entity_by_id[entity] for entity in {link.entity for link in graph.links})
    found = (
        Influence(
            e, shares["entity", e.id], len(graph.usage[e.id].named), len(graph.usage[e.id].used)
        )
        for e in linked
        if type_ in ("", e.type)
    )
    return _top(found, count)


def _check_types(graph: KnowledgeGraph, *names: str) -> None:
    """Raise `FilterError` for an unknown type."""
    known = {*graph.vocabulary.types, *TYPES}
    for unknown in (name for name in names if name not in known):
        types = ", ".join(sorted(graph.vocabulary.types))
        raise FilterError(f"no type is called {unknown!r}: choose one of {types}")


def _top(found: Iterable[Influence], count: int) -> list[Influence]:
    """Return the first by share, then by the number of papers that use them."""
    return sorted(found, key=lambda i: (-round(i.share, 9), -i.used, -i.papers, i.name, i.node.id))[
        :count
    ]


def citation_network(graph: KnowledgeGraph) -> nx.DiGraph[_Node]:
    """Return the network of links and citations.

    A link is two edges: from the citing paper to the entity, and from the entity to the paper that
    introduced it. A citation is one edge.
    """
    import networkx as nx

    net: nx.DiGraph[_Node] = nx.DiGraph()
    for link in graph.links:
        weight = _STRENGTH[link.kind] * link.confidence
        net.add_edge(("paper", link.citing), ("entity", link.entity), weight=weight)
        net.add_edge(("entity", link.entity), ("paper", link.cited), weight=1.0)
    for citation in graph.citations:
        net.add_edge(("paper", citation.citing), ("paper", citation.cited), weight=_STRENGTH[CITES])
    return net


def pagerank(net: nx.DiGraph[_Node]) -> dict[_Node, float]:
    """Return the PageRank of each node, as `networkx.pagerank` does, which needs scipy."""
    nodes = list(net)
    if not nodes:
        return {}
    shares = dict.fromkeys(nodes, 1 / len(nodes))
    leaving = {
        node: sum(data["weight"] for _, _, data in net.out_edges(node, data=True)) for node in nodes
    }
    for _ in range(_MAX_ITERATIONS):
        idle = sum(shares[node] for node in nodes if not leaving[node])
        after = dict.fromkeys(nodes, ((1 - _DAMPING) + _DAMPING * idle) / len(nodes))
        for start, end, data in net.edges(data=True):
            after[end] += (
                _DAMPING * shares[start] * data["weight"] / leaving[start]
                if leaving[start]
                else 0.0
            )
        change = sum(abs(after[node] - shares[node]) for node in nodes)
        shares = after
        if change < _TOLERANCE:
            break
    return shares


def co_use(
    graph: KnowledgeGraph, one: str = METHOD, other: str = BENCHMARK, count: int = 10
) -> list[CoUse]:
    """Return the pairs of entities of two types that most papers use together.

    A paper uses an entity if it has any role other than a comparison or a mention, or if the paper
    is known to have introduced it. The query `@co-use` counts the same. Raises `FilterError` for an
    unknown type.
    """
    _check_types(graph, one, other)
    type_of = {e.id: e.type for e in graph.entities}
    name_of = {e.id: (e.name, e.id) for e in graph.entities}
    together: dict[tuple[str, str], list[str]] = defaultdict(list)
    for paper, entities in sorted(_used_entities(graph).items()):
        ones, others = ([e for e in entities if type_of[e] == wanted] for wanted in (one, other))
        for a, b in product(ones, others):
            if one != other or name_of[a] < name_of[b]:
                together[a, b].append(paper)
    found = [
        CoUse(graph.entity_by_id[a], graph.entity_by_id[b], tuple(p))
        for (a, b), p in together.items()
    ]
    return sorted(found, key=lambda c: (-len(c.papers), c.one.name, c.other.name))[:count]


def _used_entities(graph: KnowledgeGraph) -> dict[str, set[str]]:
    """Return the entities that each paper uses, by paper id."""
    roles = graph.vocabulary.roles.keys() - graph.vocabulary.with_narrower(COMPARES_TO, MENTIONS)
    found: dict[str, set[str]] = defaultdict(set)
    for relation in graph.relations:
        if relation.role in roles:
            found[relation.paper].add(relation.entity)
    for known in graph.introductions:
        if known.paper in graph.paper_by_id:
            found[known.paper].add(known.entity)
    return found
