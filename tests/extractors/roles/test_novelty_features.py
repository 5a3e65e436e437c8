"""Novelty features: each is a fact about the name, joined with whether the lexicon has the name.

The name is in `[[ ]]`; a title, where it matters, precedes ` || `. A space is written as `_`.
"""

from __future__ import annotations

import pytest

from citekg.extractors.roles.joint import match_jointly
from citekg.extractors.roles.novelty_features import novelty_features
from tests.extractors.roles.marked import marked_entity

SHAPES = """
It is [[sparse planning]].: lower
It is [[planning]].: lower-word
It is [[Patient Heron Search]].: title
It is [[Patient heron Search]].: words
It is [[PHS]].: upper
It is [[Kestrel]].: capital
It is [[KesNet]].: mixed
It is [[KesNet2]].: mixed-digits
"""
FACTS = """
Kites || We use a [[Kestrel Net]] (KN).: definition:False:True:none
Kites || We use a [[Kestrel Net]] (a net).: definition:False:False:none
Kestrel Net: A Kite || It is [[Kestrel Net]].: shape:title:start overlap:3
On a Kestrel Net || It is [[Kestrel Net]].: shape:title:inside
Sparse Kestrel Kites || It is [[Wide Heron Kestrel]].: overlap:1
Kites || It is [[KS Net]].: overlap:
Kites || We use an old [[Kestrel]].: article:a: article:a:own
Kites || It is fast with [[Kestrel]].: article:with: article:with:
Kites || Recent kites use [[Kestrel]].: about:others:
Kites || Kites use [[Kestrel]].: about:: order:before own-statement:False:none
Kites || We show two kites: [[Kestrel]].: colon:True:own
Kites || Kites such as [[Kestrel]] fly.: example:True:
Kites || Kites like [[Kestrel]] fly.: example:False:
Kites || It is compatible with [[Kestrel]].: possible:True:Method
Kites || [[Kestrel]] flies. We propose Heron.: order:before own-statement:True:none
Kites || We propose Heron with [[Kestrel]].: order:in orders:in
Kites || We propose Heron. [[Kestrel]] flies.: order:after orders:after:False
Kites || Use [[Kestrel]]. We propose it. Kestrel flies.: orders:after+before:True
Kites || It is a [[sampling loss]].: generic:True
Kites || It is [[Kestrel]].: generic:False listed: beside:1
"""


def features(line: str) -> set[str]:
    doc, accepted = marked_entity(line)
    return {feature.replace(" ", "_") for feature in novelty_features(doc, accepted, 1)}


@pytest.mark.parametrize("case", SHAPES.strip().splitlines())
def test_the_shape_feature_states_the_capitalisation_of_a_name(case: str) -> None:
    line, _, shape = case.rpartition(": ")
    assert f"shape:{shape}&known:False" in features(line)


@pytest.mark.parametrize("case", FACTS.strip().splitlines())
def test_the_text_around_a_name_determines_its_features(case: str) -> None:
    line, _, facts = case.partition(".: ")
    assert {f"{fact}&known:False" for fact in facts.split()} <= features(f"{line}.")


@pytest.mark.parametrize(
    ("title", "listed"),
    [
        ("node2vec: Scalable Feature Learning for Networks", "this"),
        ("Walks on Graphs", "other"),
    ],
)
def test_the_listed_feature_distinguishes_the_introducing_paper_from_others(
    title: str, listed: str
) -> None:
    assert f"listed:{listed}&known:True" in features(f"{title} || We use [[node2vec]].")


def test_the_other_claimed_introductions_of_a_paper_are_counted() -> None:
    line = "We propose Heron and use Wren. We propose [[Kestrel]]."
    doc, kestrel = marked_entity(line)
    _, heron = marked_entity(line.replace("[[Kestrel]]", "Kestrel").replace("Heron", "[[Heron]]"))
    _, wren = marked_entity(line.replace("[[Kestrel]]", "Kestrel").replace("Wren", "[[Wren]]"))
    matches = match_jointly(doc, [kestrel, heron, wren])
    assert [match.introduced_beside for match in matches] == [1, 1, 2]
