"""`kg serve`: the viewer and a SPARQL endpoint on this machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import click
from citekg.cli.options import RDF_GRAPH

_LOOPBACK = ("127.0.0.1", "localhost")
#: How many clients may be connected at a time; more are told to come again.
_CONNECTIONS = 100
_OPEN = """\
warning: {host} is not this machine alone. Whoever reaches it can read the whole graph and ask any query;
there is no password and no encryption. Put a web server that has both before it."""


@click.command()
@RDF_GRAPH
@click.option("--host", default=_LOOPBACK[0], show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 takes a free one."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="How long a query may take.",
)
@click.option(
    "--max-answer",
    "megabytes",
    type=click.FloatRange(min=0, min_open=True),
    default=100,
    show_default=True,
    metavar="MEGABYTES",
    help="How long an answer may be.",
)
@click.option(
    "--queries", type=click.IntRange(min=1), default=2, show_default=True, help="How many queries may run at a time."
)
@click.option("--origin", default="", help="The web site whose pages may ask, or * for all. Default: none but its own.")
def serve(graph: Path, host: str, port: int, timeout: float, megabytes: float, queries: int, origin: str) -> None:
    """Serve the viewer and a SPARQL endpoint of a graph file on this machine.

    The endpoint speaks the SPARQL 1.1 Protocol and only reads; opened in a browser it is a page to write
    queries on. Needs two more packages: pip install 'citekg[serve]'.

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
    served = application(graph, limits, answerers=queries, hosts=hosts, origin=origin)
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        raise click.ClickException(
            f"{host}:{port} cannot be listened on: {error.strerror}; choose another --port"
        ) from error
    address = f"http://{host}:{listening.getsockname()[1]}"
    if host not in _LOOPBACK:
        click.echo(_OPEN.format(host=host), err=True)
    click.echo(f"Viewer   {address}/\nQueries  {address}/sparql\nStop with Ctrl+C.")
    with suppress(KeyboardInterrupt):
        config = uvicorn.Config(
            served,
            http=SlowClientProtocol,
            ws="none",
            limit_concurrency=_CONNECTIONS,
            log_config=None,
            log_level="error",
            server_header=False,
        )
        uvicorn.Server(config).run(sockets=[listening])
