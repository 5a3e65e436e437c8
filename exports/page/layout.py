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
    """The weighted edges: `edges` has the shape (m, 2) and holds node numbers, `weights` (m,)."""

    nodes: int
    edges: Integers
    weights: Floats

    def attraction(self, positions: Floats, exponent: float) -> Floats:
        """Return the attraction of each node, shape (nodes, 2): length**exponent for an edge."""
        import numpy as np

        source, target = self.edges.T
        gap = positions[target] - positions[source]
        length = np.sqrt((gap**2).sum(axis=1)) + 1e-9
        gap *= (self.weights * length ** (exponent - 1))[:, None]
        return _gather(source, gap, self.nodes) - _gather(target, gap, self.nodes)


def layout(nodes: int, edges: Integers, weights: Floats, radii: Floats) -> Floats:
    """Return positions of shape (nodes, 2), in the unit of `radii`, almost without overlaps.

    `edges` has the shape (m, 2); `weights` (m,) and `radii` (nodes,) are positive.
    """
    import numpy as np

    if nodes == 0:
        return np.zeros((0, 2))
    springs = Springs(nodes, edges, weights)
    mass = np.asarray(
        np.bincount(edges.ravel(), np.repeat(weights, 2), nodes) + 1.0, dtype=np.float64
    )
    positions = _relax(springs, _start(springs, mass), mass)
    positions = _pull_in_outliers(positions - np.median(positions, axis=0))
    room = np.sqrt((np.pi * (radii + _GAP) ** 2).sum() * 2.2)
    spread = np.sqrt(np.median((positions**2).sum(axis=1))) + 1e-9
    spaced = _remove_overlaps(_diffuse(positions * (room * 0.4 / spread), radii), radii)
    packed = pack_components(spaced, radii, components(nodes, edges))
    side = float((packed.max(axis=0) - packed.min(axis=0)).max())
    return packed * max(1.0, _LEAST_SIDE / side) if side > 0 else packed


def _gather(index: Integers, values: Floats, size: int) -> Floats:
    import numpy as np

    return np.stack([np.bincount(index, values[:, axis], size) for axis in (0, 1)], axis=1).astype(
        np.float64
    )


def _start(springs: Springs, mass: Floats) -> Floats:
    """Return initial positions: noise, smoothed along the edges until neighbours are near."""
    import numpy as np

    positions = np.random.default_rng(20240229).normal(size=(springs.nodes, 2))
    for _ in range(40):
        positions += springs.attraction(positions, 1.0) / (2 * mass)[:, None]
        positions -= np.average(positions, axis=0, weights=mass)
        positions /= np.sqrt((positions**2).mean(axis=0)) + 1e-12
    ranks = np.argsort(np.argsort(positions, axis=0, kind="stable"), axis=0, kind="stable")
    return (positions + 3 * (ranks / springs.nodes - 0.5)) * 1.0


def _relax(springs: Springs, positions: Floats, mass: Floats) -> Floats:
    """Minimise the energy, from linear springs to the constant attraction of LinLog."""
    import numpy as np

    repulsion = _Repulsion.over(springs.nodes)
    strength = 2 * springs.weights.sum() / mass.sum() ** 2
    before = np.zeros_like(positions)
    for step in range(_STEPS):
        exponent = max(0.0, 1 - step / (0.5 * _STEPS))
        force = springs.attraction(positions, exponent)
        force += repulsion(positions, mass) * (strength * mass)[:, None]
        force -= positions * (_GRAVITY * mass)[:, None]
        move = _INERTIA * before + force / mass[:, None] * _PACE
        length = np.sqrt((move**2).sum(axis=1)) + 1e-9
        longest = 1 - 0.98 * step / _STEPS
        before = move * np.minimum(1, longest / length)[:, None]
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

        low = positions.min(axis=0)
        width = float((positions.max(axis=0) - low).max()) / (self.cells - 1.001) + 1e-12
        corners = list(_corners((positions - low) / width, 2 * self.cells))
        grid = np.zeros(4 * self.cells**2)
        for index, share in corners:
            grid += np.bincount(index, share * mass, grid.size)
        spectrum = np.fft.fft2(grid.reshape(2 * self.cells, -1))
        field = np.fft.ifft2(spectrum * self.kernel).ravel()
        here = sum(field[index] * share for index, share in corners)
        return np.stack([here.real, here.imag], axis=1) / width


