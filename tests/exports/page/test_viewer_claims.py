"""Correctness of the page: counts, labels, click targets and the keyboard focus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.graphs import synthetic
from citekg.exports import write
from citekg.graph.graph import Graph
from citekg.schemas.records import Entity
from citekg.summary import counts_of, counts_to_json
from tests.exports.page.browsing import Reader, box_of
from tests.exports.page.nodes import nodes_and_edges
from tests.extent import sample_of
from tests.kg.reported import reported_graph
from tests.kg.several_roles import several_roles
from tests.sample import sample_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NODES = nodes_and_edges(sample_graph())[0]
PLACES = {node["label"]: (node["x"], node["y"]) for node in NODES}
KEYS = {node["label"]: node["key"] for node in NODES}
TITLE = 'Quill: a "reward-free" C# policy 🪶'
SVG = "{http://www.w3.org/2000/svg}"
PHONE, LAPTOP, WALL_DISPLAY = (390, 844), (1280, 800), (2560, 1440)


@pytest.fixture(scope="module")
def dense_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a dense drawing, in which labels cover the nodes of others."""
    path = tmp_path_factory.mktemp("page") / "crowd.html"
    write(synthetic(700), path, "html")
    return path


@pytest.fixture(scope="module")
def undated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose papers have no dates, while a paper outside the corpus has one."""
    graph = sample_graph()
    path = tmp_path_factory.mktemp("page") / "undated.html"
    write(
        replace(graph, papers=tuple(replace(paper, date="") for paper in graph.papers)),
        path,
        "html",
    )
    return path


@pytest.fixture
def phone(browser: Browser) -> Iterator[Reader]:
    width, height = PHONE
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    reader = Reader(context.new_page())
    yield reader
    context.close()
    assert reader.messages == []


def legend_counts(reader: Reader) -> dict[str, list[int]]:
    """Return the numbers of each filter: nodes that pass, or shown nodes and nodes that pass."""
    rows = reader.tab.evaluate("""() => [...document.querySelectorAll("[data-filter]")].map((box) =>
        [box.dataset.filter, box.closest("label").querySelector(".count").textContent])""")
    return {
        name: [int(number.replace(",", "")) for number in text.split(" of ")] for name, text in rows
    }


def status_counts(reader: Reader) -> dict[str, int]:
    """Return the numbers of the status line, by the counted noun."""
    counts_text = reader.text("#status").rpartition(": ")[2]
    parts = (part.split(" ", 1) for part in counts_text.replace(",0", "0").split(", "))
    return {name: int(number.replace(",", "")) for number, name in parts}


def number(element: ET.Element, attribute: str) -> float:
    return float(element.attrib[attribute])


def drawn_labels(reader: Reader) -> list[tuple[str, float, float]]:
    """Return the labels of the drawing, each with its centre in pixels of the window."""
    drawing = ET.fromstring(reader.saved("SVG"))
    box = box_of(reader.tab.locator("#drawing"))
    texts = [
        t for t in drawing.findall(f".//{SVG}text[@text-anchor='middle']") if not t.get("stroke")
    ]
    middle = [number(text, "y") - 0.35 * number(text, "font-size") for text in texts]
    return [
        (t.text or "", box["x"] + number(t, "x"), box["y"] + y)
        for t, y in zip(texts, middle, strict=True)
    ]


def at(label: str, shift: int = 0, zoom: int = 2) -> str:
    """Return the camera that shows a node `shift` pixels to the right of the drawing's middle."""
    x, y = PLACES[label]
    return f"{x - shift / zoom} {y} {zoom}"


def middle(reader: Reader) -> tuple[float, float]:
    box = box_of(reader.tab.locator("#drawing"))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# Counts


