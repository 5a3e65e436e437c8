"""Counting of words in annotated names, for the rates of the learnt tagger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.name_rates import rates_per_token, with_neighbours

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The minimum and the maximum rate, and the count at which the frequency feature is 1.
_MIN_RATE, _MAX_RATE, _FULL_COUNT = 0.003, 0.99, 5


class NameRates:
    """The counts of all documents, given as columns of rates and BIO labels of their tokens."""

    def __init__(
        self, columns: Sequence[NDArray[np.int64]], labels: Sequence[NDArray[np.int64]], types: int
    ) -> None:
        self._columns, flat = np.unique(
            np.concatenate([own.reshape(-1) for own in columns]), return_inverse=True
        )
        self._places = np.split(flat, np.cumsum([own.size for own in columns])[:-1])
        self._kinds = columns[0].shape[1]
        self._events = [_events(own, types) for own in labels]
        self._counts = np.zeros((len(self._columns), rates_per_token(types)))
        for number in range(len(columns)):
            np.add.at(self._counts, self._places[number], self._repeated(number))

    def _repeated(self, number: int) -> NDArray[np.float64]:
        return np.repeat(self._events[number], self._kinds, axis=0)

    def layer(self) -> LinearLayer:
        """Return the rates of all documents, rounded to half precision."""
        rates = self._rates(self._counts).astype(np.float16).astype(np.float32)
        width = rates.shape[1]
        nothing = np.zeros((0, width), dtype=np.float32)
        return LinearLayer(
            self._columns.astype(np.uint32), rates, nothing, np.zeros(width, dtype=np.float32)
        )

    def without_itself(self, number: int) -> NDArray[np.float32]:
        """Return the features of a document's tokens from the other documents (leave-one-out)."""
        columns, places = np.unique(self._places[number], return_inverse=True)
        counts = self._counts[columns]
        np.subtract.at(counts, places, self._repeated(number))
        return with_neighbours(self._rates(counts)[places].reshape(len(self._events[number]), -1))

    def _rates(self, counts: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the smoothed log-odds of counts relative to the mean rates, and frequencies."""
        seen, named = counts[:, -1:], counts[:, :-1]
        total = self._counts.sum(axis=0)
        mean = np.clip(total[:-1] / max(1.0, total[-1]), _MIN_RATE, _MAX_RATE)
        rates = np.clip((named + mean) / (seen + 1), _MIN_RATE, _MAX_RATE)
        odds = (np.log(rates / (1 - rates)) - np.log(mean / (1 - mean))) / 4
        return np.concatenate(
            [odds, np.minimum(seen, _FULL_COUNT) / _FULL_COUNT], axis=1, dtype=np.float32
        )


def _events(labels: NDArray[np.int64], types: int) -> NDArray[np.float64]:
    """Return which tokens are inside, first and last in a name of each type; all are seen."""
    after = np.append(labels[1:], 0)
    columns: list[NDArray[np.bool_]] = []
    for begin in range(1, 2 * types, 2):
        inside = (labels == begin) | (labels == begin + 1)
        columns += [inside, labels == begin, inside & (after != begin + 1)]
    return np.stack([*columns, np.ones(len(labels), dtype=bool)], axis=1).astype(np.float64)
