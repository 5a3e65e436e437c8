"""One node a thing, whatever the papers call it and in whatever order they come."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.lexicon import Entry, Lexicon
from kg.linking import Linked, link
from schemas.names import key, slug
from schemas.records import Entity, Paper, PaperEntity, Reading
from tests.kg.readings import named, reading

NOTHING_KNOWN = Lexicon.of([])
KNOWN = Lexicon.of(
    [
        Entry("Qwen", "Model"),
        Entry("Qwen2.5", "Model", family="Qwen"),
        Entry("Qwen2.5-VL", "Model", aliases=("Qwen 2.5 VL",), family="Qwen2.5"),
        Entry("Kite Search", "Method", aliases=("KS",)),
        Entry("CIFAR-10", "Dataset"),
    ]
)


def said(n: int, *entities: PaperEntity) -> Reading:
    return reading(Paper(f"p{n}", f"Paper {n}", "nothing"), *entities)


def by_id(linked: Linked) -> dict[str, Entity]:
    assert len({e.id for e in linked.entities}) == len(linked.entities)
    return {e.id: e for e in linked.entities}


def entity_of(linked: Linked, surface: str) -> str:
    return by_id(linked)[linked.id_of_key[key(surface)]].name


def test_a_short_form_goes_to_the_long_form_that_another_paper_defines() -> None:
    linked = link([said(1, named("", "Group Kite Optimization", "GKO")), said(2, named("", "GKO"))], NOTHING_KNOWN)
    assert [(e.name, e.aliases) for e in linked.entities] == [("Group Kite Optimization", ("GKO",))]
    assert entity_of(linked, "GKO") == "Group Kite Optimization"


def test_a_short_form_with_two_long_forms_stays_a_thing_of_its_own() -> None:
    linked = link(
        [
            said(1, named("", "Group Kite Optimization", "GKO")),
            said(2, named("", "Gentle Kite Oscillation", "GKO")),
            said(3, named("", "GKO")),
        ],
        NOTHING_KNOWN,
    )
    assert sorted(e.name for e in linked.entities) == ["GKO", "Gentle Kite Oscillation", "Group Kite Optimization"]
    assert entity_of(linked, "GKO") == "GKO"


def test_a_name_that_a_paper_introduces_is_no_short_form_of_another_papers_thing() -> None:
    linked = link(
        [said(1, named("", "Group Kite Optimization", "GKO")), said(2, named("", "GKO", introduces=0.9))],
        NOTHING_KNOWN,
    )
    assert entity_of(linked, "GKO") == "GKO"


def test_a_short_form_that_the_lexicon_knows_is_what_the_lexicon_says() -> None:
    lexicon = Lexicon.of([Entry("GKO", "Dataset")])
    linked = link(
        [said(1, named("", "Group Kite Optimization", "GKO")), said(2, named("", "GKO", type_="Dataset"))], lexicon
    )
    assert sorted(e.name for e in linked.entities) == ["GKO", "Group Kite Optimization"]


def test_no_chain_of_short_forms_leads_away_from_what_was_said() -> None:
    linked = link(
        [
            said(1, named("", "AB", "A")),
            said(2, named("", "ABC", "AB")),
            said(3, named("", "A")),
            said(4, named("", "AB")),
        ],
        NOTHING_KNOWN,
    )
    assert set(linked.id_of_key.values()) == set(by_id(linked))
    assert entity_of(linked, "AB") == "ABC"
    assert entity_of(linked, "A") == "A"


@pytest.mark.parametrize(
    ("one", "other"),
    [("HumanEval", "HumanEval+"), ("Llama-3.1", "Llama-3.2"), ("CIFAR-10", "CIFAR-100"), ("C++", "C#"), ("A*", "A")],
)
def test_versions_sizes_and_signs_are_different_things(one: str, other: str) -> None:
    linked = link([said(1, named("", one)), said(2, named("", other))], NOTHING_KNOWN)
    assert len(linked.entities) == 2


def test_spellings_of_one_name_are_one_thing_named_as_most_papers_do() -> None:
    linked = link(
        [said(1, named("", "kite-net")), said(2, named("", "Kite Net")), said(3, named("", "Kite Net"))], NOTHING_KNOWN
    )
    (entity,) = linked.entities
    assert (entity.name, entity.aliases) == ("Kite Net", ("kite-net",))


def test_a_known_thing_has_its_known_name_and_aliases() -> None:
    found = named("", "kite search", name_key=key("Kite Search"))
    (entity,) = link([said(1, found)], KNOWN).entities
    assert (entity.name, entity.aliases) == ("Kite Search", ("KS", "kite search"))


def test_the_type_is_the_one_that_most_papers_take_it_for_and_all_are_counted() -> None:
    readings = [said(n, named("", "Nest", type_=t)) for n, t in enumerate(["Dataset", "Benchmark", "Dataset"])]
    (entity,) = link(readings, NOTHING_KNOWN).entities
    assert (entity.type, entity.types) == ("Dataset", (("Dataset", 2), ("Benchmark", 1)))


def test_between_types_of_equal_support_the_lexicon_decides() -> None:
    readings = [said(n, named("", "CIFAR-10", type_=t)) for n, t in enumerate(["Benchmark", "Dataset"])]
    assert [e.type for e in link(readings, KNOWN).entities] == ["Dataset"]
    assert [e.type for e in link(readings, NOTHING_KNOWN).entities] == ["Benchmark"]


def test_families_that_no_paper_names_come_in_up_to_the_widest() -> None:
    linked = by_id(link([said(1, named("", "Qwen2.5-VL", type_="Model"))], KNOWN))
    assert {i: e.family for i, e in linked.items()} == {"qwen2.5-vl": "qwen2.5", "qwen2.5": "qwen", "qwen": ""}
    assert linked["qwen"].types == (("Model", 0),)
    assert linked["qwen2.5-vl"].types == (("Model", 1),)


def test_a_family_that_is_named_too_is_there_once() -> None:
    linked = link([said(1, named("", "Qwen2.5-VL", type_="Model"), named("", "Qwen", type_="Model"))], KNOWN)
    assert sorted(e.id for e in linked.entities) == ["qwen", "qwen2.5", "qwen2.5-vl"]


def test_every_family_is_an_entity_of_the_corpus() -> None:
    linked = by_id(
        link([said(n, named("", e.name, type_=e.type)) for n, e in enumerate(KNOWN.entries.values())], KNOWN)
    )
    assert all(e.family in linked for e in linked.values() if e.family)


NAMES = ["GKO", "Group Kite Optimization", "Gentle Kite Oscillation", "kite-net", "Kite Net", "Qwen2.5-VL", "A*", "A"]
papers = st.lists(
    st.lists(st.tuples(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2), st.sampled_from(["Method", "Model"]))),
    max_size=6,
)


@given(papers, st.integers(0, 99))
def test_the_order_of_the_papers_leaves_no_trace(corpus: list[list[tuple[list[str], str]]], seed: int) -> None:
    readings = [
        said(n, *(named("", *dict.fromkeys(surfaces), type_=t) for surfaces, t in found))
        for n, found in enumerate(corpus)
    ]
    shuffled = random.Random(seed).sample(readings, len(readings))
    one, other = link(readings, KNOWN), link(shuffled, KNOWN)
    assert one.id_of_key == other.id_of_key
    assert by_id(one) == by_id(other)


@given(papers)
def test_every_key_that_a_paper_claims_has_an_entity(corpus: list[list[tuple[list[str], str]]]) -> None:
    readings = [said(n, *(named("", *s, type_=t) for s, t in found)) for n, found in enumerate(corpus)]
    linked = link(readings, KNOWN)
    claimed = {e.key for r in readings for e in r.entities}
    assert set(linked.id_of_key) == claimed
    assert set(linked.id_of_key.values()) <= set(by_id(linked))
    assert all(e.name not in e.aliases and slug(key(e.name)) == e.id for e in linked.entities)
