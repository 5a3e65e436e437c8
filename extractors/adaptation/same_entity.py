"""Learnt coreference of the entities of one paper: a logistic regression over pairs of names.

It decides about entities of the learnt types that the rules of `coreference` keep separate. Its
base scores favour "different", the decision of these rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.classification.coreference import merged
from citekg.extractors.classification.decoding import AcceptedEntity, softmax
from citekg.extractors.classification.hashing import hash_features
from citekg.extractors.nlp import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The base score of "the same".
_BASE_SCORE: Final = -3.0
#: The minimum probability for merging two entities, chosen by cross-validation on 200 annotated
#: papers of another field.
_MIN_PROBABILITY: Final = 0.4
#: The length of a stem: the inflections of a word usually share this many letters.
_STEM: Final = 6
_MAX_NAMES: Final = 4
_MAX_EXTRA: Final = 3
_BINS: Final = 5
_FUNCTION_WORDS: Final = frozenset("of the a an in with due to and or for , - ' 's ( )".split())


@dataclass(frozen=True)
class SameEntity:
    """The learnt regression; `layer` scores the labels "different" and "the same"."""

    layer: LinearLayer

    def join(
        self, doc: Document, found: Sequence[AcceptedEntity], types: Sequence[str]
    ) -> list[AcceptedEntity]:
        """Return the entities; those of learnt types that are probably the same are merged.

        Pairs are processed by descending probability; two groups are merged if the mean probability
        of their pairs suffices (average linkage).
        """
        groups = [[n] for n in range(len(found))]
        pairs = [*same_type_pairs(found, types)]
        probabilities = self.probabilities(
            [pair_columns(doc, found[a], found[b]) for a, b in pairs]
        )
        probability = dict(zip(pairs, probabilities, strict=True))
        for a, b in sorted(pairs, key=lambda pair: (-probability[pair], pair)):
            own = next(group for group in groups if a in group)
            other = next(group for group in groups if b in group)
            between = [probability.get((min(p), max(p)), 0.0) for p in product(own, other)]
            if own is not other and sum(between) >= _MIN_PROBABILITY * len(between):
                own += other
                groups.remove(other)
        joined = (merged([found[n] for n in sorted(group)]) for group in groups)
        return sorted(joined, key=lambda each: each.spans[0])

    def probabilities(self, columns: Sequence[set[int]]) -> list[float]:
        """Return the probability of each pair, given by its columns, that both are the same."""
        import numpy as np

        scores = same_scores(len(columns))
        scores += self.layer.scores(columns, np.zeros((len(columns), 0), np.float32))
        out: list[float] = softmax(scores)[:, 1].tolist() if columns else []
        return out


def same_scores(count: int) -> NDArray[np.float32]:
    """Return the base scores of pairs, `(count, 2)`."""
    import numpy as np

    return np.tile(np.array([0.0, _BASE_SCORE], dtype=np.float32), (count, 1))


def same_type_pairs(
    found: Sequence[AcceptedEntity], types: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of entities of the same type, one of `types`."""
    for a, b in combinations(range(len(found)), 2):
        if found[a].type == found[b].type and found[a].type in types:
            yield a, b


def pair_columns(doc: Document, first: AcceptedEntity, second: AcceptedEntity) -> set[int]:
    """Return the weight columns of a pair of entities; their order does not matter."""
    texts = {"bias", *_positions(doc, first, second)}
    for one, other in product(_spellings(doc, first), _spellings(doc, second)):
        texts.update(_similarity(*sorted((one, other), key=lambda name: (-len(name), name))))
    texts.add(f"names:{min(len(first.spans), 3) > 1}:{min(len(second.spans), 3) > 1}")
    return hash_features(texts)


def _spellings(doc: Document, accepted: AcceptedEntity) -> list[tuple[str, ...]]:
    """Return the distinct spellings of an entity, in tokens."""
    found = dict.fromkeys(doc.words[slice(*span)] for span in accepted.spans)
    return [*found][:_MAX_NAMES]


def _stems(name: Sequence[str]) -> list[str]:
    return [word.lower()[:_STEM] for word in name if word.lower() not in _FUNCTION_WORDS]


def _similarity(longer: tuple[str, ...], shorter: tuple[str, ...]) -> Iterator[str]:
    """Yield the features of two names: shared words, further words, heads and initials."""
    long, short = _stems(longer), _stems(shorter)
    shared = {*long} & {*short}
    share = len(shared) / max(1, len({*long} | {*short}))
    is_head = bool(long and short) and long[-1] == short[-1]
    texts = [f"shared:{int(_BINS * share)}", f"head:{is_head}", f"sizes:{len(long)}:{len(short)}"]
    if shared and {*short} <= {*long}:
        extra = sorted({*long} - {*short})
        texts += [f"within:{len(extra)}:{len(short)}:{is_head}"]
        texts += [f"extra:{stem}" for stem in extra[:_MAX_EXTRA]]
        texts += [f"extra at:{longer[: len(longer) - len(shorter)] + shorter == longer}"]
    elif is_head:
        texts += [f"unlike:{stem}" for stem in sorted({*long} ^ {*short})[:_MAX_EXTRA]]
    texts += [f"heads:{'|'.join(sorted((long[-1:] or [''])[0] for long in (long, short)))}"]
    texts += [f"pair:{'|'.join(long)}|{'|'.join(short)}"]
    texts += [f"codes:{_share_code(longer, shorter)}"]
    texts += [f"initials:{_initials(longer, shorter)}:{len(short) == 1}"]
    yield from texts
    yield from (f"{text}&{texts[0]}" for text in texts[1:3])


def _share_code(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two names share a word with capitals or digits inside, such as C7."""
    return any(len(w) > 1 and not w[1:].islower() for w in {*one} & {*other})


def _initials(longer: Sequence[str], shorter: Sequence[str]) -> str:
    """Return how the letters of the shorter name occur in the longer one."""
    letters = [c for c in "".join(shorter).lower() if c.isalpha()]
    initials = "".join(word[0].lower() for word in longer if word[0].isalpha())
    if len(shorter) > 2 or not any(c.isupper() for c in "".join(shorter)[1:]):
        return "no short form"
    if "".join(letters) == initials:
        return "all"
    rest = iter("".join(longer).lower())
    is_part = all(letter in rest for letter in letters)
    return f"{is_part}:{longer[0][:1].lower() == ''.join(letters)[:1]}"


def _positions(doc: Document, first: AcceptedEntity, second: AcceptedEntity) -> Iterator[str]:
    """Yield the words between two mentions, and the sentence distance of the nearest ones."""
    spans = sorted((a, b) for a in first.spans for b in second.spans)
    gaps = []
    for a, b in spans:
        (_, end), (start, _) = sorted((a, b))
        distance = abs(doc.sentence_of[a[0]] - doc.sentence_of[b[0]])
        gaps.append(distance)
        if distance == 0 and 0 <= start - end <= _MAX_EXTRA:
            yield f"between:{' '.join(doc.lower[end:start])}"
    yield f"apart:{min(min(gaps), 3)}"