def test_the_page_and_the_summary_of_the_graph_give_the_same_counts(
    reader: Reader, sample: Path
) -> None:
    summary = counts_to_json(counts_of(sample_graph()))
    reader.open(sample)
    assert f"connected by {summary['relations']} relations" in reader.text("#subheading")
    assert status_counts(reader)["relations"] == summary["relations"]
    assert status_counts(reader)["known introduction"] == summary["known introductions"] == 1
    shown = legend_counts(reader)
    assert {name: shown[name] for name in summary["roles"]} == {
        name: [many] for name, many in summary["roles"].items()
    }
    assert shown["known"] == [summary["known introductions"]]
    reader.open(sample, view="papers")
    assert status_counts(reader)["links"] == sum(summary["links"].values())
    assert status_counts(reader)["references"] == summary["citations"]


def test_tentative_claims_are_hidden_until_the_switch_shows_them(
    reader: Reader, tmp_path: Path
) -> None:
    graph = Graph.wrap(several_roles())
    firm = graph.subset(min_confidence=0.5)
    page = graph.save(tmp_path / "graph.html")
    switch = "[data-choice=tentative]"
    reader.open(page)
    for shown, hidden in ((firm, False), (graph, True), (firm, False)):
        counted = status_counts(reader)
        assert counted["relations"] == len(shown.relations)
        assert counted["entities"] == len(shown.entities)
        assert f"{len(shown.entities)} entities" in reader.text("#subheading")
        assert legend_counts(reader)["uses"] == [sum(r.role == "uses" for r in shown.relations)]
        assert reader.tab.is_checked(switch) == hidden
        slider = reader.tab.locator("[data-limit=confidence]")
        assert slider.get_attribute("min") == ("0" if hidden else "50")
        reader.tab.click(switch)
    assert reader.state()["tentative"] == "1"
    reader.open(page, view="papers")
    assert status_counts(reader)["links"] == len(firm.links)
    reader.open(page, at="e-plover")
    assert reader.tab.is_hidden("#panel")
    reader.open(page, at="e-plover", tentative="1")
    assert "30 %, tentative" in reader.text("#panel")


def test_a_pair_with_several_roles_shows_each_with_its_own_evidence(
    reader: Reader, tmp_path: Path
) -> None:
    page = Graph.wrap(several_roles()).save(tmp_path / "graph.html")
    reader.open(page, at="p-k>e-heron")
    statements = reader.tab.locator("#panel .statement").all_inner_texts()
    assert [" ".join(text.split()) for text in statements] == [
        "Kite extends Heron 80 % It extends Heron. This is wrong…",
        "Kite outperforms Heron 70 % Kite beats Heron on EggSet. This is wrong…",
    ]
    reader.open(page, at="e-heron")
    assert "Method · 2 papers" in reader.text("#panel")
    rows = [" ".join(row.split()) for row in reader.tab.locator("#panel li").all_inner_texts()]
    assert "Kite 2023 80 % · also outperforms" in rows
    assert "Kite 2023 70 % · also extends" in rows
    reader.open(page, at="p-k")
    assert "Heron 80 % · also outperforms" in reader.text("#panel")
    assert "Builds on\n2" in re.sub(r"\s*\n\s*", "\n", reader.text("#panel"))


def test_known_introductions_can_be_hidden_separately(reader: Reader, sample: Path) -> None:
    reader.open(sample)
    introduced = legend_counts(reader)["introduces"]
    reader.filter("known")
    assert "known introduction" not in reader.text("#status")
    assert legend_counts(reader)["introduces"] == introduced


def test_the_entities_view_counts_pairs_mentioned_together_and_variants(
    reader: Reader, sample: Path
) -> None:
    graph = sample_graph()
    names = {(r.paper, r.entity) for r in graph.relations}
    papers = {paper: {e for p, e in names if p == paper} for paper, _ in names}
    pairs = {(a, b) for entities in papers.values() for a in entities for b in entities if a < b}
    variants = sum(bool(entity.family) for entity in graph.entities)
    reader.open(sample, view="entities")
    counted = status_counts(reader)
    assert (counted["pairs mentioned together"], counted["variants"]) == (len(pairs), variants)


