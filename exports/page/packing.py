"""Packing of connected components: the others close around the largest, or in a margin beside it.

A force-directed layout drives unconnected components apart without limit. Here each component keeps
its shape and is moved as a whole. If one component has most of the nodes, the others are packed on
shelves in a margin below or beside it; otherwise each takes the free position nearest to the
centre.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

#: The ratio of width to height of the drawing, as of a window.
_ASPECT: Final = 1.3
_ANGLES: Final = 90
_MARGIN: Final = 14.0
_MAX_CELLS: Final = 400
#: The gap between components in the margin, and between the margin and the largest component.
_SHELF_GAP: Final = 9.0
_MARGIN_GAP: Final = 30.0


def components(nodes: int, edges: Integers) -> Integers:
    """Return for each node the smallest node number of its connected component."""
    import numpy as np

    labels = np.arange(nodes)
    source, target = edges.T
    while True:
        lower = np.minimum(labels[source], labels[target])
        renewed = labels.copy()
        np.minimum.at(renewed, source, lower)
        np.minimum.at(renewed, target, lower)
        renewed = np.minimum(renewed, renewed[renewed])
        if (renewed == labels).all():
            return labels
        labels = renewed


def pack_components(positions: Floats, radii: Floats, parts: Integers) -> Floats:
    """Return the positions with every component moved as a whole.

    `parts` holds the component of each node, shape (nodes,).
    """
    import numpy as np

    names, part, sizes = np.unique(parts, return_inverse=True, return_counts=True)
    main = int(np.argmax(sizes))
    placed: Floats = np.array(positions)
    inside = part == main
    placed[inside] = _align_axes(positions[inside])
    middles = np.stack([np.bincount(part, positions[:, axis]) / sizes for axis in (0, 1)], axis=1)
    reach = np.sqrt(((positions - middles[part]) ** 2).sum(axis=1)) + radii
    if 2 * sizes[main] > len(positions):
        return _with_margin(placed, radii, part, main)
    extent = np.zeros(len(names))
    np.maximum.at(extent, part, reach)
    ground = _OccupancyGrid.around(
        placed[inside], radii[inside], extent[np.arange(len(names)) != main]
    )
    for at in np.lexsort((names, -extent)):
        if at != main:
            placed[part == at] += ground.take(float(extent[at])) - middles[at]
    return placed


def _with_margin(positions: Floats, radii: Floats, part: Integers, main: int) -> Floats:
    """Return the positions with the other components on shelves in a margin beside the main one.

    The margin lies below the main component or to its right: where the whole fits a window better.
    """
    import numpy as np

    count = int(part.max()) + 1
    low, high = np.full((count, 2), np.inf), np.full((count, 2), -np.inf)
    np.minimum.at(low, part, positions - radii[:, None])
    np.maximum.at(high, part, positions + radii[:, None])
    others = np.array([at for at in range(count) if at != main], dtype=np.int64)
    if not len(others):
        return positions
    sizes = (high - low)[others] + _SHELF_GAP
    width, height = high[main] - low[main]
    below, depth = _shelves(sizes, width)
    beside, breadth = _shelves(sizes[:, ::-1], height)
    total = np.array([width / (height + depth), (width + breadth) / height])
    if np.argmin(np.abs(np.log(total / _ASPECT))) == 0:
        corners = below + np.array([low[main, 0], high[main, 1] + _MARGIN_GAP])
    else:
        corners = beside[:, ::-1] + np.array([high[main, 0] + _MARGIN_GAP, low[main, 1]])
    moves = np.zeros((count, 2))
    moves[others] = corners - low[others]
    moved = positions + moves[part]
    return np.asarray(moved - (moved.min(axis=0) + moved.max(axis=0)) / 2)


def _shelves(sizes: Floats, width: float) -> tuple[Floats, float]:
    """Place boxes of these sizes on shelves of a width, the highest first.

    Returns the corner of each box, shape (boxes, 2), and the height of all shelves.
    """
    import numpy as np

    corners = np.zeros_like(sizes)
    x, y, height = 0.0, 0.0, 0.0
    for at in np.lexsort((np.arange(len(sizes)), -sizes[:, 0], -sizes[:, 1])):
        if x and x + sizes[at, 0] > width:
            x, y, height = 0.0, y + height, 0.0
        corners[at] = x, y
        x += sizes[at, 0]
        height = max(height, sizes[at, 1])
    return corners, y + height


def _align_axes(positions: Floats) -> Floats:
    """Return the positions centred, and rotated so that their principal axis is horizontal."""
    import numpy as np

    centred = positions - (positions.min(axis=0) + positions.max(axis=0)) / 2
    if len(centred) < 2:
        return np.asarray(centred)
    _, axes = np.linalg.eigh(np.cov(centred.T))
    turned = centred @ axes[:, ::-1]
    turned = turned * np.where((turned**3).sum(axis=0) < 0, -1.0, 1.0)
    return np.asarray(turned - (turned.min(axis=0) + turned.max(axis=0)) / 2)


@dataclass(slots=True)
class _OccupancyGrid:
    """An occupancy grid of cells of side `cell`; `order` lists them from the centre outwards."""

    cell: float
    taken: NDArray[np.bool_]
    order: Integers
    next: int = 0
    width: int = 0

    @classmethod
    def around(cls, positions: Floats, radii: Floats, extents: Floats) -> _OccupancyGrid:
        """Return the grid around the central component, with room for others of these extents."""
        import numpy as np

        outline = np.sqrt((positions**2).sum(axis=1)) + radii
        side = 2 * outline.max() * _ASPECT + 2 * np.sqrt((4 * (extents + _MARGIN) ** 2).sum()) * 1.5
        cell = max(side / _MAX_CELLS, float(np.median(extents)) / 2 if len(extents) else 1.0)
        count = int(side / cell) + 3
        y, x = (np.mgrid[0:count, 0:count] - count // 2) * cell
        taken = np.hypot(x, y) < _silhouette(positions, outline)[_angle(x, y)] + _MARGIN
        order = np.argsort(np.hypot(x / _ASPECT, y).ravel(), kind="stable")
        return cls(cell, taken, order[~taken.ravel()[order]])

    def take(self, extent: float) -> Floats:
        """Occupy the free position nearest to the centre for a disc of this radius; return it."""
        import numpy as np

        width = int(np.ceil((extent + _MARGIN / 2) / self.cell))
        if width != self.width:
            self.width, self.next = width, 0
        count = len(self.taken)
        for place in range(self.next, len(self.order)):
            y, x = divmod(int(self.order[place]), count)
            block = self.taken[max(0, y - width) : y + width + 1, max(0, x - width) : x + width + 1]
            if not block.any():
                break
        self.next = place
        block[:] = True
        return np.asarray((np.array([x, y]) - count // 2) * self.cell, dtype=np.float64)


def _silhouette(positions: Floats, outline: Floats) -> Floats:
    """Return the extent of the component in each direction from the centre, with hollows filled."""
    import numpy as np

    far = np.zeros(_ANGLES)
    np.maximum.at(far, _angle(positions[:, 0], positions[:, 1]), outline)
    for _ in range(3):
        far = np.maximum(far, 0.94 * np.maximum(np.roll(far, 1), np.roll(far, -1)))
    return far


def _angle(x: Floats, y: Floats) -> Integers:
    import numpy as np

    return ((np.arctan2(y, x) / (2 * np.pi) + 0.5) * (_ANGLES - 1e-6)).astype(np.int64)
