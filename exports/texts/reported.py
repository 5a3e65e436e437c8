"""A reported result as one line of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from citekg.exports.texts.markdown import plain
from citekg.schemas.records import Result, ResultName


def result_line(
    result: Result,
    shown: Callable[[ResultName], str] = lambda name: name.text,
    escaped: Callable[[str], str] = lambda text: text,
) -> str:
    """Return the slots of a result; `shown` formats a name, and `escaped` any other text of it."""

    def listed(names: Iterable[ResultName]) -> str:
        return ", ".join(map(shown, names))

    return " ".join(_words(result, listed, escaped))


def markdown_line(result: Result, shown: Callable[[ResultName], str]) -> str:
    """Return the slots of a result as Markdown; `shown` formats a name, for example as a link."""
    return result_line(result, shown, plain)


def _words(
    result: Result, listed: Callable[[Iterable[ResultName]], str], escaped: Callable[[str], str]
) -> Iterator[str]:
    if result.systems:
        yield f"{listed(result.systems)}:"
    yield escaped(" ".join(filter(None, (result.metric, result.value, result.direction))))
    if result.on:
        yield f"on {listed(result.on)}"
    if result.previous:
        yield f"(before: {escaped(result.previous)})"
    if result.versus:
        yield f"compared with {listed(result.versus)}"
