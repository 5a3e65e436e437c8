"""The layout of the page: at every size of the window, with either font set, every visible control can be clicked."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.exports.browsing import Reader

#: Inner widths and heights of windows, in pixels of the screen.
WINDOWS = (
    (360, 740), (390, 844), (760, 1000), (820, 1180), (870, 600), (1024, 768),
    (1280, 640), (1366, 650), (1440, 780), (1920, 960), (2560, 1300),
)  # fmt: skip
ZOOMS = (1, 1.5, 2)
STATES = {
    "opened": {},
    "panel": {"at": "e-quill", "proof": "1"},
    "focus": {"at": "e-quill", "focus": "e-quill", "steps": "2", "papers": "2"},
    "focus without panel": {"focus": "e-quill"},
    "table": {"at": "e-quill", "focus": "e-quill", "pane": "table"},
    "grid": {"view": "things", "pane": "grid", "colour": "year"},
    "path": {"view": "papers", "path": "p-2401.00001>p-2403.00003", "theme": "dark"},
}
#: Every visible control that something else covers, with what lies at its centre; each is scrolled to first.
COVERED = """() => {
    const controls = "button, a[href], input, select, summary, [role=option]";
    const named = (part) => part
        ? [part.tagName.toLowerCase(), part.id && `#${part.id}`, part.getAttribute("aria-label"), part.textContent]
            .filter(Boolean).join(" ").slice(0, 60)
        : "nothing";
    const covered = [];
    for (const control of document.querySelectorAll(controls)) {
        if (control.matches(".skip") || !control.checkVisibility({ checkVisibilityCSS: true })) continue;
        control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { x, y, width, height } = control.getClientRects()[0];
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        if (!control.contains(hit)) covered.push(`${named(control)}: ${named(hit)}`);
    }
    const scrolls = (part) => /auto|scroll/.test(getComputedStyle(part).overflow) || part.matches("input");
    const shifted = [...document.querySelectorAll("*")].filter((part) => part.scrollTop + part.scrollLeft > 0);
    return [...covered, ...shifted.filter((part) => !scrolls(part)).map((part) => `${named(part)}: scrolled`)];
}"""
#: Where something is drawn on the canvas, in its CSS pixels: left, right, top, bottom.
INK = """() => {
    const canvas = document.querySelector("#drawing canvas");
    const ratio = canvas.width / canvas.clientWidth;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const pixels = new Uint32Array(data.buffer);
    const box = [Infinity, -Infinity, Infinity, -Infinity];
    pixels.forEach((pixel, i) => {
        if (pixel >>> 24 === 0) return;
        const [x, y] = [(i % canvas.width) / ratio, Math.floor(i / canvas.width) / ratio];
        [box[0], box[1]] = [Math.min(box[0], x), Math.max(box[1], x)];
        [box[2], box[3]] = [Math.min(box[2], y), Math.max(box[3], y)];
    });
    return box;
}"""


def sizes() -> list[tuple[int, int]]:
    """Every size of the page in CSS pixels, the widest first."""
    found = {(round(width / zoom), round(height / zoom)) for (width, height), zoom in product(WINDOWS, ZOOMS)}
    return sorted(found, reverse=True)


def resize(reader: Reader, size: tuple[int, int]) -> None:
    reader.tab.set_viewport_size({"width": size[0], "height": size[1]})
    reader.tab.wait_for_timeout(20)


def covered(reader: Reader) -> dict[str, list[str]]:
    """For each size, the visible controls that cannot be clicked; sizes without any are left out."""
    found = {}
    for size in sizes():
        resize(reader, size)
        found["{} x {}".format(*size)] = reader.tab.evaluate(COVERED)
    return {size: controls for size, controls in found.items() if controls}


@pytest.mark.parametrize("state", STATES)
def test_every_visible_control_can_be_clicked_at_every_size(reader, sample, state):
    reader.open(sample, **STATES[state])
    assert covered(reader) == {}