def test_filters_of_a_big_graph_apply_to_the_whole_graph(reader: Reader, big: Path) -> None:
    graph = synthetic(6000)
    recent = {paper.id for paper in graph.papers if paper.date[:4] >= "2024"}
    kinds = {entity.id: entity.type for entity in graph.entities}
    wanted = {
        r.entity for r in graph.relations if r.paper in recent and kinds[r.entity] == "Benchmark"
    }
    assert wanted
    reader.open(
        big, **{"from": "2024", "off": "Method%20Model%20Dataset%20Paper", "view": "entities"}
    )
    assert status_counts(reader)["entities"] == len(wanted)
    assert "Showing" not in reader.text("#status")
    assert reader.tab.locator("#chips").get_by_text("best connected").count() == 0
    assert legend_counts(reader)["Benchmark"] == [len(wanted)]


def test_the_legend_of_a_big_graph_counts_all_nodes_and_the_shown_nodes(
    reader: Reader, big: Path
) -> None:
    reader.open(big)
    all_of = Counter(entity.type for entity in synthetic(6000).entities)
    shown = legend_counts(reader)
    assert {name: shown[name][-1] for name in all_of} == all_of
    assert sum(shown[name][0] for name in all_of) == status_counts(reader)["entities"]
    assert (
        sum(shown[role.name][0] for role in sample_graph().vocabulary.paper_roles)
        == status_counts(reader)["relations"]
    )


def test_a_big_graph_is_filtered_before_it_is_limited_to_2500_nodes(
    reader: Reader, big: Path
) -> None:
    reader.open(big, off="Method%20Benchmark%20Model%20Dataset%20introduces")
    assert reader.tab.locator("#status").inner_text() == "No node passes the filters"
    reader.open(big, off="Method")
    counted = re.match(r"Showing ([\d,]+) of ([\d,]+)", reader.text("#status"))
    assert counted is None or counted[1] == "2,500"


# Filters, links between papers, focus and labels


def test_the_year_filter_offers_only_the_years_of_papers_in_the_corpus(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample)
    offered = reader.tab.locator("[data-choice=from] option").all_inner_texts()
    assert offered == ["first", *sorted({paper.date[:4] for paper in sample_graph().papers})]


def test_a_corpus_without_dates_has_no_filter_or_colours_by_year(
    reader: Reader, undated: Path
) -> None:
    reader.open(undated)
    assert reader.tab.locator("[data-choice=from]").count() == 0
    assert "year" not in reader.tab.locator("[data-choice=colour] option").all_inner_texts()


def test_links_between_papers_are_listed_as_builds_on_and_as_built_upon_by(
    reader: Reader, sample: Path
) -> None:
    def rows(paper: str, title: str) -> list[str]:
        reader.open(sample, at=KEYS[paper])
        listed = reader.tab.locator(
            f"#panel section:has(h3:has-text('{title}')) > ul > li"
        ).all_inner_texts()
        return [re.sub(r"\s+", " ", row).strip() for row in listed]

    built_on = rows("Fledge", "Builds on")
    assert f"uses a method in {TITLE}: Quill" in built_on or f"extends {TITLE}: Quill" in built_on
    assert any(
        re.fullmatch(r".+ uses a method in this paper: Quill", row)
        for row in rows(TITLE, "Built upon by")
    )


def test_the_prompt_for_a_path_target_disappears_when_the_path_is_found(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, at="e-nestbench")
    reader.tab.click("#panel button:has-text('Path to')")
    assert "to: click a node" in reader.text("#chips")
    reader.find("ppo")
    assert reader.text("#panel .kind") == "Path · 4 steps"
    assert "to: click a node" not in reader.text("#chips")


def test_focus_works_on_a_node_that_the_view_does_not_draw(reader: Reader, sample: Path) -> None:
    graph = sample_graph()
    quill = next(entity.id for entity in graph.entities if entity.name == "Quill")
    naming = {r.paper for r in graph.relations if r.entity == quill}
    reader.open(sample, focus="e-quill", view="papers")
    assert status_counts(reader)["papers"] == len(naming)
    reader.open(sample, focus=KEYS[TITLE], view="entities")
    named = {r.entity for r in graph.relations if r.paper == "2401.00001"}
    assert status_counts(reader)["entities"] == len(named)


