"""Sentences with values, as sequences of words, values and names of entities.

Features are computed from these items instead of tokens: an entity of the paper is one item, a
value is one item, and articles and fillers are left out.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from citekg.extractors.nlp import Document
from citekg.extractors.results.values import Value
from citekg.extractors.wording.results import (
    APPROXIMATIONS,
    DETERMINERS,
    EDGE_WORDS,
    MEASURES,
    PHRASE_BREAKS,
    SKIPPED,
)

WORD: Final = "word"
VALUE: Final = "value"
NAME: Final = "name"
#: The text of an item that is a value.
VALUE_SIGN: Final = "<v>"
_LIST_SIGNS: Final = frozenset({",", "and", "or", "/", "&", "|"})


class Item(NamedTuple):
    """A word, a value or a name of a sentence, with its token span.

    `number` is the number of the value or of the entity, else -1. `opens` is true if an article
    precedes it, so that a noun phrase begins.
    """

    kind: str
    text: str
    first: int
    last: int
    number: int
    opens: bool


class Phrase(NamedTuple):
    """A noun phrase: item range, and the words in lower case."""

    first: int
    last: int
    words: tuple[str, ...]


@dataclass
class ValueSentence:
    """A sentence with values; `index` is its number in the document.

    `position` maps the number of each value to the number of its item, `names` are the numbers of
    the items that are names.
    """

    index: int
    items: list[Item]
    position: dict[int, int] = field(default_factory=dict)
    names: list[int] = field(default_factory=list)
    phrases: list[Phrase] = field(default_factory=list)

    def texts(self, first: int, last: int) -> str:
        """Return the texts of an item range, joined by spaces."""
        return " ".join(item.text for item in self.items[max(first, 0) : last])

    def count(self, kind: str, first: int, last: int) -> int:
        """Return the number of items of a kind in an item range."""
        return sum(item.kind == kind for item in self.items[first:last])

    def list_of(self, position: int) -> tuple[int, int, int]:
        """Return the coordination around an item: first and last item, and the place in it.

        "<v> , <v> and <v>" and "Kite , Heron and Gull" are coordinations of items of one kind.
        """
        kind = self.items[position].kind
        first = last = position
        place = 0
        while (at := self._linked(first, -1, kind)) is not None:
            first, place = at, place + 1
        while (at := self._linked(last, 1, kind)) is not None:
            last = at
        return first, last, place

    def _linked(self, start: int, step: int, kind: str) -> int | None:
        at = start + step
        signs = 0
        while 0 <= at < len(self.items) and self.items[at].text in _LIST_SIGNS and signs < 2:
            at += step
            signs += 1
        if signs and 0 <= at < len(self.items) and self.items[at].kind == kind:
            return at
        return None


def make_value_sentences(
    doc: Document, values: Sequence[Value], mentions: Sequence[Sequence[tuple[int, int]]]
) -> list[ValueSentence]:
    """Return the sentences with values, in text order.

    `mentions` are the token spans of each entity. Values inside the name of an entity are left out.
    """
    name_at = _name_tokens(mentions)
    value_at: dict[int, tuple[int, int]] = {}
    for n, value in enumerate(values):
        first = bisect_right(doc.starts, value.previous[0] if value.previous else value.start) - 1
        last = bisect_left(doc.starts, value.end)
        if not any(token in name_at for token in range(first, last)):
            value_at[first] = max(value_at.get(first, (0, 0)), (last, n))
    numbers = sorted({doc.sentence_of[first] for first in value_at})
    return [_make_value_sentence(doc, number, value_at, name_at) for number in numbers]


def _name_tokens(mentions: Sequence[Sequence[tuple[int, int]]]) -> dict[int, tuple[int, int, int]]:
    """Return first token, end token and entity number of the name that each token belongs to."""
    return {
        token: (first, last, n)
        for n, spans in enumerate(mentions)
        for first, last in spans
        for token in range(first, last)
    }


def _make_value_sentence(
    doc: Document,
    number: int,
    value_at: dict[int, tuple[int, int]],
    name_at: dict[int, tuple[int, int, int]],
) -> ValueSentence:
    at, end = doc.sentences[number]
    sentence = ValueSentence(number, [])
    items, lower = sentence.items, doc.lower
    opens = False
    while at < end:
        if at in value_at:
            last, value = value_at[at]
            _drop_approximations(items)
            sentence.position[value] = len(items)
            items.append(Item(VALUE, VALUE_SIGN, at, last, value, opens))
        elif at in name_at and lower[at] not in MEASURES:
            _, last, entity = name_at[at]
            sentence.names.append(len(items))
            items.append(Item(NAME, "<n>", at, last, entity, opens))
        else:
            last = _compound_end(doc, at, end, value_at, name_at)
            word = "".join(lower[at:last])
            if word in SKIPPED:
                opens = opens or word in DETERMINERS
                at = last
                continue
            items.append(Item(WORD, word, at, last, -1, opens))
        opens = False
        at = max(last, at + 1)
    sentence.phrases = _phrases(sentence)
    return sentence


def _drop_approximations(items: list[Item]) -> None:
    """Remove approximations before a value from the end of the items: "by up to about"."""
    while items and items[-1].kind == WORD:
        if items[-1].text == "to" and len(items) > 1 and items[-2].text == "up":
            items.pop()
        elif items[-1].text not in APPROXIMATIONS:
            return
        items.pop()


def _compound_end(
    doc: Document,
    at: int,
    end: int,
    value_at: dict[int, tuple[int, int]],
    name_at: dict[int, tuple[int, int, int]],
) -> int:
    """Return the end token of a word with the parts that hyphens join to it: "state-of-the-art"."""
    last = at + 1
    while (
        last + 1 < end
        and doc.words[last] == "-"
        and doc.ends[last - 1] == doc.starts[last]
        and doc.ends[last] == doc.starts[last + 1]
        and last + 1 not in value_at
        and last + 1 not in name_at
    ):
        last += 2
    return last


def _phrases(sentence: ValueSentence) -> list[Phrase]:
    """Return the noun phrases of a sentence: runs of words without those that end a phrase."""
    out: list[Phrase] = []
    start = -1
    for i, item in enumerate([*sentence.items, Item(VALUE, "", 0, 0, -1, opens=False)]):
        inside = item.kind == WORD and item.text not in PHRASE_BREAKS
        if start >= 0 and (not inside or item.opens):
            _add_phrase(sentence, start, i, out)
            start = -1
        if inside and start < 0:
            start = i
    return out


def _add_phrase(sentence: ValueSentence, start: int, end: int, out: list[Phrase]) -> None:
    while start < end and sentence.items[start].text in EDGE_WORDS:
        start += 1
    if start < end:
        out.append(Phrase(start, end, tuple(i.text for i in sentence.items[start:end])))
