"""Training of the conditional random field of the learnt tagger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from citekg.extractors.adaptation.learnt_tagger import LearntTagger, forbidden
from citekg.extractors.learning.linear import Regularisation, SparseRows, TrainableLayer
from citekg.extractors.learning.name_rates import NameRates
from citekg.extractors.learning.optimising import Vector, minimise

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Chosen by cross-validation on 200 annotated papers of another field.
_REGULARISATION: Final = Regularisation(hashed=8.0, dense=16.0)
_TRANSITION_REGULARISATION: Final = 0.1
#: See `minimise`.
_TOLERANCE: Final = 5e-3


@dataclass(frozen=True)
class LabelledTokens:
    """A document: columns and dense features of its tokens, sentences, and BIO labels.

    `rate_columns` are those of the rates of names, `(tokens, KINDS)`.
    """

    columns: list[set[int]]
    rate_columns: NDArray[np.int64]
    dense: NDArray[np.float32]
    sentences: tuple[tuple[int, int], ...]
    labels: NDArray[np.int64]


class _Sentences:
    """The sentences of all documents, longest first, as token numbers by position."""

    def __init__(self, documents: Sequence[LabelledTokens]) -> None:
        offsets = np.cumsum([0, *(len(d.labels) for d in documents)])
        spans = [
            (int(offset) + first, int(offset) + last)
            for offset, d in zip(offsets, documents, strict=False)
            for first, last in d.sentences
            if first < last
        ]
        spans.sort(key=lambda span: span[0] - span[1])
        lengths = np.array([last - first for first, last in spans])
        firsts = np.array([first for first, _ in spans])
        #: Token numbers at each position, of the sentences that are long enough.
        self.tokens = [
            firsts[: int((lengths > i).sum())] + i for i in range(int(lengths.max(initial=0)))
        ]


def fit_tagger(documents: Sequence[LabelledTokens], types: tuple[str, ...]) -> LearntTagger:
    """Return the learnt tagger of the labelled documents; label numbers as in `forbidden`."""
    rows = SparseRows([columns for d in documents for columns in d.columns])
    rates = NameRates(
        [d.rate_columns for d in documents], [d.labels for d in documents], len(types)
    )
    dense = np.concatenate(
        [
            np.concatenate([d.dense, rates.without_itself(number)], axis=1)
            for number, d in enumerate(documents)
        ]
    )
    labels = np.concatenate([d.labels for d in documents])
    count = 2 * len(types) + 1
    trainable = TrainableLayer(rows, dense, count, _REGULARISATION)
    sentences = _Sentences(documents)
    fixed = forbidden(len(types)).astype(np.float64)
    counted = _transition_counts(sentences, labels, count)

    def loss(weights: Vector) -> tuple[float, Vector]:
        own, free = weights[: trainable.size], weights[trainable.size :].reshape(count, count)
        transitions = free + fixed
        scores = trainable.scores(own).astype(np.float64)
        total, of_scores, of_transitions = _expectations(sentences, scores, transitions)
        value = total - scores[np.arange(len(labels)), labels].sum()
        value -= float((counted * transitions).sum())
        of_scores[np.arange(len(labels)), labels] -= 1
        of_transitions = of_transitions - counted + _TRANSITION_REGULARISATION * free
        penalty, penalty_gradient = trainable.penalty(own)
        value += penalty + _TRANSITION_REGULARISATION * float((free * free).sum()) / 2
        gradient = trainable.gradient(of_scores.astype(np.float32)) + penalty_gradient
        return float(value), np.concatenate([gradient, of_transitions.reshape(-1)])

    scale = _scale(trainable, counted, labels)

    def scaled(point: Vector) -> tuple[float, Vector]:
        value, gradient = loss(scale * point)
        return value, scale * gradient

    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # in steps too large
        weights = scale * minimise(scaled, np.zeros(len(scale)), tolerance=_TOLERANCE)
    transitions = weights[trainable.size :].reshape(count, count).astype(np.float16)
    layer = trainable.layer(weights[: trainable.size])
    return LearntTagger(types, layer, transitions.astype(np.float32), rates.layer())


def _scale(
    trainable: TrainableLayer, counted: NDArray[np.float64], labels: NDArray[np.int64]
) -> Vector:
    """Return units of the weights in which the curvature of the loss is about equal along each.

    With this preconditioning, the search needs fewer steps, and its end point depends less on
    chance.
    """
    shares = np.bincount(labels, minlength=len(counted)) / len(labels)
    of_layer = trainable.curvature(shares * (1 - shares))
    of_transitions = counted.reshape(-1) + _TRANSITION_REGULARISATION
    curved = np.concatenate([of_layer, of_transitions])
    units: Vector = 1 / np.sqrt(curved)
    return units


def _transition_counts(
    sentences: _Sentences, labels: NDArray[np.int64], count: int
) -> NDArray[np.float64]:
    """Return the counts of transitions between labels; a sentence begins with one from outside."""
    out = np.zeros((count, count))
    np.add.at(
        out, (np.zeros(len(sentences.tokens[0]), dtype=np.int64), labels[sentences.tokens[0]]), 1
    )
    for tokens in sentences.tokens[1:]:
        np.add.at(out, (labels[tokens - 1], labels[tokens]), 1)
    return out


def _expectations(
    sentences: _Sentences, scores: NDArray[np.float64], transitions: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return the log partition function, and the expected counts of labels and of transitions.

    The sums are scaled at each token (forward-backward algorithm).
    """
    steps = np.exp(transitions)
    highest = scores.max(axis=1, keepdims=True)
    emissions = np.exp(scores - highest)
    forward, backward = np.zeros_like(scores), np.ones_like(scores)
    scale = np.ones(len(scores))
    for number, tokens in enumerate(sentences.tokens):
        before = forward[tokens - 1] @ steps if number else steps[0][None]
        state = before * emissions[tokens]
        scale[tokens] = state.sum(axis=1)
        forward[tokens] = state / scale[tokens][:, None]
    pairs = np.zeros_like(transitions)
    for tokens in reversed(sentences.tokens[1:]):
        weighted = emissions[tokens] * backward[tokens] / scale[tokens][:, None]
        backward[tokens - 1] = weighted @ steps.T
        pairs += forward[tokens - 1].T @ weighted
    first = sentences.tokens[0]
    begun = emissions[first] * backward[first] / scale[first][:, None]
    pairs[0] += begun.sum(axis=0)
    return (
        float(np.log(scale).sum() + highest.sum()),
        forward * backward,
        pairs * steps,
    )
