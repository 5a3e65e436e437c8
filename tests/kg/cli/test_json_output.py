"""Every command that prints a table or a report can also print it as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from citekg.cli.main import main
from citekg.exports import write
from citekg.queries.library import library
from tests.kg.commands import commands_of
from tests.sample import sample_graph

#: Commands without a table: they write files, run a server, or always print JSON lines.
NO_TABLE = {"view", "export", "serve", "extract", "fetch", "lexicon", "completion", "sparql-engine"}
PAPER = {"title": "Kites", "abstract": "We propose KiteNet-9 and evaluate it on D4RL.", "id": "k"}
GOLD = {
    **PAPER,
    "entities": [{"surfaces": ["D4RL"], "type": "Benchmark", "relation": "evaluatesOn"}],
}
METHOD = {"name": "KiteNet-9", "collections": [], "num_papers": 2}
#: The arguments of each command, and a key of its JSON output.
CALLS = {
    "build": (["papers.jsonl", "-o", "out", "-f", "nt"], "files"),
    "query": (["graph.ttl", "SELECT ?p { ?p a schema:ScholarlyArticle }"], "results"),
    "validate": (["graph.ttl"], "violations"),
    "stats": (["graph.ttl"], "citations"),
    "show": (["graph.ttl", "Quill"], "name"),
    "path": (["graph.ttl", "Quill", "NestBench"], None),
    "influence": (["graph.ttl"], None),
    "co-use": (["graph.ttl"], None),
    "results": (["graph.ttl", "NestBench"], "groups"),
    "topics": (["graph.ttl"], None),
    "evaluate": (["gold.jsonl"], "typed"),
    "sample": (["--score", "marked.tsv"], None),
    "diff": (["graph.ttl", "graph.ttl"], "equal"),
    "review": (["graph.ttl"], None),
    "doctor": ([], None),
    "plugins": ([], None),
    "lexicon import": (["methods.json", "-o", "own.tsv"], "rows"),
}
#: Commands that need a server or run long; their own tests call them.
TESTED_ELSEWHERE = {"annotate", "publish", "learn"}


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in commands_of(group).items():
        yield before + name, command
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(sample_graph(), tmp_path / "graph.ttl", "ttl")
    (tmp_path / "papers.jsonl").write_text(json.dumps(PAPER), encoding="utf-8")
    (tmp_path / "gold.jsonl").write_text(json.dumps(GOLD), encoding="utf-8")
    (tmp_path / "methods.json").write_text(json.dumps([METHOD]), encoding="utf-8")
    drawn = CliRunner().invoke(main, ["sample", "graph.ttl", "-n", "4"]).output.splitlines()
    at = drawn[0].split("\t").index("right")
    marked = [
        drawn[0],
        *(
            "\t".join("y" if n == at else c for n, c in enumerate(row.split("\t")))
            for row in drawn[1:]
        ),
    ]
    (tmp_path / "marked.tsv").write_text("\n".join(marked), encoding="utf-8")
    return tmp_path


def test_every_command_that_prints_a_table_can_print_it_as_json() -> None:
    commands_with_json = {
        name for name, command in commands(main) if any("--json" in p.opts for p in command.params)
    }
    assert commands_with_json == {name for name, _ in commands(main)} - NO_TABLE
    assert commands_with_json == {*CALLS} | TESTED_ELSEWHERE


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.usefixtures("folder")
def test_json_output_is_valid_and_is_all_that_is_printed(name: str) -> None:
    arguments, has = CALLS[name]
    done = CliRunner().invoke(main, [*name.split(), *arguments, "--json"])
    assert done.exit_code == 0, done.output
    values: Any = json.loads(done.stdout)
    assert values or name in {"review", "plugins"}
    assert has is None or has in values


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("where", [[], ["-o", "drawn.json"]])
def test_sample_writes_the_same_rows_as_json_and_as_a_table(where: list[str]) -> None:
    table, reported = (
        CliRunner().invoke(main, ["sample", "graph.ttl", *more]).stdout
        for more in ([], ["--json", *where])
    )
    rows = [*csv.DictReader(io.StringIO(table), delimiter="\t")]
    drawn = json.loads(Path("drawn.json").read_text(encoding="utf-8") if where else reported)
    assert (
        [{name: " ".join(cell.split()) for name, cell in row.items()} for row in drawn]
        == rows
        != []
    )


@pytest.mark.parametrize(
    "order", [["--list", "--json"], ["--json", "--list"], ["--list", "--format", "json"]]
)
def test_the_named_queries_are_listed_as_json(order: list[str]) -> None:
    listed = json.loads(CliRunner().invoke(main, ["query", *order]).stdout)
    assert [query["name"] for query in listed] == [query.name for query in library()]
    assert all(
        set(one["parameters"][0]) == {"name", "default", "about"}
        for one in listed
        if one["parameters"]
    )
