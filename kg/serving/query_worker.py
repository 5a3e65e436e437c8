"""The worker process: evaluates SPARQL queries on a store, one after the other."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.exports.rdf.reading import rdf_files
from citekg.queries import prefixes_of, run_query
from citekg.queries.store import open_store
from citekg.schemas.errors import QueryError, QueryRefused
from citekg.serving.content_negotiation import RESULTS, TRIPLES, negotiate
from citekg.serving.sandbox import refuse_connections

if TYPE_CHECKING:
    import pyoxigraph as ox

    from citekg.queries.answers import Results

TEXT: Final = "text/plain; charset=utf-8"
#: Files up to this size in bytes are loaded into memory, where queries take a third of the time.
IN_MEMORY: Final = 200_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a query: run time in seconds, size of the answer, and memory in bytes."""

    seconds: float = 30
    answer_bytes: int = 100_000_000
    memory_bytes: int = 4_000_000_000


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A query, the `Accept` header of the client, and the RDF dataset of the request, if any."""

    sparql: str
    accept: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A response to the client: HTTP status, media type and body."""

    status: int
    media_type: str
    body: bytes

    @classmethod
    def error(cls, status: int, message: str) -> Reply:
        """Return a reply with an error message."""
        return cls(status, TEXT, f"{message}\n".encode())


class _TooLong(Exception):
    """The answer exceeds the size limit."""


class _NotAcceptable(Exception):
    """The client accepts none of the formats of the answer."""


class _BoundedBuffer(io.BytesIO):
    """A buffer in memory that raises `_TooLong` beyond its limit."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > self.limit:
            raise _TooLong
        return super().write(data)


def serve_queries(connection: Connection, path: Path, limits: Limits) -> None:
    """Open the store, send `None`, then answer each `QueryRequest` with a `Reply` until EOF."""
    with contextlib.suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
        in_memory = sum(file.stat().st_size for file in rdf_files(path)) <= IN_MEMORY
        store = open_store(path, keep=not in_memory)
        _warm_up(store, limits)
        _drop_privileges(memory_bytes=limits.memory_bytes, files=not in_memory)
        connection.send(None)
        while True:
            connection.send(answer_query(store, connection.recv(), limits))


def answer_query(store: ox.Store, request: QueryRequest, limits: Limits) -> Reply:
    """Return the answer to a query, or an error."""
    buffer = _BoundedBuffer(limits.answer_bytes)
    try:
        media_type = run_query(
            store,
            request.sparql,
            lambda results: _serialise(results, request.accept, buffer, store),
            dict(_dataset(request)),
        )
    except _NotAcceptable as error:
        return Reply.error(HTTPStatus.NOT_ACCEPTABLE, f"the answer is available as one of: {error}")
    except _TooLong:
        message = (
            f"the answer has more than {limits.answer_bytes} bytes:"
            " narrow the query, or set a LIMIT"
        )
        return Reply.error(HTTPStatus.INTERNAL_SERVER_ERROR, message)
    except QueryRefused as error:
        return Reply.error(HTTPStatus.FORBIDDEN, str(error))
    except QueryError as error:
        return Reply.error(HTTPStatus.BAD_REQUEST, str(error))
    except ValueError as error:
        return Reply.error(HTTPStatus.BAD_REQUEST, f"a graph in the request is not an IRI: {error}")
    return Reply(HTTPStatus.OK, media_type, buffer.getvalue())


def _serialise(results: Results, accept: str, buffer: io.BytesIO, store: ox.Store) -> str:
    """Write the results in the negotiated format and return its media type."""
    import pyoxigraph as ox

    offered = TRIPLES if isinstance(results, ox.QueryTriples) else RESULTS
    media_type = negotiate(accept, offered)
    if media_type is None:
        raise _NotAcceptable(", ".join(offered))
    if isinstance(results, ox.QueryTriples):
        form = getattr(ox.RdfFormat, offered[media_type])
        ox.serialize(results, buffer, form, prefixes=prefixes_of(store))
    else:
        results.serialize(buffer, getattr(ox.QueryResultsFormat, offered[media_type]))
    return media_type


def _dataset(request: QueryRequest) -> Iterator[tuple[str, Any]]:
    import pyoxigraph as ox

    for name in ("default_graphs", "named_graphs"):
        if graphs := getattr(request, name):
            yield (
                name.replace("default_graphs", "default_graph"),
                [ox.NamedNode(graph) for graph in graphs],
            )


def _warm_up(store: ox.Store, limits: Limits) -> None:
    """Run a query of every kind, so that all modules are loaded before file access is forbidden."""
    for sparql in (
        "ASK {}",
        "SELECT ?s {} LIMIT 1",
        "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1",
        "DROP ALL",
        "x:",
    ):
        answer_query(store, QueryRequest(sparql, "*/*"), limits)


def _drop_privileges(*, memory_bytes: int, files: bool) -> None:
    """Limit the memory of this process, and forbid new connections and, unless `files`, new files.

    So a query cannot reach another host even if `citekg.queries.safety` has a defect. A store on
    disk opens files while it runs, so it needs `files`. Has no effect on systems without support.
    """
    refuse_connections()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        if not files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
