"""Features of a candidate: its spelling, spans, neighbouring words and sources, as texts.

Each feature is hashed to a column of the weights (feature hashing; Weinberger et al. 2009), so that
no vocabulary file is needed. After a change of such a text, the models must be trained again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import Final
from zlib import crc32

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import hash_features
from citekg.extractors.nlp import Document
from citekg.extractors.wording.head_nouns import HEAD_KINDS, NAME_ENDINGS
from citekg.extractors.wording.stop_words import ARTICLES, BEFORE_ARTICLE, PHRASE_ENDS
from citekg.extractors.wording.verbs import CUE_KINDS, NAMING_WORDS
from citekg.schemas.vocabulary import TYPES

_ENDING_LENGTHS: Final = sorted({*map(len, NAME_ENDINGS)}, reverse=True)
#: How many spans of a candidate give features.
_MAX_SPANS: Final = 6
#: Digits, and capitals after the first letter; ordinary words rarely have them.
_SIGNS: Final = re.compile(r"\d|[^\W\d_][A-Z]")
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?[BMKbmk]")


def feature_columns(
    doc: Document,
    candidate: Candidate,
    known: dict[tuple[int, int], str],
    tag_probabilities: Sequence[Sequence[float]] | None = None,
) -> set[int]:
    """Return the weight columns of a candidate's features.

    Features of the source are also crossed with those of form and neighbourhood. `known` gives the
    lexicon's type at token spans of the document. `tag_probabilities` are the tagger's, a row of
    labels for each token, or None without the tagger.
    """
    source = {*_source_features(doc, candidate)}
    shape_and_context = {*_form_features(doc, candidate)}
    plain = {"bias", *_known_features(doc, candidate, known), *_spelling_features(doc, candidate)}
    for span in candidate.spans[:_MAX_SPANS]:
        shape_and_context.update(_neighbourhood_features(doc, span, known))
        plain.update(_context_features(doc, span))
    if tag_probabilities is not None:
        tag, *others = _tagger_features(candidate, tag_probabilities)
        source.add(tag)
        plain.update(others)
    # Names of the lexicon have weights of their own: shape, context and tagger are weak evidence
    # against them.
    checksum = crc32(b"known ") if "known:whole" in plain else 0
    prefixes = [crc32(f"{text}&".encode(), checksum) for text in source]
    return hash_features(plain | source | shape_and_context, [checksum]) | hash_features(
        shape_and_context, prefixes
    )


def _tagger_features(
    candidate: Candidate, tag_probabilities: Sequence[Sequence[float]]
) -> Iterator[str]:
    """Yield the tagger's confidence in each type, the edges and the best span of the candidate."""
    first, last = min(
        candidate.spans,
        key=lambda s: sum(row[0] for row in tag_probabilities[s[0] : s[1]]) / (s[1] - s[0]),
    )
    outside, *labels = zip(*tag_probabilities[first:last], strict=True)
    types = [sum(map(add, *labels[2 * t : 2 * t + 2])) / len(outside) for t in range(len(TYPES))]
    after = sum(tag_probabilities[last][2::2]) if last < len(tag_probabilities) else 0.0
    yield f"tag:{max(range(len(types)), key=types.__getitem__)}:{binned(sum(types))}"
    yield f"edges:{binned(sum(tag_probabilities[first][1::2]))}:{binned(after)}"
    yield f"whole:{binned(1 - max(outside))}"
    yield from (f"tagged{t}:{binned(p)}" for t, p in enumerate(types))


def binned(probability: float) -> int:
    """Return the bin of a probability among eight of equal width."""
    return min(int(8 * probability), 7)


def _source_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    """Yield which finders proposed the candidate, its lexicon entry and its word shape."""
    finders = "+".join(sorted(candidate.finders & {"written", "phrase"}))
    yield f"src:{finders}"
    if candidate.is_short:
        yield "src:short"
    if candidate.is_long:
        yield "src:long"
    entry = candidate.entry
    yield f"begins:{candidate.prefix_type}"
    if entry is None:
        yield "lex:none"
    else:
        yield f"lex:{entry.type}{'~' if entry.umbrella else ''}"
    yield f"shape:{_shape(doc.span_text(*candidate.spans[0]))}"


