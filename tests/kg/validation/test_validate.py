"""Valid graphs pass, and every injected fault is found and reported."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from citekg.exports import exporter, write
from citekg.exports.rdf.reading import RDF_FORMATS, parse_triples
from citekg.exports.rdf.split import write_split
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import key, slug
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Entity, Link, Mention, Relation, ResultName
from citekg.schemas.vocabulary import PREFIXES
from citekg.validation.shacl import SHAPES
from citekg.validation.validate import report, shape_violations, validate, validate_graph
from tests.extent import sample_of
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, RESULTS, sample_graph


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return sample_graph()


def expand_prefixes(pattern: str) -> str:
    """Expand prefixed IRIs such as `<oa:start>` in a pattern for N-Triples."""
    return re.sub(
        r"<(\w+):([^>/][^>]*)>",
        lambda m: f"<{PREFIXES[m[1]]}{m[2]}>" if m[1] in PREFIXES else m[0],
        pattern,
    )


def write_with_fault(graph: KnowledgeGraph, folder: Path, old: str, new: str) -> Path:
    """Write the sample as N-Triples, with the first match of a pattern replaced."""
    text = b"".join(exporter("nt").writer(graph, ExportOptions())).decode()
    changed, times = re.subn(expand_prefixes(old), expand_prefixes(new), text, count=1)
    assert times == 1
    assert changed != text
    path = folder / "graph.nt"
    path.write_text(changed, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", [*RDF_FORMATS, "json"])
@pytest.mark.parametrize(
    "options",
    [
        ExportOptions(),
        ExportOptions("https://example.org/kg#"),
        ExportOptions(evidence="paper"),
        ExportOptions(evidence="none"),
        ExportOptions(align=True),
    ],
)
def test_every_export_of_a_valid_graph_is_valid(
    graph: KnowledgeGraph, tmp_path: Path, name: str, options: ExportOptions
) -> None:
    path = tmp_path / f"graph.{name}"
    write(graph, path, name, options)
    assert report(validate(path), path) == f"{path}: valid"


def test_a_split_graph_is_valid_only_with_both_files(graph: KnowledgeGraph, tmp_path: Path) -> None:
    core, provenance = write_split(graph, tmp_path / "graph.ttl.gz", "ttl")
    assert validate(core) == ()
    provenance.unlink()
    assert validate(core)


VARIANT = slug(key("Qwen2.5-VL-7B"))

#: A replacement in the file, and the rules that it must violate. pySHACL checks `shape` faults too.
FAULTS = {
    "an offset is a text": (r'<oa:start> "0"\^\^<xsd:integer>', '<oa:start> "0"', "shape"),
    "an offset is negative": (r'<oa:start> "0"', '<oa:start> "-1"', "shape offsets"),
    "an offset is no number": (r'<oa:start> "0"', '<oa:start> "zero"', "shape readable"),
    "a span ends before it begins": (
        r'(<oa:start> "23"\S+ \.\n\S+ <oa:end>) "25"',
        r'\1 "20"',
        "shape offsets",
    ),
    "a span is one too long": (
        r'(<oa:start> "23"\S+ \.\n\S+ <oa:end>) "25"',
        r'\1 "26"',
        "offsets",
    ),
    "a span tells another text": (r'<oa:exact> "C#"', '<oa:exact> "C+"', "offsets"),
    "a span has no text": (r'<oa:exact> "C#"', '<oa:exact> ""', "shape offsets"),
    "a span has two texts": (r'(\S+ <oa:exact>) "C#" \.', r'\1 "C#" .\n\1 "C" .', "shape readable"),
    "a span lies in nothing": (
        r"<oa:hasSource> <ckgid:p-2403.00003>",
        "<oa:hasSource> <ckgid:p-none>",
        "shape known",
    ),
    "a mention names nothing": (
        r"<oa:hasBody> <ckgid:e-quill>",
        "<oa:hasBody> <ckgid:e-none>",
        "shape known",
    ),
    "a mention has no span": (r"<oa:hasTarget>", "<oa:target>", "shape readable"),
    "a mention is sure beyond one": (
        r'<ckg:confidence> "0.125"',
        '<ckg:confidence> "1.25"',
        "shape confidence",
    ),
    "a confidence is a double": (r'("0.125"\^\^)<xsd:decimal>', r"\1<xsd:double>", "shape missing"),
    "a confidence is no number": (
        r'"0.125"\^\^<xsd:decimal>',
        '"high"^^<xsd:decimal>',
        "shape readable",
    ),
    "a mention is of no type": (
        r"<dcterms:type> <ckg:Method>",
        "<dcterms:type> <ckg:Thing>",
        "shape readable",
    ),
    "a sentence ends before its mention": (
        r'<ckg:sentenceEnd> "34"',
        '<ckg:sentenceEnd> "3"',
        "offsets",
    ),
    "a sentence begins after its end": (
        r'<ckg:sentenceStart> "35"',
        '<ckg:sentenceStart> "900"',
        "shape offsets",
    ),
    "an entity has no name": (r"<skos:prefLabel>", "<skos:label>", "shape readable"),
    "an entity has two names": (
        r'(\S+ <skos:prefLabel>) "C#" \.',
        r'\1 "C#" .\n\1 "C sharp" .',
        "shape readable",
    ),
    "an alias is the name": (
        r'<skos:altLabel> "QUILL"',
        '<skos:altLabel> "Quill"',
        "shape aliases",
    ),
    "an entity is of two types": (
        r"(\S+/e-c~23> <rdf:type>) <ckg:Method>",
        r"\1 <ckg:Method> .\n\1 <ckg:Model>",
        "shape",
    ),
    "a family is not there": (
        r"<skos:broader> <ckgid:e-qwen2.5>",
        "<skos:broader> <ckgid:e-none>",
        "shape known",
    ),
    "a family goes round": (
        r"<skos:broader> <ckgid:e-qwen2.5>",
        rf"<skos:broader> <ckgid:e-{VARIANT}>",
        "family",
    ),
    "a paper has no title": (r'\S+ <dcterms:title> "Fledge" \.\n', "", "shape readable"),
    "a paper has two ids": (
        r'(\S+ <dcterms:identifier>) "ppo" \.',
        r'\1 "ppo" .\n\1 "PPO" .',
        "shape readable",
    ),
    "a paper has another id": (
        r'<dcterms:identifier> "ppo"',
        '<dcterms:identifier> "PPO"',
        "missing",
    ),
    "a date is no date": (
        r'"2024-01-02"\^\^<xsd:date>',
        '"2024-13-02"^^<xsd:date>',
        "shape missing",
    ),
    "a date is a number": (r'"2025"\^\^<xsd:gYear>', '"2025"^^<xsd:integer>', "shape missing"),
    "an address is a text": (r"\^\^<xsd:anyURI>", "", "shape missing"),
    "a paper uses a paper": (
        r"<ckg:uses> <ckgid:e-quill>",
        "<ckg:uses> <ckgid:p-ppo>",
        "shape missing",
    ),
    "a paper cites a method": (
        r"<cito:cites> <ckgid:p-ppo>",
        "<cito:cites> <ckgid:e-ppo>",
        "shape missing unfounded",
    ),
    "a role has no triple": (r"\S+ <ckg:uses> <ckgid:e-quill> \.\n", "", "missing"),
    "a role has no statement": (
        r"(\S+ <ckg:)(uses)(> <ckgid:e-quill> \.\n)",
        r"\1\2\3\1trainsOn\3",
        "unfounded",
    ),
    "a mention is not told": (r"\S+ <schema:mentions> <ckgid:e-quill> \.\n", "", "missing"),
    "a link does not cite": (r"\S+ <cito:cites> <ckgid:p-ppo> \.\n", "", "missing"),
    "a statement has no subject": (
        r"<rdf:subject> (\S+/p-)",
        r"<rdf:subjekt> \1",
        "shape readable",
    ),
    "a statement says another thing": (
        r"<rdf:predicate> <ckg:uses>",
        "<rdf:predicate> <ckg:trainsOn>",
        "missing",
    ),
    "a statement says nothing known": (
        r"<rdf:predicate> <ckg:uses>",
        "<rdf:predicate> <ckg:eats>",
        "shape unfounded",
    ),
    "a proof is not there": (
        r"<prov:wasDerivedFrom> (<\S+_m)191>",
        r"<prov:wasDerivedFrom> \g<1>190>",
        "shape evidence",
    ),
    "a proof is of another entity": (
        r"<prov:wasDerivedFrom> (<\S+_m)191>",
        r"<prov:wasDerivedFrom> \g<1>0>",
        "evidence",
    ),
    "a claim is sure beyond one": (
        r'<ckg:confidence> "0.66"',
        '<ckg:confidence> "95"',
        "shape confidence",
    ),
    "a type has no support": (r"<ckg:support>", "<ckg:supports>", "shape readable"),
    "a link goes through nothing": (
        r"<ckg:through> <ckgid:e-ppo>",
        "<ckg:through> <ckgid:e-none>",
        "shape link",
    ),
    "a link goes through another": (
        r"<ckg:through> <ckgid:e-ppo>",
        "<ckg:through> <ckgid:e-quill>",
        "link",
    ),
    "a result has another kind": (r'<ckg:resultKind> "score"', '<ckg:resultKind> "rank"', "shape"),
    "a score has a direction": (
        r'(\S+) (<ckg:resultKind> "score" \.)',
        r'\1 \2\n\1 <ckg:direction> "up" .',
        "shape",
    ),
    "a result lies in nothing": (
        r"<ckg:reportedIn> <\S+>",
        "<ckg:reportedIn> <ckgid:p-none>",
        "shape known",
    ),
    "a value is another number": (
        r'<schema:minValue> "82.5"',
        '<schema:minValue> "28.5"',
        "missing",
    ),
    "a value is not in the text": (r'<ckg:valueText> "78', '<ckg:valueText> "87', "offsets"),
    "a sentence ends before its value": (
        r'<ckg:sentenceEnd> "185"',
        '<ckg:sentenceEnd> "160"',
        "offsets",
    ),
    "a doubtful result is not marked": (r"\S+_r169> <ckg:tentative> .*\n", "", "shape missing"),
    "a winner is no entity": (
        r"<ckg:winner> <\S+>",
        "<ckg:winner> <ckgid:e-none>",
        "shape missing",
    ),
    "a source has no name": (r'<dcterms:title> "extra', '<dcterms:titel> "extra', "shape readable"),
    "a source has line nought": (r'<ckg:line> "3"', '<ckg:line> "0"', "shape"),
    "the run has no version": (r"<schema:softwareVersion>", "<schema:version>", "shape readable"),
    "the run has no software": (
        r"<prov:wasAssociatedWith>",
        "<prov:wasStartedBy>",
        "shape readable",
    ),
    "the data set miscounts": (r'<void:triples> "\d+"', '<void:triples> "12"', "missing"),
    "the data set has no base": (r"<void:uriSpace>", "<void:uriSpaze>", "shape readable"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_injected_fault_violates_the_expected_rules(
    graph: KnowledgeGraph, tmp_path: Path, fault: str
) -> None:
    old, new, rules = FAULTS[fault]
    found = validate(write_with_fault(graph, tmp_path, old, new))
    assert {*rules.split()} <= {violation.rule for violation in found}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "fault",
    sample_of([None, *(name for name, fault in FAULTS.items() if "shape" in fault[2])], 8),
)
def test_shape_violations_are_at_the_same_nodes_as_in_pyshacl(
    graph: KnowledgeGraph, tmp_path: Path, fault: str | None
) -> None:
    pyshacl = pytest.importorskip("pyshacl")
    rdflib = pytest.importorskip("rdflib")
    path = write_with_fault(graph, tmp_path, *FAULTS[fault][:2]) if fault else tmp_path / "graph.nt"
    if not fault:
        write(graph, path, "nt")
    _, reported, _ = pyshacl.validate(
        str(path), shacl_graph=str(SHAPES), data_graph_format="nt", inference="none"
    )
    results = reported.objects(None, rdflib.SH.result)
    nodes = [str(reported.value(result, rdflib.SH.focusNode)) for result in results]
    assert {v.node for v in shape_violations(parse_triples(path, "nt"))} == set(nodes)


def test_the_report_names_rule_node_and_fault(graph: KnowledgeGraph, tmp_path: Path) -> None:
    path = write_with_fault(graph, tmp_path, r'<oa:exact> "C#"', '<oa:exact> "C+"')
    violations = validate(path)
    assert [str(v.rule) for v in violations] == ["offsets"]
    assert report(violations, path).splitlines() == [
        "offsets: 2401.00001_m23: has the text 'C+', but the paper has 'C#'",
        f"{path}: 1 violation (1 offsets)",
    ]


QUILL_USE = Relation(NEST.id, "uses", "quill", 0.5, ())
RECORDS = {
    "a result with an unknown entity": (
        "results",
        replace(RESULTS[0], paper=QUILL.id, on=(ResultName("Pond", "pond"),)),
        "names the entity 'pond'",
    ),
    "a link to itself": (
        "links",
        Link(QUILL.id, "cites", QUILL.id, "quill", 0.5, ()),
        "does not cite itself",
    ),
    "a link to no introducer": (
        "links",
        Link(NEST.id, "cites", FLEDGE.id, "quill", 0.5, ()),
        "does not introduce",
    ),
    "a link of a wrong kind": (
        "links",
        Link(FEATHERS.id, "extends", QUILL.id, "quill", 0.5, ()),
        "no role",
    ),
    "a link to a later paper": (
        "links",
        Link(QUILL.id, "cites", FLEDGE.id, "fledge", 0.5, ()),
        "the later one",
    ),
    "no fault: a role that fits one of the types": (
        "relations",
        Relation(NEST.id, "trainsOn", "quill", 0.5, ()),
        None,
    ),
    "a role of the wrong type": (
        "relations",
        Relation(NEST.id, "trainsOn", "ppo", 0.5, ()),
        "does not apply to a Method",
    ),
    "a relation of no paper": (
        "relations",
        Relation("none", "uses", "ppo", 0.5, ()),
        "its paper is not in",
    ),
    "a relation to nothing": (
        "relations",
        Relation(NEST.id, "uses", "none", 0.5, ()),
        "its entity is not in the graph",
    ),
    "a relation twice": ("relations", QUILL_USE, "occurs 2 times"),
    "a mention over another": (
        "mentions",
        Mention(QUILL.id, "c~23", 24, 25, "#", "Method", (0, 34), "lexicon", 0.5),
        "overlaps 2401.00001_m23",
    ),
    "a type that is not the first": (
        "entities",
        Entity("x", "X", "Method", types=(("Model", 1),)),
        "not the first",
    ),
}


FIELDS = [field.name for field in fields(KnowledgeGraph)]


@pytest.mark.parametrize("fault", RECORDS)
def test_inconsistent_records_are_reported(graph: KnowledgeGraph, fault: str) -> None:
    field, record, message = RECORDS[fault]
    changed: dict[str, Any] = {
        field: tuple(sorted((*getattr(graph, field), record), key=lambda r: r.__repr__()))
    }
    wrong = replace(graph, **changed)
    wrong = KnowledgeGraph.of(**{name: getattr(wrong, name) for name in FIELDS})
    stated = " ".join(violation.message for violation in validate_graph(wrong))
    assert (message in stated) if message else not stated


def test_an_invalid_or_missing_graph_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text("a b c", encoding="utf-8")
    with pytest.raises(GraphError, match=r"graph\.ttl:1: not ttl"):
        validate(tmp_path / "graph.ttl")
    with pytest.raises(GraphError, match="no such file"):
        validate(tmp_path / "none.ttl")
