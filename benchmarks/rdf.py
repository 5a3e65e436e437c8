"""Compare citekg and rdflib in one run: writing, loading and querying a graph.

Run `python benchmarks/rdf.py [TRIPLES [formats|queries]]` from the project's root; figures are CPU
seconds. Writing starts from the records: the figure of rdflib includes adding the triples to its
graph. Queries have two ratios: of the query alone, both in memory; and from the file, where citekg
opens the store on disk for each query and rdflib loads the file. A query of rdflib is stopped after
`TIME_LIMIT` seconds.
"""

from __future__ import annotations

import gc
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rdflib

from benchmarks.graphs import synthetic
from citekg.exports import write
from citekg.exports.rdf.mapping import Literal
from citekg.exports.rdf.triples import triples
from citekg.queries import query, run_query
from citekg.queries.answers import collect_answer
from citekg.queries.library import library
from citekg.queries.store import open_store
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import PREFIXES
from citekg.storage.graph_files import load_graph

T = TypeVar("T")
TIME_LIMIT = 10
RDFLIB_FORMATS = {"ttl": "turtle", "nt": "nt", "jsonld": "json-ld", "rdf": "xml"}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of a call and its result; older objects are not garbage-collected."""
    gc.collect()
    gc.freeze()
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def graph_of_size(wanted: int) -> KnowledgeGraph:
    """Return a synthetic graph of about that many triples."""
    probe = sum(1 for _ in triples(synthetic(1000), ExportOptions()))
    return synthetic(wanted * 1000 // probe)


def line(what: str, ours: float, theirs: float) -> None:
    print(f"{what:28}{ours:10.3f}{theirs:10.2f}{theirs / max(ours, 1e-4):9.0f} x", flush=True)


def to_rdflib(graph: KnowledgeGraph) -> rdflib.Graph:
    """Return the triples of the graph as an rdflib graph."""
    view = rdflib.Graph()
    for subject, predicate, value in triples(graph, ExportOptions()):
        literal = isinstance(value, Literal)
        theirs = (
            rdflib.Literal(value.text, datatype=value.datatype) if literal else rdflib.URIRef(value)
        )
        view.add((rdflib.URIRef(subject), rdflib.URIRef(predicate), theirs))
    return view


def time_limited(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a call, `TIME_LIMIT` if it was stopped."""

    def stop(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise TimeoutError

    signal.signal(signal.SIGPROF, stop)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)
    try:
        work()
    except TimeoutError:
        return TIME_LIMIT
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - start


def formats(graph: KnowledgeGraph, folder: Path) -> None:
    """Write and load every format with both libraries."""
    filled, view = timed(lambda: to_rdflib(graph))
    for name, rdflib_format in RDFLIB_FORMATS.items():
        path = folder / f"graph.{name}"
        write_ours, _ = timed(lambda path=path, name=name: write(graph, path, name))
        load_theirs, _ = timed(
            lambda path=path, rdflib_format=rdflib_format: rdflib.Graph().parse(
                path, format=rdflib_format
            )
        )
        written, _ = timed(
            lambda rdflib_format=rdflib_format: view.serialize(
                folder / "theirs", format=rdflib_format, encoding="utf-8"
            )
        )
        load_ours, _ = timed(lambda path=path: load_graph(path))
        store_ours, _ = timed(lambda path=path: open_store(path, keep=False))
        keep_ours, _ = timed(lambda path=path: open_store(path))
        again_ours, _ = timed(lambda path=path: open_store(path))
        line(f"write {name}", write_ours, filled + written)
        line(f"load {name} as records", load_ours, load_theirs)
        line(f"load {name} into a store", store_ours, load_theirs)
        line(f"keep {name} on disk, once", keep_ours, load_theirs)
        line(f"open {name} again", again_ours, load_theirs)


def compare_queries(graph: KnowledgeGraph, path: Path) -> None:
    """Run every named query with both libraries, with parameter values of the graph."""
    open_store(path)
    store = open_store(path, keep=False)
    load_graph, view = timed(lambda: rdflib.Graph().parse(path, format="turtle"))
    spaces = {prefix: rdflib.Namespace(space) for prefix, space in PREFIXES.items()}
    print(
        f"{'rdflib loads the file':28}{'':20}{load_graph:10.2f}{'alone':>11}{'from the file':>16}"
    )
    for named in library():
        sparql = named.with_values(
            {
                p.name: parameters_of(graph)[p.name]
                for p in named.parameters
                if p.name in parameters_of(graph)
            }
        )
        kept, _ = timed(lambda sparql=sparql: query(path, sparql))
        ours, _ = timed(
            lambda sparql=sparql: run_query(
                store, sparql, lambda results: collect_answer(results, {})
            )
        )
        theirs = time_limited(lambda sparql=sparql: list(view.query(sparql, initNs=spaces)))
        more = ">" if theirs >= TIME_LIMIT else " "
        ratios = f"{theirs / ours:9.0f} x{(load_graph + theirs) / kept:14.0f} x"
        print(f"@{named.name:27}{kept:10.3f}{ours:10.3f} {more}{theirs:8.2f}{ratios}", flush=True)


def parameters_of(graph: KnowledgeGraph) -> dict[str, str]:
    """Return a name and a title of the graph, for the parameters of queries."""
    return {
        "name": graph.entity_by_id[graph.relations[0].entity].name,
        "title": graph.papers[77].title,
    }


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    seconds, graph = timed(lambda: graph_of_size(wanted))
    number = sum(1 for _ in triples(graph, ExportOptions()))
    print(
        f"{number} triples of {graph}, made in {seconds:.1f} s\n{'':28}{'ours':>10}{'rdflib':>10}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        if "queries" not in sys.argv:
            formats(graph, Path(folder))
        if "formats" not in sys.argv:
            write(graph, Path(folder) / "graph.ttl", "ttl")
            compare_queries(graph, Path(folder) / "graph.ttl")


if __name__ == "__main__":
    main()
