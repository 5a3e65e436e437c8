"""Decisions are applied in every build; those that cannot be applied are reported."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.building.assembling import assemble
from citekg.building.pipeline import configuration_digest, make_pipeline
from citekg.curation.decisions import KINDS, Decision, Decisions, Split, apply_decisions, check
from citekg.curation.decisions.draft_graph import DraftGraph
from citekg.curation.decisions.kinds import Ban
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.schemas.errors import DecisionsError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Extraction, Link, Paper, Relation
from tests.kg.extractions import RUN, make_extraction, named

LEXICON = Lexicon.of([Entry("Wing", "Model"), Entry("Wing-2", "Model", family="Wing")])
SIGNED = {"author": "Ada", "date": "2026-01-31", "reason": "read the papers"}

KITES = Paper(
    "2401.10", "Kites", "Our Kite Search (KS) is new.\nIt beats Gliding and Wing-2 on Nest.", "2023"
)
TWINE = Paper(
    "2402.10",
    "Twine",
    "Knot Selection (KS) ties twine.\nWe test Knot Selection on Nest.",
    "2023-05",
)
BOTH = Paper("2403.10", "Kites and nests", "We use KS and kitesearch.\nNest trains Wing-2.", "2024")
LATER = Paper("2404.10", "More kites", "Kite Search, Gliding and Sailing, all on Nest.", "2025")


def corpus() -> list[Extraction]:
    return [
        make_extraction(
            KITES,
            named(KITES.text, "Kite Search", "KS", introduces=1.0),
            named(KITES.text, "Gliding", comparesTo=0.5, outperforms=0.5),
            named(KITES.text, "Wing-2", type_="Model", comparesTo=0.5),
            named(KITES.text, "Nest", type_="Benchmark", evaluatesOn=0.9),
        ),
        make_extraction(
            TWINE,
            named(TWINE.text, "Knot Selection", "KS", introduces=1.0),
            named(TWINE.text, "Nest", type_="Benchmark", evaluatesOn=0.9),
        ),
        make_extraction(
            BOTH,
            named(BOTH.text, "KS", uses=0.75),
            named(BOTH.text, "kitesearch", mentions=0.5),
            named(BOTH.text, "Nest", type_="Dataset", trainsOn=0.9),
            named(BOTH.text, "Wing-2", type_="Model", uses=0.5),
        ),
    ]


def later_extraction() -> Extraction:
    return make_extraction(
        LATER,
        named(LATER.text, "Kite Search", extends=0.9),
        named(LATER.text, "Gliding", comparesTo=0.9),
        named(LATER.text, "Sailing", comparesTo=0.9),
        named(LATER.text, "Nest", type_="Benchmark", evaluatesOn=0.9),
    )


def make_decision(kind: str, **values: object) -> Decision:
    return KINDS[kind](**(SIGNED | values))  # type: ignore[arg-type]


def built(
    *entries: Decision, found: list[Extraction] | None = None
) -> tuple[KnowledgeGraph, list[str]]:
    stale: list[str] = []
    decisions = Decisions(entries)
    check(decisions)
    return assemble(found or corpus(), LEXICON, RUN, decisions, stale.append), stale


def graph_after(*entries: Decision, found: list[Extraction] | None = None) -> KnowledgeGraph:
    """Return the graph after decisions that can all be applied."""
    graph, stale = built(*entries, found=found)
    assert stale == []
    return graph


def entity(graph: KnowledgeGraph, name: str) -> Entity:
    found = [e for e in graph.entities if e.name == name]
    assert len(found) == 1, [e.name for e in graph.entities]
    return found[0]


def names(graph: KnowledgeGraph) -> set[str]:
    return {e.name for e in graph.entities}


def roles(graph: KnowledgeGraph, paper: Paper, name: str) -> dict[str, Relation]:
    wanted = entity(graph, name).id
    return {r.role: r for r in graph.relations if (r.paper, r.entity) == (paper.id, wanted)}


def texts(graph: KnowledgeGraph, name: str) -> set[tuple[str, str]]:
    wanted = entity(graph, name).id
    return {(m.paper, m.text) for m in graph.mentions if m.entity == wanted}


def is_consistent(graph: KnowledgeGraph) -> bool:
    """Return whether all records refer only to records of the graph."""
    ids = set(graph.entity_by_id)
    claims: list[Relation | Link] = [*graph.relations, *graph.links]
    evidence = {mention_id for claim in claims for mention_id in claim.evidence}
    referenced = (
        {r.entity for r in graph.relations}
        | {m.entity for m in graph.mentions}
        | {k.entity for k in graph.links}
    )
    families = {e.family for e in graph.entities} - {""}
    return referenced | families <= ids and evidence <= set(graph.mention_by_id)


def test_without_decisions_the_senses_of_a_short_form_stay_separate() -> None:
    graph = graph_after()
    assert names(graph) >= {"Kite Search", "Knot Selection", "KS", "kitesearch"}


def test_a_merge_moves_mentions_roles_links_and_aliases_to_the_kept_name() -> None:
    merge = make_decision(
        "merge", names=("Kite Search", "kitesearch", "Gliding"), keep="kitesearch"
    )
    graph = graph_after(merge)
    kept = entity(graph, "kitesearch")
    assert {"Kite Search", "Gliding"} <= set(kept.aliases)
    assert not {"Kite Search", "Gliding"} & names(graph)
    assert texts(graph, "kitesearch") == {
        (KITES.id, "Kite Search"), (KITES.id, "KS"), (KITES.id, "Gliding"), (BOTH.id, "kitesearch"),
    }  # fmt: skip
    assert set(roles(graph, KITES, "kitesearch")) == {"introduces", "comparesTo", "outperforms"}
    assert [(k.citing, k.cited) for k in graph.links if k.entity == kept.id] == [
        (BOTH.id, KITES.id)
    ]
    assert kept.types == (("Method", 2),)
    assert is_consistent(graph)


def test_a_merge_within_a_paper_joins_equal_roles_with_their_evidence() -> None:
    graph = graph_after(make_decision("merge", names=("KS", "kitesearch"), keep="KS"))
    found = roles(graph, BOTH, "KS")
    assert set(found) == {"uses"}, "a background mention says nothing beside a use"
    graph = graph_after(
        make_decision("merge", names=("Gliding", "Wing-2"), keep="Gliding"),
    )
    assert len(roles(graph, KITES, "Gliding")["comparesTo"].evidence) == 2


def test_a_merged_entity_has_the_same_id_even_if_no_paper_uses_the_kept_name() -> None:
    merge = make_decision("merge", names=("Gliding", "Sailing"), keep="Sailing")
    without, _ = built(merge)
    with_it = graph_after(merge, found=[*corpus(), later_extraction()])
    assert entity(without, "Sailing").id == entity(with_it, "Sailing").id == "sailing"


def test_successive_merges_are_combined_in_any_order() -> None:
    first = make_decision("merge", names=("Kite Search", "kitesearch"), keep="kitesearch")
    second = make_decision("merge", names=("kitesearch", "Gliding"), keep="Gliding")
    assert graph_after(first, second) == graph_after(second, first)
    assert {"Kite Search", "kitesearch"} <= set(
        entity(graph_after(first, second), "Gliding").aliases
    )


def test_a_split_by_papers_creates_another_entity_only_in_these_papers() -> None:
    graph = graph_after(make_decision("split", name="Nest", into="Twine Nest", papers=(TWINE.id,)))
    assert texts(graph, "Twine Nest") == {(TWINE.id, "Nest")}
    assert texts(graph, "Nest") == {(KITES.id, "Nest"), (BOTH.id, "Nest")}
    assert entity(graph, "Twine Nest").aliases == ("Nest",)
    assert set(roles(graph, TWINE, "Twine Nest")) == {"evaluatesOn"}
    assert is_consistent(graph)


def test_a_split_may_join_an_existing_entity() -> None:
    graph = graph_after(make_decision("split", name="KS", into="Kite Search", papers=(BOTH.id,)))
    assert "KS" not in names(graph)
    assert [k.cited for k in graph.links if k.citing == BOTH.id and k.kind == "usesMethodIn"] == [
        KITES.id
    ]


def test_a_split_by_definition_applies_to_papers_with_this_definition() -> None:
    text = TWINE.text
    wrongly_one = [
        make_extraction(TWINE, named(text, "KS", "Knot Selection", introduces=1.0)),
        make_extraction(LATER, named("", "KS", uses=1.0)),
    ]
    split = make_decision("split", name="KS", into="Knotting", definition="knot selection")
    graph = graph_after(split, found=wrongly_one)
    assert texts(graph, "Knotting") == {(TWINE.id, "KS"), (TWINE.id, "Knot Selection")}
    assert entity(graph, "KS").aliases == ()
    assert [r.paper for r in graph.relations if r.entity == "ks"] == [LATER.id]


def test_splits_apply_to_merged_entities_and_merges_to_split_entities() -> None:
    merge = make_decision("merge", names=("Kite Search", "Knot Selection"), keep="Kite Search")
    graph, _ = built(
        merge, make_decision("split", name="Kite Search", into="Twining", papers=(TWINE.id,))
    )
    assert texts(graph, "Twining") == {(TWINE.id, "Knot Selection"), (TWINE.id, "KS")}
    split = make_decision("split", name="KS", into="Kiting", papers=(BOTH.id,))
    graph = graph_after(split, make_decision("merge", names=("Kiting", "Gliding"), keep="Gliding"))
    assert texts(graph, "Gliding") == {(KITES.id, "Gliding"), (BOTH.id, "KS")}


def test_decisions_on_the_old_name_do_not_apply_to_the_split_entity() -> None:
    split = make_decision("split", name="Gliding", into="Soaring", papers=(KITES.id,))
    graph, stale = built(
        split,
        make_decision("ban", name="Gliding"),
        make_decision("type", name="Soaring", type="Model"),
    )
    assert entity(graph, "Soaring").type == "Model"
    assert "Gliding is not in the graph" in stale[0]
    assert built(split, make_decision("type", name="Gliding", type="Dataset"))[0] == graph_after(
        split
    )


def test_a_split_of_all_mentions_removes_the_original_entity() -> None:
    graph = graph_after(make_decision("split", name="Gliding", into="Soaring", papers=(KITES.id,)))
    assert "Gliding" not in names(graph)


def test_a_type_decision_changes_the_entity_its_mentions_and_its_roles() -> None:
    graph = graph_after(make_decision("type", name="Nest", type="Method"))
    assert entity(graph, "Nest").types == (("Method", 3),)
    assert {m.type for m in graph.mentions if m.entity == "nest"} == {"Method"}
    assert set(roles(graph, BOTH, "Nest")) == {"uses"}, "trainsOn does not apply to a method"
    assert set(roles(graph_after(), BOTH, "Nest")) == {"trainsOn"}


def test_a_type_decision_may_refer_to_an_entity_by_its_alias() -> None:
    graph = graph_after(
        make_decision("alias", name="Nest", alias="The Nest"),
        make_decision("type", name="The Nest", type="Dataset"),
    )
    assert entity(graph, "Nest").type == "Dataset"


def test_a_role_decision_replaces_extracted_roles_and_has_mentions_as_evidence() -> None:
    graph = graph_after(make_decision("role", paper=BOTH.id, name="KS", role="extends"))
    found = roles(graph, BOTH, "KS")
    assert set(found) == {"extends"}
    assert found["extends"].confidence == 1.0
    assert [graph.mention_by_id[e].text for e in found["extends"].evidence] == ["KS"]


def test_several_role_decisions_for_one_paper_and_name_are_combined() -> None:
    entries = [
        make_decision("role", paper=KITES.id, name="Gliding", role=role)
        for role in ("extends", "comparesTo")
    ]
    assert set(roles(graph_after(*entries), KITES, "Gliding")) == {"extends", "comparesTo"}


def test_a_link_follows_from_a_decided_role() -> None:
    split = make_decision("split", name="KS", into="Kite Search", papers=(BOTH.id,))
    graph = graph_after(
        split, make_decision("role", paper=BOTH.id, name="Kite Search", role="extends")
    )
    assert ("extends", KITES.id) in [(k.kind, k.cited) for k in graph.links if k.citing == BOTH.id]


def test_a_ban_removes_the_entity_and_all_references_to_it() -> None:
    graph = graph_after(make_decision("ban", name="Nest"))
    assert "Nest" not in names(graph)
    assert is_consistent(graph)


def test_a_ban_in_given_papers_does_not_apply_to_other_papers() -> None:
    graph = graph_after(make_decision("ban", name="Nest", papers=(KITES.id, BOTH.id)))
    assert texts(graph, "Nest") == {(TWINE.id, "Nest")}


def test_a_ban_of_a_family_or_of_its_only_variant_removes_the_family() -> None:
    assert entity(graph_after(), "Wing-2").family == "wing"
    assert entity(graph_after(make_decision("ban", name="Wing")), "Wing-2").family == ""
    assert not {"Wing", "Wing-2"} & names(graph_after(make_decision("ban", name="Wing-2")))


def test_merging_a_variant_with_its_family_creates_no_cycle() -> None:
    graph = graph_after(make_decision("merge", names=("Wing", "Wing-2"), keep="Wing-2"))
    assert entity(graph, "Wing-2").family == ""
    assert is_consistent(graph)


def test_an_alias_is_added_and_an_entity_of_this_name_is_merged() -> None:
    graph = graph_after(make_decision("alias", name="Kite Search", alias="Kiting"))
    assert "Kiting" in entity(graph, "Kite Search").aliases
    graph = graph_after(make_decision("alias", name="Kite Search", alias="Gliding"))
    assert (KITES.id, "Gliding") in texts(graph, "Kite Search")


def test_occurrences_of_a_decided_alias_become_mentions() -> None:
    graph = graph_after(make_decision("alias", name="Knot Selection", alias="twine"))
    assert (TWINE.id, "twine") in texts(graph, "Knot Selection")
    assert [m.text for m in graph.mentions if m.paper == TWINE.id].count("twine") == 1
    assert is_consistent(graph)
    [spotted] = [m for m in graph.mentions if m.text == "twine"]
    assert (spotted.type, spotted.confidence, spotted.layer) == ("Method", 1.0, "decisions")
    assert TWINE.text[slice(*spotted.sentence)] == "Knot Selection (KS) ties twine."


@pytest.mark.parametrize("alias", ["Twin", "TWINE", "Knot", "ties Twine"])
def test_an_alias_does_not_match_parts_of_words_or_names_or_another_case(
    alias: str,
) -> None:
    graph = graph_after(make_decision("alias", name="Knot Selection", alias=alias))
    assert len(graph.mentions) == len(graph_after().mentions)


def test_a_paper_with_only_a_decided_alias_mentions_the_entity() -> None:
    graph = graph_after(make_decision("alias", name="Wing-2", alias="twine"))
    assert [
        r.role
        for r in graph.relations
        if (r.paper, r.entity) == (TWINE.id, entity(graph, "Wing-2").id)
    ] == ["mentions"]


def test_a_distinct_decision_does_not_change_separate_entities() -> None:
    assert graph_after(make_decision("distinct", names=("Kite Search", "Gliding"))) == graph_after()


def test_a_split_by_spellings_moves_their_mentions_and_copies_the_roles() -> None:
    joined = [
        make_extraction(KITES, named(KITES.text, "Kite Search", "Gliding", comparesTo=0.5)),
        make_extraction(BOTH, named(BOTH.text, "KS", "Wing-2", name_key="kite-search", uses=0.7)),
    ]
    split = make_decision("split", name="Kite Search", into="Gliding", spellings=("gliding",))
    graph = graph_after(split, found=joined)
    assert texts(graph, "Gliding") == {(KITES.id, "Gliding")}
    assert ("Gliding" in entity(graph, "Kite Search").aliases) is False
    assert {*roles(graph, KITES, "Gliding")} == {*roles(graph, KITES, "Kite Search")}
    for name in ("Gliding", "Kite Search"):
        (relation,) = roles(graph, KITES, name).values()
        found = {graph.mention_by_id[m].text for m in relation.evidence}
        assert found == ({"Gliding"} if name == "Gliding" else {"Kite Search"})


def test_a_paper_that_loses_its_evidence_in_a_split_still_mentions_the_entity() -> None:
    extraction = make_extraction(KITES, named(KITES.text, "Kite Search", "KS", uses=0.5))
    (only,) = extraction.entities
    (_, last) = ((("uses", 0.5, (n,)),) for n in range(2))
    found = [replace(extraction, entities=(replace(only, roles=last),))]
    spelling = KITES.text[slice(*only.spans[1])]
    graph = graph_after(
        make_decision("split", name="Kite Search", into="Other", spellings=(spelling,)), found=found
    )
    assert {*roles(graph, KITES, "Other")} == {"uses"}
    assert {*roles(graph, KITES, "Kite Search")} == {"mentions"}


def test_a_rename_changes_the_name_and_keeps_the_old_one_as_an_alias() -> None:
    graph = graph_after(make_decision("rename", name="Gliding", to="Gliding Flight"))
    assert entity(graph, "Gliding Flight").aliases == ("Gliding",)
    again = graph_after(make_decision("rename", name="Gliding", to="GLIDING"))
    assert entity(again, "GLIDING").id == entity(graph_after(), "Gliding").id


def test_a_rename_to_the_name_of_another_entity_merges_both() -> None:
    graph = graph_after(make_decision("rename", name="kitesearch", to="Kite Search"))
    assert "kitesearch" in entity(graph, "Kite Search").aliases


def test_other_decisions_may_use_either_name_of_a_rename() -> None:
    rename = make_decision("rename", name="Gliding", to="Soaring")
    for name in ("Gliding", "Soaring"):
        graph = graph_after(rename, make_decision("type", name=name, type="Model"))
        assert entity(graph, "Soaring").type == "Model"


def test_denying_a_role_removes_also_narrower_roles_but_not_broader_ones() -> None:
    denied = {"paper": KITES.id, "name": "Gliding"}
    graph = graph_after(make_decision("no-role", role="outperforms", **denied))
    assert {*roles(graph, KITES, "Gliding")} == {"comparesTo"}
    graph = graph_after(make_decision("no-role", role="comparesTo", **denied))
    (relation,) = roles(graph, KITES, "Gliding").values()
    assert (relation.role, len(relation.evidence)) == ("mentions", 1)


STALE = [
    (
        "split",
        {"name": "KS", "into": "X", "spellings": ("Kelp",)},
        "no paper spells KS as Kelp",
    ),
    ("rename", {"name": "Sailing", "to": "Sail"}, "Sailing is not in the graph"),
    ("rename", {"name": "Sailing", "to": "SAILING"}, "Sailing is not in the graph"),
    ("no-role", {"paper": KITES.id, "name": "Sailing", "role": "uses"}, "does not name Sailing"),
    (
        "merge",
        {"names": ("Kite Search", "Sailing"), "keep": "Kite Search"},
        "Sailing is not in the graph",
    ),
    (
        "split",
        {"name": "Nest", "into": "X", "papers": ("9999.1",)},
        "paper 9999.1 is not in the graph",
    ),
    ("split", {"name": "Sailing", "into": "X", "papers": (KITES.id,)}, "does not name Sailing"),
    (
        "split",
        {"name": "KS", "into": "X", "definition": "Kelp Soup"},
        "no paper defines KS as Kelp Soup",
    ),
    ("type", {"name": "Sailing", "type": "Method"}, "Sailing is not in the graph"),
    ("role", {"paper": KITES.id, "name": "Sailing", "role": "uses"}, "does not name Sailing"),
    (
        "role",
        {"paper": KITES.id, "name": "Gliding", "role": "trainsOn"},
        "trainsOn does not apply to Gliding",
    ),
    ("ban", {"name": "Sailing"}, "Sailing is not in the graph"),
    ("ban", {"name": "Sailing", "papers": (KITES.id,)}, "does not name Sailing"),
    ("alias", {"name": "Sailing", "alias": "Sail"}, "Sailing is not in the graph"),
]


@pytest.mark.parametrize(("kind", "values", "why"), STALE)
def test_a_stale_decision_is_reported_and_changes_nothing(
    kind: str, values: dict[str, object], why: str
) -> None:
    graph, stale = built(make_decision(kind, **values))
    assert graph == graph_after()
    assert len(stale) == 1
    assert why in stale[0]


def test_a_distinct_decision_for_names_of_one_entity_is_reported() -> None:
    found = [make_extraction(KITES, named(KITES.text, "Kite Search", "Gliding"))]
    _, stale = built(make_decision("distinct", names=("Kite Search", "Gliding")), found=found)
    assert "one entity" in stale[0]


def test_decisions_still_apply_with_more_papers_and_another_extraction() -> None:
    entries = [
        make_decision("merge", names=("Kite Search", "kitesearch"), keep="Kite Search"),
        make_decision("ban", name="Gliding"),
        make_decision("type", name="Nest", type="Dataset"),
    ]
    more = graph_after(*entries, found=[*corpus(), later_extraction()])
    assert "Gliding" not in names(more)
    assert entity(more, "Kite Search").id == entity(graph_after(*entries), "Kite Search").id
    assert entity(more, "Nest").type == "Dataset"
    again = [
        make_extraction(
            KITES,
            named(KITES.text, "Kite Search", uses=0.4),
            named(KITES.text, "Gliding", type_="Model"),
        ),
        make_extraction(
            BOTH, named(BOTH.text, "kitesearch"), named(BOTH.text, "Nest", type_="Model")
        ),
    ]
    graph = graph_after(*entries, found=again)
    assert names(graph) == {"Kite Search", "Nest"}
    assert entity(graph, "Nest").type == "Dataset"


_NAMES = st.sampled_from(
    [
        "Kite Search",
        "Knot Selection",
        "KS",
        "kitesearch",
        "Gliding",
        "Nest",
        "Wing",
        "Wing-2",
        "Sailing",
    ]
)
_PAPER_IDS = st.sampled_from([KITES.id, TWINE.id, BOTH.id, "9999.1"])
_PAPERS = st.lists(_PAPER_IDS, min_size=1, max_size=2, unique=True).map(tuple)


def _entry(kind: str, **values: st.SearchStrategy[object]) -> st.SearchStrategy[Decision]:
    return st.fixed_dictionaries(values).map(lambda values: make_decision(kind, **values))


def _splits_to_another_name(decision: Decision) -> bool:
    return not isinstance(decision, Split) or decision.name != decision.into


_NAME_LISTS = st.lists(
    _NAMES, min_size=2, max_size=3, unique_by=lambda n: n.casefold().replace(" ", "")
).map(tuple)
_ENTRIES = st.one_of(
    _NAME_LISTS.map(lambda pair: make_decision("merge", names=pair, keep=pair[0])),
    _NAME_LISTS.map(lambda pair: make_decision("distinct", names=pair)),
    _entry("split", name=_NAMES, into=st.sampled_from(["Other", "Another"]), papers=_PAPERS),
    _entry("type", name=_NAMES, type=st.sampled_from(["Method", "Benchmark", "Model", "Dataset"])),
    _entry(
        "role",
        paper=_PAPER_IDS,
        name=_NAMES,
        role=st.sampled_from(["uses", "mentions", "trainsOn"]),
    ),
    _entry("ban", name=_NAMES, papers=st.one_of(st.just(()), _PAPERS)),
    _entry("alias", name=_NAMES, alias=st.sampled_from(["Kiting", "Knotting"])),
    _entry(
        "split",
        name=_NAMES,
        into=st.sampled_from(["Other", "Gliding", "KS"]),
        spellings=st.lists(_NAMES, min_size=1, max_size=2, unique=True).map(tuple),
    ).filter(_splits_to_another_name),
    _entry("rename", name=_NAMES, to=st.sampled_from(["Kiting", "GLIDING", "nest"])),
    _entry("no-role", paper=_PAPER_IDS, name=_NAMES, role=st.sampled_from(["uses", "introduces"])),
)


@given(st.lists(_ENTRIES, max_size=5), st.randoms(use_true_random=False))
def test_the_graph_is_consistent_and_independent_of_the_order_of_any_decisions(
    entries: list[Decision], rng: random.Random
) -> None:
    try:
        graph, stale = built(*entries)
    except DecisionsError as error:
        message = str(error)
        with pytest.raises(DecisionsError) as again:
            built(*rng.sample(entries, len(entries)))
        assert str(again.value) == message
        return
    assert is_consistent(graph)
    assert len({e.id for e in graph.entities}) == len(graph.entities)
    assert len({(r.paper, r.role, r.entity) for r in graph.relations}) == len(graph.relations)
    shuffled = rng.sample(corpus(), 3)
    assert built(*rng.sample(entries, len(entries)), found=shuffled) == (graph, stale)


def _applied(entries: list[Decision]) -> list[Decision]:
    """Return the entries that do not contradict earlier entries and can be applied.

    A stale entry is left out because it might apply to the result of other entries.
    """
    applied: list[Decision] = []
    for entry in entries:
        try:
            _, stale = built(*applied, entry)
        except DecisionsError:
            continue
        if not stale:
            applied.append(entry)
    return applied


def _is_repeatable(entry: Decision) -> bool:
    """Return whether an entry refers to the same names again; a ban in papers may not."""
    return not isinstance(entry, Split) and not (isinstance(entry, Ban) and entry.papers)


@given(st.lists(_ENTRIES.filter(_is_repeatable), max_size=4))
def test_applying_decisions_twice_changes_nothing(entries: list[Decision]) -> None:
    applied = _applied(entries)
    graph = graph_after(*applied)
    facts = DraftGraph(
        frozenset(graph.paper_by_id), graph.entities, graph.mentions, graph.relations
    )
    again = apply_decisions(facts, Decisions(tuple(applied)), lambda _message: None)
    assert sorted(again.entities, key=lambda e: e.id) == list(graph.entities)
    assert sorted(again.mentions, key=lambda m: (m.paper, m.start)) == list(graph.mentions)
    assert sorted(again.relations, key=lambda r: (r.paper, r.entity, r.role)) == list(
        graph.relations
    )


def test_the_configuration_digest_depends_on_decisions_but_not_on_their_order() -> None:
    pipeline = make_pipeline()
    one, other = make_decision("ban", name="Nest"), make_decision("type", name="KS", type="Model")
    plain = configuration_digest(pipeline)
    assert configuration_digest(pipeline, Decisions((one, other))) == configuration_digest(
        pipeline, Decisions((other, one, one))
    )
    assert (
        len(
            {
                plain,
                configuration_digest(pipeline, Decisions((one,))),
                configuration_digest(pipeline, Decisions((other,))),
            }
        )
        == 3
    )
    assert configuration_digest(pipeline, Decisions()) == plain
