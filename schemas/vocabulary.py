"""Entity types, roles and kinds of links, with their IRIs in RDF.

A `Vocabulary` holds the types and roles of a graph. Every graph has its own: the `DEFAULT` one of
this module, or that of a schema file (docs/domains.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from citekg.schemas.errors import GraphError

#: The namespace of the ontology.
ONTOLOGY: Final = "https://w3id.org/citekg/ontology#"
#: The default namespace of instances; `--base-iri` changes it.
BASE_IRI: Final = "https://w3id.org/citekg/id/"

#: The namespace prefixes of RDF files and SPARQL queries.
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
    "qudt": "http://qudt.org/schema/qudt/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "unit": "http://qudt.org/vocab/unit/",
    "vann": "http://purl.org/vocab/vann/",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type of entity, for example `Method`.

    `label` fits into a sentence: "GRPO is a *method*". `like` names the shipped type that it
    behaves like: which roles apply to it, which links these imply, and whether it is data or a
    method. `link`, if not empty, is the kind of link that every role implies through its entities.
    """

    name: str
    label: str
    plural: str
    comment: str
    like: str
    link: str = ""
    namespace: str = ONTOLOGY

    @property
    def iri(self) -> str:
        """The IRI of its class."""
        return self.namespace + self.name


@dataclass(frozen=True, slots=True)
class Role:
    """The role of an entity in a paper; `fits` names the entity types to which it applies.

    `label` fits into a sentence: "the paper *evaluates on* D4RL". `parent` is the next broader
    role; `link`, if not empty, is the kind of link that the role implies.
    """

    name: str
    label: str
    fits: tuple[str, ...]
    comment: str
    parent: str | None = None
    link: str = ""
    namespace: str = ONTOLOGY

    @property
    def iri(self) -> str:
        """The IRI of its property; that of a background mention is `schema:mentions`."""
        return (
            PREFIXES["schema"] + "mentions"
            if self.name == "mentions"
            else self.namespace + self.name
        )


@dataclass(frozen=True, slots=True)
class LinkKind:
    """A kind of link between papers: a property of CiTO, the Citation Typing Ontology."""

    name: str
    label: str
    comment: str

    @property
    def iri(self) -> str:
        """The IRI of its CiTO property."""
        return PREFIXES["cito"] + self.name


#: A claim below this confidence is tentative: it is kept and marked, lists hide it by default, and
#: it does not determine which paper introduced an entity.
MIN_CONFIDENCE: Final = 0.5

METHOD, BENCHMARK, MODEL, DATASET = "Method", "Benchmark", "Model", "Dataset"
_ALL: Final = (METHOD, BENCHMARK, MODEL, DATASET)

#: The shipped entity types, in the order of all lists.
TYPES: Final[dict[str, EntityType]] = {
    t.name: t
    for t in (
        EntityType(
            METHOD,
            "method",
            "Methods",
            "A named algorithm, architecture, training or inference technique, or system.",
            METHOD,
        ),
        EntityType(
            BENCHMARK,
            "benchmark",
            "Benchmarks",
            "A named suite, environment, game or competition used to measure.",
            BENCHMARK,
        ),
        EntityType(
            MODEL,
            "model",
            "Models",
            "A named model or model family that exists as trained weights.",
            MODEL,
        ),
        EntityType(
            DATASET, "dataset", "Datasets", "A named corpus or collection of data.", DATASET
        ),
    )
}

INTRODUCES, USES, EXTENDS, MENTIONS = "introduces", "uses", "extends", "mentions"
EVALUATES_ON, TRAINS_ON = "evaluatesOn", "trainsOn"
COMPARES_TO, OUTPERFORMS = "comparesTo", "outperforms"

