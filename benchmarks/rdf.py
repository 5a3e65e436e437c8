"""Ours and rdflib side by side in one run: writing, loading, validating and asking a graph.

Run `python benchmarks/rdf.py [TRIPLES]` from the project's root; figures are seconds of CPU.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rdflib

from benchmarks.graphs import synthetic
from exports import ExportOptions, write
from exports.triples import triples
from kg.loading import load
from kg.queries import query
from kg.queries.library import library
from kg.store import opened
from schemas.graph import KnowledgeGraph
from schemas.vocabulary import PREFIXES

T = TypeVar("T")
FORMS = {"ttl": "turtle", "nt": "nt", "jsonld": "json-ld", "rdf": "xml"}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def sized(wanted: int) -> KnowledgeGraph:
    """A synthetic graph of about that many triples."""
    probe = sum(1 for _ in triples(synthetic(1000), ExportOptions()))
    return synthetic(wanted * 1000 // probe)


def line(what: str, ours: float, theirs: float) -> None:
    print(f"{what:28}{ours:10.3f}{theirs:10.2f}{theirs / max(ours, 1e-4):9.0f} x")


def formats(graph: KnowledgeGraph, folder: Path) -> None:
    """Write and load every format with both; rdflib is given the graph that it read."""
    for name, form in FORMS.items():
        path = folder / f"graph.{name}"
        write_ours, _ = timed(lambda path=path, name=name: write(graph, path, name))
        load_theirs, view = timed(lambda path=path, form=form: rdflib.Graph().parse(path, format=form))
        write_theirs, _ = timed(lambda view=view, form=form: view.serialize(folder / "theirs", format=form))
        load_ours, _ = timed(lambda path=path: load(path))
        store_ours, _ = timed(lambda path=path: opened(path, keep=False))
        keep_ours, _ = timed(lambda path=path: opened(path))
        again_ours, _ = timed(lambda path=path: opened(path))
        line(f"write {name}", write_ours, write_theirs)
        line(f"load {name} as records", load_ours, load_theirs)
        line(f"load {name} into a store", store_ours, load_theirs)
        line(f"keep {name} on disk, once", keep_ours, load_theirs)
        line(f"open {name} again", again_ours, load_theirs)


def questions(path: Path) -> None:
    """Ask every named query of both; ours opens the kept store anew for each question."""
    view = rdflib.Graph().parse(path, format="turtle")
    spaces = {prefix: rdflib.Namespace(space) for prefix, space in PREFIXES.items()}
    for named in library():
        ours, _ = timed(lambda named=named: query(path, named.sparql))
        theirs, _ = timed(lambda named=named: list(view.query(named.sparql, initNs=spaces)))
        line(f"@{named.name}", ours, theirs)


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    seconds, graph = timed(lambda: sized(wanted))
    number = sum(1 for _ in triples(graph, ExportOptions()))
    print(f"{number} triples of {graph}, made in {seconds:.1f} s\n{'':28}{'ours':>10}{'rdflib':>10}")
    with tempfile.TemporaryDirectory() as folder:
        formats(graph, Path(folder))
        questions(Path(folder) / "graph.ttl")


if __name__ == "__main__":
    main()
