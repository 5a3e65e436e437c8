"""Other invalid files of users: graphs, decisions, annotations, queries, names, schemas.

Each is refused with one message, which begins with the file's name.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.fuzzing.seeds import graphs
from tests.hostile.making import Make, file, named_pipe, packed_blanks
from tests.kg.evaluation.annotated import LINE


def _graph(path: Path) -> object:
    from citekg.storage.graph_files import load_graph

    return load_graph(path)


def _text(path: Path) -> object:
    from citekg.schemas.errors import InputError
    from citekg.schemas.files import read_text_or_raise

    return read_text_or_raise(path, InputError)


def _decisions(path: Path) -> object:
    from citekg.curation.decisions import read_decisions

    return read_decisions(path)


def _annotations(path: Path) -> object:
    from citekg.evaluation.annotations import annotated_papers

    return annotated_papers(str(path))


def _marks(path: Path) -> object:
    from citekg.evaluation.sampling import marked_precision

    return marked_precision(path)


def _names(path: Path) -> object:
    from citekg.extractors.candidates.lexicon import read_table

    return list(read_table(path))


def _schema(path: Path) -> object:
    from citekg.domains.files import read_values

    return read_values(path)


@dataclass(frozen=True)
class Refused:
    """An invalid file, its reader, and the beginning of the message after the file name."""

    what: str
    read: Callable[[Path], object]
    make: Make
    reported: str


def _json(**changes: object) -> bytes:
    return json.dumps({**json.loads(graphs()["json"][1]), **changes}).encode()


def _changed(old: str, new: str) -> bytes:
    whole = graphs()["json"][1].decode()
    if old not in whole:
        raise ValueError(f"{old!r} does not stand in the graph")
    return whole.replace(old, new, 1).encode()


_TTL, _NT = (graphs()[name][1] for name in ("ttl", "nt"))
_RDF: Final = '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="a:"><a:D><a:p>&l;</a:p></a:D></r:RDF>'
_AUTHOR_DATE_REASON: Final = "author: Ada, date: 2026-01-31, reason: read"
_BAN: Final = f"- {{kind: ban, name: on, {_AUTHOR_DATE_REASON}}}\n"
_LAUGHS: Final = "- &a0 [ha]\n" + "".join(
    f"- &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
_MARKED: Final = "right\ttype\trole\ny\tModel\tuses\n"
_TABLE: Final = "name\ttype\taliases\tfamily\tflags\n"

GRAPHS: Final = tuple(
    Refused(what, _graph, file(*parts, name=name), reported)
    for what, name, parts, reported in (
        ("an empty graph", "x.ttl", (b"",), ": not a citekg graph"),
        ("Turtle that breaks off", "x.ttl", (_TTL[:-60],), ":"),
        ("N-Triples that break off", "x.nt", (_NT[:-9],), ":"),
        ("JSON that breaks off", "x.json", (graphs()["json"][1][:-90],), ":"),
        ("JSON-LD that breaks off", "x.jsonld", (graphs()["jsonld"][1][:-9],), ":"),
        ("RDF/XML that breaks off", "x.rdf", (graphs()["rdf"][1][:-90],), ":"),
        ("a graph of another program", "x.ttl", (b"<a:a> <a:b> <a:c> .",), ": not a citekg graph"),
        ("Turtle in Latin-1", "x.ttl", (_TTL, "<a:a> <a:b> 'é' .".encode("latin-1")), ":"),
        ("Turtle with NUL", "x.ttl", (_TTL, b"\0"), ":"),
        ("Turtle in UTF-16", "x.ttl", (_TTL.decode().encode("utf-16"),), ":"),
        (
            "triples inside one another, a hundred thousand deep",
            "x.nt",
            (b"<a:a> <a:b> ", ("<<( <a:a> <a:b> ", 100_000)),
            ": not read: more than 50 nested triples",
        ),
        (
            "Turtle with a hundred thousand brackets",
            "x.ttl",
            (b"<a:a> <a:b> ", ("[<a:b> ", 100_000)),
            ":",
        ),
        (
            "JSON-LD with a hundred thousand brackets",
            "x.jsonld",
            (("[", 100_000),),
            ":1: not jsonld",
        ),
        (
            "JSON-LD that names a page elsewhere",
            "x.jsonld",
            (b'{"@context": "http://127.0.0.1:9/x", "http://a/b": 1}',),
            ": not jsonld",
        ),
        (
            "XML that expands itself",
            "x.rdf",
            (f'<!DOCTYPE x [<!ENTITY l "{"ha" * 999}">]>{_RDF}',),
            ": not read: it declares entities",
        ),
        (
            "XML that names a file",
            "x.rdf",
            (f'<!DOCTYPE x [<!ENTITY l SYSTEM "file:///etc/passwd">]>{_RDF}',),
            ": not read: it declares entities",
        ),
        ("JSON with a hundred thousand brackets", "x.json", (("[", 100_000),), ": not JSON"),
        ("a list where a graph is due", "x.json", (b"[]",), ": not a citekg graph"),
        (
            "JSON with NaN for a confidence",
            "x.json",
            (_changed('"confidence": 0.5', '"confidence": "NaN"'),),
            ": not a citekg graph",
        ),
        (
            "JSON with a number of 400 digits for a confidence",
            "x.json",
            (_changed('"confidence": 0.5', f'"confidence": 1{"0" * 400}'),),
            ": not a citekg graph",
        ),
        (
            "JSON with half a letter",
            "x.json",
            (_changed("Quill extends", r"\ud800 extends"),),
            ": not a citekg graph",
        ),
        (
            "JSON with a text where a list is due",
            "x.json",
            (_changed('"evidence": ["p1_m20"]', '"evidence": "p1_m20"'),),
            ": not a citekg graph",
        ),
        (
            "JSON with types that are no pairs",
            "x.json",
            (_changed('"types": [["Method", 1]]', '"types": ["M"]'),),
            ": not a citekg graph",
        ),
        (
            "JSON whose mention stands in no paper",
            "x.json",
            (
                _changed(
                    '"end": 5, "entity": "quill", "layer": "lexicon", "paper": "p1"',
                    '"end": 5, "entity": "quill", "layer": "lexicon", "paper": "p0"',
                ),
            ),
            ": a mention refers to 'p0'",
        ),
        (
            "JSON of a role that nobody knows",
            "x.json",
            (_changed('"role": "extends"', '"role": "admires"'),),
            ": a relation refers to 'admires'",
        ),
        ("JSON without nodes", "x.json", (b'{"graph": {}, "edges": []}',), ": not a citekg graph"),
        (
            "JSON of a later version",
            "x.json",
            (_json(graph={"format": "citekg-graph/99"}),),
            ": not a citekg graph",
        ),
        (
            "a packed graph that breaks off",
            "x.ttl.gz",
            (gzip.compress(_TTL)[:-20],),
            ": cannot be read",
        ),
        (
            "a packed graph with something behind it",
            "x.ttl.gz",
            (gzip.compress(_TTL), b"behind"),
            ": cannot be read",
        ),
        ("a picture", "x.png", (b"\x89PNG\r\n\x1a\n\0",), ": not a graph file"),
        ("a zip archive for a graph", "x.ttl", (b"PK\x03\x04\0\0",), ":"),
    )
)
PLACES: Final = (
    Refused(
        "a bomb for a graph",
        _graph,
        packed_blanks(64),
        ": cannot be read: it unpacks to more than 200",
    ),
    Refused("a pipe for a graph", _graph, named_pipe, ": not a graph file"),
    Refused("a folder for a graph", _graph, lambda _: ["."], ": no graph is in this folder"),
    Refused("an endless device for a graph", _graph, lambda _: ["/dev/zero"], ": cannot be read"),
    Refused("an endless device for a query", _text, lambda _: ["/dev/zero"], ": cannot be read"),
    Refused(
        "an endless device for decisions",
        _decisions,
        lambda _: ["/dev/urandom"],
        ": cannot be read",
    ),
    Refused(
        "an endless device for annotations",
        _annotations,
        lambda _: ["/dev/zero"],
        ": cannot be read",
    ),
    Refused("an endless device for marks", _marks, lambda _: ["/dev/zero"], ": cannot be read"),
    Refused("an endless device for names", _names, lambda _: ["/dev/zero"], ": cannot be read"),
    Refused("an endless device for a schema", _schema, lambda _: ["/dev/zero"], ": cannot be read"),
    Refused(
        "a query of 20 MB",
        _text,
        file((" ", 20_000_000), name="x.rq"),
        ": cannot be read: longer than 16 MB",
    ),
    Refused(
        "a query in Latin-1",
        _text,
        file("SELECT 'é'".encode("latin-1"), name="x.rq"),
        ": is not UTF-8 text",
    ),
    Refused(
        "a packed query", _text, file(gzip.compress(b"ASK {}"), name="x.rq"), ": is not UTF-8 text"
    ),
)
TEXT_FILES: Final = tuple(
    Refused(what, read, file(*parts, name=name), reported)
    for what, read, name, parts, reported in (
        (
            "decisions that are no list",
            _decisions,
            "x.yaml",
            ("kind: ban\n",),
            ":1: expected a list",
        ),
        (
            "decisions with lists inside one another",
            _decisions,
            "x.yaml",
            (_LAUGHS,),
            ":1: expected an entry",
        ),
        (
            "decisions with brackets inside one another",
            _decisions,
            "x.yaml",
            (("[", 5_000),),
            ": not YAML that can be read",
        ),
        (
            "decisions that make objects",
            _decisions,
            "x.yaml",
            ("- !!python/object/apply:os.system [ls]\n",),
            ":1: expected an entry",
        ),
        (
            "decisions with a value that makes objects",
            _decisions,
            "x.yaml",
            (_BAN.replace("on", "!!python/name:os.system x"),),
            ":1:",
        ),
        (
            "decisions with keys that are merged in",
            _decisions,
            "x.yaml",
            (f"- &a {{{_BAN[3:-2]}}}\n- {{<<: *a}}\n",),
            ":2:",
        ),
        (
            "decisions with a letter beyond Unicode",
            _decisions,
            "x.yaml",
            ('- "\\UFFFFFFFF"\n',),
            ": not YAML",
        ),
        (
            "decisions with a tab for space",
            _decisions,
            "x.yaml",
            ("-\tkind: ban\n\tname: x\n",),
            ":",
        ),
        ("decisions with NUL", _decisions, "x.yaml", (_BAN, b"\0"), ": not YAML"),
        (
            "decisions in Latin-1",
            _decisions,
            "x.yaml",
            (_BAN.encode(), b"# caf\xe9\n"),
            ": is not UTF-8 text",
        ),
        (
            "packed decisions",
            _decisions,
            "x.yaml.gz",
            (gzip.compress(_BAN.encode()),),
            ": is not UTF-8 text",
        ),
        (
            "decisions of 20 MB",
            _decisions,
            "x.yaml",
            ((" ", 20_000_000),),
            ": cannot be read: longer than 16 MB",
        ),
        (
            "a decision on a day that never was",
            _decisions,
            "x.yaml",
            (_BAN.replace("01-31", "02-31"),),
            ":1:",
        ),
        ("annotations that are no objects", _annotations, "x", ("[1]\n",), ":1: not an object"),
        (
            "annotations inside one another",
            _annotations,
            "x",
            (("[", 100_000), "\n"),
            ":1: not JSON",
        ),
        (
            "annotations without entities",
            _annotations,
            "x",
            ('{"title": "a", "abstract": "b"}\n',),
            ":1: 'entities'",
        ),
        (
            "an annotation of another type",
            _annotations,
            "x",
            (json.dumps(LINE).replace('"Method"', "[1]"),),
            ":1: entity 1",
        ),
        (
            "annotations that break off",
            _annotations,
            "x",
            (json.dumps(LINE) + "\n", json.dumps(LINE)[:-9]),
            ":2: not JSON",
        ),
        (
            "packed annotations that break off",
            _annotations,
            "x",
            (gzip.compress(json.dumps(LINE).encode() * 9)[:-12],),
            ":1: the gzip data",
        ),
        (
            "annotations in Latin-1",
            _annotations,
            "x",
            (b'{"title": "caf\xe9"}\n',),
            ":1: not UTF-8",
        ),
        (
            "an archive of annotations",
            _annotations,
            "x",
            (b"PK\x03\x04", json.dumps(LINE)),
            ":1: this is a ZIP",
        ),
        ("an empty sample", _marks, "x.tsv", (b"",), ":1: expected a header"),
        ("a sample with other columns", _marks, "x.tsv", ("a\tb\n",), ":1: expected a header"),
        (
            "a sample with a cell of 200,000 letters",
            _marks,
            "x.tsv",
            (_MARKED, ("a", 200_000)),
            ":",
        ),
        ("a sample with a line end inside", _marks, "x.tsv", (_MARKED, "y\ra\tb\n"), ":"),
        (
            "a sample with too few cells",
            _marks,
            "x.tsv",
            (_MARKED, "y\n"),
            ":3: the row has fewer cells",
        ),
        (
            "a sample with a mark that means nothing",
            _marks,
            "x.tsv",
            (_MARKED, "perhaps\tModel\tuses\n"),
            ":3: the mark",
        ),
        ("a sample with NUL", _marks, "x.tsv", (_MARKED, b"\0\n"), ":3: binary data"),
        ("names without a header", _names, "x.tsv", ("A\tMethod\t\t\t\n",), ":1: the first line"),
        ("a name of no type", _names, "x.tsv", (_TABLE, "A\tThing\t\t\t\n"), ":2: expected"),
        ("a name with too few columns", _names, "x.tsv", (_TABLE, "A\tMethod\n"), ":2: expected"),
        (
            "names in Latin-1",
            _names,
            "x.tsv",
            (_TABLE.encode(), b"caf\xe9\tMethod\t\t\t\n"),
            ": is not UTF-8 text",
        ),
        (
            "packed names",
            _names,
            "x.tsv.gz",
            (gzip.compress(_TABLE.encode()),),
            ": is not UTF-8 text",
        ),
        ("a schema with aliases", _schema, "x.yaml", (_LAUGHS,), ": has an alias"),
        (
            "a schema with brackets inside one another",
            _schema,
            "x.yaml",
            (("[", 100_000),),
            ": has more than 50 lists",
        ),
        (
            "a schema with a letter beyond Unicode",
            _schema,
            "x.yaml",
            ('a: "\\UFFFFFFFF"\n',),
            ": not YAML",
        ),
        ("TOML inside one another", _schema, "x.toml", ("a = ", ("[", 5_000)), ": not TOML"),
        (
            "TOML with a number of 5,000 digits",
            _schema,
            "x.toml",
            ("a = 1", ("0", 5_000)),
            ": not TOML",
        ),
    )
)
FILES: Final = (*GRAPHS, *PLACES, *TEXT_FILES)

#: Queries that are too deep or too long: without a limit, the engine would crash the process.
_DEEP: Final = f"FILTER({'(' * 50_000}1{')' * 50_000} = '')"
QUERIES: Final = {
    "brackets": f"SELECT * {{ FILTER({'(' * 50_000}1{')' * 50_000}) }}",
    "groups": f"SELECT * {'{' * 50_000}{'}' * 50_000}",
    "functions": f"SELECT * {{ FILTER({'STR(' * 1_000}1{')' * 1_000}) }}",
    "negations": f"SELECT * {{ FILTER({'!' * 50_000}true) }}",
    "sums": f"SELECT * {{ FILTER({'1+' * 50_000}1) }}",
    "sums that look like an address": f"SELECT * {{ FILTER(1<a:a{'+1' * 50_000}&&2>1) }}",
    "alternatives": f"SELECT * {{ FILTER({'?a || ' * 50_000}?b) }}",
    "paths": f"SELECT * {{ ?s {'<a:a>/' * 50_000}<a:b> ?o }}",
    "unions": f"SELECT * {{ {'{ ?a ?b ?c } UNION ' * 50_000}{{ ?a ?b ?c }} }}",
    "patterns": f"SELECT * {{ {'?a ckg:b ckg:c. ' * 50_000} }}",
    "objects": f"SELECT * {{ ?a ?b {'?c, ' * 50_000} ?d }}",
    "behind an escaped quote": f"PREFIX e: <urn:> SELECT * {{ ?s e:a\\' ?o {_DEEP} }}",
    "behind an escaped hash": f"PREFIX e: <urn:> SELECT * {{ ?s e:a\\# ?o {_DEEP} }}",
    "behind an escape in an IRI": f"SELECT * {{ ?s <urn:\\u0041'> ?o {_DEEP} }}",
    "behind an IRI like a comparison": f"SELECT * {{ ?s <urn:a,b#c> ?o {_DEEP} }}",
    "behind a comparison like an IRI": f"SELECT * {{ ?s ?p ?o FILTER(?s<(1)&&'>)'=?o) {_DEEP} }}",
    "closed in IRIs": f"SELECT * {{ FILTER({('(' * 90 + '1=<u:' + ')' * 90 + '>||') * 600}1{')' * 54_000}) }}",
    "behind a text that seems to go on": f"SELECT * {{ FILTER('''\\'''{chr(39)}''' = 'a' || {'?a || ' * 50_000}?b) }}",
}
