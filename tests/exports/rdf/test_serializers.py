"""The content of the RDF, which is valid, complete and reproducible."""

from __future__ import annotations

import gzip
import hashlib
import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.compare import isomorphic

from citekg.exports import exporter, write
from citekg.exports.rdf.iris import Iris
from citekg.exports.rdf.mapping import iri as iri_of
from citekg.exports.rdf.reading import RDF_FORMATS, read_rdf
from citekg.exports.rdf.serializers import prefixes, turtle
from citekg.exports.rdf.triples import triples
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import slug
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Entity, Link, Relation, Run
from citekg.schemas.vocabulary import BASE_IRI, PREFIXES
from tests.sample import sample_graph

#: rdflib's readers of JSON-LD and quads call deprecated functions of rdflib.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*is deprecated, use Dataset:DeprecationWarning:rdflib"
)

FORMATS = sorted(RDF_FORMATS)
BARE = ExportOptions(evidence="none")
ALIGNED = ExportOptions(align=True)
BY_PAPER = ExportOptions(evidence="paper")


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return sample_graph()


def written(graph: KnowledgeGraph, name: str, options: ExportOptions | None = None) -> bytes:
    return b"".join(exporter(name).writer(graph, options or ExportOptions()))


def in_rdflib(data: bytes, name: str) -> rdflib.Graph:
    """Return the file as rdflib reads it; the graph of quads is always the default graph."""
    form = {"ttl": "turtle", "nq": "nquads", "rdf": "xml", "jsonld": "json-ld"}.get(name, name)
    if name not in ("nq", "trig"):
        return rdflib.Graph().parse(data=data, format=form)
    quads = rdflib.Dataset()
    quads.parse(data=data, format=form)
    assert {graph for _, _, _, graph in quads.quads()} == {quads.default_graph.identifier}
    found: rdflib.Graph = quads.default_graph
    return found


def rows(graph: KnowledgeGraph, query: str, options: ExportOptions | None = None) -> list[str]:
    store = ox.Store()
    store.load(written(graph, "ttl", options), format=ox.RdfFormat.TURTLE)
    found = store.query(query, prefixes=PREFIXES)
    assert isinstance(found, ox.QuerySolutions)
    return sorted(" ".join(term.value for term in row if term) for row in found)


def changed(graph: KnowledgeGraph, path: Path, old: str, new: str) -> Path:
    text = written(graph, "nt").decode()
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "options", [ExportOptions(), BY_PAPER, BARE, ALIGNED, ExportOptions("https://example.org/kg#")]
)
def test_every_serialisation_of_a_graph_is_isomorphic_to_its_triples(
    graph: KnowledgeGraph, name: str, options: ExportOptions
) -> None:
    expected = rdflib.Graph().parse(data=written(graph, "nt", options), format="nt")
    assert isomorphic(in_rdflib(written(graph, name, options), name), expected)
    assert len(expected) == len(list(triples(graph, options)))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("base", [BASE_IRI, "https://example.org/kg#", "urn:kg:"])
def test_a_written_graph_is_read_back_equal(
    graph: KnowledgeGraph, name: str, base: str, tmp_path: Path
) -> None:
    path = tmp_path / f"graph.{name}"
    write(graph, path, name, ExportOptions(base))
    assert read_rdf(path, name) == graph


@pytest.mark.parametrize("name", FORMATS)
def test_a_gzip_file_is_read_like_an_uncompressed_file(
    graph: KnowledgeGraph, name: str, tmp_path: Path
) -> None:
    path = tmp_path / "packed"
    path.write_bytes(gzip.compress(written(graph, name)))
    assert read_rdf(path, name) == graph


