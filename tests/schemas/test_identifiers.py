"""Identifiers of papers: normalisation to one form, and matching with the papers of a graph."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.identifiers import identifier, identifier_at, url_of
from citekg.schemas.records import Citation, Paper, Run
from tests.sample import FLEDGE, NEST, QUILL, STUB, sample_graph

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("arXiv:2405.00001v2", "arxiv:2405.00001"),
        ("https://doi.org/10.48550/arXiv.2405.00001", "arxiv:2405.00001"),
        ("DOI: 10.1000/ABC", "doi:10.1000/abc"),
        ("https://api.openalex.org/works/w12", "openalex:W12"),
        ("openalex:W12", "openalex:W12"),
        (f"https://www.semanticscholar.org/paper/Kites-Lark/{SHA}", f"s2:{SHA}"),
        (f"https://api.semanticscholar.org/{SHA}", f"s2:{SHA}"),
        ("https://api.semanticscholar.org/CorpusID:12", "s2:12"),
        ("12", ""),
        ("Lark and Wren, 2020", ""),
        ("", ""),
    ],
)
def test_identifiers_are_normalised_to_one_form(written: str, expected: str) -> None:
    assert identifier(written) == expected
    assert identifier(expected) == expected


@given(st.from_regex(r"10\.[0-9]{4}/\S+", fullmatch=True).map(identifier).filter(bool))
def test_the_url_of_an_identifier_is_parsed_back_to_it(name: str) -> None:
    assert identifier_at(url_of(name)) == name
    assert not set(url_of(name)) & set(' <>"{}|\\^`')


def test_only_references_to_papers_in_the_graph_are_citations() -> None:
    graph = sample_graph()
    assert graph.citations == (
        Citation(QUILL.id, STUB.id),
        Citation(NEST.id, QUILL.id),
        Citation(FLEDGE.id, QUILL.id),
    )
    assert "openalex:W9" in graph.paper_by_id[FLEDGE.id].references


@pytest.mark.parametrize(
    "name", ["arxiv:2401.00001", "doi:10.1000/x", "openalex:W1", "s2:7", f"s2:{SHA}"]
)
def test_a_reference_matches_any_identifier_of_the_cited_paper(name: str) -> None:
    cited = Paper(
        "10.1000/X",
        "Cited",
        "A.",
        arxiv_id="2401.00001v3",
        url=f"https://www.semanticscholar.org/paper/{SHA}",
        links=("https://api.semanticscholar.org/CorpusID:7", "https://openalex.org/W1"),
    )
    citing = Paper("c", "Citing", "A.", references=(name,))
    assert _citations(cited, citing) == (Citation("c", "10.1000/X"),)


def test_links_to_arxiv_and_doi_pages_are_not_identifiers_of_the_paper() -> None:
    linking = Paper(
        "l",
        "Linking",
        "A.",
        links=("https://arxiv.org/abs/2401.00001", "https://doi.org/10.1000/x"),
    )
    citing = Paper("c", "Citing", "A.", references=("arxiv:2401.00001", "doi:10.1000/x"))
    assert _citations(linking, citing) == ()


def test_a_reference_of_a_paper_to_itself_is_not_a_citation() -> None:
    assert _citations(replace(QUILL, references=("arxiv:2401.00001",))) == ()


def _citations(*papers: Paper) -> tuple[Citation, ...]:
    run = Run("citekg", "0", "c", "i")
    return KnowledgeGraph.of(
        papers=papers, entities=(), mentions=(), relations=(), links=(), run=run
    ).citations


def test_only_a_numeric_s2_identifier_has_a_corpus_id_url() -> None:
    assert url_of("s2:2718") == "https://api.semanticscholar.org/CorpusID:2718"
    assert "CorpusID" not in url_of("openalex:2718")
    assert "CorpusID" not in url_of("arxiv:2718")
