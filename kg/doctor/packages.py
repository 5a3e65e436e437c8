"""Which Python runs, and which of the libraries that citekg names are installed."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import citekg
from citekg.doctor.findings import ABSENT, BROKEN, Finding

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_OLDEST: Final = (3, 10)
#: Extras that only developers need, and the one that only joins others.
NOT_LISTED: Final = frozenset({"all", "dev", "docs", "fuzz", "test", "train"})


def interpreter() -> Iterator[Finding]:
    """Python, the system, citekg and where it lies."""
    told = f"{platform.python_implementation()} {platform.python_version()}"
    old = sys.version_info < _OLDEST
    yield Finding("Python", told, BROKEN if old else "ok", "install Python 3.10 or newer" if old else "")
    yield Finding("system", platform.platform())
    yield Finding("citekg", f"{version('citekg')}, in {Path(citekg.__file__).parents[1]}")


def needed() -> Iterator[Finding]:
    """The libraries that every installation has."""
    for requirement, extra in _requirements():
        if not extra:
            yield _found(requirement, BROKEN, f"pip install '{requirement.name}{requirement.specifier}'")


def optional() -> Iterator[Finding]:
    """The libraries of the extras that users need, each once, with the first extra that brings it."""
    listed = {requirement.name for requirement, extra in _requirements() if not extra}
    for requirement, extra in _requirements():
        if requirement.name not in listed:
            listed.add(requirement.name)
            yield _found(requirement, ABSENT, f"pip install 'citekg[{extra}]'")


def _found(requirement: Requirement, otherwise: Literal["absent", "broken"], advice: str) -> Finding:
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return Finding(requirement.name, "not installed", otherwise, advice)
    if requirement.specifier.contains(installed, prereleases=True):
        return Finding(requirement.name, installed)
    return Finding(requirement.name, f"{installed}, where {requirement.specifier} is needed", BROKEN, advice)


def _requirements() -> Iterator[tuple[Requirement, str]]:
    """Each library that citekg names for this Python and system, with its extra or an empty text."""
    from packaging.requirements import Requirement

    extras = ("", *sorted({*(metadata("citekg").get_all("Provides-Extra") or ())} - NOT_LISTED))
    for requirement in map(Requirement, requires("citekg") or ()):
        marker = requirement.marker
        fitting = [extra for extra in extras if marker is None or marker.evaluate({"extra": extra})]
        if fitting and requirement.name != "citekg":
            yield requirement, fitting[0]
