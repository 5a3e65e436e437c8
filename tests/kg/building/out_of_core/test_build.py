"""A partitioned build writes the same graph as a build in memory, also with linking on disk."""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

import citekg
from citekg.building.assembling import assemble
from citekg.building.execution.processes import Runner, this_process
from citekg.building.incremental.cached_steps import CachedSteps
from citekg.building.out_of_core.build import build_partitions
from citekg.building.out_of_core.paper_shards import shards_of
from citekg.building.out_of_core.target import PartitionTarget
from citekg.building.pipeline import build_out_of_core, make_pipeline
from citekg.cli.main import main
from citekg.exports.rdf.serializers import ntriples
from citekg.exports.tables import tables as exported
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.known_introductions import KnownPaper
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.linking import Linked, _ids, link, link_names
from citekg.linking.batches import in_this_process
from citekg.linking.duckdb_tables import DuckDbTables, rows_of
from citekg.linking.entity_rows import ENTITIES, entity_of
from citekg.linking.input_rows import make_rows
from citekg.linking.kinds import insert_lexicon
from citekg.linking.name_tables import PAPER_TABLES, TABLES
from citekg.schemas.errors import FolderError, GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import key
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Extraction, Paper, Topic
from citekg.storage.folders import LocalFolder
from citekg.summary import Counts, counts_of
from tests.extent import few_examples
from tests.kg.building.out_of_core.cached_extractions import CachedExtractions
from tests.kg.extractions import RUN, make_extraction, named, reported

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

LEXICON = Lexicon.of(
    [
        Entry("Qwen", "Model"),
        Entry("Qwen2.5-VL", "Model", aliases=("Qwen 2.5 VL",), family="Qwen2.5"),
        Entry("PPO", "Method", aliases=("Proximal Policy Optimization",)),
        Entry("KiteSet", "Dataset"),
    ]
)
LISTED = {
    key("PPO"): KnownPaper("Proximal kites", "2017", "1707.00001"),
    key("KiteSet"): KnownPaper("Paper 1", "2020", ""),
    key("Qwen2.5-VL"): KnownPaper("A line of models", "2025", ""),
}

#: Names as extraction returns them: the fullest form first, a short form after its long form.
EXTRACTED_NAMES = [
    ("GKO",),
    ("Group Kite Optimization", "GKO"),
    ("Gentle Kite Oscillation", "GKO"),
    ("kite-net",),
    ("Kite Net",),
]
EXTRACTED_NAMES += [
    ("KiteNet",),
    ("Qwen2.5-VL",),
    ("PPO algorithm",),
    ("PPO",),
    ("KiteSet",),
    ("Group Kite Optimization", "GrKO"),
]
ROLES = [
    {},
    {"introduces": 0.9},
    {"introduces": 0.3},
    {"uses": 0.8},
    {"evaluatesOn": 0.7, "outperforms": 0.6},
]
entities = st.lists(
    st.tuples(
        st.sampled_from(EXTRACTED_NAMES),
        st.sampled_from(["Method", "Model", "Dataset"]),
        st.sampled_from(ROLES),
    ),
    max_size=4,
    unique_by=lambda entity: key(entity[0][0]),
)
papers = st.lists(st.tuples(entities, st.sampled_from(["", "2017", "2021-03", "2024"])), max_size=6)
Corpus = list[tuple[list[tuple[tuple[str, ...], str, dict[str, Any]]], str]]


def extractions_of(corpus: Corpus) -> list[Extraction]:
    """Return one extraction per paper; each paper cites the paper before it and a listed paper."""
    extractions = []
    for n, (found, date) in enumerate(corpus):
        text = "\n".join(" and ".join(surfaces) for surfaces, _, _ in found)
        cites = ("arxiv:1707.00001", f"arxiv:2401.0000{max(n - 1, 0)}")
        paper = Paper(f"p{n}", f"Paper {n}", text, date, arxiv_id=f"2401.0000{n}", references=cites)
        names = [surfaces[0] for surfaces, _, _ in found]
        results = (reported(paper, str(n), *names[:2]),) if names else ()
        made = make_extraction(
            paper, *(named(paper.text, *s, type_=t, **roles) for s, t, roles in found)
        )
        extractions.append(replace(made, results=results))
    return extractions


