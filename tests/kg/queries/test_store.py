"""The store that is cached next to a large graph file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

import citekg.queries.store
from citekg.exports import exporter, write
from citekg.exports.rdf.mapping import TYPE
from citekg.exports.rdf.split import write_split
from citekg.queries import query
from citekg.queries.store import store_folder
from citekg.queries.tentative import GRAPH, set_apart
from citekg.schemas.errors import GraphError
from citekg.schemas.plugins import ExportOptions
from tests.sample import sample_graph

NAMES = "SELECT ?name { ?p ckg:introduces/skos:prefLabel ?name } ORDER BY ?name"


@pytest.fixture(autouse=True)
def _cache_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(citekg.queries.store, "MIN_CACHED_BYTES", 1)


def graph_file(folder: Path, ending: str = "ttl") -> Path:
    path = folder / f"graph.{ending}"
    write(sample_graph(), path, ending)
    return path


@pytest.mark.parametrize("ending", ["ttl", "jsonld", "json"])
def test_the_second_query_uses_the_cached_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    path = graph_file(tmp_path, ending)
    first = query(path, NAMES)
    assert len(list(store_folder(path).iterdir())) == 1
    monkeypatch.setattr(citekg.queries.store, "_filled", None)
    assert list(query(path, NAMES)) == list(first)
    assert len(first) == 5


def test_a_changed_file_is_reloaded_and_its_old_store_removed(tmp_path: Path) -> None:
    path = graph_file(tmp_path)
    assert query(path, "ASK { ?p a schema:ScholarlyArticle }")
    (before,) = store_folder(path).iterdir()
    write(replace(sample_graph(), papers=(), relations=(), links=(), mentions=()), path, "ttl")
    assert not query(path, "ASK { ?p a schema:ScholarlyArticle }")
    (after,) = store_folder(path).iterdir()
    assert before != after


def test_a_store_holds_both_files_of_a_split_graph(tmp_path: Path) -> None:
    core, provenance = write_split(sample_graph(), tmp_path / "graph.ttl", "ttl")
    assert query(core, "ASK { ?m a oa:Annotation }")
    provenance.unlink()
    assert not query(core, "ASK { ?m a oa:Annotation }")


def test_a_tentative_result_and_its_dependent_nodes_are_in_a_separate_graph() -> None:
    store = ox.Store()
    data = b"".join(exporter("nt").writer(sample_graph(), ExportOptions()))
    store.load(data, format=ox.RdfFormat.N_TRIPLES)
    set_apart(store)
    apart = {
        str(quad.object).strip("<>").rpartition("#")[2]
        for quad in store.quads_for_pattern(None, ox.NamedNode(TYPE), None, ox.NamedNode(GRAPH))
        if "_r169" in str(quad.subject)
    }
    parts = {"Result", "ResultName", "ResultAnnotation", "Outperformance", "TextPositionSelector"}
    assert apart == parts
    left = store.quads_for_pattern(None, None, None, ox.DefaultGraph())
    assert not any("_r169" in f"{quad.subject} {quad.object}" for quad in left)


def test_a_query_is_answered_if_no_store_can_be_cached(tmp_path: Path) -> None:
    path = graph_file(tmp_path)
    store_folder(path).write_text("in the way", encoding="utf-8")
    assert len(query(path, NAMES)) == 5


@pytest.mark.parametrize("harm", ["emptied", "cut", "changed"])
def test_a_store_with_any_corrupt_file_is_rebuilt(tmp_path: Path, harm: str) -> None:
    """The engine may find nothing in a corrupt store, or exhaust the memory."""
    path = graph_file(tmp_path)
    assert len(query(path, NAMES)) == 5
    (store,) = store_folder(path).iterdir()
    names = [
        file.name
        for file in store.iterdir()
        if file.stat().st_size and not file.name.startswith("LOG")
    ]
    assert {"CURRENT"} < {*names}
    for name in names:
        broken = store / name
        if broken.exists():  # a rebuild may change the file names
            data = broken.read_bytes()
            corrupted = {
                "emptied": b"",
                "cut": data[: len(data) // 2],
                "changed": data[:-9] + b"?" * 9,
            }
            broken.write_bytes(corrupted[harm])
            assert len(query(path, NAMES)) == 5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(citekg.queries.store, "_filled", None)
        assert len(query(path, NAMES)) == 5


def test_no_store_is_cached_with_keep_false(tmp_path: Path) -> None:
    path = graph_file(tmp_path)
    assert len(query(path, NAMES, keep=False)) == 5
    assert not store_folder(path).exists()


def test_an_invalid_graph_file_leaves_no_store(tmp_path: Path) -> None:
    path = tmp_path / "graph.ttl"
    path.write_text("<a:b> <a:c> .", encoding="utf-8")
    with pytest.raises(GraphError, match=r"graph\.ttl:1"):
        query(path, "ASK {}")
    assert not list(store_folder(path).iterdir())


def test_small_files_are_queried_without_a_cached_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(citekg.queries.store, "MIN_CACHED_BYTES", 10**9)
    path = graph_file(tmp_path)
    assert query(path, "ASK { ?p a schema:ScholarlyArticle }")
    assert [p.name for p in tmp_path.iterdir()] == ["graph.ttl"]
