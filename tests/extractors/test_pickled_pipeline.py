"""A pipeline is sent to another process without the parts that come with the package."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from citekg.extractors import pipeline as module
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.errors import ExtractionError
from citekg.schemas.records import Paper

_PAPER = Paper("p", "Kite", "We propose Kite, a planner that outperforms PPO on Heron by 4.5%.")


def test_a_pickled_pipeline_has_no_shipped_weights_and_gives_the_same_results() -> None:
    pipeline = ExtractionPipeline()
    stored = pickle.dumps(pipeline)
    assert len(stored) < 10_000
    assert pickle.loads(stored) == pipeline
    assert pickle.loads(stored).extract(_PAPER) == pipeline.extract(_PAPER)


def test_the_parts_that_a_pipeline_was_given_are_pickled() -> None:
    lexicon = Lexicon.of([Entry("Heron", "Benchmark")])
    pipeline = ExtractionPipeline(lexicon, layers=frozenset({"lexicon"}), threshold=0.2)
    sent = pickle.loads(pickle.dumps(pipeline))
    assert (sent.layers, sent.threshold) == (pipeline.layers, pipeline.threshold)
    assert sent.lexicon.rows == lexicon.rows
    assert sent.entity_model is pipeline.entity_model
    assert sent.extract(_PAPER) == pipeline.extract(_PAPER)


def test_a_process_with_another_version_refuses_the_pipeline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = pickle.dumps(replace(ExtractionPipeline(), threshold=0.2))
    monkeypatch.setattr(module, "version", lambda _package: "99.0")
    with pytest.raises(ExtractionError, match=r"a worker has citekg 99\.0"):
        pickle.loads(stored)
