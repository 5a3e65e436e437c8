"""Names and texts with arbitrary Unicode survive a round trip through every format."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from citekg.exports import EXPORTERS, exporter, write
from citekg.exports.rdf.serializers import ntriples
from citekg.schemas.plugins import ExportOptions
from citekg.storage.graph_files import READERS, load_graph
from tests.exports.any_graph import LETTERS, XML_LETTERS, graphs
from tests.sample import records

FORMATS = list(READERS)


def characters_of(name: str) -> st.SearchStrategy[str]:
    """Return the characters that a format supports: RDF/XML does not support all."""
    return XML_LETTERS if name == "rdf" else LETTERS


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
def test_a_graph_with_arbitrary_names_and_texts_survives_a_round_trip(
    name: str, data: st.DataObject
) -> None:
    graph = data.draw(graphs(characters_of(name)))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"graph{EXPORTERS[name].suffix}"
        write(graph, path, name)
        read = load_graph(path)
    assert records(read) == records(graph)


@pytest.mark.filterwarnings("ignore:.*is deprecated, use Dataset:DeprecationWarning:rdflib")
@pytest.mark.parametrize(
    ("name", "form"), [("ttl", "turtle"), ("rdf", "xml"), ("jsonld", "json-ld")]
)
@given(data=st.data())
def test_rdflib_reads_the_same_triples_from_every_format(
    name: str, form: str, data: st.DataObject
) -> None:
    graph = data.draw(graphs(characters_of(name)))
    expected = set(
        rdflib.Graph().parse(data=b"".join(ntriples(graph, ExportOptions())), format="nt")
    )
    written = b"".join(exporter(name).writer(graph, ExportOptions()))
    assert set(rdflib.Graph().parse(data=written, format=form)) == expected
