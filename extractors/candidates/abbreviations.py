"""Abbreviations that the text defines: "Group Relative Policy Optimization (GRPO)".

A short form is matched to its long form after Schwartz and Hearst, "A simple algorithm for
identifying abbreviation definitions in biomedical text" (PSB 2003). The algorithm is extended to
the forms of this field:

- digits and symbols inside the short form: "A2C", "Text-to-Image (T2I)";
- plurals;
- short forms that come first: "GRPO (Group Relative Policy Optimization)";
- names expanded after a colon: "RePLan: Robotic Replanning with Perception and Language Models",
  also with letters inside words: "VAULT: VAriable Unified Long Text Representation";
- titles that expand a name of the abstract.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from citekg.extractors.wording.stop_words import (
    FUNCTION_WORDS,
    LONG_FORM_STOP_WORDS,
    PLAIN_WORDS,
    WORDS_IN_NO_LONG_FORM,
)
from citekg.schemas.names.words import TEX_WORDS
from citekg.schemas.records import Paper

_BRACKETED: Final = re.compile(r"\(([^()]{2,80})\)|\[([^\[\]]{2,80})\]")
_SHORT_FORM: Final = re.compile(
    r"[A-Za-zα-ωΑ-Ω$\\][\w$\\{}^.*+&'/@-]{0,18}(?: [A-Z0-9][\w.-]{0,8})?"
)
#: How many more words than letters the search window for a long form holds.
_MAX_EXTRA_WORDS: Final = 5
#: Minimum number of capitals and maximum length of a short form that is expanded without brackets.
_MIN_CAPITALS: Final = 3
_MAX_LENGTH: Final = 20
#: The name at the start of a title, and a name in the text, before a possible expansion.
_TITLE_HEAD: Final = re.compile(r"([^\s:]{2,20}):\s+(?=\S)")
_CAPITAL: Final = r"[^\Wa-z\d_]"
_BEFORE_EXPANSION: Final = (
    r"[\"”’']?"
    r"(?:: | [-–—] |,? (?:i\.e\.,?|namely,?) |,? (?:which (?:is|stands) |is |stands |short )for )"
)
#: The capitals are a necessary condition that is checked before the words after the name.
_EXPANSION_CUE: Final = re.compile(
    rf"(?<![\w-])(?=(?:[a-z\d_+-]*{_CAPITAL}){{{_MIN_CAPITALS}}})"
    rf"([\w+-]{{{_MIN_CAPITALS},{_MAX_LENGTH}}})"
    rf"{_BEFORE_EXPANSION}(?:an? |the )?[\"“‘']?(?=\w)"
)
#: The maximum number of characters of such a name besides the necessary capitals.
_MAX_OTHERS: Final = _MAX_LENGTH - _MIN_CAPITALS
#: A part of every such cue, from the first capital on: the search skips all other characters. The
#: limits of the repetitions keep it fast in long texts of a script without capitals.
_POSSIBLE_CUE: Final = re.compile(
    rf"{_CAPITAL}(?:[a-z\d_+-]{{0,{_MAX_OTHERS}}}{_CAPITAL}){{{_MIN_CAPITALS - 1}}}"
    rf"[\w+-]{{0,{_MAX_OTHERS}}}{_BEFORE_EXPANSION}"
)
#: Words that may precede a short form in brackets, and words that may follow it there: "Kite Search
#: (dubbed KS)", "Kite Search (KS for short)".
_SHORT_FORM_OPENING: Final = re.compile(
    r"(?:or|i\.e\.,?|a\.k\.a\.|aka|namely|(?:which )?(?:we |is |are )?(?:also |simply )?"
    r"(?:called|named|termed|dubbed|denoted|abbreviated|referred to|known|short|call|name|term|dub)"
    r"(?: as| by| for)?) (?:the )?"
)
_SHORT_FORM_END: Final = re.compile(
    r"[,;]| or | (?:for|in) short\b| (?:here(?:in)?after|henceforth)\b"
)
#: Words that may begin a long form in brackets after a short form: "Kite (short for Kind Iterative
#: Tree Expansion)".
_EXPANSION_OPENING: Final = re.compile(
    r"(?:which )?(?:is )?(?:short|stands|an? (?:acronym|abbreviation)|standing) (?:for|of) "
    r"|i\.e\.,? "
)
#: Acronyms, by their initial. The look-behind follows it, so that the search skips all other
#: characters.
_ACRONYMS: Final = {
    initial: re.compile(rf"{initial}(?<![\w-].)[A-Z\d]{{3,9}}(?![\w-])")
    for initial in string.ascii_uppercase
}
#: Text that no long form contains, because the long form would cross a constituent boundary.
_INVALID_LONG_FORM: Final = re.compile(r"[()\[\]“”\"$|]|, we ")
#: A short form in the plural, and the ends of the long forms that agree with it.
_PLURAL_SHORT_FORM: Final = re.compile(r"[A-Z]{3,}s")
_PLURAL_ENDINGS: Final = ("s", "a", "i", "men", "people", "S")
_TRAILING_SIGNS: Final = "\"”’'} \n"
#: Letters that a digit or symbol in a short form may represent. A digit may also repeat the letter
#: before it: "A2C", "M3HBM".
_SIGN_LETTERS: Final = {"2": "t", "4": "f", "x": "ec"} | {
    sign: name[0] for name, sign in TEX_WORDS.items() if "α" <= sign <= "ω"
}
_WORD: Final = re.compile(r"[^\W_]+")
#: Minimum number of letters of a short form that may skip one content word of its long form.
_MIN_LETTERS_TO_SKIP: Final = 4
#: Minimum length of a word that a short form contains whole, and so does not abbreviate.
_MIN_WHOLE_WORD: Final = 3


@dataclass(frozen=True, slots=True)
class Definition:
    """A long form and its short form, as `(start, end)` code points of `Paper.text`."""

    long: tuple[int, int]
    short: tuple[int, int]


def definitions(paper: Paper) -> Iterator[Definition]:
    """Yield every definition in the text of a paper.

    Those of the title and of brackets come first in text order, then those without brackets.
    """
    found = [*_title_definitions(paper.title), *_bracketed_definitions(paper.text)]
    yield from found
    yield from _unbracketed_definitions(paper, {paper.text[slice(*each.short)] for each in found})


def _bracketed_definitions(text: str) -> Iterator[Definition]:
    """Yield the definitions with a bracket after the long form, or after the short form."""
    for bracket in _BRACKETED.finditer(text):
        group = 1 if bracket[1] is not None else 2
        inner, start = bracket[group], bracket.start(group)
        opening = _SHORT_FORM_OPENING.match(inner)
        at = opening.end() if opening else 0
        short_text = _SHORT_FORM_END.split(inner[at:])[0].strip()
        short_start = start + inner.find(short_text, at)
        if _is_short_form(short_text):
            long = _find_long_form(text, bracket.start(), short_text)
            if long:
                yield Definition(long, (short_start, short_start + len(short_text)))
                continue
        before = re.search(
            r"([A-Za-z][\w.*+/-]*)\s*$", text[max(0, bracket.start() - 30) : bracket.start()]
        )
        if before and _is_short_form(before[1]) and len(inner.split()) > 1:
            expanded = _find_long_form(inner, len(inner), before[1])
            cue = _EXPANSION_OPENING.match(inner)
            if expanded and expanded[0] == (cue.end() if cue else 0):
                at = max(0, bracket.start() - 30) + before.start(1)
                long = start + expanded[0], start + expanded[1]
                yield Definition(long, (at, at + len(before[1])))


def _unbracketed_definitions(paper: Paper, defined: set[str]) -> Iterator[Definition]:
    """Yield the definitions of further names, expanded after a cue in the abstract or by the title.

    `defined` holds the short forms that have a definition; it is updated.
    """
    text, abstract = paper.text, len(paper.title)
    may_match = _POSSIBLE_CUE.search(text, abstract)
    for match in _EXPANSION_CUE.finditer(text, abstract) if may_match else ():
        if match[1] not in defined and (end := _expansion_end(text, match.end(), match[1])):
            defined.add(match[1])
            yield Definition((match.end(), end), match.span(1))
    acronyms = _ACRONYMS.get(paper.title[:1].upper())
    for match in acronyms.finditer(text, abstract) if acronyms else ():
        if match[0] not in defined and (end := _expansion_end(paper.title, 0, match[0])):
            defined.add(match[0])
            yield Definition((0, end), match.span())


def _expansion_end(text: str, start: int, short: str) -> int:
    """Return the end of the words from `start` on that expand a short form, or 0 if they do not."""
    if not _is_short_form(short) or sum(c.isupper() for c in short) < _MIN_CAPITALS:
        return 0
    line = text[: text.find("\n", start)] if "\n" in text[start:] else text
    words = list(itertools.islice(_WORD.finditer(line, start), 3 * len(short)))
    count = _count_expansion_words(line, words, short)
    if not count or _INVALID_LONG_FORM.search(line[start : words[count - 1].end()]):
        return 0
    last = _include_last_noun(line, words, count) if start == 0 else count
    return 0 if line[words[last - 1].end() :][:1] == "-" else words[last - 1].end()


def _title_definitions(title: str) -> Iterator[Definition]:
    """Yield the definition in a title such as "SHORT: Long Form for a Task", if any."""
    head = _TITLE_HEAD.match(title)
    if not head or not _is_short_form(head[1]) or sum(c.isupper() for c in head[1]) < 2:
        return
    words = list(_WORD.finditer(title, head.end()))[: 3 * len(head[1])]
    if count := _count_expansion_words(title, words, head[1]):
        if title[words[count - 1].end() :].startswith("-"):
            return
        last = _include_last_noun(title, words, count)
    elif count := _align_inside(words, head[1]):
        last = _include_phrase(title, words, count)
    else:
        return
    yield Definition((head.end(), words[last - 1].end()), head.span(1))


def _count_expansion_words(title: str, words: list[re.Match[str]], short: str) -> int:
    """Return how many of the words expand the short form, or 0 if they do not.

    Its capitals must begin words; its lower-case letters must lie inside them. A long enough short
    form may skip one content word of the expansion, such as "unit" in "unit test feedback".
    """
    exact = _align_words(title, words, short, skips=0)
    may_skip = len(short) >= _MIN_LETTERS_TO_SKIP and short.isupper()
    return exact or (_align_words(title, words, short, skips=1) if may_skip else 0)


def _align_words(title: str, words: list[re.Match[str]], short: str, *, skips: int) -> int:
    """Return how many words expand the short form if `skips` content words may be skipped, or 0."""
    index, offset = -1, 0
    for letter in filter(str.isalnum, short):
        if letter.islower() and index >= 0:
            while (
                index < len(words)
                and (offset := words[index][0].lower().find(letter, offset) + 1) == 0
            ):
                index += 1
        else:
            index, offset = index + 1, 1
            while index < len(words) and words[index][0][0].lower() != letter.lower():
                if words[index][0] not in FUNCTION_WORDS and title[words[index].start() - 1] != "-":
                    skips -= 1
                if skips < 0 or index == 0:
                    return 0
                index += 1
        if index == len(words):
            return 0
    has_whole_word = any(
        len(w[0]) > 3 and w[0].lower() in short.lower() for w in words[: index + 1]
    )
    return 0 if has_whole_word or index < 1 else index + 1


def _align_inside(words: Sequence[re.Match[str]], short: str) -> int:
    """Return how many words expand the short form if any of its letters may lie inside them, or 0.

    Each word begins with a letter of the short form, except function words: "VAULT: Variable
    Unified Long Text".
    """
    expansion = [word[0].lower() for word in words]
    ends = {0: 0}  # aligned letters at the end of a word: minimum number of words
    letters = "".join(filter(str.isalnum, short)).lower()
    for number, word in enumerate(expansion):
        if word in letters and len(word) >= _MIN_WHOLE_WORD:
            return 0
        following = dict(ends) if number and word in FUNCTION_WORDS else {}
        for done in ends:
            at = 0
            for letter in range(done, len(letters)):
                at = word.find(letters[letter], at) + 1
                if at == 0 or (letter == done and at != 1):
                    break
                following[letter + 1] = number + 1
        ends = following
        if len(letters) in ends:
            return ends[len(letters)] if number else 0
    return 0


def _include_phrase(title: str, words: Sequence[re.Match[str]], count: int) -> int:
    """Return `count`, plus the number of words that complete the phrase."""
    while (
        count < len(words)
        and title[words[count - 1].end() : words[count].start()] in (" ", "-")
        and words[count][0].lower() not in PLAIN_WORDS
    ):
        count += 1
    return count


def _include_last_noun(title: str, words: list[re.Match[str]], count: int) -> int:
    """Return `count`, plus 1 if one more noun completes the phrase.

    The noun must stand alone between the expansion and a function word or the end.
    """
    if count == len(words) or title[words[count - 1].end() : words[count].start()] != " ":
        return count
    is_last = count + 1 == len(words) or words[count + 1][0] in FUNCTION_WORDS
    return count + 1 if is_last and words[count][0] not in FUNCTION_WORDS else count


def _is_short_form(text: str) -> bool:
    """Return whether the text has the form of an abbreviation."""
    capitals = sum(c.isupper() for c in text)
    return (
        bool(_SHORT_FORM.fullmatch(text))
        and len(text) >= 2
        and capitals >= 1
        and (capitals >= 2 or len(text) <= 6)
    )


def _find_long_form(text: str, end: int, short: str) -> tuple[int, int] | None:
    """Return the span of the long form that ends near `end`, matched from right to left, if any."""
    letters = [c.lower() for c in short if c.isalnum()]
    if letters and len(letters) > 2 and letters[-1] == "s" and short[-1] == "s":
        letters.pop()
    window = _window_start(text, _clause_start(text, end), end, len(letters) + _MAX_EXTRA_WORDS)
    start = _find_start(text, window, end, letters)
    if start is None:
        return None
    long = text[start:end].rstrip(_TRAILING_SIGNS)
    long_end = start + len(long)
    words = long.split()
    if (
        _INVALID_LONG_FORM.search(long)
        or not WORDS_IN_NO_LONG_FORM.isdisjoint(words[1:])
        or (_PLURAL_SHORT_FORM.fullmatch(short) and not long.endswith(_PLURAL_ENDINGS))
    ):
        return None
    if len(long) <= len(short) + 1 or short in words or len(words) > 2 * len(letters) + 2:
        return None
    if words[0] in {"a", "an"} or (
        words[0].lower() in LONG_FORM_STOP_WORDS and len(words) > len(letters)
    ):
        return None
    return start, long_end


def _find_start(text: str, floor: int, end: int, letters: list[str]) -> int | None:
    """Return the start of the long form by the first letter variant that matches.

    Words whose initials are all the letters take precedence. All variants but the plain letters
    require at least one word for each letter.
    """
    if (start := _align_initials(text, floor, end, letters)) is not None:
        return start
    for variant in _letter_variants(letters):
        start = _align_letters(text, floor, end, variant)
        if start is not None and (
            variant is letters or _count_initials(text[start:end]) >= len(variant)
        ):
            return start
    return None


def _count_initials(long: str) -> int:
    """Return the number of initials of a long form; each letter of an acronym in it counts."""
    return sum(len(word) if word.isupper() else 1 for word in _WORD.findall(long))


def _align_initials(text: str, floor: int, end: int, letters: list[str]) -> int | None:
    """Return the start of the words whose initials are the letters, if the text ends with them.

    Function words between them may be skipped, and the last parts of hyphenated compounds.
    """
    if len(letters) < _MIN_CAPITALS:
        return None
    words = [*_WORD.finditer(text, floor, end)]
    for letter in reversed(letters):
        while words and words[-1][0][0].lower() != letter and _may_skip(text, words[-1]):
            words.pop()
        if not words or words[-1][0][0].lower() != letter:
            return None
        start = words.pop().start()
    return _compound_start(text, floor, start)


def _may_skip(text: str, word: re.Match[str]) -> bool:
    """Return whether a word is a function word, or a part of a compound but the first one."""
    return word[0] in FUNCTION_WORDS or (word.start() > 0 and text[word.start() - 1] == "-")


def _letter_variants(letters: list[str]) -> Iterator[list[str]]:
    """Yield the letters of a short form, first unchanged, then with digits and symbols replaced."""
    yield letters
    for at, sign in enumerate(letters):
        for letter in _SIGN_LETTERS.get(sign, ""):
            yield [*letters[:at], letter, *letters[at + 1 :]]
        if at and sign in "23":
            yield [*letters[:at], *letters[at - 1] * (int(sign) - 1), *letters[at + 1 :]]


def _clause_start(text: str, end: int) -> int:
    """Return the start of the line, sentence or bracket that contains `end`."""
    found = ((text.rfind(mark, 0, end), len(mark)) for mark in ("\n", ". ", "("))
    return max((at + length for at, length in found if at >= 0), default=0)


def _window_start(text: str, floor: int, end: int, count: int) -> int:
    """Return the start of the last `count` words before `end`, but not before `floor`."""
    starts = [m.start() for m in re.finditer(r"\S+", text[floor:end])]
    return floor + (starts[-count] if len(starts) > count else (starts[0] if starts else 0))


def _align_letters(text: str, floor: int, end: int, letters: list[str]) -> int | None:
    """Return the start of a long form that contains all letters in order, if any.

    The first letter must begin a word.
    """
    at = end - 1
    for index in range(len(letters) - 1, -1, -1):
        while at >= floor and not (
            text[at].lower() == letters[index]
            and (index > 0 or at == 0 or not text[at - 1].isalnum())
        ):
            at -= 1
        if at < floor:
            return None
        at -= 1
    return _compound_start(text, floor, at + 1)


def _compound_start(text: str, floor: int, start: int) -> int:
    """Return the start of the hyphenated compound around `start`.

    For the M of "modal", this is the start of "Multi-modal".
    """
    compound = re.search(r"(?:\w+-)+$", text[floor:start])
    return floor + compound.start() if compound else start
