"""An incremental build writes the bytes of a fresh build and repeats only changed steps."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from citekg.building.execution.processes import (
    Engine,
    Runner,
    this_process,
    worker_processes,
)
from citekg.building.incremental.cached_steps import STEPS, CachedSteps, Task
from citekg.building.out_of_core.build import build_partitions
from citekg.building.out_of_core.paper_shards import shards_of
from citekg.building.out_of_core.target import PartitionTarget
from citekg.cli.main import main
from citekg.linking.batches import KeyFunction, Rows, by_key, name_of
from citekg.linking.duckdb_tables import DuckDbTables, digest_of
from citekg.linking.name_tables import Row
from citekg.schemas.errors import FolderError
from citekg.schemas.names import key
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Extraction, Paper, PaperEntity
from citekg.storage.folders import LocalFolder
from tests.kg.building.out_of_core.cached_extractions import (
    LISTED,
    PIPELINE,
    CachedExtractions,
    files,
    many_papers,
)
from tests.kg.extractions import RUN, make_extraction, named

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

#: Copies a fresh build to a folder.
Copied = Callable[[Path, list[Extraction]], Counter[str]]

PAPERS = many_papers(70)
FIRST_PAPERS = PAPERS[:64]


@dataclass
class CountingEngine:
    """An engine that counts the tasks of each function, and runs them in another one."""

    engine: Engine = this_process
    tasks: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def __call__(self, pipeline: Any) -> Iterator[Runner]:
        with self.engine(pipeline) as runner:
            yield partial(self._run, runner)

    def _run(
        self, runner: Runner, function: Callable[[Any, Any], Any], tasks: Iterable[Any]
    ) -> Iterator[Any]:
        name = getattr(function, "function", function).__name__

        def counted() -> Iterator[Any]:
            for task in tasks:
                self.tasks[name] += 1
                yield task

        return runner(function, counted())


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citekg.building.out_of_core.paper_shards.SHARD_SIZE", 10)


def build(
    out: Path,
    extractions: list[Extraction],
    options: ExportOptions = ExportOptions(),  # noqa: B008  # frozen
    version: str = "",
    folder: LocalFolder | None = None,
    engine: Engine = this_process,
) -> Counter[str]:
    """Build the parts and return the number of tasks that were run, by function."""
    counting = CountingEngine(engine)
    kept: Any = CachedExtractions(out.parent / f"{out.name}-readings", extractions)
    target = PartitionTarget(folder or LocalFolder(out), ("nt", "parquet"), options)
    papers = [one.paper for one in extractions]
    steps = CachedSteps(target.folder, version)
    with counting(PIPELINE) as runner:
        shards = shards_of(papers)
        build_partitions(shards, PIPELINE, kept, RUN, target, runner, LISTED, steps)
    return counting.tasks


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """A function that copies a fresh build of papers to a folder, and returns its tasks.

    Each is built once.
    """
    made: dict[tuple[Extraction, ...], tuple[Path, Counter[str]]] = {}

    def copy(out: Path, papers: list[Extraction]) -> Counter[str]:
        if tuple(papers) not in made:
            folder = tmp_path_factory.mktemp("fresh") / "out"
            made[tuple(papers)] = folder, build(folder, papers)
        folder, tasks = made[tuple(papers)]
        shutil.copytree(folder, out)
        return tasks

    return copy


def with_use(
    extraction: Extraction, name: str, *others: str, type_: str = "Method", introduces: bool = False
) -> Extraction:
    """Return a paper that also names an entity, unless it names it already."""
    if key(name) in {entity.key for entity in extraction.entities}:
        return extraction
    text = " and ".join((name, *others))
    paper = replace(extraction.paper, abstract=f"{extraction.paper.abstract}\n{text}")
    with_role = partial(named, introduces=0.9) if introduces else partial(named, uses=0.9)
    used = with_role(paper.text, name, *others, type_=type_)
    return replace(extraction, paper=paper, entities=(*extraction.entities, used))


def listed(extraction: Extraction) -> Extraction:
    """Return the paper with a title on the list of introductions."""
    titled = replace(extraction.paper, title=LISTED[key("PPO")].title)
    return make_extraction(
        titled,
        *(
            named(titled.text, *one.surfaces, type_=one.type, uses=0.7)
            for one in extraction.entities
        ),
    )


def dated(extraction: Extraction, date: str) -> Extraction:
    return replace(extraction, paper=replace(extraction.paper, date=date))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(FIRST_PAPERS, PAPERS, id="papers with later ids"),
        pytest.param(PAPERS[10:], PAPERS, id="papers with earlier ids"),
        pytest.param([p for n, p in enumerate(PAPERS) if n % 9], PAPERS, id="papers in between"),
        pytest.param(PAPERS, [p for n, p in enumerate(PAPERS) if n % 9], id="papers removed"),
        pytest.param(PAPERS, PAPERS[:1], id="nearly all papers removed"),
        pytest.param(PAPERS, [dated(PAPERS[0], "1999"), *PAPERS[1:]], id="another date"),
        pytest.param(PAPERS, PAPERS, id="nothing"),
    ],
)
def test_after_a_change_of_papers_the_files_equal_those_of_a_fresh_build(
    tmp_path: Path, before: list[Extraction], after: list[Extraction], copied: Copied
) -> None:
    copied(tmp_path / "again", before)
    build(tmp_path / "again", after)
    copied(tmp_path / "fresh", after)
    assert files(tmp_path / "again") == files(tmp_path / "fresh")


def test_after_a_change_of_options_or_version_the_files_equal_those_of_a_fresh_build(
    tmp_path: Path, copied: Copied
) -> None:
    aligned = ExportOptions(align=True)
    copied(tmp_path / "again", FIRST_PAPERS)
    build(tmp_path / "again", FIRST_PAPERS, aligned)
    build(tmp_path / "fresh", FIRST_PAPERS, aligned)
    assert files(tmp_path / "again") == files(tmp_path / "fresh")
    again = build(tmp_path / "again", FIRST_PAPERS, aligned, version="other code")
    fresh = build(tmp_path / "other", FIRST_PAPERS, aligned, version="other code")
    assert again == fresh
    assert files(tmp_path / "again") == files(tmp_path / "other")


def test_another_version_has_another_database_and_removes_that_of_the_first(
    tmp_path: Path, linked: Counter[str]
) -> None:
    build(tmp_path / "out", FIRST_PAPERS)
    (first,) = tmp_path.rglob("*.duckdb")
    all_keys = Counter(linked)
    for expected in (all_keys, Counter[str]()):
        linked.clear()
        build(tmp_path / "out", FIRST_PAPERS, version="other code")
        (other,) = tmp_path.rglob("*.duckdb")
        assert other != first
        assert linked == expected


def test_only_shards_affected_by_new_papers_are_rebuilt(tmp_path: Path, copied: Copied) -> None:
    first = copied(tmp_path / "out", FIRST_PAPERS)
    assert first["write_links"] == first["write_shard"] == first["name_tables"] > 9
    unchanged = build(tmp_path / "out", FIRST_PAPERS)
    assert not unchanged.keys() & {"write_links", "write_shard", "name_tables"}
    added = build(tmp_path / "out", PAPERS[:65])
    assert added["name_tables"] <= 2
    assert added["name_tables"] <= added["write_shard"] <= added["write_links"]
    assert added["write_links"] < first["write_links"]


def test_a_new_first_paper_does_not_rebuild_all_shards(tmp_path: Path) -> None:
    first = build(tmp_path / "out", FIRST_PAPERS[1:])
    alone = make_extraction(Paper("p000", "A paper", "nothing", "2001"))
    again = build(tmp_path / "out", [alone, *FIRST_PAPERS[1:]])
    assert again["write_links"] == again["write_shard"] == again["name_tables"]
    assert again["write_shard"] < first["write_shard"]


def test_a_new_introducer_changes_only_the_links_of_papers_that_use_its_entity(
    tmp_path: Path,
) -> None:
    """The tests above would also pass if a shard depended only on its own papers."""
    paper = Paper("p9999", "A paper", "PQR is new. It is PQR.", "2001")
    introducer = make_extraction(paper, named(paper.text, "PQR", type_="Method", introduces=0.9))
    users = [with_use(one, "PQR") if n % 25 == 0 else one for n, one in enumerate(FIRST_PAPERS)]
    build(tmp_path / "again", users)
    tasks = build(tmp_path / "again", [*users, introducer])
    build(tmp_path / "fresh", [*users, introducer])
    assert files(tmp_path / "again") == files(tmp_path / "fresh")
    assert tasks["write_shard"] == tasks["name_tables"] == 1
    assert tasks["write_links"] > 2


@pytest.mark.parametrize(
    ("name", "new_name", "with_role"),
    [
        pytest.param("PQR", "PQR", partial(named, introduces=0.9), id="a later introducer"),
        pytest.param("Slow Kite", "slow kite", partial(named, uses=0.9), id="plain words"),
    ],
)
def test_a_paper_to_which_no_paper_links_rebuilds_only_one_shard(
    tmp_path: Path, name: str, new_name: str, with_role: Callable[..., PaperEntity]
) -> None:
    paper = Paper("p9999", "A paper", f"Here is {new_name}.", "2999")
    new = make_extraction(paper, with_role(paper.text, new_name))
    users = [with_use(one, name) if n % 25 == 0 else one for n, one in enumerate(FIRST_PAPERS)]
    build(tmp_path / "again", users)
    tasks = build(tmp_path / "again", [*users, new])
    build(tmp_path / "fresh", [*users, new])
    assert files(tmp_path / "again") == files(tmp_path / "fresh")
    assert tasks["write_links"] == tasks["write_shard"] == tasks["name_tables"] == 1


@pytest.mark.parametrize(
    ("name", "other"), [("Gull-Search", "GullSearch"), ("Gull-Search", "Gull-Searches")]
)
def test_an_earlier_spelling_of_a_name_in_another_shard_names_its_entity(
    tmp_path: Path, name: str, other: str
) -> None:
    """The shard with the later spelling does not change, but its entity has another key."""
    earlier = Paper("p0000a", "A paper", f"Here is {other}.", "1990")
    new = make_extraction(earlier, named(earlier.text, other, uses=0.9))
    users = [with_use(one, name) if n in (40, 60) else one for n, one in enumerate(FIRST_PAPERS)]
    build(tmp_path / "again", users)
    before = files(tmp_path / "again")
    build(tmp_path / "again", [users[0], new, *users[1:]])
    build(tmp_path / "fresh", [users[0], new, *users[1:]])
    assert files(tmp_path / "again") == files(tmp_path / "fresh")
    build(tmp_path / "again", users)
    assert files(tmp_path / "again") == before


def test_another_paper_on_the_list_introduces_its_entity(tmp_path: Path) -> None:
    """Of two papers with the title on the list, the first one by id introduces the entity."""
    first, second = (
        listed(with_use(replace(PAPERS[n], paper=replace(PAPERS[n].paper, id=paper)), "PPO"))
        for n, paper in ((1, "p0000a"), (2, "p9999"))
    )
    build(tmp_path / "again", [*FIRST_PAPERS, second])
    build(tmp_path / "again", [FIRST_PAPERS[0], first, *FIRST_PAPERS[1:], second])
    build(tmp_path / "fresh", [FIRST_PAPERS[0], first, *FIRST_PAPERS[1:], second])
    assert files(tmp_path / "again") == files(tmp_path / "fresh")


def test_a_second_introducer_of_an_unused_name_rebuilds_only_one_shard(tmp_path: Path) -> None:
    first, second = (
        make_extraction(paper, named(paper.text, "PQR", type_="Method", introduces=0.9))
        for paper in (
            Paper("p0000a", "A paper", "PQR is new.", "2001"),
            Paper("p9999", "Another paper", "PQR is new.", "2001"),
        )
    )
    build(tmp_path / "again", [FIRST_PAPERS[0], first, *FIRST_PAPERS[1:]])
    tasks = build(tmp_path / "again", [FIRST_PAPERS[0], first, *FIRST_PAPERS[1:], second])
    assert tasks["write_links"] == tasks["write_shard"] == tasks["name_tables"] == 1


def without_first_name(extraction: Extraction) -> Extraction:
    paper = replace(extraction.paper, abstract=f"{extraction.paper.abstract}\nIt is a kite.")
    return replace(extraction, paper=paper, entities=extraction.entities[1:])


def random_changes(extractions: list[Extraction], rng: random.Random) -> list[Extraction]:
    """Return a random part of the papers, some with another date, one more name or one fewer."""
    changes: list[Callable[[Extraction], Extraction]] = [
        lambda one: dated(one, f"{rng.randrange(1990, 2030)}"),
        lambda one: with_use(one, f"Kite-Net {rng.randrange(50)}"),
        lambda one: with_use(one, f"New{rng.randrange(9)} Search"),
        lambda one: with_use(one, "Heron", type_=rng.choice(["Method", "Dataset", "Model"])),
        lambda one: with_use(one, "Gull", type_=rng.choice(["Method", "Dataset"])),
        lambda one: with_use(one, f"GK{rng.choice('OS')}", introduces=True),
        lambda one: with_use(one, f"Calm Kite Search {rng.randrange(9)}", "CKS", introduces=True),
        lambda one: with_use(one, f"CKS{rng.randrange(3) or ''}"),
        lambda one: with_use(one, "Egret", type_="Model"),
        listed,
        without_first_name,
    ]
    some = [one for one in extractions if rng.random() < 0.9]
    return [rng.choice(changes)(one) if rng.random() < 0.1 else one for one in some]


@pytest.mark.parametrize("seed", range(3))
def test_after_random_changes_the_files_equal_those_of_a_fresh_build(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        papers = random_changes(PAPERS, rng)
        build(tmp_path / "again", papers)
    build(tmp_path / "fresh", papers)
    assert files(tmp_path / "again") == files(tmp_path / "fresh")


def stopping_after(statements: int) -> Callable[[DuckDbTables], Any]:
    """Return a method of the tables that fails after so many transactions."""
    transaction, begun = DuckDbTables._transaction, iter(range(statements))

    def stopping(tables: DuckDbTables) -> Any:
        if next(begun, None) is None:
            raise FolderError("stopped")
        return transaction(tables)

    return stopping


@pytest.mark.parametrize("seed", range(3))
def test_after_stopped_builds_of_other_papers_the_files_equal_those_of_a_fresh_build(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    build(tmp_path / "again", random_changes(PAPERS, rng))
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(DuckDbTables, "_transaction", stopping_after(rng.randrange(10, 200)))
            with pytest.raises(FolderError, match="stopped"):
                build(tmp_path / "again", random_changes(PAPERS, rng))
        papers = random_changes(PAPERS, rng)
        build(tmp_path / "again", papers)
    build(tmp_path / "fresh", papers)
    assert files(tmp_path / "again") == files(tmp_path / "fresh")


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return a counter of the keys that are processed, by function."""
    linked: Counter[str] = Counter()

    def counted(function: KeyFunction, lexicon: Any, batch: list[Row]) -> Rows:
        linked[name_of(function)] += len({row[0] for row in batch})
        return by_key(function, lexicon, batch)

    monkeypatch.setattr("citekg.building.incremental.cached_rows.by_key", counted)
    return linked


