"""Calibration: from scores to the probability that a role, and a relation, is right.

Each role has a linear function of the log-odds of its score (Platt 1999), fitted on predictions
for annotated papers that the classifier was not trained on. The relations of each role have one of
the product of the probabilities of entity and role. It counts borderline entities as wrong: an
annotation marks them as optional, and the models are trained without them. The parameters are next
to the weights.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from math import exp, log
from typing import TYPE_CHECKING, Final

from citekg.schemas.vocabulary import COMPARES_TO, OUTPERFORMS

if TYPE_CHECKING:
    from citekg.extractors.roles.classifier import PredictedRole

#: The line for roles beside the first one of an entity.
FURTHER: Final = "further"
#: The file of the shipped lines, in the folder of the weights.
FILE_NAME: Final = "calibration.json"
#: How close to 0 and 1 a score counts.
_MARGIN: Final = 1e-3


#: The slope and the intercept of a linear function of log-odds.
Line = tuple[float, float]


@dataclass(frozen=True)
class Answer:
    """A role, or `FURTHER`, its uncalibrated score, and whether it is right."""

    role: str
    score: float
    is_right: bool


@dataclass(frozen=True)
class Calibration:
    """The slope and the intercept of the line of each role, and of that of its relations.

    A role without a line keeps its score.
    """

    lines: Mapping[str, Line] = field(default_factory=dict)
    relation_lines: Mapping[str, Line] = field(default_factory=dict)

    def probability(self, role: str, score: float) -> float:
        """Return the probability that the role is right, 0 to 1, from its score, 0 to 1."""
        return _on_line(self.lines.get(role), score)

    def relation_probability(self, role: str, entity: float, given_entity: float) -> float:
        """Return the probability that a relation is right, 0 to 1.

        It follows from those of its entity, and of its role if the entity is right. "outperforms"
        has the confidence of "comparesTo".
        """
        line = self.relation_lines.get(COMPARES_TO if role == OUTPERFORMS else role)
        return _on_line(line, entity * given_entity)


def _on_line(line: Line | None, score: float) -> float:
    """Return the probability that a line gives for a score, or the score without one."""
    if line is None:
        return score
    slope, intercept = line
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
    stored: dict[str, dict[str, list[float]]] = json.loads(file.read_text(encoding="utf-8"))
    roles, relations = (
        {role: (slope, intercept) for role, (slope, intercept) in stored[part].items()}
        for part in ("roles", "relations")
    )
    return Calibration(roles, relations)
