"""The cache of the results of functions of one argument."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.cached_results import cached_results


def test_a_result_is_computed_once() -> None:
    calls: list[str] = []

    @cached_results(maxsize=9)
    def length(word: str) -> int:
        calls.append(word)
        return len(word)

    assert [length("kite"), length("a"), *map(length, ["kite", "a"])] == [4, 1, 4, 1]
    assert calls == ["kite", "a"]


@given(st.lists(st.integers(0, 9)))
def test_a_full_cache_is_emptied_and_the_results_stay_right(numbers: list[int]) -> None:
    calls: list[int] = []

    @cached_results(maxsize=3)
    def square(number: int) -> int:
        calls.append(number)
        return number * number

    assert [*map(square, numbers)] == [n * n for n in numbers]
    assert len({*numbers}) > 3 or len(calls) == len({*numbers})
