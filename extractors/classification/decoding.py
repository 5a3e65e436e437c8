"""One decision step: from overlapping proposals to the names of a paper, each with a type.

A softmax regression weighs the hashed features of every candidate and gives it a probability for
each type and for being no entity. Which type a name has is asked once more of a regression that saw
names only, so that the many things that are no names do not drown the few signs of a type.
Candidates are then taken greedily, best first, where no better one covers their place; a long form
and its short form become one entity.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.nlp import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The answers the step chooses from; the first says "no entity".
LABELS: Final = ("", "Method", "Benchmark", "Model", "Dataset")
COLUMNS: Final = 1 << 18
#: How improbable it must be that one of two forms is no name for both to be one: chosen by cross-validation.
_MAX_DOUBT: Final = 0.05


def hash_features(texts: Iterable[str], begun: Sequence[int] = (0,)) -> set[int]:
    """The weight columns of features: a CRC-32, so that they are the same everywhere.

    `begun` holds the checksums of what stands before the texts: each of them goes on with each text.
    """
    encoded = [text.encode("utf-8") for text in texts]
    return {zlib.crc32(text, before) % COLUMNS for before in begun for text in encoded}


@dataclass(frozen=True)
class HashedSoftmax:
    """The trained weights, `(COLUMNS, number of answers)`, and the probability a name must reach."""

    table: NDArray[np.float32]
    threshold: float

    def probabilities(self, rows: Sequence[set[int]]) -> NDArray[np.float32]:
        """The probability of each answer, `(rows, answers)`, for rows of feature columns.

        The weights of a row are added in the order of its columns, so that the sum is the same to the last bit.
        """
        import numpy as np

        if not rows:
            return np.zeros((0, self.table.shape[1]), dtype=np.float32)
        lengths = [*map(len, rows)]
        places = np.fromiter(chain.from_iterable(rows), dtype=np.intp)
        places += COLUMNS * np.repeat(np.arange(len(rows)), lengths)
        places.sort()
        picked = self.table[places % COLUMNS]
        starts = np.cumsum([0, *lengths[:-1]])
        scores = np.add.reduceat(picked, starts, axis=0)
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: NDArray[np.float32] = (raised / raised.sum(axis=1, keepdims=True)).astype(np.float32)
        return found


@cache
def shipped_model(name: str, answers: int) -> HashedSoftmax:
    """The weights of that name that come with the package."""
    import numpy as np

    with (resources.files("citekg.extractors") / "weights" / f"{name}.npz").open("rb") as file:
        stored = np.load(file)
        table = np.zeros((COLUMNS, answers), dtype=np.float32)
        table[stored["columns"]] = stored["values"].astype(np.float32)
        return HashedSoftmax(table, float(stored["threshold"]))


def with_type_probabilities(answers: NDArray[np.float32], types: NDArray[np.float32]) -> NDArray[np.float32]:
    """The answers, `(candidates, answers)`, with what makes a name shared out by the types, `(candidates, types)`."""
    out: NDArray[np.float32] = answers.copy()
    out[:, 1:] = (1 - answers[:, :1]) * types
    return out


@dataclass
class AcceptedEntity:
    """An accepted entity: its candidates (long and short form), kept places, type and probability."""

    candidates: list[Candidate]
    spans: list[tuple[int, int]]
    type: str
    confidence: float


def decode(
    doc: Document,
    candidates: Sequence[Candidate],
    answers: NDArray[np.float32],
    threshold: float,
    names: Sequence[str] = LABELS,
) -> list[AcceptedEntity]:
    """The entities of a document from its candidates and their answers, `(candidates, answers)`, called by `names`."""
    accepted = [
        (candidate, probabilities)
        for candidate, probabilities in zip(candidates, _pool_definitions(candidates, answers).tolist(), strict=True)
        if 1 - probabilities[0] >= threshold
    ]
    whole = _enclosing_names(doc, (candidate for candidate, _ in accepted))
    taken = [False] * len(doc.words)
    chosen: dict[str, AcceptedEntity] = {}
    for candidate, probabilities in sorted(accepted, key=lambda ca: (ca[1][0], -len(ca[0].key), ca[0].key)):
        free = []
        for first, last in candidate.spans:
            around = whole.get(first, (first, last))
            is_part = around[0] <= first and last <= around[1] and (first, last) != around
            if not is_part and not any(taken[first:last]):
                free.append((first, last))
                taken[first:last] = [True] * (last - first)
        if free:
            best = max(range(1, len(names)), key=lambda i: probabilities[i])
            chosen[candidate.key] = AcceptedEntity([candidate], free, names[best], 1 - probabilities[0])
    return _join_definitions(chosen)


def _enclosing_names(doc: Document, accepted: Iterable[Candidate]) -> dict[int, tuple[int, int]]:
    """The widest place, by each of its tokens, of a name that the lexicon knows, the text defines or no space divides.

    Its parts are no names there, however sure they are elsewhere: the MNIST of Fashion-MNIST.
    """
    widest: dict[int, tuple[int, int]] = {}
    for candidate in accepted:
        known = candidate.entry or candidate.is_long
        for span in candidate.spans:
            if known or not any(map(str.isspace, doc.span_text(*span))):
                for token in range(*span):
                    widest[token] = max(widest.get(token, span), span, key=lambda s: (s[1] - s[0], -s[0]))
    return widest


def _pool_definitions(candidates: Sequence[Candidate], answers: NDArray[np.float32]) -> NDArray[np.float32]:
    """The answers with one probability for a long form and the short form defined for it.

    It is their mean, unless one of them is sure beyond doubt: then the other is believed to be the same.
    """
    row = {candidate.key: i for i, candidate in enumerate(candidates)}
    out: NDArray[np.float32] = answers.copy()
    for i, candidate in enumerate(candidates):
        same = [i, *(row[k] for k in sorted(candidate.partners) if k in row)]
        if len(same) > 1:
            surest = min(same, key=lambda j: float(answers[j, 0]))
            out[i] = answers[surest] if answers[surest, 0] < _MAX_DOUBT else answers[same].mean(axis=0)
    return out


def _join_definitions(chosen: dict[str, AcceptedEntity]) -> list[AcceptedEntity]:
    """Long forms joined with the short forms that the text defines for them; the surer type wins."""
    out: list[AcceptedEntity] = []
    absorbed: set[str] = set()
    for name in sorted(chosen):
        if name in absorbed:
            continue
        group = _definition_component(name, chosen)
        absorbed |= group
        members = [chosen[k] for k in sorted(group)]
        best = max(members, key=lambda c: (c.confidence, c.candidates[0].key))
        candidates = [c for m in members for c in m.candidates]
        out.append(AcceptedEntity(candidates, sorted(s for m in members for s in m.spans), best.type, best.confidence))
    return sorted(out, key=lambda c: c.spans[0])


def _definition_component(name: str, chosen: dict[str, AcceptedEntity]) -> set[str]:
    group, waiting = set(), [name]
    while waiting:
        current = waiting.pop()
        if current not in group:
            group.add(current)
            partners = chosen[current].candidates[0].partners
            waiting += sorted(k for k in chosen if k in partners or current in chosen[k].candidates[0].partners)
    return group
