"""Checks of the Python version and of the installed dependencies."""

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

_MIN_PYTHON: Final = (3, 10)
#: Extras for developers, and `all`, which only combines others.
NOT_LISTED: Final = frozenset({"all", "dev", "docs", "fuzz", "test", "train"})


def interpreter() -> Iterator[Finding]:
    """Yield the versions of Python, the operating system and citekg, and the path of citekg."""
    value = f"{platform.python_implementation()} {platform.python_version()}"
    old = sys.version_info < _MIN_PYTHON
    yield Finding(
        "Python", value, BROKEN if old else "ok", "install Python 3.10 or newer" if old else ""
    )
    yield Finding("system", platform.platform())
    yield Finding("citekg", f"{version('citekg')}, in {Path(citekg.__file__).parents[1]}")


def needed() -> Iterator[Finding]:
    """Yield the required dependencies."""
    for requirement, extra in _requirements():
        if not extra:
            advice = f"pip install '{requirement.name}{requirement.specifier}'"
            yield _version_finding(requirement, BROKEN, advice)


def optional() -> Iterator[Finding]:
    """Yield the dependencies of the extras for users, each once, with its first extra."""
    listed = {requirement.name for requirement, extra in _requirements() if not extra}
    for requirement, extra in _requirements():
        if requirement.name not in listed:
            listed.add(requirement.name)
            yield _version_finding(requirement, ABSENT, f"pip install 'citekg[{extra}]'")


def _version_finding(
    requirement: Requirement, if_missing: Literal["absent", "broken"], advice: str
) -> Finding:
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return Finding(requirement.name, "not installed", if_missing, advice)
    if requirement.specifier.contains(installed, prereleases=True):
        return Finding(requirement.name, installed)
    return Finding(
        requirement.name, f"{installed}, where {requirement.specifier} is needed", BROKEN, advice
    )


def _requirements() -> Iterator[tuple[Requirement, str]]:
    """Yield the dependencies for this Python and system, each with its extra or an empty string."""
    from packaging.requirements import Requirement

    extras = ("", *sorted({*(metadata("citekg").get_all("Provides-Extra") or ())} - NOT_LISTED))
    for requirement in map(Requirement, requires("citekg") or ()):
        marker = requirement.marker
        fitting = [extra for extra in extras if marker is None or marker.evaluate({"extra": extra})]
        if fitting and requirement.name != "citekg":
            yield requirement, fitting[0]
