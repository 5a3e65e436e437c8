"""The process that answers questions from a store, one after the other."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.exports.rdf.reading import files_of
from citekg.queries import answered, prefixes_of
from citekg.queries.store import open_store
from citekg.schemas.errors import QueryError, QueryRefused
from citekg.serving.content_negotiation import RESULTS, TRIPLES, negotiate
from citekg.serving.sandbox import refuse_connections

if TYPE_CHECKING:
    import pyoxigraph as ox
    from citekg.queries.answers import Results

TEXT: Final = "text/plain; charset=utf-8"
#: Files up to this size, in bytes, are held in memory, where queries take a third of the time.
IN_MEMORY: Final = 200_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query may take: seconds, bytes of its answer, and bytes of memory."""

    seconds: float = 30
    answer_bytes: int = 100_000_000
    memory_bytes: int = 4_000_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """A query with the media types that the client accepts, and the data set it names, if any."""

    sparql: str
    accept: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What the client is given: an HTTP status, a media type and bytes of it."""

    status: int
    media_type: str
    body: bytes

    @classmethod
    def fault(cls, status: int, message: str) -> Reply:
        """A reply that says in a line why there is no answer."""
        return cls(status, TEXT, f"{message}\n".encode())


class _TooLong(Exception):
    """An answer has more bytes than are allowed."""


class _NotAcceptable(Exception):
    """None of the forms of an answer is one that the client accepts."""


class _Bounded(io.BytesIO):
    """Bytes in memory, of which there may be only so many."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > self.most:
            raise _TooLong
        return super().write(data)


def answer_all(connection: Connection, path: Path, limits: Limits) -> None:
    """Say that the store is open, then answer each `Question` with a `Reply` until nobody asks more."""
    with contextlib.suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
        in_memory = sum(file.stat().st_size for file in files_of(path)) <= IN_MEMORY
        store = open_store(path, keep=not in_memory)
        _warm(store, limits)
        _limit(memory_bytes=limits.memory_bytes, files=not in_memory)
        connection.send(None)
        while True:
            connection.send(reply(store, connection.recv(), limits))


def reply(store: ox.Store, question: Question, limits: Limits) -> Reply:
    """The answer to a question, or why there is none."""
    buffer = _Bounded(limits.answer_bytes)
    try:
        media_type = answered(
            store,
            question.sparql,
            lambda results: _serialised(results, question.accept, buffer, store),
            dict(_dataset(question)),
        )
    except _NotAcceptable as error:
        return Reply.fault(HTTPStatus.NOT_ACCEPTABLE, f"the answer comes as one of: {error}")
    except _TooLong:
        message = f"the answer has more than {limits.answer_bytes} bytes: narrow the query, or set a LIMIT"
        return Reply.fault(HTTPStatus.INTERNAL_SERVER_ERROR, message)
    except QueryRefused as error:
        return Reply.fault(HTTPStatus.FORBIDDEN, str(error))
    except QueryError as error:
        return Reply.fault(HTTPStatus.BAD_REQUEST, str(error))
    except ValueError as error:
        return Reply.fault(HTTPStatus.BAD_REQUEST, f"a graph in the request is no IRI: {error}")
    return Reply(HTTPStatus.OK, media_type, buffer.getvalue())


def _serialised(results: Results, accept: str, buffer: io.BytesIO, store: ox.Store) -> str:
    """Write the results in the form that is accepted most; returns its media type."""
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


def _dataset(question: Question) -> Iterator[tuple[str, Any]]:
    import pyoxigraph as ox

    for name in ("default_graphs", "named_graphs"):
        if graphs := getattr(question, name):
            yield name.replace("default_graphs", "default_graph"), [ox.NamedNode(graph) for graph in graphs]


def _warm(store: ox.Store, limits: Limits) -> None:
    """Answer a few questions unasked, so that every module is loaded before no file can be opened any more."""
    for sparql in ("ASK {}", "SELECT ?s {} LIMIT 1", "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1", "DROP ALL", "x:"):
        reply(store, Question(sparql, "*/*"), limits)


def _limit(*, memory_bytes: int, files: bool) -> None:
    """Let this process end where it would take more memory, and open no file and no connection any more.

    So not even a fault in `citekg.queries.safety` lets a query reach another machine. A store on disk opens its files
    as it goes, and keeps that right, but not that to connections. Only where the system can do that.
    """
    refuse_connections()
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        if not files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
