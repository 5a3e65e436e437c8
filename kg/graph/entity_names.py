"""The names of a graph's entities, read quickly, without the graph: what shells complete."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from citekg.exports.graph_files import contents
from citekg.queries.store import opened_quickly
from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import PREFIXES
from citekg.storage.graph_files import graph_format


def beginning(path: Path, begun: str, limit: int) -> list[str]:
    """The first names that begin so, sorted; where none does, those that begin so in another case.

    None for a big RDF file without a kept store. Raises `GraphError` for a file that cannot be read.
    """
    names = {*(_in_json(path) if graph_format(path) == "json" else _in_store(path))}
    same = sorted(name for name in names if name.startswith(begun))
    return (same or sorted(name for name in names if name.casefold().startswith(begun.casefold())))[:limit]


def _in_json(path: Path) -> Iterable[str]:
    try:
        return [node["name"] for node in json.loads(contents(path))["nodes"] if node["kind"] == "entity"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise GraphError(f"{path}: not a citekg graph") from error


def _in_store(path: Path) -> Iterable[str]:
    import pyoxigraph as ox

    store = opened_quickly(path)
    name = ox.NamedNode(f"{PREFIXES['skos']}prefLabel")
    quads = store.quads_for_pattern(None, name, None) if store else ()
    return (quad.object.value for quad in quads if isinstance(quad.object, ox.Literal))
