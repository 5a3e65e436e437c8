"""Graphs written in two files, and aligned with the terms of other vocabularies."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib

from citekg.exports import exporter, write
from citekg.exports.rdf.reading import RDF_FORMATS, read_rdf
from citekg.exports.rdf.split import write_split
from citekg.exports.rdf.triples import triples
from citekg.queries import query
from citekg.schemas.errors import FormatError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import PREFIXES
from tests.kg.queries.terms import text_of
from tests.sample import sample_graph


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return sample_graph()


@pytest.mark.parametrize("name", RDF_FORMATS)
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_a_split_graph_is_read_as_one_graph(
    graph: KnowledgeGraph, tmp_path: Path, name: str, packed: str
) -> None:
    files = write_split(graph, tmp_path / f"graph.{name}{packed}", name)
    assert [f.name for f in files] == [
        f"graph.core.{name}{packed}",
        f"graph.provenance.{name}{packed}",
    ]
    assert read_rdf(files[0], name) == graph


def test_dots_in_a_file_name_are_kept(graph: KnowledgeGraph, tmp_path: Path) -> None:
    files = write_split(graph, tmp_path / "my.graph.v2.nt.gz", "nt")
    assert [f.name for f in files] == ["my.graph.v2.core.nt.gz", "my.graph.v2.provenance.nt.gz"]


def test_the_two_files_contain_every_triple_once(graph: KnowledgeGraph) -> None:
    whole, core, provenance = (
        list(triples(graph, ExportOptions(part=part))) for part in ("all", "core", "provenance")
    )
    assert Counter(core + provenance) == Counter(whole)
    assert len(core) < len(provenance)


def test_the_core_file_can_be_queried_and_read_without_the_provenance_file(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    core, provenance = write_split(graph, tmp_path / "graph.ttl", "ttl")
    assert query(core, "ASK { ?m a oa:Annotation }")
    provenance.unlink()
    assert query(core, "ASK { ?p ckg:introduces/skos:prefLabel 'Quill' }")
    assert not query(core, "ASK { ?m a oa:Annotation }")
    read = read_rdf(core, "ttl")
    assert read.papers == tuple(replace(p, sources=()) for p in graph.papers)
    assert (read.run, read.mentions) == (graph.run, ())


def test_formats_other_than_rdf_cannot_be_split(graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="json"):
        write_split(graph, tmp_path / "graph.json", "json")


@pytest.mark.parametrize("name", RDF_FORMATS)
def test_an_aligned_graph_is_read_as_the_same_graph(
    graph: KnowledgeGraph, tmp_path: Path, name: str
) -> None:
    write(graph, tmp_path / "graph", name, ExportOptions(align=True))
    assert read_rdf(tmp_path / "graph", name) == graph


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (
            "?p a lpwc:paper ; lpwcp:hasMethod ?m . ?m foaf:name ?x",
            ["Fledge", "PPO", "Quill", "强化学习"],
        ),
        (
            "?d lpwcp:introducedBy ?p ; a lpwc:dataset ; foaf:name ?x . ?p dcterms:title ?t",
            ["FeatherSet"],
        ),
        ("?p a fabio:ResearchPaper ; lpwcp:hasModel/foaf:name ?x", ["Qwen2.5-VL-7B"]),
        (
            "?p lpwcp:usesDataset ?d . ?d a cr:TaskProblem ; schema:name ?x",
            ["HumanEval", "HumanEval+", "NestBench"],
        ),
        (
            "?p schema:name 'Fledge' ; schema:abstract ?a ; schema:datePublished ?x",
            ["2025"],
        ),
        ("?m a mls:Algorithm ; schema:name ?x FILTER(?x = 'C++')", ["C++"]),
        ("?m a fair4ml:MLModel ; schema:name ?x FILTER(?x = 'Qwen2.5')", ["Qwen2.5"]),
        ("?r a schema:Observation ; ckg:valueText ?x", ["30-40%", "78\\%", "82.5\\%"]),
    ],
)
def test_queries_written_for_other_vocabularies_work_on_an_aligned_graph(
    graph: KnowledgeGraph, tmp_path: Path, where: str, expected: list[str]
) -> None:
    write(graph, tmp_path / "graph.ttl", "ttl", ExportOptions(align=True))
    found = query(tmp_path / "graph.ttl", f"SELECT DISTINCT ?x {{ {where} }} ORDER BY ?x")
    assert [text_of(row[0]) for row in found.rows] == expected


def test_alignment_only_adds_triples(graph: KnowledgeGraph) -> None:
    plain, more = (set(triples(graph, ExportOptions(align=align))) for align in (False, True))
    counts = {(PREFIXES["void"] + "triples")}
    assert {t for t in plain - more if t[1] not in counts} == set()
    loaded = rdflib.Graph().parse(
        data=b"".join(exporter("ttl").writer(graph, ExportOptions(align=True)))
    )
    assert len(loaded) == len(more)
