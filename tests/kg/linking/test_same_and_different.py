"""Which names of two papers are one entity, and which are two, with the shipped lexicon."""

from __future__ import annotations

import pytest

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.linking import Linked, link
from citekg.linking.known_names import entry_of
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Extraction, Paper, PaperEntity
from tests.kg.extractions import make_extraction, named

METHOD, MODEL, DATASET = "Method", "Model", "Dataset"
SHIPPED = shipped_lexicon()
EMPTY_LEXICON = Lexicon.of([])

#: Two names of two papers, with their type: one entity.
SAME_ENTITY = """
Method | Optimistic MWU | optimistic multiplicative weights update
Method | Bayesian MCTS | Bayesian Monte Carlo Tree Search
Method | Nested SGD | nested stochastic gradient descent
Method | Twisted MCMC | twisted Markov chain Monte Carlo
Method | sliced VAE | sliced variational autoencoders
Method | Robust SVM | robust support vector machine
Method | private SGD | private Stochastic Gradient Descent
Method | Auxiliary Classifier GAN | Auxiliary Classifier Generative Adversarial Network
Method | KGDA algorithms | KGDA
Method | KGDA algorithm | KGDA methods
Method | KGDA procedure | KGDA
Method | Kite descent schemes | Kite descent
Method | LSTM network | LSTM
Method | LSTM networks | LSTM
Method | KiteNet architecture | KiteNet
Method | PAC bound | PAC-bounds
Method | Kite bounds | Kite bound
Method | Kite estimators | Kite estimator
Method | exponential weights | exponential weights algorithm
Method | exponential weights | exponentially weighted average forecaster
Method | LIME | Locally Interpretable Model-agnostic Explanations
Model | OpenAI CLIP | CLIP
Model | Google BERT | BERT
Model | Google T5 | T5
Model | Meta Llama 3 | Llama 3
Model | Alibaba Qwen2.5 | Qwen2.5
Model | NVIDIA Nemotron-4 | Nemotron-4
Model | Microsoft Phi-3 | Phi-3
Model | Qwen2.5 (3B/7B/14B) | Qwen2.5
Model | Llama-3.1-{8B,70B} | Llama 3.1
Model | Llama-2 7B and 13B | Llama 2
Model | Kite-2 (1.5B, 7B, and 70B) | Kite-2
Benchmark | OpenAI HumanEval | HumanEval
Benchmark | Google KiteQA | KiteQA
Benchmark | Atari | Atari 2600
Benchmark | Atari | Atari games
Benchmark | Atari | Arcade Learning Environment
Benchmark | Atari | Atari benchmark
Benchmark | Procgen | Procgen benchmark suite
Benchmark | KiteGym environments | KiteGym
Benchmark | CARLA | CARLA simulator
Benchmark | Meta-World tasks | Meta-World
Dataset | Kite treebank | Kite
Dataset | KiteNews corpus | KiteNews
Dataset | KiteNews collection | KiteNews dataset
Dataset | Switchboard corpora | Switchboard
Dataset | KITTI benchmark | KITTI
Dataset | Heron database | Heron
"""

#: Two names of two papers, each with its type: two entities.
DIFFERENT_ENTITIES = """
Method PAIR | Dataset PAIR
Method Adam | Benchmark ADAM
Method MASS | Dataset MASS
Method grouped-query attention | Dataset GQA
Method CoCo | Dataset COCO
Method MARS | Dataset MARS
Method scene flow | Dataset scene flow
Method KAP | Dataset KAP
Method Kite | Dataset Kite dataset
Method MIP | Method MILP
Method mixed-integer programming | Method mixed-integer linear programming
Method kernel regression | Method kernel smoothing
Method Diffusion Policy | Method diffusion model
Method EP-EM | Method EM
Method EP-EM | Method EP
Method generative modeling | Method GAN
Method Gaussian | Method Gaussian process
Method diffusion | Method diffusion model
Method stochastic | Method stochastic methods
Method Kernel | Method kernel method
Model SFT models | Method SFT
Method BP network | Method belief propagation
Method neural network | Method neural
Method Optimistic MWU | Method multiplicative weights
Method Meta-SGD | Method SGD
Method Meta SGD | Method SGD
Method Google Search | Method Search
Benchmark OpenAI Gym | Benchmark OpenAI Kite
Benchmark Atari | Benchmark Atari 100k
Benchmark Atari | Benchmark Atari-57
Model Qwen2.5 (3B/7B/14B) | Model Qwen2.5-7B
Model Qwen3-30B-A3B | Model Qwen3
Dataset Penn Treebank | Dataset Penn
"""
SAME_PAIRS = [tuple(line.split(" | ")) for line in SAME_ENTITY.strip().splitlines()]
DIFFERENT_PAIRS = [tuple(line.split(" | ")) for line in DIFFERENT_ENTITIES.strip().splitlines()]


