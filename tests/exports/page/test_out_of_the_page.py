"""Exports of the page: references, reading lists, links, pictures and prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
import rispy
from bibtexparser.entrypoint import parse_string

from citekg.exports import exporter
from citekg.exports.graphs.node_link import paper_node
from citekg.exports.texts.citation_keys import cite_keys
from citekg.schemas.plugins import ExportOptions
from tests.exports.page.browsing import Reader, box_of
from tests.sample import certain_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GRAPH = certain_graph()
KEYS = cite_keys(GRAPH.papers)
QUILL = next(paper for paper in GRAPH.papers if paper.title.startswith("Quill"))


def exported(name: str) -> str:
    return b"".join(exporter(name).writer(GRAPH, ExportOptions())).decode()


@pytest.fixture(scope="module")
def page(browser: Browser, sample: Path) -> Iterator[Reader]:
    """The page of the sample graph, opened once."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    reader = Reader(context.new_page())
    yield reader.open(sample)
    context.close()
    assert reader.messages == []


def select(page: Reader, **state: str) -> None:
    """Go to a state of the page without loading it again."""
    pairs = "&".join(f"{name}={value}" for name, value in state.items())
    page.tab.evaluate("hash => { location.hash = hash; }", pairs)
    page.tab.wait_for_timeout(100)


def saved_entries(page: Reader) -> list[Any]:
    return list(parse_string(page.saved("BibTeX").decode()).entries)


def test_the_page_saves_the_same_bibtex_as_the_exporter(page: Reader) -> None:
    select(page)
    assert page.saved("BibTeX").decode() == exported("bib")


def test_bibtexparser_reads_the_bibtex_of_the_page(page: Reader) -> None:
    select(page)
    read = {entry.key: entry.fields_dict for entry in saved_entries(page)}
    assert set(read) == set(KEYS.values())
    fields = read[KEYS[QUILL.id]]
    assert fields["year"].value == QUILL.date[:4]
    assert fields["eprint"].value == QUILL.arxiv_id
    assert len(fields["author"].value.split(" and ")) == len(QUILL.authors)


def test_bibtex_of_a_selection_contains_the_paper_or_the_papers_of_the_entity(page: Reader) -> None:
    (paper,) = (relation.paper for relation in GRAPH.relations[:1])
    entity = GRAPH.entity_by_id[GRAPH.relations[0].entity]
    select(page, at=f"p-{paper}")
    assert [entry.key for entry in saved_entries(page)] == [KEYS[paper]]
    select(page, at=f"e-{entity.id}")
    papers = {r.paper for r in GRAPH.relations if r.entity == entity.id}
    assert {entry.key for entry in saved_entries(page)} == {KEYS[each] for each in papers}


def test_a_selected_paper_outside_the_corpus_is_exported_as_bibtex(page: Reader) -> None:
    stub = GRAPH.stubs[0]
    select(page, at=f"p-{stub.id}")
    (entry,) = saved_entries(page)
    assert entry.key not in KEYS.values()
    assert stub.title.split()[0] in entry.fields_dict["title"].value


def test_ris_records_contain_title_authors_year_and_doi_of_each_paper(page: Reader) -> None:
    select(page)
    records = {record["id"]: record for record in rispy.loads(page.saved("RIS").decode())}
    assert set(records) == set(KEYS.values())
    for paper in GRAPH.papers:
        record = records[KEYS[paper.id]]
        spaced = re.sub(r"\s+", " ", paper.title).strip()
        assert (record.get("title") or record.get("primary_title")) == spaced
        assert record.get("authors", []) == [name for name in paper.authors if name.strip()]
        assert record.get("year", "") == paper.date[:4]
        assert record.get("doi", "") == paper.doi


def test_the_reading_list_equals_the_export_except_for_results_and_search_links(
    page: Reader,
) -> None:
    def lines(text: str) -> list[str]:
        without = re.sub(r" <https://scholar\.google\.com/\S+>$", "", text, flags=re.MULTILINE)
        return [line for line in without.splitlines() if "reported in the abstract" not in line]

    select(page)
    saved = page.saved("Reading list").decode()
    assert lines(saved) == lines(exported("md"))
    assert saved.count("reported in the abstract") == len(GRAPH.results)


def test_the_first_link_of_a_paper_is_its_doi_arxiv_id_url_or_a_title_search(page: Reader) -> None:
    shown = [stub for stub in GRAPH.stubs if stub.id not in GRAPH.tentative_stubs]
    for paper in (*GRAPH.papers, *shown):
        select(page, at=quote(paper_node(paper.id)))
        links = page.tab.locator("#panel a[target=_blank]")
        addresses = [links.nth(n).get_attribute("href") or "" for n in range(links.count())]
        web = paper.url.partition("?")[0] if paper.url.startswith("http") else ""
        own = (paper.doi and "https://doi.org/", paper.arxiv_id and "https://arxiv.org/", web)
        assert addresses[0].startswith(next(filter(None, own), "https://scholar.google.com/"))


def legend_texts(drawing: ET.Element) -> list[str]:
    return [text.text or "" for text in drawing.findall(".//{*}text[@text-anchor='start']")]


def test_the_legend_of_a_picture_lists_the_shown_types_size_and_colour(page: Reader) -> None:
    select(page)
    legend = legend_texts(ET.fromstring(page.saved("SVG")))
    assert {"Methods", "Papers", "Size: number of papers"} <= set(legend)
    assert "".join(legend).endswith(page.text("#status"))
    select(page, off="Method", colour="year")
    legend = legend_texts(ET.fromstring(page.saved("SVG")))
    assert "Methods" not in legend
    assert any(text.startswith("Colour: year, 20") for text in legend)


def test_a_picture_excludes_the_area_covered_by_the_panel(page: Reader) -> None:
    select(page)
    whole = ET.fromstring(page.saved("SVG"))
    select(page, at=f"p-{QUILL.id}")
    part = ET.fromstring(page.saved("SVG"))
    panel = box_of(page.tab.locator("#panel"))
    assert float(whole.attrib["width"]) - float(part.attrib["width"]) == pytest.approx(
        panel["width"], abs=2
    )
    assert "introduces" in legend_texts(part)
    png = page.saved("PNG")
    assert int.from_bytes(png[16:20], "big") == 2 * float(part.attrib["width"])
    assert int.from_bytes(png[20:24], "big") == 2 * float(part.attrib["height"])


def test_a_printed_page_shows_the_picture_and_the_details_without_controls(page: Reader) -> None:
    select(page, at=f"p-{QUILL.id}", theme="dark", pane="table")
    page.tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.tab.emulate_media(media="print")
    try:
        assert page.tab.locator("html").get_attribute("data-theme") == "light"
        for shown in ("#picture canvas", "#panel h2", "#drawer table", "#heading"):
            assert page.tab.is_visible(shown), shown
        for left_out in ("#search", "#filters", "#tools", "#zoom", "#scene", "#panel .close"):
            assert not page.tab.is_visible(left_out), left_out
        boxes = [box_of(page.tab.locator(part)) for part in ("#picture", "#panel", "#drawer")]
        tops = [box["y"] for box in boxes]
        assert tops == sorted(tops)
        assert all(a["y"] + a["height"] <= b["y"] + 1 for a, b in pairwise(boxes))
    finally:
        page.tab.evaluate("dispatchEvent(new Event('afterprint'))")
        page.tab.emulate_media(media="screen")
    assert page.tab.locator("html").get_attribute("data-theme") == "dark"
    assert page.tab.locator("#picture").count() == 0
    select(page)
