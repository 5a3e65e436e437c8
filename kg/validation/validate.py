"""Validate a graph file: its shapes, its records, and the triples that follow from them.

The three checks complement one another: SHACL checks each node, the integrity checks compare
records, and serialising the records again shows missing and unsupported triples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citekg.exports.rdf import mapping
from citekg.exports.rdf.alignment import PAPER_CLASSES
from citekg.exports.rdf.mapping import iri
from citekg.exports.rdf.reading import RDF_FORMATS, Subjects, declared_vocabulary, parse_triples
from citekg.exports.rdf.serializers import oxigraph_triples
from citekg.exports.rdf.triples import triples
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import DEFAULT, PREFIXES, Vocabulary
from citekg.storage.dangling import dangling_references
from citekg.storage.graph_files import graph_format, read_graph
from citekg.validation.integrity import Violation, check_integrity
from citekg.validation.shacl import shapes

if TYPE_CHECKING:
    import pyoxigraph as ox


def validate(path: Path) -> tuple[Violation, ...]:
    """Return all violations in a graph file, sorted; empty if it is valid.

    Raises `GraphError` for a file that is missing, cannot be parsed, or is not a graph.
    """
    if graph_format(path) not in RDF_FORMATS:
        return validate_graph(read_graph(path))
    found = frozenset(parse_triples(path, graph_format(path)))
    violations = [*shape_violations(found, _vocabulary(found))]
    try:
        graph = read_graph(path)
    except GraphError as error:
        violations.append(Violation("readable", str(path), str(error).removeprefix(f"{path}: ")))
    else:
        violations += [*check_integrity(graph), *_compare_triples(found, graph)]
    return tuple(sorted(violations))


def validate_graph(graph: KnowledgeGraph) -> tuple[Violation, ...]:
    """Return all violations in a graph in memory, sorted."""
    if dangling := dangling_references(graph):
        return tuple(sorted([*check_integrity(graph), Violation("readable", "graph", dangling)]))
    written = oxigraph_triples(triples(graph, ExportOptions()))
    return tuple(sorted([*shape_violations(written, graph.vocabulary), *check_integrity(graph)]))


def report(violations: Iterable[Violation], path: Path) -> str:
    """Return the output of `kg validate`: one line per violation, then the counts by rule."""
    listed = sorted(violations)
    if not listed:
        return f"{path}: valid"
    counts = ", ".join(
        f"{number} {rule}" for rule, number in sorted(Counter(v.rule for v in listed).items())
    )
    lines = [f"{v.rule}: {v.node}: {v.message}" for v in listed]
    return "\n".join(
        (*lines, f"{path}: {len(listed)} violation{'s' if len(listed) > 1 else ''} ({counts})")
    )


def shape_violations(
    found: Iterable[ox.Triple], vocabulary: Vocabulary = DEFAULT
) -> Iterator[Violation]:
    """Yield the violations of the SHACL shapes for graphs of a vocabulary."""
    import pyoxigraph as ox
    import shacl_rust

    data = (ox.serialize(found, format=ox.RdfFormat.N_TRIPLES) or b"").decode()
    outcome = shacl_rust.validate(
        data, shapes(vocabulary), data_format="nt", shapes_format="turtle"
    )
    for result in outcome["results"]:
        value = f" (found {result['value']})" if result.get("value") else ""
        yield Violation("shape", _bare(result["focusNode"]), f"{_shacl_message(result)}{value}")


def _vocabulary(found: Collection[ox.Triple]) -> Vocabulary:
    """Return the vocabulary that the triples declare; the shipped one if none or an invalid one."""
    declared = {
        t.subject
        for t in found
        if t.predicate.value == mapping.TYPE and _text(t.object).startswith(PREFIXES["owl"])
    }
    subjects: Subjects = {_text(term): {} for term in declared}
    for triple in found if declared else ():
        if triple.subject in declared:
            subjects[_text(triple.subject)].setdefault(triple.predicate.value, []).append(
                _text(triple.object)
            )
    try:
        return declared_vocabulary(subjects)
    except (GraphError, ValueError):
        return DEFAULT


def _shacl_message(result: dict[str, Any]) -> str:
    """Return the `sh:message` of the shape, which comes last, else the name of the constraint."""
    messages = result.get("messages") or [_bare(result["sourceConstraintComponent"])]
    return str(messages[-1])


def _bare(node: str) -> str:
    return node.removeprefix("<").removesuffix(">")


def _compare_triples(found: frozenset[ox.Triple], graph: KnowledgeGraph) -> Iterator[Violation]:
    """Yield triples of the records that the file lacks, and claims that follow from no record."""
    expected = frozenset(oxigraph_triples(triples(graph, _options(found))))
    for triple in expected - found:
        yield Violation(
            "missing", _text(triple.subject), f"lacks <{triple.predicate.value}> {triple.object}"
        )
    claims = (*graph.vocabulary.role_of_iri, *mapping.LINK_BY_IRI)
    missing_support = dict.fromkeys(claims, "statement supports")
    missing_support[mapping.HAS_REFERENCE] = "list of references contains"
    for triple in found - expected:
        if missing := missing_support.get(triple.predicate.value):
            claim = f"<{triple.predicate.value}> {triple.object}"
            yield Violation("unfounded", _text(triple.subject), f"has {claim}, which no {missing}")


def _options(found: frozenset[ox.Triple]) -> ExportOptions:
    """Return the export options of a file, as far as its triples show them."""
    classes: dict[str, set[str]] = {}
    for triple in found:
        if triple.predicate.value == mapping.TYPE:
            classes.setdefault(_text(triple.object), set()).add(_text(triple.subject))
    papers = classes.get(mapping.PAPER, set())
    derived = {_text(t.object) for t in found if t.predicate.value == mapping.DERIVED}
    sourced = any(t.predicate.value == mapping.FROM_SOURCE for t in found)
    base = next(_text(t.object) for t in found if t.predicate.value == mapping.URI_SPACE)
    bare = not sourced and mapping.STATEMENT not in classes and mapping.ANNOTATION not in classes
    level: Any = "none" if bare else "paper" if derived & papers else "sentence"
    return ExportOptions(base, level, align=iri(PAPER_CLASSES[-1]) in classes)


def _text(term: Any) -> str:
    return str(term.value)
