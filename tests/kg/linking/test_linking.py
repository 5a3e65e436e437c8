"""All names of an entity are linked to one node, in any order of the papers."""

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

EMPTY_LEXICON = Lexicon.of([])
LEXICON = Lexicon.of(
    [
        Entry("Qwen", "Model"),
        Entry("Qwen2.5", "Model", family="Qwen"),
        Entry("Qwen2.5-VL", "Model", aliases=("Qwen 2.5 VL",), family="Qwen2.5"),
        Entry("Kite Search", "Method", aliases=("KS",)),
        Entry("CIFAR-10", "Dataset"),
    ]
)


def extraction_of(n: int, *entities: PaperEntity) -> Extraction:
    return make_extraction(Paper(f"p{n}", f"Paper {n}", "nothing"), *entities)


def by_id(linked: Linked) -> dict[str, Entity]:
    assert len({e.id for e in linked.entities}) == len(linked.entities)
    return {e.id: e for e in linked.entities}


def entity_of(linked: Linked, surface: str) -> str:
    return by_id(linked)[linked.id_of_key[key(surface)]].name


def test_a_short_form_is_linked_to_the_long_form_that_another_paper_defines() -> None:
    linked = link(
        [
            extraction_of(1, named("", "Group Kite Optimization", "GKO")),
            extraction_of(2, named("", "GKO")),
        ],
        EMPTY_LEXICON,
    )
    assert [(e.name, e.aliases) for e in linked.entities] == [("Group Kite Optimization", ("GKO",))]
    assert entity_of(linked, "GKO") == "Group Kite Optimization"


def test_a_short_form_with_two_long_forms_is_a_separate_entity() -> None:
    linked = link(
        [
            extraction_of(1, named("", "Group Kite Optimization", "GKO")),
            extraction_of(2, named("", "Gentle Kite Oscillation", "GKO")),
            extraction_of(3, named("", "GKO")),
        ],
        EMPTY_LEXICON,
    )
    assert sorted(e.name for e in linked.entities) == [
        "GKO",
        "Gentle Kite Oscillation",
        "Group Kite Optimization",
    ]
    assert entity_of(linked, "GKO") == "GKO"


def test_an_introduced_name_is_not_linked_to_the_long_form_of_another_paper() -> None:
    linked = link(
        [
            extraction_of(1, named("", "Group Kite Optimization", "GKO")),
            extraction_of(2, named("", "GKO", introduces=0.9)),
        ],
        EMPTY_LEXICON,
    )
    assert entity_of(linked, "GKO") == "GKO"


def test_a_short_form_of_the_lexicon_is_not_linked_to_a_defined_long_form() -> None:
    lexicon = Lexicon.of([Entry("GKO", "Method")])
    linked = link(
        [
            extraction_of(1, named("", "Group Kite Optimization", "GKO")),
            extraction_of(2, named("", "GKO")),
        ],
        lexicon,
    )
    assert sorted(e.name for e in linked.entities) == ["GKO", "Group Kite Optimization"]


