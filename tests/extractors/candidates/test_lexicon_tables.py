"""The shipped tables: every row is valid, and rows of different files do not conflict."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pytest

import citekg.extractors
from citekg.extractors.candidates.lexicon import Entry, read_table
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.schemas.names import key, parse
from citekg.schemas.vocabulary import BENCHMARK, DATASET, TYPES

TABLES = sorted((Path(citekg.extractors.__file__).parent / "lexicons").glob("*.tsv"))
DATA = (BENCHMARK, DATASET)
#: Names with a sign that papers often omit; without the sign they are no other entity.
OPTIONAL_SIGN = {"ReST-MCTS*", "PASCAL3D+", "EGTEA Gaze+"}
_FLAGS = re.compile(
    r"(?:(?:umbrella|setting|exact|sense=[\w-]+)(?:[ ,;]+|$))*(?:context=[^\t]*[^\t|\s][^\t]*)?"
)


def _without_signs(name: str) -> str:
    return parse(name).key.removesuffix(parse(name).decoration)


def entries() -> dict[str, list[Entry]]:
    """Return the rows of all tables by their keys."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for table in TABLES:
        for entry in read_table(table):
            found[entry.key].append(entry)
    return found


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
def test_every_row_of_a_table_is_valid(table: Path) -> None:
    rows = list(read_table(table))
    assert rows
    for row in rows:
        assert row.key, row
        assert row.type in TYPES
        assert [s.strip() for s in (row.name, row.family, *row.aliases)] == [
            row.name,
            row.family,
            *row.aliases,
        ]
        assert row.name not in {*row.aliases} - row.doubtful, row


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
def test_every_flag_is_valid(table: Path) -> None:
    cells = [line.split("\t")[4] for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    assert [c for c in cells if not _FLAGS.fullmatch(c)] == []


def test_a_row_with_a_doubtful_alias_has_a_context() -> None:
    rows = [row for found in entries().values() for row in found]
    assert [row.name for row in rows if row.doubtful and not row.context] == []


def test_every_family_has_a_row_and_families_have_no_cycles() -> None:
    known = shipped_lexicon().entries
    for entry in known.values():
        line = [entry.key]
        while known[line[-1]].family:
            parent = key(known[line[-1]].family)
            assert parent in known, f"{line[-1]}: no row for the family {parent}"
            assert parent not in line, f"a circle of families: {[*line, parent]}"
            line.append(parent)


def test_a_name_has_one_type_unless_contexts_distinguish_its_senses() -> None:
    """Chameleon is a model, a set of graphs and a set of images; the context selects one."""
    conflicts = []
    for name, found in entries().items():
        for one, other in combinations(found, 2):
            is_distinguished = (one.context or other.context) and not set(one.context) & set(
                other.context
            )
            if one.type != other.type and (not is_distinguished or one.doubtful or other.doubtful):
                conflicts.append((name, one.type, other.type))
    assert conflicts == []


def test_no_two_rows_of_one_kind_are_aliases_of_each_other() -> None:
    rows = entries()
    duplicates = [
        (one.name, other.name)
        for found in rows.values()
        for one in found
        for other in (row for alias in one.aliases for row in rows.get(key(alias), ()))
        if other.key != one.key
        and one.key in map(key, other.aliases)
        and (one.type in DATA) == (other.type in DATA)
    ]
    assert duplicates == []


def test_the_names_of_a_row_do_not_differ_only_in_a_sign() -> None:
    """HumanEval+ is not HumanEval; names whose sign papers often omit are exempt."""
    mixed = []
    for entry in shipped_lexicon().rows:
        for one, other in combinations((entry.name, *entry.aliases), 2):
            if parse(one) != parse(other) and _without_signs(one) == _without_signs(other):
                mixed.append((entry.name, one, other))
    assert [row for row in mixed if row[0] not in OPTIONAL_SIGN] == []


def test_the_lexicon_has_at_least_four_thousand_names_and_every_type() -> None:
    known = shipped_lexicon().entries.values()
    assert len(known) >= 4_000
    assert {e.type for e in known} == set(TYPES)


@pytest.mark.parametrize(
    ("surface", "type_"),
    [
        ("GRPO", "Method"),
        ("Proximal Policy Optimization", "Method"),
        ("D4RL", "Benchmark"),
        ("GSM8K", "Benchmark"),
        ("Qwen2.5", "Model"),
        ("GPT-4", "Model"),
        ("UltraFeedback", "Dataset"),
        ("C4", "Dataset"),
    ],
)
def test_well_known_names_are_in_the_lexicon(surface: str, type_: str) -> None:
    text = (
        f"We test {surface} with web text pre-training of language models"
        " by reinforcement learning."
    )
    hits = [h for h in shipped_lexicon().find(text) if text[h.start : h.end] == surface]
    assert [h.entry.type for h in hits] == [type_]


def test_an_alias_without_a_context_is_not_the_name_of_another_row() -> None:
    """One entity has one row: a separate row for its acronym would be a second entity."""
    rows = [row for found in entries().values() for row in found if not row.sense]
    names = {(row.name, row.type): row.key for row in rows if not row.context}
    shared = [
        (row.name, alias)
        for row in rows
        for alias in {*row.aliases} - row.doubtful
        if not row.context and names.get((alias, row.type), row.key) != row.key
    ]
    assert shared == []
