"""Families: the broader entity of a variant or version, from the lexicon or from the name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.batches import PerKey, Rows
from citekg.linking.coined_variants import carried_name
from citekg.linking.entity_rows import entity_row
from citekg.linking.known_names import KnownNames
from citekg.linking.name_tables import TOUCHED, Row, Tables, quoted
from citekg.schemas.names import broader, parse, slug
from citekg.schemas.names.words import DECORATION, VARIANT, VERSION
from citekg.schemas.records import Entity
from citekg.schemas.vocabulary import METHOD, MODEL, TYPES

_Value = TypeVar("_Value")

_MIN_METHOD_LENGTH: Final = 3
_EDITIONS: Final = frozenset({"pro", "plus", "max", "ultra"})


#: The entities of a step, for the first pass, in which no other names are known; `asking` is the
#: number of the pass.
_ENTITIES: Final = """
    SELECT key, name, type, {step}, {asking}, NULL, NULL, NULL, NULL FROM entity
    WHERE step = {step}"""
_ACRONYMS: Final = """
    INSERT INTO only_acronym
    SELECT alias, MIN(key) FROM acronym GROUP BY alias HAVING COUNT(DISTINCT key) = 1"""
#: The names that the last pass looked up and that exist.
_FOUND_NAMES: Final = """
    SELECT a.key FROM asked_name AS a
    LEFT JOIN entity AS e ON e.key = a.asked AND a.acronym = 0
    LEFT JOIN only_acronym AS o ON o.alias = a.asked AND a.acronym = 1
    WHERE a.pass = {asking} AND COALESCE(e.key, o.key) IS NOT NULL"""
_OUTDATED: Final = f"DELETE FROM family_guess WHERE key IN ({_FOUND_NAMES})"  # noqa: S608  # a constant
#: The entities to process again, with the known names among those that they have looked up.
_REPEATED_ENTITIES: Final = f"""
    SELECT DISTINCT a.key, own.name, own.type, {{step}}, {{asking}} + 1,
        a.asked, e.name, e.type, o.key
    FROM asked_name AS a JOIN entity AS own ON own.key = a.key
    LEFT JOIN entity AS e ON e.key = a.asked AND a.acronym = 0
    LEFT JOIN only_acronym AS o ON o.alias = a.asked AND a.acronym = 1
    WHERE a.key IN ({_FOUND_NAMES}) AND COALESCE(e.key, o.key) IS NOT NULL"""  # noqa: S608  # a constant
_KNOWN_FAMILIES: Final = """
    INSERT INTO family_of SELECT g.key, g.family FROM family_guess AS g
    JOIN entity AS e ON e.key = g.family WHERE g.step = {step}"""
#: The variants of families that no paper names; those of earlier steps only for their spellings.
_UNNAMED_FAMILIES: Final = """
    SELECT g.family, CASE g.step WHEN {step} THEN 1 ELSE 0 END, {step} + 1, g.key, g.type,
        g.surface
    FROM family_guess AS g
    LEFT JOIN entity AS e ON e.key = g.family
    WHERE e.key IS NULL AND g.family IN (SELECT family FROM family_guess WHERE step = {step})"""
_INSERT_EDGES: Final = "INSERT INTO family_cycle SELECT key, family FROM family_of"
_DELETE_ACYCLIC: Final = """
    DELETE FROM family_cycle WHERE family NOT IN (SELECT key FROM family_cycle)
        OR key NOT IN (SELECT family FROM family_cycle)"""
_CYCLES: Final = "SELECT key, family FROM family_cycle ORDER BY key"
_DELETE_FAMILY: Final = "DELETE FROM family_of WHERE key = {}"


def add_families(tables: Tables, per_key: PerKey) -> None:
    """Store the families of the entities, and the entities of families that no paper names.

    Such a family has the type of its variants and a count of 0 papers. It is in the lexicon, is a
    model, or has two variants: a word before a single number is not a family. The result is
    acyclic.

    The family of an entity depends on the other known names. The first pass treats every name that
    is looked up as unknown; further passes process the entities again that looked up a known one.
    """
    tables.execute(_ACRONYMS)
    step = asking = 0
    while _any(tables, _ENTITIES.format(step=step, asking=asking)):
        entities = _ENTITIES.format(step=step, asking=asking)
        if step == 0:
            per_key(guess_family, f"{entities} AND key IN ({TOUCHED})", TOUCHED)
        else:
            per_key(guess_family, entities)
        while _any(tables, _FOUND_NAMES.format(asking=asking)):
            tables.execute(_OUTDATED.format(asking=asking))
            per_key(guess_family, _REPEATED_ENTITIES.format(step=step, asking=asking))
            asking += 1
        tables.execute(_KNOWN_FAMILIES.format(step=step))
        per_key(make_family, _UNNAMED_FAMILIES.format(step=step))
        step, asking = step + 1, asking + 1
    _break_cycles(tables)


def _any(tables: Tables, query: str) -> bool:
    return any(True for _ in tables.select(f"{query} LIMIT 1"))


def _break_cycles(tables: Tables) -> None:
    """Remove the family of the smallest name of every cycle."""
    tables.execute(_INSERT_EDGES)
    count, before = -1, -2
    while count != before:
        tables.execute(_DELETE_ACYCLIC)
        before = count
        ((count,),) = tables.select("SELECT COUNT(*) FROM family_cycle")
    parents: dict[str, str] = dict(tables.select(_CYCLES)) if count else {}
    for name_key in parents:
        if _acyclic_parent(name_key, parents) is None:
            tables.execute(_DELETE_FAMILY.format(quoted(name_key)))


def guess_family(lexicon: Lexicon, rows: Sequence[Row]) -> Rows:
    """Return the family of an entity, given the known names, and the names that it did not find.

    The rows are (key, name, type, step, pass) of the entity, and (name, name and type of its
    entity, key of its acronym) of a known name that it looked up in an earlier pass.
    """
    name_key, _, type_, step, asking, *_ = rows[0]
    known, looked_up = _known_names(rows, lexicon)
    surface = _family(name_key, known.entities[name_key], known)
    guesses = [(step, name_key, type_, surface, known.key_of(surface))] if surface else []
    asked = [(asking, name_key, *other) for other in sorted(looked_up)]
    return {"family_guess": guesses, "asked_name": asked}


def _known_names(rows: Sequence[Row], lexicon: Lexicon) -> tuple[KnownNames, set[tuple[int, str]]]:
    """Return an entity with the names found for it, and a set that collects failed lookups."""
    looked_up: set[tuple[int, str]] = set()
    entities, acronyms = _RecordingDict[Entity](looked_up, 0), _RecordingDict[str](looked_up, 1)
    for *_, asked, name, type_, long in rows:
        if name is not None:
            entities[asked] = Entity("", name, type_, (), ())
        if long is not None:
            acronyms[asked] = long
    name_key, name, type_, *_ = rows[0]
    entities[name_key] = Entity("", name, type_, (), ())
    return KnownNames(entities, lexicon, acronyms), looked_up


class _RecordingDict(dict[str, _Value]):
    """A dictionary that records the keys of failed lookups, with its number."""

    def __init__(self, looked_up: set[tuple[int, str]], number: int) -> None:
        super().__init__()
        self._looked_up, self._number = looked_up, number

    def __contains__(self, name: object) -> bool:
        found = super().__contains__(name)
        if not found:
            self._looked_up.add((self._number, str(name)))
        return found

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name, or the default."""
        if name not in self:
            return default
        return super().get(name)


def make_family(lexicon: Lexicon, rows: Sequence[Row]) -> Rows:
    """Return the entity of a family that no paper names, and the families of its variants.

    Both are empty if it is not a family.

    The rows are (key of the family, whether the variant is of this step, number of the next step,
    key and type of the variant, surface form of the family).
    """
    now = [row for row in rows if row[1]]
    parent, _, step, child, type_, _ = now[0]
    if len(now) == 1 and type_ != MODEL and not _is_in_lexicon(child, parent, lexicon):
        return {"entity": [], "family_of": []}
    spellings = Counter(surface for *_, surface in rows)
    entity = _family_entity(parent, spellings, type_, lexicon)
    families = [(row[3], parent) for row in now]
    return {"entity": [entity_row(parent, entity, step)], "family_of": families}


def _is_in_lexicon(child: str, parent: str, lexicon: Lexicon) -> bool:
    """Return whether the lexicon has a row for a family, or assigns it to its variant."""
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

    "DreamerV3" is a version of "Dreamer"; "PPO-max" is not a version of PPO.
    """
    child, parent = parse(name), parse(family)
    added = child.parts[len(parent.parts) :]
    return len(parent.key) >= _MIN_METHOD_LENGTH and all(
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