def test_short_forms_are_not_resolved_through_chains_of_definitions() -> None:
    linked = link(
        [
            extraction_of(1, named("", "AB", "A")),
            extraction_of(2, named("", "ABC", "AB")),
            extraction_of(3, named("", "A")),
            extraction_of(4, named("", "AB")),
        ],
        EMPTY_LEXICON,
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
def test_names_with_different_versions_sizes_or_signs_are_different_entities(
    one: str, other: str
) -> None:
    linked = link(
        [extraction_of(1, named("", one)), extraction_of(2, named("", other))], EMPTY_LEXICON
    )
    assert linked.id_of_key[key(one)] != linked.id_of_key[key(other)]


def test_spellings_of_a_name_are_one_entity_with_the_most_frequent_spelling() -> None:
    linked = link(
        [
            extraction_of(1, named("", "kite-net")),
            extraction_of(2, named("", "Kite Net")),
            extraction_of(3, named("", "Kite Net")),
        ],
        EMPTY_LEXICON,
    )
    (entity,) = linked.entities
    assert (entity.name, entity.aliases) == ("Kite Net", ("kite-net",))


def test_a_lexicon_entity_has_its_lexicon_name_and_the_aliases_that_papers_use() -> None:
    found = named("", "kite search", name_key=key("Kite Search"))
    (entity,) = link([extraction_of(1, found)], LEXICON).entities
    assert (entity.name, entity.aliases) == ("Kite Search", ("kite search",))


def test_a_lexicon_alias_that_no_paper_uses_is_a_hidden_name_for_search() -> None:
    text = "Paper 1\nkite search"
    found = named(text, "kite search", name_key=key("Kite Search"))
    graph = assemble([make_extraction(Paper("p1", "Paper 1", "kite search"), found)], LEXICON, RUN)
    (entity,) = graph.entities
    assert (entity.aliases, entity.hidden_names) == (("kite search",), ("KS",))
    assert find(graph, "KS") == entity


def test_a_number_that_abbreviates_a_dataset_name_is_not_an_alias() -> None:
    found = named("", "100", "CIFAR-100", type_="Dataset", name_key=key("CIFAR-100"))
    (entity,) = [e for e in link([extraction_of(1, found)], LEXICON).entities if "100" in e.id]
    assert "100" not in entity.aliases


def test_long_forms_that_differ_in_endings_or_a_last_word_are_one_entity() -> None:
    linked = link(
        [
            extraction_of(1, named("", "kite penetrating radar", "KPR")),
            extraction_of(2, named("", "kite-penetration radars", "KPR")),
            extraction_of(3, named("", "kite penetration radar imager", "KPR")),
            extraction_of(4, named("", "kernel prediction rule", "KPR")),
        ],
        EMPTY_LEXICON,
    )
    assert sorted(e.name for e in linked.entities) == [
        "kernel prediction rule",
        "kite penetrating radar",
    ]


def test_a_lexicon_name_introduced_with_another_acronym_is_another_entity() -> None:
    known = Lexicon.of([Entry("Kite Preference Search", "Method", aliases=("KPPS",))])
    other = named("", "Kite Preference Search", "KPS", introduces=0.9)
    own = named("", "Kite Preference Search", "KPPS", introduces=0.9)
    linked = link([extraction_of(1, other), extraction_of(2, own), extraction_of(3, own)], known)
    assert linked.entity_id("p1", other.key) == "kps"
    assert linked.entity_id("p2", own.key) == linked.entity_id("p3", own.key) == slug(own.key)


def test_a_model_kind_after_the_name_is_not_part_of_the_name() -> None:
    lexicon = Lexicon.of([Entry("Kestrel", "Model")])
    linked = link([extraction_of(1, named("", "Kestrel language models", type_="Model"))], lexicon)
    assert entity_of(linked, "Kestrel language models") == "Kestrel"


def test_the_type_is_the_most_frequent_one_and_all_types_are_counted() -> None:
    extractions = [
        extraction_of(n, named("", "Nest", type_=t))
        for n, t in enumerate(["Dataset", "Benchmark", "Dataset"])
    ]
    (entity,) = link(extractions, EMPTY_LEXICON).entities
    assert (entity.type, entity.types) == ("Dataset", (("Dataset", 2), ("Benchmark", 1)))


def test_the_lexicon_decides_between_equally_frequent_types() -> None:
    extractions = [
        extraction_of(n, named("", "CIFAR-10", type_=t))
        for n, t in enumerate(["Benchmark", "Dataset"])
    ]
    assert [e.type for e in link(extractions, LEXICON).entities] == ["Dataset"]
    assert [e.type for e in link(extractions, EMPTY_LEXICON).entities] == ["Benchmark"]


def test_all_families_of_an_entity_are_added_even_if_no_paper_names_them() -> None:
    linked = by_id(link([extraction_of(1, named("", "Qwen2.5-VL", type_="Model"))], LEXICON))
    assert {i: e.family for i, e in linked.items()} == {
        "qwen2.5-vl": "qwen2.5",
        "qwen2.5": "qwen",
        "qwen": "",
    }
    assert linked["qwen"].types == (("Model", 0),)
    assert linked["qwen2.5-vl"].types == (("Model", 1),)


def test_a_family_that_a_paper_names_is_not_added_twice() -> None:
    linked = link(
        [
            extraction_of(
                1, named("", "Qwen2.5-VL", type_="Model"), named("", "Qwen", type_="Model")
            )
        ],
        LEXICON,
    )
    assert sorted(e.id for e in linked.entities) == ["qwen", "qwen2.5", "qwen2.5-vl"]


def test_every_family_of_a_lexicon_entity_is_an_entity() -> None:
    linked = by_id(
        link(
            [
                extraction_of(n, named("", e.name, type_=e.type))
                for n, e in enumerate(LEXICON.entries.values())
            ],
            LEXICON,
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
def test_linking_does_not_depend_on_the_order_of_the_papers(
    corpus: list[list[tuple[list[str], str]]], seed: int
) -> None:
    extractions = [
        extraction_of(n, *(named("", *dict.fromkeys(surfaces), type_=t) for surfaces, t in found))
        for n, found in enumerate(corpus)
    ]
    shuffled = random.Random(seed).sample(extractions, len(extractions))
    one, other = link(extractions, LEXICON), link(shuffled, LEXICON)
    assert one.id_of_key == other.id_of_key
    assert by_id(one) == by_id(other)


@given(papers)
def test_a_duplicate_paper_is_counted_once(corpus: list[list[tuple[list[str], str]]]) -> None:
    extractions = [
        extraction_of(n, *(named("", *s, type_=t) for s, t in found))
        for n, found in enumerate(corpus)
    ]
    assert link(extractions * 2, LEXICON) == link(extractions, LEXICON)


@given(papers)
def test_every_extracted_entity_is_linked_and_only_families_are_unnamed(
    corpus: list[list[tuple[list[str], str]]],
) -> None:
    extractions = [
        extraction_of(n, *(named("", *s, type_=t) for s, t in found))
        for n, found in enumerate(corpus)
    ]
    linked = link(extractions, LEXICON)
    linked_to = {
        (r.paper.id, e.key): linked.entity_id(r.paper.id, e.key)
        for r in extractions
        for e in r.entities
    }
    unnamed = set(by_id(linked)) - set(linked_to.values())
    assert set(linked_to.values()) <= set(by_id(linked))
    assert unnamed <= {e.family for e in linked.entities}, (
        "only a family is there without being named"
    )


@given(papers)
def test_every_extracted_key_is_linked_to_an_entity_with_a_matching_id(
    corpus: list[list[tuple[list[str], str]]],
) -> None:
    extractions = [
        extraction_of(n, *(named("", *s, type_=t) for s, t in found))
        for n, found in enumerate(corpus)
    ]
    linked = link(extractions, LEXICON)
    extracted_keys = {e.key for r in extractions for e in r.entities}
    assert set(linked.id_of_key) == extracted_keys
    assert set(linked.id_of_key.values()) <= set(by_id(linked))
    assert all(e.name not in e.aliases and slug(key(e.name)) == e.id for e in linked.entities)


def dated_extraction(n: int, date: str, *entities: PaperEntity) -> Extraction:
    return make_extraction(Paper(f"p{n}", f"Paper {n}", "nothing", date), *entities)


SENSES = [
    extraction_of(
        1,
        named("", "Automatic Curriculum Learning", "ACL"),
        named("", "Minigrid-X"),
        named("", "Goal Sampling"),
    ),
    extraction_of(
        2,
        named("", "Adaptive Contrastive Loss", "ACL"),
        named("", "Image Pairs"),
        named("", "Crop Net"),
    ),
]


def linked_to(linked: Linked, paper: str, surface: str) -> str:
    return by_id(linked)[linked.entity_id(paper, key(surface))].name


def test_other_entities_of_a_paper_disambiguate_a_short_form() -> None:
    linked = link(
        [
            *SENSES,
            extraction_of(3, named("", "ACL"), named("", "Minigrid-X"), named("", "Goal Sampling")),
            extraction_of(4, named("", "ACL"), named("", "Crop Net")),
            extraction_of(5, named("", "ACL")),
        ],
        EMPTY_LEXICON,
    )
    assert linked_to(linked, "p3", "ACL") == "Automatic Curriculum Learning"
    assert linked_to(linked, "p4", "ACL") == "Adaptive Contrastive Loss"
    assert linked_to(linked, "p5", "ACL") == "ACL"


def test_a_short_form_is_not_linked_if_the_paper_supports_two_meanings() -> None:
    both = extraction_of(3, named("", "ACL"), named("", "Minigrid-X"), named("", "Crop Net"))
    assert linked_to(link([*SENSES, both], EMPTY_LEXICON), "p3", "ACL") == "ACL"


def test_a_dataset_is_not_linked_to_a_method_with_the_same_short_form() -> None:
    linked = link([SENSES[0], extraction_of(3, named("", "ACL", type_="Dataset"))], EMPTY_LEXICON)
    assert linked_to(linked, "p3", "ACL") == "ACL"


def test_long_forms_that_differ_in_function_words_are_one_entity() -> None:
    linked = link(
        [
            dated_extraction(
                1, "2024-02", named("", "Reinforcement Learning with Kite Rewards", "RLKR")
            ),
            dated_extraction(2, "2024-01", named("", "RL from Kite Rewards", "RLKR")),
            dated_extraction(3, "2025", named("", "Recursive Latent Kite Rotation", "RLKR")),
        ],
        EMPTY_LEXICON,
    )
    assert (
        linked.id_of_key["rl-from-kite-rewards"]
        == linked.id_of_key["reinforcement-learning-with-kite-rewards"]
    )
    assert sorted(e.name for e in linked.entities) == [
        "RL from Kite Rewards",
        "Recursive Latent Kite Rotation",
    ]


def test_a_long_form_introduced_with_two_short_forms_is_two_entities() -> None:
    linked = link(
        [
            dated_extraction(
                1, "2024-01", named("", "Self-Kite Optimization", "SKO", introduces=0.9)
            ),
            dated_extraction(
                2, "2024-05", named("", "Self-Kite Optimization", "SKKO", introduces=0.9)
            ),
            dated_extraction(3, "2024-06", named("", "Self-Kite Optimization", "SKKO")),
        ],
        EMPTY_LEXICON,
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
def test_names_that_differ_in_joining_abbreviation_or_head_noun_are_one_entity(
    one: str, other: str
) -> None:
    linked = link(
        [extraction_of(1, named("", one)), extraction_of(2, named("", other))], EMPTY_LEXICON
    )
    assert linked.id_of_key[key(one)] == linked.id_of_key[key(other)]
    assert len(linked.entities) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("A-PO", "APO"), ("kitenest", "Kite Nest"), ("GKO-2", "GKO 2 algorithm 3")]
)
def test_names_that_may_differ_by_a_hyphen_space_or_number_are_two_entities(
    one: str, other: str
) -> None:
    linked = link(
        [extraction_of(1, named("", one)), extraction_of(2, named("", other))], EMPTY_LEXICON
    )
    assert linked.id_of_key[key(one)] != linked.id_of_key[key(other)]


def test_a_name_with_types_benchmark_and_dataset_is_one_entity_with_both_types() -> None:
    linked = link(
        [
            extraction_of(1, named("", "KiteSet", type_="Dataset")),
            extraction_of(2, named("", "KiteSet", type_="Benchmark")),
        ],
        EMPTY_LEXICON,
    )
    assert [set(e.types) for e in linked.entities] == [{("Benchmark", 1), ("Dataset", 1)}]


def families(*names: str, type_: str = "Model", lexicon: Lexicon = EMPTY_LEXICON) -> dict[str, str]:
    linked = by_id(
        link(
            [extraction_of(n, named("", name, type_=type_)) for n, name in enumerate(names)],
            lexicon,
        )
    )
    return {e.name: linked[e.family].name if e.family else "" for e in linked.values()}


def test_the_parts_of_a_model_name_give_its_chain_of_families() -> None:
    assert families("Qwen2.5-VL-7B-Instruct") == {
        "Qwen2.5-VL-7B-Instruct": "Qwen2.5-VL-7B",
        "Qwen2.5-VL-7B": "Qwen2.5-VL",
        "Qwen2.5-VL": "Qwen2.5",
        "Qwen2.5": "Qwen",
        "Qwen": "",
    }


def test_a_benchmark_whose_name_starts_with_its_suite_is_a_variant_of_the_suite() -> None:
    family_of = families("KiteSuite", "NestMaze", "KiteSuite NestMaze", type_="Benchmark")
    assert family_of["KiteSuite NestMaze"] == "KiteSuite"


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
def test_names_that_only_resemble_variants_have_no_family(
    name: str, other: str, type_: str
) -> None:
    assert families(name, other, type_=type_) == {name: "", other: ""}


def test_a_model_is_not_a_variant_of_the_method_in_its_name() -> None:
    linked = by_id(
        link(
            [extraction_of(1, named("", "KPO-7B", type_="Model"), named("", "KPO"))], EMPTY_LEXICON
        )
    )
    assert all(not e.family for e in linked.values())


def test_cycles_of_families_in_the_lexicon_are_broken() -> None:
    lexicon = Lexicon.of([Entry("Egg", "Model", family="Hen"), Entry("Hen", "Model", family="Egg")])
    linked = by_id(link([extraction_of(1, named("", "Egg", type_="Model"))], lexicon))
    assert {i: e.family for i, e in linked.items()} == {"egg": "", "hen": "egg"}


ANY_NAME = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    key
)


@given(st.lists(ANY_NAME, min_size=1, max_size=6, unique_by=key))
def test_identifiers_are_valid_in_iris_and_different_for_different_names(names: list[str]) -> None:
    linked = link(
        [extraction_of(n, named("", name)) for n, name in enumerate(names)], EMPTY_LEXICON
    )
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
        [extraction_of(n, named("", name, type_="Model")) for n, name in enumerate(names)], LEXICON
    )
    assert all(e.id for e in linked.entities)
    assert {e.family for e in linked.entities} <= {"", *(e.id for e in linked.entities)}


