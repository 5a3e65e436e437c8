"""Decisions of a curator as examples: types, roles and bans of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from citekg.curation.decisions.kinds import Ban, Decisions, SetRole, SetType
from citekg.evaluation.annotations import Annotated
from citekg.extractors.gold import GoldEntity, normalise
from citekg.extractors.learning.examples import AnnotatedDocument, annotated_document
from citekg.schemas.records import Paper


def with_decisions(annotated: Annotated, decisions: Decisions) -> Annotated:
    """Return an annotated paper with the decided types and roles, and without banned names."""
    paper = annotated.paper.id
    gold = _decided(annotated.gold, paper, decisions, _banned(paper, decisions))
    return replace(annotated, gold=gold)


def _banned(paper: str, decisions: Decisions) -> set[str]:
    """Return the normalised names that are banned in a paper."""
    return {normalise(b.name) for b in decisions.of(Ban) if not b.papers or paper in b.papers}


def _decided(
    gold: Iterable[GoldEntity], paper: str, decisions: Decisions, banned: set[str]
) -> tuple[GoldEntity, ...]:
    """Return the entities that are not banned, with the decided types and roles."""
    types = decisions.of(SetType)
    roles = [each for each in decisions.of(SetRole) if each.paper == paper]
    return tuple(_with_types_and_roles(e, types, roles) for e in gold if e.forms.isdisjoint(banned))


def _with_types_and_roles(
    entity: GoldEntity, types: Iterable[SetType], roles: Iterable[SetRole]
) -> GoldEntity:
    for each in types:
        if _names(each.name, entity):
            entity = replace(entity, type=each.type, other_types=())
    stated = [each.role for each in roles if _names(each.name, entity)]
    return replace(entity, role=stated[0], other_roles=tuple(stated[1:])) if stated else entity


def _names(name: str, entity: GoldEntity) -> bool:
    return normalise(name) in entity.forms


def decided_documents(papers: Iterable[Paper], decisions: Decisions) -> list[AnnotatedDocument]:
    """Return the papers that name what a decision is about; other names are left out."""
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
