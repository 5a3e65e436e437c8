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
    gold = (
        _decided(entity, paper, decisions)
        for entity in annotated.gold
        if not any(_is_about(ban, paper) and _names(ban.name, entity) for ban in decisions.of(Ban))
    )
    return replace(annotated, gold=tuple(gold))


def _names(name: str, entity: GoldEntity) -> bool:
    return normalise(name) in entity.forms


def _is_about(ban: Ban, paper: str) -> bool:
    return not ban.papers or paper in ban.papers


def _decided(entity: GoldEntity, paper: str, decisions: Decisions) -> GoldEntity:
    for each in decisions.of(SetType):
        if _names(each.name, entity):
            entity = replace(entity, type=each.type, other_types=())
    roles = [
        each.role
        for each in decisions.of(SetRole)
        if each.paper == paper and _names(each.name, entity)
    ]
    return replace(entity, role=roles[0], other_roles=tuple(roles[1:])) if roles else entity


def decided_documents(papers: Iterable[Paper], decisions: Decisions) -> list[AnnotatedDocument]:
    """Return the papers that name what a decision is about; other names are left out."""
    return [*filter(None, (_document(paper, decisions) for paper in papers))]


def _document(paper: Paper, decisions: Decisions) -> AnnotatedDocument | None:
    banned = {normalise(ban.name) for ban in decisions.of(Ban) if _is_about(ban, paper.id)}
    typed = [_decided(each, paper.id, decisions) for each in _typed(paper, decisions)]
    gold = [entity for entity in typed if entity.forms.isdisjoint(banned)]
    decided = banned.union(*(entity.forms for entity in gold))
    found = replace(annotated_document(paper, gold), decided=frozenset(decided))
    return found if any(found.spans) or banned else None


def _typed(paper: Paper, decisions: Decisions) -> Iterator[GoldEntity]:
    """Yield the names of the text whose type is decided."""
    for each in decisions.of(SetType):
        if each.name in paper.text:
            forms = frozenset({normalise(each.name)} - {""})
            yield GoldEntity(
                each.name, forms, each.type, (), "", (), optional=False, surfaces=(each.name,)
            )
