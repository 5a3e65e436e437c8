"""Hints about terms and names of a query that are probably misspelt, with similar ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import citekg.schemas
from citekg.queries.store import prefixes_in
from citekg.schemas.vocabulary import PREFIXES
from citekg.similar_names import similar

if TYPE_CHECKING:
    import pyoxigraph as ox

    from citekg.queries.answers import Answer

#: Texts that may look like prefixed names but are none: IRIs, strings and comments.
NON_TERMS: Final = re.compile(
    r"<[^<>\s]*>|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|(?m:(?<![\w:])#.*$)"
)
_TERM: Final = re.compile(r"(?<![\w?$:@-])([A-Za-z][\w-]*):([A-Za-z][\w-]*)")
_DECLARED: Final = re.compile(r"(?i)\bprefix\s+([\w-]+):")
#: The parameters of named queries that are names in the graph: the message if the name is unknown,
#: the properties with such names, and the comparison of a name with the parameter.
_NAMES: Final[dict[str, tuple[str, tuple[str, ...], Callable[[str, str], bool]]]] = {
    "name": (
        "no entity has the name",
        ("skos:prefLabel", "skos:altLabel", "skos:hiddenLabel"),
        str.__eq__,
    ),
    "title": ("no title contains", ("dcterms:title",), str.__contains__),
}


def hints(
    store: ox.Store,
    sparql: str,
    answer: Answer,
    prefixes: Mapping[str, str],
    values: Mapping[str, str],
) -> tuple[str, ...]:
    """Return a message for each term or name that is probably misspelt.

    `values` are the parameters of a named query. A term outside the graph's vocabulary always gives
    a hint. A term of another namespace or a name gives one only if the answer is empty and the
    graph has no such term or name.
    """
    found = [*_term_hints(store, sparql, prefixes, empty=not answer)]
    return (*found, *(() if answer else _name_hints(store, values)))


def _term_hints(
    store: ox.Store, sparql: str, prefixes: Mapping[str, str], *, empty: bool
) -> Iterator[str]:
    bare = NON_TERMS.sub(" ", sparql)
    own = {"ckg", *prefixes_in(store)}
    skipped = {"ckgid", *_DECLARED.findall(bare)}
    for prefix, local in dict.fromkeys(_TERM.findall(bare)):
        space = prefixes.get(prefix, "")
        if (
            prefix in skipped
            or not space
            or not (empty or prefix in own)
            or _occurs(store, space + local)
        ):
            continue
        known = _vocabulary(store, space)
        if local not in known:
            wrong = (
                "is not in the vocabulary of this graph"
                if prefix in own
                else "is not used in this graph"
            )
            names = (f"{prefix}:{name}" for name in similar(local, known))
            yield f"{prefix}:{local} {wrong}{_suggestion(names)}"


def _occurs(store: ox.Store, iri: str) -> bool:
    import pyoxigraph as ox

    term = ox.NamedNode(iri)
    patterns = ((None, term, None), (None, None, term), (term, None, None))
    return any(next(store.quads_for_pattern(*pattern), None) for pattern in patterns)


def _vocabulary(store: ox.Store, space: str) -> set[str]:
    """Return the local names of a namespace that the ontology or the graph describes."""
    import pyoxigraph as ox

    type_ = ox.NamedNode(f"{PREFIXES['rdf']}type")
    kinds = (ox.NamedNode(f"{PREFIXES['owl']}{kind}") for kind in ("Class", "ObjectProperty"))
    subjects = (
        quad.subject for kind in kinds for quad in store.quads_for_pattern(None, type_, kind)
    )
    declared = {subject.value for subject in subjects if isinstance(subject, ox.NamedNode)}
    return {iri.removeprefix(space) for iri in declared | _ontology() if iri.startswith(space)}


@lru_cache(maxsize=1)
def _ontology() -> frozenset[str]:
    """Return the IRIs that the ontology describes, including those of other vocabularies."""
    import pyoxigraph as ox

    file = Path(citekg.schemas.__file__).with_name("ontology.ttl")
    subjects = (triple.subject for triple in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE))
    return frozenset(node.value for node in subjects if isinstance(node, ox.NamedNode))


def _name_hints(store: ox.Store, values: Mapping[str, str]) -> Iterator[str]:
    for parameter, (message, properties, fits) in _NAMES.items():
        if wanted := values.get(parameter):
            names = names_in(store, properties)
            if not any(fits(name.casefold(), wanted.casefold()) for name in names):
                yield f"{message} {wanted!r}{_suggestion(similar(wanted, names))}"


def names_in(store: ox.Store, properties: tuple[str, ...]) -> set[str]:
    """Return the values of properties such as skos:prefLabel, without the names of topics."""
    import pyoxigraph as ox

    type_, topic = ox.NamedNode(f"{PREFIXES['rdf']}type"), ox.NamedNode(f"{PREFIXES['ckg']}Topic")
    topics = {quad.subject for quad in store.quads_for_pattern(None, type_, topic)}
    found: set[str] = set()
    for prefix, local in (name.split(":") for name in properties):
        quads = store.quads_for_pattern(None, ox.NamedNode(PREFIXES[prefix] + local), None)
        found.update(
            quad.object.value
            for quad in quads
            if isinstance(quad.object, ox.Literal) and quad.subject not in topics
        )
    return found


def _suggestion(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"; did you mean {listed}?" if listed else ""