def _known_features(
    doc: Document, candidate: Candidate, known: dict[tuple[int, int], str]
) -> Iterator[str]:
    """Yield how reliable the lexicon's entry is for this candidate.

    An entry says less of a part of a longer name, of plain words, and of a name that needs context.
    """
    entry = candidate.entry
    if entry is None:
        return
    yield f"lex?{bool(entry.context)}"
    if entry.umbrella:
        return
    is_part = all(
        any(a <= c and d <= b and (a, b) != (c, d) for a, b in known)
        for c, d in candidate.spans[:_MAX_SPANS]
    )
    surface = doc.span_text(*candidate.spans[0])
    case = "signs" if _SIGNS.search(surface) else "capital" if surface[0].isupper() else "plain"
    yield "known:part" if is_part else "known:whole"
    yield f"known:{case}:{bool(entry.context)}"
    yield f"known:{case}:{bool(entry.context)}:{entry.type}"


def _spelling_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    surface = doc.span_text(*candidate.spans[0])
    words = _words(doc, candidate)
    yield f"length:{min(len(surface), 12)}"
    yield f"name:{candidate.key}"
    yield f"last:{words[-1] if words else ''}"
    yield f"first:{words[0] if words else ''}"
    lowered = surface.lower()
    for n in (2, 3, 4):
        yield f"suffix:{lowered[-n:]}"
        yield f"prefix:{lowered[:n]}"
    if _SIZE.search(surface):
        yield "size"
    for word in set(words):
        yield f"has:{word}"
    yield f"count:{min(len(candidate.spans), 4)}"
    body = next((first for first, _ in candidate.spans if first >= doc.title_tokens), None)
    if body is not None:
        yield f"where:{int(4 * body / len(doc.words))}"


def _words(doc: Document, candidate: Candidate) -> list[str]:
    return [w for w in doc.lower[slice(*candidate.spans[0])] if w[0].isalnum() or w[0] == "_"]


@lru_cache(maxsize=100_000)
def _shape(surface: str) -> str:
    shape = re.sub(r"[A-Z]", "A", re.sub(r"[^\W\d_A-Z]", "a", re.sub(r"\d", "0", surface)))
    return re.sub(r"(.)\1+", r"\1\1", re.sub(r"aa+", "a", shape))[:14]


def _form_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    """Yield the number of words, the ending, and the position in the title."""
    yield f"words:{min(len(_words(doc, candidate)), 6)}"
    lowered = doc.span_text(*candidate.spans[0]).lower()
    yield f"end:{next((lowered[-n:] for n in _ENDING_LENGTHS if lowered[-n:] in NAME_ENDINGS), '')}"
    in_title = [span for span in candidate.spans if span[1] <= doc.title_tokens]
    in_body = sum(first >= doc.title_tokens for first, _ in candidate.spans)
    yield f"title:{bool(in_title)}{min(in_body, 3)}"
    if in_title:
        first, last = in_title[0]
        after = doc.words[last] if last < doc.title_tokens else "END"
        if first == 0:
            yield f"title:start{after if after == ':' else ''}"
        if last == doc.title_tokens:
            yield "title:end"
        if first == 0 and last == doc.title_tokens:
            yield "title:whole"
        if first == 0:
            yield from (
                f"called:title-{HEAD_KINDS[w]}"
                for w in doc.lower[last : doc.title_tokens]
                if w in HEAD_KINDS
            )


