"""Decoding: from overlapping candidates to the typed entities of a document.

Every candidate has a probability of not being an entity, and one for each type. Candidates are
accepted greedily by probability, so that no two overlap. A long form and its short form become one
entity.

The module also defines the softmax regression over hashed features (feature hashing; Weinberger et
al. 2009), which scores single candidates and roles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import LAYERS, RULE_FINDERS, Candidate
from citekg.extractors.candidates.lexicon import Entry
from citekg.extractors.classification.compound_names import is_sized
from citekg.extractors.classification.hashing import COLUMNS, FeatureRows
from citekg.extractors.nlp import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The labels of the entity models; the first, empty one means that a candidate is not an entity.
LABELS: Final = ("", "Method", "Benchmark", "Model", "Dataset")
#: The factor for the probability of the type that the lexicon gives a name. In cross-validation,
#: all factors from 2 to 64 have equal results.
_KNOWN_TYPE_WEIGHT: Final = 16.0
#: Minimum probability of a lexicon name, by the number of these conditions that hold: its entry
#: needs context, and it consists of plain words. Chosen by cross-validation.
_MIN_KNOWN: Final = (0.2, 0.4, 0.5)
#: Probability of not being an entity below which one form decides for the forms defined with it;
#: chosen by cross-validation.
_MAX_DOUBT: Final = 0.05


@dataclass(frozen=True)
class HashedSoftmax:
    """A softmax regression over hashed features; `table` holds its weights, `(COLUMNS, labels)`."""

    table: NDArray[np.float32]

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the weights, in hexadecimal digits."""
        import numpy as np

        return hashlib.sha256(np.ascontiguousarray(self.table).data).hexdigest()

    def probabilities(self, rows: Sequence[set[int]] | FeatureRows) -> NDArray[np.float32]:
        """Return the probability of each label, `(rows, labels)`, for rows of feature columns."""
        return softmax(FeatureRows.of(rows).sums(self.table))


def softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probabilities of scores, `(rows, labels)`."""
    import numpy as np

    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: NDArray[np.float32] = (exponentials / exponentials.sum(axis=1, keepdims=True)).astype(
        np.float32
    )
    return result


@cache
def shipped_model(name: str, label_count: int) -> HashedSoftmax:
    """Return the shipped model of that name, with `label_count` labels."""
    import numpy as np

    with (resources.files("citekg.extractors") / "weights" / f"{name}.npz").open("rb") as file:
        stored = np.load(file)
        table = np.zeros((COLUMNS, label_count), dtype=np.float32)
        table[stored["columns"]] = stored["values"].astype(np.float32)
        return HashedSoftmax(table)


def with_lexicon(
    doc: Document,
    candidates: Sequence[Candidate],
    probabilities: NDArray[np.float32],
    labels: Sequence[str] = LABELS,
) -> NDArray[np.float32]:
    """Return the probabilities, `(candidates, labels)`, adjusted for names of the lexicon.

    The type of the lexicon gains weight. A lexicon name that is accepted (see `_is_accepted`) gets
    at least the probability 0.5 of being an entity, and so does a name that a plug-in proposes with
    a type.
    """
    out: NDArray[np.float32] = probabilities.copy()
    for row, candidate in zip(out, candidates, strict=True):
        entry = candidate.entry
        if entry is None or entry.umbrella or entry.type not in labels:
            continue
        entity = 1 - row[0]
        row[labels.index(entry.type)] *= _KNOWN_TYPE_WEIGHT
        is_proposed = candidate.finders.difference(LAYERS, RULE_FINDERS)
        if is_proposed or _is_accepted(doc, candidate, entry, entity):
            entity = max(entity, 0.5)
        row[1:] *= entity / row[1:].sum()
        row[0] = 1 - entity
    return out


def _is_accepted(doc: Document, candidate: Candidate, entry: Entry, entity: float) -> bool:
    """Return whether a name of the lexicon is accepted with the probability `entity`.

    An entry that a user has listed and that needs no context is accepted at any probability, unless
    it is a single plain word. Other names need the probability of `_MIN_KNOWN`. Plain words are in
    lower case, without digits and Greek letters; a name is not plain if its entry is for this
    spelling only.
    """
    surface = doc.span_text(*candidate.spans[0])
    is_plain = (
        not entry.exact
        and surface.islower()
        and surface.isascii()
        and not any(map(str.isdigit, surface))
    )
    if entry.listed and not entry.context and (not is_plain or " " in surface):
        return True
    return entity >= _MIN_KNOWN[bool(entry.context) + is_plain]


@dataclass
class AcceptedEntity:
    """An accepted entity: candidates (long and short form), token spans, type and probability."""

    candidates: list[Candidate]
    spans: list[tuple[int, int]]
    type: str
    confidence: float

    @cached_property
    def is_known(self) -> bool:
        """Whether the lexicon has one of the candidates."""
        return any(candidate.entry is not None for candidate in self.candidates)

    def with_type(self, type_: str) -> AcceptedEntity:
        """Return the entity with another type."""
        return self if type_ == self.type else replace(self, type=type_)


def decode(
    doc: Document,
    candidates: Sequence[Candidate],
    probabilities: NDArray[np.float32],
    threshold: float,
    labels: Sequence[str] = LABELS,
) -> list[AcceptedEntity]:
    """Return the entities of a document in text order.

    `probabilities` are those of the candidates, `(candidates, labels)`; the first of `labels` means
    that a candidate is not an entity.
    """
    pooled = _pool_definitions(candidates, probabilities)
    likely = [
        (candidate, row)
        for candidate, row in zip(candidates, pooled.tolist(), strict=True)
        if 1 - row[0] >= threshold
    ]
    likely = _without_less_likely_enclosing(likely)
    names = [candidate for candidate, _ in likely]
    enclosing, title_name = _enclosing_names(doc, names), _title_name(doc, names)
    is_taken = [False] * len(doc.words)
    accepted: dict[str, AcceptedEntity] = {}
    for candidate, row in sorted(likely, key=lambda ca: (ca[1][0], -len(ca[0].key), ca[0].key)):
        free = []
        for first, last in candidate.spans:
            enclosure = enclosing.get(first, (first, last))
            is_part = _is_within((first, last), enclosure) or (
                candidate.entry is not None and _is_within((first, last), title_name)
            )
            if not is_part and not any(is_taken[first:last]):
                free.append((first, last))
                is_taken[first:last] = [True] * (last - first)
        if free:
            best = max(range(1, len(labels)), key=lambda i: row[i])
            accepted[candidate.key] = AcceptedEntity([candidate], free, labels[best], 1 - row[0])
    return _join_definitions(accepted)


def _without_less_likely_enclosing(
    likely: Sequence[tuple[Candidate, list[float]]],
) -> list[tuple[Candidate, list[float]]]:
    """Return the candidates without learnt ones that enclose all spans of a more likely learnt one.

    The more likely name occurs only inside the other, so that the probabilities decide about the
    boundaries.
    """
    learnt = [(c, row[0]) for c, row in likely if c.is_learnt]
    dropped = {
        longer.key
        for longer, doubt in learnt
        if not (longer.entry or longer.is_long)
        for part, other in learnt
        if other < doubt and _is_inside(part.spans, longer.spans)
    }
    return [(candidate, row) for candidate, row in likely if candidate.key not in dropped]


def _is_inside(spans: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> bool:
    """Return whether each span lies in one of the others."""
    return all(any(a <= first and last <= b for a, b in others) for first, last in spans)


def _is_within(span: tuple[int, int], enclosing: tuple[int, int]) -> bool:
    """Return whether a span is a part of another one, and not all of it."""
    return enclosing[0] <= span[0] and span[1] <= enclosing[1] and span != enclosing


def _title_name(doc: Document, likely: Iterable[Candidate]) -> tuple[int, int]:
    """Return the span of the longest name with which the title begins, empty if there is none.

    Known names inside it are not separate entities there, such as "gradient descent" in "Quick
    Gradient Descent for Kites". A title that begins with a gerund names an action ("Learning Kite
    Networks").
    """
    if not doc.words or doc.lower[0].endswith("ing"):
        return (0, 0)
    spans = (candidate.spans[0] for candidate in likely)
    ends = (last for first, last in spans if first == 0 and last <= doc.title_tokens)
    return (0, max(ends, default=0))


def _enclosing_names(doc: Document, likely: Iterable[Candidate]) -> dict[int, tuple[int, int]]:
    """Return the widest enclosing name of each token: in the lexicon, defined, or without a space.

    Parts of it are not entities there, even if they are probable elsewhere, such as MNIST in
    Fashion-MNIST.
    """
    widest: dict[int, tuple[int, int]] = {}
    for candidate in likely:
        known = (
            candidate.entry
            or candidate.is_long
            or candidate.is_learnt
            or is_sized(doc, candidate.spans[0])
        )
        for span in candidate.spans:
            if known or not any(map(str.isspace, doc.span_text(*span))):
                for token in range(*span):
                    widest[token] = max(
                        widest.get(token, span), span, key=lambda s: (s[1] - s[0], -s[0])
                    )
    return widest


def _pool_definitions(
    candidates: Sequence[Candidate], probabilities: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the probabilities with one row for a long form and its defined short forms.

    It is their mean, or the row of the most confident form if that is almost certain, or a long
    form of the lexicon that is more likely an entity than not.
    """
    row_of = {candidate.key: i for i, candidate in enumerate(candidates)}
    out: NDArray[np.float32] = probabilities.copy()
    for i, candidate in enumerate(candidates):
        same = [i, *(row_of[k] for k in sorted(candidate.partners) if k in row_of)]
        if len(same) > 1:
            most_confident = min(same, key=lambda j: float(probabilities[j, 0]))
            best = candidates[most_confident]
            is_known = best.is_long and best.entry is not None and not best.entry.umbrella
            out[i] = (
                probabilities[most_confident]
                if probabilities[most_confident, 0] < (0.5 if is_known else _MAX_DOUBT)
                else probabilities[same].mean(axis=0)
            )
    return out


def _join_definitions(accepted: dict[str, AcceptedEntity]) -> list[AcceptedEntity]:
    """Return the entities with long and short forms joined; the more confident type wins."""
    out: list[AcceptedEntity] = []
    absorbed: set[str] = set()
    for name in sorted(accepted):
        if name in absorbed:
            continue
        group = _definition_component(name, accepted)
        absorbed |= group
        members = [accepted[k] for k in sorted(group)]
        best = max(members, key=lambda c: (c.confidence, c.candidates[0].key))
        candidates = [c for m in members for c in m.candidates]
        out.append(
            AcceptedEntity(
                candidates, sorted(s for m in members for s in m.spans), best.type, best.confidence
            )
        )
    return sorted(out, key=lambda c: c.spans[0])


def _definition_component(name: str, accepted: dict[str, AcceptedEntity]) -> set[str]:
    """Return the keys that definitions connect with a key, by graph search."""
    group, waiting = set(), [name]
    while waiting:
        current = waiting.pop()
        if current not in group:
            group.add(current)
            partners = accepted[current].candidates[0].partners
            waiting += sorted(
                k
                for k in accepted
                if k in partners or current in accepted[k].candidates[0].partners
            )
    return group
