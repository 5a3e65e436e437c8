"""A field that a schema describes: its types and roles, its names, and the words that tell one from another.

The trained step knows the shipped types alone. A name of another type is decided by what the schema says: a row of its
lexicon, or a cue. Both kinds then compete for their places in one step, the surer first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.patterns import Cue
from citekg.extractors.classification.decoding import LABELS, AcceptedEntity, HashedSoftmax
from citekg.extractors.classification.type_patterns import stated_type
from citekg.extractors.nlp import Document
from citekg.extractors.roles import classifier as trained
from citekg.extractors.roles.classifier import PredictedRole
from citekg.extractors.roles.patterns import context_around, match_patterns
from citekg.schemas.vocabulary import INTRODUCES, MENTIONS, TYPES, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What a row of a schema's lexicon is worth.
LEXICON_CONFIDENCE: Final = 0.95
_MAX_EVIDENCE: Final = 3


@dataclass(frozen=True)
class RoleTemplate:
    """Words of a schema that tell a role of the name between them, and what they are worth."""

    role: str
    before: re.Pattern[str]
    behind: re.Pattern[str]
    confidence: float


@dataclass(frozen=True)
class Domain:
    """What a schema says: the vocabulary, names in `entries`, cues that find more, phrases that tell roles."""

    vocabulary: Vocabulary
    entries: tuple[Entry, ...] = ()
    cues: tuple[Cue, ...] = ()
    phrases: tuple[RoleTemplate, ...] = ()

    def lexicon(self, shipped: Sequence[Entry]) -> Lexicon:
        """The schema's names, then those of the shipped ones whose types it keeps."""
        kept = (entry for entry in shipped if entry.type in self.vocabulary.types)
        return Lexicon.of([*self.entries, *kept], self.vocabulary)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the decision step chooses from; the first says "no entity"."""
        return ("", *self.vocabulary.types)

    def with_schema_types(self, candidates: Sequence[Candidate], named: NDArray[np.float32]) -> NDArray[np.float32]:
        """The probabilities over `labels`, from those of the trained step, `(candidates, ANSWERS)`."""
        import numpy as np

        out = np.zeros((len(candidates), len(self.labels)), dtype=np.float32)
        for column, answer in enumerate(LABELS):
            out[:, self.labels.index(answer) if answer in self.labels else 0] += named[:, column]
        verdicts = self._schema_types(candidates, out)
        for row, candidate in enumerate(candidates):
            if candidate.key in verdicts:
                type_, confidence = verdicts[candidate.key]
                out[row] = 0
                out[row, 0], out[row, self.labels.index(type_)] = 1 - confidence, confidence
        return out

    def _schema_types(
        self, candidates: Sequence[Candidate], answers: NDArray[np.float32]
    ) -> dict[str, tuple[str, float]]:
        """The type that the schema gives to candidates, by key; a short form has that of its long form, or gives it."""
        own = {
            candidate.key: verdict
            for candidate, row in zip(candidates, answers.tolist(), strict=True)
            if (verdict := self._schema_type(candidate)) and not _is_more_confident(row, candidate, verdict[1])
        }
        lent = {
            partner: own[candidate.key]
            for candidate in sorted(candidates, key=lambda c: c.key)
            for partner in sorted(candidate.partners)
            if candidate.key in own
        }
        shipped = {c.key for c in candidates if c.entry and c.entry.type in TYPES}
        return {name: verdict for name, verdict in lent.items() if name not in shipped} | own

    def _schema_type(self, candidate: Candidate) -> tuple[str, float] | None:
        """What the schema takes a candidate for, and how surely; its lexicon goes before its cues."""
        entry = candidate.entry
        if entry and entry.type not in TYPES:
            return entry.type, LEXICON_CONFIDENCE
        if not candidate.told or (entry and entry.umbrella):
            return None
        order = self.labels
        return max(candidate.told.items(), key=lambda told: (told[1], -order.index(told[0])))

    def stated_type(self, doc: Document, found: Iterable[AcceptedEntity]) -> list[AcceptedEntity]:
        """The entities, those of a shipped type with the one that the text calls them by, if the schema keeps it."""
        return [each if self._is_own(each) else self._with_stated_type(doc, each) for each in found]

    def _is_own(self, chosen: AcceptedEntity) -> bool:
        return chosen.type not in TYPES or any(c.told for c in chosen.candidates)

    def _with_stated_type(self, doc: Document, chosen: AcceptedEntity) -> AcceptedEntity:
        type_ = stated_type(doc, chosen)
        return replace(chosen, type=type_) if type_ in self.vocabulary.types else chosen

    def roles(self, doc: Document, chosen: AcceptedEntity, others: int, weights: HashedSoftmax) -> list[PredictedRole]:
        """The roles of an entity: those that the schema's phrases tell, or else the likeliest that fits its type.

        That a thing is new here, where the text says so, stands beside whatever else is said of it.
        """
        fitting = self.vocabulary.fitting(chosen.type)
        told = self._matched_roles(doc, chosen, fitting)
        known = replace(chosen, type=self.vocabulary.types[chosen.type].like)
        likely = [r for r in trained.predict_roles(doc, known, others, weights, fitting) if r.role in fitting]
        if not told:
            return likely
        is_new = INTRODUCES in match_patterns(doc, known).roles
        return [*(r for r in likely if is_new and r.role == INTRODUCES and r.role not in told), *told.values()]

    def _matched_roles(
        self, doc: Document, chosen: AcceptedEntity, fitting: Collection[str]
    ) -> dict[str, PredictedRole]:
        """The roles that phrases tell, strongest first, without those that lie above another of them."""
        found: dict[str, tuple[float, list[int]]] = {}
        for number, span in enumerate(chosen.spans):
            for phrase in self._matching_templates(doc, span):
                sure, places = found.get(phrase.role, (0.0, []))
                found[phrase.role] = max(sure, phrase.confidence), [*dict.fromkeys((*places, number))]
        above = {wider for role in found for wider in self.vocabulary.wider(role)}
        above |= {MENTIONS} if len(found) > 1 else set()
        return {
            role: PredictedRole(role, found[role][0], tuple(found[role][1][:_MAX_EVIDENCE]))
            for role in self.vocabulary.roles
            if role in found and role in fitting and role not in above
        }

    def _matching_templates(self, doc: Document, span: tuple[int, int]) -> Iterator[RoleTemplate]:
        before, behind = context_around(doc, span)
        yield from (p for p in self.phrases if p.before.search(before) and p.behind.match(behind))

    def told(self) -> str:
        """Everything beside the names that decides what comes out, for the hash of a configuration."""
        cues = [(c.type, c.pattern.pattern, c.confidence, sorted(c.never)) for c in self.cues]
        phrases = [(p.role, p.before.pattern, p.behind.pattern, p.confidence) for p in self.phrases]
        return repr((self.vocabulary, cues, phrases))


def _is_more_confident(row: Sequence[float], candidate: Candidate, confidence: float) -> bool:
    """Whether a known name of a shipped type is surer to be that than a schema's cue is of its own."""
    return bool(candidate.entry and candidate.entry.type in TYPES and 1 - row[0] >= confidence)
