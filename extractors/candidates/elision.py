"""Elided names: the second one of "CIFAR-10/100", and each size of "Qwen2.5 (3B/7B)".

The first name is already a candidate. Each further number becomes a separate candidate, with the
number as its span and the complete name. The first number may be the end of a word ("CIFAR10/100").
`citekg.extractors.markup` writes "Llama-3.1-{8B,70B}" as "Llama-3.1-8B/70B".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.nlp import Document
from citekg.schemas.names import key

Span = tuple[int, int]

#: Numbers that name members of a series: sizes, years, versions and others. All members of a list
#: have one of these shapes. A number may follow at least three letters of the same word.
_SHAPES: Final = tuple(
    re.compile(rf"(?P<letters>[A-Za-z]{{3,}}?)?(?P<number>{number})")
    for number in (
        r"\d+(?:\.\d+)?[BMbm]",
        r"(?:19|20)\d\d",
        r"[Vv]\d(?:\.\d)?",
        r"\d{1,3}(?:\.\d)?",
    )
)
_SIZE: Final = _SHAPES[0]
_SEPARATORS: Final = frozenset({"/", ","})


def add_elided(
    doc: Document, found: Iterable[Candidate], lexicon: Lexicon | None
) -> list[Candidate]:
    """Return the candidates with those of elided names; spans that cross these are left out."""
    by_key = {candidate.key: candidate for candidate in found}
    if "/" not in doc.words:
        return [*by_key.values()]
    taken: set[int] = set()
    for numbers in _lists(doc):
        if head := _head(doc, by_key.values(), numbers.name_end):
            like, span = head
            stem = _stem(doc.span_text(*span), doc.words[span[1] - 1], numbers.shape)
            for member in numbers.members:
                _add_member(by_key, like, f"{stem}{doc.words[member]}", member, lexicon)
            taken.update(numbers.members)
    for candidate in by_key.values() if taken else ():
        candidate.spans = [
            (a, b) for a, b in candidate.spans if b - a == 1 or not taken.intersection(range(a, b))
        ]
    return [candidate for candidate in by_key.values() if candidate.spans]


class _NumberList(NamedTuple):
    """A list of numbers of one shape after a name.

    `name_end` is where the name ends (exclusive), and `members` are the tokens of the numbers that
    are not part of the name.
    """

    name_end: int
    members: list[int]
    shape: re.Pattern[str]


def _lists(doc: Document) -> Iterator[_NumberList]:
    at = 0
    while at + 2 < len(doc.words):
        found = _list_at(doc, at)
        if found:
            yield found
        at = found.members[-1] + 1 if found else at + 1


def _list_at(doc: Document, at: int) -> _NumberList | None:
    """Return the list whose first number is, or ends, the token `at`, if any."""
    if doc.words[at + 1] not in _SEPARATORS:
        return None
    shape = next((shape for shape in _SHAPES if shape.fullmatch(doc.words[at])), None)
    further = _further_members(doc, at, shape) if shape else []
    if not shape or not any(doc.words[m - 1] == "/" for m in further):
        return None
    if shape is _SIZE and at and doc.words[at - 1] == "(" and _is_number(doc.words[at], shape):
        return _NumberList(at - 1, [at, *further], shape)
    return _NumberList(at + 1, further, shape)


def _further_members(doc: Document, at: int, shape: re.Pattern[str]) -> list[int]:
    """Return the tokens of the numbers of a shape in a list, after its first number."""
    members: list[int] = []
    while at + 2 < len(doc.words) and doc.words[at + 1] in _SEPARATORS:
        is_glued = doc.ends[at + 1] == doc.starts[at + 2] or doc.words[at + 1] == ","
        if not is_glued or not _is_number(doc.words[at + 2], shape):
            break
        at += 2
        members.append(at)
    return members


def _is_number(word: str, shape: re.Pattern[str]) -> bool:
    found = shape.fullmatch(word)
    return bool(found and not found["letters"])


def _head(
    doc: Document, candidates: Iterable[Candidate], end: int
) -> tuple[Candidate, Span] | None:
    """Return the candidate, with its span, that ends where a list begins; lexicon names first."""
    ending = (
        (candidate, span)
        for candidate in candidates
        for span in candidate.spans
        if span[1] == end and doc.words[span[0]][0].isalpha()
    )
    return max(
        ending, key=lambda c: (c[0].entry is not None, c[1][1] - c[1][0], c[0].key), default=None
    )


def _stem(name: str, last_word: str, shape: re.Pattern[str]) -> str:
    """Return the name up to the numbers of a list.

    A number of their shape at its end is one of them: of "Llama 2 (7B/13B)", the 2 remains.
    """
    found = shape.fullmatch(last_word)
    return name.removesuffix(found["number"]) if found else f"{name}-"


def _add_member(
    by_key: dict[str, Candidate], like: Candidate, name: str, member: int, lexicon: Lexicon | None
) -> None:
    """Add the candidate of a name that resembles another candidate, or a further span of it."""
    candidate = by_key.setdefault(key(name), Candidate(key(name), name=name, like=like.key))
    if candidate.like:
        candidate.finders |= like.finders
        candidate.entry = _entry(name, lexicon)
    candidate.spans = sorted({*candidate.spans, (member, member + 1)})


def _entry(name: str, lexicon: Lexicon | None) -> Entry | None:
    """Return the lexicon entry of a whole name, if any."""
    hits = lexicon.find(name) if lexicon else ()
    return next((hit.entry for hit in hits if (hit.start, hit.end) == (0, len(name))), None)
