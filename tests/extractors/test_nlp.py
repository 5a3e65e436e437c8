"""Tokenisation and sentence splitting."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors import nlp
from citekg.extractors.nlp import Document, make_document
from citekg.schemas.records import Paper


def doc(abstract: str, title: str = "T") -> Document:
    return make_document(Paper("p", title, abstract))


def words(text: str) -> list[str]:
    return list(doc(text).words[1:])


def sentences(found: Document) -> list[str]:
    return [found.text[slice(*found.sentence_span(n))] for n in range(len(found.sentences))]


@pytest.mark.parametrize(
    "name",
    [
        "Qwen2.5", "HumanEval+", "A*", "pass@1", "C++", "C#", "D4RL", "TD3+BC", "Q*bert", "α",
        "GPT", "v2.1.3", "f&g", "U²",
    ],
)  # fmt: skip
def test_dots_plus_signs_stars_and_at_signs_stay_inside_a_name(name: str) -> None:
    assert words(f"We test {name} here.") == ["We", "test", name, "here", "."]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("GRPO-trained", ["GRPO", "-", "trained"]),
        ("PPO/DPO", ["PPO", "/", "DPO"]),
        ("state–action", ["state", "–", "action"]),
        ("(GRPO)", ["(", "GRPO", ")"]),
        ("(GRPO),", ["(", "GRPO", ")", ","]),
        ("“GRPO”", ["“", "GRPO", "”"]),
        ("GRPO's", ["GRPO", "'s"]),
        ("GRPO’s", ["GRPO", "’s"]),
        ("$G$", ["$", "G", "$"]),
        ("PPO,DPO", ["PPO", ",", "DPO"]),
        ("Search(KS)", ["Search", "(", "KS", ")"]),
        ("[GRPO]:", ["[", "GRPO", "]", ":"]),
        ("Qwen2.5.", ["Qwen2.5", "."]),
        ("A*.", ["A*", "."]),
        ("one--two", ["one", "--", "two"]),
    ],
)
def test_adjacent_signs_are_separate_tokens(text: str, cut: list[str]) -> None:
    assert words(text) == cut


@given(st.text(max_size=60), st.text(max_size=120))
def test_tokens_are_slices_that_cover_everything_except_whitespace(
    title: str, abstract: str
) -> None:
    found = doc(abstract, title)
    assert [found.text[a:b] for a, b in zip(found.starts, found.ends, strict=True)] == list(
        found.words
    )
    assert all(a < b for a, b in zip(found.starts, found.ends, strict=True))
    assert all(end <= start for end, start in zip(found.ends, found.starts[1:], strict=False))
    covered = {i for a, b in zip(found.starts, found.ends, strict=True) for i in range(a, b)}
    assert all(c.isspace() for i, c in enumerate(found.text) if i not in covered)


@given(st.text(max_size=60), st.text(max_size=120))
def test_sentences_cover_all_tokens_once_and_in_order(title: str, abstract: str) -> None:
    found = doc(abstract, title)
    assert [i for first, last in found.sentences for i in range(first, last)] == list(
        range(len(found.words))
    )
    assert all(first < last for first, last in found.sentences)
    assert len(found.sentence_of) == len(found.words)


@given(st.text(alphabet="ab. \n-", min_size=1, max_size=20).filter(str.strip), st.text(max_size=40))
def test_the_title_is_a_separate_sentence(title: str, abstract: str) -> None:
    found = doc(abstract, title)
    first, last = found.sentence_span(0)
    assert last <= len(found.cleaned.title)
    assert found.text[first:last].strip() == found.cleaned.title.strip()


def test_a_text_without_a_title_has_no_title_tokens() -> None:
    doc = make_document(Paper("p", "", "We fly kites. They return."))
    assert (doc.title_tokens, doc.sentences) == (0, ((0, 4), (4, 7)))


def test_a_title_without_a_full_stop_is_not_joined_with_the_abstract() -> None:
    assert sentences(doc("We fly. It works!", "Kites at Night")) == [
        "Kites at Night",
        "We fly.",
        "It works!",
    ]


@pytest.mark.parametrize(
    "whole",
    [
        "Kites fly, e.g. at night, i.e. after dark.",
        "Smith et al. show kites.",
        "Kites by J. Smith fly.",
        "See Fig. 3 and Sec. 4 for kites vs. nests.",
        "Qwen2.5 flies 3.5 times faster.",
        "It scores 71.2% on AIME.",
        "What of kites (they fly!) and nests?",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(whole: str) -> None:
    assert sentences(doc(whole)) == ["T", whole]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Kites fly. Nests stay.", ["Kites fly.", "Nests stay."]),
        ("Do kites fly? Yes! They do.", ["Do kites fly?", "Yes!", "They do."]),
        ("We use A*. It works.", ["We use A*.", "It works."]),
        ("We test on AIME 2024. GRPO wins.", ["We test on AIME 2024.", "GRPO wins."]),
        ("Kites fly.\nNests stay.", ["Kites fly.", "Nests stay."]),
        ("Kites fly. 3D nests stay.", ["Kites fly.", "3D nests stay."]),
        ("Kites fly.Nests stay.", ["Kites fly.", "Nests stay."]),
    ],
)
def test_final_punctuation_before_a_new_sentence_ends_the_sentence(
    text: str, parts: list[str]
) -> None:
    assert sentences(doc(text)) == ["T", *parts]


def test_tokens_are_indexed_by_offset_and_by_spelling() -> None:
    found = doc("PPO and ppo and PPO", "T")
    assert found.indices_of["PPO"] == [1, 5]
    assert found.lower[1:] == ("ppo", "and", "ppo", "and", "ppo")
    assert found.token_span(2, 13) == (1, 4)
    assert not any(found.token_span(*span) for span in [(2, 4), (3, 5), (6, 5), (17, 99), (99, 99)])
    assert found.span_text(1, 4) == "PPO and ppo"
    assert found.title_tokens == 1


def test_an_empty_paper_has_no_tokens_and_no_sentences() -> None:
    found = doc("", "")
    assert (found.words, found.sentences, found.title_tokens) == ((), (), 0)


def test_latex_style_commands_are_not_tokens() -> None:
    assert words("\\emph{KiteNet} beats \\textbf {Nest-1}.") == [
        "KiteNet",
        "beats",
        "Nest",
        "-",
        "1",
        ".",
    ]
    assert words("$\\mathcal{B}$-Kite") == ["B", "-", "Kite"]


def test_the_token_cache_does_not_change_the_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "GRPO-trained Qwen2.5 (on GSM8K) beats\u00a0PPO/DPO,\n\tsee [3]."
    first = make_document(Paper("p", text, text))
    monkeypatch.setattr(nlp, "_CACHE", nlp._TokenCache())
    assert make_document(Paper("p", text, text)) == first
    assert make_document(Paper("p", text, text)) == first


def test_the_token_cache_is_limited_in_size_and_token_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache = nlp._TokenCache()
    monkeypatch.setattr(nlp, "_CACHE", cache)
    monkeypatch.setattr(nlp, "_MAX_KEPT", 20)
    long = "kite-" * 1000
    for n in range(50):
        doc = make_document(Paper("p", f"Kite{n}", f"heron{n} {long}{n}"))
        assert len(doc.words) == 2 + 1 + 2000
        assert len(cache._kept) <= 22
        assert max(map(len, cache._kept)) < 40


@given(st.from_regex(nlp._PLAIN, fullmatch=True))
def test_the_fast_path_for_plain_text_gives_the_tokens_of_the_tokenizer(text: str) -> None:
    assert nlp._split_plain(text) == dict(nlp._split([text]))[text]


def test_the_command_line_of_spacy_is_imported_only_when_it_is_used() -> None:
    code = """
import sys
from citekg.extractors.nlp import make_document
from citekg.schemas.records import Paper
assert make_document(Paper("p", "Kite", "C++ beats Qwen2.5.")).words
import spacy
assert not [name for name in sys.modules if name.startswith("spacy.cli")]
assert spacy.cli.download.__module__ == "spacy.cli.download"
assert spacy.info.__module__ == "spacy.cli.info"
assert not hasattr(spacy, "kite")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
