"""From what each paper names to one node a thing, whatever the order of the papers.

Within a paper the text's own definitions and the lexicon have already given every entity a key.
Across papers, an acronym that stands undefined in one paper goes to the long form that others
define for it, if they all agree on one; otherwise it stays a thing of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from extractors.lexicon import Lexicon
from schemas.names import key, slug
from schemas.records import Entity, PaperEntity, Reading
from schemas.vocabulary import INTRODUCES, TYPES


@dataclass(frozen=True)
class Linked:
    """The entities of a corpus, and the entity id that each key stands for."""

    entities: tuple[Entity, ...]
    id_of_key: dict[str, str]


def link(readings: Iterable[Reading], lexicon: Lexicon) -> Linked:
    """Give every key of the readings its entity; families of the lexicon come in as entities too."""
    named: dict[str, list[PaperEntity]] = defaultdict(list)
    for reading in readings:
        for entity in reading.entities:
            named[entity.key].append(entity)
    target = {k: k for k in named} | _acronym_targets(named, lexicon)
    merged: dict[str, list[PaperEntity]] = defaultdict(list)
    for own, final in target.items():
        merged[final] += named[own]
    families = {k: lexicon.entries[k].family for k in merged if k in lexicon.entries and lexicon.entries[k].family}
    entities = [_entity(k, found, lexicon) for k, found in merged.items()]
    entities += _families(families, set(merged), lexicon)
    return Linked(tuple(entities), {own: slug(final) for own, final in target.items()})


def _acronym_targets(named: dict[str, list[PaperEntity]], lexicon: Lexicon) -> dict[str, str]:
    """The long form's key for every acronym that all its definitions agree on."""
    senses: dict[str, set[str]] = defaultdict(set)
    for own, found in named.items():
        for surface in {s for entity in found for s in entity.surfaces}:
            if key(surface) != own:
                senses[key(surface)].add(own)
    return {
        short: next(iter(longs))
        for short, longs in senses.items()
        if short in named
        and short not in lexicon.entries
        and len(longs) == 1
        and not longs & set(senses)
        and not any(_introduced(entity) for entity in named[short])
    }


def _introduced(entity: PaperEntity) -> bool:
    """Whether the paper says that the thing is its own, so that the name is no short form of another's."""
    return any(role == INTRODUCES for role, _, _ in entity.roles)


def _entity(name_key: str, found: list[PaperEntity], lexicon: Lexicon) -> Entity:
    entry = lexicon.entries.get(name_key)
    support = Counter(e.type for e in found)
    order = list(TYPES)
    types = sorted(support.items(), key=lambda ts: (-ts[1], ts[0] != (entry.type if entry else ""), order.index(ts[0])))
    name = entry.name if entry else _most_common(e.name for e in found if key(e.name) == name_key)
    known = {name, *entry.aliases} if entry else {name}
    seen = {s for e in found for s in e.surfaces}
    return Entity(
        id=slug(name_key),
        name=name,
        type=types[0][0],
        aliases=tuple(sorted((known | seen) - {name})),
        types=tuple(types),
        family=slug(key(entry.family)) if entry and entry.family else "",
    )


def _most_common(names: Iterable[str]) -> str:
    counted = Counter(names)
    return min(counted, key=lambda n: (-counted[n], n))


def _families(families: dict[str, str], present: set[str], lexicon: Lexicon) -> Iterator[Entity]:
    """The families that no paper names, up to the widest."""
    waiting = sorted(set(families.values()))
    done = set(present)
    while waiting:
        name = waiting.pop()
        if key(name) in done:
            continue
        done.add(key(name))
        entry = lexicon.entries[key(name)]
        if entry.family:
            waiting.append(entry.family)
        family = slug(key(entry.family)) if entry.family else ""
        yield Entity(slug(entry.key), entry.name, entry.type, tuple(sorted(entry.aliases)), ((entry.type, 0),), family)
