"""A cache of the results of functions of one argument, such as a word.

It does what `functools.lru_cache` does. A look-up is that of a dictionary, which is faster. A full
cache is emptied, because a dictionary does not know which results were used last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def cached_results(maxsize: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """Return a decorator that caches up to `maxsize` results of a function, by its argument."""

    def decorate(function: Callable[[K], V]) -> Callable[[K], V]:
        return _Results(function, maxsize).__getitem__

    return decorate


class _Results(dict[K, V]):
    """The results of a function by argument; missing ones are computed."""

    def __init__(self, function: Callable[[K], V], maxsize: int) -> None:
        super().__init__()
        self._function = function
        self._maxsize = maxsize

    def __missing__(self, argument: K) -> V:
        if len(self) >= self._maxsize:
            self.clear()
        self[argument] = result = self._function(argument)
        return result
