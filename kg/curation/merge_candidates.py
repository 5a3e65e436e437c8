"""Entities that may be one thing under two names: proposed to a person, never merged here.

A pair is looked at only where the names give a reason: they differ in spacing or a closing word, in
a slip of the pen, one is the acronym of the other, or an alias is shared. What the names say in
their parts (version, size, edition, stage, signs, any digit) must agree, or the pair is not proposed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from citekg.curation.decisions import Ban, Decisions, Distinct, Split
from citekg.curation.decisions.groups import same_names
from citekg.extractors.gold import TRAILING_HEADS
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import key, parse
from citekg.schemas.names.words import SMALL_WORDS
from citekg.schemas.records import Entity, Evidence
from citekg.schemas.vocabulary import INTRODUCES

#: How much each reason counts; the surest gives the score of a pair, each other one adds a little.
SPELLING, ALIAS, ACRONYM, SLIP = 0.85, 0.8, 0.75, 0.65
_MORE: Final = 0.05
_SHOWN: Final = 2
_SHORTEST_ACRONYM: Final = 3
_LONG: Final = 3
_SHORTEST_SLIP: Final = 8


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """Two entities that may be one; `keep` is the one that more papers name. `score` lies between 0 and 1."""

    keep: Entity
    other: Entity
    score: float
    reasons: tuple[str, ...]


def merge_candidates(graph: KnowledgeGraph, decisions: Decisions) -> list[MergeCandidate]:
    """The pairs that nobody has decided on yet, the surest first."""
    told = _Context(graph)
    reasons: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for finder in (_spellings, _acronyms, _aliases, _slips):
        for one, other, reason, weight in finder(told.entities):
            is_chance = weight < SPELLING and told.both_new(one, other)
            if one.id != other.id and told.may_be_one(one, other) and not is_chance:
                first, second = sorted((one.id, other.id))
                reasons[first, second][reason] = weight
    is_settled = settled(decisions)
    found = [told.proposal(a, b, why) for (a, b), why in sorted(reasons.items())]
    found = [p for p in found if not is_settled(p.keep, p.other)]
    return sorted(found, key=lambda p: (-p.score, -told.support(p.keep.id), p.keep.id, p.other.id))


def evidence(graph: KnowledgeGraph, entity: Entity) -> list[Evidence]:
    """The surest mentions of an entity with their sentences, from different papers where there are some."""
    mentions = sorted(graph.mentions_of.get(entity.id, ()), key=lambda m: (-m.confidence, m.paper, m.start))
    first_of = {m.paper: m for m in reversed(mentions)}
    chosen = [m for m in mentions if first_of[m.paper] is m]
    shown = [*chosen, *(m for m in mentions if m not in chosen)][:_SHOWN]
    return [Evidence(m, graph.paper_by_id[m.paper].text[slice(*m.sentence)]) for m in shown]


def settled(decisions: Decisions) -> Callable[[Entity, Entity], bool]:
    """Whether the decisions already say of two entities that they are one, that they differ, or that one is none."""
    alike = same_names(decisions)

    def thing(name: str) -> str:
        return min(key(n) for n in alike.get(key(name), [name]))

    apart = {frozenset(pair) for d in decisions.of(Distinct) for pair in combinations(map(thing, d.names), 2)}
    apart |= {frozenset((thing(s.name), thing(s.into))) for s in decisions.of(Split)}
    banned = {thing(b.name) for b in decisions.of(Ban) if not b.papers}

    def is_settled(one: Entity, other: Entity) -> bool:
        if {thing(one.name), thing(other.name)} & banned or thing(one.name) == thing(other.name):
            return True
        return any(frozenset((a, b)) in apart for a in map(thing, _forms(one)) for b in map(thing, _forms(other)))

    return is_settled


def _forms(entity: Entity) -> tuple[str, ...]:
    return (entity.name, *entity.aliases)


class _Context:
    """What the graph tells of its entities beside their names."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.by_id = graph.entity_by_id
        self.is_data = graph.vocabulary.is_data
        self.papers: dict[str, set[str]] = defaultdict(set)
        self.beside: dict[str, set[str]] = defaultdict(set)
        for mention in graph.mentions:
            self.papers[mention.entity].add(mention.paper)
            self.beside[mention.paper].add(mention.entity)
        self.introducing: dict[str, set[str]] = defaultdict(set)
        for relation in graph.relations:
            if relation.role == INTRODUCES:
                self.introducing[relation.entity].add(relation.paper)
        self.entities = [e for e in graph.entities if e.id in self.papers]

    def support(self, entity: str) -> int:
        """How many papers name the entity."""
        return len(self.papers[entity])

    def may_be_one(self, one: Entity, other: Entity) -> bool:
        """Whether nothing in the parts of the names, or in their families, tells the two apart."""
        related = {*self._above(one.id)} & {other.id} or {*self._above(other.id)} & {one.id}
        return not related and _said(one.name) == _said(other.name) and bool(self._kinds(one) & self._kinds(other))

    def both_new(self, one: Entity, other: Entity) -> bool:
        """Whether different papers introduce them, so that a likeness of the names is chance."""
        ours, theirs = self.introducing[one.id], self.introducing[other.id]
        return bool(ours and theirs) and not ours & theirs

    def _kinds(self, entity: Entity) -> set[bool]:
        """What the papers take the entity for, as far as it tells things apart: data, or a way to do something."""
        return {self.is_data(type_) for type_, _ in entity.types or ((entity.type, 0),)}

    def _above(self, entity: str) -> Iterator[str]:
        seen = {entity}
        family = self.by_id[entity].family
        while family in self.by_id and family not in seen:
            seen.add(family)
            yield family
            family = self.by_id[family].family

    def neighbours(self, entity: str) -> set[str]:
        """The entities that papers name beside this one."""
        return {e for paper in self.papers[entity] for e in self.beside[paper]} - {entity}

    def proposal(self, one: str, other: str, why: dict[str, float]) -> MergeCandidate:
        keep, merged = sorted((self.by_id[one], self.by_id[other]), key=lambda e: (-self.support(e.id), e.id))
        reasons = sorted(why, key=lambda reason: (-why[reason], reason))
        if keep.type == merged.type:
            reasons.append(f"the type is the same: {keep.type}")
        if common := (self.neighbours(one) & self.neighbours(other)) - {one, other}:
            names = sorted(self.by_id[e].name for e in common)
            reasons.append(f"named beside both: {', '.join(names[:3])}{' and more' if len(names) > 3 else ''}")
        score = max(why.values()) + _MORE * (len(reasons) - 1)
        return MergeCandidate(keep, merged, round(min(score, 1.0), 2), tuple(reasons))


