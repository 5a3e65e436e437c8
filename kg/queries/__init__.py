"""SPARQL questions to a graph, answered by an embedded Oxigraph store.

The project's prefixes are declared in every query, and `ckgid:` stands for the base IRI of the
graph at hand. Queries only read, and never leave the machine.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from citekg.queries.answers import Answer, answer_of
from citekg.queries.library import Value, question, values_of
from citekg.queries.safety import calls_elsewhere, complexity_problem, updates
from citekg.queries.spelling import SKIPPED, hints
from citekg.queries.store import base_of, open_store, prefixes_in
from citekg.queries.syntax import expected_in
from citekg.schemas.errors import QueryError, QueryRefused
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import PREFIXES

if TYPE_CHECKING:
    import pyoxigraph
    from citekg.queries.answers import Results

__all__ = ["Answer", "query"]

_T = TypeVar("_T")
_PLACE: Final = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_SENTENCE: Final = re.compile(r"[A-Z].* [a-z]{2}.*")
_PREFIXED: Final = re.compile(r"(?<![\w?$:@-])([A-Za-z][\w-]*):")


def query(
    source: Path | KnowledgeGraph,
    sparql: str,
    *,
    values: Mapping[str, Value] | None = None,
    seconds: float | None = None,
    keep: bool = True,
) -> Answer:
    """Answer a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT, DESCRIBE) from a graph or a graph file.

    It may be the `@name` of a named query, with `values` for its parameters. `seconds` limits the time
    that the answer may take, `keep` lets the store of a big file be kept beside it, so that the next
    query starts at once. The `hints` of the answer report what is probably misspelt. Raises `QueryError`
    for a query that is malformed (with line and column), that would change the graph, that calls another
    endpoint, or that takes longer; and `GraphError` for a file that cannot be read.
    """
    asked = question(sparql, values)
    store = open_store(source, keep=keep)
    prefixes = prefixes_of(store)
    answer = _within(seconds, lambda: answered(store, asked, lambda results: answer_of(results, prefixes)))
    return replace(answer, hints=hints(store, asked, answer, prefixes, values_of(sparql, values)))


def prefixes_of(store: pyoxigraph.Store) -> dict[str, str]:
    """The prefixes declared in every query to that store."""
    return prefixes_in(store) | PREFIXES | {"ckgid": base_of(store)}


def answered(
    store: pyoxigraph.Store, sparql: str, use: Callable[[Results], _T], dataset: Mapping[str, Any] | None = None
) -> _T:
    """What `use` makes of the results of a query; they come lazily, so that errors may come late.

    `dataset` may hold pyoxigraph's `default_graph` and `named_graphs`. Raises `QueryError`.
    """
    if calls_elsewhere(sparql):
        raise QueryRefused("SERVICE is refused: a query is answered from the graph at hand alone")
    if told := complexity_problem(sparql):
        raise QueryError(f"the query {told}")
    prefixes = prefixes_of(store)
    try:
        return use(store.query(sparql, prefixes=prefixes, **(dataset or {})))
    except SyntaxError as error:
        raise _explained(str(error), sparql, prefixes) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise QueryError(f"the query could not be answered: {error}") from error


def _explained(message: str, sparql: str, prefixes: dict[str, str]) -> QueryError:
    """What is wrong with a query, where, and what to do."""
    bare = SKIPPED.sub(" ", sparql)
    if updates(bare):
        return QueryRefused(
            "updates are refused: a graph file is only read; ask with SELECT, ASK, CONSTRUCT or DESCRIBE"
        )
    known = prefixes.keys() | {p.lower() for p in re.findall(r"(?i)\bprefix\s+([\w-]+):", bare)}
    unknown = [p for p in _PREFIXED.findall(bare) if p not in known and p.lower() not in known]
    hint = f"; the prefix {unknown[0]}: is not declared (known: {', '.join(sorted(prefixes))})" if unknown else ""
    return QueryError(f"malformed query: {_place(message, sparql)}{hint}")


def _place(message: str, sparql: str) -> str:
    """Where a query is malformed, with line, column and the words there, and what was expected or is wrong."""
    expected = expected_in(sparql)
    if expected:
        before = sparql[: expected[0]]
        line, column = before.count("\n") + 1, expected[0] - before.rfind("\n")
        return f"line {line}, column {column}, {_near(sparql, line, column)}: expected {expected[1]}"
    found = _PLACE.search(message)
    if not found:
        return message
    line, column = int(found[1]), int(found[2])
    return f"line {line}, column {column}, {_near(sparql, line, column)}: {_reason(found[3])}"


def _reason(expected: str) -> str:
    """The engine's sentence about what is wrong; without one, its lists of words and signs mislead."""
    listed = expected.removeprefix("expected ").removeprefix("one of ").split(", ")
    return next((item for item in listed if _SENTENCE.fullmatch(item)), "this or something before it is wrong")


def _near(sparql: str, line: int, column: int) -> str:
    """The words around a place in a query."""
    text = [*sparql.split("\n"), ""][line - 1]
    word = re.search(r"[\w:?$]*$", text[: column - 1])
    ended = not text[column - 1 :].strip()
    rest = "" if ended else text[word.start() if word else 0 :][:30].strip()
    return f"near {rest!r}" if rest else "at the end"


def _within(seconds: float | None, work: Callable[[], _T]) -> _T:
    """The result of the work; raises `QueryError` when it takes longer than that.

    The store cannot be interrupted, so work that is late goes on unseen until it or the program ends.
    """
    if seconds is None:
        return work()
    done: list[_T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001  # raised again below, in the caller's thread
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not done:
        raise QueryError(f"the query took longer than {seconds:g} s: narrow it, or allow more time")
    return done[0]
