"""`kg influence`: rank entities or papers by PageRank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citekg.cli.graph_arguments import check_types
from citekg.cli.options import GRAPH, confidence_options, count_option, echo_json, load
from citekg.cli.printing import Output, table_options
from citekg.schemas.vocabulary import TYPES

if TYPE_CHECKING:
    from citekg.graph.influence import Influence
    from citekg.text_table import Table


@click.command()
@GRAPH
@click.option("--papers", is_flag=True, help="Rank papers instead of entities.")
@click.option(
    "--type",
    "type_",
    help=f"Rank only entities of this type: {', '.join(TYPES)}, or one of the graph's schema.",
)
@count_option(20, "The number of rows.")
@confidence_options
@table_options
def influence(
    graph: Path,
    papers: bool,  # noqa: FBT001
    type_: str | None,
    count: int,
    min_confidence: float,
    output: Output,
) -> None:
    """Rank entities or papers by PageRank over the citation-style links.

    "used by" counts the papers that use an entity in their own work; "named by" and "cited by" also
    count those that only compare with it or mention it. Papers outside the corpus are marked.

    \b
    Example:
      kg influence out/graph.ttl --papers -n 10
    """
    from citekg.graph.influence import influential_entities, influential_papers

    if papers and type_:
        raise click.UsageError("--type ranks entities: leave out --papers")
    loaded = load(graph).subset(min_confidence=min_confidence)
    check_types(loaded, type_)
    found = (
        influential_papers(loaded, count)
        if papers
        else influential_entities(loaded, count, type_ or "")
    )
    if output.is_json:
        echo_json([_as_values(one) for one in found])
    else:
        output.echo(_table(found, papers=papers))


def _table(found: list[Influence], *, papers: bool) -> Table:
    from citekg.text_table import Table

    marks = {True: "", False: " (outside this corpus)"}
    rows = tuple(
        (i.name + marks[i.in_corpus], f"{100 * i.share:.2f}", str(i.used), str(i.papers))
        for i in found
    )
    title = "Papers on which others build" if papers else "Entities on which others build"
    header = ("name", "% of weight", "used by", "cited by" if papers else "named by")
    return Table(title, header, rows)


def _as_values(one: Influence) -> dict[str, Any]:
    counts = {"papers": one.papers, "used": one.used, "in_corpus": one.in_corpus}
    return {"id": one.node.id, "name": one.name, "share": round(one.share, 6), **counts}
