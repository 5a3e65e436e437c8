"""Adapted weights, which are learnt from annotations.

Their scores are added to those of the shipped models, which decide in the absence of evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Final

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.learnt_tagger import LearntTagger, LearntTokens, TypedSpan
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import LABELS, softmax
from citekg.extractors.classification.features import binned
from citekg.extractors.classification.hashing import hash_features
from citekg.extractors.nlp import Document
from citekg.extractors.roles.calibration import Calibration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The shipped weights to which adapted ones are added.
_SHIPPED: Final = ("decision", "entity", "roles", "tagger")
_MIN_PROBABILITY: Final = 1e-4
#: The scores of a candidate by the learnt tagger: the highest and the mean probability of its
#: spans, that of the best overlapping name, and that of a name next to it in a list.
_SCORES: Final = ("best", "mean", "rival", "listed")
DENSE: Final = len(_SCORES)
_SEPARATORS: Final = frozenset({",", ";", "and", "or"})
Span = tuple[int, int]
#: The score of a type of a schema that was not learnt, so that only rules assign it.
_NOT_LEARNT: Final = -20.0
#: Log-odds are divided by this number to make dense features.
_LOG_ODDS_SCALE: Final = 4.0


@cache
def shipped_digest() -> str:
    """Return a SHA-256 of the shipped weights that adapted ones fit."""
    folder = resources.files("citekg.extractors") / "weights"
    hasher = hashlib.sha256()
    for name in _SHIPPED:
        hasher.update((folder / f"{name}.npz").read_bytes())
    return hasher.hexdigest()


@dataclass(frozen=True)
class AdaptedWeights:
    """Weights learnt from annotations; `labels` are the empty label (not an entity) and all types.

    `roles` are the labels of `role_layer`, which is None if the annotations have no roles.
    `threshold` is the minimum probability of an accepted candidate. `papers` is the number of
    annotated papers. `calibration` is that of roles, if there is a `role_layer`. `same_layer`
    scores whether two entities of a learnt type are the same (see `same_entity`), or is None if
    only rules decide.
    """

    labels: tuple[str, ...]
    roles: tuple[str, ...]
    papers: int
    threshold: float
    tagger: LearntTagger
    decision: LinearLayer
    role_layer: LinearLayer | None = None
    same_layer: LinearLayer | None = None
    calibration: Calibration | None = None

    @property
    def own_types(self) -> tuple[str, ...]:
        """The learnt types of a schema, whose cues only propose candidates."""
        return tuple(type_ for type_ in self.tagger.types if type_ not in LABELS)

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the weights, in hexadecimal digits."""
        from citekg.extractors.adaptation.weights_file import to_bytes

        return hashlib.sha256(to_bytes(self)).hexdigest()

    def probabilities(
        self,
        columns: Sequence[set[int]],
        dense: NDArray[np.float32],
        shipped: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Return the probabilities over `labels`, `(candidates, labels)`.

        `columns` and `dense` are the features (see `decision_features`), `shipped` the
        probabilities of the shipped network over the same labels.
        """
        base = base_scores(self.labels, shipped, dense, self.tagger.types)
        return softmax(base + self.decision.scores(columns, dense))


def base_scores(
    labels: Sequence[str],
    shipped: NDArray[np.float32],
    dense: NDArray[np.float32],
    types: Sequence[str],
) -> NDArray[np.float32]:
    """Return the base scores of the labels, `(candidates, labels)`.

    They are the logarithms of the shipped probabilities. Types of a schema have the log-odds of the
    learnt tagger, which are among the `dense` features, or a very low score if they were not
    learnt.
    """
    import numpy as np

    scores: NDArray[np.float32] = np.log(np.maximum(shipped, _MIN_PROBABILITY)).astype(np.float32)
    first = dense.shape[1] - DENSE * len(types)
    for column, label in enumerate(labels):
        if label not in LABELS:
            scores[:, column] = _NOT_LEARNT
            if label in types:
                odds = dense[:, first + DENSE * types.index(label)]
                scores[:, column] = _LOG_ODDS_SCALE * odds
    return scores


def decision_features(
    doc: Document,
    candidates: Sequence[Candidate],
    columns: Sequence[set[int]],
    learnt: LearntTokens | None,
    types: Sequence[str],
) -> tuple[list[set[int]], NDArray[np.float32]]:
    """Return the columns of the candidates with those of the learnt tagger, and dense features.

    `columns` are those of the shipped network and `types` those of the learnt tagger. The dense
    features are log-odds, `(candidates, DENSE * types)` (see `_scores`).
    """
    import numpy as np

    dense = np.zeros((len(candidates), DENSE * len(types)), dtype=np.float32)
    best = {} if learnt is None else {(a, b): type_ for a, b, type_ in learnt.spans}
    proposals = [_Proposals(doc, learnt.proposals, t) for t in types] if learnt else []
    out = []
    for row, (candidate, own) in enumerate(zip(candidates, columns, strict=True)):
        texts = [f"cue:{type_}" for type_ in candidate.cue_types]
        texts += [f"entry:{candidate.entry.type}"] if candidate.entry else []
        found = {best.get(span, "") for span in candidate.spans}
        texts += [f"learnt:{'+'.join(sorted(found))}"]
        for number, (type_, proposed) in enumerate(zip(types, proposals, strict=False)):
            scores = np.clip(
                proposed.scores(candidate.spans), _MIN_PROBABILITY, 1 - _MIN_PROBABILITY
            )
            dense[row, DENSE * number : DENSE * (number + 1)] = (
                np.log(scores / (1 - scores)) / _LOG_ODDS_SCALE
            )
            texts += [
                f"learnt:{type_}:{name}:{binned(score)}"
                for name, score in zip(_SCORES, scores.tolist(), strict=True)
            ]
            texts.append(f"learnt:{type_}:{binned(scores[0])}:{binned(scores[2])}")
        out.append(
            own | hash_features([*texts, *(f"{t}&{len(candidate.spans) > 1}" for t in texts)])
        )
    return out, dense


class _Proposals:
    """The probabilities with which the learnt tagger proposes spans as names of a type."""

    def __init__(self, doc: Document, proposals: Mapping[TypedSpan, float], type_: str) -> None:
        self._doc = doc
        self._of_span = {(a, b): p for (a, b, own), p in proposals.items() if own == type_}
        self._at: dict[int, list[Span]] = {}
        self._ending: dict[int, float] = {}
        self._beginning: dict[int, float] = {}
        for (first, last), p in self._of_span.items():
            for token in range(first, last):
                self._at.setdefault(token, []).append((first, last))
            self._ending[last] = self._ending.get(last, 0.0) + p
            self._beginning[first] = self._beginning.get(first, 0.0) + p

    def scores(self, spans: Sequence[Span]) -> tuple[float, ...]:
        """Return the probabilities of a candidate in the order of `_SCORES`."""
        own = [self._of_span.get(span, 0.0) for span in spans]
        rivals = [self._rival(span) for span in spans]
        return (max(own), sum(own) / len(own), min(rivals), max(map(self._listed, spans)))

    def _rival(self, span: Span) -> float:
        """Return the highest probability of another span that overlaps."""
        near = {other for token in range(*span) for other in self._at.get(token, ())} - {span}
        return max((self._of_span[other] for other in near), default=0.0)

    def _listed(self, span: Span) -> float:
        """Return the probability of a name before or after a span in a list."""
        lower, (before, after) = self._doc.lower, span
        while before > 0 and lower[before - 1] in _SEPARATORS:
            before -= 1
        while after < len(lower) and lower[after] in _SEPARATORS:
            after += 1
        left = self._ending.get(before, 0.0) if before < span[0] else 0.0
        right = self._beginning.get(after, 0.0) if after > span[1] else 0.0
        return max(left, right)
