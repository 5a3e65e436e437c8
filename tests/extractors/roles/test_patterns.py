"""Roles by example: the role of the marked entity in a sentence.

The name is in `[[ ]]`; a title, where it matters, precedes ` || `.
"""

from __future__ import annotations

import pytest

from citekg.extractors.classification.decoding import shipped_model
from citekg.extractors.roles.classifier import ROLE_LABELS, predict_roles
from citekg.extractors.roles.patterns import match_patterns
from citekg.schemas.vocabulary import ROLES
from tests.extractors.roles.marked import marked_entity

EXAMPLES: dict[str, str] = {}

EXAMPLES["introduces"] = """
We propose [[Kestrel]], a planner that needs no critic.
We introduce [[Kestrel]] for control under delay.
In this paper, we present [[HeronBench]], a suite of forty tasks.
This work introduces [[Kestrel]], which keeps two copies of the policy.
This paper presents [[Kestrel]], the first planner of its kind.
We release [[PondSet]], a corpus of two million dialogues.
We build a new corpus, denoted as [[PondSet]].
By collecting a large data set, [[PondSet]], we close the gap.
We also compile the first benchmark for tethered flight, dubbed [[HeronBench]].
To close this gap, we develop [[Kestrel]], which learns from both.
We call the resulting algorithm [[Kestrel]].
We call it [[Kestrel]].
The method, dubbed [[Kestrel]], halves the cost of planning.
The outcome is a framework named [[Kestrel]] that runs on one machine.
Our approach, termed [[Kestrel]], ranks the drafts.
Here, we describe [[Kestrel]], a library for fast rollouts.
We propose a new objective called [[Kestrel]].
We present an open-source library, [[Kestrel]], for fast rollouts.
We then propose a simple fix, which we name [[Kestrel]].
A new algorithm, [[Kestrel]], is proposed.
[[Kestrel]] is introduced to fill this gap.
[[Kestrel]] is a new optimiser for wide networks.
[[Kestrel]], a novel planner, closes the gap.
We construct [[PondSet]] from public logs.
We contribute [[HeronBench]], which covers nine languages.
We open-source [[Kestrel-7B]], a model for short replies.
Our new benchmark, [[HeronBench]], asks for long plans.
We address this by proposing [[Kestrel]], a filter over drafts.
We also introduce and study [[Kestrel]], a loss for ranked drafts.
Kestrel: Planning Without a Critic || [[Kestrel]] halves the cost of planning.
Kestrel Search (KES): Planning Without a Critic || [[Kestrel Search]] halves the cost of planning.
Anchored Trust Search for Robots || We propose [[Anchored Trust Search]] (ATS), which stays safe.
Our final model, [[Kestrel-7B]], answers in one pass.
"""

EXAMPLES["uses"] = """
We train the policy with [[PPO]].
We use [[PPO]] to update the policy.
The model is fine-tuned with [[LoRA]] on a single card.
The policy is optimised using [[DPO]].
Our agent uses [[Monte Carlo Tree Search]] to look ahead.
We employ [[CLIP]] to score each frame.
We consider two such models: [[PPO]] and Q-learning.
The posterior is approximated by a mixture of [[Kalman filters]].
We apply [[RLHF]] to translation.
[[PPO]] is used to update the policy.
[[LoRA]] is applied to every layer.
We adopt a [[Transformer]] as the backbone.
The critic is learned via [[Q-learning]].
We leverage [[GPT-4]] to label the drafts.
Rewards are computed by prompting [[GPT-4o]].
We initialise the encoder from [[BERT]].
We analyse the convergence of [[Q-learning]].
This paper studies [[RLHF]] under noisy labels.
We combine planning with [[behavior cloning]].
The planner is trained by [[imitation learning]].
We use [[Stable Diffusion]] to draw the scenes.
"""

EXAMPLES["extends"] = """
We extend [[PPO]] to several agents.
Our method builds on [[DreamerV3]] and drops the decoder.
Inspired by [[DreamerV3]], we propose a world model without a decoder.
We propose a memory-saving variant of [[DPO]].
Our framework recovers [[PPO]] as a limiting case.
It is an off-policy extension of [[GRPO]].
We generalise [[TD3]] to discrete actions.
We modify [[DQN]] so that it plans.
Building on [[MAML]], we learn the step size.
We propose a multi-task generalization of [[GAIL]].
Our algorithm improves upon [[CQL]] by a tighter bound.
We adapt [[GRPO]] to video.
We augment [[DAgger]] with a filter.
[[GRPO]] is modified to weigh long answers less.
[[MAML]] is extended to continuous time.
We present a new version of [[HER]] for long tasks.
This is a modification of [[SAC]] with one critic.
"""

