"""A pair of paper and entity may have several roles: all steps and formats keep each of them.

Kite extends Heron and beats it, and trains and tests on EggSet. Gull names Plover and uses Heron,
but neither is certain.
"""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import networkx as nx
import pytest
import rdflib
from click.testing import CliRunner

from citekg.cli.main import main
from citekg.exports import exporter, write
from citekg.exports.page.page_data import graph_columns
from citekg.exports.page.positions import radius
from citekg.graph.graph import Graph
from citekg.queries import query
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import MIN_CONFIDENCE
from citekg.storage.graph_files import load_graph
from citekg.validation.validate import validate, validate_graph
from tests.exports.page.nodes import nodes_and_edges
from tests.kg.several_roles import KITE, several_roles
from tests.sample import records


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph.wrap(several_roles())


@pytest.fixture(scope="module")
def files(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("graphs")
    return {name: graph.save(folder / f"graph.{name}") for name in ("ttl", "jsonld", "json")}


def run(*arguments: object) -> str:
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == 0, done.output
    return done.output


def roles_of(graph: KnowledgeGraph, paper: Paper, entity: str) -> dict[str, tuple[float, str]]:
    """Return the roles of a pair, each with its confidence and its first sentence."""
    return {
        r.role: (r.confidence, next(graph.evidence(r)).sentence)
        for r in graph.relations
        if (r.paper, r.entity) == (paper.id, entity)
    }


# Several roles


def test_every_role_of_a_pair_keeps_its_own_confidence_and_evidence(graph: Graph) -> None:
    assert roles_of(graph, KITE, "heron") == {
        "extends": (0.8, "It extends Heron."),
        "comparesTo": (0.9, "Kite beats Heron on EggSet."),
        "outperforms": (0.7, "Kite beats Heron on EggSet."),
    }
    assert roles_of(graph, KITE, "eggset") == {
        "trainsOn": (0.9, "We train on EggSet."),
        "evaluatesOn": (0.6, "Kite beats Heron on EggSet."),
    }


def test_links_are_derived_from_all_roles_of_a_pair(graph: Graph) -> None:
    found = {(k.citing, k.kind, k.cited, k.confidence) for k in graph.links}
    assert {link for link in found if link[2] in "hs"} == {
        ("g", "cites", "h", 0.4),
        ("g", "usesMethodIn", "h", 0.3),
        ("k", "cites", "h", 0.9),
        ("k", "extends", "h", 0.8),
        ("k", "usesDataFrom", "s", 0.9),
    }


def test_rdf_holds_each_role_once_and_loads_back(files: dict[str, Path], graph: Graph) -> None:
    for file in files.values():
        assert records(load_graph(file)) == records(graph)
        assert validate(file) == ()
    found = query(
        files["ttl"],
        """SELECT ?role ?confidence (COUNT(?mention) AS ?proofs) {
             ?kite skos:prefLabel "Heron" .
             ?s rdf:object ?kite ; rdf:predicate ?role ; ckg:confidence ?confidence ;
               rdf:subject/dcterms:title "Kite" ; prov:wasDerivedFrom ?mention
           } GROUP BY ?role ?confidence ORDER BY ?role""",
    )
    assert [(r["role"].rpartition("#")[2], r["confidence"], r["proofs"]) for r in found] == [
        ("comparesTo", 0.9, 1),
        ("extends", 0.8, 1),
        ("outperforms", 0.7, 1),
    ]


def test_an_entity_that_a_paper_extends_and_outperforms_is_replaced(graph: Graph) -> None:
    rows = [(r["newer"], r["older"]) for r in graph.query("@replacements")]
    assert rows == [("Kite", "Heron")]


def test_a_paper_with_several_roles_counts_once(graph: Graph) -> None:
    assert {e: len(u.used) for e, u in graph.usage.items()}["eggset"] == 1
    assert len(graph.usage["heron"].named) == 3
    (row,) = graph.query("@top-methods", limit=1)
    assert (row["name"], row["papers"]) == ("Heron", 2)
    (pair,) = graph.co_use("Method", "Dataset", 1)
    assert (pair.one.name, pair.other.name, pair.papers) == ("Heron", "EggSet", ("k",))
    influence = {i.name: (i.papers, i.used) for i in graph.influential_papers()}
    assert influence["Heron planning"] == (2, 2)


def test_influence_weights_a_pair_by_its_strongest_link(graph: Graph) -> None:
    from citekg.graph.influence import citation_network

    weights = nx.get_edge_attributes(citation_network(graph), "weight")
    assert weights[("paper", "k"), ("entity", "heron")] == pytest.approx(3 * 0.8)


def test_show_lists_each_role_of_a_pair_and_its_text_omits_implied_comparisons(
    files: dict[str, Path],
) -> None:
    shown = json.loads(run("show", files["json"], "Heron", "--json"))
    assert {r: [c["paper"] for c in claims] for r, claims in shown["roles"].items()} == {
        "introduces": ["h"],
        "extends": ["k"],
        "outperforms": ["k"],
        "comparesTo": ["k"],
    }
    text = run("show", files["json"], "k")
    assert "extends (1)\n  Heron (Method)\n    “It extends Heron.”" in text
    assert "outperforms (1)\n  Heron (Method)" in text
    assert "compares with" not in text
    assert "trains on (1)\n  EggSet" in text


def test_csv_networkx_and_graphml_have_one_row_or_edge_per_role(graph: Graph) -> None:
    pair = [
        ("k", "comparesTo", "heron", False),
        ("k", "extends", "heron", False),
        ("k", "outperforms", "heron", False),
    ]
    with zipfile.ZipFile(io.BytesIO(written(graph, "csv"))) as tables:
        rows = csv.DictReader(io.StringIO(tables.read("relations.csv").decode()))
        listed = [(r["paper"], r["role"], r["entity"], r["tentative"] == "true") for r in rows]
    assert [row for row in listed if (row[0], row[2]) == ("k", "heron")] == pair
    net = graph.to_networkx()
    edges = net.get_edge_data("p-k", "e-heron")
    assert [(e["paper"], key, e["entity"], e["tentative"]) for key, e in edges.items()] == pair
    read = nx.read_graphml(io.BytesIO(written(graph, "graphml")))
    assert [e["role"] for e in read.get_edge_data("p-k", "e-heron").values()] == [
        role for _, role, _, _ in pair
    ]


def written(graph: KnowledgeGraph, name: str) -> bytes:
    return b"".join(exporter(name).writer(graph, ExportOptions()))


def test_a_reading_list_has_each_role_and_omits_implied_comparisons(graph: Graph) -> None:
    text = written(graph, "md").decode()
    kite = text.partition("**Kite**")[2].partition("\n\n")[0]
    assert [line.strip().split(":")[0] for line in kite.splitlines()[1:]] == [
        "- introduces Kite (0.90)",
        "- extends Heron (0.80)",
        "- evaluates on EggSet (0.60)",
        "- trains on EggSet (0.90)",
        "- outperforms Heron (0.70)",
    ]


def test_the_page_holds_the_roles_of_a_pair_strongest_first(graph: Graph) -> None:
    nodes, edges = nodes_and_edges(graph)
    columns = graph_columns(nodes, edges)["relations"]
    labels = [n["label"] for n in nodes]
    names = list(graph.vocabulary.roles)
    kite, heron = labels.index("Kite", len(graph.entities)), labels.index("Heron")
    pair = [
        names[role]
        for start, end, role in zip(columns["from"], columns["to"], columns["role"], strict=True)
        if (start, end) == (kite, heron)
    ]
    assert pair == ["extends", "outperforms", "comparesTo"]
    assert radius(1) < radius(3)


# Tentative claims


def test_claims_below_the_threshold_are_tentative_unless_the_introduction_is_known(
    graph: Graph,
) -> None:
    tentative = {(r.role, r.entity) for r in graph.relations if graph.is_tentative(r)}
    assert tentative == {("uses", "heron"), ("mentions", "heron"), ("uses", "plover")}
    (swift,) = (r for r in graph.relations if r.entity == "swift")
    assert swift.confidence < MIN_CONFIDENCE
    assert graph.confidence(swift) == 1
    assert {k.kind for k in graph.links if graph.is_tentative(k)} == {"cites", "usesMethodIn"}
    assert graph.tentative_entities == {"plover"}
    assert [graph.cited_by_id[s].title for s in graph.tentative_stubs] == ["Plover flies"]


def test_rdf_marks_only_tentative_statements(files: dict[str, Path]) -> None:
    read = rdflib.Graph().parse(files["ttl"])
    ckg = rdflib.Namespace("https://w3id.org/citekg/ontology#")
    marked = dict(read.subject_objects(ckg.tentative))
    assert {*marked.values()} == {rdflib.Literal(True)}
    assert {float(str(read.value(s, ckg.confidence))) for s in marked} == {0.3, 0.4}
    assert len(marked) == 6
    assert '"tentative": true' in files["jsonld"].read_text(encoding="utf-8")


MARK = ' ;\n\tckg:tentative "true"^^xsd:boolean'


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (f"ckg:confidence 0.3{MARK}", "ckg:confidence 0.3"),
        ("ckg:confidence 0.8", f"ckg:confidence 0.8{MARK}"),
    ],
    ids=["without", "needless"],
)
def test_the_shapes_reject_a_missing_or_needless_tentative_mark(
    files: dict[str, Path], tmp_path: Path, right: str, wrong: str
) -> None:
    text = files["ttl"].read_text(encoding="utf-8")
    assert right in text
    file = tmp_path / "wrong.ttl"
    file.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    assert any(v.rule == "shape" and "tentative" in v.message for v in validate(file))


