"""Generate pages from the code: `python docs/generate.py` from the project's root.

`docs/ontology.md` comes from the ontology, `docs/queries.md` from the library of named queries.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import rdflib  # noqa: E402
from rdflib import OWL, RDF, RDFS, SKOS, URIRef  # noqa: E402

from citekg.queries.library import NamedQuery, Parameter, library  # noqa: E402
from citekg.schemas.vocabulary import BASE_IRI, LINKS, ONTOLOGY, PREFIXES, ROLES, TYPES  # noqa: E402

PROPERTIES = (OWL.ObjectProperty, OWL.DatatypeProperty, RDF.Property)
MATCHES = (SKOS.exactMatch, SKOS.closeMatch, SKOS.broadMatch, SKOS.relatedMatch)
WRITTEN_BY = "<!-- Written by docs/generate.py: change its sources, not this page. -->"


def ontology_page() -> str:
    """Return the page about the ontology: classes, properties by purpose, and reused terms."""
    graph = rdflib.Graph().parse(ROOT / "schemas" / "ontology.ttl")
    roles = [URIRef(role.iri) for role in ROLES.values()]
    links = [URIRef(kind.iri) for kind in LINKS.values()]
    classes = [URIRef(kind.iri) for kind in TYPES.values()]
    others = sorted(_of_kind(graph, OWL.Class) - {*classes})
    rest = sorted(
        p for p in _of_kind(graph, *PROPERTIES) if p.startswith(ONTOLOGY) and p not in roles
    )
    reused = sorted(s for s in graph.subjects(RDFS.comment) if not list(graph.objects(s, RDF.type)))
    parts = (
        "# The ontology",
        WRITTEN_BY,
        str(graph.value(URIRef(ONTOLOGY.rstrip("#")), RDFS.comment)),
        f"The namespace of the ontology is `{ONTOLOGY}`; instances are under `{BASE_IRI}` unless `--base-iri` sets"
        " another namespace. The file is `schemas/ontology.ttl`, the SHACL shapes are `schemas/shapes.ttl`, and the JSON-LD"
        " context is `schemas/context.jsonld`.",
        "## Classes",
        *_table(
            ("class", "meaning", "aligned with"),
            (_class_row(graph, c) for c in (*classes, *others)),
        ),
        "## Roles: from a paper to an entity",
        *_table(
            ("property", "label", "meaning", "subproperty of", "aligned with"),
            (_role_row(graph, r) for r in roles),
        ),
        "## Links: from a paper to a paper",
        *_table(
            ("property", "label", "meaning"),
            ((_short(k), _label(graph, k), _comment(graph, k)) for k in links),
        ),
        "## Results, evidence, sources and the run",
        *_table(
            ("property", "domain", "range", "meaning"), (_property_row(graph, p) for p in rest)
        ),
        "## Terms of other vocabularies",
        *_table(
            ("property", "meaning in citekg"), ((_short(t), _comment(graph, t)) for t in reused)
        ),
    )
    return "\n\n".join(parts) + "\n"


def queries_page() -> str:
    """Return the page about the named queries, each with its parameters and its SPARQL."""
    intro = (
        "Each named query is a complete SPARQL query in a file of `kg/queries`. `kg query GRAPH @top-methods` runs one,"
        " `--set type=Benchmark` sets a parameter, and `kg query --list` lists all. Named queries exclude"
        " [tentative claims](python.md#tentative-claims), unless you add `--all`."
    )
    return "\n\n".join(("# Named queries", WRITTEN_BY, intro, *map(_query, library()))) + "\n"


def _default(parameter: Parameter) -> str:
    return "required" if parameter.default is None else f"`{parameter.default}` if not set"


def _query(query: NamedQuery) -> str:
    parameters = [f"- `--set {p.name}=…`: {p.about} ({_default(p)})" for p in query.parameters]
    listed = ["\n".join(parameters)] if parameters else []
    return "\n\n".join(
        (
            f"## @{query.name}",
            f"**{query.title}.** {query.about}",
            *listed,
            f"```sparql\n{query.sparql}```",
        )
    )


def _of_kind(graph: rdflib.Graph, *kinds: URIRef) -> set[URIRef]:
    return {s for kind in kinds for s in graph.subjects(RDF.type, kind) if isinstance(s, URIRef)}


def _class_row(graph: rdflib.Graph, term: URIRef) -> tuple[str, ...]:
    return _short(term), _comment(graph, term), _aligned(graph, term)


def _role_row(graph: rdflib.Graph, term: URIRef) -> tuple[str, ...]:
    wider = ", ".join(sorted(_short(w) for w in graph.objects(term, RDFS.subPropertyOf)))
    return _short(term), _label(graph, term), _comment(graph, term), wider, _aligned(graph, term)


def _property_row(graph: rdflib.Graph, term: URIRef) -> tuple[str, ...]:
    return (
        _short(term),
        _short(graph.value(term, RDFS.domain)),
        _short(graph.value(term, RDFS.range)),
        _comment(graph, term),
    )


def _aligned(graph: rdflib.Graph, term: URIRef) -> str:
    return ", ".join(
        sorted(_short(other) for match in MATCHES for other in graph.objects(term, match))
    )


def _label(graph: rdflib.Graph, term: URIRef) -> str:
    return str(graph.value(term, RDFS.label))


def _comment(graph: rdflib.Graph, term: object) -> str:
    return str(graph.value(term, RDFS.comment))


def _short(term: object) -> str:
    """Return the prefixed name as code; a union of classes has none."""
    if not isinstance(term, URIRef):
        return "several"
    for prefix, space in PREFIXES.items():
        if term.startswith(space):
            return f"`{prefix}:{term[len(space) :]}`"
    return f"`{term}`"


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    lines = (header, ("---",) * len(header), *rows)
    yield "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def pages() -> dict[str, str]:
    """Return the text of each page by its file name."""
    return {"ontology.md": ontology_page(), "queries.md": queries_page()}


if __name__ == "__main__":
    for name, text in pages().items():
        (ROOT / "docs" / name).write_text(text, encoding="utf-8")
