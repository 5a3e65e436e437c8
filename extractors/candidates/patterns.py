"""Cues: patterns of a schema file that find names by context, ending, head noun or spelling.

A cue contains the placeholder `NAME` or `WORDS`. `NAME` matches one to three words with capitals or
digits. `WORDS` also matches plain words, up to the next function word or punctuation mark. A `*`
matches any ending of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from citekg.extractors.candidates.surface_forms import CAPITALISED, STRONG, Span
from citekg.extractors.nlp import Document
from citekg.extractors.wording.stop_words import CAPITALISED_STOP_WORDS, CUE_STOP_WORDS

NAME, WORDS = "NAME", "WORDS"

#: Words before a name that do not indicate its type.
_MODIFIERS: Final = (
    r"(?:a|an|the|this|these|our|its|their|any|all|both|several|early|late|advanced|severe|mild|moderate|acute|common|rare"
    r"|human|newly|diagnosed|underlying|known|new|novel|other|active|specific|major|suspected|confirmed|symptomatic|first"
    r"|second|standard|conventional|classical|current|candidate|certain|different|various|similar)"
)
_STOP_WORD: Final = (
    rf"(?:{'|'.join(sorted(CUE_STOP_WORDS | CAPITALISED_STOP_WORDS))}|{_MODIFIERS}"
    r"|\w+(?:ed|ing|ly))"
)
_SIGNS: Final = r"[\w'’+*/‐‑–-]"
_WRITTEN: Final = (
    rf"(?=[^\W_])(?=\d*{_SIGNS}*[^\W\d_])(?={_SIGNS}*[A-ZΑ-Ωα-ω\d])"
    rf"(?!(?i:{_STOP_WORD})(?![\w-])){_SIGNS}*[\w+*]"
)
_ANY: Final = rf"(?=[^\W_])(?!(?i:{_STOP_WORD})(?![\w-]))(?:{_SIGNS}*\w)"
_LETTERED: Final = rf"(?=\d*{_SIGNS}*[^\W\d_]){_ANY}"
_END: Final = rf"(?=\s*[.,;:!?()\[\]]|\s*$|\s+(?i:{_STOP_WORD})(?![\w-]))"
_PLACEHOLDERS: Final = {
    NAME: rf"{_WRITTEN}(?:\s{_WRITTEN}){{0,2}}",
    WORDS: rf"{_LETTERED}(?:\s{_ANY}){{0,3}}",
}
_PLACEHOLDER: Final = re.compile(rf"\b(?:{NAME}|{WORDS})\b")
_FLAGS: Final = re.compile(r"\(\?[a-zA-Z]+\)")
_MAX_WORDS_BEFORE_HEAD: Final = 3


@dataclass(frozen=True)
class Cue:
    """A pattern that finds names of a type, with its confidence (0 to 1).

    The group `name` of the pattern is the name. Names in `never`, in lower case, are excluded. A
    `written` name must be distinctive in spelling: a capital that only opens a sentence does not
    suffice.
    """

    type: str
    pattern: re.Pattern[str]
    confidence: float
    never: frozenset[str] = frozenset()
    written: bool = False


def context_pattern(template: str) -> str:
    """Return the pattern of a name in context, as in `NAME gene`.

    Raises `ValueError` unless the template has exactly one placeholder, with words next to it.
    """
    found = _PLACEHOLDER.findall(template)
    if len(found) != 1 or not _PLACEHOLDER.sub("", template).strip():
        raise ValueError(f"{template!r}: write {NAME} or {WORDS} once, and words beside it")
    left, right = _PLACEHOLDER.split(template)
    before = (
        rf"(?<![\w-])(?i:{words_pattern(left)})(?:{_separator(left)}(?i:{_MODIFIERS}\s+)*)"
        if left.strip()
        else r"(?<![\w-])"
    )
    after = (
        rf"{_separator(right)}(?i:{words_pattern(right)})(?!\w)"
        if right.strip()
        else _END
        if found[0] == WORDS
        else r"(?!\w)"
    )
    return rf"{before}(?P<name>{_PLACEHOLDERS[found[0]]}){after}"


def suffix_pattern(*endings: str) -> str:
    """Return the pattern of words with these endings; raises `ValueError` if one is not letters."""
    bare = [ending.strip().removeprefix("-") for ending in endings]
    for ending, letters in zip(endings, bare, strict=True):
        if not letters.isalpha():
            raise ValueError(f"{ending!r}: an ending must consist of letters, such as -mab")
    return rf"(?<![\w])(?P<name>(?i:[^\W\d_]{{2,}}(?:{'|'.join(map(re.escape, bare))})))(?!\w)"


def head_pattern(*words: str) -> str:
    """Return the pattern of up to three words before a head noun, which is part of the name.

    Raises `ValueError` if a head is empty.
    """
    if not all(word.strip() for word in words):
        raise ValueError("a head must be a word, such as disease")
    return (
        rf"(?<![\w-])(?P<name>{_LETTERED}(?:\s{_ANY}){{0,{_MAX_WORDS_BEFORE_HEAD - 1}}}"
        rf"\s(?i:{'|'.join(map(words_pattern, words))}))(?!\w)"
    )


def shape_pattern(pattern: str) -> str:
    """Return the pattern of names that match a regular expression as a whole.

    Raises `ValueError` if it is invalid, matches the empty text, or has groups or global flags.
    """
    if _FLAGS.search(pattern):
        raise ValueError(f"{pattern!r}: flags must apply to a part of the expression, as in (?i:…)")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is not a valid regular expression: {error}") from error
    if compiled.match("") or compiled.groups:
        raise ValueError(
            f"{pattern!r}: a shape must have no groups other than (?:…)"
            " and must not match the empty text"
        )
    return rf"(?<![\w])(?P<name>{pattern})(?!\w)"


def words_pattern(words: str) -> str:
    """Return the pattern of the words: any space between them, any ending for a `*`."""
    return r"\s+".join(re.escape(word).replace(r"\*", r"\w*") for word in words.split())


def _separator(side: str) -> str:
    """Return the pattern between a name and its context: space, or nothing if the cue has none."""
    return r"\s+" if side != side.strip() else ""


def match_cues(doc: Document, cues: Iterable[Cue]) -> Iterator[tuple[Span, Cue]]:
    """Yield the token spans that the cues match, each inside one sentence, with the cue."""
    sentences = [doc.sentence_span(number) for number in range(len(doc.sentences))]
    for cue in cues:
        for start, end in sentences:
            for match in cue.pattern.finditer(doc.text, start, end):
                span = _token_span(doc, match, written=cue.written)
                if span and doc.span_text(*span).lower() not in cue.never:
                    yield span, cue


def _token_span(doc: Document, match: re.Match[str], *, written: bool) -> Span | None:
    """Return the token span of the name in a match, or None.

    A word that only opens the sentence is removed from a written name.
    """
    span = doc.token_span(*match.span("name"))
    if not span or not written:
        return span
    first, last = span
    low = doc.sentences[doc.sentence_of[first]][0]
    if first == low and _is_sentence_capital(doc, first):
        first += 1
    return (first, last) if first < last and _is_distinctive(doc, first, last, low) else None


def _is_sentence_capital(doc: Document, first: int) -> bool:
    """Return whether a word is capitalised only because it opens a sentence.

    A part of a longer word does not count.
    """
    is_glued = first + 1 < len(doc.words) and doc.starts[first + 1] == doc.ends[first]
    return (
        not is_glued
        and bool(CAPITALISED.fullmatch(doc.words[first]))
        and not STRONG.match(doc.words[first])
    )


def _is_distinctive(doc: Document, first: int, last: int, low: int) -> bool:
    """Return whether the spelling marks a name.

    Capitals of a title or at the start of a sentence do not suffice.
    """
    if any(STRONG.match(word) for word in doc.words[first:last]):
        return True
    return first >= doc.title_tokens and any(
        CAPITALISED.fullmatch(doc.words[i]) for i in range(max(first, low + 1), last)
    )
