"""SPARQL queries on a graph, answered by an embedded Oxigraph store.

The project's prefixes are declared in every query; `ckgid:` is the base IRI of the graph. Queries
are read-only and never leave the machine.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from citekg.queries.answers import Answer, collect_answer
from citekg.queries.library import Value, parameter_values, resolve, sees_tentative
from citekg.queries.safety import calls_service, complexity_problem, is_update
from citekg.queries.spelling import NON_TERMS, hints
from citekg.queries.store import base_iri_of, open_store, prefixes_in
from citekg.queries.syntax import find_syntax_error
from citekg.queries.tentative import both_graphs
from citekg.schemas.errors import QueryError, QueryRefused
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import PREFIXES

if TYPE_CHECKING:
    import pyoxigraph

    from citekg.queries.answers import Results

__all__ = ["Answer", "query"]

_T = TypeVar("_T")
_POSITION: Final = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_SENTENCE: Final = re.compile(r"[A-Z].* [a-z]{2}.*")
_FROM: Final = re.compile(r"(?i)(?<![?$:])\bfrom\b")
_PREFIXED: Final = re.compile(r"(?<![\w?$:@-])([A-Za-z][\w-]*):")


def query(
    source: Path | KnowledgeGraph,
    sparql: str,
    *,
    values: Mapping[str, Value] | None = None,
    seconds: float | None = None,
    keep: bool = True,
    tentative: bool = False,
) -> Answer:
    """Answer a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT, DESCRIBE) from a graph or a graph file.

    `sparql` may be the `@name` of a named query, with `values` for its parameters. `seconds` is the
    time limit. `keep` caches the store of a large file beside it, so that the next query starts at
    once. A named query leaves tentative claims out unless `tentative` is set; any other includes
    them. The `hints` of the answer list what is probably misspelt. Raises `QueryError` for a query
    that is malformed (with line and column), would change the graph, calls another endpoint, or
    exceeds the time limit; and `GraphError` for a file that cannot be read.
    """
    from pyoxigraph import DefaultGraph

    text = resolve(sparql, values)
    store = open_store(source, keep=keep)
    prefixes = prefixes_of(store)
    dataset = None if tentative or sees_tentative(sparql) else {"default_graph": DefaultGraph()}
    answer = _with_timeout(
        seconds,
        lambda: run_query(store, text, lambda results: collect_answer(results, prefixes), dataset),
    )
    return replace(
        answer, hints=hints(store, text, answer, prefixes, parameter_values(sparql, values))
    )


def prefixes_of(store: pyoxigraph.Store) -> dict[str, str]:
    """Return the prefixes declared in every query to a store, with their IRIs."""
    return prefixes_in(store) | PREFIXES | {"ckgid": base_iri_of(store)}


def run_query(
    store: pyoxigraph.Store,
    sparql: str,
    use: Callable[[Results], _T],
    dataset: Mapping[str, Any] | None = None,
) -> _T:
    """Return the result of `use` on the results of a query.

    Results are lazy, so errors may come while `use` reads them. `dataset` may hold pyoxigraph's
    `default_graph` and `named_graphs`. By default, and unless the query has a FROM clause, the
    query includes tentative claims. Raises `QueryError`.
    """
    if "\0" in sparql:
        raise QueryError("the query contains a NUL character: remove it")
    if calls_service(sparql):
        raise QueryRefused("SERVICE is refused: a query is answered from this graph alone")
    if problem := complexity_problem(sparql):
        raise QueryError(f"the query {problem}")
    prefixes = prefixes_of(store)
    try:
        return use(
            store.query(sparql, prefixes=prefixes, **(dataset or _all_claims(store, sparql)))
        )
    except SyntaxError as error:
        raise _explain(str(error), sparql, prefixes) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise QueryError(f"the query could not be answered: {error}") from error


def _all_claims(store: pyoxigraph.Store, sparql: str) -> dict[str, Any]:
    """Return the dataset of a query that includes tentative claims."""
    graphs = None if _FROM.search(NON_TERMS.sub(" ", sparql)) else both_graphs(store)
    return {"default_graph": graphs} if graphs else {}


def _explain(message: str, sparql: str, prefixes: dict[str, str]) -> QueryError:
    """Return the error of a malformed query: what is wrong, where, and what to do."""
    bare = NON_TERMS.sub(" ", sparql)
    if is_update(bare):
        return QueryRefused(
            "updates are refused: a graph file is read-only; use SELECT, ASK, CONSTRUCT or DESCRIBE"
        )
    known = prefixes.keys() | {p.lower() for p in re.findall(r"(?i)\bprefix\s+([\w-]+):", bare)}
    unknown = [p for p in _PREFIXED.findall(bare) if p not in known and p.lower() not in known]
    hint = (
        f"; the prefix {unknown[0]}: is not declared (known: {', '.join(sorted(prefixes))})"
        if unknown
        else ""
    )
    return QueryError(f"malformed query: {_locate(message, sparql)}{hint}")


def _locate(message: str, sparql: str) -> str:
    """Return the line, column and words of the error in a query, and what is expected or wrong."""
    expected = find_syntax_error(sparql)
    if expected:
        before = sparql[: expected[0]]
        line, column = before.count("\n") + 1, expected[0] - before.rfind("\n")
        return (
            f"line {line}, column {column}, {_near(sparql, line, column)}: expected {expected[1]}"
        )
    found = _POSITION.search(message)
    if not found:
        return message
    line, column = int(found[1]), int(found[2])
    return f"line {line}, column {column}, {_near(sparql, line, column)}: {_reason(found[3])}"


def _reason(expected: str) -> str:
    """Return the engine's sentence about the error; its lists of expected tokens mislead."""
    listed = expected.removeprefix("expected ").removeprefix("one of ").split(", ")
    return next(
        (item for item in listed if _SENTENCE.fullmatch(item)),
        "this or something before it is wrong",
    )


def _near(sparql: str, line: int, column: int) -> str:
    """Return the words at a position in a query."""
    text = [*sparql.split("\n"), ""][line - 1]
    word = re.search(r"[\w:?$]*$", text[: column - 1])
    ended = not text[column - 1 :].strip()
    rest = "" if ended else text[word.start() if word else 0 :][:30].strip()
    return f"near {rest!r}" if rest else "at the end"


def _with_timeout(seconds: float | None, work: Callable[[], _T]) -> _T:
    """Return the result of the work; raises `QueryError` if it exceeds a time limit in seconds.

    The store cannot be interrupted, so late work continues in its thread until it or the program
    ends.
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
