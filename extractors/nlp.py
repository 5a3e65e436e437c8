"""Tokenisation and sentence splitting; the only module that imports spaCy.

The tokenizer is spaCy's, with rules for this field. Hyphens and slashes always split, so that a
name in "GRPO-trained" or "PPO/DPO" is a separate token. Dots, plus signs, stars and at signs stay
inside "Qwen2.5", "HumanEval+", "A*" and "pass@1". Chinese and Japanese text is split at punctuation
and at the borders of Latin letters.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from itertools import chain, compress, pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from citekg.extractors.markup import CleanText, clean, clean_title
from citekg.extractors.wording.stop_words import ABBREVIATED_WORDS
from citekg.schemas.records import Paper

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

_PREFIX: Final = r"""[(\[{<"'“‘«`$~,;:]"""
_SUFFIX: Final = re.compile(r"""(?:[)\]}>"”’»`$,;:!?…]|['’]s|\.|'+)$""")
_MAX_SUFFIX_LENGTH: Final = 20
#: Chinese characters and kana, which are written without spaces.
_UNSPACED: Final = r"[\u3040-\u30ff\u3400-\u9fff]"
_INFIX: Final = re.compile(
    r"--+|[-‐-―−/()\[\]{}=<>|~、。，；：！？「」（）]|(?:(?<=[a-z0-9)])|(?<=[A-Z][A-Z]))\.(?=[A-Z][a-z])"
    r"|(?<=[A-Za-z)])[,;:](?=[A-Za-z(])"
    rf"|(?<=[A-Za-z0-9+*])(?={_UNSPACED})|(?<={_UNSPACED})(?=[A-Za-z0-9])"
)
_EMPTY: Final = re.compile("")
#: The texts that the rules above split at each punctuation mark, and their tokens; most words are
#: of this form and do not need the tokenizer.
_PLAIN: Final = re.compile(r"\(?[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:['’]s)?\)?[.,;:]?")
_PLAIN_TOKEN: Final = re.compile(r"[A-Za-z0-9]+|['’]s|[-().,;:]")
#: The tokens of a text without spaces, each with its start and end in it.
Tokens = tuple[tuple[str, int, int], ...]
#: The maximum number of texts whose tokens are cached, and the maximum length of a cached text.
_MAX_KEPT: Final = 1 << 15
_MAX_KEPT_LENGTH: Final = 40

#: The modules of spaCy that are imported only when they are used.
_COMMANDS: Final = "spacy.cli", "spacy.cli.info"

_SENTENCE_END: Final = frozenset(".!?。！？")
#: Maximum number of tokens of a sentence without a full stop.
_MAX_SENTENCE_TOKENS: Final = 300


@dataclass(frozen=True)
class Document:
    """A paper with its tokens: token `i` is `text[starts[i]:ends[i]]`, in code points.

    `cleaned` is the paper without markup and `text` its text, which all layers read.
    `original_span` maps its spans to the original text, that of `paper`. `sentences` are
    `(first, last)` token ranges, end exclusive; a title is the first of them. `title_tokens` is the
    number of its tokens: 0 for a text without a title. `formulas` are spans of `text`.
    """

    paper: Paper
    cleaned: Paper
    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[tuple[int, int], ...]
    title_tokens: int
    formulas: tuple[tuple[int, int], ...]
    _parts: tuple[CleanText, CleanText]

    @cached_property
    def lower(self) -> tuple[str, ...]:
        """The tokens in lower case."""
        return tuple(map(str.lower, self.words))

    @cached_property
    def indices_of(self) -> dict[str, list[int]]:
        """Token indices by spelling."""
        indices: dict[str, list[int]] = {}
        for i, word in enumerate(self.words):
            indices.setdefault(word, []).append(i)
        return indices

    @cached_property
    def original_token_spans(self) -> dict[tuple[int, int], int]:
        """Token index by its span in the original text of the paper."""
        spans = zip(self.starts, self.ends, strict=True)
        return {self.original_span(*span): i for i, span in enumerate(spans)}

    @cached_property
    def sentence_of(self) -> tuple[int, ...]:
        """The sentence number of each token."""
        numbers: list[int] = []
        for n, (first, last) in enumerate(self.sentences):
            numbers += [n] * (last - first)
        return tuple(numbers)

    @cached_property
    def contexts(self) -> dict[tuple[int, int], tuple[str, str]]:
        """A cache of the texts around token spans (see `wording.context`)."""
        return {}

    def token_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the token span of a span of `text`, or None if it splits a token."""
        first, last = bisect_left(self.starts, start), bisect_left(self.ends, end)
        if last < first or self.starts[first : first + 1] != (start,):
            return None
        return (first, last + 1) if self.ends[last : last + 1] == (end,) else None

    def span_text(self, first: int, last: int) -> str:
        """Return the text of the tokens `first` to `last` (exclusive)."""
        return self.text[self.starts[first] : self.ends[last - 1]]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the text of `paper` of a span in `text` that is not empty.

        Markup inside the span is part of it, markup around it is not.
        """
        return self._original(start)[0], self._original(end - 1)[1]

    def _original(self, at: int) -> tuple[int, int]:
        """Return the span in the text of `paper` of one character of `text`."""
        title, abstract = self._parts
        shift, given_shift = len(self.cleaned.title) + 1, len(self.paper.title) + 1
        if at < shift:
            return title.original_span(at)
        start, end = abstract.original_span(at - shift)
        return start + given_shift, end + given_shift

    def sentence_span(self, number: int) -> tuple[int, int]:
        """Return the span of a sentence in code points, end exclusive."""
        first, last = self.sentences[number]
        return self.starts[first], self.ends[last - 1]


@cache
def _tokenizer() -> Tokenizer:
    """Return the tokenizer.

    Its vocabulary computes only whether a word is space; other attributes would slow down every new
    word.
    """
    _import_spacy()
    from spacy.attrs import IS_SPACE
    from spacy.tokenizer import Tokenizer
    from spacy.vocab import Vocab

    return Tokenizer(
        Vocab(lex_attr_getters={IS_SPACE: str.isspace}),
        prefix_search=re.compile(_PREFIX).match,
        suffix_search=_find_suffix,
        infix_finditer=_find_infixes,
    )


def _import_spacy() -> None:
    """Import spaCy without its command line, which takes a third of the time of the import.

    `spacy.cli` and `spacy.info` are imported when they are used.
    """
    if "spacy" in sys.modules:
        return
    package, module = (ModuleType(name) for name in _COMMANDS)
    module.info = None  # type: ignore[attr-defined]
    sys.modules.update(zip(_COMMANDS, (package, module), strict=True))
    try:
        import spacy
    finally:
        for name in _COMMANDS:
            del sys.modules[name]
    attributes = vars(spacy)
    attributes.pop("info", None)
    attributes["__getattr__"] = _spacy_command


def _spacy_command(name: str) -> Any:
    """Return the attribute `cli` or `info` of spaCy."""
    if name in ("cli", "info"):
        module = import_module("spacy.cli")
        return module if name == "cli" else module.info
    raise AttributeError(f"module 'spacy' has no attribute {name!r}")


def _find_suffix(word: str) -> re.Match[str] | None:
    """Return the punctuation that ends a word.

    Only the end of the word is searched, because words can be very long.
    """
    return _SUFFIX.search(word, max(0, len(word) - _MAX_SUFFIX_LENGTH))


def _find_infixes(word: str) -> Iterator[re.Match[str] | None]:
    """Yield the borders of the infixes of a word, as empty matches.

    spaCy skips an infix that touches the one before.
    """
    for cut in _INFIX.finditer(word):
        yield _EMPTY.match(word, cut.start())
        if cut[0]:
            yield _EMPTY.match(word, cut.end())


class _TokenCache:
    """A cache of the tokens of texts without spaces.

    Threads may share it: a text that one of them has found there is never removed.
    """

    def __init__(self) -> None:
        self._kept: dict[str, Tokens] = {}

    def tokens_of(self, chunks: Sequence[str]) -> Iterable[Tokens]:
        """Return the tokens of each text."""
        kept = self._kept
        if len(kept) > _MAX_KEPT:
            kept = self._kept = {}
        new = {*chunks}.difference(kept)
        plain = {*filter(_PLAIN.fullmatch, new)}
        long: dict[str, Tokens] = {}
        split = chain(((chunk, _split_plain(chunk)) for chunk in plain), _split(new - plain))
        for chunk, tokens in split:
            (kept if len(chunk) <= _MAX_KEPT_LENGTH else long)[chunk] = tokens
        if long:
            return [long.get(chunk) or kept[chunk] for chunk in chunks]
        return map(kept.__getitem__, chunks)


_CACHE: Final = _TokenCache()


def _tokens(text: str) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the tokens of a text, and their starts and ends (exclusive)."""
    chunks = text.split()
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    end = 0
    for chunk, tokens in zip(chunks, _CACHE.tokens_of(chunks), strict=True):
        at = text.find(chunk, end)
        end = at + len(chunk)
        if len(tokens) == 1:
            words.append(chunk)
            starts.append(at)
            ends.append(end)
            continue
        for word, first, last in tokens:
            words.append(word)
            starts.append(at + first)
            ends.append(at + last)
    return tuple(words), tuple(starts), tuple(ends)


def _split_plain(chunk: str) -> Tokens:
    """Return the tokens of a plain text."""
    return tuple((m[0], *m.span()) for m in _PLAIN_TOKEN.finditer(chunk))


def _split(chunks: Collection[str]) -> Iterator[tuple[str, Tokens]]:
    """Yield each text without spaces with its tokens.

    The tokenizer splits at spaces first, so that tokens do not depend on the texts around them.
    """
    offsets = iter(_tokenizer()(" ".join(chunks)).to_array(["IDX", "LENGTH"]).tolist())
    start = 0
    for chunk in chunks:
        tokens = []
        last = 0
        while last < len(chunk):
            at, length = next(offsets)
            first, last = at - start, at - start + length
            tokens.append((chunk[first:last], first, last))
        yield chunk, tuple(tokens)
        start += len(chunk) + 1


def indices_where(condition: Callable[[str], object], words: Sequence[str]) -> Iterator[int]:
    """Return the indices of the words for which a condition holds."""
    return compress(range(len(words)), map(condition, words))


def make_document(paper: Paper) -> Document:
    """Remove the markup of a paper's text, and split it into tokens and sentences."""
    title, abstract = clean_title(paper.title), clean(paper.abstract)
    cleaned = replace(paper, title=title.text, abstract=abstract.text)
    text = cleaned.text
    words, starts, ends = _tokens(text)
    shift = len(title.text) + 1
    title_end = bisect_left(starts, shift - 1)
    return Document(
        paper=paper,
        cleaned=cleaned,
        text=text,
        words=words,
        starts=starts,
        ends=ends,
        sentences=tuple(_sentences(words, starts, ends, title_end)),
        title_tokens=title_end,
        formulas=(*title.formulas, *((a + shift, b + shift) for a, b in abstract.formulas)),
        _parts=(title, abstract),
    )


def _sentences(
    words: tuple[str, ...], starts: tuple[int, ...], ends: tuple[int, ...], title_end: int
) -> list[tuple[int, int]]:
    cuts = [title_end] if title_end else []
    stops = (i for i in range(title_end, len(words) - 1) if words[i] in _SENTENCE_END)
    cuts += [i + 1 for i in stops if _ends_sentence(words, starts, ends, i)]
    whole = [(a, b) for a, b in pairwise((0, *cuts, len(words))) if a < b]
    return [
        (c, min(c + _MAX_SENTENCE_TOKENS, b))
        for a, b in whole
        for c in range(a, b, _MAX_SENTENCE_TOKENS)
    ]


def _ends_sentence(
    words: tuple[str, ...], starts: tuple[int, ...], ends: tuple[int, ...], i: int
) -> bool:
    """Return whether the full stop at token `i` ends its sentence."""
    following = words[i + 1]
    if words[i] == "." and i and _is_abbreviation(words[i - 1]):
        return False
    if starts[i + 1] == ends[i]:
        return following[:1].isupper() or not words[i].isascii()
    return not following[:1].islower() and following not in {",", ";", ":", ")"}


def _is_abbreviation(word: str) -> bool:
    """Return whether a full stop after the word belongs to it, as in "et al." or "J."."""
    return word.lower() in ABBREVIATED_WORDS or (len(word) == 1 and word.isupper())
