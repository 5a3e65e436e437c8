"""CI installs pinned versions, and runs the commands of the README unchanged."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.paths import ROOT

PINS = (
    (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8")
    if (ROOT / ".ci").exists()
    else ""
)
pytestmark = pytest.mark.skipif(not PINS, reason="the pins are not part of the package")


def test_every_line_pins_one_version() -> None:
    lines = [line for line in PINS.splitlines() if not line.startswith("#")]
    assert len(lines) > 80
    assert not [
        line for line in lines if not re.match(r"[a-z0-9.-]+==[0-9][0-9a-z.]*( ; .+)?$", line)
    ]


@pytest.fixture
def project() -> dict[str, Any]:
    """The project table of pyproject.toml."""
    tomllib = pytest.importorskip("tomllib", reason="tomllib came with Python 3.11")
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    return table


def names(requirements: list[str]) -> set[str]:
    """Return the distribution names of a list of requirements."""
    return {re.split(r"[^A-Za-z0-9_.-]", requirement)[0].lower() for requirement in requirements}


def extras_of_all(project: dict[str, Any]) -> set[str]:
    """Return the extras that `citekg[all]` installs."""
    (found,) = project["optional-dependencies"]["all"]
    extras = re.fullmatch(r"citekg\[([\w,]+)\]", found)
    assert extras
    return {*extras[1].split(",")}


def test_the_dependencies_and_the_extras_of_all_are_pinned(project: dict[str, Any]) -> None:
    extras = [project["optional-dependencies"][extra] for extra in extras_of_all(project)]
    for name in names([*project["dependencies"], *(one for extra in extras for one in extra)]) - {
        "citekg"
    }:
        assert re.search(rf"^{re.escape(name)}==", PINS, re.MULTILINE), (
            f"renew .ci/constraints.txt for {name}"
        )


def test_the_base_dependencies_include_the_bibtex_ris_and_xml_parsers(
    project: dict[str, Any],
) -> None:
    assert names(project["dependencies"]) >= {"bibtexparser", "defusedxml", "rispy"}
    assert "sources" not in project["optional-dependencies"]


def test_the_extra_all_contains_exactly_the_extras_for_users(
    project: dict[str, Any],
) -> None:
    left_out = {"accurate", "all", "dev", "docs", "fuzz", "igraph", "test", "train"}
    assert extras_of_all(project) == {*project["optional-dependencies"]} - left_out


def test_ci_runs_the_test_command_of_the_readme_under_the_pins() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.index("PIP_CONSTRAINT=") < script.index(
        "grep -m1 -E '^python3 -m venv .*pytest' README.md"
    )
