"""The reading list: every paper once with its claims, in Markdown that shows texts unchanged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from citekg.exports import exporter
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Introduction
from tests.sample import FLEDGE, NEST, QUILL, sample_graph


def exported(graph: KnowledgeGraph) -> str:
    return b"".join(exporter("md").writer(graph, ExportOptions())).decode()


def lines_of_paper(graph: KnowledgeGraph, title: str) -> list[str]:
    """Return the lines of the paper whose title contains this."""
    return next(
        block.splitlines()
        for block in exported(graph).split("\n\n")
        if title in block.splitlines()[0]
    )


def rendered_html(markdown: str) -> str:
    markdown_it = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    rendered: str = markdown_it.MarkdownIt("commonmark").render(markdown)
    return rendered


def test_the_newest_paper_comes_first_and_stubs_are_left_out() -> None:
    blocks = exported(sample_graph()).strip().split("\n\n")
    assert blocks[0] == "# Reading list: 4 papers"
    assert [block.partition("**")[2][:5] for block in blocks[1:]] == [
        "Fledg",
        "NestB",
        "Quill",
        "Feath",
    ]


def test_a_paper_is_listed_with_year_authors_venue_and_link() -> None:
    graph = sample_graph()
    plain = replace(
        graph.papers[0],
        url="https://x.example/1",
        venue="ICLR",
        authors=("Ada Lark",),
        title="Quill",
    )
    (line, *_) = lines_of_paper(replace(graph, papers=(plain, *graph.papers[1:])), "Quill")
    assert line == "- **Quill** (2024). Ada Lark. ICLR. <https://x.example/1>"


@pytest.mark.parametrize(
    ("fields", "link"),
    [
        ({"url": "", "arxiv_id": "2401.00001"}, "<https://arxiv.org/abs/2401.00001>"),
        (
            {"url": "javascript:alert(1)", "arxiv_id": "", "doi": "10.1000/x"},
            "<https://doi.org/10.1000/x>",
        ),
        (
            {"url": "", "arxiv_id": "", "doi": "", "links": ("https://code.example/x",)},
            "<https://code.example/x>",
        ),
        ({"url": "", "arxiv_id": "", "doi": "", "links": ()}, ""),
    ],
)
def test_the_link_is_the_url_the_arxiv_id_the_doi_or_a_further_link(
    fields: dict[str, Any], link: str
) -> None:
    graph = sample_graph()
    paper = replace(graph.papers[0], title="Quill", venue="", **fields)
    (line, *_) = lines_of_paper(replace(graph, papers=(paper, *graph.papers[1:])), "Quill")
    assert line == rf"- **Quill** (2024). Zoë Ångström, Bo \\ Li, Ada Ünal. {link}".rstrip()


def test_long_author_lists_are_shortened_and_missing_fields_are_omitted() -> None:
    graph = sample_graph()
    many = replace(FLEDGE, authors=tuple(f"A{n}" for n in range(9)))
    assert lines_of_paper(
        replace(graph, papers=(many,), relations=(), links=(), mentions=(), results=()), "Fledge"
    ) == ["- **Fledge** (2025). A0, A1, A2, A3, A4, A5 et al."]
    bare = replace(FLEDGE, date="", title="")
    assert lines_of_paper(
        replace(graph, papers=(bare,), relations=(), links=(), mentions=(), results=()), ""
    ) == ["# Reading list: 1 paper"]
    assert "- **Untitled**.\n" in exported(
        replace(graph, papers=(bare,), relations=(), links=(), mentions=(), results=())
    )


def test_claims_are_listed_with_confidence_and_sentence_strongest_role_first() -> None:
    assert lines_of_paper(sample_graph(), "Fledge")[1:] == [
        "  - introduces Fledge (0.80): “Fledge”",
        "  - extends Quill (0.90): “Fledge builds on Quill.”",
        "  - evaluates on NestBench (0.80): “We report NestBench results, compare with Quill, and name C++.”",
        "  - compares with Quill (0.70): “We report NestBench results, compare with Quill, and name C++.”",
        "  - mentions C++ (0.30, tentative): “We report NestBench results, compare with Quill, and name C++.”",
        r"  - reported in the abstract: Fledge: accuracy 82.5\\\% on NestBench compared with QUILL (0.90):"
        r" “Fledge reaches 82.5\\\% accuracy on NestBench, QUILL 78\\\%.”",
        r'  - reported in the abstract: QUILL: Accuracy 78\\\% on NestBench (before: 70 "\%") (0.90):'
        r" “Fledge reaches 82.5\\\% accuracy on NestBench, QUILL 78\\\%.”",
        r'  - reported in the abstract: Fledge: memory 30-40\% down on "birds’ \<nests\>" \& Co., NestBench'
        r" compared with C++ (0.40, tentative): “It cuts memory by 30-40\% over C++.”",
    ]


def test_known_introductions_are_marked_and_listed_once() -> None:
    graph = sample_graph()
    known = replace(graph, introductions=(*graph.introductions, Introduction(NEST.id, "ppo")))
    assert "  - introduces PPO (known)" in lines_of_paper(known, "NestBench")
    (line,) = (line for line in lines_of_paper(known, "FeatherSet") if "introduces" in line)
    assert line.startswith("  - introduces FeatherSet (0.80)")


def test_rendered_markdown_lists_every_claim_and_shows_titles_unchanged() -> None:
    page = rendered_html(exported(sample_graph()))
    assert page.count("<li>") == 4 + 19 + 3
    assert QUILL.title.replace('"', "&quot;") in page
    assert "<strong>" in page
