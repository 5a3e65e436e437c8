"""SPARQL queries on a graph: answers, error messages and hints."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest
import rdflib

from citekg.exports import write
from citekg.graph.graph import Graph
from citekg.queries import Answer, query
from citekg.queries.answers import OUTPUTS
from citekg.queries.library import library
from citekg.queries.syntax import find_syntax_error
from citekg.schemas.errors import FormatError, GraphError, QueryError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from tests.kg.queries.service_calls import CALLS
from tests.sample import records, sample_graph

INTRODUCED = "SELECT ?name { ?p ckg:introduces ?e . ?e skos:prefLabel ?name } ORDER BY ?name"


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return sample_graph()


@pytest.fixture(scope="module")
def file(graph: KnowledgeGraph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "graph.ttl"
    write(graph, path, "ttl")
    return path


def names(answer: Answer) -> list[str]:
    return [row["name"] for row in answer]


@pytest.mark.parametrize("ending", ["ttl", "nt", "json"])
def test_a_graph_and_its_files_in_every_format_give_the_same_answer(
    graph: KnowledgeGraph, tmp_path: Path, ending: str
) -> None:
    write(graph, tmp_path / f"graph.{ending}", ending)
    packed = tmp_path / f"packed.{ending}.gz"
    packed.write_bytes(gzip.compress((tmp_path / f"graph.{ending}").read_bytes()))
    expected = ["FeatherSet", "Fledge", "NestBench", "PPO", "Quill"]
    for source in (graph, tmp_path / f"graph.{ending}", packed):
        assert names(query(source, INTRODUCED)) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (
            "?p ckg:evaluatesOn/skos:prefLabel 'HumanEval+' ; dcterms:title ?name",
            ['Quill: a "reward-free" C# policy 🪶'],
        ),
        (
            "?p ckg:uses/skos:prefLabel 'Quill' ; dcterms:title ?name",
            ["NestBench, a benchmark of birds’ nests"],
        ),
        (
            "?p ckg:uses ?m ; ckg:evaluatesOn ?b . ?m a ckg:Model . ?b skos:prefLabel ?name",
            ["HumanEval", "HumanEval+"],
        ),
        (
            "?a cito:usesMethodIn ?b . ?b dcterms:title ?name",
            ['Quill: a "reward-free" C# policy 🪶'],
        ),
        (r"ckgid:e-c\~2b\~2b skos:prefLabel ?name", ["C++"]),
    ],
)
def test_typical_queries_return_the_expected_names(
    file: Path, where: str, expected: list[str]
) -> None:
    assert names(query(file, f"SELECT DISTINCT ?name {{ {where} }} ORDER BY ?name")) == expected


def test_the_prefix_of_instances_is_the_base_iri_of_the_file(
    graph: KnowledgeGraph, tmp_path: Path
) -> None:
    write(graph, tmp_path / "graph.ttl", "ttl", ExportOptions("https://example.org/kg#"))
    assert query(tmp_path / "graph.ttl", "ASK { ckgid:p-ppo ckg:introduces ckgid:e-ppo }")


def test_values_are_converted_to_python_values(graph: KnowledgeGraph) -> None:
    (row,) = query(
        graph, "SELECT (1 AS ?i) (0.5 AS ?d) (true AS ?b) ('x' AS ?s) (ckg:uses AS ?u) ?none {}"
    )
    assert row == {
        "i": 1,
        "d": 0.5,
        "b": True,
        "s": "x",
        "u": "https://w3id.org/citekg/ontology#uses",
    }


def test_a_table_has_aligned_columns_prefixed_names_and_a_row_count(graph: KnowledgeGraph) -> None:
    rendered = query(
        graph, "SELECT ?e ?name { VALUES ?e { ckgid:e-quill ckgid:e-ppo } ?e skos:prefLabel ?name }"
    )
    assert sorted(rendered.render().splitlines()) == sorted(
        [
            "e              name",
            "─────────────  ─────",
            "ckgid:e-ppo    PPO",
            "ckgid:e-quill  Quill",
            "2 rows",
        ]
    )


def test_columns_with_wide_characters_are_aligned(graph: KnowledgeGraph) -> None:
    lines = query(graph, "SELECT ('强化学习' AS ?a) ('x' AS ?b) {}").render().splitlines()
    assert lines == ["a         b", "────────  ─", "强化学习  x", "1 row"]


def test_csv_tsv_and_json_follow_the_sparql_result_formats(graph: KnowledgeGraph) -> None:
    answer = query(
        graph,
        "SELECT ?name ?none { ?e skos:prefLabel ?name FILTER(STRSTARTS(?name, 'C')) } ORDER BY ?name",
    )
    assert list(csv.reader(io.StringIO(answer.render("csv")))) == [
        ["name", "none"],
        ["C#", ""],
        ["C++", ""],
    ]
    assert answer.render("tsv") == '?name\t?none\n"C#"\t\n"C++"\t\n'
    reported = json.loads(answer.render("json"))
    assert reported["head"]["vars"] == ["name", "none"]
    assert reported["results"]["bindings"][0] == {"name": {"type": "literal", "value": "C#"}}


def test_prefixed_names_of_a_table_can_be_used_in_queries(graph: KnowledgeGraph) -> None:
    (name,) = query(graph, "SELECT ?e { ?e skos:prefLabel 'C++' }").render().splitlines()[2:3]
    assert query(graph, f"ASK {{ {name} a ckg:Method }}")


def test_an_ask_query_is_answered_with_yes_or_no(graph: KnowledgeGraph) -> None:
    yes, no = query(graph, "ASK { ?p ckg:outperforms ?e }"), query(graph, "ASK { ?p ckg:none ?e }")
    assert (bool(yes), bool(no)) == (True, False)
    assert (yes.render(), no.render()) == ("yes\n", "no\n")
    assert (yes.render("csv").strip(), json.loads(no.render("json"))["boolean"]) == ("true", False)


@pytest.mark.parametrize(
    "sparql", ["DESCRIBE ckgid:e-quill", "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o . ?s a ckg:Method }"]
)
def test_describe_and_construct_return_triples_as_turtle_and_as_rows(
    graph: KnowledgeGraph, sparql: str
) -> None:
    answer = query(graph, sparql)
    loaded = rdflib.Graph().parse(data=answer.render("ttl"), format="turtle")
    assert len(loaded) == len(answer) > 2
    assert answer.render() == answer.render("ttl")
    assert answer.render("csv").splitlines()[0] == "subject,predicate,object"
    assert answer.render("ttl").startswith("@prefix ckg: ")
    assert "@prefix xsd:" not in answer.render("ttl")


def test_turtle_for_rows_and_unknown_output_formats_are_rejected(graph: KnowledgeGraph) -> None:
    with pytest.raises(QueryError, match="CONSTRUCT and DESCRIBE"):
        query(graph, INTRODUCED).render("ttl")
    with pytest.raises(FormatError, match=", ".join(sorted(OUTPUTS))):
        query(graph, INTRODUCED).render("xls")


@pytest.mark.parametrize(
    ("sparql", "message"),
    [
        ("SELECT * WHERE {\n ?s ?p }", "line 2, column 8, near '}': expected an object"),
        (
            "SELECT ?x { ?x ?y ?z ORDER LIMIT 3 }",
            r"line 1, column 22, near 'ORDER LIMIT 3 \}': expected \. or ; or",
        ),
        ("SELEC", "line 1"),
        ("", "line 1"),
        ("SELECT ?x { ?x foo:a 'b:c' }", "the prefix foo: is not declared"),
    ],
)
def test_a_malformed_query_is_rejected_with_the_position_of_the_error(
    graph: KnowledgeGraph, sparql: str, message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        query(graph, sparql)


@pytest.mark.parametrize(
    ("sparql", "message"),
    [
        (
            "SELECT ?x { ?x a ckg:Method ",
            "line 1, column 28, at the end: expected } to close the {",
        ),
        ("SELECT ?y { ?x ?y ?z } GROUP BY ?x", "The SELECT contains a variable that is unbound"),
        (
            "SELECT ?x { FILTER(strlenn(?x)) }",
            "expected a function of SPARQL: did you mean STRLEN?",
        ),
    ],
)
def test_error_messages_omit_the_token_lists_of_the_engine(
    graph: KnowledgeGraph, sparql: str, message: str
) -> None:
    with pytest.raises(QueryError) as raised:
        query(graph, sparql)
    assert str(raised.value).endswith(message)
    assert len(str(raised.value)) < 160


@pytest.mark.parametrize(
    ("sparql", "place", "expected"),
    [
        ("SELEKT * { ?s ?p ?o }", "1, column 1", "SELECT"),
        ("paper", "1, column 1", "SELECT, ASK, CONSTRUCT or DESCRIBE"),
        ("SELECT x { ?x ?y ?z }", "1, column 8", "variables such as ?paper, or *"),
        ("SELECT ?x x { ?x ?y ?z }", "1, column 11", "WHERE {, or a variable with ? before it"),
        (
            "SELECT COUNT(?x) { ?x ?y ?z }",
            "1, column 8",
            "brackets and a name around an expression",
        ),
        ("SELECT (COUNT(?x) ?n) { ?x ?y ?z }", "1, column 21", "AS and a variable for the result"),
        ("SELECT (COUNT(?x) AS n) { ?x ?y ?z }", "1, column 22", "a ?variable"),
        ("SELECT ?x FROM { ?x ?y ?z }", "1, column 16", "an IRI"),
        ("SELECT ?x WHERE ( ?x ?y ?z )", "1, column 17", "{"),
        ("SELECT ?x { ?x }", "1, column 16", "a property and an object"),
        (
            "SELECT ?x {\n  ?x skos:prefLabel PPO }",
            "2, column 21",
            "a ?variable, a prefixed name, an IRI or a text in",
        ),
        (
            "SELECT ?x { ?x 'uses' ?y }",
            "1, column 16",
            "a property: a ?variable, a prefixed name or an IRI",
        ),
        ("SELECT ?x { ?x ?y ?z ?u ?v }", "1, column 22", ". or ; or , or }"),
        ("SELECT ?x { ?x a [ ckg:uses ] }", "1, column 29", "an object"),
        ("SELECT ?x { ?x ?y 'abc }", "1, column 19", "a closing ' for this text"),
        (
            "SELECT ?x { ?x ?y ?z FILTER ?z > 3 }",
            "1, column 29",
            "a condition in brackets: FILTER(...)",
        ),
        ("SELECT ?x { ?x ?y ?z FILTER(regex(?z, 'a') }", "1, column 44", ") to close the ("),
        ("SELECT ?x { FILTER NOT { ?x ?y ?z } }", "1, column 24", "EXISTS"),
        ("SELECT ?x { BIND(1 ?x) }", "1, column 22", "AS and a variable for the result"),
        (
            "SELECT ?x { VALUES ?x { 1 2 ?x ?y ?z }",
            "1, column 29",
            "a value, or } after the last one",
        ),
        ("SELECT ?x { ?x ?y ?z OPTIONAL ?x ?u ?v }", "1, column 31", "{"),
        ("SELECT ?x { ?x ?y ?z } ORDER ?x", "1, column 30", "BY"),
        (
            "SELECT ?x { ?x ?y ?z } ORDER BY",
            "1, column 32",
            "a variable or an expression in brackets",
        ),
        ("SELECT ?x { ?x ?y ?z } LIMIT many", "1, column 30", "a whole number"),
        ("SELECT ?x { ?x ?y ?z }}", "1, column 23", "the end of the query"),
    ],
)
def test_the_error_of_a_malformed_query_states_the_expected_token_in_one_line(
    graph: KnowledgeGraph, sparql: str, place: str, expected: str
) -> None:
    with pytest.raises(QueryError) as raised:
        query(graph, sparql)
    message = str(raised.value)
    assert message.startswith(f"malformed query: line {place}, ")
    assert f": expected {expected}" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "sparql",
    [
        *(known.sparql for known in library()),
        "PREFIX x: <http://x/> BASE <http://y/> SELECT * FROM <z> FROM NAMED <u> WHERE { GRAPH ?g { ?s x:p 1 } }",
        "SELECT (SUM(?n) AS ?m) { ?s !(^x:p|a)/x:q*|^x:r ?o, 'a'@en, \"b\"^^xsd:string ; a [ x:q 1, -2.5e3 ; ] ; . }",
        "CONSTRUCT { ?s a x:T } WHERE { { SELECT ?s { ?s ?p (1 2 [ a x:U ]) } LIMIT 3 } MINUS { ?s a x:V } }",
        "DESCRIBE ?s x:a { ?s ?p 'it\\'s' FILTER(?p IN (x:a, x:b) && !EXISTS { ?s a x:W }) # done } ?\n }",
        "SELECT ?s { ?s ?p ?o FILTER x:f(?o) } GROUP BY ?s (?o + 1 AS ?n) HAVING (?n > 1) ORDER BY DESC(?s) STR(?n)",
        "ASK { VALUES (?a ?b) { (1 UNDEF) (x:c 'd') } } VALUES ?z { 1 }",
    ],
)
def test_a_valid_query_has_no_syntax_error(sparql: str) -> None:
    assert find_syntax_error(sparql) is None


@pytest.mark.parametrize(
    ("sparql", "hint"),
    [
        (
            "SELECT * { ?m a ckg:Metod }",
            "ckg:Metod is not in the vocabulary of this graph; did you mean ckg:Method?",
        ),
        (
            "SELECT (COUNT(?p) AS ?n) { ?p ckg:introduce ?e }",
            "ckg:introduce is not in the vocabulary of this graph; did you mean ckg:introduces, ckg:introducedBy?",
        ),
        (
            "ASK { ?e skos:prefLable ?n }",
            "skos:prefLable is not used in this graph; did you mean skos:prefLabel?",
        ),
        ("ASK { ?e foaf:name ?n }", "foaf:name is not used in this graph"),
    ],
)
def test_an_unknown_term_gives_a_hint_with_similar_terms(
    graph: KnowledgeGraph, sparql: str, hint: str
) -> None:
    assert query(graph, sparql).hints == (hint,)


@pytest.mark.parametrize(
    ("argument", "values", "hints"),
    [
        ("@family", {"name": "Quil"}, ("no entity has the name 'Quil'; did you mean Quill?",)),
        ("@paper", {"title": "Flegde"}, ("no title contains 'Flegde'; did you mean Fledge?",)),
        ("@evaluated-on", {"name": "xyzzy"}, ("no entity has the name 'xyzzy'",)),
        ("@evaluated-on", {"name": "quill"}, ()),
        ("@references", {"title": "FeatherSet"}, ()),
    ],
)
def test_an_empty_answer_gives_a_hint_only_for_an_unknown_name(
    graph: KnowledgeGraph, argument: str, values: dict[str, str], hints: tuple[str, ...]
) -> None:
    answer = query(graph, argument, values=values)
    assert (len(answer), answer.hints) == (0, hints)


@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * { ?p ckg:trainsOn ?e . ?e a ckg:Model }",
        "ASK { ?e ckg:introducedBy ckgid:p-none }",
        "SELECT * { ?e skos:prefLabel 'ckg:Metod' # ckg:Metod\n }",
        "PREFIX ckg: <http://other.example/> ASK { ?e a ckg:Metod }",
        "SELECT * { ?e skos:prefLabel ?n OPTIONAL { ?e skos:note ?m } }",
    ],
)
def test_a_valid_query_gives_no_hint(graph: KnowledgeGraph, sparql: str) -> None:
    assert query(graph, sparql).hints == ()


def test_hints_are_warnings_in_python(graph: KnowledgeGraph) -> None:
    view = Graph.of(**records(graph))
    with pytest.warns(UserWarning, match="did you mean ckg:Method"):
        assert len(view.query("SELECT * { ?m a ckg:Metod }")) == 0
    assert len(view.query("@top-methods", limit=2)) == 2


@pytest.fixture
def local_server() -> Iterator[tuple[int, list[bytes]]]:
    """The port of a local server, and the requests that it received."""
    received: list[bytes] = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            received.append(self.request.recv(1000))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        try:
            yield server.server_address[1], received
        finally:
            server.shutdown()


def test_the_engine_itself_sends_requests_to_service_endpoints(
    local_server: tuple[int, list[bytes]],
) -> None:
    port, received = local_server
    with contextlib.suppress(OSError):
        found = pyoxigraph.Store().query(CALLS[0].replace("<U>", f"<http://127.0.0.1:{port}/>"))
        assert isinstance(found, pyoxigraph.QuerySolutions)
        list(found)
    assert received[0].startswith(b"POST / HTTP/1.1")


@pytest.mark.parametrize("sparql", CALLS)
def test_a_query_with_a_service_call_is_rejected_without_a_request(
    graph: KnowledgeGraph, sparql: str, local_server: tuple[int, list[bytes]]
) -> None:
    port, received = local_server
    with pytest.raises(QueryError, match="SERVICE is refused"):
        query(graph, sparql.replace("<U>", f"<http://127.0.0.1:{port}/>"))
    assert received == []


@pytest.mark.parametrize("sparql", ["\0", "SELECT * { ?a ?b ?c } # \0", "ASK { ?a ?b '\0' }"])
def test_a_query_with_a_nul_character_is_refused(graph: KnowledgeGraph, sparql: str) -> None:
    with pytest.raises(QueryError, match="the query contains a NUL character: remove it"):
        query(graph, sparql)


@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * { \\u0053ERVICE <U> { ?a ?b ?c } }",
        "SELECT * { SERVICE \\u003CU> { ?a ?b ?c } }",
        "SELECT * { ?a ?b ckg:SERVICE <U> { ?a ?b ?c } }",
        "SELECT * { ?a ?b ?SERVICE <U> { ?a ?b ?c } }",
        "SELECT * FROM <U> { ?a ?b ?c }",
        "SELECT * FROM NAMED <U> { GRAPH <U> { ?a ?b ?c } }",
        "DESCRIBE <U>",
        "LOAD <U>",
        "ASK { ?a ?b ?c } ; LOAD <U>",
    ],
)
def test_other_queries_with_a_remote_address_send_no_request(
    graph: KnowledgeGraph, sparql: str, local_server: tuple[int, list[bytes]]
) -> None:
    port, received = local_server
    with contextlib.suppress(QueryError):
        query(graph, sparql.replace("U", f"http://127.0.0.1:{port}/"))
    assert received == []


@pytest.mark.parametrize(
    "where",
    [
        "?s ?p 'the service'",
        "?service ?p ?o",
        "?s ckg:service ?o",
        "?s ?p ?o # SERVICE",
        "?s ckg:service ?o { ?s ?p ?o }",
    ],
)
def test_the_word_service_alone_is_not_a_service_call(graph: KnowledgeGraph, where: str) -> None:
    assert query(graph, f"SELECT * {{ {where}\n }}") is not None


@pytest.mark.parametrize(
    "sparql",
    ["SELECT * { ?s", "PREFIX x: <http://x/> SELECT * { ?s x:a 'b:c' # d:e\n", "SELECT * {<a:b>"],
)
def test_a_declared_prefix_is_not_reported_as_undeclared(
    graph: KnowledgeGraph, sparql: str
) -> None:
    with pytest.raises(QueryError) as raised:
        query(graph, sparql)
    assert "prefix" not in str(raised.value)


@pytest.mark.parametrize(
    "sparql",
    [
        "INSERT DATA { <a:a> <a:b> <a:c> }",
        "prefix x: <http://x/>\n# why\nDELETE WHERE { ?s ?p ?o }",
        "DROP ALL",
    ],
)
def test_updates_are_refused(graph: KnowledgeGraph, sparql: str) -> None:
    with pytest.raises(QueryError, match="updates are refused"):
        query(graph, sparql)


def test_a_query_that_exceeds_the_time_limit_is_stopped(graph: KnowledgeGraph) -> None:
    joined = " . ".join(f"?a{n} ?p{n} ?b{n}" for n in range(5))
    with pytest.raises(QueryError, match=r"longer than 0\.05 s"):
        query(
            graph,
            f"SELECT (COUNT(*) AS ?n) {{ {joined} FILTER(?b0 = 1 && ?b1 = ?b2) }} LIMIT 1",
            seconds=0.05,
        )
    assert query(graph, "ASK {}", seconds=60)
    with pytest.raises(QueryError, match="malformed"):
        query(graph, "ASK", seconds=60)


def test_unreadable_files_are_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"none\.ttl: no such file"):
        query(tmp_path / "none.ttl", "ASK {}")
    (tmp_path / "broken.nt").write_text("<a:b> <a:c> <a:d> .\n<a:b> .\n", encoding="utf-8")
    with pytest.raises(GraphError, match=r"broken\.nt:2: not nt"):
        query(tmp_path / "broken.nt", "ASK {}")


@pytest.mark.parametrize(
    "form", ["ASK {{ FILTER({0}1{1}) }}", "ASK {{{0}1{1}}}", "ASK {{ ?s {0}<a:a>{1} ?o }}"]
)
def test_a_deeply_nested_query_is_rejected(graph: KnowledgeGraph, form: str) -> None:
    for depth in (101, 50_000):
        deep = form.format("(" * depth, ")" * depth)
        with pytest.raises(QueryError, match="brackets open at a time"):
            query(graph, deep)
        with pytest.raises(QueryError, match="brackets open at a time"):
            query(graph, deep.replace("(", "{").replace(")", "}"))


def test_brackets_in_texts_comments_and_in_sequence_do_not_count_as_nesting(
    graph: KnowledgeGraph,
) -> None:
    texts = f"# {'(' * 500}\nASK {{ FILTER('{'(' * 500}' != '') {'{} ' * 300} }}"
    assert query(graph, texts).render("csv").strip() == "true"
    assert query(graph, f"ASK {{ FILTER({'(' * 90}1{')' * 90}) }}").render("csv").strip() == "true"
