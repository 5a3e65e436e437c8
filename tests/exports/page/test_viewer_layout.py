"""The layout of the page: every visible control can be clicked, at every window size and font."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from tests.exports.page.browsing import Reader, box_of
from tests.extent import sample_of

#: Inner widths and heights of windows, in pixels of the screen.
WINDOWS = (
    (360, 740), (390, 844), (760, 1000), (820, 1180), (870, 600), (1024, 768),
    (1280, 640), (1366, 650), (1440, 780), (1920, 960), (2560, 1300),
)  # fmt: skip
ZOOMS = sample_of((1, 1.5, 2), 2)
CONTROLS = "button, a[href], input, select, summary"
#: State in the address, control that is clicked first, text typed into the search, tested controls.
STATES = (
    ("at=", "", "", CONTROLS),
    ("at=e-quill&evidence=1", "", "", CONTROLS),
    ("at=e-quill&focus=e-quill&steps=2&papers=2", "", "", CONTROLS),
    ("focus=e-quill", "", "", CONTROLS),
    ("at=e-quill&focus=e-quill&pane=table", "", "", CONTROLS),
    ("at=e-quill&focus=e-quill&pane=table&steps=2", "#filters-toggle", "", CONTROLS),
    ("view=entities&pane=grid&colour=year", "", "", CONTROLS),
    ("view=papers&path=p-2401.00001>p-2403.00003&theme=dark", "", "", CONTROLS),
    ("at=e-quill&focus=e-quill", ".menu summary", "", ".menu button"),
    ("at=e-quill", "", "e", "[role=option]"),
)
#: Returns the visible controls of each state that are covered, with what lies at their centres.
COVERED = """async (states) => {
    const named = (part) => part
        ? [part.tagName.toLowerCase(), part.id && `#${part.id}`,
           part.getAttribute("aria-label"), part.textContent].filter(Boolean).join(" ").slice(0, 60)
        : "nothing";
    const under = (control) => {
        control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { x, y, width, height } = control.getClientRects()[0];
        return document.elementFromPoint(x + width / 2, y + height / 2);
    };
    const covered = (controls) => [...document.querySelectorAll(controls)]
        .filter((control) => !control.matches(".skip"))
        .filter((control) => control.checkVisibility({ checkVisibilityCSS: true }))
        .map((control) => [control, under(control)])
        .filter(([control, hit]) => !control.contains(hit))
        .map(([control, hit]) => `${named(control)} lies under ${named(hit)}`);
    const scrolls = (part) =>
        /auto|scroll/.test(getComputedStyle(part).overflow) || part.matches("input");
    const shifted = () => [...document.querySelectorAll("*")]
        .filter((part) => part.scrollTop + part.scrollLeft > 0 && !scrolls(part))
        .map((part) => `${named(part)} was scrolled`);
    const search = document.getElementById("search");
    const type = (text) => {
        search.value = text;
        search.dispatchEvent(new Event("input"));
    };
    const found = [];
    for (const [state, opener, text, controls] of states) {
        const arrived = new Promise((resolve) => {
            addEventListener("hashchange", resolve, { once: true });
        });
        location.hash = `${state}&size=${innerWidth}x${innerHeight}`;
        await arrived;
        document.querySelector(opener || "main").click();
        type(text);
        const tried = document.querySelectorAll(controls).length ? [] : ["no such control"];
        const faults = [...tried, ...covered(controls), ...shifted()];
        found.push(...faults.map((fault) => `${state}: ${fault}`));
        document.querySelector(opener || "main").click();
        type("");
    }
    return found;
}"""
#: The area of the drawing beside the panel, in CSS pixels: left, right, top, bottom.
FREE_AREA = """() => {
    const { left, top } = document.getElementById("drawing").getBoundingClientRect();
    const { x, y, width, height } = document.getElementById("controls").getBoundingClientRect();
    return [x - left, x + width - left, y - top, y + height - top];
}"""
HUB = "e-method-14-14"


def sizes() -> list[tuple[int, int]]:
    """Return every size of the page in CSS pixels, the widest first."""
    found = {
        (round(width / zoom), round(height / zoom))
        for (width, height), zoom in product(WINDOWS, ZOOMS)
    }
    return sorted(found, reverse=True)


def resize(reader: Reader, size: tuple[int, int]) -> None:
    reader.tab.set_viewport_size({"width": size[0], "height": size[1]})


def ends_of_edges(drawing: str) -> tuple[list[float], list[float]]:
    """Return the horizontal and the vertical coordinates of the edge ends of a saved drawing."""
    lines = re.findall(r'd="((?:M[-.\d]+ [-.\d]+L[-.\d]+ [-.\d]+)+)"', drawing)
    numbers = [float(number) for line in lines for number in re.findall(r"[-.\d]+", line)]
    return numbers[::2], numbers[1::2]


def covered(reader: Reader, *states: tuple[str, str, str, str]) -> dict[tuple[int, int], list[str]]:
    """Return the visible controls that cannot be clicked, by size; other sizes are omitted."""
    found = {}
    for size in sizes():
        resize(reader, size)
        found[size] = reader.tab.evaluate(COVERED, states)
    return {size: controls for size, controls in found.items() if controls}


def test_every_visible_control_can_be_clicked_at_every_size_and_zoom(
    reader: Reader, sample: Path
) -> None:
    assert covered(reader.open(sample), *STATES) == {}


def test_every_chip_of_a_big_graph_can_be_clicked(reader: Reader, big: Path) -> None:
    state = f"at={HUB}&more=300&papers=2"
    reader.open(big)
    assert covered(reader, (state, "", "", "#controls button, #controls summary")) == {}
    assert reader.tab.locator(".chip").count() == 2


def test_the_page_never_scrolls_horizontally(reader: Reader, sample: Path) -> None:
    reader.open(sample, at="e-quill", focus="e-quill")
    for size in sizes()[-6:]:
        resize(reader, size)
        assert reader.tab.evaluate("document.documentElement.scrollWidth") <= size[0], size


def test_the_open_panel_leaves_room_for_the_drawing(reader: Reader, sample: Path) -> None:
    reader.open(sample, at="e-quill")
    for width, height in WINDOWS:
        resize(reader, (width, height))
        box = box_of(reader.tab.locator("#controls"))
        assert min(box["width"], box["height"]) > 280, (width, height, box)


@pytest.mark.parametrize("size", [(360, 740), (390, 844), (700, 500)])
def test_filters_of_a_narrow_window_can_be_closed_and_remain_applied(
    reader: Reader, sample: Path, size: tuple[int, int]
) -> None:
    resize(reader, size)
    reader.open(sample)
    reader.tab.click("#filters-toggle")
    assert reader.tab.is_hidden("#zoom")
    reader.filter("Benchmark")
    reader.tab.click("#filters-toggle")
    assert reader.tab.is_visible("#zoom")
    assert reader.tab.is_hidden("[data-filter=Benchmark]")
    assert reader.text("#status").startswith("4 papers, 11 entities")


def test_selecting_a_search_result_closes_the_open_filters(reader: Reader, sample: Path) -> None:
    resize(reader, (390, 844))
    reader.open(sample)
    reader.tab.click("#filters-toggle")
    reader.tab.fill("#search", "nestb")
    reader.tab.click("[role=option]")
    assert reader.text("#panel h2") == "NestBench"
    assert reader.tab.get_attribute("#filters-toggle", "aria-expanded") == "false"


@pytest.mark.parametrize(
    "size", sample_of([(390, 844), (820, 1180), (1024, 768), (1366, 650), (2560, 1300)], 2)
)
def test_focus_fits_the_neighbourhood_into_the_area_beside_the_panel(
    reader: Reader, big: Path, size: tuple[int, int]
) -> None:
    resize(reader, size)
    reader.open(big, at=HUB)
    reader.tab.click("#panel button:has-text('Focus')")
    assert reader.text("#status").startswith("Showing 100 of")
    left, right, top, bottom = reader.tab.evaluate(FREE_AREA)
    across, down = ends_of_edges(reader.saved("SVG").decode())
    assert left < min(across) < max(across) < right
    assert top < min(down) < max(down) < bottom
    assert (
        max((max(across) - min(across)) / (right - left), (max(down) - min(down)) / (bottom - top))
        > 0.35
    )
