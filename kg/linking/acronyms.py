"""Short forms: which of the long forms that papers define for "ACL" a paper means that defines none.

A short form is looked up paper by paper. Of several long forms the paper's other entities choose,
if they choose clearly; otherwise the short form stays a thing of its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.name_tables import Row, Tables
from citekg.schemas.names.words import SMALL_WORDS
from citekg.schemas.vocabulary import Vocabulary

#: Shorthands that are spelled out.
_SPELLED_OUT: Final = {
    "rl": "reinforcement-learning",
    "llm": "large-language-model",
    "lm": "language-model",
    "vlm": "vision-language-model",
    "il": "imitation-learning",
}
#: How much better the best sense must fit a paper than the second.
_CLEAR: Final = 3.0
_TWO: Final = 2

_DEFINED: Final = "SELECT DISTINCT short, key FROM short_form ORDER BY short, key"
#: Papers that go by a short form, with the long form where they define it themselves.
_ASKED: Final = """
    SELECT DISTINCT n.paper, n.key, n.type, n.short, n.introduced, d.contested, own.key
    FROM named AS n JOIN definition AS d ON d.short = n.key
    LEFT JOIN short_form AS own ON own.paper = n.paper AND own.short = n.key
    ORDER BY 1, 2, 3, 4, 5, 6, 7"""
#: What those papers name beside a short form with several long forms.
_BESIDE: Final = """
    SELECT DISTINCT n.paper, s.target FROM named AS n JOIN same AS s ON s.key = n.key
    WHERE n.paper IN (SELECT a.paper FROM named AS a JOIN definition AS d ON d.short = a.key WHERE d.contested = 1)
    ORDER BY n.paper"""
#: How many papers name a thing, of all, and of those that define a short form with several long forms.
_NAMED: Final = (
    "SELECT s.target, COUNT(DISTINCT n.paper) FROM named AS n JOIN same AS s ON s.key = n.key GROUP BY s.target"
)
_COMPANY: Final = """
    SELECT d.short, d.long, s.target, COUNT(DISTINCT n.paper)
    FROM definition AS d JOIN short_form AS f ON f.short = d.short AND f.key = d.long
    JOIN named AS n ON n.paper = f.paper JOIN same AS s ON s.key = n.key
    WHERE d.contested = 1 GROUP BY d.short, d.long, s.target"""
#: The short forms under which papers introduce one long form, the earliest first.
_INTRODUCED: Final = """
    SELECT key, short FROM named WHERE introduced = 1 AND short <> ''
    GROUP BY key, short ORDER BY key, MIN(since), short"""
_NAMESAKES: Final = """
    SELECT DISTINCT n.paper, n.key, n.short FROM named AS n
    JOIN namesake AS m ON m.key = n.key AND m.short = n.short ORDER BY n.paper, n.key, n.short"""


class Name(NamedTuple):
    """A name as papers take it: its key, its form, its type."""

    key: str
    name: str
    type: str


@dataclass(frozen=True)
class Definitions:
    """What a corpus defines: `long_of[short]` are the long forms, `types` what names are taken for: data or not."""

    long_of: Mapping[str, frozenset[str]]
    types: Mapping[str, frozenset[bool]]
    vocabulary: Vocabulary

    def same_long_forms(self) -> Iterator[set[str]]:
        """Long forms of one short form that differ in small words."""
        for longs in self.long_of.values():
            alike: dict[str, set[str]] = defaultdict(set)
            for long in longs:
                alike[content_words_key(long)].add(long)
            yield from alike.values()


def definitions(tables: Tables, names: Iterable[Name], lexicon: Lexicon) -> Definitions:
    """What the papers define, beside what the lexicon knows. No short form stands for another short form."""
    types: dict[str, set[bool]] = defaultdict(set)
    for name in names:
        types[name.key].add(lexicon.vocabulary.is_data(name.type))
    told = groupby(tables.select(_DEFINED), itemgetter(0))
    long_of = {short: frozenset(row[1] for row in rows) for short, rows in told if short not in lexicon.entries}
    return Definitions(
        {short: longs for short, longs in long_of.items() if not longs & long_of.keys()},
        {name: frozenset(found) for name, found in types.items()},
        lexicon.vocabulary,
    )


def assign_senses(tables: Tables, defined: Definitions, same: Mapping[str, str]) -> None:
    """Write down what papers mean by a name where it is not what the name stands for by itself.

    Two papers that introduce one long form under different short forms ("SPPO", "SPO") mean two things, of which
    the earlier keeps the name.
    """
    by_name = groupby(tables.select(_INTRODUCED), itemgetter(0))
    later = {(name, short) for _, rows in by_name for name, short in [*rows][1:]}
    tables.insert("namesake", sorted(later))
    tables.insert("told", _once(tables.select(_NAMESAKES)))
    tables.insert("definition", sorted(_defining(defined, same)))
    tables.insert("told", _once(_meant(tables, defined, same, later)))


def _defining(defined: Definitions, same: Mapping[str, str]) -> Iterator[Row]:
    for short, longs in defined.long_of.items():
        contested = len({same[long] for long in longs}) > 1
        yield from ((short, long, int(contested)) for long in longs)


def _once(told: Iterable[Row]) -> Iterator[Row]:
    """What is told of each paper's names, once each; rows come by paper."""
    for _, rows in groupby(told, itemgetter(0)):
        yield from {row[:2]: row for row in rows}.values()


