"""What every format promises: the same bytes each time, for any text, and the ending that names it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import EXPORTERS, ExportOptions, exporter
from tests.exports.test_round_trips import LETTERS, graphs
from tests.sample import sample_graph

OF_ONE_FILE = [name for name in EXPORTERS if name not in {"rdf", "html"}]
PROGRAM = """
import hashlib
from exports import EXPORTERS, ExportOptions, exporter
from tests.sample import sample_graph
for name in EXPORTERS:
    if name != "html":
        told = b"".join(exporter(name).writer(sample_graph(), ExportOptions()))
        print(name, hashlib.sha256(told).hexdigest())
"""


def test_every_format_is_the_same_bytes_under_every_hash_seed():
    here = {
        name: hashlib.sha256(b"".join(exporter(name).writer(sample_graph(), ExportOptions()))).hexdigest()
        for name in EXPORTERS
        if name != "html"
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert dict(line.split() for line in done.stdout.splitlines()) == here


@pytest.mark.parametrize("name", OF_ONE_FILE)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_text_stops_a_writer(name, data):
    graph = data.draw(graphs(LETTERS))
    assert b"".join(exporter(name).writer(graph, ExportOptions()))