EXAMPLES["evaluatesOn"] = """
We evaluate our method on [[D4RL]].
We report experiments on [[Atari]] with five seeds.
On [[GSM8K]], our method reaches 81%.
The agent is tested on [[MuJoCo]].
It reaches an accuracy of 81% on the hard [[GSM8K]] dataset.
It has competitive performances on many benchmarks such as GLUE and [[GSM8K]].
It sets a new state of the art on [[HumanEval]].
Results on [[MMLU]] confirm this.
Our planner solves nine in ten tasks in [[Minecraft]].
We evaluate on WebShop and [[ALFWorld]].
Experiments in [[CARLA]] show fewer crashes.
We validate our approach on several benchmarks, including [[MATH-500]].
Across the tasks of [[Meta-World]], success rises by a third.
Our model scores 71 on [[GLUE]].
Evaluations on [[AIME 2024]] show the same trend.
Performance on [[DeepMind Control Suite]] rises by 12%.
"""

EXAMPLES["trainsOn"] = """
The model is trained on [[C4]].
We pre-train the encoder on [[LAION-5B]].
We fine-tune the model on [[UltraFeedback]].
Features are learned from [[ImageNet]].
We study representation learning from [[LAION-5B]].
It was trained from scratch on [[OpenWebMath]].
Our policy is trained on the [[Open X-Embodiment]] dataset.
"""

EXAMPLES["comparesTo"] = """
We compare our method with [[SAC]].
Compared to [[GPT-4]], it needs a tenth of the memory.
Unlike [[PPO]], our method needs no critic.
In contrast to [[DPO]], our loss has no reference model.
Its scores are on par with [[GPT-4o]].
It keeps more of the details of a scene than [[SAC]].
The [[TD3]] baseline fails on long tasks.
We compare with strong baselines such as [[CQL]].
Our agent does not outperform [[PPO]] on short tasks.
It fails to outperform [[SAC]] on two of nine tasks.
The small model underperforms [[GPT-4]].
Results are comparable to [[Claude 3.5 Sonnet]].
It is competitive with [[DreamerV3]].
"""

EXAMPLES["outperforms"] = """
Our method outperforms [[PPO]] on all tasks.
It surpasses [[GPT-4]] by four points.
Our planner beats [[MuZero]] with a tenth of the compute.
Kestrel exceeds [[DAPO]] by a wide margin.
It is superior to [[SAC]] in every task.
We show that it outperforms PPO, TRPO and [[SAC]].
It outperforms strong baselines such as [[CQL]] and IQL.
[[GPT-4]] is outperformed by our small model.
The planner performs better than [[DQN]].
Our agent gains 9% over the [[GRPO]] baseline.
It improves over [[TD3]], surpassing [[TD3]] by 20%.
Experiments show the superiority of Kestrel over [[DPO]].
"""

EXAMPLES["mentions"] = """
Recently, a method called [[Kestrel]] was proposed to keep rollouts short.
Two-stage planners such as [[Kestrel]] have been proposed for this problem.
Our method does not require [[RLHF]].
It works without [[supervised fine-tuning]].
The planner needs no [[Monte Carlo Tree Search]].
This removes the need for [[importance sampling]].
It alleviates the need for [[importance sampling]].
It does not rely on [[behavior cloning]].
The approach may be extended to [[Minecraft]] in time.
It could be combined with [[RLHF]].
Recent methods such as [[PPO]] have become popular.
[[RLHF]] has emerged as the standard way to align language models.
However, [[GPT-4]] often fails at such tasks.
Existing approaches such as [[DPO]] suffer from drift.
Recent work has shown that models like [[DeepSeek-R1]] can reason.
Previous methods rely on [[supervised fine-tuning]].
Traditional [[Q-learning]] suffers from overestimation.
It has not been tested on [[ImageNet]].
Future work will evaluate Kestrel on [[ImageNet]].
Prior work was evaluated on [[ImageNet]] only.
We avoid [[PPO]] entirely.
We use Kestrel in place of [[PPO]].
Our planner replaces [[PPO]] with Kestrel.
The problem has been traditionally treated as a [[semidefinite program]].
Existing detectors are accurate on data such as [[ImageNet]].
Large language models such as [[GPT-3]] have drawn much attention.
"""

CASES = [(role, line) for role, lines in EXAMPLES.items() for line in lines.strip().splitlines()]


def roles_of(line: str) -> list[str]:
    doc, accepted = marked_entity(line)
    return [
        found.role
        for found in predict_roles(doc, accepted, 1, shipped_model("roles", len(ROLE_LABELS)))
    ]


def test_there_are_at_least_120_examples_and_every_role_has_some() -> None:
    assert len(CASES) >= 120
    assert {role for role, _ in CASES} == {*ROLES}
    assert len({line for _, line in CASES}) == len(CASES)


