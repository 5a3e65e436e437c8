"""Links between papers follow from relations with entities that another paper introduces."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.inference.citation_links import introducers, is_later, links
from citekg.schemas.records import Introduction, Link, Paper, Relation
from citekg.schemas.vocabulary import LINKS, ROLES

TYPE_OF = {"kite": "Method", "wing": "Model", "nest": "Benchmark", "egg": "Dataset"}


def paper(name: str, date: str = "") -> Paper:
    return Paper(name, name, "text", date)


def relation(
    paper_id: str, role: str, entity: str, confidence: float = 0.8, *evidence: str
) -> Relation:
    return Relation(paper_id, role, entity, confidence, evidence or (f"{paper_id}_m0",))


def linked(papers: list[Paper], *relations: Relation) -> list[tuple[str, str, str, str]]:
    return [(k.citing, k.kind, k.cited, k.entity) for k in links(papers, relations, TYPE_OF)]


OLD, NEW = paper("old", "2023"), paper("new", "2024")


@pytest.mark.parametrize(
    ("role", "entity", "kind"),
    [
        ("uses", "kite", "usesMethodIn"),
        ("uses", "wing", "usesMethodIn"),
        ("uses", "nest", "usesDataFrom"),
        ("uses", "egg", "usesDataFrom"),
        ("evaluatesOn", "nest", "usesDataFrom"),
        ("evaluatesOn", "egg", "usesDataFrom"),
        ("trainsOn", "egg", "usesDataFrom"),
        ("extends", "kite", "extends"),
        ("extends", "egg", "extends"),
        ("comparesTo", "kite", "cites"),
        ("outperforms", "wing", "cites"),
        ("mentions", "nest", "cites"),
        ("evaluatesOn", "kite", "cites"),
    ],
)
def test_the_role_and_the_entity_type_determine_the_kind_of_link(
    role: str, entity: str, kind: str
) -> None:
    assert linked(
        [OLD, NEW], relation("old", "introduces", entity), relation("new", role, entity)
    ) == [("new", kind, "old", entity)]


def test_several_roles_give_a_link_of_each_kind_with_its_evidence() -> None:
    claims = [
        relation("old", "introduces", "kite"),
        relation("new", "uses", "kite", 0.5, "new_m2"),
        relation("new", "extends", "kite", 0.4, "new_m3"),
    ]
    for order in (claims, claims[::-1]):
        assert list(links([OLD, NEW], order, TYPE_OF)) == [
            Link("new", "extends", "old", "kite", 0.4, ("new_m3",)),
            Link("new", "usesMethodIn", "old", "kite", 0.5, ("new_m2",)),
        ]


@pytest.mark.parametrize(
    ("compares", "kinds"), [(0.7, ["extends"]), (0.8, ["extends"]), (0.9, ["extends", "cites"])]
)
def test_a_citation_is_kept_with_a_specific_link_only_if_it_is_more_confident(
    compares: float, kinds: list[str]
) -> None:
    claims = [
        relation("old", "introduces", "kite"),
        relation("new", "comparesTo", "kite", compares, "new_m1"),
        relation("new", "extends", "kite", 0.8, "new_m2"),
    ]
    for order in (claims, claims[::-1]):
        assert [k.kind for k in links([OLD, NEW], order, TYPE_OF)] == kinds


def test_the_most_confident_role_gives_the_evidence_of_a_link() -> None:
    claims = [
        relation("old", "introduces", "egg"),
        relation("new", "evaluatesOn", "egg", 0.4, "new_m1"),
        relation("new", "trainsOn", "egg", 0.9, "new_m2"),
    ]
    for order in (claims, claims[::-1]):
        assert [k.evidence for k in links([OLD, NEW], order, TYPE_OF)] == [("new_m2",)]


def test_a_paper_never_links_to_itself() -> None:
    assert (
        linked([OLD], relation("old", "introduces", "kite"), relation("old", "uses", "kite")) == []
    )


def test_a_paper_never_links_to_a_later_one() -> None:
    assert (
        linked([OLD, NEW], relation("new", "introduces", "kite"), relation("old", "uses", "kite"))
        == []
    )


def test_papers_of_unknown_date_are_linked() -> None:
    undated = paper("undated")
    assert linked(
        [OLD, undated], relation("undated", "introduces", "kite"), relation("old", "uses", "kite")
    )
    assert linked(
        [NEW, undated], relation("new", "introduces", "kite"), relation("undated", "uses", "kite")
    )


def test_an_entity_without_an_introducer_gives_no_link() -> None:
    assert (
        linked([OLD, NEW], relation("old", "uses", "kite"), relation("new", "extends", "kite"))
        == []
    )


def test_an_entity_that_two_papers_introduce_equally_gives_no_link() -> None:
    both = [relation("old", "introduces", "kite"), relation("new", "introduces", "kite")]
    assert introducers(both) == {"kite": ("new", "old")}
    assert linked([OLD, NEW, paper("third")], *both, relation("third", "uses", "kite")) == []


THIRD = paper("third", "2025")


@pytest.mark.parametrize(
    ("earlier", "confidence", "is_introduced"),
    [
        (paper("earlier", "2022"), 0.8, False),
        (paper("earlier", "2022-12"), 0.5, False),
        (paper("earlier", "2022"), 0.4, True),  # a tentative relation
        (paper("earlier", "2023"), 0.8, True),  # the year of the claim
        (paper("earlier"), 0.8, True),  # an unknown year
    ],
)
def test_a_paper_does_not_introduce_what_a_paper_of_an_earlier_year_names(
    earlier: Paper, confidence: float, *, is_introduced: bool
) -> None:
    claims = [relation("old", "introduces", "kite"), relation("third", "uses", "kite")]
    naming = relation("earlier", "mentions", "kite", confidence)
    found = [link for link in linked([OLD, THIRD, earlier], *claims, naming) if link[0] == "third"]
    assert found == ([("third", "usesMethodIn", "old", "kite")] if is_introduced else [])


def test_a_claim_of_unknown_date_is_not_refuted() -> None:
    claims = [relation("undated", "introduces", "kite"), relation("old", "uses", "kite")]
    assert linked([OLD, paper("undated")], *claims)


def test_few_earlier_papers_among_many_may_mean_another_entity() -> None:
    papers = [paper(f"p{n}", "2024") for n in range(18)]
    claims = [
        relation("earlier", "uses", "kite"),
        relation("old", "introduces", "kite"),
        *(relation(one.id, "uses", "kite") for one in papers),
    ]
    earlier = paper("earlier", "2022")
    assert not linked([earlier, OLD, *papers], *claims)
    more = relation("third", "uses", "kite")
    assert len(linked([earlier, OLD, *papers, THIRD], *claims, more)) == 19


def test_a_known_introduction_is_never_refuted() -> None:
    claims = [relation("earlier", "uses", "kite"), relation("new", "uses", "kite")]
    known = [Introduction("old", "kite")]
    found = links([paper("earlier", "2022"), OLD, NEW], claims, TYPE_OF, known)
    assert [(k.citing, k.cited) for k in found] == [("new", "old")]


def test_a_much_more_confident_introduction_determines_the_introducer() -> None:
    claims = [
        relation("old", "introduces", "kite", 0.9),
        relation("new", "introduces", "kite", 0.3),
    ]
    assert linked([OLD, NEW], *claims) == [("new", "cites", "old", "kite")]


def test_an_introduction_with_low_confidence_is_ignored() -> None:
    claims = [relation("old", "introduces", "kite", 0.4), relation("new", "uses", "kite")]
    assert introducers(claims) == {}
    assert linked([OLD, NEW], *claims) == []


def test_two_entities_of_one_paper_give_two_links() -> None:
    introduced = [relation("old", "introduces", e) for e in ("kite", "egg")]
    used = [relation("new", "uses", e) for e in ("kite", "egg")]
    assert sorted(linked([OLD, NEW], *introduced, *used)) == [
        ("new", "usesDataFrom", "old", "egg"),
        ("new", "usesMethodIn", "old", "kite"),
    ]


@pytest.mark.parametrize(
    ("one", "other", "later"),
    [
        ("2024", "2023", True),
        ("2023", "2024", False),
        ("2024-05", "2024-04-30", True),
        ("2024-05", "2024", False),
        ("2024", "2024-05", False),
        ("2024-05-02", "2024-05-01", True),
        ("2024-05-01", "2024-05-01", False),
        ("", "2024", False),
        ("2024", "", False),
        ("", "", False),
    ],
)
def test_dates_are_compared_at_their_common_precision(one: str, other: str, later: bool) -> None:
    assert is_later(one, other) is later


claims = st.lists(
    st.builds(
        Relation,
        paper=st.sampled_from("abc"),
        role=st.sampled_from(list(ROLES)),
        entity=st.sampled_from(["kite", "egg"]),
        confidence=st.sampled_from([0.2, 0.5, 0.8]),
        evidence=st.sampled_from([("m1",), ("m2",)]),
    ),
    max_size=24,
    unique_by=lambda r: (r.paper, r.role, r.entity),
)
dates = st.lists(st.sampled_from(["", "2023", "2024", "2024-05"]), min_size=3, max_size=3)


@given(claims, dates, st.integers(0, 99))
def test_links_satisfy_all_rules_and_do_not_depend_on_the_order(
    found: list[Relation], known: list[str], seed: int
) -> None:
    papers = [paper(name, date) for name, date in zip("abc", known, strict=True)]
    found_links = set(links(papers, found, TYPE_OF))
    assert found_links == set(
        links(papers[::-1], random.Random(seed).sample(found, len(found)), TYPE_OF)
    )
    date_of = {p.id: p.date for p in papers}
    for one in found_links:
        assert one.citing != one.cited
        assert not is_later(date_of[one.cited], date_of[one.citing])
        assert introducers(found)[one.entity] == (one.cited,)
        assert any(
            r.evidence == one.evidence
            for r in found
            if (r.paper, r.entity) == (one.citing, one.entity)
        )
        assert one.kind in LINKS
    assert len({(k.citing, k.entity, k.kind) for k in found_links}) == len(found_links)
