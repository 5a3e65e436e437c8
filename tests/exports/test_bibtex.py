"""BibTeX of the papers, read by a BibTeX parser and by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from exports import ExportOptions, exporter
from schemas.graph import KnowledgeGraph
from tests.exports.test_round_trips import LETTERS, graphs
from tests.sample import sample_graph


def told(graph: KnowledgeGraph) -> str:
    return b"".join(exporter("bib").writer(graph, ExportOptions())).decode()


def with_first(**fields: object) -> str:
    graph = sample_graph()
    return told(replace(graph, papers=(replace(graph.papers[0], **fields),)))


def test_an_entry_says_what_is_known_of_the_paper():
    entry = told(sample_graph()).partition("\n\n")[0]
    assert entry.startswith('@article{p-2401.00001,\n  title = {{Quill: a "reward-free" C\\# policy 🪶}},\n')
    assert "  author = {Zoë Ångström and Bo \\textbackslash{} Li and Ada Ünal},\n" in entry
    assert "  journal = {Workshop on Feathers \\& Policies},\n" in entry
    assert "  year = {2024},\n  month = jan,\n  eprint = {2401.00001},\n  archiveprefix = {arXiv},\n" in entry
    assert "  url = {https://arxiv.example/abs/2401.00001?a=1&b=%3C2%3E},\n" in entry


def test_stubs_are_no_entries():
    assert len(re.findall(r"(?m)^@", told(sample_graph()))) == len(sample_graph().papers)


def test_what_is_no_web_address_or_date_is_left_out():
    entry = with_first(url="javascript:alert(1)", date="soon")
    assert "url" not in entry
    assert "year" not in entry


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Johnson and Johnson", "{{Johnson and Johnson}}"),
        ("Smith, John", "{Smith, John}"),
        ("A, B, C", "{{A, B, C}}"),
        ("{x}", r"{\textbraceleft{}x\textbraceright{}}"),
    ],
)
def test_one_author_stays_one(name, expected):
    assert f"  author = {expected}," in with_first(authors=(name,))


@settings(max_examples=60, deadline=None)
@given(graph=graphs(LETTERS))
def test_braces_balance_whatever_the_papers_hold(graph):
    depth = 0
    for brace in re.findall(r"[{}]", told(graph)):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0


def test_bibtexparser_reads_every_entry():
    bibtexparser = pytest.importorskip("bibtexparser", reason="needs bibtexparser 2")
    if not hasattr(bibtexparser, "parse_string"):
        pytest.skip("needs bibtexparser 2")
    library = bibtexparser.parse_string(told(sample_graph()))
    assert not library.failed_blocks
    assert [entry.key for entry in library.entries] == [
        "p-2401.00001", "p-2402.00002v2", "p-2403.00003", "p-d-_43_2b_2b_20_26_20_3cfledgling_3e_2f_c3_a9_231",
    ]  # fmt: skip
    assert library.entries[1].fields_dict["month"].value == "feb"
