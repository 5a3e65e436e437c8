"""Families of names: chains of variants, and names that look like variants but have no family."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.names import broader, key, parse

CHAINS = """
Qwen2.5-VL-7B-Instruct < Qwen2.5-VL-7B < Qwen2.5-VL < Qwen2.5 < Qwen
Qwen2.5-Math-7B < Qwen2.5-Math < Qwen2.5 < Qwen
Qwen2.5-Coder-32B-Instruct < Qwen2.5-Coder-32B < Qwen2.5-Coder < Qwen2.5 < Qwen
Qwen3-30B-A3B < Qwen3-30B < Qwen3 < Qwen
Qwen3-235B-A22B-Thinking-2507 < Qwen3-235B-A22B-Thinking < Qwen3-235B-A22B < Qwen3-235B < Qwen3 < Qwen
Qwen-VL < Qwen
Qwen-7B < Qwen
Llama-3.1-8B-Instruct < Llama-3.1-8B < Llama-3.1 < Llama
Llama 3.1 8B < Llama 3.1 < Llama
Llama-2-chat-7B < Llama-2-7B < Llama-2 < Llama
Llama-2-70b < Llama-2 < Llama
Llama-4-Scout < Llama-4 < Llama
GPT-4 < GPT
GPT-4o < GPT
GPT-4o-mini < GPT-4o < GPT
GPT-4o-2024-05-13 < GPT-4o < GPT
GPT-4-0613 < GPT-4 < GPT
GPT-4 Turbo < GPT-4 < GPT
GPT-3.5-Turbo < GPT-3.5 < GPT
GPT-2 XL < GPT-2 < GPT
o1-mini < o1
o3-mini < o3
o1-preview < o1
Claude 3.5 Sonnet < Claude 3.5 < Claude
Claude Sonnet 4 < Claude 4 < Claude
Claude 3 Opus < Claude 3 < Claude
Gemini 1.5 Pro < Gemini 1.5 < Gemini
Gemini-2.5-Flash-Lite < Gemini-2.5-Flash < Gemini-2.5 < Gemini
Gemma-2-9b-it < Gemma-2-9b < Gemma-2 < Gemma
DeepSeek-V3 < DeepSeek
DeepSeek-V3-0324 < DeepSeek-V3 < DeepSeek
DeepSeek-R1 < DeepSeek
DeepSeek-R1-0528 < DeepSeek-R1 < DeepSeek
DeepSeek-R1-Zero < DeepSeek-R1 < DeepSeek
DeepSeek-R1-Distill-Qwen-7B < DeepSeek-R1-Distill-Qwen < DeepSeek-R1 < DeepSeek
DeepSeek-R1-Distill-Llama-8B < DeepSeek-R1-Distill-Llama < DeepSeek-R1 < DeepSeek
DeepSeek-Coder-33B < DeepSeek-Coder < DeepSeek
Mistral-7B-Instruct-v0.2 < Mistral-7B-Instruct < Mistral-7B < Mistral
Mixtral-8x7B < Mixtral
Mixtral-8x7B-Instruct-v0.1 < Mixtral-8x7B-Instruct < Mixtral-8x7B < Mixtral
Phi-3-mini-4k-instruct < Phi-3-mini-4k < Phi-3-mini < Phi-3 < Phi
Kimi-k1.5 < Kimi
Kimi-K2 < Kimi
BERT-base-uncased < BERT-base < BERT
T5-large < T5
Flan-T5-XXL < Flan-T5
OPT-1.3B < OPT
Pythia-70M < Pythia
ViT-B/16 < ViT
Whisper-large-v3 < Whisper-large < Whisper
DreamerV3 < Dreamer
ConvNeXt V2 < ConvNeXt
SAM 2.1 < SAM
InternVL2.5-8B < InternVL2.5 < InternVL
AIME 2024 < AIME
AIME'24 < AIME
AIME24 < AIME
2024 AIME < AIME
AIME 2024 I < AIME 2024 < AIME
HMMT 2025 < HMMT
WMT14 < WMT
CoNLL-2003 < CoNLL
KITTI 2015 < KITTI
MATH-500 < MATH
Atari 100k < Atari
CIFAR-100 < CIFAR
SWE-bench Verified < SWE-bench
AlpacaEval 2.0 < AlpacaEval
HumanEval+ < HumanEval
HalfCheetah-v2 < HalfCheetah
Walker2d-v4 < Walker2d
LAION-5B < LAION
MovieLens-1M < MovieLens
"""

WITHOUT_FAMILY = """
PPO | PPO-max | B-Coder | Coder-B | TD3 | TD3+BC | S4 | T5 | C4 | A3C | A2C | D4RL | AdamW | GSM8K | GPT | Qwen | R3M
Self-Instruct | Evol-Instruct | Arena-Hard | pass@1 | maj@64 | A* | Q* | C++ | C# | A*-PO | Dr. GRPO | Best-of-N
proximal policy optimization | supervised fine-tuning | 3D U-Net | chain-of-thought | StarCoder | MMMU | L2 | K-BERT
Reinforcement Learning from Human Feedback | Decision Transformer | Base | Instruct | 7B | 2024 | +
"""


def chain(name: str | None) -> Iterator[str]:
    """Yield a name, its family, the family of that family, and so on."""
    while name is not None:
        yield name
        name = broader(name)


def test_broader_names_are_derived_by_removing_one_part_at_a_time() -> None:
    lines = CHAINS.strip().splitlines()
    found = {line: " < ".join(chain(line.partition(" < ")[0])) for line in lines}
    assert {line: other for line, other in found.items() if line != other} == {}


def test_a_name_that_only_looks_like_a_variant_has_no_family() -> None:
    names = [
        name.strip() for line in WITHOUT_FAMILY.strip().splitlines() for name in line.split(" | ")
    ]
    assert {name: broader(name) for name in names if broader(name) is not None} == {}


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("MMLU-Pro", "MMLU"),
        ("StarCraft II", "StarCraft"),
        ("CodeQwen-Chat", "CodeQwen"),
        ("UNet++", "UNet"),
    ],
)
def test_any_part_can_be_removed_if_the_remaining_name_is_known(name: str, family: str) -> None:
    assert broader(name, lambda surface: surface == family) == family


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("MATH-500", None),
        ("GPT-4", "GPT"),
        ("Foo-7B", "Foo"),
        ("Foo-7B-Chat", "Foo-7B"),
        ("Foo-Chat", None),
    ],
)
def test_an_unknown_family_is_inferred_only_from_an_unambiguous_part(
    name: str, family: str | None
) -> None:
    assert broader(name, lambda _surface: False) == family


@pytest.mark.parametrize(
    ("surface", "parts"),
    [
        (
            "Qwen2.5-VL-7B-Instruct",
            {"version": "2.5", "variant": "vl", "size": "7b", "stage": "instruct"},
        ),
        ("DeepSeek-R1-0528", {"version": "r1", "date": "0528"}),
        ("DeepSeek-R1-Distill-Qwen-32B", {"version": "r1", "stage": "distill-qwen", "size": "32b"}),
        ("GPT-4o-2024-05-13", {"version": "4o", "date": "20240513"}),
        ("AIME'24", {"year": "2024"}),
        ("MATH-500", {"subset": "500"}),
        ("Atari 100k", {"subset": "100k"}),
        ("SWE-bench Verified", {"subset": "verified"}),
        ("HalfCheetah-v2", {"version": "v2"}),
        ("HumanEval+", {"decoration": "+"}),
        ("pass@1", {"decoration": "@1"}),
        ("RRT*", {"decoration": "*"}),
        ("proximal policy optimization", {}),
    ],
)
def test_a_name_is_parsed_into_its_parts(surface: str, parts: dict[str, str]) -> None:
    kinds = ("version", "variant", "size", "stage", "date", "year", "subset", "decoration")
    assert {kind: value for kind in kinds if (value := getattr(parse(surface), kind))} == parts


WORDS = """Qwen Llama GPT AIME 2024 '24 24 2.5 3.1 4o V2 v0.2 VL Math Coder 7B 8x7B A3B mini large base Instruct Chat
Preview Distill 0528 2024-05-13 100k 500 Lite Verified + * @1 ++ Sonnet 4 Flash Claude Models VAEs policies i α π_0 $x$
_ / ' B b/16 é 中 behaviour google Meta/ meta-llama/ (8B) (2024) [dev] @ × ∗ \\star {\\sc \\textbf{x}
Feb. AIME 14""".split()
SURFACES = st.one_of(
    st.text(max_size=16),
    st.text(alphabet="aAbBvVsS0124.+*-_ '@/$\\{}^dmkqo", max_size=16),
    st.lists(st.sampled_from(WORDS), max_size=7).map("-".join),
    st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=7).map("".join),
)


@given(SURFACES)
def test_parsing_the_key_of_a_name_gives_the_same_name(surface: str) -> None:
    name = parse(surface)
    assert parse(name.key) == name
    assert parse(name.key).key == name.key == key(surface)


@given(SURFACES, SURFACES)
def test_parsed_names_are_equal_exactly_if_their_keys_are_equal(one: str, other: str) -> None:
    assert (parse(one) == parse(other)) == (key(one) == key(other))


@given(SURFACES)
def test_every_chain_of_families_ends(surface: str) -> None:
    seen = {key(surface)}
    wider = broader(surface)
    while wider is not None:
        assert key(wider) not in seen
        seen.add(key(wider))
        wider = broader(wider)


@given(SURFACES)
def test_names_that_differ_in_a_final_digit_or_sign_have_different_keys(surface: str) -> None:
    assert key(surface + "x1") != key(surface + "x2")
    assert key(surface + "x") != key(surface + "x+")


@given(SURFACES, st.data())
def test_changing_a_digit_or_removing_a_sign_changes_the_key(
    surface: str, data: st.DataObject
) -> None:
    places = [n for n, char in enumerate(surface) if char in "0123456789+#"]
    if places:
        place = data.draw(st.sampled_from(places))
        other = data.draw(st.sampled_from("0123456789")) if surface[place].isdigit() else ""
        changed = surface[:place] + other + surface[place + 1 :]
        assert (key(changed) == key(surface)) == (changed == surface)
