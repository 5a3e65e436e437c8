"""A name taken apart: family, version, size, variant, stage, date, year, subset, decoration.

A spelling is folded, its glued parts are separated ("Qwen2.5VL", "DreamerV3", "AIME'24"), and the
parts behind the family are brought into one order, so that names are the same exactly if their
parts are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from citekg.schemas.names.folding import fold
from citekg.schemas.names.words import (
    DATE,
    DECORATION,
    EITHER_SIDE,
    KIND_OF_WORD,
    MAKERS,
    MODEL_LINES,
    SIZE,
    STAGE,
    SUBSET,
    VARIANT,
    VERSION,
    WHOLE,
    YEAR,
    YEARLY,
)

_ORDER: Final = (YEAR, VARIANT, SUBSET, SIZE, STAGE, VERSION, DATE)
_WORDS: Final = "|".join(sorted((w for w in KIND_OF_WORD if len(w) > 2), key=len, reverse=True))
_SERIES: Final = "|".join(sorted(YEARLY, key=len, reverse=True))
_END: Final = r"(?=-|$)"

_SIGNS: Final = re.compile(r"(?<=[\w)])-?((?:@\d+|[+*])+)$")
_SHORT_YEAR: Final = re.compile(r"(?<=[^\W\d_])-?'(\d\d)(?![\w.])")
_YEAR_FIRST: Final = re.compile(rf"^((?:19|20)\d\d)-({_SERIES})$")
_YEARLY: Final = re.compile(rf"^({_SERIES})-?(\d\d){_END}")
_ISO_DATE: Final = re.compile(rf"(?<=-)(20\d\d)-([01]\d)-([0-3]\d){_END}")
_DOTLESS_CLAUDE: Final = re.compile(rf"^claude-?((?:opus-|sonnet-|haiku-)?\d)-(\d){_END}")
_AROUND_AT: Final = re.compile(r"-?@-?(?=[\dk])")
_BEFORE_WORD: Final = re.compile(rf"(?<=\d)(?=(?:{_WORDS}|vl)(?:\d|-|$))")
_BEFORE_VERSION: Final = re.compile(rf"(?<=[^\W\d_]{{2}})(?<!con)(?<!-in)(?=v\d+(?:\.\d+)*{_END})")
_BEFORE_SIZE: Final = re.compile(rf"(?<=[^\W\d_]{{2}})(?=\d+(?:\.\d+)?[bm]{_END})")
_AFTER_WORD: Final = re.compile(rf"(?<=-)({_WORDS}|vl)(?=\d)")

_MAKER: Final = re.compile(
    rf"^(?:(?:{'|'.join(MAKERS)})/|(?:alibaba|anthropic|google|meta|microsoft|openai)-"
    rf"(?=(?:claude|gemini|gemma|gpt|llama|palm|phi|qwen)(?![^\W\d_])))"
)
_IN_BRACKETS: Final = re.compile(
    rf"-[(\[]({_WORDS}|(?:\d+x)?\d+(?:\.\d+)?[bm]|v\d+(?:\.\d+)*|\d{{4}}(?:-\d\d-\d\d)?)[)\]]{_END}"
)

_PLAIN: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BILLIONS: Final = re.compile(r"(?:\d+x)?\d+(?:\.\d+)?[bm]")
_SIZE: Final = re.compile(rf"{_BILLIONS.pattern}|a\d+(?:\.\d+)?b|\d+[ek]|[bslhg]/\d\d?")
_VERSION: Final = re.compile(r"v\d+(?:\.\d+)*|\d{1,3}(?:\.\d+)*")
_LETTER_VERSION: Final = re.compile(r"[rkmo]\d(?:\.\d)?")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DISTILL: Final = "distill"
_DATE: Final = re.compile(r"\d{4}|20\d{6}")
_NUMBERED: Final = re.compile(r"(.*[^\W\d_]{2})(\d+(?:\.\d+)*[a-ce-z]?)")
_COUNT: Final = re.compile(r"\d{3,}|\d+k")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in its parts; two spellings name the same thing only if their names are equal.

    `parts` are `(kind, text)` pairs behind the family in their one order; the kinds are those of
    `citekg.schemas.names.words`, and the properties give the texts of a kind.
    """

    family: str
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The name in its one spelling; `parse` reads it back."""
        chunks = "-".join([self.family, *(part for kind, part in self.parts if kind != DECORATION)])
        return _separated(chunks) + self.decoration

    def of(self, kind: str) -> str:
        """The parts of a kind, joined by hyphens; an empty text where there is none."""
        return "-".join(text for k, text in self.parts if k == kind)

    @property
    def version(self) -> str:
        """Version of a model, method or environment: "2.5", "4o", "v2"."""
        return self.of(VERSION)

    @property
    def year(self) -> str:
        """Edition of a yearly series: "2024"."""
        return self.of(YEAR)

    @property
    def variant(self) -> str:
        """Modality or line inside the family: "vl", "coder", "sonnet"."""
        return self.of(VARIANT)

    @property
    def size(self) -> str:
        """Number of parameters, or a word for it: "7b", "large"."""
        return self.of(SIZE)

    @property
    def stage(self) -> str:
        """What training made of it: "instruct", "chat", "distill-qwen"."""
        return self.of(STAGE)

    @property
    def date(self) -> str:
        """Date tag of a release: "0528", "20240513"."""
        return self.of(DATE)

    @property
    def subset(self) -> str:
        """Part or edition of a benchmark: "500", "100k", "verified"."""
        return self.of(SUBSET)

    @property
    def decoration(self) -> str:
        """Signs behind the name: "+", "*", "@1"."""
        return self.of(DECORATION)


def parse(surface: str) -> Name:
    """Take a spelling apart.

    >>> parse("Qwen2.5-VL-7B-Instruct").key, parse("AIME'24").key
    ('qwen2.5-vl-7b-instruct', 'aime2024')
    >>> parse("Llama-3.1-Instruct-8B") == parse("LLaMA 3.1 8B Instruct")
    True
    """
    return _read(surface)[0]


def key(name: str) -> str:
    """Fold a name to what identifies it.

    >>> key("Proximal  Policy Optimization"), key("proximal policy-optimization")
    ('proximal-policy-optimization', 'proximal-policy-optimization')
    >>> key("Qwen-2.5"), key("Qwen2.5"), key("HumanEval+")
    ('qwen2.5', 'qwen2.5', 'humaneval+')

    A name of which folding leaves nothing is its own key, so only a blank text has an empty one.

    >>> key("™"), key("  ")
    ('™', '')
    """
    return _read(name)[1]


@lru_cache(maxsize=1 << 16)
def _read(surface: str) -> tuple[Name, str]:
    """The name and its key: what is taken apart and put together until nothing changes."""
    text = fold(surface)
    if not text:
        return Name(surface.strip()), surface.strip()
    if _is_plain(text):
        return Name(text), text
    name = _taken_apart(text)
    while (settled := name.key) != text:
        text, name = settled, _taken_apart(settled)
    return name, text


def _is_plain(text: str) -> bool:
    """Whether the words of a name say nothing but themselves: most names, so it is worth a short way."""
    first, *others = text.split("-")
    return bool(_PLAIN.fullmatch(text)) and first not in MAKERS and not any(_says_more(word) for word in others)


def _says_more(word: str) -> bool:
    return word in KIND_OF_WORD or word.startswith((_DISTILL, "llama"))


def _taken_apart(text: str) -> Name:
    text, signs = _without_signs(fold(text))
    text = _separated(text)
    if text in WHOLE:
        return Name(text, signs)
    chunks = _distilled(text.split("-"))
    first = _first_part(chunks)
    family, numbers = _numbers("-".join(chunks[:first]))
    parts = [(_kind(chunk, n, chunks), chunk) for n, chunk in enumerate(chunks[first:], start=first)]
    return Name(family, (*_in_order(family, numbers, parts), *signs))


def _without_signs(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    found = _SIGNS.search(text)
    return (text[: found.start()], ((DECORATION, found[1]),)) if found else (text, ())


def _separated(text: str) -> str:
    """The text with hyphens exactly between its parts: until nothing changes."""
    while (changed := _joined(_split(text))) != text:
        text = changed
    return text


def _split(text: str) -> str:
    text = _SHORT_YEAR.sub(lambda m: _full_year(m[1]), text)
    text = _YEAR_FIRST.sub(r"\2\1", text)
    text = _IN_BRACKETS.sub(r"-\1", _AROUND_AT.sub("@", _MAKER.sub("", text)))
    text = _YEARLY.sub(_year_of_series, text)
    text = _ISO_DATE.sub(r"\1\2\3", text)
    text = _DOTLESS_CLAUDE.sub(r"claude-\1.\2", text)
    for place in (_BEFORE_WORD, _BEFORE_VERSION, _BEFORE_SIZE):
        text = place.sub("-", text)
    return _AFTER_WORD.sub(r"\1-", text)


def _full_year(digits: str) -> str:
    return ("19" if digits >= "90" else "20") + digits


def _year_of_series(found: re.Match[str]) -> str:
    year = _full_year(found[2])
    return found[1] + year if YEARLY[found[1]] <= int(year) < 2030 else found[0]


def _joined(text: str) -> str:
    """A number closes up to the letters before it: "gpt-4" and "gpt4" are one spelling."""
    chunks: list[str] = []
    for chunk in text.split("-"):
        if chunks and chunk[:1].isdigit() and _takes_number(chunks) and not _BILLIONS.fullmatch(chunk):
            chunks[-1] += chunk
        else:
            chunks.append(chunk)
    return "-".join(chunks)


def _takes_number(chunks: list[str]) -> bool:
    last = chunks[-1]
    plain = last[-1:].isalpha() and not any(c.isdigit() for c in last)
    return plain and (len(chunks) == 1 or last not in KIND_OF_WORD)


def _distilled(chunks: list[str]) -> list[str]:
    """The chunks with "distill" and the student's name in one: "distill-qwen"."""
    if _DISTILL not in chunks[1:]:
        return chunks
    at = chunks.index(_DISTILL, 1)
    end = at + 1
    while end < len(chunks) and not _BILLIONS.fullmatch(chunks[end]):
        end += 1
    return [*chunks[:at], "-".join(chunks[at:end]), *chunks[end:]]


