"""Load a graph file into a SPARQL 1.1 server in batches, and verify the number of triples.

A progress file next to the graph file lets an interrupted run resume. Adding a triple is
idempotent, so a batch can be sent again. Needs requests (`pip install 'citekg[publish]'`); only
`citekg.publishing.servers` imports it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.exports.rdf.reading import RDF_FORMATS, parse_triples
from citekg.exports.rdf.serializers import ntriples
from citekg.publishing.progress import Progress
from citekg.schemas.errors import PublishError
from citekg.schemas.plugins import ExportOptions
from citekg.storage.graph_files import graph_format, load_graph

if TYPE_CHECKING:
    from citekg.publishing.servers import Server

#: The default number of triples per batch, by protocol: sizes that servers are known to accept.
BATCHES: Final = {"graph-store": 50_000, "update": 1_000}

OnProgress = Callable[[int, int], None]


def publish(
    path: Path,
    server: Server,
    *,
    size: int = 0,
    replace: bool = False,
    on_progress: OnProgress | None = None,
) -> int:
    """Load a graph file into a named graph of a server; return its verified number of triples.

    `size` is the number of triples per batch, 0 for the default of the protocol. A graph that is
    not empty is refused, unless an interrupted run left it so or `replace` allows clearing it.
    `on_progress` is called with the number of triples sent and the total. Raises `PublishError` and
    `GraphError`.
    """
    lines = ntriples_lines(path)
    progress = Progress(path, server.place, lines)
    size = size or BATCHES[server.place.via]
    start = _start(server, progress, replace=replace)
    for begin in range(start, len(lines), size):
        sent = min(begin + size, len(lines))
        server.add("".join(lines[begin:sent]))
        progress.save(sent)
        if on_progress:
            on_progress(sent, len(lines))
    _verify(server, progress, len(lines))
    return len(lines)


def ntriples_lines(path: Path) -> list[str]:
    """Return the distinct triples of a graph file as lines of N-Triples, in file order."""
    name = graph_format(path)
    if name in RDF_FORMATS:
        return list(dict.fromkeys(f"{triple} .\n" for triple in parse_triples(path, name)))
    text = b"".join(ntriples(load_graph(path), ExportOptions())).decode()
    return [f"{line}\n" for line in text.split("\n")[:-1]]


def _start(server: Server, progress: Progress, *, replace: bool) -> int:
    """Return the number of triples that an earlier run has sent; clear the graph if needed."""
    stored, sent = server.count(), progress.sent()
    if sent is not None:
        return sent if sent <= stored else 0
    if stored and not replace:
        raise PublishError(
            f"{server.place.graph_name} already holds {stored} triples: clear it with --replace"
        )
    if stored:
        server.clear()
    return 0


def _verify(server: Server, progress: Progress, expected: int) -> None:
    """Raise `PublishError` if the graph holds fewer or more triples than were sent."""
    progress.delete()
    stored = server.count()
    if stored != expected:
        raise PublishError(
            f"{server.place.graph_name} holds {stored} triples, though {expected} were sent and"
            " accepted: it does not match the file; start again with --replace"
        )
