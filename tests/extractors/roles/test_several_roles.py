"""Several roles of one entity, negated roles, and roles that entities share.

The name is in `[[ ]]`; a title, where it matters, precedes ` || `.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import AcceptedEntity, shipped_model
from citekg.extractors.nlp import make_document
from citekg.extractors.roles.classifier import ROLE_LABELS, PredictedRole, predict_roles
from citekg.extractors.roles.joint import match_jointly
from citekg.extractors.roles.patterns import match_patterns
from citekg.schemas.names import key
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import DEFAULT
from tests.extractors.roles.marked import TITLE, TYPE_OF, marked_entity


def predicted(line: str) -> list[PredictedRole]:
    doc, accepted = marked_entity(line)
    model = shipped_model("roles", len(ROLE_LABELS))
    return [*predict_roles(doc, accepted, 1, model, DEFAULT.roles_of(accepted.type))]


def roles_of(line: str) -> set[str]:
    return {found.role for found in predicted(line)}


def stated(line: str) -> set[str]:
    return match_patterns(*marked_entity(line)).roles


# Several roles


SEVERAL = {
    "extends comparesTo outperforms": """
We extend [[PPO]] to several agents. Our method outperforms PPO on all tasks.
Kestrel extends [[PPO]] and outperforms it.
We propose a memory-saving variant of [[DPO]]. It surpasses DPO by four points.
Our method builds on [[TD3]] and beats it on every task.
""",
    "evaluatesOn trainsOn": """
The model is trained on the [[GSM8K]] training split and evaluated on GSM8K.
The planner is trained and evaluated on [[ALFWorld]].
We train and test on [[GSM8K]].
Training on [[GSM8K]] and testing on GSM8K takes an hour.
We fine-tune the model on [[GSM8K]] and test it on HumanEval. We evaluate it on GSM8K as well.
""",
    "introduces evaluatesOn": """
We introduce [[HeronBench]], a suite of forty tasks. We evaluate ten agents on HeronBench.
""",
    "introduces trainsOn": """
