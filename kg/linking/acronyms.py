"""Acronym disambiguation: the long form of a short form that a paper does not define.

Other papers define the long forms ("ACL" with its expansions). The entities that co-occur with
the short form select one of several long forms, if the result is clear. Otherwise the short form
stays a separate entity.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.linking.kinds import Kinds, Name
from citekg.linking.name_tables import Row, Tables
from citekg.schemas.names.words import FUNCTION_WORDS
from citekg.schemas.vocabulary import Vocabulary

#: Shorthands within long forms, and what they stand for.
_SPELLED_OUT: Final = {
    "rl": "reinforcement-learning",
    "llm": "large-language-model",
    "lm": "language-model",
    "vlm": "vision-language-model",
    "il": "imitation-learning",
}
#: Endings in which the words of a long form may differ.
_INFLECTION: Final = re.compile(
    r"(?<=[^\W\d_]{4})(?:ional|ions?|ings?|ed|ive|al|es|(?<!s)s|e)$|(?<=[^\W\d_]{7})i$|(?<=[^\W\d_]{3})(?<!s)s$"
)
_DOUBLED: Final = re.compile(r"([^\W\d_aeiousl])\1$")
#: The ratio between the scores of the best and the second sense from which the best one counts.
_MIN_RATIO: Final = 3.0
_TWO: Final = 2

_DEFINED: Final = "SELECT DISTINCT short, key FROM short_form ORDER BY short, key"
#: The papers that name a defined short form, with the long form where they define it themselves.
_USES: Final = """
    SELECT DISTINCT n.paper, n.key, n.type, n.short, n.introduced, d.ambiguous, own.key
    FROM paper_name AS n JOIN definition AS d ON d.short = n.key
    LEFT JOIN short_form AS own ON own.paper = n.paper AND own.short = n.key
    ORDER BY 1, 2, 3, 4, 5, 6, 7"""
#: The entities that co-occur with an ambiguous short form (one with several long forms).
_CO_OCCURRING: Final = """
    SELECT DISTINCT n.paper, s.target FROM paper_name AS n JOIN cluster AS s ON s.key = n.key
    WHERE n.paper IN (
        SELECT a.paper FROM paper_name AS a JOIN definition AS d ON d.short = a.key
        WHERE d.ambiguous = 1
    )
    ORDER BY n.paper"""
#: How many papers name an entity: of all papers, and of those that define an ambiguous short form.
_PAPER_COUNTS: Final = """
    SELECT s.target, COUNT(DISTINCT n.paper) FROM paper_name AS n
    JOIN cluster AS s ON s.key = n.key GROUP BY s.target"""
_DEFINING_PAPERS: Final = """
    SELECT d.short, d.long, s.target, COUNT(DISTINCT n.paper)
    FROM definition AS d JOIN short_form AS f ON f.short = d.short AND f.key = d.long
    JOIN paper_name AS n ON n.paper = f.paper JOIN cluster AS s ON s.key = n.key
    WHERE d.ambiguous = 1 GROUP BY d.short, d.long, s.target"""
#: The short forms under which papers introduce a long form, the earliest first.
_INTRODUCED_SHORT_FORMS: Final = """
    SELECT key, short FROM paper_name WHERE introduced = 1 AND short <> ''
    GROUP BY key, short ORDER BY key, MIN(since), short"""
_HOMONYMS: Final = """
    SELECT DISTINCT n.paper, n.key, n.short FROM paper_name AS n
    JOIN homonym AS m ON m.key = n.key AND m.short = n.short ORDER BY n.paper, n.key, n.short"""


@dataclass(frozen=True)
class Definitions:
    """The definitions of a corpus.

    `long_of[short]` are the keys of the long forms. `types[key]` says whether papers take the name
    for data (True), for something else (False), or both. `known` are the keys of the lexicon.
    """

    long_of: Mapping[str, frozenset[str]]
    types: Mapping[str, frozenset[bool]]
    vocabulary: Vocabulary
    known: Set[str] = frozenset()

    def unambiguous(self) -> dict[str, str]:
        """Return the long forms of the short forms that have only one."""
        return {short: min(longs) for short, longs in self.long_of.items() if len(longs) == 1}

    def same_long_forms(self) -> Iterator[set[str]]:
        """Yield the long forms of one short form that differ only in small words and endings.

        Two rows of the lexicon are two entities.
        """
        for short, longs in self.long_of.items():
            alike: dict[str, set[str]] = defaultdict(set)
            for long in longs:
                alike[stem_key(long, short)].add(long)
            yield from (same for same in alike.values() if len(same & self.known) < _TWO)


def collect_definitions(tables: Tables, names: Iterable[Name], lexicon: Lexicon) -> Definitions:
    """Return the definitions in the papers, without short forms that the lexicon knows.

    No short form is the long form of another one.
    """
    types: dict[str, set[bool]] = defaultdict(set)
    for name in names:
        types[name.key].add(lexicon.vocabulary.is_data(name.type))
    defining = groupby(tables.select(_DEFINED), itemgetter(0))
    long_of = {
        short: frozenset(row[1] for row in rows)
        for short, rows in defining
        if short not in lexicon.entries
    }
    return Definitions(
        {short: longs for short, longs in long_of.items() if not longs & long_of.keys()},
        {name: frozenset(found) for name, found in types.items()},
        lexicon.vocabulary,
        lexicon.entries.keys(),
    )


def assign_senses(
    tables: Tables,
    defined: Definitions,
    same: Mapping[str, str],
    kinds: Kinds,
    lexicon: Lexicon,
) -> None:
    """Store what papers mean by a name, where it differs from the default sense of the name.

    A name of the other kind is the second entity of that name and no short form. Two papers that
    introduce one long form under different short forms ("SPPO", "SPO") introduce two entities; the
    one with an acronym of the lexicon, or else the earlier one, keeps the name.
    """
    by_name = groupby(tables.select(_INTRODUCED_SHORT_FORMS), itemgetter(0))
    homonyms = {
        (name, short)
        for name, rows in by_name
        for short in _further([short for _, short in rows], lexicon.entries.get(name))
    }
    tables.insert("homonym", sorted(homonyms))
    tables.insert("definition", sorted(_definition_rows(defined, same)))
    by_kind = {row[:2]: (*row[:2], same[row[2]]) for row in kinds.paper_senses(tables)}
    tables.insert("paper_sense", by_kind.values())
    for senses in (tables.select(_HOMONYMS), _paper_senses(tables, defined, same, homonyms)):
        tables.insert("paper_sense", _deduplicated(r for r in senses if r[:2] not in by_kind))


def _further(shorts: Sequence[str], entry: Entry | None) -> Sequence[str]:
    """Return the short forms of a long form, the earliest first, without that of its own entity."""
    if entry is not None and entry.is_abbreviated_otherwise(shorts):
        return shorts
    own = [s for s in shorts if entry and not entry.is_abbreviated_otherwise([s])] or shorts
    return [short for short in shorts if short != own[0]]


def _definition_rows(defined: Definitions, same: Mapping[str, str]) -> Iterator[Row]:
    """Yield (short form, long form, whether the short form has several senses)."""
    for short, longs in defined.long_of.items():
        ambiguous = len({same[long] for long in longs}) > 1
        yield from ((short, long, int(ambiguous)) for long in longs)


def _deduplicated(rows_by_paper: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows once per paper and name; the rows must be sorted by paper."""
    for _, rows in groupby(rows_by_paper, itemgetter(0)):
        yield from {row[:2]: row for row in rows}.values()


