"""Learning roles: the layer that is added to the shipped role model, and its calibration."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.roles import AdaptedRoles, further_features, role_scores
from citekg.extractors.adaptation.weights import AdaptedWeights
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.gold import GoldEntity, named_entity
from citekg.extractors.learning.examples import AnnotatedDocument
from citekg.extractors.learning.linear import Regularisation, regularisation_of_labels
from citekg.extractors.learning.optimising import Vector, minimise
from citekg.extractors.learning.softmax import fit_softmax
from citekg.extractors.nlp import Document
from citekg.extractors.roles.calibration import (
    FURTHER,
    Answer,
    Calibration,
    answers,
    log_odds,
    shipped_calibration,
)
from citekg.extractors.roles.classifier import (
    ROLE_LABELS,
    entity_columns,
    predict_roles,
    role_columns,
)
from citekg.extractors.roles.joint import match_jointly
from citekg.extractors.roles.patterns import PatternMatches
from citekg.schemas.names import key
from citekg.schemas.vocabulary import DEFAULT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citekg.extractors.pipeline import ExtractionPipeline

#: The minimum number of examples of a learnt role of a schema, and of learnt roles in total.
_MIN_EXAMPLES: Final = 5
#: The share of a row's weight for the alternative roles of an annotation.
_OTHER_ROLES_SHARE: Final = 0.3
#: The regularisation of a shipped role, and of a role of a schema.
_SHIPPED_REGULARISATION: Final = Regularisation(60.0, 1.0, 30.0)
_SCHEMA_REGULARISATION: Final = Regularisation(4.0, 1.0)
#: The regularisation of the slope and the intercept of a role's calibration, and their decimals.
_LINE_REGULARISATION: Final = 20.0
_DIGITS: Final = 3


@dataclass(frozen=True)
class RoleExample:
    """An annotated entity of a paper: columns, target weights of roles, and inputs of prediction.

    The first set of columns is that of the entity, to which `target` refers; those of its mentions
    follow (see `role_columns`). `accepted` has a shipped type.
    """

    gold: GoldEntity
    accepted: AcceptedEntity
    matches: PatternMatches
    fitting: tuple[str, ...]
    further: tuple[str, ...]
    columns: list[set[int]]
    target: NDArray[np.float32]


@dataclass(frozen=True)
class RoleRows:
    """The entities of one paper with annotated roles; `required` is the number of required ones."""

    doc: Document
    required: int
    examples: tuple[RoleExample, ...]


def learnt_roles(documents: Sequence[AnnotatedDocument], own: Sequence[str]) -> tuple[str, ...]:
    """Return the shipped roles and those of `own` with enough examples, or nothing without any."""
    counts = Counter(entity.role for document in documents for entity in document.gold)
    learnt = tuple(role for role in own if counts[role] >= _MIN_EXAMPLES)
    known = sum(counts[role] for role in ROLE_LABELS)
    return (*ROLE_LABELS, *learnt) if learnt or known >= _MIN_EXAMPLES else ()


def role_rows(
    document: AnnotatedDocument,
    candidates: Sequence[Candidate],
    pipeline: ExtractionPipeline,
    labels: tuple[str, ...],
) -> RoleRows:
    """Return the entities of a paper whose roles are annotated and learnt."""
    doc, domain = document.doc, pipeline.domain
    entities = _as_accepted(document, candidates) if labels else []
    accepted = [a for _, a in entities]
    shipped = [domain.as_shipped(a) for a in accepted] if domain else accepted
    required = sum(not gold.optional for gold, _ in entities)
    examples = []
    for (gold, own), alike, matches in zip(
        entities, shipped, match_jointly(doc, shipped), strict=True
    ):
        target = _target(gold, labels)
        if target.any():
            fitting = (domain.vocabulary if domain else DEFAULT).roles_of(own.type)
            further: tuple[str, ...] = ()
            if domain:
                further = (*further_features(own.type, domain.matched_roles(doc, own), labels),)
            shared = entity_columns(doc, alike, required)
            columns = role_columns(doc, alike, shared, matches, further)
            examples.append(
                RoleExample(gold, alike, matches, (*fitting,), further, columns, target)
            )
    return RoleRows(doc, required, tuple(examples))


def _target(gold: GoldEntity, labels: tuple[str, ...]) -> NDArray[np.float32]:
    """Return the target weight of each role; zeros if no annotated role is learnt."""
    target = np.zeros(len(labels), dtype=np.float32)
    others = [role for role in gold.other_roles if role in labels]
    if gold.role in labels:
        target[labels.index(gold.role)] = 1 - _OTHER_ROLES_SHARE if others else 1.0
        for role in others:
            target[labels.index(role)] += _OTHER_ROLES_SHARE / len(others)
    return target


def _as_accepted(
    document: AnnotatedDocument, candidates: Sequence[Candidate]
) -> list[tuple[GoldEntity, AcceptedEntity]]:
    """Return the annotated entities of the text, as if decoding had accepted them."""
    named: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        gold = named_entity(document.doc, candidate, document.gold)
        if gold is not None:
            named.setdefault(id(gold), []).append(candidate)
    out = []
    for gold, spans in zip(document.gold, document.spans, strict=True):
        own = named.get(id(gold)) or [Candidate(key(gold.name), [*spans])]
        if spans:
            out.append((gold, AcceptedEntity(own, [*spans], gold.type, 1.0)))
    return out


def fit_roles(
    rows: Sequence[RoleRows], pipeline: ExtractionPipeline, labels: tuple[str, ...]
) -> LinearLayer | None:
    """Return the layer learnt from some papers, or None if they have no roles."""
    examples = [example for row in rows for example in row.examples]
    if not examples:
        return None
    columns = [example.columns[0] for example in examples]
    base = role_scores(pipeline.role_model, columns, labels)
    targets = np.array([example.target for example in examples])
    is_own = [role not in ROLE_LABELS for role in labels]
    regularisation = regularisation_of_labels(
        is_own, _SHIPPED_REGULARISATION, _SCHEMA_REGULARISATION
    )
    return fit_softmax(
        columns, np.zeros((len(columns), 0), np.float32), base, targets, regularisation
    )


def answers_of(
    rows: RoleRows, pipeline: ExtractionPipeline, weights: AdaptedWeights
) -> Iterator[Answer]:
    """Yield the uncalibrated predictions of weights for a paper that they were not trained on.

    The weights must have a layer of roles.
    """
    assert weights.role_layer, "answers need a layer of roles"  # noqa: S101
    model = AdaptedRoles(pipeline.role_model, weights.role_layer, weights.roles)
    for example in rows.examples:
        if example.gold.optional:
            continue
        predicted = predict_roles(
            rows.doc,
            example.accepted,
            rows.required,
            model,
            example.fitting,
            example.matches,
            Calibration(),
            model.labels,
            example.further,
        )
        yield from answers(predicted, {example.gold.role, *example.gold.other_roles})


def fit_calibration(found: Iterable[Answer], labels: Iterable[str]) -> Calibration:
    """Return lines fitted to the answers, regularised towards those of the shipped models.

    The line of a role of a schema is regularised towards the identity.
    """
    by_role = defaultdict[str, list[Answer]](list)
    for answer in found:
        by_role[answer.role].append(answer)
    shipped = shipped_calibration().lines
    return Calibration(
        {
            role: _fit_line(by_role[role], shipped.get(role, (1.0, 0.0)))
            for role in (*labels, FURTHER)
        }
    )


def _fit_line(found: Sequence[Answer], start: tuple[float, float]) -> tuple[float, float]:
    """Return the slope and the intercept of the log-odds that an answer is right."""
    odds = np.array([log_odds(answer.score) for answer in found])
    right = np.array([answer.is_right for answer in found], dtype=np.float64)

    def loss(line: Vector) -> tuple[float, Vector]:
        scores = line[0] * odds + line[1]
        residuals = 1 / (1 + np.exp(-scores)) - right
        offset = line - start
        value = (
            np.logaddexp(0, scores).sum()
            - right @ scores
            + _LINE_REGULARISATION / 2 * (offset @ offset)
        )
        return float(value), np.array(
            [residuals @ odds, residuals.sum()]
        ) + _LINE_REGULARISATION * offset

    slope, intercept = minimise(loss, np.array(start), tolerance=1e-6).round(_DIGITS).tolist()
    return slope, intercept
