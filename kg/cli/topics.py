"""`kg topics`: list the topics of a graph, or one topic with its entities and papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citekg.cli.graph_arguments import complete_entity_names
from citekg.cli.options import GRAPH, count_option, echo_json, load
from citekg.cli.printing import Output, table_options

if TYPE_CHECKING:
    from citekg.graph.graph import Graph
    from citekg.schemas.records import Topic
    from citekg.text_table import Table


@click.command()
@GRAPH
@click.argument("name", required=False, shell_complete=complete_entity_names)
@count_option(20, "The number of rows of each table; JSON has all.")
@table_options
def topics(graph: Path, name: str | None, count: int, output: Output) -> None:
    """List the topics of a graph, or with NAME one topic with its entities and papers.

    A topic is a group of entities that the same papers name. It has the names of the three entities
    that are most typical of it: many of its papers name them, and few others. Tentative claims do
    not count. NAME is the name, an alias or the id of an entity.

    \b
    Example:
      kg topics out/graph.ttl
      kg topics out/graph.ttl "offline RL"
    """
    loaded = load(graph)
    found = loaded.topics if name is None else loaded.topics.where(entity=name)
    if output.is_json:
        echo_json([_as_values(topic) for topic in found])
    elif name is None:
        output.echo(_table(found[:count], len(found)))
    elif found:
        output.echo(*_tables(loaded, found[0], count))
    else:
        click.echo(f"{loaded.find(name).name} belongs to no topic")


def _table(found: tuple[Topic, ...], all_: int) -> Table:
    from citekg.text_table import Table

    rows = tuple((t.label, str(len(t.papers)), str(len(t.entities))) for t in found)
    title = f"{all_} topic{'s' * (all_ != 1)}"
    if len(found) < all_:
        title += f", the first {len(found)}"
    return Table(title, ("topic", "papers", "entities"), rows)


def _tables(graph: Graph, topic: Topic, count: int) -> tuple[Table, Table]:
    """Return the most typical entities of a topic, and its papers."""
    from citekg.text_table import Table

    inside = frozenset(topic.papers)
    entities = tuple(
        (entity.name, entity.type, str(len(inside & named)), str(len(named)))
        for entity in map(graph.entity_by_id.__getitem__, topic.entities[:count])
        for named in [graph.usage[entity.id].named]
    )
    papers = tuple(
        (paper.title, paper.date)
        for paper in map(graph.paper_by_id.__getitem__, topic.papers[:count])
    )
    title = f"{topic.label}: {len(topic.entities)} entities"
    return (
        Table(title, ("entity", "type", "papers here", "papers"), entities, 2),
        Table(f"{len(topic.papers)} papers", ("paper", "date"), papers, 2),
    )


def _as_values(topic: Topic) -> dict[str, Any]:
    return {
        "id": topic.id,
        "label": topic.label,
        "entities": [*topic.entities],
        "papers": [*topic.papers],
    }
