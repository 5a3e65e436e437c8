"""`kg publish`: load a graph file into a SPARQL server."""

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
@click.option(
    "--endpoint",
    required=True,
    metavar="URL",
    help="The URL of the Graph Store Protocol or SPARQL Update endpoint.",
)
@click.option(
    "--via",
    type=click.Choice(["graph-store", "update"]),
    help="The protocol of the endpoint, if its URL does not show it.",
)
@click.option(
    "--query",
    metavar="URL",
    help="The query endpoint. Default: derived from the endpoint.",
)
@click.option(
    "--graph",
    "into",
    default=f"{BASE_IRI}graph",
    show_default=True,
    metavar="IRI",
    help=f"The named graph to load into, or {_DEFAULT!r}.",
)
@click.option("--user", metavar="NAME", help="The account for digest or basic authentication.")
@click.option(
    "--password", envvar="KG_PASSWORD", show_envvar=True, help="The password. Default: a prompt."
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    metavar="TRIPLES",
    help="The number of triples in one request.",
)
@click.option("--replace", is_flag=True, help="Clear the target graph first.")
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
    """Load a graph file into a SPARQL server, and count the triples there.

    The command sends batches by the SPARQL 1.1 Graph Store HTTP Protocol or SPARQL Update. Run the
    same command to resume an interrupted upload. It needs one more package: pip install
    'citekg[publish]'.

    \b
    Example:
      kg publish out/graph.ttl --endpoint http://localhost:7878/store
      kg publish out/graph.ttl --endpoint http://localhost:8890/sparql-graph-crud-auth --user dba
    """
    if not find_spec("requests"):
        raise click.ClickException(
            "kg publish needs one more package: pip install 'citekg[publish]'"
        )
    from citekg.publishing import publish as upload
    from citekg.publishing.servers import Account, Server, resolve_place

    there = resolve_place(endpoint, "" if into == _DEFAULT else into, query=query, via=via)
    if user and password is None:
        password = click.prompt(f"Password of {user}", hide_input=True, err=True)
    server = Server(there, Account(user, password or "") if user else None)
    with progress("Sending triples") as on_progress:
        count = upload(graph, server, size=batch or 0, replace=replace, on_progress=on_progress)
    if as_json:
        echo_json({"triples": count, "graph": into, "counted at": there.query})
    else:
        click.echo(f"{count} triples in {there.graph_name}, counted at {there.query}")
