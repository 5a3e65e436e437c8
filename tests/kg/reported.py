"""A hand-written graph of papers with reported results, comparisons and an uncertain result."""

from __future__ import annotations

from citekg.graph.graph import Graph
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Mention, Paper, Relation, Result, ResultName, Run

ENTITIES = {
    "Lake-Bench": Entity("lake-bench", "Lake-Bench", "Benchmark", ("LakeBench",)),
    "Kite": Entity("kite", "Kite", "Method"),
    "Heron": Entity("heron", "Heron", "Model"),
    "PondSet": Entity("pondset", "PondSet", "Dataset"),
}


def _paper(at: int, title: str, abstract: str, date: str) -> Paper:
    return Paper(f"p{at}", title, abstract, date)


KITE = _paper(
    1,
    "Kite: planning above water",
    "Kite reaches an accuracy of 82.1% on Lake-Bench. It improves accuracy on PondSet by 4.3 points"
    " over Heron. Training time falls by 30%.",
    "2024-05-02",
)
HERON = _paper(
    2,
    "Heron models",
    "On LakeBench, Heron improves accuracy from 71% to 78.5%. It needs 10x fewer samples than Kite.",
    "2024-01-15",
)
WADER = _paper(
    3,
    "Wading with <b>Kite</b> & friends",
    "Kite reaches 85.0% accuracy on Lake-Bench with a latency of 40 ms, and Heron 60 ms."
    " Kite has 2.5 ripples on Lake-Bench, later 3.5 ripples.",
    "2025-03",
)
PAPERS = (KITE, HERON, WADER)


def result(
    paper: Paper,
    value: str,
    metric: str,
    on: str = "",
    systems: str = "",
    versus: str = "",
    *,
    change: str = "",
    previous: str = "",
    confidence: float = 0.9,
) -> Result:
    """Return the result of a value in a paper's text; names are separated by commas."""
    start = paper.text.index(value)
    begin = max(paper.text.rfind(sign, 0, start) + len(sign) for sign in ("\n", ". "))
    end = paper.text.find(". ", start)
    return Result(
        paper.id,
        start,
        start + len(value),
        value,
        "change" if change else "score",
        change,
        metric,
        _names(on),
        _names(systems),
        _names(versus),
        previous,
        (begin, len(paper.text) if end < 0 else end + 1),
        confidence,
    )


def _names(listed: str) -> tuple[ResultName, ...]:
    return tuple(
        ResultName(name, _entity(name)) for name in filter(None, map(str.strip, listed.split(",")))
    )


def _entity(name: str) -> str:
    return next((e.id for e in ENTITIES.values() if name in e.names), "")


RESULTS = (
    result(KITE, "82.1%", "accuracy", "Lake-Bench", "Kite"),
    result(KITE, "4.3 points", "accuracy", "PondSet", "Kite", "Heron", change="up"),
    result(KITE, "30%", "training time", "", "Kite", change="down"),
    result(HERON, "78.5%", "Accuracy", "LakeBench", "Heron", previous="71%"),
    result(HERON, "10x", "samples", "", "Heron", "Kite", change="down", confidence=0.4),
    result(WADER, "85.0%", "accuracy", "Lake-Bench", "Kite"),
    result(WADER, "40 ms", "latency", "Lake-Bench", "Kite"),
    result(WADER, "60 ms", "latency", "Lake-Bench", "Heron"),
    result(WADER, "2.5", "ripples", "Lake-Bench", "Kite"),
    result(WADER, "3.5", "ripples", "Lake-Bench", "Kite"),
)


def _mentions() -> tuple[Mention, ...]:
    found = []
    for paper in PAPERS:
        for entity in ENTITIES.values():
            surface = next((n for n in entity.names if n in paper.text), "")
            if surface:
                start = paper.text.index(surface)
                span = (start, start + len(surface))
                found.append(
                    Mention(paper.id, entity.id, *span, surface, entity.type, span, "lexicon", 0.9)
                )
    return tuple(found)


def reported_graph() -> Graph:
    """Return the graph of these papers, entities and results."""
    mentions = _mentions()
    relations = (
        Relation(
            m.paper, "uses" if m.type != "Benchmark" else "evaluatesOn", m.entity, 0.9, (m.id,)
        )
        for m in mentions
    )
    return Graph.wrap(
        KnowledgeGraph.of(
            papers=PAPERS,
            entities=ENTITIES.values(),
            mentions=mentions,
            relations=relations,
            links=(),
            run=Run("citekg", "0.1.0", "c" * 64, "1" * 64),
            results=RESULTS,
        )
    )
