"""A small hand-made graph with every feature that an export must preserve.

Four papers and a stub about fictitious and real entities: hostile characters, a family of models,
ambiguous types, several pieces of evidence for one relation, links of every kind.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from citekg.graph.graph import Graph
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import key, slug
from citekg.schemas.records import (
    Entity,
    Introduction,
    Link,
    Mention,
    Paper,
    Relation,
    Result,
    ResultName,
    Run,
    Source,
)

QUILL = Paper(
    id="2401.00001",
    title='Quill: a "reward-free" C# policy 🪶',
    abstract=(
        "We propose Quill, a planner that extends PPO\tand needs no critic. "
        "Quill is tested on HumanEval+ and on HumanEval, where it outperforms PPO. "
        "Its backbone is Qwen2.5-VL-7B."
    ),
    date="2024-01-02",
    authors=("Zoë Ångström", "Bo \\ Li", "Ada Ünal"),
    url="https://arxiv.example/abs/2401.00001?a=1&b=<2>",
    arxiv_id="2401.00001",
    venue="Workshop on Feathers & Policies",
    sources=(Source("dumps/page one.txt", 12), Source("extra.jsonl.gz", 3)),
    doi="10.1000/quill_<1>&2",
    links=("https://code.example/quill?a=1&b=<2>", "https://openalex.org/W1000001"),
    references=("arxiv:1706.00001", "arxiv:math.GT/0309136", "doi:10.1000/a%20<b>;c", "s2:2718"),
)
NEST = Paper(
    id="2402.00002v2",
    title="NestBench, a benchmark of birds’ nests",
    abstract="NestBench holds 300 tasks. Quill and 强化学习 solve it; we train on FeatherSet.",
    date="2024-02",
    authors=("Bo \\ Li",),
    sources=(Source("dumps/page one.txt", 40),),
    references=("doi:10.1000/quill_<1>&2", "openalex:W1000001"),
)
FLEDGE = Paper(
    id="d-C++ & <fledgling>/é#1",
    title="Fledge",
    abstract=(
        "Fledge builds on Quill. We report NestBench results, compare with Quill, and name C++. "
        "Fledge reaches 82.5\\% accuracy on NestBench, QUILL 78\\%. It cuts memory by 30-40% over C++."
    ),
    date="2025",
    sources=(Source("-", 1),),
    references=("arxiv:2401.00001", "openalex:W9"),
)
FEATHERS = Paper(
    id="2403.00003",
    title="FeatherSet: one million feathers.",
    abstract="FeatherSet is new. Related work: Quill, et al.",
    date="2024",
    url="no url at all",
    sources=(Source("extra.jsonl.gz", 4), Source("extra.jsonl.gz", 9)),
)
STUB = Paper(
    id="ppo",
    title="Proximal Policy Optimization Algorithms",
    abstract="",
    date="2017",
    arxiv_id="1706.00001",
)


def _entity(
    name: str, type_: str, *aliases: str, also: tuple[tuple[str, int], ...] = (), family: str = ""
) -> Entity:
    types = ((type_, 2), *also)
    return Entity(
        slug(key(name)),
        name,
        type_,
        tuple(sorted(aliases)),
        types,
        slug(key(family)) if family else "",
    )


ENTITIES = (
    _entity("Quill", "Method", "QUILL", also=(("Model", 1), ("Benchmark", 1))),
    _entity("PPO", "Method", "Proximal Policy Optimization", 'the "clip" method'),
    _entity("HumanEval", "Benchmark", also=(("Dataset", 1),)),
    _entity("HumanEval+", "Benchmark", "HumanEval-plus"),
    _entity("NestBench", "Benchmark"),
    _entity("FeatherSet", "Dataset"),
    _entity("强化学习", "Method"),
    _entity("C#", "Method"),
    _entity("C++", "Method"),
    _entity("et al.", "Method"),
    _entity("Fledge", "Method", "Fledge 🐣"),
    _entity("Qwen2.5-VL-7B", "Model", family="Qwen2.5-VL"),
    _entity("Qwen2.5-VL", "Model", family="Qwen2.5"),
    Entity("qwen2.5", "Qwen2.5", "Model", hidden_names=("Tongyi Qwen 2.5",)),
)


def _mention(
    paper: Paper, surface: str, type_: str, nth: int = 0, confidence: float = 0.9
) -> Mention:
    """Return the mention of the nth occurrence of a surface form in the paper's text."""
    start = -1
    for _ in range(nth + 1):
        start = paper.text.index(surface, start + 1)
    sentence = (_sentence_start(paper, start), _sentence_end(paper, start + len(surface)))
    entity = slug(key(surface))
    return Mention(
        paper.id,
        entity,
        start,
        start + len(surface),
        surface,
        type_,
        sentence,
        "lexicon",
        confidence,
    )


