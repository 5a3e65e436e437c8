"""Named entities in arrays: what topics need from them is that of lists, to the last bit."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow")

from hypothesis import example, given
from hypothesis import strategies as st

from citekg.building.out_of_core.named_arrays import NamedArrays
from citekg.building.out_of_core.named_entities import named_entities, named_file
from citekg.schemas import topics
from citekg.schemas.topics import Named, NamedColumns, NamedEntities

ENTITIES = (
    "auk",
    "bee",
    "crow",
    "dove",
    "eel",
    "fly",
    "gull",
    "hare",
    "ibex",
    "jay",
    "kite",
    "lynx",
)
PAPERS = st.lists(
    st.dictionaries(st.sampled_from(ENTITIES), st.sampled_from([0.5, 1.0])), max_size=24
)


def both(papers: list[Named]) -> tuple[NamedEntities, NamedEntities]:
    """Return the named entities of papers as lists and, from the files of two shards, as arrays."""
    numbered = {f"p{at:02}": named for at, named in enumerate(papers)}
    shards = (
        {one: n for one, n in numbered.items() if (one < "p07") is early} for early in (True, False)
    )
    arrays = named_entities(named_file(NamedColumns.of(shard)) for shard in shards)
    return NamedEntities.of(NamedColumns.of(numbered)), arrays


@given(PAPERS)
@example([])
@example([{}, {"auk": 1.0}])
def test_arrays_hold_the_same_entities_and_counts_as_lists(papers: list[Named]) -> None:
    lists, arrays = both(papers)
    assert isinstance(arrays, NamedArrays)
    for field in ("papers", "entities", "bounds", "named", "weights", "counts", "core"):
        assert [*getattr(arrays, field)] == [*getattr(lists, field)], field


@given(PAPERS, st.integers(1, 4))
def test_only_the_most_frequent_entities_form_topics_in_arrays(
    papers: list[Named], most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in ("citekg.schemas.topics", "citekg.building.out_of_core.named_arrays"):
            patch.setattr(f"{module}.MAX_CORE", most)
        lists, arrays = both(papers)
    assert arrays.core == lists.core


@given(PAPERS)
@example(
    [{"auk": 1.0, "bee": 1.0, "crow": 1.0}, {"bee": 1.0, "crow": 1.0}, {"auk": 0.5, "bee": 1.0}]
)
def test_pairs_have_the_same_weights_in_the_same_order(papers: list[Named]) -> None:
    lists, arrays = both(papers)
    assert [*arrays.shared_weights().items()] == [*lists.shared_weights().items()]


@given(PAPERS, st.data())
def test_papers_and_entities_get_the_same_groups(papers: list[Named], data: st.DataObject) -> None:
    lists, arrays = both(papers)
    group_of = [topics.NO_GROUP] * len(lists.entities)
    for entity in lists.core:
        group_of[entity] = data.draw(st.integers(0, 3))
    of_paper = lists.groups_of_papers(group_of)
    assert [*arrays.groups_of_papers(group_of)] == [*of_paper]
    assert arrays.members(group_of, of_paper) == lists.members(group_of, of_paper)
