"""From what each paper names to one node a thing, whatever the order of the papers.

Within a paper the text's own definitions and the lexicon have already given every entity a key.
Across papers, an acronym that stands undefined goes to the long form that others define for it
(`kg.senses`), and names that differ in hyphens or in the small words of a long form are one thing,
called as the lexicon or else the earliest paper does.

The identifier of a thing is the slug of its key, so it depends on its name alone and stays when
papers or names are added. A row that is added to the lexicon for a name that graphs already hold
keeps that name in its first column, and takes a longer one as an alias.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from extractors.lexicon import Lexicon
from kg.families import entry_of, with_families
from kg.senses import Definitions, definitions, namesakes, senses, spelled_out
from schemas.names import key, parse, slug
from schemas.records import Entity, PaperEntity, Reading
from schemas.vocabulary import MODEL, TYPES, Vocabulary

#: The fewest letters of a name that hyphens may be dropped from: A-PO and APO may be two things.
_SAFE_LENGTH: Final = 6
_SHORTEST_ACRONYM: Final = 3
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
#: What tells a name from plain words.
_TELLING: Final = re.compile(r"[\d+*#]")
_CAMEL: Final = re.compile(r"[a-z][A-Z]")
_HEAD: Final = {
    False: re.compile(r"(?i)[\s-]+(?:algorithms?|methods?|approach(?:es)?|techniques?|frameworks?)$"),
    True: re.compile(r"(?i)[\s-]+(?:benchmarks?|datasets?|suites?|environments?)$"),
}
_MODELS: Final = re.compile(r"(?i)[\s-]+(?:(?:family|series)[\s-]+)?(?:of[\s-]+)?(?:models?|family|series)$")
_UNDATED: Final = "~"


@dataclass(frozen=True)
class Linked:
    """The entities of a corpus, and the entity id that each key stands for.

    `id_in_paper` holds what `(paper, key)` means where the paper tells, and `id_of_key` does not.
    """

    entities: tuple[Entity, ...]
    id_of_key: dict[str, str]
    id_in_paper: dict[tuple[str, str], str] = field(default_factory=dict)

    def entity_id(self, paper: str, name_key: str) -> str:
        """The entity that a paper means by a key."""
        return self.id_in_paper.get((paper, name_key)) or self.id_of_key[name_key]


def link(readings: Iterable[Reading], lexicon: Lexicon) -> Linked:
    """Give every key of the readings its entity; families come in as entities too. A paper counts once."""
    read = [reading for _, reading in sorted({r.paper.id: r for r in readings}.items())]
    defined = definitions(read, lexicon)
    same = _same_things(read, lexicon, defined)
    meanings = senses(read, defined, same)
    told_apart = namesakes(sorted(read, key=_earliest))
    meant = {
        (reading.paper.id, entity.key): told_apart.get((reading.paper.id, entity.key))
        or meanings.sense(reading.paper.id, entity)
        or same[entity.key]
        for reading in read
        for entity in reading.entities
    }
    merged: dict[str, list[PaperEntity]] = defaultdict(list)
    for reading in read:
        for entity in reading.entities:
            merged[meant[reading.paper.id, entity.key]].append(entity)
    entities = with_families({k: _entity(k, found, lexicon) for k, found in sorted(merged.items())}, lexicon)
    return Linked(tuple(entities), *_ids(meant))


def _ids(meant: Mapping[tuple[str, str], str]) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """What each key means in most papers, and where it means something else."""
    meanings: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, name), target in meant.items():
        meanings[name][target] += 1
    usual = {name: min(found, key=lambda k: (-found[k], k)) for name, found in meanings.items()}
    rare = {place: slug(target) for place, target in meant.items() if usual[place[1]] != target}
    return {name: slug(target) for name, target in usual.items()}, rare


def _earliest(reading: Reading) -> tuple[str, str]:
    """What sorts papers by age, those without a date last."""
    return reading.paper.date or _UNDATED, reading.paper.id


def _same_things(readings: Sequence[Reading], lexicon: Lexicon, defined: Definitions) -> dict[str, str]:
    """For every key the one that stands for it: itself, unless others are the same thing."""
    first: dict[str, tuple[str, str]] = {}
    for reading in readings:
        for entity in reading.entities:
            first[entity.key] = min(_earliest(reading), first.get(entity.key, _earliest(reading)))
    alike = _Alike()
    for name in first:
        alike.join(name, name)
    given = (readings, lexicon, defined)
    lines = _model_lines(readings, lexicon)
    for group in (*_respelled(*given), *_headless(*given), *lines, *defined.same_long_forms()):
        for name in group:
            alike.join(name, min(group))
    rank = {name: ("", "") if name in lexicon.entries else place for name, place in first.items()}
    return {
        name: min(group, key=lambda k: (k not in lexicon.entries, rank.get(k, ("", "")), k))
        for group in alike.groups()
        for name in group
        if name in first
    }


def _respelled(readings: Sequence[Reading], lexicon: Lexicon, defined: Definitions) -> Iterator[set[str]]:
    """Keys of things of like types that differ in how their words are joined: "Web-Shop" and "WebShop"."""
    known = _known_spellings(lexicon)
    joined = {(_bare(spelling), data): name for (spelling, data), name in known.items()}
    groups: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for entity in (entity for reading in readings for entity in reading.entities):
        name, data = entity.key, defined.types[entity.key]
        if name in lexicon.entries or len(data) > 1:
            continue
        place = (_bare(name), next(iter(data)))
        if _shows_words(entity):
            groups[place] |= {name, joined.get(place, name)}
        elif (name, place[1]) in known and (_TELLING.search(name) or _is_acronym(entity.name)):
            groups[place] |= {name, known[name, place[1]]}
    yield from groups.values()


def _known_spellings(lexicon: Lexicon) -> dict[tuple[str, bool], str]:
    """The things of the lexicon by their names, and by aliases of one thing alone that are no plain words."""
    is_data = lexicon.vocabulary.is_data
    found: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for entry in lexicon.rows:
        for alias in {*entry.aliases} - entry.doubtful if not entry.sense else ():
            if _TELLING.search(alias) or (_is_acronym(alias) and not entry.context):
                found[key(alias), is_data(entry.type)].add(entry.key)
    aliases = {place: next(iter(names)) for place, names in found.items() if len(names) == 1}
    return aliases | {(name, is_data(entry.type)): name for name, entry in reversed(lexicon.entries.items())}


def _is_acronym(name: str) -> bool:
    """Whether a name is three capitals or more, and perhaps the s of several."""
    return name.removesuffix("s").isupper() and len(name.removesuffix("s")) >= _SHORTEST_ACRONYM


def _shows_words(entity: PaperEntity) -> bool:
    """Whether hyphens, spaces or capitals show the words of the name."""
    return "-" in parse(entity.key).family or bool(_CAMEL.search(entity.name))


def _bare(name: str) -> str:
    """A key spelled out and without hyphens between words, unless a word may be a name's own letter."""
    name = spelled_out(name)
    words = _HYPHEN.split(name)
    safe = min(map(len, words)) > 1 and sum(map(len, words)) >= _SAFE_LENGTH
    return "".join(words) if safe else name


