"""Property tests of extraction: for any text, spans are slices in order that do not overlap."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.nlp import Document, make_document
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import ROLES, TYPES
from tests.pipelines import shipped_pipeline

#: Fragments that trigger the finders, combined at random.
WORDS = r"""PPO D4RL GPT-4o Qwen2.5-VL-7B Quill (QL) Group Kite Optimization (GKO),
    called on we propose dubbed \textbf{Kite} $x_1$ https://kite.example <b>
    state-of-the-art outperforms trained on dataset benchmark - – —
    ( ) [ “ ” ' " , ; : . ! ? / + * # % & \ _ ^ ~ | { } 7 2.5 '24 强化学习 Стая 😀"""
PARTS = st.sampled_from(
    [*WORDS.split(), "\u202e", "\u200d", "\ufeff", "e\u0301", "\t", "\n", "\u2028", "\xa0"]
)
TEXTS = st.lists(PARTS | st.text(max_size=8), max_size=25).map(" ".join) | st.text(max_size=80)


def _texts_by_original_span(doc: Document) -> dict[tuple[int, int], str]:
    """Return the text without markup of every token span, by its span in the original text."""
    edges = range(len(doc.words) + 1)
    return {
        doc.original_span(doc.starts[a], doc.ends[b - 1]): doc.span_text(a, b)
        for a in edges
        for b in edges[a + 1 :]
    }


@given(TEXTS, TEXTS)
def test_spans_types_and_roles_of_any_text_are_valid(title: str, abstract: str) -> None:
    paper = Paper("p", title, abstract)
    found = shipped_pipeline().extract(paper)
    cleaned = _texts_by_original_span(make_document(paper))
    for entity in found.entities:
        assert entity.key
        assert entity.type in TYPES
        assert list(entity.spans) == sorted(entity.spans)
        assert {cleaned[span] for span in entity.spans} <= set(entity.surfaces)
        assert 0 <= entity.confidence <= 1
        for role, confidence, evidence in entity.roles:
            assert role in ROLES
            assert 0 <= confidence <= 1
            assert set(evidence) <= set(range(len(entity.spans)))
    spans = sorted(span for entity in found.entities for span in entity.spans)
    assert all(0 <= start < end <= len(paper.text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert all(one[1] <= other[0] for one, other in pairwise(found.sentences))


@given(TEXTS)
def test_extraction_is_deterministic(text: str) -> None:
    paper = Paper("p", "Kites", text)
    assert shipped_pipeline().extract(paper) == shipped_pipeline().extract(paper)