def test_a_graph_in_memory_is_valid(graph: Graph) -> None:
    assert validate_graph(graph) == ()


EXPECTED_ROWS = {
    "top": ("@top-methods", {}, ("Heron", 2), ("Heron", 3)),
    "using": ("@papers-using", {"name": "Heron"}, None, ("Gull", "2024", "uses")),
    "cited": ("@cited-papers", {}, ("Heron planning", 1), ("Heron planning", 2)),
    "overview": ("@overview", {}, ("methods", 4), ("methods", 5)),
    "stubs": ("@overview", {}, None, ("stubs", 1)),
    "spellings": ("@spellings", {"name": "Plover"}, None, ("Plover", 1)),
    "doubtful": ("@doubtful", {"max_confidence": "0.5"}, (0.2, "Gull"), (0.2, "Gull")),
}


@pytest.mark.parametrize(
    ("name", "values", "firm", "everything"), EXPECTED_ROWS.values(), ids=EXPECTED_ROWS
)
@pytest.mark.parametrize("kind", ["ttl", "json", "memory"])
def test_named_queries_omit_tentative_claims_by_default(
    graph: Graph,
    files: dict[str, Path],
    kind: str,
    name: str,
    values: dict[str, str],
    firm: tuple[object, ...] | None,
    everything: tuple[object, ...],
) -> None:
    source = graph if kind == "memory" else files[kind]
    for tentative, expected in ((False, firm), (True, everything)):
        answer = query(source, name, values=values, tentative=tentative)
        wanted = expected or everything
        rows = [tuple(row.values())[: len(wanted)] for row in answer]
        assert (wanted in rows) == (expected is not None)


