"""Weights files: writing and reading, and the rejection of damaged or malicious files."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.learnt_tagger import LearntTagger
from citekg.extractors.adaptation.name_rates import rate_width, rates_per_token
from citekg.extractors.adaptation.weights import DENSE, AdaptedWeights
from citekg.extractors.adaptation.weights_file import read_weights, to_bytes, write_weights
from citekg.extractors.candidates.tagger import LABELS as TAGS
from citekg.extractors.candidates.tagger import shipped_tagger
from citekg.extractors.classification.decision_network import shipped_decision_network
from citekg.extractors.classification.decoding import LABELS
from citekg.extractors.roles.calibration import Calibration
from citekg.extractors.roles.classifier import ROLE_LABELS
from citekg.schemas.errors import WeightsError


def layer(width: int, labels: int) -> LinearLayer:
    return LinearLayer(
        np.array([3, 70_000], dtype=np.uint32),
        np.full((2, labels), 0.5, dtype=np.float32),
        np.full((width, labels), 0.25, dtype=np.float32),
        np.zeros(labels, dtype=np.float32),
    )


def weights() -> AdaptedWeights:
    tokens = len(shipped_tagger().arrays["in.b"]) + len(TAGS) + rate_width(1)
    transitions = np.zeros((3, 3), dtype=np.float32)
    rates = layer(0, rates_per_token(1))
    tagger = LearntTagger(("Method",), layer(tokens, 3), transitions, rates)
    hidden = len(shipped_decision_network().offset) + DENSE
    decision, same = layer(hidden, len(LABELS)), layer(0, 2)
    lines = Calibration({"uses": (0.9, 1.25), "further": (1.0, 0.0)})
    return AdaptedWeights(
        LABELS, ROLE_LABELS, 12, 0.4, tagger, decision, layer(0, len(ROLE_LABELS)), same, lines
    )


def test_weights_are_unchanged_after_writing_and_reading(tmp_path: Path) -> None:
    write_weights(tmp_path / "w", weights())
    found = read_weights(tmp_path / "w")
    assert to_bytes(found) == to_bytes(weights())
    assert found.calibration == weights().calibration


def with_header(change: Callable[[dict[str, Any]], None]) -> bytes:
    magic, line, rest = to_bytes(weights()).split(b"\n", 2)
    header = json.loads(line)
    change(header)
    return b"\n".join([magic, json.dumps(header).encode(), rest])


VALID_FILE = to_bytes(weights())
INVALID_FILES = {
    "empty": (b"", "make one with kg learn"),
    "pickle": (pickle.dumps(print), "make one with kg learn"),
    "zip": (b"PK\x03\x04" + bytes(50), "make one with kg learn"),
    "incomplete header": (b"citekg weights 4\n{", "first line cannot be read"),
    "header is a list": (b"citekg weights 4\n[]\n", "first line cannot be read"),
    "deeply nested header": (
        b"citekg weights 4\n" + b"[" * 90_000 + b"\n",
        "first line cannot be read",
    ),
    "truncated": (VALID_FILE[:-1], "ends too early"),
    "trailing bytes": (VALID_FILE + b"\0", "more bytes follow"),
    "weight is not finite": (VALID_FILE[:-2] + np.float16(np.nan).tobytes(), "not a finite number"),
    "size beyond the end of the file": (
        with_header(lambda h: h["layers"].update(tagger=[1 << 18, h["layers"]["tagger"][1]])),
        "ends too early",
    ),
    "size above the limit": (
        with_header(lambda h: h["layers"].update(tagger=[1 << 60, 1])),
        "invalid",
    ),
    "negative size": (with_header(lambda h: h["layers"].update(tagger=[-1, 1])), "invalid"),
    "wrong width": (with_header(lambda h: h["layers"].update(decision=[2, 1])), "does not fit"),
    "invalid threshold": (with_header(lambda h: h.update(threshold=7.0)), "invalid"),
    "unknown type": (with_header(lambda h: h.update(tagged=["Ghost"])), "invalid"),
    "unknown role": (with_header(lambda h: h.update({"role labels": ["ghost"]})), "invalid"),
    "calibration line is not a pair": (
        with_header(lambda h: h.update(calibration={"uses": 1})),
        "cannot be read",
    ),
    "calibration is a list": (with_header(lambda h: h.update(calibration=[1])), "cannot be read"),
    "calibration slope is too large": (
        with_header(lambda h: h["calibration"].update(uses=[1e9, 0])),
        "cannot be read",
    ),
    "calibration number is too large": (
        with_header(lambda h: h["calibration"].update(uses=[10**400, 0])),
        "cannot be read",
    ),
    "calibration of an unknown role": (
        with_header(lambda h: h["calibration"].update(ghost=[1, 0])),
        "invalid",
    ),
    "duplicate role": (
        with_header(lambda h: h.update({"role labels": [*ROLE_LABELS, "uses"]})),
        "invalid",
    ),
    "earlier format": (VALID_FILE.replace(b"weights 4", b"weights 3", 1), "make one with kg learn"),
    "invalid label": (with_header(lambda h: h.update(labels=["", ["x"]])), "invalid"),
    "columns not in order": (
        VALID_FILE.replace(np.array([3, 70_000], dtype="<u4").tobytes(), b"\xff" * 8),
        "not in order",
    ),
    "models of another version": (
        with_header(lambda h: h.update(shipped="0" * 64)),
        "models of another version of citekg",
    ),
}


@pytest.mark.parametrize("name", INVALID_FILES)
def test_a_damaged_or_malicious_file_is_rejected_with_a_reason(name: str, tmp_path: Path) -> None:
    data, message = INVALID_FILES[name]
    (tmp_path / "w").write_bytes(data)
    with pytest.raises(WeightsError, match=message):
        read_weights(tmp_path / "w")


def test_the_error_for_a_missing_file_states_its_name(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="none: cannot be read"):
        read_weights(tmp_path / "none")