We release [[PondSet]], a corpus of two million dialogues. Our model is trained on PondSet.
""",
}


@pytest.mark.parametrize(
    ("roles", "line"),
    [(roles, line) for roles, lines in SEVERAL.items() for line in lines.strip().splitlines()],
)
def test_all_roles_that_a_text_states_are_predicted(roles: str, line: str) -> None:
    assert roles_of(line) == {*roles.split()}


def test_each_role_has_its_own_evidence_and_confidence() -> None:
    line = "We extend [[PPO]] to several agents. Our method outperforms PPO on all tasks."
    doc, accepted = marked_entity(line)
    evidence = {
        found.role: doc.sentence_of[accepted.spans[found.spans[0]][0]] for found in predicted(line)
    }
    assert evidence == {"extends": 1, "comparesTo": 2, "outperforms": 2}
    assert all(0 < found.confidence < 1 for found in predicted(line))


@pytest.mark.parametrize(
    "line",
    [
        "We extend [[PPO]] to several agents. Recently, PPO has become popular.",
        "We use [[PPO]] to update the policy. Other planners do not need PPO.",
        "We propose [[Kestrel]]. We extend Kestrel to video. It uses Kestrel twice.",
    ],
)
def test_background_mentions_and_new_methods_have_no_additional_role(line: str) -> None:
    assert len(roles_of(line)) == 1


# Negation


@pytest.mark.parametrize(
    "line",
    [
        "We do not use [[PPO]].",
        "We never use [[PPO]] for it.",
        "The planner is trained without [[RLHF]].",
        "The planner is trained without SFT or [[RLHF]].",
        "No [[RLHF]] is needed.",
        "[[RLHF]] is not needed.",
        "Our loss dispenses with [[importance sampling]].",
        "It forgoes [[supervised fine-tuning]].",
        "We present an [[RLHF]]-free way to align models.",
        "The model is not trained on [[C4]].",
        "Kestrel uses neither [[behavior cloning]] nor drafts.",
    ],
)
def test_an_entity_that_the_authors_do_not_use_is_only_mentioned(line: str) -> None:
    assert roles_of(line) == {"mentions"}


@pytest.mark.parametrize(
    "line",
    ["Unlike [[DPO]], our loss is flat.", "Our loss, unlike [[DPO]], is flat."],
)
def test_the_word_unlike_states_a_comparison(line: str) -> None:
    assert roles_of(line) == {"comparesTo"}


def test_a_negation_in_one_sentence_does_not_remove_a_use_in_another() -> None:
    assert "uses" in roles_of("We use [[PPO]] to train it. At test time, it does not need PPO.")


# Extensions


@pytest.mark.parametrize(
    "line",
    [
        "We reformulate the [[GRPO]] objective.",
        "To this end, we refine [[GRPO]].",
        "We train it with a revised [[GRPO]] recipe.",
        "Rewards are shaped within the [[GRPO]] framework.",
        "Kestrel is built on top of [[GRPO]].",
        "We build on the off-the-shelf [[DQN]] and drop one head.",
        "We use a [[GRPO]]-style update.",
        "We develop a nested [[Q-learning]] algorithm.",
        "We propose a novel delayed [[DQN]] method.",
        "Our work is a refinement of [[SAC]].",
        "This is an accelerated version of [[SAC]].",
        "Accelerating PPO by caching || We cache rollouts and train with [[PPO]].",
    ],
)
def test_a_modified_method_is_extended(line: str) -> None:
    assert "extends" in stated(line)
    assert "extends" in roles_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "We propose a [[GRPO]]-based planner.",
        "Recent methods improve [[GRPO]] by clipping.",
        "Previous work uses a [[PPO]]-style update.",
        "We test a harder variant of [[ALFWorld]].",
        "We extend the suite to [[MMLU]].",
    ],
)
def test_work_of_others_and_harder_tasks_are_not_extensions(line: str) -> None:
    assert "extends" not in stated(line)


def test_training_on_a_version_of_a_dataset_does_not_extend_the_dataset() -> None:
    line = "We train it on a filtered version of [[C4]]."
    assert stated(line) == {"trainsOn"}
    assert "extends" in stated("We release a filtered version of [[C4]].")


@pytest.mark.parametrize(
    "line",
    [
        "Rewards are shaped within a [[Kalman filter]] framework.",
        "The parts are trained jointly under a [[contrastive learning]] framework.",
        "We propose a novel [[contrastive learning]] framework.",
    ],
)
def test_the_framework_of_a_general_method_is_a_use_and_not_an_extension(line: str) -> None:
    assert "uses" in stated(line)
    assert "extends" not in stated(line)


def test_an_extension_of_a_method_named_in_brackets_extends_it() -> None:
    assert "extends" in stated("We propose an extension of the boosting of birds ([[GRPO]]).")
    assert "extends" not in stated(
        "Ours is an extension of a planner trained via rules ([[GRPO]])."
    )


def test_analysing_a_method_uses_it() -> None:
    assert roles_of("We prove bounds on the convergence of [[TD3]].") == {"uses"}


# Comparisons


@pytest.mark.parametrize(
    "line",
    [
        "Its cost is similar to [[PPO]].",
        "It reaches comparable results to [[GPT-4]].",
        "It gains 9% over the commonly used [[PPO]].",
        "It outperforms larger models trained with [[DPO]].",
        "It is superior to previous methods (e.g., [[TD3]] and SAC).",
        "It is an alternative to [[DPO]].",
    ],
)
def test_other_phrases_of_comparison_are_recognised(line: str) -> None:
    assert "comparesTo" in roles_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "Compared with previous methods, [[Kestrel]] needs no critic.",
        "Two of the oldest are the [[matching pursuit]] and its kin.",
    ],
)
def test_the_subject_of_a_comparison_and_superlatives_are_not_compared_with(line: str) -> None:
    assert "comparesTo" not in stated(line)


# Training data


@pytest.mark.parametrize(
    "line",
    [
        "It is trained on 120B tokens mined from [[C4]].",
        "The model is aligned on [[UltraFeedback]].",
        "The pairs are curated from [[OpenWebMath]].",
        "We pre-train it on C4, LAION-5B and [[OpenWebMath]].",
        "We continue pretraining with [[OpenWebMath]] data.",
        "We use the [[GSM8K]] training set.",
        "The small model is distilled on [[UltraFeedback]].",
        "Both start from [[ImageNet]]-pretrained weights.",
        "We instruction-tune it on [[PondSet]].",
        "We train it using only 60k prompts (without replies) from the [[UltraFeedback]] dataset.",
        "Our corpus is built based on [[UltraFeedback]].",
        "We train two agents on [[PondSet]] and test them on GSM8K.",
    ],
)
def test_training_alignment_distillation_and_mining_state_training_data(line: str) -> None:
    assert "trainsOn" in roles_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "HeronBench is a benchmark for training on tasks like [[GSM8K]].",
        "We train it on C4 and evaluate it on [[GSM8K]].",
        "We test pre-trained models on [[GSM8K]].",
        "It surpasses a larger planner trained with [[PondSet]] data.",
        "Networks trained on [[ImageNet]] have led to major advances.",
        "A pre-trained planner outperforms others on [[PondSet]].",
        "A tuned planner achieves state-of-the-art scores on [[PondSet]].",
    ],
)
def test_data_for_tests_or_of_other_models_is_not_training_data(line: str) -> None:
    assert "trainsOn" not in stated(line)


# Several entities


def joint_roles(text: str, *names: str, title: str = TITLE) -> dict[str, set[str]]:
    """Return the roles that the text states of each name, matched jointly."""
    doc = make_document(Paper("p", title, text))
    accepted = []
    for name in names:
        places = [(i, j) for i in range(len(doc.words)) for j in range(i + 1, len(doc.words) + 1)]
        spans = [(i, j) for i, j in places if doc.span_text(i, j) == name]
        accepted.append(
            AcceptedEntity([Candidate(key(name), spans)], spans, TYPE_OF.get(name, "Method"), 1.0)
        )
    return {n: m.roles for n, m in zip(names, match_jointly(doc, accepted), strict=True)}


@pytest.mark.parametrize(
    "text",
    [
        "Kite, Heron and Wren are extended to video.",
        "Kite, Heron (HR), and Wren are extended to video.",
        "Kite, Heron & Wren are extended to video.",
    ],
)
def test_the_members_of_a_list_share_a_role(text: str) -> None:
    found = joint_roles(text, "Kite", "Heron", "Wren")
    assert found == {name: {"extends"} for name in ("Kite", "Heron", "Wren")}


def test_a_comma_alone_does_not_form_a_list() -> None:
    found = joint_roles("Unlike Kite, Heron is fast.", "Kite", "Heron")
    assert found == {"Kite": {"comparesTo"}, "Heron": set()}


def test_a_size_variant_of_a_new_model_is_also_introduced() -> None:
    text = "We propose Kestrel, a planner. Kestrel-8B plans better than Heron-8B."
    found = joint_roles(text, "Kestrel", "Kestrel-8B", "Heron-8B")
    assert "introduces" in found["Kestrel-8B"]
    assert "introduces" not in found["Heron-8B"]


def test_listed_names_of_different_types_do_not_share_a_role() -> None:
    found = joint_roles("Kite and GSM8K are extended to video.", "Kite", "GSM8K")
    assert found["Kite"] == set()


@pytest.mark.parametrize(
    ("text", "extends"),
    [
        ("We propose Critique-GRPO, which adds drafts. Plain GRPO ignores them.", True),
        ("We propose Critique GRPO, which adds drafts. Plain GRPO ignores them.", True),
        ("Recent work uses Critique-GRPO. Plain GRPO ignores them.", False),
        ("We propose GRPO-Critique, which adds drafts. Plain GRPO ignores them.", False),
    ],
)
def test_a_new_name_that_ends_in_a_known_name_extends_the_known_entity(
    text: str, extends: bool
) -> None:
    new = next(n for n in ("Critique-GRPO", "Critique GRPO", "GRPO-Critique") if n in text)
    doc, known = marked_entity(text.replace(" GRPO ignores", " [[GRPO]] ignores"))
    known = replace(known, spans=known.spans[-1:])
    first = next(i for i in range(len(doc.words)) if doc.text[doc.starts[i] :].startswith(new))
    last = next(i for i in range(first, len(doc.words)) if doc.span_text(first, i + 1) == new) + 1
    coined = AcceptedEntity([Candidate(key(new), [(first, last)])], [(first, last)], "Method", 1.0)
    found = match_jointly(doc, [coined, known])[1].roles
    assert ("extends" in found) is extends


# Entities that other systems outperform


def outperformed_by_others(text: str, new: str, *known: str) -> list[str]:
    """Return the known names that systems of other authors outperform."""
    doc = make_document(Paper("p", TITLE, text))
    found = [marked_entity(text.replace(name, f"[[{name}]]", 1))[1] for name in (new, *known)]
    matches = match_jointly(doc, found)[1:]
    return [name for name, m in zip(known, matches, strict=True) if m.outperformed_by_others]


def test_a_comparison_of_two_known_models_is_not_a_result_of_the_paper() -> None:
    text = "We propose Kestrel. GPT-4 clearly outperforms BERT here."
    assert outperformed_by_others(text, "Kestrel", "GPT-4", "BERT") == ["BERT"]


def test_a_paper_that_introduces_only_data_does_not_outperform_the_tested_models() -> None:
    text = "We introduce HeronBench, a benchmark. Larger planners surpass GPT-4 on it."
    assert outperformed_by_others(text, "HeronBench", "GPT-4") == ["GPT-4"]


def test_a_proposed_system_or_a_system_of_the_authors_outperforms_others() -> None:
    assert (
        outperformed_by_others("We propose Kestrel. Kestrel outperforms GPT-4.", "Kestrel", "GPT-4")
        == []
    )
    text = "We introduce HeronBench, a benchmark. Our planner surpasses GPT-4 on it."
    assert outperformed_by_others(text, "HeronBench", "GPT-4") == []


@pytest.mark.parametrize(
    "line",
    [
        "With training in wind, it proves 26.3% of the statements in the [[PondSet]] dataset.",
        "Results reported on [[PondSet]] are stable.",
    ],
)
def test_solved_shares_and_reported_results_state_an_evaluation(line: str) -> None:
    assert "evaluatesOn" in stated(line)


def test_data_in_sentences_without_training_is_not_training_data() -> None:
    assert "trainsOn" not in roles_of("Birds come from [[PondSet]], and they fly.")
    assert "trainsOn" in roles_of(
        "Fine-tuning Heron with rules on the [[UltraFeedback]] alone works."
    )


def test_the_method_of_the_previous_best_result_is_compared_with() -> None:
    line = "This doubles the previous best result of 13.2% achieved through [[GRPO]]."
    assert "comparesTo" in stated(line)