def test_a_new_paper_on_the_list_of_introductions_affects_only_its_entity(
    tmp_path: Path, linked: Counter[str]
) -> None:
    paper = Paper("p9999", LISTED[key("PPO")].title, "We use PPO.", "2017")
    new = make_extraction(paper, named(paper.text, "PPO", uses=0.7))
    build(tmp_path / "again", FIRST_PAPERS)
    linked.clear()
    tasks = build(tmp_path / "again", [*FIRST_PAPERS, new])
    assert linked["introductions_of"] == 1
    assert tasks["write_shard"] == tasks["name_tables"] == 1
    assert tasks["write_links"] > 2
    build(tmp_path / "fresh", [*FIRST_PAPERS, new])
    assert files(tmp_path / "again") == files(tmp_path / "fresh")


def test_only_names_and_entities_affected_by_new_papers_are_linked_again(
    tmp_path: Path, linked: Counter[str]
) -> None:
    build(tmp_path / "out", FIRST_PAPERS)
    functions = {"name_groups", "same_long_forms", "expanded_forms", "make_entity", "guess_family",
             "make_family", "link_data_of", "introductions_of"}  # fmt: skip
    assert linked.keys() == functions
    first = Counter(linked)
    linked.clear()
    build(tmp_path / "out", FIRST_PAPERS)
    assert not linked
    build(tmp_path / "out", PAPERS[:65])
    assert linked["make_entity"] == linked["link_data_of"] == len(PAPERS[64].entities)
    assert linked["same_long_forms"] == 1 < first["same_long_forms"]
    assert all(linked[name] < first[name] / 4 for name in functions - {"same_long_forms"})


