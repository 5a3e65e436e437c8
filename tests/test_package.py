"""The installed package takes one top-level name, and modules of the user do not shadow its parts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import citekg
from tests.paths import MODULES, PACKAGES, ROOT

#: Prints the packages that setup.py passes to setuptools.
PRINT_PACKAGES = """
import json, runpy, setuptools
setuptools.setup = lambda **given: print(json.dumps(given["packages"]))
runpy.run_path("setup.py")
"""
SCRIPT = """
import citekg

graph = citekg.build([{papers!r}])
graph.save("graph.ttl")
loaded = citekg.load("graph.ttl")
(row,) = loaded.query("SELECT (COUNT(?p) AS ?n) {{ ?p a schema:ScholarlyArticle }}")
print(row["n"], citekg.__version__)
"""


def packages() -> list[str]:
    """Return the packages that setup.py passes to setuptools, from a separate process."""
    command = [sys.executable, "-c", PRINT_PACKAGES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def test_every_package_is_below_citekg() -> None:
    assert {name.partition(".")[0] for name in packages()} == {"citekg"}


def test_every_folder_with_code_is_packaged() -> None:
    folders = {module.parent.relative_to(ROOT) for module in MODULES}
    expected = {".".join((PACKAGES[folder.parts[0]], *folder.parts[1:])) for folder in folders}
    assert {*packages()} == expected


def test_the_public_api_has_exactly_the_documented_names() -> None:
    assert {*citekg.__all__} == {"Graph", "__version__", "build", "extract", "load"}
    assert all(getattr(citekg, name) for name in citekg.__all__)


def test_modules_of_the_user_do_not_shadow_the_folders_of_the_package(tmp_path: Path) -> None:
    for own in ("schemas.py", "extractors.py", "kg.py", "exports/__init__.py"):
        module = tmp_path / own
        module.parent.mkdir(exist_ok=True)
        module.write_text("raise RuntimeError('the module of the user was imported')\n")
    papers = tmp_path / "papers.jsonl"
    papers.write_text(
        '{"id": "p", "title": "Kite Search", "abstract": "We evaluate PPO on D4RL."}\n'
    )
    (tmp_path / "script.py").write_text(SCRIPT.format(papers=str(papers)))
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[0]) == (0, "1"), done.stderr


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "citekg", "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("kg")
