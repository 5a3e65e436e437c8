"""Which entity or paper a reader means by a name, and what comes near where none is."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from kg.using import papers_naming
from schemas.errors import UnknownName
from schemas.graph import KnowledgeGraph
from schemas.names import key
from schemas.records import Entity, Paper

_SUGGESTED: Final = 5
_LIKENESS: Final = 0.75
_FAR_MORE: Final = 5


def find(graph: KnowledgeGraph, name: str) -> Entity:
    """The entity that goes by this name, or else the one that has it among its other names.

    Case, dashes and plurals do not matter, digits and signs do; an entity's id is as good as its
    name. Of several, that one is meant which at least five times as many papers name as any other.
    Raises `UnknownName`, with names that come near, where there is none or more than one.
    """
    for entities in (_with_id(graph, name), _named(graph, name), _aliased(graph, name)):
        found = _foremost(graph, _preferred(entities, name))
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownName(name, (f"{e.id} ({e.type}: {e.name})" for e in found), many=True)
    raise UnknownName(name, _near(graph, name))


def find_paper(graph: KnowledgeGraph, name: str) -> Paper:
    """The paper or stub of this id, arXiv id, DOI or title, whatever the case of the latter two.

    Raises `UnknownName`, with titles that come near, where there is none, or more than one of that title.
    """
    if name in graph.cited_by_id:
        return graph.cited_by_id[name]
    papers = graph.cited_by_id.values()
    found = [p for p in papers if name and name.casefold() in (p.arxiv_id, p.doi.casefold(), p.title.casefold())]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(name, (f"{p.id} ({p.title})" for p in found), many=True)
    titles = {p.title.casefold(): p.title for p in papers}
    near = get_close_matches(name.casefold(), titles, n=_SUGGESTED, cutoff=_LIKENESS)
    raise UnknownName(name, (titles[title] for title in near))


def _with_id(graph: KnowledgeGraph, name: str) -> list[Entity]:
    entity = graph.entity_by_id.get(name)
    return [entity] if entity else []


def _named(graph: KnowledgeGraph, name: str) -> list[Entity]:
    return [e for e in graph.entities if key(e.name) == key(name)]


def _aliased(graph: KnowledgeGraph, name: str) -> list[Entity]:
    return [e for e in graph.entities if any(key(alias) == key(name) for alias in e.aliases)]


def _preferred(entities: list[Entity], name: str) -> list[Entity]:
    """Those that are spelled just so, if any are."""
    exact = [e for e in entities if name in (e.name, *e.aliases)]
    return exact or entities


def _foremost(graph: KnowledgeGraph, entities: list[Entity]) -> list[Entity]:
    """The one that far more papers name than any other; all of them where there is none."""
    papers = {e.id: papers_naming(graph, e.id) for e in entities}
    ranked = sorted(entities, key=lambda e: -papers[e.id])
    if len(ranked) > 1 and papers[ranked[0].id] >= _FAR_MORE * max(1, papers[ranked[1].id]):
        return ranked[:1]
    return entities


def _near(graph: KnowledgeGraph, name: str) -> Iterator[str]:
    """The names that are spelled almost so, then those that hold it, at most five."""
    spelled: dict[str, str] = {}
    for entity in graph.entities:
        for surface in (entity.name, *entity.aliases):
            spelled.setdefault(key(surface), entity.name)
    wanted = key(name)
    near = get_close_matches(wanted, spelled, n=_SUGGESTED, cutoff=_LIKENESS)
    holding = sorted((k for k in spelled if wanted and wanted in k), key=lambda k: (len(k), k))
    yield from list(dict.fromkeys(spelled[k] for k in (*near, *holding)))[:_SUGGESTED]
