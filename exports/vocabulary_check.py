"""Whether the words of a graph are those of the vocabulary, for formats that have an IRI or a number for each."""

from __future__ import annotations

from collections.abc import Iterable

from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import LINKS


def refuse_unknown_types(graph: KnowledgeGraph) -> None:
    """Raises `GraphError` for a type that the vocabulary does not have."""
    types = graph.vocabulary.types
    used = {e.type for e in graph.entities} | {m.type for m in graph.mentions}
    used |= {name for e in graph.entities for name, _ in e.types}
    _refuse("entity type", used - types.keys(), types)


def refuse_unknown_claims(graph: KnowledgeGraph) -> None:
    """Raises `GraphError` for a role, or a kind of link, that the vocabulary does not have."""
    roles = graph.vocabulary.roles
    _refuse("role", {r.role for r in graph.relations} - roles.keys(), roles)
    _refuse("kind of link", {k.kind for k in graph.links} - LINKS.keys(), LINKS)


def _refuse(what: str, unknown: set[str], known: Iterable[str]) -> None:
    if unknown:
        raise GraphError(f"{min(unknown)[:80]!r} is no {what}: use one of {', '.join(known)}")
