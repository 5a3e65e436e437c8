"""`kg serve`: serve the viewer and a SPARQL endpoint on this machine."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citekg.cli.extraction_options import INPUT_FORMAT, LAYERS
from citekg.cli.listening import LOOPBACK, listen, port_option, require_server, run_server
from citekg.cli.options import (
    LEXICONS,
    MODEL,
    RDF_GRAPH,
    SCHEMA,
    WEIGHTS,
    author_name,
    read_schema,
)
from citekg.extractors.models import FAST

if TYPE_CHECKING:
    from citekg.serving.editing import EditableGraph

_EXPOSED = """\
warning: {host} can be reached from other machines. Everyone who reaches it can read the whole graph
and run any query: there is no password and no encryption. Put a web server that has both in front
of it."""


@dataclass(frozen=True)
class EditOptions:
    """The options of `--edit`: how to build the graph again, and where its decisions are."""

    edit: bool
    inputs: tuple[str, ...]
    decisions: Path
    cache: str | None
    author: str | None
    input_format: str | None
    layers: frozenset[str] | None
    lexicons: tuple[Path, ...]
    schema: Path | None
    weights: Path | None
    model: str

    def check(self, host: str, origin: str) -> None:
        """Refuse combinations of options that are unsafe or have no effect; raises `UsageError`."""
        rest = (self.inputs, self.cache, self.author, self.input_format, self.layers)
        if not self.edit:
            if any((*rest, self.lexicons, self.schema, self.weights, self.model != FAST)):
                raise click.UsageError("the options of a build need --edit")
            return
        if host not in LOOPBACK:
            raise click.UsageError(f"--edit only works on this machine: --host {host} is not")
        if origin:
            raise click.UsageError("--edit does not allow --origin: only its own page may edit")
        if not self.inputs:
            raise click.UsageError(
                "--edit needs the inputs of the build, because the graph does not contain their "
                "paths: give each with --input"
            )


@click.command()
@RDF_GRAPH
@click.option("--host", default=LOOPBACK[0], show_default=True, help="The address to listen on.")
@port_option(8000)
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
@click.option(
    "--edit",
    is_flag=True,
    help="Let the page write corrections to the file of decisions, and rebuild the graph file "
    "after each. Needs --input; works on this machine only.",
)
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="INPUT",
    help="With --edit: an input of the build, as in kg build; can be repeated.",
)
@click.option(
    "--decisions",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("decisions.yaml"),
    show_default=True,
    help="With --edit: the file of decisions to read and to add to.",
)
@click.option(
    "--cache",
    metavar="FOLDER",
    help="With --edit: the folder or URL that caches extractions. Default: the folder readings "
    "next to GRAPH, where kg build writes it.",
)
@click.option("--author", help="With --edit: the name of the curator. Default: your login name.")
@INPUT_FORMAT
@LAYERS
@LEXICONS
@SCHEMA
@WEIGHTS
@MODEL
def serve(
    graph: Path,
    host: str,
    port: int,
    timeout: float,
    megabytes: float,
    queries: int,
    origin: str,
    **editing: Any,
) -> None:
    """Serve the viewer and a SPARQL endpoint of a graph file on this machine.

    The endpoint follows the SPARQL 1.1 Protocol and is read-only; in a browser it shows a query
    editor. With --edit, corrections in the page are written to a file of decisions, and the graph
    file is rebuilt. The command needs two more packages: pip install 'citekg[serve]'.

    \b
    Example:
      kg serve out/graph.ttl
      kg serve out/graph.ttl --edit --input papers.jsonl --decisions decisions.yaml
    """
    options = EditOptions(**editing)
    options.check(host, origin)
    require_server("kg serve")
    from citekg.serving.application import application
    from citekg.serving.query_worker import Limits

    hosts = LOOPBACK if host in LOOPBACK else ("*",)
    limits = Limits(timeout, int(megabytes * 1_000_000))
    edited = _editable(graph, options) if options.edit else None
    token = secrets.token_urlsafe(24) if edited else ""
    served = application(
        graph, limits, workers=queries, hosts=hosts, origin=origin, edited=edited, token=token
    )
    listening, address = listen(host, port)
    if host not in LOOPBACK:
        click.echo(_EXPOSED.format(host=host), err=True)
    secret = f"?token={token}" if token else ""
    click.echo(f"Viewer   {address}/{secret}\nQueries  {address}/sparql\nStop with Ctrl+C.")
    run_server(served, listening)


def _editable(graph: Path, options: EditOptions) -> EditableGraph:
    """Return the graph with all inputs of a rebuild; print warnings and the files that change."""
    from citekg.building.pipeline import make_pipeline, read_papers
    from citekg.cli.problems import report_problems
    from citekg.serving.editing import EditableGraph

    domain = read_schema(options.schema)
    papers, problems = read_papers(options.inputs, options.input_format)
    report_problems(problems, strict=False)
    pipeline = make_pipeline(
        options.layers, options.lexicons, domain, options.weights, options.model
    )
    author = author_name(options.author)
    cache = options.cache or graph.parent / "readings"
    edited = EditableGraph(graph, options.decisions, papers, pipeline, cache, author)
    for warning in edited.check():
        click.echo(f"warning: {warning}", err=True)
    click.echo(
        f"Corrections by {author} go to {options.decisions}, and {graph} is rebuilt after each; "
        "for its other formats run kg build --decisions.",
        err=True,
    )
    return edited
