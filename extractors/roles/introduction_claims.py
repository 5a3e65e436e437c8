"""Claims of introduction: statements of the text that a name is new in this paper.

A pattern ends right before a name or begins right after it, inside the sentence. The
proposed entity must be the name itself, not a phrase that it modifies ("a Kite-based planner").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.prefiltered_pattern import PrefilteredPattern
from citekg.extractors.roles.needed_words import Rule, RuleIndex
from citekg.extractors.roles.phrases import ARTICLE, WORD
from citekg.extractors.wording.context import MAX_KEPT_TEXTS, context_around
from citekg.extractors.wording.head_nouns import TRAILING_HEADS
from citekg.extractors.wording.non_entities import RESEARCH_FIELDS
from citekg.extractors.wording.verbs import CHANGED, CHANGED_STEMS, MAKE, OUTPERFORM, PROPOSE
from citekg.schemas.vocabulary import BENCHMARK, DATASET, TYPES

_ANY_TYPE: Final = frozenset(TYPES)
_BENCHMARK_OR_DATASET: Final = frozenset({BENCHMARK, DATASET})
_METHOD_OR_MODEL: Final = _ANY_TYPE - _BENCHMARK_OR_DATASET
_AUTHORS: Final = (
    r"(?:we|i|this (?:paper|work|article|study|report)|our (?:paper|work)|here|by|and)"
    r"(?: (?:also|then|first|further|thus|therefore|hence|finally|next|instead))?"
)
_CALLED: Final = (
    r"(?:,|,? namely,?|,? i\.e\.,?|,? called|,? named|,? dubbed|,? termed|,? coined"
    r"|,? denoted(?: as| by)?)"
)
#: Words that describe what is proposed. A verb among them begins another statement.
_VERB: Final = (
    r"(?:us|extend|combin|integrat|leverag|adopt|employ|improv|outperform|achiev|show|appl|"
    r"incorporat|generali[sz]|modif|analy[sz]|stud)(?:e|es|s|y|ies|ing)?\b"
)
_DESCRIPTION: Final = rf"(?:(?!{_VERB}){WORD},? )"
_BY_US: Final = r"(?:we|this (?:paper|work|study)) (?:\w+ly )?(?:have )?(?:also |then )?(?:first )?"
#: The past tense, which counts only for the authors' own work.
_PROPOSED: Final = r"(?:proposed|introduced|presented|developed|designed|devised)"
_MADE: Final = rf"(?:{_PROPOSED}|released|constructed|formulated)"


def _before(words: str, needed: Sequence[str], types: frozenset[str] = _ANY_TYPE) -> Rule:
    return Rule(re.compile(rf"(?<![\w-])(?:{words})$"), types, tuple(needed))


def _after(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?: ?\([^()]*\))?(?:{words})")


#: Participles that name something, with the text after them up to the name.
_NAMED: Final = (
    r"(?:called|named|dubbed|termed|coined|titled|denoted as|referred(?: \w+){0,2}? as) (?:the )?"
)
#: Parts of words of which one occurs in each text with such a participle, with a form of `PROPOSE`
#: or `_PROPOSED`, or with one of `MAKE`.
_NAMING: Final = ("called", "named", "dubbed", "termed", "coined", "titled", "denoted", "referred")
_PROPOSAL: Final = tuple(
    "propos introduc present releas develop design sourc devis describ contribut construct curat"
    " establish".split()
)
_MAKING: Final = tuple("build creat collect provid compil offer gather annotat assembl".split())
#: Nouns that state the kind of what is proposed.
_KIND: Final = (
    r"(?:model|algorithm|method|approach|framework|system|agent|benchmark|dataset|library|policy"
    r"|architecture|network|module|mechanism|strategy|block|loss|scheme|technique|layer|pipeline"
    r"|controller|descriptor|planner|solver|tool|toolkit|variant|metric)"
)
#: Numbers and adjectives that announce the names of several new entities.
_SEVERAL: Final = r"(?:two|three|four|five|six|several|novel|new|\d)"
#: An article, or the mark of a member of an enumeration: "1)", "(b) a".
_MARKED: Final = r"(?:an? |the |[(\[]?(?:\d|i+|[a-d])[)\].] ?)*"
#: Nouns that state the kind of what implements the authors' ideas.
_TOOL: Final = (
    r"(?:tool|prototype|system|framework|library|package|plug-?in|toolkit|solver|compiler)"
)
#: Verbs with the parts of what is proposed, which are new, too, and nouns that state their kind.
_COMPOSED: Final = r"(?:consist(?:s|ing)? of|compris(?:es|ing)|(?:made up|composed) of)"
_COMPOSITION: Final = ("consist", "compris", "made", "composed")
_PART: Final = (
    r"(?:module|component|part|network|sub-?network|branche?|stage|block|stream|step|strateg(?:ie|y)"
    r"|losse?|term|mechanism|technique)"
)
#: Words that must not occur between "our" and the noun that it belongs to.
_NO_PREPOSITION: Final = r"(?!(?:on|of|in|for|with|by|from|to)\b)"
#: Claims right before a name, for all names.
_BEFORE: Final = (
    _before(rf"(?:{_AUTHORS} {PROPOSE}|{_BY_US}{_PROPOSED}) (?:the )?", _PROPOSAL),
    _before(rf"{_AUTHORS} {PROPOSE} an? {_DESCRIPTION}{{0,12}}{WORD}{_CALLED} ", _PROPOSAL),
    _before(
        rf"{_AUTHORS} (?:{PROPOSE}|{MAKE}) (?:two|three|four|five|\d) [^.;:]{{3,90}}: "
        r"(?:[^.;:]{1,70}?(?:,|,? and) )?",
        (*_PROPOSAL, *_MAKING),
    ),
    _before(
        rf"{_AUTHORS} {PROPOSE} [^.;:]{{3,120}}?,? (?:i\.e\.|namely),? (?:the |an? )?", _PROPOSAL
    ),
    _before(
        rf"{_AUTHORS} {MAKE} (?:an?|the (?:first|largest)) {_DESCRIPTION}{{0,6}}{WORD}{_CALLED} ",
        _MAKING,
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        rf"our (?:{_NO_PREPOSITION}{WORD} ){{0,3}}(?:model|algorithm|method|approach|framework"
        r"|system|agent|benchmark|dataset|library|architecture|policy),? (?:called |named )?",
        ("our",),
    ),
    _before(rf"{_AUTHORS} {PROPOSE} (?:an?|the) {_DESCRIPTION}{{0,8}}{_KIND} ", _PROPOSAL),
    _before(rf"{_AUTHORS} {PROPOSE} the {_DESCRIPTION}{{1,3}}", _PROPOSAL),
    _before(
        r"(?:call (?:it|this|them|these)|name (?:it|this|them)"
        r"|we (?:call|name|dub|term|coin)(?: [\w-]+){0,3}?|refer(?: \w+){0,4}? as) (?:the )?",
        ("call", "name", "dub", "term", "coin", "refer"),
    ),
    _before(
        rf"(?:\b(?:we|our|this (?:paper|work)|here)\b|\b{PROPOSE}|\b{_PROPOSED}).*{_NAMED}", _NAMING
    ),
    _before(
        rf"{_AUTHORS} {PROPOSE} an? (?:new|novel) {_DESCRIPTION}{{0,8}}{WORD}(?:,| -+| [—–]|:) ",
        _PROPOSAL,
    ),
)
#: Claims before a name outside the lexicon: words that describe it may come in between.
_BEFORE_UNKNOWN: Final = (
    _before(_NAMED, _NAMING),
    _before(rf"{_AUTHORS} deriv(?:e|es|ing) (?:the )?", ("deriv",)),
    _before(
        rf"(?:{_AUTHORS} {PROPOSE}|{_BY_US}{_PROPOSED}) {ARTICLE}{_DESCRIPTION}{{0,6}}?"
        r"(?:called |named |namely )?",
        _PROPOSAL,
    ),
    _before(
        rf"{_AUTHORS} {MAKE} (?:an?|the (?:first|largest)) {_DESCRIPTION}{{0,4}}",
        _MAKING,
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        rf"our (?:(?:new|novel|proposed) {_DESCRIPTION}{{0,4}})?|(?<!recently )(?<!previously )"
        rf"(?:the|and|with|of) (?:newly )?proposed {_DESCRIPTION}{{0,2}}",
        ("our", "proposed"),
    ),
    _before(
        rf"{_AUTHORS} {PROPOSE} {ARTICLE}{_DESCRIPTION}{{0,4}}{WORD}(?: \([^()]*\))?(?: {_KIND})?"
        rf",? and (?:an? |the )?{_DESCRIPTION}{{0,2}}",
        _PROPOSAL,
    ),
    _before(
        rf"{_COMPOSED} {_SEVERAL} (?:[\w-]+ ){{0,3}}{_PART}s?"
        r"(?:,? namely,?|:|, i\.e\.,?|,| -+| [—–])"
        rf" (?:[^.]{{1,120}}?(?:[,;]|,? and) )?{_MARKED}",
        _COMPOSITION,
        _METHOD_OR_MODEL,
    ),
    _before(
        r"(?:resulting in|(?:evaluate|call|name) the resulting|yielding) (?:the )?"
        rf"|the (?:resulting|resultant) (?:{WORD} ){{0,2}}{WORD}, (?:called |named )?",
        ("result", "yielding"),
    ),
    _before(
        rf"{_BY_US}(?:pre-?)?(?:train|fine-?tune)[^,.;:]* (?:on|with|using) [^.;:]{{3,80}}?,? "
        r"(?:to (?:obtain|get|yield|produce)|giving|obtaining|which (?:yields|gives|results in)"
        r"|leading to) (?:the |an? )?",
        ("train", "tune"),
    ),
    _before(rf"(?:novel|new) {_DESCRIPTION}{{0,3}}", ("novel", "new")),
    _before(
        rf"{_AUTHORS} (?:{PROPOSE}|{_PROPOSED}) [^.;:]{{3,150}}(?: -+| [—–]|:) {_MARKED}", _PROPOSAL
    ),
    _before(
        rf"{_AUTHORS} (?:{PROPOSE}|{MAKE}|{_PROPOSED}) (?:[\w-]+ ){{0,3}}?{_SEVERAL} "
        r"[^.;]{3,170}?(?::|, i\.e\.,?|,? namely,?|, including) (?:[^.]{1,120}?(?:[,;]|,? and) )?"
        rf"{_MARKED}",
        (*_PROPOSAL, *_MAKING),
    ),
    _before(
        r"(?:called|named|dubbed|termed|coined|titled|denoted|codenamed|abbreviated)(?: as|:)?"
        r" (?:an? |the )?",
        (*_NAMING, "codenamed", "abbreviated"),
    ),
    _before(
        rf"our (?:{_NO_PREPOSITION}[\w-]+ (?:\([^()]*\) )?){{0,5}}{_KIND}s?(?:,| [-—–]+)?"
        r"(?: (?:for|to) [^,.;]{3,60},)? |this (?:new |novel )?" + _KIND + ", ",
        ("our", "this"),
    ),
    _before(
        rf"(?:we|is|are|been) (?:\w+ )?implement(?:s|ed)? (?:[\w-]+ ){{0,6}}?(?:in|as|into) "
        rf"(?:an?|our) (?:[\w-]+ ){{0,4}}?{_TOOL}(?:,| -+| [–—]| \()? ",
        ("implement",),
    ),
    _before(r"https?://\S*/", ("http",)),
)
_CLAIMS_OF_KNOWN: Final = RuleIndex(_BEFORE)
CLAIMS: Final = RuleIndex((*_BEFORE, *_BEFORE_UNKNOWN))
#: A short form in brackets after the description of what is proposed: "we propose a new planner for
#: deep nets (Kite)". If a long form precedes the bracket, that one decides.
_BEFORE_BRACKETED: Final = PrefilteredPattern(
    rf"(?<![\w-])(?:(?:we|i|this (?:paper|work)) (?:\w+ ){{0,2}}?(?:{PROPOSE}|{_PROPOSED}) (?!to )"
    rf"(?:(?:an?|the) (?!variant|version|extension|modification))?|an? (?:new|novel) )"
    rf"(?:(?!{_VERB}|(?:based|that|which|of|and)\b)[^\s;:()]+ ){{1,14}}\($",
    ("(",),
)
#: What is the authors' own, before its name in an apposition: "our storage engine, Kite,".
_BEFORE_APPOSED: Final = re.compile(
    rf"(?:^|[,;] |\b(?:that|and|while|then) )our (?:{_NO_PREPOSITION}{WORD} ){{0,4}}?"
    rf"{_NO_PREPOSITION}{WORD}, (?:called |named )?$"
)
#: A sentence about the design of what the text defines before: "in Kite, we design a reward".
_DESIGNED_IN: Final = re.compile(rf"in ,? ?we (?:first |then |further )?(?:{PROPOSE}|formulate)\b")
#: A part of what is proposed, which counts only if the text defines its name: "the planner consists
#: of a Kite Encoder (KE)".
_BEFORE_PART: Final = re.compile(
    rf"(?<![\w-]){_COMPOSED} (?:[^.;]{{1,120}}?(?:,|,? and) )?an? {_DESCRIPTION}{{0,2}}$"
)
_AFTER: Final = (
    _after(
        r",? (?:is|are) (?:then |here )?(?:proposed|introduced|presented|released|developed"
        r"|designed)\b(?! by)",
    ),
)
#: Text that must not precede the subject of a passive claim: "a solver for Kite is presented".
_OBJECT: Final = re.compile(
    rf"(?<![\w-])(?:of|for|with|by|via|using|to|from|on) (?:the |an? )?(?:{WORD} ){{0,2}}$"
)
#: Claims after a name outside the lexicon, also past the noun that states its kind.
_AFTER_UNKNOWN: Final = (
    _after(rf" {_KIND},? (?:is|are) (?:\w+ ){{0,2}}?{_MADE}\b(?! by| (?:up)?on)"),
    _after(
        rf",? and (?:an? |the )?(?:{WORD} ){{1,7}}(?:\([^()]*\) )?are (?:\w+ )?{_MADE}\b(?! by)"
    ),
    _after(r",? (?:is|are) (?:an?|the first) (?:[\w-]+ ){0,2}?(?:new|novel)\b"),
    _after(r", (?:an?|the first|our) (?:[\w-]+,? ){0,2}?(?:new|novel)\b"),
    _after(rf", our (?:{_NO_PREPOSITION}[\w-]+ ){{0,3}}[\w-]+(?:,|\.|$)"),
    _after(
        r"(?: data ?set| benchmark| corpus| suite)?,? which we (?:will )?(?:also )?"
        r"(?:make (?:\w+ly )?available|release|publish|share|open-source)"
    ),
)
#: The second of two new names, each with an apposition: "we propose Kite, a planner, and Heron, a".
_SECOND: Final = re.compile(
    rf"(?:{_AUTHORS} (?:{PROPOSE}|{_PROPOSED})|our (?:[\w-]+ ){{0,3}}(?:\w+s|two|new)(?::| are))"
    r" [^.;]{3,200},? and (?:an? |the )?$"
)
_APPOSITION: Final = re.compile(r"(?: ?\([^()]*\))?, (?:an?|the first|which) ")
#: Text after a name that others proposed.
PROPOSED_BY_OTHERS: Final = (
    r",? (?:was|were|(?:has|have) been) (?:\w+ )?(?:proposed|introduced|suggested)\b(?! here)"
)
#: Naming that is not the authors' own: "sometimes called Kite".
_NAMED_BY_OTHERS: Final = PrefilteredPattern(
    r"\b(?:also|commonly|often|sometimes|usually|typically|frequently|generally|widely|previously"
    r"|formerly|traditionally|popularly|so|well|been|is|are|what|is also|are also)[ -](?:called"
    r"|named|dubbed|termed|coined|titled|known as|refer(?:red)?(?: \w+){0,2}? as) (?:the )?$",
    ("called", "named", "dubbed", "termed", "coined", "titled", "known as", "refer"),
)
#: Attributes of established work, which the authors only adopt: "two well-known planners, namely
#: Kite".
_KNOWN_KIND: Final = (
    r"(?:well-(?:known|accepted|established|studied)|existing|popular|standard|commonly used"
    r"|widely[ -]used|state-of-the-art)"
)
_CLASSIC: Final = r"class(?:ic|ical)|traditional"
_KNOWN_ATTRIBUTE: Final = rf"{_KNOWN_KIND}|{_CLASSIC}|conventional|previous|prior|vanilla|original"
_NAMED_KIND: Final = PrefilteredPattern(
    rf"(?:\b(?:an?|the|two|three|four|several|some|using|of|by|via|with|like)|,) {_KNOWN_KIND}"
    rf" [^,.;:]{{3,80}}?(?:,? namely,? |,? {_NAMED})$"
    rf"|\b(?:has|have) (?:also |recently |been )*used\b[^,.;:]*{_NAMED}$",
    ("namely", *_NAMING),
)
#: Text after a name that others gave, or after one that the authors integrate into something else.
_KNOWN_AFTER: Final = re.compile(
    r"(?: ?\([^()]*\))? (?:(?:is|are) (?:well |already |widely )?known\b|into\b)"
)
#: Text right before a name that others gave: "existing Kite methods".
_KNOWN_BEFORE: Final = re.compile(rf"(?<![\w-])(?:{_KNOWN_ATTRIBUTE}) $")
_OTHERS_BEFORE: Final = PrefilteredPattern(
    r"\bet al\b|\b(?:19|20)\d\d[a-z]?[)\]]? (?:propos|introduc|develop|present|show|suggest)"
    r"|\b(?:recently|previously|originally)[ -](?:been )?(?:proposed|introduced|developed"
    r"|suggested|published)|\bso-called (?:\w+ ){0,2}$",
    ("et al", "19", "20", "recently", "previously", "originally", "so-called"),
)
#: Text right before a name that the authors change: "a modified Kite".
_CHANGED_BEFORE: Final = PrefilteredPattern(
    rf"(?<![\w-])(?:an?|our|the) (?:[\w-]+ )?{CHANGED} $", CHANGED_STEMS
)
#: A predicate that calls a name known: "is a recently proposed planner", "are widely used".
_CALLED_KNOWN: Final = (
    r",? (?:is|are) (?:(?:an?|the|one of the|among the) )?(?:most )?"
    r"(?:(?:recently|previously|originally|widely|commonly|frequently|well|often|typically|usually"
    r"|extensively)[- ](?:proposed|introduced|developed|used|known|studied|established|adopted"
    rf"|employed|accepted|applied)|(?:[\w-]+ )?(?:popular|standard|{_CLASSIC}|prominent"
    r"|ubiquitous))\b"
)
#: Text right before an example or a rival: "planners such as Kite", "faster than Kite".
_EXAMPLE_OR_RIVAL: Final = PrefilteredPattern(
    rf"(?<![\w-])(?:such as|like|e\.g\.,?|than|over|{OUTPERFORM}) (?:the )?$",
    ("such as", "like", "e.g.", "than", "over", "outperform", "surpass", "exceed"),
)
_OTHERS_AFTER: Final = re.compile(
    rf"(?: ?\([^()]*\))?(?:{PROPOSED_BY_OTHERS}|{_CALLED_KNOWN}"
    r"|,? (?:has|have) (?:recently |also )?(?:emerged|become|been (?:widely|extensively|the)"
    r"|gained|received|shown|achieved (?:[\w-]+ ){0,2}(?:success|progress|popularity))\b)"
    r"|.*\b(?:attracted|drawn) (?:much|great|considerable|significant|increasing|a lot of)"
)
#: A citation after a name: "Kite (Moore, 1994)".
_CITED: Final = re.compile(r" ?(?:\([^()]*\) ?)?[(\[][^()\[\]]*\b(?:19|20)\d\d[a-z]?\b[^()]*[)\]]")
#: Text after a name that the title introduces: "Kite: a planner", "Kite Search (KS): a planner".
_TITLE_END: Final = re.compile(r"(?: ?\([^()]*\))? ?:\s|$")
#: Text of a title after a task, before the proposed means: "Marsh Counting via Kite".
_MEANS: Final = re.compile(r"(?: ?\([^()]*\))? (?:via|through|by|using|with)\b")
#: A title of a study of something known: "Kite: General Analysis and Improved Rates".
_STUDY: Final = re.compile(
    r"(?: ?\([^()]*\))? ?:\s(?:[\w-]+ ){0,3}?(?:analys[ie]s|rates?|bounds?|convergence|theory"
    r"|complexity|guarantees?|stud(?:y|ies)|survey|review|overview|perspective|revisited|limits?"
    r"|characteri[sz]ation|understanding|lessons?)(?: (?:of|and|for|under|with|in|on|from)\b|,|$)"
)
#: Text that makes a name the modifier of another: "a Kite-based planner", "Kite Search (KS)-based".
_MODIFIER: Final = re.compile(r"(?: ?\([^()]*\))?(?:-| based\b| style\b)")
#: Text after a name that only states the kind of a new entity: "a search called Kite".
_KIND_AFTER: Final = re.compile(
    r",? (?:called|named|dubbed|termed|namely|coined|which we (?:call|name|term))\b"
)
#: Words of at most this length may be in lower case in a name that is written out ("of", "the").
_MAX_LOWER_CASE_LENGTH: Final = 3
#: Maximum number of words of a generic name outside the lexicon.
_MAX_GENERIC_WORDS: Final = 2
#: A name of parts that a hyphen joins, one of them an acronym: "KITE-MCTS".
_COMPOUND_ACRONYM: Final = re.compile(r"\w*[A-Z]{2}\w*-\w*[A-Z]\w*|\w*[A-Z]\w*-\w*[A-Z]{2}\w*")
#: Text before a framework of which something else is a part: "within Kite".
_WITHIN: Final = PrefilteredPattern(
    r"(?<![\w-])(?:within|inside|under) (?:the |an? )?$", ("within", "inside", "under")
)
_INDEFINITE: Final = re.compile(rf"\ban? (?:(?!{_NAMED})[\w-]+ ){{0,3}}$")
_KIND_BEFORE: Final = re.compile(r"\b(?:an?|new|novel|simple|efficient|general) $")
#: An apposition, which states the kind of a new name: "we propose Kite, a Heron Search planner".
_APPOSED: Final = re.compile(
    rf"(?:{PROPOSE}|{_PROPOSED}) (?:the )?[^\s,;:()]+(?: \([^()]*\))?, an? (?:{WORD} ){{0,4}}$"
)
_THE: Final = re.compile(r"\bthe (?:new )?$|\b(?:called|named|dubbed|termed|coined|our) (?:the )?$")


def is_claimed(doc: Document, span: tuple[int, int], accepted: AcceptedEntity) -> bool:
    """Return whether the text next to one mention claims the introduction of the entity."""
    before, after = context_around(doc, span)
    if is_generic(doc, accepted) or _names_a_kind(doc, span, accepted, before, after):
        return False
    if span[1] <= doc.title_tokens:
        return not before.strip() and bool(_TITLE_END.match(after)) and not _STUDY.match(after)
    if _is_of_others(before, after) or (
        accepted.is_known and _is_instance(doc, span, before, after)
    ):
        return False
    is_known = accepted.is_known
    left = (_CLAIMS_OF_KNOWN if is_known else CLAIMS).possible(before)
    right = _AFTER if is_known else (*_AFTER, *_AFTER_UNKNOWN)
    return (
        any(accepted.type in c.types and c.words.search(before) for c in left)
        or (any(words.match(after) for words in right) and not _OBJECT.search(before))
        or (not is_known and _is_claimed_around(span, accepted, before, after))
    )


def _is_of_others(before: str, after: str) -> bool:
    """Return whether the text next to a name states that it is not the authors' own."""
    return bool(
        _NAMED_BY_OTHERS.search(before)
        or _NAMED_KIND.search(before)
        or _is_known_after(after)
        or _KNOWN_AFTER.match(after)
        or _CITED.match(after)
        or (_CHANGED_BEFORE.search(before) and not after.startswith(" ("))
    )


