"""The output, the files and the exit codes of the command `kg`."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import citekg
from citekg.cli.exit_codes import INVALID, SKIPPED
from citekg.cli.main import main
from citekg.exports import EXPORTERS, how_to_open
from citekg.queries import query
from citekg.queries.library import listing
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import ROLES, TYPES
from citekg.summary import built_summary, counts_of
from tests.kg.commands import commands_of, run_cli
from tests.kg.papers import GRPO, USER
from tests.sample import sample_graph

if TYPE_CHECKING:
    from click.testing import Result


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two papers in `papers.jsonl`, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    Path("papers.jsonl").write_text(
        "".join(json.dumps(p) + "\n" for p in (GRPO, USER)), encoding="utf-8"
    )
    return tmp_path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a graph that was built once."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "papers.jsonl").write_text(
        "".join(json.dumps(p) + "\n" for p in (GRPO, USER)), encoding="utf-8"
    )
    result = run_cli("build", str(folder / "papers.jsonl"), "-o", str(folder / "out"))
    assert result.exit_code == 0, result.output
    return folder / "out"


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# Help

COMMANDS = commands_of(main)


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_the_help_of_every_command_has_an_example(command: tuple[str, ...]) -> None:
    result = run_cli(*command, "--help")
    assert result.exit_code == 0
    assert "\b" not in result.output
    assert f"Example:\n    kg {' '.join(command)}".rstrip() in result.output.replace(
        "      kg", "    kg"
    )


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda c: c.name)
def test_every_option_has_a_help_text(command: Any) -> None:
    assert all(p.help for p in command.params if p.param_type_name == "option")


def test_the_main_commands_are_listed_in_the_order_of_use() -> None:
    assert [c for c in COMMANDS if c in {"build", "extract", "query", "stats", "export"}] == [
        "build", "extract", "query", "stats", "export",
    ]  # fmt: skip


def test_the_help_names_the_exit_codes_and_the_formats() -> None:
    assert "  Exit codes:\n    0    success\n    1    an error" in run_cli("--help").output
    assert all(name in run_cli("build", "--help").output for name in EXPORTERS)


def test_the_version_is_reported() -> None:
    assert run_cli("--version").output.startswith("kg, version ")


# Wrong command lines


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["fly"], "No such command"),
        (["build"], "Missing argument"),
        (["build", "x"], "Missing option '-o'"),
        (["build", "x", "-o", "out", "-f", "docx"], "'docx' is not one of"),
        (["extract", "x", "--input-format", "pdf"], "'pdf' is not one of"),
        (
            ["extract", "x", "--layers", "magic"],
            "magic: choose from abbreviations, lexicon, rules, tagger",
        ),
        (["extract", "x", "--layers", "lexicon,magic,tricks"], "magic, tricks: choose from"),
        (["extract", "x", "--layers", " , "], "nothing: choose from"),
        (["extract", "x", "--workers", "0"], "--workers"),
        (["query", "x"], "give a GRAPH and a query, or --list"),
        (["validate"], "Missing argument"),
        (["query", "x", "ASK {}", "--format", "xls"], "'xls' is not one of"),
        (["export", "x", "-f", "ttl"], "Missing option '-o'"),
        (["build", "x", "-o", "out", "--evidence", "all"], "'all' is not one of"),
    ],
)
def test_an_invalid_command_line_exits_with_2_and_an_error_message(
    arguments: list[str], reported: str
) -> None:
    result = run_cli(*arguments)
    assert result.exit_code == 2
    assert reported in result.stderr
    assert result.stdout == ""


# kg extract


@pytest.mark.usefixtures("here")
def test_extract_prints_one_paper_per_line_in_the_documented_format() -> None:
    result = run_cli("extract", "papers.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    printed = lines(result)
    assert [p["id"] for p in printed] == ["g1", "u1"]
    for paper, source in zip(printed, (GRPO, USER), strict=True):
        assert list(paper) == ["id", "title", "entities", "results"]
        assert paper["title"] == source["title"]
        text = f"{source['title']}\n{source['abstract']}"
        for entity in paper["entities"]:
            assert list(entity) == [
                "id",
                "name",
                "surfaces",
                "type",
                "relations",
                "mentions",
                "confidence",
            ]
            assert entity["type"] in TYPES
            assert set(entity["relations"]) <= set(ROLES)
            assert entity["relations"]
            assert 0 < entity["confidence"] <= 1
            assert all(m["text"] == text[m["start"] : m["end"]] for m in entity["mentions"])
            assert {m["text"] for m in entity["mentions"]} == set(entity["surfaces"])


def test_extract_prints_reported_results_in_the_documented_format(tmp_path: Path) -> None:
    paper = {"id": "k", "title": "Kite", "abstract": "Kite raises accuracy from 18.5% to 81.0%."}
    (tmp_path / "papers.jsonl").write_text(json.dumps(paper), encoding="utf-8")
    (printed,) = lines(run_cli("extract", str(tmp_path / "papers.jsonl")))
    (result,) = printed["results"]
    names = "value kind direction metric on system versus from start end sentence confidence"
    assert list(result) == names.split()
    assert (result["value"], result["from"]) == ("81.0%", "18.5%")
    assert f"{paper['title']}\n{paper['abstract']}"[result["start"] : result["end"]] == "81.0%"
    assert result["sentence"] == paper["abstract"]


@pytest.mark.usefixtures("here")
def test_extract_finds_introduced_and_used_entities() -> None:
    first, second = lines(run_cli("extract", "papers.jsonl"))
    roles = {e["name"]: e["relations"] for e in first["entities"]}
    assert "introduces" in roles["Kite Policy Search"]
    assert "evaluatesOn" in roles["GSM8K"]
    assert {"Qwen2.5-7B", "D4RL", "Kite Policy Search"} <= {e["name"] for e in second["entities"]}


def test_extract_reads_standard_input() -> None:
    result = run_cli("extract", "-", stdin=json.dumps(GRPO).encode())
    assert [p["id"] for p in lines(result)] == ["g1"]


@pytest.mark.usefixtures("here")
def test_extract_with_fewer_layers_still_prints_every_paper() -> None:
    result = run_cli("extract", "papers.jsonl", "--layers", "abbreviations, lexicon")
    assert result.exit_code == 0
    assert [p["id"] for p in lines(result)] == ["g1", "u1"]


def test_extract_prints_other_scripts_unescaped() -> None:
    paper = {"title": "强化学习 \u2014 PPO", "abstract": "We use PPO 🪁. It works."}
    result = run_cli("extract", "-", stdin=json.dumps(paper).encode())
    assert "强化学习 \u2014 PPO" in result.stdout


# Problems in the input


@pytest.mark.usefixtures("here")
def test_skipped_input_is_reported_on_standard_error_and_by_the_exit_code() -> None:
    with Path("papers.jsonl").open("a") as file:
        file.write("{oops\n")
    result = run_cli("extract", "papers.jsonl", "gone.txt")
    assert result.exit_code == SKIPPED == 3
    assert len(lines(result)) == 2
    assert result.stderr.splitlines() == [
        "skipped: gone.txt: there is no such file or folder",
        "skipped: papers.jsonl:3: not JSON: Expecting property name enclosed in double quotes at column 2",
    ]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", [["extract"], ["build", "-o", "out"]])
def test_strict_stops_at_the_first_problem_and_writes_nothing(command: list[str]) -> None:
    result = run_cli(*command, "papers.jsonl", "gone.txt", "--strict")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "gone.txt: there is no such file or folder" in result.stderr
    assert "--strict" in result.stderr
    assert not Path("out").exists()


@pytest.mark.usefixtures("here")
def test_strict_succeeds_on_valid_input() -> None:
    assert run_cli("extract", "papers.jsonl", "--strict").exit_code == 0


@pytest.mark.usefixtures("here")
def test_build_counts_skipped_inputs_and_builds_the_rest() -> None:
    result = run_cli("build", "papers.jsonl", "gone.txt", "-o", "out", "-f", "json")
    assert result.exit_code == SKIPPED
    assert "Skipped     1 problem in the input" in result.stdout
    assert len(citekg.load("out/graph.json").papers) == 2


@pytest.mark.usefixtures("here")
def test_build_writes_nothing_if_no_paper_can_be_read() -> None:
    result = run_cli("build", "gone.txt", "-o", "out")
    assert result.exit_code == 1
    assert "no paper could be read, so nothing was written" in result.stderr
    assert not Path("out").exists()


@pytest.mark.usefixtures("here")
def test_an_output_folder_that_cannot_be_created_gives_a_one_line_error() -> None:
    Path("taken").write_text("a file")
    result = run_cli("build", "papers.jsonl", "-o", "taken/out", "-f", "json")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: taken/out: cannot be written: ")
    assert result.stderr.count("\n") == 1


# kg build and its output


def test_build_writes_the_three_default_files_and_the_folder_readings(built: Path) -> None:
    assert sorted(p.name for p in built.glob("[!.]*")) == [
        "graph.html",
        "graph.json",
        "graph.ttl",
        "readings",
    ]


@pytest.mark.usefixtures("here")
def test_build_writes_each_requested_format_once() -> None:
    assert run_cli("build", "papers.jsonl", "-o", "out", "-f", "nt", "-f", "nt").exit_code == 0
    assert [p.name for p in Path("out").glob("graph.*")] == ["graph.nt"]


@pytest.mark.usefixtures("here")
def test_build_ends_with_a_summary_that_states_how_to_open_the_files() -> None:
    printed = run_cli("build", "papers.jsonl", "-o", "out", "-f", "json", "-f", "html").stdout
    assert printed.startswith("Papers      2\nEntities    ")
    assert "Kite Policy Search (2)" in printed
    assert "out/graph.html  open it in a browser" in printed
    assert 'citekg.load("out/graph.json") in Python' in printed


@pytest.mark.parametrize("name", EXPORTERS)
def test_export_prints_the_file_and_how_to_open_it(built: Path, name: str, tmp_path: Path) -> None:
    file = tmp_path / f"copy{EXPORTERS[name].suffix}"
    printed = run_cli("export", str(built / "graph.json"), "-f", name, "-o", str(file)).stdout
    assert printed == f"{file}  {EXPORTERS[name].usage.replace('{file}', str(file))}\n"
    assert len(EXPORTERS[name].usage) > 10


def test_the_hint_for_a_compressed_file_says_to_unpack_it_unless_kg_reads_it() -> None:
    assert how_to_open(Path("graph.gexf.gz")) == "unpack it, then open it in Gephi"
    assert how_to_open(Path("graph.ttl.gz")) == 'kg query graph.ttl.gz "SELECT ..."'
    assert how_to_open(Path("graph.unknown")) == ""


def test_a_summary_separates_long_file_names_from_their_hints() -> None:
    long = Path("a/very/long/folder/name/indeed/graph.html")
    shown = built_summary(counts_of(sample_graph()), [Path("graph.ttl"), long], 2)
    assert f"{long}  open it in a browser" in shown
    assert "Skipped     2 problems in the input" in shown


@pytest.mark.usefixtures("here")
def test_the_base_iri_can_be_chosen() -> None:
    run_cli(
        "build", "papers.jsonl", "-o", "out", "-f", "nt", "--base-iri", "https://kites.example/id/"
    )
    text = Path("out/graph.nt").read_text(encoding="utf-8")
    assert "<https://kites.example/id/" in text
    assert "<https://w3id.org/citekg/id/" not in text


@pytest.mark.usefixtures("here")
def test_less_evidence_makes_a_smaller_file() -> None:
    sizes = []
    for level in ("none", "paper", "sentence"):
        run_cli("build", "papers.jsonl", "-o", level, "-f", "nt", "--evidence", level)
        sizes.append((Path(level) / "graph.nt").stat().st_size)
    assert sizes == sorted(set(sizes))


# kg query, stats, export


@pytest.mark.parametrize("name", ["graph.ttl", "graph.json"])
def test_query_returns_papers_and_the_entities_that_they_introduce(built: Path, name: str) -> None:
    question = (
        "SELECT ?paper ?name { ?p ckg:introduces/skos:prefLabel ?name ; dcterms:title ?paper }"
    )
    result = run_cli("query", str(built / name), question, "--format", "csv")
    assert result.exit_code == 0, result.stderr
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {"paper": GRPO["title"], "name": "Kite Policy Search"} in rows


@pytest.mark.usefixtures("here")
def test_query_reads_the_sparql_query_from_a_file(built: Path) -> None:
    Path("count.rq").write_text("SELECT (COUNT(?p) AS ?papers) { ?p a schema:ScholarlyArticle }")
    result = run_cli("query", str(built / "graph.ttl"), "count.rq", "--format", "json")
    answer = json.loads(result.stdout)
    assert answer["results"]["bindings"][0]["papers"]["value"] == "2"


def test_query_prints_a_table_by_default(built: Path) -> None:
    result = run_cli(
        "query",
        str(built / "graph.ttl"),
        "SELECT ?t { ?p a schema:ScholarlyArticle ; dcterms:title ?t }",
    )
    assert result.exit_code == 0
    assert str(USER["title"]) in result.stdout


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["stats", "gone.ttl"],
        ["query", "gone.ttl", "SELECT * { ?s ?p ?o }"],
        ["export", "gone.ttl", "-f", "json", "-o", "x.json"],
        ["stats", "papers.jsonl"],
    ],
)
def test_an_unreadable_graph_gives_a_one_line_error_and_exit_code_1(arguments: list[str]) -> None:
    result = run_cli(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert arguments[1] in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_malformed_query_is_an_error_without_traceback(built: Path) -> None:
    result = run_cli("query", str(built / "graph.ttl"), "SELEKT * { ?s ?p ?o }")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")


@pytest.mark.usefixtures("here")
def test_a_missing_query_file_is_named_in_the_error(built: Path) -> None:
    result = run_cli("query", str(built / "graph.ttl"), "gone.rq")
    assert result.exit_code == 1
    assert "gone.rq: cannot be read" in result.stderr


@pytest.mark.usefixtures("here")
def test_stats_prints_the_counts_that_build_reported() -> None:
    reported = run_cli("build", "papers.jsonl", "-o", "out", "-f", "ttl").stdout
    shown = run_cli("stats", "out/graph.ttl")
    assert shown.exit_code == 0
    assert reported.startswith(shown.stdout.rstrip())


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["ttl", "html", "json"])
def test_export_writes_the_same_bytes_as_build(built: Path, name: str) -> None:
    result = run_cli("export", str(built / "graph.ttl"), "-f", name, "-o", f"copy.{name}")
    assert result.exit_code == 0, result.stderr
    assert Path(f"copy.{name}").read_bytes() == (built / f"graph.{name}").read_bytes()


@pytest.mark.parametrize("output", ["table", "csv", "tsv", "json", "ttl"])
def test_query_prints_the_same_output_as_the_python_api_in_every_format(
    built: Path, output: str
) -> None:
    asked = "CONSTRUCT WHERE { ?p ckg:introduces ?e }"
    result = run_cli("query", str(built / "graph.ttl"), asked, "--format", output)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == query(built / "graph.ttl", asked).render(output)


def test_a_named_query_takes_parameter_values(built: Path) -> None:
    asked = ("query", str(built / "graph.ttl"), "@top-methods", "--format", "csv")
    assert "Kite Policy Search,2" in run_cli(*asked).stdout
    benchmarks = run_cli(*asked, "--set", "type=Benchmark", "--set", "limit=1").stdout.splitlines()
    assert len(benchmarks) == 2
    assert benchmarks[1].split(",")[0] in {"AIME 2024", "D4RL", "GSM8K"}


def test_the_named_queries_are_listed_without_a_graph() -> None:
    result = run_cli("query", "--list")
    assert (result.exit_code, result.stdout) == (0, f"{listing()}\n")


@pytest.mark.parametrize(
    ("arguments", "code", "reported"),
    [
        (["@top-method"], 1, "did you mean @top-methods"),
        (["@top-methods", "--set", "size=3"], 1, "it has type, limit"),
        (["@top-methods", "--set", "limit"], 2, "'limit': write NAME=VALUE"),
        (["ASK {}", "--set", "limit=1"], 1, "only be set in a named query"),
        (["ASK {}", "--timeout", "0"], 2, "--timeout"),
        (["SELECT * {\n ?s ?p }"], 1, "malformed query: line 2, column 8, near"),
        (["DELETE WHERE { ?s ?p ?o }"], 1, "updates are refused"),
    ],
)
def test_an_invalid_query_or_parameter_is_reported_in_the_last_line(
    built: Path, arguments: list[str], code: int, reported: str
) -> None:
    result = run_cli("query", str(built / "graph.ttl"), *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert reported in result.stderr.splitlines()[-1]


def test_a_query_that_exceeds_the_timeout_ends_the_program(built: Path) -> None:
    joined = " . ".join(f"?a{n} ?p{n} ?b{n}" for n in range(5))
    sparql = f"SELECT (COUNT(*) AS ?n) {{ {joined} FILTER(?b0 = 1 && ?b1 = ?b2) }}"
    command = [
        sys.executable,
        "-m",
        "citekg",
        "query",
        str(built / "graph.ttl"),
        sparql,
        "--timeout",
        "0.2",
    ]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("Error: the query took longer than 0.2 s")


# kg validate


@pytest.mark.parametrize("name", ["graph.ttl", "graph.json"])
def test_a_built_graph_is_valid(built: Path, name: str) -> None:
    result = run_cli("validate", str(built / name))
    assert (result.exit_code, result.stdout) == (0, f"{built / name}: valid\n")


@pytest.mark.usefixtures("here")
def test_an_invalid_graph_is_reported_in_the_output_and_by_the_exit_code(built: Path) -> None:
    text = (built / "graph.ttl").read_text(encoding="utf-8")
    Path("broken.ttl").write_text(
        text.replace('oa:exact "PPO"', 'oa:exact "PP0"'), encoding="utf-8"
    )
    result = run_cli("validate", "broken.ttl")
    assert result.exit_code == INVALID == 5
    assert "has the text 'PP0', but the paper has 'PPO'" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("broken.ttl: ")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("old", "new"),
    [("<https://w3id.org/", "<https://w3id org/"), ("@prefix ckg:", "@prefix ck g:")],
)
def test_a_file_that_is_not_rdf_is_an_error_with_the_line(built: Path, old: str, new: str) -> None:
    text = (built / "graph.ttl").read_text(encoding="utf-8")
    Path("broken.ttl").write_text(text.replace(old, new), encoding="utf-8")
    result = run_cli("validate", "broken.ttl")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: broken.ttl:")
    assert ": not ttl: " in result.stderr


# Split, compressed and aligned RDF


@pytest.mark.usefixtures("here")
def test_build_splits_and_compresses_rdf() -> None:
    result = run_cli(
        "build",
        "papers.jsonl",
        "-o",
        "out",
        "-f",
        "ttl",
        "-f",
        "json",
        "-f",
        "html",
        "--split",
        "--gz",
    )
    assert result.exit_code == 0, result.stderr
    names = ["graph.core.ttl.gz", "graph.html", "graph.json.gz", "graph.provenance.ttl.gz"]
    assert sorted(p.name for p in Path("out").glob("graph.*")) == names
    assert all(f"out/{name}" in result.stdout for name in names)
    assert vars(citekg.load("out/graph.core.ttl.gz")) == vars(citekg.load("out/graph.json.gz"))
    assert run_cli("validate", "out/graph.core.ttl.gz").exit_code == 0


@pytest.mark.usefixtures("here")
def test_export_splits_rdf_and_compresses_by_the_file_name(built: Path) -> None:
    assert (
        run_cli(
            "export", str(built / "graph.ttl"), "-f", "nt", "-o", "x.nt.gz", "--split"
        ).exit_code
        == 0
    )
    assert sorted(p.name for p in Path().glob("x.*")) == ["x.core.nt.gz", "x.provenance.nt.gz"]
    assert citekg.load("x.core.nt.gz") == citekg.load(built / "graph.ttl")


@pytest.mark.usefixtures("here")
def test_split_is_rejected_for_formats_other_than_rdf(built: Path) -> None:
    for arguments in (
        ["build", "papers.jsonl", "-o", "out"],
        ["export", str(built / "graph.ttl"), "-o", "x"],
    ):
        result = run_cli(*arguments, "-f", "json", "--split")
        assert result.exit_code == 2
        assert "--split has no effect in json: choose one of ttl, nt" in result.stderr
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("option", "value", "names"),
    [
        ("--base-iri", "https://x.example/", "json"),
        ("--evidence", "none", "json"),
        ("--align", None, "html, json"),
    ],
)
@pytest.mark.usefixtures("here")
def test_an_option_without_effect_in_a_format_is_reported(
    option: str, value: str | None, names: str
) -> None:
    given = [option, value] if value else [option]
    usual = run_cli("build", "papers.jsonl", "-o", "out", *given)
    assert (usual.exit_code, "has no effect" in usual.stderr) == (
        0,
        False,
    )  # the default formats give no warning
    result = run_cli(
        "build", "papers.jsonl", "-o", "out", "-f", "ttl", "-f", "html", "-f", "json", *given
    )
    assert result.exit_code == 0
    assert f"warning: {option} has no effect in {names}" in result.stderr.splitlines()
    refused = run_cli("build", "papers.jsonl", "-o", "no", "-f", "json", "-f", "gexf", *given)
    assert (refused.exit_code, f"{option} has no effect in json, gexf" in refused.stderr) == (
        2,
        True,
    )
    assert not Path("no").exists()


@pytest.mark.usefixtures("here")
def test_an_aligned_graph_can_be_queried_with_external_vocabularies(built: Path) -> None:
    asked = "ASK { ?p a lpwc:paper ; lpwcp:hasMethod/foaf:name 'Kite Policy Search' }"
    assert (
        run_cli("export", str(built / "graph.ttl"), "-f", "ttl", "-o", "x.ttl", "--align").exit_code
        == 0
    )
    assert run_cli("query", "x.ttl", asked).stdout == "yes\n"
    assert run_cli("query", str(built / "graph.ttl"), asked).stdout == "no\n"


@pytest.mark.usefixtures("here")
def test_python_save_compresses_by_the_file_name(built: Path) -> None:
    graph = citekg.load(built / "graph.ttl")
    for name in ("x.ttl.gz", "x.json.gz", "x.nt"):
        assert citekg.load(graph.save(name)) == graph
    assert Path("x.ttl.gz").read_bytes().startswith(b"\x1f\x8b")


# The same input gives the same bytes


def _built_bytes(folder: Path, seed: str, *inputs: str) -> dict[str, bytes]:
    command = [
        sys.executable,
        "-m",
        "citekg",
        "build",
        *inputs,
        "-o",
        str(folder),
        "-f",
        "ttl",
        "-f",
        "html",
        "-f",
        "json",
    ]
    environment = os.environ | {"PYTHONHASHSEED": seed}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return {p.name: p.read_bytes() for p in folder.glob("graph.*")}


def test_the_output_does_not_depend_on_run_hash_seed_or_order_of_inputs(here: Path) -> None:
    others = [
        {**GRPO, "id": f"x{n}", "title": f"Paper {n} on PPO and D4RL, with DPO"} for n in range(5)
    ]
    Path("more.jsonl").write_text("".join(json.dumps(p) + "\n" for p in others))
    Path("less.jsonl").write_text(
        "".join(json.dumps({**p, "venue": "Sky"}) + "\n" for p in others[:2])
    )
    inputs = ["papers.jsonl", "more.jsonl", "less.jsonl"]
    first = _built_bytes(here / "one", "0", *inputs)
    assert set(first) == {"graph.ttl", "graph.html", "graph.json"}
    assert _built_bytes(here / "two", "4711", *inputs[::-1]) == first


# Python


@pytest.mark.usefixtures("here")
def test_build_in_python_returns_a_graph_with_papers_and_links() -> None:
    graph = citekg.build(["papers.jsonl"])
    assert isinstance(graph, KnowledgeGraph)
    assert [p.id for p in graph.papers] == ["g1", "u1"]
    assert ("u1", "g1") in {(k.citing, k.cited) for k in graph.links}


@pytest.mark.usefixtures("here")
def test_build_in_python_accepts_a_single_input_layer_or_lexicon() -> None:
    Path("own.tsv").write_text(
        "name\ttype\taliases\tfamily\tflags\nZebrafold\tMethod\t\t\t\n", encoding="utf-8"
    )
    several = citekg.build(["papers.jsonl"], layers=["lexicon"], lexicons=["own.tsv"])
    assert citekg.build("papers.jsonl", layers="lexicon", lexicons="own.tsv") == several
    assert citekg.build(Path("papers.jsonl"), layers="lexicon", lexicons=Path("own.tsv")) == several


@pytest.mark.usefixtures("here")
def test_build_in_python_raises_a_problem_unless_on_problem_is_given() -> None:
    from citekg.schemas.errors import InputError

    with pytest.raises(InputError, match=r"gone\.txt: there is no such file or folder"):
        citekg.build(["papers.jsonl", "gone.txt"])
    problems: list[str] = []
    graph = citekg.build(
        [Path("papers.jsonl"), "gone.txt"], on_problem=lambda problem: problems.append(str(problem))
    )
    assert problems == ["gone.txt: there is no such file or folder"]
    assert len(graph.papers) == 2
