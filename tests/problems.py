"""A problem callback for tests whose input has no problems."""

from __future__ import annotations

from typing import NoReturn

import pytest

from citekg.schemas.plugins import Problem


def no_problem(problem: Problem) -> NoReturn:
    """Fail with the problem: for tests whose input has none."""
    pytest.fail(str(problem))
