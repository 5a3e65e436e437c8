"""Real names side by side: which two spellings are one entity, and which are two entities however alike."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from citekg.extractors.candidates.lexicon import shipped_lexicon
from citekg.extractors.markup import clean
from citekg.linking.known_names import entry_of
from citekg.schemas.names import key


def groups(table: str, sign: str) -> list[list[str]]:
    """The names on each line of a table beside this module."""
    lines = (Path(__file__).parent / f"{table}.txt").read_text(encoding="utf-8").splitlines()
    return [[name.strip() for name in line.split(sign)] for line in lines]


def pairs(groups: list[list[str]]) -> list[tuple[str, str]]:
    """The first name of each group with every other."""
    return [(names[0], other) for names in groups for other in names[1:]]


SAME_PAIRS = pairs(groups("same_by_spelling", " = "))
KNOWN_PAIRS = pairs(groups("same_by_lexicon", " = "))
APART_PAIRS = pairs(groups("two_entities", " | "))
#: Families of real names: in each, every name is another entity.
DIFFERENT = groups("different_names", " | ")


def entity(surface: str) -> str:
    """What a surface names without its markup, as far as spelling and lexicon tell."""
    name = clean(surface).text
    entry = entry_of(name, shipped_lexicon())
    return entry.key if entry else key(name)


def test_the_table_has_enough_rows() -> None:
    assert len(SAME_PAIRS) + len(KNOWN_PAIRS) >= 110
    assert len(APART_PAIRS) >= 110
    assert len({*SAME_PAIRS, *KNOWN_PAIRS, *APART_PAIRS}) == len(SAME_PAIRS) + len(
        KNOWN_PAIRS
    ) + len(APART_PAIRS)


def test_spellings_of_one_name_have_one_key() -> None:
    assert [pair for pair in SAME_PAIRS if len({*map(key, pair)}) > 1] == []
    assert [pair for pair in SAME_PAIRS if len({*map(entity, pair)}) > 1] == []


def test_names_of_one_entity_lead_to_one_row_of_the_lexicon() -> None:
    assert [pair for pair in KNOWN_PAIRS if len({*map(entity, pair)}) > 1] == []


def test_names_of_two_entities_differ_in_spelling_and_lexicon() -> None:
    assert [pair for pair in APART_PAIRS if len({*map(key, pair)}) == 1] == []
    assert [pair for pair in APART_PAIRS if len({*map(entity, pair)}) == 1] == []


def test_no_two_names_of_a_family_fall_into_one() -> None:
    assert len(DIFFERENT) > 100
    assert [found for names in DIFFERENT if (found := _confused(names))] == []


def _confused(names: list[str]) -> list[list[str]]:
    """The names that the lexicon takes for one entity, or that have one key but differ in more than case."""
    by_entity, by_key = defaultdict(list), defaultdict(list)
    for name in names:
        by_entity[entity(name)].append(name)
        by_key[key(name)].append(name)
    one_key = [same for same in by_key.values() if len({n.casefold() for n in same}) > 1]
    return [*(same for same in by_entity.values() if len(same) > 1), *one_key]
