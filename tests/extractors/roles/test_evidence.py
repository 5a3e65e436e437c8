"""The order of evidence: the sentence that states the role comes first."""

from __future__ import annotations

import pytest

from citekg.extractors.roles.evidence import order_evidence
from tests.extractors.roles.marked import marked_entity


def best_evidence(role: str, line: str) -> int:
    """Return the first evidence among mentions that are equally likely and state no role."""
    doc, accepted = marked_entity(line)
    no_stated_roles: list[set[str]] = [set() for _ in accepted.spans]
    equal_probabilities = [0.5] * len(accepted.spans)
    return order_evidence(role, doc, accepted, equal_probabilities, no_stated_roles)[0]


@pytest.mark.parametrize(
    ("role", "line", "first"),
    [
        ("uses", "Here is [[Kestrel]]. We train the policy with [[Kestrel]].", 0),
        ("uses", "Here is [[Kestrel]]. We use the fast [[Kestrel]].", 1),
        ("extends", "We use [[Kestrel]]. We modify its cousin [[Kestrel]].", 1),
        ("comparesTo", "We use [[Kestrel]]. We outperform the fast [[Kestrel]].", 1),
        ("evaluatesOn", "We train on [[Kestrel]]. We evaluate on the wide [[Kestrel]].", 1),
        ("trainsOn", "We evaluate on [[Kestrel]]. We train on the wide [[Kestrel]].", 1),
        ("uses", "Using planners, which see [[Kestrel]], is slow. We adopt [[Kestrel]].", 1),
    ],
)
def test_a_mention_in_a_clause_with_the_verb_of_the_role_comes_first(
    role: str, line: str, first: int
) -> None:
    assert best_evidence(role, line) == first


def test_a_stated_role_takes_precedence_over_a_verb_and_a_probability() -> None:
    doc, accepted = marked_entity("We use [[Kestrel]]. A field for [[Kestrel]].")
    assert order_evidence("uses", doc, accepted, [0.9, 0.1], [set(), {"uses"}]) == (1, 0)


@pytest.mark.parametrize(
    ("role", "line", "first"),
    [
        ("extends", "[[Kestrel]] sees well. Here, we free [[Kestrel]] of its limits.", 1),
        ("extends", "[[Kestrel]] sees well. This work frees [[Kestrel]] of its limits.", 1),
        ("extends", "[[Kestrel]] sees well. This often makes [[Kestrel]] slow.", 0),
        ("extends", "[[Kestrel]] sees well. We outperform the fast [[Kestrel]].", 0),
        ("uses", "Planners use [[Kestrel]]. We show that [[Kestrel]] sees well.", 1),
        ("introduces", "[[Kestrel]] sees well. Our [[Kestrel]] learns.", 1),
        ("mentions", "[[Kestrel]] sees well. Our planner is no [[Kestrel]].", 0),
        ("comparesTo", "It beats [[Kestrel]]. We study the field of [[Kestrel]].", 0),
    ],
)
def test_a_sentence_about_the_authors_own_work_comes_before_the_verb_of_the_role(
    role: str, line: str, first: int
) -> None:
    assert best_evidence(role, line) == first


def test_sentences_about_the_work_of_others_come_later_and_the_title_last() -> None:
    line = "Using Kestrel || Zhang et al. use [[Kestrel]]. It sees [[Kestrel]]."
    doc, accepted = marked_entity(line)
    no_stated_roles: list[set[str]] = [set(), set(), set()]
    assert order_evidence("uses", doc, accepted, [0.9, 0.8, 0.1], no_stated_roles) == (2, 1, 0)


def test_for_the_role_mentions_sentences_about_the_work_of_others_come_first() -> None:
    line = "It sees [[Kestrel]]. Recent work by Zhang et al. has [[Kestrel]]."
    doc, accepted = marked_entity(line)
    assert order_evidence("mentions", doc, accepted, [0.5, 0.5], [set(), set()]) == (1, 0)


def test_at_most_three_mentions_are_evidence() -> None:
    doc, accepted = marked_entity("We see [[Kestrel]], Kestrel, Kestrel and Kestrel.")
    assert len(order_evidence("uses", doc, accepted, [0.5] * 4, [set()] * 4)) == 3
