"""A lexicon in prepared form: one file with its rows, keys and indexes.

To read the shipped tables and compute the keys of all names takes five times as long as to read
this form. The file is JSON after a line with its CRC-32. Rows are numbers elsewhere in the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.garbage_collection import paused_garbage_collection

#: The length of the first line: eight hexadecimal digits and a line feed.
_CHECKSUM: Final = 9


def read_prepared(file: Path) -> Lexicon | None:
    """Return the lexicon of a file; None if the file is missing, unreadable or damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    body = memoryview(content)[_CHECKSUM:]
    if content[:_CHECKSUM] != _checksum(body):
        return None
    with paused_garbage_collection():
        return _decoded(json.loads(str(body, "utf-8")))


def write_prepared(file: Path, lexicon: Lexicon) -> None:
    """Write a lexicon with the default vocabulary; raise `OSError` if that is not possible."""
    encoded = json.dumps(_encoded(lexicon), ensure_ascii=False, default=sorted)
    body = encoded.encode()
    write_atomically(file, (_checksum(body), body))


def _checksum(body: bytes | memoryview) -> bytes:
    return b"%08x\n" % crc32(body)


def _encoded(lexicon: Lexicon) -> dict[str, Any]:
    """Return what JSON holds of a lexicon; it holds sets as sorted lists."""
    number_of = {id(entry): number for number, entry in enumerate(lexicon.rows)}
    return {
        "rows": lexicon.rows,
        "entries": {key: number_of[id(entry)] for key, entry in lexicon.entries.items()},
        "forms": {
            spelling: [(form, number_of[id(entry)]) for form, entry in named]
            for spelling, named in lexicon.forms.items()
        },
        "prefixes": lexicon.prefixes,
        "seconds": lexicon.seconds,
        "digest": lexicon.digest,
        "prefix_types": lexicon.prefix_types,
        "keys": [(*place, key) for place, key in lexicon.key_of_spelling.items()],
    }


def _decoded(stored: dict[str, Any]) -> Lexicon:
    rows = [*map(Entry.from_json, stored["rows"])]
    lexicon = Lexicon(
        entries={key: rows[number] for key, number in stored["entries"].items()},
        rows=rows,
        forms={
            spelling: [(form, rows[number]) for form, number in named]
            for spelling, named in stored["forms"].items()
        },
        prefixes={*stored["prefixes"]},
        seconds={
            first: None if seconds is None else {*seconds}
            for first, seconds in stored["seconds"].items()
        },
    )
    # The values of its cached properties, where Python keeps them.
    lexicon.__dict__.update(
        digest=stored["digest"],
        prefix_types=stored["prefix_types"],
        key_of_spelling={(spelling, is_data): key for spelling, is_data, key in stored["keys"]},
    )
    return lexicon
