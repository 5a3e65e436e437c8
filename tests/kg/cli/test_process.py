"""The process of `kg` ends without freeing its objects, but otherwise like any Python process."""

import subprocess
import sys
from pathlib import Path

import pytest

#: A program in which the command `kg` is replaced by a function with the given body.
_PROGRAM = """
import atexit, sys
from citekg.cli import process

class Noisy:
    def __del__(self):
        print("freed", flush=True)

def command(prog_name):
    global kept
    kept = Noisy()
    atexit.register(print, "called at exit")
    print("output")
    {body}

process.main = command
process.run()
"""


def _run(body: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _PROGRAM.format(body=body)]
    return subprocess.run(command, text=True, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("status", [0, 1, 130])
def test_the_process_ends_with_the_status_of_the_command(status: int) -> None:
    assert _run(f"sys.exit({status})", stdout=subprocess.DEVNULL).returncode == status


def test_buffered_output_is_written_and_other_exit_functions_run(tmp_path: Path) -> None:
    with (tmp_path / "output").open("w") as file:
        _run("sys.exit(0)", stdout=file)
    assert (tmp_path / "output").read_text() == "output\ncalled at exit\n"


def test_an_exception_ends_the_process_as_in_python() -> None:
    ended = _run("raise ValueError('a fault')", capture_output=True)
    assert ended.returncode == 1
    assert ended.stderr.endswith("ValueError: a fault\n")
    assert ended.stdout == "output\ncalled at exit\nfreed\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_at_the_end_is_an_error() -> None:
    with Path("/dev/full").open("w") as full:
        ended = _run("sys.exit(0)", stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode != 0
    assert "No space left on device" in ended.stderr
