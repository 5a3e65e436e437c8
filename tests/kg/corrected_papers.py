"""Three short papers for tests of corrections of types and merges."""

from __future__ import annotations

import json
from pathlib import Path

from tests.kg.commands import run_cli

PAPERS = (
    {
        "id": "2401.00001",
        "title": "Kite Search: planning with kites",
        "abstract": "We propose Kite Search, a planning method. Kite Search outperforms PPO on NestBench.",
    },
    {
        "id": "2402.00002",
        "title": "Flying higher",
        "abstract": "We use KiteSearch, a tethered optimizer, and evaluate on NestBench. Our agent extends PPO.",
    },
    {
        "id": "2403.00003",
        "title": "NestBench: tasks for birds",
        "abstract": "We introduce NestBench, a benchmark of 300 tasks. We compare Kite Search with PPO.",
    },
)


def write_papers(folder: Path) -> Path:
    """Write the papers as JSON lines and return the file."""
    file = folder / "papers.jsonl"
    lines = [json.dumps(paper | {"date": "2024"}) for paper in PAPERS]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def build(folder: Path, *options: str) -> Path:
    """Run `kg build` on the papers and return the folder of its output."""
    out = folder / "out"
    result = run_cli("build", write_papers(folder), "-o", out, *options)
    assert result.exit_code == 0, result.output
    return out
