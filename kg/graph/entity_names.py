"""Read the entity names of a graph file without loading the graph, for shell completion."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from citekg.exports.graph_files import read_bytes
from citekg.queries.spelling import names_in
from citekg.queries.store import open_quickly
from citekg.schemas.errors import GraphError
from citekg.storage.graph_files import graph_format


def entity_names_with_prefix(path: Path, prefix: str, limit: int) -> list[str]:
    """Return at most `limit` names with a prefix, sorted.

    Case is ignored if no name has exactly this prefix. A large RDF file without a cached store has
    no names. Raises `GraphError` for a file that cannot be read.
    """
    names = {*(_in_json(path) if graph_format(path) == "json" else _in_store(path))}
    exact = sorted(name for name in names if name.startswith(prefix))
    return (
        exact or sorted(name for name in names if name.casefold().startswith(prefix.casefold()))
    )[:limit]


def _in_json(path: Path) -> Iterable[str]:
    try:
        return [
            node["name"]
            for node in json.loads(read_bytes(path))["nodes"]
            if node["kind"] == "entity"
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise GraphError(f"{path}: not a citekg graph") from error


def _in_store(path: Path) -> Iterable[str]:
    store = open_quickly(path)
    return names_in(store, ("skos:prefLabel",)) if store else ()