def _is_instance(doc: Document, span: tuple[int, int], before: str, after: str) -> bool:
    """Return whether a known multi-word name denotes its instances: "Kite filters are designed".

    "A Kite filter is proposed" and "Kite filters" are about new filters of that kind. A plural that
    is defined there is a name.
    """
    words = doc.span_text(*span).split()
    is_defined = after.lstrip().startswith("(")
    is_plural = words[-1].islower() and words[-1].endswith("s") and not is_defined
    return len(words) > 1 and (is_plural or bool(_INDEFINITE.search(before)))


def _is_claimed_around(
    span: tuple[int, int], accepted: AcceptedEntity, before: str, after: str
) -> bool:
    """Return whether the text on both sides of an unknown name claims its introduction."""
    is_defined = len(accepted.candidates) > 1
    return (
        _is_bracketed_claim(span, accepted, before)
        or _is_defined_part(accepted, before, after)
        or bool(_APPOSITION.match(after) and _SECOND.search(before))
        or (after.startswith((",", " (")) and bool(_BEFORE_APPOSED.search(before)))
        or (is_defined and bool(_DESIGNED_IN.match(before + after)))
    )


def _is_bracketed_claim(span: tuple[int, int], accepted: AcceptedEntity, before: str) -> bool:
    is_after_long_form = any(last == span[0] - 1 for _, last in accepted.spans)
    return not is_after_long_form and bool(_BEFORE_BRACKETED.search(before))


