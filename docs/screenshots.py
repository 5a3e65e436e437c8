"""Screenshots of the viewer for README and docs, light and dark, from the example papers.

    python docs/screenshots.py

builds the graph of examples/papers.jsonl and writes every picture beside this script. It needs
playwright and a Chromium on the machine.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

import citekg

FOLDER = Path(__file__).parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WINDOW = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


def scenes(names: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the state of the page for each picture; `names` maps a name to its node."""
    grpo, ppo, d4rl = (names[name] for name in ("GRPO", "PPO", "D4RL"))
    return {
        "viewer-light": {"theme": "light"},
        "viewer-dark": {"theme": "dark", "at": grpo},
        "viewer-path": {"theme": "light", "path": f"{grpo}>{d4rl}"},
        "viewer-grid": {"theme": "light", "view": "entities", "colour": "year", "pane": "grid"},
        "viewer-papers": {"theme": "dark", "view": "papers"},
        "viewer-phone": {"theme": "light", "at": ppo},
    }


def shoot(browser: Browser, page: Path, name: str, state: dict[str, str]) -> None:
    """Save a screenshot of the page in a state, at 1.25 times the resolution."""
    window = PHONE if name.endswith("phone") else WINDOW
    context = browser.new_context(
        viewport=window, device_scale_factor=1.25, reduced_motion="reduce"
    )
    tab = context.new_page()
    tab.goto(f"{page.as_uri()}#{urlencode(state)}")
    tab.wait_for_selector("[data-ready]")
    tab.wait_for_timeout(600)
    tab.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def main() -> None:
    """Write every picture."""
    graph = citekg.build([FOLDER.parent / "examples" / "papers.jsonl"])
    names = {name: f"e-{e.id}" for e in graph.entities for name in (*e.aliases, e.name)}
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = graph.save(Path(folder) / "graph.html")
        browser = driver.chromium.launch(executable_path=executable, args=FLAGS)
        for name, state in scenes(names).items():
            shoot(browser, page, name, state)
        browser.close()


if __name__ == "__main__":
    main()
