"""The argument GRAPH, and completion and checks of names in that graph."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from citekg.schemas.errors import CitekgError

if TYPE_CHECKING:
    from citekg.schemas.graph import KnowledgeGraph

#: The number of names offered to a shell.
_MAX_COMPLETIONS: Final = 50


class GraphFile(click.Path):
    """A graph file, or a folder of `kg build`, which is replaced by the graph file in it.

    With `triples` an RDF file in a folder is preferred to JSON, because its triples depend on the
    options of the export.
    """

    def __init__(self, *, triples: bool = False) -> None:
        super().__init__(path_type=Path)
        self.triples: Final = triples

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path of the graph file."""
        from citekg.queries.store import TRIPLES_FIRST
        from citekg.storage.graph_files import READERS, graph_file

        path = Path(str(super().convert(value, param, ctx)))
        return graph_file(path, TRIPLES_FIRST if self.triples else tuple(READERS))


def complete_entity_names(
    ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the entity names with this prefix in the graph given earlier on the command line."""
    from citekg.graph.entity_names import entity_names_with_prefix

    with suppress(CitekgError, OSError):
        names = entity_names_with_prefix(ctx.params["graph"], incomplete, _MAX_COMPLETIONS)
        return [CompletionItem(name) for name in names]
    return []


def check_types(graph: KnowledgeGraph, *names: str | None) -> None:
    """Refuse a type that the graph does not have; raises `UsageError`."""
    known = graph.vocabulary.types
    if unknown := [name for name in names if name and name not in known]:
        raise click.UsageError(
            f"{unknown[0]!r} is not a type of this graph: choose one of {', '.join(known)}"
        )
