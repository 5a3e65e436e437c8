"""Lexico-syntactic patterns that state the role of an entity (after Hearst 1992).

Each pattern ends right before a name or begins right after it, inside the sentence. Articles,
adjectives and earlier members of a list may stand in between: "we compare with A, B and C" matches
for all three names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from citekg.extractors.candidates.patterns import NAME, words_pattern
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.roles.introduction_claims import PROPOSED_BY_OTHERS, is_claimed
from citekg.extractors.roles.phrases import ARTICLE as _ARTICLE
from citekg.extractors.roles.phrases import WORD as _WORD
from citekg.extractors.wording.context import context_around
from citekg.schemas.vocabulary import (
    BENCHMARK,
    COMPARES_TO,
    DATASET,
    EVALUATES_ON,
    EXTENDS,
    INTRODUCES,
    METHOD,
    MODEL,
    TRAINS_ON,
    TYPES,
    USES,
)
from citekg.schemas.vocabulary import MENTIONS as MENTIONS


@dataclass(frozen=True)
class RolePattern:
    """A pattern beside a name that states a role, for entities of the given types."""

    role: str
    words: re.Pattern[str]
    types: frozenset[str]


#: The introduction of a list of examples, and the earlier members of a list.
_SUCH_AS: Final = rf"(?:(?:{_WORD} ){{0,5}}(?:such as|like|including|e\.g\.?,?|namely):? )?"
_MEMBER: Final = rf"{_ARTICLE}(?:{_WORD} ){{0,4}}{_WORD}(?: \([^()]*\))?"
_LIST: Final = rf"{_SUCH_AS}(?:{_MEMBER}(?:, and|, or|,| and| or) ){{0,7}}"
#: The same without commas: after an opening phrase, a comma ends the phrase.
_PAIR: Final = rf"{_SUCH_AS}(?:{_MEMBER}(?: and| or) )?"
_MODIFIERS: Final = (
    r"(?:(?:the|an?|our|its|both|any|explicit|extra|popular|standard|vanilla|original|existing"
    r"|prior|strong|novel|new"
    r"|additional|expensive|costly|unstable|traditional|conventional|challenging|widely-used"
    r"|well-known) )*"
)
_COMPARISON_OPENING: Final = (
    r"(?:compar(?:ed|ing) (?:to|with|against)|relative to|unlike|in contrast (?:to|with)|contrary"
    r" to|different from)"
)
_COMPARISON: Final = (
    r"(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beat(?:s|ing)?"
    r"|underperform(?:s|ed|ing)?"
    r"|(?:compare(?:d|s)?|comparing|comparisons?|superior|inferior|comparable) (?:favou?rably )?"
    r"(?:to|with|against)"
    r"|competitive with|on par with|versus|vs\.?|against|(?:match|rival)(?:es|s|ed|ing)?(?: or"
    r" \w+)?"
    r"|compar(?:es?|ed|ing) (?:[\w-]+ ){1,4}(?:to|with|against)"
    r"|(?:superiority|advantages?|improvements?|gains?) (?:[\w-]+ ){0,2}?over"
    r"|(?:better|worse|faster|higher|lower|stronger|cheaper|simpler) (?:\w+ ){0,3}?than)"
)
_NOT_NEEDED: Final = (
    r"(?:(?:do|does|did) not|don.t|doesn.t|need not|(?<!and )without|no longer) "
    r"(?:(?:requir(?:e|ing)|need(?:ing)?|rely(?:ing)? on|depend(?:ing)? on|us(?:e|ing)|resort"
    r"(?:ing)? to) )?"
    r"(?:the need for |the use of |training )?"
    r"|(?:needs?|requir(?:es?|ing)|with|uses?|there is) no |no need (?:for|of) |free of |instead"
    r" of |rather than "
    r"|(?:remov|eliminat|obviat|sidestepp?|bypass|avoid)(?:e|es|s|ing) (?:the need (?:for|of) )?"
)
_POSSIBLE_USE: Final = (
    r"(?:may|might|could|can) (?:also |easily |later |naturally ){0,2}be (?:\w+ )?(?:extended"
    r"|combined|applied"
    r"|integrated|ported|generali[sz]ed) (?:to|with|in|into|for) "
    r"|future (?:work|research|stud\w+|directions?) (?:\w+ ){0,6}"
)
_USED_BY_OTHERS: Final = (
    r"(?:previous|prior|existing|current|traditional|conventional|earlier|recent|most|many) "
    r"(?:[\w-]+ ){0,3}"
    r"(?:methods|approaches|works?|models|algorithms|systems|techniques|studies|research|efforts) "
    r"(?:[\w-]+ ){0,2}?"
    r"(?:rel(?:y|ies) (?:heavily |mainly |solely |primarily )?(?:up)?on|uses?|employs?|depends? on"
    r"|(?:are|is) based on)"
)
_ANY_TYPE: Final = frozenset(TYPES)
_METHOD_OR_MODEL: Final = frozenset({METHOD, MODEL})
_BENCHMARK_OR_DATASET: Final = frozenset({BENCHMARK, DATASET})


def _before(role: str, words: str, types: frozenset[str] = _ANY_TYPE) -> RolePattern:
    return RolePattern(role, re.compile(rf"(?<![\w-])(?:{words})$"), types)


def _after(role: str, words: str, types: frozenset[str] = _ANY_TYPE) -> RolePattern:
    return RolePattern(role, re.compile(rf"(?: ?\([^()]*\))?(?:{words})"), types)


_BEFORE: Final = (
    _before(EXTENDS, rf"(?:extend|augment|adapt)(?:s|ing)? {_ARTICLE}(?:{_WORD} ){{0,3}}{_PAIR}"),
    _before(
        EXTENDS,
        rf"(?:generali[sz]|modif|subsum)(?:e|es|ing|y|ies|ying)(?: and \w+)? {_ARTICLE}(?:{_WORD}"
        rf" ){{0,3}}{_PAIR}",
    ),
    _before(
        EXTENDS,
        rf"(?:builds?|building|built|improv(?:es?|ing)) (?:directly )?(?:up)?on(?: top of| ideas"
        rf" from)? {_MODIFIERS}{_PAIR}",
        _ANY_TYPE - {MODEL},
    ),
    _before(
        EXTENDS,
        r"(?:an?|our|new|novel|the) (?:[\w-]+,? ){0,4}(?:variant|variation|version|extension"
        r"|generali[sz]ation"
        rf"|modification|adaptation|improvement|reformulation) (?:of|to|over) {_MODIFIERS}",
    ),
    _before(
        TRAINS_ON,
        rf"(?:pre-?)?train(?:ed|ing)?(?: \w+){{0,3}} on {_MODIFIERS}{_LIST}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        TRAINS_ON,
        rf"fine-?tun(?:e|ed|ing)(?: \w+){{0,3}} on {_MODIFIERS}{_LIST}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        COMPARES_TO, rf"^{_COMPARISON_OPENING} {_MODIFIERS}{_PAIR}{_MODIFIERS}", _METHOD_OR_MODEL
    ),
    _before(
        COMPARES_TO,
        rf"(?<=. ){_COMPARISON_OPENING} {_MODIFIERS}{_LIST}{_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(COMPARES_TO, rf"(?:{_COMPARISON}) {_MODIFIERS}{_LIST}{_MODIFIERS}", _METHOD_OR_MODEL),
    _before(
        EVALUATES_ON,
        r"(?:evaluat(?:e|ed|es|ing|ion|ions)|experiments?|tested|test|results|validated?"
        r"|benchmarked)"
        rf"(?: [\w-]+){{0,4}} (?:on|in|across) {_MODIFIERS}{_LIST}{_MODIFIERS}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        EVALUATES_ON, rf"performance on {_MODIFIERS}{_LIST}{_MODIFIERS}", _BENCHMARK_OR_DATASET
    ),
    _before(
        USES,
        rf"(?:we|agent|method|approach) (?:use|employ|adopt|utili[sz]e|leverage)s? {_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        USES,
        rf"(?:by|via|through) (?:prompting|querying|applying|using|leveraging|employing)"
        rf" {_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        USES,
        rf"(?:trained|optimi[sz]ed|fine-?tuned|updated|learned) (?:with|using|via|by) {_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(MENTIONS, rf"(?:{_NOT_NEEDED}){_MODIFIERS}"),
    _before(MENTIONS, rf"(?:{_POSSIBLE_USE}){_MODIFIERS}"),
    _before(
        MENTIONS,
        r"(?:inspired|motivated|inspiration) (?:by|from) (?:the )?(?:(?:recent |remarkable )?"
        r"(?:success(?:es)?"
        rf"|advances?|findings?|ideas|principles|progress|insights?) (?:of|in|from|on)"
        rf" )?{_MODIFIERS}",
    ),
    _before(
        MENTIONS,
        r"(?:commonly|widely|often|typically|frequently) (?:used|employed|adopted|applied) (?:in"
        r"|by|for) (?:\w+ )?"
        rf"(?:such as|like|including) {_MODIFIERS}{_PAIR}",
    ),
    _before(MENTIONS, rf"{_USED_BY_OTHERS} {_MODIFIERS}{_PAIR}{_MODIFIERS}"),
)
#: States after a name that others proposed it.
_PROPOSED_BY_OTHERS: Final = _after(
    MENTIONS,
    PROPOSED_BY_OTHERS,
)
_AFTER: Final = (
    _after(INTRODUCES, r",? (?:is|are) (?:an?|the first) (?:[\w-]+ ){0,2}?(?:new|novel)\b"),
    _after(INTRODUCES, r", (?:an?|the first|our) (?:[\w-]+,? ){0,2}?(?:new|novel)\b"),
)
_AFTER: Final = (
    _after(
        EXTENDS,
        r",? (?:is|are) (?:then |here )?(?:extended|modified|adapted|generali[sz]ed"
        r"|augmented)\b(?! by)",
    ),
    _after(
        USES,
        r",? (?:is|are) (?:then |here )?(?:used|employed|applied|adopted|utili[sz]ed"
        r"|leveraged)\b(?! by)",
    ),
    _after(
        MENTIONS,
        r",? (?:has|have) (?:recently |also )?(?:emerged|become|been (?:widely|the)|attracted"
        r"|drawn|gained)\b",
    ),
    _PROPOSED_BY_OTHERS,
    _after(
        COMPARES_TO,
        r",? (?:is|are) (?:clearly |also )?(?:outperformed|surpassed|beaten)\b",
        _METHOD_OR_MODEL,
    ),
    _after(
        COMPARES_TO,
        r"(?:-based)? baselines?\b| and (?:other )?(?:\w+ ){0,2}baselines",
        _METHOD_OR_MODEL,
    ),
    _after(
        COMPARES_TO,
        r"(?: [\w-]+){0,9} as (?:our |the |an? )?(?:[\w-]+ )?baselines?\b",
        _METHOD_OR_MODEL,
    ),
    _after(EXTENDS, r" as (?:an? )?(?:special|particular) cases?\b"),
)
#: What the title or text of a survey says.
_SURVEY: Final = re.compile(
    r"^.*\b(?:survey|review|overview|tutorial)\b|\b(?:this|our) (?:survey|review|tutorial)\b|\bwe "
    r"(?:survey|review)\b"
    r"|\b(?:comprehensive|systematic) (?:survey|review|overview)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PatternMatches:
    """The roles that a text states of an entity: by mention (a token span), and overall."""

    by_mention: dict[tuple[int, int], set[str]]
    roles: set[str]


def match_patterns(doc: Document, accepted: AcceptedEntity) -> PatternMatches:
    """Return the roles that the text states of the entity.

    "mentions" counts only if every mention in the abstract states it.
    """
    by_mention = {span: _roles_at(doc, span, accepted) for span in accepted.spans}
    in_body = [
        by_mention[span]
        for span in _mentions_outside_definitions(doc, accepted)
        if span[0] >= doc.title_tokens
    ]
    found = {role for roles in by_mention.values() for role in roles}
    return PatternMatches(
        by_mention, found if all(MENTIONS in roles for roles in in_body) else found - {MENTIONS}
    )


def _mentions_outside_definitions(doc: Document, accepted: AcceptedEntity) -> list[tuple[int, int]]:
    """Return the mentions, without short forms in brackets right after their long form."""
    ends = {last for _, last in accepted.spans}
    return [
        span
        for span in accepted.spans
        if not (span[0] - 1 in ends and doc.words[span[0] - 1] == "(")
    ]


def _roles_at(doc: Document, span: tuple[int, int], accepted: AcceptedEntity) -> set[str]:
    """Return the roles that the text states beside one mention, a token span."""
    before, after = context_around(doc, span)
    found = {INTRODUCES} if is_claimed(doc, span, accepted) else set[str]()
    if span[1] <= doc.title_tokens:
        return found
    found |= {
        rule.role for rule in _BEFORE if accepted.type in rule.types and rule.words.search(before)
    }
    return found | {
        rule.role for rule in _AFTER if accepted.type in rule.types and rule.words.match(after)
    }


def compile_template(template: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns before and after the placeholder `NAME` of a template.

    In `efficacy of NAME`, articles, a few adjectives and earlier members of a list may stand before
    the name. Raises `ValueError` if the template does not hold `NAME` exactly once, or holds
    nothing beside it.
    """
    left, placeholder, right = template.partition(NAME)
    if not placeholder or NAME in right or not (left.strip() or right.strip()):
        raise ValueError(f"{template!r}: write {NAME} once, and words beside it")
    between = f" {_LIST}{_ARTICLE}(?:{_WORD} ){{0,3}}" if left.endswith(" ") else ""
    before = rf"(?<![\w-])(?:{words_pattern(left.lower())}){between}$" if left.strip() else ""
    space = " ?" if right.startswith(" ") else ""
    after = (
        rf"(?: ?\([^()]*\))?{space}(?:{words_pattern(right.lower())})(?!\w)"
        if right.strip()
        else ""
    )
    return re.compile(before), re.compile(after)


@lru_cache(maxsize=1)
def is_survey(text: str) -> bool:
    """Return whether the text is that of a survey, which mostly mentions its entities."""
    return bool(_SURVEY.search(text))
