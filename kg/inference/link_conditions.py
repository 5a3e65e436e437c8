"""Conditions of a link: the citing paper must mean the entity that the cited paper introduced.

The types in both papers must be of the same kind, data or not. An entity that is not in the list of
introductions also needs a name that is more than plain words, because papers share plain words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Final

from citekg.linking.kinds import is_ambiguous_name
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Mention, Relation
from citekg.schemas.vocabulary import DEFAULT, INTRODUCES, TYPES, Vocabulary

#: A mark of names other than plain words: a digit, a sign, or a capital after the first letter.
_NAME_SIGN: Final = re.compile(r"[\d+*#@$\\^_]|\w[A-Z]")


def uses_of_names(mentions: Iterable[Mention]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the paper, the entity, the type and the surface form of each mention."""
    return ((m.paper, m.entity, m.type, m.text) for m in mentions)


def in_other_sense(
    named_as: Iterable[tuple[str, str, str, str]],
    type_of: Mapping[str, str],
    vocabulary: Vocabulary,
) -> frozenset[tuple[str, str]]:
    """Return the pairs of a paper and an entity whose types there are all of the other kind.

    `named_as` holds papers, entities, and their types and surface forms there; `type_of` the types
    of the entities. The kinds are data (benchmarks and datasets) and the rest (methods and models).
    A form that two authors are unlikely to choose for two entities has one sense, of any type.
    """
    kinds: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for paper, entity, type_, form in named_as:
        if entity in type_of:
            meant = type_ if is_ambiguous_name(form) and " " not in form else type_of[entity]
            kinds[paper, entity].add(vocabulary.is_data(meant))
    return frozenset(
        pair for pair, found in kinds.items() if vocabulary.is_data(type_of[pair[1]]) not in found
    )


def coined_in_title(
    relations: Iterable[Relation], titles: Mapping[str, str], entities: Mapping[str, Entity]
) -> frozenset[tuple[str, str]]:
    """Return the pairs of a paper and an entity whose name the paper coins in its title.

    The paper claims to introduce it, and its title begins with the name and a colon. If another
    paper is known to have introduced the entity, the name has a new sense in this paper. `titles`
    holds the titles of papers by id.
    """
    claims = {(r.paper, r.entity) for r in relations if r.role == INTRODUCES}
    return frozenset(
        (paper, entity)
        for paper, entity in claims
        if paper in titles and entity in entities and _is_head(titles[paper], entities[entity])
    )


def title_head(title: str) -> str:
    """Return the title up to its first colon, or an empty text without one.

    >>> title_head("Kites: flying"), title_head("Nests")
    ('Kites', '')
    """
    head, colon, _ = title.partition(":")
    return head if colon else ""


def _is_head(title: str, entity: Entity) -> bool:
    head = title_head(title)
    return bool(head.strip()) and key(head) in map(key, entity.names)


def linkable(
    relations: Iterable[Relation],
    mentions: Iterable[Mention],
    types: Mapping[str, str],
    plain: Container[str],
    vocabulary: Vocabulary = DEFAULT,
) -> Iterator[Relation]:
    """Yield the relations that may give a link, and the claims of introduction behind links.

    `types` are the types of the entities, `plain` those of `plain_entities`.
    """
    other = in_other_sense(uses_of_names(mentions), types, vocabulary)
    for relation in relations:
        if (relation.paper, relation.entity) not in other and relation.entity not in plain:
            yield relation


def plain_entities(entities: Iterable[Entity], listed: Container[str]) -> frozenset[str]:
    """Return the ids of the entities named by plain words, which are too vague for a link.

    Names of the types of a schema, such as drugs, may be plain words. `listed` holds the ids of the
    entities that the list of introductions names.
    """
    return frozenset(
        e.id for e in entities if e.id not in listed and e.type in TYPES and is_plain(e)
    )


def is_plain(entity: Entity) -> bool:
    """Return whether an entity is named by plain words only, at least once without capitals.

    "stable search" and "Stable Search" are plain; "SteadySearch", "Search-2" and "SS" are not.
    """
    names = entity.names
    return any(name.islower() for name in names) and not any(map(_NAME_SIGN.search, names))