@pytest.mark.parametrize(("role", "line"), CASES, ids=[line for _, line in CASES])
def test_the_role_of_the_marked_entity_is_predicted(role: str, line: str) -> None:
    expected = ["comparesTo", "outperforms"] if role == "outperforms" else [role]
    assert roles_of(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "Heron outperforms Gull and is on par with [[PPO]].",
        "Heron outperforms Gull but loses to [[PPO]].",
        "No method outperforms [[PPO]].",
        "Does Heron outperform [[PPO]]?",
        "We ask whether Heron outperforms [[PPO]].",
        "Heron is outperformed by [[PPO]].",
        "Heron trails [[PPO]].",
        "The score is 51.0%, up from 33.0% for [[PPO]].",
    ],
)
def test_what_is_only_matched_or_better_is_compared_with_but_not_outperformed(line: str) -> None:
    assert roles_of(line) == ["comparesTo"]


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("Heron attains 87.2 points, improving on Gull and [[PPO]].", "comparesTo"),
        ("Improving on [[PPO]], we propose a planner without a critic.", "extends"),
        ("Our code builds on [[PPO]] and Gull.", "uses"),
        ("The planner is trained in marshes and generalises to [[ImageNet]].", "evaluatesOn"),
        ("It was not only tested in marshes but trained on [[ImageNet]].", "trainsOn"),
    ],
)
def test_the_whole_sentence_decides_about_the_role(line: str, role: str) -> None:
    assert roles_of(line)[0] == role


@pytest.mark.parametrize(
    "line",
    [
        "Unlike Heron, [[Kestrel]] learns a map.",
        "In contrast to PPO, [[Kestrel]] needs no critic.",
        "Compared to PPO and SAC, [[Kestrel]] is more stable.",
        "Compared to PPO, SAC and TD3, the [[Kestrel]] planner is more stable.",
        "Compared to existing methods, the [[Kestrel]]-based planner is more stable.",
        "We provide a [[Kestrel]] baseline.",
    ],
)
def test_the_subject_after_a_comparison_is_not_compared_with(line: str) -> None:
    assert "comparesTo" not in roles_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "The gain is 14% against a network trained on [[ImageNet]].",
        "Our planner is better than a network trained on [[ImageNet]].",
        "We compare it with networks trained on [[ImageNet]].",
    ],
)
def test_the_training_data_of_a_baseline_are_not_those_of_the_paper(line: str) -> None:
    assert "trainsOn" not in roles_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "We evaluate it on a thousand ponds drawn from the [[ImageNet]] dataset.",
        "Our experiments using frames selected from a subset of [[ImageNet]] show a gain of 4%.",
        "Its accuracy is 87% on an unbalanced dataset derived from [[ImageNet]].",
        "A large number of ponds selected from [[ImageNet]] are used as testing data.",
    ],
)
def test_data_from_which_those_of_an_evaluation_were_taken_are_evaluated_on(line: str) -> None:
    assert roles_of(line) == ["evaluatesOn"]


@pytest.mark.parametrize(
    "line",
    [
        "We test planners that were trained on a thousand ponds drawn from [[ImageNet]].",
        "We train on ponds drawn from [[ImageNet]] and report the accuracy on others.",
    ],
)
def test_data_from_which_those_of_a_training_were_taken_are_trained_on(line: str) -> None:
    assert roles_of(line) == ["trainsOn"]


def test_data_in_brackets_after_their_description_are_trained_and_evaluated_on() -> None:
    line = "We train and test our planner on a large image dataset ([[ImageNet]])."
    assert {*roles_of(line)} == {"trainsOn", "evaluatesOn"}


@pytest.mark.parametrize(
    "line",
    [
        "Our approach outperforms metric learning methods on [[ImageNet]].",
        "We compare with supervised learning on [[LAION-5B]].",
        "It is better than deep learning baselines on the [[C4]] dataset.",
    ],
)
def test_the_word_learning_in_the_name_of_a_method_does_not_imply_training_data(line: str) -> None:
    assert "trainsOn" not in roles_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "We propose a novel [[knowledge distillation]] method called Kestrel.",
        "We introduce [[contrastive learning]] to sharpen the scores.",
        "We propose a new [[policy gradient]] algorithm with one step size.",
        "We propose an [[iterative pruning]] framework, Kestrel.",
        "We present Kestrel, a [[PPO]]-based planner.",
        "This paper presents a deep [[convolutional neural network]] for blurred scans.",
        "We train with PPO, and with a new filter called Kestrel we beat [[DPO]].",
    ],
)
def test_a_technique_is_not_introduced_by_a_paper_that_proposes_a_variant_of_it(line: str) -> None:
    assert "introduces" not in roles_of(line)


@pytest.mark.parametrize(
    "start", ["Kestrel: A Survey", "A Survey of Sparse Rewards", "Sparse Rewards: A Review"]
)
def test_the_entities_of_a_survey_are_only_mentioned(start: str) -> None:
    assert roles_of(f"{start} || We cover methods such as [[PPO]] and Q-learning.") == ["mentions"]


@pytest.mark.parametrize(
    "line",
    [
        "We adapt a regional [[Dropout]]-like method to images.",
        "We extend the [[CNN]]-based descriptors of images.",
        "We propose a novel [[gullwise planning]] algorithm for images.",
    ],
)
def test_modifiers_of_other_nouns_and_unknown_names_are_not_extended(line: str) -> None:
    assert "extends" not in match_patterns(*marked_entity(line)).roles
