"""Tables: as text, CSV, Markdown and LaTeX, and how commands fit them into a terminal."""

from __future__ import annotations

import csv
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from citekg.cli.main import main
from citekg.graph.graph import Graph
from citekg.text_table import RENDERED, Table
from tests.sample import QUILL, records, sample_graph

CODE = re.compile(r"\x1b\[[0-9;]*m")
WIDE = Table(
    "Wide", ("name", "count"), (("强化学习", "1"), ("a_b & 50% | {x}~^\\", "22")), note="2 rows"
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Graph.of(**records(sample_graph())).save(tmp_path_factory.mktemp("graph") / "graph.json")


def on_terminal(width: int, *arguments: object, **environment: str) -> str:
    """Return the output of a command on a terminal with this number of columns."""
    parent_end, child_end = pty.openpty()
    fcntl.ioctl(child_end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    unset = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE"}
    variables = (
        {k: v for k, v in os.environ.items() if k not in unset}
        | {"TERM": "xterm-256color"}
        | environment
    )
    command = [sys.executable, "-m", "citekg", *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=child_end, stdout=child_end, stderr=child_end, env=variables
    ) as running:
        os.close(child_end)
        printed = b""
        while True:
            try:
                read = os.read(parent_end, 65536)
            except OSError:  # the process has closed the terminal
                break
            if not read:
                break
            printed += read
    os.close(parent_end)
    assert running.returncode == 0, printed
    return printed.decode().replace("\r\n", "\n")


def run(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


TITLES = "SELECT ?title ?date { ?p a schema:ScholarlyArticle ; dcterms:title ?title ; dcterms:date ?date } ORDER BY ?date"


@pytest.mark.parametrize("width", [30, 45, 80])
def test_a_table_is_truncated_to_the_width_of_the_terminal(file: Path, width: int) -> None:
    lines = CODE.sub("", on_terminal(width, "query", file, TITLES)).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    assert len(lines) == 7, "a line for each row, the header, the rule and the count"
    assert any("…" in line for line in lines) == (width < 60)
    assert any("2024-01-02" in line for line in lines), "short columns stay whole"


def test_full_wraps_long_cells_without_truncation(file: Path) -> None:
    shown = CODE.sub("", on_terminal(40, "query", file, TITLES, "--full"))
    assert all(cell_len(line) <= 40 for line in shown.splitlines())
    assert "…" not in shown
    assert all(word in shown for word in QUILL.title.split())


def test_a_table_in_a_pipe_is_neither_truncated_nor_coloured(file: Path) -> None:
    assert QUILL.title in run("query", file, TITLES)
    assert "\x1b" not in run("query", file, TITLES)
    assert run("query", file, TITLES, "--full") == run("query", file, TITLES)


def test_terminal_output_has_colour_unless_the_environment_disables_it(file: Path) -> None:
    colours = re.compile(r"\x1b\[[0-9;]*3\d(?:;|m)")
    assert colours.search(on_terminal(80, "influence", file))
    assert not colours.search(on_terminal(80, "influence", file, NO_COLOR="1"))
    assert not CODE.search(on_terminal(80, "influence", file, TERM="dumb"))


@pytest.mark.parametrize("command", [["influence"], ["influence", "--papers"], ["co-use"]])
def test_tables_of_influence_and_co_use_fit_the_width_of_the_terminal(
    file: Path, command: list[str]
) -> None:
    lines = CODE.sub("", on_terminal(36, command[0], file, *command[1:])).splitlines()
    assert all(cell_len(line) <= 36 for line in lines)


def test_control_characters_of_a_graph_are_replaced_in_terminal_output(tmp_path: Path) -> None:
    (tmp_path / "hostile.ttl").write_text(
        '<a:a> <http://purl.org/dc/terms/title> "red \\u001B[31m and \\u202E back" .'
    )
    shown = on_terminal(80, "query", tmp_path / "hostile.ttl", "SELECT ?t { ?p dcterms:title ?t }")
    assert "red [31m and  back" in CODE.sub("", shown)


def test_text_tables_are_aligned_by_display_width() -> None:
    assert WIDE.text().splitlines() == [
        "Wide",
        "name                count",
        "──────────────────  ─────",
        "强化学习                1",
        "a_b & 50% | {x}~^\\     22",
        "2 rows",
    ]


def test_special_characters_are_escaped_as_the_table_format_requires() -> None:
    assert WIDE.render("csv").splitlines()[2] == "a_b & 50% | {x}~^\\,22"
    assert WIDE.render("md").splitlines() == [
        "| name | count |",
        "| --- | ---: |",
        "| 强化学习 | 1 |",
        "| a_b & 50% \\| {x}~^\\ | 22 |",
    ]
    latex = WIDE.render("latex")
    assert latex.startswith(
        "\\begin{tabular}{lr}\n\\hline\nname & count \\\\\n\\hline\n强化学习 & 1 \\\\\n"
    )
    assert (
        r"a\_b \& 50\% | \{x\}\textasciitilde{}\textasciicircum{}\textbackslash{} & 22 \\" in latex
    )
    assert latex.endswith("\\hline\n\\end{tabular}")


@pytest.mark.parametrize("name", RENDERED)
@pytest.mark.parametrize(
    "command", [["influence"], ["co-use"], ["query", "@top-methods"], ["stats"]]
)
def test_tables_of_commands_are_printed_in_every_format(
    file: Path, command: list[str], name: str
) -> None:
    printed = run(command[0], file, *command[1:], "--format", name)
    assert "Quill" in printed
    sign = {"csv": ",", "tsv": "\t", "md": " | ", "latex": " & "}.get(name, "  ")
    assert len({line.count(sign) > 0 for line in printed.splitlines() if "Quill" in line}) == 1
    if name == "csv":
        assert len({len(row) for row in csv.reader(printed.splitlines())}) == 1


def test_the_option_json_equals_the_format_json(file: Path) -> None:
    for command in ("influence", "co-use", "stats"):
        assert json.loads(run(command, file, "--format", "json")) == json.loads(
            run(command, file, "--json")
        )
