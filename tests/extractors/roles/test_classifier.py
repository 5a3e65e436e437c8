"""Features of the role classifier, and the rules around it.

A wrong feature fails here, instead of only lowering the scores of a few papers. The name is in
`[[ ]]`; a title, where it matters, precedes ` || `.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from citekg.extractors.classification.decoding import shipped_model
from citekg.extractors.classification.hashing import hash_features
from citekg.extractors.roles.classifier import (
    ROLE_LABELS,
    entity_columns,
    entity_features,
    mention_columns,
    mention_features,
    predict_roles,
    role_columns,
)
from citekg.extractors.roles.patterns import match_patterns
from tests.extractors.roles.marked import marked_entity

#: A kind of governing word, and short sentences with such a word.
GOVERNED = """
introduce: We propose [[Quill]]. | We then released [[Quill]].
introduce: A planner called [[Quill]] flies. | We build [[Quill]].
versus: It outperforms [[Quill]]. | Far cheaper than [[Quill]].
versus: Unlike [[Quill]], it flies. | It rivals [[Quill]].
evaluate: Tested on [[Quill]]. | Experiments with [[Quill]] end.
evaluate: Results on [[Quill]]. | Evaluated on [[Quill]].
use: We use [[Quill]]. | It flies via [[Quill]].
use: Leveraging [[Quill]], it flies. | We incorporate [[Quill]].
extend: We extend [[Quill]]. | A variant of [[Quill]].
extend: We modify [[Quill]]. | It builds upon [[Quill]].
train: We train [[Quill]]. | It is finetuned on [[Quill]].
train: Distilled from [[Quill]]. | We tune [[Quill]].
study: We study [[Quill]]. | We analyze [[Quill]].
study: We revisit [[Quill]]. | It investigates [[Quill]].
like: Planners like [[Quill]] fly. | Planners such as [[Quill]]. | Planners, including [[Quill]].
background: Recent [[Quill]] flies. | Traditional [[Quill]].
background: The popular [[Quill]]. | Prior [[Quill]].
but: However, [[Quill]] flies. | Despite [[Quill]].
but: It fails on [[Quill]]. | While [[Quill]] flies.
-: Then [[Quill]] flies. | [[Quill]] flies. | A kite, [[Quill]].
"""
ROWS = [row.split(": ") for row in GOVERNED.strip().splitlines()]
CASES = [(kind, line) for kind, lines in ROWS for line in lines.split(" | ")]

#: Sentences with features that they have and, after ` | `, features that they do not have.
FEATURE_CASES = """
We use the fast [[Quill]].: <use <near:use <we <far:we l1:fast | <far:use >use l1:the
We use the very fast [[Quill]].: <use <far:use <far:we | <near:use
We use [[Quill]].: <use <near:use <near:we | <far:use
[[Quill]] used here.: >used >near:used | >far:used
It sees [[Kites Compare]] here.: l1:sees r1:here | >compare >near:compare <compare <near:compare
[[Quill]] is now used.: >used >near:used r1:is at:open | <used >far:used
[[Quill]] is now widely used.: >used >far:used >near:widely | >near:used
We propose a b c d e f g [[Quill]].: <far:propose <far:we | <near:propose
We propose a b c d e f g h [[Quill]].: <far:propose s:we | <we <far:we
[[Quill]] a b c d e f g used.: >far:used
[[Quill]] a b c d e f g h used.: >far:used
[[Quill]] a b c d e f g h i used.: s:used then:use | >used >far:used
The [[Quill]] planner flies.: head:method r1:planner at:mid | head:benchmark
The [[Quill]] flies.: l1:the r1:flies | head:method
Kites. Then fly [[Quill]]: at:close r1:$ open:then_fly | open:kites_. at:mid
Then we train the [[Quill]] of kites.: we:True:train act:train gov:train | we:False:train
Kites train the [[Quill]] of ours.: we:False:train gov:train | we:True:train
Our kite trains on [[Quill]].: we:True:train
We use kites like [[Quill]] and compare.: gov:like act:use gov2:like+use | gov:use
We use kites like [[Quill]] and compare.: then:versus act:use:then:versus
We use kites, recently with [[Quill]].: gov:background act:use gov2:background+use then:-
We test what we use and propose [[Quill]].: gov:introduce | gov2:introduce+use+evaluate
We test what we use and propose [[Quill]].: gov2:introduce+use
We propose kites. Then [[Quill]] flies. It is used.: gov:- act:- | s:propose s:used <propose >used
We propose kites. Then [[Quill]] flies. It is used.: then:- we:False:-
"""

#: Neighbouring words: three before and two after; `^` and `$` mark the ends of the sentence.
NEIGHBOUR_CASES = """
A red kite sees [[Quill]] in the sky.: l1:sees | l2:kite_sees | l3:red_kite_sees
A red kite sees [[Quill]] in the sky.: r1:in | r2:in_the | lr:sees|in
So [[Quill]] flies.: l1:so | l2:^_so | l3:^_^_so | r1:flies | r2:flies_. | lr:so|flies
Kites fly. [[Quill]]: l1:^ | l2:^_^ | l3:^_^_^ | r1:$ | r2:$_$ | lr:^|$ | open:quill_$
Kites fly. So does [[Quill]].: l1:does | l2:so_does | l3:^_so_does | r1:. | r2:._$ | open:so_does
"""


def features_of_last_mention(line: str) -> set[str]:
    """Return the features of the last mention, with spaces as `_`."""
    doc, accepted = marked_entity(line)
    return {feature.replace(" ", "_") for feature in mention_features(doc, accepted.spans[-1])}


@pytest.mark.parametrize(("kind", "line"), CASES, ids=[line for _, line in CASES])
def test_the_nearest_cue_word_before_a_name_is_its_governing_word(kind: str, line: str) -> None:
    assert f"gov:{kind}" in features_of_last_mention(line)


@pytest.mark.parametrize("case", FEATURE_CASES.strip().splitlines())
def test_features_of_cue_words_include_their_side_and_distance(case: str) -> None:
    line, _, features = case.rpartition(": ")
    there, _, not_there = features.partition(" | ")
    assert {*there.split()} <= features_of_last_mention(line)
    assert not {*not_there.split()} & features_of_last_mention(line)


@pytest.mark.parametrize("case", NEIGHBOUR_CASES.strip().splitlines())
def test_neighbour_features_do_not_cross_the_sentence_boundary(case: str) -> None:
    line, _, features = case.partition(": ")
    assert {*features.split(" | ")} <= features_of_last_mention(line)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("[[Quill]] flies. It lands. It sleeps. It wakes.", 1),
        ("It flies. [[Quill]] lands. It sleeps. It wakes.", 2),
        ("It flies. It lands. It sleeps. [[Quill]] wakes.", 4),
    ],
)
def test_the_position_of_a_mention_is_binned_in_fifths_of_the_text(line: str, part: int) -> None:
    """The title is the first of the five sentences here."""
    assert f"where:{part}" in features_of_last_mention(line)


def test_a_mention_in_the_title_has_only_the_title_feature() -> None:
    doc, accepted = marked_entity("Kites like Quill || It is [[Quill]].")
    first, last = accepted.spans
    (in_title,) = hash_features(["in-title"])
    assert mention_columns(doc, first, "Method") == {in_title}
    assert in_title not in mention_columns(doc, last, "Method")


def test_features_of_a_mention_are_also_joined_with_the_type() -> None:
    doc, accepted = marked_entity("We use [[Quill]].")
    columns = mention_columns(doc, accepted.spans[0], "Method")
    assert hash_features(["gov:use", "gov:use&Method"]) <= columns
    assert not hash_features(["gov:use&Dataset"]) & columns


#: Texts with features of the whole entity.
ENTITY_CASES = [
    ("Quill: a kite || It is [[Quill]].", {"title:start::", "title-left:^", "n:1", "spread:1"}),
    ("A kite for Quill || It is [[Quill]].", {"title:in:$", "title-left:for"}),
    ("A Quill kite || It is [[Quill]].", {"title:in:kite", "title-left:a"}),
    (
        "[[Quill]] flies. It lands. It sleeps. It wakes.",
        {"first:1:Method", "last:1:Method", "n:1", "spread:1"},
    ),
    (
        "[[Quill]] flies. It lands. Quill sleeps. It wakes.",
        {"first:1:Method", "last:3:Method", "n:2", "spread:2"},
    ),
    ("It flies. It lands. It sleeps. [[Quill]] wakes.", {"first:4:Method", "last:4:Method", "n:1"}),
    (
        "[[Quill]] and Quill. Quill and Quill. Quill and Quill.",
        {"n:4", "spread:3", "first:1:Method", "last:3:Method"},
    ),
    ("[[Quill]]. A Quill. A Quill. A Quill. A Quill.", {"n:4", "spread:3"}),
    ("[[Quill]]. A Quill. A Quill.", {"n:3", "spread:3"}),
    ("It is [[PPO]].", {"lex:True", "type:Method&knownTrue", "defined:False"}),
    ("It is [[Quill]].", {"lex:False", "type:Method&knownFalse", "n:1&Method"}),
    ("It is [[PondSet]].", {"type:Dataset", "n:1&Dataset"}),
]


@pytest.mark.parametrize(("line", "features"), ENTITY_CASES, ids=[line for line, _ in ENTITY_CASES])
def test_entity_features_cover_title_and_text(line: str, features: set[str]) -> None:
    doc, accepted = marked_entity(line)
    assert features <= set(entity_features(doc, accepted, 2))


@pytest.mark.parametrize(("others", "few"), [(0, 0), (5, 5), (6, 6), (40, 6)])
def test_the_number_of_entities_is_capped_at_six(others: int, few: int) -> None:
    doc, accepted = marked_entity("It is [[Quill]].")
    assert f"few:{few}" in entity_features(doc, accepted, others)


def test_role_columns_include_entity_mention_and_pattern_features() -> None:
    doc, accepted = marked_entity("Kites || We propose [[Quill]]. It uses Quill.")
    shared = entity_columns(doc, accepted, 1)
    whole, *by_mention = role_columns(doc, accepted, shared, match_patterns(doc, accepted))
    assert hash_features(["bias", "gov:introduce", "gov:use", "said:introduces"]) <= whole
    assert len(by_mention) == 2
    assert hash_features(["gov:introduce"]) <= by_mention[0]
    assert hash_features(["gov:use"]) <= by_mention[1]
    assert not hash_features(["bias", "gov:introduce", "said:introduces"]) & by_mention[1]


# Stated roles


def test_improving_upon_a_method_extends_it_but_improving_upon_a_model_does_not() -> None:
    for name, roles in (("Quill", {"extends"}), ("GPT-4", set[str]())):
        assert match_patterns(*marked_entity(f"It improves upon [[{name}]].")).roles == roles


def test_a_proposal_phrase_in_the_title_does_not_introduce_the_name() -> None:
    matches = match_patterns(*marked_entity("Why we propose Quill || It is [[Quill]]."))
    assert [*matches.by_mention.values()] == [set(), set()]


@pytest.mark.parametrize(("behind", "mentioned"), [("(PPO)", True), (", PPO, here", False)])
def test_a_short_form_in_brackets_is_not_a_separate_mention(behind: str, mentioned: bool) -> None:
    """An entity is only mentioned if every mention states that it is not needed."""
    doc, accepted = marked_entity(
        f"Kites || It does not require [[Proximal Policy Optimization]] {behind}."
    )
    (_, end), short = accepted.spans[0], doc.words.index("PPO")
    assert short == end + 1
    both = replace(accepted, spans=[*accepted.spans, (short, short + 1)])
    assert ("mentions" in match_patterns(doc, both).roles) is mentioned


def test_evidence_in_the_abstract_comes_before_evidence_in_the_title() -> None:
    doc, accepted = marked_entity("Quill: a kite || Here is a kite. It is [[Quill]].")
    found = next(
        predict_roles(doc, accepted, 1, shipped_model("roles", len(ROLE_LABELS)), ("introduces",))
    )
    assert [accepted.spans[n][0] < doc.title_tokens for n in found.spans] == [False, True]


# Known introductions, and claims of superiority


INTRODUCING_TITLE = "Proximal Policy Optimization Algorithms || "


@pytest.mark.parametrize(
    "line", ["It was time for [[PPO]], a new method.", "This is [[PPO]], which we call new."]
)
def test_the_known_introducing_paper_has_the_highest_introduction_probability(line: str) -> None:
    """The alphabetical order of the titles makes no difference."""
    probability_of_title = {}
    for title in (INTRODUCING_TITLE, "A kite for delay || ", "Zooming out of delay || "):
        doc, accepted = marked_entity(title + line)
        found = next(
            predict_roles(
                doc,
                accepted,
                1,
                shipped_model("roles", len(ROLE_LABELS)),
                ("introduces", "mentions"),
            )
        )
        probability_of_title[title] = (
            found.confidence if found.role == "introduces" else 1 - found.confidence
        )
    own, *others = probability_of_title.values()
    assert all(own > other for other in others)


@pytest.mark.parametrize(
    ("line", "outperformed"),
    [
        ("It outperforms a kite of wood and of paper and of glue, and [[PPO]].", True),
        (
            "It is not heavy, flies in wind and rain of any kind, lands where it should and"
            " outperforms [[PPO]].",
            True,
        ),
        ("It is not better than [[PPO]].", False),
        ("It outperforms kites. It also compares with [[PPO]].", False),
        ("[[PPO]] is clearly outperformed by our kite.", True),
        ("[[PPO]] is compared to our kite.", False),
    ],
)
def test_outperforms_needs_a_claim_in_the_same_sentence(line: str, outperformed: bool) -> None:
    doc, accepted = marked_entity(line)
    predicted = predict_roles(
        doc, accepted, 1, shipped_model("roles", len(ROLE_LABELS)), ("comparesTo",)
    )
    assert ("outperforms" in [found.role for found in predicted]) is outperformed
