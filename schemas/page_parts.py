"""The parts of a page that answers SPARQL queries itself; built by `citekg.page_queries`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SparqlParts:
    """The parts of a page that answers SPARQL.

    `quads` are the packed quads of the graph (see `citekg.page_queries.packing`). `engine` is the
    WebAssembly of Oxigraph, and `bindings` is the JavaScript module that calls it. `editor` and
    `editor_style` are the script and the style sheet of the query editor. `queries` are the named
    queries as JSON values, `prefixes` is what every query declares, and `licences` is the notice of
    the third-party software.
    """

    quads: Mapping[str, Any]
    engine: bytes
    bindings: str
    editor: str
    editor_style: str
    queries: Sequence[Mapping[str, Any]]
    prefixes: Mapping[str, str]
    licences: str
