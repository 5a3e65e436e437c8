"""Elided names: the second one of "CIFAR-10/100", and each size of "Qwen2.5 (3B/7B)".

The first name is already a candidate. Each further number becomes a separate candidate, with the
number as its span and the complete name. `citekg.extractors.markup` writes
"Llama-3.1-{8B,70B}" as "Llama-3.1-8B/70B".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.nlp import Document
from citekg.schemas.names import key

Span = tuple[int, int]

#: Numbers that name members of a series; all members of a list have one of these shapes.
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?[BMbm]")
_SHAPES: Final = (_SIZE, re.compile(r"(?:19|20)\d\d"), re.compile(r"\d{1,3}(?:\.\d)?"))
_SEPARATORS: Final = frozenset({"/", ","})


def add_elided(
    doc: Document, found: Iterable[Candidate], lexicon: Lexicon | None
) -> list[Candidate]:
    """Return the candidates with those of elided names; spans that cross these are left out."""
    by_key = {candidate.key: candidate for candidate in found}
    if "/" not in doc.words:
        return [*by_key.values()]
    taken: set[int] = set()
    for first, members in _lists(doc):
        if head := _head(doc, by_key.values(), first):
            for member in members:
                _add_member(doc, by_key, head, member, lexicon)
            taken.update(members)
    for candidate in by_key.values() if taken else ():
        candidate.spans = [
            (a, b) for a, b in candidate.spans if b - a == 1 or not taken.intersection(range(a, b))
        ]
    return [candidate for candidate in by_key.values() if candidate.spans]


def _lists(doc: Document) -> Iterator[tuple[int, list[int]]]:
    """Yield where the name before a list of numbers ends (exclusive), and its further numbers."""
    at = 0
    while at + 2 < len(doc.words):
        members = _members(doc, at)
        if len(members) > 1:
            is_bracketed = at > 0 and doc.words[at - 1] == "(" and _SIZE.fullmatch(doc.words[at])
            yield (at - 1, members) if is_bracketed else (at + 1, members[1:])
        at += max(2 * len(members) - 1, 1)


def _members(doc: Document, at: int) -> list[int]:
    """Return the tokens of the numbers of one shape, with slashes between them, from `at` on."""
    if doc.words[at + 1] not in _SEPARATORS:
        return []
    shape = next((shape for shape in _SHAPES if shape.fullmatch(doc.words[at])), None)
    members = [at] if shape else []
    while shape and at + 2 < len(doc.words) and doc.words[at + 1] in _SEPARATORS:
        is_glued = doc.ends[at + 1] == doc.starts[at + 2] or doc.words[at + 1] == ","
        if not is_glued or not shape.fullmatch(doc.words[at + 2]):
            break
        at += 2
        members.append(at)
    return members if any(doc.words[m + 1 : m + 2] == ("/",) for m in members) else []


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


def _add_member(
    doc: Document,
    by_key: dict[str, Candidate],
    head: tuple[Candidate, Span],
    member: int,
    lexicon: Lexicon | None,
) -> None:
    """Add the candidate whose name is the head's with another number, or a further span of it."""
    like, (first, last) = head
    number = doc.words[member]
    has_number = any(s.fullmatch(doc.words[last - 1]) for s in _SHAPES)
    stem = doc.text[doc.starts[first] : doc.starts[last - 1]] if has_number else ""
    name = f"{stem}{number}" if stem else f"{doc.span_text(first, last)}-{number}"
    candidate = by_key.setdefault(key(name), Candidate(key(name), name=name, like=like.key))
    if candidate.like:
        candidate.finders |= like.finders
        candidate.entry = _entry(name, lexicon)
    candidate.spans = sorted({*candidate.spans, (member, member + 1)})


def _entry(name: str, lexicon: Lexicon | None) -> Entry | None:
    """Return the lexicon entry of a whole name, if any."""
    hits = lexicon.find(name) if lexicon else ()
    return next((hit.entry for hit in hits if (hit.start, hit.end) == (0, len(name))), None)