#: Names as extraction returns them: the fullest form first, a short form after its long form.
EXTRACTED_NAMES = [
    ("GKO",),
    ("Group Kite Optimization", "GKO"),
    ("Gentle Kite Oscillation", "GKO"),
    ("kite-net",),
    ("Kite Net",),
]
EXTRACTED_NAMES += [("KiteNet",), ("Qwen2.5-VL",), ("A*",), ("A",), ("PPO algorithm",), ("PPO",)]
extracted = st.lists(
    st.lists(st.tuples(st.sampled_from(EXTRACTED_NAMES), st.sampled_from(["Method", "Model"]))),
    max_size=6,
)


@given(extracted)
def test_linking_is_idempotent(
    corpus: list[list[tuple[tuple[str, ...], str]]],
) -> None:
    extractions = [
        extraction_of(n, *(named("", *s, type_=t) for s, t in found))
        for n, found in enumerate(corpus)
    ]
    once = link(extractions, LEXICON)
    renamed = [
        replace(
            r,
            entities=tuple(
                replace(e, key=unslug(once.entity_id(r.paper.id, e.key))) for e in r.entities
            ),
        )
        for r in extractions
    ]
    again = link(renamed, LEXICON)
    assert {e.id for e in again.entities} == {e.id for e in once.entities}
    assert all(
        again.entity_id(r.paper.id, e.key) == slug(e.key) for r in renamed for e in r.entities
    )
    assert link([*extractions, *extractions], LEXICON) == once


