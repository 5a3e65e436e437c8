"""Shared fixtures: the graph of the example papers, and the profiles of hypothesis.

The profiles of hypothesis differ in the examples of a property: 10 in `fast`, the default, 100 in
`ci`, 5000 in `deep`, which takes hours. HYPOTHESIS_PROFILE selects one.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, settings

import citekg
from tests.extent import ALL
from tests.paths import EXAMPLES, ROOT
from tests.sharing import made_once

if TYPE_CHECKING:
    from xdist.scheduler import WorkStealingScheduling

#: Tests that build graphs in several processes, start servers or browsers, or search for hours:
#: the files and folders below `tests`. `-m "not slow"` leaves them out.
SLOW: Final = (
    "exports/page",
    "exports/test_hostile_texts.py",
    "exports/test_round_trips.py",
    "fuzzing",
    "hostile",
    "kg/annotating",
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
    "kg/sources/test_cached_records.py",
    "kg/sources/test_file_parts.py",
    "kg/sources/test_in_memory.py",
    "kg/sources/test_source_names.py",
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
#: Tests that take longest: only CITEKG_TESTS=all, as in CI, runs them.
LONG: Final = (
    "fuzzing",
    "hostile",
    "exports/page/test_questions.py",
    "exports/page/test_out_of_the_page.py",
    "exports/page/test_page_search.py",
    "exports/page/test_corrections.py",
    "exports/page/test_firefox.py",
    "exports/page/test_sparql.py",
    "exports/page/test_topics.py",
    "exports/page/test_viewer_claims.py",
    "exports/page/test_viewer_domains.py",
    "exports/test_hostile_texts.py",
    "kg/annotating",
    "kg/building/execution",
    "kg/building/incremental",
    "kg/building/out_of_core",
    "kg/building/test_clock.py",
    "kg/cli/test_completion.py",
    "kg/cli/test_main.py",
    "kg/learning",
    "kg/queries/test_store.py",
    "kg/serving/test_editing.py",
    "kg/sources/test_cached_records.py",
    "kg/sources/test_file_parts.py",
    "kg/sources/test_source_names.py",
    "kg/sources/test_streams.py",
    "kg/storage/test_object_store.py",
    "kg/test_messages.py",
    "kg/test_plugins.py",
    "test_commands_in_docs.py",
    "test_docs.py",
    "test_notebooks.py",
    "test_package.py",
)
SERVERS: Final = ("kg/annotating", "kg/fetching", "kg/publishing", "kg/serving")

_CALM = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
for name, examples in {"fast": 10, "ci": 100, "deep": 5000}.items():
    settings.register_profile(
        name, deadline=None, suppress_health_check=_CALM, max_examples=examples
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the longest tests, unless all are asked for or the command names a file of tests.

    Their files are not even imported, which would take each worker a few seconds.
    """
    named = any(Path(str(each).partition("::")[0]).suffix == ".py" for each in config.args)
    tests = ROOT / "tests"
    if ALL or named or not collection_path.is_relative_to(tests):
        return None
    return collection_path.relative_to(tests).as_posix().startswith(LONG) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are slow or long, or that need a browser or a server; slow ones run first."""
    for item in items:
        place = item.path.relative_to(ROOT / "tests").as_posix()
        if place.startswith(LONG):
            item.add_marker(pytest.mark.long)
        if place.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        if place.startswith(SERVERS):
            item.add_marker(pytest.mark.server)
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers more than processors, because slow tests wait for browsers and servers.

    The fast tier does not wait.
    """
    processors = os.cpu_count() or 1
    return processors if config.option.markexpr == "not slow" else processors + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> WorkStealingScheduling | None:
    """Give each worker neighbouring tests, so that a fixture of a module is made once.

    A worker without tests takes half of those that wait for another worker.
    """
    if config.option.dist != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture(scope="session")
def example_extractions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the extractions of the example papers; workers of pytest-xdist share it.

    A test that builds with them copies the folder, because a build locks its cache.
    """
    return made_once(
        "example-extractions",
        lambda folder: citekg.build([EXAMPLES], cache=folder),
        tmp_path_factory,
    )


@pytest.fixture(scope="session")
def example_graph(
    example_extractions: Path, tmp_path_factory: pytest.TempPathFactory
) -> citekg.Graph:
    """The graph of examples/papers.jsonl, built once."""
    cache = tmp_path_factory.mktemp("example-graph") / "readings"
    return citekg.build([EXAMPLES], cache=shutil.copytree(example_extractions, cache))


@pytest.fixture(scope="session")
def short_examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the example papers with the first sentence of each abstract.

    These are as many papers, but their extraction takes a fraction of the time. Tests of where and
    how a build runs read them; what is extracted does not matter there.
    """
    papers = map(json.loads, EXAMPLES.read_text(encoding="utf-8").splitlines())
    cut = ({**paper, "abstract": paper["abstract"].partition(". ")[0]} for paper in papers)
    file = tmp_path_factory.mktemp("short") / "papers.jsonl"
    file.write_text("".join(json.dumps(paper) + "\n" for paper in cut), encoding="utf-8")
    return file