@few_examples()
@given(papers)
def test_linking_on_disk_gives_the_same_result_as_in_memory(corpus: Corpus) -> None:
    extractions = extractions_of(corpus)
    with tempfile.TemporaryDirectory() as folder:
        tables = DuckDbTables(Path(folder), Path(folder, "stored.duckdb"))
        for table, rows in make_rows(extractions).items():
            tables.insert(table, rows)
        insert_lexicon(tables, LEXICON)
        link_names(tables, LEXICON, in_this_process(tables, LEXICON))
        on_disk = Linked(tuple(map(entity_of, tables.select(ENTITIES))), *_ids(tables))
        assert on_disk == link(extractions, LEXICON)
        tables.close()


Tables = dict[str, list[str]]


def build_in_parts(
    extractions: list[Extraction], options: ExportOptions
) -> tuple[list[bytes], Tables, Counts]:
    """Return the lines and the rows of the parts for these extractions, and the counts."""
    with tempfile.TemporaryDirectory() as folder:
        target = PartitionTarget(LocalFolder(Path(folder, "out")), ("nt", "parquet"), options)
        pipeline: Any = SimpleNamespace(lexicon=LEXICON)
        kept: Any = CachedExtractions(Path(folder), extractions)
        with this_process(pipeline) as runner:
            _, counts = build_partitions(
                shards_of([r.paper for r in extractions]), pipeline, kept, RUN, target, runner, LISTED,
                CachedSteps(target.folder, ""),
            )  # fmt: skip
        return (
            lines(Path(folder)),
            {name: stored_rows(folder, name) for name in exported.TABLES},
            counts,
        )


def stored_rows(folder: str, table: str) -> list[str]:
    """Return the rows of all files of a table, sorted."""
    files = Path(folder, "out", "graph.parquet", table).iterdir()
    return sorted(repr(row) for file in files for row in rows_of(file.read_bytes()).to_pylist())


def rows_of_graph(graph: KnowledgeGraph, table: str) -> list[str]:
    """Return the rows of a table of a graph, sorted."""
    columns, rows = exported.TABLES[table].columns, exported.TABLES[table].rows(graph)
    return sorted(repr(dict(zip(columns, row, strict=True))) for row in rows)


#: Three papers that use the same three entities, which are therefore a topic.
ONE_TOPIC: Corpus = [
    ([((name,), "Method", {"uses": 0.9}) for name in ("Kite", "Heron", "Egret")], "2024")
] * 3


#: A claim of introduction that a paper of an earlier year refutes, and one that nothing refutes.
CLAIMS: Corpus = [
    ([(("Heron Search",), "Method", {"uses": 0.9})], "2017"),
    (
        [
            (("Heron Search",), "Method", {"introduces": 0.9}),
            (("EgretBench",), "Benchmark", {"introduces": 0.9}),
        ],
        "2021-03",
    ),
    (
        [
            (("Heron Search",), "Method", {"uses": 0.9}),
            (("EgretBench",), "Benchmark", {"evaluatesOn": 0.9}),
        ],
        "2024",
    ),
]


