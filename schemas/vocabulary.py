"""Entity types, roles and paper-to-paper links, with the IRIs they have in RDF.

The tables are the single place where a type or a role is defined: extraction, the
ontology check, the exports and the viewer all read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The namespace of the ontology.
ONTOLOGY: Final = "https://w3id.org/citekg/ontology#"
#: The default namespace of instances; `--base-iri` changes it.
BASE_IRI: Final = "https://w3id.org/citekg/id/"

#: Prefixes declared in every RDF file and in front of every query.
PREFIXES: Final[dict[str, str]] = {
    "bibo": "http://purl.org/ontology/bibo/",
    "ckg": ONTOLOGY,
    "ckgid": BASE_IRI,
    "cito": "http://purl.org/spar/cito/",
    "cr": "http://mlcommons.org/croissant/",
    "dcterms": "http://purl.org/dc/terms/",
    "fabio": "http://purl.org/spar/fabio/",
    "fair4ml": "https://w3id.org/fair4ml#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "lpwc": "https://linkedpaperswithcode.com/class/",
    "lpwcp": "https://linkedpaperswithcode.com/property/",
    "mls": "http://www.w3.org/ns/mls#",
    "oa": "http://www.w3.org/ns/oa#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


@dataclass(frozen=True, slots=True)
class EntityType:
    """One kind of thing a paper names, for example `Method`."""

    name: str
    plural: str
    comment: str

    @property
    def iri(self) -> str:
        """The class in the ontology."""
        return ONTOLOGY + self.name


@dataclass(frozen=True, slots=True)
class Role:
    """What a paper does with an entity; `fits` names the entity types it is said of.

    `label` reads in a sentence: "the paper *evaluates on* D4RL".
    `parent` is the wider role that a reader may fall back to.
    """

    name: str
    label: str
    fits: tuple[str, ...]
    comment: str
    parent: str | None = None

    @property
    def iri(self) -> str:
        """The property in the ontology; a background mention is plain `schema:mentions`."""
        return PREFIXES["schema"] + "mentions" if self.name == "mentions" else ONTOLOGY + self.name


@dataclass(frozen=True, slots=True)
class LinkKind:
    """How one paper stands to the paper that introduced something, in CiTO's words."""

    name: str
    label: str
    comment: str

    @property
    def iri(self) -> str:
        """The CiTO property."""
        return PREFIXES["cito"] + self.name


METHOD, BENCHMARK, MODEL, DATASET = "Method", "Benchmark", "Model", "Dataset"
_ALL: Final = (METHOD, BENCHMARK, MODEL, DATASET)

#: The entity types, in the order in which they are listed everywhere.
TYPES: Final[dict[str, EntityType]] = {
    t.name: t
    for t in (
        EntityType(METHOD, "Methods", "A named algorithm, architecture, training or inference technique, or system."),
        EntityType(BENCHMARK, "Benchmarks", "A named suite, environment, game or competition used to measure."),
        EntityType(MODEL, "Models", "A named model or model family that exists as trained weights."),
        EntityType(DATASET, "Datasets", "A named corpus or collection of data."),
    )
}

INTRODUCES, USES, EXTENDS, MENTIONS = "introduces", "uses", "extends", "mentions"
EVALUATES_ON, TRAINS_ON = "evaluatesOn", "trainsOn"
COMPARES_TO, OUTPERFORMS = "comparesTo", "outperforms"

#: The roles, strongest claim first: the order breaks ties and sorts lists.
ROLES: Final[dict[str, Role]] = {
    r.name: r
    for r in (
        Role(INTRODUCES, "introduces", _ALL, "The paper proposes, presents or releases it: it is new here."),
        Role(EXTENDS, "extends", _ALL, "The paper's own work builds on, modifies or generalises it."),
        Role(EVALUATES_ON, "evaluates on", _ALL, "The paper reports results on it."),
        Role(TRAINS_ON, "trains on", (BENCHMARK, DATASET), "The paper uses it as training data or source material."),
        Role(OUTPERFORMS, "outperforms", (METHOD, MODEL), "The paper claims better results than it.", COMPARES_TO),
        Role(COMPARES_TO, "compares with", _ALL, "The paper uses it as a baseline or competitor."),
        Role(USES, "uses", _ALL, "The paper applies it as a component, or studies it."),
        Role(MENTIONS, "mentions", _ALL, "The paper names it as background only."),
    )
}

USES_METHOD_IN, USES_DATA_FROM, CITES = "usesMethodIn", "usesDataFrom", "cites"

#: The paper-to-paper links; `cites` stands above the others.
LINKS: Final[dict[str, LinkKind]] = {
    k.name: k
    for k in (
        LinkKind(EXTENDS, "extends", "The citing paper extends something that the cited paper introduced."),
        LinkKind(USES_METHOD_IN, "uses a method in", "It uses a method or model that the cited paper introduced."),
        LinkKind(USES_DATA_FROM, "uses data from", "It uses a dataset or benchmark that the cited paper introduced."),
        LinkKind(CITES, "cites", "It names something that the cited paper introduced, in any role."),
    )
}

#: Which link a role gives rise to, by the type of the entity it goes through; other roles give `cites`.
LINK_OF_ROLE: Final[dict[tuple[str, str], str]] = {
    **{(EXTENDS, t): EXTENDS for t in _ALL},
    **{(USES, t): USES_METHOD_IN for t in (METHOD, MODEL)},
    **{(role, t): USES_DATA_FROM for role in (USES, EVALUATES_ON, TRAINS_ON) for t in (BENCHMARK, DATASET)},
}