def extracted_entity(surface: str, type_: str) -> PaperEntity:
    """Return an entity as extraction does: with the key of its lexicon row, if there is one."""
    entry = entry_of(surface, SHIPPED)
    known = entry is not None and surface in (entry.name, *entry.aliases)
    return named("", surface, type_=type_, name_key=entry.key if entry and known else "")


def linked(*names: tuple[str, str], lexicon: Lexicon = SHIPPED) -> Linked:
    return link([paper(n, extracted_entity(*name)) for n, name in enumerate(names)], lexicon)


def paper(n: int, *entities: PaperEntity) -> Extraction:
    return make_extraction(Paper(f"p{n}", f"Paper {n}", "nothing"), *entities)


def ids(*names: tuple[str, str]) -> list[str]:
    found = linked(*names)
    return [found.entity_id(f"p{n}", extracted_entity(*name).key) for n, name in enumerate(names)]


def test_the_tables_hold_at_least_sixty_pairs() -> None:
    assert len({*SAME_PAIRS}) + len({*DIFFERENT_PAIRS}) >= 60


@pytest.mark.parametrize(("type_", "one", "other"), SAME_PAIRS)
def test_two_names_of_one_entity_are_one_node(type_: str, one: str, other: str) -> None:
    assert len({*ids((one, type_), (other, type_))}) == 1


@pytest.mark.parametrize(("one", "other"), DIFFERENT_PAIRS)
def test_names_of_two_entities_are_two_nodes(one: str, other: str) -> None:
    names = [tuple(reversed(name.split(" ", 1))) for name in (one, other)]
    assert len({*ids(*[(surface, type_) for surface, type_ in names])}) == 2


@pytest.mark.parametrize(
    ("row", "long"),
    [
        ("slope", "Sorted L-One Penalized Estimation"),
        ("slope", "sorted $\\ell_1$ penalized estimation"),
        ("lime", "Locally Interpretable Model-agnostic Explanations"),
        ("rovio", "Robust Visual Inertial Odometry"),
    ],
)
def test_a_lexicon_short_form_accepts_a_matching_long_form(row: str, long: str) -> None:
    assert SHIPPED.entries[row].may_stand_for(key(long))


@pytest.mark.parametrize(
    ("row", "long"),
    [
        ("oscar", "octagonal shrinkage and clustering algorithm for regression"),
        ("mixed-integer-linear-programming", "multi-instance label propagation"),
    ],
)
def test_a_short_form_with_context_or_a_known_long_form_rejects_other_long_forms(
    row: str, long: str
) -> None:
    assert not SHIPPED.entries[row].may_stand_for(key(long))


def test_a_method_and_a_dataset_of_one_name_are_two_entities() -> None:
    found = linked(("KAP", METHOD), ("KAP", METHOD), ("KAP", DATASET), lexicon=EMPTY_LEXICON)
    assert sorted((e.id, e.name, e.type) for e in found.entities) == [
        ("kap", "KAP", METHOD),
        ("kap-~28dataset~29", "KAP", DATASET),
    ]


def test_a_method_and_a_model_of_one_name_are_one_entity() -> None:
    assert len(linked(("KAP", METHOD), ("KAP", MODEL)).entities) == 1


def test_a_single_paper_with_another_type_does_not_split_the_entity() -> None:
    papers = [("KAP", DATASET)] * 3 + [("KAP", METHOD)]
    assert len(linked(*papers, lexicon=EMPTY_LEXICON).entities) == 1


def test_a_paper_that_introduces_a_name_with_another_type_splits_the_entity() -> None:
    papers = [paper(n, named("", "KAP", type_=DATASET)) for n in range(3)]
    introducing = paper(3, named("", "KAP", introduces=0.9))
    assert len(link([*papers, introducing], EMPTY_LEXICON).entities) == 2


