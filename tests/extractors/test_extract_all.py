"""Extraction of many papers gives the results of each paper alone, in the same order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from citekg.extractors.candidates.tagger import shipped_tagger
from citekg.extractors.classification.decoding import LABELS
from citekg.extractors.nlp import make_document
from citekg.extractors.pipeline import BATCH, Draft, ExtractionPipeline, split_at_title
from citekg.schemas.records import Paper

_TEXTS = (
    "We propose Kite, a new planner, and evaluate it on D4RL and MuJoCo.",
    "",
    "Heron Search (HS) outperforms PPO on Atari by 4.5%.",
    "This survey reviews planners.",
    "We fine-tune LLaMA-2 7B on GSM8K.",
)


def test_extract_all_gives_the_same_results_as_extract_for_each_paper() -> None:
    papers = [Paper(str(n), f"Flying {n}", _TEXTS[n % len(_TEXTS)]) for n in range(BATCH + 5)]
    pipeline = ExtractionPipeline()
    found = list(pipeline.extract_all(iter(papers)))
    assert found == [pipeline.extract(paper) for paper in papers]
    assert sum(bool(extraction.entities) for extraction in found) > 20


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("frequent_switches")
def test_threads_that_share_a_pipeline_get_the_same_results_as_one() -> None:
    pipeline = ExtractionPipeline()
    long = f"https://kite.example/{'nest' * 20}"
    papers = [
        Paper(str(n), f"Flying {n}", f"{_TEXTS[n % len(_TEXTS)]} {long}{n % 3} heron{n}-nest")
        for n in range(60)
    ]
    with ThreadPoolExecutor(6) as threads:
        found = [*threads.map(lambda _: [*pipeline.extract_all(papers)], range(6))]
    assert found == [[*pipeline.extract_all(papers)]] * 6


def test_the_tagger_output_of_a_paper_does_not_depend_on_the_batch() -> None:
    texts = (*_TEXTS, " ".join(_TEXTS * 9), "Kite")
    docs = [make_document(Paper(str(n), "", texts[n % len(texts)])) for n in range(40)]
    tagger = shipped_tagger()
    for doc, together in zip(docs, tagger.tag_all(docs), strict=True):
        alone = tagger.tag(doc)
        assert alone.probabilities.tobytes() == together.probabilities.tobytes()
        assert alone.vectors.tobytes() == together.vectors.tobytes()
        assert len(alone.vectors) == len(doc.words)


def test_a_span_that_crosses_the_end_of_the_title_is_split_there() -> None:
    doc = make_document(Paper("p", "On Kite", "Heron plans. Gulls fly."))
    assert [*split_at_title(doc, [(0, 2), (1, 3), (2, 4)])] == [(0, 2), (1, 2), (2, 3), (2, 4)]


def test_a_replacement_stage_runs_for_every_paper() -> None:
    seen: list[str] = []

    def classify_none(_pipeline: ExtractionPipeline, draft: Draft) -> Draft:
        seen.append(draft.doc.paper.id)
        probabilities = np.zeros((len(draft.candidates), len(LABELS)), dtype=np.float32)
        probabilities[:, 0] = 1
        return draft._replace(probabilities=probabilities)

    pipeline = ExtractionPipeline().replace_stage("classify", classify_none)
    papers = [Paper(str(n), "Kite", _TEXTS[0]) for n in range(20)]
    assert not any(extraction.entities for extraction in pipeline.extract_all(papers))
    assert seen == [paper.id for paper in papers]
