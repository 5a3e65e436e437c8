"""Where nodes lie: clusters a reader recognises, hardly any overlap, the same on every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benchmarks.graphs import synthetic, topic_of
from citekg.exports.page.layout import _cells, _near_pairs, layout
from citekg.exports.page.packing import components
from citekg.exports.page.page_data import nodes_and_edges, radius
from citekg.schemas.graph import KnowledgeGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray


def arranged(edges: list[tuple[int, int]], nodes: int) -> NDArray[np.float64]:
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return layout(nodes, ends, np.ones(len(edges)), np.full(nodes, 5.0))


def distances(places: NDArray[np.float64]) -> NDArray[np.float64]:
    apart: NDArray[np.float64] = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    np.fill_diagonal(apart, np.inf)
    return apart


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return synthetic(1000)


@pytest.fixture(scope="module")
def nodes(graph: KnowledgeGraph) -> list[dict[str, Any]]:
    return nodes_and_edges(graph)[0]


def test_entities_of_one_topic_lie_together(
    graph: KnowledgeGraph, nodes: list[dict[str, Any]]
) -> None:
    entities = [n for n in nodes if n["group"] == "entity"]
    topics = np.array([topic_of(e.id) for e in graph.entities])
    nearest = distances(np.array([(n["x"], n["y"]) for n in entities], dtype=float)).argsort(
        axis=1
    )[:, :5]
    assert (topics[nearest] == topics[:, None]).mean() > 0.9


def test_hardly_any_discs_overlap(graph: KnowledgeGraph, nodes: list[dict[str, Any]]) -> None:
    papers: dict[str, set[str]] = {}
    for relation in graph.relations:
        papers.setdefault(relation.entity, set()).add(relation.paper)
    radii = np.array(
        [radius(len(papers.get(e.id, ()))) for e in graph.entities] + [3.0] * len(graph.papers)
    )
    apart = distances(np.array([(n["x"], n["y"]) for n in nodes], dtype=float))
    assert (apart < radii[:, None] + radii[None]).any(axis=1).mean() < 0.01


def test_two_runs_give_the_same_places(graph: KnowledgeGraph, nodes: list[dict[str, Any]]) -> None:
    assert nodes_and_edges(graph)[0] == nodes


def test_separate_components_do_not_overlap_the_largest() -> None:
    ring = [(i, (i + 1) % 20) for i in range(20)]
    pairs = [(20 + 2 * i, 21 + 2 * i) for i in range(15)]
    places = arranged(ring + pairs, 50)
    apart = distances(places)
    assert (apart > 9.9).all()
    assert np.abs(places[:20].mean(axis=0)).max() < np.abs(places[20:]).max()
    partners = apart[np.arange(20, 50, 2), np.arange(21, 51, 2)]
    assert partners.max() < np.abs(places).max()


def test_the_pairs_of_near_discs_are_those_that_a_comparison_of_all_finds() -> None:
    draw = np.random.default_rng(5)
    places, reach = draw.uniform(0, 300, (2, 400)), draw.uniform(2, 10, 400)
    cells, row = _cells(places, 20.0)
    order = np.argsort(cells, kind="stable")
    places, reach = places[:, order], reach[order]
    found = {
        *zip(*(e.tolist() for e in _near_pairs(places, reach, cells[order], row)), strict=True)
    }
    near = distances(places.T) < reach[:, None] + reach[None]
    assert found == {(a, b) for a, b in np.argwhere(near).tolist() if a < b}


def test_components_are_named_by_their_least_node() -> None:
    edges = np.array([(4, 3), (3, 2), (0, 1)])
    assert components(6, edges).tolist() == [0, 0, 2, 2, 2, 5]


@pytest.mark.parametrize(
    ("nodes", "edges"), [(0, []), (1, []), (2, []), (2, [(0, 1)]), (3, [(0, 0), (1, 2)]), (40, [])]
)
def test_nodes_of_small_and_unusual_graphs_have_finite_distinct_positions(
    nodes: int, edges: list[tuple[int, int]]
) -> None:
    places = arranged(edges, nodes)
    assert places.shape == (nodes, 2)
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(), axis=0)) == nodes


def test_the_leaves_of_a_large_star_do_not_overlap() -> None:
    places = arranged([(0, i) for i in range(1, 200)], 200)
    assert (distances(places).min(axis=1) > 9).mean() > 0.98


def test_isolated_nodes_are_placed_next_to_the_largest_component() -> None:
    star = [(0, i) for i in range(1, 200)]
    places = arranged(star, 300)
    main, others = places[:200], places[200:]
    beside = (others.min(axis=0) > main.max(axis=0)) | (others.max(axis=0) < main.min(axis=0))
    assert beside.any()
    whole, part = np.ptp(places, axis=0), np.ptp(main, axis=0)
    assert part.prod() > 0.75 * whole.prod()


def test_a_small_graph_is_as_wide_as_a_window() -> None:
    sides = [np.ptp(arranged([(0, i) for i in range(1, n)], n), axis=0).max() for n in (2, 5, 9)]
    assert min(sides) > 400