def test_an_empty_drawing_gives_the_reason(reader: Reader, sample: Path) -> None:
    reader.open(sample, focus=KEYS["Qwen2.5"], view="papers")
    assert reader.text("#status") == "No nodes around Qwen2.5 in this view"
    reader.open(sample, focus="e-quill", off="Method")
    assert reader.text("#status") == "No node around Quill passes the filters"


def test_a_short_name_is_drawn_only_if_it_is_unique_in_the_drawing(
    reader: Reader, tmp_path: Path
) -> None:
    names = {"Kite Search Optimization": "KSO", "Keen Spatial Observation": "KSO"}
    same_short_name, unique_short_name = names, {"Long Feather Optimization": "LFO"}
    none: dict[str, Any] = dict.fromkeys(("mentions", "relations", "links", "introductions"), ())
    for named in (same_short_name, unique_short_name):
        made = [Entity(f"n{i}", n, "Method", (s,)) for i, (n, s) in enumerate(named.items())]
        write(
            replace(sample_graph(), entities=tuple(made), **none),
            tmp_path / f"{len(named)}.html",
            "html",
        )
    reader.open(tmp_path / "1.html", view="entities")
    assert [name for name, _, _ in drawn_labels(reader)] == ["LFO"]
    reader.open(tmp_path / "2.html", view="entities")
    drawn = {name for name, _, _ in drawn_labels(reader)}
    assert drawn
    assert drawn <= {*same_short_name}
    reader.open(tmp_path / "2.html", view="entities", focus="e-n0")
    assert [name for name, _, _ in drawn_labels(reader)] == ["KSO"]


def labels_in_dense_part(reader: Reader, dense_page: Path) -> list[tuple[str, float, float]]:
    """Open a dense part of a drawing, without topics; return its labels far from the controls.

    A saved picture has no controls, so labels near them have other positions than in the window.
    """
    reader.open(dense_page, view="entities", camera="0 0 4")
    box = box_of(reader.tab.locator("#drawing"))
    left, top = box["x"] + 60, box["y"] + 100
    right, bottom = box["x"] + box["width"] - 60, box["y"] + box["height"] - 120
    found = drawn_labels(reader)
    return [(name, x, y) for name, x, y in found if left < x < right and top < y < bottom]


@pytest.mark.parametrize("nth", sample_of(range(0, 12, 2), 4))
def test_a_click_on_a_label_opens_its_node(reader: Reader, dense_page: Path, nth: int) -> None:
    name, x, y = labels_in_dense_part(reader, dense_page)[nth]
    reader.tab.mouse.click(x, y)
    assert reader.text("#panel h2") == name


def test_a_label_keeps_its_click_target_while_its_node_is_hovered(
    reader: Reader, dense_page: Path
) -> None:
    for name, x, y in sample_of(labels_in_dense_part(reader, dense_page)[:12], 3):
        reader.tab.mouse.move(2, 2)
        reader.tab.mouse.move(x, y)
        reader.tab.mouse.move(x + 1, y)
        reader.tab.mouse.click(x + 1, y)
        assert reader.text("#panel h2") == name
        reader.tab.keyboard.press("Escape")
        assert reader.tab.is_hidden("#panel")
        labels_in_dense_part(reader, dense_page)


@pytest.mark.parametrize("size", sample_of([LAPTOP, (800, 600), WALL_DISPLAY], 3))
@pytest.mark.parametrize("side", [-0.4, 0, 0.35, 0.45])
def test_a_double_click_focuses_a_node_at_any_position(
    reader: Reader, sample: Path, size: tuple[int, int], side: float
) -> None:
    width, height = size
    reader.tab.set_viewport_size({"width": width, "height": height})
    shift = round(side * (width - 276))
    for _ in range(5):  # on a busy machine, more than half a second may lie between the two clicks
        reader.open(sample, camera=at("NestBench", shift))
        x, y = middle(reader)
        reader.tab.mouse.dblclick(x + shift, y)
        if "focus" in reader.state():
            break
    assert (reader.state()["focus"], reader.state()["at"]) == ("e-nestbench", "e-nestbench")
    assert reader.text("#panel h2") == "NestBench"


