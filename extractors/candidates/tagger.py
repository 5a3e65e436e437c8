"""The tagger: a small convolutional network that labels every token (BIO tagging).

Tokens are embedded by hashes of the word, its affixes and its shape (hash embeddings; Svenstrup et
al. 2017). Five residual, dilated convolutions widen the receptive field to about forty tokens
(`convolutions.py`, and compiled in `kernels.py`). A softmax gives the labels: outside, or beginning
or inside of an entity of a type. The network was trained with PyTorch (see
`citekg.extractors.training.train`).
"""

from __future__ import annotations

import hashlib
import re
import string
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from importlib import resources
from itertools import accumulate, chain, pairwise
from math import prod
from operator import add, mod
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol
from zlib import crc32

from citekg.extractors.candidates import kernels
from citekg.extractors.candidates.convolutions import DILATIONS, Convolutions, Convolver, Span
from citekg.extractors.nlp import Document
from citekg.schemas.vocabulary import TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from threadpoolctl import ThreadpoolController

#: The labels: outside, then beginning and inside of each type.
LABELS: Final = ("O", *(f"{part}-{t}" for t in TYPES for part in "BI"))
#: Sizes of the embedding tables: two for the word, one each for prefix, suffix and shape.
TABLE_SIZES: Final = (16384, 16384, 4096, 8192, 2048)
#: What the checksums of the texts that are hashed begin with, by table.
_STARTS: Final = tuple(crc32(letter.encode()) for letter in "wvpsf")
#: The signs of word shapes, and the runs of them that are cut.
_ASCII_SHAPES: Final = str.maketrans(
    string.ascii_letters + string.digits, "a" * 26 + "A" * 26 + "0" * 10
)
_DIGIT, _CAPITAL, _LETTER = re.compile(r"\d"), re.compile("[A-Z]"), re.compile(r"[^\W\d_]")
#: Runs of equal characters in a shape are cut to this length.
_MAX_RUN: Final = 3
_LONG_RUN: Final = re.compile(rf"(.)\1{{{_MAX_RUN},}}")
#: From how many tokens on the network takes them at once: products of so many rows are fast, and
#: the arrays still fit in the caches of the processor.
_GROUP: Final = 1280
#: The inputs of so many words are kept. Most words of later texts are among the first ones.
_MAX_INPUTS: Final = 20_000
#: The probability from which a token may begin a name.
_MAY_BEGIN: Final = 0.1
#: The probability from which a span may be a name.
_MAY_BE_NAME: Final = 0.02


def embedding_rows(words: Iterable[str]) -> NDArray[np.int64]:
    """Return the rows of words in the embedding tables, `(words, tables)`."""
    import numpy as np

    packed = b"".join(map(_packed_rows, words))
    return np.frombuffer(packed, dtype=np.int64).reshape(-1, len(TABLE_SIZES))


def _packed_rows(word: str) -> bytes:
    """Return the rows of a word as bytes, which join faster than numbers."""
    lower = word.lower()
    encoded = lower.encode()
    texts = (encoded, encoded, lower[:3].encode(), lower[-4:].encode(), word_shape(word).encode())
    return array("q", map(mod, map(crc32, texts, _STARTS), TABLE_SIZES)).tobytes()


def word_shape(word: str) -> str:
    """Return the shape of a word: capitals, small letters and digits, runs cut to three.

    >>> word_shape("Qwen2.5"), word_shape("learning")
    ('Aaaa0.0', 'aaa')
    """
    if word.isascii():
        if word.isalpha() and word.islower():  # as most words
            return "a" * min(len(word), _MAX_RUN)
        shaped = word.translate(_ASCII_SHAPES)
    else:
        shaped = _CAPITAL.sub("\0", _DIGIT.sub("0", word))
        shaped = _LETTER.sub("a", shaped).replace("\0", "A")
    return _LONG_RUN.sub(r"\1" * _MAX_RUN, shaped) if len(shaped) > _MAX_RUN else shaped


