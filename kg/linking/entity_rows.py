"""Entities as rows of the table `entity`."""

from __future__ import annotations

import json
from typing import Final

from citekg.linking.name_tables import Row
from citekg.schemas.names import slug
from citekg.schemas.records import Entity

#: The columns from which an entity is made: those of the table, and the key of its family.
ENTITY: Final = "e.id, e.name, e.type, e.more, f.family"
#: The tables of these columns.
WITH_FAMILY: Final = "entity AS e LEFT JOIN family_of AS f ON f.key = e.key"
#: All entities; those that papers name come first.
ENTITIES: Final = f"""
    SELECT {ENTITY} FROM {WITH_FAMILY} ORDER BY e.step, e.key"""  # noqa: S608  # constants


def entity_row(name_key: str, entity: Entity, step: int) -> Row:
    """Return the row of an entity without its family; `step` is 0 for one that papers name."""
    more = json.dumps([entity.aliases, entity.types, entity.hidden_names], separators=(",", ":"))
    return name_key, entity.id, entity.name, entity.type, more, step


def entity_of(row: Row) -> Entity:
    """Return the entity of a row with the columns `ENTITY`."""
    id_, name, type_, more, family = row
    aliases, types, hidden = json.loads(more)
    return Entity(
        id=id_,
        name=name,
        type=type_,
        aliases=tuple(aliases),
        types=tuple((type_, papers) for type_, papers in types),
        family=slug(family) if family else "",
        hidden_names=tuple(hidden),
    )