def test_a_double_tap_focuses_a_node(phone: Reader, sample: Path) -> None:
    for _ in range(5):  # on a busy machine, more than half a second may lie between the two taps
        phone.open(sample, camera=at("NestBench"))
        x, y = middle(phone)
        phone.tab.touchscreen.tap(x, y)
        phone.tab.touchscreen.tap(x, y)
        if "focus" in phone.state():
            break
    assert phone.state()["focus"] == "e-nestbench"


def test_clicks_on_two_different_nodes_are_not_a_double_click(reader: Reader, sample: Path) -> None:
    reader.open(sample, camera=at("NestBench"))
    reader.click_middle()
    reader.tab.click("#panel a.node:has-text('Quill') >> nth=0")
    assert "focus" not in reader.state()
    assert reader.text("#panel h2") != "NestBench"


@pytest.mark.parametrize(("dx", "dy"), [(10, 0), (-10, 0)])
def test_a_tap_ten_pixels_beside_a_small_node_selects_it(
    phone: Reader, sample: Path, dx: int, dy: int
) -> None:
    paper = "FeatherSet: one million feathers."
    phone.open(sample, camera=at(paper))
    x, y = middle(phone)
    phone.tab.touchscreen.tap(x + dx, y + dy)
    assert phone.text("#panel h2") == paper


# Keyboard focus

FOCUSED = """() => {
    const here = document.activeElement;
    const isVisible = here !== document.body && here.getClientRects().length > 0;
    return isVisible && here.id + here.className + here.textContent;
}"""
ACTIONS = {
    "leave the focus": (
        "sample",
        {"focus": "e-quill"},
        "#chips [aria-label='Show the whole graph']",
    ),
    "widen the focus": ("sample", {"focus": "e-quill"}, "#chips [aria-label='2 steps']"),
    "show more": ("big", {}, "#chips button:has-text('Show more')"),
    "show all": ("big", {}, "#chips button:text-is('Show all')"),
    "leave the filters": (
        "sample",
        {"off": "Method"},
        "#chips [aria-label='Reset all filters']",
    ),
    "close the details": ("sample", {"at": "e-quill"}, "#panel .close"),
    "all evidence": ("sample", {"at": "e-quill"}, "#panel button:has-text('All evidence')"),
    "focus": ("sample", {"at": "e-quill"}, "#panel button:has-text('Focus')"),
    "show what filters hide": (
        "sample",
        {"at": "e-quill", "off": "Method"},
        "#panel .notice button",
    ),
    "follow a link": ("sample", {"at": "e-quill"}, "#panel a.node >> nth=0"),
    "expand": ("big", {"at": "e-{entity}"}, "#panel button:has-text('Expand')"),
    "show a whole list": ("big", {"at": "e-{entity}"}, "#panel button.more >> nth=0"),
    "sort the table": ("sample", {"pane": "table"}, "#drawer thead button >> nth=0"),
    "close the table": ("sample", {"pane": "table"}, "#drawer-tools [aria-label=Close]"),
    "save a file": ("sample", {}, ".menu button:has-text('Turtle')"),
}


@cache
def most_used() -> str:
    """Return the entity of the big graph that most papers use."""
    return Counter(r.entity for r in synthetic(6000).relations).most_common(1)[0][0]


@pytest.mark.parametrize("action", ACTIONS)
def test_no_action_loses_the_keyboard_focus(
    reader: Reader, request: pytest.FixtureRequest, action: str
) -> None:
    page, state, control = ACTIONS[action]
    used = most_used()
    reader.open(
        request.getfixturevalue(page),
        **{name: value.format(entity=used) for name, value in state.items()},
    )
    if action == "save a file":
        reader.tab.click(".menu summary")
    reader.tab.focus(control)
    reader.tab.keyboard.press("Enter")
    reader.tab.wait_for_timeout(150)
    assert reader.tab.evaluate(FOCUSED)


