"""Roles of several entities that the text names together.

Names in a list have the same role ("on Kite, Heron and Wren"). A new name that ends in a known one
extends it: a paper that introduces Kite-PPO extends PPO.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.roles.patterns import PatternMatches, match_patterns
from citekg.schemas.names import key
from citekg.schemas.vocabulary import (
    BENCHMARK,
    DATASET,
    EXTENDS,
    INTRODUCES,
    MENTIONS,
    METHOD,
    MODEL,
)

#: A mention: the number of its entity and its token span.
_Mention = tuple[int, tuple[int, int]]
_CONJUNCTIONS: Final = frozenset({"and", "or", "&"})
_LINKING_TOKENS: Final = _CONJUNCTIONS | {",", "the", "an", "a"}
#: Types whose names are listed together.
_ALIKE: Final = {METHOD: METHOD, MODEL: METHOD, BENCHMARK: BENCHMARK, DATASET: BENCHMARK}


def match_jointly(doc: Document, accepted: Sequence[AcceptedEntity]) -> list[PatternMatches]:
    """Return the roles that the text states of each entity, also through the others."""
    matches = [match_patterns(doc, each) for each in accepted]
    for group in coordinations(doc, accepted):
        shared = {r for n, span in group for r in matches[n].by_mention[span]}
        for n, span in group:
            matches[n] = _with_roles(matches[n], span, shared - {INTRODUCES, MENTIONS})
    for n, span in _carried(doc, accepted, matches):
        matches[n] = _with_roles(matches[n], span, {EXTENDS})
    return matches


def _with_roles(matches: PatternMatches, span: tuple[int, int], roles: set[str]) -> PatternMatches:
    """Return the matches with further roles of one mention, but for those that the text denies."""
    added = roles - matches.denied
    if not added or MENTIONS in matches.by_mention[span]:
        return matches
    by_mention = {**matches.by_mention, span: matches.by_mention[span] | added}
    return replace(matches, by_mention=by_mention, roles=matches.roles | added)


def coordinations(doc: Document, accepted: Sequence[AcceptedEntity]) -> Iterator[list[_Mention]]:
    """Yield the mentions that a list joins: "Kite, Heron (HR) and Wren", of types alike.

    A list ends with the name after its conjunction, so that "unlike Kite, Heron ..." is none.
    """
    mentions = sorted((span, n) for n, each in enumerate(accepted) for span in each.spans)
    group: list[_Mention] = []
    for (left, a), (right, b) in pairwise(mentions):
        between = _between(doc, left[1], right[0])
        is_joined = (
            a != b
            and between is not None
            and _ALIKE.get(accepted[a].type) == _ALIKE.get(accepted[b].type)
            and doc.sentence_of[left[0]] == doc.sentence_of[right[0]]
        )
        group = [*(group or [(a, left)]), (b, right)] if is_joined else []
        if is_joined and between and between & _CONJUNCTIONS:
            yield group
            group = []


def _between(doc: Document, first: int, last: int) -> set[str] | None:
    """Return the tokens between two names if these are only the links of a list, else None.

    A short form in brackets behind the first name does not count.
    """
    if first < last and doc.words[first] == "(" and ")" in doc.words[first:last]:
        first = doc.words.index(")", first) + 1
    tokens = {*doc.lower[first:last]}
    return tokens if tokens and tokens <= _LINKING_TOKENS else None


def _carried(
    doc: Document, accepted: Sequence[AcceptedEntity], matches: Sequence[PatternMatches]
) -> Iterator[_Mention]:
    """Yield the mentions of methods and models whose name ends that of one introduced here."""
    new = [
        doc.span_text(*span)
        for each, match in zip(accepted, matches, strict=True)
        if INTRODUCES in match.roles and not any(c.entry for c in each.candidates)
        for span in each.spans
    ]
    heads = {key(part) for name in new for part in _heads(name)}
    for n, each in enumerate(accepted):
        is_known = any(c.entry for c in each.candidates)
        if is_known and _ALIKE.get(each.type) == METHOD and INTRODUCES not in matches[n].roles:
            names = {key(doc.span_text(*span)) for span in each.spans}
            yield from ((n, span) for span in each.spans[:1] if names & heads)


def _heads(name: str) -> Iterator[str]:
    """Yield the ends of a compound name: "PPO" and "Search-PPO" of "Kite-Search-PPO"."""
    for at, character in enumerate(name):
        if character in "- ":
            yield name[at + 1 :]
