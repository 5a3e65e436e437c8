"""Entities of one name but of different kinds: "the PAIR dataset" is not the method PAIR.

A kind is data (datasets and benchmarks) or anything else. A name that is data in some papers and a
method in others is two entities if the name is short or plain, because two authors may have chosen
it independently. A long coined name is one entity, with a wrong type in one of the papers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.name_tables import Row, Tables

#: The maximum length of a single word that two authors may choose for two entities.
_SHORT_NAME: Final = 5
#: How many times as many papers one kind needs for papers of the other kind to be wrong about it.
_MIN_RATIO: Final = 3
#: The sense that the key of a name gets where it is not of its main kind.
_SENSES: Final = {True: "dataset", False: "method"}
_PLAIN_WORDS: Final = re.compile(r"[^\W\d_A-Z]+(?:[\s-][^\W\d_A-Z]+)*")

_SUPPORT: Final = """
    SELECT key, type, COUNT(DISTINCT paper), MAX(introduced), MIN(since) FROM paper_name
    GROUP BY key, type ORDER BY key, type"""
_PAPERS: Final = "SELECT DISTINCT paper, key, type FROM paper_name ORDER BY paper, key, type"


class Name(NamedTuple):
    """A name in the corpus: its key, its surface form and its type."""

    key: str
    name: str
    type: str


@dataclass(frozen=True)
class Kinds:
    """The names that are two entities by kind.

    `keys` holds the key of the second entity by the key of the name and its kind (whether it is
    data).
    """

    keys: dict[tuple[str, bool], str]
    lexicon: Lexicon

    def key_of(self, name_key: str, type_: str) -> str:
        """Return the key of what a name of this type means."""
        if not self.keys:
            return name_key
        return self.keys.get((name_key, self.lexicon.vocabulary.is_data(type_)), name_key)

    def resolve(self, names: Iterable[Name]) -> list[Name]:
        """Return the names with the key of the entity that each means."""
        return [Name(self.key_of(n.key, n.type), n.name, n.type) for n in names]

    def paper_senses(self, tables: Tables) -> Iterator[Row]:
        """Yield (paper, key, key of the second entity) where a paper means that."""
        if self.keys:
            for paper, name_key, type_ in tables.select(_PAPERS):
                target = self.key_of(name_key, type_)
                if target != name_key:
                    yield paper, name_key, target


def split_kinds(tables: Tables, names: Sequence[Name], lexicon: Lexicon) -> Kinds:
    """Return the names that are one entity as data and another one as anything else."""
    by_key: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        by_key[name.key].append(name)
    is_data = lexicon.vocabulary.is_data
    mixed = {
        name_key
        for name_key, same in by_key.items()
        if len({is_data(n.type) for n in same} | _known_kind(name_key, lexicon)) > 1
        and any(may_name_two(n.name) for n in same)
    }
    keys = {
        (name_key, kind): f"{name_key}-({_SENSES[kind]})"
        for name_key, kind in _second_kinds(tables, mixed, lexicon)
    }
    return Kinds(keys, lexicon)


def _known_kind(name_key: str, lexicon: Lexicon) -> set[bool]:
    """Return whether the lexicon takes a name for data; an empty set if it does not know it."""
    entry = lexicon.entries.get(name_key)
    return {lexicon.vocabulary.is_data(entry.type)} if entry else set()


def may_name_two(name: str) -> bool:
    """Return whether two authors may choose this name: it is short, or plain words."""
    return len(name) <= _SHORT_NAME or bool(_PLAIN_WORDS.fullmatch(name))


def _second_kinds(tables: Tables, mixed: set[str], lexicon: Lexicon) -> Iterator[tuple[str, bool]]:
    """Yield each key with the kind that is not its main one, if that is an entity of its own.

    The main kind is that of the lexicon, or else that of most papers.
    """
    support: dict[str, dict[bool, list[tuple[int, int, str]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for name_key, type_, *counts in tables.select(_SUPPORT) if mixed else ():
        if name_key in mixed:
            support[name_key][lexicon.vocabulary.is_data(type_)].append(tuple(counts))
    for name_key, kinds in support.items():
        known = _known_kind(name_key, lexicon)
        totals = {kind: sum(papers for papers, _, _ in rows) for kind, rows in kinds.items()}
        first = {kind: min(since for _, _, since in rows) for kind, rows in kinds.items()}
        main = min(known) if known else min(kinds, key=lambda k: (-totals[k], first[k], k))
        other = not main
        if other in kinds and (
            known
            or any(introduced for _, introduced, _ in kinds[other])
            or totals[main] < _MIN_RATIO * totals[other]
        ):
            yield name_key, other
