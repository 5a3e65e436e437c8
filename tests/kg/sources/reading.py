"""Reading an input in a test."""

from __future__ import annotations

from collections.abc import Callable

from citekg.schemas.records import Paper
from citekg.sources import Problem, read

#: Writes an input file and returns its name.
Written = Callable[[str | bytes], str]


def read_all(name: str, input_format: str | None = None) -> tuple[list[Paper], list[str]]:
    """Return the papers of an input, and the problems as texts."""
    problems: list[Problem] = []
    papers = list(read([name], problems.append, input_format))
    return papers, [str(problem) for problem in problems]
