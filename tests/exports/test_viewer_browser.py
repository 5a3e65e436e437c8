"""The page in a real browser: what a reader sees, does and is spared."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from exports import write
from tests.exports.test_html import hostile_graph
from tests.sample import sample_graph

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


class Reader:
    """One tab, with everything it asked for and complained of."""

    def __init__(self, tab) -> None:
        self.tab = tab
        self.requests: list[str] = []
        self.complaints: list[str] = []
        tab.on("request", lambda r: self.requests.append(r.url))
        tab.on("console", lambda m: m.type in {"error", "warning"} and self.complaints.append(m.text))
        tab.on("pageerror", lambda e: self.complaints.append(str(e)))
        tab.on("dialog", lambda d: (self.complaints.append(f"dialog {d.message}"), d.dismiss()))

    def open(self, path: Path, state: str = "") -> Reader:
        self.tab.goto(f"{path.as_uri()}{state}")
        self.tab.wait_for_selector("[data-ready]")
        return self

    def text(self, selector: str) -> str:
        return self.tab.inner_text(selector)

    def colours(self) -> int:
        """How many different colours the drawing has."""
        return self.tab.evaluate("""() => {
            const canvas = document.querySelector("#drawing canvas");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size;
        }""")


@pytest.fixture(scope="module")
def browser() -> Iterator:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def reader(browser) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield Reader(context.new_page())
    context.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("page") / "graph.html"
    write(sample_graph(), path, "html")
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hostile.html"
    write(hostile_graph(), path, "html")
    return path


def test_the_page_opens_without_a_request_or_a_complaint_and_shows_the_graph(reader, sample):
    reader.open(sample)
    assert reader.text("#heading") == "5 papers"
    assert reader.colours() > 20
    assert [url for url in reader.requests if not url.startswith(("file:", "data:"))] == []
    assert reader.complaints == []


def test_search_leads_to_a_thing_and_on_to_the_sentence_that_proves_it(reader, sample):
    tab = reader.open(sample).tab
    tab.keyboard.press("/")
    tab.keyboard.type("nestb")
    tab.keyboard.press("Enter")
    assert reader.text("#panel h2") == "NestBench"
    tab.click("#panel summary >> nth=0", position={"x": 3, "y": 8})
    tab.wait_for_selector("#panel mark")
    assert reader.text("#panel mark") == "NestBench"
    assert reader.text("#panel blockquote") == "NestBench, a benchmark of birds’ nests"


def test_hostile_texts_are_shown_as_the_text_they_are(reader, hostile):
    tab = reader.open(hostile).tab
    tab.keyboard.press("/")
    tab.keyboard.type("quill")
    tab.keyboard.press("Enter")
    for summary in tab.query_selector_all("#panel summary"):
        summary.click(position={"x": 3, "y": 8})
    tab.wait_for_selector("#panel blockquote")
    assert "<script>alert(1)</script>" in reader.text("#panel h2")
    assert tab.query_selector_all("#panel script, #panel img") == []
    assert reader.complaints == []