class _Use(NamedTuple):
    """The use of a short form in a paper; `short` is the paper's own short form of it."""

    paper: str
    key: str
    type: str
    short: str
    introduced: int
    ambiguous: int


def _paper_senses(
    tables: Tables,
    defined: Definitions,
    same: Mapping[str, str],
    homonyms: Container[tuple[str, str]],
) -> Iterator[Row]:
    """Yield (paper, key of the short form, key of its sense) for each disambiguated use."""
    model = _SenseModel.of(tables, defined, same)
    co_occurring = groupby(tables.select(_CO_OCCURRING), itemgetter(0))
    for _, rows in groupby(tables.select(_USES), itemgetter(0)):
        uses = [
            (_Use(*place), {row[-1] for row in own})
            for place, own in groupby(rows, lambda row: row[:-1])
        ]
        ambiguous = any(short.ambiguous for short, _ in uses)
        named = {target for _, target in next(co_occurring)[1]} if ambiguous else set()
        for short, own in uses:
            target = (
                None
                if short.introduced or (short.key, short.short) in homonyms
                else model.sense(short, own, named)
            )
            if target is not None:
                yield short.paper, short.key, target


@dataclass(frozen=True)
class _SenseModel:
    """The co-occurrence counts that separate the senses of a short form.

    `named[short, long]` counts, by entity, the papers that define the pair and name the entity.
    `weights` are inverse paper frequencies. `short_and_long` are the entities of the short and long
    forms themselves, which do not count as context.
    """

    defined: Definitions
    same: Mapping[str, str]
    named: Mapping[tuple[str, str], Mapping[str, int]]
    weights: Mapping[str, float]
    short_and_long: frozenset[str]

    @classmethod
    def of(cls, tables: Tables, defined: Definitions, same: Mapping[str, str]) -> _SenseModel:
        """Return the model of the definitions in these tables."""
        uses = {
            same.get(name, name)
            for short, longs in defined.long_of.items()
            for name in (short, *longs)
        }
        named: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
        for short, long, entity, papers in tables.select(_DEFINING_PAPERS):
            named[short, long][entity] = papers
        weights = (
            {entity: 1 / papers for entity, papers in tables.select(_PAPER_COUNTS)} if named else {}
        )
        return cls(defined, same, named, weights, frozenset(uses))

    def sense(self, short: _Use, own: Container[str], co_occurring: Set[str]) -> str | None:
        """Return the sense of a short form in a paper, or None if the context does not decide.

        `own` are the long forms that the paper itself defines.
        """
        longs: dict[str, list[str]] = defaultdict(list)
        for long in sorted(self.defined.long_of[short.key]):
            if self.defined.vocabulary.is_data(short.type) in self.defined.types.get(long, ()):
                longs[self.same[long]].append(long)
        here = [sense for sense, found in longs.items() if any(long in own for long in found)] or [
            *longs
        ]
        if len(here) < _TWO:
            return next(iter(here), None)
        scores = sorted(
            ((self._overlap_score(short.key, longs[t], own, co_occurring), t) for t in longs),
            reverse=True,
        )
        (best, sense), (second, _), *_ = scores
        return sense if best > 0 and best >= _MIN_RATIO * second else None

    def _overlap_score(
        self, short: str, longs: Iterable[str], own: Container[str], co_occurring: Set[str]
    ) -> float:
        """Return the weighted overlap of a paper's context with that of a sense's papers.

        Rare entities count more.
        """
        theirs = {
            entity
            for long in longs
            for entity, papers in self.named[short, long].items()
            if papers > (long in own and entity in co_occurring)
        }
        return round(
            sum(
                self.weights[entity]
                for entity in sorted((co_occurring & theirs) - self.short_and_long)
            ),
            9,
        )


