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
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Final

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.linking.batches import Groups, Rows
from citekg.linking.kinds import KINDS, assign_kinds
from citekg.linking.name_tables import Row, Tables
from citekg.schemas.names.words import FUNCTION_WORDS
from citekg.schemas.vocabulary import Vocabulary

#: Abbreviations within long forms, and their expansions.
_EXPANSIONS: Final = {
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
#: The minimum ratio between the scores of the best and the second sense for a clear result.
_MIN_RATIO: Final = 3.0
_MIN_AMBIGUOUS: Final = 2

#: The long forms of short forms that are not in the lexicon. No short form is the long form of
#: another one.
_LONG_FORMS: Final = """
    INSERT INTO long_form
    WITH defined AS (
        SELECT DISTINCT short, key AS long FROM short_form
        WHERE short NOT IN (SELECT key FROM lexicon_name)
    )
    SELECT short, long FROM defined WHERE short NOT IN (
        SELECT short FROM defined WHERE long IN (SELECT short FROM defined)
    )"""
#: The long forms of each short form that has several.
SEVERAL_LONG_FORMS: Final = """
    SELECT short, long FROM long_form
    WHERE short IN (SELECT short FROM long_form GROUP BY short HAVING COUNT(*) > 1)"""
#: The long forms with their entities; a short form is ambiguous if it has several entities.
_DEFINITIONS: Final = """
    INSERT INTO definition
    WITH meant AS (
        SELECT l.short, l.long, COALESCE(c.target, l.long) AS target FROM long_form AS l
        LEFT JOIN cluster AS c ON c.key = l.long
    ),
    ambiguous AS (SELECT short FROM meant GROUP BY short HAVING COUNT(DISTINCT target) > 1)
    SELECT m.short, m.long, m.target, CASE WHEN a.short IS NULL THEN 0 ELSE 1 END
    FROM meant AS m LEFT JOIN ambiguous AS a ON a.short = m.short"""
#: The short forms under which papers introduce a long form, the earliest first, where the long form
#: may be several entities.
_INTRODUCED_SHORT_FORMS: Final = """
    WITH introduced AS (
        SELECT key, short, MIN(since) AS since FROM paper_name
        WHERE introduced = 1 AND short <> '' GROUP BY key, short
    )
    SELECT key, short FROM introduced
    WHERE key IN (SELECT key FROM introduced GROUP BY key HAVING COUNT(*) > 1)
        OR key IN (SELECT key FROM lexicon_name)
    ORDER BY key, since, short"""
_HOMONYMS: Final = """
    INSERT INTO paper_sense
    SELECT n.paper, n.key, MAX(n.short) FROM paper_name AS n
    JOIN homonym AS m ON m.key = n.key AND m.short = n.short
    LEFT JOIN paper_sense AS t ON t.paper = n.paper AND t.key = n.key
    WHERE t.paper IS NULL GROUP BY n.paper, n.key"""
#: The uses of defined short forms whose sense is not resolved yet, with the long form where the
#: papers define it themselves.
_OPEN_USES: Final = """
    INSERT INTO open_use
    SELECT DISTINCT n.key, n.paper, n.type, n.short, own.key
    FROM paper_name AS n JOIN (SELECT DISTINCT short FROM definition) AS d ON d.short = n.key
    LEFT JOIN homonym AS m ON m.key = n.key AND m.short = n.short
    LEFT JOIN paper_sense AS t ON t.paper = n.paper AND t.key = n.key
    LEFT JOIN short_form AS own ON own.paper = n.paper AND own.short = n.key
    WHERE n.introduced = 0 AND m.key IS NULL AND t.paper IS NULL"""
_IS_USED: Final = "short IN (SELECT short FROM open_use)"
#: The long forms of a short form, their entities and kinds.
_SENSES: Final = f"""
    SELECT d.short, d.long, d.target, k.kinds FROM definition AS d
    LEFT JOIN name_kind AS k ON k.key = d.long WHERE d.{_IS_USED} ORDER BY d.short, d.long"""  # noqa: S608  # a constant
_USES: Final = "SELECT short, paper, type, long, own FROM open_use ORDER BY 1, 2, 3, 4, 5"
#: The entities that co-occur with an ambiguous short form in papers that define it: in how many of
#: these papers, and in how many overall. The entities of short and long forms are not context.
_CONTEXTS: Final = f"""
    INSERT INTO sense_context
    WITH counted AS (
        SELECT d.short, d.long, COALESCE(c.target, n.key) AS target,
            COUNT(DISTINCT n.paper) AS papers
        FROM definition AS d JOIN short_form AS f ON f.short = d.short AND f.key = d.long
        JOIN paper_name AS n ON n.paper = f.paper LEFT JOIN cluster AS c ON c.key = n.key
        WHERE d.ambiguous = 1 AND d.{_IS_USED}
        GROUP BY d.short, d.long, COALESCE(c.target, n.key)
    ),
    own AS (
        SELECT target FROM definition
        UNION SELECT COALESCE(c.target, d.short) FROM definition AS d
        LEFT JOIN cluster AS c ON c.key = d.short
    ),
    used AS (
        SELECT DISTINCT n.paper, COALESCE(c.target, n.key) AS target FROM paper_name AS n
        LEFT JOIN cluster AS c ON c.key = n.key
        WHERE COALESCE(c.target, n.key) IN (SELECT target FROM counted)
    ),
    total AS (SELECT target, COUNT(*) AS papers FROM used GROUP BY target)
    SELECT c.short, c.long, c.target, c.papers, t.papers
    FROM counted AS c JOIN total AS t ON t.target = c.target
    WHERE c.target NOT IN (SELECT target FROM own)"""  # noqa: S608  # a constant
_CONTEXT_OF_SHORT: Final = """
    SELECT short, long, target, papers, total FROM sense_context ORDER BY short, long, target"""
#: The context of each use of an ambiguous short form.
_CO_OCCURRING: Final = """
    WITH used AS (
        SELECT DISTINCT short, paper FROM open_use
        WHERE short IN (SELECT short FROM definition WHERE ambiguous = 1)
    ),
    context AS (SELECT DISTINCT short, target FROM sense_context)
    SELECT DISTINCT u.short, u.paper, x.target FROM used AS u
    JOIN paper_name AS o ON o.paper = u.paper LEFT JOIN cluster AS c ON c.key = o.key
    JOIN context AS x ON x.short = u.short AND x.target = COALESCE(c.target, o.key)
    ORDER BY 1, 2, 3"""


def collect_definitions(tables: Tables) -> None:
    """Store the definitions in the papers, without short forms that are in the lexicon."""
    tables.execute(_LONG_FORMS)


def same_long_forms(lexicon: Lexicon, rows: Iterable[Row]) -> Rows:  # noqa: ARG001
    """Return the groups of the long forms of a short form, from rows of `SEVERAL_LONG_FORMS`.

    The long forms of a group differ only in small words and endings.
    """
    groups = [("long form", f"{short} {stem_key(long, short)}", long, "") for short, long in rows]
    return {"name_group": groups}


def assign_senses(tables: Tables, lexicon: Lexicon) -> None:
    """Store the senses of names in papers that differ from the default sense of the name.

    A name of the other kind is the second entity of that name, not a short form. Two papers that
    introduce one long form under different short forms ("SPPO", "SPO") introduce two entities; the
    one with an acronym of the lexicon, or else the earlier one, keeps the name.
    """
    assign_kinds(tables)
    by_name = groupby(tables.select(_INTRODUCED_SHORT_FORMS), itemgetter(0))
    homonyms = (
        (name, short)
        for name, rows in by_name
        for short in _homonym_short_forms([short for _, short in rows], lexicon.entries.get(name))
    )
    tables.insert("homonym", homonyms)
    for statement in (_HOMONYMS, _DEFINITIONS, _OPEN_USES, _CONTEXTS):
        tables.execute(statement)
    tables.insert("paper_sense", _paper_senses(tables, lexicon.vocabulary))


def _homonym_short_forms(shorts: Sequence[str], entry: Entry | None) -> Sequence[str]:
    """Return the short forms of a long form, the earliest first, without that of its own entity."""
    if entry is not None and entry.is_abbreviated_otherwise(shorts):
        return shorts
    own = [s for s in shorts if entry and not entry.is_abbreviated_otherwise([s])] or shorts
    return [short for short in shorts if short != own[0]]


def _paper_senses(tables: Tables, vocabulary: Vocabulary) -> Iterator[Row]:
    """Yield (paper, key of the short form, key of its sense) for each disambiguated use."""
    uses, contexts, co_occurring = (
        Groups(tables.select(query)) for query in (_USES, _CONTEXT_OF_SHORT, _CO_OCCURRING)
    )
    for short, rows in groupby(tables.select(_SENSES), itemgetter(0)):
        senses = _Senses.of((row[1:] for row in rows), contexts.of(short), vocabulary)
        named: dict[str, set[str]] = defaultdict(set)
        for _, paper, target in co_occurring.of(short):
            named[paper].add(target)
        for paper, own_uses in groupby(uses.of(short), itemgetter(1)):
            found = [
                senses.meant(type_, {row[-1] for row in own}, named[paper])
                for (type_, _), own in groupby(own_uses, itemgetter(2, 3))
            ]
            yield from ((paper, short, target) for target in [t for t in found if t][-1:])


@dataclass(frozen=True)
class _Senses:
    """The senses of a short form, and the co-occurrence counts that separate them.

    `longs` holds the key, the entity and the kinds of each long form. `named[long]` counts, by
    entity, the papers that define this long form and name the entity. `weights` are inverse paper
    frequencies.
    """

    longs: Sequence[tuple[str, str, frozenset[bool]]]
    named: Mapping[str, Mapping[str, int]]
    weights: Mapping[str, float]
    vocabulary: Vocabulary

    @classmethod
    def of(cls, longs: Iterable[Row], contexts: Iterable[Row], vocabulary: Vocabulary) -> _Senses:
        """Return the senses from rows of the tables `definition` and `sense_context`."""
        named: dict[str, dict[str, int]] = defaultdict(dict)
        weights: dict[str, float] = {}
        for _, long, target, papers, total in contexts:
            named[long][target] = papers
            weights[target] = 1 / total
        known = tuple((long, target, KINDS[kinds]) for long, target, kinds in longs)
        return cls(known, named, weights, vocabulary)

    def meant(self, type_: str, own: Container[str], co_occurring: Set[str]) -> str | None:
        """Return the sense in a paper that uses the short form with this type.

        None means that the context is inconclusive. `own` are the long forms that the paper itself
        defines.
        """
        longs: dict[str, list[str]] = defaultdict(list)
        for long, target, kinds in self.longs:
            if self.vocabulary.is_data(type_) in kinds:
                longs[target].append(long)
        candidates = [
            sense for sense, found in longs.items() if any(long in own for long in found)
        ] or [*longs]
        if len(candidates) < _MIN_AMBIGUOUS:
            return next(iter(candidates), None)
        scores = sorted(
            ((self._overlap_score(longs[t], own, co_occurring), t) for t in longs), reverse=True
        )
        (best, sense), (second, _), *_ = scores
        return sense if best > 0 and best >= _MIN_RATIO * second else None

    def _overlap_score(
        self, longs: Iterable[str], own: Container[str], co_occurring: Set[str]
    ) -> float:
        """Return the weighted overlap of a paper's context with that of a sense's papers.

        Rare entities count more.
        """
        theirs = {
            entity
            for long in longs
            for entity, papers in self.named.get(long, {}).items()
            if papers > (long in own and entity in co_occurring)
        }
        return round(sum(self.weights[entity] for entity in sorted(co_occurring & theirs)), 9)


def stem_key(long: str, short: str) -> str:
    """Return the stems of the words that a short form abbreviates, without hyphens.

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


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str:
    """Return a word without its inflection: "program" of "programming"."""
    stem = _INFLECTION.sub("", word)
    return stem[:-1] if stem != word and _DOUBLED.search(stem) else stem


def spelled_out(name: str) -> str:
    """Return a key, abbreviations expanded: "offline-reinforcement-learning" of "offline-rl"."""
    words = name.split("-")
    if len(words) == 1 or _EXPANSIONS.keys().isdisjoint(words):
        return name
    return "-".join(_EXPANSIONS.get(word, word) for word in words)
