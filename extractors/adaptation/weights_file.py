"""The file format of adapted weights: a header line of JSON, then binary arrays.

The arrays are in a fixed order, as little-endian numbers. Reading executes no code from the file,
and allocates no more memory than the size of the file justifies.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.learnt_tagger import LearntTagger
from citekg.extractors.adaptation.name_rates import rate_width, rates_per_token
from citekg.extractors.adaptation.weights import DENSE, AdaptedWeights, shipped_digest
from citekg.extractors.candidates.tagger import LABELS as TAGS
from citekg.extractors.candidates.tagger import shipped_tagger
from citekg.extractors.classification.decision_network import shipped_decision_network
from citekg.extractors.classification.hashing import COLUMNS
from citekg.extractors.roles.calibration import FURTHER, Calibration
from citekg.extractors.roles.classifier import ROLE_LABELS
from citekg.schemas.errors import WeightsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAGIC: Final = b"citekg weights 4\n"
_MAX_HEADER: Final = 100_000
_MAX_FILE: Final = 1 << 28
#: The exceptions that reading an invalid header raises.
_HEADER_ERRORS: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)
#: The maximum absolute slope and intercept of a calibration; larger ones may overflow.
_MAX_COEFFICIENT: Final = 50.0
_LAYERS: Final = ("tagger", "rates", "decision", "roles", "same")


def write_weights(path: Path, weights: AdaptedWeights) -> None:
    """Write adapted weights, deterministically; raises `WeightsError` if writing fails."""
    try:
        path.write_bytes(to_bytes(weights))
    except OSError as error:
        raise WeightsError(f"{path}: cannot be written: {error.strerror or error}") from error


def to_bytes(weights: AdaptedWeights) -> bytes:
    """Return adapted weights as the bytes of a file."""
    import numpy as np

    layers = {
        "tagger": weights.tagger.layer,
        "rates": weights.tagger.rates,
        "decision": weights.decision,
        "roles": weights.role_layer,
        "same": weights.same_layer,
    }
    header = {
        "shipped": shipped_digest(),
        "labels": weights.labels,
        "tagged": weights.tagger.types,
        "role labels": weights.roles,
        "papers": weights.papers,
        "threshold": weights.threshold,
        "calibration": weights.calibration.lines if weights.calibration else None,
        "layers": {
            name: [len(layer.columns), len(layer.dense)] for name, layer in layers.items() if layer
        },
    }
    arrays: list[NDArray[Any]] = [weights.tagger.transitions.astype("<f2")]
    for layer in filter(None, layers.values()):
        arrays.append(layer.columns.astype("<u4"))
        arrays += [a.astype("<f2") for a in (layer.weights, layer.dense, layer.bias)]
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":"))
    return b"".join([_MAGIC, text.encode(), b"\n", *map(np.ndarray.tobytes, arrays)])


def read_weights(path: Path) -> AdaptedWeights:
    """Return the adapted weights of a file.

    Raises `WeightsError` if the file cannot be read, is not a file of weights, is damaged, or does
    not fit the shipped weights.
    """
    try:
        if path.stat().st_size > _MAX_FILE:
            raise WeightsError(f"{path}: too large for a file of weights")
        data = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return _parse(data)
    except _Damaged as damaged:
        raise WeightsError(f"{path}: {damaged}") from damaged


class _Damaged(Exception):
    """The bytes are not valid adapted weights; the message gives the reason."""


def _parse(data: bytes) -> AdaptedWeights:
    if not data.startswith(_MAGIC):
        raise _Damaged("not a file of weights: make one with kg learn")
    end = data.find(b"\n", len(_MAGIC), len(_MAGIC) + _MAX_HEADER)
    header = _header(data[len(_MAGIC) : max(end, 0)])
    if header.shipped != shipped_digest():
        raise _Damaged(
            "learnt with the models of another version of citekg: run kg learn again with this one"
        )
    if any(width != header.widths[name] for name, (_, width) in header.layers.items()):
        raise _Damaged("damaged: a layer does not fit the shipped models")
    numbers = _ArrayReader(data, end + 1)
    count = 2 * len(header.tagged) + 1
    transitions = numbers.floats(count, count)
    sizes = {
        "tagger": count,
        "rates": rates_per_token(len(header.tagged)),
        "decision": len(header.labels),
        "roles": len(header.roles),
        "same": 2,
    }
    layers = {
        name: _layer(numbers, header.layers[name], sizes[name])
        for name in _LAYERS
        if name in header.layers
    }
    numbers.check_end()
    return AdaptedWeights(
        header.labels,
        header.roles,
        header.papers,
        header.threshold,
        LearntTagger(header.tagged, layers["tagger"], transitions, layers["rates"]),
        layers["decision"],
        layers.get("roles"),
        layers.get("same"),
        Calibration(header.calibration) if header.calibration is not None else None,
    )


@dataclass(frozen=True)
class _Header:
    """The validated header: the fields of `AdaptedWeights`, and columns and width by layer."""

    shipped: str
    labels: tuple[str, ...]
    tagged: tuple[str, ...]
    roles: tuple[str, ...]
    papers: int
    threshold: float
    calibration: dict[str, tuple[float, float]] | None
    layers: dict[str, list[int]]

    @property
    def widths(self) -> dict[str, int]:
        """The number of dense features of each layer, which the shipped models determine."""
        vectors = len(shipped_tagger().arrays["in.b"]) + len(TAGS) + rate_width(len(self.tagged))
        hidden = len(shipped_decision_network().offset) + DENSE * len(self.tagged)
        return {"tagger": vectors, "rates": 0, "decision": hidden, "roles": 0, "same": 0}


def _header(line: bytes) -> _Header:
    try:
        given = json.loads(line)
        header = _Header(
            given["shipped"],
            tuple(given["labels"]),
            tuple(given["tagged"]),
            tuple(given["role labels"]),
            given["papers"],
            given["threshold"],
            _lines(given["calibration"]),
            given["layers"],
        )
    except _HEADER_ERRORS as error:
        raise _Damaged("damaged: its first line cannot be read") from error
    if not _is_valid(header):
        raise _Damaged("damaged: its first line is invalid")
    return header


def _lines(given: dict[str, list[float]] | None) -> dict[str, tuple[float, float]] | None:
    """Return the lines of a calibration; raises `ValueError` if they are not pairs of numbers."""
    if given is None:
        return None
    lines = {role: (float(slope), float(intercept)) for role, (slope, intercept) in given.items()}
    if not all(abs(number) <= _MAX_COEFFICIENT for line in lines.values() for number in line):
        raise ValueError("a line of the calibration is too steep, or no number")
    return lines


def _is_valid(header: _Header) -> bool:
    names = (*header.labels, *header.tagged, *header.roles)
    return (
        all(isinstance(name, str) for name in names)
        and header.labels[:1] == ("",)
        and {*header.tagged} <= {*header.labels}
        and _are_valid_roles(header)
        and isinstance(header.papers, int)
        and isinstance(header.threshold, float)
        and 0 < header.threshold < 1
        and isinstance(header.layers, dict)
        and {"tagger", "rates", "decision"} <= {*header.layers} <= {*_LAYERS}
        and all(_are_valid_sizes(sizes) for sizes in header.layers.values())
    )


def _are_valid_roles(header: _Header) -> bool:
    """Return whether role labels and calibration are valid; shipped roles come first, if any."""
    is_layer = "roles" in header.layers if isinstance(header.layers, dict) else False
    lines = {*(header.calibration or ())}
    distinct = len({*header.roles}) == len(header.roles)
    starts = header.roles[: len(ROLE_LABELS)] == ROLE_LABELS
    known = lines <= {*header.roles, FURTHER}
    return distinct and known and (starts if header.roles else not is_layer)


def _are_valid_sizes(sizes: object) -> bool:
    return (
        isinstance(sizes, list)
        and len(sizes) == 2
        and all(type(size) is int and 0 <= size <= COLUMNS for size in sizes)
    )


class _ArrayReader:
    """A sequential reader of arrays; raises `_Damaged` if too few bytes are left."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at

    def _take(self, kind: str, count: int) -> NDArray[Any]:
        import numpy as np

        size = np.dtype(kind).itemsize * count
        if self._at + size > len(self._data):
            raise _Damaged("damaged: it ends too early")
        found = np.frombuffer(self._data, dtype=kind, count=count, offset=self._at)
        self._at += size
        return found

    def floats(self, *shape: int) -> NDArray[np.float32]:
        """Return the next array of finite numbers."""
        import numpy as np

        found: NDArray[np.float32] = self._take("<f2", int(np.prod(shape))).astype(np.float32)
        if not np.isfinite(found).all():
            raise _Damaged("damaged: a weight is not a finite number")
        return found.reshape(shape)

    def columns(self, count: int) -> NDArray[np.uint32]:
        """Return the next array of columns, which must ascend."""
        import numpy as np

        found = self._take("<u4", count)
        if count and (int(found[-1]) >= COLUMNS or (np.diff(found.astype(np.int64)) <= 0).any()):
            raise _Damaged("damaged: its columns are not in order")
        return found

    def check_end(self) -> None:
        """Check that no bytes follow."""
        if self._at != len(self._data):
            raise _Damaged("damaged: more bytes follow the weights")


def _layer(numbers: _ArrayReader, size: list[int], labels: int) -> LinearLayer:
    """Return the next layer; `size` holds its numbers of columns and of dense features."""
    columns, width = size
    return LinearLayer(
        numbers.columns(columns),
        numbers.floats(columns, labels),
        numbers.floats(width, labels),
        numbers.floats(labels),
    )
