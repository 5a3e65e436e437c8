"""`kg query` and `kg validate`: questions to a graph file, and whether it is right."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
from citekg.cli.exit_codes import INVALID
from citekg.cli.graph_arguments import GraphFile
from citekg.cli.options import JSON, MIN_CONFIDENCE, RDF_GRAPH, any_file, echo_json
from citekg.cli.printing import FULL, Output
from citekg.queries.answers import OUTPUTS
from citekg.schemas.errors import InputError
from citekg.schemas.files import read_text_or
from click.shell_completion import CompletionItem


def _values(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    for text in given:
        if "=" not in text.lstrip("="):
            raise click.BadParameter(f"{text!r}: write NAME=VALUE, such as type=Benchmark")
    return dict(text.split("=", 1) for text in given)


def _names(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The names of the named queries that begin so, or else files."""
    from citekg.queries.library import library

    names = [f"@{known.name}" for known in library() if f"@{known.name}".startswith(begun)]
    return [*map(CompletionItem, names)] or any_file(ctx, param, begun)


@click.command()
@click.argument("graph", type=GraphFile(triples=True), required=False)
@click.argument("sparql", metavar="SPARQL_OR_FILE_OR_@NAME", required=False, shell_complete=_names)
@click.option(
    "--format",
    "output",
    type=click.Choice(list(OUTPUTS)),
    default="table",
    show_default=True,
    help="How the answer is printed; ttl is for CONSTRUCT and DESCRIBE.",
)
@FULL
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option("--set", "values", multiple=True, callback=_values, metavar="NAME=VALUE", help="Set a value of @NAME.")
@MIN_CONFIDENCE
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Give up after that.")
@click.option("--list", "listed", is_flag=True, help="List the named queries, of no graph.")
def query(
    graph: Path | None,
    sparql: str | None,
    output: str,
    full: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
    values: dict[str, str],
    min_confidence: float,
    timeout: float | None,
    listed: bool,  # noqa: FBT001
) -> None:
    """Ask a SPARQL question of a graph file; the usual prefixes are declared.

    The question is SPARQL, a file that ends in .rq or .sparql, or the @NAME of a query that comes with
    kg; --min-confidence is short for --set min_confidence=..., for queries that have it. The store of a
    big file is kept in a hidden folder beside it, so that the next answer comes at once.

    \b
    Example:
      kg query out/graph.ttl "SELECT ?name { ?p ckg:introduces ?e . ?e skos:prefLabel ?name }"
      kg query out/graph.ttl @top-methods --set type=Benchmark
    """
    from citekg.queries import query as ask
    from citekg.queries.library import as_values, listing

    as_json = as_json or output == "json"
    if listed:
        echo_json(as_values()) if as_json else click.echo(listing())
        return
    if graph is None or sparql is None:
        raise click.UsageError("give a GRAPH and a question, or --list")
    if min_confidence:
        values["min_confidence"] = str(min_confidence)
    asked = read_text_or(Path(sparql), InputError) if sparql.endswith((".rq", ".sparql")) else sparql
    answer = ask(graph, asked, values=values, seconds=timeout)
    if output == "table" and not as_json and answer.variables and not answer.triples:
        Output(full=full).echo(answer.table())
    else:
        click.echo(answer.render("json" if as_json else output), nl=False)
    for hint in answer.hints:
        click.echo(f"warning: {hint}", err=True)


@click.command()
@RDF_GRAPH
@JSON
def validate(graph: Path, as_json: bool) -> None:  # noqa: FBT001
    """Say what is wrong with a graph file.

    Its shapes (SHACL), its IRIs, the offsets of its mentions, and the claims and links that must follow
    from one another. The exit code is 5 where something is wrong.

    \b
    Example:
      kg validate out/graph.ttl
    """
    from citekg.validation.validate import report
    from citekg.validation.validate import validate as violations_of

    violations = violations_of(graph)
    if as_json:
        echo_json({"file": str(graph), "valid": not violations, "violations": [asdict(v) for v in violations]})
    else:
        click.echo(report(violations, graph))
    if violations:
        sys.exit(INVALID)
