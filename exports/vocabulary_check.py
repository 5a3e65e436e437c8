"""Checks that the types, roles and links of a graph are in its vocabulary."""

from __future__ import annotations

from collections.abc import Iterable

from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import LINKS


def refuse_unknown_types(graph: KnowledgeGraph) -> None:
    """Raise `GraphError` for an entity type that is not in the vocabulary."""
    types = graph.vocabulary.types
    used = {e.type for e in graph.entities} | {m.type for m in graph.mentions}
    used |= {name for e in graph.entities for name, _ in e.types}
    _refuse("entity type", used - types.keys(), types)


def refuse_unknown_claims(graph: KnowledgeGraph) -> None:
    """Raise `GraphError` for a role or a kind of link that is not in the vocabulary."""
    roles = graph.vocabulary.roles
    _refuse("role", {r.role for r in graph.relations} - roles.keys(), roles)
    _refuse("kind of link", {k.kind for k in graph.links} - LINKS.keys(), LINKS)


def _refuse(what: str, unknown: set[str], known: Iterable[str]) -> None:
    if unknown:
        raise GraphError(
            f"{min(unknown)[:80]!r} is not a valid {what}: use one of {', '.join(known)}"
        )
