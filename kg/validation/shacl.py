"""The SHACL shapes for a vocabulary: the shipped ones, with the types and roles of a schema."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import citekg.schemas
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

#: The shapes of the shipped vocabulary.
SHAPES: Final = Path(citekg.schemas.__file__).with_name("shapes.ttl")


def shapes(vocabulary: Vocabulary = DEFAULT) -> str:
    """Return the shapes for graphs of a vocabulary, as Turtle."""
    text = SHAPES.read_text(encoding="utf-8")
    if vocabulary == DEFAULT:
        return text
    shipped, own = ([type_.iri for type_ in known.entity_types] for known in (DEFAULT, vocabulary))
    for turtle_of in (_one_of, _target_classes, _class_list):
        text = text.replace(turtle_of(map(_short, shipped)), turtle_of(f"<{iri}>" for iri in own))
    roles = [role.iri for role in vocabulary.paper_roles if role.iri not in DEFAULT.role_of_iri]
    text = text.replace(
        "( rdf:type schema:mentions",
        f"( rdf:type {' '.join(f'<{iri}>' for iri in roles)} schema:mentions",
    )
    return "\n".join((text, *map(_role_shape, roles)))


def _one_of(classes: Iterable[str]) -> str:
    return f"( {' '.join(f'[ sh:class {class_} ]' for class_ in classes)} )"


def _target_classes(classes: Iterable[str]) -> str:
    return f"sh:targetClass {' , '.join(classes)} ;"


def _class_list(classes: Iterable[str]) -> str:
    return f"( {' '.join(classes)} )"


def _short(iri: str) -> str:
    return f"ckg:{iri.rpartition('#')[2]}"


def _role_shape(iri: str) -> str:
    """Return the property shape of a role that is not shipped."""
    name = iri
    for separator in "#/:=":
        name = name.rpartition(separator)[2]
    shape = f"shapes:own-{name}"
    constraint = (
        f"{shape} sh:path <{iri}> ; sh:node shapes:AnyEntity ;"
        f' sh:message "<{iri}> points to an entity" .'
    )
    return f"shapes:Paper sh:property {shape} .\n{constraint}"