def _is_defined_part(accepted: AcceptedEntity, before: str, after: str) -> bool:
    """Return whether the text names a part of what it proposes, and defines the name there."""
    is_method = accepted.type not in _BENCHMARK_OR_DATASET
    return is_method and after.startswith(" (") and bool(_BEFORE_PART.search(before))


@lru_cache(maxsize=MAX_KEPT_TEXTS)
def _is_known_after(after: str) -> bool:
    """Return whether the text after a name states that others proposed it, or that it is known."""
    return _OTHERS_AFTER.match(after) is not None


def is_about_others(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether the sentence reports the work of others next to a mention."""
    before, after = context_around(doc, span)
    return bool(_OTHERS_BEFORE.search(before) or _is_known_after(after))


def is_widespread(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether the text next to a mention states that others proposed it or use it."""
    before, after = context_around(doc, span)
    return bool(_is_known_after(after) or _KNOWN_BEFORE.search(before))


def is_example_or_rival(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether the text gives a mention as an example, or compares something with it."""
    return bool(_EXAMPLE_OR_RIVAL.search(context_around(doc, span)[0]))


def _names_a_kind(
    doc: Document, span: tuple[int, int], accepted: AcceptedEntity, before: str, after: str
) -> bool:
    """Return whether the mention only states the kind of something else, which may be new."""
    if _MODIFIER.match(after) or _KIND_AFTER.match(after) or _WITHIN.search(before):
        return True
    if _is_plain(doc, span) and _KIND_BEFORE.search(before):
        return True
    return span[1] > doc.title_tokens and _modifies_a_head(doc, span, accepted, before)


def _modifies_a_head(
    doc: Document, span: tuple[int, int], accepted: AcceptedEntity, before: str
) -> bool:
    """Return whether the name only modifies the noun after it: "a nested Kite algorithm".

    "The Kite algorithm" is Kite, and so is a name that is written out here or heads the title: "a
    new Patient Heron Search algorithm". In an apposition to another name, it states the kind.
    """
    following = doc.words[span[1]] if span[1] < len(doc.words) else ""
    if following.lower() not in TRAILING_HEADS or _THE.search(before):
        return False
    if not accepted.is_known and (_is_written_out(doc, span) or _is_compound_acronym(doc, span)):
        return _APPOSED.search(before) is not None
    return not any(
        first == 0 and not _MEANS.match(context_around(doc, (first, last))[1])
        for first, last in accepted.spans
    )


def _is_written_out(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether a name has several words, all capitalised except short ones."""
    words = [word for word in doc.words[slice(*span)] if len(word) > _MAX_LOWER_CASE_LENGTH]
    return len(words) > 1 and all(word[0].isupper() for word in words)


def _is_compound_acronym(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether a hyphen joins an acronym to another part of a name."""
    return _COMPOUND_ACRONYM.fullmatch(doc.span_text(*span)) is not None


def is_generic(doc: Document, accepted: AcceptedEntity) -> bool:
    """Return whether the entity is a technique with a generic, descriptive name.

    A paper that proposes "a pruning method" proposes a kind of pruning, not pruning itself.
    """
    if accepted.is_known:
        return any(c.entry is not None and _is_words(c.entry.name) for c in accepted.candidates)
    return all(
        _is_described(doc, span) or _is_plain(doc, span) for span in accepted.spans
    ) and not any(_is_specific(doc, span) for span in accepted.spans)


def _is_specific(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether a name has too many words to be generic: "balanced edge sampling loss"."""
    return sum(word != "-" for word in doc.words[slice(*span)]) > _MAX_GENERIC_WORDS


def _is_words(name: str) -> bool:
    """Return whether a name is written in lower case only, without digits."""
    return name.islower() and not any(map(str.isdigit, name))


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
