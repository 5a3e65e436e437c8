"""The positions of the nodes in the drawing: which nodes attract each other, and their sizes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from citekg.exports.page.layout_process import started_layout

if TYPE_CHECKING:
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
def started_positions(graph: KnowledgeGraph) -> Iterator[Callable[[], list[tuple[int, int]]]]:
    """Start the layout; yield a function that returns the coordinates of each node.

    The coordinates are in whole units of the drawing. Entities come first, then papers, then stubs.
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
        yield lambda: [(round(x), round(y)) for x, y in layout().tolist()]


def _weights(graph: KnowledgeGraph) -> dict[tuple[int, int], float]:
    """Return how strongly pairs of nodes attract each other, by their numbers.

    These are papers with entities, papers with papers, and entities with their family.
    """
    entities = {e.id: at for at, e in enumerate(graph.entities)}
    papers = {p.id: len(entities) + at for at, p in enumerate((*graph.papers, *graph.stubs))}
    claims: tuple[Relation | Introduction, ...] = (*graph.relations, *graph.introductions)
    links: tuple[Link | Citation, ...] = (*graph.links, *graph.citations)
    members = [e for e in graph.entities if e.family in entities]
    return (
        dict.fromkeys(((papers[c.paper], entities[c.entity]) for c in claims), _CLAIM_WEIGHT)
        | dict.fromkeys(((papers[k.citing], papers[k.cited]) for k in links), _LINK_WEIGHT)
        | dict.fromkeys(((entities[e.id], entities[e.family]) for e in members), _FAMILY_WEIGHT)
    )
