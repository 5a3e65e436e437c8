"""Names that the rules of a schema find: by the words beside them, by their endings, last words or letters.

A cue is written with `NAME` or `WORDS` where the name stands. `NAME` is one to three words with capitals or digits;
`WORDS` may also be plain words, as far as the next small word or sign. A `*` stands for any ending of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from citekg.extractors.candidates.surface_forms import CAPITALISED, CAPITALISED_STOP_WORDS, STRONG, Span
from citekg.extractors.nlp import Document

NAME, WORDS = "NAME", "WORDS"

#: Words of plain speech, which begin, end or interrupt what may be a name.
_STOP_WORDS: Final = frozenset(
    """about across after against all along also although among an and any are around as at be because been before
    being beneath between both but by can could despite did do does due during each either every few for from had has
    have having he her his how if in into is it its least less many may might more most much must near neither no nor
    not of off on onto or our out over per rather same she should since so some such than that the their them then
    there these they this those though through thus to toward towards under until up upon us using versus via was we
    were what when where whether which while who whom whose why will with within without would yet
    achieve achieves affect affects appear appears associate become becomes cause causes compare compares contain
    contains contribute contributes decrease decreases define defines demonstrate demonstrates describe describes
    detect detects develop develops drive drives enable enables evaluate evaluates examine examines exhibit exhibits
    find finds found gave give gives identify identifies improve improves include includes increase increases indicate
    indicates induce induces inhibit inhibits introduce introduces investigate investigates involve involves lack lacks
    lead leads led made make makes measure measures mediate mediates need needs observe observes occur occurs play
    plays predict predicts present presents prevent prevents produce produces promote promotes propose proposes provide
    provides reduce reduces regulate regulates remain remains report reports represent represents require requires
    respond responds reveal reveals saw see sees seen show shows study studies suffer suffers suggest suggests support
    supports take takes target targets test tests treat treats trigger triggers undergo undergoes underwent use uses
    used accelerate accelerates address addresses advance advances aid aids allow allows assist assists boost boosts
    build builds built create creates design designs employ employs enhance enhances ensure ensures explore explores
    extend extends facilitate facilitates foster fosters generate generates get guide guides handle handles help helps
    highlight highlights integrate integrates keep keeps learn learns leverage leverages let limit limits maintain
    maintains offer offers optimize optimizes outperform outperforms perform performs prove proves reach reaches replace
    replaces select selects serve serves share shares solve solves tackle tackles teach teaches train trains unlock
    unlocks utilize utilizes want wants work works yield yields
    accurate automatic better best complex downstream effective efficient entire final full future general good
    high-quality important large larger latest multiple next open original overall own possible potential practical real
    robust scalable simple single small special strong successful traditional typical unseen useful whole e.g i.e etc
    areas cases tasks""".split()
)
#: Words before a name that say nothing of what it is.
_MODIFIERS: Final = (
    r"(?:a|an|the|this|these|our|its|their|any|all|both|several|early|late|advanced|severe|mild|moderate|acute|common|rare"
    r"|human|newly|diagnosed|underlying|known|new|novel|other|active|specific|major|suspected|confirmed|symptomatic|first"
    r"|second|standard|conventional|classical|current|candidate|certain|different|various|similar)"
)
_STOP_WORD: Final = rf"(?:{'|'.join(sorted(_STOP_WORDS | CAPITALISED_STOP_WORDS))}|{_MODIFIERS}|\w+(?:ed|ing|ly))"
_SIGNS: Final = r"[\w'’+*/‐‑–-]"
_WRITTEN: Final = (
    rf"(?=[^\W_])(?=\d*{_SIGNS}*[^\W\d_])(?={_SIGNS}*[A-ZΑ-Ωα-ω\d])(?!(?i:{_STOP_WORD})(?![\w-])){_SIGNS}*[\w+*]"
)
_ANY: Final = rf"(?=[^\W_])(?!(?i:{_STOP_WORD})(?![\w-]))(?:{_SIGNS}*\w)"
_LETTERED: Final = rf"(?=\d*{_SIGNS}*[^\W\d_]){_ANY}"
_END: Final = rf"(?=\s*[.,;:!?()\[\]]|\s*$|\s+(?i:{_STOP_WORD})(?![\w-]))"
_NAMED: Final = {NAME: rf"{_WRITTEN}(?:\s{_WRITTEN}){{0,2}}", WORDS: rf"{_LETTERED}(?:\s{_ANY}){{0,3}}"}
_PLACEHOLDER: Final = re.compile(rf"\b(?:{NAME}|{WORDS})\b")
_FLAGS: Final = re.compile(r"\(\?[a-zA-Z]+\)")
_MOST_BEFORE_HEAD: Final = 3


@dataclass(frozen=True)
class Cue:
    """Names of a type, where the group `name` of a pattern stands in a text, but for those in lower case in `never`.

    A `written` name shows by its letters that it is one, so that a capital which only opens a sentence is not enough.
    """

    type: str
    pattern: re.Pattern[str]
    confidence: float
    never: frozenset[str] = frozenset()
    written: bool = False


def context_pattern(template: str) -> str:
    """The pattern of a name beside words, as in `NAME gene`; raises `ValueError` where it is none."""
    found = _PLACEHOLDER.findall(template)
    if len(found) != 1 or not _PLACEHOLDER.sub("", template).strip():
        raise ValueError(f"{template!r}: write {NAME} or {WORDS} once, and words beside it")
    left, right = _PLACEHOLDER.split(template)
    before = (
        rf"(?<![\w-])(?i:{words_pattern(left)})(?:{_glue(left)}(?i:{_MODIFIERS}\s+)*)"
        if left.strip()
        else r"(?<![\w-])"
    )
    after = (
        rf"{_glue(right)}(?i:{words_pattern(right)})(?!\w)"
        if right.strip()
        else _END
        if found[0] == WORDS
        else r"(?!\w)"
    )
    return rf"{before}(?P<name>{_NAMED[found[0]]}){after}"


def suffix_pattern(letters: str) -> str:
    """The pattern of words that end in these letters; raises `ValueError` for what are no letters."""
    bare = letters.strip().removeprefix("-")
    if not bare.isalpha():
        raise ValueError(f"{letters!r}: an ending is letters, such as -mab")
    return rf"(?<![\w])(?P<name>(?i:[^\W\d_]{{2,}}{re.escape(bare)}))(?!\w)"


def head_pattern(word: str) -> str:
    """The pattern of up to three words before one that says what they name; raises `ValueError` for no word."""
    if not word.strip():
        raise ValueError("a head is a word, such as disease")
    return (
        rf"(?<![\w-])(?P<name>{_LETTERED}(?:\s{_ANY}){{0,{_MOST_BEFORE_HEAD - 1}}}\s(?i:{words_pattern(word)}))(?!\w)"
    )


def shape_pattern(pattern: str) -> str:
    """The pattern of names that are wholly of a shape; raises `ValueError` for one that is no regular expression."""
    if _FLAGS.search(pattern):
        raise ValueError(f"{pattern!r}: flags stand for a part of a regular expression only, as in (?i:…)")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
    if compiled.match("") or compiled.groups:
        raise ValueError(f"{pattern!r}: a shape has no groups but (?:…) and does not match nothing")
    return rf"(?<![\w])(?P<name>{pattern})(?!\w)"


def words_pattern(words: str) -> str:
    """The pattern of words as they are spoken: any space between them, any ending where a `*` stands."""
    return r"\s+".join(re.escape(word).replace(r"\*", r"\w*") for word in words.split())


def _glue(side: str) -> str:
    """What stands between the words of a cue and its name: a space, or nothing where the cue has none."""
    return r"\s+" if side != side.strip() else ""


def match_cues(doc: Document, cues: Iterable[Cue]) -> Iterator[tuple[Span, Cue]]:
    """The token spans that the cues find, each inside one sentence."""
    sentences = [doc.sentence_span(number) for number in range(len(doc.sentences))]
    for cue in cues:
        for start, end in sentences:
            for match in cue.pattern.finditer(doc.text, start, end):
                span = _token_span(doc, match, written=cue.written)
                if span and doc.span_text(*span).lower() not in cue.never:
                    yield span, cue


def _token_span(doc: Document, match: re.Match[str], *, written: bool) -> Span | None:
    """The tokens of a match's name; of a written one, a word that only opens the sentence is left out."""
    first, last = doc.token_at.get(match.start("name")), doc.token_ending_at.get(match.end("name"))
    if first is None or last is None or last < first:
        return None
    if not written:
        return first, last + 1
    low = doc.sentences[doc.sentence_of[first]][0]
    if first == low and _is_sentence_capital(doc, first):
        first += 1
    return (first, last + 1) if first <= last and _is_distinctive(doc, first, last + 1, low) else None


def _is_sentence_capital(doc: Document, first: int) -> bool:
    """Whether a word that opens a sentence has a capital for no other reason, and is no part of a longer word."""
    glued = first + 1 < len(doc.words) and doc.starts[first + 1] == doc.ends[first]
    return not glued and bool(CAPITALISED.fullmatch(doc.words[first])) and not STRONG.match(doc.words[first])


def _is_distinctive(doc: Document, first: int, last: int, low: int) -> bool:
    """Whether letters show a name: not only by capitals as every word of a title, or the first of a sentence, has."""
    if any(STRONG.match(word) for word in doc.words[first:last]):
        return True
    return first >= doc.title_tokens and any(
        CAPITALISED.fullmatch(doc.words[i]) for i in range(max(first, low + 1), last)
    )
