"""End-to-end tests of the page in a real browser: labels, interaction, downloads, hostile input."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree import ElementTree as ET

import networkx as nx
import pytest
import rdflib

from benchmarks.graphs import synthetic
from citekg.exports import write
from citekg.exports.graphs.node_link import edges, nodes
from citekg.graph.notebook import cell
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Mention, Relation
from tests.exports.hostile import HOSTILE as TEXTS
from tests.exports.hostile import hostile_graph as fully_hostile
from tests.exports.page.browsing import Reader, box_of
from tests.exports.page.hostile import HOSTILE, hostile_graph
from tests.exports.page.nodes import nodes_and_edges
from tests.sample import sample_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NODES = nodes_and_edges(sample_graph())[0]
PLACES = {node["label"]: (node["x"], node["y"]) for node in NODES}
KEYS = {node["label"]: node["key"] for node in NODES}
PICTURE = "() => document.querySelector('#drawing canvas').toDataURL()"
TITLE = 'Quill: a "reward-free" C# policy 🪶'


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hostile.html"
    write(hostile_graph(), path, "html")
    return path


def test_the_page_opens_without_requests_or_console_messages(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    assert reader.text("#heading") == "4 papers"
    assert reader.text("#status").startswith(
        "4 papers, 14 entities, 1 cited paper outside this corpus"
    )
    assert reader.colours() > 20


def test_search_opens_an_entity_and_its_evidence(reader: Reader, sample: Path) -> None:
    tab = reader.open(sample).tab
    reader.find("nestb")
    assert reader.text("#panel h2") == "NestBench"
    tab.wait_for_selector("#panel mark")
    assert reader.text("#panel mark") == "NestBench"
    assert reader.text("#panel blockquote") == "NestBench, a benchmark of birds’ nests"
    tab.click("#panel .unfold >> nth=0")
    tab.click("#panel .unfold >> nth=1")
    assert tab.locator("#panel blockquote").count() == 1
    assert "birds’ nests" not in reader.text("#panel blockquote")


def test_search_finds_aliases_and_titles(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    reader.find("proximal policy optimization")
    assert reader.text("#panel h2") == "PPO"
    reader.find("one million feathers")
    assert reader.text("#panel h2") == "FeatherSet: one million feathers."


def test_search_without_a_match_shows_a_message(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    reader.tab.keyboard.press("/")
    reader.tab.keyboard.type("zzzz")
    reader.wait_until("document.querySelector('#completions').innerText.startsWith('No matching')")


def test_legend_rows_show_counts_and_filter_the_graph(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    assert re.sub(r"\s+", " ", reader.text("[data-group=types] label >> nth=1")) == "Benchmarks 3"
    reader.filter("Benchmark")
    assert reader.text("#status").startswith("4 papers, 11 entities")
    reader.filter("introduces")
    assert "11 entities" not in reader.text("#status")
    reader.tab.click("#chips [aria-label='Reset all filters']")
    assert reader.text("#status").startswith(
        "4 papers, 14 entities, 1 cited paper outside this corpus"
    )


def test_limits_on_papers_confidence_and_years_filter_the_graph(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, papers="2")
    papers_by_entity: dict[str, set[str]] = {}
    for relation in sample_graph().relations:
        papers_by_entity.setdefault(relation.entity, set()).add(relation.paper)
    assert (
        f"{sum(len(papers) > 1 for papers in papers_by_entity.values())} entities"
        in reader.text("#status")
    )
    reader.open(sample, confidence="85")
    assert reader.tab.locator("[data-limit=confidence]").input_value() == "85"
    assert "14 entities" not in reader.text("#status")
    reader.open(sample, **{"from": "2025"})
    assert reader.text("#status").startswith("1 paper,")


def test_a_click_on_a_node_opens_the_panel_and_a_click_beside_it_closes_it(
    reader: Reader, sample: Path
) -> None:
    x, y = PLACES["NestBench"]
    reader.open(sample, camera=f"{x} {y} 2")
    reader.click_middle()
    assert reader.text("#panel h2") == "NestBench"
    reader.open(sample, camera=f"{x + 9000} {y} 2", at="e-nestbench")
    reader.click_middle()
    assert reader.tab.is_hidden("#panel")


def test_a_click_on_an_edge_opens_its_evidence(reader: Reader, sample: Path) -> None:
    (x1, y1), (x2, y2) = PLACES["HumanEval+"], PLACES[TITLE]
    reader.open(sample, camera=f"{(x1 + x2) / 2} {(y1 + y2) / 2} 4")
    reader.click_middle()
    assert reader.text("#panel .kind") == "Connection"
    reader.tab.wait_for_selector("#panel mark")
    assert reader.text("#panel mark") == "HumanEval+"
    assert "Quill is tested on HumanEval+ and on HumanEval" in reader.text("#panel blockquote")


def test_hovering_a_node_shows_a_tooltip(reader: Reader, sample: Path) -> None:
    x, y = PLACES["Quill"]
    reader.open(sample, camera=f"{x} {y} 2")
    box = box_of(reader.tab.locator("#drawing"))
    reader.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert reader.text("#tip").startswith("Method · 4 papers")


def test_focus_shows_only_the_neighbourhood_within_the_chosen_steps(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, at=KEYS["Qwen2.5-VL-7B"])
    reader.tab.click("#panel button:has-text('Focus')")
    assert reader.text("#status").startswith("Showing 3 of 19: 1 paper, 2 entities")
    reader.tab.click("#chips button:text-is('2')")
    assert reader.text("#status").startswith("Showing 9 of 19: 1 paper, 8 entities")
    reader.tab.click("#chips button:has-text('Improve layout')")
    reader.tab.wait_for_timeout(300)
    reader.tab.keyboard.press("Escape")
    reader.tab.keyboard.press("Escape")
    assert reader.text("#status").startswith(
        "4 papers, 14 entities, 1 cited paper outside this corpus"
    )


def test_a_path_shows_the_evidence_of_every_step(reader: Reader, sample: Path) -> None:
    reader.open(sample, at="e-nestbench")
    reader.tab.click("#panel button:has-text('Path to')")
    reader.find("ppo")
    assert reader.text("#panel .kind") == "Path · 4 steps"
    reader.wait_until("document.querySelectorAll('#panel .path > li mark').length >= 4")
    assert reader.tab.locator("#panel .path > li").count() == 4


def test_a_missing_path_is_reported(reader: Reader, sample: Path) -> None:
    reader.open(sample, path="e-qwen2.5>e-ppo", off="uses")
    assert "No path connects these two nodes in this view" in reader.text("#panel")


def test_the_address_restores_the_whole_state(reader: Reader, sample: Path) -> None:
    state = {
        "view": "entities",
        "off": "Dataset",
        "papers": "1",
        "at": "e-quill",
        "pane": "table",
        "theme": "dark",
    }
    reader.open(sample, **state)
    reader.filter("mentions")
    reader.tab.select_option("[data-choice=size]", "same")
    reader.tab.click("#tools [data-pane=grid]")
    address = reader.state()
    assert address["off"].split() == ["Dataset", "mentions"]
    seen = [reader.text(s) for s in ("#status", "#panel h2", "#drawer h2")]
    reader.open(sample, **{name: value.replace(" ", "%20") for name, value in address.items()})
    assert [reader.text(s) for s in ("#status", "#panel h2", "#drawer h2")] == seen
    assert reader.state() == address
    assert reader.tab.get_attribute("html", "data-theme") == "dark"
    assert reader.tab.locator("[data-choice=size]").input_value() == "same"


def test_back_and_forward_navigate_through_the_selections(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    reader.find("quill")
    reader.find("featherset")
    reader.tab.click("[data-view=papers]")
    reader.tab.go_back()
    reader.tab.go_back()
    assert reader.text("#panel h2") == "Quill"
    reader.tab.go_forward()
    assert reader.text("#panel h2") == "FeatherSet"


def test_addresses_of_earlier_versions_still_open(reader: Reader, sample: Path) -> None:
    earlier = {"view": "things", "proof": "1", "sure": "85", "pane": "table", "order": "things up"}
    current = {
        "view": "entities",
        "evidence": "1",
        "confidence": "85",
        "pane": "table",
        "order": "entities up",
    }
    hidden = {"off": "Paper%2520not%2520at%2520hand", "eye": "10 20 2"}
    seen = []
    for state in (earlier, current):
        reader.open(sample, **state, at="e-quill")
        seen.append([reader.text(part) for part in ("#status", "#panel", "#drawer")])
    assert seen[0] == seen[1]
    reader.open(sample, **hidden)
    assert not reader.tab.is_checked("[data-filter=StubPaper]")
    assert "outside this corpus" not in reader.text("#status")
    reader.filter("Method")
    assert reader.state()["camera"] == "10 20 2"


@pytest.mark.parametrize(
    "state",
    ["at=nobody", "view=sideways", "steps=x&focus=e-quill", "camera=a b c", "papers=-1", "off=%"],
)
def test_an_invalid_address_still_opens(reader: Reader, sample: Path, state: str) -> None:
    reader.open(sample, **dict(pair.split("=", 1) for pair in state.split("&")))
    assert reader.text("#status")


def test_views_show_only_entities_or_only_papers(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    reader.tab.click("[data-view=entities]")
    assert reader.text("#status").startswith("14 entities")
    reader.tab.click("[data-view=papers]")
    assert reader.text("#status").startswith("4 papers, 1 cited paper outside this corpus")
    assert reader.tab.is_visible("[data-group=kinds]")
    assert reader.tab.is_hidden("[data-group=roles]")


def test_references_have_a_separate_section_and_filter(reader: Reader, sample: Path) -> None:
    reader.open(sample, at=KEYS[TITLE], view="papers")
    panel = reader.text("#panel")
    assert "References in this graph" in panel
    assert "Cited by" in panel
    assert reader.text("label:has([data-filter=reference])").split()[-1] == "3"
    drawn = reader.tab.evaluate(PICTURE)
    reader.filter("reference")
    assert reader.tab.evaluate(PICTURE) != drawn
    assert reader.state()["off"] == "reference"


def test_the_panel_links_a_paper_to_its_doi_and_to_web_pages_only(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, at=KEYS[TITLE])
    links = reader.tab.locator("#panel a[target=_blank]")
    addresses = [links.nth(n).get_attribute("href") for n in range(links.count())]
    assert "https://doi.org/10.1000/quill_%3C1%3E%262" in addresses
    assert "https://openalex.org/W1000001" in addresses
    assert "code.example … quill" in links.all_inner_texts()
    assert all(str(address).startswith("http") for address in addresses)


def test_the_table_lists_the_shown_nodes_sorts_them_and_selects_a_row(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, pane="table", view="entities")
    assert reader.tab.locator("#drawer tbody tr").count() == 14
    reader.tab.click("#drawer thead button:has-text('Name')")
    names = reader.tab.locator("#drawer tbody th").all_inner_texts()
    assert names == sorted(names, key=str.casefold)
    assert reader.tab.get_attribute("#drawer thead th >> nth=0", "aria-sort") == "ascending"
    reader.filter("Method")
    assert reader.tab.locator("#drawer tbody tr").count() == 7
    reader.tab.click("#drawer tbody a:has-text('NestBench')")
    assert reader.text("#panel h2") == "NestBench"
    assert reader.text("#drawer tr[aria-selected=true] th") == "NestBench"


def test_the_table_scrolls_to_the_selected_node(reader: Reader, sample: Path) -> None:
    reader.tab.set_viewport_size({"width": 1280, "height": 420})
    reader.open(sample, pane="table", order="name%20up")
    row = reader.tab.locator("#drawer tr", has_text="强化学习")
    before = box_of(row)["y"]
    reader.find("强化学习")
    assert box_of(row)["y"] < before
    assert box_of(row)["y"] < 420


def test_the_table_omits_empty_columns(reader: Reader, sample: Path) -> None:
    reader.open(sample, pane="table", view="entities")
    titles = "#drawer thead button"
    assert "Entities" not in reader.tab.locator(titles).all_inner_texts()
    reader.tab.click("[data-view=papers]")
    assert "Entities" in reader.tab.locator(titles).all_inner_texts()


@pytest.mark.parametrize("measure", ["year", "papers", "influence"])
def test_colour_and_size_can_show_a_chosen_measure(
    reader: Reader, sample: Path, measure: str
) -> None:
    plain = reader.open(sample).tab.evaluate(PICTURE)
    reader.tab.select_option("[data-choice=size]", "same")
    reader.tab.select_option("[data-choice=size]", measure)
    sized = reader.tab.evaluate(PICTURE)
    reader.tab.select_option("[data-choice=colour]", measure)
    assert reader.tab.is_visible(".scale")
    assert len({plain, sized, reader.tab.evaluate(PICTURE)}) == (2 if measure == "papers" else 3)


def test_a_grid_cell_counts_the_papers_of_both_entities_and_opens_them(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, pane="grid")
    reader.tab.click("#drawer [aria-label='Quill and NestBench: 2 papers']")
    assert reader.tab.locator("#panel section.statement").count() == 2


def test_an_entity_has_a_chart_of_papers_by_year(reader: Reader, sample: Path) -> None:
    reader.open(sample, at="e-nestbench")
    label = reader.tab.get_attribute("#panel .timeline", "aria-label")
    assert label == "Papers by year: 2024: 1, 2025: 1"


def test_an_entity_lists_comparisons_with_evidence(reader: Reader, sample: Path) -> None:
    reader.open(sample, at="e-quill")
    rivals = "#panel section:has(h3:has-text('Compared with')) > ul > li"
    assert [
        re.sub(r"\s+", " ", row).strip() for row in reader.tab.locator(rivals).all_inner_texts()
    ] == [
        "Fledge 70 %",
        "PPO is outperformed by it 66 %",
    ]
    reader.tab.click(f"{rivals} >> nth=1 >> .unfold")
    reader.tab.wait_for_selector(f"{rivals} mark")
    assert "where it outperforms PPO" in reader.text(f"{rivals} blockquote")
    reader.open(sample, at="e-ppo")
    assert "Quill outperforms it" in re.sub(r"\s+", " ", reader.text("#panel"))


def test_a_sentence_with_two_mentions_is_quoted_once_with_both_marked(
    reader: Reader, tmp_path: Path
) -> None:
    graph = sample_graph()
    paper = next(p for p in graph.papers if p.id == "2403.00003")
    paper = replace(paper, abstract="FeatherSet is new, says FeatherSet.")
    spans = [
        (m.start() + 1 + len(paper.title), m.group())
        for m in re.finditer("FeatherSet", paper.abstract)
    ]
    whole = (len(paper.title) + 1, len(paper.text))
    mentions = [
        Mention(paper.id, "featherset", a, a + len(t), t, "Dataset", whole, "lexicon", 0.9)
        for a, t in spans
    ]
    claim = Relation(paper.id, "introduces", "featherset", 0.8, tuple(m.id for m in mentions))
    entities = [e for e in graph.entities if e.id == "featherset"]
    small = KnowledgeGraph.of(
        papers=[paper],
        entities=entities,
        mentions=mentions,
        relations=[claim],
        links=[],
        run=graph.run,
    )
    write(small, tmp_path / "graph.html", "html")
    reader.open(tmp_path / "graph.html", at="e-featherset")
    reader.tab.wait_for_selector("#panel mark")
    assert reader.tab.locator("#panel blockquote").all_inner_texts() == [paper.abstract]
    assert reader.tab.locator("#panel mark").all_inner_texts() == ["FeatherSet", "FeatherSet"]


def test_labels_in_the_drawing_do_not_overlap(reader: Reader, big: Path) -> None:
    drawing = reader.open(big, view="entities").saved("SVG").decode()
    reader.tab.goto("about:blank")
    reader.tab.set_content(drawing)
    boxes = reader.tab.evaluate("""() => {
        const texts = [...document.querySelectorAll("[text-anchor=middle]:not([stroke])")];
        const boxes = texts.map((text) => text.getBoundingClientRect());
        return boxes.map(({ left, right, top, bottom }) => [left, right, top, bottom]);
    }""")
    assert len(boxes) > 20
    crossing = [
        (a, b)
        for a, b in combinations(boxes, 2)
        if min(a[1], b[1]) - max(a[0], b[0]) > 2 and min(a[3], b[3]) - max(a[2], b[2]) > 3
    ]
    assert crossing == []


def test_an_entity_shows_its_family_and_its_variants(reader: Reader, sample: Path) -> None:
    reader.open(sample, at=KEYS["Qwen2.5-VL"])
    assert "Variant of Qwen2.5\n" in reader.text("#panel")
    assert "Variants: Qwen2.5-VL-7B" in reader.text("#panel")


def test_a_selected_node_that_a_filter_hides_can_be_shown(reader: Reader, sample: Path) -> None:
    reader.open(sample, off="Method", at="e-quill")
    reader.tab.click("#panel .notice button")
    assert reader.tab.is_hidden("#panel .notice")
    assert reader.tab.is_checked("[data-filter=Method]")


def test_the_drawing_can_be_operated_with_the_keyboard(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    reader.find("quill")
    assert reader.tab.evaluate("document.activeElement.id") == "drawing"
    seen = set()
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"):
        reader.tab.keyboard.press(key)
        seen.add(reader.text("#panel h2"))
    assert len(seen) > 1
    zoom = "Number(new URLSearchParams(location.hash.slice(1)).get('camera')?.split(' ')[2])"
    reader.tab.wait_for_timeout(400)
    reader.wait_until(f"{zoom} > 0")
    before = reader.tab.evaluate(zoom)
    reader.tab.keyboard.press("+")
    reader.wait_until(f"{zoom} > {before}")
    reader.tab.keyboard.press("Escape")
    assert reader.tab.is_hidden("#panel")


def test_the_skip_link_moves_the_focus_to_the_table(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    reader.tab.keyboard.press("Tab")
    assert reader.tab.evaluate("document.activeElement.id") == "skip"
    reader.tab.keyboard.press("Enter")
    assert reader.tab.evaluate("document.activeElement.className") == "scroll"


def test_the_theme_follows_the_system_and_can_be_switched(browser: Browser, sample: Path) -> None:
    context = browser.new_context(color_scheme="dark")
    reader = Reader(context.new_page()).open(sample)
    assert reader.tab.get_attribute("html", "data-theme") == "dark"
    reader.tab.click("[aria-label='Switch between dark and light']")
    assert reader.tab.get_attribute("html", "data-theme") == "light"
    context.close()


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"at": "e-quill", "evidence": "1"},
        {"at": "2401.00001", "pane": "table", "theme": "dark"},
        {"pane": "grid"},
        {"view": "papers", "path": "e-quill>e-ppo", "theme": "dark"},
        {"focus": "e-quill", "colour": "papers"},
    ],
)
def test_axe_finds_no_violations(reader: Reader, sample: Path, state: dict[str, str]) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python", reason="axe-playwright-python is not installed"
    )
    reader.open(sample, **state)
    reader.tab.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = reader.tab.evaluate("() => axe.run()")["violations"]
    assert [(v["impact"], v["id"], v["nodes"][0]["html"]) for v in found] == []


def test_the_page_fits_a_phone_without_horizontal_scrolling(browser: Browser, sample: Path) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    reader = Reader(context.new_page()).open(sample, at="e-quill")
    assert reader.tab.evaluate("document.documentElement.scrollWidth") == 390
    assert box_of(reader.tab.locator("#drawing"))["height"] > 300
    reader.tab.click("#filters-toggle")
    assert reader.tab.is_visible("[data-filter=Method]")
    context.close()


def test_the_page_in_a_notebook_cell_does_not_change_the_address_of_the_notebook(
    browser: Browser,
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    reader = Reader(context.new_page())
    reader.tab.set_content(f"<p>In</p>{cell(sample_graph(), 500)._repr_html_()}")
    frame = reader.tab.frame_locator("iframe")
    frame.locator("#search").fill("nestbench")
    frame.locator("#search").press("Enter")
    assert frame.locator("#panel h2").inner_text() == "NestBench"
    frame.locator("#panel a.node").first.click()
    assert frame.locator("#panel h2").inner_text() != "NestBench"
    assert reader.tab.url == "about:blank"
    assert reader.messages == []
    context.close()


def test_a_big_graph_opens_with_its_best_connected_nodes_and_can_be_extended(
    reader: Reader, big: Path
) -> None:
    reader.open(big)
    assert "The 2,500 best connected of" in reader.text("#chips")
    assert reader.text("#status").startswith("Showing 2,500 of 5,")
    assert "1,500 papers, 1,000 entities" in reader.text("#status")
    rare = synthetic(6000).papers[-1]
    reader.find(rare.title)
    assert reader.text("#panel h2") == rare.title
    assert reader.tab.is_hidden("#panel .notice")
    reader.tab.click("#chips button:has-text('Show all')")
    assert "Showing" not in reader.text("#status")


def test_saved_csv_lists_the_relations_with_their_sentences(reader: Reader, sample: Path) -> None:
    rows = list(
        csv.DictReader(
            io.StringIO(reader.open(sample).saved("Relations (CSV)").decode("utf-8-sig"))
        )
    )
    assert len(rows) == len(sample_graph().relations) + 1
    assert [r["title"] for r in rows if not r["sentences"]] == [
        "Proximal Policy Optimization Algorithms"
    ]
    row = next(r for r in rows if r["name"] == "HumanEval+")
    assert (row["role"], row["type"], row["title"]) == ("evaluatesOn", "Benchmark", TITLE)
    assert (
        row["sentences"]
        == "Quill is tested on HumanEval+ and on HumanEval, where it outperforms PPO."
    )


def test_networkx_reads_the_saved_json(reader: Reader, sample: Path) -> None:
    saved = json.loads(reader.open(sample, at="e-nestbench").saved("JSON"))
    graph = nx.node_link_graph(saved, edges="edges")
    assert isinstance(graph, nx.MultiDiGraph)
    assert set(graph.predecessors("e-nestbench")) == {n for n in graph if n.startswith("p-")}


def test_saved_json_has_the_node_and_edge_ids_of_the_export(reader: Reader, sample: Path) -> None:
    saved = json.loads(reader.open(sample).saved("JSON"))
    assert {(n["id"], n["kind"]) for n in saved["nodes"]} == {
        (n["id"], n["kind"]) for n in nodes(sample_graph())
    }
    ends = ("source", "target", "key", "kind")
    exported = {
        tuple(e[name] for name in ends)
        for e in edges(sample_graph())
        if e["kind"] != "introduction"
    }
    assert {tuple(e[name] for name in ends) for e in saved["edges"]} - exported == {
        ("p-ppo", "e-ppo", "known", "introduction")
    }


def test_papers_outside_the_corpus_are_marked_and_can_be_hidden(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, at="e-ppo")
    reader.tab.wait_for_selector("#panel .sentences p")
    assert "well-known introductions" in reader.text("#panel .sentences")
    assert reader.tab.locator("#panel .timeline").count() == 0
    reader.filter("StubPaper")
    assert "outside this corpus" not in reader.text("#status")
    reader.open(sample, pane="grid", view="entities")
    assert "0 papers" not in reader.tab.content()


def test_saved_turtle_is_a_subset_of_the_export(
    reader: Reader, sample: Path, tmp_path: Path
) -> None:
    saved = rdflib.Graph().parse(data=reader.open(sample).saved("Turtle"), format="turtle")
    write(sample_graph(), tmp_path / "graph.ttl", "ttl", ExportOptions(evidence="none"))
    exported = rdflib.Graph().parse(tmp_path / "graph.ttl")
    assert len(saved) > 50
    assert set(saved) - set(exported) == set()


def test_png_and_svg_downloads_are_images(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    assert reader.saved("PNG").startswith(b"\x89PNG")
    drawing = ET.fromstring(reader.saved("SVG"))
    assert "Quill" in {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}


def test_hostile_texts_are_displayed_as_plain_text(reader: Reader, hostile: Path) -> None:
    keys = {
        node["label"].removeprefix(HOSTILE): node["key"]
        for node in nodes_and_edges(hostile_graph())[0]
    }
    for label, mark in (("Quill", "Quill"), (TITLE, "Quill"), ("FeatherSet", "FeatherSet")):
        reader.open(hostile, at=quote(keys[label]), evidence="1", pane="table")
        reader.tab.wait_for_selector("#panel blockquote")
        assert reader.text("#panel mark") == mark
        assert "<script>alert(1)</script>" in reader.text("#panel h2")
        created = reader.tab.locator("script:not(body > script), img, a[href^=javascript]")
        assert created.count() == 0
    for pane in ("grid", "table"):
        reader.open(hostile, pane=pane, focus=quote(keys["Quill"]), view="entities")
        reader.tab.click("[data-group=types] label >> nth=4")
    reader.find("script alert")
    reader.tab.hover("#drawing")


def test_hostile_texts_remain_plain_text_in_saved_files(reader: Reader, hostile: Path) -> None:
    reader.open(hostile)
    drawing = ET.fromstring(reader.saved("SVG"))
    assert {e.tag.rpartition("}")[2] for e in drawing.iter()} <= {"svg", "rect", "path", "text"}
    turtle = rdflib.Graph().parse(data=reader.saved("Turtle"), format="turtle")
    assert any(HOSTILE in str(label) for label in turtle.objects(None, rdflib.SKOS.prefLabel))


def test_hostile_texts_create_no_scripts_embedded_content_or_links(
    reader: Reader, tmp_path: Path
) -> None:
    graph = fully_hostile(" ".join(text for about, text in TEXTS.items() if about != "long"))
    page, drawing = tmp_path / "page.html", tmp_path / "graph.svg"
    write(graph, page, "html")
    keys = {
        node["key"]
        for node in nodes_and_edges(graph)[0]
        if node["label"].endswith(("Quill", TITLE))
    }
    assert len(keys) == 2
    for key in keys:
        reader.open(page, at=quote(key), evidence="1", pane="table")
        reader.tab.wait_for_selector("#panel blockquote")
    assert reader.tab.locator("body script").count() == 7
    assert reader.tab.locator("iframe, object, embed, img").count() == 0
    ours = "".join(
        f":not([href^='{start}'])"
        for start in (
            "#",
            "https://arxiv.org/abs/",
            "https://doi.org/",
            "https://scholar.google.com/",
        )
    )
    assert reader.tab.locator(f"a{ours}").count() == 0
    drawing.write_bytes(reader.saved("SVG"))
    reader.tab.goto(drawing.as_uri())
    assert reader.tab.evaluate("document.documentElement.tagName") == "svg"
    assert reader.tab.locator("text").count() > 5
    assert reader.tab.locator("script, a, foreignObject, image").count() == 0


#: The downloads of the page that a spreadsheet opens.
CSV_TABLES = ("Relations", "Results")


def test_saved_csv_tables_contain_no_formulas(reader: Reader, tmp_path: Path) -> None:
    for about in ("formula", "tab", "wide formula"):
        write(fully_hostile(TEXTS[about]), tmp_path / "page.html", "html")
        reader.open(tmp_path / "page.html")
        saved = (reader.saved(f"{table} (CSV)").decode("utf-8-sig") for table in CSV_TABLES)
        lines = (io.StringIO(text, newline="") for text in saved)
        cells = [cell for each in lines for row in csv.reader(each) for cell in row]
        assert len(cells) > 100
        assert not [
            cell
            for cell in cells
            if re.match(r"[=+\-@\t\r\n＝]", cell) and not re.fullmatch(r"[0-9.]+", cell)
        ]
        assert not [cell for cell in cells if re.search(r"[;\t\r\n][=+\-@＝]", cell)]
