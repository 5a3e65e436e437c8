"""`kg publish`: a graph file into a SPARQL server."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from citekg.cli.options import JSON, RDF_GRAPH, echo_json, progress
from citekg.schemas.vocabulary import BASE_IRI

if TYPE_CHECKING:
    from citekg.publishing.servers import Via

_DEFAULT: Final = "default"


@click.command()
@RDF_GRAPH
@click.option("--endpoint", required=True, metavar="URL", help="Where the server takes a graph or an update.")
@click.option(
    "--via", type=click.Choice(["graph-store", "update"]), help="The protocol there, if its address does not tell."
)
@click.option("--query", metavar="URL", help="Where the server answers queries, if not beside it under the usual name.")
@click.option(
    "--graph",
    "into",
    default=f"{BASE_IRI}graph",
    show_default=True,
    metavar="IRI",
    help=f"The graph to load into, or {_DEFAULT!r}.",
)
@click.option("--user", metavar="NAME", help="The account, for digest or basic authentication.")
@click.option("--password", envvar="KG_PASSWORD", show_envvar=True, help="Its password. Default: asked for.")
@click.option("--batch", type=click.IntRange(min=1), metavar="TRIPLES", help="How many triples are sent at a time.")
@click.option("--replace", is_flag=True, help="Clear the graph first.")
@JSON
def publish(
    graph: Path,
    endpoint: str,
    via: Via | None,
    query: str | None,
    into: str,
    user: str | None,
    password: str | None,
    batch: int | None,
    replace: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Load a graph file into a SPARQL server, and count there what has arrived.

    By the Graph Store Protocol or SPARQL Update, in batches. Stopped half way, the same command goes on
    where it was. Needs one more package: pip install 'citekg[publish]'.

    \b
    Example:
      kg publish out/graph.ttl --endpoint http://localhost:7878/store
      kg publish out/graph.ttl --endpoint http://localhost:8890/sparql-graph-crud-auth --user dba
    """
    if not find_spec("requests"):
        raise click.ClickException("kg publish needs one more package: pip install 'citekg[publish]'")
    from citekg.publishing import publish as load
    from citekg.publishing.servers import Account, Server, place

    there = place(endpoint, "" if into == _DEFAULT else into, query=query, via=via)
    if user and password is None:
        password = click.prompt(f"Password of {user}", hide_input=True, err=True)
    server = Server(there, Account(user, password or "") if user else None)
    with progress("Sending triples") as on_progress:
        count = load(graph, server, size=batch or 0, replace=replace, on_progress=on_progress)
    if as_json:
        echo_json({"triples": count, "graph": into, "counted at": there.query})
    else:
        click.echo(f"{count} triples in {there.graph_name}, counted at {there.query}")
