"""The ontology, the SHACL shapes, the vocabulary and the RDF export agree with one another."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, URIRef

import citekg.schemas
from citekg.exports.rdf.triples import triples
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import (
    BASE_IRI,
    LINKS,
    ONTOLOGY,
    PREFIXES,
    ROLES,
    TYPES,
    EntityType,
    LinkKind,
    Role,
)
from tests.sample import sample_graph

FOLDER = Path(citekg.schemas.__file__).parent
PROPERTIES = (OWL.ObjectProperty, OWL.DatatypeProperty, RDF.Property)


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(FOLDER / "ontology.ttl")


@pytest.fixture(scope="module")
def terms() -> set[URIRef]:
    """Every class and property that the sample's export uses."""
    written = list(triples(sample_graph(), ExportOptions()))
    used = {p for _, p, _ in written} | {o for _, _, o in written if isinstance(o, str)}
    return {URIRef(term) for term in used if not term.startswith(BASE_IRI)}


def own_terms(graph: rdflib.Graph, *classes: URIRef) -> set[URIRef]:
    found = {s for class_ in classes for s in graph.subjects(RDF.type, class_)}
    return {s for s in found if isinstance(s, URIRef) and s.startswith(ONTOLOGY)}


def test_the_ontology_defines_every_citekg_term_in_the_export(
    ontology: rdflib.Graph, terms: set[URIRef]
) -> None:
    assert {t for t in terms if t.startswith(ONTOLOGY)} <= own_terms(
        ontology, OWL.Class, *PROPERTIES
    )


def test_every_exported_property_has_a_comment_in_the_ontology(ontology: rdflib.Graph) -> None:
    written = {URIRef(p) for _, p, _ in triples(sample_graph(), ExportOptions())}
    without_comment = {
        p
        for p in written
        if not ontology.value(p, RDFS.comment) and not p.startswith(PREFIXES["rdf"])
    }
    assert not without_comment


def test_every_citekg_term_has_a_label_a_comment_and_is_defined_by(ontology: rdflib.Graph) -> None:
    for term in own_terms(ontology, OWL.Class, *PROPERTIES):
        for property_ in (RDFS.label, RDFS.comment, RDFS.isDefinedBy):
            assert ontology.value(term, property_), (term, property_)


def test_every_citekg_property_has_a_domain_and_a_range(ontology: rdflib.Graph) -> None:
    for term in own_terms(ontology, *PROPERTIES):
        assert ontology.value(term, RDFS.domain), term
        assert ontology.value(term, RDFS.range), term


@pytest.mark.parametrize("kind", TYPES.values(), ids=TYPES)
def test_every_entity_type_is_a_class_with_its_comment_and_an_alignment(
    ontology: rdflib.Graph, kind: EntityType
) -> None:
    term = URIRef(kind.iri)
    assert str(ontology.value(term, RDFS.comment)) == kind.comment
    assert (term, RDFS.subClassOf, URIRef(ONTOLOGY + "Entity")) in ontology
    aligned = list(ontology.objects(term, URIRef(PREFIXES["skos"] + "closeMatch")))
    assert aligned
    assert not any(str(a).startswith(ONTOLOGY) for a in aligned)


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
def test_every_role_is_a_labelled_subproperty_of_its_parent(
    ontology: rdflib.Graph, role: Role
) -> None:
    term = URIRef(role.iri)
    assert str(ontology.value(term, RDFS.label)) == role.label
    if role.name == "mentions":
        return
    assert str(ontology.value(term, RDFS.comment)) == role.comment
    wider = ROLES[role.parent or "mentions"].iri
    assert (term, RDFS.subPropertyOf, URIRef(wider)) in ontology


@pytest.mark.parametrize("kind", LINKS.values(), ids=LINKS)
def test_every_link_kind_is_a_subproperty_of_cites(ontology: rdflib.Graph, kind: LinkKind) -> None:
    term = URIRef(kind.iri)
    assert ontology.value(term, RDFS.comment)
    if kind.name != "cites":
        assert (term, RDFS.subPropertyOf, URIRef(LINKS["cites"].iri)) in ontology


def test_the_ontology_has_exactly_the_types_and_roles_of_the_vocabulary(
    ontology: rdflib.Graph,
) -> None:
    classes = set(ontology.subjects(RDFS.subClassOf, URIRef(ONTOLOGY + "Entity")))
    assert classes == {URIRef(kind.iri) for kind in TYPES.values()}
    roles = set(
        ontology.transitive_subjects(RDFS.subPropertyOf, URIRef(PREFIXES["schema"] + "mentions"))
    )
    assert roles == {URIRef(role.iri) for role in ROLES.values()}


@pytest.mark.parametrize("file", ["ontology.ttl", "shapes.ttl"])
def test_prefixes_have_the_same_namespaces_in_every_file(file: str) -> None:
    graph = rdflib.Graph(bind_namespaces="none").parse(FOLDER / file)
    for prefix, namespace in graph.namespaces():
        assert PREFIXES.get(prefix, str(namespace)) == str(namespace)


def test_the_shapes_use_only_exported_or_defined_terms(
    ontology: rdflib.Graph, terms: set[URIRef]
) -> None:
    shapes = rdflib.Graph().parse(FOLDER / "shapes.ttl")
    namespaces = tuple(
        PREFIXES[p]
        for p in ("ckg", "cito", "oa", "prov", "schema", "void", "dcterms", "skos", "fabio")
    )
    used_terms = {
        o for o in shapes.objects() if isinstance(o, URIRef) and str(o).startswith(namespaces)
    }
    assert used_terms <= terms | set(ontology.subjects())
