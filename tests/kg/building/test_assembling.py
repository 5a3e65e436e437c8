"""Assembling puts all extractions with their evidence into one graph, in any order."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from citekg.building.assembling import assemble, input_digest
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.graph.graph import Graph
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Extraction, Paper, Source
from citekg.schemas.vocabulary import LINKS, ROLES, TYPES
from tests.kg.extractions import RUN, make_extraction, named

LEXICON = Lexicon.of([Entry("Wing", "Model"), Entry("Wing-7B", "Model", family="Wing")])
EXAMPLES = Path(__file__).parents[3] / "examples" / "papers.jsonl"

FIRST = Paper("a", "Kite Search", "Kite Search (KS) is new.\nKS beats Wing-7B 🪁 on Nest.", "2023")
SECOND = Paper("b", "Kites again", "We use KS.\nNest is where we test KS.", "2024")


def extractions() -> list[Extraction]:
    return [
        make_extraction(
            FIRST,
            named(FIRST.text, "Kite Search", "KS", introduces=1.0),
            named(FIRST.text, "Wing-7B", type_="Model", comparesTo=0.5, outperforms=0.5),
            named(FIRST.text, "Nest", type_="Benchmark", evaluatesOn=0.9),
        ),
        make_extraction(
            SECOND,
            named(SECOND.text, "KS", uses=0.75),
            named(SECOND.text, "Nest", type_="Dataset", evaluatesOn=1.0),
        ),
    ]


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return assemble(extractions(), LEXICON, RUN)


@pytest.fixture(params=["graph", "example_graph"])
def any_graph(request: pytest.FixtureRequest) -> KnowledgeGraph:
    """A small handmade graph, and the graph that is built from the example papers."""
    found: KnowledgeGraph = request.getfixturevalue(request.param)
    return found


def test_a_mention_is_a_slice_of_its_papers_text(any_graph: KnowledgeGraph) -> None:
    assert any_graph.mentions
    for mention in any_graph.mentions:
        text = any_graph.paper_by_id[mention.paper].text
        assert mention.text == text[mention.start : mention.end] != ""


def test_a_mention_lies_in_its_sentence(any_graph: KnowledgeGraph) -> None:
    for mention in any_graph.mentions:
        first, last = mention.sentence
        assert (
            0
            <= first
            <= mention.start
            < mention.end
            <= last
            <= len(any_graph.paper_by_id[mention.paper].text)
        )


def test_mentions_of_a_paper_do_not_overlap_and_have_unique_ids(
    any_graph: KnowledgeGraph,
) -> None:
    for one, other in zip(any_graph.mentions, any_graph.mentions[1:], strict=False):
        assert one.paper != other.paper or one.end <= other.start
    assert len(any_graph.mention_by_id) == len(any_graph.mentions)


def test_the_evidence_of_a_relation_is_mentions_of_its_entity_in_its_paper(
    any_graph: KnowledgeGraph,
) -> None:
    for relation in any_graph.relations:
        assert relation.role in ROLES
        assert relation.evidence
        evidence = [any_graph.mention_by_id[m] for m in relation.evidence]
        assert {(m.paper, m.entity) for m in evidence} == {(relation.paper, relation.entity)}
        assert 0 <= relation.confidence <= 1


def test_the_evidence_of_a_link_is_mentions_of_its_entity_in_the_citing_paper(
    any_graph: KnowledgeGraph,
) -> None:
    assert any_graph.links
    introduced = {(r.paper, r.entity) for r in any_graph.relations if r.role == "introduces"}
    introduced |= {(i.paper, i.entity) for i in any_graph.introductions}
    for link in any_graph.links:
        assert link.kind in LINKS
        assert link.citing != link.cited
        assert (link.cited, link.entity) in introduced
        evidence = [any_graph.mention_by_id[m] for m in link.evidence]
        assert {(m.paper, m.entity) for m in evidence} == {(link.citing, link.entity)}


def test_every_referenced_entity_and_family_is_in_the_graph(
    any_graph: KnowledgeGraph,
) -> None:
    referenced = {m.entity for m in any_graph.mentions} | {r.entity for r in any_graph.relations}
    families = {e.family for e in any_graph.entities if e.family}
    assert referenced | families <= set(any_graph.entity_by_id)
    assert all(e.type in TYPES and e.types[0][0] == e.type for e in any_graph.entities)


def test_every_mentioned_entity_has_a_role_in_its_paper(any_graph: KnowledgeGraph) -> None:
    assert {(m.paper, m.entity) for m in any_graph.mentions} == {
        (r.paper, r.entity) for r in any_graph.relations
    }


def test_each_role_of_a_paper_and_an_entity_occurs_once(any_graph: KnowledgeGraph) -> None:
    claims = Counter((r.paper, r.role, r.entity) for r in any_graph.relations)
    assert set(claims.values()) == {1}


def test_the_evidence_of_a_relation_is_its_mentions_with_their_sentences(
    graph: KnowledgeGraph,
) -> None:
    (uses,) = (r for r in graph.relations if r.role == "uses")
    assert [(e.mention.text, e.sentence) for e in graph.evidence(uses)] == [
        ("KS", "We use KS."),
        ("KS", "Nest is where we test KS."),
    ]


def test_a_paper_links_to_the_introducer_of_a_method_that_it_uses(graph: KnowledgeGraph) -> None:
    assert [(k.citing, k.kind, k.cited, k.entity) for k in graph.links] == [
        ("b", "usesMethodIn", "a", "kite-search")
    ]


def test_relations_keep_the_confidence_of_the_extraction(graph: KnowledgeGraph) -> None:
    confidence = {(r.paper, r.role): r.confidence for r in graph.relations}
    assert confidence["a", "introduces"] == 1.0
    assert confidence["b", "uses"] == 0.75


def test_a_mention_across_a_sentence_boundary_is_its_own_sentence() -> None:
    one = named(FIRST.text, "Kite Search")
    cut = Extraction(FIRST, ((0, 4), (4, len(FIRST.text))), (one,))
    assert assemble([cut], LEXICON, RUN).mentions[0].sentence == (0, 11)


def test_the_more_confident_of_two_equal_roles_of_an_entity_is_kept() -> None:
    both = make_extraction(
        SECOND,
        named(SECOND.text, "KS", uses=0.5),
        named(SECOND.text, "Kites", name_key="ks", uses=0.9),
    )
    (uses,) = assemble([both], LEXICON, RUN).relations
    assert (uses.confidence, uses.evidence) == (0.9, ("b_m0",))


def test_the_repr_of_a_wrapped_graph_states_its_counts(graph: KnowledgeGraph) -> None:
    assert type(graph) is KnowledgeGraph
    assert (
        repr(Graph.wrap(graph))
        == "<Graph: 2 papers, 4 entities, 9 mentions, 6 relations, 1 links, 0 stubs, 0 introductions, 0 results>"
    )


def test_the_graph_does_not_depend_on_the_order_of_the_extractions(graph: KnowledgeGraph) -> None:
    assert assemble(extractions()[::-1], LEXICON, RUN) == graph


def test_no_papers_make_an_empty_graph() -> None:
    empty = assemble([], LEXICON, RUN)
    assert not any((empty.papers, empty.entities, empty.mentions, empty.relations, empty.links))


def test_the_input_digest_depends_on_the_papers_but_not_on_their_order() -> None:
    papers = [FIRST, SECOND, Paper("c", "C", "c", sources=(Source("x", 1),))]
    shuffled = random.Random(1).sample(papers, 3)
    assert input_digest(papers) == input_digest(shuffled)
    assert input_digest(papers) != input_digest(papers[:2])
    assert input_digest([FIRST]) != input_digest(
        [Paper("a", FIRST.title, FIRST.abstract + ".", "2023")]
    )
