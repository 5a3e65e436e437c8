"""Candidates for merging: pairs of entities that may be the same, proposed to a curator.

Blocking on names yields the pairs: names that differ in spacing, in a closing head noun or in one
letter, an acronym and its long form, or a shared alias. The parts of the names (version, size,
edition, stage, signs, any digit) must agree. Nothing is merged here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from citekg.curation.decisions import Ban, Decisions, Distinct, Split
from citekg.curation.decisions.groups import names_by_key
from citekg.extractors.wording.head_nouns import TRAILING_HEADS
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import key, parse
from citekg.schemas.names.words import FUNCTION_WORDS
from citekg.schemas.records import Entity, Evidence
from citekg.schemas.vocabulary import INTRODUCES

#: The weight of each reason. The largest is the score of a pair; each other reason adds `_EXTRA`.
SPELLING, ALIAS, ACRONYM, TYPO = 0.85, 0.8, 0.75, 0.65
_EXTRA: Final = 0.05
_EVIDENCE_LIMIT: Final = 2
_MIN_ACRONYM_LENGTH: Final = 3
_LONG_FORM_WORDS: Final = 3
_MIN_TYPO_WORD_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """Two entities that may be the same; `keep` is the one that more papers name.

    `score` lies between 0 and 1.
    """

    keep: Entity
    other: Entity
    score: float
    reasons: tuple[str, ...]


def merge_candidates(graph: KnowledgeGraph, decisions: Decisions) -> list[MergeCandidate]:
    """Return the undecided pairs, the highest score first."""
    context = _Context(graph)
    reasons: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for finder in (_same_spelling, _acronyms, _aliases, _typos):
        for one, other, reason, weight in finder(context.entities):
            is_coincidence = weight < SPELLING and context.are_introduced_apart(one, other)
            if one.id != other.id and context.are_compatible(one, other) and not is_coincidence:
                first, second = sorted((one.id, other.id))
                reasons[first, second][reason] = weight
    is_decided = settled_check(decisions)
    found = [context.candidate(a, b, weights) for (a, b), weights in sorted(reasons.items())]
    found = [p for p in found if not is_decided(p.keep, p.other)]
    return sorted(
        found, key=lambda p: (-p.score, -context.support(p.keep.id), p.keep.id, p.other.id)
    )


def evidence(graph: KnowledgeGraph, entity: Entity) -> list[Evidence]:
    """Return the most confident mentions with sentences, from different papers if possible."""
    mentions = sorted(
        graph.mentions_of.get(entity.id, ()), key=lambda m: (-m.confidence, m.paper, m.start)
    )
    first_of = {m.paper: m for m in reversed(mentions)}
    one_per_paper = [m for m in mentions if first_of[m.paper] is m]
    shown = [*one_per_paper, *(m for m in mentions if m not in one_per_paper)][:_EVIDENCE_LIMIT]
    return [Evidence(m, graph.sentence(m)) for m in shown]


def settled_check(decisions: Decisions) -> Callable[[Entity, Entity], bool]:
    """Return a function that returns whether the decisions already cover a pair of entities."""
    merged_names = names_by_key(decisions)

    def representative(name: str) -> str:
        return min(key(n) for n in merged_names.get(key(name), [name]))

    separated = {
        frozenset(pair)
        for d in decisions.of(Distinct)
        for pair in combinations(map(representative, d.names), 2)
    }
    separated |= {
        frozenset((representative(s.name), representative(s.into))) for s in decisions.of(Split)
    }
    banned = {representative(b.name) for b in decisions.of(Ban) if not b.papers}

    def is_settled(one: Entity, other: Entity) -> bool:
        first, second = representative(one.name), representative(other.name)
        if {first, second} & banned or first == second:
            return True
        return any(
            frozenset((a, b)) in separated
            for a in map(representative, one.names)
            for b in map(representative, other.names)
        )

    return is_settled


class _Context:
    """Papers, co-occurring entities and introductions of the entities of a graph."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.by_id = graph.entity_by_id
        self.is_data = graph.vocabulary.is_data
        self.papers_of: dict[str, set[str]] = defaultdict(set)
        self.entities_of: dict[str, set[str]] = defaultdict(set)
        for mention in graph.mentions:
            self.papers_of[mention.entity].add(mention.paper)
            self.entities_of[mention.paper].add(mention.entity)
        self.introducing: dict[str, set[str]] = defaultdict(set)
        for relation in graph.relations:
            if relation.role == INTRODUCES:
                self.introducing[relation.entity].add(relation.paper)
        self.entities = [e for e in graph.entities if e.id in self.papers_of]

    def support(self, entity: str) -> int:
        """Return how many papers name the entity."""
        return len(self.papers_of[entity])

    def are_compatible(self, one: Entity, other: Entity) -> bool:
        """Return whether the parts of the names, the families and the kinds allow a merge."""
        related = {*self._ancestors(one.id)} & {other.id} or {*self._ancestors(other.id)} & {one.id}
        return (
            not related
            and _discriminating_parts(one.name) == _discriminating_parts(other.name)
            and bool(self._data_flags(one) & self._data_flags(other))
        )

    def are_introduced_apart(self, one: Entity, other: Entity) -> bool:
        """Return whether different papers introduce them: similar names are then a coincidence."""
        ours, theirs = self.introducing[one.id], self.introducing[other.id]
        return bool(ours and theirs) and not ours & theirs

    def _data_flags(self, entity: Entity) -> set[bool]:
        """Return the kinds of the types of an entity: data (True), other (False), or both."""
        return {self.is_data(type_) for type_, _ in entity.types or ((entity.type, 0),)}

    def _ancestors(self, entity: str) -> Iterator[str]:
        """Yield the families of an entity, up to the broadest."""
        seen = {entity}
        family = self.by_id[entity].family
        while family in self.by_id and family not in seen:
            seen.add(family)
            yield family
            family = self.by_id[family].family

    def neighbours(self, entity: str) -> set[str]:
        """Return the entities that co-occur with this one in a paper."""
        return {e for paper in self.papers_of[entity] for e in self.entities_of[paper]} - {entity}

    def candidate(self, one: str, other: str, weights: dict[str, float]) -> MergeCandidate:
        """Return the candidate of a pair, with the reasons sorted by weight."""
        keep, merged = sorted(
            (self.by_id[one], self.by_id[other]), key=lambda e: (-self.support(e.id), e.id)
        )
        reasons = sorted(weights, key=lambda reason: (-weights[reason], reason))
        if keep.type == merged.type:
            reasons.append(f"the type is the same: {keep.type}")
        if common := (self.neighbours(one) & self.neighbours(other)) - {one, other}:
            names = sorted(self.by_id[e].name for e in common)
            more = " and more" if len(names) > 3 else ""
            reasons.append(f"both occur in papers with: {', '.join(names[:3])}{more}")
        score = max(weights.values()) + _EXTRA * (len(reasons) - 1)
        return MergeCandidate(keep, merged, round(min(score, 1.0), 2), tuple(reasons))