class LabelSums(NamedTuple):
    """The probabilities of labels, by token.

    `outside` is the probability of the label outside names, `(tokens,)`. `types` are the sums over
    the labels of each type, `(types, tokens)`, `begins` and `insides` those over the types. Behind
    the last token, `insides` has 0.
    """

    outside: NDArray[np.float64]
    types: NDArray[np.float64]
    begins: list[float]
    insides: list[float]

    @classmethod
    def of(cls, probabilities: NDArray[np.float32]) -> LabelSums:
        """Return the sums of probabilities, `(tokens, len(LABELS))`."""
        exact = probabilities.astype(float).T
        begins, insides = exact[1::2], exact[2::2]
        return cls(
            exact[0],
            begins + insides,
            reduce(add, begins).tolist(),
            [*reduce(add, insides).tolist(), 0.0],
        )


@dataclass(frozen=True)
class TaggedTokens:
    """What the tagger computes for the tokens of a document.

    `probabilities` are those of the labels, `(tokens, len(LABELS))`; `vectors` are the outputs of
    the last convolution, `(tokens, width)`.
    """

    probabilities: NDArray[np.float32]
    vectors: NDArray[np.float32]

    @cached_property
    def sums(self) -> LabelSums:
        """The sums of the probabilities of each token."""
        return LabelSums.of(self.probabilities)


class TokenTagger(Protocol):
    """A trained network that labels tokens."""

    @property
    def digest(self) -> str:
        """A SHA-256 of the weights, in hexadecimal digits."""

    def tag(self, doc: Document) -> TaggedTokens:
        """Return the label probabilities and the vectors of the tokens of a document."""

    def tag_all(self, docs: Iterable[Document]) -> list[TaggedTokens]:
        """Return the same for several documents."""


@dataclass(frozen=True)
class Tagger:
    """The trained network: its arrays by name.

    `_inputs` caches the input of the first convolution by word, as bytes, for abstracts and titles.
    Threads may share it: no word is removed.
    """

    arrays: dict[str, NDArray[np.float32]]
    _inputs: list[dict[str, bytes]] = field(
        default_factory=lambda: [{}, {}], init=False, repr=False, compare=False
    )

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the weights, in hexadecimal digits."""
        return digest_of(self.arrays)

    def tag(self, doc: Document) -> TaggedTokens:
        """Return the label probabilities and the vectors of the tokens of a document."""
        return self.tag_all([doc])[0]

    def tag_all(self, docs: Iterable[Document]) -> list[TaggedTokens]:
        """Return the same for several documents, in less time than one by one.

        One thread computes the products of matrices: several are no faster, because the matrices
        are small.
        """
        with _blas().limit(limits=1, user_api="blas"):
            return [tagged for group in _groups(docs) for tagged in self._tag_group(group)]

    def _tag_group(self, docs: Sequence[Document]) -> Iterator[TaggedTokens]:
        """Yield what the network computes for documents of which it joins the tokens."""
        import numpy as np

        a = self.arrays
        bounds = [*row_bounds(docs)]
        x = self.embed(docs)
        self._convolver.convolve(x, bounds)
        # The last bits of this narrow product depend on the number of rows.
        scores = np.zeros((len(x), len(LABELS)), dtype=x.dtype)
        for low, high in bounds:
            np.matmul(x[low:high], a["out.w"], out=scores[low:high])
        scores += a["out.b"]
        # The largest of a few columns is found faster by column than by row.
        exponentials = np.exp(scores - reduce(np.maximum, scores.T)[:, None])
        probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
        return (TaggedTokens(probabilities[low:high], x[low:high]) for low, high in bounds)

    @cached_property
    def _convolver(self) -> Convolver:
        """What computes the convolutions."""
        return kernels.fastest(Convolutions.of(self.arrays, len(DILATIONS)))

    def embed(self, docs: Sequence[Document]) -> NDArray[np.float32]:
        """Return the input of the first convolution, `(rows, width)`."""
        import numpy as np

        titles = [doc.words[: doc.title_tokens] for doc in docs]
        abstracts = [doc.words[doc.title_tokens :] for doc in docs]
        of_title = self._inputs_of({*chain.from_iterable(titles)}, 1)
        of_abstract = self._inputs_of({*chain.from_iterable(abstracts)}, 0)
        rows: list[bytes] = []
        for title, abstract in zip(titles, abstracts, strict=True):
            rows += map(of_title.__getitem__, title)
            rows += map(of_abstract.__getitem__, abstract)
        # A `bytearray` can be overwritten.
        joined = np.frombuffer(bytearray().join(rows), dtype=np.float32)
        return joined.reshape(-1, len(self.arrays["in.b"]))

    def _inputs_of(self, words: set[str], in_title: int) -> Mapping[str, bytes]:
        """Return the inputs of the first convolution by word, as bytes; `in_title` is 1 or 0."""
        import numpy as np

        known = self._inputs[in_title]
        new = words.difference(known)
        x = self.arrays["in.b"]
        for table, column in zip(self._input_tables, embedding_rows(new).T, strict=True):
            x = x + table.take(column, axis=0)
        x = np.maximum(x + self.arrays["title"][in_title], 0)
        computed = dict(zip(new, map(bytes, x), strict=True))
        if len(known) < _MAX_INPUTS:
            known.update(computed)
        return {word: computed.get(word) or known[word] for word in words}

    @cached_property
    def _input_tables(self) -> list[NDArray[np.float32]]:
        """What each row of the embedding tables adds to the input of the first convolution."""
        tables = [self.arrays[f"embed{i}"] for i in range(len(TABLE_SIZES))]
        ends = [*accumulate(table.shape[1] for table in tables)]
        weights = self.arrays["in.w"]
        return [
            table @ weights[end - table.shape[1] : end]
            for table, end in zip(tables, ends, strict=True)
        ]


def digest_of(arrays: Mapping[str, NDArray[np.float32]]) -> str:
    """Return a SHA-256 of arrays and their names, in hexadecimal digits."""
    import numpy as np

    hasher = hashlib.sha256()
    for name, weights in sorted(arrays.items()):
        hasher.update(f"{name} {weights.shape}".encode())
        hasher.update(np.ascontiguousarray(weights).data)
    return hasher.hexdigest()


@cache
def _blas() -> ThreadpoolController:
    """Return what controls the threads of the library that multiplies matrices for numpy."""
    import numpy  # noqa: ICN001, F401  # The library must be loaded.
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def row_bounds(docs: Iterable[Document]) -> Iterator[Span]:
    """Yield the rows of each document."""
    return pairwise(accumulate((len(doc.words) for doc in docs), initial=0))


def _groups(docs: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield the documents in groups of about `_GROUP` tokens."""
    group: list[Document] = []
    tokens = 0
    for doc in docs:
        group.append(doc)
        tokens += len(doc.words)
        if tokens >= _GROUP:
            yield group
            group, tokens = [], 0
    if group:
        yield group


