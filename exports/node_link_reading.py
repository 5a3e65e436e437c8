"""The graph read back from its node-link JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from exports.node_link import FORMAT, Record
from exports.reading import contents
from schemas.errors import GraphError
from schemas.graph import KnowledgeGraph
from schemas.records import Entity, Introduction, Link, Mention, Paper, Relation, Run, Source
from schemas.vocabulary import DEFAULT, EntityType, Role, Vocabulary

R = TypeVar("R")

_PYTHON: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "int": (int,),
    "float": (float, int),
    "tuple": (tuple,),
}


def read_json(path: Path) -> KnowledgeGraph:
    """Read a graph from node-link JSON.

    Raises `GraphError` naming the file, with the line or the record where something is wrong.
    """
    try:
        return _graph(json.loads(contents(path).decode("utf-8")))
    except json.JSONDecodeError as error:
        raise GraphError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise GraphError(f"{path}: not JSON: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise GraphError(f"{path}: not a citekg graph: {error}") from error


def _graph(document: Any) -> KnowledgeGraph:
    about, nodes, edges = (document[name] for name in ("graph", "nodes", "edges"))
    if about["format"] != FORMAT:
        raise ValueError(f"its format is {about['format']!r}, this version reads {FORMAT!r}")
    return KnowledgeGraph.of(
        papers=map(_paper, _of_kind(nodes, "paper")),
        entities=(_record(Entity, node | {"id": node["entity"]}) for node in _of_kind(nodes, "entity")),
        mentions=(_record(Mention, mention) for mention in about["mentions"]),
        relations=(_record(Relation, edge) for edge in _of_kind(edges, "relation")),
        links=(_record(Link, edge | {"kind": edge["link"]}) for edge in _of_kind(edges, "link")),
        run=_record(Run, about["run"]),
        stubs=map(_paper, _of_kind(nodes, "stub")),
        introductions=(_record(Introduction, edge) for edge in _of_kind(edges, "introduction")),
        vocabulary=_vocabulary(about["vocabulary"]) if "vocabulary" in about else DEFAULT,
    )


def _vocabulary(told: Record) -> Vocabulary:
    return Vocabulary(
        tuple(_record(EntityType, type_) for type_ in told["entity_types"]),
        tuple(_record(Role, role) for role in told["paper_roles"]),
        _frozen(told["namespaces"]),
    )


def _of_kind(records: Iterable[Record], kind: str) -> Iterator[Record]:
    return (record for record in records if record["kind"] == kind)


def _paper(node: Record) -> Paper:
    sources = [_record(Source, source) for source in node["sources"]]
    return _record(Paper, node | {"id": node["paper"], "sources": sources})


def _record(record: type[R], told: Record) -> R:
    """The record of these values, lists made tuples; raises `ValueError` for one of the wrong type."""
    values: Record = {}
    for field in fields(record):  # type: ignore[arg-type]  # every record is a dataclass
        value = _frozen(told[field.name] if field.default is MISSING else told.get(field.name, field.default))
        wanted = str(field.type).partition("[")[0]
        if not isinstance(value, _PYTHON[wanted]) or isinstance(value, bool):
            raise ValueError(f"{record.__name__} with {field.name} {value!r}, which is no {wanted}")
        values[field.name] = float(cast("float", value)) if wanted == "float" else value
    return record(**values)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
