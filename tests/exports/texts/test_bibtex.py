"""BibTeX of the papers, checked as text and with a BibTeX parser; citation keys."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from citekg.exports import exporter
from citekg.exports.texts.citation_keys import cite_keys
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Paper
from tests.exports.any_graph import LETTERS, graphs
from tests.sample import sample_graph


def exported(graph: KnowledgeGraph) -> str:
    return b"".join(exporter("bib").writer(graph, ExportOptions())).decode()


def with_first(**fields: Any) -> str:
    graph = sample_graph()
    return exported(replace(graph, papers=(replace(graph.papers[0], **fields),)))


def test_an_entry_contains_the_metadata_of_the_paper() -> None:
    entry = exported(sample_graph()).partition("\n\n")[0]
    assert entry.startswith(
        '@inproceedings{angstrom2024quill,\n  title = {{Quill: a "reward-free" C\\# policy 🪶}},\n'
    )
    assert "  author = {Zoë Ångström and Bo \\textbackslash{} Li and Ada Ünal},\n" in entry
    assert "  booktitle = {Workshop on Feathers \\& Policies},\n" in entry
    assert "  year = {2024},\n  month = jan,\n  day = {2},\n" in entry
    assert "  eprint = {2401.00001},\n  archiveprefix = {arXiv},\n" in entry
    assert "  url = {https://arxiv.example/abs/2401.00001?a=1&b=%3C2%3E},\n" in entry


def test_stubs_are_not_exported() -> None:
    assert len(re.findall(r"(?m)^@", exported(sample_graph()))) == len(sample_graph().papers)


def test_an_invalid_url_or_date_is_omitted() -> None:
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
def test_an_author_name_is_not_split(name: str, expected: str) -> None:
    assert f"  author = {expected}," in with_first(authors=(name,))


@given(graph=graphs(LETTERS))
def test_braces_are_balanced_for_any_text(graph: KnowledgeGraph) -> None:
    depth = 0
    for brace in re.findall(r"[{}]", exported(graph)):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0


@pytest.mark.parametrize(
    ("venue", "kind", "field"),
    [
        ("NeurIPS 2022", "inproceedings", "booktitle"),
        ("iros", "inproceedings", "booktitle"),
        ("Neural Information Processing Systems", "inproceedings", "booktitle"),
        (
            "Findings of the Association for Computational Linguistics: EMNLP 2023",
            "inproceedings",
            "booktitle",
        ),
        ("Proceedings of the IEEE/CVF Conference on Computer Vision", "inproceedings", "booktitle"),
        ("Proc. of ICML 2019, arXiv:1901.00001", "inproceedings", "booktitle"),
        ("Nature 2020", "article", "journal"),
        ("JMLR 2020", "article", "journal"),
        ("Transactions of the ACL", "article", "journal"),
        ("Proceedings of the National Academy of Sciences", "article", "journal"),
        ("Proceedings of the IEEE", "article", "journal"),
        ("arXiv preprint arXiv:2401.00001", "misc", "howpublished"),
        ("arXiv (Cornell University)", "misc", "howpublished"),
        ("CoRR", "misc", "howpublished"),
    ],
)
def test_the_venue_determines_the_kind_of_entry(venue: str, kind: str, field: str) -> None:
    entry = with_first(venue=venue)
    assert entry.startswith(f"@{kind}{{")
    assert f"  {field} = {{{venue}}},\n" in entry


def test_a_paper_without_a_venue_is_misc_with_its_eprint() -> None:
    entry = with_first(venue=" ", arxiv_id="2401.00001", doi="10.1000/x_1")
    assert entry.startswith("@misc{")
    assert not re.search("booktitle|journal|howpublished", entry)
    assert (
        "  eprint = {2401.00001},\n  archiveprefix = {arXiv},\n  doi = {10.1000/x\\_1},\n" in entry
    )


def test_bibtexparser_reads_every_entry() -> None:
    from bibtexparser.entrypoint import parse_string

    library = parse_string(exported(sample_graph()))
    assert not library.failed_blocks
    keys = ["angstrom2024quill", "li2024nestbench", "2024featherset", "2025fledge"]
    assert [entry.key for entry in library.entries] == keys
    assert [entry.entry_type for entry in library.entries] == [
        "inproceedings",
        "misc",
        "misc",
        "misc",
    ]
    assert library.entries[1].fields_dict["month"].value == "feb"


def keys_of(*papers: Paper) -> list[str]:
    keys = cite_keys(papers)
    return [keys[paper.id] for paper in papers]


@pytest.mark.parametrize(
    ("author", "date", "title", "key"),
    [
        (
            "John Schulman",
            "2017-07-20",
            "Proximal Policy Optimization Algorithms",
            "schulman2017proximal",
        ),
        ("Schulman, John", "2017", "The Proximal Policy", "schulman2017proximal"),
        ("Łukasz Kaiser Jr.", "2017", "On Ångströms", "kaiser2017angstroms"),
        ("Jürgen Großmann", "2017", "Let's verify", "grossmann2017lets"),
        ("Anna van der Berg", "2017", "To be", "berg2017to"),
        ("Shai Ben-David", "soon", "D4RL: Datasets", "bendavidd4rl"),
        ("", "2017", "Attention Is All You Need", "2017attention"),
        ("强化", "2017", "Attention", "2017attention"),
        ("", "", "Attention", "attention"),
        ("", "", "强化", "p-x"),
    ],
)
def test_a_key_is_family_name_year_and_first_significant_title_word_in_ascii(
    author: str, date: str, title: str, key: str
) -> None:
    assert keys_of(Paper("x", title, "", date, (author,) if author else ())) == [key]


def test_papers_with_the_same_key_get_letters_in_the_order_of_their_ids() -> None:
    papers = [Paper(name, "Deep nets", "", "2020", ("Bo Li",)) for name in ("c", "a", "b")]
    assert keys_of(*papers) == ["li2020deepc", "li2020deepa", "li2020deepb"]
    assert keys_of(*papers[::-1]) == ["li2020deepb", "li2020deepa", "li2020deepc"]


def test_a_key_with_a_letter_never_equals_the_key_of_another_paper() -> None:
    shared = [Paper(f"{n:02}", "Deep", "", "2020", ("Bo Li",)) for n in range(30)]
    keys = keys_of(
        *shared,
        Paper("x", "Deepa", "", "2020", ("Bo Li",)),
        Paper("y", "Deepac", "", "2020", ("Bo Li",)),
    )
    assert len({*keys}) == len(keys)
    assert keys[-2:] == ["li2020deepa", "li2020deepac"]
    assert keys[0] == "li2020deepb"


@given(graph=graphs(LETTERS))
def test_keys_are_ascii_and_unique_for_any_text(graph: KnowledgeGraph) -> None:
    keys = re.findall(r"(?m)^@\w+\{(.*),$", exported(graph))
    assert len({*keys}) == len(keys) == len(graph.papers)
    assert all(re.fullmatch(r"[a-z0-9._-]+", key) for key in keys)