@given(papers, st.integers(0, 5))
def test_lexicon_and_long_names_keep_their_identifiers_when_papers_are_added(
    corpus: list[list[tuple[list[str], str]]], count: int
) -> None:
    extractions = [
        extraction_of(n, *(named("", *s, type_=t) for s, t in found))
        for n, found in enumerate(corpus)
    ]
    before, after = link(extractions[:count], LEXICON), link(extractions, LEXICON)
    kept = {k for k in before.id_of_key if k in LEXICON.entries or len(k) > 5}
    assert all(before.id_of_key[k] == after.id_of_key[k] for k in kept)


def test_identifiers_do_not_change_when_rows_are_added_to_the_lexicon() -> None:
    extractions = [
        extraction_of(
            1, named("", "GKO"), named("", "KiteSet", type_="Dataset"), named("", "kite search")
        )
    ]
    grown = Lexicon.of(
        [
            Entry("GKO", "Method", aliases=("Group Kite Optimization",)),
            Entry("KiteSet", "Dataset", family="KiteSets"),
            Entry("KiteSets", "Dataset"),
            Entry("Nest", "Benchmark"),
        ]
    )
    assert link(extractions, EMPTY_LEXICON).id_of_key == link(extractions, grown).id_of_key


#: Two entities with one name, a name with spelling variants, and a model series.
AMBIGUOUS_LEXICON = Lexicon.of(
    [
        Entry("Kestrel", "Model", sense="language-model"),
        Entry("KESTREL", "Dataset", sense="birds"),
        Entry("WMT14 Kite-Nest", "Benchmark", aliases=("WMT'14 Ki-Ne",)),
        Entry("Long Kite Memory", "Method", aliases=("LKM",)),
        Entry("Kiteling", "Model"),
    ]
)


