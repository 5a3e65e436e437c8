"""Walking through a graph: what a thing is, who does what with it, how things hang together, what counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from citekg.graph.graph import Graph
from citekg.graph.influence import citation_network, pagerank
from citekg.schemas.errors import FilterError, UnknownName
from citekg.schemas.records import Entity, Introduction, Paper, Relation
from citekg.schemas.vocabulary import Role
from citekg.storage.graph_files import load_graph
from tests.kg.commands import run_cli
from tests.kg.graphs import of
from tests.sample import FEATHERS, FLEDGE, NEST, QUILL, STUB, sample_graph


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.json"
    return of(sample_graph()).save(path)


@pytest.fixture(scope="module")
def graph(file: Path) -> Graph:
    return Graph.wrap(load_graph(file))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Quill", "Quill"),
        ("quill", "Quill"),
        ("proximal-policy optimization", "PPO"),
        ("HumanEval+", "HumanEval+"),
        ("HumanEval", "HumanEval"),
        ("C++", "C++"),
        ("humaneval~2b", "HumanEval+"),
        ("qwen2.5-vl", "Qwen2.5-VL"),
    ],
)
def test_an_entity_is_found_by_name_alias_or_id_and_signs_count(
    graph: Graph, asked: str, found: str
) -> None:
    assert graph.find(asked).name == found


@pytest.mark.parametrize(
    ("asked", "near"), [("Quil", "Quill"), ("NestBenhc", "NestBench"), ("Qwen", "Qwen2.5")]
)
def test_a_name_that_is_not_there_is_refused_with_similar_names(
    graph: Graph, asked: str, near: str
) -> None:
    with pytest.raises(UnknownName, match="did you mean") as caught:
        graph.find(asked)
    assert near in caught.value.candidates


def test_a_name_that_is_like_nothing_is_refused_too(graph: Graph) -> None:
    for name in ("xyzzy", "", "  "):
        with pytest.raises(UnknownName, match="is not in this graph"):
            graph.find(name)


def test_an_alias_of_two_entities_is_refused_with_both(graph: Graph) -> None:
    shared = [Entity("one", "One", "Method", ("Same",)), Entity("two", "Two", "Model", ("Same",))]
    with pytest.raises(UnknownName, match="is ambiguous: give one of") as caught:
        of(graph, entities=(*graph.entities, *shared)).find("Same")
    assert caught.value.candidates == ("one (Method: One)", "two (Model: Two)")


def test_of_several_entities_of_a_name_the_one_is_meant_that_far_more_papers_name(
    graph: Graph,
) -> None:
    known, rare = (Entity(name, name, "Method", ("Same",)) for name in ("known", "rare"))
    mention = graph.mentions[0]
    papers = [Paper(f"q{n}", "known known", "") for n in range(5)]
    named = [
        replace(mention, paper=p.id, entity="known", start=0, end=5, text="known") for p in papers
    ]
    crowded = of(
        graph,
        papers=(*graph.papers, *papers),
        entities=(*graph.entities, known, rare),
        mentions=(*graph.mentions, *named),
    )
    assert crowded.find("Same").id == "known"
    fewer = of(crowded, mentions=(*graph.mentions, *named[:4]))
    with pytest.raises(UnknownName, match="is ambiguous: give one of"):
        fewer.find("Same")


def test_a_name_goes_before_an_alias_of_something_else(graph: Graph) -> None:
    other = Entity("other", "Other", "Model", ("Quill",))
    assert of(graph, entities=(*graph.entities, other)).find("Quill").id == "quill"


def test_who_introduced_an_entity_is_read_or_known_or_nobody(graph: Graph) -> None:
    assert graph.introducers("Quill") == (QUILL,)
    assert graph.introducers("Proximal Policy Optimization") == (STUB,)
    assert graph.introducers("HumanEval") == ()


def test_two_papers_that_introduce_an_entity_are_both_listed(graph: Graph) -> None:
    claim = Relation(NEST.id, "introduces", "quill", 0.9, ())
    contested = of(graph, relations=(*graph.relations, claim))
    assert contested.introducers("Quill") == (QUILL, NEST)
    known = of(contested, introductions=(*graph.introductions, Introduction(NEST.id, "quill")))
    assert known.introducers("Quill") == (NEST,)


def test_the_users_of_an_entity_come_by_role_with_evidence(graph: Graph) -> None:
    assert [(r.paper, r.role) for r in graph.users_of("Quill")] == [
        (FLEDGE.id, "extends"),
        (NEST.id, "uses"),
    ]
    assert [r.paper for r in graph.users_of("Quill", "comparesTo", "mentions")] == [
        FLEDGE.id,
        FEATHERS.id,
    ]
    (extends,) = graph.users_of("Quill", "extends")
    assert [e.sentence for e in graph.evidence(extends)] == ["Fledge builds on Quill."]


def test_show_prints_what_an_entity_is_and_who_does_what_with_it(file: Path) -> None:
    told = run_cli("show", file, "quill").output
    assert told.startswith("Quill: a method that 4 papers name\n")
    assert f"introduced by: {QUILL.title} (2024-01-02, arXiv 2401.00001)" in told
    for heading in (
        "introduces it (1)",
        "extends it (1)",
        "uses it (1)",
        "compares with it (1)",
        "mentions it (1)",
    ):
        assert heading in told
    assert "  Fledge (2025)\n    “Fledge builds on Quill.”" in told


def test_show_tells_a_stub_from_the_papers_of_the_corpus(file: Path) -> None:
    told = run_cli("show", file, "PPO").output
    assert (
        f"introduced by: {STUB.title} (2017, arXiv 1706.00001; known, outside this corpus)" in told
    )
    assert "outperforms it (1)" in told
    assert "compares with it" not in told


def test_show_tells_families_and_variants(file: Path) -> None:
    assert "its variants: Qwen2.5-VL (0)" in run_cli("show", file, "Qwen2.5").output
    told = run_cli("show", file, "Qwen2.5-VL-7B").output
    assert "a variant of: Qwen2.5-VL\na variant of: Qwen2.5\n" in told
    assert told.startswith("Qwen2.5-VL-7B: a model that 1 paper names\n")
    assert "introduced by: no paper of this graph" in told


def test_show_tells_who_introduced_the_family_of_a_variant(graph: Graph, tmp_path: Path) -> None:
    known = of(graph, introductions=(*graph.introductions, Introduction(STUB.id, "qwen2.5")))
    told = run_cli("show", known.save(tmp_path / "graph.json"), "Qwen2.5-VL-7B").output
    assert (
        f"a variant of: Qwen2.5, introduced by {STUB.title} (2017, arXiv 1706.00001; known, outside this corpus)"
        in told
    )


def test_show_tells_that_a_name_is_contested(graph: Graph, tmp_path: Path) -> None:
    claim = Relation(NEST.id, "introduces", "quill", 0.9, ())
    path = of(graph, relations=(*graph.relations, claim)).save(tmp_path / "graph.json")
    told = run_cli("show", path, "Quill").output
    assert f"contested, more than one paper claims it\n  {QUILL.title} (2024-01-02" in told
    assert f"\n  {NEST.title} (2024-02" in told


def test_show_lists_no_more_papers_than_asked_and_json_lists_all(file: Path) -> None:
    told = json.loads(run_cli("show", file, "Quill", "--json", "-n", 1).output)
    assert (told["name"], told["type"], told["papers"], told["contested"]) == (
        "Quill",
        "Method",
        4,
        False,
    )
    assert told["introduced_by"][0]["in_corpus"] is True
    (proof,) = told["roles"]["extends"][0]["evidence"]
    text = FLEDGE.text
    assert text[proof["start"] : proof["end"]] == proof["mention"] == "Quill"
    assert proof["sentence"] in text
    many = [Relation(p.id, "mentions", "c~2b~2b", 0.5, ()) for p in (QUILL, NEST, FEATHERS)]
    path = of(sample_graph(), relations=(*sample_graph().relations, *many)).save(
        file.with_name("many.json")
    )
    assert "mentions it (4)" in run_cli("show", path, "C++", "-n", 1).output
    assert "  … and 3 more" in run_cli("show", path, "C++", "-n", 1).output


def test_an_unknown_name_is_an_error_with_a_hint(file: Path) -> None:
    for arguments in (("show", file, "Quil"), ("path", file, "Quil", "PPO")):
        result = run_cli(*arguments)
        assert result.exit_code == 1
        assert (
            result.output
            == f"Error: 'Quil' is not in this graph; did you mean Quill, {QUILL.title}?\n"
        )


QUILL_SPELLINGS = (
    QUILL.id,
    "arXiv:2401.00001v3",
    "https://arxiv.org/pdf/2401.00001v1.pdf",
    "10.48550/arXiv.2401.00001",
    "10.1000/QUILL_<1>&2",
    "https://doi.org/10.1000/quill_<1>&2",
    "https://openalex.org/W1000001",
    QUILL.title.upper().replace(" ", "  "),
)


@pytest.mark.parametrize("name", QUILL_SPELLINGS)
def test_a_paper_is_found_by_any_identifier_in_any_form_or_by_its_title(
    graph: Graph, file: Path, name: str
) -> None:
    assert graph.find_paper(name) == QUILL
    assert run_cli("show", file, name).output.startswith(
        f"{QUILL.title} (2024-01-02, Workshop on Feathers & Policies, "
    )
    assert graph.neighbours(name) == graph.neighbours(QUILL)
    assert graph.paths(name, "PPO") == graph.paths(QUILL, graph.find("PPO"))


def test_a_paper_without_an_arxiv_id_is_found_by_an_id_that_is_one(graph: Graph) -> None:
    assert graph.find_paper("https://arxiv.org/abs/2402.00002") == NEST


def test_show_prints_what_a_paper_does_and_cites(file: Path) -> None:
    shown = run_cli("show", file, QUILL.title).output
    assert f"by: {', '.join(QUILL.authors)}" in shown
    assert "\nintroduces (1)\n  Quill (Method)\n    “We propose Quill, a planner" in shown
    assert "\nevaluates on (2)\n" in shown
    assert f"\ncites (1)\n  {STUB.title} (2017)\n    extends, through PPO" in shown
    assert "\nis cited by (3)\n" in shown
    assert f"\nhas in its references (1)\n  {STUB.title} (2017)" in shown
    assert "is cited by (3)" in run_cli("show", file, QUILL.title, "-n", 1).output
    assert "  … and 2 more" in run_cli("show", file, QUILL.title, "-n", 1).output


def test_show_prints_a_paper_outside_the_corpus(file: Path) -> None:
    shown = run_cli("show", file, "arXiv:1706.00001").output
    assert shown.startswith(
        f"{STUB.title} (2017, arXiv 1706.00001, known, outside this corpus)\nknown to introduce: PPO\n"
    )


def test_a_paper_as_json_has_all_claims_with_their_sentences(file: Path) -> None:
    values = json.loads(run_cli("show", file, QUILL.doi, "--json", "-n", 1).output)
    assert (values["type"], values["id"], values["in_corpus"]) == ("Paper", QUILL.id, True)
    assert {claim["name"] for claim in values["roles"]["evaluatesOn"]} == {
        "HumanEval",
        "HumanEval+",
    }
    (claim,) = values["roles"]["extends"]
    assert claim["evidence"][0]["sentence"] in QUILL.text
    assert [(k["kind"], k["through"]) for k in values["cites"]] == [("extends", "PPO")]


def test_an_entity_goes_before_a_paper_of_the_same_name(graph: Graph, file: Path) -> None:
    assert run_cli("show", file, "Fledge").output.startswith("Fledge: a method")
    assert graph.find_paper("fledge") == FLEDGE


def test_a_path_may_begin_and_end_at_a_paper(graph: Graph, file: Path) -> None:
    printed = run_cli("path", file, "arXiv:2401.00001v2", NEST.title).output.splitlines()
    assert (printed[0], printed[-1]) == (QUILL.title, NEST.title)
    assert graph.paths(STUB.arxiv_id, "FeatherSet") == graph.paths(STUB, graph.find("FeatherSet"))


def test_a_title_that_is_not_there_is_answered_with_similar_titles(file: Path) -> None:
    result = run_cli("show", file, "Proximal Policy Optimisation Algorithm")
    assert (result.exit_code, result.output) == (
        1,
        f"Error: 'Proximal Policy Optimisation Algorithm' is not in this graph; did you mean {STUB.title}, PPO?\n",
    )


def test_a_path_goes_from_name_to_name_with_a_sentence_a_step(file: Path) -> None:
    result = run_cli("path", file, "PPO", "NestBench")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert (lines[0], lines[-1]) == ("PPO", "NestBench")
    steps = [line.strip() for line in lines if line.startswith("  ")]
    assert [line[0] for line in steps] == ["↑", "“", "↓", "“", "↑", "“", "↓", "“"]
    assert steps[-2] == "↓ evaluates on (0.80)"


def test_the_shortest_path_is_the_same_whatever_the_order_of_the_records(graph: Graph) -> None:
    steps = graph.paths("PPO", "NestBench")
    turned = Graph(
        **{
            n: getattr(graph, n)[::-1]
            for n in ("papers", "entities", "mentions", "relations", "links", "stubs")
        },
        run=graph.run,
        introductions=graph.introductions[::-1],
    )
    assert turned.paths("PPO", "NestBench") == steps
    (way,) = steps
    assert [step.start for step in way][1:] == [step.end for step in way][:-1]


def test_a_path_as_json_writes_each_step_in_the_direction_of_its_edge(file: Path) -> None:
    (way,) = json.loads(run_cli("path", file, "Quill", "PPO", "--json").output)
    assert [(s["from"], s["says"], s["to"], s["forward"]) for s in way] == [
        (QUILL.title, "introduces", "Quill", False),
        (QUILL.title, "extends", "PPO", True),
    ]


def test_several_paths_come_shortest_first(graph: Graph) -> None:
    found = graph.paths("Quill", "NestBench", 3)
    assert len(found) == 3
    assert len({tuple(way) for way in found}) == 3
    assert len(found[0]) <= len(found[-1])


def test_two_names_of_one_entity_are_reported_as_one(file: Path) -> None:
    done = run_cli("path", file, "PPO", "Proximal Policy Optimization")
    assert (done.exit_code, done.stdout) == (0, "Both names denote the same node.\n")


def test_unconnected_entities_have_no_path(graph: Graph, file: Path) -> None:
    alone = of(graph, entities=(*graph.entities, Entity("alone", "Alone", "Method")))
    assert alone.paths("Alone", "PPO") == []
    path = alone.save(file.with_name("alone.json"))
    assert (
        run_cli("path", path, "Alone", "PPO").output
        == "There is no path between them in this graph.\n"
    )


def test_what_has_no_family_is_a_variant_of_nothing(graph: Graph) -> None:
    nameless = of(graph, entities=(*graph.entities, Entity("", "Nothing", "Method")))
    assert not [n for n in nameless.neighbours("PPO") if n.words == "is a variant of"]


def test_a_family_is_a_step_of_a_path(graph: Graph) -> None:
    (way,) = graph.paths("Qwen2.5-VL-7B", "Qwen2.5")
    assert [step.words for step in way] == ["is a variant of", "is a variant of"]


def test_pagerank_is_that_of_networkx(graph: Graph) -> None:
    networkx = pytest.importorskip("networkx")
    pytest.importorskip("scipy")
    net = citation_network(graph)
    expected = networkx.pagerank(net, tol=1e-12, max_iter=1000)
    found = pagerank(net)
    assert found.keys() == expected.keys()
    assert all(abs(found[node] - expected[node]) < 1e-6 for node in found)


def test_all_weight_is_shared_out(graph: Graph) -> None:
    assert sum(pagerank(citation_network(graph)).values()) == pytest.approx(1)
    unlisted = [replace(paper, references=()) for paper in graph.papers]
    assert pagerank(citation_network(of(graph, links=(), papers=unlisted))) == {}


def test_a_reference_lends_weight_where_no_name_does(graph: Graph) -> None:
    listed = of(graph, links=())
    first = listed.influential_papers()[0]
    assert (first.node.id, first.papers) == (STUB.id, 1)
    assert listed.influential_entities() == []


def test_what_many_build_on_comes_first(graph: Graph) -> None:
    papers = graph.influential_papers()
    assert [i.papers for i in papers if i.node == QUILL] == [3]
    assert {i.node.id for i in papers} == {k.cited for k in graph.links}
    things = graph.influential_entities()
    assert {i.node.id for i in things} == {k.entity for k in graph.links}
    assert [i.share for i in things] == sorted((i.share for i in things), reverse=True)
    assert [i.name for i in graph.influential_entities(type="Dataset")] == ["FeatherSet"]
    assert len(graph.influential_entities(1)) == 1


def test_the_command_ranks_entities_or_papers(file: Path) -> None:
    assert (
        "Proximal Policy Optimization Algorithms" in run_cli("influence", file, "--papers").output
    )
    assert "FeatherSet" in run_cli("influence", file, "--type", "Dataset").output
    told = json.loads(run_cli("influence", file, "--json", "-n", 2).output)
    assert [set(row) for row in told] == [
        {"id", "name", "share", "papers", "used", "in_corpus"}
    ] * 2
    assert run_cli("influence", file, "--papers", "--type", "Model").exit_code == 2


def test_entities_of_one_paper_are_used_together(graph: Graph) -> None:
    pairs = {(c.one.name, c.other.name): c.papers for c in graph.co_use()}
    assert pairs["Quill", "HumanEval"] == (QUILL.id,)
    assert pairs["Quill", "NestBench"] == (NEST.id, FLEDGE.id)
    assert ("C++", "NestBench") not in pairs
    assert next(iter(pairs)) == ("Quill", "NestBench")


def test_a_type_goes_with_itself_once_a_pair(graph: Graph) -> None:
    pairs = [(c.one.name, c.other.name) for c in graph.co_use("Method", "Method")]
    assert len(pairs) == len({frozenset(p) for p in pairs})
    assert all(a != b for a, b in pairs)


def test_a_type_that_nobody_knows_is_refused_and_not_silently_empty(graph: Graph) -> None:
    for ask in (
        lambda: graph.co_use("Method", "Methode"),
        lambda: graph.influential_entities(9, "Methode"),
    ):
        with pytest.raises(
            FilterError, match="no type is called 'Methode': choose one of Benchmark, Dataset"
        ):
            ask()


def test_a_role_of_a_schema_uses_an_entity_unless_it_compares(graph: Graph) -> None:
    treats, beats = (
        Role(n, n, ("Method",), "", parent)
        for n, parent in (("treats", None), ("beats", "comparesTo"))
    )
    wider = replace(graph.vocabulary, paper_roles=(*graph.vocabulary.paper_roles, treats, beats))
    for role, seen in (("treats", True), ("beats", False)):
        said = tuple(replace(r, role=role) if r.role == "uses" else r for r in graph.relations)
        pairs = of(graph, relations=said, vocabulary=wider).co_use("Method", "Method", 99)
        assert (pairs == graph.co_use("Method", "Method", 99)) is seen


def test_a_stub_uses_nothing_together(graph: Graph) -> None:
    known = (*graph.introductions, Introduction(STUB.id, "humaneval"))
    assert of(graph, introductions=known).co_use() == graph.co_use()


@pytest.mark.parametrize(
    ("one", "other"), [("Method", "Benchmark"), ("Benchmark", "Method"), ("Method", "Method")]
)
def test_the_query_co_use_counts_what_co_use_counts(graph: Graph, one: str, other: str) -> None:
    treats, beats = (
        Role(n, n, ("Method",), "", parent)
        for n, parent in (("treats", None), ("beats", "comparesTo"))
    )
    wider = replace(graph.vocabulary, paper_roles=(*graph.vocabulary.paper_roles, treats, beats))
    said = (
        *graph.relations,
        Relation(NEST.id, "treats", "ppo", 0.9, ()),
        Relation(FLEDGE.id, "beats", "ppo", 0.9, ()),
    )
    known = (*graph.introductions, Introduction(FEATHERS.id, "humaneval"))
    for asked in (graph, of(graph, relations=said, vocabulary=wider, introductions=known)):
        counted = [(c.one.name, c.other.name, len(c.papers)) for c in asked.co_use(one, other, 99)]
        rows = asked.query("@co-use", one=one, other=other, limit="99")
        assert [(row["one"], row["other"], int(row["papers"])) for row in rows] == counted
        assert counted


def test_the_command_lists_pairs(file: Path) -> None:
    assert "Quill + NestBench" in run_cli("co-use", file).output
    told = json.loads(
        run_cli("co-use", file, "--one", "Method", "--other", "Dataset", "--json").output
    )
    assert {"one": "Quill", "other": "FeatherSet", "papers": sorted([NEST.id])} in told


def test_a_paper_may_be_dated_or_not(graph: Graph, tmp_path: Path) -> None:
    undated = Paper(STUB.id, STUB.title, "")
    path = of(graph, stubs=(undated,)).save(tmp_path / "graph.json")
    assert f"{STUB.title} (undated; known" in run_cli("show", path, "PPO").output
