"""Fingerprints of all inputs of an extraction except the text.

These are the code, the weights, the layers and the libraries of a pipeline. The lexicon has its own
digest, because a new row changes few extractions. Families are omitted: only linking uses them.
"""

from __future__ import annotations

import hashlib
import json
import sys
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.known_introductions import KnownPaper, shipped_introductions
from citekg.extractors.models import PACKAGES
from citekg.schemas.code_digest import add_code

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

_LENGTH: Final = 16
_CODE: Final = ("citekg.extractors", "citekg.schemas")
_LIBRARIES: Final = ("numpy", "spacy")
#: The code that reads the records of input files.
_READING: Final = ("citekg.sources", "citekg.schemas")
#: The number of the format of part files; 2 has results, 3 has the keys apart from the lines.
_FORMAT: Final = 3
#: The folders of the code that trains models, which extraction does not use.
_TRAINING: Final = frozenset({"training", "learning"})


@dataclass(frozen=True)
class LexiconSnapshot:
    """The rows of a lexicon as extraction uses them: without families, with known introductions.

    `introduced_in` is keyed by the key of the name.
    """

    entries: tuple[Entry, ...]
    introduced_in: dict[str, KnownPaper]

    @classmethod
    def of(cls, lexicon: Lexicon) -> LexiconSnapshot:
        """Return the snapshot of a lexicon, with the shipped introductions."""
        listed = shipped_introductions()
        rows = tuple(row._replace(family="") if row.family else row for row in lexicon.rows)
        return cls(rows, {name: listed[name] for name in lexicon.entries if name in listed})

    @classmethod
    def from_json(cls, data: bytes) -> LexiconSnapshot:
        """Return the snapshot that `to_json` encoded."""
        rows, introduced = json.loads(data)
        entries = map(Entry.from_json, rows)
        return cls(tuple(entries), {name: KnownPaper(*paper) for name, paper in introduced.items()})

    def to_json(self) -> bytes:
        """Return the snapshot as JSON, the same bytes for the same rows."""
        introduced = dict(sorted(self.introduced_in.items()))
        # A frozenset becomes a list.
        return json.dumps([self.entries, introduced], default=sorted).encode()


@lru_cache(maxsize=1)
def snapshot_json(lexicon: Lexicon) -> bytes:
    """Return the snapshot of a lexicon as JSON; the same lexicon is encoded once."""
    return LexiconSnapshot.of(lexicon).to_json()


def digest(data: bytes) -> str:
    """Return the first 16 hexadecimal digits of a SHA-256."""
    return hashlib.sha256(data).hexdigest()[:_LENGTH]


def pipeline_fingerprint(pipeline: ExtractionPipeline) -> str:
    """Return 16 hexadecimal digits of a SHA-256 of a pipeline's code, weights and layers."""
    hasher = hashlib.sha256(
        repr(
            (
                _FORMAT,
                pipeline.model,
                sorted(map(with_version, pipeline.layers)),
                pipeline.lexicon.vocabulary,
            )
        ).encode()
    )
    if pipeline.domain:
        hasher.update(pipeline.domain.configuration_text().encode())
    hasher.update(pipeline.weights_digest.encode())
    libraries = *_LIBRARIES, *PACKAGES[pipeline.model]
    add_code(hasher, libraries, _CODE, _is_for_extraction)
    return hasher.hexdigest()[:_LENGTH]


def _is_for_extraction(path: Path) -> bool:
    """Return whether a file is code that does not train weights; weights have digests."""
    return path.suffix == ".py" and path.parts[0] not in _TRAINING


def reading_code() -> str:
    """Return a digest of the code that reads input files."""
    hasher = hashlib.sha256(f"{sys.version_info[:2]} {unicodedata.unidata_version}".encode())
    libraries = "citekg", *(["pyarrow"] if find_spec("pyarrow") else [])
    add_code(hasher, libraries, _READING, lambda path: path.suffix == ".py")
    return hasher.hexdigest()


def with_version(layer: str) -> str:
    """Return the name of a layer; that of another package with the package and its version."""
    from citekg.extractors.candidates.generate import LAYERS
    from citekg.extractors.candidates.plugins import find_extractor

    return (
        layer
        if layer in LAYERS
        else f"{layer} of {find_extractor(layer).package} {find_extractor(layer).version}"
    )