@pytest.mark.parametrize("action", ["widen the focus", "all evidence", "focus", "sort the table"])
def test_a_redrawn_control_keeps_the_keyboard_focus(
    reader: Reader, request: pytest.FixtureRequest, action: str
) -> None:
    page, state, control = ACTIONS[action]
    reader.open(request.getfixturevalue(page), **state)
    reader.tab.focus(control)
    reader.tab.keyboard.press("Enter")
    reader.tab.wait_for_timeout(150)
    assert reader.tab.locator(control).evaluate("(made) => made === document.activeElement")


def test_cancelling_a_path_or_leaving_the_search_keeps_the_keyboard_focus(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, at="e-quill")
    reader.tab.click("#panel button:has-text('Path to')")
    reader.tab.focus("#chips [aria-label='Cancel the path']")
    reader.tab.keyboard.press("Enter")
    reader.tab.wait_for_timeout(150)
    assert reader.tab.evaluate(FOCUSED)
    reader.tab.keyboard.press("/")
    reader.tab.keyboard.press("Escape")
    assert reader.tab.evaluate("document.activeElement.id") == "drawing"


def test_changing_the_grid_columns_keeps_the_keyboard_focus(reader: Reader, sample: Path) -> None:
    reader.open(sample, pane="grid")
    reader.tab.focus("#drawer select[aria-label=Columns]")
    reader.tab.select_option("#drawer select[aria-label=Columns]", index=3)
    reader.tab.wait_for_timeout(150)
    assert reader.tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Columns"


def test_d_moves_the_focus_to_the_details_and_escape_moves_it_back(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, pane="table")
    reader.tab.focus("#drawer tbody a:has-text('NestBench')")
    reader.tab.keyboard.press("Enter")
    reader.tab.keyboard.press("d")
    assert reader.tab.evaluate("document.activeElement.id") == "panel"
    reader.tab.keyboard.press("Tab")
    assert (
        reader.tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Close details"
    )
    reader.tab.keyboard.press("Escape")
    assert reader.tab.is_hidden("#panel")
    assert reader.tab.evaluate("document.activeElement.textContent") == "NestBench"
    assert "D moves to the details" in reader.tab.inner_text("#keys")


def test_a_letter_typed_into_the_search_triggers_no_shortcut(reader: Reader, sample: Path) -> None:
    reader.open(sample, at="e-quill")
    reader.tab.keyboard.press("/")
    reader.tab.keyboard.type("d")
    assert reader.tab.input_value("#search") == "d"


@pytest.mark.parametrize("name", ["Mentioned in at least", "Confidence at least"])
def test_sliders_have_accessible_names(reader: Reader, sample: Path, name: str) -> None:
    reader.open(sample)
    slider = reader.tab.get_by_role("slider", name=name, exact=True)
    assert slider.count() == 1
    assert slider.get_attribute("aria-valuetext")


def _search_without_match(reader: Reader) -> None:
    reader.tab.keyboard.press("/")
    reader.tab.keyboard.type("zzzz")


def _search_with_matches(reader: Reader) -> None:
    reader.tab.keyboard.press("/")
    reader.tab.keyboard.type("q")


def _choose_path_to(reader: Reader) -> None:
    reader.tab.click("#panel button:has-text('Path to')")


STATES = {
    "no match": ({}, _search_without_match),
    "matches": ({"at": "e-quill"}, _search_with_matches),
    "a path is asked for": ({"at": "e-quill"}, _choose_path_to),
    "the menu is open": ({"pane": "table"}, lambda reader: reader.tab.click(".menu summary")),
    "rows are off": ({"off": "Method Paper introduces known variant"}, None),
    "links are off": ({"view": "papers", "off": "reference link%2520extends"}, None),
    "nothing passes": ({"off": "Method Benchmark Model Dataset Paper"}, None),
    "hidden by filters": ({"off": "Method", "at": "e-quill"}, None),
    "around a node": (
        {"focus": "e-quill", "at": "e-ppo", "steps": "2", "pane": "grid", "colour": "year"},
        None,
    ),
    "an edge": ({"at": "e-quill>e-nestbench", "view": "entities"}, None),
    "no path": ({"path": "e-qwen2.5>e-ppo", "off": "uses"}, None),
}


