"""Parsing of names into family, version, size, variant, stage, date, year, subset and decoration.

The parser folds a spelling, separates parts that are written together ("Qwen2.5VL", "DreamerV3",
"AIME'24"), and sorts the parts after the family, so that two names are equal if and only if their
parts are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from citekg.schemas.names.folding import fold, fold_plain
from citekg.schemas.names.words import (
    DATE,
    DECORATION,
    MODEL_LINES,
    MOVABLE_VARIANTS,
    ORGANISATIONS,
    PART_KINDS,
    SIZE,
    STAGE,
    SUBSET,
    UNDIVIDED_NAMES,
    VARIANT,
    VERSION,
    YEAR,
    YEARLY_SERIES,
)

_ORDER: Final = (YEAR, VARIANT, SUBSET, SIZE, STAGE, VERSION, DATE)
_WORDS: Final = "|".join(sorted((w for w in PART_KINDS if len(w) > 2), key=len, reverse=True))
_SERIES: Final = "|".join(sorted(YEARLY_SERIES, key=len, reverse=True))
_END: Final = r"(?=-|$)"

_DIGIT: Final = re.compile(r"\d")
_SIGNS: Final = re.compile(r"(?<=[\w)])-?((?:@\d+|[+*])+)$")
_TWO_DIGIT_YEAR: Final = re.compile(r"(?<=[^\W\d_])-?'(\d\d)(?![\w.])")
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
    rf"^(?:(?:{'|'.join(ORGANISATIONS)})/|(?:alibaba|anthropic|google|meta|microsoft|openai)-"
    rf"(?=(?:bert|claude|gemini|gemma|gpt|llama|palm|phi|qwen|t5)(?![^\W\d_])))"
)
_IN_BRACKETS: Final = re.compile(
    rf"-[(\[]({_WORDS}|(?:\d+x)?\d+(?:\.\d+)?[bm]|v\d+(?:\.\d+)*|\d{{4}}(?:-\d\d-\d\d)?)[)\]]{_END}"
)

#: Several sizes at the end of a name, which then names the whole series: "Qwen2.5 (3B/7B/14B)".
_SIZES: Final = re.compile(
    r"-?[(\[{]?(?<![^\W_])\d+(?:\.\d+)?[bm]"
    r"(?:(?:-?[/,&+]-?(?:and-)?|-and-)\d+(?:\.\d+)?[bm])+[)\]}]?$"
)

#: What only a name with several sizes contains.
_SIZES_SIGN: Final = re.compile(r"[/,&+]|-and-")

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
_ELIDED: Final = re.compile(r"v?\d+(?:\.\d+)*[bkm]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """A parsed name; two spellings denote the same entity only if their parsed names are equal.

    `parts` are the `(kind, text)` pairs after the family in canonical order; the kinds are those of
    `citekg.schemas.names.words`.
    """

    family: str
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The canonical spelling, which `parse` parses to an equal name."""
        chunks = "-".join([self.family, *(part for kind, part in self.parts if kind != DECORATION)])
        return _separated(chunks) + self.decoration

    def of(self, kind: str) -> str:
        """Return the parts of a kind, joined by hyphens; an empty text without any."""
        return "-".join(text for k, text in self.parts if k == kind)

    @property
    def version(self) -> str:
        """The version of a model, method or environment: "2.5", "4o", "v2"."""
        return self.of(VERSION)

    @property
    def year(self) -> str:
        """The edition of a yearly series: "2024"."""
        return self.of(YEAR)

    @property
    def variant(self) -> str:
        """The modality or line inside the family: "vl", "coder", "sonnet"."""
        return self.of(VARIANT)

    @property
    def size(self) -> str:
        """The number of parameters, or a word for it: "7b", "large"."""
        return self.of(SIZE)

    @property
    def stage(self) -> str:
        """The stage of training: "instruct", "chat", "distill-qwen"."""
        return self.of(STAGE)

    @property
    def date(self) -> str:
        """The date tag of a release: "0528", "20240513"."""
        return self.of(DATE)

    @property
    def subset(self) -> str:
        """The part or edition of a benchmark: "500", "100k", "verified"."""
        return self.of(SUBSET)

    @property
    def decoration(self) -> str:
        """The signs after the name: "+", "*", "@1"."""
        return self.of(DECORATION)


