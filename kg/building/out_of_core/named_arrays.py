"""The entities that the papers of a large corpus name, as arrays of numpy.

The results are those of `NamedEntities`, to the last bit: weights are added in the same order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from citekg.schemas.topics import MAX_CORE, NO_GROUP, NamedEntities

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The number of bits of the second number of a pair.
_BITS: Final = 32


class NamedArrays(NamedEntities):
    """Named entities whose items are in arrays of 64 bits; numpy computes what topics need."""

    __slots__ = ()

    @classmethod
    def indexed(
        cls,
        papers: Sequence[str],
        sizes: Iterable[int],
        entities: Sequence[str],
        named: Sequence[int],
        weights: Sequence[float],
    ) -> NamedArrays:
        """Return the named entities of papers (see `NamedEntities.indexed`)."""
        import numpy as np

        counts = np.bincount(np.asarray(named, np.int64), minlength=len(entities))
        several = np.flatnonzero(counts > 1)
        most = several[np.argsort(-counts[several], kind="stable")[:MAX_CORE]]
        bounds = array("q", accumulate(sizes, initial=0))
        core = np.sort(most).tolist()
        return cls(papers, entities, bounds, named, weights, _array(counts), core)

    def shared_weights(self) -> Mapping[tuple[int, int], float]:
        """Return the weight of each pair of core entities that a paper names, by their numbers."""
        import numpy as np

        node_of = np.full(len(self.entities), NO_GROUP, np.int64)
        node_of[self.core] = np.arange(len(self.core))
        nodes = node_of[np.asarray(self.named)]
        is_core = nodes != NO_GROUP
        paper_of = self._paper_of()[is_core]
        nodes, sizes = nodes[is_core], np.bincount(paper_of, minlength=len(self.papers))
        starts = np.cumsum(sizes) - sizes
        # Each entity forms pairs with the following ones of the same paper.
        following = (starts + sizes)[paper_of] - np.arange(len(nodes)) - 1
        first = np.repeat(np.arange(len(nodes)), following)
        second = first + 1 + _counted_from_zero(following)
        shares = 1 / (sizes[paper_of[first]] - 1)
        pairs = (nodes[first] << _BITS) | nodes[second]
        found, earliest, index = np.unique(pairs, return_index=True, return_inverse=True)
        totals = np.bincount(index, shares, minlength=len(found))
        order = np.argsort(earliest)  # that of the papers, as sums depend on it
        numbers = found[order]
        keys = zip(
            (numbers >> _BITS).tolist(), (numbers & ((1 << _BITS) - 1)).tolist(), strict=True
        )
        return dict(zip(keys, totals[order].tolist(), strict=True))

    def groups_of_papers(self, group_of: Sequence[int]) -> Sequence[int]:
        """Return the group of each paper, given those of entities."""
        import numpy as np

        named = np.asarray(self.named)
        groups = np.asarray(group_of, np.int64)[named]
        has_group = groups != NO_GROUP
        named, groups, paper_of = named[has_group], groups[has_group], self._paper_of()[has_group]
        shares = np.asarray(self.weights)[has_group] / np.sqrt(np.asarray(self.counts)[named])
        found, index = np.unique((paper_of << _BITS) | groups, return_inverse=True)
        totals = np.bincount(index, shares, minlength=len(found))
        papers = found >> _BITS
        best = np.lexsort((found, -totals, papers))
        papers, places = np.unique(papers[best], return_index=True)
        of_paper = np.full(len(self.papers), NO_GROUP, np.int64)
        of_paper[papers] = found[best[places]] & ((1 << _BITS) - 1)
        return _array(of_paper)

    def members(
        self, group_of: Sequence[int], of_paper: Sequence[int]
    ) -> Mapping[int, Sequence[int]]:
        """Return the entities of each group, the most typical ones first."""
        import numpy as np

        counts, own = np.asarray(self.counts), np.array(group_of, np.int64)
        groups = np.asarray(of_paper, np.int64)[self._paper_of()]
        has_group = groups != NO_GROUP
        named, groups = np.asarray(self.named)[has_group], groups[has_group]
        groups_of_named = own[named]
        inside = np.bincount(named[groups_of_named == groups], minlength=len(own))
        is_open = groups_of_named == NO_GROUP
        found, papers = np.unique((named[is_open] << _BITS) | groups[is_open], return_counts=True)
        best = np.lexsort((found, -papers, found >> _BITS))
        entities, places = np.unique(found[best] >> _BITS, return_index=True)
        own[entities] = found[best[places]] & ((1 << _BITS) - 1)
        inside[entities] = papers[best[places]]
        own[inside == 0] = NO_GROUP
        order = np.lexsort((-inside * inside / counts, own))
        bounds = np.flatnonzero(np.diff(own[order], prepend=NO_GROUP))
        return {
            int(own[some[0]]): some.tolist() for some in np.split(order, bounds)[1:] if len(some)
        }

    def _paper_of(self) -> NDArray[Any]:
        """Return the index of the paper of each item of `named`."""
        import numpy as np

        numbers = np.arange(len(self.papers), dtype=np.int64)
        return np.repeat(numbers, np.diff(np.asarray(self.bounds)))


def _array(numbers: NDArray[Any]) -> array[int]:
    return array("q", numbers.tobytes())


def _counted_from_zero(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return 0 to n - 1 for each number n, joined."""
    import numpy as np

    starts = np.cumsum(numbers) - numbers
    counted: NDArray[Any] = np.arange(numbers.sum()) - np.repeat(starts, numbers)
    return counted
