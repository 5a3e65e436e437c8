"""A domain: the types, roles, names and rules of a schema file.

The trained models know only the shipped types. Candidates of other types are classified by the
schema: by a row of its lexicon, or by a cue. Candidates of both kinds then compete in one decoding
step, in the order of their confidence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.patterns import Cue
from citekg.extractors.classification.decoding import LABELS, AcceptedEntity
from citekg.extractors.classification.type_patterns import stated_type
from citekg.extractors.nlp import Document
from citekg.extractors.roles import classifier
from citekg.extractors.roles.calibration import Calibration
from citekg.extractors.roles.classifier import ROLE_LABELS, PredictedRole
from citekg.extractors.roles.patterns import PatternMatches
from citekg.extractors.wording.context import context_around
from citekg.schemas.vocabulary import (
    COMPARES_TO,
    DEFAULT,
    EVALUATES_ON,
    EXTENDS,
    INTRODUCES,
    MENTIONS,
    OUTPERFORMS,
    TRAINS_ON,
    TYPES,
    USES,
    Vocabulary,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Confidence of a type that a schema's lexicon assigns.
LEXICON_CONFIDENCE: Final = 0.95
_MAX_EVIDENCE: Final = 3
#: The minimum probability of a learnt type for which cues of other types are ignored.
_PROBABLE: Final = 0.5
#: The next broader role of each shipped role, used if a schema omits the role.
_BROADER: Final = {
    EVALUATES_ON: USES,
    TRAINS_ON: USES,
    EXTENDS: USES,
    OUTPERFORMS: COMPARES_TO,
    COMPARES_TO: MENTIONS,
    INTRODUCES: MENTIONS,
    USES: MENTIONS,
}
#: The number of shipped roles, which come first among the labels of adapted weights.
_SHIPPED: Final = len(ROLE_LABELS)


@dataclass(frozen=True)
class RoleTemplate:
    """A compiled template of a schema that states a role, with its confidence (0 to 1)."""

    role: str
    before: re.Pattern[str]
    after: re.Pattern[str]
    confidence: float


@dataclass(frozen=True)
class Domain:
    """The contents of a schema: vocabulary, lexicon entries, cues and role templates."""

    vocabulary: Vocabulary
    entries: tuple[Entry, ...] = ()
    cues: tuple[Cue, ...] = ()
    templates: tuple[RoleTemplate, ...] = ()

    def lexicon(self, shipped: Sequence[Entry]) -> Lexicon:
        """Return the schema's entries, followed by the shipped ones whose types it keeps."""
        kept = (entry for entry in shipped if entry.type in self.vocabulary.types)
        return Lexicon.of([*self.entries, *kept], self.vocabulary)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of decoding; the first, empty one means "not an entity"."""
        return ("", *self.vocabulary.types)

    def over_labels(self, probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probabilities over `labels`, `(candidates, labels)`.

        `probabilities` are those of the trained models over `decoding.LABELS`, `(candidates,
        LABELS)`. The probabilities of types that the schema omits are added to that of not being an
        entity.
        """
        import numpy as np

        out = np.zeros((len(probabilities), len(self.labels)), dtype=np.float32)
        for column, label in enumerate(LABELS):
            out[:, self.labels.index(label) if label in self.labels else 0] += probabilities[
                :, column
            ]
        return out

    def with_schema_types(
        self,
        candidates: Sequence[Candidate],
        probabilities: NDArray[np.float32],
        learnt: Collection[str] = (),
    ) -> NDArray[np.float32]:
        """Return the probabilities, `(candidates, labels)`, with types that the schema assigns.

        Types in `learnt` are left to the probabilities, and so are candidates that are probably
        of a learnt type: a cue of another type does not change it.
        """
        out: NDArray[np.float32] = probabilities.copy()
        types_by_key = self._schema_types(candidates, out, learnt)
        columns = [self.labels.index(type_) for type_ in learnt]
        is_learnt = out[:, columns].max(axis=1, initial=0.0) > _PROBABLE
        for row, candidate in enumerate(candidates):
            if candidate.key in types_by_key and not is_learnt[row]:
                type_, confidence = types_by_key[candidate.key]
                out[row] = 0
                out[row, 0], out[row, self.labels.index(type_)] = 1 - confidence, confidence
        return out

    def _schema_types(
        self,
        candidates: Sequence[Candidate],
        probabilities: NDArray[np.float32],
        learnt: Collection[str],
    ) -> dict[str, tuple[str, float]]:
        """Return the type and confidence that the schema assigns to candidates, by key.

        A short form and its long form share the type of the one that has it.
        """
        own = {
            candidate.key: schema_type
            for candidate, row in zip(candidates, probabilities.tolist(), strict=True)
            if (schema_type := self._schema_type(candidate, learnt))
            and not _is_more_confident(row, candidate, schema_type[1])
        }
        inherited = {
            partner: own[candidate.key]
            for candidate in sorted(candidates, key=lambda c: c.key)
            for partner in sorted(candidate.partners)
            if candidate.key in own
        }
        shipped = {c.key for c in candidates if c.entry and c.entry.type in TYPES}
        return {
            name: schema_type for name, schema_type in inherited.items() if name not in shipped
        } | own

    def _schema_type(
        self, candidate: Candidate, learnt: Collection[str]
    ) -> tuple[str, float] | None:
        """Return the type that the schema assigns to a candidate, with its confidence, if any.

        The schema's lexicon takes precedence over its cues.
        """
        entry = candidate.entry
        if entry and entry.type not in (*TYPES, *learnt):
            return entry.type, LEXICON_CONFIDENCE
        cues = [item for item in candidate.cue_types.items() if item[0] not in learnt]
        if not cues or (entry and (entry.umbrella or entry.type in learnt)):
            return None
        order = self.labels
        return max(cues, key=lambda item: (item[1], -order.index(item[0])))

    def with_stated_types(
        self, doc: Document, found: Iterable[AcceptedEntity]
    ) -> list[AcceptedEntity]:
        """Return the entities with the types that the text states.

        This applies to entities of a shipped type, and only if the schema keeps the stated type.
        """
        return [each if self._is_own(each) else self._with_stated_type(doc, each) for each in found]

    def _is_own(self, accepted: AcceptedEntity) -> bool:
        return accepted.type not in TYPES or any(c.cue_types for c in accepted.candidates)

    def _with_stated_type(self, doc: Document, accepted: AcceptedEntity) -> AcceptedEntity:
        type_ = stated_type(doc, accepted)
        return replace(accepted, type=type_) if type_ in self.vocabulary.types else accepted

    def as_shipped(self, accepted: AcceptedEntity) -> AcceptedEntity:
        """Return the entity with the shipped type that its own type is like."""
        return replace(accepted, type=self.vocabulary.types[accepted.type].like)

    def roles(
        self,
        doc: Document,
        accepted: AcceptedEntity,
        templates: Mapping[str, PredictedRole],
        rows: Sequence[Sequence[float]],
        matches: PatternMatches,
        calibration: Calibration,
        labels: Sequence[str] = ROLE_LABELS,
    ) -> list[PredictedRole]:
        """Return the roles of an entity.

        The schema's templates take precedence over the trained model. A shipped role that the
        schema does not have counts as the next broader one. "introduces" is kept in addition to the
        roles of the templates if the text states it. `templates` are those of `matched_roles`,
        `matches` the roles that the shipped patterns find for the entity; for `rows`, see
        `classifier.roles_of_probabilities`. Templates of the roles in `labels`, those of adapted
        weights, are features of the model (see `adaptation.roles.further_features`).
        """
        fitting = self.vocabulary.roles_of(accepted.type)
        omitted = self._omitted_roles(accepted.type) if len(labels) == _SHIPPED else frozenset()
        own = labels[_SHIPPED:]
        stated = {role: each for role, each in templates.items() if role not in own}
        found = classifier.roles_of_probabilities(
            doc, self.as_shipped(accepted), rows, fitting | omitted, matches, calibration, labels
        )
        predicted = _in_schema(found, fitting)
        if not stated:
            return predicted
        is_new = INTRODUCES in matches.roles
        return [
            *(r for r in predicted if is_new and r.role == INTRODUCES and r.role not in stated),
            *stated.values(),
        ]

    def _omitted_roles(self, type_: str) -> frozenset[str]:
        """Return the shipped roles that would fit the type, and that the schema does not have."""
        like = self.vocabulary.types[type_].like
        return DEFAULT.roles_of(like) - self.vocabulary.roles.keys()

    def matched_roles(self, doc: Document, accepted: AcceptedEntity) -> dict[str, PredictedRole]:
        """Return the fitting roles whose templates match, in the order of the vocabulary.

        Roles that are broader than another matched role are left out.
        """
        found: dict[str, tuple[float, list[int]]] = {}
        for number, span in enumerate(accepted.spans):
            for template in self._matching_templates(doc, span):
                confidence, mentions = found.get(template.role, (0.0, []))
                found[template.role] = (
                    max(confidence, template.confidence),
                    [*dict.fromkeys((*mentions, number))],
                )
        fitting = self.vocabulary.roles_of(accepted.type)
        broader = {other for role in found for other in self.vocabulary.broader_roles(role)}
        broader |= {MENTIONS} if len(found) > 1 else set()
        return {
            role: PredictedRole(role, found[role][0], tuple(found[role][1][:_MAX_EVIDENCE]))
            for role in self.vocabulary.roles
            if role in found and role in fitting and role not in broader
        }

    def _matching_templates(self, doc: Document, span: tuple[int, int]) -> Iterator[RoleTemplate]:
        before, after = context_around(doc, span)
        yield from (p for p in self.templates if p.before.search(before) and p.after.match(after))

    def configuration_text(self) -> str:
        """Return all rules but the entries as text, for the digest of a configuration."""
        cues = [(c.type, c.pattern.pattern, c.confidence, sorted(c.never)) for c in self.cues]
        templates = [
            (p.role, p.before.pattern, p.after.pattern, p.confidence) for p in self.templates
        ]
        return repr((self.vocabulary, cues, templates))


def _is_more_confident(row: Sequence[float], candidate: Candidate, confidence: float) -> bool:
    """Return whether a shipped lexicon name is at least as probable as a schema's cue."""
    return bool(candidate.entry and candidate.entry.type in TYPES and 1 - row[0] >= confidence)


def _in_schema(predicted: Iterable[PredictedRole], fitting: Collection[str]) -> list[PredictedRole]:
    """Return the roles, with each that does not fit replaced by the next broader one that does."""
    found: dict[str, PredictedRole] = {}
    for each in predicted:
        role = each.role
        while role not in fitting and role in _BROADER:
            role = _BROADER[role]
        if role in fitting:
            found.setdefault(role, replace(each, role=role))
    return [*found.values()]