@pytest.mark.parametrize("statements", [1, 9, 40, 120])
def test_a_build_that_stopped_while_it_changed_the_database_is_continued(
    tmp_path: Path, statements: int, copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(tmp_path / "fresh", PAPERS)
    copied(tmp_path / "again", FIRST_PAPERS)
    with monkeypatch.context() as patch:
        patch.setattr(DuckDbTables, "_transaction", stopping_after(statements))
        with pytest.raises(FolderError, match="stopped"):
            build(tmp_path / "again", PAPERS)
    build(tmp_path / "again", PAPERS)
    assert files(tmp_path / "again") == files(tmp_path / "fresh")


@pytest.mark.parametrize("writes", [0, 3, 8, 14])
def test_a_build_after_a_stopped_build_writes_the_bytes_of_a_fresh_build(
    tmp_path: Path, writes: int, copied: Copied
) -> None:
    @dataclass(frozen=True)
    class Stopping(LocalFolder):
        written: list[str] = field(default_factory=list)

        def write(self, name: str, data: bytes) -> None:
            if len(self.written) == writes:
                raise FolderError(name)
            self.written.append(name)
            super().write(name, data)

    copied(tmp_path / "fresh", PAPERS)
    copied(tmp_path / "again", FIRST_PAPERS)
    with pytest.raises(FolderError):
        build(tmp_path / "again", PAPERS, folder=Stopping(tmp_path / "again"))
    assert not [name for name in files(tmp_path / "again") if name.endswith("files.json")]
    build(tmp_path / "again", PAPERS)
    assert files(tmp_path / "again") == files(tmp_path / "fresh")


@pytest.mark.parametrize("subfolder", [STEPS, "graph.nt", "graph.parquet"])
@pytest.mark.parametrize("rest", [0, 30, None])
def test_truncated_and_missing_files_are_rebuilt(
    tmp_path: Path, subfolder: str, rest: int | None, copied: Copied
) -> None:
    copied(tmp_path / "out", FIRST_PAPERS)
    whole = files(tmp_path / "out")
    damaged = [name for name in whole if name.startswith(subfolder)][::2]
    assert damaged
    for name in damaged:
        if rest is None:
            (tmp_path / "out" / name).unlink()
        else:
            (tmp_path / "out" / name).write_bytes(whole[name][:rest])
    build(tmp_path / "out", FIRST_PAPERS)
    assert files(tmp_path / "out") == whole


def test_parts_that_did_not_change_since_the_last_build_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    class Recording(LocalFolder):
        def read(self, name: str) -> bytes:
            names.append(name)
            return super().read(name)

    def parts_read() -> set[str]:
        names.clear()
        build(tmp_path / "out", FIRST_PAPERS, folder=Recording(tmp_path / "out"))
        return {name for name in names if name.startswith("graph.")}

    build(tmp_path / "out", FIRST_PAPERS)
    whole = files(tmp_path / "out")
    later = time.time_ns() + 10**10
    assert parts_read()  # they were written within the resolution of their times
    monkeypatch.setattr("citekg.known_digests.time.time_ns", lambda: later)
    parts_read()
    assert not parts_read()
    damaged = min(name for name in whole if name.startswith("graph.nt/part-"))
    (tmp_path / "out" / damaged).write_bytes(whole[damaged].swapcase())
    assert parts_read() == {damaged}
    assert files(tmp_path / "out") == whole


def test_an_incremental_build_with_two_processes_repeats_few_tasks_and_equals_a_fresh_build(
    tmp_path: Path, copied: Copied
) -> None:
    copied(tmp_path / "again", FIRST_PAPERS)
    again = build(tmp_path / "again", PAPERS, engine=partial(worker_processes, workers=2))
    fresh = copied(tmp_path / "fresh", PAPERS)
    assert files(tmp_path / "again") == files(tmp_path / "fresh")
    assert 0 < again["name_tables"] < fresh["name_tables"]
    assert 0 < again["write_shard"] < fresh["write_shard"]


def test_kg_build_with_another_lexicon_writes_the_parts_of_a_fresh_build(
    short_examples: Path, tmp_path: Path
) -> None:
    lexicon = tmp_path / "lexicon.tsv"
    lexicon.write_text(
        "name\ttype\taliases\tfamily\tflags\nGRPO\tMethod\tKite Policy\tKite\t\n", encoding="utf-8"
    )

    def built(out: str, *more: str) -> dict[str, bytes]:
        folder = tmp_path / out
        arguments = ["build", str(short_examples), "-o", str(folder), "-f", "nt", *more]
        arguments += ["--cache", str(tmp_path / "readings"), "--partitioned", str(folder / "parts")]
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        return files(folder / "parts")

    first = built("again")
    second = built("again", "--lexicon", str(lexicon))
    assert second == built("fresh", "--lexicon", str(lexicon))
    assert first.keys() != second.keys()


def test_cached_results_keep_their_order_among_computed_ones(tmp_path: Path) -> None:
    def double(_pipeline: Any, number: int) -> dict[str, bytes]:
        return {"result": bytes([2 * number]), "rest": bytes(number)}

    def results(runner: Runner, numbers: Iterable[int]) -> list[int]:
        tasks = (Task(bytes([number]), partial(int, number)) for number in numbers)
        steps = CachedSteps(LocalFolder(tmp_path), "")
        found = [*steps.run(runner, double, tasks, ["result"])]
        assert all(one.keys() == {"result"} for one in found)
        return [one["result"][0] for one in found]

    with this_process(PIPELINE) as runner:
        assert results(runner, [1, 2, 5, 6, 7]) == [2, 4, 10, 12, 14]
        assert results(runner, range(9)) == [*range(0, 18, 2)]


def test_the_digest_of_rows_depends_on_pairs_of_values_but_not_on_their_order(
    tmp_path: Path,
) -> None:
    def digest(*rows: Row) -> int:
        values = ", ".join(map(str, rows))
        query = f"SELECT {digest_of('*COLUMNS(*)')} FROM (VALUES {values}) AS v"
        ((found,),) = tables.select(query)
        return int(found)

    with closing(DuckDbTables(tmp_path, tmp_path / "stored.duckdb")) as tables:
        one = digest(("kite", "Method"), ("heron", "Model"))
        assert digest(("heron", "Model"), ("kite", "Method")) == one
        others = [
            digest(("kite", "Model"), ("heron", "Method")),
            digest(("Method", "kite"), ("Model", "heron")),
            digest(("kite", "Method")),
            digest(("kite", "Method"), ("heron", "")),
        ]
        assert len({one, *others}) == 5