def decode_spans(probabilities: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
    """Yield the token spans of the most probable labels."""
    likeliest = probabilities.argmax(axis=1)
    first: int | None = None
    for i, label in enumerate([*likeliest.tolist(), 0]):
        inside = label > 0 and label % 2 == 0
        if first is not None and not inside:
            yield first, i
            first = None
        if label > 0 and first is None:
            first = i


class LikelySpans:
    """The token spans that may be names, by the labels of their tokens.

    Of 7,985 entities of 4,000 conference papers, 11 consist only of other spans and have no other
    layer than the rules.
    """

    def __init__(self, doc: Document, sums: LabelSums) -> None:
        """Take a document and the sums of the probabilities of its labels."""
        self._doc = doc
        self._begins, self._continues = sums.begins, sums.insides

    def starts(self) -> list[int]:
        """Return the tokens at which they begin."""
        return [i for i, begins in enumerate(self._begins) if begins >= _MAY_BEGIN]

    def may_be_name(self, span: Span) -> bool:
        """Return whether a token span is one of them.

        A token without a space before it continues a name in any case: "(" in "R(KITE)-2".
        """
        first, last = span
        if self._begins[first] < _MAY_BEGIN:
            return False
        starts, ends = self._doc.starts, self._doc.ends
        spaced = (i for i in range(first + 1, last) if starts[i] != ends[i - 1])
        inside = prod(map(self._continues.__getitem__, spaced))
        return self._begins[first] * inside * (1 - self._continues[last]) >= _MAY_BE_NAME


@cache
def shipped_tagger() -> Tagger:
    """Return the tagger that comes with the package."""
    import numpy as np

    with (resources.files("citekg.extractors") / "weights" / "tagger.npz").open("rb") as file:
        stored = np.load(file)
        return Tagger({name: stored[name].astype(np.float32) for name in stored.files})
