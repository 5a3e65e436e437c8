"""Features of a candidate: its spelling, spans, neighbouring words and sources, as strings.

Each feature is hashed to a column of the weights, so that no vocabulary file is needed (see
`hashing`). After a change of such a string, the models must be trained again.

Features of a spelling are cached for later papers, and those of the words next to a token for all
candidates that begin or end there. Crossed features are computed for all candidates of a document
at once.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple
from zlib import crc32

from citekg.extractors.cached_results import cached_results
from citekg.extractors.candidates.generate import PHRASE, WRITTEN, Candidate
from citekg.extractors.candidates.tagger import LabelSums, TaggedTokens
from citekg.extractors.classification.hashing import (
    FeatureRows,
    code_of,
    joined_columns,
    pack,
    unpack,
)
from citekg.extractors.nlp import Document
from citekg.extractors.wording.head_nouns import HEAD_KINDS, NAME_ENDINGS
from citekg.extractors.wording.stop_words import ARTICLES, BEFORE_ARTICLE, PHRASE_ENDS
from citekg.extractors.wording.verbs import CUE_KINDS, NAMING_WORDS

_ENDING_LENGTHS: Final = sorted({*map(len, NAME_ENDINGS)}, reverse=True)
#: The lengths of the prefixes and suffixes that are features.
_AFFIX_LENGTHS: Final = (2, 3, 4)
#: Maximum number of spans of a candidate that have features.
_MAX_SPANS: Final = 6
#: The maximum size of a cache of features.
_CACHE_SIZE: Final = 1 << 14
#: Digits, and capitals after the first letter, which ordinary words rarely have.
_SIGNS: Final = re.compile(r"\d|[^\W\d_][A-Z]")
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?[BMKbmk]")
#: The feature of a lexicon name that is not part of a longer one. The features of such names have
#: separate weights, because shape, context and tagger are weak evidence against them.
_WHOLE: Final = "known:whole"
#: The initial checksums of features: for other candidates, and for such names.
_STARTS: Final = (0, crc32(b"known "))
#: The characters of a word shape, and the runs of them that are shortened.
_ASCII_SHAPES: Final = {
    **dict.fromkeys(map(ord, string.ascii_uppercase), "A"),
    **dict.fromkeys(map(ord, string.ascii_lowercase), "a"),
    **dict.fromkeys(map(ord, string.digits), "0"),
}
_DIGIT, _CAPITAL, _LETTER = re.compile(r"\d"), re.compile("[A-Z]"), re.compile(r"[^\W\d_A-Z]")
_SMALL_LETTERS, _RUN = re.compile("aa+"), re.compile(r"(.)\1+")
_HEAD_STOPS: Final = frozenset({".", ";", ":", "which", "that", "while", "by", "for", "to", "we"})
_LIST_LINKS: Final = frozenset({",", "and", "or", "/", "&"})
_LIST_TOKENS: Final = _LIST_LINKS | {"(", ")"}

Span = tuple[int, int]


class _Source(NamedTuple):
    """Features of the source, packed: codes, and checksums that begin the features crossed with it.

    There are two packs of checksums, by whether the candidate is a whole name of the lexicon.
    """

    codes: bytes
    checksums: tuple[bytes, bytes]


class _Spelling(NamedTuple):
    """Features of a spelling: codes that are not crossed (packed), those that are, the shape."""

    plain: bytes
    crossed: tuple[int, ...]
    shape: str


class _Word(NamedTuple):
    """Features of a word of a name, packed: as the first one, as the last one, and as any."""

    first: bytes
    last: bytes
    inside: bytes


class _Positions(NamedTuple):
    """Features of positions of a name: codes that are not crossed (packed), and those that are."""

    plain: bytes
    crossed: tuple[int, ...]


class _Side(NamedTuple):
    """Features of the words on one side of a name: codes, and the word next to it."""

    plain: list[int]
    crossed: list[int]
    word: str


def candidate_columns(
    documents: Iterable[tuple[Document, Sequence[Candidate], TaggedTokens | None]],
) -> FeatureRows:
    """Return the weight columns of the features of all candidates of some documents.

    Features of the source are also crossed with those of form and neighbourhood. A document comes
    with its candidates and the output of the tagger, or None without it.
    """
    codes = _Codes()
    for doc, candidates, tagged in documents:
        known = {span: c.entry.type for c in candidates if c.entry for span in c.spans}
        reader = _Reader(doc, known, tagged.sums if tagged else None)
        for candidate in candidates:
            reader.read(candidate, codes)
    return codes.rows()


def _tagger_features(tagged: LabelSums, spans: Sequence[Span]) -> _Source:
    """Return the tagger's confidence in each type, the edges and the best span of a candidate."""
    outside = tagged.outside
    first, last = (
        spans[0]
        if len(spans) == 1
        else min(spans, key=lambda s: sum(outside[s[0] : s[1]].tolist()) / (s[1] - s[0]))
    )
    types = [sum(column) / (last - first) for column in tagged.types[:, first:last].tolist()]
    return _tagger_source(
        types.index(max(types)),
        binned(sum(types)),
        (binned(tagged.begins[first]), binned(tagged.insides[last])),
        binned(1 - max(outside[first:last].tolist())),
        tuple(map(binned, types)),
    )


