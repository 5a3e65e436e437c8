"""File sizes and run times of the exports of a large graph: `python -m benchmarks.exports`.

The graph is synthetic: 100,000 nodes (40,000 papers, 60,000 names) and 500,000 edges (400,000 relations,
100,000 links). Each format is written by citekg and read by the usual library.
"""

from __future__ import annotations

import io
import random
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citekg.exports import EXPORTERS, write
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Link, Paper, Relation, Run

PAPERS, ENTITIES, RELATIONS, LINKS = 40_000, 60_000, 400_000, 100_000
ROLES = ("uses", "extends", "mentions", "comparesTo", "evaluatesOn")


def synthetic_graph() -> KnowledgeGraph:
    """Return a graph of that size; it is the same in every run."""
    rng = random.Random(1)
    papers = [Paper(f"2401.{n:05}", f"A paper about {n} made-up things", "") for n in range(PAPERS)]
    entities = [
        Entity(f"name-{n}", f"Name-{n}", "Method", types=(("Method", 1),)) for n in range(ENTITIES)
    ]
    pairs: set[tuple[int, int, str]] = set()
    while len(pairs) < RELATIONS:
        pairs.add((rng.randrange(PAPERS), rng.randrange(ENTITIES), rng.choice(ROLES)))
    relations = [
        Relation(papers[p].id, role, entities[e].id, rng.randrange(50, 100) / 100, ())
        for p, e, role in pairs
    ]
    links = {
        (rng.randrange(PAPERS), rng.randrange(PAPERS), rng.randrange(ENTITIES))
        for _ in range(LINKS)
    }
    return KnowledgeGraph.of(
        papers=papers,
        entities=entities,
        mentions=(),
        relations=relations,
        links=[
            Link(papers[a].id, "cites", papers[b].id, entities[e].id, 0.5, ()) for a, b, e in links
        ],
        run=Run("citekg", "0", "c" * 64, "i" * 64),
    )


def read_parquet(path: Path) -> Any:
    import pandas as pd

    with zipfile.ZipFile(path) as archive:
        return {
            name: pd.read_parquet(io.BytesIO(archive.read(name))) for name in archive.namelist()
        }


def read_csv(path: Path) -> Any:
    import pandas as pd

    with zipfile.ZipFile(path) as archive:
        return {name: pd.read_csv(io.BytesIO(archive.read(name))) for name in archive.namelist()}


def read_graphml(path: Path) -> Any:
    import networkx as nx

    return nx.read_graphml(path, force_multigraph=True)


def read_graphml_igraph(path: Path) -> Any:
    import igraph

    return igraph.Graph.Read_GraphML(str(path))


def read_json(path: Path) -> Any:
    import json

    import networkx as nx

    return nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")


READERS: dict[str, tuple[tuple[str, Callable[[Path], Any]], ...]] = {
    "parquet": (("pandas", read_parquet),),
    "csv": (("pandas", read_csv),),
    "json": (("networkx", read_json),),
    "graphml": (("igraph", read_graphml_igraph), ("networkx", read_graphml)),
}


def timed(work: Callable[[], Any]) -> float:
    """Return the CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    graph = synthetic_graph()
    with TemporaryDirectory() as folder:
        print("| format | size | written | read |\n|---|---:|---:|---|")
        for name, readers in READERS.items():
            path = Path(folder) / f"graph{EXPORTERS[name].suffix}"
            seconds = timed(lambda path=path, name=name: write(graph, path, name))
            reads = [
                f"{timed(lambda path=path, read=read: read(path)):.1f} s ({by})"
                for by, read in readers
            ]
            size = path.stat().st_size / 1e6
            print(
                f"| `{name}` | {size:.1f} MB | {seconds:.1f} s | {', '.join(reads)} |", flush=True
            )


if __name__ == "__main__":
    main()
