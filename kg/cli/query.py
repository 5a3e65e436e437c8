"""`kg query`: run a SPARQL query on a graph file."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from citekg.cli.graph_arguments import GraphFile
from citekg.cli.options import ALL, CONFIDENCE, any_file, echo_json
from citekg.cli.printing import FULL, Output
from citekg.queries.answers import OUTPUTS
from citekg.schemas.errors import InputError
from citekg.schemas.files import read_text_or_raise
from citekg.schemas.vocabulary import MIN_CONFIDENCE


def _parse_values(
    _ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]
) -> dict[str, str]:
    """Return the values of `--set` by name; raises `BadParameter` for one without a name or =."""
    for text in given:
        if "=" not in text.lstrip("="):
            raise click.BadParameter(f"{text!r}: write NAME=VALUE, such as type=Benchmark")
    return dict(text.split("=", 1) for text in given)


def _complete_query(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the named queries with this prefix, or else files."""
    from citekg.queries.library import library

    names = [f"@{known.name}" for known in library() if f"@{known.name}".startswith(incomplete)]
    return [*map(CompletionItem, names)] or any_file(ctx, param, incomplete)


@click.command()
@click.argument("graph", type=GraphFile(triples=True), required=False)
@click.argument(
    "sparql", metavar="SPARQL_OR_FILE_OR_@NAME", required=False, shell_complete=_complete_query
)
@click.option(
    "--format",
    "output",
    type=click.Choice(list(OUTPUTS)),
    default="table",
    show_default=True,
    help="The format of the result; ttl is for CONSTRUCT and DESCRIBE.",
)
@FULL
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option(
    "--set",
    "values",
    multiple=True,
    callback=_parse_values,
    metavar="NAME=VALUE",
    help="Set a parameter of the named query; can be repeated.",
)
@CONFIDENCE
@ALL
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop the query after this time.",
)
@click.option("--list", "listed", is_flag=True, help="List the named queries; needs no graph.")
def query(
    graph: Path | None,
    sparql: str | None,
    output: str,
    full: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
    values: dict[str, str],
    min_confidence: float | None,
    tentative: bool,  # noqa: FBT001
    timeout: float | None,
    listed: bool,  # noqa: FBT001
) -> None:
    """Run a SPARQL query on a graph file; the usual prefixes are declared.

    The query is SPARQL text, a file that ends in .rq or .sparql, or the @NAME of a named query. A
    named query excludes tentative claims, unless --all is given; other queries include them.
    --min-confidence is short for --set min_confidence=..., for the named queries that have this
    parameter. The command caches the store of a large file in a hidden folder next to the file, so
    that the next query starts at once.

    \b
    Example:
      kg query out/graph.ttl "SELECT ?name { ?p ckg:introduces ?e . ?e skos:prefLabel ?name }"
      kg query out/graph.ttl @top-methods --set type=Benchmark
    """
    from citekg.queries import query as run
    from citekg.queries.library import as_values, listing

    as_json = as_json or output == "json"
    if listed:
        echo_json(as_values()) if as_json else click.echo(listing())
        return
    if graph is None or sparql is None:
        raise click.UsageError("give a GRAPH and a query, or --list")
    if min_confidence is not None:
        values["min_confidence"] = str(min_confidence)
        tentative = tentative or min_confidence < MIN_CONFIDENCE
    text = (
        read_text_or_raise(Path(sparql), InputError)
        if sparql.endswith((".rq", ".sparql"))
        else sparql
    )
    answer = run(graph, text, values=values, seconds=timeout, tentative=tentative)
    if output == "table" and not as_json and answer.variables and not answer.triples:
        Output(full=full).echo(answer.table())
    else:
        click.echo(answer.render("json" if as_json else output), nl=False)
    for hint in answer.hints:
        click.echo(f"warning: {hint}", err=True)
