"""The records of a graph as collections: filtered, sliced, shown, and still tuples."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict, replace
from html.parser import HTMLParser
from typing import Any

import pytest

from citekg.graph.graph import Graph
from citekg.graph.record_sets import (
    Citations,
    Entities,
    Introductions,
    Links,
    Mentions,
    Papers,
    Relations,
    Results,
)
from citekg.schemas.errors import FilterError, UnknownName
from citekg.schemas.records import Entity, Link, Paper, Relation
from citekg.schemas.vocabulary import LINKS, ROLES, TYPES
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, STUB, changed_graph, sample_graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return changed_graph(sample_graph())


def test_collections_are_tuples_equal_to_those_of_the_plain_graph(graph: Graph) -> None:
    plain = sample_graph()
    for name in (
        "papers",
        "stubs",
        "entities",
        "mentions",
        "relations",
        "links",
        "introductions",
        "citations",
    ):
        collection = getattr(graph, name)
        assert isinstance(collection, tuple)
        assert collection == getattr(plain, name)
        assert hash(collection) == hash(getattr(plain, name))


def test_a_slice_has_the_same_class_and_can_be_filtered(graph: Graph) -> None:
    first = graph.relations[:4]
    assert type(first) is Relations
    assert len(first) == 4
    assert first[0] == graph.relations[0]
    assert set(first.where(role="uses")) == {r for r in first if r.role == "uses"}


def test_chained_filters_keep_the_class_and_their_order_does_not_matter(
    graph: Graph,
) -> None:
    one = graph.relations.where(role=("uses", "extends")).where(min_confidence=0.8)
    other = graph.relations.where(min_confidence=0.8).where(role=("uses", "extends"))
    assert type(one) is Relations
    assert one == other == graph.relations.where(role=("uses", "extends"), min_confidence=0.8)
    assert {r.role for r in one} == {"uses", "extends"}


def test_where_without_arguments_returns_all_records(graph: Graph) -> None:
    for collection in (
        graph.papers,
        graph.entities,
        graph.relations,
        graph.links,
        graph.introductions,
        graph.citations,
    ):
        assert collection.where() == collection


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"since": "2024-02"}, [NEST, FLEDGE]),
        ({"since": 2024}, [QUILL, NEST, FEATHERS, FLEDGE]),
        ({"until": 2024}, [QUILL, NEST, FEATHERS]),
        ({"until": "2024-01"}, [QUILL, FEATHERS]),
        ({"since": "2024-01-02", "until": "2024-01-02"}, [QUILL]),
        ({"venue": "feathers"}, [QUILL]),
        ({"author": "bo \\ LI"}, [QUILL, NEST]),
        ({"text": "related work"}, [FEATHERS]),
        ({"text": "NESTBENCH", "since": 2025}, [FLEDGE]),
        ({"venue": "no such venue"}, []),
    ],
)
def test_papers_are_found_by_date_venue_author_and_text(
    graph: Graph, asked: dict[str, str], found: list[Paper]
) -> None:
    assert graph.papers.where(**asked) == tuple(p for p in graph.papers if p in found)


def test_date_filters_exclude_papers_without_a_date(graph: Graph) -> None:
    undated = changed_graph(graph, papers=(*graph.papers, Paper("x", "Undated", "No date.")))
    assert "x" not in {
        p.id for p in (*undated.papers.where(since=1900), *undated.papers.where(until=2999))
    }


@pytest.mark.parametrize("wrong", ["last year", "2024-1", "24", "", "2024-01-02T00:00"])
def test_an_invalid_date_is_rejected(graph: Graph, wrong: str) -> None:
    for asked in ({"since": wrong}, {"until": wrong}):
        with pytest.raises(FilterError, match="is not a date: write 2025"):
            graph.papers.where(**asked)


def test_entities_are_found_by_type_name_family_and_number_of_papers(graph: Graph) -> None:
    def names(**asked: Any) -> set[str]:
        return {e.name for e in graph.entities.where(**asked)}

    assert names(type="Dataset") == {"FeatherSet"}
    assert names(type=["Dataset", "Model"], name="qwen2.5-vl") == {"Qwen2.5-VL", "Qwen2.5-VL-7B"}
    assert names(name="proximal policy") == {"PPO"}
    assert names(family="Qwen2.5") == {"Qwen2.5-VL"}
    assert names(family=graph.find("Qwen2.5-VL")) == {"Qwen2.5-VL-7B"}
    assert names(min_papers=4) == {"Quill"}


def test_relations_are_found_by_paper_role_entity_type_and_confidence(graph: Graph) -> None:
    def reported(**asked: Any) -> set[tuple[str, str, str]]:
        return {(r.paper, r.role, r.entity) for r in graph.relations.where(**asked)}

    assert reported(entity="Quill", role="uses") == {(NEST.id, "uses", "quill")}
    assert reported(entity="proximal policy optimization", paper=QUILL) == {
        (QUILL.id, "extends", "ppo"),
        (QUILL.id, "outperforms", "ppo"),
    }
    assert reported(type="Dataset", role="introduces") == {
        (FEATHERS.id, "introduces", "featherset")
    }
    assert reported(paper=graph.papers.where(since=2025), type="Benchmark") == {
        (FLEDGE.id, "evaluatesOn", "nestbench")
    }
    assert reported(paper="fledge", min_confidence=0.85) == {(FLEDGE.id, "extends", "quill")}
    assert reported(entity=[]) == set()


def test_mentions_and_links_are_filtered_by_their_fields(graph: Graph) -> None:
    doubted = graph.mentions.where(entity="Quill", type=("Model", "Benchmark"))
    assert type(doubted) is Mentions
    assert {(m.paper, m.type) for m in doubted} == {(QUILL.id, "Model"), (FLEDGE.id, "Benchmark")}
    assert len(graph.mentions.where(paper=QUILL.arxiv_id, min_confidence=0.9)) == 6
    assert graph.mentions.where(layer="lexicon") == graph.mentions
    to_stub = graph.links.where(cited=STUB)
    assert type(to_stub) is Links
    assert [(k.citing, k.kind) for k in to_stub] == [(QUILL.id, "extends")]
    assert (
        len(graph.links.where(citing=[NEST, FLEDGE], kind="usesDataFrom", entity="NestBench")) == 1
    )
    assert len(graph.links.where(min_confidence=0.61)) == 0


def test_citations_and_introductions_are_filtered_by_their_fields(graph: Graph) -> None:
    assert type(graph.citations) is Citations
    assert [c.cited for c in graph.citations.where(citing=NEST)] == [QUILL.id]
    assert {c.citing for c in graph.citations.where(cited=QUILL.title)} == {NEST.id, FLEDGE.id}
    assert graph.citations.where(citing=QUILL, cited=NEST) == ()
    assert type(graph.introductions) is Introductions
    assert [i.paper for i in graph.introductions.where(entity="PPO", type="Method")] == [STUB.id]
    assert [i.paper for i in graph.introductions.where(type="Dataset")] == [FEATHERS.id]
    assert graph.introductions.where(paper=QUILL) == ()
    with pytest.raises(UnknownName, match="did you mean Fledge"):
        graph.citations.where(citing="Fledg")
    assert "Quill:" in graph.citations.where(citing=NEST)._repr_html_()


def test_results_are_filtered_by_their_fields(graph: Graph) -> None:
    score, rival, change = graph.results
    assert type(graph.results) is Results
    for found, where in (
        ((score, rival), {"metric": "accuracies"}),
        ((score, change), {"system": "Fledge"}),
        ((rival,), {"system": ["QUILL", "C++"]}),
        ((score,), {"versus": "quill", "kind": "score"}),
        ((change,), {"on": '"birds’ <nests>" & Co.\n'}),
        ((score, rival, change), {"on": "NestBench", "paper": FLEDGE}),
        ((score, rival), {"min_confidence": 0.5}),
    ):
        assert graph.results.where(**where) == found, where
    assert repr(graph.results[:1]) == "<1 result: 82.5\\% accuracy>"
    assert "&lt;nests&gt;" in graph.results._repr_html_()
    with pytest.raises(UnknownName, match="did you mean NestBench"):
        graph.results.where(on="NestBnch")
    with pytest.raises(FilterError, match="no kind is called 'rise': choose one of change, score"):
        graph.results.where(kind="rise")


def test_outperformances_are_found_by_winner_and_loser(graph: Graph) -> None:
    assert repr(graph.outperformances.where(loser="Quill")) == (
        "<1 outperformance: Fledge over Quill>"
    )
    assert graph.outperformances.where(winner="Quill") == ()
    assert len(graph.outperformances.where(paper=FLEDGE, min_confidence=0.5)) == 1


def test_unknown_values_of_filters_are_rejected(graph: Graph) -> None:
    with pytest.raises(
        FilterError,
        match="no type is called 'Methd': choose one of Benchmark, Dataset, Method, Model",
    ):
        graph.entities.where(type="Methd")
    with pytest.raises(FilterError, match="no role is called 'evaluates on'"):
        graph.relations.where(role=["uses", "evaluates on"])
    with pytest.raises(FilterError, match="no kind is called 'uses'"):
        graph.links.where(kind="uses")
    with pytest.raises(FilterError, match="no layer is called 'magic'"):
        graph.mentions.where(layer="magic")
    with pytest.raises(FilterError, match="no role is called 'use'"):
        graph.users_of("Quill", "use")
    with pytest.raises(UnknownName, match="did you mean Quill"):
        graph.relations.where(entity="Quil")
    with pytest.raises(UnknownName, match="did you mean Fledge"):
        graph.mentions.where(paper="Fledg")


def test_entities_can_be_filtered_by_a_custom_type_of_the_graph(graph: Graph) -> None:
    other = changed_graph(graph, entities=(*graph.entities, Entity("tp53", "TP53", "Gene")))
    assert [e.name for e in other.entities.where(type="Gene")] == ["TP53"]


def test_repr_is_short_and_summarizes_the_records(graph: Graph) -> None:
    assert repr(graph.entities[:2]) == "<2 entities: C#, C++>"
    assert repr(graph.papers.where(since=2025)) == "<1 paper: Fledge>"
    assert (
        repr(graph.relations.where(paper=NEST)) == "<4 relations: 2 uses, 1 trainsOn, 1 introduces>"
    )
    assert repr(graph.links) == "<6 links: 2 extends, 2 usesDataFrom, 1 usesMethodIn, …>"
    assert repr(graph.stubs) == "<1 paper: Proximal Policy Optimization Algorithms>"
    assert repr(graph.introductions) == "<2 introductions: FeatherSet, PPO>"
    assert repr(graph.links[:0]) == "<0 links>"
    assert (
        len(
            repr(
                changed_graph(
                    graph,
                    papers=[Paper("long", "word " * 99, "")],
                    relations=(),
                    links=(),
                    mentions=(),
                ).papers
            )
        )
        < 60
    )


def test_collections_of_a_copied_graph_refer_to_the_copy(graph: Graph) -> None:
    assert graph.citations  # cached in the graph on first access
    for made in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph), replace(graph)):
        assert made == graph
        assert made.relations.where(entity="Quill", role="uses")[0].paper == NEST.id
        assert made.relations._graph is made
        assert made.citations.where(citing=NEST)._graph is made
    assert asdict(graph)["papers"][0]["id"] == graph.papers[0].id


def test_neighbours_of_an_entity_are_papers_families_and_variants(graph: Graph) -> None:
    found = {(n.name, n.words, n.forward) for n in graph.neighbours("Quill")}
    assert (QUILL.title, "introduces", False) in found
    assert (FLEDGE.title, "compares with", False) in found
    assert len(found) == 5
    vl = {(n.name, n.words, n.forward) for n in graph.neighbours("Qwen2.5-VL")}
    assert vl == {("Qwen2.5", "is a variant of", True), ("Qwen2.5-VL-7B", "is a variant of", False)}
    known = graph.neighbours("PPO")
    assert (STUB.title, "introduces (known)", False) in {
        (n.name, n.words, n.forward) for n in known
    }


def test_neighbours_of_a_paper_are_its_entities_linked_papers_and_references(
    graph: Graph,
) -> None:
    for asked in (NEST, NEST.id, NEST.title.upper()):
        found = {(n.name, n.words, n.forward) for n in graph.neighbours(asked)}
        assert found == {
            ("NestBench", "introduces", True),
            ("Quill", "uses", True),
            ("强化学习", "uses", True),
            ("FeatherSet", "trains on", True),
            (QUILL.title, "uses a method in", True),
            (QUILL.title, "has in its references", True),
            (FEATHERS.title, "uses data from", True),
            (FLEDGE.title, "uses data from", False),
        }


def test_the_claim_of_a_neighbour_has_evidence(graph: Graph) -> None:
    (beside,) = (n for n in graph.neighbours("Quill") if n.words == "extends")
    assert isinstance(beside.claim, Relation | Link)
    assert [e.sentence for e in graph.evidence(beside.claim)] == ["Fledge builds on Quill."]


def test_neighbours_of_an_unknown_name_are_rejected_with_similar_names(graph: Graph) -> None:
    with pytest.raises(UnknownName, match="did you mean Quill"):
        graph.neighbours("Quil")
    with pytest.raises(UnknownName, match="did you mean NestBench, a benchmark of birds’ nests"):
        graph.neighbours("NestBench, a benchmark of bird nests")


def test_introducers_and_users_can_be_filtered_further(graph: Graph) -> None:
    assert type(graph.introducers("Quill")) is Papers
    assert graph.introducers(graph.find("Quill")).where(since=2025) == ()
    assert graph.users_of("Quill").where(min_confidence=0.85, role="extends")[0].paper == FLEDGE.id


def test_a_paper_introduces_nothing_that_a_paper_of_an_earlier_year_names(graph: Graph) -> None:
    assert [paper.id for paper in graph.introducers("Quill")] == [QUILL.id]
    papers = [replace(paper, date="2023") if paper == NEST else paper for paper in graph.papers]
    assert changed_graph(graph, papers=papers).introducers("Quill") == ()


class _TagCollector(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style"}

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>&amp;\"'</table>"


def test_html_tables_for_notebooks_escape_all_text(graph: Graph) -> None:
    hostile = changed_graph(
        graph,
        papers=[replace(p, title=HOSTILE, venue=HOSTILE) for p in graph.papers],
        entities=[replace(e, name=HOSTILE, aliases=(HOSTILE,)) for e in graph.entities],
        mentions=[replace(m, text=HOSTILE) for m in graph.mentions],
    )
    shown = (
        hostile, hostile.papers, hostile.entities, hostile.mentions, hostile.relations, hostile.links,
        hostile.citations, hostile.introductions,
        hostile.neighbours("quill"), graph.query("SELECT ?x { VALUES ?x { " + json.dumps(HOSTILE) + " } }"),
    )  # fmt: skip
    for one in shown:
        seen = _TagCollector(one._repr_html_())
        assert seen.tags == {"table", "caption", "tr", "th", "td"}
        assert "<img src=x onerror=" in seen.text


def test_a_notebook_shows_the_counts_of_a_graph(graph: Graph) -> None:
    text = _TagCollector(graph._repr_html_()).text
    for reported in ("Papers4and 1 stub", "Benchmarks3", "Quill (4)", "Relations19"):
        assert reported in text


def test_a_notebook_shows_the_first_ten_rows_and_the_total(graph: Graph) -> None:
    page = graph.mentions._repr_html_()
    assert page.count("<tr>") == 11
    assert "22 mentions, the first 10" in page
    numbers = graph.query("SELECT ?m { ?m a oa:Annotation } LIMIT 3")
    assert "3 rows<" in numbers._repr_html_()
    assert ">yes<" in graph.query("ASK {}")._repr_html_()


def test_empty_graphs_and_collections_are_shown_as_tables() -> None:
    empty = Graph.of(
        papers=(), entities=(), mentions=(), relations=(), links=(), run=sample_graph().run
    )
    for one in (empty, empty.papers, empty.entities.where(type="Method")):
        assert "<table>" in one._repr_html_()
    assert type(empty.entities) is Entities


def test_an_answer_has_a_short_repr_and_prints_as_a_table(graph: Graph) -> None:
    answer = graph.query("SELECT ?name { ?e a ckg:Dataset ; skos:prefLabel ?name }")
    assert repr(answer) == "<Answer: 1 row of name>"
    assert str(answer) + "\n" == answer.render()
    assert repr(graph.query("ASK {}")) == "<Answer: yes>"


def test_a_named_query_takes_values_as_keyword_arguments(graph: Graph) -> None:
    assert [row["name"] for row in graph.query("@top-methods", type="Dataset")] == ["FeatherSet"]


def test_docstrings_of_where_list_all_roles_types_and_kinds() -> None:
    for collection, words in ((Relations, ROLES), (Entities, TYPES), (Links, LINKS)):
        reported = (collection.where.__doc__ or "").replace(",", " ").replace(".", " ").split()
        assert {*words} <= {word.strip("`():") for word in reported}
