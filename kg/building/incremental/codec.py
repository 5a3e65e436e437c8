"""Encoding of an extraction as one line of a part file, keyed by the text of the paper."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import astuple, fields
from operator import attrgetter
from typing import Any, Final

from citekg.schemas.records import Extraction, Paper, PaperEntity, Result, ResultName
from citekg.sources.keyed_papers import KEY_BYTES, text_key

_FIELDS: Final = attrgetter(*(field.name for field in fields(PaperEntity)))
#: The fields of a result that are stored, and those of them that hold names.
_RESULT: Final = tuple(field.name for field in fields(Result))[1:]
_SLOTS: Final = frozenset({"on", "systems", "versus"})
#: A complete line, with its key in hexadecimal digits.
_LINE: Final = re.compile(rb'\["([0-9a-f]{%d})",.*\]' % (2 * KEY_BYTES))


def encode(extraction: Extraction) -> bytes:
    """Return an extraction as one line of JSON: key, sentences, entities, results."""
    row = [
        text_key(extraction.paper).hex(),
        extraction.sentences,
        [_FIELDS(entity) for entity in extraction.entities],
        [_result_row(result) for result in extraction.results],
    ]
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def line_key(line: bytes) -> bytes:
    """Return the key at the start of a line; raise `ValueError` if the line is not complete."""
    found = _LINE.fullmatch(line)
    if not found:
        raise ValueError(line)
    return bytes.fromhex(found[1].decode())


def decode(paper: Paper, line: bytes) -> Extraction:
    """Return the extraction of a paper from its line, with repeated strings interned."""
    _, sentences, entities, results = json.loads(line)
    return Extraction(
        paper,
        _frozen(sentences),
        tuple(PaperEntity(*_frozen(entity)) for entity in entities),
        tuple(_result(paper, result) for result in results),
    )


def _result_row(result: Result) -> list[Any]:
    """Return the fields of a result without its paper, which the key identifies."""
    return [*astuple(result)[1:]]


def _result(paper: Paper, row: list[Any]) -> Result:
    values = (_frozen(value) for value in row)
    named: Iterable[Any] = (
        _names(v) if field in _SLOTS else v for field, v in zip(_RESULT, values, strict=True)
    )
    return Result(paper.id, *named)


def _names(names: Iterable[tuple[str, str]]) -> tuple[ResultName, ...]:
    return tuple(ResultName(*name) for name in names)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return sys.intern(value) if isinstance(value, str) else value