@pytest.mark.parametrize("name", FORMATS)
def test_rdflib_loads_every_file_without_a_warning(
    graph: KnowledgeGraph, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        loaded = in_rdflib(written(graph, name), name)
        lexical = [o for o in loaded.objects() if isinstance(o, rdflib.Literal)]
        assert not [o for o in lexical if o.ill_typed]
    assert not caplog.records


#: Prints the digest of each format that the arguments name.
DIGESTS = """
import hashlib, sys
from citekg.exports import exporter
from citekg.schemas.plugins import ExportOptions
from tests.sample import sample_graph
for name in sys.argv[1:]:
    data = b"".join(exporter(name).writer(sample_graph(), ExportOptions()))
    print(name, hashlib.sha256(data).hexdigest())
"""


@pytest.mark.slow
def test_files_do_not_depend_on_the_hash_seed() -> None:
    expected = {n: hashlib.sha256(written(sample_graph(), n)).hexdigest() for n in FORMATS}
    for seed in ("0", "1", "42"):
        done = subprocess.run(
            [sys.executable, "-c", DIGESTS, *FORMATS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        )
        assert dict(line.split() for line in done.stdout.splitlines()) == expected


def test_every_node_is_an_iri_with_a_known_prefix_and_safe_characters(
    graph: KnowledgeGraph,
) -> None:
    for subject, predicate, value in triples(graph, ALIGNED):
        iris = [subject, predicate]
        if isinstance(value, str) and predicate != iri_of("dcterms:references"):
            iris.append(value)
        for iri in iris:
            assert iri.startswith(tuple(PREFIXES.values()))
            assert iri.isascii()
            assert not set(iri) & set(' <>"{}|\\^`%')


def test_no_triple_is_written_twice(graph: KnowledgeGraph) -> None:
    for options in (ExportOptions(), ALIGNED):
        listed = list(triples(graph, options))
        assert len(listed) == len(set(listed))


def test_triples_are_grouped_by_subject(graph: KnowledgeGraph) -> None:
    subjects = [subject for subject, _, _ in triples(graph, ExportOptions())]
    blocks = [s for n, s in enumerate(subjects) if n == 0 or subjects[n - 1] != s]
    assert len(blocks) == len(set(blocks))


@pytest.mark.parametrize("options", [ExportOptions(), ALIGNED])
def test_only_prefixes_that_are_used_are_declared(
    graph: KnowledgeGraph, options: ExportOptions
) -> None:
    text = b"".join(turtle(graph, options)).decode()
    for name in prefixes(graph, options):
        assert text.count(f"{name}:") > 1, name
    lines = [line for line in text.splitlines(keepends=True) if "dcterms:references" not in line]
    assert "<http" not in "".join(lines).split(f"@prefix xsd: <{PREFIXES['xsd']}> .\n")[1]


def test_every_entity_of_a_paper_is_mentioned_regardless_of_its_role(graph: KnowledgeGraph) -> None:
    pairs = {(r.paper, r.entity) for r in graph.relations} | {
        (m.paper, m.entity) for m in graph.mentions
    }
    query = "SELECT DISTINCT ?p ?e { ?p a schema:ScholarlyArticle ; schema:mentions ?e }"
    assert len(rows(graph, query)) == len(pairs)
    assert len(rows(graph, query, BARE)) == len(pairs)


def test_outperforms_implies_compares_to(graph: KnowledgeGraph) -> None:
    query = "SELECT ?n { ?p ckg:outperforms ?e . ?p ckg:comparesTo ?e . ?e skos:prefLabel ?n }"
    assert rows(graph, query) == ["PPO"]


def test_every_link_implies_a_citation(graph: KnowledgeGraph) -> None:
    cited = {(k.citing, k.cited) for k in graph.links}
    assert len(rows(graph, "SELECT DISTINCT ?a ?b { ?a cito:cites ?b }")) == len(cited)


def test_families_are_chains_of_broader_entities(graph: KnowledgeGraph) -> None:
    query = "SELECT ?n { ?e skos:prefLabel 'Qwen2.5-VL-7B' ; skos:broader+/skos:prefLabel ?n }"
    assert rows(graph, query) == ["Qwen2.5", "Qwen2.5-VL"]


def test_only_the_paper_without_abstract_and_source_is_a_stub(graph: KnowledgeGraph) -> None:
    assert rows(graph, "SELECT ?t { ?p a ckg:StubPaper ; dcterms:title ?t }") == [
        "Proximal Policy Optimization Algorithms"
    ]


def test_sparql_finds_the_text_of_each_mention_at_its_offsets(graph: KnowledgeGraph) -> None:
    query = """SELECT ?m { ?m a oa:Annotation ; oa:hasTarget ?t . ?t oa:hasSource ?p ; oa:hasSelector ?s .
        ?s oa:start ?a ; oa:end ?b ; oa:exact ?x . ?p dcterms:title ?title ; dcterms:abstract ?abstract
        FILTER(SUBSTR(CONCAT(?title, "\\n", ?abstract), ?a + 1, ?b - ?a) = ?x) }"""
    assert len(rows(graph, query)) == len(graph.mentions)


def test_every_claim_has_a_statement_with_its_evidence(graph: KnowledgeGraph) -> None:
    query = """SELECT ?s ?m { ?s rdf:subject ?a ; rdf:predicate ?p ; rdf:object ?b ; ckg:confidence ?c ;
        prov:wasDerivedFrom ?m . ?a ?p ?b . ?m a oa:Annotation FILTER(DATATYPE(?c) = xsd:decimal) }"""
    claims: list[Relation | Link] = [*graph.relations, *graph.links]
    assert len(rows(graph, query)) == sum(len(c.evidence) for c in claims)


def test_authors_keep_their_order(graph: KnowledgeGraph) -> None:
    query = "SELECT ?a { ?p dcterms:title 'Quill: a \"reward-free\" C# policy 🪶' ; bibo:authorList/rdf:_1 ?a }"
    assert rows(graph, query) == ["Zoë Ångström"]


def test_the_dataset_description_counts_triples_and_entities(graph: KnowledgeGraph) -> None:
    for options in (ExportOptions(), BY_PAPER, BARE):
        total = str(len(list(triples(graph, options))))
        assert rows(graph, "SELECT ?n { ?d a void:Dataset ; void:triples ?n }", options) == [total]
    query = "SELECT ?n { ?d void:classPartition [ void:class ckg:Model ; void:entities ?n ] }"
    assert rows(graph, query) == ["3"]


def test_less_evidence_gives_fewer_triples(graph: KnowledgeGraph) -> None:
    none, paper, sentence = (
        len(list(triples(graph, o))) for o in (BARE, BY_PAPER, ExportOptions())
    )
    assert none < paper < sentence
    assert not rows(graph, "SELECT ?s { ?s a rdf:Statement }", BARE)
    assert not rows(graph, "SELECT ?s { ?s a oa:Annotation }", BY_PAPER)
    assert len(
        rows(
            graph,
            "SELECT DISTINCT ?s { ?s prov:wasDerivedFrom/a schema:ScholarlyArticle }",
            BY_PAPER,
        )
    ) == len(graph.relations) + len(graph.links)


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_with_less_evidence_is_read_without_the_missing_parts(
    graph: KnowledgeGraph, name: str, tmp_path: Path
) -> None:
    write(graph, tmp_path / "paper", name, BY_PAPER)
    read = read_rdf(tmp_path / "paper", name)
    assert read.relations == tuple(replace(r, evidence=()) for r in graph.relations)
    assert read.links == tuple(replace(k, evidence=()) for k in graph.links)
    assert (read.papers, read.entities, read.mentions) == (graph.papers, graph.entities, ())
    write(graph, tmp_path / "bare", name, BARE)
    read = read_rdf(tmp_path / "bare", name)
    role_triples = {(r.paper, r.role, r.entity) for r in graph.relations}
    assert {(r.paper, r.role, r.entity) for r in read.relations} == role_triples
    assert read.links == tuple(replace(k, confidence=1.0, evidence=()) for k in graph.links)
    assert read.papers == tuple(replace(p, sources=()) for p in graph.papers)
    assert [e.name for e in read.entities] == [e.name for e in graph.entities]


def test_different_names_never_share_an_iri() -> None:
    iris = Iris(BASE_IRI)
    names = "c++ c# c humaneval humaneval+ a. a~2e llama-3.1 llama-3.2 a_b a-b é e".split()
    assert len({iris.entity(slug(name)) for name in names}) == len(names)
    assert [iris.paper_id(iris.paper(name)) for name in names] == names


@pytest.mark.parametrize(
    "base", ["", "no scheme/", "https://a b/", "https://x.org/kg", "https://x.org/<>/"]
)
def test_an_invalid_base_iri_is_refused(graph: KnowledgeGraph, base: str) -> None:
    with pytest.raises(GraphError, match="base IRI"):
        list(triples(graph, ExportOptions(base)))


@pytest.mark.parametrize("entity", ["A B", ""])
def test_an_entity_whose_id_is_not_a_slug_is_refused(graph: KnowledgeGraph, entity: str) -> None:
    with pytest.raises(GraphError, match="not a slug"):
        list(triples(replace(graph, entities=(Entity(entity, "A B", "Method"),)), ExportOptions()))


def test_an_entity_with_an_empty_id_in_a_file_is_refused(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    path = tmp_path / "graph.nt"
    path.write_bytes(written(graph, "nt").replace(b"/e-ppo>", b"/e->"))
    with pytest.raises(GraphError, match="holds no id after e-; build the graph again"):
        read_rdf(path, "nt")


def test_a_broken_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.ttl"
    path.write_text("@prefix a: <http://a/> .\n\na:b a:c d .\n", encoding="utf-8")
    with pytest.raises(GraphError, match=r"broken\.ttl:3: not ttl: "):
        read_rdf(path, "ttl")


def test_rdf_that_is_not_a_citekg_graph_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.nt"
    path.write_text("<http://a/b> <http://a/c> <http://a/d> .\n", encoding="utf-8")
    with pytest.raises(GraphError, match="not a citekg graph"):
        read_rdf(path, "nt")
    path.write_text("_:b <http://a/c> <http://a/d> .\n", encoding="utf-8")
    with pytest.raises(GraphError, match="blank"):
        read_rdf(path, "nt")


def test_a_missing_file_and_a_truncated_gzip_file_are_refused(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    with pytest.raises(GraphError, match="no such file"):
        read_rdf(tmp_path / "none.ttl", "ttl")
    (tmp_path / "half.ttl.gz").write_bytes(gzip.compress(written(graph, "ttl"))[:-20])
    with pytest.raises(GraphError, match="cannot be read"):
        read_rdf(tmp_path / "half.ttl.gz", "ttl")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f'<{PREFIXES["oa"]}start> "0"', f'<{PREFIXES["oa"]}start> "zero"', "start"),
        (f"<{PREFIXES['oa']}exact>", f"<{PREFIXES['oa']}suffix>", "exact"),
        (f"<{PREFIXES['dcterms']}title>", f"<{PREFIXES['dcterms']}tilte>", "title"),
        (f"<{PREFIXES['oa']}hasTarget>", f"<{PREFIXES['oa']}target>", "hasTarget"),
        (
            f'{PREFIXES["ckg"]}confidence> "0.9"',
            f'{PREFIXES["ckg"]}confidence> "high"',
            "confidence",
        ),
        (f"<{PREFIXES['rdf']}object>", f"<{PREFIXES['rdf']}objekt>", "object"),
        (f"<{PREFIXES['ckg']}sentenceEnd>", f"<{PREFIXES['ckg']}end>", "sentenceEnd"),
        (f"<{PREFIXES['prov']}Activity>", f"<{PREFIXES['prov']}Plan>", "Activity"),
        (
            f"<{PREFIXES['oa']}hasBody> <{BASE_IRI}e-",
            f"<{PREFIXES['oa']}hasBody> <{BASE_IRI}x-",
            "e-",
        ),
        (
            f"<{PREFIXES['oa']}hasBody> <{BASE_IRI}",
            f"<{PREFIXES['oa']}hasBody> <http://else.where/",
            "base IRI",
        ),
    ],
)
def test_an_invalid_node_is_refused_with_the_faulty_term(
    graph: KnowledgeGraph, tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = changed(graph, tmp_path / "broken.nt", old, new)
    with pytest.raises(GraphError, match=rf"broken\.nt: .*{message}"):
        read_rdf(path, "nt")


def test_a_control_character_is_refused_in_rdf_xml_and_kept_in_other_formats(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    bell = replace(graph, run=replace(graph.run, version="1\a"))
    with pytest.raises(GraphError, match=r"RDF/XML cannot hold the character '\\x07'"):
        write(bell, tmp_path / "graph.rdf", "rdf")
    assert list(tmp_path.iterdir()) == []
    for name in sorted({*FORMATS} - {"rdf"}):
        write(bell, tmp_path / "graph", name)
        assert read_rdf(tmp_path / "graph", name) == bell


@pytest.mark.parametrize("name", FORMATS)
def test_a_path_that_ends_in_gz_is_written_as_reproducible_gzip(
    graph: KnowledgeGraph, name: str, tmp_path: Path
) -> None:
    for folder in ("one", "two"):
        write(graph, tmp_path / folder / f"graph.{name}.gz", name)
    packed = (tmp_path / "one" / f"graph.{name}.gz").read_bytes()
    assert packed == (tmp_path / "two" / f"graph.{name}.gz").read_bytes()
    assert gzip.decompress(packed) == written(graph, name)


def test_an_empty_graph_is_written_and_read(tmp_path: Path) -> None:
    empty = KnowledgeGraph.of(
        papers=(), entities=(), mentions=(), relations=(), links=(), run=Run("a", "b", "c", "d")
    )
    write(empty, tmp_path / "empty.ttl", "ttl")
    assert read_rdf(tmp_path / "empty.ttl", "ttl") == empty