@dataclass
class _Codes:
    """The codes of the features of candidates.

    `packed` and `plain` are features that are not crossed, and `crossed` those that are;
    `checksums` of the sources, packed, begin crossed features. `counts` are the numbers of all four
    by candidate, and `starts` the checksums that begin all features of a candidate.
    """

    packed: list[bytes] = field(default_factory=list)
    plain: list[int] = field(default_factory=list)
    crossed: list[int] = field(default_factory=list)
    checksums: list[bytes] = field(default_factory=list)
    counts: list[tuple[int, int, int, int]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def rows(self) -> FeatureRows:
        """Return the columns of the features of all candidates."""
        import numpy as np

        if not self.counts:
            return FeatureRows.of([])
        counts = np.array(self.counts, dtype=np.int64)
        packed, plain, crossed, sources = counts.T
        numbers = np.arange(len(counts), dtype=np.int64)
        codes = np.array(self.crossed, dtype=np.int64)
        alone = np.concatenate([numbers.repeat(n) for n in (packed, plain, crossed)])
        # Each source of a candidate with each of its features that are crossed.
        owners = numbers.repeat(sources)
        times = crossed[owners]
        ends, begins = np.cumsum(times), np.cumsum(crossed) - crossed
        positions = (begins[owners] - (ends - times)).repeat(times)
        positions += np.arange(len(positions))
        starts = np.array(self.starts, dtype=np.int64)
        columns = joined_columns(
            np.concatenate([starts[alone], unpack(self.checksums).repeat(times)]),
            np.concatenate(
                [unpack(self.packed), np.array(self.plain, dtype=np.int64), codes, codes[positions]]
            ),
        )
        return FeatureRows.gather(np.concatenate([alone, owners.repeat(times)]), columns)


@dataclass
class _Reader:
    """Reads the features of the candidates of a document.

    `known` are the lexicon's types of token spans.
    """

    doc: Document
    known: dict[Span, str]
    tagged: LabelSums | None
    lefts: dict[int, _Side] = field(default_factory=dict)
    rights: dict[Span, _Side] = field(default_factory=dict)

    def read(self, candidate: Candidate, codes: _Codes) -> None:
        """Add the features of a candidate to the codes."""
        doc, plain = self.doc, codes.plain
        before = len(plain)
        first, last = candidate.spans[0]
        spelling = _spelling(doc.span_text(first, last), doc.lower[first:last], candidate.key)
        is_whole = False
        if candidate.entry:
            known = [*_known_features(doc, candidate, self.known)]
            is_whole = _WHOLE in known
            plain.extend(map(code_of, known))
        source = _source(*_source_key(candidate), spelling.shape)
        positions = _position_features(doc, candidate.spans)
        packed = source.codes + spelling.plain + positions.plain
        checksums = source.checksums[is_whole]
        if self.tagged:
            tagged = _tagger_features(self.tagged, candidate.spans)
            packed, checksums = packed + tagged.codes, checksums + tagged.checksums[is_whole]
        crossed = {*spelling.crossed, *positions.crossed}
        for span in candidate.spans[:_MAX_SPANS]:
            self._read_sides(span, plain, crossed)
            if self.known:
                near = _listed_types(doc, span, self.known)
                crossed.update(_cached_code(f"near:{type_}") for type_ in near)
        codes.packed.append(packed)
        codes.crossed.extend(crossed)
        codes.checksums.append(checksums)
        numbers = len(packed) >> 3, len(plain) - before, len(crossed), len(checksums) >> 3
        codes.counts.append(numbers)
        codes.starts.append(_STARTS[is_whole])

    def _read_sides(self, span: Span, plain: list[int], crossed: set[int]) -> None:
        """Add the features of the words before and after a span."""
        first, last = span
        low, high = self.doc.sentences[self.doc.sentence_of[first]]
        left = self.lefts.get(first)
        if left is None:
            left = self.lefts[first] = _left_side(self.doc, first, low)
        right = self.rights.get((last, high))
        if right is None:
            right = self.rights[last, high] = _right_side(self.doc, last, high)
        crossed.update(left.crossed, right.crossed)
        plain.extend(left.plain)
        plain.extend(right.plain)
        plain.append(code_of(f"both:{left.word}_{right.word}"))


_cached_code: Final = cached_results(maxsize=_CACHE_SIZE)(code_of)


#: The bins; that of 1 is the last one.
_BINS: Final[tuple[int, ...]] = (*range(8), 7)


def binned(probability: float) -> int:
    """Return the bin of a probability among eight of equal width."""
    return _BINS[int(8 * probability)]


def _packed_source(texts: Sequence[str]) -> _Source:
    """Return the features of these texts as those of a source."""
    starts, whole_starts = (
        pack(crc32(f"{text}&".encode(), start) for text in texts) for start in _STARTS
    )
    return _Source(pack(map(code_of, texts)), (starts, whole_starts))


@lru_cache(maxsize=_CACHE_SIZE)
def _tagger_source(
    type_: int, confidence: int, edges: tuple[int, int], whole: int, types: tuple[int, ...]
) -> _Source:
    """Return the features of the bins of the tagger's probabilities, of which one is a source.

    `type_` is the most probable type, and `confidence` the bin of all types together.
    """
    source = _packed_source([f"tag:{type_}:{confidence}"])
    texts = [f"edges:{edges[0]}:{edges[1]}", f"whole:{whole}"]
    texts += (f"tagged{t}:{p}" for t, p in enumerate(types))
    return source._replace(codes=source.codes + pack(map(code_of, texts)))


def _source_key(candidate: Candidate) -> tuple[bool, bool, bool, bool, str, str, bool]:
    """Return what the features of the source depend on, besides the word shape."""
    finders, entry = candidate.finders, candidate.entry
    return (
        PHRASE in finders,
        WRITTEN in finders,
        candidate.is_short,
        candidate.is_long,
        candidate.prefix_type,
        entry.type if entry else "none",
        entry is not None and entry.umbrella,
    )


@lru_cache(maxsize=_CACHE_SIZE)
def _source(
    is_phrase: bool,  # noqa: FBT001
    is_written: bool,  # noqa: FBT001
    is_short: bool,  # noqa: FBT001
    is_long: bool,  # noqa: FBT001
    prefix_type: str,
    entry: str,
    is_umbrella: bool,  # noqa: FBT001
    shape: str,
) -> _Source:
    """Return the features of a candidate's finders, lexicon entry and word shape."""
    finders = "+".join([PHRASE] * is_phrase + [WRITTEN] * is_written)
    texts = [f"src:{finders}", f"begins:{prefix_type}", f"shape:{shape}"]
    texts += [f"lex:{entry}{'~' if is_umbrella else ''}"]
    texts += ["src:short"] if is_short else []
    texts += ["src:long"] if is_long else []
    return _packed_source(texts)


def _known_features(doc: Document, candidate: Candidate, known: dict[Span, str]) -> Iterator[str]:
    """Yield the features that indicate how reliable the lexicon's entry is for a candidate.

    It is less reliable for a part of a longer name, for plain words, and for a name that needs
    context.
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
    yield "known:part" if is_part else _WHOLE
    yield f"known:{case}:{bool(entry.context)}"
    yield f"known:{case}:{bool(entry.context)}:{entry.type}"


@lru_cache(maxsize=_CACHE_SIZE)
def _spelling(surface: str, tokens: tuple[str, ...], key: str) -> _Spelling:
    """Return the features of a spelling, of its tokens in lower case, and of its key."""
    words = [w for w in tokens if w[0].isalnum() or w[0] == "_"]
    lowered = surface.lower()
    parts = [
        _length_codes(min(len(surface), 12), has_size=_SIZE.search(surface) is not None),
        pack([code_of(f"name:{key}")]),
        _prefix_codes(lowered[: _AFFIX_LENGTHS[-1]]),
        _suffix_codes(lowered[-_AFFIX_LENGTHS[-1] :]),
        _word_codes(words[0] if words else "").first,
        _word_codes(words[-1] if words else "").last,
    ]
    parts += [_word_codes(word).inside for word in words]
    crossed = (
        _cached_code(f"words:{min(len(words), 6)}"),
        _ending_code(lowered[-_ENDING_LENGTHS[0] :]),
    )
    return _Spelling(b"".join(parts), crossed, _shape(surface))


@lru_cache(maxsize=_CACHE_SIZE)
def _length_codes(length: int, *, has_size: bool) -> bytes:
    return pack(map(code_of, ["bias", f"length:{length}", *["size"] * has_size]))


@cached_results(maxsize=_CACHE_SIZE)
def _prefix_codes(start: str) -> bytes:
    return pack(code_of(f"prefix:{start[:n]}") for n in _AFFIX_LENGTHS)


@cached_results(maxsize=_CACHE_SIZE)
def _suffix_codes(end: str) -> bytes:
    return pack(code_of(f"suffix:{end[-n:]}") for n in _AFFIX_LENGTHS)


@cached_results(maxsize=_CACHE_SIZE)
def _word_codes(word: str) -> _Word:
    return _Word(*(pack([code_of(f"{place}:{word}")]) for place in ("first", "last", "has")))


@cached_results(maxsize=_CACHE_SIZE)
def _ending_code(end: str) -> int:
    ending = next((end[-n:] for n in _ENDING_LENGTHS if end[-n:] in NAME_ENDINGS), "")
    return code_of(f"end:{ending}")


def _shape(surface: str) -> str:
    if surface.isascii():
        return _short_shape(surface.translate(_ASCII_SHAPES))
    return _short_shape(_CAPITAL.sub("A", _LETTER.sub("a", _DIGIT.sub("0", surface))))


@cached_results(maxsize=_CACHE_SIZE)
def _short_shape(shape: str) -> str:
    """Return a shape with shorter runs, up to 14 characters."""
    return _RUN.sub(r"\1\1", _SMALL_LETTERS.sub("a", shape))[:14]


def _position_features(doc: Document, spans: Sequence[Span]) -> _Positions:
    """Return the features of positions of mentions: in the title, and the first in the abstract.

    They include the kinds that the title states of a name at its start.
    """
    end = doc.title_tokens
    in_title: Span | None = None
    body = -1
    in_body = 0
    for span in spans:
        if span[0] >= end:
            body = span[0] if body < 0 else body
            in_body += 1
        elif in_title is None and span[1] <= end:
            in_title = span
    part = int(4 * body / len(doc.words)) if in_body else -1
    title = _title_features(doc, *in_title) if in_title else ()
    return _position_codes(min(len(spans), 4), part, min(in_body, 3), title)


@lru_cache(maxsize=_CACHE_SIZE)
def _position_codes(count: int, part: int, in_body: int, title: tuple[str, ...]) -> _Positions:
    """Return the features of mentions; `part` is the quarter of the text of the first one."""
    plain = [f"count:{count}", *([f"where:{part}"] if part >= 0 else [])]
    crossed = [f"title:{bool(title)}{in_body}", *title[1:]]
    return _Positions(pack(map(code_of, plain)), tuple(map(code_of, crossed)))


def _title_features(doc: Document, first: int, last: int) -> tuple[str, ...]:
    """Return "title", the position in it, and the kinds that it states of a name at its start."""
    end = doc.title_tokens
    out = ["title"]
    if last == end:
        out.append("title:end")
    if first == 0:
        out.append(f"title:start{':' if last < end and doc.words[last] == ':' else ''}")
        out += ["title:whole"] if last == end else []
        out += (f"called:title-{HEAD_KINDS[w]}" for w in doc.lower[last:end] if w in HEAD_KINDS)
    return tuple(out)


def _left_side(doc: Document, first: int, low: int) -> _Side:
    """Return the features of the words before token `first`, from token `low` of the sentence."""
    lower = doc.lower
    one = lower[first - 1] if first - 1 >= low else "^"
    two = lower[first - 2] if first - 2 >= low else "^"
    three = lower[first - 3] if first - 3 >= low else "^"
    plain = [code_of(f"left2:{two} {one}"), code_of(f"left3:{three} {two} {one}")]
    if first > 0 and doc.ends[first - 1] == doc.starts[first]:
        plain.append(_cached_code(f"glue<{doc.words[first - 1]}"))
    crossed = [_cached_code(f"left1:{'t' if first < doc.title_tokens else 'b'}{one}")]
    crossed += map(_cached_code, _cues_before(doc, first, low))
    return _Side(plain, crossed, one)


def _cues_before(doc: Document, first: int, low: int) -> Iterator[str]:
    """Yield the kind that the words before a name state, and the cues among them."""
    lower = doc.lower
    i = first - 1
    while i >= low and lower[i] in NAMING_WORDS:
        i -= 1
    if i >= low and lower[i] in HEAD_KINDS:
        yield f"called:before-{HEAD_KINDS[lower[i]]}"
    for i in range(first - 1, max(low - 1, first - 9), -1):
        word = lower[i]
        cue = CUE_KINDS.get(word)
        if cue:
            yield f"cue:{cue}{'1' if first - i <= 2 else '2'}"
        if word in HEAD_KINDS:
            yield f"cue:h-{HEAD_KINDS[word]}{'1' if first - i <= 2 else '2'}"


def _right_side(doc: Document, last: int, high: int) -> _Side:
    """Return the features of the words from token `last` to the end `high` of the sentence."""
    lower = doc.lower
    one = lower[last] if last < high else "$"
    two = lower[last + 1] if last + 1 < high else "$"
    section = "t" if high <= doc.title_tokens else "b"
    plain = [_cached_code(f"right1:{section}{one}"), code_of(f"right2:{one} {two}")]
    if last < len(doc.words) and doc.starts[last] == doc.ends[last - 1]:
        plain.append(_cached_code(f"glue>{doc.words[last]}"))
        if last + 1 < high and doc.words[last] == "-":
            plain.append(_cached_code(f"glue>>{two}"))
    crossed = [_cached_code(f"head:{kind}") for kind in _head_kinds(doc, last, high)]
    crossed += (_cached_code(f"called:after-{kind}") for kind in _kinds_after(doc, last, high))
    return _Side(plain, crossed, one)


def _head_kinds(doc: Document, last: int, high: int) -> Iterator[str]:
    """Yield the kinds of the noun right after the name and of the noun that closes its list."""
    lower = doc.lower
    if last < high and lower[last] in HEAD_KINDS:
        yield HEAD_KINDS[lower[last]]
    for i in range(last, min(high, last + 14)):
        word = lower[i]
        if word in _HEAD_STOPS:
            break
        if word in HEAD_KINDS and i > last:
            yield "far-" + HEAD_KINDS[word]
            break


def _kinds_after(doc: Document, last: int, high: int) -> list[str]:
    """Return the kind that an apposition after the name states: "X, a new benchmark"."""
    i = last
    while i < high and doc.lower[i] in BEFORE_ARTICLE:
        i += 1
    nouns = []
    if last < i < high and doc.lower[i] in ARTICLES:
        for word in doc.lower[i + 1 : min(high, i + 12)]:
            if word in PHRASE_ENDS:
                break
            nouns += [HEAD_KINDS[word]] if word in HEAD_KINDS else []
    return nouns[-1:]


def _listed_types(doc: Document, span: Span, known: dict[Span, str]) -> Iterator[str]:
    """Yield the lexicon's types of the names in the same list."""
    low, high = span
    for (first, last), type_ in known.items():
        if last <= low:
            gap = last, low
        elif first >= high:
            gap = high, first
        else:
            continue
        if 0 < gap[1] - gap[0] <= 8 and in_one_list(doc, *gap):
            yield type_


def in_one_list(doc: Document, first: int, last: int) -> bool:
    """Return whether the tokens between two names make them members of one list."""
    between = doc.lower[first:last]
    return (
        not _LIST_LINKS.isdisjoint(between)
        and sum(word not in _LIST_TOKENS for word in between) <= 3
    )
