"""Calibration: from the score of a role to the probability that the role is right.

Each role has a linear function of the log-odds of its score (Platt 1999), fitted on predictions
for annotated papers that the classifier was not trained on. The parameters are next to the weights.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from math import exp, log
from typing import TYPE_CHECKING, Final

from citekg.schemas.vocabulary import OUTPERFORMS

if TYPE_CHECKING:
    from citekg.extractors.roles.classifier import PredictedRole

#: The line for roles beside the first one of an entity.
FURTHER: Final = "further"
#: The file of the shipped lines, in the folder of the weights.
FILE_NAME: Final = "role_calibration.json"
#: How close to 0 and 1 a score counts.
_MARGIN: Final = 1e-3


@dataclass(frozen=True)
class Answer:
    """A predicted role, or `FURTHER`, its uncalibrated score, and whether it is right."""

    role: str
    score: float
    is_right: bool


@dataclass(frozen=True)
class Calibration:
    """The slope and the intercept of the line of each role; a role without one keeps its score."""

    lines: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def probability(self, role: str, score: float) -> float:
        """Return the probability that the role is right, 0 to 1, from its score, 0 to 1."""
        if role not in self.lines:
            return score
        slope, intercept = self.lines[role]
        return 1 / (1 + exp(-(slope * log_odds(score) + intercept)))


def answers(predicted: Iterable[PredictedRole], accepted: Collection[str]) -> Iterator[Answer]:
    """Yield the answers that predicted roles of an entity are; `accepted` are the right ones.

    "outperforms" is left out, because it has the confidence of "comparesTo".
    """
    named = (each for each in predicted if each.role != OUTPERFORMS)
    for rank, each in enumerate(named):
        yield Answer(FURTHER if rank else each.role, each.confidence, each.role in accepted)


def log_odds(score: float) -> float:
    """Return the log-odds of a score between 0 and 1; scores very close to either end are cut."""
    inside = min(max(score, _MARGIN), 1 - _MARGIN)
    return log(inside / (1 - inside))


@cache
def shipped_calibration() -> Calibration:
    """Return the calibration of the shipped role classifier."""
    file = resources.files("citekg.extractors") / "weights" / FILE_NAME
    lines: dict[str, list[float]] = json.loads(file.read_text(encoding="utf-8"))
    return Calibration({role: (slope, intercept) for role, (slope, intercept) in lines.items()})