def _said(name: str) -> tuple[object, ...]:
    """All that a name says beside its family, and every digit in it: what two names of one thing agree in."""
    parsed = parse(name)
    return (sorted(parsed.parts), re.findall(r"\d+", parsed.key), re.findall(r"[+*#@!?]", name))


_Found = Iterator[tuple[Entity, Entity, str, float]]


def _pairs(blocks: dict[str, list[Entity]]) -> Iterator[tuple[Entity, Entity]]:
    for block in blocks.values():
        yield from combinations(block, 2)


def _words(name: str) -> list[str]:
    """The words of a name, in lower case, without the closing word that says what kind of thing it is."""
    words = re.findall(r"[^\W_]+(?:\.\d+)*", parse(name).key)
    while len(words) > 1 and words[-1] in TRAILING_HEADS:
        words.pop()
    return words


def _spellings(entities: Iterable[Entity]) -> _Found:
    blocks: dict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        squeezed = "".join(_words(entity.name))
        if len(squeezed) >= _SHORTEST_ACRONYM:
            blocks[squeezed].append(entity)
    for one, other in _pairs(blocks):
        yield one, other, "the names differ in spacing or a closing word alone", SPELLING


def _acronyms(entities: Iterable[Entity]) -> _Found:
    """Short names and the one long name whose initials they are."""
    long_names: dict[str, list[Entity]] = defaultdict(list)
    listed = list(entities)
    for entity in listed:
        for initials in _initials(entity.name):
            long_names[initials].append(entity)
    for entity in listed:
        short = entity.name.casefold()
        if len(long_names[short]) == 1 and _is_acronym(entity.name) and not _is_spelt_out(entity):
            [long] = long_names[short]
            yield entity, long, f"{entity.name} is made of the initials of {long.name}", ACRONYM


def _is_acronym(name: str) -> bool:
    return len(name) >= _SHORTEST_ACRONYM and name.isalpha() and sum(c.isupper() for c in name) > 1


def _is_spelt_out(entity: Entity) -> bool:
    """Whether the short name has a long form of its own already."""
    return any(len(_words(alias)) >= _LONG for alias in entity.aliases)


def _initials(name: str) -> set[str]:
    words = re.findall(r"[^\W\d_]+", name.casefold())
    if len(words) < _SHORTEST_ACRONYM:
        return set()
    return {"".join(w[0] for w in words), "".join(w[0] for w in words if w not in SMALL_WORDS)}


def _aliases(entities: Iterable[Entity]) -> _Found:
    """Pairs that share another name, unless it is an acronym that stands for two long forms."""
    blocks: dict[str, dict[str, Entity]] = defaultdict(dict)
    for entity in entities:
        for form in _forms(entity):
            blocks[key(form)][entity.id] = entity
    for form, block in blocks.items():
        named = [e for e in block.values() if key(e.name) == form]
        for one, other in combinations(block.values(), 2):
            is_short_form = len(block) == 2 and bool(named) and not _is_spelt_out(named[0])
            if is_short_form or _overlap(one.name, other.name):
                yield one, other, "they share the name " + _spelling(form, one, other), ALIAS


def _spelling(form: str, *entities: Entity) -> str:
    return min(name for entity in entities for name in _forms(entity) if key(name) == form)


def _overlap(one: str, other: str) -> bool:
    """Whether two names have more than half of their words in common."""
    a, b = set(_words(one)), set(_words(other))
    return 2 * len(a & b) > max(len(a), len(b))


def _slips(entities: Iterable[Entity]) -> _Found:
    """Names that differ by one letter within one word, which must be long enough to know better."""
    blocks: dict[str, list[Entity]] = defaultdict(list)
    words = {}
    for entity in entities:
        words[entity.id] = _words(entity.name)
        for at, word in enumerate(words[entity.id]):
            around = [*words[entity.id][:at], "", *words[entity.id][at + 1 :]]
            if len(word) >= _SHORTEST_SLIP:
                for shorter in {word, *(word[:i] + word[i + 1 :] for i in range(3, len(word)))}:
                    blocks[" ".join([*around, shorter])].append(entity)
    for one, other in _pairs(blocks):
        if one.id != other.id and sorted(words[one.id]) != sorted(words[other.id]):
            yield one, other, "the names differ in one letter", SLIP
