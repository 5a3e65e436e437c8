"""The positions of the nodes in the drawing: which nodes attract each other, and their sizes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from citekg.exports.page.layout_process import started_layout
from citekg.exports.page.page_data import node_numbers

if TYPE_CHECKING:
    from citekg.exports.page.page_data import Record
    from citekg.schemas.graph import KnowledgeGraph
    from citekg.schemas.records import Citation, Introduction, Link, Relation

#: How strongly the edges of each kind attract their nodes. Links include citations.
_CLAIM_WEIGHT: Final = 1.0
_LINK_WEIGHT: Final = 0.2
_FAMILY_WEIGHT: Final = 0.5
_PAPER_RADIUS: Final = 3.0


def radius(papers: int) -> float:
    """Return the radius of an entity that `papers` papers name; its area grows with the number."""
    return 2.5 + 2.5 * math.sqrt(papers)


@contextmanager
def started_positions(graph: KnowledgeGraph) -> Iterator[Callable[[Iterable[Record]], None]]:
    """Start the layout; yield a function that sets the coordinates `x` and `y` of all nodes.

    They are in whole units of the drawing.
    """
    import numpy as np

    weights = _weights(graph)
    edges = np.array([*weights], dtype=np.int64).reshape(-1, 2)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    entities, papers = len(graph.entities), len(graph.papers) + len(graph.stubs)
    named_by = Counter(end for start, end in weights if start >= entities > end)
    radii = [*(radius(named_by[at]) for at in range(entities)), *[_PAPER_RADIUS] * papers]
    with started_layout(
        len(radii), edges[order], np.array([*weights.values()])[order], np.array(radii)
    ) as layout:

        def place(nodes: Iterable[Record]) -> None:
            for node, (x, y) in zip(nodes, layout().tolist(), strict=True):
                node.update(x=round(x), y=round(y))

        yield place


def _weights(graph: KnowledgeGraph) -> dict[tuple[int, int], float]:
    """Return how strongly pairs of nodes attract each other, by their numbers.

    These are papers with entities, papers with papers, and entities with their family.
    """
    entities, papers = node_numbers(graph)
    claims: tuple[Relation | Introduction, ...] = (*graph.relations, *graph.introductions)
    links: tuple[Link | Citation, ...] = (*graph.links, *graph.citations)
    members = [e for e in graph.entities if e.family in entities]
    return (
        dict.fromkeys(((papers[c.paper], entities[c.entity]) for c in claims), _CLAIM_WEIGHT)
        | dict.fromkeys(((papers[k.citing], papers[k.cited]) for k in links), _LINK_WEIGHT)
        | dict.fromkeys(((entities[e.id], entities[e.family]) for e in members), _FAMILY_WEIGHT)
    )
