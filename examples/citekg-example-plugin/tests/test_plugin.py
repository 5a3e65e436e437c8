"""The three parts on their own, and through the `kg` command as a user has them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from citekg_example_plugin.refer import FORMAT
from citekg_example_plugin.shared_tasks import propose

import citekg
from citekg.schemas.plugins import Line, Problem
from citekg.schemas.records import Paper

RECORDS = """\
%0 Conference Paper
%R 10.1000/tiny.1
%D 2023
%T Finding adverse events with TinyTagger: our system at SemEval-2023
Task 4.
%X We describe TinyTagger, a small tagger for adverse events. On SemEval-2023
Task 4 it outperforms BERT, and we also report results on BioASQ 2021.
%A Moreau, Inès
%A Okafor, Chidi
%J Journal of Made-up Results

%0 Journal Article
%T A record without an abstract.
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("endnote") / "export.enw"
    path.write_text(RECORDS, encoding="utf-8")
    return path


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "citekg", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_extractor_proposes_spans_of_the_text() -> None:
    paper = Paper("1", "Team X at BioASQ 2021", "We took part in WMT22, not in WMT.")
    assert [paper.text[p.start : p.end] for p in propose(paper)] == ["BioASQ 2021", "WMT22"]


def test_the_source_reads_what_endnote_writes() -> None:
    lines = [Line(number, text) for number, text in enumerate(RECORDS.splitlines(), start=1)]
    assert FORMAT.recognises([line.text for line in lines])
    paper, problem = FORMAT.read("export.enw", lines)
    assert (paper.id, paper.date, paper.authors) == (
        "10.1000/tiny.1",
        "2023",
        ("Inès Moreau", "Chidi Okafor"),
    )
    assert paper.title.endswith("SemEval-2023 Task 4")
    assert problem == Problem("export.enw:12", "the record lacks a title (%T) or an abstract (%X)")


def test_kg_lists_all_three_as_ready() -> None:
    listed = [
        p
        for p in json.loads(run("plugins", "--json").stdout)
        if p["package"] == "citekg-example-plugin"
    ]
    assert {(p["kind"], p["name"], p["state"]) for p in listed} == {
        ("extractor", "shared-tasks", "ready"), ("source", "refer", "ready"), ("exporter", "dot", "ready"),
    }  # fmt: skip


def test_kg_builds_from_the_source_with_the_extractor_into_the_format(
    file: Path, tmp_path: Path
) -> None:
    done = run(
        "build", file, "-o", tmp_path, "--layers", "default,shared-tasks", "-f", "dot", "-f", "json"
    )
    assert done.returncode == 3, done.stderr  # one record was skipped
    assert "export.enw:12: the record lacks a title (%T) or an abstract (%X)" in done.stderr
    graph = citekg.load(tmp_path / "graph.json")
    named = {
        graph.entity_by_id[m.entity].name: m for m in graph.mentions.where(layer="shared-tasks")
    }
    assert {"SemEval-2023 Task 4", "BioASQ 2021"} <= named.keys()
    assert {named[name].type for name in ("SemEval-2023 Task 4", "BioASQ 2021")} == {"Benchmark"}
    assert (tmp_path / "graph.dot").read_text(encoding="utf-8").startswith("digraph papers {\n")


def test_without_the_layer_named_extraction_is_as_ever_and_the_ending_of_a_file_finds_the_format(
    file: Path, tmp_path: Path
) -> None:
    graph = citekg.build([file], on_problem=lambda _problem: None)
    assert "shared-tasks" not in {m.layer for m in graph.mentions}
    assert graph.save(tmp_path / "papers.dot").read_bytes().endswith(b"}\n")
