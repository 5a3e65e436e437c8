"""Whether a graph file is right: its shapes, its records, and the triples that follow from them.

Three looks, each blind to what the others see: SHACL sees one node at a time, the checks see how
records fit together, and writing the records anew shows triples that are missing or unfounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citekg.exports import ExportOptions
from citekg.exports.rdf import mapping
from citekg.exports.rdf.alignment import PAPER_CLASSES
from citekg.exports.rdf.mapping import iri
from citekg.exports.rdf.reading import RDF_FORMATS, Subjects, parsed, vocabulary_in
from citekg.exports.rdf.serializers import oxigraph_triples
from citekg.exports.rdf.triples import triples
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import DEFAULT, PREFIXES, Vocabulary
from citekg.storage.dangling import dangling_references
from citekg.storage.graph_files import graph_format, read_graph
from citekg.validation.integrity import Violation, check
from citekg.validation.shacl import shapes

if TYPE_CHECKING:
    import pyoxigraph as ox


def validate(path: Path) -> tuple[Violation, ...]:
    """Everything that is wrong with a graph file, sorted; nothing where it is right.

    Raises `GraphError` for a file that is missing, cannot be parsed, or is nothing like a graph.
    """
    if graph_format(path) not in RDF_FORMATS:
        return validate_graph(read_graph(path))
    found = frozenset(parsed(path, graph_format(path)))
    violations = [*shape_violations(found, _vocabulary(found))]
    try:
        graph = read_graph(path)
    except GraphError as error:
        violations.append(Violation("readable", str(path), str(error).removeprefix(f"{path}: ")))
    else:
        violations += [*check(graph), *_unfaithful(found, graph)]
    return tuple(sorted(violations))


def validate_graph(graph: KnowledgeGraph) -> tuple[Violation, ...]:
    """Everything that is wrong with a graph in memory, sorted."""
    if lost := dangling_references(graph):
        return tuple(sorted([*check(graph), Violation("readable", "graph", lost)]))
    written = oxigraph_triples(triples(graph, ExportOptions()))
    return tuple(sorted([*shape_violations(written, graph.vocabulary), *check(graph)]))


def report(violations: Iterable[Violation], path: Path) -> str:
    """What `kg validate` prints: each violation in a line, then how many of which rule."""
    listed = sorted(violations)
    if not listed:
        return f"{path}: valid"
    counts = ", ".join(f"{number} {rule}" for rule, number in sorted(Counter(v.rule for v in listed).items()))
    lines = [f"{v.rule}: {v.node}: {v.message}" for v in listed]
    return "\n".join((*lines, f"{path}: {len(listed)} violation{'s' if len(listed) > 1 else ''} ({counts})"))


def shape_violations(found: Iterable[ox.Triple], vocabulary: Vocabulary = DEFAULT) -> Iterator[Violation]:
    """What the project's SHACL shapes for graphs of that vocabulary object to."""
    import pyoxigraph as ox
    import shacl_rust

    data = (ox.serialize(found, format=ox.RdfFormat.N_TRIPLES) or b"").decode()
    told = shacl_rust.validate(data, shapes(vocabulary), data_format="nt", shapes_format="turtle")
    for result in told["results"]:
        value = f" (found {result['value']})" if result.get("value") else ""
        yield Violation("shape", _bare(result["focusNode"]), f"{_shacl_message(result)}{value}")


def _vocabulary(found: Collection[ox.Triple]) -> Vocabulary:
    """The vocabulary that triples declare; the shipped one where they declare none, or one that breaks a rule."""
    declared = {
        t.subject for t in found if t.predicate.value == mapping.TYPE and _text(t.object).startswith(PREFIXES["owl"])
    }
    subjects: Subjects = {_text(term): {} for term in declared}
    for triple in found if declared else ():
        if triple.subject in declared:
            subjects[_text(triple.subject)].setdefault(triple.predicate.value, []).append(_text(triple.object))
    try:
        return vocabulary_in(subjects)
    except (GraphError, ValueError):
        return DEFAULT


def _shacl_message(result: dict[str, Any]) -> str:
    """Our own words where the shape has some: they come last."""
    messages = result.get("messages") or [_bare(result["sourceConstraintComponent"])]
    return str(messages[-1])


def _bare(node: str) -> str:
    return node.removeprefix("<").removesuffix(">")


def _unfaithful(found: frozenset[ox.Triple], graph: KnowledgeGraph) -> Iterator[Violation]:
    """The triples that the records would give and the file lacks, and the claims that no record makes."""
    expected = frozenset(oxigraph_triples(triples(graph, _options(found))))
    for triple in expected - found:
        yield Violation("missing", _text(triple.subject), f"lacks <{triple.predicate.value}> {triple.object}")
    proof = dict.fromkeys((*graph.vocabulary.role_of_iri, *mapping.LINK_OF), "statement proves")
    proof[mapping.HAS_REFERENCE] = "list of references has"
    for triple in found - expected:
        if missing := proof.get(triple.predicate.value):
            said = f"<{triple.predicate.value}> {triple.object}"
            yield Violation("unfounded", _text(triple.subject), f"says {said}, which no {missing}")


def _options(found: frozenset[ox.Triple]) -> ExportOptions:
    """The options with which a file was written, as far as its triples show."""
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
