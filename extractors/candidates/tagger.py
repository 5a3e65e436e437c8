"""The statistical tagger: a small convolutional network that gives every token a label.

Tokens are embedded by hashes of their word, ends and shape (after spaCy's hash embeddings), five
residual convolutions widen the view to about forty tokens, and a softmax gives the labels: outside,
or the beginning or inside of an entity of a type. It was trained with PyTorch (see
`citekg.extractors.training.train`) and runs on numpy alone.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from citekg.extractors.nlp import Document
from citekg.schemas.vocabulary import TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The labels: outside, then beginning and inside of each type.
LABELS: Final = ("O", *(f"{part}-{t}" for t in TYPES for part in "BI"))
#: Rows of the embedding tables: two for the word, then its first and last letters, and its shape.
ROWS: Final = (16384, 16384, 4096, 8192, 2048)
#: How far apart the three tokens lie that each convolution looks at.
DILATIONS: Final = (1, 2, 4, 1, 8)


@lru_cache(maxsize=200_000)
def embedding_rows(word: str) -> tuple[int, ...]:
    """The rows of a word in the embedding tables."""
    lower = word.lower()
    texts = ("w" + lower, "v" + lower, "p" + lower[:3], "s" + lower[-4:], "f" + shape(word))
    return tuple(zlib.crc32(t.encode("utf-8")) % n for t, n in zip(texts, ROWS, strict=True))


def shape(word: str) -> str:
    """The shape of a word: capitals, small letters and digits, runs cut to three.

    >>> shape("Qwen2.5"), shape("learning")
    ('Aaaa0.0', 'aaa')
    """
    shaped = re.sub(r"[^\W\d_]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "0", word)).replace("A", "\0"))
    return re.sub(r"(.)\1{3,}", r"\1\1\1", shaped.replace("\0", "A"))


@dataclass(frozen=True)
class Tagger:
    """The trained network: its arrays by name."""

    arrays: dict[str, NDArray[np.float32]]

    def probabilities(self, doc: Document) -> NDArray[np.float32]:
        """The probability of each label for each token, `(tokens, len(LABELS))`."""
        import numpy as np

        a = self.arrays
        if not doc.words:
            return np.zeros((0, len(LABELS)), dtype=np.float32)
        found = np.array([embedding_rows(w) for w in doc.words])
        embedded = np.concatenate([a[f"embed{i}"][found[:, i]] for i in range(len(ROWS))], axis=1)
        x = np.maximum(embedded @ a["in.w"] + a["in.b"] + a["title"][_in_title(doc)], 0)
        for number, dilation in enumerate(DILATIONS):
            added = _with_neighbours(x, dilation) @ a[f"conv{number}.w"]
            added += a[f"conv{number}.b"]
            np.maximum(added, 0, out=added)
            added += x
            x = _layer_norm(added, a[f"norm{number}.w"], a[f"norm{number}.b"])
        scores = x @ a["out.w"] + a["out.b"]
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        answers: NDArray[np.float32] = (raised / raised.sum(axis=1, keepdims=True)).astype(np.float32)
        return answers


def _in_title(doc: Document) -> NDArray[np.int64]:
    import numpy as np

    return (np.arange(len(doc.words)) < doc.title_tokens).astype(np.int64)


def _with_neighbours(x: NDArray[np.float32], dilation: int) -> NDArray[np.float32]:
    """Each row beside the rows that stand `dilation` before and after it, `(tokens, 3 * width)`."""
    import numpy as np

    width = x.shape[1]
    wide = np.zeros((len(x), 3 * width), dtype=x.dtype)
    wide[dilation:, :width] = x[:-dilation]
    wide[:, width : 2 * width] = x
    wide[:-dilation, 2 * width :] = x[dilation:]
    return wide


def _layer_norm(x: NDArray[np.float32], scale: NDArray[np.float32], shift: NDArray[np.float32]) -> NDArray[np.float32]:
    """Every row with mean 0 and variance 1, then scaled and shifted; `x` is overwritten."""
    import numpy as np

    x -= x.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x)[:, None] / x.shape[1]
    x *= 1 / np.sqrt(variance + 1e-5)
    x *= scale
    x += shift
    return x


def decode_spans(probabilities: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
    """The token spans that the likeliest labels give."""
    likeliest = probabilities.argmax(axis=1)
    first: int | None = None
    for i, label in enumerate([*likeliest.tolist(), 0]):
        inside = label > 0 and label % 2 == 0
        if first is not None and not inside:
            yield first, i
            first = None
        if label > 0 and first is None:
            first = i


@cache
def shipped_tagger() -> Tagger:
    """The tagger that comes with the package."""
    import numpy as np

    with (resources.files("citekg.extractors") / "weights" / "tagger.npz").open("rb") as file:
        stored = np.load(file)
        return Tagger({name: stored[name].astype(np.float32) for name in stored.files})
