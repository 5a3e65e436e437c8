"""Frequencies of words in annotated names: dense features of the learnt tagger.

For a rare word, a rate is more informative than a weight of that word, because the rates of all
words share their weights. The rates for a training paper exclude the paper itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

from citekg.extractors.adaptation.layers import LinearLayer
from citekg.extractors.adaptation.token_features import singular
from citekg.extractors.classification.hashing import COLUMNS
from citekg.extractors.nlp import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The number of kinds of units with rates: a word, its ending, and its bigram with the next word.
KINDS: Final = 3
_ENDING: Final = 4


def rates_per_token(types: int) -> int:
    """Return the number of rates of one kind.

    These are the rates of inside, first and last tokens of names of each type, and the frequency.
    """
    return 3 * types + 1


def rate_width(types: int) -> int:
    """Return the number of dense features of a token: its rates, and those of its neighbours."""
    return 3 * KINDS * rates_per_token(types)


def rate_columns(doc: Document) -> NDArray[np.int64]:
    """Return the columns of the rates of each token, `(tokens, KINDS)`."""
    import numpy as np

    words = [singular(word) for word in doc.words]
    texts = (
        (f"word:{word}", f"ending:{word[-_ENDING:]}", f"pair:{word} {after}")
        for word, after in zip(words, [*words[1:], ""], strict=True)
    )
    columns = [crc32(text.encode()) % COLUMNS for own in texts for text in own]
    return np.array(columns, dtype=np.int64).reshape(-1, KINDS)


def looked_up(rates: LinearLayer, columns: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the rates of tokens, `(tokens, kinds * rates)`; those of unknown units are 0."""
    import numpy as np

    rows = [{column} for column in columns.reshape(-1).tolist()]
    found = rates.scores(rows, np.zeros((len(rows), 0), dtype=np.float32))
    return found.reshape(len(columns), columns.shape[1] * len(rates.bias))


def with_neighbours(rates: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the rates of tokens with those of the next and of the previous token."""
    import numpy as np

    none = np.zeros((1, rates.shape[1]), dtype=np.float32)
    after, before = np.concatenate([rates[1:], none]), np.concatenate([none, rates[:-1]])
    return np.concatenate([rates, after[: len(rates)], before[: len(rates)]], axis=1)
