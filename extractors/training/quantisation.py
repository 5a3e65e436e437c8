"""Quantisation of the convolutions of the tagger to integers of 8 bits.

Each input channel and each output channel has a scale (Jacob et al. 2018). The largest absolute
value that an input channel has in given documents becomes the largest integer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from citekg.extractors.candidates.convolutions import DILATIONS, LIMIT, TAPS, Convolutions
from citekg.extractors.candidates.kernels import fastest
from citekg.extractors.candidates.tagger import Tagger, row_bounds
from citekg.extractors.nlp import Document

Arrays = dict[str, np.ndarray[Any, Any]]

#: The scale of a channel without values.
_SMALLEST: Final = 1e-6


def quantise(arrays: Mapping[str, np.ndarray[Any, Any]], docs: Sequence[Document]) -> Arrays:
    """Return the arrays of a tagger with quantised convolutions, given those of the network.

    The convolutions are quantised one after another, so each has the inputs that it has in the
    end.
    """
    quantised = {name: array.astype(np.float32) for name, array in arrays.items()}
    bounds = [*row_bounds(docs)]
    embedded = Tagger(quantised).embed(docs)
    for layer in range(len(DILATIONS)):
        inputs = embedded.copy()
        fastest(Convolutions.of(quantised, layer)).convolve(inputs, bounds)
        largest = np.abs(inputs).max(axis=0)
        input_scale = LIMIT / np.maximum(largest, _SMALLEST)
        weights = quantised[f"conv{layer}.w"] / np.tile(input_scale, TAPS)[:, None]
        output_scale = np.maximum(np.abs(weights).max(axis=0) / LIMIT, _SMALLEST**2)
        quantised[f"conv{layer}.w"] = np.rint(weights / output_scale).clip(-LIMIT, LIMIT)
        quantised[f"conv{layer}.in"] = input_scale.astype(np.float32)
        quantised[f"conv{layer}.out"] = output_scale.astype(np.float32)
    return quantised


def save_arrays(file: Path, arrays: Arrays) -> None:
    """Write the arrays of a quantised tagger.

    Quantised weights have 8 bits, their scales 32, and other numbers 16 (half precision).
    """
    types: dict[str, type[np.number[Any]]] = {}
    for layer in range(len(DILATIONS)):
        types[f"conv{layer}.w"] = np.int8
        types[f"conv{layer}.in"] = types[f"conv{layer}.out"] = np.float32
    stored: dict[str, Any] = {
        name: array.astype(types.get(name, np.float16)) for name, array in arrays.items()
    }
    np.savez(file, **stored)
