"""Processes in tests: find those of a session, and wait for their end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress

import psutil


def of_session(session: int) -> list[psutil.Process]:
    """Return the processes of a session."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError):
            if os.getsid(process.pid) == session:
                found.append(process)
    return found


def still_running(processes: Iterable[psutil.Process], seconds: float = 60) -> list[psutil.Process]:
    """Return the processes that have not ended in time; a zombie counts as ended."""
    until = time.monotonic() + seconds
    while (left := [*filter(_runs, processes)]) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
