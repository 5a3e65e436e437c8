"""Names of the lexicon: the probability from which they are accepted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry
from citekg.extractors.candidates.shipped_lexicon import extend_shipped_lexicon
from citekg.extractors.classification.decoding import with_lexicon
from citekg.extractors.nlp import make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper


def is_accepted(surface: str, probability: float, entry: Entry) -> bool:
    """Return whether the only candidate of a text is accepted with this probability."""
    doc = make_document(Paper("p", "", surface))
    row = [1 - probability, probability / 2, probability / 2, 0, 0]
    candidate = Candidate(key(surface), [(0, len(doc.words))], {"lexicon"}, entry)
    out = with_lexicon(doc, [candidate], np.array([row], dtype=np.float32))
    return bool(out[0, 0] <= 0.5)


KITE = Entry("Kite", "Method")
IN_CONTEXT = Entry("Kite", "Method", context=("birds",))


@pytest.mark.parametrize(
    ("surface", "entry", "least"),
    [
        ("Kite", KITE, 0.2),
        ("kite-2", KITE, 0.2),
        ("κ0", KITE, 0.2),
        ("kite", Entry("kite", "Method", exact=True), 0.2),
        ("kite walk", KITE, 0.4),
        ("Kite", IN_CONTEXT, 0.4),
        ("kite walk", IN_CONTEXT, 0.5),
    ],
)
def test_an_ambiguous_known_name_needs_a_higher_probability(
    surface: str, entry: Entry, least: float
) -> None:
    assert is_accepted(surface, least + 0.01, entry)
    assert not is_accepted(surface, least - 0.05, entry)


@pytest.mark.parametrize(
    ("surface", "context", "accepted"),
    [
        ("Kite", "", True),
        ("kite walk", "", True),
        ("kite", "", False),
        ("Kite", "context=birds", False),
    ],
)
def test_only_an_unambiguous_name_of_a_user_lexicon_is_always_accepted(
    tmp_path: Path, surface: str, context: str, *, accepted: bool
) -> None:
    table = tmp_path / "own.tsv"
    table.write_text(f"name\ttype\taliases\tfamily\tflags\n{surface}\tMethod\t\t\t{context}\n")
    entry = next(e for e in extend_shipped_lexicon([table]).rows if e.name == surface)
    assert is_accepted(surface, 0.01, entry) is accepted
