"""The order in which papers are annotated: the most informative ones first, or a random sample.

This is active learning. A candidate is uncertain if its probability of being an entity is near the
threshold, or if two types are about as probable. The uncertainty of a paper is the mean over its
most uncertain candidates. Papers are chosen greedily by their uncertainty, and by the dissimilarity
of their words to those of the papers chosen before. The order is deterministic, given the papers
and the pipeline, so that a session can be continued.
"""

from __future__ import annotations

import hashlib
import heapq
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from citekg.schemas.records import Paper

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from citekg.extractors.pipeline import Draft, ExtractionPipeline

Progress = Callable[[int, int], None]
#: The size of the random sample of papers from which the most informative ones are chosen.
POOL: Final = 1000
#: The number of candidates over which the uncertainty of a paper is averaged.
_UNCERTAIN: Final = 5
#: The minimum uncertainty of a paper: papers without uncertain candidates are chosen by their
#: dissimilarity.
_MIN_UNCERTAINTY: Final = 0.02
#: The number of buckets of the hashed words.
_BUCKETS: Final = 1024


def random_order(papers: Iterable[Paper], count: int) -> list[Paper]:
    """Return `count` papers in a random order that depends only on their ids.

    Papers that are added to the input do not change the order of the others.
    """
    return heapq.nsmallest(count, papers, key=_random_key)


def _random_key(paper: Paper) -> bytes:
    return hashlib.sha256(paper.id.encode()).digest()


def informative_order(
    papers: Collection[Paper],
    pipeline: ExtractionPipeline,
    count: int,
    done: Sequence[str] = (),
    on_progress: Progress = lambda _done, _total: None,
) -> list[Paper]:
    """Return `count` papers: those whose ids are `done`, then the most informative ones.

    The informative ones are chosen from a random sample of `POOL` papers.
    """
    position = {id_: n for n, id_ in enumerate(done)}
    known = sorted((p for p in papers if p.id in position), key=lambda p: position[p.id])
    wanted = count - len(known)
    if wanted <= 0:
        return known[:count]
    pool = [*known, *random_order((p for p in papers if p.id not in position), POOL)]
    uncertainties, words = [], []
    for n, paper in enumerate(pool, start=1):
        draft = pipeline.run(paper, until="reject_stated")
        uncertainties.append(uncertainty(draft, pipeline.acceptance_threshold))
        words.append(hashed_words(draft.doc.lower))
        on_progress(n, len(pool))
    chosen = choose(uncertainties, word_vectors(words), wanted, range(len(known)))
    return [*known, *(pool[at] for at in chosen)]


def uncertainty(draft: Draft, threshold: float) -> float:
    """Return the uncertainty of a paper, 0 to 1, from the probabilities of its candidates."""
    if draft.probabilities is None or not len(draft.probabilities):
        return 0.0
    own = [_candidate_uncertainty(row, threshold) for row in draft.probabilities.tolist()]
    return sum(heapq.nlargest(_UNCERTAIN, own)) / _UNCERTAIN


def _candidate_uncertainty(row: Sequence[float], threshold: float) -> float:
    """Return the uncertainty about being an entity, or about the type if that is larger.

    `row` holds the probabilities of no entity and of each type.

    >>> [round(_candidate_uncertainty([1 - p, p, 0], 0.4), 2) for p in (0, 0.2, 0.4, 0.7, 1)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    >>> round(_candidate_uncertainty([0, 0.6, 0.4], 0.4), 2)
    0.8
    """
    entity = 1 - row[0]
    distance = (
        (entity - threshold) / (1 - threshold) if entity > threshold else 1 - entity / threshold
    )
    best, second = heapq.nlargest(2, [*row[1:], 0.0])
    return max(1 - distance, entity - (best - second) if entity > threshold else 0.0, 0.0)


def hashed_words(words: Iterable[str]) -> frozenset[int]:
    """Return the hash buckets of the words of a paper that have two characters or more."""
    return frozenset(
        zlib.crc32(word.encode()) % _BUCKETS
        for word in words
        if len(word) > 1 and word[0].isalpha()
    )


def word_vectors(papers: Sequence[frozenset[int]]) -> NDArray[np.float32]:
    """Return a unit vector for each paper, in which rare words weigh more (TF-IDF)."""
    import numpy as np

    vectors = np.zeros((len(papers), _BUCKETS), dtype=np.float32)
    for row, buckets in zip(vectors, papers, strict=True):
        row[[*buckets]] = 1
    vectors *= np.log((1 + len(papers)) / (1 + vectors.sum(axis=0)))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: NDArray[np.float32] = vectors / np.maximum(lengths, 1e-9)
    return found


def choose(
    uncertainties: Sequence[float],
    vectors: NDArray[np.float32],
    count: int,
    done: Iterable[int] = (),
) -> list[int]:
    """Return the rows of `count` papers, without the `done` ones, the best to annotate first.

    The next paper is the one with the largest product of its uncertainty and its distance (one
    minus the cosine) from the nearest paper chosen before.
    """
    import numpy as np

    values: Any = np.maximum(np.array(uncertainties), _MIN_UNCERTAINTY)
    nearest = np.zeros(len(values))
    left = np.ones(len(values), dtype=bool)
    for at in done:
        left[at] = False
        nearest = np.maximum(nearest, vectors @ vectors[at])
    chosen: list[int] = []
    while len(chosen) < count and left.any():
        at = int(np.argmax(np.where(left, values * np.maximum(1 - nearest, 0), -1)))
        chosen.append(at)
        left[at] = False
        nearest = np.maximum(nearest, vectors @ vectors[at])
    return chosen
