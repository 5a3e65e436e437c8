"""What a text says in so many words of a name, and the role that it tells.

Each rule is a pattern that ends right before a name or begins right behind it, inside the sentence.
Articles and adjectives may stand in between, and the earlier members of a list are looked through:
"we compare with A, B and C" says the same of all three.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from citekg.extractors.candidates.patterns import NAME, words_pattern
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.gold import TRAILING_HEADS
from citekg.extractors.nlp import Document
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
    """Words that tell a role of a name of one of these types, beside which they stand."""

    role: str
    words: re.Pattern[str]
    types: frozenset[str]


#: Words that neither a description nor a list of names holds: they begin something else.
_OTHER: Final = (
    r"(?:on|in|for|to|with|by|of|using|via|from|at|across|under|that|which|who|while|when|where|whose|without|through"
    r"|into|over|is|are|was|were|has|have|can|we|it|they|not|than|as|and|or|such|like|based|trained|towards?)\b"
)
_WORD: Final = rf"(?!{_OTHER})[^\s,;:()]+"
_ARTICLE: Final = r"(?:(?:the|an?|our|its|both|any|all|some|these|several|two|three|four|five) )?"
#: What a list gives examples of, and its earlier members.
_SUCH_AS: Final = rf"(?:(?:{_WORD} ){{0,5}}(?:such as|like|including|e\.g\.?,?|namely):? )?"
_MEMBER: Final = rf"{_ARTICLE}(?:{_WORD} ){{0,4}}{_WORD}(?: \([^()]*\))?"
_LIST: Final = rf"{_SUCH_AS}(?:{_MEMBER}(?:, and|, or|,| and| or) ){{0,7}}"
#: The same without commas: where a sentence opens with these words, a comma ends what they say.
_PAIR: Final = rf"{_SUCH_AS}(?:{_MEMBER}(?: and| or) )?"
_FEW: Final = (
    r"(?:(?:the|an?|our|its|both|any|explicit|extra|popular|standard|vanilla|original|existing|prior|strong|novel|new"
    r"|additional|expensive|costly|unstable|traditional|conventional|challenging|widely-used|well-known) )*"
)
#: What authors do with a thing that is new.
PROPOSE: Final = (
    r"(?:propos(?:e|es|ing)|introduc(?:e|es|ing)|present(?:s|ing)?|releas(?:e|es|ing)|develop(?:s|ing)?|design"
    r"|open-?sourc(?:e|es|ing)|devise|describes?|contributes?|construct(?:s|ing)?|curate|establish)(?: and \w+)?"
)
#: What authors do besides with data and benchmarks that are new.
MAKE: Final = (
    r"(?:build(?:s|ing)?|creat(?:e|es|ing)|collect(?:s|ing)?|provid(?:e|es|ing)|compil(?:e|es|ing)|offer(?:s|ing)?"
    r"|gather(?:s|ing)?|annotat(?:e|es|ing)|assembl(?:e|es|ing))(?: and \w+)?"
)
_AUTHORS: Final = (
    r"(?:we|this (?:paper|work|article|study|report)|our (?:paper|work)|here|by|and)"
    r"(?: (?:also|then|first|further|thus|therefore|hence|finally|next|instead))?"
)
_CALLED: Final = r"(?:,|, namely|,? called|,? named|,? dubbed|,? termed|,? denoted(?: as| by)?)"
_COMPARED: Final = (
    r"(?:compar(?:ed|ing) (?:to|with|against)|relative to|unlike|in contrast (?:to|with)|contrary to|different from)"
)
_WON: Final = (
    r"(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beat(?:s|ing)?|underperform(?:s|ed|ing)?"
    r"|(?:compare(?:d|s)?|comparing|comparisons?|superior|inferior|comparable) (?:favou?rably )?(?:to|with|against)"
    r"|competitive with|on par with|versus|vs\.?|against|(?:match|rival)(?:es|s|ed|ing)?(?: or \w+)?"
    r"|compar(?:es?|ed|ing) (?:[\w-]+ ){1,4}(?:to|with|against)"
    r"|(?:superiority|advantages?|improvements?|gains?) (?:[\w-]+ ){0,2}?over"
    r"|(?:better|worse|faster|higher|lower|stronger|cheaper|simpler) (?:\w+ ){0,3}?than)"
)
_DENIED: Final = (
    r"(?:(?:do|does|did) not|don.t|doesn.t|need not|(?<!and )without|no longer) "
    r"(?:(?:requir(?:e|ing)|need(?:ing)?|rely(?:ing)? on|depend(?:ing)? on|us(?:e|ing)|resort(?:ing)? to) )?"
    r"(?:the need for |the use of |training )?"
    r"|(?:needs?|requir(?:es?|ing)|with|uses?|there is) no |no need (?:for|of) |free of |instead of |rather than "
    r"|(?:remov|eliminat|obviat|sidestepp?|bypass|avoid)(?:e|es|s|ing) (?:the need (?:for|of) )?"
)
_PERHAPS: Final = (
    r"(?:may|might|could|can) (?:also |easily |later |naturally ){0,2}be (?:\w+ )?(?:extended|combined|applied"
    r"|integrated|ported|generali[sz]ed) (?:to|with|in|into|for) "
    r"|future (?:work|research|stud\w+|directions?) (?:\w+ ){0,6}"
)
_BY_OTHERS_BEFORE: Final = (
    r"(?:previous|prior|existing|current|traditional|conventional|earlier|recent|most|many) (?:[\w-]+ ){0,3}"
    r"(?:methods|approaches|works?|models|algorithms|systems|techniques|studies|research|efforts) (?:[\w-]+ ){0,2}?"
    r"(?:rel(?:y|ies) (?:heavily |mainly |solely |primarily )?(?:up)?on|uses?|employs?|depends? on|(?:are|is) based on)"
)
_ANY: Final = frozenset(TYPES)
_TOOLS: Final = frozenset({METHOD, MODEL})
_DATA: Final = frozenset({BENCHMARK, DATASET})


def _before(role: str, words: str, types: frozenset[str] = _ANY) -> RolePattern:
    return RolePattern(role, re.compile(rf"(?<![\w-])(?:{words})$"), types)


def _behind(role: str, words: str, types: frozenset[str] = _ANY) -> RolePattern:
    return RolePattern(role, re.compile(rf"(?: ?\([^()]*\))?(?:{words})"), types)


#: What says that a thing is new, right before its name; known names are new only where nothing stands in between.
_NEW: Final = (
    _before(INTRODUCES, rf"{_AUTHORS} {PROPOSE} (?:the )?"),
    _before(INTRODUCES, rf"{_AUTHORS} {PROPOSE} an? (?:{_WORD},? ){{0,6}}{_WORD}{_CALLED} "),
    _before(
        INTRODUCES, rf"{_AUTHORS} {MAKE} (?:an?|the (?:first|largest)) (?:{_WORD},? ){{0,6}}{_WORD}{_CALLED} ", _DATA
    ),
    _before(
        INTRODUCES,
        r"our (?:[\w-]+ ){0,3}(?:model|algorithm|method|approach|framework|system|agent|benchmark|dataset|library"
        r"|architecture|policy),? (?:called |named )?",
    ),
    _before(
        INTRODUCES,
        r"(?<!also )(?<!commonly )(?<!often )(?<!so )(?<!well )(?<!been )(?<!is )(?:called|named|dubbed|termed|coined"
        r"|titled|call (?:it|this|them|these)|name (?:it|this|them)|we (?:call|name|dub|term|coin)(?: [\w-]+){0,3}?"
        r"|refer(?:red)?(?: \w+){0,2}? as) (?:the )?",
    ),
)
_NEW_AND_DESCRIBED: Final = (
    _before(INTRODUCES, rf"{_AUTHORS} {PROPOSE} {_ARTICLE}(?:{_WORD},? ){{0,6}}?(?:called |named |namely )?"),
    _before(INTRODUCES, rf"{_AUTHORS} {MAKE} (?:an?|the (?:first|largest)) (?:{_WORD},? ){{0,4}}", _DATA),
    _before(INTRODUCES, rf"our (?:(?:new|novel|proposed) (?:{_WORD},? ){{0,4}})?"),
    _before(INTRODUCES, rf"{_AUTHORS} {PROPOSE} {_ARTICLE}(?:{_WORD} ){{0,4}}{_WORD}(?: \([^()]*\))? and "),
    _before(INTRODUCES, r"(?:resulting in|(?:evaluate|call|name) the resulting|yielding) (?:the )?"),
)
_BEFORE: Final = (
    _before(EXTENDS, rf"(?:extend|augment|adapt)(?:s|ing)? {_ARTICLE}(?:{_WORD} ){{0,3}}{_PAIR}"),
    _before(
        EXTENDS,
        rf"(?:generali[sz]|modif|subsum)(?:e|es|ing|y|ies|ying)(?: and \w+)? {_ARTICLE}(?:{_WORD} ){{0,3}}{_PAIR}",
    ),
    _before(
        EXTENDS,
        rf"(?:builds?|building|built|improv(?:es?|ing)) (?:directly )?(?:up)?on(?: top of| ideas from)? {_FEW}{_PAIR}",
        _ANY - {MODEL},
    ),
    _before(
        EXTENDS,
        r"(?:an?|our|new|novel|the) (?:[\w-]+,? ){0,4}(?:variant|variation|version|extension|generali[sz]ation"
        rf"|modification|adaptation|improvement|reformulation) (?:of|to|over) {_FEW}",
    ),
    _before(TRAINS_ON, rf"(?:pre-?)?train(?:ed|ing)?(?: \w+){{0,3}} on {_FEW}{_LIST}", _DATA),
    _before(TRAINS_ON, rf"fine-?tun(?:e|ed|ing)(?: \w+){{0,3}} on {_FEW}{_LIST}", _DATA),
    _before(COMPARES_TO, rf"^{_COMPARED} {_FEW}{_PAIR}{_FEW}", _TOOLS),
    _before(COMPARES_TO, rf"(?<=. ){_COMPARED} {_FEW}{_LIST}{_FEW}", _TOOLS),
    _before(COMPARES_TO, rf"(?:{_WON}) {_FEW}{_LIST}{_FEW}", _TOOLS),
    _before(
        EVALUATES_ON,
        r"(?:evaluat(?:e|ed|es|ing|ion|ions)|experiments?|tested|test|results|validated?|benchmarked)"
        rf"(?: [\w-]+){{0,4}} (?:on|in|across) {_FEW}{_LIST}{_FEW}",
        _DATA,
    ),
    _before(EVALUATES_ON, rf"performance on {_FEW}{_LIST}{_FEW}", _DATA),
    _before(USES, rf"(?:we|agent|method|approach) (?:use|employ|adopt|utili[sz]e|leverage)s? {_FEW}", _TOOLS),
    _before(USES, rf"(?:by|via|through) (?:prompting|querying|applying|using|leveraging|employing) {_FEW}", _TOOLS),
    _before(USES, rf"(?:trained|optimi[sz]ed|fine-?tuned|updated|learned) (?:with|using|via|by) {_FEW}", _TOOLS),
    _before(MENTIONS, rf"(?:{_DENIED}){_FEW}"),
    _before(MENTIONS, rf"(?:{_PERHAPS}){_FEW}"),
    _before(
        MENTIONS,
        r"(?:inspired|motivated|inspiration) (?:by|from) (?:the )?(?:(?:recent |remarkable )?(?:success(?:es)?"
        rf"|advances?|findings?|ideas|principles|progress|insights?) (?:of|in|from|on) )?{_FEW}",
    ),
    _before(
        MENTIONS,
        r"(?:commonly|widely|often|typically|frequently) (?:used|employed|adopted|applied) (?:in|by|for) (?:\w+ )?"
        rf"(?:such as|like|including) {_FEW}{_PAIR}",
    ),
    _before(MENTIONS, rf"{_BY_OTHERS_BEFORE} {_FEW}{_PAIR}{_FEW}"),
)
#: What says behind a name that others came up with it.
_BY_OTHERS: Final = _behind(
    MENTIONS, r",? (?:was|were|(?:has|have) been) (?:\w+ )?(?:proposed|introduced|suggested)\b(?! here)"
)
#: What says so behind the name, of names that are not known.
_NEW_BEHIND: Final = (
    _behind(INTRODUCES, r",? (?:is|are) (?:an?|the first) (?:[\w-]+ ){0,2}?(?:new|novel)\b"),
    _behind(INTRODUCES, r", (?:an?|the first|our) (?:[\w-]+,? ){0,2}?(?:new|novel)\b"),
)
_BEHIND: Final = (
    _behind(
        INTRODUCES,
        r",? (?:is|are) (?:then |here )?(?:proposed|introduced|presented|released|developed)\b(?! by)",
    ),
    _behind(EXTENDS, r",? (?:is|are) (?:then |here )?(?:extended|modified|adapted|generali[sz]ed|augmented)\b(?! by)"),
    _behind(USES, r",? (?:is|are) (?:then |here )?(?:used|employed|applied|adopted|utili[sz]ed|leveraged)\b(?! by)"),
    _behind(
        MENTIONS, r",? (?:has|have) (?:recently |also )?(?:emerged|become|been (?:widely|the)|attracted|drawn|gained)\b"
    ),
    _BY_OTHERS,
    _behind(COMPARES_TO, r",? (?:is|are) (?:clearly |also )?(?:outperformed|surpassed|beaten)\b", _TOOLS),
    _behind(COMPARES_TO, r"(?:-based)? baselines?\b| and (?:other )?(?:\w+ ){0,2}baselines", _TOOLS),
    _behind(COMPARES_TO, r"(?: [\w-]+){0,9} as (?:our |the |an? )?(?:[\w-]+ )?baselines?\b", _TOOLS),
    _behind(EXTENDS, r" as (?:an? )?(?:special|particular) cases?\b"),
)
#: What a paper that only reports on the work of others calls itself.
_SURVEY: Final = re.compile(
    r"^.*\b(?:survey|review|overview|tutorial)\b|\b(?:this|our) (?:survey|review|tutorial)\b|\bwe (?:survey|review)\b"
    r"|\b(?:comprehensive|systematic) (?:survey|review|overview)\b",
    re.IGNORECASE,
)
#: How a title says that the thing is its own: "Kite: a planner", "Kite Search (KS): a planner".
_TITLE: Final = re.compile(r"(?: ?\([^()]*\))? ?:\s|$")
#: Short names of whole fields, which make no name of an algorithm or a model.
_FIELDS: Final = frozenset("RL DRL MARL IL LLM LLMs VLM MLLM AI ML NLP Deep Offline Online".split())
#: What stands behind words that only tell the kind of a new thing: "a PPO-based planner", "a search called Kite".
_KIND: Final = re.compile(r"-|,? (?:called|named|dubbed|termed|namely|coined|which we (?:call|name|term))\b")
_A_NEW: Final = re.compile(r"\b(?:an?|new|novel|simple|efficient|general) $")
_LOOK_BACK: Final = 200
_LOOK_AHEAD: Final = 160


def context_around(doc: Document, span: tuple[int, int]) -> tuple[str, str]:
    """The words of the sentence before and behind a token span, in lower case, without quotes or emphasis."""
    low, high = doc.sentences[doc.sentence_of[span[0]]]
    before = _plain(doc.text[doc.starts[low] : doc.starts[span[0]]])
    behind = _plain(doc.text[doc.ends[span[1] - 1] : doc.ends[high - 1]])
    return before[-_LOOK_BACK:], behind[:_LOOK_AHEAD]


def _plain(text: str) -> str:
    """The text in lower case with single spaces and no quotes or emphasis."""
    return re.sub(r"\s+", " ", re.sub(r"[\"“”'`*_{}$~]|\\(?:em|it|textit|textbf)\b", "", text.lower()))


@dataclass(frozen=True)
class PatternMatches:
    """The roles that a text tells of an entity in so many words: beside each mention, by its token span, and in all."""

    by_mention: dict[tuple[int, int], set[str]]
    roles: set[str]


def match_patterns(doc: Document, chosen: AcceptedEntity) -> PatternMatches:
    """What the text tells of the entity; that it is a mere mention counts only if every mention says so."""
    beside = {span: _roles_at(doc, span, chosen) for span in chosen.spans}
    in_body = [beside[span] for span in _mentions_outside_definitions(doc, chosen) if span[0] >= doc.title_tokens]
    found = {role for roles in beside.values() for role in roles}
    return PatternMatches(beside, found if all(MENTIONS in roles for roles in in_body) else found - {MENTIONS})


def _mentions_outside_definitions(doc: Document, chosen: AcceptedEntity) -> list[tuple[int, int]]:
    """The mentions, but for short forms in brackets right behind their long form."""
    ends = {last for _, last in chosen.spans}
    return [span for span in chosen.spans if not (span[0] - 1 in ends and doc.words[span[0] - 1] == "(")]


def _roles_at(doc: Document, span: tuple[int, int], chosen: AcceptedEntity) -> set[str]:
    """The roles that the text tells beside this mention, a token span."""
    before, behind = context_around(doc, span)
    if span[1] <= doc.title_tokens:
        found = {INTRODUCES} if not before.strip() and _TITLE.match(behind) else set[str]()
    else:
        known = any(c.entry is not None for c in chosen.candidates)
        ahead = (*_BEFORE, *_NEW) if known else (*_BEFORE, *_NEW, *_NEW_AND_DESCRIBED)
        after = _BEHIND if known else (*_BEHIND, *_NEW_BEHIND)
        found = {rule.role for rule in ahead if chosen.type in rule.types and rule.words.search(before)}
        found |= {rule.role for rule in after if chosen.type in rule.types and rule.words.match(behind)}
    is_kind = _KIND.match(behind) or (_A_NEW.search(before) and _is_plain(doc, span))
    not_new = is_kind or is_generic(doc, chosen) or _BY_OTHERS.words.match(behind)
    return found - {INTRODUCES} if not_new else found


def compile_template(template: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns before and behind a name that stands as `NAME` in words such as `efficacy of NAME`.

    Articles, a few adjectives and the earlier members of a list may stand before the name. Raises `ValueError`
    where the template has no such place, or nothing beside it.
    """
    left, mark, right = template.partition(NAME)
    if not mark or NAME in right or not (left.strip() or right.strip()):
        raise ValueError(f"{template!r}: write {NAME} once, and words beside it")
    between = f" {_LIST}{_ARTICLE}(?:{_WORD} ){{0,3}}" if left.endswith(" ") else ""
    before = rf"(?<![\w-])(?:{words_pattern(left.lower())}){between}$" if left.strip() else ""
    space = " ?" if right.startswith(" ") else ""
    behind = rf"(?: ?\([^()]*\))?{space}(?:{words_pattern(right.lower())})(?!\w)" if right.strip() else ""
    return re.compile(before), re.compile(behind)


@lru_cache(maxsize=1)
def is_survey(text: str) -> bool:
    """Whether a paper's text reports on the work of others, so that what it names it mostly mentions."""
    return bool(_SURVEY.search(text))


def is_generic(doc: Document, chosen: AcceptedEntity) -> bool:
    """Whether the entity is a technique that goes by plain words, so that what is new is a kind of it."""
    if any(c.entry is not None for c in chosen.candidates):
        return any(c.entry is not None and c.entry.name.islower() for c in chosen.candidates)
    return all(_is_described(doc, span) or _is_plain(doc, span) for span in chosen.spans)


def _is_described(doc: Document, span: tuple[int, int]) -> bool:
    """Whether a name is plain words that end in what kind of thing it is: "pruning method", "RL algorithm"."""
    words = doc.words[span[0] : span[1]]
    return words[-1].lower() in TRAILING_HEADS and all(
        word.islower() or word in _FIELDS or word == "-" for word in words
    )


def _is_plain(doc: Document, span: tuple[int, int]) -> bool:
    """Whether a name is plain words before what kind of thing it is: "an iterative pruning framework"."""
    behind = doc.lower[span[1]] if span[1] < len(doc.lower) else ""
    return doc.span_text(*span).islower() and behind in TRAILING_HEADS