class _Asked(NamedTuple):
    """A short form that a paper goes by; `short` is one that the paper gives it in turn."""

    paper: str
    key: str
    type: str
    short: str
    introduced: int
    contested: int


def _meant(
    tables: Tables, defined: Definitions, same: Mapping[str, str], later: Container[tuple[str, str]]
) -> Iterator[Row]:
    """The paper, the short form and what it means there."""
    senses = _Senses.of(tables, defined, same)
    beside = groupby(tables.select(_BESIDE), itemgetter(0))
    for _, rows in groupby(tables.select(_ASKED), itemgetter(0)):
        asked = [(_Asked(*place), {row[-1] for row in own}) for place, own in groupby(rows, lambda row: row[:-1])]
        contested = any(short.contested for short, _ in asked)
        named = {target for _, target in next(beside)[1]} if contested else set()
        for short, own in asked:
            target = None if short.introduced or (short.key, short.short) in later else senses.sense(short, own, named)
            if target is not None:
                yield short.paper, short.key, target


@dataclass(frozen=True)
class _Senses:
    """What tells the senses of a short form apart: the things that papers name beside it.

    `named[short, long]` counts the papers that define the two and name a thing; `rarity` is the weight of each thing.
    `short_and_long` are the things that short and long forms stand for, which tell nothing.
    """

    defined: Definitions
    same: Mapping[str, str]
    named: Mapping[tuple[str, str], Mapping[str, int]]
    rarity: Mapping[str, float]
    short_and_long: frozenset[str]

    @classmethod
    def of(cls, tables: Tables, defined: Definitions, same: Mapping[str, str]) -> _Senses:
        """The senses that these tables tell of."""
        asked = {same.get(name, name) for short, longs in defined.long_of.items() for name in (short, *longs)}
        named: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        for short, long, thing, papers in tables.select(_COMPANY):
            named[short, long][thing] = papers
        rarity = {thing: 1 / papers for thing, papers in tables.select(_NAMED)} if named else {}
        return cls(defined, same, named, rarity, frozenset(asked))

    def sense(self, short: _Asked, own: Container[str], beside: Set[str]) -> str | None:
        """What a paper means by a short form, or nothing; `own` are the long forms that it defines itself."""
        longs: dict[str, list[str]] = defaultdict(list)
        for long in sorted(self.defined.long_of[short.key]):
            if self.defined.vocabulary.is_data(short.type) in self.defined.types[long]:
                longs[self.same[long]].append(long)
        here = [thing for thing, found in longs.items() if any(long in own for long in found)] or [*longs]
        if len(here) < _TWO:
            return next(iter(here), None)
        fits = sorted(((self._shared(short.key, longs[t], own, beside), t) for t in longs), reverse=True)
        (best, thing), (second, _), *_ = fits
        return thing if best > 0 and best >= _CLEAR * second else None

    def _shared(self, short: str, longs: Iterable[str], own: Container[str], beside: Set[str]) -> float:
        """How much of what a paper names the others that define a long form name too, rare things counting more."""
        theirs = {
            thing
            for long in longs
            for thing, papers in self.named[short, long].items()
            if papers > (long in own and thing in beside)
        }
        return round(sum(self.rarity[thing] for thing in sorted((beside & theirs) - self.short_and_long)), 9)


def content_words_key(name: str) -> str:
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