def is_elided(surface: str) -> bool:
    """Return whether a surface form is a bare number or size, of which the text elides the name.

    >>> is_elided("7B"), is_elided("100"), is_elided("o1")
    (True, True, False)
    """
    return bool(_ELIDED.fullmatch(surface))


def parse(surface: str) -> Name:
    """Parse a spelling.

    >>> parse("Qwen2.5-VL-7B-Instruct").key, parse("AIME'24").key
    ('qwen2.5-vl-7b-instruct', 'aime2024')
    >>> parse("Llama-3.1-Instruct-8B") == parse("LLaMA 3.1 8B Instruct")
    True
    """
    return _read(surface)[0]


@lru_cache(maxsize=1 << 16)
def key(name: str) -> str:
    """Return the normalised name, by which spellings of one entity are compared.

    >>> key("Proximal  Policy Optimization"), key("proximal policy-optimization")
    ('proximal-policy-optimization', 'proximal-policy-optimization')
    >>> key("Qwen-2.5"), key("Qwen2.5"), key("HumanEval+")
    ('qwen2.5', 'qwen2.5', 'humaneval+')

    A name that folds to nothing is its own key, so only a blank text has an empty key.

    >>> key("™"), key("  ")
    ('™', '')
    """
    plain = fold_plain(name)
    return plain if plain and _has_no_part(plain) else _read(name)[1]


@lru_cache(maxsize=1 << 16)
def _read(surface: str) -> tuple[Name, str]:
    """Return the parsed name and its key: parsed and joined again until nothing changes."""
    text = fold(surface)
    if not text:
        return Name(surface.strip()), surface.strip()
    if _is_plain(text):
        return Name(text), text
    name = _parse_once(text)
    while (settled := name.key) != text:
        text, name = settled, _parse_once(fold(settled))
    return name, text


def _is_plain(text: str) -> bool:
    """Return whether no word of a name is a part: true for most names, so this is a fast path."""
    return _PLAIN.fullmatch(text) is not None and _has_no_part(text)


def _has_no_part(text: str) -> bool:
    """Return whether no word of a folded text is a part of a name or a maker in front of it."""
    first, *others = text.split("-")
    return first not in ORGANISATIONS and not any(map(_is_part, others))


@lru_cache(maxsize=1 << 16)
def _is_part(word: str) -> bool:
    return word in PART_KINDS or word.startswith((_DISTILL, "llama"))


def _parse_once(text: str) -> Name:
    """Return the name of a folded text."""
    text, signs = _without_signs(text)
    text = _separated(text)
    if text in UNDIVIDED_NAMES:
        return Name(text, signs)
    chunks = _join_distilled(text.split("-"))
    first = _first_part(chunks)
    family, numbers = _numbers("-".join(chunks[:first]))
    parts = [
        (_kind(chunk, n, chunks), chunk) for n, chunk in enumerate(chunks[first:], start=first)
    ]
    return Name(family, (*_in_order(family, numbers, parts), *signs))