@few_examples()
@given(
    papers,
    st.sampled_from([ExportOptions(), ExportOptions(align=True), ExportOptions(evidence="paper")]),
)
@example(ONE_TOPIC, ExportOptions())
@example(CLAIMS, ExportOptions())
def test_the_parts_contain_each_triple_and_each_row_of_the_whole_graph_once(
    corpus: Corpus, options: ExportOptions
) -> None:
    extractions = extractions_of(corpus)
    graph = assemble(extractions, LEXICON, RUN, introduced_in=LISTED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citekg.building.out_of_core.paper_shards.SHARD_SIZE", 2)
        patch.setattr("citekg.exports.tables.partitioned._ROWS", 2)
        parts, tables, counts = build_in_parts(extractions, options)
    assert parts == sorted(b"".join(ntriples(graph, options)).splitlines())
    assert tables == {name: rows_of_graph(graph, name) for name in exported.TABLES}
    assert counts == counts_of(graph)


def test_a_missing_cached_extraction_is_reported(tmp_path: Path) -> None:
    extractions = extractions_of([([], "2024"), ([], "2025")])
    other = replace(extractions[1].paper, abstract="Other words.")
    target = PartitionTarget(LocalFolder(tmp_path / "out"), ("nt",))
    pipeline: Any = SimpleNamespace(lexicon=LEXICON)
    kept: Any = CachedExtractions(tmp_path, extractions)
    with (
        pytest.raises(Exception, match=r"part\.jsonl\.gz: was written, but cannot be found"),
        this_process(pipeline) as runner,
    ):
        build_partitions(
            shards_of([extractions[0].paper, other]), pipeline, kept, RUN, target, runner, {},
            CachedSteps(target.folder, ""),
        )  # fmt: skip
    assert not list(tmp_path.rglob("files.json"))


def test_the_workers_end_before_the_topics_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []

    @contextmanager
    def engine(pipeline: ExtractionPipeline) -> Iterator[Runner]:
        with this_process(pipeline) as runner:
            yield runner
        events.append("the workers end")

    def find_no_topics(*_: object) -> tuple[Topic, ...]:
        events.append("topics are found")
        return ()

    monkeypatch.setattr("citekg.building.out_of_core.build._topics", find_no_topics)
    target = PartitionTarget(LocalFolder(tmp_path), ("nt",))
    build_out_of_core([Paper("p", "Kites", "We fly.")], make_pipeline(), target, engine=engine)
    assert events == ["the workers end", "topics are found"]


def built(papers: Path, out: Path, *more: str) -> Any:
    """Return the JSON that `kg build --json` prints for a file of papers."""
    arguments = ["build", str(papers), "-o", str(out), "-f", "nt", "--json", *more]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def lines(folder: Path) -> list[bytes]:
    """Return all lines of the triples, sorted."""
    return sorted(
        line
        for file in folder.rglob("*.nt")
        if file.is_file()
        for line in file.read_bytes().splitlines()
    )


@pytest.fixture(scope="module")
def whole(short_examples: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """The folder of a build of the short examples in memory, and the JSON that it prints."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, built(short_examples, folder, "--no-cache")


@pytest.mark.parametrize(
    "more", [("--workers", "2"), ("--no-cache",), ("--engine", "dask", "--workers", "2")]
)
def test_kg_build_partitioned_gives_the_same_graph_and_the_same_counts(
    short_examples: Path, tmp_path: Path, whole: tuple[Path, Any], more: tuple[str, ...]
) -> None:
    if "dask" in more:
        pytest.importorskip("distributed")
    folder, printed = whole
    partitioned = built(
        short_examples,
        tmp_path / "parts",
        "-f",
        "parquet",
        "--partitioned",
        str(tmp_path / "parts"),
        *more,
    )
    assert lines(tmp_path / "parts") == lines(folder)
    assert partitioned.pop("files") == [
        str(tmp_path / "parts" / f"graph.{name}" / "files.json") for name in ("nt", "parquet")
    ]
    assert partitioned == {name: value for name, value in printed.items() if name != "files"}


def test_parts_are_loaded_queried_and_validated_like_one_file(
    short_examples: Path, tmp_path: Path
) -> None:
    built(
        short_examples,
        tmp_path,
        "--no-cache",
        "-f",
        "parquet",
        "--partitioned",
        str(tmp_path),
        "--gz",
    )
    whole = citekg.build(str(short_examples))
    for place in (tmp_path / "graph.nt", tmp_path / "graph.nt" / "files.json"):
        assert citekg.load(place) == whole
        result = CliRunner().invoke(
            main, ["query", str(place), "SELECT (COUNT(?p) AS ?n) { ?p a schema:ScholarlyArticle }"]
        )
        assert result.exit_code == 0, result.output
        assert str(len(whole.papers)) in result.output
        assert CliRunner().invoke(main, ["validate", str(place)]).exit_code == 0
    (tmp_path / "files.json").write_text("[]", encoding="utf-8")
    for other, message in (
        ("graph.parquet", "not a graph file"),
        ("files.json", "not a list of the files"),
    ):
        with pytest.raises(GraphError, match=message):
            citekg.load(tmp_path / other)


@pytest.mark.parametrize(
    "listed",
    ['["/etc/passwd"]', '["../part-00000.nt"]', '["a/b/part-0.nt"]', '["part-0.nt\\u0000"]', '["files.json"]',
     '"part"', "[]", "[1]", "[[]]", "{}", "null", "[" * 100_000],
)  # fmt: skip
def test_a_list_of_parts_is_rejected_unless_it_contains_files_of_its_folder(
    tmp_path: Path, listed: str
) -> None:
    (tmp_path / "files.json").write_text(f'{{"files": {listed}}}', encoding="utf-8")
    for place in (tmp_path, tmp_path / "files.json"):
        with pytest.raises(GraphError, match=r"files\.json: not a list of the files of a graph"):
            citekg.load(place)


def test_the_output_states_what_opens_the_parts_of_each_format_if_they_are_local(
    short_examples: Path,
    tmp_path: Path,
) -> None:
    pytest.importorskip("fsspec")
    command = [
        "build",
        str(short_examples),
        "-o",
        str(tmp_path),
        "--no-cache",
        "-f",
        "nt",
        "-f",
        "parquet",
        "--partitioned",
    ]
    outputs = [
        CliRunner().invoke(main, [*command, where]).output
        for where in (str(tmp_path), "memory://told")
    ]
    here, far = (
        [line for line in output.splitlines() if "files.json" in line] for output in outputs
    )
    assert [hint in line for hint, line in zip(("kg query ", "Polars"), here, strict=True)] == [
        True,
        True,
    ]
    assert [line.endswith("files.json") for line in far] == [True, True]


def test_partitioned_builds_support_decisions_and_other_formats(
    short_examples: Path, tmp_path: Path
) -> None:
    decided = tmp_path / "decisions.yaml"
    decided.write_text(
        "- {kind: ban, name: GRPO, author: Ada, date: 2026-01-31, reason: a test}\n",
        encoding="utf-8",
    )
    built(short_examples, tmp_path / "whole", "--no-cache", "--decisions", str(decided))
    built(
        short_examples,
        tmp_path / "parts",
        "--no-cache",
        "--decisions",
        str(decided),
        "--partitioned",
        str(tmp_path / "parts"),
    )
    assert lines(tmp_path / "parts") == lines(tmp_path / "whole")
    built(
        short_examples,
        tmp_path / "both",
        "--no-cache",
        "-f",
        "bib",
        "--partitioned",
        str(tmp_path / "both"),
    )
    assert (tmp_path / "both" / "graph.bib").exists()
    assert (tmp_path / "both" / "graph.nt" / "files.json").exists()


def test_without_duckdb_the_required_extra_is_reported(
    short_examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    arguments = [
        "build",
        str(short_examples),
        "-o",
        str(tmp_path),
        "-f",
        "nt",
        "--partitioned",
        str(tmp_path),
    ]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "citekg[scale]" in result.output


def test_storage_errors_of_the_name_tables_are_reported_with_the_folder(tmp_path: Path) -> None:
    stored = tmp_path / "stored.duckdb"
    tables = DuckDbTables(tmp_path, stored)
    tables.insert("known_paper", [("p0",)])
    tables.close()
    for use in (
        lambda: tables.insert("known_paper", [("p1",)]),
        lambda: list(tables.select("SELECT * FROM listed")),
    ):
        with pytest.raises(
            FolderError, match=f"{tmp_path}: the tables of names cannot be kept there"
        ):
            use()
    with pytest.raises(FolderError, match="cannot be kept there"):
        DuckDbTables(tmp_path / "gone", stored).execute("SELECT 1")


@pytest.mark.parametrize("table", ["paper_sense", "listed_name"])
def test_tables_beyond_the_memory_limit_are_on_disk_and_leave_no_file_but_that_of_stored_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    monkeypatch.setattr("citekg.linking.duckdb_tables._MEMORY_LIMIT", "30MB")

    def rows() -> Iterator[tuple[int, str, str]]:
        rng = random.Random(1)
        return ((n, f"{rng.getrandbits(800):0200x}", "") for n in range(200_000))  # 40 MB

    stored = tmp_path / "stored.duckdb"
    tables = DuckDbTables(tmp_path, stored)
    tables.insert(table, rows())
    on_disk = [stored] if table in PAPER_TABLES else (tmp_path / "spilled").rglob("*")
    assert sum(file.stat().st_size for file in on_disk) > 5_000_000
    _, text, _ = TABLES[table]
    read = tables.select(f"SELECT {text} FROM {table}")
    assert all(one == (row[1],) for one, row in zip(read, rows(), strict=True))
    tables.close()
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [stored]


def test_partitioned_builds_on_a_cluster_reject_the_option_no_cache(
    short_examples: Path, tmp_path: Path
) -> None:
    arguments = [
        "build",
        str(short_examples),
        "-o",
        str(tmp_path),
        "-f",
        "nt",
        "--partitioned",
        str(tmp_path),
    ]
    result = CliRunner().invoke(main, [*arguments, "--engine", "dask", "--no-cache"])
    assert result.exit_code == 2
    assert "--no-cache" in result.output
