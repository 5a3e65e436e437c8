"""`kg doctor` reports the state of each part with advice, and failures by its exit code."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import tempfile
import webbrowser
from email import message_from_string
from importlib.metadata import FileHash, PackageNotFoundError, PackagePath
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from click.testing import CliRunner

from citekg.cli.exit_codes import FAILED, OK
from citekg.cli.main import main
from citekg.doctor import environment, model, packages, storing
from citekg.doctor.findings import ABSENT, BROKEN

if TYPE_CHECKING:
    import pyoxigraph

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_the_report_of_a_working_installation_has_no_failures() -> None:
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == OK, result.output
    for reported in (
        "Python ",
        "numpy",
        "tagger.npz",
        "self-test",
        "opens and answers",
        "cores",
        "temporary folder",
    ):
        assert reported in result.stdout
    assert not [line for line in result.stdout.splitlines() if line.startswith("!")]


def test_the_report_is_available_as_json() -> None:
    reported = json.loads(CliRunner().invoke(main, ["doctor", "--json"]).stdout)
    assert list(reported) == ["Packages", "Model", "Store", "Environment"]
    assert {tuple(finding) for part in reported.values() for finding in part} == {
        ("name", "value", "state", "advice")
    }
    assert {finding["state"] for part in reported.values() for finding in part} <= {"ok", "absent"}


def test_a_missing_dependency_is_broken_and_a_missing_optional_one_is_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def version(name: str) -> str:
        if name in {"numpy", "igraph", "tomli"}:
            raise PackageNotFoundError(name)
        return "1.0"

    named = [
        "numpy>=1.24",
        "click>=0.9",
        "rich>=13",
        "tomli; python_version < '3'",
        'pandas>=0.9; extra == "all"',
        'igraph>=0.10; extra == "igraph"',
        "pytest; extra == 'test'",
    ]
    monkeypatch.setattr(packages, "requires", lambda _name: named)
    monkeypatch.setattr(
        packages,
        "metadata",
        lambda _name: message_from_string(
            "Provides-Extra: all\nProvides-Extra: igraph\nProvides-Extra: test"
        ),
    )
    monkeypatch.setattr(packages, "version", version)
    found = {f.name: f for f in (*packages.needed(), *packages.optional())}
    assert (found["numpy"].state, found["numpy"].advice) == (BROKEN, "pip install 'numpy>=1.24'")
    assert (found["rich"].state, found["rich"].value) == (BROKEN, "1.0, where >=13 is needed")
    assert (found["igraph"].state, found["igraph"].advice) == (
        ABSENT,
        "pip install 'citekg[igraph]'",
    )
    assert found["click"].value == "1.0"
    assert not {"pytest", "tomli", "pandas"} & {*found}
    assert CliRunner().invoke(main, ["doctor"]).exit_code == FAILED


def test_optional_libraries_are_listed_once_without_development_dependencies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = tomllib.loads(
        (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    extras = project["optional-dependencies"]
    named = [
        f"{one}; extra == '{extra}'" for extra, libraries in extras.items() for one in libraries
    ]
    provided = "".join(f"Provides-Extra: {extra}\n" for extra in extras)
    monkeypatch.setattr(packages, "requires", lambda _name: [*project["dependencies"], *named])
    monkeypatch.setattr(packages, "metadata", lambda _name: message_from_string(provided))
    listed = [finding.name for finding in packages.optional()]
    assert len(listed) == len(set(listed))
    assert {"requests", "pyarrow", "uvicorn"} <= {*listed}
    assert not {"atheris", "hypothesis", "mkdocs", "mypy", "pytest", "ruff", "torch"} & {*listed}


def test_every_listed_extra_is_documented() -> None:
    house = Path(__file__).parents[3]
    project = tomllib.loads((house / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    reported = "".join(
        page.read_text(encoding="utf-8")
        for page in (house / "README.md", *(house / "docs").rglob("*.md"))
    )
    for extra in {*project["optional-dependencies"]} - packages.NOT_LISTED:
        assert re.search(rf"citekg\[[\w,]*\b{extra}\b", reported), extra


def test_an_unsupported_python_version_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    assert next(packages.interpreter()).state == BROKEN


def test_weights_with_another_hash_than_the_installed_ones_are_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = base64.urlsafe_b64encode(
        hashlib.sha256(
            (files("citekg.extractors") / "weights" / "entity.npz").read_bytes()
        ).digest()
    )
    recorded = []
    for name, value in (("entity.npz", right.decode().rstrip("=")), ("decision.npz", "x" * 43)):
        path = PackagePath(f"extractors/weights/{name}")
        path.hash = FileHash(f"sha256={value}")
        recorded.append(path)
    monkeypatch.setattr(model, "installed", lambda _name: recorded)
    states = {finding.name: finding.state for finding in model.files()}
    assert (states["entity.npz"], states["decision.npz"], states["roles.npz"]) == (
        "ok",
        BROKEN,
        "ok",
    )


def test_unreadable_weights_or_missing_extractions_are_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(*_: object) -> None:
        raise OSError(2, "No such file", "entity.npz")

    monkeypatch.setattr("citekg.extractors.pipeline.shipped_model", gone)
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == FAILED
    assert "! extraction         entity.npz: No such file" in result.stdout
    monkeypatch.undo()
    monkeypatch.setattr(model, "_EXPECTED", {("Nonsense", "introduces")})
    assert [
        (f.state, "not found: Nonsense (introduces)" in f.value) for f in model.extraction()
    ] == [(BROKEN, True)]


def test_a_store_that_does_not_return_added_quads_is_broken() -> None:
    store = SimpleNamespace(add=lambda _quad: None, query=lambda _sparql: False)
    assert storing._self_test("a store", cast("pyoxigraph.Store", store)).state == BROKEN


def test_a_temporary_folder_that_cannot_be_written_is_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == FAILED
    assert "! folders " in result.stdout


def test_a_missing_browser_or_unicode_output_is_reported_as_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none() -> None:
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", none)
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(encoding="latin-1"))
    assert [f.state for f in environment.browser()] == [ABSENT]
    assert next(environment.texts()).state == ABSENT


@pytest.mark.parametrize("command", ["doctor"])
def test_a_check_that_fails_does_not_stop_the_others(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr(webbrowser, "get", fail)
    result = CliRunner().invoke(main, [command])
    assert "! browser            a bug in kg, RuntimeError: odd" in result.stdout
    assert "self-test" in result.stdout
