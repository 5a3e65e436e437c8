"""Claims of introduction: a sentence must propose the name itself.

The name is in `[[ ]]`; a title, where it matters, precedes ` || `.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.classification.decoding import AcceptedEntity, shipped_model
from citekg.extractors.nlp import Document
from citekg.extractors.roles.classifier import ROLE_LABELS, predict_roles
from citekg.extractors.roles.introduction_claims import is_about_others, is_claimed
from citekg.extractors.roles.novelty import introduction_log_odds, known_introducer
from citekg.extractors.roles.patterns import match_patterns
from tests.extractors.roles.marked import marked_entity

CLAIMED = """
We propose [[Kestrel]], which needs no critic.
We propose a new planner for deep nets ([[Kestrel]]).
I present a generative approach to planning ([[Kestrel]]).
We present a planner for wide fields, i.e., [[Kestrel]].
To close this gap, we proposed [[Kestrel]], a planner.
We introduce two planners: [[Kestrel]] and Heron.
We introduce two planners: Heron and [[Kestrel]].
We derive [[Kestrel]], which needs no critic.
The proposed [[Kestrel]] halves the cost.
A scheme denoted as [[Kestrel]] halves the cost.
A search called [[Kestrel]] halves the cost.
We propose \\emph{[[Kestrel]]}, which needs no critic.
We propose the [[Kestrel]] algorithm.
In this paper, a novel [[Kestrel Search]] (KES) is proposed.
Plans are scored by a novel sparse [[Kestrel]].
We design several modules for the planner, namely the Heron and the [[Kestrel]].
We propose two goals: 1) Heron, which plans; 2) [[Kestrel]], which lands.
We present a planner for wide fields: [[Kestrel]].
We train a planner codenamed [[Kestrel]].
A part termed as the [[Kestrel]] halves the cost.
Our approach for planning in wind, [[Kestrel]], halves the cost.
Our neural network (NN) architecture [[Kestrel]] halves the cost.
This framework, [[Kestrel]], halves the cost.
The code is at https://github.com/pond/[[Kestrel]].
A [[Kestrel]] module is further proposed to plan.
[[Kestrel]] and Patient Heron Search are proposed to plan.
We propose a [[balanced edge sampling loss]] to plan.
We introduce a large-scale dataset [[OpenWebMath]].
We introduce a new method - [[MCMC]] - that mixes fast.
We propose the very deep [[MCMC]].
We prompt models, which we call [[Kestrel-RMs]].
A new planner is proposed, called [[MCMC]].
We propose a new planner called [[Rao-Blackwellized particle filter]].
We propose the pond search (POS) loss and the [[gull-wise mixing]] (GMI) strategy.
We introduce a pond search (POS) module, and a new [[gull-wise mixing]] (GMI) strategy.
Our planner consists of two modules: a Heron Reader and a [[Kestrel Writer]].
The planner comprises three networks, namely Heron, Gull and [[Kestrel]].
Our planner is composed of a Heron Reader (HER) and a [[Kestrel Writer]] (KEW).
We propose an improved [[Kestrel]] (IKES).
We train a planner on maps of marshes to obtain [[Kestrel]].
We refer to the resulting planner as [[Kestrel]].
The resulting planner, [[Kestrel]], is fast.
Our storage engine, [[Kestrel]], is fast.
[[Kestrel]], our planner, is fast.
We obtain the new [[PondSet]] benchmark, which we make publicly available.
We develop a [[HERON-MCTS]] framework.
We implement our ideas in a tool, [[Kestrel]], that finds gulls.
The planner is implemented as a prototype called [[Kestrel]].
Kestrel: Planning in Wind || [[Kestrel]] halves the cost.
Kestrel: An Analysis Tool for Wind || [[Kestrel]] halves the cost.
"""

NOT_CLAIMED = """
We propose a [[Kestrel]]-based framework.
We propose a [[Kestrel]] (KES)-based framework.
We propose a [[Kestrel]] based planner.
We propose a nested [[Kestrel]] algorithm.
We develop a two-stage [[Kestrel]] framework.
We give an analysis of [[Kestrel]].
The bound is sometimes called [[Kestrel]].
The bound is also known as [[Kestrel]].
We solve a formulation as a [[Kestrel]].
We propose a [[sampling loss]] to plan.
A planner for a [[Kestrel]] module is further proposed.
A [[Kestrel]] module is proposed by Moore.
Our planner consists of an encoder and a [[Kestrel]].
Two known planners fail: Heron and [[Kestrel]].
Zhang (2021) proposed [[Kestrel]].
[[Kestrel]] has been proposed for this task.
We introduce [[Kestrel]] (Moore, 1994) to this field.
The recently proposed [[Kestrel]] halves the cost.
A solver for wide fields by means of [[Kestrel]] is presented.
Our proposed approaches use a [[Kestrel]].
We show that our proposed approach improves various [[Kestrel]].
We propose a loss for [[Kestrel]].
We introduce [[MCMC]] algorithms that mix fast.
A Synthesis of MCMC and Search || We introduce [[MCMC]] algorithms that mix fast.
We derive [[upper confidence bound]] for the values.
The field is captured by a model called [[MCMC]].
One may use a state-of-the-art planner called [[Kestrel]].
A greedy planner called [[Kestrel]] is known to be fast.
They have also been used in new tools called [[Kestrel]].
This paper introduces two well-accepted planners, namely [[Kestrel]] and Heron.
We introduce the [[Kestrel]] into the planner.
For control, [[Kalman filters]] are designed.
A discrete [[Kalman filter]] is proposed.
Our evaluation on the benchmark [[Kestrel]] shows gains.
We propose an improved [[Kestrel]] for marshes.
Following our previous work, [[Kestrel]] is used.
In our experiments, [[Kestrel]], Gull and Heron win.
We propose a planner within the [[HERON-MCTS]] framework.
A modified [[Kestrel]] is proposed.
MRC via Gulls || We propose a novel [[MRC]] framework.
The archive consists of three parts: Heron, Gull and [[PondSet]].
We introduce K-Heron, a [[Patient Heron Search]] framework for marshes.
"""


def claimed(line: str) -> list[bool]:
    doc, accepted = marked_entity(line)
    return [is_claimed(doc, span, accepted) for span in accepted.spans]


@pytest.mark.parametrize("line", CLAIMED.strip().splitlines())
def test_a_sentence_that_proposes_the_name_is_an_introduction_claim(line: str) -> None:
    assert any(claimed(line))


@pytest.mark.parametrize("line", NOT_CLAIMED.strip().splitlines())
def test_modifiers_and_the_work_of_others_are_not_introduction_claims(line: str) -> None:
    assert not any(claimed(line))


def test_a_title_that_announces_a_study_of_a_name_is_not_a_claim() -> None:
    line = "Kestrel: General Analysis and Improved Rates || We study [[Kestrel]]."
    assert claimed(line) == [False, False]


@pytest.mark.parametrize(
    ("line", "others"),
    [
        ("Zhang (2021) proposed [[Kestrel]].", True),
        ("Moore et al. use [[Kestrel]].", True),
        ("The recently proposed [[Kestrel]] flies.", True),
        ("[[Kestrel]] has attracted much attention.", True),
        ("[[Kestrel]] has been widely used.", True),
        ("We use [[Kestrel]].", False),
        ("Here, [[Kestrel]] is new.", False),
    ],
)
def test_sentences_about_the_work_of_others_are_recognised(line: str, others: bool) -> None:
    doc, accepted = marked_entity(line)
    assert is_about_others(doc, accepted.spans[0]) is others


# The list of known introducers


def entity(line: str, name: str, type_: str) -> tuple[Document, AcceptedEntity]:
    """Return the marked entity with the lexicon entry of this key and with this type."""
    doc, accepted = marked_entity(line)
    entry: Entry = shipped_lexicon().entries[name]
    candidate = Candidate(entry.key, accepted.spans, entry=entry)
    return doc, replace(accepted, candidates=[candidate], type=type_)


def roles(doc: Document, accepted: AcceptedEntity) -> list[str]:
    model = shipped_model("roles", len(ROLE_LABELS))
    return [found.role for found in predict_roles(doc, accepted, 1, model)]


NODE2VEC = "node2vec: Scalable Feature Learning for Networks"


@pytest.mark.parametrize(
    "line", ["[[node2vec]] is fast.", "We use [[node2vec]].", "See [[node2vec]]."]
)
def test_the_listed_paper_introduces_its_entity_regardless_of_the_text(line: str) -> None:
    assert roles(*entity(f"{NODE2VEC} || {line}", "node2vec", "Method")) == ["introduces"]


def test_other_papers_do_not_introduce_a_listed_entity_despite_a_claim() -> None:
    line = "Walks on Graphs || We propose [[node2vec]], a new method."
    assert "introduces" not in roles(*entity(line, "node2vec", "Method"))


def test_a_listed_name_is_a_new_entity_if_title_and_abstract_claim_it() -> None:
    claim = "We propose [[node2vec]], a new method."
    new = entity(f"node2vec: Codes for Pipes || {claim}", "node2vec", "Method")
    used = entity("node2vec: Codes for Pipes || We use [[node2vec]].", "node2vec", "Method")
    assert roles(*new) == ["introduces"]
    assert "introduces" not in roles(*used)


@pytest.mark.parametrize(("short", "is_new"), [("SPO", True), ("SPPO", False)])
def test_a_listed_name_with_a_different_short_form_is_a_new_entity(
    short: str, is_new: bool
) -> None:
    line = f"Walks on Graphs || We propose [[Self-Play Preference Optimization]] ({short}) here."
    doc, accepted = entity(line, "self-play-preference-optimization", "Method")
    abbreviated = Candidate(short.lower(), [], is_short=True)
    coined = replace(accepted, candidates=[*accepted.candidates, abbreviated])
    assert (introduction_log_odds(doc, coined, is_stated=True) > 0) is is_new


def test_the_introducer_of_a_method_does_not_apply_to_a_dataset_of_the_same_name() -> None:
    line = "Walks on Graphs || We present [[node2vec]], a new data set."
    assert known_introducer(*entity(line, "node2vec", "Method"))
    assert known_introducer(*entity(line, "node2vec", "Dataset")) is None
    assert roles(*entity(line, "node2vec", "Dataset")) == ["introduces"]


def test_a_claimed_name_is_more_likely_introduced_than_an_unclaimed_name() -> None:
    odds = introduction_log_odds
    found = marked_entity("We propose [[Kestrel]].")
    plain = marked_entity("We prune by [[pruning method]].")
    assert odds(*found, is_stated=True) > 0 > odds(*found, is_stated=False)
    assert odds(*found, is_stated=False) > odds(*plain, is_stated=False)


@pytest.mark.parametrize(
    "line",
    [
        "We propose a novel [[Patient Heron Search]] method for planning, named PHS.",
        "We introduce Gullnet, an architecture that plans, and [[Wrenclip]], a model that flies.",
        "Our current systems: Gullnet, which is small, and [[Wrenclip]], which is fast.",
    ],
)
def test_full_names_and_the_second_of_two_new_names_are_claimed(line: str) -> None:
    doc, accepted = marked_entity(line)
    assert is_claimed(doc, accepted.spans[0], accepted)


def test_a_claim_of_a_new_version_does_not_introduce_a_widely_used_name() -> None:
    line = "[[Kestrel]] has been widely used. We propose a masked [[Kestrel]]."
    doc, accepted = marked_entity(line)
    assert any(claimed(line))
    assert "introduces" not in match_patterns(doc, accepted).roles


@pytest.mark.parametrize(
    "known",
    [
        "However, existing [[Kestrel]] planners fail.",
        "[[Kestrel]] is a recently proposed planner.",
        "[[Kestrel]] is one of the most widely used planners.",
        "[[Kestrel]] has achieved great success.",
    ],
)
def test_a_name_that_the_text_calls_known_is_not_introduced_despite_a_claim(known: str) -> None:
    doc, accepted = marked_entity(f"{known} We propose [[Kestrel]].")
    assert "introduces" not in match_patterns(doc, accepted).roles


def test_a_claimed_name_that_has_achieved_better_results_is_introduced() -> None:
    doc, accepted = marked_entity(
        "We propose [[Kestrel]]. [[Kestrel]] has achieved better results."
    )
    assert "introduces" in match_patterns(doc, accepted).roles


@pytest.mark.parametrize(
    "line", ["Planners such as [[Kestrel]] fail.", "It is faster than [[Kestrel]]."]
)
def test_unclaimed_examples_and_baselines_are_less_likely_introduced(line: str) -> None:
    named = marked_entity("Bounds hold for [[Kestrel]].")
    odds = introduction_log_odds
    assert odds(*marked_entity(line), is_stated=False) < odds(*named, is_stated=False)


def test_an_unclaimed_known_name_is_less_likely_introduced_than_an_unknown_name() -> None:
    known = marked_entity("Bounds hold for [[Rao-Blackwellized particle filter]].")
    unknown = marked_entity("Bounds hold for [[Kestrel]].")
    odds = introduction_log_odds
    assert odds(*known, is_stated=False) < odds(*unknown, is_stated=False) < 0
