"""Memory and CPU of all that comes after reading, by number of papers: in parts, and as one graph.

    python -m benchmarks.parts PAPERS.jsonl.gz [-n 20000 80000 200000] [--whole]

prints a Markdown table. The papers are read once; beyond their number they come again as copies, in which what a
paper introduces has another name, so that the number of things grows too. Every row is a process of its own, which
writes N-Triples into a folder that is thrown away; its memory is what it comes to hold beyond reader and texts.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from citekg.schemas.records import Extraction, Paper, PaperEntity
from citekg.schemas.vocabulary import INTRODUCES

from benchmarks.extraction import ROOT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument("-n", type=int, nargs="+", default=[20_000, 80_000, 200_000], help="how many papers")
    parser.add_argument("--whole", action="store_true", help="assemble one graph and write it, to compare")
    parser.add_argument("--read", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        print(row(readings_of(args.papers, args.read), args.n[0], whole=args.whole), flush=True)
        return
    print("| papers | things | CPU s | ms a paper | memory, MB |\n| ---: | ---: | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        readings_of(args.papers, folder)
        for papers in args.n:
            how = ["-n", str(papers), "--read", folder, *(["--whole"] if args.whole else [])]
            subprocess.run([sys.executable, "-m", "benchmarks.parts", str(args.papers), *how], check=True, cwd=ROOT)


def readings_of(papers: Path, kept: str) -> list[Extraction]:
    """The papers, each read, once: they are kept in a folder."""
    from citekg.building.pipeline import extract_all, make_pipeline, make_runner, read_papers
    from citekg.storage.folders import open_folder

    found, _ = read_papers([str(papers)])
    with open_folder(kept) as folder:
        return list(extract_all(make_pipeline(), found, lambda _done, _total: None, make_runner(2), folder))


class Copies(Collection[Paper]):
    """So many papers: the ones that were read, then copies of them."""

    def __init__(self, read: list[Extraction], size: int) -> None:
        self.read, self.size = read, size

    def __len__(self) -> int:
        return self.size

    def __contains__(self, paper: object) -> bool:
        return any(paper == other for other in self)

    def __iter__(self) -> Iterator[Paper]:
        every = (copied(reading.paper, number) for number in count() for reading in self.read)
        return islice(every, self.size)


def copied(paper: Paper, number: int) -> Paper:
    return replace(paper, id=f"{number:04}-{paper.id}", abstract=f"{paper.abstract} {number}")


class Remembering:
    """A reader that has read everything."""

    def __init__(self, read: list[Extraction]) -> None:
        from citekg.building.pipeline import make_pipeline

        self.__dict__.update(vars(make_pipeline()))
        self.by_paper = {reading.paper.id: reading for reading in read}

    def read(self, paper: Paper) -> Extraction:
        """What was found in the paper, or in the one that it is a copy of."""
        number, _, name = paper.id.partition("-")
        reading = self.by_paper[name]
        return replace(reading, paper=paper, entities=tuple(renamed(e, number) for e in reading.entities))


def renamed(entity: PaperEntity, number: str) -> PaperEntity:
    if not any(role == INTRODUCES for role, _, _ in entity.roles):
        return entity
    return replace(entity, key=f"{entity.key}-{number}", name=f"{entity.name}-{number}")


def row(extract_all: list[Extraction], size: int, *, whole: bool) -> str:
    from citekg.building.out_of_core.target import PartitionTarget
    from citekg.building.pipeline import build_graph, build_out_of_core
    from citekg.exports import write
    from citekg.storage.folders import LocalFolder

    papers, reader = Copies(extract_all, size), Remembering(extract_all)
    reading: Any = reader
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        if whole:
            graph = build_graph(papers, reading, cache=f"{folder}/readings").graph
            write(graph, Path(folder, "graph.nt"), "nt")
            things = len(graph.entities)
        else:
            _, counts = build_out_of_core(papers, reading, PartitionTarget(LocalFolder(Path(folder)), ("nt",)))
            things = counts.types.total()
    cpu = time.process_time() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return f"| {size:,} | {things:,} | {cpu:.0f} | {1000 * cpu / size:.2f} | {memory:.0f} |"


if __name__ == "__main__":
    main()
