"""The convolutions of the tagger, with quantised inputs and weights.

Inputs and weights are rounded to integers of 8 bits (Jacob et al. 2018). So the products and
their sums are exact in any order, and the other operations are done in a fixed order. Therefore the
output has the same bits on every processor, however many documents are convolved at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The dilation of each convolution, in tokens: each divides 16 (`convolutions_winograd.h`).
DILATIONS: Final = (1, 2, 4, 1, 8)
#: The rows that give a row of the output.
TAPS: Final = 3
#: The largest quantised number; the smallest one is its negative.
LIMIT: Final = 127
#: What layer normalisation adds to the variance.
_EPSILON: Final = 1e-5
#: The arrays of `Convolutions.numbers` by their names in the file of weights.
_NUMBERS: Final = ("conv{}.in", "conv{}.out", "conv{}.b", "norm{}.w", "norm{}.b")

#: The first and the last (exclusive) of some rows or tokens.
Span = tuple[int, int]


class Convolver(Protocol):
    """What computes the convolutions."""

    def convolve(self, x: NDArray[np.float32], bounds: Sequence[Span]) -> None:
        """Overwrite rows, `(rows, width)`, with the output of the last convolution.

        `bounds` are the rows of each document.
        """


@dataclass(frozen=True)
class Convolutions:
    """Residual, dilated convolutions, each with a layer normalisation, computed by numpy.

    `weights` are integers from -127 to 127, `(layers, TAPS * width, width)`. `numbers` are, for
    each layer, the scales of the inputs and of the sums, the bias, and the scale and the shift of
    the normalisation, `(layers, 5, width)`.
    """

    weights: NDArray[np.float32]
    numbers: NDArray[np.float32]

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[np.float32]], layers: int) -> Convolutions:
        """Return the first convolutions of a tagger, given its arrays by name."""
        import numpy as np

        width = len(arrays["in.b"])
        weights = [arrays[f"conv{layer}.w"] for layer in range(layers)]
        numbers = [arrays[name.format(layer)] for layer in range(layers) for name in _NUMBERS]
        return cls(
            np.array(weights, dtype=np.float32).reshape(layers, TAPS * width, width),
            np.array(numbers, dtype=np.float32).reshape(layers, len(_NUMBERS), width),
        )

    def convolve(self, x: NDArray[np.float32], bounds: Sequence[Span]) -> None:
        """Overwrite rows, `(rows, width)`, with the output of the last convolution.

        `bounds` are the rows of each document. Floats of 32 bits hold the sums exactly: they are
        less than 2^24.
        """
        import numpy as np

        # The larger of two arrays takes a third of the time of that of an array and a number.
        zeros = np.zeros_like(x)
        joined = np.zeros((len(x), TAPS * x.shape[1]), dtype=x.dtype)
        update = np.empty_like(x)
        layers = zip(DILATIONS, self.weights, self.numbers, strict=False)
        for dilation, weights, (input_scale, output_scale, bias, scale, shift) in layers:
            np.multiply(x, input_scale, out=update)
            np.clip(update, -LIMIT, LIMIT, out=update)
            np.rint(update, out=update)
            _stack_neighbours(update, dilation, bounds, joined)
            np.matmul(joined, weights, out=update)
            update *= output_scale
            update += bias
            np.maximum(update, zeros, out=update)
            x += update
            _normalise(x, scale, shift)


def _stack_neighbours(
    x: NDArray[np.float32], dilation: int, bounds: Iterable[Span], joined: NDArray[np.float32]
) -> None:
    """Fill `joined`, `(rows, TAPS * width)`, with each row and those `dilation` before and after.

    `bounds` are the rows of each document; beyond them are zeros.
    """
    width = x.shape[1]
    joined[dilation:, :width] = x[:-dilation]
    joined[:, width : 2 * width] = x
    joined[:-dilation, 2 * width :] = x[dilation:]
    for low, high in bounds:
        joined[low : min(low + dilation, high), :width] = 0
        joined[max(high - dilation, low) : high, 2 * width :] = 0


def _normalise(
    x: NDArray[np.float32], scale: NDArray[np.float32], shift: NDArray[np.float32]
) -> None:
    """Normalise rows to mean 0 and variance 1, scale and shift them (layer normalisation)."""
    import numpy as np

    width = np.float32(x.shape[1])
    x -= _sum_of_halves(x) / width
    x *= 1 / np.sqrt(_sum_of_halves(x * x) / width + np.float32(_EPSILON))
    x *= scale
    x += shift


def _sum_of_halves(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum of each row, `(rows, 1)`; the number of columns is a power of two.

    The second half of the columns is added to the first one, and so on: the sums of numpy have
    another order on each processor.
    """
    half = x.shape[1] // 2
    sums = x[:, :half] + x[:, half:]
    while half > 1:
        half //= 2
        sums[:, :half] += sums[:, half : 2 * half]
    return sums[:, :1]
