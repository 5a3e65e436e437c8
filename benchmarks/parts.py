"""Memory and CPU of all stages after extraction, by number of papers: out of core, or in memory.

    python -m benchmarks.parts PAPERS.jsonl.gz [-n 20000 80000 200000] [--whole]

prints a Markdown table. The papers are extracted once; larger numbers are reached with copies whose
introduced entities are renamed, so that the number of entities also grows. Every row is
measured in a separate process, which writes N-Triples into a temporary folder; its memory excludes
that of the pipeline and the texts.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.extraction import ROOT
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.records import Extraction, Paper, PaperEntity
from citekg.schemas.vocabulary import INTRODUCES
from citekg.sources.keyed_papers import KeyedPaper, PaperKeys, keys_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument(
        "-n", type=int, nargs="+", default=[20_000, 80_000, 200_000], help="how many papers"
    )
    parser.add_argument(
        "--whole", action="store_true", help="assemble one graph and write it, to compare"
    )
    parser.add_argument("--read", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        extractions = extract_cached(args.papers, args.read)
        print(row(extractions, args.n[0], whole=args.whole), flush=True)
        return
    print(
        "| papers | entities | CPU s | ms a paper | memory, MB |\n"
        "| ---: | ---: | ---: | ---: | ---: |",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        extract_cached(args.papers, folder)
        for papers in args.n:
            options = ["-n", str(papers), "--read", folder, *(["--whole"] if args.whole else [])]
            subprocess.run(
                [sys.executable, "-m", "benchmarks.parts", str(args.papers), *options],
                check=True,
                cwd=ROOT,
            )


def extract_cached(papers: Path, cache: str) -> list[Extraction]:
    """Return the extractions of the papers, cached in a folder."""
    from citekg.building.pipeline import extract_all, make_pipeline, process_engine, read_papers
    from citekg.storage.folders import open_folder

    found, _ = read_papers([str(papers)])
    with open_folder(cache) as folder:
        return list(
            extract_all(
                make_pipeline(), found, lambda _done, _total: None, process_engine(2), folder
            )
        )


class Copies(Collection[Paper]):
    """A collection of `size` papers: the extracted ones, then copies of them, sorted by id.

    A build reads the papers of a shard without those before it, as it does for input files.
    """

    def __init__(self, extractions: list[Extraction], size: int) -> None:
        self.papers, self.size = [one.paper for one in extractions], size

    def __len__(self) -> int:
        return self.size

    def __contains__(self, paper: object) -> bool:
        return any(paper == other for other in self)

    def __iter__(self) -> Iterator[Paper]:
        return self.beginning_at(0)

    def beginning_at(self, place: int) -> Iterator[Paper]:
        """Yield the papers from a place on."""
        for at in range(place, self.size):
            number, original = divmod(at, len(self.papers))
            yield copy_of(self.papers[original], number)

    def keys(self) -> PaperKeys:
        """Return the keys of all papers (`StoresKeys`)."""
        return keys_of(self.beginning_at(0))

    def keyed(self, first: int = 0) -> Iterator[KeyedPaper]:
        """Yield the papers from a number on with their keys (`StoresKeys`)."""
        return map(KeyedPaper.of, self.beginning_at(first))


def copy_of(paper: Paper, number: int) -> Paper:
    return replace(paper, id=f"{number:04}-{paper.id}", abstract=f"{paper.abstract} {number}")


@dataclass(frozen=True)
class PrecomputedPipeline(ExtractionPipeline):
    """A pipeline that returns precomputed extractions, by the id of the paper."""

    by_paper: Mapping[str, Extraction] = field(default_factory=dict)

    def extract_all(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """Yield the extraction of each paper."""
        return map(self.extract, papers)

    def extract(self, paper: Paper) -> Extraction:
        """Return the extraction of the paper that this one is a copy of."""
        number, _, name = paper.id.partition("-")
        original = self.by_paper[name]
        entities = tuple(renamed(e, number) for e in original.entities)
        return replace(original, paper=paper, entities=entities)


def renamed(entity: PaperEntity, number: str) -> PaperEntity:
    if not any(role == INTRODUCES for role, _, _ in entity.roles):
        return entity
    return replace(entity, key=f"{entity.key}-{number}", name=f"{entity.name}-{number}")


def row(extractions: list[Extraction], size: int, *, whole: bool) -> str:
    from citekg.building.out_of_core.target import PartitionTarget
    from citekg.building.pipeline import build_graph, build_out_of_core
    from citekg.exports import write
    from citekg.storage.folders import LocalFolder

    papers = Copies(extractions, size)
    pipeline = PrecomputedPipeline(by_paper={one.paper.id: one for one in extractions})
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        if whole:
            graph = build_graph(papers, pipeline, cache=f"{folder}/readings").graph
            write(graph, Path(folder, "graph.nt"), "nt")
            entities = len(graph.entities)
        else:
            _, counts = build_out_of_core(
                papers, pipeline, PartitionTarget(LocalFolder(Path(folder)), ("nt",))
            )
            entities = counts.types.total()
    cpu = time.process_time() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return f"| {size:,} | {entities:,} | {cpu:.0f} | {1000 * cpu / size:.2f} | {memory:.0f} |"


if __name__ == "__main__":
    main()
