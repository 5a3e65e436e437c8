"""The viewer against stock pyvis, in headless Chromium, over synthetic graphs.

    python -m benchmarks.viewer [NODES ...]

prints a Markdown table: CPU seconds of the page's main thread to the first picture and to the
response to a click on a node, CPU milliseconds per frame while the drawing is dragged, file size, and
CPU and wall-clock seconds to write the file, with the process of the layout. Stock pyvis draws the
result of `from_nx`; a picture that takes more than `TIME_LIMIT` seconds is reported as "never".
"""

from __future__ import annotations

import base64
import json
import re
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Error, Page, sync_playwright

from benchmarks.cpu import cpu_time
from benchmarks.graphs import synthetic
from citekg.exports import write
from citekg.exports.graphs.networkx_graph import to_networkx
from citekg.schemas.graph import KnowledgeGraph
from tests.exports.page.browsing import chromium

SIZES = (500, 3000, 10000, 50000)
#: Sizes above this are not tried with stock pyvis: the time of its `from_nx` grows with their square.
PYVIS_SIZES = 10000
TIME_LIMIT = 120
LISTEN_SCRIPT = "() => window.network && (network.once('stabilizationIterationsDone', () => (window.settled = true)), true)"
MOUSE_MOVES = 40
WINDOW = {"width": 1440, "height": 900}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main_thread_clock(tab: Page) -> Callable[[], float]:
    """Return a clock of the CPU seconds of the tab's main thread."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    return read


def measure_page(browser: Browser, page: Path) -> dict[str, float]:
    """Measure the times of the page of citekg."""
    tab = browser.new_page(viewport=WINDOW)
    clock = main_thread_clock(tab)
    tab.goto(page.as_uri())
    tab.wait_for_selector("[data-ready]")
    tab.wait_for_timeout(400)  # until the first frame, and the camera position in the URL
    times = {"picture": clock()}
    tab.mouse.click(*hub_position(tab, page))
    tab.wait_for_selector("#panel mark")
    tab.wait_for_timeout(400)
    times["click"] = clock() - times["picture"]
    tab.keyboard.press("Escape")
    times["frame"] = seconds_per_frame(tab, clock)
    return times


def hub_position(tab: Page, page: Path) -> tuple[float, float]:
    """Return the window coordinates of the entity with the most relations."""
    block = re.search(r'id="columns">"(.*?)"<', page.read_text("utf-8"))
    columns = json.loads(zlib.decompress(base64.b64decode(block[1])))
    hub = Counter(columns["relations"]["to"]).most_common(1)[0][0]
    x, y = (columns["entities"][axis][hub] for axis in "xy")
    left, top, scale = map(float, parse_qs(urlsplit(tab.url).fragment)["camera"][0].split())
    box = tab.locator("#drawing").bounding_box()
    return box["x"] + box["width"] / 2 + (x - left) * scale, box["y"] + box["height"] / 2 + (
        y - top
    ) * scale


def measure_pyvis_page(browser: Browser, page: Path) -> dict[str, float]:
    """Measure stock pyvis until its network has stabilised; infinite if it does not."""
    tab = browser.new_page(viewport=WINDOW)
    tab.route(
        "**/*",
        lambda route: route.abort() if route.request.url.startswith("http") else route.continue_(),
    )
    clock = main_thread_clock(tab)
    try:
        tab.goto(page.as_uri(), timeout=TIME_LIMIT * 1000, wait_until="commit")
        tab.wait_for_function(LISTEN_SCRIPT, timeout=TIME_LIMIT * 1000)
        tab.wait_for_function("window.settled", timeout=TIME_LIMIT * 1000)
        times = {"picture": clock(), "frame": seconds_per_frame(tab, clock)}
    except Error:
        times = {"picture": float("inf")}
    return times


def seconds_per_frame(tab: Page, clock: Callable[[], float]) -> float:
    """Return the CPU seconds per frame while the drawing is dragged."""
    tab.mouse.move(700, 450)
    tab.mouse.down()
    before = clock()
    for step in range(MOUSE_MOVES):
        tab.mouse.move(700 + 4 * step, 450 + 2 * step)
        tab.wait_for_timeout(16)
    spent = clock() - before
    tab.mouse.up()
    return spent / MOUSE_MOVES


def write_pyvis_page(graph: KnowledgeGraph, page: Path) -> None:
    """Write the page that pyvis makes from the networkx graph."""
    import networkx as nx
    from pyvis.network import Network

    plain: Any = nx.Graph(to_networkx(graph))
    bare = nx.Graph()
    bare.add_nodes_from((n, {"label": str(d.get("label", n))}) for n, d in plain.nodes(data=True))
    bare.add_edges_from(plain.edges())
    network = Network(height="900px", cdn_resources="in_line")
    network.from_nx(bare)
    page.write_text(network.generate_html(), "utf-8")


def rows(
    launch: Callable[[], Browser], sizes: tuple[int, ...], folder: Path
) -> Iterator[tuple[str, ...]]:
    """Yield one row of the table per page, each measured in a new browser."""
    makers = {
        "citekg": (lambda g, p: write(g, p, "html"), measure_page),
        "stock pyvis": (write_pyvis_page, measure_pyvis_page),
    }
    for size in sizes:
        graph = synthetic(size)
        for name, (make, measure) in makers.items():
            if name == "stock pyvis" and size > PYVIS_SIZES:
                yield (f"{size:,}", name, "not tried", *["–"] * 5)
                continue
            page = folder / "graph.html"
            start, cpu = time.perf_counter(), cpu_time()
            make(graph, page)
            elapsed, written = time.perf_counter() - start, cpu_time() - cpu
            browser = launch()
            times = measure(browser, page)
            browser.close()
            yield (
                f"{size:,}",
                name,
                *_cells(times),
                f"{page.stat().st_size / 1e6:.1f} MB",
                f"{written:.1f} s",
                f"{elapsed:.1f} s",
            )


def _cells(times: dict[str, float]) -> Iterator[str]:
    for name, unit in (("picture", "s"), ("click", "s"), ("frame", "ms")):
        value = times.get(name)
        if value is None:
            yield "–"
        elif value == float("inf"):
            yield "never"
        else:
            yield f"{value * 1000:.0f} ms" if unit == "ms" else f"{value:.2f} s"


def main(sizes: tuple[int, ...]) -> None:
    print(
        "| nodes | page | first picture | response to a click | a frame in motion | file | writing (CPU) "
        "| writing (wall-clock time) |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        launch = partial(driver.chromium.launch, executable_path=chromium(), args=FLAGS)
        for row in rows(launch, sizes, Path(folder)):
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
