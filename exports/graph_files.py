"""The bytes of a graph file, unpacked where they are compressed."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from typing import Final

from citekg.schemas.errors import GraphError
from citekg.schemas.files import decompressed, open_file

#: The list of the files of a graph that was written in parts.
LIST: Final = "files.json"
#: What its names are like: files of its folder or of one in there.
_PART: Final = re.compile(r"(?:\w+/)?part-\d+\.[\w.]+")
#: How deep triples may stand inside one another: citekg writes none, and the parser breaks down over very many.
MOST_NESTED: Final = 50
#: The signs that nest triples, and what may hold such signs without nesting any: IRIs, texts and comments.
_NESTING: Final = re.compile(
    rb"""(<<)|(>>)|<[^<>\s"]*>|\#[^\n]*
    |\"{3}[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3}|'{3}[^'\\]*(?:(?:\\.|'{1,2}(?!'))[^'\\]*)*'{3}
    |"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'""",
    re.DOTALL | re.VERBOSE,
)


def parts_of(path: Path) -> tuple[Path, ...]:
    """The files that a list of parts names, or that of the folder it lies in; none for any other path.

    Raises `GraphError` for a list that cannot be read, or that names what is no part of a graph.
    """
    listed = path / LIST if path.is_dir() else path
    if listed.name != LIST or not listed.is_file():
        return ()
    try:
        names = json.loads(contents(listed))["files"]
        ours = all(map(_PART.fullmatch, names))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise GraphError(f"{listed}: not a list of the files of a graph") from error
    if not (names and ours):
        raise GraphError(f"{listed}: not a list of the files of a graph: it names none, or others")
    return tuple(listed.parent / name for name in names)


def harmless(path: Path, rdf_format: str) -> bytes:
    """All bytes of an RDF file; raises `GraphError` also for what would take its parser down."""
    data = contents(path)
    if rdf_format == "rdf" and b"<!ENTITY" in data:
        raise GraphError(f"{path}: not read: it declares entities, which are not expanded")
    if data.count(b"<<") > MOST_NESTED and _nested(data) > MOST_NESTED:
        raise GraphError(f"{path}: not read: more than {MOST_NESTED} triples stand inside one another")
    return data


def _nested(data: bytes) -> int:
    """How deep triples stand inside one another, at most."""
    depth = deepest = 0
    for sign in _NESTING.finditer(data):
        depth = max(0, depth + (sign[1] is not None) - (sign[2] is not None))
        deepest = max(deepest, depth)
    return deepest


def contents(path: Path) -> bytes:
    """All bytes of the file; `.gz` is unpacked, told by its first bytes.

    Raises `GraphError` for a file that is missing, unreadable or broken.
    """
    try:
        with open_file(path) as file:
            return decompressed(file).read()
    except FileNotFoundError as error:
        raise GraphError(f"{path}: no such file") from error
    except (OSError, EOFError, zlib.error) as error:
        raise GraphError(f"{path}: cannot be read: {error}") from error
