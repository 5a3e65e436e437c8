"""Adapted weights: what learning from annotations adds to the shipped models.

They are added to the shipped scores, so that without evidence the shipped models decide.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Final

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.learnt_tagger import LearntTagger, LearntTokens
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import LABELS, hash_features, softmax
from citekg.extractors.classification.features import binned
from citekg.extractors.roles.calibration import Calibration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The shipped weights that adapted ones are added to.
_SHIPPED: Final = ("decision", "entity", "roles", "tagger")
_LEAST: Final = 1e-4
#: The scores of a type of a schema: one that was learnt starts improbable, others have rules only.
_LEARNT_TYPE, _OTHER_TYPE = -3.0, -20.0


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
    """Weights learnt from annotations; `labels` are no entity (empty) and all types.

    `roles` are the labels of `role_layer`, which is None where the annotations state no roles.
    `threshold` is the probability from which a candidate is accepted. `papers` is the number of
    annotated papers. `calibration` is that of roles, where there is a layer of them. `same_layer`
    scores whether two entities of a learnt type are one (see
    `same_entity`), or is None where the rules decide alone.
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
        return hashlib.sha256(self.content()).hexdigest()

    def content(self) -> bytes:
        """Return the weights as bytes, for digests."""
        from citekg.extractors.adaptation.weights_file import to_bytes

        return to_bytes(self)

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
        base = base_scores(self.labels, shipped, self.own_types)
        return softmax(base + self.decision.scores(columns, dense))


def base_scores(
    labels: Sequence[str], shipped: NDArray[np.float32], learnt: Sequence[str]
) -> NDArray[np.float32]:
    """Return the scores from which learning starts, `(candidates, labels)`.

    They are the logarithms of the shipped probabilities. `learnt` are the learnt types of a schema.
    """
    import numpy as np

    scores: NDArray[np.float32] = np.log(np.maximum(shipped, _LEAST)).astype(np.float32)
    for column, label in enumerate(labels):
        if label not in LABELS:
            scores[:, column] = _LEARNT_TYPE if label in learnt else _OTHER_TYPE
    return scores


def decision_features(
    candidates: Sequence[Candidate],
    columns: Sequence[set[int]],
    learnt: LearntTokens | None,
    types: Sequence[str],
) -> tuple[list[set[int]], NDArray[np.float32]]:
    """Return the columns of the candidates with those of the learnt tagger, and dense features.

    `columns` are those of the shipped network and `types` those of the learnt tagger. The dense
    features are the log-odds that a span is a name of each type, `(candidates, types)`.
    """
    import numpy as np

    dense = np.zeros((len(candidates), len(types)), dtype=np.float32)
    spans = {} if learnt is None else {(a, b): type_ for a, b, type_ in learnt.spans}
    out = []
    for row, (candidate, own) in enumerate(zip(candidates, columns, strict=True)):
        texts = [f"cue:{type_}" for type_ in candidate.cue_types]
        texts += [f"entry:{candidate.entry.type}"] if candidate.entry else []
        found = {spans.get(span, "") for span in candidate.spans}
        texts += [f"learnt:{'+'.join(sorted(found))}"]
        if learnt is not None:
            scores = _span_scores(candidate, learnt.probabilities)
            dense[row] = np.log(scores / (1 - scores)) / 4
            texts += [f"learnt:{t}:{binned(s)}" for t, s in zip(types, scores, strict=True)]
            texts += _edges(candidate, learnt.probabilities, types)
        out.append(
            own | hash_features([*texts, *(f"{t}&{len(candidate.spans) > 1}" for t in texts)])
        )
    return out, dense


def _span_scores(candidate: Candidate, probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the highest probability, of all spans, that a span is a name of each type.

    It is the lowest one of its beginning, its inside and its end.
    """
    import numpy as np

    begin, inside = probabilities[:, 1::2], probabilities[:, 2::2]
    rows = []
    for first, last in candidate.spans:
        ends = 1 - inside[last] if last < len(inside) else np.ones(inside.shape[1])
        middle = inside[first + 1 : last].min(axis=0, initial=1.0)
        rows.append(np.minimum(np.minimum(begin[first], middle), ends))
    scores: NDArray[np.float64] = np.clip(np.max(rows, axis=0), _LEAST, 1 - _LEAST)
    return scores


def _edges(
    candidate: Candidate, probabilities: NDArray[np.float32], types: Sequence[str]
) -> Iterator[str]:
    """Yield how probable it is that the name begins earlier, or ends later."""
    first, last = candidate.spans[0]
    for number, type_ in enumerate(types):
        inside = probabilities[:, 2 * number + 2]
        after = float(inside[last]) if last < len(inside) else 0.0
        yield f"learnt:{type_}:edges:{binned(float(inside[first]))}:{binned(after)}"
