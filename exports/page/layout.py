"""Deterministic force-directed layout of the drawing.

The energy model is Noack's edge-repulsion LinLog (2007): an edge attracts with constant force
whatever its length, and nodes repel each other by the inverse of their distance, weighted by
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
_SPACING_STEPS: Final = 60
_GRAVITY, _INERTIA, _PACE = 0.01, 0.5, 0.3
#: The gap between two discs after the spacing pass, in the unit of the radii.
_GAP: Final = 5.0
_THINNING_STEPS: Final = 40
#: The cells of a side of the grid of repulsion, by the number of nodes that it suffices for.
_CELLS: Final = ((300, 64), (4000, 128), (20000, 192))
_MOST_CELLS: Final = 320
#: The exponent of distances from the centre: 1 keeps them, less pulls outliers in.
_OUTLIER_EXPONENT: Final = 0.7
#: The maximum fraction of a region that discs and gaps may fill before they flow apart.
_MAX_FILL: Final = 0.45
#: The least length of the longer side of the drawing, so that a small graph fills a window.
_LEAST_SIDE: Final = 420.0


@dataclass(frozen=True, slots=True)
class Springs:
    """The weighted edges: `edges` has the shape (2, m) and holds node numbers, `weights` (m,)."""

    nodes: int
    edges: Integers
    weights: Floats

    def attraction(self, positions: Floats, exponent: float) -> Floats:
        """Return the attraction of each node, shape (2, nodes): length**exponent for an edge."""
        source, target = self.edges
        gap = (
            positions[0][target] - positions[0][source],
            positions[1][target] - positions[1][source],
        )
        pull = self.weights * (_length(*gap) + 1e-9) ** (exponent - 1)
        gap = gap[0] * pull, gap[1] * pull
        return _gather(source, gap, self.nodes) - _gather(target, gap, self.nodes)


def layout(nodes: int, edges: Integers, weights: Floats, radii: Floats) -> Floats:
    """Return positions of shape (nodes, 2), in the unit of `radii`, almost without overlaps.

    `edges` has the shape (m, 2); `weights` (m,) and `radii` (nodes,) are positive. Within this
    module positions have the shape (2, nodes), since numpy is much faster on whole axes.
    """
    import numpy as np

    if nodes == 0:
        return np.zeros((0, 2))
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
    return packed * max(1.0, _LEAST_SIDE / side) if side > 0 else packed


def _length(x: Floats, y: Floats) -> Floats:
    import numpy as np

    return np.asarray(np.sqrt(x**2 + y**2))


def _gather(index: Integers, vectors: tuple[Floats, Floats], size: int) -> Floats:
    """Return the sum of the vectors of each index, shape (2, size)."""
    import numpy as np

    return np.stack([np.bincount(index, axis, size) for axis in vectors]).astype(np.float64)


def _start(springs: Springs, mass: Floats) -> Floats:
    """Return initial positions: noise, smoothed along the edges until neighbours are near."""
    import numpy as np

    nodes = springs.nodes
    positions = np.random.default_rng(20240229).normal(size=(nodes, 2))
    for _ in range(40):
        columns = np.ascontiguousarray(positions.T)
        positions += (springs.attraction(columns, 1.0) / (2 * mass)).T
        positions -= np.average(positions, axis=0, weights=mass)
        positions /= np.sqrt((positions**2).mean(axis=0)) + 1e-12
    positions = np.ascontiguousarray(positions.T)
    ranks = np.argsort(np.argsort(positions, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(positions + 3 * (ranks / nodes - 0.5))


def _relax(springs: Springs, positions: Floats, mass: Floats) -> Floats:
    """Minimise the energy, from linear springs to the constant attraction of LinLog."""
    import numpy as np

    repulsion = _Repulsion.over(springs.nodes)
    strength = 2 * springs.weights.sum() / mass.sum() ** 2
    before = np.zeros_like(positions)
    for step in range(_STEPS):
        exponent = max(0.0, 1 - step / (0.5 * _STEPS))
        force = springs.attraction(positions, exponent)
        force += repulsion(positions, mass) * (strength * mass)
        force -= positions * (_GRAVITY * mass)
        move = _INERTIA * before + force / mass * _PACE
        longest = 1 - 0.98 * step / _STEPS
        before = move * np.minimum(1, longest / (_length(*move) + 1e-9))
        positions = positions + before
    return positions


@dataclass(frozen=True, slots=True)
class _Repulsion:
    """The repulsion between all nodes, approximated on a grid of `cells` by `cells`."""

    cells: int
    kernel: NDArray[np.complex128]

    @classmethod
    def over(cls, nodes: int) -> _Repulsion:
        import numpy as np

        cells = next((cells for limit, cells in _CELLS if nodes < limit), _MOST_CELLS)
        step = np.fft.fftfreq(2 * cells, 1 / (2 * cells))
        x, y = step[None, :], step[:, None]
        field = (x + 1j * y) / (x**2 + y**2 + 0.25)
        field[cells, :] = field[:, cells] = 0
        return cls(cells, np.fft.fft2(field))

    def __call__(self, positions: Floats, mass: Floats) -> Floats:
        """Return the field of the masses at every position; it falls with the inverse distance."""
        import numpy as np

        low = positions.min(axis=1)[:, None]
        width = float((positions.max(axis=1)[:, None] - low).max()) / (self.cells - 1.001) + 1e-12
        corners = list(_corners((positions - low) / width, self.cells))
        grid = np.zeros(self.cells**2)
        for index, share in corners:
            grid += np.bincount(index, share * mass, grid.size)
        field = self._convolved(grid.reshape(self.cells, -1)).ravel()
        here = sum(field[index] * share for index, share in corners)
        return np.stack([here.real, here.imag]) / width

    def _convolved(self, grid: Floats) -> NDArray[np.complex128]:
        """Return the convolution with the kernel, without the parts of the padded grid outside."""
        import numpy as np

        size = 2 * self.cells
        spectrum = np.fft.fft(np.fft.fft(grid, size, axis=1), size, axis=0)
        spectrum *= self.kernel
        columns = np.fft.ifft(spectrum, axis=1)[:, : self.cells]
        return np.fft.ifft(columns, axis=0)[: self.cells]


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
        flow = np.gradient(crowd)
        x, y = place.astype(np.int64)
        here = crowd[y, x]
        slope = np.stack([flow[1][y, x], flow[0][y, x]])
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
    """Move overlapping discs apart, each pair by its overlap, for `_SPACING_STEPS` steps."""
    import numpy as np

    reach = radii + _GAP / 2
    for step in range(_SPACING_STEPS):
        first, second = _nearby_pairs(positions, 2 * float(np.quantile(reach, 0.98)))
        x, y = (axis[second] - axis[first] for axis in positions)
        apart = _length(x, y)
        lack = reach[first] + reach[second] - apart
        tight = np.flatnonzero(lack > 0)
        if not len(tight):
            break
        first, second, lack = first[tight], second[tight], lack[tight]
        x, y = _away(first, second, x[tight], y[tight], apart[tight])
        scale = lack / np.maximum(_length(x, y), 1e-9)
        x, y = x * scale, y * scale
        share = reach[second] ** 2 / (reach[first] ** 2 + reach[second] ** 2)
        rest = 1 - share
        size = len(radii)
        move = _gather(second, (x * rest, y * rest), size)
        move -= _gather(first, (x * share, y * share), size)
        crowd = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
        slowness = 0.4 if step < _SPACING_STEPS // 2 else 0.6
        positions = positions + move / np.maximum(1, crowd * slowness)
    return positions


def _away(
    first: Integers, second: Integers, x: Floats, y: Floats, apart: Floats
) -> tuple[Floats, Floats]:
    """Return the direction from the first to the second node; some angle where they coincide."""
    import numpy as np

    turn = (first * 2.399963 + second) % (2 * np.pi)
    distinct = apart > 1e-6
    return np.where(distinct, x, np.cos(turn)), np.where(distinct, y, np.sin(turn))


def _nearby_pairs(positions: Floats, reach: float) -> tuple[Integers, Integers]:
    """Return the pairs of nodes in the same or adjacent square cells of side `reach`."""
    import numpy as np

    low = positions.min(axis=1)[:, None]
    x, y = np.floor((positions - low) / reach).astype(np.int64) + 1
    row = int(x.max()) + 2
    key = y * row + x
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    firsts, seconds = [], []
    for offset in (0, 1, row - 1, row, row + 1):
        begin = np.searchsorted(ordered, ordered + offset, "left")
        end = np.searchsorted(ordered, ordered + offset, "right")
        if offset == 0:
            begin = np.arange(len(ordered)) + 1
        count = np.maximum(end - begin, 0)
        first = np.repeat(np.arange(len(ordered)), count)
        rank = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        firsts.append(order[first])
        seconds.append(order[np.repeat(begin, count) + rank])
    return np.concatenate(firsts), np.concatenate(seconds)
