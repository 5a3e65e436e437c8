"""User lexicons: import of the Papers with Code archive, and their effect on extraction."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import citekg
from citekg.cli.main import main
from citekg.domains.lexicons.import_rows import COMMON, FEW, KNOWN, NOT_A_NAME, SHARED, import_names
from citekg.domains.lexicons.papers_with_code import ListedName, listed_names
from citekg.extractors.candidates.lexicon import Entry, read_table, to_tsv
from citekg.extractors.candidates.shipped_lexicon import extend_shipped_lexicon, shipped_lexicon
from citekg.schemas.errors import InputError, LexiconError
from citekg.schemas.vocabulary import TYPES
from citekg.sources import Problem

METHODS = [
    {
        "url": "https://pwc.example/method/kitenet",
        "name": "KiteNet-V",
        "full_name": "Kite Flying Network",
        "description": "**KiteNet-V** is a network.",
        "collections": [{"collection": "Wind Models", "area_id": "x", "area": "Computer Vision"}],
        "num_papers": 7,
    },
    {
        "name": "Zorb",
        "full_name": "Zorb",
        "collections": [{"collection": "Rolling Optimization"}],
        "num_papers": 3,
    },
    {"name": "Wuthering", "full_name": "", "collections": [], "num_papers": 3},
    {"name": "KiteLM-2", "collections": [{"collection": "Language Models"}], "num_papers": 3},
    {"name": "Wind Operators", "collections": [{"collection": "Wind Operators"}], "num_papers": 9},
    {
        "name": "BERT",
        "full_name": "BERT",
        "collections": [{"collection": "Language Models"}],
        "num_papers": 9999,
    },
    {"name": "How do I call +1-800-555-0100?", "collections": [], "num_papers": 3},
    {"name": "LonelyNet-1", "collections": [], "num_papers": 0},
]
DATASETS = [
    {
        "name": "SkyBirds-9",
        "full_name": None,
        "description": "SkyBirds-9 is a benchmark of birds. It has 9 of them.",
        "tasks": [{"task": "Bird Counting", "url": "x"}],
        "modalities": ["Images"],
        "variants": ["SkyBirds-9", "skybirds-9", "SkyBirds-9-LT", "SkyBirds-9 (1% labels)"],
        "num_papers": 4,
    },
    {
        "name": "KNT",
        "full_name": "Kite Notation Treebank",
        "tasks": [{"task": "Kite Parsing"}],
        "modalities": [],
        "variants": [],
        "num_papers": 4,
    },
    {"name": "KiteNet-V", "tasks": [], "modalities": [], "variants": [], "num_papers": 2},
]
TABLES = [
    {
        "task": "Nest Detection",
        "categories": [],
        "datasets": [
            {"dataset": "NestQA-3", "sota": {"rows": [{"model_name": "x"}, {"model_name": "y"}]}}
        ],
        "subtasks": [
            {
                "task": "Small Nest Detection",
                "datasets": [{"dataset": "TinyNest Challenge 5", "sota": {"rows": [{}]}}],
            }
        ],
    }
]


@pytest.fixture
def archive(tmp_path: Path) -> list[str]:
    files = {"methods.json.gz": METHODS, "datasets.json": DATASETS, "tables.json": TABLES}
    for name, records in files.items():
        data = json.dumps(records, indent=2 if name == "datasets.json" else None).encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return [str(tmp_path / name) for name in files]


def rows_of(files: list[str], least: int = 1) -> dict[str, Entry]:
    names = [one for file in files for one in listed_names(file)]
    assert not any(isinstance(one, Problem) for one in names)
    return {
        row.name: row
        for row in import_names(
            (n for n in names if isinstance(n, ListedName)), shipped_lexicon(), least
        ).rows
    }


def test_names_are_imported_with_types_long_forms_and_families(archive: list[str]) -> None:
    rows = rows_of(archive)
    assert rows["KiteNet-V"] == Entry("KiteNet-V", "Method", ("Kite Flying Network",))
    assert rows["KiteLM-2"].type == "Model"
    assert (rows["SkyBirds-9"].type, rows["SkyBirds-9"].aliases) == ("Benchmark", ("skybirds-9",))
    assert rows["SkyBirds-9-LT"] == Entry("SkyBirds-9-LT", "Benchmark", family="SkyBirds-9")
    assert (rows["NestQA-3"].type, rows["TinyNest Challenge 5"].type) == ("Dataset", "Benchmark")
    assert rows["Wind Operators"].umbrella
    assert "SkyBirds-9 (1% labels)" not in rows


def test_common_words_and_short_acronyms_get_context_words(archive: list[str]) -> None:
    rows = rows_of(archive)
    assert rows["Zorb"].context == ("optimization", "rolling", "rolling optimization")
    notation = rows["Kite Notation Treebank"]
    assert (notation.aliases, notation.doubtful) == (("KNT",), frozenset({"KNT"}))
    assert "kite parsing" in notation.context


def test_omitted_names_are_counted_by_reason(archive: list[str]) -> None:
    names = [one for file in archive for one in listed_names(file)]
    made = import_names((n for n in names if isinstance(n, ListedName)), shipped_lexicon())
    assert made.left_out == {KNOWN: 1, NOT_A_NAME: 1, FEW: 1, COMMON: 1, SHARED: 1}
    assert not {"BERT", "Wuthering", "LonelyNet-1"} & {row.name for row in made.rows}
    assert {"LonelyNet-1"} <= set(rows_of(archive, least=0))


def test_the_import_does_not_depend_on_the_order_of_the_names(archive: list[str]) -> None:
    names = [one for file in archive for one in listed_names(file) if isinstance(one, ListedName)]
    assert import_names(names, shipped_lexicon()) == import_names(names[::-1], shipped_lexicon())


def test_writing_and_reading_preserves_an_imported_table(
    archive: list[str], tmp_path: Path
) -> None:
    names = [one for file in archive for one in listed_names(file) if isinstance(one, ListedName)]
    made = import_names(names, shipped_lexicon()).rows
    (tmp_path / "x.tsv").write_text("".join(to_tsv(made)), encoding="utf-8")
    assert tuple(read_table(tmp_path / "x.tsv")) == made


def test_writing_and_reading_preserves_the_shipped_tables(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("".join(to_tsv(shipped_lexicon().rows)), encoding="utf-8")
    assert list(read_table(tmp_path / "x.tsv")) == shipped_lexicon().rows


@pytest.mark.parametrize(
    "content", ["[]", "{}", '[{"a": 1}]', "[1]", "hello", '{"title": "x", "abstract": "y"}']
)
def test_a_file_that_is_not_of_the_archive_is_rejected(tmp_path: Path, content: str) -> None:
    (tmp_path / "x").write_text(content, encoding="utf-8")
    with pytest.raises(
        InputError, match=r"x: (expected methods|the file holds no record|not JSON)"
    ):
        list(listed_names(str(tmp_path / "x")))


def test_an_invalid_record_does_not_affect_other_records(tmp_path: Path) -> None:
    records_with_errors: list[Any] = [
        METHODS[0],
        {**METHODS[1], "collections": "x"},
        {"other": 1},
        METHODS[3],
    ]
    (tmp_path / "x").write_text("\n".join(map(json.dumps, records_with_errors)), encoding="utf-8")
    found = list(listed_names(str(tmp_path / "x")))
    assert [one.name for one in found if isinstance(one, ListedName)] == ["KiteNet-V", "KiteLM-2"]
    assert [one.place.rpartition(":")[2] for one in found if isinstance(one, Problem)] == ["2", "3"]


@given(
    st.lists(
        st.builds(
            ListedName,
            st.text(),
            st.sampled_from(list(TYPES)),
            st.text(),
            st.tuples(st.text()),
            st.tuples(st.text()),
            st.just(1),
        )
    )
)
def test_rows_are_valid_for_arbitrary_names(names: list[ListedName]) -> None:
    for row in import_names(names, shipped_lexicon()).rows:
        [line] = list(to_tsv([row]))[1:]
        assert len(line.rstrip("\n").split("\t")) == 5
        assert row.key


PAPER = {
    "title": "Gusts",
    "abstract": "We propose Gust9. We compare it with flurble and PPO on FlurbleSet and train KiteNet-V.",
}


def test_names_of_a_user_table_are_found_with_their_types(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps(PAPER), encoding="utf-8")
    rows = [
        Entry("flurble", "Model", exact=True),
        Entry("KiteNet-V", "Dataset"),
        Entry("KiteNet", "Dataset"),
    ]
    (tmp_path / "own.tsv").write_text("".join(to_tsv(rows)), encoding="utf-8")
    without_table = citekg.build([tmp_path / "p.jsonl"])
    graph = citekg.build([tmp_path / "p.jsonl"], lexicons=[tmp_path / "own.tsv"])
    assert "flurble" not in {e.name for e in without_table.entities}
    assert {("flurble", "Model"), ("KiteNet-V", "Dataset")} <= {
        (e.name, e.type) for e in graph.entities
    }
    assert without_table.run.configuration != graph.run.configuration


def test_a_row_of_a_user_table_overrides_a_shipped_row(tmp_path: Path) -> None:
    (tmp_path / "own.tsv").write_text("".join(to_tsv([Entry("BERT", "Dataset")])), encoding="utf-8")
    lexicon = extend_shipped_lexicon([tmp_path / "own.tsv"])
    assert [hit.entry.type for hit in lexicon.find("BERT")] == ["Dataset"]
    assert extend_shipped_lexicon([]) is shipped_lexicon()


@pytest.mark.parametrize(
    "content",
    [None, b"", b"name\ttype\n", b"name\ttype\taliases\tfamily\tflags\nX\tThing\t\t\t\n", b"\xff"],
)
def test_an_invalid_or_missing_table_is_reported_with_its_file(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "own.tsv").write_bytes(content)
    with pytest.raises(LexiconError, match=r"own\.tsv"):
        extend_shipped_lexicon([tmp_path / "own.tsv"])


def test_the_command_writes_the_table_and_counts_the_omitted_names(
    archive: list[str], tmp_path: Path
) -> None:
    done = CliRunner().invoke(
        main, ["lexicon", "import", *archive, "-o", str(tmp_path / "own.tsv"), "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["left out"][KNOWN] == 1
    assert len(list(read_table(tmp_path / "own.tsv"))) == sum(
        json.loads(done.output)["rows"].values()
    )


def test_subdatasets_of_an_evaluation_table_are_imported(tmp_path: Path) -> None:
    part = {"dataset": "NestQA-3 Hard", "sota": {"rows": [{}]}, "subdatasets": []}
    whole = {"dataset": "NestQA-3", "sota": {"rows": [{}]}, "subdatasets": [part]}
    (tmp_path / "tables.json").write_text(
        json.dumps([{"task": "Nests", "datasets": [whole]}]), encoding="utf-8"
    )
    arguments = [
        "lexicon",
        "import",
        str(tmp_path / "tables.json"),
        "-o",
        str(tmp_path / "own.tsv"),
    ]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    names = [
        line.split("\t")[0]
        for line in (tmp_path / "own.tsv").read_text(encoding="utf-8").splitlines()
    ]
    assert names == ["name", "NestQA-3", "NestQA-3 Hard"]