def _discriminating_parts(name: str) -> tuple[object, ...]:
    """Return the parts, digits and signs of a name, which all names of one entity share."""
    parsed = parse(name)
    return (sorted(parsed.parts), re.findall(r"\d+", parsed.key), re.findall(r"[+*#@!?]", name))


_Pairs = Iterator[tuple[Entity, Entity, str, float]]


def _pairs(blocks: dict[str, list[Entity]]) -> Iterator[tuple[Entity, Entity]]:
    for block in blocks.values():
        yield from combinations(block, 2)


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case, without closing head nouns."""
    words = re.findall(r"[^\W_]+(?:\.\d+)*", parse(name).key)
    while len(words) > 1 and words[-1] in TRAILING_HEADS:
        words.pop()
    return words


def _same_spelling(entities: Iterable[Entity]) -> _Pairs:
    blocks: dict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        joined_words = "".join(_words(entity.name))
        if len(joined_words) >= _MIN_ACRONYM_LENGTH:
            blocks[joined_words].append(entity)
    for one, other in _pairs(blocks):
        yield one, other, "the names differ in spacing or a closing word alone", SPELLING


def _acronyms(entities: Iterable[Entity]) -> _Pairs:
    """Yield short names with the only long name that has their initials."""
    long_names: dict[str, list[Entity]] = defaultdict(list)
    listed = list(entities)
    for entity in listed:
        for initials in _initials(entity.name):
            long_names[initials].append(entity)
    for entity in listed:
        short = entity.name.casefold()
        if len(long_names[short]) == 1 and _is_acronym(entity.name) and not _has_long_form(entity):
            [long] = long_names[short]
            yield entity, long, f"{entity.name} is made of the initials of {long.name}", ACRONYM


def _is_acronym(name: str) -> bool:
    return (
        len(name) >= _MIN_ACRONYM_LENGTH and name.isalpha() and sum(c.isupper() for c in name) > 1
    )


def _has_long_form(entity: Entity) -> bool:
    """Return whether the short name has a long form among its aliases."""
    return any(len(_words(alias)) >= _LONG_FORM_WORDS for alias in entity.names[1:])


def _initials(name: str) -> set[str]:
    words = re.findall(r"[^\W\d_]+", name.casefold())
    if len(words) < _MIN_ACRONYM_LENGTH:
        return set()
    return {"".join(w[0] for w in words), "".join(w[0] for w in words if w not in FUNCTION_WORDS)}


def _aliases(entities: Iterable[Entity]) -> _Pairs:
    """Yield pairs that share a name, unless it is an acronym of two long forms."""
    blocks: dict[str, dict[str, Entity]] = defaultdict(dict)
    for entity in entities:
        for form in entity.names:
            blocks[key(form)][entity.id] = entity
    for form, block in blocks.items():
        named = [e for e in block.values() if key(e.name) == form]
        for one, other in combinations(block.values(), 2):
            is_short_form = len(block) == 2 and bool(named) and not _has_long_form(named[0])
            if is_short_form or _overlap(one.name, other.name):
                yield one, other, "they share the name " + _shared_spelling(form, one, other), ALIAS


def _shared_spelling(form: str, *entities: Entity) -> str:
    return min(name for entity in entities for name in entity.names if key(name) == form)


def _overlap(one: str, other: str) -> bool:
    """Return whether two names share more than half of their words."""
    a, b = set(_words(one)), set(_words(other))
    return 2 * len(a & b) > max(len(a), len(b))


def _typos(entities: Iterable[Entity]) -> _Pairs:
    """Yield names that differ by one letter within one long word.

    Blocks on words with one letter deleted (symmetric delete).
    """
    blocks: dict[str, list[Entity]] = defaultdict(list)
    words = {}
    for entity in entities:
        words[entity.id] = _words(entity.name)
        for at, word in enumerate(words[entity.id]):
            masked = [*words[entity.id][:at], "", *words[entity.id][at + 1 :]]
            if len(word) >= _MIN_TYPO_WORD_LENGTH:
                for shorter in {word, *(word[:i] + word[i + 1 :] for i in range(3, len(word)))}:
                    blocks[" ".join([*masked, shorter])].append(entity)
    for one, other in _pairs(blocks):
        if one.id != other.id and sorted(words[one.id]) != sorted(words[other.id]):
            yield one, other, "the names differ in one letter", TYPO
