"""Roles of several entities that the text names together.

Names in a list have the same role ("on Kite, Heron and Wren"). A new name that ends in a known one
extends it: a paper that introduces Kite-PPO extends PPO. A size of a new model is new, too. If the
text claims that a known model outperforms another one, the paper itself does not outperform it.
Neither does a paper that introduces only data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from citekg.extractors.cached_results import cached_results
from citekg.extractors.classification.compound_names import is_sized, without_size
from citekg.extractors.classification.coordinations import Mention, coordinations
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document, indices_where
from citekg.extractors.prefiltered_pattern import PrefilteredPattern
from citekg.extractors.roles.novelty import known_introducer
from citekg.extractors.roles.patterns import PatternMatches, match_patterns
from citekg.extractors.wording.stop_words import AUXILIARIES, OWN_WORK
from citekg.extractors.wording.verbs import OUTPERFORM
from citekg.schemas.names import key, parse
from citekg.schemas.vocabulary import (
    BENCHMARK,
    DATASET,
    EXTENDS,
    INTRODUCES,
    MENTIONS,
    METHOD,
    MODEL,
)

_SUPERIOR: Final = PrefilteredPattern(
    rf"{OUTPERFORM}|beats?|beating|better|superior",
    ("outperform", "surpass", "exceed", "beat", "better", "superior"),
)
#: Types whose names are listed together.
_ALIKE: Final = {METHOD: METHOD, MODEL: METHOD, BENCHMARK: BENCHMARK, DATASET: BENCHMARK}


def match_jointly(doc: Document, accepted: Sequence[AcceptedEntity]) -> list[PatternMatches]:
    """Return the roles that the text states of each entity, also through the others."""
    matches = [match_patterns(doc, each) for each in accepted]
    for group in coordinations(doc, accepted, _ALIKE):
        shared = {r for n, span in group for r in matches[n].by_mention[span]}
        for n, span in group:
            matches[n] = _with_roles(matches[n], span, shared - {INTRODUCES, MENTIONS})
    for n, span in _extended_mentions(doc, accepted, matches):
        matches[n] = _with_roles(matches[n], span, {EXTENDS})
    for n, span in _sizes_of_new(doc, accepted, matches):
        matches[n] = _with_roles(matches[n], span, {INTRODUCES})
    claims = superiority_claims_of_others(doc, accepted, matches)
    if claims:
        matches = [_with_outperformed(doc, match, claims) for match in matches]
    introduced = sum(INTRODUCES in match.roles for match in matches)
    if not introduced:
        return matches
    return [
        replace(match, introduced_beside=introduced - (INTRODUCES in match.roles))
        for match in matches
    ]


def _sizes_of_new(
    doc: Document, accepted: Sequence[AcceptedEntity], matches: Sequence[PatternMatches]
) -> Iterator[Mention]:
    """Yield the mentions of names with a size whose name without it is new: "Kite-7B"."""
    sized = [n for n, each in enumerate(accepted) if is_sized(doc, each.spans[0])]
    if not sized:
        return
    new = {
        parse(doc.span_text(*each.spans[0]))
        for each, match in zip(accepted, matches, strict=True)
        if INTRODUCES in match.roles
    }
    for n in sized:
        if parse(without_size(doc.span_text(*accepted[n].spans[0]))) in new:
            yield from ((n, span) for span in accepted[n].spans)


def _with_roles(matches: PatternMatches, span: tuple[int, int], roles: set[str]) -> PatternMatches:
    """Return the matches with further roles of one mention, except those that the text denies."""
    added = roles - matches.denied
    if not added or MENTIONS in matches.by_mention[span]:
        return matches
    by_mention = {**matches.by_mention, span: matches.by_mention[span] | added}
    return replace(matches, by_mention=by_mention, roles=matches.roles | added)


def _extended_mentions(
    doc: Document, accepted: Sequence[AcceptedEntity], matches: Sequence[PatternMatches]
) -> Iterator[Mention]:
    """Yield the mentions of known methods and models on whose names new names are based."""
    new = [
        doc.span_text(*span)
        for each, match in zip(accepted, matches, strict=True)
        if INTRODUCES in match.roles and not each.is_known
        for span in each.spans
    ]
    heads = {key(part) for name in new for part in _heads(name)}
    for n, each in enumerate(accepted):
        if each.is_known and _ALIKE.get(each.type) == METHOD and INTRODUCES not in matches[n].roles:
            names = {key(doc.span_text(*span)) for span in each.spans}
            yield from ((n, span) for span in each.spans[:1] if names & heads)


def _heads(name: str) -> Iterator[str]:
    """Yield the ends of a compound name: "PPO" and "Search-PPO" of "Kite-Search-PPO"."""
    for at, character in enumerate(name):
        if character in "- ":
            yield name[at + 1 :]


def superiority_claims_of_others(
    doc: Document, accepted: Sequence[AcceptedEntity], matches: Sequence[PatternMatches]
) -> dict[int, int]:
    """Return the first token of each claim that others are superior, by sentence number.

    The subject of the claim is a known name that the paper does not introduce, or the paper
    introduces data only and the sentence does not mention the authors' own work.
    """
    introduced = {a.type for a, m in zip(accepted, matches, strict=True) if INTRODUCES in m.roles}
    data_only = bool(introduced) and {_ALIKE.get(type_) for type_ in introduced} == {BENCHMARK}
    others = {
        last
        for each, match in zip(accepted, matches, strict=True)
        if INTRODUCES not in match.roles and _is_known_elsewhere(doc, each)
        for _, last in each.spans
    }
    if not (others or data_only) or not _SUPERIOR.may_match(doc.text.lower()):
        return {}
    found: dict[int, int] = {}
    for at in indices_where(_is_superior, doc.lower):
        low, _ = doc.sentences[doc.sentence_of[at]]
        is_own = not OWN_WORK.isdisjoint(doc.lower[low:at])
        if _subject_end(doc, at) in others or (data_only and not is_own):
            found.setdefault(doc.sentence_of[at], at)
    return found


@cached_results(maxsize=1 << 14)
def _is_superior(word: str) -> bool:
    """Return whether a word claims superiority."""
    return _SUPERIOR.pattern.fullmatch(word) is not None


def _is_known_elsewhere(doc: Document, accepted: AcceptedEntity) -> bool:
    """Return whether the lexicon has the entity, and the list names no introduction of it here."""
    introducer = known_introducer(doc, accepted)
    is_here = introducer is not None and introducer.is_paper(doc.paper)
    return not is_here and accepted.is_known


def _subject_end(doc: Document, verb: int) -> int:
    """Return where the subject of a verb ends: before its adverbs and auxiliary verbs."""
    while verb and (doc.lower[verb - 1] in AUXILIARIES or doc.lower[verb - 1].endswith("ly")):
        verb -= 1
    return verb


def _with_outperformed(
    doc: Document, matches: PatternMatches, claims: Mapping[int, int]
) -> PatternMatches:
    """Return the matches, with the mentions after such a claim in its sentence marked."""
    outperformed = (
        span
        for span in matches.by_mention
        if span[0] > claims.get(doc.sentence_of[span[0]], len(doc.words))
    )
    return replace(matches, outperformed_by_others=frozenset(outperformed))
