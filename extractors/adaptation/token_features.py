"""Features of a token for the learnt tagger, as texts that are hashed to columns of its weights."""

from __future__ import annotations

from collections.abc import Iterator

from citekg.extractors.candidates.tagger import word_shape
from citekg.extractors.classification.decoding import hash_features
from citekg.extractors.nlp import Document

_AROUND = (-2, -1, 1, 2)


def token_columns(doc: Document) -> list[set[int]]:
    """Return the weight columns of every token of a document."""
    shapes = [word_shape(word) for word in doc.words]
    return [hash_features(_features(doc, shapes, i)) for i in range(len(doc.words))]


def _features(doc: Document, shapes: list[str], i: int) -> Iterator[str]:
    """Yield the word, its affixes and its shape, and those of the words around it."""
    low, high = doc.sentences[doc.sentence_of[i]]
    lower = doc.lower
    word = lower[i]
    yield from ("bias", f"w:{word}", f"shape:{shapes[i]}", f"title:{i < doc.title_tokens}")
    yield from (f"suffix:{word[-n:]}" for n in (2, 3, 4, 5) if len(word) > n)
    yield from (f"prefix:{word[:n]}" for n in (2, 3, 4, 5) if len(word) > n)
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