#: The shipped roles, strongest claim first; the order breaks ties and sorts lists.
ROLES: Final[dict[str, Role]] = {
    r.name: r
    for r in (
        Role(
            INTRODUCES,
            "introduces",
            _ALL,
            "The paper is the first to propose, present or release it.",
        ),
        Role(
            EXTENDS, "extends", _ALL, "The paper's own work builds on, modifies or generalises it."
        ),
        Role(EVALUATES_ON, "evaluates on", _ALL, "The paper reports results on it."),
        Role(
            TRAINS_ON,
            "trains on",
            (BENCHMARK, DATASET),
            "The paper uses it as training data or source material.",
        ),
        Role(
            OUTPERFORMS,
            "outperforms",
            (METHOD, MODEL),
            "The paper claims better results than it.",
            COMPARES_TO,
        ),
        Role(COMPARES_TO, "compares with", _ALL, "The paper uses it as a baseline or competitor."),
        Role(USES, "uses", _ALL, "The paper applies it as a component, or studies it."),
        Role(MENTIONS, "mentions", _ALL, "The paper names it as background only."),
    )
}

USES_METHOD_IN, USES_DATA_FROM, CITES = "usesMethodIn", "usesDataFrom", "cites"

#: The kinds of links between papers, strongest first; `cites` is broader than the others.
LINKS: Final[dict[str, LinkKind]] = {
    k.name: k
    for k in (
        LinkKind(
            EXTENDS,
            "extends",
            "The citing paper extends something that the cited paper introduced.",
        ),
        LinkKind(
            USES_METHOD_IN,
            "uses a method in",
            "It uses a method or model that the cited paper introduced.",
        ),
        LinkKind(
            USES_DATA_FROM,
            "uses data from",
            "It uses a dataset or benchmark that the cited paper introduced.",
        ),
        LinkKind(
            CITES, "cites", "It names something that the cited paper introduced, in any role."
        ),
    )
}

#: The kind of link that a role implies, by role and entity type; other pairs imply `cites`.
LINK_OF_ROLE: Final[dict[tuple[str, str], str]] = {
    **{(EXTENDS, t): EXTENDS for t in _ALL},
    **{(USES, t): USES_METHOD_IN for t in (METHOD, MODEL)},
    **{
        (role, t): USES_DATA_FROM
        for role in (USES, EVALUATES_ON, TRAINS_ON)
        for t in (BENCHMARK, DATASET)
    },
}


