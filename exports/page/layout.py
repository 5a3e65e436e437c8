"""Deterministic force-directed layout of the drawing.

The energy model is Noack's edge-repulsion LinLog (2007): an edge attracts with constant force
at any length, and nodes repel each other by the inverse of their distance, weighted by
degree. It groups densely connected nodes into clusters and places nodes that connect clusters
between them. Repulsion is computed on a grid by a fast Fourier transform in each step. A final pass
removes overlaps of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citekg.exports.page.packing import components, pack_components

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

_STEPS: Final = 240
#: The share of the steps after which attraction does not depend on the length of an edge.
_LINEAR_STEPS: Final = 0.3
#: The bytes of an array whose release makes glibc keep freed memory for the next arrays. Otherwise
#: it returns memory to the system in each step, which costs more than a quarter of the time.
_KEPT_MEMORY: Final = 1 << 24
_SPACING_STEPS: Final = 60
_GRAVITY, _INERTIA, _STEP_SIZE = 0.01, 0.5, 0.3
#: The gap between two discs after the spacing pass, in the unit of the radii.
_GAP: Final = 5.0
#: The pairs of near discs are listed at each of the first steps, then every few steps, with those
#: at most `_NEAR` from an overlap.
_FAST_STEPS: Final = 8
_LISTING_STEPS: Final = 4
_NEAR: Final = 4.0
#: The maximum distance of nodes that coincide: the direction between them is meaningless.
_COINCIDENT: Final = 1e-6
_THINNING_STEPS: Final = 40
#: The number of cells per side of the repulsion grid, after the maximum number of nodes for it.
#: Until clusters have their shape (`_COARSE_STEPS`), the grid has half as many.
_CELLS: Final = ((300, 64), (4000, 128), (20000, 192))
_MAX_CELLS: Final = 320
_COARSE_STEPS: Final = 192
#: Added to squared distances of the potential, in cells: it bounds the repulsion of near nodes.
_SOFTENING: Final = 0.06
#: The exponent of distances from the centre: 1 keeps them, less pulls outliers in.
_OUTLIER_EXPONENT: Final = 0.7
#: The maximum fraction of a region that discs and gaps may fill before they flow apart.
_MAX_FILL: Final = 0.45
#: The minimum length of the longer side of the drawing, so that a small graph fills a window.
_MIN_SIDE: Final = 420.0


@dataclass(frozen=True, slots=True)
class Springs:
    """The weighted edges: `edges` has the shape (2, m) and holds node numbers, `weights` (m,)."""

    nodes: int
    edges: Integers
    weights: Floats

    def attraction(self, positions: Floats, constant: float) -> Floats:
        """Return the attraction of each node, shape (2, nodes).

        The share `constant` of it does not depend on the length of an edge; the rest grows with it.
        """
        source, target = self.edges
        x, y = (axis.take(target) - axis.take(source) for axis in positions)
        pull = self.weights
        if constant:
            pull = constant / (_length(x, y) + 1e-9)
            pull += 1 - constant
            pull *= self.weights
        x *= pull
        y *= pull
        return _gather(source, (x, y), self.nodes) - _gather(target, (x, y), self.nodes)


def layout(nodes: int, edges: Integers, weights: Floats, radii: Floats) -> Floats:
    """Return positions of shape (nodes, 2), in the unit of `radii`, almost without overlaps.

    `edges` has the shape (m, 2); `weights` (m,) and `radii` (nodes,) are positive. Within this
    module positions have the shape (2, nodes), since numpy is much faster on whole axes.
    """
    import numpy as np

    if nodes == 0:
        return np.zeros((0, 2))
    np.empty(_KEPT_MEMORY, dtype=np.uint8)
    springs = Springs(nodes, np.ascontiguousarray(edges.T), weights)
    mass = np.asarray(
        np.bincount(edges.ravel(), np.repeat(weights, 2), nodes) + 1.0, dtype=np.float64
    )
    positions = _relax(springs, _start(springs, mass), mass)
    positions = _pull_in_outliers(positions - np.median(positions, axis=1)[:, None])
    room = np.sqrt((np.pi * (radii + _GAP) ** 2).sum() * 2.2)
    spread = np.sqrt(np.median((positions**2).sum(axis=0))) + 1e-9
    spaced = _remove_overlaps(_diffuse(positions * (room * 0.4 / spread), radii), radii)
    packed = pack_components(np.ascontiguousarray(spaced.T), radii, components(nodes, edges))
    side = float((packed.max(axis=0) - packed.min(axis=0)).max())
    return packed * max(1.0, _MIN_SIDE / side) if side > 0 else packed


def _length(x: Floats, y: Floats) -> Floats:
    import numpy as np

    return np.asarray(np.sqrt(x * x + y * y))


def _gather(index: Integers, vectors: tuple[Floats, Floats], size: int) -> Floats:
    """Return the sum of the vectors of each index, shape (2, size)."""
    import numpy as np

    sums = [np.bincount(index, axis, size) for axis in vectors]
    return np.asarray(np.stack(sums), dtype=np.float64)


def _start(springs: Springs, mass: Floats) -> Floats:
    """Return initial positions: noise, smoothed along the edges until neighbours are near."""
    import numpy as np

    nodes = springs.nodes
    positions = np.random.default_rng(20240229).normal(size=(nodes, 2)).T.copy()
    for _ in range(40):
        positions += springs.attraction(positions, 0.0) / (2 * mass)
        positions -= np.average(positions, axis=1, weights=mass)[:, None]
        positions /= np.sqrt((positions**2).mean(axis=1))[:, None] + 1e-12
    ranks = np.argsort(np.argsort(positions, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(positions + 3 * (ranks / nodes - 0.5))


def _relax(springs: Springs, positions: Floats, mass: Floats) -> Floats:
    """Minimise the energy, from linear springs to the constant attraction of LinLog."""
    import numpy as np

    cells = next((cells for limit, cells in _CELLS if springs.nodes < limit), _MAX_CELLS)
    coarse, fine = _Repulsion.over(cells // 2), _Repulsion.over(cells)
    strength = 2 * springs.weights.sum() / mass.sum() ** 2
    before = np.zeros_like(positions)
    for step in range(_STEPS):
        force = springs.attraction(positions, min(1.0, step / (_LINEAR_STEPS * _STEPS)))
        repulsion = coarse if step < _COARSE_STEPS else fine
        force += repulsion(positions, mass) * (strength * mass)
        force -= positions * (_GRAVITY * mass)
        move = _INERTIA * before + force / mass * _STEP_SIZE
        longest = 1 - 0.98 * step / _STEPS
        before = move * np.minimum(1, longest / (_length(*move) + 1e-9))
        positions = positions + before
    return positions


@dataclass(frozen=True, slots=True)
class _Repulsion:
    """The repulsion between all nodes, approximated on a grid of `cells` by `cells`.

    It is the gradient of a potential, since the potential needs one real transform per direction
    and the two axes of the repulsion need two.
    """

    cells: int
    kernel: NDArray[np.complex128]

    @classmethod
    def over(cls, cells: int) -> _Repulsion:
        import numpy as np

        step = np.fft.fftfreq(2 * cells, 1 / (2 * cells))
        potential = np.log(step[None, :] ** 2 + step[:, None] ** 2 + _SOFTENING) / 2
        return cls(cells, np.fft.rfft2(potential))

    def __call__(self, positions: Floats, mass: Floats) -> Floats:
        """Return the field of the masses at every position; it falls with the inverse distance."""
        import numpy as np

        low = positions.min(axis=1)[:, None]
        width = float((positions.max(axis=1)[:, None] - low).max()) / (self.cells - 1.001) + 1e-12
        corners = list(_corners((positions - low) / width, self.cells))
        grid = np.zeros(self.cells**2)
        for index, share in corners:
            grid += np.bincount(index, share * mass, grid.size)
        down, right = np.gradient(self._potential(grid.reshape(self.cells, -1)))
        field = np.empty(grid.size, dtype=np.complex128)
        field.real, field.imag = right.ravel(), down.ravel()
        here = sum(field.take(index) * share for index, share in corners)
        return np.stack([here.real, here.imag]) / width

    def _potential(self, grid: Floats) -> Floats:
        """Return the convolution with the kernel, without the parts of the padded grid outside."""
        import numpy as np

        size = 2 * self.cells
        spectrum = np.fft.fft(np.fft.rfft(grid, size, axis=1), size, axis=0)
        spectrum *= self.kernel
        rows = np.fft.ifft(spectrum, axis=0)[: self.cells]
        return np.fft.irfft(rows, size, axis=1)[:, : self.cells]


def _corners(places: Floats, row: int) -> Iterator[tuple[Integers, Floats]]:
    """Yield the four grid points around each position with their bilinear weights."""
    import numpy as np

    cell_x, cell_y = cell = places.astype(np.int64)
    part_x, part_y = places - cell
    for right in (0, 1):
        for down in (0, 1):
            share_x = part_x if right else 1 - part_x
            share_y = part_y if down else 1 - part_y
            yield (cell_y + down) * row + cell_x + right, share_x * share_y


def _pull_in_outliers(positions: Floats) -> Floats:
    """Pull outliers towards the centre, so that a remote cluster does not shrink all others."""
    return positions * (_length(*positions) + 1e-9) ** (_OUTLIER_EXPONENT - 1)


def _diffuse(positions: Floats, radii: Floats) -> Floats:
    """Spread dense regions by diffusion until the discs have room in every region."""
    import numpy as np

    area = np.pi * (radii + _GAP / 2) ** 2
    regions = 256 if len(radii) < 12000 else 512
    for step in range(_THINNING_STEPS):
        low = positions.min(axis=1)[:, None]
        width = float((positions.max(axis=1)[:, None] - low).max()) / (regions * 0.8) + 1e-6
        place = (positions - low) / width + regions * 0.1
        reach = 12 * (1 - step / _THINNING_STEPS) + 2
        crowd = _smooth(place, area / width**2, regions, reach)
        x, y = place.astype(np.int64)
        here = crowd[y, x]
        rise = [crowd[y, x + 1] - crowd[y, x - 1], crowd[y + 1, x] - crowd[y - 1, x]]
        slope = np.stack(rise) / 2
        excess = np.clip(1 - _MAX_FILL / (here + 1e-9), 0, 1) / (here + 0.1)
        positions = positions - slope * (excess * reach**2 * width * 0.5)
    return positions


def _smooth(places: Floats, amounts: Floats, regions: int, reach: float) -> Floats:
    """Return amounts on a grid of `regions` by `regions`, smoothed by a Gaussian of that width."""
    import numpy as np

    x, y = places.astype(np.int64)
    grid = np.bincount(y * regions + x, amounts, regions**2).reshape(regions, regions)
    waves = np.fft.fftfreq(regions) ** 2
    bell = np.exp(-2 * (np.pi * reach) ** 2 * (waves[:, None] + waves[None, : regions // 2 + 1]))
    return np.fft.irfft2(np.fft.rfft2(grid) * bell, (regions, regions))


def _remove_overlaps(positions: Floats, radii: Floats) -> Floats:
    """Move overlapping discs apart, each pair by its overlap, for `_SPACING_STEPS` steps.

    The pairs that are near are listed anew every few steps. Then the nodes are sorted by cells,
    an order that hardly changes.
    """
    import numpy as np

    reach = radii + _GAP / 2
    side = 2 * float(np.quantile(reach, 0.98))
    nodes = np.arange(len(radii))
    for step in range(_SPACING_STEPS):
        if step < _FAST_STEPS or step % _LISTING_STEPS == 0:
            cells, row = _cells(positions, side)
            order = np.argsort(cells, kind="stable")
            nodes, reach, positions = nodes[order], reach[order], positions[:, order]
            margin = _NEAR if step >= _FAST_STEPS else 0.0
            near = _near_pairs(positions, reach + margin / 2, cells[order], row)
        slowness = 0.4 if step < _SPACING_STEPS // 2 else 0.6
        move = _moves_apart(positions, reach, near, slowness)
        if not move.any():
            break
        positions = positions + move
    restored = np.empty_like(positions)
    restored[:, nodes] = positions
    return restored


def _moves_apart(
    positions: Floats, reach: Floats, pairs: tuple[Integers, Integers], slowness: float
) -> Floats:
    """Return the moves of the nodes, shape (2, nodes), by the overlaps of the pairs.

    Of two discs, the smaller moves more. Discs that coincide move in some direction.
    """
    import numpy as np

    first, second = pairs
    x, y = (axis[second] - axis[first] for axis in positions)
    total = reach[first] + reach[second]
    tight = np.flatnonzero(x * x + y * y < total * total)
    first, second, x, y = first[tight], second[tight], x[tight], y[tight]
    apart = _length(x, y)
    if len(tight) and apart.min() <= _COINCIDENT:
        turn = (first * 2.399963 + second) % (2 * np.pi)
        distinct = apart > _COINCIDENT
        x, y = np.where(distinct, x, np.cos(turn)), np.where(distinct, y, np.sin(turn))
    scale = (total[tight] - apart) / np.where(apart > _COINCIDENT, apart, 1.0)
    area = reach**2
    share = area[second] / (area[first] + area[second])
    rest = scale * (1 - share)
    share *= scale
    size = len(reach)
    move = _gather(second, (x * rest, y * rest), size)
    move -= _gather(first, (x * share, y * share), size)
    crowd = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
    return np.asarray(move / np.maximum(1, crowd * slowness))


def _cells(positions: Floats, side: float) -> tuple[Integers, int]:
    """Return the number of the square cell of each node, and how many cells a row has."""
    import numpy as np

    low = positions.min(axis=1)[:, None]
    x, y = np.floor((positions - low) / side).astype(np.int64) + 1
    row = int(x.max()) + 2
    return y * row + x, row


def _near_pairs(
    positions: Floats, reach: Floats, cells: Integers, row: int
) -> tuple[Integers, Integers]:
    """Return the pairs within their reach, in the same or adjacent cells; `cells` is sorted.

    The later nodes of a pair lie in two runs: the rest of the cell and the next cell, and three
    cells of the next row.
    """
    import numpy as np

    x, y = positions
    pairs = []
    later = np.arange(len(cells)) + 1
    below = np.searchsorted(cells, cells + row - 1, "left")
    for begin, last in ((later, cells + 1), (below, cells + row + 1)):
        count = np.searchsorted(cells, last, "right") - begin
        first = np.repeat(later - 1, count)
        second = np.arange(len(first)) + np.repeat(begin - (np.cumsum(count) - count), count)
        gap_x, gap_y = x[second] - np.repeat(x, count), y[second] - np.repeat(y, count)
        total = reach[second] + np.repeat(reach, count)
        tight = np.flatnonzero(gap_x * gap_x + gap_y * gap_y < total * total)
        pairs.append((first[tight], second[tight]))
    first, second = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return first, second
