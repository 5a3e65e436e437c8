"""The compiled kernels of the convolutions (`convolutions.c`): the same bits as numpy's, sooner.

`setup.py` compiles them if there is a C compiler. They run on x86-64 processors and on ARM ones of
64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from citekg.extractors.candidates.convolutions import (
    DILATIONS,
    LIMIT,
    TAPS,
    Convolutions,
    Convolver,
    Span,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The module whose file is the library of the kernels.
_LIBRARY: Final = "citekg.extractors.candidates._convolutions"
#: The width of the network that they compute.
WIDTH: Final = 128
#: The size of a group of inputs.
_GROUP_BYTES: Final = 4
#: The outputs whose transformed weights lie together.
_PANEL: Final = 16


@dataclass(frozen=True)
class Kernel:
    """How a kernel takes weights and inputs.

    Weights are numbers of type `weight`, in the order that `arrange` returns. `offset` is what the
    kernel adds to each quantised input.
    """

    weight: str
    offset: int
    arrange: Callable[[NDArray[Any], int], NDArray[Any]]

    @property
    def group(self) -> int:
        """The number of inputs in a group."""
        import numpy as np

        return _GROUP_BYTES // np.dtype(self.weight).itemsize


def _grouped(weights: NDArray[Any], group: int) -> NDArray[Any]:
    """Return weights, `(layers, TAPS * width, width)`, with groups of inputs last."""
    rows = weights.shape[1] // group
    grouped = weights.reshape(len(weights), rows, group, WIDTH)
    arranged: NDArray[Any] = grouped.transpose(0, 1, 3, 2)
    return arranged


def _transformed(weights: NDArray[Any], group: int) -> NDArray[Any]:
    """Return the weights of the algorithm of Winograd (1980), `convolutions_winograd.h`.

    The weights of the taps are the coefficients of a polynomial. Its values at 0, 1, -1, 2, -2 and
    infinity are grouped as in `_grouped`, for each panel of outputs.
    """
    import numpy as np

    first, second, third = weights.reshape(len(weights), TAPS, WIDTH, WIDTH).swapaxes(0, 1)
    powers = {x: (x * second, x * x * third) for x in (1, -1, 2, -2)}
    values = [first, *(first + odd + even for odd, even in powers.values()), third]
    panels = (WIDTH // group, group, WIDTH // _PANEL, _PANEL)
    stacked = np.stack(values, axis=1).reshape(len(weights), len(values), *panels)
    arranged: NDArray[Any] = stacked.transpose(0, 4, 1, 2, 5, 3)
    return arranged


#: The kernels by name, the fastest first.
KERNELS: Final[Mapping[str, Kernel]] = {
    "avx512_vnni": Kernel(weight="int8", offset=LIMIT + 1, arrange=_grouped),
    "avx_vnni": Kernel(weight="int8", offset=LIMIT + 1, arrange=_grouped),
    "avx2": Kernel(weight="int16", offset=0, arrange=_transformed),
    "neon_dotprod": Kernel(weight="int8", offset=0, arrange=_grouped),
}


@dataclass(frozen=True)
class CompiledConvolutions:
    """Convolutions, computed by a kernel.

    `weights` are arranged for the kernel, with `layers` first. `starts` are what the sums start
    from, `(layers, width)`. They cancel the offset of the inputs.
    """

    kernel: str
    weights: NDArray[Any]
    starts: NDArray[np.int32]
    numbers: NDArray[np.float32]

    @classmethod
    def of(cls, convolutions: Convolutions, name: str) -> CompiledConvolutions:
        """Return convolutions for the kernel of a name."""
        import numpy as np

        kernel, weights = KERNELS[name], convolutions.weights
        return cls(
            name,
            np.ascontiguousarray(kernel.arrange(weights, kernel.group), dtype=kernel.weight),
            (-kernel.offset * weights.sum(axis=1)).astype(np.int32),
            np.ascontiguousarray(convolutions.numbers),
        )

    def convolve(self, x: NDArray[np.float32], bounds: Sequence[Span]) -> None:
        """Overwrite rows, `(rows, width)`, with the output of the last convolution.

        `bounds` are the rows of each document.
        """
        import numpy as np

        rows = np.array(bounds, dtype=np.int64).reshape(-1, 2)
        dilations = np.array(DILATIONS, dtype=np.int64)
        if not all(0 <= low <= high <= len(x) for low, high in bounds) or x.shape[1] != WIDTH:
            raise ValueError(f"rows {bounds} of an array of shape {x.shape}")
        layers = len(self.weights)
        function = compiled_functions()[self.kernel]
        if function(x, rows, len(rows), dilations, layers, self.weights, self.starts, self.numbers):
            raise MemoryError


def fastest(convolutions: Convolutions) -> Convolver:
    """Return convolutions for the fastest kernel that runs here, or unchanged if there is none."""
    if convolutions.weights.shape[1:] != (TAPS * WIDTH, WIDTH):
        return convolutions
    return next((CompiledConvolutions.of(convolutions, name) for name in available()), convolutions)


def available() -> tuple[str, ...]:
    """Return the names of the kernels that this processor can run, the fastest first."""
    return tuple(compiled_functions())


@cache
def compiled_functions() -> dict[str, Callable[..., int]]:
    """Return the compiled functions of the kernels that this processor can run, by name.

    There are none if the library is missing, or was compiled for another system.
    """
    import ctypes

    import numpy as np
    from numpy.ctypeslib import ndpointer

    found = find_spec(_LIBRARY)
    if found is None or found.origin is None:
        return {}
    try:
        library = ctypes.CDLL(found.origin)
    except OSError:
        return {}
    functions: dict[str, Callable[..., int]] = {}
    for name, kernel in KERNELS.items():
        if not (hasattr(library, f"supports_{name}") and library[f"supports_{name}"]()):
            continue
        function = library[f"convolve_{name}"]
        function.argtypes = [
            ndpointer(np.float32, ndim=2, flags=("C_CONTIGUOUS", "WRITEABLE")),
            ndpointer(np.int64, ndim=2, flags="C_CONTIGUOUS"),
            ctypes.c_int64,
            ndpointer(np.int64, ndim=1, flags="C_CONTIGUOUS"),
            ctypes.c_int64,
            ndpointer(kernel.weight, flags="C_CONTIGUOUS"),
            ndpointer(np.int32, ndim=2, flags="C_CONTIGUOUS"),
            ndpointer(np.float32, ndim=3, flags="C_CONTIGUOUS"),
        ]
        functions[name] = function
    return functions
