"""Short forms: which of the long forms that papers define for "ACL" a paper means that defines none.

A short form is looked up paper by paper. Of several long forms the paper's other entities choose,
if they choose clearly; otherwise the short form stays a thing of its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from extractors.lexicon import Lexicon
from schemas.names import key
from schemas.names.words import SMALL_WORDS
from schemas.records import PaperEntity, Reading
from schemas.vocabulary import INTRODUCES, Vocabulary

#: Shorthands that are spelled out.
_SPELLED_OUT: Final = {
    "rl": "reinforcement-learning",
    "llm": "large-language-model",
    "lm": "language-model",
    "vlm": "vision-language-model",
    "il": "imitation-learning",
}
_CAPITALS: Final = re.compile(r"(?=(?:.*[A-ZΑ-Ω]){2})\S+|[A-Z][^\Wa-z]*\S?")
#: How much better the best sense must fit a paper than the second.
_CLEAR: Final = 3.0


@dataclass(frozen=True)
class Definitions:
    """What a corpus defines: `long_of[short][long]` are the papers that do, `types` what they take it for."""

    long_of: Mapping[str, Mapping[str, frozenset[str]]]
    types: Mapping[str, frozenset[bool]]
    vocabulary: Vocabulary

    def same_long_forms(self) -> Iterator[set[str]]:
        """Long forms of one short form that differ in small words."""
        for longs in self.long_of.values():
            alike: dict[str, set[str]] = defaultdict(set)
            for long in longs:
                alike[gist(long)].add(long)
            yield from alike.values()


def definitions(readings: Sequence[Reading], lexicon: Lexicon) -> Definitions:
    """What these papers define, beside what the lexicon knows. No short form stands for another short form."""
    long_of: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    types: dict[str, set[bool]] = defaultdict(set)
    for reading in readings:
        for entity in reading.entities:
            types[entity.key].add(lexicon.vocabulary.is_data(entity.type))
            for short in _short_forms(entity):
                if short not in lexicon.entries:
                    long_of[short][entity.key].add(reading.paper.id)
    return Definitions(
        {
            s: {k: frozenset(p) for k, p in longs.items()}
            for s, longs in long_of.items()
            if not set(longs) & set(long_of)
        },
        {name: frozenset(found) for name, found in types.items()},
        lexicon.vocabulary,
    )


@dataclass(frozen=True)
class Senses:
    """What short forms mean from paper to paper; `same` tells names that are one thing.

    `company` holds what a paper names, short forms and what they stand for left out as the question is what
    they are; `rarity` is the weight of each.
    """

    defined: Definitions
    same: Mapping[str, str]
    company: Mapping[str, frozenset[str]]
    rarity: Mapping[str, float]

    def sense(self, paper: str, short: PaperEntity) -> str | None:
        """What a paper means by a short form, or nothing."""
        papers: dict[str, set[str]] = defaultdict(set)
        for long, defining in self.defined.long_of.get(short.key, {}).items():
            if self.defined.vocabulary.is_data(short.type) in self.defined.types[long]:
                papers[self.same[long]] |= defining
        if _is_introduced(short):
            return None
        here = [long for long, defining in papers.items() if paper in defining] or [*papers]
        return next(iter(here), None) if len(here) < 2 else self._best(paper, papers)

    def _best(self, paper: str, papers: Mapping[str, Iterable[str]]) -> str | None:
        """The long form whose papers keep the company that this paper keeps, if clearly one does."""
        fits = sorted(((self._shared(paper, found), long) for long, found in papers.items()), reverse=True)
        (best, long), (second, _), *_ = fits
        return long if best > 0 and best >= _CLEAR * second else None

    def _shared(self, paper: str, others: Iterable[str]) -> float:
        """How much of what a paper names the others name too, rare things counting more."""
        theirs = frozenset[str]().union(*(self.company[other] for other in others if other != paper))
        return round(sum(self.rarity[k] for k in sorted(self.company[paper] & theirs)), 9)


def senses(readings: Sequence[Reading], defined: Definitions, same: Mapping[str, str]) -> Senses:
    """What tells the senses of a short form apart: the things that papers name beside it."""
    asked = {same.get(name, name) for short, longs in defined.long_of.items() for name in (short, *longs)}
    company = {r.paper.id: frozenset({same[e.key] for e in r.entities} - asked) for r in readings}
    papers = Counter(name for named in company.values() for name in named)
    return Senses(defined, same, company, {name: 1 / count for name, count in papers.items()})


def namesakes(readings: Iterable[Reading]) -> dict[tuple[str, str], str]:
    """The short form that tells a thing from its namesake, by paper and key.

    Two papers that introduce one long form under different short forms ("SPPO", "SPO") mean two things; the
    earlier keeps the name. `readings` come earliest first.
    """
    introduced: dict[str, list[str]] = defaultdict(list)
    shorts: dict[tuple[str, str], set[str]] = {}
    for reading in readings:
        for entity in reading.entities:
            found = shorts[reading.paper.id, entity.key] = set(_short_forms(entity))
            if len(found) == 1 and _is_introduced(entity):
                introduced[entity.key] += found - {*introduced[entity.key]}
    return {
        (paper, name): next(iter(found))
        for (paper, name), found in shorts.items()
        if len(found) == 1 and found <= {*introduced[name][1:]}
    }


def gist(name: str) -> str:
    """The key of a long form without its small words, shorthands spelled out.

    >>> gist("rl-with-verifiable-rewards") == gist("reinforcement-learning-from-verifiable-reward")
    True
    """
    words = spelled_out(name).split("-")
    return "-".join(re.sub(r"(?<=[^\Ws\d_])s$", "", word) for word in words if word not in SMALL_WORDS)


def spelled_out(name: str) -> str:
    """A key with its shorthands written out: "offline-rl" is "offline-reinforcement-learning"."""
    words = name.split("-")
    return "-".join(_SPELLED_OUT.get(word, word) for word in words) if len(words) > 1 else name


def _short_forms(entity: PaperEntity) -> Iterator[str]:
    """The keys of the short forms, one word with capitals, that the paper gives an entity beside its name."""
    longest = max((len(key(surface)) for surface in entity.surfaces), default=0)
    for short in {key(surface) for surface in entity.surfaces if _CAPITALS.fullmatch(surface)}:
        if short != entity.key and len(short) < min(longest, len(entity.key)):
            yield short


def _is_introduced(entity: PaperEntity) -> bool:
    """Whether the paper says that the thing is its own, so that the name is no short form of another's."""
    return any(role == INTRODUCES for role, _, _ in entity.roles)
