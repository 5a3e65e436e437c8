"""Louvain community detection in a weighted graph: deterministic, without other libraries.

The method is that of Blondel et al., "Fast unfolding of communities in large networks" (2008): each
node moves to the neighbouring community that raises the modularity most, until none moves; then
the communities become the nodes of a smaller graph, and so on. Nodes move in a fixed order, and
ties go to the community with the smallest number, so that equal graphs have equal communities on
every machine.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

#: The weights of the edges of each node, by neighbour; an edge is listed at both of its nodes, a
#: self-loop once.
Adjacency = Sequence[Mapping[int, float]]

#: Moves that raise the modularity by less than this fraction of the total weight are ignored.
_MIN_GAIN: Final = 1e-9
_MAX_ROUNDS: Final = 50


def communities(adjacency: Adjacency, resolution: float = 1.0) -> list[int]:
    """Return the community of each node; communities are numbered by their first node.

    `adjacency` is symmetric. A higher `resolution` gives more and smaller communities; 1 is plain
    modularity.
    """
    of_node = list(range(len(adjacency)))
    while True:
        moved = _renumbered(_local_moves(adjacency, resolution))
        of_node = [moved[community] for community in of_node]
        if len(set(moved)) == len(adjacency):
            return of_node
        adjacency = _merged(adjacency, moved)


def _local_moves(adjacency: Adjacency, resolution: float) -> list[int]:
    """Return the community of each node after all moves that raise the modularity.

    The total weights of a node's edges to each community are cached until it or a neighbour moves.
    """
    degrees = [sum(edges.values()) for edges in adjacency]
    total = sum(degrees) or 1.0
    order = sorted(range(len(adjacency)), key=lambda node: (-degrees[node], node))
    community = list(range(len(adjacency)))
    sizes = list(degrees)
    min_gain = _MIN_GAIN * total
    rows = _without_self_loops(adjacency)
    cached: list[dict[int, float] | None] = [None] * len(rows)
    for _ in range(_MAX_ROUNDS):
        moves = 0
        for node in order:
            home, pull = community[node], resolution * degrees[node] / total
            weights = cached[node]
            if weights is None:
                weights = cached[node] = _weights_by_community(rows[node], community, home)
            sizes[home] -= degrees[node]
            best, highest = home, (staying := weights[home] - pull * sizes[home])
            for other, weight in weights.items():
                gain = weight - pull * sizes[other]
                if gain >= highest and (gain > highest or other < best):
                    best, highest = other, gain
            if highest - staying <= min_gain:
                best = home
            sizes[best] += degrees[node]
            if best != home:
                community[node] = best
                moves += 1
                for other in (node, *rows[node]):
                    cached[other] = None
        if not moves:
            break
    return community


def _weights_by_community(
    row: Mapping[int, float], community: Sequence[int], home: int
) -> dict[int, float]:
    """Return the total weight of a node's edges by community, always including its own."""
    weights = {home: 0.0}
    weight_of = weights.get
    for other, weight in zip(map(community.__getitem__, row), row.values(), strict=True):
        weights[other] = weight_of(other, 0.0) + weight
    return weights


def _without_self_loops(adjacency: Adjacency) -> Adjacency:
    """Return the adjacency without self-loops."""
    return [
        {other: weight for other, weight in edges.items() if other != node}
        if node in edges
        else edges
        for node, edges in enumerate(adjacency)
    ]


def _renumbered(community: Sequence[int]) -> list[int]:
    """Return the communities with numbers from 0 in the order of their first nodes."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(one, len(numbers)) for one in community]


def _merged(adjacency: Adjacency, community: Sequence[int]) -> Adjacency:
    """Return the graph of the communities; edges inside a community become its self-loop."""
    merged: list[dict[int, float]] = [defaultdict(float) for _ in range(max(community) + 1)]
    for node, edges in enumerate(adjacency):
        row = merged[community[node]]
        for neighbour, weight in edges.items():
            row[community[neighbour]] += weight
    return merged
