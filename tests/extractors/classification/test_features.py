"""Feature columns: of crossed features, of several papers at once, and of known texts."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from citekg.extractors.candidates.generate import Candidate, generate_candidates
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.tagger import TaggedTokens
from citekg.extractors.classification.features import candidate_columns
from citekg.extractors.classification.hashing import (
    COLUMNS,
    FeatureRows,
    code_of,
    hash_features,
    joined_columns,
    pack,
    unpack,
)
from citekg.extractors.nlp import make_document
from citekg.schemas.records import Paper

TEXTS = ("", "a", "left1:bkite", "name:größe", "x" * 95, "x" * 96, "x" * 97, "long " * 400)


@pytest.mark.parametrize("before", ["", "src:written&", "known shape:Aa&"])
def test_the_column_of_joined_features_is_the_hash_of_the_joined_texts(before: str) -> None:
    codes = unpack([pack(map(code_of, TEXTS))])
    found = joined_columns(np.full(len(TEXTS), crc32(before.encode())), codes)
    assert found.tolist() == [crc32(f"{before}{text}".encode()) % COLUMNS for text in TEXTS]


def test_rows_are_in_order_and_have_no_duplicate_columns() -> None:
    rows = FeatureRows.gather(np.array([1, 0, 1, 1, 0]), np.array([9, 5, 2, 9, COLUMNS - 1]))
    assert rows.columns.tolist() == [5, COLUMNS - 1, 2, 9]
    assert rows.sets() == [{5, COLUMNS - 1}, {2, 9}]


def test_rows_are_joined_with_further_columns() -> None:
    rows = FeatureRows.of([{3, 1}, {7}]).joined([{1, 2}, ()])
    assert rows.sets() == [{1, 2, 3}, {7}]


def test_the_sum_of_a_row_adds_the_weights_of_its_columns() -> None:
    table = np.arange(20, dtype=np.float32).reshape(10, 2)
    rows = FeatureRows.of([{1, 3}, {9}])
    assert rows.sums(table).tolist() == [[8, 10], [18, 19]]
    assert FeatureRows.of([]).sums(table).shape == (0, 2)


def _candidate_in(title: str, abstract: str, name: str) -> set[int]:
    doc = make_document(Paper("p", title, abstract))
    spans = [(i, i + 1) for i, word in enumerate(doc.words) if word == name]
    candidate = Candidate(name.lower(), spans, {"written"})
    (columns,) = candidate_columns([(doc, [candidate], None)]).sets()
    return columns


def test_a_candidate_has_the_columns_of_its_features() -> None:
    columns = _candidate_in("Flying far", "We train KiteNet, a new benchmark of Herons.", "KiteNet")
    simple = ("bias", "length:7", "last:kitenet", "suffix:et", "left2:we train", "right1:b,")
    crossed = ("words:1", "left1:btrain", "called:after-benchmark")
    sources = ("src:written", "lex:none", "shape:AaAa")
    assert hash_features(simple) | hash_features(crossed) | hash_features(sources) <= columns
    assert hash_features(f"{a}&{b}" for a in sources for b in crossed) <= columns


def test_a_name_that_begins_the_title_has_the_columns_of_that_position() -> None:
    columns = _candidate_in("KiteNet: a benchmark", "Herons fly.", "KiteNet")
    assert hash_features(["title:start:", "title:True0", "called:title-benchmark"]) <= columns
    assert not hash_features(["title:end", "title:whole", "where:0"]) & columns


def test_features_of_candidates_with_a_lexicon_entry_have_separate_columns() -> None:
    doc = make_document(Paper("p", "Flying far", "We train KiteNet."))
    candidate = Candidate("kitenet", [(4, 5)], {"lexicon"}, Entry("KiteNet", "Model"))
    assert doc.span_text(4, 5) == "KiteNet"
    (columns,) = candidate_columns([(doc, [candidate], None)]).sets()
    assert hash_features(["known bias", "known words:1", "known lex:Model&words:1"]) <= columns
    assert not hash_features(["bias", "lex:Model&words:1"]) & columns


def test_the_columns_of_several_papers_equal_the_columns_of_each_paper() -> None:
    texts = ("We train KiteNet and use A*.", "", "Heron search beats KiteNet on MMLU and GSM8K.")
    lexicon = Lexicon.of([Entry("MMLU", "Benchmark"), Entry("GSM8K", "Benchmark")])
    papers = []
    for text in texts:
        doc = make_document(Paper("p", "Flying far", text))
        found = generate_candidates(doc, lexicon, frozenset({"rules", "lexicon"}))
        tags = np.full((len(doc.words), 9), 1 / 9, dtype=np.float32)
        papers.append((doc, list(found.values()), TaggedTokens(tags, tags)))
    together = candidate_columns(papers).sets()
    assert together == [row for paper in papers for row in candidate_columns([paper]).sets()]
    assert len(together) > 4
