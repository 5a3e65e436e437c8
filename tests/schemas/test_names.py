"""Names: which spellings have one key, which do not, and how a name becomes part of an IRI."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.names import key, slug, unslug

SAME = [
    ("Proximal Policy Optimization", "proximal policy optimization"),
    ("Proximal Policy Optimization", "Proximal-Policy Optimization"),
    ("Proximal  Policy\u00a0Optimization", "Proximal Policy Optimization"),
    ("Qwen2.5", "Qwen-2.5"),
    ("GPT-4", "GPT4"),
    ("CIFAR-10", "cifar10"),
    ("BERT_base", "BERT-base"),
    ("chain\u2011of\u2011thought", "chain-of-thought"),
    ("state\u2013action", "state-action"),
    ("Montezuma\u2019s Revenge", "Montezuma's Revenge"),
    ("\uff27\uff30\uff34-4", "GPT-4"),
    ("Stra\u00dfe", "STRASSE"),
    ("-GRPO-", "GRPO"),
]

DIFFERENT = [
    ("HumanEval", "HumanEval+"),
    ("C++", "C#"),
    ("C", "C++"),
    ("Llama-3.1", "Llama-3.2"),
    ("CIFAR-10", "CIFAR-100"),
    ("AIME 2024", "AIME 2025"),
    ("GPT-4", "GPT-4o"),
    ("A*", "A"),
    ("Qwen2.5", "Qwen25"),
    ("Qwen2.5-7B", "Qwen2.5-72B"),
    ("TD3", "TD3+BC"),
    ("pass@1", "pass 1"),
    ("DreamerV2", "DreamerV3"),
    ("U-Net", "U-Net++"),
    ("\u03b1-GRPO", "\u03b2-GRPO"),
    ("3D U-Net", "2D U-Net"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_case_dashes_spaces_and_typography_do_not_change_the_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_digits_dots_and_signs_change_the_key_and_the_slug(one: str, other: str) -> None:
    assert key(one) != key(other)
    assert slug(key(one)) != slug(key(other))


@given(st.text(max_size=30))
def test_the_key_of_a_key_is_the_key_itself(name: str) -> None:
    assert key(key(name)) == key(name)


@given(st.text(max_size=30))
def test_only_a_blank_name_has_an_empty_key(name: str) -> None:
    assert bool(key(name)) == bool(name.strip())


@pytest.mark.parametrize(
    "name", ["\u2122", '""', "---", "$", r"\mathbf", r"\textsc{}", r"\textfoo"]
)
def test_a_name_that_normalises_to_an_empty_string_is_its_own_key(name: str) -> None:
    assert key(name) == name


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"\textslKiteNet", "KiteNet"),
        (r"\textscFgd", "FGD"),
        (r"\textitBig-Nest", "Big-Nest"),
        (r"\emphKite", "Kite"),
    ],
)
def test_a_style_command_without_braces_is_not_part_of_the_name(written: str, meant: str) -> None:
    assert key(written) == key(meant)


@given(st.text(alphabet="aBZ09.+*-_ /#%\u00e9\u4e2d\U0001f600", max_size=20))
def test_keys_are_case_insensitive(name: str) -> None:
    assert key(name.upper()) == key(name.lower()) == key(name)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_unslug_is_the_inverse_of_slug(text: str) -> None:
    assert unslug(slug(text)) == text


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.characters(exclude_categories=["Cs"])),
)
def test_different_texts_have_different_slugs(one: str, other: str) -> None:
    assert (slug(one) == slug(other)) == (one == other)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_slug_has_only_characters_that_need_no_escaping_in_an_iri(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9.~-]*", slug(text))


@pytest.mark.parametrize(
    "text", ["a b", "a/b", "a#b", "50%", "~7e", "中文", "😀", "a_b", "<x>", '"', "\\", "A"]
)
def test_special_characters_are_escaped_by_slug_and_restored_by_unslug(text: str) -> None:
    assert unslug(slug(text)) == text
    assert not set(slug(text)) & set(' /#%<>"\\_{}|^`')
