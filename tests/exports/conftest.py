"""What the tests of the page share: a browser, a tab that keeps what the page asks for, and pages to open."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from benchmarks.graphs import synthetic
from exports import write
from tests.exports.test_html import hostile_graph
from tests.sample import sample_graph

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
]


class Reader:
    """One tab, with everything it asked for and complained of."""

    def __init__(self, tab) -> None:
        self.tab = tab
        self.requests: list[str] = []
        self.complaints: list[str] = []
        tab.set_default_timeout(120_000)
        tab.on("request", lambda r: self.requests.append(r.url))
        tab.on("console", lambda m: m.type in {"error", "warning"} and self.complaints.append(m.text))
        tab.on("pageerror", lambda e: self.complaints.append(str(e)))
        tab.on("dialog", lambda d: (self.complaints.append(f"dialog {d.message}"), d.dismiss()))

    def open(self, page: Path, **state: str) -> Reader:
        """Open a page in a state; an earlier page of this tab is left for good."""
        self.tab.goto("about:blank")
        pairs = "&".join(f"{name}={value}" for name, value in state.items())
        self.tab.goto(f"{page.as_uri()}#{pairs}")
        self.tab.wait_for_selector("[data-ready]")
        return self

    def text(self, selector: str) -> str:
        return self.tab.inner_text(selector)

    def state(self) -> dict[str, str]:
        """What the address says."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.tab.url).fragment).items()}

    def wait_until(self, holds: str) -> None:
        """Wait for an expression; the browser's own way of waiting is against the policy of the page."""
        until = time.monotonic() + 40
        while not self.tab.evaluate(holds):
            assert time.monotonic() < until, holds
            self.tab.wait_for_timeout(50)

    def find(self, words: str) -> None:
        """Search for words and take the first match."""
        self.tab.keyboard.press("/")
        self.tab.keyboard.type(words)
        self.tab.keyboard.press("Enter")

    def click_middle(self) -> None:
        """Click the middle of the drawing."""
        box = self.tab.locator("#drawing").bounding_box()
        self.tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def filter(self, name: str) -> None:
        self.tab.click(f"[data-filter='{name}']")

    def colours(self) -> int:
        """How many different colours the drawing has."""
        return self.tab.evaluate("""() => {
            const canvas = document.querySelector("#drawing canvas");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size;
        }""")

    def saved(self, label: str) -> bytes:
        """The file that an entry of the menu saves."""
        self.tab.click(".menu summary")
        with self.tab.expect_download() as download:
            self.tab.click(f".menu button:has-text('{label}')")
        return Path(download.value.path()).read_bytes()


@pytest.fixture(scope="module")
def browser() -> Iterator:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def reader(browser) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    reader = Reader(context.new_page())
    yield reader
    context.close()
    assert reader.complaints == []
    assert [url for url in reader.requests if not url.startswith(("file:", "data:", "blob:", "about:"))] == []


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


@pytest.fixture(scope="module")
def big(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("page") / "big.html"
    write(synthetic(6000), path, "html")
    return path
