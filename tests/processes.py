"""What tests ask of processes: which belong together, and which still run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress

import psutil


def of_session(session: int) -> list[psutil.Process]:
    """The processes of a session, that of its leader and those that it started."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError):
            if os.getsid(process.pid) == session:
                found.append(process)
    return found


def still_running(processes: Iterable[psutil.Process], seconds: float = 60) -> list[psutil.Process]:
    """Those that have not ended within so many seconds; one that nobody fetches has ended all the same."""
    until = time.monotonic() + seconds
    while (left := [*filter(_runs, processes)]) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
