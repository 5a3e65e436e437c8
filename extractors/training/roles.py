"""Training of the models of roles and of borderline entities, and of the calibration of roles.

The calibration is fitted on predictions for papers that the model was not trained on
(cross-validation). A prediction is right if it is the annotated role or another accepted one.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from citekg.extractors.classification.decoding import HashedSoftmax
from citekg.extractors.roles import borderline, calibration, classifier
from citekg.extractors.roles.calibration import Answer, Calibration, Line
from citekg.extractors.roles.joint import match_jointly
from citekg.extractors.training.classifiers import (
    FOLDS,
    WEIGHTS,
    Example,
    Row,
    fit_softmax,
    gold_as_accepted,
    save_weights,
)
from citekg.schemas.vocabulary import COMPARES_TO, DEFAULT, EXTENDS, TRAINS_ON

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Inverse regularisation strength, chosen by cross-validation.
ROLES_C: Final = 0.025
#: The same for borderline entities. In cross-validation, the area under the curve is 0.916, 0.924,
#: 0.927 and 0.927 with 0.03, 0.1, 0.3 and 1.
BORDERLINE_C: Final = 0.1
#: The share of a row's weight for the alternative roles of an annotation.
_OTHER_ROLES_SHARE: Final = 0.3
#: Weights that compensate for rare roles.
_ROLE_WEIGHTS: Final = {EXTENDS: 1.5, COMPARES_TO: 1.3, TRAINS_ON: 2.0}
#: Minimum number of answers for a separate fit; rarer roles share one fit to all answers.
_MIN_ANSWERS: Final = 50


class _OfRole(Protocol):
    """An answer about a role."""

    @property
    def role(self) -> str: ...


_Answer = TypeVar("_Answer", bound=_OfRole)
_Fitted = TypeVar("_Fitted")


def train_roles(examples: Sequence[Example]) -> tuple[Calibration, list[HashedSoftmax]]:
    """Train the role model, and write it to the shipped weights.

    Returns the calibration of roles, and the models that were trained without each fold.
    """
    rows = [[*_rows(example)] for example in examples]
    save_weights(WEIGHTS / "roles.npz", _fit(rows))
    models = [HashedSoftmax(_fit(_without(rows, fold))) for fold in range(FOLDS)]
    answers = (
        answer
        for fold, model in enumerate(models)
        for example in examples[fold::FOLDS]
        for answer in _answers(example, model)
    )
    return fit_calibration([*answers]), models


def train_borderline(examples: Sequence[Example]) -> HashedSoftmax:
    """Train the model of borderline entities, and write it to the shipped weights.

    Returns one that was trained without the first fold.
    """
    rows = [[*_borderline_rows(example)] for example in examples]
    save_weights(WEIGHTS / f"{borderline.FILE_NAME}.npz", _fit_borderline(rows))
    return HashedSoftmax(_fit_borderline(_without(rows, 0)))


def _without(rows: Sequence[list[Row]], fold: int) -> Iterator[list[Row]]:
    """Yield the rows of the papers of other folds."""
    return (row for n, row in enumerate(rows) if n % FOLDS != fold)


def save_calibration(fitted: Calibration) -> None:
    """Write a calibration to the shipped weights."""
    stored = {
        part: {role: [round(number, 3) for number in line] for role, line in lines.items()}
        for part, lines in (("roles", fitted.lines), ("relations", fitted.relation_planes))
    }
    (WEIGHTS / calibration.FILE_NAME).write_text(
        json.dumps(stored, indent=1) + "\n", encoding="utf-8"
    )


def _rows(example: Example) -> Iterator[Row]:
    """Yield the rows of a paper's entities, with shares for alternative roles."""
    entities = gold_as_accepted(example)
    required = sum(not gold.optional for gold, _ in entities)
    joint = match_jointly(example.doc, [accepted for _, accepted in entities])
    for (gold, accepted), matches in zip(entities, joint, strict=True):
        shared = classifier.entity_columns(example.doc, accepted, required)
        columns = classifier.role_columns(example.doc, accepted, shared, matches)[0]
        others = gold.other_roles
        shares = {gold.role: 1 - _OTHER_ROLES_SHARE if others else 1.0} | {
            other: _OTHER_ROLES_SHARE / len(others) for other in others
        }
        for role, share in shares.items():
            weight = share * _ROLE_WEIGHTS.get(role, 1.0)
            yield columns, classifier.ROLE_LABELS.index(role), weight


def _fit(rows: Iterable[list[Row]]) -> NDArray[np.float32]:
    """Return the weights of the role model for the rows of some papers."""
    return fit_softmax(chain.from_iterable(rows), len(classifier.ROLE_LABELS), ROLES_C)


def _borderline_rows(example: Example) -> Iterator[Row]:
    """Yield the rows of a paper's entities for the model of borderline ones."""
    entities = gold_as_accepted(example)
    for gold, accepted in entities:
        shared = classifier.entity_columns(example.doc, accepted, len(entities))
        columns = borderline.borderline_columns(accepted, shared)
        yield columns, int(gold.optional), 1.0


def _fit_borderline(rows: Iterable[list[Row]]) -> NDArray[np.float32]:
    """Return the weights of the model of borderline entities for the rows of some papers."""
    return fit_softmax(chain.from_iterable(rows), len(borderline.LABELS), BORDERLINE_C)


def _answers(example: Example, model: HashedSoftmax) -> Iterator[Answer]:
    """Yield the answers about the required entities of a paper."""
    entities = gold_as_accepted(example)
    required = sum(not gold.optional for gold, _ in entities)
    joint = match_jointly(example.doc, [accepted for _, accepted in entities])
    for (gold, accepted), matches in zip(entities, joint, strict=True):
        fitting = DEFAULT.roles_of(accepted.type)
        predicted = classifier.predict_roles(
            example.doc, accepted, required, model, fitting, matches, Calibration()
        )
        if not gold.optional:
            yield from calibration.answers(predicted, {gold.role, *gold.other_roles})


def fit_calibration(answers: Sequence[Answer]) -> Calibration:
    """Return the calibration that fits the answers: a logistic regression for each role."""
    names = (*classifier.ROLE_LABELS, calibration.FURTHER)
    return Calibration(fit_by_role(answers, names, _fit_line))


def fit_by_role(
    answers: Sequence[_Answer],
    roles: Iterable[str],
    fit: Callable[[Sequence[_Answer]], _Fitted],
) -> dict[str, _Fitted]:
    """Return the result of `fit` for the answers of each role; rare roles share one fit to all."""
    by_role = defaultdict[str, list[_Answer]](list)
    for answer in answers:
        by_role[answer.role].append(answer)
    shared = fit(answers)
    return {
        role: fit(by_role[role]) if len(by_role[role]) >= _MIN_ANSWERS else shared for role in roles
    }


def fit_logistic(rows: Sequence[Sequence[float]], is_right: Sequence[bool]) -> list[float]:
    """Return the slopes and the intercept of a logistic regression, `(columns + 1,)`."""
    from sklearn.linear_model import LogisticRegression

    model: Any = LogisticRegression()
    model.fit(rows, is_right)
    return [*model.coef_[0].tolist(), float(model.intercept_[0])]


def _fit_line(answers: Sequence[Answer]) -> Line:
    """Return the slope and the intercept of the log-odds that an answer is right."""
    slope, intercept = fit_logistic(
        [[calibration.log_odds(answer.score)] for answer in answers],
        [answer.is_right for answer in answers],
    )
    return slope, intercept