@pytest.mark.parametrize(
    ("state", "theme"), sample_of(product(STATES, ("light", "dark")), 3), ids=str
)
def test_axe_finds_no_violations_in_any_state(
    reader: Reader, sample: Path, state: str, theme: str
) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python", reason="axe-playwright-python is not installed"
    )
    address, enter = STATES[state]
    reader.open(
        sample, theme=theme, **{name: value.replace(" ", "%20") for name, value in address.items()}
    )
    if enter:
        enter(reader)
    reader.tab.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = reader.tab.evaluate("() => axe.run()")["violations"]
    assert [(v["impact"], v["id"], v["nodes"][0]["html"]) for v in found] == []


def table_of(reader: Reader, page: Path) -> dict[str, dict[str, str]]:
    """Return the rows of the page's table, by the key of their node."""
    reader.open(page, pane="table", tentative="1")
    while reader.tab.query_selector("button.more"):
        reader.tab.click("button.more")
    head, *rows = reader.tab.evaluate(
        "() => [...document.querySelectorAll('#pane table tr, table tr')].map(r => [r.dataset.key,"
        " ...[...r.cells].map(c => c.textContent)])"
    )
    titles = [title.rstrip(" ↑↓") for title in head[1:]]
    return {key: dict(zip(titles, cells, strict=True)) for key, *cells in rows}


def test_the_table_counts_papers_and_uses_like_the_graph(
    reader: Reader, example_graph: Graph, tmp_path: Path
) -> None:
    page = tmp_path / "graph.html"
    example_graph.save(page)
    table = table_of(reader, page)
    seen = {
        key[2:]: (int(row["Papers"]), int(row["Used by"]))
        for key, row in table.items()
        if key.startswith("e-")
    }
    usage = example_graph.usage
    assert seen == {
        e.id: (len(usage[e.id].named), len(usage[e.id].used)) for e in example_graph.entities
    }
    papers = {i.node.id: i.used for i in example_graph.influential_papers(999)}
    shown = {key[2:]: int(row["Used by"]) for key, row in table.items() if key.startswith("p-")}
    assert {paper: used for paper, used in shown.items() if used} == {
        p: used for p, used in papers.items() if used
    }


# Reported results


def test_the_results_on_a_benchmark_are_ranked_and_a_row_opens_its_sentence(
    reader: Reader, tmp_path: Path
) -> None:
    page = reported_graph().save(tmp_path / "graph.html")
    reader.open(page, at="e-lake-bench")
    groups = reader.tab.locator("#panel .group")
    assert groups.locator("h4").all_inner_texts() == [
        "accuracy in % higher is better",
        "latency in ms lower is better",
        "ripples newest first, not ranked",
    ]
    accuracy = groups.first
    assert accuracy.locator("button.value").all_inner_texts() == ["85.0%", "82.1%", "78.5%"]
    assert [group.locator("circle").count() for group in groups.all()] == [3, 0, 0]
    accuracy.locator("button.value").nth(2).focus()
    reader.tab.keyboard.press("Enter")
    quote = accuracy.locator("blockquote")
    assert "On LakeBench, Heron improves accuracy from 71% to 78.5%." in quote.inner_text()
    assert quote.locator("mark").inner_text() == "78.5%"
    accuracy.locator("circle").first.click()
    assert accuracy.locator("mark").all_inner_texts() == ["85.0%", "78.5%"]


def test_tentative_results_are_shown_on_request_and_fit_a_narrow_panel(
    reader: Reader, tmp_path: Path
) -> None:
    page = reported_graph().save(tmp_path / "graph.html")
    reader.tab.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    reader.open(page, at="e-kite", tentative="1", evidence="1")
    heading = reader.tab.locator("#panel h3:has-text('Reported results')")
    assert heading.all_inner_texts() == ["Reported results\n7", "Reported results against it\n1"]
    assert reader.tab.locator("#panel .group blockquote").count() == 8
    assert reader.tab.evaluate(
        "() => [...document.querySelectorAll('#panel, #panel .group td')]"
        ".every((box) => box.scrollWidth <= box.clientWidth + 1)"
    )
    reader.open(page, at="e-kite")
    assert heading.all_inner_texts() == ["Reported results\n7"]
