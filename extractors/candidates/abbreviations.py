"""Abbreviations defined in the text: "Group Relative Policy Optimization (GRPO)".

The matching of a short form to its long form follows Schwartz and Hearst, "A simple algorithm for
identifying abbreviation definitions in biomedical text" (PSB 2003), widened to the forms of this
field: digits and signs inside the short form ("A2C", "Text-to-Image (T2I)"), plurals, short forms that come
first, "GRPO (Group Relative Policy Optimization)", names that are spelled out behind a colon, "RePLan:
Robotic Replanning with Perception and Language Models", and titles that spell out a name of the abstract.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from citekg.schemas.records import Paper

_BRACKETED: Final = re.compile(r"\(([^()]{2,80})\)|\[([^\[\]]{2,80})\]")
_SHORT: Final = re.compile(r"[A-Za-zα-ωΑ-Ω$\\][\w$\\{}^.*+&'/@-]{0,18}(?: [A-Z0-9][\w.-]{0,8})?")
_MAX_EXTRA_WORDS: Final = 5
#: How many capitals a short form has that is spelled out without brackets.
_FEWEST_CAPITALS: Final = 3
_STOP_START: Final = frozenset(
    "a an the our this that these those we and or of for in on with via by from to as is are using called named "
    "propose introduce present new novel framework algorithm method model approach dataset benchmark".split()
)
#: A name at the beginning of a title, and one in the text, before the words that may spell it out.
_SPELLED_TITLE: Final = re.compile(r"([^\s:]{2,20}):\s+(?=\S)")
_SPELLED: Final = re.compile(
    r"(?<![\w-])([\w+-]{3,20})[\"”’']?(?:: | [-–—] |,? (?:which (?:is|stands) |is |stands |short )for )"
    r"(?:an? |the )?[\"“‘']?(?=\w)"
)
_CAPITALS: Final = re.compile(r"(?<![\w-])[A-Z][A-Z\d]{3,9}(?![\w-])")
#: What a long form does not hold: it would begin or end in the middle of something else.
_BROKEN: Final = re.compile(r"[()\[\]“”\"$|]|, we ")
_CLOSING: Final = "\"”’'} \n"
#: What a sign in a short form may stand for; a digit may also repeat the letter before it ("A2C", "M3HBM").
_STANDS_FOR: Final = {"2": "t", "4": "f", "x": "ec"}
_WORD: Final = re.compile(r"[^\W_]+")
_SMALL_WORDS: Final = frozenset("a an and as at by for from in of on the through to via with".split())


@dataclass(frozen=True, slots=True)
class Definition:
    """A long form and the short form that the text gives it, as `(start, end)` spans."""

    long: tuple[int, int]
    short: tuple[int, int]


def definitions(paper: Paper) -> Iterator[Definition]:
    """Every definition in the paper's text, in text order."""
    found = [*_spelled_title(paper.title), *_bracketed(paper.text)]
    yield from found
    yield from _spelled_in(paper, {paper.text[slice(*each.short)] for each in found})


def _bracketed(text: str) -> Iterator[Definition]:
    """The definitions with a bracket behind the long form, or behind the short one."""
    for bracket in _BRACKETED.finditer(text):
        group = 1 if bracket[1] is not None else 2
        inner, start = bracket[group], bracket.start(group)
        short_text = re.split(r"[,;]| or |; ", inner)[0].strip()
        short_start = start + inner.find(short_text)
        if _is_short_form(short_text):
            long = _long_form_before(text, bracket.start(), short_text)
            if long:
                yield Definition(long, (short_start, short_start + len(short_text)))
                continue
        before = re.search(r"([A-Za-z][\w.*+/-]*)\s*$", text[max(0, bracket.start() - 30) : bracket.start()])
        if before and _is_short_form(before[1]) and len(inner.split()) > 1:
            whole = _long_form_before(inner, len(inner), before[1])
            if whole and whole[0] == 0:
                at = max(0, bracket.start() - 30) + before.start(1)
                yield Definition((start, start + whole[1]), (at, at + len(before[1])))


def _spelled_in(paper: Paper, defined: set[str]) -> Iterator[Definition]:
    """The definitions of other names: spelled out behind a colon in the abstract, or by the title."""
    text, abstract = paper.text, len(paper.title)
    for match in _SPELLED.finditer(text, abstract):
        if match[1] not in defined and (end := _spelled_end(text, match.end(), match[1])):
            defined.add(match[1])
            yield Definition((match.end(), end), match.span(1))
    for match in _CAPITALS.finditer(text, abstract):
        begins_alike = paper.title[:1].upper() == match[0][0]
        if begins_alike and match[0] not in defined and (end := _spelled_end(paper.title, 0, match[0])):
            defined.add(match[0])
            yield Definition((0, end), match.span())


def _spelled_end(text: str, start: int, short: str) -> int:
    """Where the words end that spell a short form out from `start` on, or 0 where they do not."""
    if not _is_short_form(short) or sum(c.isupper() for c in short) < _FEWEST_CAPITALS:
        return 0
    line = text[: text.find("\n", start)] if "\n" in text[start:] else text
    words = list(itertools.islice(_WORD.finditer(line, start), 3 * len(short)))
    count = _words_spelling(line, words, short)
    if not count or _BROKEN.search(line[start : words[count - 1].end()]):
        return 0
    last = _with_last_noun(line, words, count) if start == 0 else count
    return 0 if line[words[last - 1].end() :][:1] == "-" else words[last - 1].end()


