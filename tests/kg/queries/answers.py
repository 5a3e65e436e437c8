"""The expected answers of the named queries on the sample graph with additional relations."""

from __future__ import annotations

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Relation
from tests.sample import FEATHERS, NEST, QUILL, STUB, sample_graph

#: The parameter values and the expected answer: all rows, as the text of their cells.
ANSWERS = {
    "adoption": ({"name": "ppo"}, "2024 1 1"),
    "authors": ({}, "Bo \\ Li 2 * / Ada Ünal 1 Quill / Zoë Ångström 1 Quill"),
    "baselines-only": ({}, "Qwen2.5 1"),
    "benchmarks-of": ({"name": "Proximal policy optimization"}, "HumanEval 1 / HumanEval+ 1"),
    "cited-papers": ({"limit": "1"}, f"{QUILL.title} 3 1 1 0 2"),
    "citing": ({"title": "nestbench, a"}, "Fledge usesDataFrom NestBench 0.6"),
    "claims-against": (
        {"name": "quill"},
        r"Fledge 82.5\% accuracy NestBench Fledge 2025",
    ),
    "co-use": (
        {"one": "Benchmark", "other": "Method", "limit": "3"},
        "HumanEval Quill 2 / NestBench Quill 2 / HumanEval PPO 1",
    ),
    "compared-with": ({}, "Quill PPO 1 1 / Fledge Quill 1 0 / FeatherSet Qwen2.5 1 0"),
    "contested-names": ({}, "Quill 2 *"),
    "contested-types": (
        {},
        "HumanEval Benchmark Dataset 1 / Quill Method Benchmark 1 / Quill Method Model 1",
    ),
    "descendants": ({"title": NEST.title}, "Fledge 2025"),
    "doubtful": (
        {"limit": "2"},
        f"0 {NEST.title} uses 强化学习 / 0.1 {FEATHERS.title} comparesTo Qwen2.5",
    ),
    "evaluated-on": ({"name": "HumanEval-Plus"}, f"{QUILL.title} 2024-01-02 HumanEval+ Quill"),
    "family": ({}, "Qwen2.5 1 / Qwen2.5-VL Qwen2.5 0 / Qwen2.5-VL-7B Qwen2.5-VL 1"),
    "introductions": ({"type": "Dataset"}, f"FeatherSet {FEATHERS.title} 2024"),
    "leaderboard": (
        {"name": "nestbench"},
        r"accuracy % 82.5\% Fledge Quill Fledge 2025 Fledge reaches 82.5\% accuracy on NestBench, QUILL 78\%."
        r' / accuracy % 78\% Quill  70 "%" Fledge 2025 Fledge reaches 82.5\% accuracy on NestBench, QUILL 78\%.'
        " / memory % 30-40% down Fledge C++ Fledge 2025 It cuts memory by 30-40% over C++.",
    ),
    "lineage": ({}, f"Quill PPO {QUILL.title} 2024-01-02 / Fledge Quill Fledge 2025"),
    "margins": ({"limit": "1"}, "Fledge C++ 30-40% memory *"),
    "metrics": ({"limit": "1"}, "NestBench accuracy 2 1"),
    "models-with-benchmarks": ({}, "Qwen2.5-VL-7B HumanEval 1 / Qwen2.5-VL-7B HumanEval+ 1"),
    "names-by-year": ({"least": "3"}, "2024 Quill 3"),
    "never-reused": ({"type": "Method"}, "Fledge Fledge 2025"),
    "outperformed": ({}, "PPO 1 1"),
    "paper": (
        {"title": "fledge"},
        f"Fledge cites {NEST.title} / Fledge cites {QUILL.title} / Fledge comparesTo Quill"
        " / Fledge evaluatesOn NestBench / Fledge extends Quill / Fledge introduces Fledge / Fledge mentions C++",
    ),
    "papers-using": ({"name": "QWEN2.5"}, f"{QUILL.title} 2024-01-02 uses Qwen2.5-VL-7B"),
    "provenance": (
        {"name": "HumanEval+"},
        f"{QUILL.title} evaluatesOn 0.8 HumanEval+ 120"
        " Quill is tested on HumanEval+ and on HumanEval, where it outperforms PPO.",
    ),
    "references": (
        {"title": QUILL.title},
        f"{QUILL.title} has the reference {STUB.title} 2017 / {QUILL.title} is a reference of Fledge 2025"
        f" / {QUILL.title} is a reference of {NEST.title} 2024-02",
    ),
    "unlisted-links": (
        {},
        f"Fledge usesDataFrom {NEST.title} NestBench 0.6 / {NEST.title} usesDataFrom {FEATHERS.title} FeatherSet 0.6",
    ),
    "replacements": ({}, f"Fledge Quill Fledge 2025 / Quill PPO {QUILL.title} 2024-01-02"),
    "reported-gains": (
        {"metric": "memory", "unit": "%", "direction": "down"},
        "30-40% Fledge C++ *",
    ),
    "results-by-year": (
        {"name": "nestbench"},
        "2025 accuracy % score 2 78 82.5 / 2025 memory % change 1 30 40",
    ),
    "results-of": ({"name": "QUILL"}, 'NestBench accuracy % 78\\%  70 "%" Fledge 2025'),
    "shared-benchmarks": ({}, f"{QUILL.title} {NEST.title} 1 HumanEval"),
    "spellings": ({"name": "FeatherSet"}, "FeatherSet 3 2"),
    "top-methods": ({"limit": "2"}, "Quill 4 3 / Fledge 1 1"),
    "training-data": ({}, "FeatherSet 1"),
    "overview": (
        {},
        "methods 7 / papers 4 / stubs 1 / roles: introduces 6 / benchmarks 3 / datasets 1 / models 3 / links: cites 1"
        " / links: extends 2 / links: usesDataFrom 2 / links: usesMethodIn 1 / roles: comparesTo 2"
        " / roles: evaluatesOn 4 / roles: extends 2 / roles: mentions 4 / roles: outperforms 1 / roles: trainsOn 1"
        " / roles: uses 3 / references 3",
    ),
}


def answered_graph() -> KnowledgeGraph:
    """The sample, with a contested name, a shared benchmark and a model that is a baseline only."""
    sample = sample_graph()
    more = (
        Relation(NEST.id, "introduces", "quill", 0.9, ()),
        Relation(NEST.id, "evaluatesOn", "humaneval", 0.9, ()),
        Relation(FEATHERS.id, "comparesTo", "qwen2.5", 0.1, ()),
    )
    return KnowledgeGraph.of(
        papers=sample.papers,
        entities=sample.entities,
        mentions=sample.mentions,
        relations=(*sample.relations, *more),
        links=sample.links,
        run=sample.run,
        stubs=sample.stubs,
        introductions=sample.introductions,
        results=sample.results,
    )
