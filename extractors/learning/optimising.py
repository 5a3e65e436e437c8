"""L-BFGS: minimising a smooth convex function (Liu and Nocedal 1989)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
#: The number of steps from which the curvature is approximated.
_MEMORY: Final = 8
_MAX_HALVINGS: Final = 20
_STALL_STEPS: Final = 8
#: The fraction of the expected decrease that a step must reach (Armijo condition).
_SUFFICIENT: Final = 1e-4


def minimise(
    function: Callable[[Vector], tuple[float, Vector]],
    start: Vector,
    max_steps: int = 100,
    tolerance: float = 2e-3,
) -> Vector:
    """Return the minimum point of a function that returns its value and its gradient.

    The search ends after `max_steps`, or when `_STALL_STEPS` steps lower the value by less than the
    fraction `tolerance` of it.
    """
    point = start
    value, gradient = function(point)
    memory: deque[tuple[Vector, Vector]] = deque(maxlen=_MEMORY)
    values = deque([value], maxlen=_STALL_STEPS)
    for _ in range(max_steps):
        direction = _direction(gradient, memory)
        slope = float(direction @ gradient)
        if slope >= 0:
            break
        size = 1.0 if memory else 1 / max(1.0, float(np.linalg.norm(gradient)))
        for _ in range(_MAX_HALVINGS):
            moved = point + size * direction
            new_value, new_gradient = function(moved)
            if new_value <= value + _SUFFICIENT * size * slope:
                break
            size /= 2
        else:
            break
        change = new_gradient - gradient
        step = moved - point
        if float(step @ change) > 1e-10:
            memory.append((step, change))
        point, value, gradient = moved, new_value, new_gradient
        if len(values) == _STALL_STEPS and values[0] - value < tolerance * abs(value):
            break
        values.append(value)
    return point


def _direction(gradient: Vector, memory: deque[tuple[Vector, Vector]]) -> Vector:
    """Return the descent direction: minus the approximate inverse Hessian times the gradient."""
    direction = -gradient
    shares = []
    for step, change in reversed(memory):
        share = float(step @ direction) / float(step @ change)
        direction = direction - share * change
        shares.append(share)
    if memory:
        step, change = memory[-1]
        direction = direction * (float(step @ change) / float(change @ change))
    for (step, change), share in zip(memory, reversed(shares), strict=True):
        correction = share - float(change @ direction) / float(step @ change)
        direction = direction + correction * step
    return direction
