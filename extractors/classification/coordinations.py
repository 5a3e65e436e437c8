"""Coordinations: the names that a text joins in a list, and the type that they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document

#: A mention: the number of its entity and its token span.
Mention = tuple[int, tuple[int, int]]
_CONJUNCTIONS: Final = frozenset({"and", "or", "&"})
_LINKING_TOKENS: Final = _CONJUNCTIONS | {",", "the", "an", "a"}


def coordinations(
    doc: Document,
    accepted: Sequence[AcceptedEntity],
    kind_of: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[list[Mention]]:
    """Yield the mentions that a list joins: "Kite, Heron (HR) and Wren".

    The types of its names have the same kind in `kind_of`; without it, they may be any types. A
    list ends with the name after its conjunction, so that "unlike Kite, Heron ..." is not one.
    """
    mentions = sorted((span, n) for n, each in enumerate(accepted) for span in each.spans)
    group: list[Mention] = []
    for (left, a), (right, b) in pairwise(mentions):
        between = _between(doc, left[1], right[0])
        is_joined = (
            a != b
            and between is not None
            and kind_of.get(accepted[a].type) == kind_of.get(accepted[b].type)
            and doc.sentence_of[left[0]] == doc.sentence_of[right[0]]
        )
        group = [*(group or [(a, left)]), (b, right)] if is_joined else []
        if is_joined and between and between & _CONJUNCTIONS:
            yield group
            group = []


def _between(doc: Document, first: int, last: int) -> set[str] | None:
    """Return the tokens between two names if they only link members of a list, else None.

    A short form in brackets after the first name is ignored.
    """
    if first < last and doc.words[first] == "(" and ")" in doc.words[first:last]:
        first = doc.words.index(")", first) + 1
    tokens = {*doc.lower[first:last]}
    return tokens if tokens and tokens <= _LINKING_TOKENS else None


def with_listed_types(doc: Document, accepted: Sequence[AcceptedEntity]) -> list[AcceptedEntity]:
    """Return the entities, each unknown one with the type that the known names of its list share.

    "Kite, MMLU and GSM8K" are benchmarks. A known entity keeps its type.
    """
    types = [each.type for each in accepted]
    for group in coordinations(doc, accepted):
        known = {accepted[n].type for n, _ in group if accepted[n].is_known}
        if len(known) == 1:
            for n, _ in group:
                types[n] = types[n] if accepted[n].is_known else next(iter(known))
    return [each.with_type(type_) for each, type_ in zip(accepted, types, strict=True)]