def _spelled_title(title: str) -> Iterator[Definition]:
    """The definition that a title "SHORT: Long Form for a Task" makes."""
    head = _SPELLED_TITLE.match(title)
    if head and _is_short_form(head[1]) and sum(c.isupper() for c in head[1]) > 1:
        words = list(_WORD.finditer(title, head.end()))[: 3 * len(head[1])]
        count = _words_spelling(title, words, head[1])
        if count and title[words[count - 1].end() :][:1] != "-":
            yield Definition((head.end(), words[_with_last_noun(title, words, count) - 1].end()), head.span(1))


def _words_spelling(title: str, words: list[re.Match[str]], short: str) -> int:
    """How many words it takes to spell the short form: its capitals begin words, its small letters lie in them."""
    index, offset = -1, 0
    for letter in filter(str.isalnum, short):
        if letter.islower() and index >= 0:
            while index < len(words) and (offset := words[index][0].lower().find(letter, offset) + 1) == 0:
                index += 1
        else:
            index, offset = index + 1, 1
            while index < len(words) and words[index][0][0].lower() != letter.lower():
                if words[index][0] not in _SMALL_WORDS and title[words[index].start() - 1] != "-":
                    return 0
                index += 1
        if index == len(words):
            return 0
    whole = any(len(w[0]) > 3 and w[0].lower() in short.lower() for w in words[: index + 1])
    return 0 if whole or index < 1 else index + 1


def _with_last_noun(title: str, words: list[re.Match[str]], count: int) -> int:
    """One word more, where it alone stands between the spelling words and a small word or the end."""
    if count == len(words) or title[words[count - 1].end() : words[count].start()] != " ":
        return count
    closes = count + 1 == len(words) or words[count + 1][0] in _SMALL_WORDS
    return count + 1 if closes and words[count][0] not in _SMALL_WORDS else count


def _is_short_form(text: str) -> bool:
    capitals = sum(c.isupper() for c in text)
    return bool(_SHORT.fullmatch(text)) and len(text) >= 2 and capitals >= 1 and (capitals >= 2 or len(text) <= 6)


def _long_form_before(text: str, end: int, short: str) -> tuple[int, int] | None:
    """The span before `end` whose letters give the short form, found from right to left."""
    letters = [c.lower() for c in short if c.isalnum()]
    if letters and len(letters) > 2 and letters[-1] == "s" and short[-1] == "s":
        letters.pop()
    window = _last_words(text, _clause_start(text, end), end, len(letters) + _MAX_EXTRA_WORDS)
    start = _read(text, window, end, letters)
    if start is None:
        return None
    long = text[start:end].rstrip(_CLOSING)
    long_end = start + len(long)
    if _BROKEN.search(long):
        return None
    if len(long) <= len(short) + 1 or short in long.split() or len(long.split()) > 2 * len(letters) + 2:
        return None
    if long.split()[0].lower() in _STOP_START and len(long.split()) > len(letters):
        return None
    return start, long_end


def _read(text: str, floor: int, end: int, letters: list[str]) -> int | None:
    """Where the long form starts by the first reading that fits; all but the plainest ask for a word a letter."""
    for read in _readings(letters):
        start = _align(text, floor, end, read)
        if start is not None and (read is letters or len(_WORD.findall(text[start:end])) >= len(read)):
            return start
    return None


def _readings(letters: list[str]) -> Iterator[list[str]]:
    """The letters of a short form as they stand, and with what its signs may stand for."""
    yield letters
    for at, sign in enumerate(letters):
        for letter in _STANDS_FOR.get(sign, ""):
            yield [*letters[:at], letter, *letters[at + 1 :]]
        if at and sign in "23":
            yield [*letters[:at], *letters[at - 1] * (int(sign) - 1), *letters[at + 1 :]]


def _clause_start(text: str, end: int) -> int:
    """Where the line, the sentence or the bracket begins that `end` lies in."""
    found = ((text.rfind(mark, 0, end), len(mark)) for mark in ("\n", ". ", "("))
    return max((at + length for at, length in found if at >= 0), default=0)


def _last_words(text: str, floor: int, end: int, count: int) -> int:
    starts = [m.start() for m in re.finditer(r"\S+", text[floor:end])]
    return floor + (starts[-count] if len(starts) > count else (starts[0] if starts else 0))


def _align(text: str, floor: int, end: int, letters: list[str]) -> int | None:
    """Where the long form starts: every letter found in order, the first at the start of a word."""
    at = end - 1
    for index in range(len(letters) - 1, -1, -1):
        while at >= floor and not (
            text[at].lower() == letters[index] and (index > 0 or at == 0 or not text[at - 1].isalnum())
        ):
            at -= 1
        if at < floor:
            return None
        at -= 1
    return _compound_start(text, floor, at + 1)


def _compound_start(text: str, floor: int, start: int) -> int:
    """Where a word joined by hyphens begins, if it begins with the same letter: "Multi-modal" gives the M."""
    whole = re.search(r"[\w-]*-$", text[floor:start])
    same = whole is not None and whole[0][0].lower() == text[start].lower()
    return floor + whole.start() if whole and same else start
