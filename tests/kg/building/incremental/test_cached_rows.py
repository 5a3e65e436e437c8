"""Between builds, functions of keys are applied again only to the keys whose rows changed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from citekg.building.execution.processes import this_process
from citekg.building.incremental.cached_rows import CachedRows
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.batches import Rows, in_this_process
from citekg.linking.duckdb_tables import STORED, DuckDbTables
from citekg.linking.name_tables import Row, SqliteTables
from citekg.schemas.errors import FolderError

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

PIPELINE: Any = SimpleNamespace(lexicon=Lexicon.of([]))
#: The sizes of the headers of a database file, and of a block.
HEADERS, BLOCK = 3 * 4096, 1 << 18
QUERY = "SELECT key, name, type FROM corpus_name"
RESULT = "SELECT * FROM head_variant"
NAMES = [("ant", "Ant", "Method"), ("bee", "Bee", "Method"), ("bee", "BEE", "Model")]


@dataclass
class Joining:
    """Joins the names of a key and records the keys for which it was called."""

    asked: list[str] = field(default_factory=list)
    __name__ = "joining"

    def __call__(self, _lexicon: Lexicon, rows: list[Row]) -> Rows:
        key = rows[0][0]
        self.asked.append(key)
        joined = " ".join(f"{name}:{type_}" for _, name, type_ in rows)
        nodes = [(1, key)] if key == "ant" else []
        return {"node": nodes, "head_variant": [(key, joined, len(rows))]}


@dataclass(frozen=True)
class Built:
    """The rows of a build, the keys that were computed, and the stored rows by table."""

    rows: list[Row]
    asked: list[str]
    stored: dict[str, list[Row]]


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Built]:
    """Return a function that builds the results for some names, each time with new tables."""
    numbers = iter(range(100))

    def run(names: list[Row], file: str = "stored.duckdb", calls: int = 1) -> Built:
        folder = tmp_path / f"tables-{next(numbers)}"
        folder.mkdir()
        joining = Joining()
        stored = tmp_path / file
        with closing(DuckDbTables(folder, stored)) as tables, this_process(PIPELINE) as runner:
            tables.insert("corpus_name", names)
            per_key = CachedRows(tables, runner, PIPELINE)
            for _ in range(calls):
                per_key(joining, QUERY)
            per_key.remove_others()
            rows = sorted(tables.select(RESULT))
            results = {
                f"{schema}.{table}": sorted(
                    tables.select(f"SELECT * FROM {STORED}.{schema}.{table}")
                )
                for schema in tables.stored_schemas()
                for table in tables.stored_in(schema)
            }
        return Built(rows, sorted(joining.asked), results)

    return run


def in_memory(names: list[Row]) -> list[Row]:
    with closing(SqliteTables()) as tables:
        tables.insert("corpus_name", names)
        in_this_process(tables, PIPELINE.lexicon)(Joining(), QUERY)
        return sorted(tables.select(RESULT))


@pytest.mark.parametrize(
    ("after", "asked"),
    [
        pytest.param(NAMES, [], id="nothing changed"),
        pytest.param([*NAMES[::-1]], [], id="another order"),
        pytest.param([*NAMES, ("cat", "Cat", "Model")], ["cat"], id="a new key"),
        pytest.param([*NAMES, ("ant", "ANT", "Model")], ["ant"], id="a new row of a key"),
        pytest.param(NAMES[:2], ["bee"], id="a row of a key is gone"),
        pytest.param(NAMES[1:], [], id="a key is gone"),
        pytest.param([("ant", "Ant", None), *NAMES[1:]], ["ant"], id="an empty cell"),
        pytest.param([("ant", "Ant", "null"), *NAMES[1:]], ["ant"], id="a text like an empty cell"),
        pytest.param([("ant", 'Ant","Method', ""), *NAMES[1:]], ["ant"], id="separators in a cell"),
        pytest.param([], [], id="all keys are gone"),
    ],
)
def test_only_changed_keys_are_recomputed_and_the_result_equals_a_fresh_build(
    build: Callable[..., Built], after: list[Row], asked: list[str]
) -> None:
    assert build(NAMES).asked == ["ant", "bee"]
    again, fresh = build(after), build(after, "fresh.duckdb")
    assert again.asked == asked
    assert again.rows == fresh.rows
    assert {name: rows for name, rows in again.stored.items() if rows} == {
        name: rows for name, rows in fresh.stored.items() if rows
    }
    assert again.rows == in_memory(after)


def test_a_key_that_was_removed_and_added_again_is_recomputed(build: Callable[..., Built]) -> None:
    first = build(NAMES)
    build(NAMES[1:])
    again = build(NAMES)
    assert again.asked == ["ant"]
    assert (again.rows, again.stored) == (first.rows, first.stored)


def test_each_call_has_its_own_results_and_those_of_missing_calls_are_removed(
    build: Callable[..., Built],
) -> None:
    twice = build(NAMES, calls=2)
    assert {name.partition(".")[0] for name in twice.stored} == {"joining_1", "joining_2"}
    once = build(NAMES)
    assert once.asked == []
    assert {name.partition(".")[0] for name in once.stored} == {"joining_1"}
    assert build(NAMES, calls=2).asked == ["ant", "bee"]


@pytest.mark.parametrize("rest", [0, 10, 5000, None])
def test_if_the_file_is_truncated_or_missing_all_keys_are_recomputed(
    build: Callable[..., Built], tmp_path: Path, rest: int | None
) -> None:
    whole = build(NAMES)
    file = tmp_path / "stored.duckdb"
    if rest is None:
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:rest])
    again = build(NAMES)
    assert again.asked == ["ant", "bee"]
    assert (again.rows, again.stored) == (whole.rows, whole.stored)


def test_a_damaged_block_of_the_file_gives_the_same_result_or_an_error_that_says_to_delete_it(
    build: Callable[..., Built], tmp_path: Path
) -> None:
    names = [(f"ant{n:05}", f"Ant {n}", "Method") for n in range(20_000)]
    whole = build(names)
    file = tmp_path / "stored.duckdb"
    data, errors = file.read_bytes(), list[str]()
    for place in range(HEADERS, len(data), BLOCK):
        damaged = bytearray(data)
        damaged[place + 100] ^= 255
        file.write_bytes(damaged)
        try:
            assert build(names).rows == whole.rows
        except FolderError as error:
            errors.append(str(error))
    assert errors
    assert all(re.search(r"stored\.duckdb: cannot be used; .* delete it", e) for e in errors)


def test_a_closed_file_can_be_opened_again_while_an_unfinished_query_is_referenced(
    tmp_path: Path,
) -> None:
    for _ in range(2):
        tables = DuckDbTables(tmp_path, tmp_path / "stored.duckdb")
        tables.insert("listed_name", [(0, str(n), "p") for n in range(200_000)])
        rows = tables.select("SELECT name FROM listed_name")
        sorted_rows = tables.select("SELECT name FROM listed_name ORDER BY name")
        assert next(rows)
        assert next(sorted_rows) == ("0",)
        tables.close()


def test_two_processes_cannot_use_one_file(build: Callable[..., Built], tmp_path: Path) -> None:
    build(NAMES)
    code = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "stored.duckdb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with other:
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(FolderError, match="lock"):
            build(NAMES)
        other.communicate(b"\n")
    assert build(NAMES).asked == []
