"""Throughput, CPU and memory of `kg build` by number of papers and workers.

    python -m benchmarks.building PAPERS.jsonl.gz [-n 500 5000 20000] [--workers 1 2] [--plot docs/building.svg]
        [--partitioned]

prints a Markdown table. Every build starts in a new folder without a cache, and writes Turtle and
JSON, or partitioned N-Triples and Parquet. Memory is the peak proportional set size (PSS) of all its
processes, sampled five times a second. Needs psutil; the plot needs matplotlib.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.extraction import ONE_THREAD, ROOT, distinct, read_lines

SAMPLING_SECONDS = 0.2


@dataclass(frozen=True)
class Build:
    """The cost of a build: wall-clock and CPU seconds, and peak memory in MB."""

    papers: int
    workers: int
    wall: float
    cpu: float
    memory: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument(
        "-n", type=int, nargs="+", default=[500, 5000, 20000], help="how many papers"
    )
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--plot", type=Path, help="an SVG file to draw")
    parser.add_argument(
        "--partitioned",
        action="store_true",
        help="write in parts, never holding the graph as a whole",
    )
    args = parser.parse_args()
    if args.plot and not find_spec("matplotlib"):
        parser.error("--plot needs matplotlib: pip install matplotlib")
    lines = list(itertools.islice(distinct(read_lines(args.papers)), max(args.n)))
    print(
        "| papers | workers | seconds | papers a second | CPU ms a paper | memory, MB |", flush=True
    )
    print("| ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    builds = []
    for papers, workers in itertools.product(args.n, args.workers):
        builds.append(build(lines[:papers], workers, partitioned=args.partitioned))
        print(row(builds[-1]), flush=True)
    if args.plot:
        draw(builds, args.plot)


def row(done: Build) -> str:
    rate, each = done.papers / done.wall, 1000 * done.cpu / done.papers
    return f"| {done.papers:,} | {done.workers} | {done.wall:.0f} | {rate:.0f} | {each:.1f} | {done.memory:.0f} |"


def build(lines: list[str], workers: int, *, partitioned: bool) -> Build:
    """Build a graph of the papers in a temporary folder and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        papers = Path(folder, "papers.jsonl")
        papers.write_text("".join(lines), encoding="utf-8")
        command = [sys.executable, "-m", "citekg", "build", str(papers), "-o", f"{folder}/out"]
        command += (
            ["--partitioned", f"{folder}/parts", "-f", "nt", "-f", "parquet"]
            if partitioned
            else ["-f", "ttl", "-f", "json"]
        )
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT)}
        running = subprocess.Popen(
            [*command, "--workers", str(workers)],
            stdout=subprocess.DEVNULL,
            env=environment,
            cwd=ROOT,
        )
        memory = 0.0
        while running.poll() is None:
            memory = max(memory, memory_of(running.pid))
            time.sleep(SAMPLING_SECONDS)
        if running.returncode:
            raise SystemExit(f"kg build ended with {running.returncode}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Build(len(lines), workers, time.perf_counter() - start, cpu, memory)


def memory_of(process: int) -> float:
    """Return the memory (PSS) of a process and its descendants in MB."""
    import psutil

    total = 0
    try:
        family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
    except psutil.Error:
        return 0.0
    for member in family:
        try:
            total += member.memory_full_info().pss
        except psutil.Error:
            continue
    return total / 1e6


def draw(builds: list[Build], file: Path) -> None:
    """Plot throughput and memory by number of papers, with a line per number of workers."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "citekg"
    from matplotlib import pyplot as plt

    figure, (rate, memory) = plt.subplots(1, 2, figsize=(9, 3.2))
    for workers in sorted({b.workers for b in builds}):
        selected = [b for b in builds if b.workers == workers]
        label = f"{workers} worker{'s' * (workers > 1)}"
        rate.plot(
            [b.papers for b in selected],
            [b.papers / b.wall for b in selected],
            marker="o",
            label=label,
        )
        memory.plot(
            [b.papers for b in selected], [b.memory for b in selected], marker="o", label=label
        )
    for axes, what in ((rate, "papers a second"), (memory, "MB of memory")):
        axes.set(
            xlabel="papers", title=what, ylim=(0, None), xticks=sorted({b.papers for b in builds})
        )
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.grid(alpha=0.3)
        axes.legend()
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    main()
