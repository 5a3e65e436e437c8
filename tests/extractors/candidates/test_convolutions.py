"""The convolutions of the tagger: every kernel gives the bits of numpy, and those of the formula."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.candidates import kernels
from citekg.extractors.candidates.convolutions import DILATIONS, LIMIT, TAPS, Convolutions, Span
from citekg.extractors.candidates.tagger import Tagger, row_bounds, shipped_tagger
from citekg.extractors.nlp import make_document
from citekg.extractors.training.quantisation import quantise
from citekg.schemas.records import Paper

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The source of the kernels.
SOURCE = Path(__file__).parents[3] / "extractors" / "candidates" / "convolutions.c"
#: Lengths of documents: shorter and longer than dilations and than the rows of a kernel.
LENGTHS = (1, 0, 5, 8, 9, 17, 64, 3, 150)


def random_convolutions(width: int, seed: int, scale: float = 1.0) -> Convolutions:
    """Return convolutions with random weights, some of them extreme."""
    random = np.random.default_rng(seed)
    weights = random.integers(-LIMIT, LIMIT + 1, (len(DILATIONS), TAPS * width, width))
    weights[:, :, 0], weights[:, :, 1] = LIMIT, -LIMIT
    numbers = random.normal(size=(len(DILATIONS), 5, width))
    numbers[:, 0] = np.abs(numbers[:, 0]) * 60 * scale
    numbers[:, 1] = np.abs(numbers[:, 1]) / 1e4
    return Convolutions(weights.astype(np.float32), numbers.astype(np.float32))


def random_rows(
    width: int, seed: int, lengths: Sequence[int]
) -> tuple[NDArray[np.float32], list[Span]]:
    """Return random rows, and the bounds of the documents."""
    ends = np.cumsum([0, *lengths]).tolist()
    rows = np.random.default_rng(seed).normal(size=(ends[-1], width)) * 2
    return rows.astype(np.float32), [*pairwise(ends)]


def by_the_formula(convolutions: Convolutions, x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the output for the rows of one document, token by token and number by number."""
    single, width = np.float32, x.shape[1]
    for dilation, weights, numbers in zip(
        DILATIONS, convolutions.weights, convolutions.numbers, strict=True
    ):
        integers = [
            [
                max(-LIMIT, min(LIMIT, round(Fraction(float(single(n * s))))))
                for n, s in zip(row, numbers[0], strict=True)
            ]
            for row in x
        ]
        outputs = []
        for token, row in enumerate(x):
            joined = [
                integers[token + step][k] if 0 <= token + step < len(x) else 0
                for step in (-dilation, 0, dilation)
                for k in range(width)
            ]
            updated = []
            for column in range(width):
                total = sum(q * int(w) for q, w in zip(joined, weights[:, column], strict=True))
                update = single(single(single(total) * numbers[1][column]) + numbers[2][column])
                updated.append(single(row[column] + max(update, single(0))))
            mean = single(tree_sum(updated) / single(width))
            centred = [single(n - mean) for n in updated]
            variance = single(tree_sum([single(n * n) for n in centred]) / single(width))
            factor = single(single(1) / single(math.sqrt(single(variance + single(1e-5)))))
            outputs.append(
                [
                    single(single(single(n * factor) * scale) + shift)
                    for n, scale, shift in zip(centred, numbers[3], numbers[4], strict=True)
                ]
            )
        x = np.array(outputs, dtype=np.float32).reshape(x.shape)
    return x


def tree_sum(numbers: list[np.float32]) -> np.float32:
    """Return a sum: the second half is added to the first one until one number is left."""
    while len(numbers) > 1:
        half = len(numbers) // 2
        numbers = [np.float32(a + b) for a, b in zip(numbers[:half], numbers[half:], strict=True)]
    return numbers[0]


def test_numpy_computes_the_formula() -> None:
    convolutions = random_convolutions(8, seed=1)
    x, bounds = random_rows(8, 2, LENGTHS)
    expected = [by_the_formula(convolutions, x[low:high]) for low, high in bounds]
    convolutions.convolve(x, bounds)
    assert np.array_equal(x, np.concatenate(expected))


