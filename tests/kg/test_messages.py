"""Every failure gives a one-line message with advice and a documented exit code."""

from __future__ import annotations

import errno
import inspect
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from citekg.cli import exit_codes
from citekg.cli.main import main
from citekg.messages import error_message, one_line
from citekg.schemas import errors
from tests.kg.papers import GRPO

DOCS = Path(__file__).parents[2] / "docs"
KG = [sys.executable, "-m", "citekg"]

Failing = Callable[..., Result]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    """A function that runs the command `fail`, which raises the given error."""

    def run(error: BaseException, *options: str) -> Result:
        @click.command()
        def fail() -> None:
            raise error

        monkeypatch.setitem(main.commands, "fail", fail)
        return CliRunner().invoke(main, [*options, "fail"])

    return run


def errors_of_citekg() -> list[BaseException]:
    """Return one error of each class; each required argument is a text with a line break."""
    kinds = [
        k
        for k in vars(errors).values()
        if isinstance(k, type) and issubclass(k, errors.CitekgError)
    ]
    return [kind(*["no\nway"] * len(_required_parameters(kind))) for kind in kinds]


def _required_parameters(kind: type) -> list[str]:
    if kind.__init__ is Exception.__init__:  # type: ignore[misc]
        return ["message"]
    parameters = inspect.signature(kind).parameters.values()
    return [
        p.name for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]


@pytest.mark.parametrize("error", errors_of_citekg(), ids=lambda error: type(error).__name__)
def test_every_citekg_error_gives_one_line_and_exit_code_1(
    failing: Failing, error: BaseException
) -> None:
    result = failing(error)
    assert result.exit_code == exit_codes.FAILED
    assert re.fullmatch(r"Error: [^\n]+\n", result.stderr)
    assert "Traceback" not in result.output


FAULTS = [
    (OSError(errno.ENOSPC, "No space left on device", "g.ttl"), "g.ttl: No space left on device: free some space"),
    (OSError(errno.EROFS, "Read-only file system", "/x"), "/x: Read-only file system: choose a writable folder"),
    (PermissionError(errno.EACCES, "Permission denied", "secret"), "secret: Permission denied: change its permissions"),
    (OSError(errno.EIO, "Input/output error"), "Input/output error: kg --debug"),
    (MemoryError(), "not enough memory"),
    (RecursionError("maximum depth"), "nested too deeply"),
    (UnicodeEncodeError("ascii", "ä", 0, 1, "ordinal not in range"), "set PYTHONIOENCODING=utf-8"),
    (ModuleNotFoundError("No module named 'x'"), "kg doctor"),
    (ZeroDivisionError("division\nby zero"), "a bug in kg, ZeroDivisionError: division by zero; kg --debug"),
    (KeyError("x"), "a bug in kg, KeyError"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "reported"), FAULTS, ids=lambda case: type(case).__name__)
def test_every_other_exception_gives_one_line_with_advice(
    failing: Failing, error: BaseException, reported: str
) -> None:
    result = failing(error)
    assert result.exit_code == exit_codes.FAILED
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert reported in result.stderr


@pytest.mark.parametrize("error", [ValueError("odd"), errors.GraphError("odd")])
def test_only_debug_mode_shows_a_traceback(
    failing: Failing, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Traceback" not in failing(error).stderr
    reported = failing(error, "--debug").stderr
    assert reported.startswith("Traceback")
    assert reported.splitlines()[-1].startswith("Error: ")
    monkeypatch.setenv("KG_DEBUG", "1")
    assert "Traceback" in failing(error).stderr


def test_messages_have_no_control_characters_and_a_limited_length() -> None:
    assert one_line("a\x1b]0;owned\x07\x9b2J\u2028b\u202ec") == "a ]0;owned 2J b c"
    assert len(one_line("x" * 100_000)) < 3_000
    assert error_message(errors.GraphError("x\x1b[31m")) == "x [31m"


def test_an_interrupt_shows_no_traceback(failing: Failing) -> None:
    result = failing(KeyboardInterrupt())
    assert (result.exit_code, result.stdout, result.stderr) == (
        exit_codes.STOPPED,
        "",
        "Stopped.\n",
    )


def test_an_interrupt_stops_a_program_that_waits_for_input() -> None:
    listens = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a parent process may ignore the signal
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", buffering=0) as writer, os.fdopen(reading) as reader:
        writer.write(b"\n")
        process = subprocess.Popen(
            [sys.executable, "-c", f"{listens}; from citekg.cli.main import main; main(['extract', '-'])"],
            stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        while select.select([reader], [], [], 0)[0]:  # the process has not started to read
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        printed, message = process.communicate()
        assert (printed, message.startswith("Stopped. "), message.count("\n")) == ("", True, 1)
        assert process.returncode == exit_codes.STOPPED


def test_a_closed_output_pipe_is_not_an_error(tmp_path: Path) -> None:
    import json

    papers = tmp_path / "papers.jsonl"
    papers.write_text(
        "".join(json.dumps(GRPO | {"id": f"g{n}", "title": f"{n}"}) + "\n" for n in range(60))
    )
    process = subprocess.Popen(
        [*KG, "extract", str(papers)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait()
    process.stderr.close()


def test_the_error_of_unencodable_output_names_the_variable_to_set() -> None:
    paper = '{"title": "強化学習 with PPO", "abstract": "We use PPO."}'
    done = subprocess.run(
        [*KG, "extract", "-"],
        input=paper.encode(),
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == exit_codes.FAILED
    assert b"set PYTHONIOENCODING=utf-8" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_the_exit_codes_are_reported_by_the_help_and_the_documentation() -> None:
    reported = CliRunner().invoke(main, ["--help"]).stdout
    documented = (DOCS / "robustness.md").read_text(encoding="utf-8")
    for code, meaning in exit_codes.EXITS.items():
        assert re.search(rf"^ *{code} +{re.escape(meaning)}$", reported, re.MULTILINE)
        assert f"| {code} | {meaning} |" in documented
