"""Properties of every format: reproducible bytes, support of any text, detection by suffix."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.exports import EXPORTERS, exporter, format_of, ignored_options, write
from citekg.graph.graph import Graph
from citekg.schemas.errors import FormatError, GraphError
from citekg.schemas.plugins import ExportOptions
from tests.exports.any_graph import LETTERS, graphs
from tests.sample import records, sample_graph

#: All formats except the page, which has its own tests, and those whose library is missing.
TESTED_FORMATS = [
    name for name in EXPORTERS if name != "html" and (name != "parquet" or find_spec("pyarrow"))
]
PROGRAM = """
import hashlib, sys
from citekg.exports import exporter
from citekg.schemas.plugins import ExportOptions
from tests.sample import records, sample_graph
for name in sys.argv[1:]:
    data = b"".join(exporter(name).writer(sample_graph(), ExportOptions()))
    print(name, hashlib.sha256(data).hexdigest())
"""


def test_no_format_depends_on_the_hash_seed() -> None:
    here = {
        name: hashlib.sha256(
            b"".join(exporter(name).writer(sample_graph(), ExportOptions()))
        ).hexdigest()
        for name in TESTED_FORMATS
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *TESTED_FORMATS],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert dict(line.split() for line in done.stdout.splitlines()) == here


@pytest.mark.parametrize("name", EXPORTERS)
def test_the_suffix_of_a_file_determines_its_format(name: str) -> None:
    assert format_of(Path(f"out/My.Graph{EXPORTERS[name].suffix}")) == name
    assert format_of(Path(f"graph{EXPORTERS[name].suffix.upper()}.gz")) == name


def test_an_unknown_suffix_is_refused_with_the_known_formats(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="unknown format 'xlsx': choose one of bib, csv"):
        format_of(tmp_path / "graph.xlsx")


@pytest.mark.parametrize(
    "name", [name for name, made in EXPORTERS.items() if made.suffix.endswith(".zip")]
)
def test_a_format_of_zip_files_is_refused_for_another_suffix(name: str, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"graph\.csv: .* writes a zip file"):
        write(sample_graph(), tmp_path / "graph.csv", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [name for name in TESTED_FORMATS if name != "rdf"])
@given(data=st.data())
def test_every_format_can_write_any_text(name: str, data: st.DataObject) -> None:
    graph = data.draw(graphs(LETTERS))
    assert b"".join(exporter(name).writer(graph, ExportOptions()))


@cache
def written_without_options(name: str) -> list[bytes]:
    return [*exporter(name).writer(sample_graph(), ExportOptions())]


@pytest.mark.parametrize("name", [*TESTED_FORMATS, "html"])
@pytest.mark.parametrize(
    "options",
    [
        ExportOptions(base_iri="https://x.example/"),
        ExportOptions(evidence="none"),
        ExportOptions(part="core"),
        ExportOptions(align=True),
        ExportOptions(nodes="papers"),
        ExportOptions(nodes="entities"),
    ],
)
def test_an_option_is_reported_as_ignored_exactly_if_it_changes_nothing(
    name: str, options: ExportOptions
) -> None:
    other = [*exporter(name).writer(sample_graph(), options)]
    assert bool(ignored_options(name, options)) == (written_without_options(name) == other)
    assert ignored_options(name, ExportOptions()) == ()


def test_save_warns_of_an_option_without_effect(tmp_path: Path) -> None:
    graph = Graph(**records(sample_graph()))
    with pytest.warns(UserWarning, match="evidence has no effect in gexf"):
        graph.save(tmp_path / "graph.gexf", options=ExportOptions(evidence="none"))
