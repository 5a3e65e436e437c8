"""One entity per cluster of names, whatever the order of the papers."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.building.assembling import assemble
from citekg.exports import write
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.graph.lookup import find
from citekg.linking import Linked, link
from citekg.queries import query
from citekg.schemas.names import key, slug, unslug
from citekg.schemas.records import Entity, Extraction, Paper, PaperEntity
from citekg.storage.graph_files import load_graph
from tests.kg.extractions import RUN, make_extraction, named

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


def naming(n: int, *entities: PaperEntity) -> Extraction:
    return make_extraction(Paper(f"p{n}", f"Paper {n}", "nothing"), *entities)


def by_id(linked: Linked) -> dict[str, Entity]:
    assert len({e.id for e in linked.entities}) == len(linked.entities)
    return {e.id: e for e in linked.entities}


def entity_of(linked: Linked, surface: str) -> str:
    return by_id(linked)[linked.id_of_key[key(surface)]].name


def test_a_short_form_goes_to_the_long_form_that_another_paper_defines() -> None:
    linked = link(
        [naming(1, named("", "Group Kite Optimization", "GKO")), naming(2, named("", "GKO"))],
        NOTHING_KNOWN,
    )
    assert [(e.name, e.aliases) for e in linked.entities] == [("Group Kite Optimization", ("GKO",))]
    assert entity_of(linked, "GKO") == "Group Kite Optimization"


def test_a_short_form_with_two_long_forms_is_a_separate_entity() -> None:
    linked = link(
        [
            naming(1, named("", "Group Kite Optimization", "GKO")),
            naming(2, named("", "Gentle Kite Oscillation", "GKO")),
            naming(3, named("", "GKO")),
        ],
        NOTHING_KNOWN,
    )
    assert sorted(e.name for e in linked.entities) == [
        "GKO",
        "Gentle Kite Oscillation",
        "Group Kite Optimization",
    ]
    assert entity_of(linked, "GKO") == "GKO"


def test_a_name_that_a_paper_introduces_is_not_a_short_form_of_an_entity_of_another_paper() -> None:
    linked = link(
        [
            naming(1, named("", "Group Kite Optimization", "GKO")),
            naming(2, named("", "GKO", introduces=0.9)),
        ],
        NOTHING_KNOWN,
    )
    assert entity_of(linked, "GKO") == "GKO"


def test_a_short_form_of_the_lexicon_is_the_entity_of_the_lexicon() -> None:
    lexicon = Lexicon.of([Entry("GKO", "Dataset")])
    linked = link(
        [
            naming(1, named("", "Group Kite Optimization", "GKO")),
            naming(2, named("", "GKO", type_="Dataset")),
        ],
        lexicon,
    )
    assert sorted(e.name for e in linked.entities) == ["GKO", "Group Kite Optimization"]


def test_no_chain_of_short_forms_leads_away_from_the_definitions() -> None:
    linked = link(
        [
            naming(1, named("", "AB", "A")),
            naming(2, named("", "ABC", "AB")),
            naming(3, named("", "A")),
            naming(4, named("", "AB")),
        ],
        NOTHING_KNOWN,
    )
    assert set(linked.id_of_key.values()) == set(by_id(linked))
    assert entity_of(linked, "AB") == "ABC"
    assert entity_of(linked, "A") == "A"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HumanEval", "HumanEval+"),
        ("Llama-3.1", "Llama-3.2"),
        ("CIFAR-10", "CIFAR-100"),
        ("C++", "C#"),
        ("A*", "A"),
    ],
)
def test_versions_sizes_and_signs_are_different_entities(one: str, other: str) -> None:
    linked = link([naming(1, named("", one)), naming(2, named("", other))], NOTHING_KNOWN)
    assert linked.id_of_key[key(one)] != linked.id_of_key[key(other)]


def test_spellings_of_one_name_are_one_entity_named_as_most_papers_do() -> None:
    linked = link(
        [
            naming(1, named("", "kite-net")),
            naming(2, named("", "Kite Net")),
            naming(3, named("", "Kite Net")),
        ],
        NOTHING_KNOWN,
    )
    (entity,) = linked.entities
    assert (entity.name, entity.aliases) == ("Kite Net", ("kite-net",))


def test_a_known_entity_has_its_known_name_and_the_aliases_that_papers_use() -> None:
    found = named("", "kite search", name_key=key("Kite Search"))
    (entity,) = link([naming(1, found)], KNOWN).entities
    assert (entity.name, entity.aliases) == ("Kite Search", ("kite search",))


def test_a_known_name_that_no_paper_uses_is_for_search_only() -> None:
    text = "Paper 1\nkite search"
    found = named(text, "kite search", name_key=key("Kite Search"))
    graph = assemble([make_extraction(Paper("p1", "Paper 1", "kite search"), found)], KNOWN, RUN)
    (entity,) = graph.entities
    assert (entity.aliases, entity.hidden_names) == (("kite search",), ("KS",))
    assert find(graph, "KS") == entity


def test_a_number_with_an_elided_name_is_not_an_alias() -> None:
    found = named("", "100", "CIFAR-100", type_="Dataset", name_key=key("CIFAR-100"))
    (entity,) = [e for e in link([naming(1, found)], KNOWN).entities if "100" in e.id]
    assert "100" not in entity.aliases


def test_long_forms_of_one_short_form_may_differ_in_endings_and_in_a_last_word() -> None:
    linked = link(
        [
            naming(1, named("", "kite penetrating radar", "KPR")),
            naming(2, named("", "kite-penetration radars", "KPR")),
            naming(3, named("", "kite penetration radar imager", "KPR")),
            naming(4, named("", "kernel prediction rule", "KPR")),
        ],
        NOTHING_KNOWN,
    )
    assert sorted(e.name for e in linked.entities) == [
        "kernel prediction rule",
        "kite penetrating radar",
    ]


def test_a_known_name_introduced_under_another_acronym_is_another_entity() -> None:
    known = Lexicon.of([Entry("Kite Preference Search", "Method", aliases=("KPPS",))])
    other = named("", "Kite Preference Search", "KPS", introduces=0.9)
    own = named("", "Kite Preference Search", "KPPS", introduces=0.9)
    linked = link([naming(1, other), naming(2, own), naming(3, own)], known)
    assert linked.entity_id("p1", other.key) == "kps"
    assert linked.entity_id("p2", own.key) == linked.entity_id("p3", own.key) == slug(own.key)


def test_the_kind_of_a_model_after_its_name_is_not_part_of_the_name() -> None:
    lexicon = Lexicon.of([Entry("Kestrel", "Model")])
    linked = link([naming(1, named("", "Kestrel language models", type_="Model"))], lexicon)
    assert entity_of(linked, "Kestrel language models") == "Kestrel"


def test_the_type_is_the_one_that_most_papers_take_it_for_and_all_are_counted() -> None:
    extractions = [
        naming(n, named("", "Nest", type_=t))
        for n, t in enumerate(["Dataset", "Benchmark", "Dataset"])
    ]
    (entity,) = link(extractions, NOTHING_KNOWN).entities
    assert (entity.type, entity.types) == ("Dataset", (("Dataset", 2), ("Benchmark", 1)))


def test_between_types_of_equal_support_the_lexicon_decides() -> None:
    extractions = [
        naming(n, named("", "CIFAR-10", type_=t)) for n, t in enumerate(["Benchmark", "Dataset"])
    ]
    assert [e.type for e in link(extractions, KNOWN).entities] == ["Dataset"]
    assert [e.type for e in link(extractions, NOTHING_KNOWN).entities] == ["Benchmark"]


def test_families_that_no_paper_names_come_in_up_to_the_widest() -> None:
    linked = by_id(link([naming(1, named("", "Qwen2.5-VL", type_="Model"))], KNOWN))
    assert {i: e.family for i, e in linked.items()} == {
        "qwen2.5-vl": "qwen2.5",
        "qwen2.5": "qwen",
        "qwen": "",
    }
    assert linked["qwen"].types == (("Model", 0),)
    assert linked["qwen2.5-vl"].types == (("Model", 1),)


def test_a_family_that_is_named_too_is_there_once() -> None:
    linked = link(
        [naming(1, named("", "Qwen2.5-VL", type_="Model"), named("", "Qwen", type_="Model"))], KNOWN
    )
    assert sorted(e.id for e in linked.entities) == ["qwen", "qwen2.5", "qwen2.5-vl"]


def test_every_family_is_an_entity_of_the_corpus() -> None:
    linked = by_id(
        link(
            [
                naming(n, named("", e.name, type_=e.type))
                for n, e in enumerate(KNOWN.entries.values())
            ],
            KNOWN,
        )
    )
    assert all(e.family in linked for e in linked.values() if e.family)


NAMES = [
    "GKO",
    "Group Kite Optimization",
    "Gentle Kite Oscillation",
    "kite-net",
    "Kite Net",
    "Qwen2.5-VL",
    "A*",
    "A",
]
papers = st.lists(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(NAMES), min_size=1, max_size=2),
            st.sampled_from(["Method", "Model"]),
        )
    ),
    max_size=6,
)


@given(papers, st.integers(0, 99))
def test_the_order_of_the_papers_does_not_change_the_output(
    corpus: list[list[tuple[list[str], str]]], seed: int
) -> None:
    extractions = [
        naming(n, *(named("", *dict.fromkeys(surfaces), type_=t) for surfaces, t in found))
        for n, found in enumerate(corpus)
    ]
    shuffled = random.Random(seed).sample(extractions, len(extractions))
    one, other = link(extractions, KNOWN), link(shuffled, KNOWN)
    assert one.id_of_key == other.id_of_key
    assert by_id(one) == by_id(other)


@given(papers)
def test_a_paper_that_comes_twice_counts_once(corpus: list[list[tuple[list[str], str]]]) -> None:
    extractions = [
        naming(n, *(named("", *s, type_=t) for s, t in found)) for n, found in enumerate(corpus)
    ]
    assert link(extractions * 2, KNOWN) == link(extractions, KNOWN)


@given(papers)
def test_linking_parts_what_the_papers_name_into_entities(
    corpus: list[list[tuple[list[str], str]]],
) -> None:
    extractions = [
        naming(n, *(named("", *s, type_=t) for s, t in found)) for n, found in enumerate(corpus)
    ]
    linked = link(extractions, KNOWN)
    meant = {
        (r.paper.id, e.key): linked.entity_id(r.paper.id, e.key)
        for r in extractions
        for e in r.entities
    }
    named_by_none = set(by_id(linked)) - set(meant.values())
    assert set(meant.values()) <= set(by_id(linked))
    assert named_by_none <= {e.family for e in linked.entities}, (
        "only a family is there without being named"
    )


@given(papers)
def test_every_key_that_a_paper_claims_has_an_entity(
    corpus: list[list[tuple[list[str], str]]],
) -> None:
    extractions = [
        naming(n, *(named("", *s, type_=t) for s, t in found)) for n, found in enumerate(corpus)
    ]
    linked = link(extractions, KNOWN)
    claimed = {e.key for r in extractions for e in r.entities}
    assert set(linked.id_of_key) == claimed
    assert set(linked.id_of_key.values()) <= set(by_id(linked))
    assert all(e.name not in e.aliases and slug(key(e.name)) == e.id for e in linked.entities)


def dated(n: int, date: str, *entities: PaperEntity) -> Extraction:
    return make_extraction(Paper(f"p{n}", f"Paper {n}", "nothing", date), *entities)


SENSES = [
    naming(
        1,
        named("", "Automatic Curriculum Learning", "ACL"),
        named("", "Minigrid-X"),
        named("", "Goal Sampling"),
    ),
    naming(
        2,
        named("", "Adaptive Contrastive Loss", "ACL"),
        named("", "Image Pairs"),
        named("", "Crop Net"),
    ),
]


def meant(linked: Linked, paper: str, surface: str) -> str:
    return by_id(linked)[linked.entity_id(paper, key(surface))].name


def test_an_ambiguous_short_form_is_resolved_by_the_other_entities_of_its_paper() -> None:
    linked = link(
        [
            *SENSES,
            naming(3, named("", "ACL"), named("", "Minigrid-X"), named("", "Goal Sampling")),
            naming(4, named("", "ACL"), named("", "Crop Net")),
            naming(5, named("", "ACL")),
        ],
        NOTHING_KNOWN,
    )
    assert meant(linked, "p3", "ACL") == "Automatic Curriculum Learning"
    assert meant(linked, "p4", "ACL") == "Adaptive Contrastive Loss"
    assert meant(linked, "p5", "ACL") == "ACL"


def test_a_short_form_with_context_for_both_meanings_stays_ambiguous() -> None:
    both = naming(3, named("", "ACL"), named("", "Minigrid-X"), named("", "Crop Net"))
    assert meant(link([*SENSES, both], NOTHING_KNOWN), "p3", "ACL") == "ACL"


def test_a_short_form_of_a_method_is_not_one_of_a_dataset() -> None:
    linked = link([SENSES[0], naming(3, named("", "ACL", type_="Dataset"))], NOTHING_KNOWN)
    assert meant(linked, "p3", "ACL") == "ACL"


def test_long_forms_that_differ_in_small_words_are_one_entity() -> None:
    linked = link(
        [
            dated(1, "2024-02", named("", "Reinforcement Learning with Kite Rewards", "RLKR")),
            dated(2, "2024-01", named("", "RL from Kite Rewards", "RLKR")),
            dated(3, "2025", named("", "Recursive Latent Kite Rotation", "RLKR")),
        ],
        NOTHING_KNOWN,
    )
    assert (
        linked.id_of_key["rl-from-kite-rewards"]
        == linked.id_of_key["reinforcement-learning-with-kite-rewards"]
    )
    assert sorted(e.name for e in linked.entities) == [
        "RL from Kite Rewards",
        "Recursive Latent Kite Rotation",
    ]


def test_two_introduced_short_forms_of_one_long_form_are_two_entities() -> None:
    linked = link(
        [
            dated(1, "2024-01", named("", "Self-Kite Optimization", "SKO", introduces=0.9)),
            dated(2, "2024-05", named("", "Self-Kite Optimization", "SKKO", introduces=0.9)),
            dated(3, "2024-06", named("", "Self-Kite Optimization", "SKKO")),
        ],
        NOTHING_KNOWN,
    )
    ids = [linked.entity_id(f"p{n}", "self-kite-optimization") for n in (1, 2, 3)]
    assert ids == ["self-kite-optimization", "skko", "skko"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KiteNest", "Kite-Nest"),
        ("offline-kite RL", "offline-kite reinforcement learning"),
        ("GKO algorithms", "GKO"),
    ],
)
def test_spellings_that_differ_in_how_words_are_joined_or_named_are_one_entity(
    one: str, other: str
) -> None:
    linked = link([naming(1, named("", one)), naming(2, named("", other))], NOTHING_KNOWN)
    assert linked.id_of_key[key(one)] == linked.id_of_key[key(other)]
    assert len(linked.entities) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("A-PO", "APO"), ("kitenest", "Kite Nest"), ("GKO-2", "GKO 2 algorithm 3")]
)
def test_a_hyphen_that_may_distinguish_two_names_does(one: str, other: str) -> None:
    linked = link([naming(1, named("", one)), naming(2, named("", other))], NOTHING_KNOWN)
    assert linked.id_of_key[key(one)] != linked.id_of_key[key(other)]


def test_a_benchmark_here_and_a_dataset_there_is_one_entity_with_both_types() -> None:
    linked = link(
        [
            naming(1, named("", "KiteSet", type_="Dataset")),
            naming(2, named("", "KiteSet", type_="Benchmark")),
        ],
        NOTHING_KNOWN,
    )
    assert [set(e.types) for e in linked.entities] == [{("Benchmark", 1), ("Dataset", 1)}]


def families(*names: str, type_: str = "Model", lexicon: Lexicon = NOTHING_KNOWN) -> dict[str, str]:
    linked = by_id(
        link([naming(n, named("", name, type_=type_)) for n, name in enumerate(names)], lexicon)
    )
    return {e.name: linked[e.family].name if e.family else "" for e in linked.values()}


def test_the_parts_of_a_name_make_its_families() -> None:
    assert families("Qwen2.5-VL-7B-Instruct") == {
        "Qwen2.5-VL-7B-Instruct": "Qwen2.5-VL-7B",
        "Qwen2.5-VL-7B": "Qwen2.5-VL",
        "Qwen2.5-VL": "Qwen2.5",
        "Qwen2.5": "Qwen",
        "Qwen": "",
    }


def test_a_benchmark_named_with_the_suite_it_is_of_is_a_variant_of_the_suite() -> None:
    named_so = families("KiteSuite", "NestMaze", "KiteSuite NestMaze", type_="Benchmark")
    assert named_so["KiteSuite NestMaze"] == "KiteSuite"


@pytest.mark.parametrize(
    ("name", "other", "type_"),
    [
        ("PPO-max", "PPO", "Method"),
        ("B-Coder", "B", "Method"),
        ("TD3+BC", "TD3", "Method"),
        ("AdamW", "Adam", "Method"),
        ("KITE-Vision", "KITE", "Benchmark"),
        ("TD3", "TD", "Method"),
    ],
)
def test_names_that_only_look_like_variants_have_no_family(
    name: str, other: str, type_: str
) -> None:
    assert families(name, other, type_=type_) == {name: "", other: ""}


def test_a_model_is_not_a_variant_of_the_method_in_its_name() -> None:
    linked = by_id(
        link([naming(1, named("", "KPO-7B", type_="Model"), named("", "KPO"))], NOTHING_KNOWN)
    )
    assert all(not e.family for e in linked.values())


def test_families_of_the_lexicon_that_go_round_are_cut() -> None:
    lexicon = Lexicon.of([Entry("Egg", "Model", family="Hen"), Entry("Hen", "Model", family="Egg")])
    linked = by_id(link([naming(1, named("", "Egg", type_="Model"))], lexicon))
    assert {i: e.family for i, e in linked.items()} == {"egg": "", "hen": "egg"}


ANY_NAME = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    key
)


@given(st.lists(ANY_NAME, min_size=1, max_size=6, unique_by=key))
def test_identifiers_are_valid_in_iris_and_different_for_different_names(names: list[str]) -> None:
    linked = link([naming(n, named("", name)) for n, name in enumerate(names)], NOTHING_KNOWN)
    assert all(re.fullmatch(r"[a-z0-9.~-]+", e.id) for e in linked.entities)
    assert all(unslug(linked.id_of_key[key(name)]) in map(key, names) for name in names)


@given(
    st.lists(
        st.sampled_from([r"\textslKite", "\u2122", '""', "$", "KiteNet", "Kite", "Kite-7B"])
        | ANY_NAME,
        max_size=6,
    )
)
def test_no_entity_and_no_family_has_an_empty_id(names: list[str]) -> None:
    linked = link(
        [naming(n, named("", name, type_="Model")) for n, name in enumerate(names)], KNOWN
    )
    assert all(e.id for e in linked.entities)
    assert {e.family for e in linked.entities} <= {"", *(e.id for e in linked.entities)}


#: What extraction hands on: the fullest form first, a short form beside its long form.
READ = [
    ("GKO",),
    ("Group Kite Optimization", "GKO"),
    ("Gentle Kite Oscillation", "GKO"),
    ("kite-net",),
    ("Kite Net",),
]
READ += [("KiteNet",), ("Qwen2.5-VL",), ("A*",), ("A",), ("PPO algorithm",), ("PPO",)]
read = st.lists(
    st.lists(st.tuples(st.sampled_from(READ), st.sampled_from(["Method", "Model"]))), max_size=6
)


@given(read)
def test_linking_what_is_linked_changes_nothing(
    corpus: list[list[tuple[tuple[str, ...], str]]],
) -> None:
    extractions = [
        naming(n, *(named("", *s, type_=t) for s, t in found)) for n, found in enumerate(corpus)
    ]
    once = link(extractions, KNOWN)
    renamed = [
        replace(
            r,
            entities=tuple(
                replace(e, key=unslug(once.entity_id(r.paper.id, e.key))) for e in r.entities
            ),
        )
        for r in extractions
    ]
    again = link(renamed, KNOWN)
    assert {e.id for e in again.entities} == {e.id for e in once.entities}
    assert all(
        again.entity_id(r.paper.id, e.key) == slug(e.key) for r in renamed for e in r.entities
    )
    assert link([*extractions, *extractions], KNOWN) == once


@given(papers, st.integers(0, 5))
def test_an_entity_that_is_defined_or_known_keeps_its_identifier_when_papers_come(
    corpus: list[list[tuple[list[str], str]]], count: int
) -> None:
    extractions = [
        naming(n, *(named("", *s, type_=t) for s, t in found)) for n, found in enumerate(corpus)
    ]
    before, after = link(extractions[:count], KNOWN), link(extractions, KNOWN)
    kept = {k for k in before.id_of_key if k in KNOWN.entries or len(k) > 5}
    assert all(before.id_of_key[k] == after.id_of_key[k] for k in kept)


def test_identifiers_stay_when_rows_come_to_the_lexicon() -> None:
    extractions = [
        naming(1, named("", "GKO"), named("", "KiteSet", type_="Dataset"), named("", "kite search"))
    ]
    grown = Lexicon.of(
        [
            Entry("GKO", "Method", aliases=("Group Kite Optimization",)),
            Entry("KiteSet", "Dataset", family="KiteSets"),
            Entry("KiteSets", "Dataset"),
            Entry("Nest", "Benchmark"),
        ]
    )
    assert link(extractions, NOTHING_KNOWN).id_of_key == link(extractions, grown).id_of_key


#: Things of one name, a name that other signs write, and a line of models.
TELLING = Lexicon.of(
    [
        Entry("Kestrel", "Model", sense="language-model"),
        Entry("KESTREL", "Dataset", sense="birds"),
        Entry("WMT14 Kite-Nest", "Benchmark", aliases=("WMT'14 Ki-Ne",)),
        Entry("Long Kite Memory", "Method", aliases=("LKM",)),
        Entry("Kiteling", "Model"),
    ]
)


def test_entities_that_share_a_name_are_nodes_of_their_own() -> None:
    model = named("", "Kestrel", type_="Model", name_key="kestrel-(language-model)")
    data = named("", "KESTREL", type_="Dataset", name_key="kestrel-(birds)")
    linked = link([naming(1, model), naming(2, data), naming(3, named("", "Kestrel"))], TELLING)
    assert sorted((e.name, e.type) for e in linked.entities) == [
        ("KESTREL", "Dataset"),
        ("Kestrel", "Method"),
        ("Kestrel", "Model"),
    ]


@pytest.mark.parametrize(
    ("surface", "type_", "name"),
    [
        ("WMT 2014 Ki-Ne", "Benchmark", "WMT14 Kite-Nest"),
        ("LKMs", "Method", "Long Kite Memory"),
        ("Kiteling family models", "Model", "Kiteling"),
        ("lkms", "Method", "lkms"),
        ("LKM", "Dataset", "LKM"),
        ("Kiteling models", "Method", "Kiteling models"),
    ],
)
def test_another_spelling_of_a_lexicon_name_is_that_entity_if_type_and_case_agree(
    surface: str, type_: str, name: str
) -> None:
    assert [
        e.name for e in link([naming(1, named("", surface, type_=type_))], TELLING).entities
    ] == [name]


def test_a_question_about_a_family_finds_its_versions_and_sizes_in_a_loaded_file(
    tmp_path: Path,
) -> None:
    names = ["Qwen2.5-7B", "Qwen2.5-VL-72B-Instruct", "Qwen2.5", "Qwen3-8B"]
    read = [
        make_extraction(
            Paper(f"p{n}", "On kites", name),
            named(f"On kites\n{name}", name, type_="Model", uses=0.9),
        )
        for n, name in enumerate(names)
    ]
    write(assemble(read, KNOWN, RUN), tmp_path / "graph.ttl", "ttl")
    asked = """PREFIX ckg: <https://w3id.org/citekg/ontology#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        SELECT ?id { ?paper ckg:uses/skos:broader* ?family ; <http://purl.org/dc/terms/identifier> ?id .
                     ?family skos:prefLabel "%s" } ORDER BY ?id"""
    graph = load_graph(tmp_path / "graph.ttl")
    assert [row["id"] for row in query(graph, asked % "Qwen2.5")] == ["p0", "p1", "p2"]
    assert [row["id"] for row in query(graph, asked % "Qwen")] == ["p0", "p1", "p2", "p3"]
