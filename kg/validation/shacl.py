"""The SHACL shapes of a graph, by its vocabulary: the shipped ones, told of the types and roles of a schema."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import citekg.schemas
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

#: The shapes of the shipped vocabulary.
SHAPES: Final = Path(citekg.schemas.__file__).with_name("shapes.ttl")


def shapes(vocabulary: Vocabulary = DEFAULT) -> str:
    """The shapes of graphs of that vocabulary, as Turtle."""
    text = SHAPES.read_text(encoding="utf-8")
    if vocabulary == DEFAULT:
        return text
    shipped, own = ([type_.iri for type_ in known.entity_types] for known in (DEFAULT, vocabulary))
    for written in (_one_of, _classes, _listed):
        text = text.replace(written(map(_short, shipped)), written(f"<{iri}>" for iri in own))
    roles = [role.iri for role in vocabulary.paper_roles if role.iri not in DEFAULT.role_of_iri]
    text = text.replace(
        "( rdf:type schema:mentions", f"( rdf:type {' '.join(f'<{iri}>' for iri in roles)} schema:mentions"
    )
    return "\n".join((text, *map(_role_shape, roles)))


def _one_of(classes: Iterable[str]) -> str:
    return f"( {' '.join(f'[ sh:class {class_} ]' for class_ in classes)} )"


def _classes(classes: Iterable[str]) -> str:
    return f"sh:targetClass {' , '.join(classes)} ;"


def _listed(classes: Iterable[str]) -> str:
    return f"( {' '.join(classes)} )"


def _short(iri: str) -> str:
    return f"ckg:{iri.rpartition('#')[2]}"


def _role_shape(iri: str) -> str:
    """What papers do with entities of a role that is not shipped."""
    shape = f"shapes:own-{iri.rpartition('#')[2].rpartition('/')[2].rpartition(':')[2].rpartition('=')[2]}"
    told = f'{shape} sh:path <{iri}> ; sh:node shapes:AnyEntity ; sh:message "<{iri}> points to an entity" .'
    return f"shapes:Paper sh:property {shape} .\n{told}"
