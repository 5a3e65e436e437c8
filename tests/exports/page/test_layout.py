"""The positions of nodes: topics form clusters, few discs overlap, runs are reproducible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benchmarks.graphs import synthetic, topic_of
from citekg.exports.page.layout import _cells, _near_pairs, layout
from citekg.exports.page.packing import components
from citekg.exports.page.positions import radius
from citekg.schemas.graph import KnowledgeGraph
from tests.exports.page.nodes import nodes_and_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray


def laid_out(edges: list[tuple[int, int]], nodes: int) -> NDArray[np.float64]:
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return layout(nodes, ends, np.ones(len(edges)), np.full(nodes, 5.0))


def distances(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    pair_distances: NDArray[np.float64] = np.sqrt(
        ((positions[:, None] - positions[None]) ** 2).sum(axis=2)
    )
    np.fill_diagonal(pair_distances, np.inf)
    return pair_distances


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return synthetic(1000)


@pytest.fixture(scope="module")
def nodes(graph: KnowledgeGraph) -> list[dict[str, Any]]:
    return nodes_and_edges(graph)[0]


def test_entities_of_the_same_topic_are_near_each_other(
    graph: KnowledgeGraph, nodes: list[dict[str, Any]]
) -> None:
    entities = [n for n in nodes if n["group"] == "entity"]
    topics = np.array([topic_of(e.id) for e in graph.entities])
    nearest = distances(np.array([(n["x"], n["y"]) for n in entities], dtype=float)).argsort(
        axis=1
    )[:, :5]
    assert (topics[nearest] == topics[:, None]).mean() > 0.9


def test_less_than_one_percent_of_the_discs_overlap(
    graph: KnowledgeGraph, nodes: list[dict[str, Any]]
) -> None:
    papers: dict[str, set[str]] = {}
    for relation in graph.relations:
        papers.setdefault(relation.entity, set()).add(relation.paper)
    radii = np.array(
        [radius(len(papers.get(e.id, ()))) for e in graph.entities] + [3.0] * len(graph.papers)
    )
    pair_distances = distances(np.array([(n["x"], n["y"]) for n in nodes], dtype=float))
    assert (pair_distances < radii[:, None] + radii[None]).any(axis=1).mean() < 0.01


def test_the_layout_is_deterministic(graph: KnowledgeGraph, nodes: list[dict[str, Any]]) -> None:
    assert nodes_and_edges(graph)[0] == nodes


def test_small_components_are_placed_around_the_largest_without_overlap() -> None:
    ring = [(i, (i + 1) % 20) for i in range(20)]
    pairs = [(20 + 2 * i, 21 + 2 * i) for i in range(15)]
    positions = laid_out(ring + pairs, 50)
    pair_distances = distances(positions)
    assert (pair_distances > 9.9).all()
    assert np.abs(positions[:20].mean(axis=0)).max() < np.abs(positions[20:]).max()
    partners = pair_distances[np.arange(20, 50, 2), np.arange(21, 51, 2)]
    assert partners.max() < np.abs(positions).max()


def test_the_grid_search_finds_the_same_near_pairs_as_a_full_comparison() -> None:
    draw = np.random.default_rng(5)
    positions, reach = draw.uniform(0, 300, (2, 400)), draw.uniform(2, 10, 400)
    cells, row = _cells(positions, 20.0)
    order = np.argsort(cells, kind="stable")
    positions, reach = positions[:, order], reach[order]
    found = {
        *zip(*(e.tolist() for e in _near_pairs(positions, reach, cells[order], row)), strict=True)
    }
    near = distances(positions.T) < reach[:, None] + reach[None]
    assert found == {(a, b) for a, b in np.argwhere(near).tolist() if a < b}


def test_a_component_is_identified_by_its_smallest_node_number() -> None:
    edges = np.array([(4, 3), (3, 2), (0, 1)])
    assert components(6, edges).tolist() == [0, 0, 2, 2, 2, 5]


@pytest.mark.parametrize(
    ("nodes", "edges"), [(0, []), (1, []), (2, []), (2, [(0, 1)]), (3, [(0, 0), (1, 2)]), (40, [])]
)
def test_nodes_of_small_graphs_have_finite_and_distinct_positions(
    nodes: int, edges: list[tuple[int, int]]
) -> None:
    positions = laid_out(edges, nodes)
    assert positions.shape == (nodes, 2)
    assert np.isfinite(positions).all()
    assert len(np.unique(positions.round(), axis=0)) == nodes


def test_almost_all_leaves_of_a_star_are_separated() -> None:
    positions = laid_out([(0, i) for i in range(1, 200)], 200)
    assert (distances(positions).min(axis=1) > 9).mean() > 0.98


def test_isolated_nodes_are_placed_in_a_margin_beside_the_largest_component() -> None:
    star = [(0, i) for i in range(1, 200)]
    positions = laid_out(star, 300)
    main, others = positions[:200], positions[200:]
    beside = (others.min(axis=0) > main.max(axis=0)) | (others.max(axis=0) < main.min(axis=0))
    assert beside.any()
    whole, part = np.ptp(positions, axis=0), np.ptp(main, axis=0)
    assert part.prod() > 0.75 * whole.prod()


def test_a_small_graph_is_more_than_400_units_wide() -> None:
    sides = [np.ptp(laid_out([(0, i) for i in range(1, n)], n), axis=0).max() for n in (2, 5, 9)]
    assert min(sides) > 400
