"""End-to-end tests of the biomedical example: a schema file defines the types and roles."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest
import rdflib
from click.testing import CliRunner

import citekg
from citekg.cli.main import main
from citekg.domains import read_domain
from citekg.exports import EXPORTERS, write
from citekg.exports.rdf.reading import RDF_FORMATS
from citekg.exports.rdf.split import write_split
from citekg.graph.graph import Graph
from citekg.schemas.plugins import ExportOptions
from citekg.validation.shacl import shapes
from citekg.validation.validate import validate, validate_graph

EXAMPLE = Path(__file__).parents[3] / "examples" / "biomedical"
BIO = rdflib.Namespace("https://example.org/biomedical#")


def run(*arguments: object) -> str:
    done = CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bio")
    run(
        "build",
        EXAMPLE / "papers.jsonl",
        "--schema",
        EXAMPLE / "schema.yaml",
        "-o",
        folder,
        "-f",
        "ttl",
        "-f",
        "json",
    )
    return folder


@pytest.fixture(scope="module")
def graph(out: Path) -> Graph:
    return citekg.load(out / "graph.ttl")


def test_the_example_has_entities_and_relations_of_each_type_and_role_of_its_schema(
    graph: Graph,
) -> None:
    types = Counter(e.type for e in graph.entities)
    assert {t for t in ("Disease", "Drug", "GeneOrProtein", "Assay") if types[t] >= 9} == {
        "Disease", "Drug", "GeneOrProtein", "Assay"
    }  # fmt: skip
    assert {"treats", "associatedWith", "targets", "studies", "introduces", "uses"} <= {
        r.role for r in graph.relations
    }


def test_the_graph_has_the_relations_aliases_and_families_of_the_schema(graph: Graph) -> None:
    relations = {(r.paper, r.role, graph.entity_by_id[r.entity].name) for r in graph.relations}
    assert {
        ("bio-01", "introduces", "Velotinib"),
        ("bio-01", "targets", "EGFR"),
        ("bio-04", "treats", "COVID-19"),
        ("bio-04", "associatedWith", "IL-6"),
        ("bio-10", "targets", "BCR-ABL"),
    } <= relations
    assert graph.find("NSCLC").name == "non-small cell lung cancer"
    assert graph.entity_by_id[graph.find("scRNA-seq").family].name == "RNA-seq"


def test_a_type_stated_by_one_paper_applies_to_the_entity_in_all_papers(graph: Graph) -> None:
    found = graph.find("PlasmaGrid")
    assert found.type == "Assay"
    assert len({m.paper for m in graph.mentions_of[found.id]}) == 3


def test_papers_are_linked_to_the_introducers_of_their_entities(graph: Graph) -> None:
    links = {(k.citing, k.kind, k.cited) for k in graph.links}
    assert {("bio-02", "cites", "bio-01"), ("bio-05", "usesMethodIn", "bio-03")} <= links
    assert ("bio-07", "usesDataFrom", "bio-06") in links


def test_queries_accept_classes_and_roles_with_the_prefix_of_the_schema(out: Path) -> None:
    query_text = (
        "SELECT ?name { ?p bio:treats ?d . ?d a bio:Disease ; skos:prefLabel ?name } ORDER BY ?name"
    )
    assert run("query", out / "graph.ttl", query_text, "--format", "csv").split() == [
        "name", "COVID-19", "cystic", "fibrosis", "melanoma"
    ]  # fmt: skip
    ask_query = "ASK { ?p bio:treats ?d ; bio:studies ?d ; schema:mentions ?d . bio:treats rdfs:subPropertyOf bio:studies }"
    for name in ("graph.ttl", "graph.json"):
        assert run("query", out / name, ask_query).strip() == "yes"
    assert "imatinib" in run(
        "query", out / "graph.ttl", "@top-methods", "--set", "type=bio:Drug", "--set", "limit=50"
    )


@pytest.mark.parametrize("name", ["graph.ttl", "graph.json"])
def test_the_files_are_valid_without_the_schema(out: Path, name: str) -> None:
    assert run("validate", out / name).strip().endswith("valid")


def test_validation_reports_a_type_that_the_schema_does_not_define(
    graph: Graph, tmp_path: Path
) -> None:
    path = graph.save(tmp_path / "graph.nt")
    text = path.read_text(encoding="utf-8")
    assert f"<{BIO.Drug}>" in text
    path.write_text(text.replace(f"#type> <{BIO.Drug}>", f"#type> <{BIO}Potion>"), encoding="utf-8")
    assert "shape" in {violation.rule for violation in validate(path)}
    assert f"<{BIO}treats>" in shapes(graph.vocabulary)


@pytest.mark.parametrize("name", [*RDF_FORMATS, "json"])
def test_every_lossless_format_preserves_the_graph_and_its_vocabulary(
    graph: Graph, tmp_path: Path, name: str
) -> None:
    path = tmp_path / f"graph.{name}"
    write(graph, path, name, ExportOptions(align=True) if name in RDF_FORMATS else None)
    again = citekg.load(path)
    assert again == graph
    assert again.vocabulary == read_domain(EXAMPLE / "schema.yaml").vocabulary


def test_split_files_and_files_without_sentences_contain_the_vocabulary(
    graph: Graph, tmp_path: Path
) -> None:
    core, _ = write_split(graph, tmp_path / "graph.ttl", "ttl", ExportOptions())
    assert citekg.load(core) == graph
    for level in ("none", "paper"):
        write(graph, tmp_path / "bare.ttl", "ttl", ExportOptions(evidence=level))
        without_sentences = citekg.load(tmp_path / "bare.ttl")
        assert without_sentences.vocabulary == graph.vocabulary
        assert {(r.paper, r.role, r.entity) for r in without_sentences.relations} == {
            (r.paper, r.role, r.entity) for r in graph.relations
        }
        assert validate(tmp_path / "bare.ttl") == ()


def test_rdflib_reads_the_classes_and_roles_as_an_ontology(out: Path) -> None:
    read = rdflib.Graph().parse(out / "graph.ttl")
    assert (BIO.Drug, rdflib.RDF.type, rdflib.OWL.Class) in read
    assert str(read.value(BIO.treats, rdflib.RDFS.label)) == "treats"
    assert (None, BIO.targets, None) in read


def test_graphml_networkx_neo4j_and_obsidian_contain_types_and_roles(
    graph: Graph, tmp_path: Path
) -> None:
    write(graph, tmp_path / "graph.graphml", "graphml")
    read = nx.read_graphml(tmp_path / "graph.graphml")
    assert "Disease" in {data.get("type") for _, data in read.nodes(data=True)}
    assert "targets" in {data.get("role") for *_, data in read.edges(data=True)}
    view = graph.to_networkx()
    assert view.graph["vocabulary"]["entity_types"][-1]["name"] == "Assay"
    write(graph, tmp_path / "graph.neo4j.zip", "neo4j")
    script = zipfile.ZipFile(tmp_path / "graph.neo4j.zip").read("load.cypher").decode()
    assert "`GeneOrProtein`" in script
    assert "ASSOCIATED_WITH" in script
    write(graph, tmp_path / "graph.obsidian.zip", "obsidian")
    assert (
        "## Genes and proteins"
        in zipfile.ZipFile(tmp_path / "graph.obsidian.zip").read("citekg/citekg.md").decode()
    )


def test_every_format_can_be_written(graph: Graph, tmp_path: Path) -> None:
    for name, made in EXPORTERS.items():
        write(graph, tmp_path / f"graph{made.suffix}", name)
        assert (tmp_path / f"graph{made.suffix}").stat().st_size > 100


def test_commands_use_the_labels_and_types_of_the_schema(out: Path) -> None:
    stats = run("stats", out / "graph.json")
    assert "Genes and proteins" in stats
    assert "finds an association with" in stats
    shown = run("show", out / "graph.ttl", "EGFR")
    assert "EGFR: a gene or protein that" in shown
    assert "\ntargets it (1)" in shown
    assert "an assay that 3 papers name" in run("show", out / "graph.ttl", "PlasmaGrid")
    assert run("co-use", out / "graph.ttl", "--one", "Drug", "--other", "Assay").count("+") > 2
    assert "PlasmaGrid" in run("influence", out / "graph.ttl", "--type", "Assay")
    assert "targets" in run("path", out / "graph.ttl", "velotinib", "EGFR")
    refused = CliRunner().invoke(main, ["co-use", str(out / "graph.ttl"), "--one", "Potion"])
    assert refused.exit_code == 2
    assert "choose one of Method, Benchmark, Model, Dataset, Disease" in refused.output


def test_collections_can_be_filtered_by_the_types_and_roles_of_the_schema(graph: Graph) -> None:
    assert {e.name for e in graph.entities.where(type="Assay")} >= {"ELISA", "PlasmaGrid"}
    assert len(graph.relations.where(role="treats", type="Disease")) == 3


def test_the_python_function_and_the_command_give_the_same_bytes(out: Path, graph: Graph) -> None:
    built = citekg.build([EXAMPLE / "papers.jsonl"], schema=EXAMPLE / "schema.yaml")
    assert built == graph
    assert (
        b"".join(EXPORTERS["ttl"].writer(built, ExportOptions()))
        == (out / "graph.ttl").read_bytes()
    )


def test_decisions_can_set_types_and_roles_of_the_schema(tmp_path: Path) -> None:
    signed = "author: Ada, date: 2026-01-31, reason: r"
    lines = (
        f"- {{kind: type, name: AirwayRegistry, type: Assay, {signed}}}",
        f"- {{kind: role, paper: bio-08, name: APOE, role: associatedWith, {signed}}}",
        f"- {{kind: type, name: TNF, type: Drug, {signed}}}",
    )
    file = tmp_path / "decisions.yaml"
    file.write_text("\n".join(lines), encoding="utf-8")
    graph = citekg.build([EXAMPLE / "papers.jsonl"], schema=EXAMPLE / "schema.yaml", decisions=file)
    assert graph.find("AirwayRegistry").type == "Assay"
    assert graph.find("TNF").type == "Drug"
    roles = {
        r.role for r in graph.relations if r.paper == "bio-08" and r.entity == graph.find("APOE").id
    }
    assert roles == {"associatedWith"}
    assert validate_graph(graph) == ()


def test_an_invalid_schema_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("tpyes: {}", encoding="utf-8")
    for command in ("build", "extract"):
        rest = ["-o", str(tmp_path / "out")] if command == "build" else []
        done = CliRunner().invoke(
            main,
            [command, str(EXAMPLE / "papers.jsonl"), "--schema", str(tmp_path / "s.yaml"), *rest],
        )
        assert done.exit_code == 1
        assert (
            done.output.strip()
            == f"Error: {tmp_path / 's.yaml'}:1: tpyes: unknown key; did you mean types?"
        )


def test_extract_prints_the_types_and_roles_of_the_schema() -> None:
    lines = run(
        "extract", EXAMPLE / "papers.jsonl", "--schema", EXAMPLE / "schema.yaml"
    ).splitlines()
    first = {e["name"]: e for e in json.loads(lines[0])["entities"]}
    assert first["EGFR"]["type"] == "GeneOrProtein"
    assert first["EGFR"]["relations"] == ["targets"]


def test_a_file_with_an_invalid_vocabulary_is_rejected(out: Path, tmp_path: Path) -> None:
    document = json.loads((out / "graph.json").read_text(encoding="utf-8"))
    document["graph"]["vocabulary"]["entity_types"][-1]["like"] = "Potion"
    (tmp_path / "graph.json").write_text(json.dumps(document), encoding="utf-8")
    text = (out / "graph.ttl").read_text(encoding="utf-8")
    (tmp_path / "graph.ttl").write_text(
        text.replace("ckg:behavesLike ckg:Method", "ckg:behavesLike ckg:Potion")
    )
    for name in ("graph.json", "graph.ttl"):
        done = CliRunner().invoke(main, ["stats", str(tmp_path / name)])
        assert done.exit_code == 1
        assert name in done.output
        assert "is like" in done.output


def test_evaluate_scores_the_types_and_roles_of_the_schema(tmp_path: Path) -> None:
    paper = json.loads((EXAMPLE / "papers.jsonl").read_text(encoding="utf-8").splitlines()[0])
    entities = [
        {"surfaces": ["velotinib"], "type": "Drug", "relation": "introduces"},
        {"surfaces": ["EGFR"], "type": "GeneOrProtein", "relation": "targets"},
        {"surfaces": ["gefitinib"], "type": "Disease", "relation": "mentions"},
        {"surfaces": ["plasma"], "type": "Assay", "relation": "uses"},
    ]
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({**paper, "entities": entities}), encoding="utf-8")
    reported = json.loads(run("evaluate", gold, "--schema", EXAMPLE / "schema.yaml", "--json"))
    assert list(reported["by_type"]) == list(read_domain(EXAMPLE / "schema.yaml").vocabulary.types)
    assert {name: reported["by_type"][name]["tp"] for name in ("Drug", "GeneOrProtein")} == {
        "Drug": 1,
        "GeneOrProtein": 1,
    }
    assert reported["confusion"]["Disease"]["Drug"] == reported["confusion"]["Assay"]["none"] == 1
    assert reported["by_role"]["targets"]["tp"] == reported["by_role"]["introduces"]["tp"] == 1
    assert reported["by_layer"]["rules"]["proposed"] > 0
    assert "annotated as" in run("evaluate", gold, "--schema", EXAMPLE / "schema.yaml")
    refused = CliRunner().invoke(main, ["evaluate", str(gold)])
    assert refused.exit_code != 0
    assert "type 'Drug' is none of Method, Benchmark, Model, Dataset" in refused.output


def test_a_marked_sample_is_scored_by_the_types_and_roles_of_the_schema(
    out: Path, tmp_path: Path
) -> None:
    table = tmp_path / "sample.tsv"
    run("sample", out / "graph.ttl", "-n", 12, "-o", table)
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join((header, *(f"y{row}" for row in rows))), encoding="utf-8")
    names = [row["of"] for row in json.loads(run("sample", "--score", table, "--json"))]
    kinds = [name.partition(" ")[0] for name in names]
    assert kinds == sorted(kinds, key=["all", "type", "role"].index)
    assert {"type Drug", "type Disease", "type GeneOrProtein", "type Assay"} <= {*names}


def test_a_role_that_the_schema_omits_is_replaced_by_a_broader_role(graph: Graph) -> None:
    roles_and_names = {
        (r.role, graph.entity_by_id[r.entity].name) for r in graph.relations if r.paper == "bio-07"
    }
    assert ("uses", "AirwayRegistry") in roles_and_names  # "evaluated on" is no role of the schema
    assert ("introduces", "AirwayRegistry") not in roles_and_names
