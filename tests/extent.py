"""How much of the long matrices runs: a sample by default, every row with CITEKG_TESTS=all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final, TypeVar

from hypothesis import settings

_Row = TypeVar("_Row")

#: Whether every row of every matrix runs, as in CI.
ALL: Final = os.environ.get("CITEKG_TESTS") == "all"


def sample_of(rows: Iterable[_Row], step: int) -> list[_Row]:
    """Return every `step`-th row, from the first one; with CITEKG_TESTS=all, return all rows."""
    return list(rows)[:: 1 if ALL else step]


def few_examples() -> settings:
    """Return the settings of a property that builds a graph for each of its examples.

    It tries a tenth of the examples of other properties, and at least ten.
    """
    return settings(max_examples=max(10, settings().max_examples // 10))