def _first_part(chunks: list[str]) -> int:
    """Where the parts begin: behind the last chunk that says nothing but itself."""
    first = len(chunks)
    while first > 1 and _kind(chunks[first - 1], first - 1, chunks):
        first -= 1
    return first


def _kind(chunk: str, place: int, chunks: list[str]) -> str:
    """What a chunk behind the family says, or an empty text."""
    if chunk in KIND_OF_WORD:
        return KIND_OF_WORD[chunk]
    if _is_distilled(chunk):
        return STAGE
    if place == 1 and chunks[0] in MODEL_LINES and _LETTER_VERSION.fullmatch(chunk):
        return VERSION
    shapes = ((_SIZE, SIZE), (_VERSION, VERSION), (_YEAR, YEAR), (_DATE, DATE))
    return next((kind for shape, kind in shapes if shape.fullmatch(chunk)), "")


def _numbers(head: str) -> tuple[str, list[tuple[str, str]]]:
    """The family, and the number that is written at its end."""
    found = _NUMBERED.fullmatch(head)
    if not found or not _takes_number(found[1].split("-")):
        return head, []
    kind = YEAR if _YEAR.fullmatch(found[2]) else SUBSET if _COUNT.fullmatch(found[2]) else VERSION
    return found[1], [(kind, found[2])]


def _in_order(family: str, numbers: list[tuple[str, str]], parts: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The parts in their one order, a version that follows the family staying in front."""
    if not numbers and len(parts) > 1 and family[-2:].isalpha() and _swaps(*parts[:2]):
        numbers, parts = [parts[1]], [parts[0], *parts[2:]]
    while parts and parts[0][0] == VERSION:
        numbers, parts = [*numbers, parts[0]], parts[1:]
    yield from numbers
    yield from sorted(parts, key=_place) if not any(_is_distilled(part) for _, part in parts) else parts


def _place(part: tuple[str, str]) -> int:
    return _ORDER.index(part[0])


def _is_distilled(part: str) -> bool:
    return part.startswith(_DISTILL)


def _swaps(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether a variant stands where others write the version: "Claude Sonnet 4"."""
    return one[1] in EITHER_SIDE and other[0] == VERSION and other[1][0].isdigit()
