"""Whatever Unicode a name or a text holds, every format carries it there and back."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import EXPORTERS, write
from kg.loading import load
from schemas.graph import KnowledgeGraph
from schemas.names import key, slug
from schemas.records import Entity, Mention, Paper, Relation, Run, Source
from schemas.vocabulary import TYPES

FORMATS = [name for name in EXPORTERS if name != "html"]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
dates = st.one_of(texts, st.sampled_from(["2024", "2024-02", "2024-02-29", "2023-02-29", "0000", "2024-13", "٢٠٢٤"]))
shares = st.floats(0, 1)
types = st.sampled_from(list(TYPES))


@st.composite
def graphs(draw: st.DrawFn) -> KnowledgeGraph:
    papers = [draw(papers_named(name)) for name in draw(st.lists(names, min_size=1, max_size=3, unique=True))]
    labels = draw(st.lists(names, max_size=3, unique_by=lambda n: slug(key(n))))
    entities = [Entity(slug(key(n)), n, draw(types), types=(("Model", 1),)) for n in labels]
    mentions = [
        Mention(p.id, e.id, n, n + 1, p.text[n], "Model", (0, len(p.text)), draw(texts), draw(shares))
        for p in papers
        for n, e in enumerate(entities)
        if n < len(p.text)
    ]
    return KnowledgeGraph.of(
        papers=papers,
        entities=entities,
        mentions=mentions,
        relations=[Relation(m.paper, "uses", m.entity, draw(shares), (m.id,)) for m in mentions],
        links=(),
        run=Run(*(draw(texts) for _ in range(4))),
    )


@st.composite
def papers_named(draw: st.DrawFn, name: str) -> Paper:
    return Paper(
        id=name,
        title=draw(texts),
        abstract=draw(texts),
        date=draw(dates),
        authors=tuple(draw(st.lists(texts, max_size=3))),
        url=draw(texts),
        arxiv_id=draw(texts),
        venue=draw(texts),
        sources=tuple(sorted({Source(draw(texts), draw(st.integers(0, 9))) for _ in range(draw(st.integers(0, 2)))})),
    )


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60, deadline=None)
@given(graph=graphs())
def test_a_graph_of_any_names_and_texts_comes_back_as_it_was(name, graph):
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"graph{EXPORTERS[name].suffix}"
        write(graph, path, name)
        read = load(path)
    assert vars(read) == vars(graph)


@settings(max_examples=100, deadline=None)
@given(graph=graphs())
def test_rdflib_reads_the_turtle_of_any_names(graph):
    import rdflib

    from exports import ExportOptions, exporter
    from exports.triples import triples

    data = b"".join(exporter("ttl").writer(graph, ExportOptions()))
    assert len(rdflib.Graph().parse(data=data, format="turtle")) == len(list(triples(graph, ExportOptions())))
