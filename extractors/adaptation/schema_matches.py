"""Where the cues and the lexicon of a schema match: features of the learnt tagger, as texts.

A user's knowledge of a field covers names that no annotated paper has. The tagger learns how far to
trust it, as with the gazetteer features of other taggers of names.
"""

from __future__ import annotations

from collections.abc import Iterable

from citekg.extractors.candidates.generate import token_span
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.candidates.patterns import Cue, match_cues
from citekg.extractors.nlp import Document


def match_texts(doc: Document, cues: Iterable[Cue], lexicon: Lexicon) -> list[list[str]]:
    """Return the features of each token: source and type of the matches, and its place in them."""
    found = {(span, f"cue:{cue.type}") for span, cue in match_cues(doc, cues)}
    for hit in lexicon.find(doc.text):
        if span := token_span(doc, hit.start, hit.end):
            found.add((span, f"entry:{hit.entry.type}"))
    out: list[set[str]] = [set() for _ in doc.words]
    for (first, last), text in found:
        for token in range(first, last):
            out[token].add(f"{text}:{token == first}:{token == last - 1}")
    return [sorted(own) for own in out]
