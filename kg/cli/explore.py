"""The commands that walk through a graph: `kg show`, `kg path`, `kg influence`, `kg co-use`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from citekg.cli.graph_arguments import entity_names
from citekg.cli.options import GRAPH as _GRAPH
from citekg.cli.options import JSON as _JSON
from citekg.cli.options import MIN_CONFIDENCE as _MIN_CONFIDENCE
from citekg.cli.options import echo_json as _echo_json
from citekg.cli.options import loaded as _load
from citekg.cli.printing import Output, table_options
from citekg.schemas.vocabulary import BENCHMARK, METHOD, TYPES

if TYPE_CHECKING:
    from citekg.graph.graph import Graph
    from citekg.graph.influence import Influence

_Command = TypeVar("_Command", bound=Callable[..., Any])


_TYPES = ", ".join(TYPES)


def _count(most: int, about: str) -> Callable[[_Command], _Command]:
    return click.option("-n", "count", type=click.IntRange(min=1), default=most, show_default=True, help=about)


def _check_types(graph: Graph, *names: str | None) -> None:
    """Refuse a type that the graph does not have."""
    known = graph.vocabulary.types
    if unknown := [name for name in names if name and name not in known]:
        raise click.UsageError(f"{unknown[0]!r} is no type of this graph: choose one of {', '.join(known)}")


@click.command()
@_GRAPH
@click.argument("name", shell_complete=entity_names)
@_count(5, "How many entries of each role.")
@_MIN_CONFIDENCE
@_JSON
def show(graph: Path, name: str, count: int, min_confidence: float, as_json: bool) -> None:  # noqa: FBT001
    """Print all about one entity or paper.

    NAME is the name, an alias or the id of an entity, or else the id, arXiv id, DOI or title of a paper. Of
    an entity: what it is, who introduced it, and who uses it how; of a paper: what it introduces, uses and
    cites. Every claim comes with a sentence as evidence; with --json all claims and sentences are given.

    \b
    Example:
      kg show out/graph.ttl "GRPO"
      kg show out/graph.ttl arXiv:2402.03300
    """
    from citekg.graph import entity_report

    loaded = _load(graph)
    if as_json:
        _echo_json(entity_report.as_values(loaded, name, min_confidence))
    else:
        click.echo(entity_report.as_text(loaded, name, count, min_confidence))


@click.command()
@_GRAPH
@click.argument("one", shell_complete=entity_names)
@click.argument("other", shell_complete=entity_names)
@_count(1, "How many paths, the shortest first.")
@_MIN_CONFIDENCE
@_JSON
def path(
    graph: Path,
    one: str,
    other: str,
    count: int,
    min_confidence: float,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print the shortest path between two entities or papers, step by step, with the sentences.

    ONE and OTHER are names as for kg show.

    \b
    Example:
      kg path out/graph.ttl "PPO" "D4RL"
      kg path out/graph.ttl "PPO" 2402.03300
    """
    from citekg.graph import paths

    found = paths.paths(_load(graph), one, other, count, min_confidence)
    if as_json:
        _echo_json(paths.as_values(found))
    else:
        click.echo(paths.as_text(found))


@click.command()
@_GRAPH
@click.option("--papers", is_flag=True, help="Rank papers, in place of what they introduced.")
@click.option("--type", "type_", help=f"Rank only things of this type: {_TYPES}, or one of the graph's schema.")
@_count(20, "How many of them.")
@_MIN_CONFIDENCE
@table_options
def influence(
    graph: Path,
    papers: bool,  # noqa: FBT001
    type_: str | None,
    count: int,
    min_confidence: float,
    output: Output,
) -> None:
    """Rank what others build on most: PageRank over the citation-style links.

    "used by" counts the papers that use it in their own work, "named by" or "cited by" also those that only compare
    with it or mention it. A paper outside the corpus is marked.

    \b
    Example:
      kg influence out/graph.ttl --papers -n 10
    """
    from citekg.graph.influence import influential_entities, influential_papers
    from citekg.text_table import Table

    if papers and type_:
        raise click.UsageError("--type ranks things, so it does not go with --papers")
    loaded = _load(graph).subset(min_confidence=min_confidence)
    _check_types(loaded, type_)
    found = influential_papers(loaded, count) if papers else influential_entities(loaded, count, type_ or "")
    if output.is_json:
        _echo_json([_ranked(one) for one in found])
        return
    marks = {True: "", False: " (outside this corpus)"}
    rows = tuple((i.name + marks[i.in_corpus], f"{100 * i.share:.2f}", str(i.used), str(i.papers)) for i in found)
    title = "Papers that others build on" if papers else "Entities that others build on"
    header = ("name", "% of weight", "used by", "cited by" if papers else "named by")
    output.echo(Table(title, header, rows))


def _ranked(one: Influence) -> dict[str, Any]:
    counts = {"papers": one.papers, "used": one.used, "in_corpus": one.in_corpus}
    return {"id": one.node.id, "name": one.name, "share": round(one.share, 6), **counts}


@click.command("co-use")
@_GRAPH
@click.option("--one", default=METHOD, show_default=True, help="The type of the first of each pair.")
@click.option("--other", default=BENCHMARK, show_default=True, help="The type of the second.")
@_count(20, "How many pairs.")
@_MIN_CONFIDENCE
@table_options
def co_use(graph: Path, one: str, other: str, count: int, min_confidence: float, output: Output) -> None:
    """List what is used together: methods with benchmarks, or any two types.

    \b
    Example:
      kg co-use out/graph.ttl --one Method --other Benchmark
    """
    from citekg.graph.influence import co_use as pairs
    from citekg.text_table import Table

    loaded = _load(graph).subset(min_confidence=min_confidence)
    _check_types(loaded, one, other)
    found = pairs(loaded, one, other, count)
    if output.is_json:
        _echo_json([{"one": c.one.name, "other": c.other.name, "papers": list(c.papers)} for c in found])
        return
    rows = tuple((f"{c.one.name} + {c.other.name}", str(len(c.papers))) for c in found)
    output.echo(Table("Used together", ("pair", "papers"), rows))
