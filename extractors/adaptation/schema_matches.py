"""Matches of the cues and the lexicon of a schema: gazetteer features of the learnt tagger.

A schema covers names that do not occur in annotated papers. The tagger learns how reliable its
matches are. Features are strings, which are hashed.
"""

from __future__ import annotations

from collections.abc import Iterable

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.candidates.patterns import Cue, match_cues
from citekg.extractors.nlp import Document


def match_texts(doc: Document, cues: Iterable[Cue], lexicon: Lexicon) -> list[list[str]]:
    """Return the features of each token: source and type of the matches and its position there."""
    found = {(span, f"cue:{cue.type}") for span, cue in match_cues(doc, cues)}
    for hit in lexicon.find(doc.text):
        if span := doc.token_span(hit.start, hit.end):
            found.add((span, f"entry:{hit.entry.type}"))
    out: list[set[str]] = [set() for _ in doc.words]
    for (first, last), text in found:
        for token in range(first, last):
            out[token].add(f"{text}:{token == first}:{token == last - 1}")
    return [sorted(own) for own in out]
