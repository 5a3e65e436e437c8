"""Pictures of the viewer for README and docs, light and dark, from a graph file.

    python docs/screenshots.py out/graph.json

writes `viewer-light.png`, `viewer-dark.png` and the other scenes beside this script. It needs
playwright and a Chromium on the machine.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

from exports import write
from kg.loading import load
from schemas.graph import KnowledgeGraph

FOLDER = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WINDOW = {"width": 1440, "height": 900}


def scenes(graph: KnowledgeGraph) -> dict[str, dict[str, str]]:
    """The state of the page for each picture, around the thing that most papers name."""
    papers: dict[str, set[str]] = {}
    for relation in graph.relations:
        papers.setdefault(relation.entity, set()).add(relation.paper)
    first = f"e-{max(sorted(papers), key=lambda entity: len(papers[entity]))}"
    return {
        "viewer-light": {"theme": "light"},
        "viewer-dark": {"theme": "dark", "at": first, "proof": "1"},
        "viewer-grid": {"theme": "light", "view": "things", "pane": "grid"},
    }


def shoot(browser: Browser, page: Path, state: dict[str, str], picture: Path) -> None:
    """Save a picture of the page in a state, larger than life for sharp screens."""
    context = browser.new_context(viewport=WINDOW, device_scale_factor=1.5, reduced_motion="reduce")
    tab = context.new_page()
    tab.goto(f"{page.as_uri()}#{urlencode(state)}")
    tab.wait_for_selector("[data-ready]")
    tab.wait_for_timeout(600)
    tab.screenshot(path=picture)
    context.close()


def main(graph_file: Path) -> None:
    """Write every picture of the graph in this file."""
    graph = load(graph_file)
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder) / "graph.html"
        write(graph, page, "html")
        browser = driver.chromium.launch(executable_path=executable, args=FLAGS)
        for name, state in scenes(graph).items():
            shoot(browser, page, state, FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
