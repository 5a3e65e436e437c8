r"""Markup: the text without Markdown and TeX, and its positions in the original text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors import markup
from citekg.extractors.candidates.abbreviations import definitions
from citekg.extractors.candidates.generate import LAYERS, generate_candidates
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.markup import clean, clean_title
from citekg.extractors.nlp import make_document
from citekg.schemas.records import Paper


@pytest.mark.parametrize(
    ("given_text", "cleaned"),
    [
        ("**Kite** and *Heron* beat `Reed-7B`", "Kite and Heron beat Reed-7B"),
        ("**T**est **K**ite", "Test Kite"),
        (r"\textbf{Kite}, \emph{a \textsc{Heron}}, {\it Reed}", "Kite, a Heron, Reed"),
        (r"\emphKite, \textscreed-search and \emph{Heron}", "Kite, reed-search and Heron"),
        ("extbf{Kite}, mph{Heron} in a context{reed}", "Kite, Heron in a context{reed}"),
        (r"$\text{Kite}$ or $\mathrm{Heron}$", "Kite or Heron"),
        (r"$k$-nest, $\epsilon$-kite, Kite$^2$, Kite$^{NS}$", "k-nest, ε-kite, Kite2, KiteNS"),
        (r"$\mathcal{K}$-Kite, Kite($\lambda$)", "K-Kite, Kite(λ)"),
        (r"K\"ite, K{\'e}te", "Kïte, Kéte"),
        ("Kite~2 and Kite\u00a0(K)", "Kite 2 and Kite (K)"),
        (r"Kite \& Heron 10\%", "Kite & Heron 10%"),
        ("Kite-3.1-{8B,70B}", "Kite-3.1-8B/70B"),
        ('"Kite"~(K)', '"Kite" (K)'),
        (r"{KiteNet}~\citep{heron2018kite} flies", "KiteNet  flies"),
        ("fac(cid:173) tor of classi\ufb01ers", "factor of classifiers"),
        ("<jats:title>Abstract</jats:title><jats:p>Kites fly.</jats:p>", "  Kites fly. "),
        ("<jats:p>Kites fly", " Kites fly"),
        ("<p><b>Aim</b> Kites</p><p>fly<br>on H<sub>2</sub>O", " Aim Kites  fly on H2O"),
        ("Kite&nbsp;&amp; Heron&#45;7B &lt; 2", "Kite & Heron-7B < 2"),
    ],
)
def test_markup_around_words_is_removed(given_text: str, cleaned: str) -> None:
    assert clean(given_text).text == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "A* beats Q* and A*",
        "kite_search_2 in rl_kites",
        "`quoted' and ``quoted''",
        "https://kite.org/~heron/a_b_c",
        "2 * 3 * 4",
        "Kite--Heron",
        "about ~10 kites",
        "a set {kite, heron}",
        "$O(n)$ kites",
        "n <b and c> 2, a < b > c, x </y> z",
        "R&D; AT&T; &unknown; kites",
    ],
)
def test_signs_that_are_not_markup_are_kept(text: str) -> None:
    assert clean(text).text == text


@pytest.mark.parametrize(
    ("title", "cleaned"),
    [
        ("Kite - A Planner for Robots", "Kite: A Planner for Robots"),
        ("Kite Search -- towards Better Planners", "Kite Search: towards Better Planners"),
        ("**Kite** — Planning", "Kite: Planning"),
        ("Kite – a planner of \\emph{paths}", "Kite: a planner of paths"),
    ],
)
def test_the_dash_before_a_subtitle_is_replaced_by_a_colon(title: str, cleaned: str) -> None:
    doc = make_document(Paper("p", title, "We fly kites."))
    assert doc.cleaned.title == cleaned
    end = len(doc.cleaned.title)
    assert doc.original_span(end - 1, end) == (len(title.rstrip("}")) - 1, len(title.rstrip("}")))


@pytest.mark.parametrize(
    "title",
    [
        "Kite-Based Planning",
        "Sim - to - Real Kites",
        "Self - supervised kites",
        "Kites: Planning - A Survey",
        "Kite – - -",
    ],
)
def test_other_dashes_of_a_title_are_kept(title: str) -> None:
    assert clean_title(title).text == title


MARKED = st.lists(
    st.sampled_from(["<b>", "</b>", "</p>", "<br>", "&amp;", "&#9;", "K", " ", "$", "*"])
)


@given(st.text(alphabet=r"Kite$\{}*_`~^- ()ﬁ", max_size=40) | MARKED.map("".join))
def test_every_character_is_mapped_to_a_position_in_the_original_text(text: str) -> None:
    cleaned = clean(text)
    places = [cleaned.original_span(at) for at in range(len(cleaned.text))]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@pytest.mark.parametrize(
    "piece",
    [
        "$k$-nest ",
        r"\emph{",
        "a_",
        "x^{",
        "**",
        "`",
        r"\cite[",
        "{A",
        "{",
        "a",
        "-{b,",
        "$x ",
        "*a",
        "<b>",
        "</b ",
        "<jats:title>abstract",
        "&a",
        "&amp;",
    ],
)
def test_a_very_long_text_is_cleaned_in_bounded_time(piece: str) -> None:
    text = piece * (100_000 // len(piece)) + "$"
    begun = time.process_time()
    clean(text)
    assert time.process_time() - begun < 5


@given(st.from_regex(markup._MARKUP.pattern))
def test_no_sign_of_markup_is_overlooked(text: str) -> None:
    assert markup._MARKUP.search(text)


def test_a_span_is_mapped_back_to_the_original_text() -> None:
    paper = Paper("p", r"\textbf{Kite} search", r"We fly \emph{Marsh} {\it Kite} Search.")
    doc = make_document(paper)
    first = doc.words.index("Marsh")
    start, end = doc.original_span(doc.starts[first], doc.ends[first + 2])
    assert doc.span_text(first, first + 3) == "Marsh Kite Search"
    assert paper.text[start:end] == r"Marsh} {\it Kite} Search"
    assert paper.text[slice(*doc.original_span(doc.starts[0], doc.ends[0]))] == "Kite"


@pytest.mark.parametrize(
    "text",
    [
        "Marsh kite search\u00a0(MKS)",
        r"marsh k\"ite search (MKS)",
        r"marsh \emph{kite} search~(\textbf{MKS})",
    ],
)
def test_definitions_are_found_despite_markup(text: str) -> None:
    cleaned = make_document(Paper("p", "Nests", f"We use {text}.")).cleaned
    assert [cleaned.text[slice(*d.short)] for d in definitions(cleaned)] == ["MKS"]


KITES = Lexicon.of([Entry("Kite k1.5", "Model", ("k1.5",)), Entry("KO", "Method")])


@pytest.mark.parametrize(
    "text",
    ["at rate $n^{k - 1.5}$ here", "at rate n^{k - 1.5} here", r"$KO(n) \leq 2$", r"\cite{KO}"],
)
def test_lexicon_names_inside_formulas_and_citations_are_not_matched(text: str) -> None:
    doc = make_document(Paper("p", "Nests", f"We converge {text}."))
    found = generate_candidates(doc, KITES, frozenset(LAYERS))
    assert not any(c.entry for c in found.values())
