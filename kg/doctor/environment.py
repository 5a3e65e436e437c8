"""Checks of the environment: cores, memory, thread limits, encodings, folders, browser."""

from __future__ import annotations

import locale
import os
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from citekg.doctor.findings import ABSENT, Finding
from citekg.threads import ONE_THREAD

_GB = 1_000_000_000


def machine() -> Iterator[Finding]:
    """Yield cores, memory and the variables that limit numpy to one thread."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield Finding("cores", f"{usable} of {os.cpu_count()}")
    yield Finding("memory", _memory())
    threads = " ".join(f"{name}={os.environ[name]}" for name in ONE_THREAD if name in os.environ)
    yield Finding("threads", threads or "not limited")


def texts() -> Iterator[Finding]:
    """Yield the encodings of the terminal, of file names and of the locale."""
    encoding = sys.stdout.encoding or "unknown"
    narrow = not encoding.lower().replace("-", "").startswith("utf8")
    advice = (
        "set PYTHONIOENCODING=utf-8, or names in other scripts cannot be printed" if narrow else ""
    )
    yield Finding("output", encoding, ABSENT if narrow else "ok", advice)
    yield Finding("file names", sys.getfilesystemencoding())
    yield Finding("locale", " ".join(filter(None, locale.getlocale())) or "C")


def folders() -> Iterator[Finding]:
    """Yield whether the folders are writable, and their free space."""
    with tempfile.NamedTemporaryFile(prefix="kg-doctor-") as file:
        file.write(b"\0")
        file.flush()
    for name, folder in (
        ("temporary folder", Path(tempfile.gettempdir())),
        ("this folder", Path.cwd()),
    ):
        free = shutil.disk_usage(folder).free / _GB
        writable = "" if os.access(folder, os.W_OK) else ", cannot be written"
        yield Finding(name, f"{folder}, {free:.1f} GB free{writable}")


def browser() -> Iterator[Finding]:
    """Yield the browser that `kg view` opens."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        yield Finding("browser", "none", ABSENT, "kg view then only prints the path of the page")
    else:
        yield Finding("browser", getattr(found, "name", "") or type(found).__name__)


def _memory() -> str:
    with suppress(AttributeError, ValueError, OSError):
        page = os.sysconf("SC_PAGE_SIZE")
        whole, free = (
            page * os.sysconf(name) / _GB for name in ("SC_PHYS_PAGES", "SC_AVPHYS_PAGES")
        )
        return f"{whole:.1f} GB, {free:.1f} GB free"
    return "unknown"