def stem_key(long: str, short: str) -> str:
    """Return the stems of the words for which a short form stands, without hyphens.

    Only long forms of one short form may be compared so: "ground penetration radar" and
    "ground-penetrating radars" of GPR, "nearest class mean classifier" of NCM.

    >>> stem_key("ground-penetration-radar", "gpr"), stem_key("ground-penetrating-radar", "gpr")
    ('groundpenetratradar', 'groundpenetratradar')
    >>> stem_key("nearest-class-mean-classifier", "ncm")
    'nearestclassmean'
    """
    words = [word for word in spelled_out(long).split("-") if word]
    for named in (words, [word for word in words if word not in FUNCTION_WORDS]):
        if "".join(word[0] for word in named[: len(short)]) == short:
            words = named[: len(short)]
    return "".join(_stem(word) for word in words if word not in FUNCTION_WORDS)


def _stem(word: str) -> str:
    """Return a word without its inflection: "program" of "programming"."""
    stem = _INFLECTION.sub("", word)
    return stem[:-1] if stem != word and _DOUBLED.search(stem) else stem


def spelled_out(name: str) -> str:
    """Return a key with shorthands expanded: "offline-reinforcement-learning" of "offline-rl"."""
    words = name.split("-")
    return "-".join(_SPELLED_OUT.get(word, word) for word in words) if len(words) > 1 else name