#: The roles that every vocabulary must have: links need the first, the others are fallbacks.
REQUIRED_ROLES: Final = (INTRODUCES, USES, MENTIONS)
_LINKS: Final = frozenset({"", *LINKS})
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_NAMESPACE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*[/#:=]")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def _is_safe(term: EntityType | Role) -> bool:
    return bool(_NAME.fullmatch(term.name) and _NAMESPACE.fullmatch(term.namespace))


@dataclass(frozen=True)
class Vocabulary:
    """The entity types and roles of a graph, in the order of all lists.

    `namespaces` are pairs of a prefix and a namespace IRI, for terms outside the ontology. Raises
    `GraphError` for duplicate or unsafe names, and for references to undefined types or roles.
    """

    entity_types: tuple[EntityType, ...]
    paper_roles: tuple[Role, ...]
    namespaces: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for violation in self._violations():
            raise GraphError(violation)

    def _violations(self) -> Iterator[str]:
        terms: tuple[EntityType | Role, ...] = (*self.entity_types, *self.paper_roles)
        names = [term.name.casefold() for term in terms]
        for prefix, space in self.namespaces:
            if (
                prefix in PREFIXES
                or not _PREFIX.fullmatch(prefix)
                or not _NAMESPACE.fullmatch(space)
            ):
                yield f"has an unsafe or reserved prefix, {prefix}: <{space}>"
        yield from (
            f"has two terms {t.name!r}" for t in terms if names.count(t.name.casefold()) > 1
        )
        yield from (f"has an unsafe IRI, <{t.iri}>" for t in terms if not _is_safe(t))
        yield from (f"lacks the role {role}" for role in REQUIRED_ROLES if role not in self.roles)
        for type_ in self.entity_types:
            if type_.like not in TYPES:
                known = ", ".join(TYPES)
                yield f"declares that {type_.name} is like {type_.like!r}, which is none of {known}"
        for role in self.paper_roles:
            if unknown := {*role.fits} - self.types.keys():
                known = ", ".join(self.types)
                yield f"declares that {role.name} fits {min(unknown)}, which is none of {known}"
            if role.parent and (
                role.parent not in self.roles or role.name in self._ancestors(role)
            ):
                yield f"puts {role.name} below {role.parent}, which is not a role, or is below it"
        yield from (
            f"gives {t.name} the link {t.link!r}: expected one of {', '.join(LINKS)}"
            for t in terms
            if t.link not in _LINKS
        )

    def _ancestors(self, role: Role) -> set[str]:
        """Return the defined broader roles of a role; in a cycle, the role is among them."""
        ancestors: set[str] = set()
        while role.parent in self.roles and role.parent not in ancestors:
            ancestors.add(role.parent)
            role = self.roles[role.parent]
        return ancestors

    @cached_property
    def types(self) -> dict[str, EntityType]:
        """Entity types by name."""
        return {type_.name: type_ for type_ in self.entity_types}

    @cached_property
    def roles(self) -> dict[str, Role]:
        """Roles by name, strongest claim first."""
        return {role.name: role for role in self.paper_roles}

    @cached_property
    def type_of_iri(self) -> dict[str, str]:
        """Names of the entity types by the IRIs of their classes."""
        return {type_.iri: type_.name for type_ in self.entity_types}

    @cached_property
    def role_of_iri(self) -> dict[str, str]:
        """Names of the roles by the IRIs of their properties."""
        return {role.iri: role.name for role in self.paper_roles}

    def is_data(self, type_: str) -> bool:
        """Return whether entities of the type are data: like benchmarks or datasets."""
        return self.types[type_].like in (BENCHMARK, DATASET)

    def broader_roles(self, role: str) -> Iterator[str]:
        """Yield the broader roles of a role, nearest first; `mentions` is left out."""
        while parent := self.roles[role].parent:
            yield parent
            role = parent

    def with_narrower(self, *roles: str) -> frozenset[str]:
        """Return these roles and all narrower ones."""
        return frozenset(
            name for name in self.roles if {name, *self.broader_roles(name)} & {*roles}
        )

    @cached_property
    def adoption_roles(self) -> frozenset[str]:
        """The roles by which a paper uses an entity in its own work.

        Introducing, comparing and mentioning roles are left out.

        >>> sorted(DEFAULT.adoption_roles)
        ['evaluatesOn', 'extends', 'trainsOn', 'uses']
        """
        return frozenset(self.roles) - self.with_narrower(INTRODUCES, COMPARES_TO, MENTIONS)

    def fitting_role(self, role: str, type_: str) -> str:
        """Return the role if it applies to the type, or else the nearest broader one that does.

        The fallbacks are `uses` and then `mentions`.
        """
        return next(
            (r for r in (role, *self.broader_roles(role), USES) if type_ in self.roles[r].fits),
            MENTIONS,
        )

    def roles_of(self, type_: str) -> frozenset[str]:
        """Return the roles that apply to the type."""
        return frozenset(role.name for role in self.paper_roles if type_ in role.fits)

    def link(self, role: str, type_: str) -> str:
        """Return the kind of link that a role implies through an entity of that type.

        >>> DEFAULT.link("uses", "Method"), DEFAULT.link("comparesTo", "Method")
        ('usesMethodIn', 'cites')
        """
        kind = self.types[type_]
        for name in (role, *self.broader_roles(role)):
            if own := self.roles[name].link:
                return own
            if usual := LINK_OF_ROLE.get((name, kind.like)):
                return kind.link or usual
        return CITES


#: The vocabulary that comes with the package.
DEFAULT: Final = Vocabulary(tuple(TYPES.values()), tuple(ROLES.values()))
