"""What a reading depends on beside the text: the code and the weights that read it, and the lexicon.

The lexicon is told apart, because one row more changes the reading of few papers. What it says of families
is left out: that is for linking alone.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass, fields, replace
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.known_introductions import KnownPaper, shipped_introductions

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_LENGTH: Final = 16
_CODE: Final = ("citekg.extractors", "citekg.schemas")
_LIBRARIES: Final = ("numpy", "spacy")


@dataclass(frozen=True)
class LexiconSnapshot:
    """The rows of a lexicon in their order as extraction reads them: no families, but what is known to be introduced.

    `introduced_in` is by the key of the name.
    """

    entries: tuple[Entry, ...]
    introduced_in: dict[str, KnownPaper]

    @classmethod
    def of(cls, lexicon: Lexicon) -> LexiconSnapshot:
        """What a lexicon and the shipped introductions know."""
        introduced_in = shipped_introductions()
        rows = tuple(replace(entry, family="") for entry in lexicon.rows)
        return cls(rows, {e.key: introduced_in[e.key] for e in rows if e.key in introduced_in})

    @classmethod
    def told(cls, data: bytes) -> LexiconSnapshot:
        """What `telling` tells."""
        rows, introduced = json.loads(data)
        names = [field.name for field in fields(Entry)]
        entries = (_entry(dict(zip(names, row, strict=True))) for row in rows)
        return cls(tuple(entries), {name: KnownPaper(*paper) for name, paper in introduced.items()})

    def telling(self) -> bytes:
        """All of it as JSON, the same bytes for the same rows."""
        rows = [[sorted(v) if isinstance(v, frozenset) else v for v in astuple(entry)] for entry in self.entries]
        introduced = {name: astuple(paper) for name, paper in sorted(self.introduced_in.items())}
        return json.dumps([rows, introduced]).encode()


def _entry(row: dict[str, Any]) -> Entry:
    cells: dict[str, Any] = {name: tuple(cell) if isinstance(cell, list) else cell for name, cell in row.items()}
    return Entry(**{**cells, "doubtful": frozenset(cells["doubtful"])})


def digest(data: bytes) -> str:
    """The beginning of a SHA-256."""
    return hashlib.sha256(data).hexdigest()[:_LENGTH]


def pipeline_fingerprint(reader: ExtractionPipeline) -> str:
    """The beginning of a SHA-256 of the code, the weights and the layers that a reader reads with."""
    told = hashlib.sha256(repr((sorted(map(with_version, reader.layers)), reader.lexicon.vocabulary)).encode())
    if reader.domain:
        told.update(reader.domain.told().encode())
    for weights in (reader.entity_model, reader.stacked_model, reader.type_model, reader.roles):
        told.update(weights.table.tobytes())
        told.update(repr(weights.threshold).encode())
    for library in _LIBRARIES:
        told.update(f"{library} {metadata.version(library)}".encode())
    for package in _CODE:
        folder = Path(str(resources.files(package)))
        for file in sorted(f for f in folder.rglob("*") if f.suffix in (".py", ".npz")):
            told.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return told.hexdigest()[:_LENGTH]


def with_version(layer: str) -> str:
    """A layer, one of another package with the version of that."""
    from citekg.extractors.candidates.generate import LAYERS
    from citekg.extractors.candidates.plugins import installed

    return layer if layer in LAYERS else f"{layer} of {installed(layer).package} {installed(layer).version}"
