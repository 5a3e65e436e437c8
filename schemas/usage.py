"""Usage counts: which papers name, use and introduce an entity, for all commands and formats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from citekg.schemas.records import Introduction, Mention, Relation
from citekg.schemas.vocabulary import INTRODUCES, Vocabulary

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Usage:
    """The ids of the papers that name an entity, use it in their own work, and introduce it.

    `named` and `used` are extracted from the texts of the corpus; `used` are the papers with one of
    the vocabulary's `adoption_roles`. `introduced` also holds stubs and papers from the list of
    introductions.
    """

    named: frozenset[str] = _NONE
    used: frozenset[str] = _NONE
    introduced: frozenset[str] = _NONE


def usage_by_entity(
    mentions: Iterable[Mention],
    relations: Iterable[Relation],
    introductions: Iterable[Introduction],
    vocabulary: Vocabulary,
) -> dict[str, Usage]:
    """Return the usage of the entities that papers name or introduce, by entity id."""
    named, used, introduced = (defaultdict[str, set[str]](set) for _ in range(3))
    for mention in mentions:
        named[mention.entity].add(mention.paper)
    for relation in relations:
        named[relation.entity].add(relation.paper)
        if relation.role in vocabulary.adoption_roles:
            used[relation.entity].add(relation.paper)
        if relation.role == INTRODUCES:
            introduced[relation.entity].add(relation.paper)
    for introduction in introductions:
        introduced[introduction.entity].add(introduction.paper)
    return {
        entity: Usage(
            *(frozenset(papers.get(entity, _NONE)) for papers in (named, used, introduced))
        )
        for entity in sorted({*named, *introduced})
    }
