"""The pages of the documentation, and their blocks of code."""

from __future__ import annotations

import re
from pathlib import Path

from tests.paths import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
FENCED = re.compile(r"^```(\w*).*?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page in a language, without those that install."""
    found = FENCED.findall(page.read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language and "pip install" not in text]