@pytest.fixture(params=kernels.available())
def kernel(request: pytest.FixtureRequest) -> str:
    """A kernel that this processor can run."""
    return str(request.param)


def test_a_kernel_is_compiled_where_there_is_a_compiler() -> None:
    if not shutil.which("gcc") or sys.platform != "linux":
        pytest.skip("there is no C compiler")
    if " avx2 " not in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        pytest.skip("the kernels need a processor with AVX2")
    assert kernels.available()


@pytest.mark.parametrize("scale", [1.0, 0.0, 1e30])
def test_a_kernel_gives_the_bits_of_numpy(kernel: str, scale: float) -> None:
    convolutions = random_convolutions(kernels.WIDTH, 3, scale)
    x, bounds = random_rows(kernels.WIDTH, 4, LENGTHS)
    compiled = x.copy()
    convolutions.convolve(x, bounds)
    kernels.CompiledConvolutions.of(convolutions, kernel).convolve(compiled, bounds)
    assert np.array_equal(x, compiled)


def test_the_largest_sums_give_the_bits_of_numpy(kernel: str) -> None:
    """All inputs of a row are extreme, and the weights of each tap, in all combinations of signs."""
    convolutions = random_convolutions(kernels.WIDTH, 11, scale=1e30)
    for column, signs in enumerate(product((-LIMIT, 0, LIMIT), repeat=TAPS)):
        convolutions.weights[:, :, column] = np.repeat(signs, kernels.WIDTH)
    convolutions.numbers[:, 4] = np.random.default_rng(12).choice([-1, 1], (len(DILATIONS), 1))
    signs_of_rows = np.random.default_rng(13).choice([-1, 1], (400, 1)).astype(np.float32)
    x = np.tile(signs_of_rows, (1, kernels.WIDTH))
    compiled = x.copy()
    convolutions.convolve(x, [(0, 400)])
    kernels.CompiledConvolutions.of(convolutions, kernel).convolve(compiled, [(0, 400)])
    assert np.array_equal(x, compiled)


