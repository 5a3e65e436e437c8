"""Links need an unambiguous name, a citing paper with the same sense, and a matching date."""

from __future__ import annotations

import pytest

from citekg.building.assembling import assemble
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.inference.citation_links import date_of, links
from citekg.inference.link_conditions import in_other_sense, is_plain
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper, Relation
from citekg.schemas.vocabulary import DEFAULT
from tests.kg.extractions import RUN, make_extraction, named


def built(form: str) -> KnowledgeGraph:
    """One paper introduces a name, another one uses it."""
    new = Paper("new", "Wind", f"We propose {form}.", "2020")
    user = Paper("user", "Rain", f"We use {form}.", "2021")
    one = named(new.text, form, introduces=1.0)
    other = named(user.text, form, uses=1.0)
    return assemble([make_extraction(new, one), make_extraction(user, other)], Lexicon.of([]), RUN)


@pytest.mark.parametrize(
    ("form", "linked"),
    [
        ("SteadySearch", True),
        ("Search-2", True),
        ("Kite", True),
        ("KSTR", True),
        ("stable search", False),
    ],
)
def test_a_name_of_lower_case_words_gives_no_link(form: str, linked: bool) -> None:
    graph = built(form)
    assert [r.role for r in graph.relations] == ["introduces", "uses"]
    assert bool(graph.links) is linked


@pytest.mark.parametrize(
    ("names", "plain"),
    [
        (("stable search",), True),
        (("Stable Search", "stable search"), True),
        (("Stable Search",), False),
        (("stable search", "SS"), False),
        (("stable search 2",), False),
    ],
)
def test_a_name_is_plain_if_written_in_lower_case_without_acronym_or_number(
    names: tuple[str, ...], plain: bool
) -> None:
    assert is_plain(Entity("e", names[0], "Method", names[1:])) is plain


def test_a_paper_with_only_incompatible_types_uses_a_name_in_another_sense() -> None:
    types_by_paper = [
        ("a", "kite", "Dataset", "KITE"),
        ("b", "kite", "Model", "KITE"),
        ("c", "kite", "Method", "KITE"),
        ("c", "kite", "Benchmark", "KITE"),
        ("d", "heron", "Dataset", "Heron"),
        ("e", "kite", "Dataset", "Kite in the Wind"),
    ]
    assert in_other_sense(types_by_paper, {"kite": "Method"}, DEFAULT) == {("a", "kite")}


@pytest.mark.parametrize(
    ("cited", "citing", "linked"),
    [
        (Paper("2405.00001", "A", ""), Paper("2404.00002", "B", ""), False),
        (Paper("2404.00002", "A", ""), Paper("2405.00001", "B", ""), True),
        (Paper("a", "A", "", "2024-06"), Paper("b", "B", "", arxiv_id="2405.00001"), False),
        (Paper("a", "A", "", "2023"), Paper("b", "B", "", arxiv_id="2405.00001"), True),
        (Paper("a", "A", ""), Paper("b", "B", "", "2001"), True),
    ],
)
def test_dates_from_arxiv_identifiers_also_prevent_links_to_later_papers(
    cited: Paper, citing: Paper, linked: bool
) -> None:
    relations = [
        Relation(cited.id, "introduces", "kite", 0.9, ()),
        Relation(citing.id, "uses", "kite", 0.9, ()),
    ]
    assert bool([*links([cited, citing], relations, {"kite": "Method"})]) is linked


@pytest.mark.parametrize(
    ("paper", "date"),
    [
        (Paper("p", "A", "", "2020", arxiv_id="2405.00001"), "2020"),
        (Paper("p", "A", "", arxiv_id="math/9912001"), "1999-12"),
        (Paper("2413.00001", "A", ""), ""),
        (Paper("p", "A", ""), ""),
    ],
)
def test_a_paper_without_a_date_has_the_date_of_its_arxiv_identifier(
    paper: Paper, date: str
) -> None:
    assert date_of(paper) == date
