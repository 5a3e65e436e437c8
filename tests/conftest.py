"""Shared fixtures: the graph of the example papers, and the profiles of hypothesis.

HYPOTHESIS_PROFILE=deep makes property-based tests search for hours.
"""

from __future__ import annotations

import os
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

import citekg
from tests.paths import EXAMPLES, ROOT

#: Tests that build graphs in several processes, start servers or browsers, or search for hours:
#: the files and folders below `tests`. `-m "not slow"` leaves them out.
SLOW: Final = (
    "exports/page",
    "exports/test_hostile_texts.py",
    "fuzzing",
    "hostile",
    "kg/building",
    "kg/cli",
    "kg/curation",
    "kg/doctor",
    "kg/domains/test_biomedical.py",
    "kg/evaluation/test_metrics.py",
    "kg/fetching",
    "kg/graph/test_counts.py",
    "kg/publishing",
    "kg/serving",
    "kg/sources/test_streams.py",
    "kg/storage",
    "kg/test_messages.py",
    "kg/test_plugins.py",
    "extractors/test_any_text.py",
    "test_commands_in_docs.py",
    "test_docs.py",
    "test_docstrings.py",
    "test_notebooks.py",
    "test_package.py",
    "test_site.py",
)
SERVERS: Final = ("kg/fetching", "kg/publishing", "kg/serving")

_CALM = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("fast", deadline=None, suppress_health_check=_CALM)
settings.register_profile("deep", deadline=None, suppress_health_check=_CALM, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are slow, or that need a browser or a server."""
    for item in items:
        place = item.path.relative_to(ROOT / "tests").as_posix()
        if place.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        if place.startswith(SERVERS):
            item.add_marker(pytest.mark.server)
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def example_graph() -> citekg.Graph:
    """The graph of examples/papers.jsonl, built once."""
    return citekg.build([EXAMPLES])