def _sentence_start(paper: Paper, start: int) -> int:
    body = len(paper.title) + 1
    return max(body, paper.text.rfind(". ", 0, start) + 2) if start >= body else 0


def _sentence_end(paper: Paper, end: int) -> int:
    if end <= len(paper.title):
        return len(paper.title)
    found = paper.text.find(". ", end)
    return len(paper.text) if found < 0 else found + 1


MENTIONS = (
    _mention(QUILL, "Quill", "Method", 0, 1.0),
    _mention(QUILL, "C#", "Method", 0, 0.125),
    _mention(QUILL, "Quill", "Method", 1),
    _mention(QUILL, "PPO", "Method", 0),
    _mention(QUILL, "Quill", "Model", 2, 0.5),
    _mention(QUILL, "HumanEval+", "Benchmark"),
    _mention(QUILL, "HumanEval", "Dataset", 1),
    _mention(QUILL, "PPO", "Method", 1, 0.0000001),
    _mention(QUILL, "Qwen2.5-VL-7B", "Model"),
    _mention(NEST, "NestBench", "Benchmark"),
    _mention(NEST, "Quill", "Method"),
    _mention(NEST, "强化学习", "Method"),
    _mention(NEST, "FeatherSet", "Dataset"),
    _mention(FLEDGE, "Fledge", "Method"),
    _mention(FLEDGE, "Quill", "Benchmark"),
    _mention(FLEDGE, "NestBench", "Benchmark"),
    _mention(FLEDGE, "Quill", "Method", 1),
    _mention(FLEDGE, "C++", "Method"),
    _mention(FEATHERS, "FeatherSet", "Dataset", 0),
    _mention(FEATHERS, "FeatherSet", "Dataset", 1),
    _mention(FEATHERS, "Quill", "Method"),
    _mention(FEATHERS, "et al.", "Method", 0, 0.25),
)


def _evidence(paper: Paper, surface: str, *which: int) -> tuple[str, ...]:
    found = [m.id for m in MENTIONS if m.paper == paper.id and m.text == surface]
    return tuple(found[n] for n in which) if which else tuple(found)


def _relation(
    paper: Paper, role: str, surface: str, confidence: float = 0.8, *which: int
) -> Relation:
    return Relation(
        paper.id, role, slug(key(surface)), confidence, _evidence(paper, surface, *which)
    )


RELATIONS = (
    _relation(QUILL, "introduces", "Quill", 1.0, 1, 0, 2),
    _relation(QUILL, "extends", "PPO", 0.75, 0),
    _relation(QUILL, "outperforms", "PPO", 0.66, 1),
    _relation(QUILL, "mentions", "C#", 0.5),
    _relation(QUILL, "evaluatesOn", "HumanEval+"),
    _relation(QUILL, "evaluatesOn", "HumanEval"),
    _relation(QUILL, "uses", "Qwen2.5-VL-7B"),
    _relation(NEST, "introduces", "NestBench"),
    _relation(NEST, "uses", "Quill"),
    _relation(NEST, "uses", "强化学习", 0.0),
    _relation(NEST, "trainsOn", "FeatherSet"),
    _relation(FLEDGE, "introduces", "Fledge"),
    _relation(FLEDGE, "extends", "Quill", 0.9, 0),
    _relation(FLEDGE, "comparesTo", "Quill", 0.7, 1),
    _relation(FLEDGE, "evaluatesOn", "NestBench"),
    _relation(FEATHERS, "introduces", "FeatherSet"),
    _relation(FEATHERS, "mentions", "Quill", 0.4),
    _relation(FEATHERS, "mentions", "et al.", 0.2),
    _relation(FLEDGE, "mentions", "C++", 0.3),
)
#: Known introductions: by a stub, and by a paper whose abstract also states it.
INTRODUCTIONS = (Introduction(STUB.id, "ppo"), Introduction(FEATHERS.id, "featherset"))


