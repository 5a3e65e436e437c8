"""Loading a graph file into any SPARQL 1.1 server, in batches, and counting what has arrived.

A small file beside the graph tells how far it came, so that a run that was stopped goes on. Adding a
triple twice changes nothing, so a batch may safely be sent again. Needs requests
(`pip install 'citekg[publish]'`); only `citekg.publishing.servers` imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.exports import ExportOptions
from citekg.exports.rdf.reading import RDF_FORMATS, parsed
from citekg.exports.rdf.serializers import ntriples
from citekg.publishing.progress import Progress
from citekg.schemas.errors import PublishError
from citekg.storage.graph_files import graph_format, load_graph

if TYPE_CHECKING:
    from citekg.publishing.servers import Server

#: How many triples are sent at a time, by protocol: what servers are known to take.
BATCHES: Final = {"graph-store": 50_000, "update": 1_000}

OnProgress = Callable[[int, int], None]


def publish(
    path: Path, server: Server, *, size: int = 0, replace: bool = False, on_progress: OnProgress | None = None
) -> int:
    """Load a graph file into a graph of a server; returns how many triples are there, all counted.

    `size` is how many triples are sent at a time, 0 for what suits the protocol. A graph that holds
    something already is refused, unless an earlier run left it so or `replace` lets it be cleared.
    `on_progress` hears how many triples of how many were sent. Raises `PublishError` and `GraphError`.
    """
    lines = lines_of(path)
    progress = Progress(path, server.place, lines)
    size = size or BATCHES[server.place.via]
    start = _start(server, progress, replace=replace)
    for begin in range(start, len(lines), size):
        sent = min(begin + size, len(lines))
        server.add("".join(lines[begin:sent]))
        progress.note(sent)
        if on_progress:
            on_progress(sent, len(lines))
    _verify(server, progress, len(lines))
    return len(lines)


def lines_of(path: Path) -> list[str]:
    """The triples of a graph file as lines of N-Triples, each once, in the order of the file."""
    name = graph_format(path)
    if name in RDF_FORMATS:
        return list(dict.fromkeys(f"{triple} .\n" for triple in parsed(path, name)))
    text = b"".join(ntriples(load_graph(path), ExportOptions())).decode()
    return [f"{line}\n" for line in text.split("\n")[:-1]]


def _start(server: Server, progress: Progress, *, replace: bool) -> int:
    """How many triples an earlier run has stored; clears the graph where it may and has to."""
    stored, sent = server.count(), progress.sent()
    if sent is not None:
        return sent if sent <= stored else 0
    if stored and not replace:
        raise PublishError(f"{server.place.graph_name} holds {stored} triples already: clear it with --replace")
    if stored:
        server.clear()
    return 0


def _verify(server: Server, progress: Progress, expected: int) -> None:
    """Raises `PublishError` where there are fewer or more triples than were sent."""
    progress.forget()
    stored = server.count()
    if stored != expected:
        raise PublishError(
            f"{server.place.graph_name} holds {stored} triples, though {expected} were sent and accepted:"
            " it is not what the file holds; begin anew with --replace"
        )
