"""The documentation: the commands of the tutorial run, and every page can be reached."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

from tests.pages import DOCS, FENCED, PAGES, blocks
from tests.paths import ROOT

TEXTS = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md"]
BASH = shutil.which("bash")

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page: its headings, as sites and mkdocs name them."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {
        re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())
        for heading in headings
    }


def pages_in_navigation(entry: Any) -> Iterator[str]:
    """Yield the pages that a part of the navigation names."""
    if isinstance(entry, str):
        yield entry
    for part in (
        entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
    ):
        yield from pages_in_navigation(part)


@pytest.mark.skipif(not BASH, reason="bash is not installed")
def test_the_commands_and_the_program_of_the_tutorial_run(
    tmp_path: Path, example_extractions: Path
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for out in (tmp_path / "out", tmp_path / "out" / "mine"):
        shutil.copytree(example_extractions, out / "readings")
    program = tmp_path / "kg"
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from citekg.cli.main import main; main(prog_name='kg')"
    program.write_text(f'#!/bin/sh\nexec \'{sys.executable}\' -c "{code}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    commands = blocks(DOCS / "tutorial.md", "sh")
    assert len(commands) >= 8
    script = "\n".join(["set -euo pipefail", f'export PATH="{tmp_path}:$PATH"', *commands])
    done = subprocess.run(
        [str(BASH), "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for expected in (
        "Papers      65",
        "introduced by: DeepSeekMath",
        "@top-methods",
        "D4RL",
        "graph.ttl: valid",
    ):
        assert expected in done.stdout
    assert {file.name for file in (tmp_path / "out").iterdir()} >= {
        "graph.html",
        "graph.gexf",
        "graph.csv.zip",
    }
    python = "\n".join(
        [f"import sys; sys.path.insert(0, {str(ROOT)!r})", *blocks(DOCS / "tutorial.md", "python")]
    )
    done = subprocess.run(
        [sys.executable, "-c", python], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "Proximal" in done.stdout or "PPO" in done.stdout


def test_the_navigation_lists_every_page_once() -> None:
    listed = list(
        pages_in_navigation(
            yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
        )
    )
    assert sorted(listed) == [page.name for page in PAGES], (
        "the nav of mkdocs.yml lists the pages of docs/"
    )


@pytest.mark.parametrize("page", TEXTS, ids=_name)
def test_every_link_within_the_project_has_an_existing_target(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = page.parent / unquote(file) if file else page
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{link} names no heading of {target.name}"
