"""Cues and names of a schema are features of the tokens that they match."""

from __future__ import annotations

import re

from citekg.extractors.adaptation.schema_matches import match_texts
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.patterns import Cue, head_pattern
from citekg.extractors.nlp import make_document
from citekg.schemas.records import Paper

CUE = Cue("Disease", re.compile(head_pattern("fever")), 0.7)


def features(abstract: str, lexicon: Lexicon) -> dict[str, list[str]]:
    doc = make_document(Paper("p", "", abstract))
    return dict(zip(doc.words, match_texts(doc, [CUE], lexicon), strict=True))


def test_token_features_state_the_source_type_and_position_of_each_match() -> None:
    lexicon = Lexicon.of([Entry("tertian fever", "Fever")])
    found = features("Severe tertian fever returned.", lexicon)
    assert found["tertian"] == ["cue:Disease:True:False", "entry:Fever:True:False"]
    assert found["fever"] == ["cue:Disease:False:True", "entry:Fever:False:True"]


def test_tokens_outside_matches_have_no_features() -> None:
    found = features("Severe tertian fever returned.", Lexicon.of([]))
    assert found["returned"] == found["."] == []
    assert found["fever"] == ["cue:Disease:False:True"]
