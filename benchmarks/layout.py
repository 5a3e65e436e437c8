"""The layout of the viewer, over synthetic graphs with planted topics.

    python -m benchmarks.layout [NODES ...]

prints a Markdown table: CPU seconds; the topic purity, which is the share of the five nearest
entities of an entity with the same topic; the share of nodes whose disc touches another; and the
share of nodes closer than six pixels to another when the drawing fits into 1164 by 900 pixels.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.spatial import KDTree

from benchmarks.cpu import cpu_time
from benchmarks.graphs import synthetic, topic_of
from citekg.exports.page.positions import radius
from tests.exports.page.nodes import nodes_and_edges

SIZES = (3000, 10000, 50000)
WINDOW = np.array([1164.0, 900.0])
MIN_DISTANCE = 6  # pixels


def measure(size: int) -> tuple[str, ...]:
    """Return one row of the table."""
    graph = synthetic(size)
    start = cpu_time()
    nodes, edges = nodes_and_edges(graph)
    spent = cpu_time() - start
    positions = np.array([(n["x"], n["y"]) for n in nodes], dtype=float)
    topics = np.array([topic_of(e.id) for e in graph.entities])
    uses = np.bincount(edges["relations"]["to"], minlength=len(topics))
    radii = np.array([radius(count) for count in uses[: len(topics)]] + [3.0] * len(graph.papers))
    shares = (
        purity(positions[: len(topics)], topics),
        touching(positions, radii),
        crowded(positions),
    )
    return (f"{len(nodes):,}", f"{spent:.1f} s", *(f"{share:.0%}" for share in shares))


def purity(positions: np.ndarray, topics: np.ndarray) -> float:
    _, nearest = KDTree(positions).query(positions, 6)
    return float((topics[nearest[:, 1:]] == topics[:, None]).mean())


def touching(positions: np.ndarray, radii: np.ndarray) -> float:
    distances, nearest = KDTree(positions).query(positions, 2)
    return float((distances[:, 1] < radii + radii[nearest[:, 1]]).mean())


def crowded(positions: np.ndarray) -> float:
    scale = (WINDOW / (positions.max(axis=0) - positions.min(axis=0))).min()
    return float((KDTree(positions).query(positions, 2)[0][:, 1] * scale < MIN_DISTANCE).mean())


def main(sizes: tuple[int, ...]) -> None:
    print("| nodes | CPU | topic purity | touching | nearer than 6 px |")
    print("|---|---|---|---|---|")
    for size in sizes:
        print("| " + " | ".join(measure(size)) + " |", flush=True)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
