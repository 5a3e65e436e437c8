"""Surface forms: spans that look like names, by their spelling or by a technique's head noun.

Two finders favour recall; classification decides later. A *written name* is a run of tokens with
capitals, digits or special characters ("Qwen2.5-7B-Instruct", "Meta-World"). A *technique phrase*
is a run of plain words that ends in a head noun such as "learning" or "search" ("expert
iteration").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator
from typing import Final

from citekg.extractors.cached_results import cached_results
from citekg.extractors.nlp import Document, indices_where
from citekg.extractors.wording.head_nouns import (
    HEAD_KINDS,
    METHOD_NOUNS,
    NON_ENTITY_HEADS,
    ORGANISATION_HEADS,
    PROBLEM_HEADS,
    ROBOT_NOUNS,
    TECHNIQUE_HEADS,
)
from citekg.extractors.wording.non_entities import NON_ENTITY_NAMES, PLACES_AND_TOOLS
from citekg.extractors.wording.stop_words import (
    CAPITALISED_STOP_WORDS,
    CONNECTORS,
    HYPHENATED_SUFFIXES,
    PHRASE_STOP_WORDS,
    PREFIXES,
    PREPOSITIONS,
)
from citekg.extractors.wording.verbs import NAMING_VERBS

Span = tuple[int, int]

#: Two capitals, a capital after a lower-case letter, or letters together with digits.
STRONG: Final = re.compile(
    r"(?=.*[^\W\d_])(?:.*[A-ZΑ-Ω].*[A-ZΑ-Ω]|.*[a-zα-ω].*[A-Z]|.*[^\W\d_].*\d|.*\d.*[^\W\d_]"
    r"|[Α-Ωα-ω].*|.*[*+²³].*|.*\\math.*)"
)
CAPITALISED: Final = re.compile(r"[A-Z][\w'’.+*]*")
_NUMBER: Final = re.compile(r"v?\d+(?:\.\d+)*[A-Za-z%+]?")
_DASHES: Final = "-‐‑‒–—―−"
#: Punctuation marks next to a name that do not belong to it.
_OUTER_PUNCTUATION: Final = _DASHES + ",;:/\"'“”‘’«»`"
_NAME_SCRIPT: Final = re.compile(r"[A-Za-z0-9À-ɏΑ-Ωα-ω]")
#: Texts that are not names: a score, a quantity with its unit and a citation key: ".83", "4bit",
#: "8B", "heron2021kites".
_NOT_A_NAME: Final = re.compile(
    r"\d*\.\d+%?|\d+(?:\.\d+)?[ -]?(?:bits?|[BM]|[KMG]B|fps|FPS|[kMG]?Hz|ms|[ckm]?m|[mk]?g)"
    r"|[a-z]{2,}(?:19|20)\d\d[a-z]{3,}"
)
_MAX_TOKENS: Final = 9
#: Minimum number of words of a title that is not just a name.
_MIN_SENTENCE_WORDS: Final = 4
_MAX_WORD_LENGTH: Final = 60


#: A ranked metric: "Hits@3", "NDCG@10".
_AT_RANK: Final = re.compile(
    r"(?:hits?|r(?:ec(?:all)?)?|p(?:rec(?:ision)?)?|acc(?:uracy)?|m?ap|m?rr|ndcg|hr|sr|pass"
    r"|f1)@[\d.]*k?|(?:top|rank)-[\dk]+",
    re.IGNORECASE,
)
#: A unit of memory, rates, frequency, power or computation: "MBytes", "kbps", "GHz", "TFLOPS".
_UNIT: Final = re.compile(
    r"[kKMGTP]i?(?:B(?:ytes?)?|bytes?|b(?:it)?s?|bps|Hz|Wh?|(?:FL)?OPS|FLOPs?|MACs?)(?:/s(?:ec)?)?"
)


def written_names(doc: Document, begins: Container[str] | None = None) -> Iterator[Span]:
    """Yield token spans that are spelled like names, with the shorter spans inside them.

    `begins` are the words, in lower case, with which a span may begin, or None for all.
    """
    for first, last in _runs(doc):
        in_title = first < doc.title_tokens
        edges = [i for i in range(first, last) if _is_edge(doc, i, first)]
        starts = [
            i for i in edges if doc.words[i] != ")" and (begins is None or doc.lower[i] in begins)
        ]
        ends = [i + 1 for i in edges if not _is_hyphenated_suffix(doc, i)]
        for a in starts:
            for b in ends[bisect_right(ends, a) : bisect_right(ends, a + _MAX_TOKENS)]:
                if _is_balanced(doc, a, b) and _is_plausible(doc, a, b, in_title=in_title):
                    yield a, b


def _runs(doc: Document) -> Iterator[Span]:
    """Yield maximal runs of name tokens, joined over hyphens and connectors."""
    end = 0
    for first in indices_where(_is_name_like, doc.words):
        if first >= end:
            last, end = _run_end(doc, first)
            yield first, last


def _run_end(doc: Document, first: int) -> Span:
    """Return the end (exclusive) of a run that begins at `first`, and where to search the next."""
    last = first + 1
    sentence_end = doc.sentences[doc.sentence_of[first]][1]
    for i in range(last, sentence_end):
        if _is_name_token(doc, i) or _is_hyphenated_word(doc, i):
            last = i + 1
        elif not _is_joiner(doc, i):
            return last, i
    return last, sentence_end


def _is_name_token(doc: Document, i: int) -> bool:
    return _is_name_like(doc.words[i])


@cached_results(maxsize=100_000)
def _is_name_like(word: str) -> bool:
    return len(word) <= _MAX_WORD_LENGTH and bool(
        _is_strong(word) or CAPITALISED.fullmatch(word) or _NUMBER.fullmatch(word)
    )


@cached_results(maxsize=100_000)
def _is_strong(word: str) -> bool:
    # Most words have lower-case letters after the first one, and no sign of a name.
    if word[1:].islower() and word.isalpha() and word.isascii():
        return False
    return len(word) <= _MAX_WORD_LENGTH and STRONG.fullmatch(word) is not None


@cached_results(maxsize=100_000)
def _is_capitalised(word: str) -> bool:
    return CAPITALISED.fullmatch(word) is not None


def _is_dash(word: str) -> bool:
    return not word.strip(_DASHES)


def _is_glued(doc: Document, i: int) -> bool:
    """Return whether no space separates token `i` from the one before it."""
    return doc.starts[i] == doc.ends[i - 1]


def _is_hyphenated_word(doc: Document, i: int) -> bool:
    """Return whether a hyphen attaches a plain word to the name before it: "SWE-bench"."""
    before = doc.words[i - 1]
    return (
        _is_glued(doc, i) and _is_glued(doc, i - 1) and _is_dash(before) and doc.words[i].isalpha()
    )


def _is_joiner(doc: Document, i: int) -> bool:
    """Return whether a token may occur inside a name, between two name tokens."""
    if i + 1 >= len(doc.words):
        return False
    if _is_dash(doc.words[i]) or doc.words[i] in {"/", "(", ")", ":", "'s", "’s", "~", "_"}:
        return _is_glued(doc, i) or doc.words[i] in {"'s", "’s"}
    if doc.lower[i] in CONNECTORS:
        return _is_name_token(doc, i + 1) or doc.lower[i + 1] in CONNECTORS
    return _is_dash(doc.words[i + 1]) and _is_glued(doc, i + 1)


def _is_edge(doc: Document, i: int, run: int) -> bool:
    """Return whether a name may start or end with token `i` of the run from token `run` on."""
    word = doc.words[i]
    if _is_dash(word) or word in {"/", ":", "'s", "’s", "~", "_", "("}:
        return False
    lower = doc.lower[i]
    if lower in CONNECTORS:
        return False
    return not (
        lower in CAPITALISED_STOP_WORDS
        and word[0].isupper()
        and (i != run or i == doc.sentences[doc.sentence_of[i]][0])
    )


def _is_balanced(doc: Document, a: int, b: int) -> bool:
    words = doc.words[a:b]
    return words.count("(") == words.count(")")


def _is_hyphenated_suffix(doc: Document, i: int) -> bool:
    is_tied = (
        doc.lower[i] in HYPHENATED_SUFFIXES
        and i > 1
        and _is_dash(doc.words[i - 1])
        and _is_glued(doc, i)
    )
    return is_tied and doc.lower[i - 2] not in PREFIXES


def trim(doc: Document, span: Span) -> Span | None:
    """Return the span without punctuation at its ends, a hyphenated suffix and a phrase after it.

    "BERT-style" becomes "BERT", and so does "BERT at" or "BERT at 3B". Returns None if nothing is
    left.
    """
    first, last = span
    last = _end_before_scale(doc, span)
    last = end_before_suffix(doc, (first, last))
    while first < last and not doc.words[first].strip(_OUTER_PUNCTUATION + "*"):
        first += 1
    while first < last and not doc.words[last - 1].strip(_OUTER_PUNCTUATION):
        last -= 1
    while last - first > 1 and _is_preposition(doc, last - 1):
        last -= 1
    if first < last and _opens_before(doc, (first, last)):
        first -= 1
    return (first, last) if first < last else None


def _opens_before(doc: Document, span: Span) -> bool:
    """Return whether the bracket that a name closes opens right before it: "(N)-HARPG"."""
    first, last = span
    return first > 0 and doc.words[first - 1] == "(" and _is_balanced(doc, first - 1, last)


def end_before_suffix(doc: Document, span: Span) -> int:
    """Return where a span ends (exclusive) without a hyphenated suffix: "BERT-style"."""
    first, last = span
    return last - 2 if last - first > 2 and _is_hyphenated_suffix(doc, last - 1) else last


def ends_in_coined_part(doc: Document, last: int) -> bool:
    """Return whether the token before `last` is capitalised and follows a hyphen: "ADMM-Net"."""
    return (
        doc.words[last - 1][0].isupper()
        and _is_dash(doc.words[last - 2])
        and _is_glued(doc, last - 1)
    )


def _end_before_scale(doc: Document, span: Span) -> int:
    """Return where a span ends (exclusive) without the scale of an experiment: "at 3B"."""
    first, last = span
    return next(
        (
            at
            for at in range(first + 1, last - 1)
            if doc.lower[at] == "at" and doc.words[at + 1][0].isdigit() and _is_preposition(doc, at)
        ),
        last,
    )


def _is_preposition(doc: Document, at: int) -> bool:
    """Return whether a token is a preposition, with a space before it."""
    return doc.words[at] in PREPOSITIONS and doc.ends[at - 1] < doc.starts[at]


def is_known_non_entity(doc: Document, span: Span) -> bool:
    """Return whether the span is a listed non-entity or cannot be a name.

    Such spans are quantities, citation keys, and words in scripts other than Latin and Greek.
    """
    text = doc.span_text(*span)
    words = text.split()
    is_listed = words[0] in NON_ENTITY_NAMES and all(
        w in NON_ENTITY_NAMES or _NUMBER.fullmatch(w) for w in words
    )
    return is_listed or not _NAME_SCRIPT.search(text) or _NOT_A_NAME.fullmatch(text) is not None


def is_place_or_tool(doc: Document, span: Span) -> bool:
    """Return whether the span is a place, agency, tool, ranked metric or unit.

    Examples are "Kenya", "Hits@3" and "MBytes".
    """
    text = doc.span_text(*span)
    words = text.split()
    is_listed = words[0] in PLACES_AND_TOOLS and all(
        w in PLACES_AND_TOOLS or _NUMBER.fullmatch(w) for w in words
    )
    return (
        is_listed
        or is_organisation(text)
        or _AT_RANK.fullmatch(text) is not None
        or _UNIT.fullmatch(text) is not None
    )


def is_organisation(name: str) -> bool:
    """Return whether a name is that of an organisation or a place.

    >>> is_organisation("Heron University"), is_organisation("Kite Institute of Heron Studies")
    (True, True)
    """
    words = [word.strip(".") for word in name.lower().split()]
    return len(words) > 1 and any(
        n == len(words) - 1 or (words[n + 1] == "of" and words[-1] not in HEAD_KINDS)
        for n, word in enumerate(words)
        if word in ORGANISATION_HEADS
    )


def is_emphasised_word(doc: Document, spans: list[Span]) -> bool:
    """Return whether a name is a function word in capitals ("HERE") that does not open the text."""
    first, last = spans[0]
    word = doc.words[first]
    is_word = last - first == 1 and word.isupper() and len(word) > 1
    return is_word and first > 0 and doc.lower[first] in CAPITALISED_STOP_WORDS


def is_all_caps_title(doc: Document, spans: list[Span]) -> bool:
    """Return whether a name occurs only in a title in capitals, and not before its colon.

    Capitals are not evidence of a name there.
    """
    title, (first, last) = doc.cleaned.title, spans[0]
    if (
        not title.isupper()
        or spans[-1][1] > doc.title_tokens
        or len(title.split()) < _MIN_SENTENCE_WORDS
    ):
        return False
    return not (first == 0 and doc.words[last : last + 1] == (":",))


def has_non_entity_head(doc: Document, span: Span) -> bool:
    """Return whether the span has a head noun of non-entities: "win rate".

    Problems and measures are also recognised before a preposition: "Kite Problem with Obstacles".
    """
    first, last = span
    return (last - first > 1 and doc.lower[last - 1] in NON_ENTITY_HEADS) or any(
        doc.lower[at - 1] in PROBLEM_HEADS and _is_preposition(doc, at)
        for at in range(first + 2, last)
    )


def ends_in_prefix(doc: Document, span: Span) -> bool:
    """Return whether the span ends in the prefix of a word: "Kite Pre" of "Kite Pre-training"."""
    last = span[1]
    return (
        doc.lower[last - 1] in PREFIXES
        and last < len(doc.words)
        and _is_dash(doc.words[last])
        and _is_glued(doc, last)
    )


def is_robot(doc: Document, spans: list[Span]) -> bool:
    """Return whether the text states that a name is a robot's.

    Examples: "the humanoid robot X", "a robot called X", "a robot, the X", "the X gripper".
    """
    return any(
        _precedes_robot_noun(doc, last) or _follows_robot_noun(doc, first) for first, last in spans
    )


def _precedes_robot_noun(doc: Document, at: int) -> bool:
    following = doc.lower[at : at + 2]
    ends_noun_phrase = (
        len(following) < 2 or not following[1][0].isalnum() or following[1] in PHRASE_STOP_WORDS
    )
    return bool(following) and following[0] in ROBOT_NOUNS and ends_noun_phrase


def _follows_robot_noun(doc: Document, at: int) -> bool:
    if at > 2 and doc.words[at - 1] == "the" and doc.words[at - 2] == ",":
        at -= 2
    while at > 1 and (
        doc.lower[at - 1] in NAMING_VERBS
        or (doc.lower[at] in NAMING_VERBS and doc.words[at - 1] == ",")
    ):
        at -= 1
    return at > 0 and doc.lower[at - 1] in ROBOT_NOUNS


def is_generic_method(doc: Document, span: Span) -> bool:
    """Return whether plain words only describe a kind of method: "graph proposal method"."""
    return span[1] - span[0] > 1 and doc.lower[span[1] - 1] in METHOD_NOUNS


def _is_plausible(doc: Document, a: int, b: int, *, in_title: bool) -> bool:
    words = doc.words[a:b]
    if any(map(_is_strong, words)):
        return b - a == 1 or _is_name_token(doc, a) or _is_strong(words[-1])
    if not any(map(_is_capitalised, words)):
        return False
    if in_title and b - a > 1:
        return a == 0 or _is_repeated(doc, a, b)
    if (
        b - a == 1
        and a == doc.sentences[doc.sentence_of[a]][0]
        and doc.lower[a] in CAPITALISED_STOP_WORDS
    ):
        return False
    return len(words[0]) > 1 or b - a > 1


def _is_repeated(doc: Document, a: int, b: int) -> bool:
    phrase = doc.span_text(a, b).lower()
    return phrase in doc.text[doc.ends[doc.title_tokens - 1] :].lower()


def technique_phrases(doc: Document, begins: Container[str] | None = None) -> Iterator[Span]:
    """Yield token spans of plain words that end in the head noun of a technique.

    `begins` are the words, in lower case, with which a span may begin, or None for all.
    """
    for i in indices_where(TECHNIQUE_HEADS.__contains__, doc.lower):
        words = 0
        for a in range(i, doc.sentences[doc.sentence_of[i]][0] - 1, -1):
            if _is_dash(doc.words[a]):
                continue
            if (
                doc.lower[a] in PHRASE_STOP_WORDS
                or not (doc.words[a][0].isalnum() or doc.words[a][0] == "_")
                or words == 4
            ):
                break
            words += 1
            if a < i and (begins is None or doc.lower[a] in begins):
                yield a, i + 1
