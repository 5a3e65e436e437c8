"""Real triple stores on localhost for tests, each in a separate folder; `None` if not installed."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

OXIGRAPH = shutil.which("oxigraph", path=f"{Path(sys.executable).parent}") or shutil.which(
    "oxigraph"
)
VIRTUOSO = shutil.which("virtuoso-t")

_CONFIGURATION = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
[TempDatabase]
DatabaseFile = temp.db
TransactionFile = temp.trx
[Parameters]
ServerPort = 127.0.0.1:{inner}
DisableUnixSocket = 1
NumberOfBuffers = 10000
MaxDirtyBuffers = 7500
[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerRoot = .
ServerThreads = 5
"""


@contextmanager
def oxigraph(folder: Path) -> Iterator[str]:
    """The address of an Oxigraph server that keeps its data in the folder."""
    port = _free_port()
    command = [str(OXIGRAPH), "serve", "--location", str(folder), "--bind", f"127.0.0.1:{port}"]
    with _running(command, folder, f"http://127.0.0.1:{port}") as address:
        yield address


@contextmanager
def virtuoso(folder: Path) -> Iterator[str]:
    """The address of a Virtuoso server; the account and the password are both `dba`."""
    port, inner = _free_port(), _free_port()
    (folder / "virtuoso.ini").write_text(_CONFIGURATION.format(port=port, inner=inner))
    command = [str(VIRTUOSO), "+foreground", "+configfile", "virtuoso.ini"]
    with _running(command, folder, f"http://127.0.0.1:{port}") as address:
        yield address


@contextmanager
def _running(command: list[str], folder: Path, address: str) -> Iterator[str]:
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    try:
        _wait(process, address)
        yield address
    finally:
        process.kill()
        process.wait()


def _wait(process: subprocess.Popen[bytes], address: str, seconds: float = 100) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            requests.get(f"{address}/sparql", timeout=5)
        except requests.ConnectionError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{process.args!r} did not start")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
