"""A reading as a line of a part file: known by the text it was made from, whatever else is known of the paper."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

from citekg.schemas.records import Extraction, Paper, PaperEntity

_FIELDS: Final = attrgetter(*(field.name for field in fields(PaperEntity)))
_KEY_BYTES: Final = 16
#: A line with its key in hexadecimal digits.
_LINE: Final = re.compile(rb'\["([0-9a-f]{%d})",.*\]' % (2 * _KEY_BYTES))


def text_key(paper: Paper) -> bytes:
    """What a reading is known by: the beginning of the SHA-256 of title and abstract, all that extraction reads."""
    return hashlib.sha256(json.dumps([paper.title, paper.abstract]).encode()).digest()[:_KEY_BYTES]


def encode(reading: Extraction) -> bytes:
    """A reading as one line of JSON: the key, the sentences, the entities."""
    row = [text_key(reading.paper).hex(), reading.sentences, [_FIELDS(entity) for entity in reading.entities]]
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def line_key(line: bytes) -> bytes:
    """The key at the beginning of a line; raises `ValueError` for what is no whole line of ours."""
    found = _LINE.fullmatch(line)
    if not found:
        raise ValueError(line)
    return bytes.fromhex(found[1].decode())


def decode(paper: Paper, line: bytes) -> Extraction:
    """The reading of a paper from its line; names that come again and again are held once."""
    _, sentences, entities = json.loads(line)
    return Extraction(paper, _frozen(sentences), tuple(PaperEntity(*_frozen(entity)) for entity in entities))


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return sys.intern(value) if isinstance(value, str) else value
