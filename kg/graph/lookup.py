"""Look up entities and papers by name or identifier; suggest similar names if there is none."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from citekg.graph.usage import papers_naming
from citekg.schemas.errors import UnknownName
from citekg.schemas.graph import KnowledgeGraph, reference_names
from citekg.schemas.identifiers import identifier
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Paper
from citekg.similar_names import MAX_SUGGESTIONS, fold_case, most_similar, similar

_MIN_SIMILARITY: Final = 0.75
#: The minimum ratio between the papers of an entity and those of any other of the same name.
_DOMINANCE: Final = 5


def find(graph: KnowledgeGraph, name: str) -> Entity:
    """Return the entity with this id, name or alias; ids come before names, names before aliases.

    Case, hyphens and plurals are ignored; digits and other signs count. Of several entities, the
    one that at least five times as many papers name as any other is returned. Raises `UnknownName`,
    with similar names, if there is none or more than one.
    """
    for entities in (_with_id(graph, name), _named(graph, name), _aliased(graph, name)):
        found = _dominant(graph, _preferred(entities, name))
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownName(name, (f"{e.id} ({e.type}: {e.name})" for e in found), many=True)
    raise UnknownName(name, _similar_names(graph, name))


def find_paper(graph: KnowledgeGraph, name: str) -> Paper:
    """Return the paper or stub with this id, arXiv, DOI, OpenAlex or Semantic Scholar id, or title.

    An identifier may be a URL or have a version; the case and the spaces of a title are ignored.
    Raises `UnknownName`, with similar titles, if there is none or more than one.
    """
    if name in graph.cited_by_id:
        return graph.cited_by_id[name]
    papers = graph.cited_by_id.values()
    asked, title = identifier(name), fold_case(name)
    found = [
        p
        for p in papers
        if (asked and asked in reference_names(p)) or (title and title == fold_case(p.title))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(name, (f"{p.id} ({p.title})" for p in found), many=True)
    raise UnknownName(name, similar(name, (p.title for p in papers)))


def find_any(graph: KnowledgeGraph, name: str) -> Entity | Paper:
    """Return the entity with this name, alias or id, or else the paper with this id or title.

    Raises `UnknownName`, with the most similar names and titles, if there is neither.
    """
    try:
        return find(graph, name)
    except UnknownName as entity:
        try:
            return find_paper(graph, name)
        except UnknownName as paper:
            if entity.many or paper.many:
                raise (entity if entity.many else paper) from None
            candidates = sorted(
                {*entity.candidates, *paper.candidates},
                key=lambda one: (-_similarity(name, one), one),
            )
            raise UnknownName(name, candidates[:MAX_SUGGESTIONS]) from None


def _similarity(one: str, other: str) -> float:
    return SequenceMatcher(None, fold_case(one), fold_case(other)).ratio()


def _with_id(graph: KnowledgeGraph, name: str) -> list[Entity]:
    entity = graph.entity_by_id.get(name)
    return [entity] if entity else []


def _named(graph: KnowledgeGraph, name: str) -> list[Entity]:
    return [e for e in graph.entities if key(e.name) == key(name)]


def _aliased(graph: KnowledgeGraph, name: str) -> list[Entity]:
    return [e for e in graph.entities if any(key(one) == key(name) for one in e.names)]


def _preferred(entities: list[Entity], name: str) -> list[Entity]:
    """Return the entities of exactly this name, or else of this spelling, or else all."""
    named = [e for e in entities if name == e.name]
    return named or [e for e in entities if name in e.names] or entities


def _dominant(graph: KnowledgeGraph, entities: list[Entity]) -> list[Entity]:
    """Return the entity that far more papers name than any other, or else all entities."""
    papers = {e.id: papers_naming(graph, e.id) for e in entities}
    ranked = sorted(entities, key=lambda e: -papers[e.id])
    if len(ranked) > 1 and papers[ranked[0].id] >= _DOMINANCE * max(1, papers[ranked[1].id]):
        return ranked[:1]
    return entities


def _similar_names(graph: KnowledgeGraph, name: str) -> Iterator[str]:
    """Yield the names of at most five entities with a similar name or alias."""
    spelled: dict[str, str] = {}
    for entity in graph.entities:
        for surface in entity.names:
            spelled.setdefault(key(surface), entity.name)
    yield from most_similar(key(name), spelled)