def _link(
    citing: Paper, kind: str, cited: Paper, surface: str, *which: int, confidence: float = 0.6
) -> Link:
    evidence = _evidence(citing, surface, *which)
    return Link(citing.id, kind, cited.id, slug(key(surface)), confidence, evidence)


LINKS = (
    _link(QUILL, "extends", STUB, "PPO", 0),
    _link(NEST, "usesMethodIn", QUILL, "Quill"),
    _link(NEST, "usesDataFrom", FEATHERS, "FeatherSet"),
    _link(FLEDGE, "extends", QUILL, "Quill", 0),
    _link(FLEDGE, "usesDataFrom", NEST, "NestBench"),
    _link(FEATHERS, "cites", QUILL, "Quill", confidence=0.4),
)


def _names(*texts: str) -> tuple[ResultName, ...]:
    """Return names, each with the entity of that name, or with none in double quotes."""
    return tuple(ResultName(t, "" if t.startswith('"') else slug(key(t))) for t in texts)


def _result(
    value: str,
    kind: str,
    metric: str,
    on: tuple[ResultName, ...],
    systems: tuple[ResultName, ...],
    versus: tuple[ResultName, ...] = (),
    direction: str = "",
    previous: str = "",
    confidence: float = 0.9,
) -> Result:
    start = FLEDGE.text.index(value)
    end = start + len(value)
    sentence = (_sentence_start(FLEDGE, start), _sentence_end(FLEDGE, end))
    values = (value, kind, direction, metric, on, systems, versus, previous)
    return Result(FLEDGE.id, start, end, *values, sentence, confidence)


#: Two rivals in one sentence, and a tentative change with a name that is no entity.
RESULTS = (
    _result("82.5\\%", "score", "accuracy", _names("NestBench"), _names("Fledge"), _names("QUILL")),
    _result("78\\%", "score", "Accuracy", _names("NestBench"), _names("QUILL"), previous='70 "%"'),
    _result(
        "30-40%",
        "change",
        "memory",
        _names('"birds’ <nests>" & Co.\n', "NestBench"),
        _names("Fledge"),
        _names("C++"),
        direction="down",
        confidence=0.4,
    ),
)


def records(graph: KnowledgeGraph) -> dict[str, Any]:
    """Return the records of a graph, regardless of its class and cached lookups."""
    return {field.name: getattr(graph, field.name) for field in fields(graph)}


def sample_graph() -> KnowledgeGraph:
    """Return the graph of these records."""
    return KnowledgeGraph.of(
        papers=(QUILL, NEST, FLEDGE, FEATHERS),
        entities=ENTITIES,
        mentions=MENTIONS,
        relations=RELATIONS,
        links=LINKS,
        run=Run("citekg", "0.1.0", "c" * 64, "1" * 64),
        stubs=(STUB,),
        introductions=INTRODUCTIONS,
        results=RESULTS,
    )


def changed_graph(graph: KnowledgeGraph, **changed: object) -> Graph:
    """Return the graph of these records, with other records of some kinds."""
    return Graph.of(**(records(graph) | changed))


def certain_graph() -> KnowledgeGraph:
    """Return the graph without tentative claims: each has at least the confidence 0.5."""
    graph = sample_graph()
    return replace(
        graph,
        relations=tuple(replace(r, confidence=max(r.confidence, 0.5)) for r in graph.relations),
        links=tuple(replace(k, confidence=max(k.confidence, 0.5)) for k in graph.links),
        results=tuple(replace(r, confidence=max(r.confidence, 0.5)) for r in graph.results),
    )
