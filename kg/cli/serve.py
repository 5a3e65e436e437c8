"""`kg serve`: serve the viewer and a SPARQL endpoint on this machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import click

from citekg.cli.options import RDF_GRAPH

_LOOPBACK = ("127.0.0.1", "localhost")
#: The number of concurrent connections; the server answers further ones with 503.
_MAX_CONNECTIONS = 100
_EXPOSED = """\
warning: {host} can be reached from other machines. Everyone who reaches it can read the whole graph
and run any query: there is no password and no encryption. Put a web server that has both in front
of it."""


@click.command()
@RDF_GRAPH
@click.option("--host", default=_LOOPBACK[0], show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port; 0 chooses a free one.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="The time limit of a query.",
)
@click.option(
    "--max-answer",
    "megabytes",
    type=click.FloatRange(min=0, min_open=True),
    default=100,
    show_default=True,
    metavar="MEGABYTES",
    help="The size limit of a result.",
)
@click.option(
    "--queries",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="The number of queries that run at the same time.",
)
@click.option(
    "--origin",
    default="",
    help="The web origin whose pages may send queries (CORS), or * for all. Default: only its own "
    "pages.",
)
def serve(
    graph: Path, host: str, port: int, timeout: float, megabytes: float, queries: int, origin: str
) -> None:
    """Serve the viewer and a SPARQL endpoint of a graph file on this machine.

    The endpoint follows the SPARQL 1.1 Protocol and is read-only; in a browser it shows a query
    editor. The command needs two more packages: pip install 'citekg[serve]'.

    \b
    Example:
      kg serve out/graph.ttl
    """
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise click.ClickException("kg serve needs two more packages: pip install 'citekg[serve]'")
    import uvicorn

    from citekg.serving.application import application
    from citekg.serving.query_worker import Limits
    from citekg.serving.slow_clients import SlowClientProtocol

    hosts = _LOOPBACK if host in _LOOPBACK else ("*",)
    limits = Limits(timeout, int(megabytes * 1_000_000))
    served = application(graph, limits, workers=queries, hosts=hosts, origin=origin)
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        raise click.ClickException(
            f"{host}:{port} cannot listen here: {error.strerror}; choose another --port"
        ) from error
    address = f"http://{host}:{listening.getsockname()[1]}"
    if host not in _LOOPBACK:
        click.echo(_EXPOSED.format(host=host), err=True)
    click.echo(f"Viewer   {address}/\nQueries  {address}/sparql\nStop with Ctrl+C.")
    with suppress(KeyboardInterrupt):
        config = uvicorn.Config(
            served,
            http=SlowClientProtocol,
            ws="none",
            limit_concurrency=_MAX_CONNECTIONS,
            log_config=None,
            log_level="error",
            server_header=False,
        )
        uvicorn.Server(config).run(sockets=[listening])
