"""Learning roles: the layer that is added to the shipped role model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.roles import further_features, role_scores
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.gold import GoldEntity, named_entity
from citekg.extractors.learning.examples import AnnotatedDocument
from citekg.extractors.learning.linear import Pull, pulls_of_labels
from citekg.extractors.learning.softmax import fit_softmax
from citekg.extractors.roles.classifier import ROLE_LABELS, role_columns
from citekg.extractors.roles.joint import match_jointly
from citekg.schemas.names import key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citekg.extractors.pipeline import ExtractionPipeline

#: The number of examples from which a role of a schema is learnt, and roles at all.
_MIN_EXAMPLES: Final = 5
#: The share of a row's weight for the alternative roles of an annotation.
_OTHER_ROLES_SHARE: Final = 0.3
#: The pulls of a shipped role, and of a role of a schema.
_SHIPPED_PULL: Final = Pull(60.0, 1.0, 30.0)
_OWN_PULL: Final = Pull(4.0, 1.0)


@dataclass(frozen=True)
class RoleRows:
    """The entities of one paper whose roles are annotated: columns and the weights of roles."""

    columns: list[set[int]]
    targets: NDArray[np.float32]


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
    """Return the rows of a paper's entities, with shares for alternative roles."""
    if not labels:
        return RoleRows([], np.zeros((0, 0), dtype=np.float32))
    doc, domain = document.doc, pipeline.domain
    entities = _as_accepted(document, candidates)
    accepted = [a for _, a in entities]
    shipped = [domain.as_shipped(a) for a in accepted] if domain else accepted
    required = sum(not gold.optional for gold, _ in entities)
    columns, targets = [], []
    for (gold, own), alike, matches in zip(
        entities, shipped, match_jointly(doc, shipped), strict=True
    ):
        target = _target(gold, labels)
        if target.any():
            further: list[str] = []
            if domain and len(labels) > len(ROLE_LABELS):
                stated = domain.matched_roles(doc, own, domain.vocabulary.roles_of(own.type))
                further = [*further_features(own.type, stated)]
            columns.append(role_columns(doc, alike, required, matches, further)[0])
            targets.append(target)
    table = np.array(targets, dtype=np.float32).reshape(len(targets), len(labels))
    return RoleRows(columns, table)


def _target(gold: GoldEntity, labels: tuple[str, ...]) -> NDArray[np.float32]:
    """Return the weight of each role; zeros where no annotated role is learnt."""
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
    """Return the layer of some papers, or None where they state no roles."""
    columns = [each for row in rows for each in row.columns]
    if not columns:
        return None
    base = role_scores(pipeline.role_model, columns, labels)
    targets = np.concatenate([row.targets for row in rows])
    is_own = [role not in ROLE_LABELS for role in labels]
    pull = pulls_of_labels(is_own, _SHIPPED_PULL, _OWN_PULL)
    return fit_softmax(columns, np.zeros((len(columns), 0), np.float32), base, targets, pull)