def _corners(places: Floats, row: int) -> Iterator[tuple[Integers, Floats]]:
    """Yield the four grid points around each position with their bilinear weights."""
    import numpy as np

    cell = places.astype(np.int64)
    part = places - cell
    for right in (0, 1):
        for down in (0, 1):
            share_x = part[:, 0] if right else 1 - part[:, 0]
            share_y = part[:, 1] if down else 1 - part[:, 1]
            yield (cell[:, 1] + down) * row + cell[:, 0] + right, share_x * share_y


def _pull_in_outliers(positions: Floats) -> Floats:
    """Pull outliers towards the centre, so that a remote cluster does not shrink all others."""
    import numpy as np

    far = np.sqrt((positions**2).sum(axis=1)) + 1e-9
    return np.asarray(positions * (far ** (_OUTLIER_EXPONENT - 1))[:, None])


def _diffuse(positions: Floats, radii: Floats) -> Floats:
    """Spread dense regions by diffusion until the discs have room in every region."""
    import numpy as np

    area = np.pi * (radii + _GAP / 2) ** 2
    regions = 256 if len(positions) < 12000 else 512
    for step in range(_THINNING_STEPS):
        low = positions.min(axis=0)
        width = float((positions.max(axis=0) - low).max()) / (regions * 0.8) + 1e-6
        place = (positions - low) / width + regions * 0.1
        reach = 12 * (1 - step / _THINNING_STEPS) + 2
        crowd = _smooth(place, area / width**2, regions, reach)
        flow = np.gradient(crowd)
        x, y = place.astype(np.int64).T
        here = crowd[y, x]
        slope = np.stack([flow[1][y, x], flow[0][y, x]], axis=1)
        excess = np.clip(1 - _MAX_FILL / (here + 1e-9), 0, 1) / (here + 0.1)
        positions = positions - slope * (excess * reach**2 * width * 0.5)[:, None]
    return positions


def _smooth(places: Floats, amounts: Floats, regions: int, reach: float) -> Floats:
    """Return amounts on a grid of `regions` by `regions`, smoothed by a Gaussian of that width."""
    import numpy as np

    x, y = places.astype(np.int64).T
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
        gap = positions[second] - positions[first]
        apart = np.sqrt((gap**2).sum(axis=1))
        lack = reach[first] + reach[second] - apart
        tight = lack > 0
        if not tight.any():
            break
        first, second, lack, apart = first[tight], second[tight], lack[tight], apart[tight]
        turn = (first * 2.399963 + second) % (2 * np.pi)
        away = np.where(
            (apart > 1e-6)[:, None], gap[tight], np.stack([np.cos(turn), np.sin(turn)], axis=1)
        )
        away *= (lack / np.maximum(np.sqrt((away**2).sum(axis=1)), 1e-9))[:, None]
        share = (reach[second] ** 2 / (reach[first] ** 2 + reach[second] ** 2))[:, None]
        size = len(positions)
        move = _gather(second, away * (1 - share), size) - _gather(first, away * share, size)
        crowd = np.bincount(first, minlength=size) + np.bincount(second, minlength=size)
        positions = (
            positions
            + move / np.maximum(1, crowd * (0.4 if step < _SPACING_STEPS // 2 else 0.6))[:, None]
        )
    return positions


def _nearby_pairs(positions: Floats, reach: float) -> tuple[Integers, Integers]:
    """Return the pairs of nodes in the same or adjacent square cells of side `reach`."""
    import numpy as np

    cell = np.floor((positions - positions.min(axis=0)) / reach).astype(np.int64) + 1
    row = int(cell[:, 0].max()) + 2
    key = cell[:, 1] * row + cell[:, 0]
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
