"""Paths of the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
EXAMPLES: Final = ROOT / "examples" / "papers.jsonl"
#: The package that each folder with code is installed as.
PACKAGES: Final = {
    "schemas": "citekg.schemas",
    "extractors": "citekg.extractors",
    "exports": "citekg.exports",
    "kg": "citekg",
}
MODULES: Final = sorted(file for folder in PACKAGES for file in (ROOT / folder).rglob("*.py"))
