"""The documentation pages that are generated from the code are up to date."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["ontology.md", "queries.md"])
def test_a_generated_page_is_up_to_date(name: str) -> None:
    pages = runpy.run_path(str(DOCS / "generate.py"))["pages"]()
    assert (DOCS / name).read_text(encoding="utf-8") == pages[name], "run: python docs/generate.py"
