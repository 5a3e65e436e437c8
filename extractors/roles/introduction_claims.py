"""Claims of introduction: where a text says that a name is new in this paper.

A pattern ends right before a name or begins right after it, inside the sentence. A claim needs the
name as what is proposed, not as a modifier of it ("a Kite-based planner").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.roles.phrases import ARTICLE, WORD
from citekg.extractors.wording.context import context_around
from citekg.extractors.wording.head_nouns import TRAILING_HEADS
from citekg.extractors.wording.non_entities import RESEARCH_FIELDS
from citekg.extractors.wording.verbs import MAKE, PROPOSE
from citekg.schemas.vocabulary import BENCHMARK, DATASET, TYPES


@dataclass(frozen=True)
class _Claim:
    """A pattern beside a name that claims its introduction, for entities of the given types."""

    words: re.Pattern[str]
    types: frozenset[str]


_ANY_TYPE: Final = frozenset(TYPES)
_BENCHMARK_OR_DATASET: Final = frozenset({BENCHMARK, DATASET})
_AUTHORS: Final = (
    r"(?:we|this (?:paper|work|article|study|report)|our (?:paper|work)|here|by|and)"
    r"(?: (?:also|then|first|further|thus|therefore|hence|finally|next|instead))?"
)
_CALLED: Final = r"(?:,|, namely|,? called|,? named|,? dubbed|,? termed|,? denoted(?: as| by)?)"


def _before(words: str, types: frozenset[str] = _ANY_TYPE) -> _Claim:
    return _Claim(re.compile(rf"(?<![\w-])(?:{words})$"), types)


def _after(words: str) -> _Claim:
    return _Claim(re.compile(rf"(?: ?\([^()]*\))?(?:{words})"), _ANY_TYPE)


#: Claims before a name, for all names. Between the claim and the name stands nothing.
_BEFORE: Final = (
    _before(rf"{_AUTHORS} {PROPOSE} (?:the )?"),
    _before(rf"{_AUTHORS} {PROPOSE} an? (?:{WORD},? ){{0,6}}{WORD}{_CALLED} "),
    _before(
        rf"{_AUTHORS} {MAKE} (?:an?|the (?:first|largest)) (?:{WORD},? ){{0,6}}{WORD}{_CALLED} ",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        r"our (?:[\w-]+ ){0,3}(?:model|algorithm|method|approach|framework|system|agent|benchmark"
        r"|dataset|library"
        r"|architecture|policy),? (?:called |named )?",
    ),
    _before(
        r"(?<!also )(?<!commonly )(?<!often )(?<!so )(?<!well )(?<!been )(?<!is )(?:called|named"
        r"|dubbed|termed|coined"
        r"|titled|call (?:it|this|them|these)|name (?:it|this|them)|we (?:call|name|dub|term|coin)"
        r"(?: [\w-]+){0,3}?"
        r"|refer(?:red)?(?: \w+){0,2}? as) (?:the )?",
    ),
)
#: Claims before a name outside the lexicon: words that describe it may stand in between.
_BEFORE_UNKNOWN: Final = (
    _before(rf"{_AUTHORS} {PROPOSE} {ARTICLE}(?:{WORD},? ){{0,6}}?(?:called |named |namely )?"),
    _before(
        rf"{_AUTHORS} {MAKE} (?:an?|the (?:first|largest)) (?:{WORD},? ){{0,4}}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(rf"our (?:(?:new|novel|proposed) (?:{WORD},? ){{0,4}})?"),
    _before(rf"{_AUTHORS} {PROPOSE} {ARTICLE}(?:{WORD} ){{0,4}}{WORD}(?: \([^()]*\))? and "),
    _before(r"(?:resulting in|(?:evaluate|call|name) the resulting|yielding) (?:the )?"),
)
_AFTER: Final = (
    _after(
        r",? (?:is|are) (?:then |here )?(?:proposed|introduced|presented|released|developed)\b(?!"
        r" by)",
    ),
)
#: Claims after a name outside the lexicon.
_AFTER_UNKNOWN: Final = (
    _after(r",? (?:is|are) (?:an?|the first) (?:[\w-]+ ){0,2}?(?:new|novel)\b"),
    _after(r", (?:an?|the first|our) (?:[\w-]+,? ){0,2}?(?:new|novel)\b"),
)
#: What stands after a name that others proposed.
PROPOSED_BY_OTHERS: Final = (
    r",? (?:was|were|(?:has|have) been) (?:\w+ )?(?:proposed|introduced|suggested)\b(?! here)"
)
_PROPOSED_BY_OTHERS: Final = _after(PROPOSED_BY_OTHERS)
#: What follows a name that the title introduces: "Kite: a planner", "Kite Search (KS): a planner".
_TITLE_END: Final = re.compile(r"(?: ?\([^()]*\))? ?:\s|$")
#: What follows a phrase that states only the kind of a new entity: "a PPO-based planner", "a search
#: called Kite".
_KIND_AFTER: Final = re.compile(
    r"-|,? (?:called|named|dubbed|termed|namely|coined|which we (?:call|name|term))\b"
)
_KIND_BEFORE: Final = re.compile(r"\b(?:an?|new|novel|simple|efficient|general) $")


def is_claimed(doc: Document, span: tuple[int, int], accepted: AcceptedEntity) -> bool:
    """Return whether the text claims the introduction of an entity beside one mention."""
    before, after = context_around(doc, span)
    is_kind = _KIND_AFTER.match(after) or (_KIND_BEFORE.search(before) and _is_plain(doc, span))
    if is_kind or is_generic(doc, accepted) or _PROPOSED_BY_OTHERS.words.match(after):
        return False
    if span[1] <= doc.title_tokens:
        return not before.strip() and bool(_TITLE_END.match(after))
    is_known = any(c.entry is not None for c in accepted.candidates)
    left = _BEFORE if is_known else (*_BEFORE, *_BEFORE_UNKNOWN)
    right = _AFTER if is_known else (*_AFTER, *_AFTER_UNKNOWN)
    return any(accepted.type in c.types and c.words.search(before) for c in left) or any(
        accepted.type in c.types and c.words.match(after) for c in right
    )


def is_generic(doc: Document, accepted: AcceptedEntity) -> bool:
    """Return whether the entity is a technique with a generic, descriptive name.

    A paper that proposes "a pruning method" proposes a kind of pruning, not pruning itself.
    """
    if any(c.entry is not None for c in accepted.candidates):
        return any(c.entry is not None and c.entry.name.islower() for c in accepted.candidates)
    return all(_is_described(doc, span) or _is_plain(doc, span) for span in accepted.spans)


def _is_described(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether a name is plain words that end in a head noun: "pruning method"."""
    words = doc.words[span[0] : span[1]]
    return words[-1].lower() in TRAILING_HEADS and all(
        word.islower() or word in RESEARCH_FIELDS or word == "-" for word in words
    )


def _is_plain(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether a name is plain words before a head noun: "an iterative pruning framework"."""
    after = doc.lower[span[1]] if span[1] < len(doc.lower) else ""
    return doc.span_text(*span).islower() and after in TRAILING_HEADS
