"""Reading graph files: the bytes are decompressed and checked before a parser reads them."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from typing import Final

from citekg.schemas.errors import GraphError
from citekg.schemas.files import decompress, open_file

#: The name of the file that lists the files of a graph in parts.
PARTS_LIST: Final = "files.json"
#: The names in that list: files of its folder or of a subfolder.
_PART: Final = re.compile(r"(?:\w+/)?part-[0-9a-f]+\.[\w.]+")
#: The maximum nesting depth of quoted triples: citekg writes none, and deep nesting crashes the
#: parser.
MAX_NESTING: Final = 50
#: The delimiters of quoted triples, and the tokens that may contain them: IRIs, literals, comments.
_NESTING: Final = re.compile(
    rb"""(<<)|(>>)|<[^<>\s"]*>|\#[^\n]*
    |\"{3}[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3}|'{3}[^'\\]*(?:(?:\\.|'{1,2}(?!'))[^'\\]*)*'{3}
    |"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'""",
    re.DOTALL | re.VERBOSE,
)


def listed_parts(path: Path) -> tuple[Path, ...]:
    """Return the files in a list of parts, given the list or its folder; none for any other path.

    Raises `GraphError` for a list that cannot be read, is empty, or holds other file names.
    """
    listed = path / PARTS_LIST if path.is_dir() else path
    if listed.name != PARTS_LIST or not listed.is_file():
        return ()
    try:
        names = json.loads(read_bytes(listed))["files"]
        are_parts = all(map(_PART.fullmatch, names))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise GraphError(f"{listed}: not a list of the files of a graph") from error
    if not (names and are_parts):
        raise GraphError(f"{listed}: not a list of the files of a graph: it names none, or others")
    return tuple(listed.parent / name for name in names)


def read_safe_rdf(path: Path, rdf_format: str) -> bytes:
    """Return the bytes of an RDF file; raises `GraphError` also for input that is unsafe to parse.

    Unsafe are entity declarations of XML, and quoted triples nested deeper than `MAX_NESTING`.
    """
    data = read_bytes(path)
    if rdf_format == "rdf" and b"<!ENTITY" in data:
        raise GraphError(f"{path}: not read: it declares entities, which are not expanded")
    if data.count(b"<<") > MAX_NESTING and _nesting_depth(data) > MAX_NESTING:
        raise GraphError(f"{path}: not read: more than {MAX_NESTING} nested triples")
    return data


def _nesting_depth(data: bytes) -> int:
    """Return the maximum nesting depth of quoted triples."""
    depth = deepest = 0
    for sign in _NESTING.finditer(data):
        depth = max(0, depth + (sign[1] is not None) - (sign[2] is not None))
        deepest = max(deepest, depth)
    return deepest


def read_bytes(path: Path) -> bytes:
    """Return the bytes of the file, decompressed if they begin with the magic number of gzip.

    Raises `GraphError` for a file that is missing, unreadable or corrupt.
    """
    try:
        with open_file(path) as file:
            return decompress(file).read()
    except FileNotFoundError as error:
        raise GraphError(f"{path}: no such file") from error
    except (OSError, EOFError, zlib.error) as error:
        raise GraphError(f"{path}: cannot be read: {error}") from error
