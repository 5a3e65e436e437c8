"""Fixtures: a real Chromium with each font set, and the pages that tests open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.graphs import synthetic
from citekg.exports import write
from tests.exports.page.browsing import (
    FLAGS,
    FONT_SETS,
    Reader,
    chromium,
    font_environment,
    installed_fonts,
)
from tests.extent import ALL
from tests.sample import certain_graph
from tests.sharing import made_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests with the wide font set; with CITEKG_TESTS=all, with every font set."""
    if "browser" in metafunc.fixturenames:
        metafunc.parametrize("browser", FONT_SETS if ALL else ["wide"], indirect=True)


@pytest.fixture(scope="module")
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """A Chromium that finds one font set only."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable, fonts = chromium(), installed_fonts(request.param)
    if executable is None:
        pytest.skip("no Chromium on this machine")
    if not fonts:
        pytest.skip(
            f"no fonts of the {request.param} set on this machine: {FONT_SETS[request.param]}"
        )
    environment = font_environment(fonts, tmp_path_factory.mktemp(request.param))
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=executable, args=FLAGS, env=environment)
        yield opened
        opened.close()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    """A tab whose page may neither log console messages nor send requests."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    reader = Reader(context.new_page())
    yield reader
    context.close()
    assert reader.messages == []
    assert [
        url for url in reader.requests if not url.startswith(("file:", "data:", "blob:", "about:"))
    ] == []


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the sample graph, without tentative claims."""
    path = tmp_path_factory.mktemp("page") / "graph.html"
    write(certain_graph(), path, "html")
    return path


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a big graph, which at first shows only the best connected nodes."""
    return made_once(
        "big.html", lambda path: write(synthetic(6000), path, "html"), tmp_path_factory
    )
