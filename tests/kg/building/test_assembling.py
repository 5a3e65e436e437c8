"""The graph holds what the extractions hold, with all evidence, whatever their order."""

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
    """A small graph made by hand, and the graph of the examples as it is really built."""
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


def test_mentions_of_one_paper_never_overlap_so_that_each_has_its_own_id(
    any_graph: KnowledgeGraph,
) -> None:
    for one, other in zip(any_graph.mentions, any_graph.mentions[1:], strict=False):
        assert one.paper != other.paper or one.end <= other.start
    assert len(any_graph.mention_by_id) == len(any_graph.mentions)


def test_every_relation_is_proved_by_mentions_of_its_entity_in_its_paper(
    any_graph: KnowledgeGraph,
) -> None:
    for relation in any_graph.relations:
        assert relation.role in ROLES
        assert relation.evidence
        evidence = [any_graph.mention_by_id[m] for m in relation.evidence]
        assert {(m.paper, m.entity) for m in evidence} == {(relation.paper, relation.entity)}
        assert 0 <= relation.confidence <= 1


def test_every_link_is_proved_by_mentions_of_its_entity_in_the_citing_paper(
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


def test_every_entity_that_is_spoken_of_is_there_and_so_is_its_family(
    any_graph: KnowledgeGraph,
) -> None:
    spoken = {m.entity for m in any_graph.mentions} | {r.entity for r in any_graph.relations}
    families = {e.family for e in any_graph.entities if e.family}
    assert spoken | families <= set(any_graph.entity_by_id)
    assert all(e.type in TYPES and e.types[0][0] == e.type for e in any_graph.entities)


def test_every_mentioned_entity_has_a_role_in_its_paper(any_graph: KnowledgeGraph) -> None:
    assert {(m.paper, m.entity) for m in any_graph.mentions} == {
        (r.paper, r.entity) for r in any_graph.relations
    }


def test_a_role_occurs_once_for_a_paper_and_an_entity(any_graph: KnowledgeGraph) -> None:
    claims = Counter((r.paper, r.role, r.entity) for r in any_graph.relations)
    assert set(claims.values()) == {1}


def test_the_evidence_of_a_claim_is_the_sentence_that_makes_it(graph: KnowledgeGraph) -> None:
    (uses,) = (r for r in graph.relations if r.role == "uses")
    assert [(e.mention.text, e.sentence) for e in graph.evidence(uses)] == [
        ("KS", "We use KS."),
        ("KS", "Nest is where we test KS."),
    ]


def test_the_graph_joins_papers_through_what_one_introduced(graph: KnowledgeGraph) -> None:
    assert [(k.citing, k.kind, k.cited, k.entity) for k in graph.links] == [
        ("b", "usesMethodIn", "a", "kite-search")
    ]


def test_a_claim_is_as_sure_as_extraction_says(graph: KnowledgeGraph) -> None:
    sure = {(r.paper, r.role): r.confidence for r in graph.relations}
    assert sure["a", "introduces"] == 1.0
    assert sure["b", "uses"] == 0.75


def test_a_sentence_is_the_name_itself_where_the_sentences_cut_it() -> None:
    one = named(FIRST.text, "Kite Search")
    cut = Extraction(FIRST, ((0, 4), (4, len(FIRST.text))), (one,))
    assert assemble([cut], LEXICON, RUN).mentions[0].sentence == (0, 11)


def test_two_names_of_one_entity_in_one_paper_give_its_surer_role() -> None:
    both = make_extraction(
        SECOND,
        named(SECOND.text, "KS", uses=0.5),
        named(SECOND.text, "Kites", name_key="ks", uses=0.9),
    )
    (uses,) = assemble([both], LEXICON, RUN).relations
    assert (uses.confidence, uses.evidence) == (0.9, ("b_m0",))


def test_a_built_graph_is_wrapped_for_users(graph: KnowledgeGraph) -> None:
    assert type(graph) is KnowledgeGraph
    assert (
        repr(Graph.wrap(graph))
        == "<Graph: 2 papers, 4 entities, 9 mentions, 6 relations, 1 links, 0 stubs, 0 introductions, 0 results>"
    )


def test_the_order_of_the_extractions_does_not_change_the_graph(graph: KnowledgeGraph) -> None:
    assert assemble(extractions()[::-1], LEXICON, RUN) == graph


def test_no_papers_make_an_empty_graph() -> None:
    empty = assemble([], LEXICON, RUN)
    assert not any((empty.papers, empty.entities, empty.mentions, empty.relations, empty.links))


def test_the_digest_depends_on_the_content_of_papers_but_not_on_their_order() -> None:
    papers = [FIRST, SECOND, Paper("c", "C", "c", sources=(Source("x", 1),))]
    shuffled = random.Random(1).sample(papers, 3)
    assert input_digest(papers) == input_digest(shuffled)
    assert input_digest(papers) != input_digest(papers[:2])
    assert input_digest([FIRST]) != input_digest(
        [Paper("a", FIRST.title, FIRST.abstract + ".", "2023")]
    )
