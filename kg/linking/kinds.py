"""Entities of one name but of different kinds: "the PAIR dataset" is not the method PAIR.

A kind is data (datasets and benchmarks) or anything else. A name that is data in some papers and a
method in others is two entities if the name is short or plain, because two authors may have chosen
it independently. A long coined name is one entity, with a wrong type in one of the papers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.name_tables import Row, Tables

#: The maximum length of a single word that two authors may choose for two entities.
_SHORT_NAME: Final = 5
#: The ratio of papers between two kinds from which papers of the rarer kind count as errors.
_MIN_RATIO: Final = 3
#: The suffix of the key of a name in the sense that is not of its main kind.
_SENSES: Final = {True: "dataset", False: "method"}
_PLAIN_WORDS: Final = re.compile(r"[^\W\d_A-Z]+(?:[\s-][^\W\d_A-Z]+)*")

#: The names of the corpus with the types that papers give them, and the earliest paper.
_USES: Final = """
    INSERT INTO name_use SELECT key, name, type, MIN(since) FROM paper_name
    GROUP BY key, name, type"""
#: The names on whose kind papers, or papers and the lexicon, disagree, with their types: the number
#: of papers with the type, whether one of them introduces the name, and the earliest of them.
_MIXED: Final = """
    WITH kind AS (
        SELECT n.key, MIN(k.data) AS lowest, MAX(k.data) AS highest
        FROM name_use AS n JOIN type_kind AS k ON k.type = n.type GROUP BY n.key
    ),
    mixed AS (
        SELECT k.key FROM kind AS k LEFT JOIN lexicon_name AS l ON l.key = k.key
        WHERE k.lowest <> k.highest OR k.lowest <> l.data
    ),
    support AS (
        SELECT key, type, COUNT(DISTINCT paper) AS papers, MAX(introduced) AS introduced,
            MIN(since) AS since
        FROM paper_name WHERE key IN (SELECT key FROM mixed) GROUP BY key, type
    )
    SELECT s.key, s.type, s.papers, s.introduced, s.since, n.name
    FROM support AS s JOIN name_use AS n ON n.key = s.key AND n.type = s.type
    ORDER BY 1, 2, 6"""
_SENSES_BY_KIND: Final = """
    INSERT INTO paper_sense
    SELECT DISTINCT n.paper, n.key, COALESCE(c.target, s.target) FROM paper_name AS n
    JOIN second_sense AS s ON s.key = n.key AND s.type = n.type
    LEFT JOIN cluster AS c ON c.key = s.target"""
#: The names by the entity that they denote, the earliest use of each, and its kinds (see `KINDS`).
_NAMES: Final = """
    INSERT INTO corpus_name
    SELECT DISTINCT COALESCE(s.target, n.key), n.name, n.type FROM name_use AS n
    LEFT JOIN second_sense AS s ON s.key = n.key AND s.type = n.type"""
_SINCE: Final = """
    INSERT INTO name_since
    WITH first AS (SELECT key, MIN(since) AS since FROM name_use GROUP BY key)
    SELECT DISTINCT s.target, f.since FROM second_sense AS s JOIN first AS f ON f.key = s.key
    UNION ALL SELECT key, since FROM first
    WHERE key NOT IN (SELECT target FROM second_sense)"""
_KINDS: Final = """
    INSERT INTO name_kind
    SELECT n.key, CASE WHEN MIN(k.data) = MAX(k.data) THEN MIN(k.data) + 1 ELSE 3 END
    FROM corpus_name AS n JOIN type_kind AS k ON k.type = n.type GROUP BY n.key"""
#: The kinds of a name in papers (True is data), by their number in the table `name_kind`.
KINDS: Final[dict[int | None, frozenset[bool]]] = {
    None: frozenset(),
    1: frozenset({False}),
    2: frozenset({True}),
    3: frozenset({False, True}),
}


class Name(NamedTuple):
    """A name in the corpus: its key, its surface form and its type."""

    key: str
    name: str
    type: str


def insert_lexicon(tables: Tables, lexicon: Lexicon) -> None:
    """Store the kinds of the types and of the names of the lexicon."""
    is_data = lexicon.vocabulary.is_data
    tables.insert("type_kind", ((name, int(is_data(name))) for name in lexicon.vocabulary.types))
    tables.insert(
        "lexicon_name", ((name, int(is_data(e.type))) for name, e in lexicon.entries.items())
    )


def split_kinds(tables: Tables, lexicon: Lexicon) -> None:
    """Store the names of the corpus; one that is two entities by kind has two keys."""
    tables.execute(_USES)
    tables.insert("second_sense", _second_senses(tables, lexicon))
    for statement in (_NAMES, _SINCE, _KINDS):
        tables.execute(statement)


def assign_kinds(tables: Tables) -> None:
    """Store the papers in which a name denotes its second entity."""
    tables.execute(_SENSES_BY_KIND)


def _second_senses(tables: Tables, lexicon: Lexicon) -> Iterator[Row]:
    """Yield (key, type, key of the second entity) for each type that denotes the second entity."""
    is_data = lexicon.vocabulary.is_data
    for name_key, rows in groupby(tables.select(_MIXED), itemgetter(0)):
        found = [row[1:] for row in rows]
        if any(is_ambiguous_name(name) for *_, name in found):
            second = _second_kind(name_key, {*(row[:-1] for row in found)}, lexicon)
            yield from (
                (name_key, type_, f"{name_key}-({_SENSES[is_data(type_)]})")
                for type_ in sorted({row[0] for row in found})
                if is_data(type_) == second
            )


def _known_kind(name_key: str, lexicon: Lexicon) -> set[bool]:
    """Return the kind of a name in the lexicon (True is data), or an empty set if it is unknown."""
    entry = lexicon.entries.get(name_key)
    return {lexicon.vocabulary.is_data(entry.type)} if entry else set()


def is_ambiguous_name(name: str) -> bool:
    """Return whether two authors may choose this name: it is short, or plain words."""
    return len(name) <= _SHORT_NAME or bool(_PLAIN_WORDS.fullmatch(name))


def _second_kind(name_key: str, support: Iterable[Row], lexicon: Lexicon) -> bool | None:
    """Return the kind that is not the main one of a name, if it is a separate entity.

    The main kind is that of the lexicon, or else that of most papers. `support` holds (type, number
    of papers, whether one introduces it, earliest paper).
    """
    kinds: dict[bool, list[Row]] = defaultdict(list)
    for type_, *counts in support:
        kinds[lexicon.vocabulary.is_data(type_)].append(tuple(counts))
    known = _known_kind(name_key, lexicon)
    totals = {kind: sum(papers for papers, _, _ in rows) for kind, rows in kinds.items()}
    first = {kind: min(since for _, _, since in rows) for kind, rows in kinds.items()}
    main = min(known) if known else min(kinds, key=lambda k: (-totals[k], first[k], k))
    other = not main
    is_entity = other in kinds and (
        bool(known)
        or any(introduced for _, introduced, _ in kinds[other])
        or totals[main] < _MIN_RATIO * totals[other]
    )
    return other if is_entity else None
