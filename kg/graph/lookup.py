"""Look up an entity or a paper by what a reader calls it, and suggest similar names where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher, get_close_matches
from typing import Final

from citekg.graph.usage import papers_naming
from citekg.schemas.errors import UnknownName
from citekg.schemas.graph import KnowledgeGraph, reference_names
from citekg.schemas.identifiers import identifier
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Paper

_SUGGESTED: Final = 5
_LIKENESS: Final = 0.75
_FAR_MORE: Final = 5


def find(graph: KnowledgeGraph, name: str) -> Entity:
    """The entity of this name, or else the one that has it among its aliases.

    Case, dashes and plurals do not matter, digits and signs do; an entity's id is as good as its
    name. Of several, it is the one that at least five times as many papers name as any other.
    Raises `UnknownName`, with similar names, where there is none or more than one.
    """
    for entities in (_with_id(graph, name), _named(graph, name), _aliased(graph, name)):
        found = _foremost(graph, _preferred(entities, name))
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownName(name, (f"{e.id} ({e.type}: {e.name})" for e in found), many=True)
    raise UnknownName(name, _near(graph, name))


def find_paper(graph: KnowledgeGraph, name: str) -> Paper:
    """The paper or stub of this id, arXiv id, DOI, OpenAlex id, Semantic Scholar id or title.

    An identifier may be written in any form, as a link or with a version; the case and the spaces of a
    title do not matter. Raises `UnknownName`, with similar titles, where there is none, or several.
    """
    if name in graph.cited_by_id:
        return graph.cited_by_id[name]
    papers = graph.cited_by_id.values()
    asked, title = identifier(name), _folded(name)
    found = [p for p in papers if (asked and asked in reference_names(p)) or (title and title == _folded(p.title))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(name, (f"{p.id} ({p.title})" for p in found), many=True)
    raise UnknownName(name, similar(name, (p.title for p in papers)))


def find_any(graph: KnowledgeGraph, name: str) -> Entity | Paper:
    """The entity of this name, alias or id, or else the paper of this id, identifier or title.

    Raises `UnknownName`, with the most similar names and titles, where there is neither.
    """
    try:
        return find(graph, name)
    except UnknownName as entity:
        try:
            return find_paper(graph, name)
        except UnknownName as paper:
            if entity.many or paper.many:
                raise (entity if entity.many else paper) from None
            candidates = sorted({*entity.candidates, *paper.candidates}, key=lambda one: (-_likeness(name, one), one))
            raise UnknownName(name, candidates[:_SUGGESTED]) from None


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, _folded(one), _folded(other)).ratio()


def similar(name: str, names: Iterable[str]) -> list[str]:
    """The names spelled almost like this one, then the shortest of those that hold it: at most five.

    >>> similar("grpo", ["GRPO-S", "PPO", "GRPO", "Dr. GRPO"])
    ['GRPO', 'GRPO-S', 'Dr. GRPO']
    """
    return _similar(_folded(name), {_folded(one): one for one in sorted(names)})


def _similar(wanted: str, names: dict[str, str]) -> list[str]:
    """The names under the keys that are similar to the wanted key."""
    near = get_close_matches(wanted, names, n=_SUGGESTED, cutoff=_LIKENESS)
    holding = sorted((k for k in names if wanted and wanted in k), key=lambda k: (len(k), k))
    return list(dict.fromkeys(names[k] for k in (*near, *holding)))[:_SUGGESTED]


def _folded(title: str) -> str:
    return " ".join(title.split()).casefold()


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
    """The names of the entities with a similar name or alias, at most five."""
    spelled: dict[str, str] = {}
    for entity in graph.entities:
        for surface in (entity.name, *entity.aliases):
            spelled.setdefault(key(surface), entity.name)
    yield from _similar(key(name), spelled)