def test_entities_that_share_a_name_are_separate_nodes() -> None:
    model = named("", "Kestrel", type_="Model", name_key="kestrel-(language-model)")
    data = named("", "KESTREL", type_="Dataset", name_key="kestrel-(birds)")
    linked = link(
        [extraction_of(1, model), extraction_of(2, data), extraction_of(3, named("", "Kestrel"))],
        AMBIGUOUS_LEXICON,
    )
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
def test_a_variant_of_a_lexicon_name_is_linked_if_type_and_capitals_agree(
    surface: str, type_: str, name: str
) -> None:
    assert [
        e.name
        for e in link(
            [extraction_of(1, named("", surface, type_=type_))], AMBIGUOUS_LEXICON
        ).entities
    ] == [name]


def test_a_query_for_a_family_in_a_loaded_file_finds_its_versions_and_sizes(
    tmp_path: Path,
) -> None:
    names = ["Qwen2.5-7B", "Qwen2.5-VL-72B-Instruct", "Qwen2.5", "Qwen3-8B"]
    extracted = [
        make_extraction(
            Paper(f"p{n}", "On kites", name),
            named(f"On kites\n{name}", name, type_="Model", uses=0.9),
        )
        for n, name in enumerate(names)
    ]
    write(assemble(extracted, LEXICON, RUN), tmp_path / "graph.ttl", "ttl")
    query_text = """PREFIX ckg: <https://w3id.org/citekg/ontology#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        SELECT ?id { ?paper ckg:uses/skos:broader* ?family ; <http://purl.org/dc/terms/identifier> ?id .
                     ?family skos:prefLabel "%s" } ORDER BY ?id"""
    graph = load_graph(tmp_path / "graph.ttl")
    assert [row["id"] for row in query(graph, query_text % "Qwen2.5")] == ["p0", "p1", "p2"]
    assert [row["id"] for row in query(graph, query_text % "Qwen")] == ["p0", "p1", "p2", "p3"]
