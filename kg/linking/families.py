"""Families: the broader entity of a variant or version, from the lexicon or from the name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.coined_variants import carried_name
from citekg.linking.known_names import KnownNames
from citekg.schemas.names import broader, parse, slug
from citekg.schemas.names.words import DECORATION, VARIANT, VERSION
from citekg.schemas.records import Entity
from citekg.schemas.vocabulary import METHOD, MODEL, TYPES

_SHORTEST_METHOD: Final = 3
_EDITIONS: Final = frozenset({"pro", "plus", "max", "ultra"})


def add_families(named: Mapping[str, Entity], lexicon: Lexicon) -> list[Entity]:
    """Return the entities with their families, and the families that no paper names.

    Such a family has the type of its variants and a count of 0 papers. It is one of the lexicon, or
    a model, or has two variants: the word before one number is no family. The result has no cycles.
    """
    known = KnownNames.of(named, lexicon)
    entities, parents = known.entities, dict[str, str]()
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    queue = sorted(entities)
    while queue:
        surfaces = ((child, _family(child, entities[child], known)) for child in queue)
        found = {child: (s, known.key_of(s)) for child, s in surfaces if s}
        for surface, parent in found.values():
            spellings[parent][surface] += 1
        siblings = Counter(parent for _, parent in found.values())
        made: dict[str, Entity] = {}
        for child, (_, parent) in found.items():
            type_ = entities[child].type
            if parent in entities or parent in made:
                parents[child] = parent
            elif siblings[parent] > 1 or type_ == MODEL or _is_in_lexicon(child, parent, lexicon):
                parents[child] = parent
                made[parent] = _family_entity(parent, spellings[parent], type_, lexicon)
        entities |= made
        queue = sorted(made)
    return [
        replace(e, family=slug(p) if (p := _acyclic_parent(k, parents)) else "")
        for k, e in entities.items()
    ]


def _is_in_lexicon(child: str, parent: str, lexicon: Lexicon) -> bool:
    """Return whether the lexicon has a row for a family, or gives it to its variant."""
    entry = lexicon.entries.get(child)
    return parent in lexicon.entries or bool(entry and entry.family)


def _family(name_key: str, entity: Entity, known: KnownNames) -> str | None:
    """Return the surface form of an entity's family; the lexicon takes precedence over the name."""
    entry = known.lexicon.entries.get(name_key)
    if entry and entry.family:
        return entry.family

    def is_family(surface: str) -> bool:
        return known.type_of(surface) is not None and not _is_incompatible(entity, surface, known)

    surface = broader(entity.name, is_family)
    if surface is None and known.is_data(entity.type):
        surface = next(
            (s for s in _prefixes(entity.name) if is_family(s[0]) and is_family(s[1])), (None, "")
        )[0]
    if surface is not None and _is_incompatible(entity, surface, known):
        surface = None
    surface = surface or carried_name(entity, known)
    return surface if surface and known.key_of(surface) != name_key else None


def _prefixes(name: str) -> Iterator[tuple[str, str]]:
    """Yield the name cut in two at each space, the longest prefix first.

    "D4RL AntMaze" gives "D4RL" and "AntMaze".
    """
    words = name.split()
    for end in range(len(words) - 1, 0, -1):
        yield " ".join(words[:end]), " ".join(words[end:])


def _is_incompatible(entity: Entity, surface: str, known: KnownNames) -> bool:
    """Return whether the surface form names an entity that cannot be a family of this one."""
    type_ = known.type_of(surface)
    if type_ is not None and type_ != entity.type and not {type_, entity.type} <= TYPES.keys():
        return True
    if METHOD in (type_, entity.type) and type_ not in (MODEL, None):
        return type_ != entity.type or not _is_method_version(entity.name, surface)
    if known.is_data(entity.type) and _is_modality(entity.name, surface):
        return True
    return type_ is not None and known.is_data(type_) != known.is_data(entity.type)


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


def _family_entity(name_key: str, spellings: Counter[str], type_: str, lexicon: Lexicon) -> Entity:
    """Return the entity of a family that no paper names."""
    entry = lexicon.entries.get(name_key)
    name = entry.name if entry else min(spellings, key=lambda s: (-spellings[s], s))
    type_ = entry.type if entry else type_
    hidden = sorted({*entry.aliases} - {name}) if entry else ()
    return Entity(slug(name_key), name, type_, (), ((type_, 0),), hidden_names=tuple(hidden))


def _acyclic_parent(name_key: str, parents: Mapping[str, str]) -> str | None:
    """Return the parent of a name, or None for the smallest name of a cycle, which breaks it."""
    path = [name_key]
    while (parent := parents.get(path[-1])) and parent not in path:
        path.append(parent)
    cycle = path if parents.get(path[-1]) == name_key else []
    return None if cycle and name_key == min(cycle) else parents.get(name_key)
