"""Reading a graph from node-link JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

from citekg.exports.graph_files import read_bytes
from citekg.exports.graphs.node_link import FORMAT, RESULT_NAMES, Record
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import (
    Entity,
    Introduction,
    Link,
    Mention,
    Paper,
    Relation,
    Result,
    ResultName,
    Run,
    Source,
)
from citekg.schemas.vocabulary import DEFAULT, EntityType, Role, Vocabulary

R = TypeVar("R")

_PYTHON: Final[dict[type, tuple[type, ...]]] = {float: (float, int)}
#: A surrogate (half of a UTF-16 pair) as a JSON escape.
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(path: Path) -> KnowledgeGraph:
    """Read a graph from node-link JSON.

    Raises `GraphError` with the file, and the line or the record that is wrong.
    """
    try:
        return _graph(_document(read_bytes(path).decode("utf-8")))
    except json.JSONDecodeError as error:
        raise GraphError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise GraphError(f"{path}: not JSON: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise GraphError(f"{path}: not a citekg graph: {error}") from error


def _document(text: str) -> Any:
    document = json.loads(text)
    if _SURROGATE.search(text):
        json.dumps(document, ensure_ascii=False).encode()  # raises ValueError for a lone surrogate
    return document


def _graph(document: Any) -> KnowledgeGraph:
    about, nodes, edges = (document[name] for name in ("graph", "nodes", "edges"))
    if about["format"] != FORMAT:
        raise ValueError(f"its format is {about['format']!r}, this version reads {FORMAT!r}")
    return KnowledgeGraph.of(
        papers=map(_paper, _of_kind(nodes, "paper")),
        entities=map(_entity, _of_kind(nodes, "entity")),
        mentions=(_record(Mention, mention) for mention in about["mentions"]),
        relations=(_record(Relation, edge) for edge in _of_kind(edges, "relation")),
        links=(_record(Link, edge | {"kind": edge["link"]}) for edge in _of_kind(edges, "link")),
        run=_record(Run, about["run"]),
        stubs=map(_paper, _of_kind(nodes, "stub")),
        introductions=(_record(Introduction, edge) for edge in _of_kind(edges, "introduction")),
        results=map(_result, about.get("results", ())),
        vocabulary=_vocabulary(about["vocabulary"]) if "vocabulary" in about else DEFAULT,
    )


def _vocabulary(values: Record) -> Vocabulary:
    namespaces = _frozen(values["namespaces"])
    if not _has_type(namespaces, tuple[tuple[str, str], ...]):
        raise ValueError("its namespaces are not a list of pairs of texts")
    types = tuple(_record(EntityType, type_) for type_ in values["entity_types"])
    roles = tuple(_record(Role, role) for role in values["paper_roles"])
    try:
        return Vocabulary(types, roles, namespaces)
    except GraphError as error:
        raise ValueError(f"its vocabulary {error}") from error


def _of_kind(records: Iterable[Record], kind: str) -> Iterator[Record]:
    return (record for record in records if record["kind"] == kind)


def _paper(node: Record) -> Paper:
    sources = [_record(Source, source) for source in node["sources"]]
    return _record(Paper, node | {"id": node["paper"], "sources": sources})


def _result(given: Record) -> Result:
    slots = {
        field: tuple(_record(ResultName, name) for name in given[RESULT_NAMES.get(field, field)])
        for field in ("on", "systems", "versus")
    }
    return _record(Result, given | slots | {"previous": given[RESULT_NAMES["previous"]]})


def _entity(node: Record) -> Entity:
    if node["entity"] == "":
        raise ValueError(f"the entity {node['name']!r} has an empty id; build the graph again")
    return _record(Entity, node | {"id": node["entity"]})


def _record(record: type[R], given: Record) -> R:
    """Return the record of these values, lists as tuples; raises `ValueError` for a wrong type."""
    values: Record = {}
    for field, wanted in _fields_of(cast("Any", record)):
        value = _frozen(
            given[field.name] if field.default is MISSING else given.get(field.name, field.default)
        )
        if not _has_type(value, wanted):
            raise ValueError(
                f"{record.__name__} with {field.name} {value!r}, "
                f"which is not of type {_type_name(wanted)}"
            )
        values[field.name] = float(value) if wanted is float else value
    return record(**values)


@cache
def _fields_of(record: Any) -> list[tuple[Field[Any], Any]]:
    """Return the fields of a record class, each with its type."""
    types = get_type_hints(record)
    return [(field, types[field.name]) for field in fields(record)]


def _has_type(value: Any, wanted: Any) -> bool:
    """Return whether the value has the type of a record's field."""
    if type(value) is wanted:
        return True
    if get_origin(wanted) is tuple:
        first, last = get_args(wanted)
        parts = (
            [first] * len(value) if last is Ellipsis and isinstance(value, tuple) else [first, last]
        )
        return (
            isinstance(value, tuple)
            and len(parts) == len(value)
            and all(map(_has_type, value, parts))
        )
    return isinstance(value, _PYTHON.get(wanted, wanted)) and not isinstance(value, bool)


def _type_name(wanted: Any) -> str:
    return str(getattr(get_origin(wanted) or wanted, "__name__", wanted))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
