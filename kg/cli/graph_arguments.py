"""The argument GRAPH, and the names of the entities in that graph for shells."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
from citekg.schemas.errors import CitekgError
from click.shell_completion import CompletionItem

#: How many names a shell is offered.
_OFFERED: Final = 50


class GraphFile(click.Path):
    """A graph file, or a folder that `kg build` made, which stands for the graph file in it."""

    def __init__(self, *, triples: bool = False) -> None:
        super().__init__(path_type=Path)
        self.triples: Final = triples

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The file; with `triples` RDF goes before JSON, so that options of its export count."""
        from citekg.queries.store import TRIPLES_FIRST
        from citekg.storage.graph_files import READERS, graph_file

        path = Path(str(super().convert(value, param, ctx)))
        return graph_file(path, TRIPLES_FIRST if self.triples else tuple(READERS))


def entity_names(ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The names of entities that begin so, in the graph that stands on the line already."""
    from citekg.graph.entity_names import beginning

    with suppress(CitekgError, OSError):
        return [CompletionItem(name) for name in beginning(ctx.params["graph"], begun, _OFFERED)]
    return []