def _context_features(doc: Document, span: tuple[int, int]) -> Iterator[str]:
    """Yield the words around one span of the candidate."""
    first, last = span
    low, high = doc.sentences[doc.sentence_of[first]]
    section = "t" if first < doc.title_tokens else "b"
    left = [doc.lower[i] if i >= low else "^" for i in range(first - 1, first - 4, -1)]
    right = [doc.lower[i] if i < high else "$" for i in range(last, last + 3)]
    yield f"left2:{left[1]} {left[0]}"
    yield f"left3:{left[2]} {left[1]} {left[0]}"
    yield f"right1:{section}{right[0]}"
    yield f"right2:{right[0]} {right[1]}"
    yield f"both:{left[0]}_{right[0]}"
    if first > 0 and doc.ends[first - 1] == doc.starts[first]:
        yield f"glue<{doc.words[first - 1]}"
    if last < len(doc.words) and doc.starts[last] == doc.ends[last - 1]:
        yield f"glue>{doc.words[last]}"
        if last + 1 < high and doc.words[last] == "-":
            yield f"glue>>{doc.lower[last + 1]}"


def _neighbourhood_features(
    doc: Document, span: tuple[int, int], known: dict[tuple[int, int], str]
) -> Iterator[str]:
    """Yield what the words and names around one span suggest about its type."""
    first, last = span
    low, high = doc.sentences[doc.sentence_of[first]]
    yield (
        f"left1:{'t' if first < doc.title_tokens else 'b'}"
        f"{doc.lower[first - 1] if first > low else '^'}"
    )
    yield from (f"head:{h}" for h in _head_kinds(doc, last, high))
    yield from (f"called:{k}" for k in _apposition_kinds(doc, first, last, low, high))
    yield from (f"cue:{c}" for c in _cue_kinds(doc, first, low))
    yield from (f"near:{t}" for t in _listed_types(doc, span, known))


def _head_kinds(doc: Document, last: int, high: int) -> Iterator[str]:
    """Yield the kinds of the noun right after the name and of the noun that closes its list."""
    if last < high and doc.lower[last] in HEAD_KINDS:
        yield HEAD_KINDS[doc.lower[last]]
    for i in range(last, min(high, last + 14)):
        word = doc.lower[i]
        if word in {".", ";", ":", "which", "that", "while", "by", "for", "to", "we"}:
            break
        if word in HEAD_KINDS and i > last:
            yield "far-" + HEAD_KINDS[word]
            break


def _apposition_kinds(doc: Document, first: int, last: int, low: int, high: int) -> Iterator[str]:
    """Yield the kinds that an apposition states: "X, a new benchmark", "the benchmark called X"."""
    i = last
    while i < high and doc.lower[i] in BEFORE_ARTICLE:
        i += 1
    if last < i < high and doc.lower[i] in ARTICLES:
        nouns = []
        for word in doc.lower[i + 1 : min(high, i + 12)]:
            if word in PHRASE_ENDS:
                break
            nouns += [HEAD_KINDS[word]] if word in HEAD_KINDS else []
        yield from (f"after-{n}" for n in nouns[-1:])
    i = first - 1
    while i >= low and doc.lower[i] in NAMING_WORDS:
        i -= 1
    if i >= low and doc.lower[i] in HEAD_KINDS:
        yield f"before-{HEAD_KINDS[doc.lower[i]]}"


def _cue_kinds(doc: Document, first: int, low: int) -> Iterator[str]:
    for i in range(first - 1, max(low - 1, first - 9), -1):
        cue = CUE_KINDS.get(doc.lower[i])
        if cue:
            yield f"{cue}{'1' if first - i <= 2 else '2'}"
        if doc.lower[i] in HEAD_KINDS:
            yield f"h-{HEAD_KINDS[doc.lower[i]]}{'1' if first - i <= 2 else '2'}"


def _listed_types(
    doc: Document, span: tuple[int, int], known: dict[tuple[int, int], str]
) -> Iterator[str]:
    """Yield the lexicon's types of the names in the same list."""
    for (first, last), type_ in known.items():
        gap = (last, span[0]) if last <= span[0] else (span[1], first) if first >= span[1] else None
        if gap and 0 < gap[1] - gap[0] <= 8 and in_one_list(doc, *gap):
            yield type_


def in_one_list(doc: Document, first: int, last: int) -> bool:
    """Return whether the tokens between two names make them members of one list."""
    between = doc.lower[first:last]
    return (
        any(w in {",", "and", "or", "/", "&"} for w in between)
        and sum(w not in {",", "and", "or", "/", "&", "(", ")"} for w in between) <= 3
    )
