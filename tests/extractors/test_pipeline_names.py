"""Coreference inside one paper, and short forms with a new definition."""

from __future__ import annotations

import pytest

from citekg.schemas.records import Paper, PaperEntity
from tests.pipelines import shipped_pipeline


def extracted(text: str, title: str = "Aligning language models") -> dict[str, PaperEntity]:
    """Return the entities of a text by their keys."""
    return {e.key: e for e in shipped_pipeline().extract(Paper("p", title, text)).entities}


def test_a_short_form_with_a_new_long_form_is_another_entity() -> None:
    known = extracted(
        "We propose Anchored Preference Optimization (APO). APO beats DPO on AlpacaEval 2.0."
    )
    other = extracted(
        "We propose Accelerated Preference Optimization (APO). APO beats DPO on AlpacaEval 2.0."
    )
    assert "APO" in known["anchored-preference-optimization"].surfaces
    assert "APO" in other["accelerated-preference-optimization"].surfaces
    assert "anchored-preference-optimization" not in other


def test_different_function_words_and_added_words_do_not_change_the_entity() -> None:
    found = extracted(
        "We use Reinforcement Learning with Human Feedback (RLHF) and the PPO algorithm with RLHF."
    )
    assert "RLHF" in found["reinforcement-learning-from-human-feedback"].surfaces
    assert "proximal-policy-optimization" in found


def test_a_benchmark_named_after_a_method_is_not_the_method() -> None:
    found = extracted(
        "We study unsupervised reinforcement learning and evaluate on the Unsupervised"
        " Reinforcement Learning Benchmark (URLB). Our method outperforms all baselines on URLB.",
        "Unsupervised Reinforcement Learning with Self-Reference",
    )
    assert "URLB" in found["unsupervised-reinforcement-learning-benchmark"].surfaces
    benchmark = found["unsupervised-reinforcement-learning-benchmark"]
    assert not {
        s for s in benchmark.surfaces if s.casefold() == "unsupervised reinforcement learning"
    }


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        (
            "We evaluate on Chameleon, Squirrel and Cornell, heterophilic graphs, with a GCN.",
            "graph",
        ),
        ("We test camouflaged object detection on CHAMELEON, CAMO and COD10K.", "camouflage"),
        (
            "We compare with Chameleon, an early-fusion mixed-modal model, and with Show-o.",
            "language-model",
        ),
    ],
)
def test_the_context_selects_the_sense_of_a_name(text: str, sense: str) -> None:
    assert [k for k in extracted(text, "A paper") if "chameleon" in k] == [f"chameleon-({sense})"]


def test_a_short_form_with_a_head_noun_is_the_defined_entity() -> None:
    found = extracted(
        "We propose Marsh Kite Optimization (MKO). MKO beats PPO. All MKO algorithms are fast."
    )
    assert [k for k in found if "mko" in k or "marsh" in k] == ["marsh-kite-optimization"]


def test_a_name_without_a_space_is_preferred_to_its_parts() -> None:
    found = extracted(
        "We propose MarshKite, and we call its fast variant MarshKite-B. MarshKite-B beats PPO."
    )
    assert "MarshKite-B" in found["marshkite-b"].surfaces


@pytest.mark.parametrize("title", ["", "On the growth of models"])
@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("We propose Critique-GRPO, an online algorithm that reads critiques.", "introduces"),
        ("We do not use PPO.", "mentions"),
        ("We build on top of GRPO and remove one term.", "extends"),
        ("Experiments on HotpotQA show large gains.", "evaluatesOn"),
    ],
)
def test_a_sentence_gives_the_same_role_with_and_without_a_title(
    title: str, text: str, role: str
) -> None:
    (entity,) = shipped_pipeline().extract(Paper("p", title, text)).entities
    assert [found for found, _, _ in entity.roles] == [role]
