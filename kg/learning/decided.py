"""Decisions of a curator as training examples: types, roles, bans, and names of one entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from citekg.curation.decisions.kinds import (
    Alias,
    Ban,
    Decisions,
    DenyRole,
    Merge,
    Rename,
    SetRole,
    SetType,
)
from citekg.evaluation.annotations import Annotated
from citekg.extractors.gold import GoldEntity, normalise
from citekg.extractors.learning.examples import AnnotatedDocument, annotated_document
from citekg.schemas.records import Paper


def with_decisions(annotated: Annotated, decisions: Decisions) -> Annotated:
    """Return an annotated paper with the decided types and roles, and without banned names.

    Entities that a decision joins become one annotation; denied roles are removed.
    """
    paper = annotated.paper.id
    joined = _joined(annotated.gold, decisions)
    gold = _decided(joined, paper, decisions, _banned(paper, decisions))
    return replace(annotated, gold=gold)


def _joined(gold: Iterable[GoldEntity], decisions: Decisions) -> list[GoldEntity]:
    """Return the entities, joined by the merges, aliases and renames among the decisions."""
    found = [*gold]
    for names in _joined_names(decisions):
        same = [entity for entity in found if any(_has_name(name, entity) for name in names)]
        if len({entity.type for entity in same}) == 1 < len(same):
            first, *others = same
            merged = replace(
                first,
                forms=first.forms.union(*(other.forms for other in others)),
                surfaces=tuple(dict.fromkeys(s for entity in same for s in entity.surfaces)),
                optional=all(entity.optional for entity in same),
            )
            found = [merged if e is first else e for e in found if not any(e is o for o in others)]
    return found


def _joined_names(decisions: Decisions) -> Iterator[tuple[str, ...]]:
    """Yield the names that denote one entity."""
    yield from (each.names for each in decisions.of(Merge))
    yield from ((each.name, each.alias) for each in decisions.of(Alias))
    yield from ((each.name, each.to) for each in decisions.of(Rename))


def _banned(paper: str, decisions: Decisions) -> set[str]:
    """Return the normalised names that are banned in a paper."""
    return {normalise(b.name) for b in decisions.of(Ban) if not b.papers or paper in b.papers}


def _decided(
    gold: Iterable[GoldEntity], paper: str, decisions: Decisions, banned: set[str]
) -> tuple[GoldEntity, ...]:
    """Return the entities that are not banned, with the decided types and roles."""
    types = decisions.of(SetType)
    roles = [each for each in decisions.of(SetRole) if each.paper == paper]
    denied = [each for each in decisions.of(DenyRole) if each.paper == paper]
    kept = (_without_roles(e, denied) for e in gold if e.forms.isdisjoint(banned))
    return tuple(_with_types_and_roles(e, types, roles) for e in kept)


def _without_roles(entity: GoldEntity, denied: Iterable[DenyRole]) -> GoldEntity:
    """Return the entity without denied roles; the next annotated role becomes the first."""
    wrong = {each.role for each in denied if _has_name(each.name, entity)}
    first, *others = [r for r in (entity.role, *entity.other_roles) if r not in wrong] or [""]
    return replace(entity, role=first, other_roles=tuple(others)) if wrong else entity


def _with_types_and_roles(
    entity: GoldEntity, types: Iterable[SetType], roles: Iterable[SetRole]
) -> GoldEntity:
    for each in types:
        if _has_name(each.name, entity):
            entity = replace(entity, type=each.type, other_types=())
    stated = [each.role for each in roles if _has_name(each.name, entity)]
    return replace(entity, role=stated[0], other_roles=tuple(stated[1:])) if stated else entity


def _has_name(name: str, entity: GoldEntity) -> bool:
    return normalise(name) in entity.forms


def decided_documents(papers: Iterable[Paper], decisions: Decisions) -> list[AnnotatedDocument]:
    """Return the papers that contain names with decisions, annotated with only these names."""
    return [*filter(None, (_document(paper, decisions) for paper in papers))]


def _document(paper: Paper, decisions: Decisions) -> AnnotatedDocument | None:
    banned = _banned(paper.id, decisions)
    gold = _decided(_typed(paper, decisions), paper.id, decisions, banned)
    if not gold and not banned:
        return None
    decided = frozenset(banned.union(*(entity.forms for entity in gold)))
    found = replace(annotated_document(paper, gold), decided=decided)
    return found if any(found.spans) or banned else None


def _typed(paper: Paper, decisions: Decisions) -> Iterator[GoldEntity]:
    """Yield the names of the text whose type is decided."""
    for each in decisions.of(SetType):
        if each.name in paper.text:
            forms = frozenset({normalise(each.name)} - {""})
            yield GoldEntity(
                each.name, forms, each.type, (), "", (), optional=False, surfaces=(each.name,)
            )
