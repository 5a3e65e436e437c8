"""Features of a token for the learnt tagger: strings that are hashed to weight columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from citekg.extractors.candidates.abbreviations import definitions
from citekg.extractors.candidates.tagger import word_shape
from citekg.extractors.classification.hashing import hash_features
from citekg.extractors.nlp import Document

_AROUND = (-2, -1, 1, 2)
#: The lengths of the character n-grams that are features.
_NGRAM_LENGTHS = (3, 4, 5)
#: Words with more occurrences than this have no features of their other occurrences.
_MAX_OCCURRENCES = 12
_MAX_OTHERS = 5
_LONG = 4


def token_columns(doc: Document, matches: Sequence[Sequence[str]]) -> list[set[int]]:
    """Return the weight columns of every token; `matches` are those of a schema (`match_texts`)."""
    shapes = [word_shape(word) for word in doc.words]
    defined, occurrences = _defined(doc), _occurrences(doc)
    return [
        hash_features(
            [
                *_features(doc, shapes, i),
                *_definition(doc, defined, i),
                *_elsewhere(doc, occurrences, i),
                *matches[i],
                *_near_matches(matches, i),
            ]
        )
        for i in range(len(doc.words))
    ]


def _near_matches(matches: Sequence[Sequence[str]], i: int) -> Iterator[str]:
    """Yield the matches of the neighbouring tokens: the boundary of a name is often one of them."""
    for step in (1, -1):
        if 0 <= i + step < len(matches):
            yield from (f"{step} {text}" for text in matches[i + step])


def _occurrences(doc: Document) -> dict[str, list[int]]:
    """Return the token indices of each word that is long or has capitals, without a plural s."""
    found: dict[str, list[int]] = {}
    for i, word in enumerate(doc.words):
        if word[0].isalpha() and (len(word) >= _LONG or not word.islower()):
            found.setdefault(singular(word), []).append(i)
    return found


def singular(word: str) -> str:
    """Return a word in lower case, without a plural s if it is long."""
    return word.lower().removesuffix("s") if len(word) >= _LONG else word.lower()


def _elsewhere(doc: Document, occurrences: Mapping[str, list[int]], i: int) -> Iterator[str]:
    """Yield the words next to the other occurrences of a word in the document."""
    same = occurrences.get(singular(doc.words[i]), [])
    others = [at for at in same if at != i] if len(same) <= _MAX_OCCURRENCES else []
    for at in others[:_MAX_OTHERS]:
        low, high = doc.sentences[doc.sentence_of[at]]
        if at > low:
            yield f"elsewhere-1:{singular(doc.words[at - 1])}"
        if at + 1 < high:
            yield f"elsewhere1:{singular(doc.words[at + 1])}"


def _defined(doc: Document) -> dict[str, str]:
    """Return the last word of the long form of each short form of one token that is defined."""
    found = {}
    for definition in definitions(doc.cleaned):
        long, short = doc.token_span(*definition.long), doc.token_span(*definition.short)
        if long and short and short[1] - short[0] == 1:
            found[doc.words[short[0]]] = doc.lower[long[1] - 1]
    return found


def _definition(doc: Document, defined: Mapping[str, str], i: int) -> Iterator[str]:
    """Yield the head of the long form of a short form, and its suffixes."""
    head = defined.get(doc.words[i])
    if head is not None:
        yield f"stands for:{head}"
        yield from (f"stands for:-{head[-n:]}" for n in (3, 4))


@lru_cache(maxsize=50_000)
def _ngrams(word: str) -> tuple[str, ...]:
    """Return the character n-grams of a word; angle brackets mark its edges."""
    marked = f"<{word}>"
    return tuple(
        f"part:{marked[i : i + n]}" for n in _NGRAM_LENGTHS for i in range(len(marked) - n + 1)
    )


def _features(doc: Document, shapes: list[str], i: int) -> Iterator[str]:
    """Yield the word, its affixes and its shape, and those of the words around it."""
    low, high = doc.sentences[doc.sentence_of[i]]
    lower = doc.lower
    word = lower[i]
    yield from ("bias", f"w:{word}", f"shape:{shapes[i]}", f"title:{i < doc.title_tokens}")
    yield from (f"suffix:{word[-n:]}" for n in (2, 3, 4, 5) if len(word) > n)
    yield from (f"prefix:{word[:n]}" for n in (2, 3, 4, 5) if len(word) > n)
    yield from _ngrams(word)
    for step in _AROUND:
        at = i + step
        is_inside = low <= at < high
        near = lower[at] if is_inside else "^"
        yield f"w{step}:{near}"
        if abs(step) == 1:
            yield f"pair{step}:{word}|{near}"
            yield f"suffix{step}:{near[-3:]}"
            yield f"shape{step}:{shapes[at] if is_inside else near}"
    if low < i < high - 1:
        yield f"both:{lower[i - 1]}|{lower[i + 1]}"
    if i + 2 < high:
        yield f"after:{lower[i + 1]} {lower[i + 2]}"
    if i - 2 >= low:
        yield f"before:{lower[i - 2]} {lower[i - 1]}"
