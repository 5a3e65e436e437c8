"""Lexico-syntactic patterns that state the role of an entity (after Hearst 1992).

Each pattern ends right before a name or begins right after it, inside the sentence. Articles,
adjectives and earlier members of a list may come between: "we compare with A, B and C" matches for
all three names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from typing import Final

from citekg.extractors.candidates.patterns import NAME, words_pattern
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.prefiltered_pattern import PrefilteredPattern
from citekg.extractors.roles.introduction_claims import (
    PROPOSED_BY_OTHERS,
    is_claimed,
    is_widespread,
)
from citekg.extractors.roles.needed_words import Rule, RuleIndex
from citekg.extractors.roles.phrases import ARTICLE as _ARTICLE
from citekg.extractors.roles.phrases import WORD as _WORD
from citekg.extractors.wording.context import MAX_KEPT_TEXTS, context_around
from citekg.extractors.wording.verbs import CHANGED, CHANGED_STEMS, OUTPERFORM, PROPOSE
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
class RolePattern(Rule):
    """A pattern next to a name that states a role, for entities of the given types."""

    role: str


#: The introduction of a list of examples, and the earlier members of a list.
_SUCH_AS: Final = rf"(?:(?:{_WORD} ){{0,5}}\(?(?:such as|like|including|e\.g\.?,?|namely):? )?"
_MEMBER: Final = rf"{_ARTICLE}(?:{_WORD} ){{0,4}}{_WORD}(?: \([^()]*\))?"
_LIST: Final = rf"{_SUCH_AS}(?:{_MEMBER}(?:, and|, or|,| and| or) ){{0,7}}"
#: The same without commas: after an opening phrase, a comma ends the phrase.
_PAIR: Final = rf"{_SUCH_AS}(?:{_MEMBER}(?: and| or) )?"
#: A description of data before their name in brackets: "a large driving benchmark (Kite)".
_BRACKETED: Final = (
    rf"(?:(?:{_WORD} ){{0,6}}(?:data ?sets?|benchmarks?|corpus|corpora|collections?|suites?) \()?"
)
_MODIFIERS: Final = (
    r"(?:(?:the|an?|our|its|both|any|explicit|extra|popular|standard|vanilla|original|existing"
    r"|prior|strong|novel|new"
    r"|additional|expensive|costly|unstable|traditional|conventional|challenging|classic(?:al)?"
    r"|plain|competing|leading|previous|recent|state-of-the-art|off-the-shelf|well-known"
    r"|(?:widely|commonly|recently)[ -](?:used|adopted|proposed)) )*"
)
_COMPARISON_OPENING: Final = (
    r"(?:compar(?:ed|ing) (?:to|with|against)|relative to|unlike|in contrast (?:to|with)|contrary"
    r" to|different from)"
)
_COMPARISON: Final = (
    r"(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beat(?:s|ing)?"
    r"|outclass(?:es|ed|ing)?|outstrip(?:s|ped|ping)?|edg(?:es|ed|ing) out|eclips(?:es|ed|ing)"
    r"|overtak(?:es|ing)|trail(?:s|ed|ing)?|lag(?:s|ged|ging)? behind|fall(?:s|ing)? (?:behind"
    r"|short of)|ahead of|second only to|comes? close to|prefer(?:red|able) (?:over|to)"
    r"|points? above|up from [\d.]+ ?%? (?:for|with|of)|(?:doubl|halv)(?:es|ed|ing) the [\w-]+ of"
    r"|(?:outperformed|surpassed|exceeded|beaten) by"
    r"|underperform(?:s|ed|ing)?"
    r"|(?:compare(?:d|s)?|comparing|comparisons?|superior|inferior|comparable|analogous|similar"
    r"|akin|alternatives?) (?:favou?rably )?(?:to|with|against)"
    r"|(?<!not )unlike|as (?:good|well|accurate|fast|strong) as"
    r"|(?:comparable|similar|competitive) (?:\w+ ){1,2}(?:to|with)"
    r"|competitive with|on par with|versus|vs\.?|against"
    r"|(?<!the )(?:match|rival)(?:es|s|ed|ing)?(?: or \w+)?"
    r"|compar(?:es?|ed|ing) (?:[\w-]+ ){1,4}(?:to|with|against)"
    r"|(?:superiority|advantages?|improvements?|gains?) (?:[\w%.-]+ ){0,2}?over"
    r"|(?:better|worse|faster|higher|lower|stronger|cheaper|simpler) (?:\w+ ){0,3}?than"
    r"|(?:more|less|fewer) (?:[\w-]+ ){1,4}?than)"
    r"(?: (?:that|those) of)?"
    r"(?: (?:[\w-]+ ){0,4}(?:models|agents|policies|methods|those|ones|baselines),?"
    r"(?: (?:that|which) (?:are|were))?(?: just| only| simply)?"
    r" (?:trained|fine-?tuned|tuned|obtained|learned|optimi[sz]ed) (?:via|with|using|by|through))?"
)
#: A negated verb; the text has no apostrophes.
_NEGATED: Final = r"(?:do|does|did|ca|could|has|have|was|were|is|are)nt"
_NOT_NEEDED: Final = (
    rf"(?:(?:do|does|did) not|{_NEGATED}|need not|never|neither|(?<!and )without|no longer) "
    r"(?:(?:requir(?:es?|ing)|need(?:s|ing)?|rel(?:y|ies|ying) on|depend(?:s|ing)? on"
    r"|us(?:es?|ing)|employ(?:s|ing)?|appl(?:y|ies|ying)|resort(?:s|ing)? to) )?"
    r"(?:the need for |the use of |training )?"
    r"|(?:needs?|requir(?:es?|ing)|with|us(?:es?|ing)|employing|there is) no |no need (?:for|of) "
    r"|^no |free of |instead of |rather than |in (?:place|lieu) of |as opposed to "
    r"|independent of |(?:dispens(?:es?|ing)|do(?:es|ing)? away) with |not make use of "
    r"|without (?:access to|calling|querying) |refrain(?:s|ing)? from (?:using )?"
    r"|nor (?:rel(?:y|ies) on|uses?|requires?) "
    r"|(?:remov|eliminat|obviat|alleviat|sidestepp?|bypass|avoid|forgo|eschew|exclud)(?:e|es|s|ing)?"
    r" (?:the need (?:for|of) |using )?"
    rf"|(?:not|{_NEGATED}|never|nor|without) (?:(?:be|been|yet|even|(?!only)\w+ly) ){{0,2}}"
    r"(?:(?:pre-?)?(?:train|fine-?tun)|evaluat|test|validat|benchmark)(?:e|ed|ing|s)?"
    r" (?:[\w-]+ ){0,2}?(?:on|in) "
    rf"|(?:not|{_NEGATED}|never|nor) (?:\w+ )?report (?:\w+ )?results on "
)
#: Text after a name that the authors do not use.
_NOT_NEEDED_AFTER: Final = (
    r"[- ]free\b|(?: \w+)? (?:is|are|was|were|has been|have been) (?:not|no longer|never)"
    r" (?:needed|required|used|necessary|considered|tested|evaluated|included)\b"
    r"|(?: and \S+)? (?:is|are) (?:left (?:for|to) future|beyond the scope|out of scope)\b"
)
#: Verbs of authors who change something: their stems, and the present tense.
_CHANGE_STEM: Final = (
    r"(?:reformulat|revis|refin|rework|redesign|customi[sz]|reinterpret|recast|upgrad|enhanc"
    r"|strengthen|accelerat|simplif|relax|improv|repurpos|stabili[sz]|robustif|boost|generali[sz]"
    r"|modif|subsum|extend|augment|adapt|tailor)"
)
_CHANGE: Final = rf"(?:{_CHANGE_STEM}(?:e|es|s|ing|y|ies|ying)?)"
#: Nouns after a name which show that the name states the kind of something new.
_KIND_NOUN: Final = (
    r"(?:algorithm|method|objective|loss|variant|recipe|scheme|formulation|extension|procedure"
    r"|estimator|strategy|optimi[sz]er|framework|approach|training|trainer|architecture|network)"
)
#: An amount of data, before the name of the data: "120B tokens mined from".
_PART: Final = (
    r"(?:(?:[\w.,-]+ ){0,3}(?:tokens|examples|samples|images|pairs|hours|documents|pages|videos"
    r"|questions|problems|trajectories|sentences|texts?|data|subsets?|splits?|portions?|parts?"
    r"|versions?|prompts|instructions|conversations|dialogues|episodes|demonstrations)"
    r"(?: \([^()]*\)| \w+)? (?:of|from|in) (?:the )?)"
)
_AMOUNT: Final = rf"{_PART}?"
#: The stems of verbs and nouns of evaluation. Between "trained" and "on", they govern what follows.
_EVALUATED: Final = (
    r"evaluat|test|experiment|benchmark|validat|measur|compar|perform|result|outperform|surpass"
    r"|exceed|achiev|obtain|attain|reach|improv|solv|prov|show"
)
#: A second verb, coordinated with one of training: "train and test on Kite".
_AND_EVALUATED: Final = r"(?:(?: and|,) (?:evaluat|test|validat)(?:e|ed|es|s|ing)?)?"
#: A verb of training and the words up to its data. An evaluation in between governs what follows,
#: and so does "trained" before the noun that it describes ("pre-trained models on Kite").
_TRAINED: Final = (
    rf"(?<!for )(?:[\w-]*(?:train(?:s|ing)?|tun(?:e|es|ing)){_AND_EVALUATED}"
    rf"(?: (?!{_EVALUATED}|and )[\w-]+){{0,4}}?"
    rf"|[\w-]*(?:trained|tuned){_AND_EVALUATED}"
    rf"(?: (?!{_EVALUATED}|and |models?\b|networks?\b|agents?\b|policy|llms?\b"
    r"|transformers?\b)[\w-]+){0,4}?)"
)
#: "Learning" before "on" is part of the name of what is evaluated there: "metric learning on Kite".
_TRAINED_WITH: Final = (
    r"(?!learning(?: [\w-]+){0,2} on )"
    r"(?:align(?:ed|ing|ment)|distill(?:ed|ing|ation)|learn(?:ed|s|ing)?)(?: [\w-]+){0,2}?"
)
_TAKEN_FROM: Final = (
    r"(?:mined|curated|collected|constructed|derived|sampled|extracted|sourced|filtered|distilled"
    r"|drawn|crawled|selected|obtained|gathered|compiled) (?:\w+ )?from"
    r"|(?:built|constructed|created|generated) (?:based )?(?:up)?on"
)
_POSSIBLE_USE: Final = (
    r"(?:may|might|could|can) (?:also |easily |later |naturally ){0,2}be (?:\w+ )?(?:extended"
    r"|combined|applied"
    r"|integrated|ported|generali[sz]ed) (?:to|with|in|into|for) "
    r"|future (?:work|research|stud\w+|directions?) (?:\w+ ){0,6}"
)
#: Nouns for the work of others.
_WORKS: Final = (
    r"(?:methods|approaches|works?|models|algorithms|systems|techniques|studies|research|efforts"
    r"|detectors|classifiers|planners|controllers|trackers|estimators|solvers|parsers|generators"
    r"|advances|solutions|attempts)"
)
_USED_BY_OTHERS: Final = (
    r"(?:previous|prior|existing|current|traditional|conventional|earlier|recent|most|many) "
    rf"(?:[\w-]+ ){{0,3}}{_WORKS} "
    r"(?:(?!and )[\w-]+ ){0,2}?"
    r"(?:rel(?:y|ies) (?:heavily |mainly |solely |primarily )?(?:up)?on|uses?|employs?|depends? on"
    r"|(?:are|is) based on)"
)
_CUSTOMARILY: Final = (
    r"(?:traditionally|typically|usually|often|commonly|conventionally|classically|generally)"
)
_ANY_TYPE: Final = frozenset(TYPES)
_METHOD_OR_MODEL: Final = frozenset({METHOD, MODEL})
_BENCHMARK_OR_DATASET: Final = frozenset({BENCHMARK, DATASET})


def _beginnings(group: str) -> str:
    """Return the first word or stem of each alternative of a group, separated by spaces."""
    found = (re.match(r"\w+", each) for each in group.removeprefix("(?:").split("|"))
    return " ".join(match[0] for match in found if match)


def _before(role: str, needed: str, words: str, types: frozenset[str] = _ANY_TYPE) -> RolePattern:
    pattern = re.compile(rf"(?<![\w-])(?:{words})$")
    return RolePattern(pattern, types, tuple(needed.split()), role)


def _after(role: str, words: str, types: frozenset[str] = _ANY_TYPE) -> RolePattern:
    return RolePattern(re.compile(rf"(?: ?\([^()]*\))?(?:{words})"), types, (), role)


_BEFORE: Final = (
    _before(
        EXTENDS,
        "extend augment adapt",
        rf"(?:extend|augment|adapt)(?:s|ing)? {_ARTICLE}(?:{_WORD} ){{0,3}}{_PAIR}",
    ),
    _before(
        EXTENDS,
        "generali modif subsum",
        rf"(?:generali[sz]|modif|subsum)(?:e|es|ing|y|ies|ying)(?: and \w+)? {_ARTICLE}(?:{_WORD}"
        rf" ){{0,3}}{_PAIR}",
    ),
    _before(
        EXTENDS,
        "build built improv",
        rf"(?:builds?|building|built|improv(?:es?|ing)) (?:directly )?(?:up)?on(?: top of| ideas"
        rf" from)? {_MODIFIERS}{_PAIR}",
        _ANY_TYPE - {MODEL},
    ),
    _before(
        EXTENDS,
        "variant variation version extension generali refinement relaxation flavo revision"
        " redesign modification adaptation improvement reformulation",
        r"(?<!on )(?<!from )(?:an?|our|new|novel|the) (?:[\w-]+,? ){0,4}(?:variant|variation"
        r"|version|extension"
        r"|generali[sz]ation|refinement|relaxation|flavou?r|revision|redesign"
        rf"|modification|adaptation|improvement|reformulation) (?:of|to|over|on) {_MODIFIERS}",
        _ANY_TYPE - {BENCHMARK},
    ),
    _before(
        EXTENDS,
        "variant version extension generali modification adaptation",
        r"(?:an?|our) (?:[\w-]+ ){0,2}(?:variant|version|extension|generali[sz]ation"
        r"|modification|adaptation) (?:of|to) (?:the |an? )?"
        r"(?:(?!(?:trained|tuned|based|via|with|by|using|that|which|and)\b)[^\s,.;:()]+ ){1,7}\(",
        _ANY_TYPE - {BENCHMARK},
    ),
    _before(
        EXTENDS,
        _beginnings(_CHANGE_STEM),
        r"(?:we|our (?:[\w-]+ )?\w+|by|to|then|this (?:paper|work)|which|that) (?:\w+ly )?"
        rf"{_CHANGE} {_ARTICLE}(?:{_WORD} ){{0,2}}{_PAIR}",
        frozenset({METHOD}),
    ),
    _before(
        EXTENDS,
        " ".join(CHANGED_STEMS),
        rf"(?:an?|our|this) (?:[\w-]+ ){{0,2}}{CHANGED} (?:{_WORD} ){{0,2}}",
        _METHOD_OR_MODEL,
    ),
    _before(
        TRAINS_ON,
        "train tun",
        rf"{_TRAINED} on (?:the )?{_AMOUNT}{_MODIFIERS}{_LIST}{_BRACKETED}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        TRAINS_ON,
        "train tun align distill learn",
        rf"(?:{_TRAINED}|{_TRAINED_WITH}) (?:on|with|using|from) (?:the )?{_AMOUNT}{_MODIFIERS}"
        rf"{_LIST}{_BRACKETED}",
        frozenset({DATASET}),
    ),
    _before(
        TRAINS_ON,
        "mined curated collected constructed derived sampled extracted sourced filtered"
        " distilled drawn crawled selected obtained gathered compiled built created generated"
        " use using",
        rf"(?:(?:{_TAKEN_FROM}) (?:the )?{_AMOUNT}|us(?:es?|ing) (?:only )?{_PART})"
        rf"{_MODIFIERS}{_LIST}",
        frozenset({DATASET}),
    ),
    _before(
        COMPARES_TO,
        "compar relative unlike contrast contrary different",
        rf"^{_COMPARISON_OPENING} {_MODIFIERS}{_PAIR}{_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        COMPARES_TO,
        "compar relative unlike contrast contrary different",
        rf"(?<=. ){_COMPARISON_OPENING} {_MODIFIERS}{_LIST}{_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        COMPARES_TO,
        "outperform surpass exceed beat underperform compar superior inferior analogous similar"
        " akin alternative unlike good well accurate fast strong competitive par versus vs"
        " against match rival superiority advantage improvement gain than outclass outstrip edg"
        " eclips overtak trail lag fall ahead second close prefer point up doubl halv",
        rf"(?<=. )(?:{_COMPARISON}) {_MODIFIERS}{_LIST}{_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        COMPARES_TO,
        "previous prior earlier existing",
        r"(?:previous|prior|earlier|existing)(?:ly)? (?:best|strongest|state-of-the-art|sota"
        r"|record)\b(?:[^,.;:]|\.\d){0,60}? (?:achieved|obtained|reached|set|held|reported)"
        rf" (?:by|through|with|using|via) {_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        EVALUATES_ON,
        "evaluat experiment test results validate benchmarked",
        r"(?:evaluat(?:e|ed|es|ing|ion|ions)|experiments?|test(?:ed|s|ing)?|results|validated?"
        r"|benchmarked)"
        rf"(?: [\w-]+){{0,4}} (?:on|in|across) {_MODIFIERS}{_LIST}{_MODIFIERS}{_BRACKETED}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        EVALUATES_ON,
        "results",
        r"results (?:obtained|reported|achieved) (?:from|on|in|with|using)"
        rf" {_MODIFIERS}{_LIST}{_MODIFIERS}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        EVALUATES_ON,
        "transfer generali deploy",
        r"(?:transfer(?:s|red|ring)?|generali[sz](?:es?|ed|ing)|deploy(?:s|ed|ing)?)"
        rf" (?:[\w-]+ ){{0,3}}?(?:to|on) (?:the )?{_MODIFIERS}{_LIST}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        EVALUATES_ON,
        "%",
        r"\d ?% of (?:all |the |its )?(?:\w+ )?(?:statements|theorems|goals|problems|tasks"
        rf"|questions|instances|cases|issues|bugs|levels|games) (?:in|of|from|on) {_MODIFIERS}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        EVALUATES_ON,
        "performance accurac score gain state",
        r"(?<!human )(?<!human-level )(?:performances?|accurac(?:y|ies)|scores?|gains?"
        r"|state[- ]of[- ]the[- ]art)"
        rf" (?:on|across) {_MODIFIERS}{_LIST}{_MODIFIERS}",
        _BENCHMARK_OR_DATASET,
    ),
    _before(
        USES,
        "use employ adopt utili leverage",
        rf"(?:we|agent|method|approach) (?:use|employ|adopt|utili[sz]e|leverage)s? {_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        USES,
        "convergence analys bound complexity expressiv dynamics consistency behavio landscape",
        r"(?:convergence|analys[ei]s|bounds?|complexity|expressiv(?:ity|e power)|dynamics"
        r"|consistency|behaviou?r|landscape) (?:\w+ ){0,2}?(?:of|for) " + _MODIFIERS,
        frozenset({METHOD}),
    ),
    _before(
        USES,
        "generated produced solved applied initiali implemented instantiated combined"
        " integrated compatible equipped",
        r"(?:generated|produced|solved|applied|initiali[sz]ed|implemented|instantiated|combined"
        r"|integrated|compatible|equipped) (?:by|to|with|using|in|from)"
        rf" (?:{_WORD} ){{0,4}}(?:such as|like|including) {_MODIFIERS}{_PAIR}",
        _METHOD_OR_MODEL,
    ),
    _before(
        USES,
        "consider study analy examine focus",
        r"we (?:\w+ly )?(?:consider|study|analy[sz]e|examine|focus on) (?:two|three|both|several)"
        rf"(?: such)? (?:[\w-]+ )?(?:models|methods|algorithms|techniques|approaches):? {_LIST}",
        _METHOD_OR_MODEL,
    ),
    _before(
        USES,
        "mixture bank combination ensemble cascade",
        rf"(?:mixtures?|banks?|combinations?|ensembles?|cascades?) of (?:\w+ )?{_MODIFIERS}{_PAIR}",
        frozenset({METHOD}),
    ),
    _before(
        USES,
        "prompting querying applying using leveraging employing",
        rf"(?:by|via|through) (?:prompting|querying|applying|using|leveraging|employing)"
        rf" {_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(
        USES,
        "trained optimi tuned updated learned",
        rf"(?:trained|optimi[sz]ed|fine-?tuned|updated|learned) (?:with|using|via|by) {_MODIFIERS}",
        _METHOD_OR_MODEL,
    ),
    _before(MENTIONS, "may might could can future", rf"(?:{_POSSIBLE_USE}){_MODIFIERS}"),
    _before(
        MENTIONS,
        "inspir motivated",
        r"(?:inspired|motivated|inspiration) (?:by|from) (?:the )?(?:(?:recent |remarkable )?"
        r"(?:success(?:es)?"
        rf"|advances?|findings?|ideas|principles|progress|insights?) (?:of|in|from|on)"
        rf" )?{_MODIFIERS}",
    ),
    _before(
        MENTIONS,
        "commonly widely often typically frequently",
        r"(?:commonly|widely|often|typically|frequently) (?:used|employed|adopted|applied) (?:in"
        r"|by|for) (?:\w+ )?"
        rf"(?:such as|like|including) {_MODIFIERS}{_PAIR}",
    ),
    _before(
        MENTIONS,
        "treated formulated model cast posed solved addressed handled tackled approached done"
        " performed",
        rf"(?:(?:is|are|has been|have been) {_CUSTOMARILY}|^{_CUSTOMARILY}, (?:[\w-]+ ){{1,6}}"
        r"(?:is|are|has been|have been)) (?:treated|formulated|modell?ed|cast|posed|solved"
        r"|addressed|handled|tackled|approached|done|performed) (?:as|by|with|using|via|through)"
        rf" {_MODIFIERS}",
    ),
    _before(
        MENTIONS,
        "rel use employ depend based",
        rf"{_USED_BY_OTHERS} {_MODIFIERS}{_PAIR}{_MODIFIERS}",
    ),
)
INDEX: Final = RuleIndex(_BEFORE)
#: Text after a name which states that others proposed it.
_PROPOSED_BY_OTHERS: Final = _after(
    MENTIONS,
    PROPOSED_BY_OTHERS,
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
    _after(
        MENTIONS,
        r" (?:often |still |typically )?(?:suffers? from|fails? (?:at|to)|struggles? (?:with"
        r"|to))\b",
        _METHOD_OR_MODEL,
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
        r"(?: [\w-]+){0,9}(?<! well) as (?:our |the |an? )?(?:[\w-]+ )?baselines?\b",
        _METHOD_OR_MODEL,
    ),
    _after(
        EXTENDS,
        r" as (?:an? |its )?(?:\w+ )?(?:special|particular|limiting|extreme|approximate)"
        r" (?:cases?|variants?|instances?|limits?)\b",
    ),
    _after(
        COMPARES_TO,
        r",? (?:and|but|while|yet) (?:\w+ly )?(?:outperforms?|surpass(?:es|ing)?|beats?|exceeds?"
        r"|improv(?:es?|ing) (?:up)?on|compares? (?:\w+ )?(?:to|with)|match(?:es)?)"
        r" (?:it|them|its|the (?:original|latter|vanilla))\b",
        _METHOD_OR_MODEL,
    ),
    _after(
        EVALUATES_ON,
        r",? (?:and|but|then|while) (?:\w+ly )?(?:evaluat|test|validat|benchmark)(?:e|es|ed|ing|s)?"
        r" (?:\w+ ){0,2}?on (?:it|them|its)\b",
        _BENCHMARK_OR_DATASET,
    ),
    _after(
        EVALUATES_ON,
        r"(?: and \S+)? (?:are |is )?(?:held out|reserved) for (?:testing|evaluation)\b",
        _BENCHMARK_OR_DATASET,
    ),
    _after(
        TRAINS_ON,
        r" (?:train|training) (?:sets?|splits?|data|corpus|examples|questions|subsets?|problems"
        r"|portion|partition)\b"
        r"|[- ](?:based )?(?:pre-?training|fine-?tuning)\b|-(?:pre-?)?trained\b",
        _BENCHMARK_OR_DATASET,
    ),
)
#: Patterns around a name; both parts must match.
_AROUND: Final = (
    (
        _before(
            EXTENDS,
            "",
            rf"(?:{PROPOSE}|uses?|using|with|via|through|employs?|our|by)"
            rf" {_ARTICLE}(?:{_WORD} ){{0,3}}",
            _METHOD_OR_MODEL,
        ),
        re.compile(r"-style\b"),
    ),
    (
        _before(
            EXTENDS,
            "",
            rf"(?:inspired|motivated|inspiration) (?:by|from) {_MODIFIERS}",
            _METHOD_OR_MODEL,
        ),
        re.compile(
            r"[^,.;]{0,60}, (?:we|this (?:paper|work)) (?:\w+ )?"
            r"(?:propose|introduce|present|develop|design|devise)s?\b"
        ),
    ),
)
#: The same for names of the lexicon: an unknown name there is itself what is proposed.
_AROUND_KNOWN: Final = (
    (
        _before(
            EXTENDS,
            "",
            rf"(?:we|this (?:paper|work)|our \w+) (?:\w+ )?{PROPOSE} (?:an?|the|two|new|novel)"
            rf" (?:{_WORD},? ){{1,5}}?",
            frozenset({METHOD}),
        ),
        re.compile(rf" {_KIND_NOUN}s?\b"),
    ),
)
#: A framework in which the authors work. They change one with a coined name ("within the GRPO
#: framework") and use one that plain words describe.
_WITHIN: Final = (
    re.compile(r"(?<![\w-])(?:within|inside|under) (?:the |an? )?(?:[\w-]+ )?$"),
    re.compile(r" (?:framework|paradigm|formulation)s?\b"),
)
_COINED: Final = re.compile(r"\S*[A-Z]\S*[A-Z]\S*")
#: The names of paradigms: a paper that proposes "a new contrastive learning framework" uses it.
_PARADIGM: Final = re.compile(
    r"(?:[A-Z]?[a-z]+[\s-])*(?:[Ll]earning|[Tt]raining|[Tt]uning|[Dd]istillation|[Pp]rompting)"
)
#: Text that makes a name the modifier of another noun, to which the words before it refer.
_MODIFIER: Final = re.compile(r"(?: ?\([^()]*\))?-(?:based|like|inspired|driven|related)\b")
#: Text of a title before a method that the paper changes: "Steadier PPO", "Accelerating PPO by
#: caching".
_CHANGED_IN_TITLE: Final = re.compile(
    rf"(?:^|: ){_CHANGE_STEM}y?ing {_ARTICLE}(?:[\w-]+ ){{0,2}}$"
    rf"|(?:^|: )(?:an? |the )?{CHANGED} $"
)
#: Text before what the authors may do later: "future work will test Kite on".
_FUTURE: Final = PrefilteredPattern(
    r"\bfuture (?:work|research|studies) (?:will|could|may|might|should|includes?|is to)\b"
    r"|\bwe (?:plan|intend|hope) to (?:\w+ )?(?:evaluate|test|extend|apply|train|use)\b",
    ("future", "plan to", "intend to", "hope to"),
)
#: Text around what something else replaces: "replaces Kite with".
_REPLACED: Final = (
    PrefilteredPattern(
        r"(?<![\w-])(?:replac|swapp?)(?:e|es|s|ed|ing) (?:the )?$", ("replac", "swap")
    ),
    re.compile(r"(?: ?\([^()]*\))? (?:with|by)\b"),
)
_DENIAL: Final = re.compile(rf"(?<![\w-])(?:{_NOT_NEEDED}){_MODIFIERS}{_PAIR}$")
_DENIAL_AFTER: Final = re.compile(rf"(?: ?\([^()]*\))?(?:{_NOT_NEEDED_AFTER})")
#: A sentence about others' work, without words that point to the authors or to their results.
_ABOUT_OTHERS: Final = re.compile(
    r"^(?!.*\b(?:we|our|ours|us|this (?:paper|work|study)|here|than|compared|outperform\w*|results"
    r"|experiment\w*|evaluations?)\b).*\b(?:"
    r"(?:existing|previous|prior|current|recent|traditional|conventional|earlier|most|many|several)"
    rf" (?:[\w-]+ ){{0,3}}{_WORKS}"
    r"|(?:has|have) (?:recently |also )?(?:been|shown|led|achieved|demonstrated|become|enabled)"
    r"|recently,|in recent years)"
)
#: The subject after a comparison, which is no member of its list: "compared to A and B, Kite is".
_AFTER_COMPARISON: Final = PrefilteredPattern(
    rf"(?<![\w-]){_COMPARISON_OPENING} [^;:]*, (?:(?:the|our|an?) )?(?:{_WORD} ){{0,2}}$",
    ("compar", "relative to", "unlike", "contrast", "contrary", "different from"),
)
#: The predicate after such a subject.
_PREDICATE: Final = re.compile(
    r"(?: ?\([^()]*\))?(?:-(?:based|driven|like|guided|style))? (?!and\b|or\b)[a-z]"
)
#: A baseline that the authors provide: "we release the Kite baseline".
_OWN_BASELINE: Final = re.compile(
    rf"(?<![\w-])(?:{PROPOSE}|provid(?:e|es|ing)|contribut(?:e|es|ing)|release of|our) "
    r"[^.;]{0,60}$"
)
_BASELINE: Final = re.compile(r"(?: ?\([^()]*\))?(?:-based)? baselines?\b")
#: The data of a baseline: "outperforms a planner trained on Kite".
_BASELINE_TRAINED: Final = PrefilteredPattern(
    rf"\b(?:{OUTPERFORM}|beats?|than|over|against|versus|vs|compared? (?:\w+ )?(?:to|with))\b"
    r".*\b(?:trained|tuned)\b",
    ("trained", "tuned"),
)
#: Data from which the data of an evaluation were taken: "we evaluate it on scenes selected from".
_EVALUATED_SAMPLE: Final = re.compile(
    r"\b(?:evaluat|test|experiment|validat|demonstrat|performance|accurac|results)\w*"
    r"(?: (?![\w-]*(?:train|tun))[^\s;:]+)*? (?:on|across|with|using)"
    r"(?: (?!(?:for|to|by) )[^\s;:]+){0,9}?"
    rf" (?:{_TAKEN_FROM}) (?:the )?{_AMOUNT}{_MODIFIERS}{_LIST}$"
)
#: Text after data that are used for an evaluation.
_USED_IN_EVALUATION: Final = re.compile(
    r"[^.;]{0,60} (?:is|are|was|were) used (?:as|for|in) (?:the )?(?:test|evaluation|validation)"
)
#: What the results improve on, if the sentence has a number.
_IMPROVED_ON: Final = re.compile(rf"(?<![\w-])improv(?:es?|ing) (?:up)?on {_MODIFIERS}{_LIST}$")
#: The authors' code, which uses the libraries that it builds on.
_CODE: Final = re.compile(
    r"(?<![\w-])(?:code(?:base)?|implementation|experiments?) (?:is |are )?(?:buil[dt]s?|based)"
    rf" (?:directly )?(?:up)?on(?: top of)? {_MODIFIERS}{_PAIR}$"
)
_EVALUATED_BY_OTHERS: Final = PrefilteredPattern(
    r"(?:^|, )(?:prior|previous|existing|earlier|most|many|current|recent) (?:[\w-]+ ){0,3}"
    rf"{_WORKS} (?:\w+ ){{0,3}}?(?:evaluat|test|validat|benchmark)\w* (?:\w+ )?(?:on|in)"
    rf" {_MODIFIERS}{_LIST}$",
    ("evaluat", "test", "validat", "benchmark"),
)
_EXAMPLE: Final = re.compile(rf"\b(?:such as|like|including|e\.g\.?,?) {_MODIFIERS}{_PAIR}$")
#: Roles that are denied if the authors state that they do not use something.
_DENIED: Final[frozenset[str]] = frozenset({USES, EXTENDS, TRAINS_ON, EVALUATES_ON})
#: Words of which one occurs in every survey, and the pattern of its title or text.
_SURVEYS: Final = ("survey", "review", "overview", "tutorial")
_SURVEY: Final = PrefilteredPattern(
    rf"^.*\b(?:{'|'.join(_SURVEYS)})\b|\b(?:this|our) (?:survey|review|tutorial)\b|\bwe "
    r"(?:survey|review)\b"
    r"|\b(?:comprehensive|systematic) (?:survey|review|overview)\b",
    _SURVEYS,
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PatternMatches:
    """The roles that a text states of an entity: by mention (a token span), and overall.

    `denied` are the roles that it cannot have, because every mention in the abstract denies its
    use, or because it is what the text compares with others. `outperformed_by_others` are the
    mentions that another work outperforms, and `introduced_beside` is the number of other entities
    that the text claims to introduce.
    """

    by_mention: dict[tuple[int, int], set[str]]
    roles: set[str]
    denied: frozenset[str] = frozenset()
    outperformed_by_others: frozenset[tuple[int, int]] = frozenset()
    introduced_beside: int = 0


def match_patterns(doc: Document, accepted: AcceptedEntity) -> PatternMatches:
    """Return the roles that the text states of the entity.

    "mentions" counts only if every mention in the abstract states it.
    """
    by_mention = {span: _stated_at(doc, span, accepted) for span in accepted.spans}
    body = [
        span for span in _mentions_outside_definitions(doc, accepted) if span[0] >= doc.title_tokens
    ]
    in_body = [by_mention[span] for span in body]
    found = {role for roles in by_mention.values() for role in roles}
    if INTRODUCES in found and any(is_widespread(doc, span) for span in accepted.spans):
        found -= {INTRODUCES}
    if INTRODUCES in found:
        found -= {USES, EXTENDS}
    around = [context_around(doc, span) for span in body]
    denied = _DENIED if body and all(starmap(_is_denied, around)) else frozenset()
    if COMPARES_TO not in found and any(starmap(_is_compared_itself, around)):
        denied |= {COMPARES_TO}
    if body and all(_BASELINE_TRAINED.search(before) for before, _ in around):
        denied |= {TRAINS_ON}
    return PatternMatches(
        by_mention,
        found if all(MENTIONS in roles for roles in in_body) else found - {MENTIONS},
        denied,
    )


def _mentions_outside_definitions(doc: Document, accepted: AcceptedEntity) -> list[tuple[int, int]]:
    """Return the mentions, without short forms in brackets right after their long form."""
    ends = {last for _, last in accepted.spans}
    return [
        span
        for span in accepted.spans
        if not (span[0] - 1 in ends and doc.words[span[0] - 1] == "(")
    ]


def _stated_at(doc: Document, span: tuple[int, int], accepted: AcceptedEntity) -> set[str]:
    """Return the roles stated next to one mention, without contradictions between them.

    Something that the authors do without is neither used nor extended. An extension or a comparison
    (also with agents "trained with" a method) is not a use, and something new does not extend
    itself. Examples of others' work are only mentioned.
    """
    found = _roles_at(doc, span, accepted)
    before, after = context_around(doc, span)
    if span[1] <= doc.title_tokens:
        changed = accepted.type == METHOD and _CHANGED_IN_TITLE.search(before)
        return found | {EXTENDS} if changed and INTRODUCES not in found else found
    if _MODIFIER.match(after):
        found -= {EXTENDS}
    found |= _roles_around(doc.span_text(*span), accepted, before, after)
    if _is_denied(before, after):
        return (found - _DENIED) | {MENTIONS}
    is_own = not accepted.is_known and _BASELINE.match(after) and _OWN_BASELINE.search(before)
    if is_own or _is_compared_itself(before, after):
        found -= {COMPARES_TO}
    if found & {COMPARES_TO, EXTENDS}:
        found -= {USES, MENTIONS}
    if _BASELINE_TRAINED.search(before):
        found -= {TRAINS_ON}
    found = _corrected(found, before, after)
    if _ABOUT_OTHERS.match(before + after):
        found -= _DENIED - {EVALUATES_ON}
        found |= {MENTIONS} if _EXAMPLE.search(before) else set()
    return found - {EXTENDS} if INTRODUCES in found else found


def _corrected(found: set[str], before: str, after: str) -> set[str]:
    """Return the roles as the whole sentence states them.

    Results improve on what they are compared with, and code builds on libraries that it uses. Data
    taken from others may be data of an evaluation. Others evaluate on data that a paper only
    mentions.
    """
    if EXTENDS in found and _IMPROVED_ON.search(before) and re.search(r"\d", before + after):
        found = (found - {EXTENDS}) | {COMPARES_TO}
    if EXTENDS in found and _CODE.search(before):
        found = (found - {EXTENDS}) | {USES}
    if TRAINS_ON in found and (
        _EVALUATED_SAMPLE.search(before) or _USED_IN_EVALUATION.match(after)
    ):
        found = (found - {TRAINS_ON}) | {EVALUATES_ON}
    if _EVALUATED_BY_OTHERS.search(before):
        found = (found - {EVALUATES_ON}) | {MENTIONS}
    return found


def _roles_around(name: str, accepted: AcceptedEntity, before: str, after: str) -> set[str]:
    """Return the roles that the text before a name and that after it state together."""
    found = {
        rule.role
        for rule, then in _AROUND
        if accepted.type in rule.types and then.match(after) and rule.words.search(before)
    }
    if accepted.type == METHOD and _WITHIN[1].match(after) and _WITHIN[0].search(before):
        found.add(EXTENDS if _COINED.fullmatch(name) else USES)
    for rule, then in _AROUND_KNOWN if accepted.is_known else ():
        if accepted.type in rule.types and then.match(after) and rule.words.search(before):
            found.add(USES if _PARADIGM.fullmatch(name) else rule.role)
    return found


@lru_cache(maxsize=MAX_KEPT_TEXTS)
def _is_denied(before: str, after: str) -> bool:
    """Return whether the text around a name states that the authors do not use it."""
    return bool(
        _DENIAL.search(before)
        or _DENIAL_AFTER.match(after)
        or _FUTURE.search(before)
        or (_REPLACED[0].search(before) and _REPLACED[1].match(after))
    )


def _is_compared_itself(before: str, after: str) -> bool:
    """Return whether the text around a name compares it with names before it."""
    return bool(_AFTER_COMPARISON.search(before) and _PREDICATE.match(after))


def _roles_at(doc: Document, span: tuple[int, int], accepted: AcceptedEntity) -> set[str]:
    """Return the roles that the text states next to one mention, a token span."""
    before, after = context_around(doc, span)
    found = {INTRODUCES} if is_claimed(doc, span, accepted) else set[str]()
    if span[1] <= doc.title_tokens:
        return found
    found |= {
        rule.role
        for rule in INDEX.possible(before)
        if accepted.type in rule.types and rule.words.search(before)
    }
    return found | {
        rule.role for rule in _AFTER if accepted.type in rule.types and rule.words.match(after)
    }


def compile_template(template: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns before and after the placeholder `NAME` of a template.

    In `efficacy of NAME`, articles, a few adjectives and earlier members of a list may stand before
    the name. Raises `ValueError` if the template does not hold `NAME` exactly once, or has no other
    text.
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
    return _SURVEY.search(text) is not None
