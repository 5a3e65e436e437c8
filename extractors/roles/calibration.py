"""Calibration: from scores to the probability that a role, and a relation, is right.

Each role has a linear function of the log-odds of its score (Platt 1999), fitted on predictions
for annotated papers that the classifier was not trained on. The relations of each role have a
linear function of two log-odds: that entity and role are right, and that the entity is borderline.
A relation of a borderline entity counts as wrong. The parameters are next to the weights.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from math import exp, log
from typing import TYPE_CHECKING, Any, Final

from citekg.schemas.vocabulary import COMPARES_TO, OUTPERFORMS

if TYPE_CHECKING:
    from citekg.extractors.roles.classifier import PredictedRole

#: The key of the line for all roles of an entity except the first one.
FURTHER: Final = "further"
#: The file of the shipped lines, in the folder of the weights.
FILE_NAME: Final = "calibration.json"
#: Scores are clipped to this distance from 0 and 1.
_MARGIN: Final = 1e-3


#: The slope and the intercept of a linear function of log-odds.
Line = tuple[float, float]
#: The two slopes and the intercept of a linear function of two log-odds.
Plane = tuple[float, float, float]


@dataclass(frozen=True)
class Answer:
    """A role, or `FURTHER`, its uncalibrated score, and whether it is right."""

    role: str
    score: float
    is_right: bool


@dataclass(frozen=True)
class Calibration:
    """The line of each role, and the plane of its relations.

    A role without a line keeps its score, and a relation without a plane has the probability that
    entity and role are right.
    """

    lines: Mapping[str, Line] = field(default_factory=dict)
    relation_planes: Mapping[str, Plane] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A SHA-256 of the parameters, in hexadecimal digits."""
        parameters = sorted(self.lines.items()), sorted(self.relation_planes.items())
        return hashlib.sha256(repr(parameters).encode()).hexdigest()

    def probability(self, role: str, score: float) -> float:
        """Return the probability that the role is right, 0 to 1, from its score, 0 to 1."""
        if role not in self.lines:
            return score
        slope, intercept = self.lines[role]
        return _probability(slope * log_odds(score) + intercept)

    def relation_probability(self, role: str, score: float, borderline: float) -> float:
        """Return the probability that a relation is right, 0 to 1.

        `score` is the probability that its entity and its role are right, `borderline` that the
        entity is borderline. "outperforms" has the confidence of "comparesTo".
        """
        plane = self.relation_planes.get(COMPARES_TO if role == OUTPERFORMS else role)
        if plane is None:
            return score
        slope, borderline_slope, intercept = plane
        return _probability(
            slope * log_odds(score) + borderline_slope * log_odds(borderline) + intercept
        )


def _probability(odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + exp(-odds))


def answers(predicted: Iterable[PredictedRole], accepted: Collection[str]) -> Iterator[Answer]:
    """Yield the predicted roles of an entity as answers; `accepted` are the right roles.

    "outperforms" is left out, because it has the confidence of "comparesTo".
    """
    named = (each for each in predicted if each.role != OUTPERFORMS)
    for rank, each in enumerate(named):
        yield Answer(FURTHER if rank else each.role, each.confidence, each.role in accepted)


def log_odds(score: float) -> float:
    """Return the log-odds of a score between 0 and 1; scores near either end are clipped."""
    inside = min(max(score, _MARGIN), 1 - _MARGIN)
    return log(inside / (1 - inside))


@cache
def shipped_calibration() -> Calibration:
    """Return the calibration of the shipped role classifier."""
    file = resources.files("citekg.extractors") / "weights" / FILE_NAME
    stored: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    lines = {role: (slope, at_zero) for role, (slope, at_zero) in stored["roles"].items()}
    planes = {role: (*slopes, at_zero) for role, (*slopes, at_zero) in stored["relations"].items()}
    return Calibration(lines, planes)