def test_sparql_queries_include_tentative_claims_and_every_triple(
    graph: Graph, files: dict[str, Path]
) -> None:
    every = len(rdflib.Graph().parse(files["ttl"]))
    for source in (graph, files["ttl"]):
        (row,) = query(source, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
        assert row["n"] == every
        assert query(source, 'ASK { ?p ckg:uses/skos:prefLabel "Plover" }')
        assert query(source, "ASK { ?claim ckg:tentative true }")


def test_named_queries_return_the_same_rows_as_on_the_subset_of_certain_claims(
    graph: Graph,
) -> None:
    part = graph.subset(min_confidence=MIN_CONFIDENCE)
    for name in ("@overview", "@top-methods", "@introductions", "@cited-papers", "@names-by-year"):
        assert list(graph.query(name)) == list(part.query(name)), name


@pytest.mark.parametrize("command", ["show", "path", "influence", "co-use", "export", "query"])
def test_commands_omit_tentative_claims_unless_all_is_given(
    files: dict[str, Path], tmp_path: Path, command: str
) -> None:
    out = tmp_path / "list.md"
    arguments: dict[str, tuple[object, ...]] = {
        "show": ("Heron",),
        "path": ("Gull", "Heron"),
        "influence": ("--json",),
        "co-use": ("--other", "Method", "--json"),
        "export": ("--about", "Heron", "-f", "md", "-o", out),
        "query": ("@top-methods",),
    }
    texts = []
    for more in ((), ("--all",)):
        source = files["ttl" if command == "query" else "json"]
        printed = run(command, source, *arguments[command], *more)
        texts.append(out.read_text(encoding="utf-8") if command == "export" else printed)
    firm, everything = texts
    assert firm != everything
    traces = {
        "path": "uses (0.30)",
        "export": "uses Heron (0.30, tentative)",
        "show": "Gull (2024)",
    }
    assert traces.get(command, "") in everything
    assert command not in traces or traces[command] not in firm


def test_show_states_how_many_claims_it_omits(files: dict[str, Path]) -> None:
    assert "2 more claims below 0.50: show with --all" in run("show", files["json"], "Heron")
    assert "show with --all" not in run("show", files["json"], "Heron", "--all")


def test_an_unfiltered_export_keeps_and_marks_tentative_claims(
    files: dict[str, Path], tmp_path: Path
) -> None:
    run("export", files["json"], "-f", "graphml", "-o", tmp_path / "all.graphml")
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = ET.parse(tmp_path / "all.graphml").getroot()
    marks = [d.text for d in root.iter(f"{space}data") if d.get("key") == "edge-tentative"]
    assert marks == ["true"] * 6
    run("export", files["json"], "-f", "ttl", "-o", tmp_path / "all.ttl")
    assert (tmp_path / "all.ttl").read_bytes() == files["ttl"].read_bytes()


def test_min_confidence_and_all_cannot_be_combined(files: dict[str, Path]) -> None:
    arguments = ["show", str(files["json"]), "Heron", "--all", "--min-confidence", "0.7"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert "give either --min-confidence or --all" in done.output


def test_stats_counts_tentative_claims(files: dict[str, Path]) -> None:
    expected = "Tentative   3 of the relations and 3 of the links: their confidence is below 0.5"
    assert expected in run("stats", files["json"])


def test_the_page_marks_tentative_claims_entities_and_stubs(graph: Graph) -> None:
    columns = graph_columns(*nodes_and_edges(graph))
    entities, papers = columns["entities"], columns["papers"]
    only = [n for n, t in zip(entities["label"], entities["tentative"], strict=True) if t]
    stubs = [n for n, t in zip(papers["label"], papers["tentative"], strict=True) if t]
    assert (only, stubs) == (["Plover"], ["Plover flies"])
    assert sum(columns["relations"]["tentative"]) == 3
    assert sum(columns["links"]["tentative"]) == 3


def test_a_file_without_evidence_has_no_tentative_claims(graph: Graph, tmp_path: Path) -> None:
    file = tmp_path / "bare.ttl"
    write(graph, file, "ttl", ExportOptions(evidence="none"))
    assert len(query(file, "@papers-using", values={"name": "Heron"})) == 2
