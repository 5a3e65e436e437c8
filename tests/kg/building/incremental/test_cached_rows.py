"""Between builds, functions of keys are applied again only to the keys whose rows changed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from citekg.building.execution.processes import this_process
from citekg.building.incremental.cached_rows import CachedRows
from citekg.building.incremental.cached_steps import STEPS, CachedSteps
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.batches import Rows, in_this_process
from citekg.linking.name_tables import DuckDbTables, Row, SqliteTables
from citekg.storage.folders import LocalFolder

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

PIPELINE: Any = SimpleNamespace(lexicon=Lexicon.of([]))
QUERY = "SELECT key, name, type FROM corpus_name ORDER BY 1, 2, 3"
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
    """The rows of a build, the keys that were computed, and the files that were written."""

    rows: list[Row]
    asked: list[str]
    files: dict[str, bytes]


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Built]:
    """Return a function that builds the results for some names, each time with new tables."""
    numbers = iter(range(100))

    def run(names: list[Row], version: str = "", to: str = "kept") -> Built:
        folder = tmp_path / f"tables-{next(numbers)}"
        folder.mkdir()
        joining, steps = Joining(), CachedSteps(LocalFolder(tmp_path / to), version)
        with closing(DuckDbTables(folder)) as tables, this_process(PIPELINE) as runner:
            tables.insert("corpus_name", names)
            CachedRows(tables, steps, runner, PIPELINE)(joining, QUERY)
            rows = sorted(tables.select(RESULT))
        steps.forget_others()
        files = {file.name: file.read_bytes() for file in (tmp_path / to / STEPS).iterdir()}
        return Built(rows, sorted(joining.asked), files)

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
    again, fresh = build(after), build(after, to="fresh")
    assert again.asked == asked
    assert (again.rows, again.files) == (fresh.rows, fresh.files)
    assert again.rows == in_memory(after)


def test_a_key_that_was_removed_and_added_again_is_recomputed(build: Callable[..., Built]) -> None:
    first = build(NAMES)
    build(NAMES[1:])
    again = build(NAMES)
    assert again.asked == ["ant"]
    assert (again.rows, again.files) == (first.rows, first.files)


def test_another_version_recomputes_all_keys(build: Callable[..., Built]) -> None:
    build(NAMES)
    assert build(NAMES, version="other code").asked == ["ant", "bee"]
    assert build(NAMES, version="other code").asked == []


def test_results_in_several_files_are_reused_and_equal_a_fresh_build(
    build: Callable[..., Built], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citekg.building.incremental.cached_rows._FILE_ROWS", 7)
    names = [(f"ant{n:03}", f"Ant {n}", "Method") for n in range(100)]
    assert len(build(names).files) > 20
    again, fresh = build(names[3:]), build(names[3:], to="fresh")
    assert again.asked == []
    assert (again.rows, again.files) == (fresh.rows, fresh.files)


@pytest.mark.parametrize("rest", [0, 10, None])
def test_if_a_file_is_damaged_or_missing_all_keys_are_recomputed(
    build: Callable[..., Built], tmp_path: Path, rest: int | None
) -> None:
    whole = build(NAMES)
    for name, data in whole.files.items():
        file = tmp_path / "kept" / STEPS / name
        if rest is None:
            file.unlink()
        else:
            file.write_bytes(data[:rest])
        again = build(NAMES)
        assert again.asked == ["ant", "bee"]
        assert (again.rows, again.files) == (whole.rows, whole.files)
