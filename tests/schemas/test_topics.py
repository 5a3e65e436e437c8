"""Topics: groups of entities that occur in the same papers, labelled with the most typical ones."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citekg.schemas.communities import communities
from citekg.schemas.records import Entity, Topic
from citekg.schemas.topics import Named, NamedColumns, NamedEntities, find_topics

BIRDS, FISH = ("kite", "heron", "egret"), ("trout", "perch", "roach")


def entity(name: str, family: str = "") -> Entity:
    return Entity(name, name.title(), "Method", family=family)


ENTITIES = {one.id: one for one in map(entity, (*BIRDS, *FISH, "water", "moth", "fly"))}


def topics(*papers: str, entities: dict[str, Entity] = ENTITIES) -> tuple[Topic, ...]:
    """Return the topics of papers that use these entities, given as words."""
    named: dict[str, Named] = {
        f"p{at}": dict.fromkeys(names.split(), 1.0) for at, names in enumerate(papers)
    }
    return find_topics(entities, NamedEntities.of(NamedColumns.of(named)))


BIRD_PAPERS = ("kite heron", "kite heron egret", "kite egret water")
FISH_PAPERS = ("trout perch", "trout perch roach", "trout roach water")


def test_entities_that_occur_in_the_same_papers_form_a_topic() -> None:
    birds, fish = topics(*BIRD_PAPERS, *FISH_PAPERS)
    assert {*birds.entities} >= {*BIRDS}
    assert {*fish.entities} >= {*FISH}
    assert (birds.papers, fish.papers) == (("p0", "p1", "p2"), ("p3", "p4", "p5"))


def test_a_topic_is_labelled_with_its_most_typical_entities() -> None:
    birds, fish = topics(*BIRD_PAPERS, *FISH_PAPERS, "kite moth", "water moth", "water moth")
    found = next(topic for topic in (birds, fish) if "kite" in topic.entities)
    assert found.label == "Kite · Egret · Heron"
    assert found.id == "kite_egret_heron"
    assert found.entities[:3] == ("kite", "egret", "heron")


def test_the_topic_with_most_papers_comes_first() -> None:
    found = topics(*BIRD_PAPERS, *FISH_PAPERS, "trout perch")
    assert [topic.label.split()[0] for topic in found] == ["Trout", "Kite"]


def test_an_entity_of_one_paper_belongs_to_the_topic_of_the_paper() -> None:
    birds, fish = topics(*BIRD_PAPERS, "trout perch fly", *FISH_PAPERS)
    topic = next(one for one in (birds, fish) if "trout" in one.entities)
    assert "fly" in topic.entities


def test_the_label_of_a_topic_has_one_name_per_family() -> None:
    variants = {one: entity(one, "kite") for one in ("kite-2", "kite-3")}
    papers = ["kite kite-2 kite-3 heron egret"] * 4
    topic, _ = topics(*papers, *FISH_PAPERS, entities=ENTITIES | variants)
    assert topic.label == "Egret · Heron · Kite"
    assert {*topic.entities} == {*BIRDS, *variants}


def test_a_topic_needs_a_minimum_number_of_papers() -> None:
    assert topics() == ()
    assert topics("kite heron egret", "kite heron egret") == ()


@example(
    [p.split() for p in (*BIRD_PAPERS, *FISH_PAPERS, "kite trout", "water fly", "heron perch fly")]
)
@given(st.lists(st.sets(st.sampled_from([*ENTITIES])).map(sorted), max_size=12))
def test_an_entity_or_a_paper_has_at_most_one_topic(papers: list[list[str]]) -> None:
    found = topics(*map(" ".join, papers))
    for one, other in combinations(found, 2):
        assert not {*one.entities} & {*other.entities}
        assert not {*one.papers} & {*other.papers}
    for topic in found:
        named = {name for paper in topic.papers for name in papers[int(paper[1:])]}
        assert {*topic.entities} <= named
        assert len(topic.papers) >= 3


@given(st.lists(st.permutations([*BIRDS, "water"]), min_size=3, max_size=6))
def test_the_order_of_the_entities_of_a_paper_has_no_effect(papers: list[list[str]]) -> None:
    ordered = [sorted(paper) for paper in papers]
    found, expected = (topics(*map(" ".join, some)) for some in (papers, ordered))
    assert found == expected
    assert len(found) == 1


@pytest.mark.parametrize("cliques", [2, 5, 12])
def test_each_clique_in_a_ring_of_cliques_is_a_community(cliques: int) -> None:
    """Neighbouring cliques of five nodes are joined by one edge, a standard test case."""
    edges = [(5 * c + a, 5 * c + b) for c in range(cliques) for a, b in combinations(range(5), 2)]
    edges += [(5 * c + 4, 5 * ((c + 1) % cliques)) for c in range(cliques)]
    adjacency: list[dict[int, float]] = [{} for _ in range(5 * cliques)]
    for a, b in edges:
        adjacency[a][b] = adjacency[b][a] = 1.0
    assert communities(adjacency) == [node // 5 for node in range(5 * cliques)]


def test_each_node_without_edges_is_a_separate_community() -> None:
    assert communities([{}, {}, {}]) == [0, 1, 2]
    assert communities([]) == []
