"""Families: what a thing is a variant of, as the lexicon says or its name shows, up to the widest."""

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


def with_families(named: Mapping[str, Entity], lexicon: Lexicon) -> list[Entity]:
    """The entities with their families, and the families themselves where no paper names them.

    A family nobody names has the type of its variants and counts no paper. No thing is its own ancestor.
    """
    entities, parents = dict(named), dict[str, str]()
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    waiting = sorted(entities)
    while waiting:
        parents_now = {k: p for k in waiting if (p := _family(k, entities[k], entities, lexicon))}
        made: dict[str, Entity] = {}
        for child, surface in parents_now.items():
            parent = parents[child] = _key_of(surface, entities, lexicon)
            spellings[parent][surface] += 1
            if parent not in entities:
                made[parent] = _unnamed(parent, spellings[parent], entities[child].type, lexicon)
        entities |= made
        waiting = sorted(made)
    return [replace(e, family=slug(p) if (p := _no_circle(k, parents)) else "") for k, e in entities.items()]


def _family(name_key: str, entity: Entity, entities: Mapping[str, Entity], lexicon: Lexicon) -> str | None:
    """The surface of an entity's family; what the lexicon says goes before what the name shows."""
    entry = lexicon.entries.get(name_key)
    if entry and entry.family:
        return entry.family

    def is_family(surface: str) -> bool:
        return _fits(entity, surface, entities, lexicon)

    surface = broader(entity.name, is_family)
    if surface is None and lexicon.vocabulary.is_data(entity.type):
        surface = next((s for s in _beginnings(entity.name) if is_family(s[0]) and is_family(s[1])), (None, ""))[0]
    taken = surface is not None and key(surface) != name_key and not _is_other_kind(entity, surface, entities, lexicon)
    return surface if taken else None


def _beginnings(name: str) -> Iterator[tuple[str, str]]:
    """A name cut in two at each space, the longest beginning first: "D4RL AntMaze" is "D4RL" and "AntMaze"."""
    words = name.split()
    for cut in range(len(words) - 1, 0, -1):
        yield " ".join(words[:cut]), " ".join(words[cut:])


def _fits(entity: Entity, surface: str, entities: Mapping[str, Entity], lexicon: Lexicon) -> bool:
    """Whether the surface names something known that an entity of this type can be a variant of."""
    return _type_of(surface, entities, lexicon) is not None and not _is_other_kind(entity, surface, entities, lexicon)


def _is_other_kind(entity: Entity, surface: str, entities: Mapping[str, Entity], lexicon: Lexicon) -> bool:
    """Whether what the surface names is known to be no family of an entity of this type."""
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
    """Whether a data set's name adds a word that makes it another: "MATH-Vision" is no part of MATH."""
    added = parse(name).parts[len(parse(family).parts) :]
    return any(kind == VARIANT and word not in _EDITIONS for kind, word in added)


def _is_method_version(name: str, family: str) -> bool:
    """Whether a method's name adds no more than a version or a sign: "Dreamer" and "DreamerV3"; never "PPO-max"."""
    child, parent = parse(name), parse(family)
    added = child.parts[len(parent.parts) :]
    return len(parent.key) >= _SHORTEST_METHOD and all(kind in {VERSION, DECORATION} for kind, _ in added)


def _type_of(surface: str, entities: Mapping[str, Entity], lexicon: Lexicon) -> str | None:
    found = entities.get(_key_of(surface, entities, lexicon)) or entry_of(surface, lexicon)
    return found.type if found else None


def _key_of(surface: str, entities: Mapping[str, Entity], lexicon: Lexicon) -> str:
    """The key that a surface stands for: its own if a paper names that, else the lexicon's."""
    own = key(surface)
    if own in entities:
        return own
    entry = entry_of(surface, lexicon)
    return entry.key if entry else own


def entry_of(surface: str, lexicon: Lexicon) -> Entry | None:
    """The lexicon's entry for exactly this surface, its case counting where another entry has its letters."""
    whole = (hit.entry for hit in lexicon.find(surface) if (hit.start, hit.end) == (0, len(surface)))
    return next(whole, None) or lexicon.entries.get(key(surface))


def _unnamed(name_key: str, spellings: Counter[str], type_: str, lexicon: Lexicon) -> Entity:
    """A family that no paper names."""
    entry = lexicon.entries.get(name_key)
    name = entry.name if entry else min(spellings, key=lambda s: (-spellings[s], s))
    type_ = entry.type if entry else type_
    aliases = sorted({*entry.aliases} - {name}) if entry else ()
    return Entity(slug(name_key), name, type_, tuple(aliases), ((type_, 0),))


def _no_circle(name_key: str, parents: Mapping[str, str]) -> str | None:
    """The parent of a name, unless following the parents leads back to it and it is the first of its circle."""
    line = [name_key]
    while (parent := parents.get(line[-1])) and parent not in line:
        line.append(parent)
    circle = line if parents.get(line[-1]) == name_key else []
    return None if circle and name_key == min(circle) else parents.get(name_key)
