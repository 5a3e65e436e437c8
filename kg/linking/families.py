"""Families: the entity that another one is a variant or version of, by lexicon or by name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.schemas.names import broader, key, parse, slug
from citekg.schemas.names.words import DECORATION, VARIANT, VERSION
from citekg.schemas.records import Entity
from citekg.schemas.vocabulary import METHOD, MODEL, TYPES

_SHORTEST_METHOD: Final = 3
_EDITIONS: Final = frozenset({"pro", "plus", "max", "ultra"})


def add_families(named: Mapping[str, Entity], lexicon: Lexicon) -> list[Entity]:
    """Return the entities with their families, and the families that no paper names.

    Such a family has the type of its variants and a count of 0 papers. The result has no cycles.
    """
    entities, parents = dict(named), dict[str, str]()
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    queue = sorted(entities)
    while queue:
        found_parents = {k: p for k in queue if (p := _family(k, entities[k], entities, lexicon))}
        made: dict[str, Entity] = {}
        for child, surface in found_parents.items():
            parent = parents[child] = _key_of(surface, entities, lexicon)
            spellings[parent][surface] += 1
            if parent not in entities:
                made[parent] = _family_entity(
                    parent, spellings[parent], entities[child].type, lexicon
                )
        entities |= made
        queue = sorted(made)
    return [
        replace(e, family=slug(p) if (p := _acyclic_parent(k, parents)) else "")
        for k, e in entities.items()
    ]


def _family(
    name_key: str, entity: Entity, entities: Mapping[str, Entity], lexicon: Lexicon
) -> str | None:
    """Return the surface form of an entity's family; the lexicon takes precedence over the name."""
    entry = lexicon.entries.get(name_key)
    if entry and entry.family:
        return entry.family

    def is_family(surface: str) -> bool:
        return _is_known_family(entity, surface, entities, lexicon)

    surface = broader(entity.name, is_family)
    if surface is None and lexicon.vocabulary.is_data(entity.type):
        surface = next(
            (s for s in _prefixes(entity.name) if is_family(s[0]) and is_family(s[1])), (None, "")
        )[0]
    accepted = (
        surface is not None
        and key(surface) != name_key
        and not _is_incompatible(entity, surface, entities, lexicon)
    )
    return surface if accepted else None


def _prefixes(name: str) -> Iterator[tuple[str, str]]:
    """Yield the name cut in two at each space, the longest prefix first.

    "D4RL AntMaze" gives "D4RL" and "AntMaze".
    """
    words = name.split()
    for end in range(len(words) - 1, 0, -1):
        yield " ".join(words[:end]), " ".join(words[end:])


def _is_known_family(
    entity: Entity, surface: str, entities: Mapping[str, Entity], lexicon: Lexicon
) -> bool:
    """Return whether the surface form names a known entity of a compatible type."""
    return _type_of(surface, entities, lexicon) is not None and not _is_incompatible(
        entity, surface, entities, lexicon
    )


def _is_incompatible(
    entity: Entity, surface: str, entities: Mapping[str, Entity], lexicon: Lexicon
) -> bool:
    """Return whether the surface form names an entity that cannot be a family of this one."""
    type_ = _type_of(surface, entities, lexicon)
    if type_ is not None and type_ != entity.type and not {type_, entity.type} <= TYPES.keys():
        return True
    if METHOD in (type_, entity.type) and type_ not in (MODEL, None):
        return type_ != entity.type or not _is_method_version(entity.name, surface)
    is_data = lexicon.vocabulary.is_data
    if is_data(entity.type) and _is_modality(entity.name, surface):
        return True
    return type_ is not None and is_data(type_) != is_data(entity.type)


def _is_modality(name: str, family: str) -> bool:
    """Return whether a data set's name adds a word that makes it a different one.

    "MATH-Vision" is not part of MATH.
    """
    added = parse(name).parts[len(parse(family).parts) :]
    return any(kind == VARIANT and word not in _EDITIONS for kind, word in added)


def _is_method_version(name: str, family: str) -> bool:
    """Return whether a method's name adds only a version or a sign.

    "DreamerV3" is a version of "Dreamer"; "PPO-max" is none of PPO.
    """
    child, parent = parse(name), parse(family)
    added = child.parts[len(parent.parts) :]
    return len(parent.key) >= _SHORTEST_METHOD and all(
        kind in {VERSION, DECORATION} for kind, _ in added
    )


def _type_of(surface: str, entities: Mapping[str, Entity], lexicon: Lexicon) -> str | None:
    found = entities.get(_key_of(surface, entities, lexicon)) or entry_of(surface, lexicon)
    return found.type if found else None


def _key_of(surface: str, entities: Mapping[str, Entity], lexicon: Lexicon) -> str:
    """Return the key of a surface form: its own if a paper names it, else the lexicon's."""
    own = key(surface)
    if own in entities:
        return own
    entry = entry_of(surface, lexicon)
    return entry.key if entry else own


def entry_of(surface: str, lexicon: Lexicon) -> Entry | None:
    """Return the lexicon's entry for exactly this surface form.

    Case counts where another entry has the same letters.
    """
    whole = (
        hit.entry for hit in lexicon.find(surface) if (hit.start, hit.end) == (0, len(surface))
    )
    return next(whole, None) or lexicon.entries.get(key(surface))


def _family_entity(name_key: str, spellings: Counter[str], type_: str, lexicon: Lexicon) -> Entity:
    """Return the entity of a family that no paper names."""
    entry = lexicon.entries.get(name_key)
    name = entry.name if entry else min(spellings, key=lambda s: (-spellings[s], s))
    type_ = entry.type if entry else type_
    aliases = sorted({*entry.aliases} - {name}) if entry else ()
    return Entity(slug(name_key), name, type_, tuple(aliases), ((type_, 0),))


def _acyclic_parent(name_key: str, parents: Mapping[str, str]) -> str | None:
    """Return the parent of a name, or None for the smallest name of a cycle, which breaks it."""
    path = [name_key]
    while (parent := parents.get(path[-1])) and parent not in path:
        path.append(parent)
    cycle = path if parents.get(path[-1]) == name_key else []
    return None if cycle and name_key == min(cycle) else parents.get(name_key)
