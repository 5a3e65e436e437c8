"""Claims of introduction, in sentences: the name must be the thing proposed.

The name is in `[[ ]]`; a title, where it matters, precedes ` || `.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry, shipped_lexicon
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
We introduce K-Heron, a [[Patient Heron Search]] framework for marshes.
"""


def claimed(line: str) -> list[bool]:
    doc, accepted = marked_entity(line)
    return [is_claimed(doc, span, accepted) for span in accepted.spans]


@pytest.mark.parametrize("line", CLAIMED.strip().splitlines())
def test_a_text_claims_what_it_proposes(line: str) -> None:
    assert any(claimed(line))


@pytest.mark.parametrize("line", NOT_CLAIMED.strip().splitlines())
def test_modifiers_and_work_of_others_are_not_claims(line: str) -> None:
    assert not any(claimed(line))


def test_a_title_that_announces_a_study_of_a_name_claims_nothing() -> None:
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
def test_a_sentence_about_the_work_of_others_is_known_by_its_words(line: str, others: bool) -> None:
    doc, accepted = marked_entity(line)
    assert is_about_others(doc, accepted.spans[0]) is others


# What the list says


def entity(line: str, name: str, type_: str) -> tuple[Document, AcceptedEntity]:
    """The marked entity, as the entry of the lexicon of that name and as an entity of that type."""
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
def test_the_listed_paper_introduces_its_entity_whatever_the_text_says(line: str) -> None:
    assert roles(*entity(f"{NODE2VEC} || {line}", "node2vec", "Method")) == ["introduces"]


def test_no_other_paper_introduces_a_listed_entity_whatever_its_text_claims() -> None:
    line = "Walks on Graphs || We propose [[node2vec]], a new method."
    assert "introduces" not in roles(*entity(line, "node2vec", "Method"))


def test_a_paper_coins_a_listed_name_in_a_new_sense_if_title_and_abstract_claim_it() -> None:
    claim = "We propose [[node2vec]], a new method."
    new = entity(f"node2vec: Codes for Pipes || {claim}", "node2vec", "Method")
    used = entity("node2vec: Codes for Pipes || We use [[node2vec]].", "node2vec", "Method")
    assert roles(*new) == ["introduces"]
    assert "introduces" not in roles(*used)


@pytest.mark.parametrize(("short", "is_new"), [("SPO", True), ("SPPO", False)])
def test_a_paper_coins_a_listed_name_that_it_abbreviates_otherwise(
    short: str, is_new: bool
) -> None:
    line = f"Walks on Graphs || We propose [[Self-Play Preference Optimization]] ({short}) here."
    doc, accepted = entity(line, "self-play-preference-optimization", "Method")
    abbreviated = Candidate(short.lower(), [], is_short=True)
    coined = replace(accepted, candidates=[*accepted.candidates, abbreviated])
    assert (introduction_log_odds(doc, coined, is_stated=True) > 0) is is_new


def test_a_listed_method_does_not_apply_to_data_of_the_same_name() -> None:
    line = "Walks on Graphs || We present [[node2vec]], a new data set."
    assert known_introducer(*entity(line, "node2vec", "Method"))
    assert known_introducer(*entity(line, "node2vec", "Dataset")) is None
    assert roles(*entity(line, "node2vec", "Dataset")) == ["introduces"]


def test_claimed_names_are_more_likely_new_than_others() -> None:
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
def test_a_name_written_out_and_the_second_of_two_new_names_are_claimed(line: str) -> None:
    doc, accepted = marked_entity(line)
    assert is_claimed(doc, accepted.spans[0], accepted)


def test_a_widely_used_name_is_not_introduced_with_a_new_version_of_it() -> None:
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
def test_a_claim_about_a_name_called_known_is_not_an_introduction(known: str) -> None:
    doc, accepted = marked_entity(f"{known} We propose [[Kestrel]].")
    assert "introduces" not in match_patterns(doc, accepted).roles


def test_a_name_that_has_achieved_good_results_may_be_new() -> None:
    doc, accepted = marked_entity(
        "We propose [[Kestrel]]. [[Kestrel]] has achieved better results."
    )
    assert "introduces" in match_patterns(doc, accepted).roles


@pytest.mark.parametrize(
    "line", ["Planners such as [[Kestrel]] fail.", "It is faster than [[Kestrel]]."]
)
def test_examples_and_rivals_without_a_claim_are_less_likely_new(line: str) -> None:
    named = marked_entity("Bounds hold for [[Kestrel]].")
    odds = introduction_log_odds
    assert odds(*marked_entity(line), is_stated=False) < odds(*named, is_stated=False)


def test_a_known_name_without_a_claim_is_less_likely_new_than_an_unknown_one() -> None:
    known = marked_entity("Bounds hold for [[Rao-Blackwellized particle filter]].")
    unknown = marked_entity("Bounds hold for [[Kestrel]].")
    odds = introduction_log_odds
    assert odds(*known, is_stated=False) < odds(*unknown, is_stated=False) < 0
