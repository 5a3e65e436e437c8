"""Which Python runs, and which of the libraries that citekg names are installed."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

import kg
from kg.diagnosis.findings import ABSENT, BROKEN, Finding

_OLDEST: Final = (3, 10)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA: Final = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")
#: Extras that only developers need.
_NOT_FOR_USERS: Final = {"test", "train", "dev"}


def interpreter() -> Iterator[Finding]:
    """Python, the system, citekg and where it lies."""
    told = f"{platform.python_implementation()} {platform.python_version()}"
    old = sys.version_info < _OLDEST
    yield Finding("Python", told, BROKEN if old else "ok", "install Python 3.10 or newer" if old else "")
    yield Finding("system", platform.platform())
    yield Finding("citekg", f"{version('citekg')}, in {Path(kg.__file__).parents[1]}")


def needed() -> Iterator[Finding]:
    """The libraries that every installation has."""
    for name, extra in _requirements():
        if not extra:
            yield _found(name, BROKEN, f"pip install {name}")


def optional() -> Iterator[Finding]:
    """The libraries of the extras."""
    for name, extra in _requirements():
        if extra and extra not in _NOT_FOR_USERS and name != "citekg":
            yield _found(name, ABSENT, f"pip install 'citekg[{extra}]'")


def _found(name: str, otherwise: str, advice: str) -> Finding:
    try:
        return Finding(name, version(name))
    except PackageNotFoundError:
        return Finding(name, "not installed", BROKEN if otherwise == BROKEN else ABSENT, advice)


def _requirements() -> Iterator[tuple[str, str]]:
    """Each library that citekg names, with its extra or an empty text."""
    for requirement in requires("citekg") or ():
        named, extra = _NAME.match(requirement), _EXTRA.search(requirement)
        if named:
            yield named[0], extra[1] if extra else ""