def _without_signs(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    found = _SIGNS.search(text) if "@" in text or text.endswith(("+", "*")) else None
    return (text[: found.start()], ((DECORATION, found[1]),)) if found else (text, ())


@lru_cache(maxsize=1 << 14)
def _separated(text: str) -> str:
    """Return the text with hyphens exactly between its parts, applied until nothing changes."""
    while (changed := _join_numbers(_split_parts(text))) != text:
        text = changed
    return text


def _split_parts(text: str) -> str:
    """Return the text split before and after its parts; a sign or digit says which rules apply."""
    if not _DIGIT.search(text):
        return _split_words(text)
    if _SIZES_SIGN.search(text):
        text = _SIZES.sub("", text) or text
    if "'" in text:
        text = _TWO_DIGIT_YEAR.sub(lambda m: _full_year(m[1]), text)
    if text[0].isdigit():
        text = _YEAR_FIRST.sub(lambda m: m[2] + m[1], text)
    text = _split_words(text)
    if yearly := _YEARLY.match(text):
        text = _year_of_series(yearly) + text[yearly.end() :]
    if "-20" in text:
        text = _ISO_DATE.sub(lambda m: m[1] + m[2] + m[3], text)
    if text.startswith("claude"):
        text = _DOTLESS_CLAUDE.sub(lambda m: f"claude-{m[1]}.{m[2]}", text)
    text = _BEFORE_WORD.sub("-", text)
    text = _BEFORE_VERSION.sub("-", text) if "v" in text else text
    text = _BEFORE_SIZE.sub("-", text) if "-" in text or text.endswith(("b", "m")) else text
    return _AFTER_WORD.sub(lambda m: f"{m[1]}-", text) if "-" in text else text


def _split_words(text: str) -> str:
    """Return the text without a maker, and with hyphens around what is in brackets or after @."""
    text = text[maker.end() :] if (maker := _MAKER.match(text)) else text
    text = _AROUND_AT.sub("@", text) if "@" in text else text
    return _IN_BRACKETS.sub(lambda m: f"-{m[1]}", text) if "(" in text or "[" in text else text


def _full_year(digits: str) -> str:
    return ("19" if digits >= "90" else "20") + digits


def _year_of_series(found: re.Match[str]) -> str:
    year = _full_year(found[2])
    return found[1] + year if YEARLY_SERIES[found[1]] <= int(year) < 2030 else found[0]


def _join_numbers(text: str) -> str:
    """Join a number to the letters before it: "gpt-4" and "gpt4" become one spelling."""
    chunks: list[str] = []
    for chunk in text.split("-"):
        if (
            chunks
            and chunk[:1].isdigit()
            and _can_take_number(chunks)
            and not _BILLIONS.fullmatch(chunk)
        ):
            chunks[-1] += chunk
        else:
            chunks.append(chunk)
    return "-".join(chunks)


def _can_take_number(chunks: list[str]) -> bool:
    last = chunks[-1]
    plain = last[-1:].isalpha() and not any(c.isdigit() for c in last)
    return plain and (len(chunks) == 1 or last not in PART_KINDS)


def _join_distilled(chunks: list[str]) -> list[str]:
    """Return the chunks with "distill" and the name of the student model joined: "distill-qwen"."""
    if _DISTILL not in chunks[1:]:
        return chunks
    at = chunks.index(_DISTILL, 1)
    end = at + 1
    while end < len(chunks) and not _BILLIONS.fullmatch(chunks[end]):
        end += 1
    return [*chunks[:at], "-".join(chunks[at:end]), *chunks[end:]]


def _first_part(chunks: list[str]) -> int:
    """Return the index of the first part: one after the last chunk without a kind."""
    first = len(chunks)
    while first > 1 and _kind(chunks[first - 1], first - 1, chunks):
        first -= 1
    return first


def _kind(chunk: str, place: int, chunks: list[str]) -> str:
    """Return the kind of a chunk after the family, or an empty text."""
    if chunk in PART_KINDS:
        return PART_KINDS[chunk]
    if _is_distilled(chunk):
        return STAGE
    if place == 1 and chunks[0] in MODEL_LINES and _LETTER_VERSION.fullmatch(chunk):
        return VERSION
    shapes = ((_SIZE, SIZE), (_VERSION, VERSION), (_YEAR, YEAR), (_DATE, DATE))
    return next((kind for shape, kind in shapes if shape.fullmatch(chunk)), "")


def _numbers(head: str) -> tuple[str, list[tuple[str, str]]]:
    """Split the head of a name into the family and the number at its end."""
    found = _NUMBERED.fullmatch(head)
    if not found or not _can_take_number(found[1].split("-")):
        return head, []
    kind = YEAR if _YEAR.fullmatch(found[2]) else SUBSET if _COUNT.fullmatch(found[2]) else VERSION
    return found[1], [(kind, found[2])]


def _in_order(
    family: str, numbers: list[tuple[str, str]], parts: list[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield the parts in canonical order; a version right after the family stays first."""
    if not numbers and len(parts) > 1 and family[-2:].isalpha() and _is_swapped(*parts[:2]):
        numbers, parts = [parts[1]], [parts[0], *parts[2:]]
    while parts and parts[0][0] == VERSION:
        numbers, parts = [*numbers, parts[0]], parts[1:]
    yield from numbers
    yield from (
        sorted(parts, key=_rank) if not any(_is_distilled(part) for _, part in parts) else parts
    )


def _rank(part: tuple[str, str]) -> int:
    return _ORDER.index(part[0])


def _is_distilled(part: str) -> bool:
    return part.startswith(_DISTILL)


def _is_swapped(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether a variant precedes the version: "Claude Sonnet 4"."""
    return one[1] in MOVABLE_VARIANTS and other[0] == VERSION and other[1][0].isdigit()
