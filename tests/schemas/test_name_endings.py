"""Plurals and years at the end of a name: which spellings have one key, and which do not."""

from __future__ import annotations

import pytest

from citekg.schemas.names import key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Diffusion Policies", "Diffusion Policy"),
        ("Search Strategies", "Search Strategy"),
        ("Vision Transformers", "Vision Transformer"),
        ("Markov Decision Processes", "Markov Decision Process"),
        ("VAEs", "VAE"),
        ("CoTs", "CoT"),
        ("beta VAEs", "beta VAE"),
        ("AIME 24", "AIME 2024"),
        ("AIME20", "AIME 2020"),
        ("WMT00", "WMT 2000"),
        ("WMT 29", "WMT 2029"),
        ("CoNLL '95", "CoNLL 1995"),
        ("MUC-'91", "MUC 1991"),
        ("CoNLL '03", "CoNLL 2003"),
    ],
)
def test_plurals_and_two_digit_years_are_normalised(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Transformers", "Transformer"),
        ("Policies", "Policy"),
        ("Deep Losses", "Deep Loss"),
        ("Gs", "G"),
        ("A Bs", "A B"),
        ("AIME 19", "AIME 2019"),
        ("WMT 99", "WMT 1999"),
        ("WMT 30", "WMT 2030"),
    ],
)
def test_other_plurals_and_ambiguous_years_have_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)
