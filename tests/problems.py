"""What tests do with a problem that reading a file reports."""

from __future__ import annotations

from typing import NoReturn

import pytest

from citekg.schemas.plugins import Problem


def no_problem(problem: Problem) -> NoReturn:
    """Fail with the problem: for tests whose input has none."""
    pytest.fail(str(problem))
