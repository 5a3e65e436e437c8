"""The documentation site builds without a warning, and its pages load nothing from other hosts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.exports.page.browsing import FLAGS, chromium
from tests.kg.commands import commands_of
from tests.paths import ROOT

pytest.importorskip("material", reason="mkdocs-material is not installed: pip install --group docs")

#: Resources that a page loads: scripts, style sheets, images; links to click do not count.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?([^"'\s>]+)|<link\b[^>]*\bhref=["']?([^"'\s>]+)"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--site-dir",
        str(folder),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_pages_load_nothing_from_other_hosts(site: Path) -> None:
    pages = sorted(site.glob("*.html"))
    loaded = {
        one or other
        for page in pages
        for one, other in LOADED.findall(page.read_text(encoding="utf-8"))
    }
    assert len(pages) > 10
    assert len(loaded) > 3
    assert not [address for address in loaded if re.match(r"(https?:)?//", address)]
    sheets = "".join(sheet.read_text(encoding="utf-8") for sheet in site.rglob("*.css"))
    assert not re.findall(r"url\(['\"]?(?:https?:)?//[^)]*\)", sheets)


def test_the_reference_documents_every_command_and_the_public_api(site: Path) -> None:
    import citekg
    from citekg.cli.main import main

    page = (site / "cli.html").read_text(encoding="utf-8")
    assert not [
        name for name in (*commands_of(main), "lexicon-import") if f'id="kg-{name}"' not in page
    ]
    page = (site / "reference.html").read_text(encoding="utf-8")
    functions = {*citekg.__all__} - {"Graph", "__version__"}
    assert not [name for name in functions if f'id="citekg.{name}"' not in page]
    assert 'id="citekg.graph.graph.Graph.to_networkx"' in page


def test_the_search_works_without_a_server_and_a_network(site: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = chromium()
    if program is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=program, args=FLAGS)
        tab = browser.new_page()
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto((site / "index.html").as_uri())
        tab.wait_for_selector(".md-search__input", state="attached")
        tab.keyboard.press("f")
        tab.keyboard.type("Gephi")
        tab.wait_for_selector(
            ".md-search-result__item a[href*='exports.html']", state="attached", timeout=60_000
        )
        browser.close()
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
