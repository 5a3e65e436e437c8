"""Listed introductions: listed papers that are not in the corpus are added as stubs."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from citekg.building.assembling import assemble
from citekg.curation.decisions import read_decisions
from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions
from citekg.exports import write
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.known_introductions import (
    KnownPaper,
    read_introductions,
    shipped_introductions,
)
from citekg.graph.graph import Graph
from citekg.inference.citation_links import introducers, is_later, links
from citekg.inference.known_introductions import KnownIntroductions
from citekg.inference.link_conditions import linkable, plain_entities
from citekg.schemas.errors import LexiconError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import key, slug
from citekg.schemas.plugins import EvidenceLevel, ExportOptions
from citekg.schemas.records import Entity, Extraction, Introduction, Link, Paper
from citekg.sources.join_keys import folded_title
from citekg.storage.graph_files import READERS, load_graph
from citekg.validation.validate import validate, validate_graph
from tests.kg.extractions import RUN, make_extraction, named

LEXICON = Lexicon.of([Entry("Kite Search", "Method", ("KS",)), Entry("NestBench", "Benchmark")])
KITE = KnownPaper("Searching with Kites", "2020", "2001.00001")
NEST = KnownPaper("A Nest of Tasks", "2021", "")
KNOWN = {key("Kite Search"): KITE, key("NestBench"): NEST}

USER = Paper("user", "Feathers", "We use KS.\nTested on NestBench.", "2023")
SOURCE = Paper("source", "Searching with kites", "Kite Search is new.", "2020")


def user(paper: Paper = USER) -> Extraction:
    kite = named(paper.text, "KS", name_key=key("Kite Search"), uses=1.0)
    return make_extraction(
        paper, kite, named(paper.text, "NestBench", type_="Benchmark", evaluatesOn=1.0)
    )


def built(
    *found: Extraction, known: dict[str, KnownPaper] = KNOWN, decisions: Decisions = NO_DECISIONS
) -> KnowledgeGraph:
    return assemble(found, LEXICON, RUN, decisions, introduced_in=known)


def test_entities_without_an_introducer_in_the_corpus_link_to_stubs() -> None:
    graph = built(user())
    kite, nest = graph.stubs
    assert (kite.id, kite.title, kite.date, kite.arxiv_id) == (
        "2001.00001",
        "Searching with Kites",
        "2020",
        "2001.00001",
    )
    assert (nest.title, nest.abstract, nest.sources) == ("A Nest of Tasks", "", ())
    assert graph.links == (
        Link("user", "usesMethodIn", kite.id, "kite-search", 1.0, ("user_m16",)),
        Link("user", "usesDataFrom", nest.id, "nestbench", 1.0, ("user_m30",)),
    )
    assert [e.sentence for k in graph.links for e in graph.evidence(k)] == [
        "We use KS.",
        "Tested on NestBench.",
    ]


def test_a_stub_is_not_a_paper_of_the_corpus() -> None:
    graph = Graph.wrap(built(user()))
    assert [p.id for p in graph.papers] == ["user"]
    assert [r.paper for r in graph.relations] == ["user", "user"]
    counted = graph.query("SELECT (COUNT(?p) AS ?n) { ?p a schema:ScholarlyArticle }")
    assert [*counted] == [{"n": 1}]
    assert len(graph.query("SELECT ?p { ?p a ckg:StubPaper ; ckg:introduces ?e }")) == 2
    assert len(graph.query("SELECT ?p { ?p schema:mentions ?e }")) == 2


def test_only_entities_that_the_corpus_names_have_stubs() -> None:
    only = named(USER.text, "KS", name_key=key("Kite Search"), uses=1.0)
    assert [p.title for p in built(make_extraction(USER, only)).stubs] == [KITE.title]
    assert built().stubs == ()


@pytest.mark.parametrize("listed", [Paper("x1", "Other Title", "", arxiv_id="2001.00001"), SOURCE])
def test_a_listed_paper_that_is_in_the_corpus_is_the_introducer(listed: Paper) -> None:
    paper = Paper(listed.id, listed.title, "Kite Search is new.", "2020", arxiv_id=listed.arxiv_id)
    graph = built(user(), make_extraction(paper, named(paper.text, "Kite Search", mentions=1.0)))
    assert [p.title for p in graph.stubs] == [NEST.title]
    assert (paper.id, "introduces") in {(r.paper, r.role) for r in graph.relations}
    assert [(k.citing, k.cited) for k in graph.links if k.entity == "kite-search"] == [
        ("user", paper.id)
    ]


def test_a_listed_paper_introduces_an_entity_that_its_text_does_not_name() -> None:
    silent = Paper("source", SOURCE.title, "Something else.", "2020")
    graph = built(user(), make_extraction(silent))
    assert Introduction("source", "kite-search") in graph.introductions
    assert {r.paper for r in graph.relations} == {"user"}
    assert [(k.citing, k.cited) for k in graph.links if k.entity == "kite-search"] == [
        ("user", "source")
    ]


def test_the_listed_paper_is_the_only_introducer_of_a_name_that_two_papers_claim() -> None:
    other = Paper("other", "Wind", "KS is ours.", "2022")
    graph = built(
        user(),
        make_extraction(SOURCE, named(SOURCE.text, "Kite Search", introduces=1.0)),
        make_extraction(
            other, named(other.text, "KS", name_key=key("Kite Search"), introduces=1.0)
        ),
    )
    assert introducers(graph.relations)["kite-search"] == ("source",)
    assert {k.cited for k in graph.links if k.entity == "kite-search"} == {"source"}


def test_the_list_overrides_an_introduction_extracted_from_another_paper() -> None:
    own = Paper("own", "Wind", "Kite Search is ours.", "2022")
    graph = built(user(), make_extraction(own, named(own.text, "Kite Search", introduces=1.0)))
    assert {(r.paper, r.role) for r in graph.relations if r.entity == "kite-search"} == {
        ("own", "uses"),
        ("user", "uses"),
    }
    assert {k.cited for k in graph.links if k.entity == "kite-search"} == {KITE.arxiv_id}


def test_a_paper_keeps_its_other_roles_if_the_list_refutes_its_introduction() -> None:
    own = Paper("own", "Wind", "Kite Search is ours.", "2022")
    found = named(own.text, "Kite Search", introduces=1.0, extends=0.7)
    graph = built(user(), make_extraction(own, found))
    assert [r.role for r in graph.relations if r.paper == "own"] == ["extends"]


def test_the_listed_paper_keeps_its_other_roles() -> None:
    found = named(SOURCE.text, "Kite Search", introduces=1.0, extends=0.7)
    roles = [r.role for r in built(make_extraction(SOURCE, found)).relations]
    assert sorted(roles) == ["extends", "introduces"]


def test_a_listed_method_does_not_apply_to_a_dataset_of_the_same_name() -> None:
    own = Paper("own", "Wind", "The Kite Search data set is ours.", "2022")
    data = named(own.text, "Kite Search", type_="Dataset", introduces=1.0)
    graph = built(make_extraction(own, data))
    assert [(r.paper, r.role) for r in graph.relations] == [("own", "introduces")]
    assert graph.stubs == ()


def test_a_paper_titled_with_a_listed_name_introduces_another_sense_of_it() -> None:
    own = Paper("own", "Kite Search: Codes for Pipes", "Kite Search is ours.", "2022")
    graph = built(user(), make_extraction(own, named(own.text, "Kite Search", introduces=1.0)))
    assert ("own", "introduces") in {(r.paper, r.role) for r in graph.relations}
    assert {(k.citing, k.cited) for k in graph.links if k.entity == "kite-search"} == {
        ("user", KITE.arxiv_id)
    }


def test_use_of_a_dataset_gives_no_link_to_the_paper_of_a_method_of_the_same_name() -> None:
    other = Paper("other", "Wind", "We test on KS.", "2022")
    data = named(other.text, "KS", name_key=key("Kite Search"), type_="Dataset", evaluatesOn=1.0)
    again = Paper("again", "Rain", USER.abstract, "2023")
    graph = built(user(), user(again), make_extraction(other, data))
    assert {k.citing for k in graph.links if k.entity == "kite-search"} == {"user", "again"}


def test_an_entity_of_the_lexicon_is_not_matched_to_the_list_by_its_aliases() -> None:
    paper = Paper("user", "Feathers", "We use NestBench, that is Kite Search.")
    found = make_extraction(paper, named(paper.text, "NestBench", "Kite Search", uses=1.0))
    assert built(found, known={key("Kite Search"): KITE}).stubs == ()


@pytest.mark.parametrize(
    "listed",
    [
        Paper("x1", "A Second Title", ""),
        Paper("x1", "Unlike", "", doi="10.48550/arXiv.2001.00001"),
        Paper("x1", "KiteBench: \u00c4 Bench", ""),
    ],
)
def test_a_listed_paper_is_matched_by_its_titles_or_its_doi(
    listed: Paper,
) -> None:
    known = KnownPaper("KiteBench: A Bench", "2020", "2001.00001", "A Second Title")
    assert known.is_paper(listed)
    assert not known.is_paper(Paper("x2", "Another Title", ""))
    found = KnownIntroductions.of({key("Kite Search"): known}, [listed])
    assert found.here == {"x1"}


def test_a_paper_never_links_to_a_later_stub() -> None:
    early = Paper("user", USER.title, USER.abstract, "2019-12")
    assert {k.entity for k in built(user(early)).links} == set()
    same_year = Paper("user", USER.title, USER.abstract, "2020-01")
    assert {k.entity for k in built(user(same_year)).links} == {"kite-search"}


def test_a_listed_paper_never_links_to_itself() -> None:
    graph = built(make_extraction(SOURCE, named(SOURCE.text, "Kite Search", uses=1.0)))
    assert graph.links == ()
    assert [(r.role, r.entity) for r in graph.relations] == [("introduces", "kite-search")]


def test_each_sense_of_a_name_has_its_own_introduction() -> None:
    lexicon = Lexicon.of([Entry("Orb", "Method"), Entry("Orb", "Model", sense="atoms")])
    known = KnownIntroductions.of({key("Orb"): KITE, key("Orb (atoms)"): NEST}, [], lexicon)
    orb = Entity("orb", "Orb", "Method")
    atoms = Entity(slug(key("Orb (atoms)")), "Orb", "Model")
    found = known.papers_of((orb, atoms))
    assert {entity: paper.title for entity, paper in found.items()} == {
        orb.id: KITE.title,
        atoms.id: NEST.title,
    }
    without_atoms = KnownIntroductions.of({key("Orb"): KITE}, [], lexicon)
    assert without_atoms.papers_of([atoms]) == {}


def test_an_entity_is_matched_to_the_list_by_a_long_alias_but_not_by_an_acronym() -> None:
    paper = Paper("user", "Feathers", "We use Kites, that is Kite Search or KS.")
    found = make_extraction(paper, named(paper.text, "Kites", "Kite Search", "KS", uses=1.0))
    (entity,) = built(found).entities
    assert (entity.name, entity.aliases) == ("Kites", ("KS", "Kite Search"))
    assert [p.title for p in built(found).stubs] == [KITE.title]
    assert built(found, known={key("KS"): KITE}).stubs == ()


def test_another_acronym_of_a_long_form_on_the_list_is_another_entity() -> None:
    lexicon = Lexicon.of([Entry("Kite Preference Search", "Method", ("KPPS",))])
    known = KnownIntroductions.of({key("Kite Preference Search"): KITE}, [], lexicon)
    other = Entity("kps", "KPS", "Method", ("Kite Preference Search",))
    assert known.papers_of([other]) == {}
    spelled = Entity("kites", "Kites", "Method", ("Kite Preference Search",))
    assert [*known.papers_of([spelled])] == ["kites"]


def test_an_acronym_matches_a_listed_name_whose_row_has_no_other_acronym() -> None:
    lexicon = Lexicon.of([Entry("Kite Preference Search", "Method"), Entry("KITE-PS", "Method")])
    listed = {key("Kite Preference Search"): KITE, key("KITE-PS"): NEST}
    known = KnownIntroductions.of(listed, [], lexicon)
    by_long_form = Entity("kps", "KPS", "Method", ("Kite Preference Search",))
    assert known.papers_of([by_long_form])["kps"].title == KITE.title
    by_acronym = Entity("kpse", "KPSE", "Method", ("KITE-PS",))
    assert known.papers_of([by_acronym])["kpse"].title == NEST.title


def test_a_role_decision_overrides_the_list(tmp_path: Path) -> None:
    (tmp_path / "decisions.yaml").write_text(
        "- {kind: role, paper: source, name: Kite Search, role: uses, author: A, date: 2026-01-01, reason: b}\n"
    )
    found = [user(), make_extraction(SOURCE, named(SOURCE.text, "Kite Search", introduces=1.0))]
    graph = built(*found, decisions=read_decisions(tmp_path / "decisions.yaml"))
    assert {(r.paper, r.role) for r in graph.relations if r.entity == "kite-search"} == {
        ("source", "uses"),
        ("user", "uses"),
    }
    assert not [k for k in graph.links if k.entity == "kite-search"]


@pytest.mark.parametrize("claimed", [False, True])
def test_a_no_role_decision_removes_a_listed_introduction(tmp_path: Path, claimed: bool) -> None:
    found, paper = [user()], KITE.arxiv_id
    if claimed:
        kite = named(SOURCE.text, "Kite Search", introduces=1.0)
        found, paper = [*found, make_extraction(SOURCE, kite)], "source"
    (tmp_path / "decisions.yaml").write_text(
        f"- {{kind: no-role, paper: {paper}, name: Kite Search, role: introduces, author: A, date: 2026-01-01}}\n"
    )
    graph = built(*found, decisions=read_decisions(tmp_path / "decisions.yaml"))
    assert [e.entity for e in graph.introductions] == ["nestbench"]
    assert [p.title for p in graph.stubs] == [NEST.title]
    assert {k.entity for k in graph.links} == {"nestbench"}
    assert ("source", "introduces") not in {(r.paper, r.role) for r in graph.relations}


def corpora() -> list[KnowledgeGraph]:
    silent = Paper("source", SOURCE.title, "Something else.", "2020")
    return [
        built(user()),
        built(user(), make_extraction(silent)),
        built(user(), make_extraction(SOURCE, named(SOURCE.text, "Kite Search", introduces=1.0))),
    ]


def derived_links(graph: KnowledgeGraph) -> set[Link]:
    """The links that follow from the roles and the introductions of a graph."""
    types = {e.id: e.type for e in graph.entities}
    listed = {i.entity for i in graph.introductions}
    plain = plain_entities(graph.entities, listed)
    relations = linkable(graph.relations, graph.mentions, types, plain)
    return {*links((*graph.papers, *graph.stubs), relations, types, graph.introductions)}


@pytest.mark.parametrize("graph", corpora())
def test_the_links_follow_from_the_relations_and_introductions(graph: KnowledgeGraph) -> None:
    assert derived_links(graph) == {*graph.links}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ttl", "nt", "jsonld", "rdf", "json"])
def test_the_links_of_an_exported_graph_follow_from_its_relations(
    example_graph: Graph, name: str, tmp_path: Path
) -> None:
    read = load_graph(example_graph.save(tmp_path / f"graph.{name}"))
    assert len(read.links) > 100
    assert derived_links(read) == {*read.links} == {*example_graph.links}


@pytest.mark.slow
def test_no_example_paper_links_to_itself_or_to_a_later_paper(example_graph: Graph) -> None:
    date_of = {p.id: p.date for p in (*example_graph.papers, *example_graph.stubs)}
    assert all(
        k.citing != k.cited and not is_later(date_of[k.cited], date_of[k.citing])
        for k in example_graph.links
    )


@pytest.mark.parametrize("graph", corpora())
@pytest.mark.parametrize("name", list(READERS))
@pytest.mark.parametrize("level", ["sentence", "paper", "none"])
def test_every_format_preserves_stubs_links_and_introductions(
    graph: KnowledgeGraph, name: str, level: EvidenceLevel, tmp_path: Path
) -> None:
    path = tmp_path / f"graph.{name}"
    write(graph, path, name, ExportOptions(evidence=level))
    read = load_graph(path)
    assert not validate_graph(graph)
    assert not validate(path)
    assert read.stubs == graph.stubs
    assert {(k.citing, k.kind, k.cited) for k in read.links} == {
        (k.citing, k.kind, k.cited) for k in graph.links
    }
    claimed = {(r.paper, r.entity) for r in read.relations if r.role == "introduces"}
    known = {(i.paper, i.entity) for i in read.introductions}
    assert claimed | known == {(i.paper, i.entity) for i in graph.introductions}
    if level == "sentence" or name == "json":
        assert read == graph


def test_validation_reports_a_stub_that_is_typed_as_a_paper(tmp_path: Path) -> None:
    path = Graph.wrap(built(user())).save(tmp_path / "graph.ttl")
    path.write_text(
        path.read_text().replace("a ckg:StubPaper", "a ckg:StubPaper , schema:ScholarlyArticle")
    )
    assert any("a stub was not read" in violation.message for violation in validate(path))


def test_every_shipped_introduction_names_an_entity_of_the_lexicon() -> None:
    assert len(shipped_introductions()) >= 600
    assert shipped_introductions().keys() <= shipped_lexicon().entries.keys()


def test_a_shipped_paper_has_the_same_cells_in_all_its_rows() -> None:
    rows = defaultdict(set)
    for paper in shipped_introductions().values():
        titles = {*map(folded_title, paper.titles), *map(key, paper.titles)}
        for place in (titles | {paper.arxiv_id}) - {""}:
            rows[place].add(paper)
    assert len(rows) >= 600
    assert [papers for papers in rows.values() if len(papers) > 1] == []


@pytest.mark.parametrize(
    "row",
    [
        "Kite Search\tSearching with Kites\t2020",
        "\tTitle\t2020\t",
        "Kite\tTitle\t20\t",
        "Kite\tTitle\t2020\tarXiv:1",
    ],
)
def test_an_invalid_row_of_introductions_is_rejected_with_its_line(
    tmp_path: Path, row: str
) -> None:
    table = tmp_path / "introductions.tsv"
    table.write_text(f"name\ttitle\tyear\tarxiv\n{row}\n", encoding="utf-8")
    with pytest.raises(LexiconError, match=r"introductions\.tsv:2: expected a name"):
        list(read_introductions(table))
    table.write_text("name\ttitle\n", encoding="utf-8")
    with pytest.raises(LexiconError, match=r":1: the first line"):
        list(read_introductions(table))
