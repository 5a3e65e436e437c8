"""Pairs of real names: spellings of one entity, and similar names of two entities."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.markup import clean
from citekg.linking.known_names import entry_of
from citekg.schemas.names import key


def groups(table: str, sign: str) -> list[list[str]]:
    """Return the names on each line of a table in the folder of this module."""
    lines = (Path(__file__).parent / f"{table}.txt").read_text(encoding="utf-8").splitlines()
    return [[name.strip() for name in line.split(sign)] for line in lines]


def pairs(groups: list[list[str]]) -> list[tuple[str, str]]:
    """Return pairs of the first name of each group and every other name of the group."""
    return [(names[0], other) for names in groups for other in names[1:]]


SAME_PAIRS = pairs(groups("same_by_spelling", " = "))
KNOWN_PAIRS = pairs(groups("same_by_lexicon", " = "))
DIFFERENT_PAIRS = pairs(groups("two_entities", " | "))
#: Families of real names: every name of a family is a different entity.
DIFFERENT = groups("different_names", " | ")


def entity(surface: str) -> str:
    """Return the key of the lexicon entry of a surface form, or else the key of the name."""
    name = clean(surface).text
    entry = entry_of(name, shipped_lexicon())
    return entry.key if entry else key(name)


def test_the_tables_of_pairs_have_a_minimum_size_and_no_duplicates() -> None:
    assert len(SAME_PAIRS) + len(KNOWN_PAIRS) >= 110
    assert len(DIFFERENT_PAIRS) >= 110
    assert len({*SAME_PAIRS, *KNOWN_PAIRS, *DIFFERENT_PAIRS}) == len(SAME_PAIRS) + len(
        KNOWN_PAIRS
    ) + len(DIFFERENT_PAIRS)


def test_spellings_of_one_name_have_one_key() -> None:
    assert [pair for pair in SAME_PAIRS if len({*map(key, pair)}) > 1] == []
    assert [pair for pair in SAME_PAIRS if len({*map(entity, pair)}) > 1] == []


def test_names_of_one_entity_have_one_lexicon_entry() -> None:
    assert [pair for pair in KNOWN_PAIRS if len({*map(entity, pair)}) > 1] == []


def test_names_of_two_entities_have_different_keys_and_lexicon_entries() -> None:
    assert [pair for pair in DIFFERENT_PAIRS if len({*map(key, pair)}) == 1] == []
    assert [pair for pair in DIFFERENT_PAIRS if len({*map(entity, pair)}) == 1] == []


def test_different_names_of_a_family_are_different_entities() -> None:
    assert len(DIFFERENT) > 100
    assert [found for names in DIFFERENT if (found := _confused(names))] == []


def _confused(names: list[str]) -> list[list[str]]:
    """Return names that are one entity, or that have one key but differ in more than case."""
    by_entity, by_key = defaultdict(list), defaultdict(list)
    for name in names:
        by_entity[entity(name)].append(name)
        by_key[key(name)].append(name)
    one_key = [same for same in by_key.values() if len({n.casefold() for n in same}) > 1]
    return [*(same for same in by_entity.values() if len(same) > 1), *one_key]
