"""Shells complete the names of commands, formats, services and queries."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from citekg.cli.main import main
from citekg.exports import EXPORTERS
from citekg.fetching import SERVICES
from citekg.graph.graph import Graph
from citekg.queries import query, store
from citekg.schemas.records import Entity
from tests.paths import ROOT
from tests.sample import records, sample_graph

BASH = shutil.which("bash")


def write_kg_program(folder: Path) -> None:
    """Write an executable `kg` into a folder."""
    program = folder / "kg"
    program.write_text(
        f"#!/bin/sh\nexec '{sys.executable}' -c 'from citekg.cli.main import main; main(prog_name=\"kg\")' \"$@\"\n"
    )
    program.chmod(0o755)


def bash_completions(tmp_path: Path, *words: str) -> list[str]:
    """Return the completions of a real bash for the last word of a command line of kg."""
    write_kg_program(tmp_path)
    script = f"""
        export PATH="{tmp_path}:$PATH"
        eval "$(kg completion bash)"
        [[ $(complete -p kg) == *_kg_completion* ]] || exit 9
        COMP_WORDS=(kg {" ".join(f"'{word}'" for word in words)}) COMP_CWORD={len(words)}
        COMP_LINE="kg {" ".join(words)}" COMP_POINT={len("kg " + " ".join(words))}
        _kg_completion kg "${{COMP_WORDS[-1]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        [str(BASH), "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.skipif(not BASH, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("bu",), ["build"]),
        (("build", "papers.jsonl", "-f", ""), list(EXPORTERS)),
        (("export", "graph.ttl", "-f", "gra"), ["graphml"]),
        (("fetch", ""), list(SERVICES)),
        (("query", "graph.ttl", "@top"), ["@top-methods"]),
        (("build", "--dec"), ["--decisions"]),
    ],
)
def test_bash_completes_commands_options_and_values(
    words: tuple[str, ...], offered: list[str], tmp_path: Path
) -> None:
    assert bash_completions(tmp_path, *words) == offered


@pytest.mark.skipif(not BASH, reason="bash is not installed")
def test_bash_completes_a_line_typed_at_an_interactive_prompt(tmp_path: Path) -> None:
    longer = Entity("longer", "Fledge Longer Than Before", "Method")
    Graph.of(**records(sample_graph()) | {"entities": (*sample_graph().entities, longer)}).save(
        tmp_path / "graph.json"
    )
    typed = {
        "query . @top": "query . @top-methods ",
        "show . 'Fledge L": "show . 'Fledge Longer Than Before' ",
        "show . Fledge\\ L": "show . Fledge\\ Longer\\ Than\\ Before ",
        "influence . --format=la": "influence . --format=latex ",
        "build graph.js": "build graph.json ",
    }
    for line, expected in typed.items():
        assert completed_line(tmp_path, f"kg {line}") == f"kg {expected}"


#: Startup file of a bash that completes kg; Ctrl+X w writes the current line to a file.
PROMPT = r"""
eval "$(kg completion bash)"
save() { printf %s "$READLINE_LINE" > line.part; mv line.part line; }
bind -x '"\C-xw": save'
PS1=READY
"""


def completed_line(folder: Path, line: str) -> str:
    """Return the command line of an interactive bash in this folder after the tab key."""
    write_kg_program(folder)
    (folder / "line").unlink(missing_ok=True)
    (folder / "rc").write_text(PROMPT)
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(folder)
        variables = os.environ | {
            "PATH": f"{folder}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "TERM": "dumb",
        }
        os.execve(
            str(BASH), ["bash", "--noprofile", "--rcfile", str(folder / "rc"), "-i"], variables
        )
    output = b""
    while b"READY" not in output:
        output += os.read(terminal, 65536)
    os.write(terminal, f"{line}\t\x18w".encode())
    for _ in range(600):
        if (folder / "line").exists():
            break
        time.sleep(0.1)
    os.write(terminal, b"\x15exit\n")
    with suppress(OSError):
        while os.read(terminal, 65536):
            pass
    os.close(terminal)
    os.waitpid(pid, 0)
    return (folder / "line").read_text()


@pytest.mark.parametrize(
    ("words", "begun"),
    [
        (["evaluate"], "examples/pa"),
        (["fetch", "--complete"], "refs.b"),
        (["lexicon", "import", "one.json"], "two"),
        (["query", "graph.ttl"], "questions/"),
        (["export", "graph.ttl", "-o"], "co"),
        (["show"], "out/gr"),
        (["build"], "papers/so"),
        (["build", "one.jsonl"], "tw"),
        (["extract"], "pap"),
        (["query"], "ou"),
    ],
)
def test_shells_complete_file_names(words: list[str], begun: str) -> None:
    found = ShellComplete(main, {}, "kg", "_KG_COMPLETE").get_completions(words, begun)
    assert [(item.type, item.value) for item in found] == [("file", begun)]


@pytest.mark.parametrize("ending", ["json", "json.gz", "ttl"])
@pytest.mark.parametrize("before", [["show"], ["path"], ["path", "PPO"]])
def test_shells_complete_entity_names_of_the_graph_on_the_command_line(
    tmp_path: Path, before: list[str], ending: str
) -> None:
    file = Graph.of(**records(sample_graph())).save(tmp_path / f"graph.{ending}")
    words = [before[0], str(file), *before[1:]]
    assert offered(words, "Hum") == ["HumanEval", "HumanEval+"]
    assert offered(words, "qu") == ["Quill"], "another case, where no name begins so"
    assert offered([before[0], str(tmp_path), *before[1:]], "Nest") == ["NestBench"]


def test_shells_complete_at_most_fifty_names_and_none_of_an_invalid_graph(
    tmp_path: Path,
) -> None:
    many = [Entity(f"e{n}", f"Lark {n:03}", "Method") for n in range(60)]
    file = Graph.of(
        **records(sample_graph()) | {"entities": (*sample_graph().entities, *many)}
    ).save(tmp_path / "graph.json")
    assert offered(["show", str(file)], "Lark") == [f"Lark {n:03}" for n in range(50)]
    for content in ("{}", "[1]", "hello", ""):
        file.write_text(content)
        assert offered(["show", str(file)], "Lark") == []
    assert offered(["show", str(tmp_path / "none.ttl")], "Lark") == []


def test_names_of_a_large_graph_are_completed_only_from_its_cached_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Graph.of(**records(sample_graph())).save(tmp_path / "graph.ttl")
    monkeypatch.setattr(store, "MIN_CACHED_BYTES", 1)
    monkeypatch.setattr(store, "_MAX_QUICK_BYTES", 1)
    assert offered(["show", str(file)], "Nest") == []
    query(file, "ASK {}")
    assert offered(["show", str(file)], "Nest") == ["NestBench"]


def offered(words: list[str], begun: str) -> list[str]:
    return [
        item.value
        for item in ShellComplete(main, {}, "kg", "_KG_COMPLETE").get_completions(words, begun)
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_bash_zsh_and_fish(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert f"_KG_COMPLETE={shell}_complete" in result.output
