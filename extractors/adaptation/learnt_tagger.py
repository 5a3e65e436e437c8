"""The learnt tagger: a linear-chain conditional random field over the tokens of a sentence.

Its labels are BIO labels of the annotated types. The features of a token are hashed strings, and
the vector and the label probabilities that the shipped tagger computes for it. Conditional random
fields: Lafferty, McCallum and Pereira 2001.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.name_rates import looked_up, rate_columns, with_neighbours
from citekg.extractors.adaptation.token_features import token_columns
from citekg.extractors.candidates.tagger import TaggedTokens
from citekg.extractors.nlp import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The score of a forbidden transition between labels.
_FORBIDDEN_SCORE: Final = -1e4
_MIN_PROBABILITY: Final = 1e-4
#: The minimum probability of a span that is proposed as a name.
_MIN_SPAN_PROBABILITY: Final = 0.02
_BRACKETS: Final = ("()", "[]")
_CLOSING: Final = frozenset(closing for _, closing in _BRACKETS)

#: A token span with the type of the name in it.
TypedSpan = tuple[int, int, str]


@dataclass(frozen=True)
class LearntTokens:
    """The output of the learnt tagger for a document.

    `probabilities` are the marginal probabilities of outside, then beginning and inside of each
    type, `(tokens, labels)`; `spans` are those of the best label sequence, and `proposals` the
    probabilities of all spans that are proposed as names.
    """

    probabilities: NDArray[np.float32]
    spans: tuple[TypedSpan, ...]
    proposals: dict[TypedSpan, float]


@dataclass(frozen=True)
class LearntTagger:
    """A trained conditional random field; `transitions[a, b]` scores label `b` after label `a`.

    `rates` are the frequencies of words in annotated names (see `name_rates`).
    """

    types: tuple[str, ...]
    layer: LinearLayer
    transitions: NDArray[np.float32]
    rates: LinearLayer

    def tag(
        self, doc: Document, tagged: TaggedTokens, matches: Sequence[Sequence[str]]
    ) -> LearntTokens:
        """Return the marginal probabilities and the best spans.

        `tagged` are the shipped tags, and `matches` those of a schema (`match_texts`).
        """
        import numpy as np

        rates = with_neighbours(looked_up(self.rates, rate_columns(doc)))
        dense = np.concatenate([dense_features(tagged), rates], axis=1)
        scores = self.layer.scores(token_columns(doc, matches), dense).astype(np.float64)
        transitions = (self.transitions + forbidden(len(self.types))).astype(np.float64)
        probabilities = np.zeros(scores.shape, dtype=np.float32)
        best = np.zeros(len(scores), dtype=np.intp)
        proposals: dict[TypedSpan, float] = {}
        for first, last in doc.sentences:
            if first < last:
                own, steps = posteriors(scores[first:last], transitions)
                probabilities[first:last] = own
                best[first:last] = best_path(scores[first:last], transitions)
                for a, b, type_, p in name_spans(own, steps):
                    if is_whole(doc.words[first + a : first + b]):
                        proposals[first + a, first + b, self.types[type_]] = p
        return LearntTokens(probabilities, (*self._spans(doc, best.tolist()),), proposals)

    def _spans(self, doc: Document, labels: list[int]) -> Iterator[TypedSpan]:
        for low, high in doc.sentences:
            first = low
            while first < high:
                last = first + 1
                if labels[first] % 2 == 1:
                    while last < high and labels[last] == labels[first] + 1:
                        last += 1
                    if is_whole(doc.words[first:last]):
                        yield first, last, self.types[labels[first] // 2]
                first = last


def is_whole(words: Sequence[str]) -> bool:
    """Return whether a name has balanced brackets, and no other punctuation at its edges."""
    return (
        all(words.count(opening) == words.count(closing) for opening, closing in _BRACKETS)
        and words[0][:1].isalnum()
        and (words[-1][-1:].isalnum() or words[-1] in _CLOSING)
    )


def dense_features(tagged: TaggedTokens) -> NDArray[np.float32]:
    """Return the dense features of the tokens, `(tokens, width + labels)`, of order 1."""
    import numpy as np

    logarithms = np.log(np.maximum(tagged.probabilities, _MIN_PROBABILITY)) / 4
    dense: NDArray[np.float32] = np.concatenate(
        [tagged.vectors / 2, logarithms.astype(np.float32)], axis=1
    )
    return dense


def forbidden(types: int) -> NDArray[np.float32]:
    """Return the scores of transitions between labels: 0, or very low for a forbidden one.

    Label 0 is outside; 2t + 1 begins type t, and 2t + 2 continues it.
    """
    import numpy as np

    out = np.zeros((2 * types + 1, 2 * types + 1), dtype=np.float32)
    for inside in range(2, 2 * types + 1, 2):
        out[:, inside] = _FORBIDDEN_SCORE
        out[inside - 1 : inside + 1, inside] = 0
    return out


def start_scores(transitions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the label scores at the start of a sentence: those of transitions from outside."""
    first: NDArray[np.float64] = transitions[0]
    return first


def posteriors(
    scores: NDArray[np.float64], transitions: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return the label and transition probabilities of one sentence (forward-backward algorithm).

    They have the shapes `(tokens, labels)` and `(tokens - 1, labels, labels)`; element `[i, a, b]`
    of the second is that of label `b` at token `i + 1` if token `i` has label `a`.
    """
    import numpy as np

    steps = np.exp(transitions)
    emissions = np.exp(scores - scores.max(axis=1, keepdims=True))
    forward, backward = np.empty_like(emissions), np.empty_like(emissions)
    state = np.exp(start_scores(transitions)) * emissions[0]
    forward[0] = state / state.sum()
    for i in range(1, len(scores)):
        state = forward[i - 1] @ steps * emissions[i]
        forward[i] = state / state.sum()
    backward[-1] = 1
    for i in range(len(scores) - 2, -1, -1):
        state = steps @ (emissions[i + 1] * backward[i + 1])
        backward[i] = state / state.sum()
    both = forward * backward
    found: NDArray[np.float32] = (both / both.sum(axis=1, keepdims=True)).astype(np.float32)
    after = steps * (emissions * backward)[1:, None]
    return found, after / after.sum(axis=2, keepdims=True)


def name_spans(
    probabilities: NDArray[np.float32], steps: NDArray[np.float64]
) -> Iterator[tuple[int, int, int, float]]:
    """Yield the spans to propose as names: first token, end, index of the type, and probability.

    The arguments are the results of `posteriors`.
    """
    rows, after = probabilities.tolist(), steps.tolist()
    for first, row in enumerate(rows):
        for label in range(1, len(row), 2):
            open_, last, current = row[label], first, label
            while open_ >= _MIN_SPAN_PROBABILITY:
                continuing = after[last][current][label + 1] if last < len(after) else 0.0
                if open_ * (1 - continuing) >= _MIN_SPAN_PROBABILITY:
                    yield first, last + 1, label // 2, open_ * (1 - continuing)
                open_, last, current = open_ * continuing, last + 1, label + 1


def best_path(scores: NDArray[np.float64], transitions: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the most probable sequence of labels of one sentence (Viterbi)."""
    import numpy as np

    best = start_scores(transitions) + scores[0]
    origins = np.zeros(scores.shape, dtype=np.intp)
    for i in range(1, len(scores)):
        through = best[:, None] + transitions
        origins[i] = through.argmax(axis=0)
        best = through.max(axis=0) + scores[i]
    path = np.zeros(len(scores), dtype=np.intp)
    path[-1] = best.argmax()
    for i in range(len(scores) - 1, 0, -1):
        path[i - 1] = origins[i, path[i]]
    return path
