"""What the reading of roles sees in a text, word by word: which word governs a name, how near it stands, and where.

The weights only weigh these; a feature that is cut wrongly is told here and not by a few papers that are read worse.
The name in question stands in `[[ ]]`; before ` || ` stands a title where it matters.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from citekg.extractors.classification.decoding import hash_features, shipped_model
from citekg.extractors.roles.classifier import (
    ROLE_LABELS,
    entity_features,
    mention_features,
    predict_roles,
    role_columns,
)
from citekg.extractors.roles.patterns import match_patterns

from tests.extractors.roles.test_patterns import read

#: A kind of governing word, and sentences of a few words that it governs.
GOVERNED = """
introduce: We propose [[Quill]]. | We then released [[Quill]]. | A planner called [[Quill]] flies. | We build [[Quill]].
versus: It outperforms [[Quill]]. | Far cheaper than [[Quill]]. | Unlike [[Quill]], it flies. | It rivals [[Quill]].
evaluate: Tested on [[Quill]]. | Experiments with [[Quill]] end. | Results on [[Quill]]. | Evaluated on [[Quill]].
use: We use [[Quill]]. | It flies via [[Quill]]. | Leveraging [[Quill]], it flies. | We incorporate [[Quill]].
extend: We extend [[Quill]]. | A variant of [[Quill]]. | We modify [[Quill]]. | It builds upon [[Quill]].
train: We train [[Quill]]. | It is finetuned on [[Quill]]. | Distilled from [[Quill]]. | We tune [[Quill]].
study: We study [[Quill]]. | We analyze [[Quill]]. | We revisit [[Quill]]. | It investigates [[Quill]].
like: Planners like [[Quill]] fly. | Planners such as [[Quill]]. | Planners, including [[Quill]].
background: Recent [[Quill]] flies. | Traditional [[Quill]]. | The popular [[Quill]]. | Prior [[Quill]].
but: However, [[Quill]] flies. | Despite [[Quill]]. | It fails on [[Quill]]. | While [[Quill]] flies.
-: Then [[Quill]] flies. | [[Quill]] flies. | A kite, [[Quill]].
"""
ROWS = [row.split(": ") for row in GOVERNED.strip().splitlines()]
CASES = [(kind, line) for kind, lines in ROWS for line in lines.split(" | ")]

#: Of a sentence, features that are seen beside the name, and some that are not.
SEEN = """
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
We use kites like [[Quill]] and compare.: gov:like act:use gov2:like+use then:versus act:use:then:versus | gov:use
We use kites, recently with [[Quill]].: gov:background act:use gov2:background+use then:-
We test what we use and propose [[Quill]].: gov:introduce gov2:introduce+use | gov2:introduce+use+evaluate
We propose kites. Then [[Quill]] flies. It is used.: gov:- act:- then:- we:False:- | s:propose s:used <propose >used
"""

#: Neighbours: three words to the left and two to the right, `^` and `$` where the sentence has none.
BESIDE = """
A red kite sees [[Quill]] in the sky.: l1:sees | l2:kite_sees | l3:red_kite_sees | r1:in | r2:in_the | lr:sees|in
So [[Quill]] flies.: l1:so | l2:^_so | l3:^_^_so | r1:flies | r2:flies_. | lr:so|flies
Kites fly. [[Quill]]: l1:^ | l2:^_^ | l3:^_^_^ | r1:$ | r2:$_$ | lr:^|$ | open:quill_$
Kites fly. So does [[Quill]].: l1:does | l2:so_does | l3:^_so_does | r1:. | r2:._$ | open:so_does
"""


def seen(line: str) -> set[str]:
    """What is seen beside the last mention of the name, with spaces as `_`."""
    doc, chosen = read(line)
    return {feature.replace(" ", "_") for feature in mention_features(doc, chosen.spans[-1], chosen.type)}


@pytest.mark.parametrize(("kind", "line"), CASES, ids=[line for _, line in CASES])
def test_the_nearest_word_before_a_name_governs_it(kind: str, line: str) -> None:
    assert f"gov:{kind}" in seen(line)


@pytest.mark.parametrize("case", SEEN.strip().splitlines())
def test_words_are_seen_with_their_side_and_their_distance(case: str) -> None:
    line, _, features = case.rpartition(": ")
    there, _, not_there = features.partition(" | ")
    assert {*there.split()} <= seen(line)
    assert not {*not_there.split()} & seen(line)


@pytest.mark.parametrize("case", BESIDE.strip().splitlines())
def test_the_neighbours_of_a_name_end_with_its_sentence(case: str) -> None:
    line, _, features = case.partition(": ")
    assert {*features.split(" | ")} <= seen(line)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("[[Quill]] flies. It lands. It sleeps. It wakes.", 1),
        ("It flies. [[Quill]] lands. It sleeps. It wakes.", 2),
        ("It flies. It lands. It sleeps. [[Quill]] wakes.", 4),
    ],
)
def test_the_place_of_a_mention_is_told_in_fifths_of_the_text(line: str, part: int) -> None:
    """The title is the first of the five sentences here."""
    assert f"where:{part}" in seen(line)


def test_a_mention_in_the_title_is_only_that() -> None:
    doc, chosen = read("Kites like Quill || It is [[Quill]].")
    first, last = chosen.spans
    assert mention_features(doc, first, "Method") == ["in-title"]
    assert "in-title" not in mention_features(doc, last, "Method")
    assert {"gov:-", "gov:-&Method"} <= set(mention_features(doc, last, "Method"))


#: Of a whole text: what is seen of the name as such.
WHOLE = [
    ("Quill: a kite || It is [[Quill]].", {"title:start::", "title-left:^", "n:1", "spread:1"}),
    ("A kite for Quill || It is [[Quill]].", {"title:in:$", "title-left:for"}),
    ("A Quill kite || It is [[Quill]].", {"title:in:kite", "title-left:a"}),
    ("[[Quill]] flies. It lands. It sleeps. It wakes.", {"first:1:Method", "last:1:Method", "n:1", "spread:1"}),
    ("[[Quill]] flies. It lands. Quill sleeps. It wakes.", {"first:1:Method", "last:3:Method", "n:2", "spread:2"}),
    ("It flies. It lands. It sleeps. [[Quill]] wakes.", {"first:4:Method", "last:4:Method", "n:1"}),
    ("[[Quill]] and Quill. Quill and Quill. Quill and Quill.", {"n:4", "spread:3", "first:1:Method", "last:3:Method"}),
    ("[[Quill]]. A Quill. A Quill. A Quill. A Quill.", {"n:4", "spread:3"}),
    ("[[Quill]]. A Quill. A Quill.", {"n:3", "spread:3"}),
    ("It is [[PPO]].", {"lex:True", "type:Method&knownTrue", "defined:False"}),
    ("It is [[Quill]].", {"lex:False", "type:Method&knownFalse", "n:1&Method"}),
    ("It is [[PondSet]].", {"type:Dataset", "n:1&Dataset"}),
]


@pytest.mark.parametrize(("line", "features"), WHOLE, ids=[line for line, _ in WHOLE])
def test_a_name_is_seen_in_the_title_and_across_the_text(line: str, features: set[str]) -> None:
    doc, chosen = read(line)
    assert features <= set(entity_features(doc, chosen, 2))


@pytest.mark.parametrize(("others", "few"), [(0, 0), (5, 5), (6, 6), (40, 6)])
def test_how_many_others_there_are_is_counted_up_to_six(others: int, few: int) -> None:
    doc, chosen = read("It is [[Quill]].")
    assert f"few:{few}" in entity_features(doc, chosen, others)


def test_everything_that_is_seen_of_a_name_goes_into_its_role() -> None:
    doc, chosen = read("Kites || We propose [[Quill]]. It uses Quill.")
    whole, *beside = role_columns(doc, chosen, 1, match_patterns(doc, chosen))
    assert hash_features(["bias", "gov:introduce", "gov:use", "said:introduces"]) <= whole
    assert len(beside) == 2
    assert hash_features(["gov:introduce"]) <= beside[0]
    assert hash_features(["gov:use"]) <= beside[1]
    assert not hash_features(["bias", "gov:introduce", "said:introduces"]) & beside[1]


# What is said in so many words


def test_a_model_that_is_improved_upon_is_beaten_and_not_extended() -> None:
    for name, roles_said in (("Quill", {"extends"}), ("GPT-4", set[str]())):
        assert match_patterns(*read(f"It improves upon [[{name}]].")).roles == roles_said


def test_the_words_before_a_name_in_a_title_introduce_nothing() -> None:
    told = match_patterns(*read("Why we propose Quill || It is [[Quill]]."))
    assert [*told.beside.values()] == [set(), set()]


@pytest.mark.parametrize(("behind", "mentioned"), [("(PPO)", True), (", PPO, here", False)])
def test_a_short_form_in_brackets_is_no_mention_of_its_own(behind: str, mentioned: bool) -> None:
    """Where every mention says that a thing is not needed, it is only mentioned."""
    doc, chosen = read(f"Kites || It does not require [[Proximal Policy Optimization]] {behind}.")
    (_, end), short = chosen.spans[0], doc.words.index("PPO")
    assert short == end + 1
    both = replace(chosen, spans=[*chosen.spans, (short, short + 1)])
    assert ("mentions" in match_patterns(doc, both).roles) is mentioned


def test_what_carries_a_role_stands_in_the_abstract_before_the_title() -> None:
    doc, chosen = read("Quill: a kite || Here is a kite. It is [[Quill]].")
    found = next(predict_roles(doc, chosen, 1, shipped_model("roles", len(ROLE_LABELS)), ("introduces",)))
    assert [chosen.spans[n][0] < doc.title_tokens for n in found.spans] == [False, True]


# What is known, and who is beaten


OWN = "Proximal Policy Optimization Algorithms || "


@pytest.mark.parametrize("line", ["It was time for [[PPO]], a new method.", "This is [[PPO]], which we call new."])
def test_a_thing_is_new_in_the_paper_that_introduced_it_and_in_no_other(line: str) -> None:
    """Whether the title of the other paper stands before or behind it in the alphabet."""
    chance = {}
    for title in (OWN, "A kite for delay || ", "Zooming out of delay || "):
        doc, chosen = read(title + line)
        found = next(
            predict_roles(doc, chosen, 1, shipped_model("roles", len(ROLE_LABELS)), ("introduces", "mentions"))
        )
        chance[title] = found.confidence if found.role == "introduces" else 1 - found.confidence
    own, *others = chance.values()
    assert all(own > other for other in others)


@pytest.mark.parametrize(
    ("line", "beaten"),
    [
        ("It outperforms a kite of wood and of paper and of glue, and [[PPO]].", True),
        ("It is not heavy, flies in wind and rain of any kind, lands where it should and outperforms [[PPO]].", True),
        ("It is not better than [[PPO]].", False),
        ("It outperforms kites. It also compares with [[PPO]].", False),
        ("[[PPO]] is clearly outperformed by our kite.", True),
        ("[[PPO]] is compared to our kite.", False),
    ],
)
def test_only_who_is_claimed_to_be_beaten_in_its_own_sentence_is(line: str, beaten: bool) -> None:
    doc, chosen = read(line)
    told = predict_roles(doc, chosen, 1, shipped_model("roles", len(ROLE_LABELS)), ("comparesTo",))
    assert ("outperforms" in [found.role for found in told]) is beaten
