"""Types that a text states, by example: the entity is in `[[ ]]`, after its expected type."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.classification.type_patterns import stated_type
from citekg.extractors.nlp import Document, make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper

STATED = """
Dataset: We release [[Marshland]], a large corpus of bird calls.
Dataset: We present [[Marshland]], the first data set of marsh birds.
Dataset: [[Marshland]] is a treebank of spoken dialogue.
Dataset: We collect a new dataset, called [[Marshland]].
Dataset: A data set which we name [[Marshland]] goes with the paper.
Dataset: We introduce the [[Marshland]] corpus.
Dataset: [[Marshland]]: A Large-Scale Dataset for Bird Calls
Dataset: The recordings form our dataset ([[Marshland]]).
Dataset: To validate the method we render our [[Marshland]] dataset.
Dataset: We release a new corpus [[Marshland]] of bird calls.
Dataset: Birds differ in the [[Marshland]] dataset.
Dataset: We search the [[Marshland]] collection.
Dataset: It is tested on the [[Marshland]] database.
Dataset: [[Marshland]], a large document collection, is public.
Benchmark: We took part in the [[Marshland]] challenge.
Benchmark: We present a challenging benchmark, [[Marshland]], for bird watchers.
Benchmark: We propose [[Marshland]], a new benchmark for bird watchers.
Benchmark: [[Marshland]] is an open simulator of wetlands.
Benchmark: We build a test suite named [[Marshland]].
Benchmark: We introduce the [[Marshland]] benchmark.
Model: We present [[Marshland]], a large vision language model (LVLM) of birds.
Model: [[Marshland]]: A Visual Foundation Model for Birds
"""
NOT_STATED = """
We propose [[Marshland]], a method that prunes a data set.
We propose [[Marshland]], a dataset distillation method.
[[Marshland]]: a tracker and a new dataset for it
We train [[Marshland]] on a dataset of bird calls.
We evaluate [[Marshland]] on the benchmark.
We propose [[Marshland]], a framework for building corpora.
[[Marshland]] beats others on every dataset.
The [[Marshland]] dataset generator runs fast.
We watch on the [[Marsh Bird Learning]] benchmark.
We propose a dataset and [[Marshland]].
Like [[Marshland]], our approach is for birds.
We propose [[Marshland]], a language model framework.
We propose [[Marshland]], a method to train a language model.
"""


def _marked_entity(marked: str) -> tuple[Document, AcceptedEntity]:
    before, name, after = re.split(r"\[\[|\]\]", marked)
    doc = make_document(Paper("p", "On wetlands", before + name + after))
    first = next(
        i for i, start in enumerate(doc.starts) if start == len("On wetlands\n") + len(before)
    )
    last = (
        next(
            i for i, end in enumerate(doc.ends) if end == len("On wetlands\n") + len(before + name)
        )
        + 1
    )
    return doc, AcceptedEntity(
        [Candidate(key(name), [(first, last)])], [(first, last)], "Method", 0.9
    )


@pytest.mark.parametrize("line", STATED.strip().splitlines())
def test_a_stated_type_is_the_type_of_an_entity_outside_the_lexicon(line: str) -> None:
    type_, text = line.split(": ", 1)
    assert stated_type(*_marked_entity(text)) == type_


@pytest.mark.parametrize("text", NOT_STATED.strip().splitlines())
def test_a_type_noun_about_another_entity_is_ignored(text: str) -> None:
    assert stated_type(*_marked_entity(text)) == "Method"


def test_a_name_with_a_lexicon_entry_keeps_its_type() -> None:
    doc, accepted = _marked_entity("We use [[PPO]], a benchmark of the field.")
    accepted.candidates[0].entry = next(hit.entry for hit in shipped_lexicon().find("PPO"))
    assert stated_type(doc, accepted) == "Method"


@pytest.mark.parametrize("predicted", ["Benchmark", "Dataset"])
@pytest.mark.parametrize(
    "text",
    [
        "A walking controller, called [[Marshland]], is tested in simulation.",
        "Our method, [[Marshland]], covers more cases than tests by hand.",
        "We use [[Marshland]], a generator of random nests.",
        "We use [[Marshland]], a robust version of nesting.",
        "Our approach of [[marshland search]] covers more cases.",
    ],
)
def test_a_stated_algorithm_is_neither_a_benchmark_nor_a_dataset(text: str, predicted: str) -> None:
    doc, accepted = _marked_entity(text)
    assert stated_type(doc, replace(accepted, type=predicted)) == "Method"
    assert stated_type(doc, replace(accepted, type="Model")) == "Model"


def test_a_stated_algorithm_is_not_a_model() -> None:
    doc, accepted = _marked_entity("We present [[Marshland]], a simple algorithm for nests.")
    assert stated_type(doc, replace(accepted, type="Model")) == "Method"


@pytest.mark.parametrize(
    ("name", "type_"),
    [("Qwen9-Base", "Model"), ("Llama-9-7B", "Model"), ("Qwen9-Code", "Dataset")],
)
def test_a_size_or_stage_of_a_model_family_is_not_a_dataset(name: str, type_: str) -> None:
    doc, accepted = _marked_entity(f"The planner is pre-trained on [[{name}]] for years.")
    assert stated_type(doc, replace(accepted, type="Dataset")) == type_


def test_a_benchmark_before_the_words_our_method_is_not_a_method() -> None:
    doc, accepted = _marked_entity("In tests on [[Marshland]], our method covers more cases.")
    assert stated_type(doc, replace(accepted, type="Benchmark")) == "Benchmark"


@pytest.mark.parametrize(("predicted", "type_"), [("Method", "Model"), ("Dataset", "Dataset")])
def test_a_method_with_a_number_of_parameters_is_a_model(predicted: str, type_: str) -> None:
    doc, accepted = _marked_entity("Our [[Marshland-32B]] knows more birds.")
    assert stated_type(doc, replace(accepted, type=predicted)) == type_


def test_a_stated_dataset_named_after_a_model_is_a_dataset() -> None:
    doc, accepted = _marked_entity("We release [[Qwen9-Chat]], a corpus of dialogues.")
    assert stated_type(doc, replace(accepted, type="Dataset")) == "Dataset"