def test_a_long_coined_name_with_two_types_is_one_entity() -> None:
    papers = [("KiteNestling", DATASET), ("KiteNestling", METHOD)]
    assert len(linked(*papers, lexicon=EMPTY_LEXICON).entities) == 1


def test_a_name_with_a_head_noun_is_linked_to_the_entity_of_that_type() -> None:
    found = ids(("PAIR", METHOD), ("PAIR", DATASET), ("PAIR corpus", DATASET))
    assert found == ["pair", "pair-~28dataset~29", "pair-~28dataset~29"]


LEXICON = Lexicon.of(
    [
        Entry("Group Kite Optimization", "Method", aliases=("GKO",)),
        Entry("Invariant Kite Minimization", "Method", ("IKM",), context=("invariant",)),
        Entry("CRFX", "Method"),
        Entry("KiteBERT", "Model"),
        Entry("KLM", "Method", umbrella=True),
    ]
)


def family_of(name: str, type_: str = METHOD, lexicon: Lexicon = LEXICON) -> str:
    by_id: dict[str, Entity] = {
        e.id: e for e in link([paper(1, named("", name, type_=type_))], lexicon).entities
    }
    (own,) = (e for e in by_id.values() if e.name == name)
    return by_id[own.family].name if own.family else ""


@pytest.mark.parametrize(
    "name",
    ["Critique-GKO", "diffu-GKO", "Reg-GKO", "GKO-λ", "GKO-$\\lambda$", "Dr. GKO", "local GKO"],
)
def test_a_coined_name_that_contains_a_lexicon_name_is_a_variant_of_it(name: str) -> None:
    assert family_of(name) == "Group Kite Optimization"


@pytest.mark.parametrize(
    "name",
    [
        "KiteBERT-GKO",
        "GKO+CRFX",
        "non-GKO",
        "anti-GKO",
        "GKO-max",
        "Training Kites with GKO",
        "leveraging GKO",
        "online KLM",
        "MGKO",
    ],
)
def test_combinations_contrasts_and_phrases_are_not_variants(name: str) -> None:
    assert family_of(name) == ""


def test_a_dataset_is_not_a_variant_of_the_method_in_its_name() -> None:
    assert family_of("Kite-GKO", DATASET) == ""


def test_a_method_can_be_a_variant_of_a_model_but_not_a_model_of_a_method() -> None:
    assert family_of("Kite-GKO", MODEL) == ""
    assert family_of("Nest-KiteBERT") == "KiteBERT"


def test_the_family_of_a_version_is_found_by_its_acronym_in_the_lexicon() -> None:
    assert family_of("IKMv1") == "Invariant Kite Minimization"


def test_the_family_of_a_version_is_found_by_its_acronym_in_another_paper() -> None:
    papers = [
        paper(1, named("", "Nested Kite Wrangling", "NKW")),
        paper(2, named("", "NKWv2", introduces=0.9)),
    ]
    found = {e.name: e for e in link(papers, EMPTY_LEXICON).entities}
    assert found["NKWv2"].family == found["Nested Kite Wrangling"].id


@pytest.mark.parametrize("name", ["Hands2017", "Human3.6M", "ICKL 2020", "Sports-1M"])
def test_the_word_before_a_single_number_is_not_a_family(name: str) -> None:
    assert family_of(name, DATASET) == ""


def test_two_editions_of_a_dataset_get_a_family_that_no_paper_names() -> None:
    papers = [
        paper(n, named("", name, type_=DATASET)) for n, name in enumerate(("KL2017", "KL2019"))
    ]
    assert {e.name: e.family for e in link(papers, EMPTY_LEXICON).entities} == {
        "KL2017": "kl",
        "KL2019": "kl",
        "KL": "",
    }


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("Llama-3.1-8B-Instruct", ["Llama-3.1-8B", "Llama 3.1", "LLaMA"]),
        ("Qwen2.5-VL-7B-Instruct", ["Qwen2.5-VL-7B", "Qwen2.5-VL", "Qwen2.5", "Qwen"]),
    ],
)
def test_the_families_of_a_full_model_name_end_at_the_series(
    name: str, families: list[str]
) -> None:
    by_id = {e.id: e for e in linked((name, MODEL)).entities}
    chain, entity = [], by_id[key(name)]
    while entity.family:
        entity = by_id[entity.family]
        chain.append(entity.name)
    assert [key(n) for n in chain] == [key(n) for n in families]
