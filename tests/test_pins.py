"""CI installs pinned versions, and still runs the commands of the README as they stand."""

from __future__ import annotations

import re
import sys

import pytest

from tests.test_architecture import HOUSE

PINS = (HOUSE / ".ci" / "constraints.txt").read_text(encoding="utf-8") if (HOUSE / ".ci").exists() else ""
pytestmark = pytest.mark.skipif(not PINS, reason="the pins are not part of the package")


def test_every_line_pins_one_version():
    lines = [line for line in PINS.splitlines() if not line.startswith("#")]
    assert len(lines) > 80
    assert not [line for line in lines if not re.match(r"[a-z0-9.-]+==[0-9][0-9a-z.]*( ; .+)?$", line)]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib came with Python 3.11")
def test_every_library_that_all_users_have_is_pinned():
    import tomllib

    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in project["dependencies"]:
        name = re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower()
        assert re.search(rf"^{re.escape(name)}==", PINS, re.MULTILINE), f"renew .ci/constraints.txt for {name}"


def test_ci_runs_the_test_command_of_the_readme_under_the_pins():
    script = (HOUSE / ".ci" / "run").read_text(encoding="utf-8")
    assert script.index("PIP_CONSTRAINT=") < script.index("grep -m1 -E '^python3 -m venv .*pytest' README.md")
