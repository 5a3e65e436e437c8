"""A log-linear choice model: it predicts the right option of a question from hashed features.

A question has options, each with features (texts). The score of an option is the sum of the weights
of its features, and the probabilities of the options are the softmax of their scores (conditional
logit; McFadden 1974). Features are hashed by CRC-32 to 32 bits, so that collisions are rare.
"""

from __future__ import annotations

import hashlib
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from importlib import resources
from itertools import repeat
from math import exp, log
from operator import add
from typing import Any, Final, NamedTuple, Protocol

#: The file of the weights, in the folder `weights`.
FILE_NAME: Final = "results.npz"


class Option(NamedTuple):
    """One option of a question: its content and its features."""

    content: Any
    features: Sequence[str]


class Answer(NamedTuple):
    """The number of the chosen option and its probability, 0 to 1."""

    option: int
    probability: float


class Chooser(Protocol):
    """An object that answers questions: the trained model, or annotations during training."""

    def choose(self, task: str, value: int, options: Sequence[Option]) -> Answer:
        """Return the answer to a question of a task about a value, given by its number."""


def columns(task: str, features: Sequence[str]) -> Iterator[int]:
    """Return the hashes of the features of a task."""
    return map(zlib.crc32, map(str.encode, features), repeat(zlib.crc32(task.encode("utf-8"))))


@dataclass(frozen=True, eq=False)
class ChoiceModel:
    """The trained model: weights by hash, and a calibration of the confidence of a whole result.

    `calibration` holds the slope and the intercept of the log-odds that a result is right.
    """

    weights: Mapping[int, float]
    calibration: tuple[float, float] = (1.0, 0.0)

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the weights and the calibration, in hexadecimal digits."""
        hasher = hashlib.sha256(array("Q", self.weights))  # a file of weights holds sorted hashes
        hasher.update(array("d", self.weights.values()))
        hasher.update(array("d", self.calibration))
        return hasher.hexdigest()

    def probabilities(self, task: str, options: Sequence[Option]) -> list[float]:
        """Return the probability of each option."""
        if len(options) == 1:
            return [1.0]
        scores = [self._score(columns(task, option.features)) for option in options]
        highest = max(scores)
        exponentials = [exp(score - highest) for score in scores]
        total = sum(exponentials)
        return [each / total for each in exponentials]

    def _score(self, hashes: Iterable[int]) -> float:
        """Return the sum of the weights of features, given by their hashes."""
        # From Python 3.12 on, `sum` rounds in another way.
        return reduce(add, map(self.weights.get, hashes, repeat(0.0)), 0.0)

    def choose(self, task: str, value: int, options: Sequence[Option]) -> Answer:  # noqa: ARG002
        """Return the most probable option; the first of equal ones."""
        probabilities = self.probabilities(task, options)
        best = max(range(len(options)), key=lambda i: (probabilities[i], -i))
        return Answer(best, probabilities[best])

    def calibrated(self, probability: float) -> float:
        """Return the calibrated probability that a result is right."""
        slope, intercept = self.calibration
        bounded = min(max(probability, 1e-6), 1 - 1e-6)
        return 1 / (1 + exp(-(slope * log(bounded / (1 - bounded)) + intercept)))


@cache
def shipped_choice_model() -> ChoiceModel:
    """Return the shipped model."""
    import numpy as np

    with (resources.files("citekg.extractors") / "weights" / FILE_NAME).open("rb") as file:
        stored = np.load(file)
        keys, values = stored["columns"].tolist(), stored["values"].astype(float).tolist()
        slope, intercept = stored["calibration"].tolist()
    return ChoiceModel(dict(zip(keys, values, strict=True)), (slope, intercept))
