"""Draw the learning curve of docs/learning.md: `python docs/learning_curve.py` from the root.

It reads docs/learning-curve.json, which `benchmarks.learning_curve` writes, and writes
docs/learning-curve.svg. The colours follow the reader's light or dark mode.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
WIDTH, HEIGHT = 680, 360
LEFT, RIGHT, TOP, BOTTOM = 64, 500, 44, 304
STYLE = """
 .ground { fill: #ffffff } text { fill: #24292f; font: 13px system-ui, sans-serif }
 .title { font-weight: 600 } .grid { stroke: #d0d7de } .axis { stroke: #57606a }
 .fields { stroke: #0969da; fill: #0969da } .dev { stroke: #bc4c00; fill: #bc4c00 }
 polyline { fill: none !important; stroke-width: 2 } .all { stroke-dasharray: 5 4 }
 text.fields, text.dev { stroke: none }
 @media (prefers-color-scheme: dark) {
  .ground { fill: #1e2129 } text { fill: #e6edf3 } .grid { stroke: #3d444d }
  .axis { stroke: #9198a1 } .fields { stroke: #58a6ff; fill: #58a6ff }
  .dev { stroke: #f0883e; fill: #f0883e }
 }
"""
#: The curves: figure, class and label.
CURVES = (("dev F1", "dev", "machine learning"), ("fields F1", "fields", "other fields"))

Row = dict[str, float]


def picture(figures: dict[str, Any]) -> str:
    """Return the picture of the measured figures, as SVG."""
    rows: list[Row] = figures["other fields learnt"]
    trained: Row = figures["trained on all"]
    values = [row[name] for row in (*rows, trained) for name, _, _ in CURVES]
    low, high = math.floor(min(values) * 20) / 20, math.ceil(max(values) * 20) / 20
    most = rows[-1]["papers"]

    def x(papers: float) -> float:
        return LEFT + (RIGHT - LEFT) * math.sqrt(papers / most)

    def y(value: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low)

    parts = [
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
        text(LEFT, 24, "Typed F1 after kg learn", "title"),
    ]
    for step in range(round((high - low) * 20) + 1):
        value = low + step / 20
        parts += [line("grid", LEFT, y(value), RIGHT, y(value))]
        parts += [text(LEFT - 8, y(value) + 4, f"{value:.2f}", anchor="end")]
    parts.append(line("axis", LEFT, BOTTOM, RIGHT, BOTTOM))
    for row in rows:
        parts.append(line("axis", x(row["papers"]), BOTTOM, x(row["papers"]), BOTTOM + 5))
        parts.append(text(x(row["papers"]), BOTTOM + 20, f"{row['papers']:.0f}", anchor="middle"))
    middle = (LEFT + RIGHT) / 2
    parts.append(text(middle, BOTTOM + 42, "annotated papers of other fields", anchor="middle"))
    for name, kind, label in CURVES:
        points = [(x(row["papers"]), y(row[name])) for row in rows]
        parts += curve(kind, points)
        level = y(trained[name])
        parts.append(line(f"{kind} all", LEFT, level, RIGHT, level))
        above = min(points[-1][1], level) - 4
        below = max(points[-1][1], level) + 14
        tuned, whole = (above, below) if points[-1][1] <= level else (below, above)
        parts.append(text(RIGHT + 10, tuned, f"{label}, learnt", kind))
        parts.append(text(RIGHT + 10, whole, "trained on all papers", kind))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
        f"<title>Learning curve of kg learn</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


def curve(kind: str, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Yield a line through points, and the points."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline class="{kind}" points="{path}"/>'
    for x, y in points:
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a line; lengths are in pixels."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Return words at a place, in pixels."""
    of_kind = f' class="{kind}"' if kind else ""
    return f'<text{of_kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words, quote=False)}</text>'


if __name__ == "__main__":
    figures = json.loads((DOCS / "learning-curve.json").read_text(encoding="utf-8"))
    (DOCS / "learning-curve.svg").write_text(picture(figures), encoding="utf-8")