@given(seed=st.integers(0, 2**32), lengths=st.lists(st.integers(0, 140), max_size=4))
def test_all_kernels_give_the_bits_of_numpy_for_any_documents(
    seed: int, lengths: list[int]
) -> None:
    convolutions = random_convolutions(kernels.WIDTH, seed)
    x, bounds = random_rows(kernels.WIDTH, seed, lengths)
    given_rows = x.copy()
    convolutions.convolve(x, bounds)
    for name in kernels.available():
        compiled = given_rows.copy()
        kernels.CompiledConvolutions.of(convolutions, name).convolve(compiled, bounds)
        assert np.array_equal(x, compiled)


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A command that runs the kernel for ARM processors in an emulator."""
    compiler, emulator = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
    if not compiler or not emulator:
        pytest.skip("there is no compiler for ARM processors, or no emulator (Debian: qemu-user)")
    program = tmp_path_factory.mktemp("emulated") / "kernel"
    sources = [Path(__file__).parent / "emulated_kernel.c", SOURCE]
    options = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-static", "-o", str(program)]
    subprocess.run([compiler, *map(str, sources), *options, "-lm"], check=True)
    return [emulator, str(program)]


@pytest.mark.parametrize("scale", [1.0, 0.0, 1e30])
def test_the_kernel_for_arm_processors_gives_the_bits_of_numpy(
    emulated: list[str], scale: float
) -> None:
    convolutions = random_convolutions(kernels.WIDTH, 9, scale)
    x, bounds = random_rows(kernels.WIDTH, 10, LENGTHS)
    compiled = kernels.CompiledConvolutions.of(convolutions, "neon_dotprod")
    sizes = np.array([*x.shape, len(bounds), len(DILATIONS)])
    arrays = [sizes, x, np.array(bounds), np.array(DILATIONS), compiled.weights, compiled.starts]
    given_bytes = b"".join(
        len(data).to_bytes(8, "little") + data
        for data in (array.tobytes() for array in [*arrays, compiled.numbers])
    )
    found = subprocess.run(emulated, input=given_bytes, stdout=subprocess.PIPE, check=True).stdout
    convolutions.convolve(x, bounds)
    assert np.array_equal(x.ravel(), np.frombuffer(found, dtype=np.float32))


def test_halves_are_rounded_to_even(kernel: str) -> None:
    numbers = np.zeros((1, 5, kernels.WIDTH), dtype=np.float32)
    numbers[:, [0, 1, 3]] = 1
    weights = np.tile(np.eye(kernels.WIDTH, dtype=np.float32), (1, TAPS, 1))
    convolutions = Convolutions(weights, numbers)
    x = np.arange(-63.5, 64.5, dtype=np.float32)[None, :]
    compiled = x.copy()
    convolutions.convolve(x, [(0, 1)])
    kernels.CompiledConvolutions.of(convolutions, kernel).convolve(compiled, [(0, 1)])
    assert np.array_equal(x, compiled)


@pytest.mark.parametrize("bounds", [[(0, 5)], [(-1, 2)], [(3, 2)]])
def test_documents_outside_the_rows_are_rejected(kernel: str, bounds: list[Span]) -> None:
    compiled = kernels.CompiledConvolutions.of(random_convolutions(kernels.WIDTH, 5), kernel)
    with pytest.raises(ValueError, match="rows"):
        compiled.convolve(np.zeros((4, kernels.WIDTH), dtype=np.float32), bounds)


def test_without_compiled_kernels_numpy_computes_the_convolutions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    convolutions = random_convolutions(kernels.WIDTH, 6)
    monkeypatch.setattr(kernels, "available", tuple)
    assert kernels.fastest(convolutions) is convolutions


@pytest.mark.parametrize("file", ["absent.so", "of_another_system.so"])
def test_without_a_library_that_this_system_loads_there_are_no_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    (tmp_path / "of_another_system.so").write_bytes(b"MZ")
    library = SimpleNamespace(origin=str(tmp_path / file))
    monkeypatch.setattr(kernels, "find_spec", lambda _: library)
    assert kernels.compiled_functions.__wrapped__() == {}
    monkeypatch.setattr(kernels, "find_spec", lambda _: None)
    assert kernels.compiled_functions.__wrapped__() == {}


def test_the_kernels_take_no_network_of_another_width() -> None:
    convolutions = random_convolutions(16, 7)
    assert kernels.fastest(convolutions) is convolutions


def test_the_shipped_tagger_has_quantised_convolutions() -> None:
    convolutions = Convolutions.of(shipped_tagger().arrays, len(DILATIONS))
    assert np.array_equal(convolutions.weights, np.rint(convolutions.weights))
    assert np.abs(convolutions.weights).max(axis=1).min() == LIMIT


def test_quantised_convolutions_nearly_give_the_output_of_those_of_the_network() -> None:
    random = np.random.default_rng(8)
    width = kernels.WIDTH
    arrays: dict[str, NDArray[Any]] = {**shipped_tagger().arrays}
    for layer in range(len(DILATIONS)):
        arrays[f"conv{layer}.w"] = random.normal(size=(TAPS * width, width)) / 20
    docs = [
        make_document(
            Paper(str(n), "Kite Search", "We propose Heron, and evaluate PPO on D4RL." * n)
        )
        for n in range(1, 5)
    ]
    bounds = [*row_bounds(docs)]
    quantised = Tagger(quantise(arrays, docs))
    found = quantised.embed(docs)
    expected = found.astype(float)
    Convolutions.of(quantised.arrays, len(DILATIONS)).convolve(found, bounds)
    for low, high in bounds:
        x = expected[low:high]
        for layer, dilation in enumerate(DILATIONS):
            padded = np.pad(x, ((dilation, dilation), (0, 0)))
            joined = np.hstack([padded[: len(x)], x, padded[2 * dilation :]])
            x = x + np.maximum(joined @ arrays[f"conv{layer}.w"] + arrays[f"conv{layer}.b"], 0)
            x = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
            x = x * arrays[f"norm{layer}.w"] + arrays[f"norm{layer}.b"]
        assert np.linalg.norm(found[low:high] - x) < 0.03 * np.linalg.norm(x)