def _headless(readings: Sequence[Reading], lexicon: Lexicon, defined: Definitions) -> Iterator[set[str]]:
    """Keys with and without the noun that says what a thing is: "PPO algorithms" and "PPO"."""
    is_data = lexicon.vocabulary.is_data
    others: dict[tuple[str, bool], list[str]] = {}
    for entity in (entity for reading in readings for entity in reading.entities):
        surface = _HEAD[is_data(entity.type)].sub("", entity.name)
        if surface != entity.name and entity.key not in lexicon.entries:
            yield {entity.key, *others.setdefault((spelled_out(key(surface)), is_data(entity.type)), [entity.key])}
            entry = entry_of(surface, lexicon)
            known = entry.key if entry else key(surface)
            data = {is_data(entry.type)} if entry else defined.types.get(known)
            if not (entry and entry.umbrella) and data == defined.types[entity.key]:
                yield {entity.key, known}


def _model_lines(readings: Sequence[Reading], lexicon: Lexicon) -> Iterator[set[str]]:
    """Keys of models that are only said to be some: "Llama family models" and "Llama"."""
    for entity in (entity for reading in readings for entity in reading.entities if entity.type == MODEL):
        surface = _MODELS.sub("", entity.name)
        if surface != entity.name and entity.key not in lexicon.entries:
            entry = entry_of(surface, lexicon)
            if entry and entry.type == MODEL:
                yield {entity.key, entry.key}


class _Alike:
    """Names in groups that grow together."""

    def __init__(self) -> None:
        self._leader: dict[str, str] = {}

    def _find(self, name: str) -> str:
        while (leader := self._leader.setdefault(name, name)) != name:
            name = leader
        return name

    def join(self, one: str, other: str) -> None:
        """Put two names, with all they are joined to, into one group."""
        self._leader[self._find(one)] = self._find(other)

    def groups(self) -> Iterable[list[str]]:
        """The groups, each sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._leader):
            found[self._find(name)].append(name)
        return found.values()


def _entity(name_key: str, found: list[PaperEntity], lexicon: Lexicon) -> Entity:
    entry = lexicon.entries.get(name_key)
    support = Counter(e.type for e in found)
    types = _types(support, entry.type if entry else "", lexicon.vocabulary)
    spellings = [s for e in found for s in (e.name, *e.surfaces) if key(s) == name_key]
    names = [e.name for e in found if key(e.name) == name_key]
    name = entry.name if entry else _most_common(names or spellings or [e.name for e in found])
    others = {name, *entry.aliases} if entry else {name}
    seen = {" ".join(s.split()).strip("-") for e in found for s in e.surfaces} - {""}
    return Entity(
        id=slug(name_key),
        name=name,
        type=types[0][0],
        aliases=tuple(sorted((others | seen) - {name})),
        types=types,
    )


def _types(support: Counter[str], known: str, vocabulary: Vocabulary) -> tuple[tuple[str, int], ...]:
    """The types by the papers that take a thing for each; what a schema says goes before what is only learnt."""
    order = list(vocabulary.types)

    def rank(counted: tuple[str, int]) -> tuple[bool, int, bool, int]:
        type_, papers = counted
        return known not in TYPES and type_ in TYPES, -papers, type_ != known, order.index(type_)

    return tuple(sorted(support.items(), key=rank))


def _most_common(names: Iterable[str]) -> str:
    counted = Counter(" ".join(name.split()) for name in names)
    return min(counted, key=lambda n: (-counted[n], n))
