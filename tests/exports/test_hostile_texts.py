"""Hostile texts in any field of any record remain plain text, in every format and its parsers."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import rdflib
import yaml

import citekg.schemas.records
from citekg.exports import EXPORTERS, exporter, write
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import DEFAULT, INTRODUCES
from citekg.storage.graph_files import READERS, load_graph
from tests.exports.hostile import (
    HOSTILE,
    RECORDS,
    VOCABULARY_FIELDS,
    hostile_graph,
    texts_of,
    with_schema,
    with_vocabulary_text,
)
from tests.extent import sample_of
from tests.sample import sample_graph

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*is deprecated, use Dataset:DeprecationWarning:rdflib"
)

FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
INVALID_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
#: HTML elements that a text must never become in rendered Markdown.
ACTIVE_HTML = re.compile(r"<(script|img|svg|iframe|b|a)\b", re.IGNORECASE)
DEVICES = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)", re.IGNORECASE
)


def written(graph: KnowledgeGraph, name: str) -> bytes:
    return b"".join(exporter(name).writer(graph, ExportOptions()))


@cache
def plain(name: str) -> bytes:
    return written(sample_graph(), name)


def files_in(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


# The check of each format, with a parser of the format


def rdf(data: bytes, graph: KnowledgeGraph, name: str) -> None:
    """rdflib and Oxigraph read the same literals, with the texts, and no injected IRIs."""
    import pyoxigraph as ox

    rdflib_format = {
        "ttl": "turtle",
        "nt": "nt",
        "nq": "nquads",
        "trig": "trig",
        "jsonld": "json-ld",
        "rdf": "xml",
    }[name]
    oxigraph_formats = {
        "jsonld": "JSON_LD",
        "nt": "N_TRIPLES",
        "nq": "N_QUADS",
        "rdf": "RDF_XML",
        "ttl": "TURTLE",
    }
    quads = list(ox.parse(data, format=getattr(ox.RdfFormat, oxigraph_formats.get(name, "TRIG"))))
    literals = {q.object.value for q in quads if isinstance(q.object, ox.Literal)}
    dataset = rdflib.Dataset() if name in {"nq", "trig"} else rdflib.Graph()
    dataset.parse(data=data, format=rdflib_format)
    read = {str(node) for quad in dataset for node in quad if isinstance(node, rdflib.Literal)}
    assert read == literals
    assert {p.title for p in graph.papers} | {e.name for e in graph.entities} <= literals
    iris = {
        n.value
        for q in quads
        for n in (q.subject, q.predicate, q.object)
        if isinstance(n, ox.NamedNode)
    }
    assert not [iri for iri in iris if not re.fullmatch(r"https?://[A-Za-z0-9/#._~:;%-]+", iri)]
    harmless = ox.parse(plain("nt"), format=ox.RdfFormat.N_TRIPLES)
    numbers = {f"{rdflib.RDF}_{n}" for n in range(1, 9)}
    optional = {"https://w3id.org/citekg/ontology#weightsHash"}
    known = {q.predicate.value for q in harmless} | numbers | optional
    assert graph.vocabulary != DEFAULT or {q.predicate.value for q in quads} <= known


def node_link(data: bytes, graph: KnowledgeGraph, name: str) -> None:
    parsed = json.loads(data)
    assert list(parsed) == list(json.loads(plain(name)))
    labels = {node["label"] for node in parsed["nodes"]}
    assert {p.title for p in graph.papers} | {e.name for e in graph.entities} <= labels


def cytoscape(data: bytes, graph: KnowledgeGraph, name: str) -> None:
    parsed, harmless = json.loads(data), json.loads(plain(name))
    assert list(parsed) == list(harmless)
    names = {node["data"]["name"] for node in parsed["elements"]["nodes"]}
    assert {p.title for p in graph.papers} <= names
    keys = {key for node in harmless["elements"]["nodes"] for key in node["data"]}
    assert {key for node in parsed["elements"]["nodes"] for key in node["data"]} <= keys


def xml(data: bytes, graph: KnowledgeGraph, name: str) -> None:
    parsed, harmless = ET.fromstring(data), ET.fromstring(plain(name))
    assert {e.tag for e in parsed.iter()} == {e.tag for e in harmless.iter()}
    assert {a for e in parsed.iter() for a in e.attrib} == {
        a for e in harmless.iter() for a in e.attrib
    }
    texts = {text for e in parsed.iter() for text in (e.text, *e.attrib.values())}
    shown = INVALID_IN_XML.sub("\ufffd", graph.papers[0].title)
    assert {shown, shown.replace("\r\n", "\n").replace("\r", "\n")} & texts


def html(data: bytes, graph: KnowledgeGraph, name: str) -> None:
    """Apart from its inert data, the page is that of the sample graph; page/ tests it in a browser."""
    blocks = re.compile(rb'(<script type="application/json" id="\w+">)[^<]*(</script>)')
    assert blocks.sub(rb"\1\2", data) == blocks.sub(rb"\1\2", plain(name))
    assert len(blocks.findall(data)) == 5
    assert graph.papers[0].title.encode() not in data or graph.papers[0].title.isalnum()


#: The fields that our entries have.
BIBTEX = frozenset(
    "title author journal booktitle howpublished year month day eprint archiveprefix doi url abstract".split()
)


def bibtex(data: bytes, graph: KnowledgeGraph, _name: str) -> None:
    from bibtexparser.entrypoint import parse_string

    parsed = parse_string(data.decode())
    assert not parsed.failed_blocks
    assert len(parsed.blocks) == len(parsed.entries) == len(graph.papers)
    assert {f.key for e in parsed.entries for f in e.fields} <= BIBTEX
    assert not re.search(
        r"\\(?!text(backslash|braceleft|braceright|asciitilde|asciicircum)\{\}|[&%$#_])",
        data.decode(),
    )


def tables(data: bytes, graph: KnowledgeGraph, _name: str) -> None:
    """No cell is a formula, for any cell separator that a spreadsheet may use."""
    for file, content in files_in(data).items():
        rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
        assert {len(row) for row in rows} == {len(rows[0])}
        assert not [
            cell for row in rows for cell in row if FORMULA.match(cell) and not _is_number(cell)
        ], file
        for sign in ";\t":
            cells = [
                cell
                for line in content.decode().split("\n")
                for cell in line.strip('"').split(sign)
            ]
            assert not [
                cell for cell in cells if FORMULA.match(cell.lstrip('"')) and not _is_number(cell)
            ], file
    papers = list(csv.DictReader(io.StringIO(files_in(data)["papers.csv"].decode(), newline="")))
    assert len(papers) == len(graph.papers) + len(graph.stubs)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def parquet(data: bytes, graph: KnowledgeGraph, _name: str) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    papers = pq.read_table(io.BytesIO(files_in(data)["papers.parquet"])).to_pylist()
    assert [p["title"] for p in papers] == [p.title for p in (*graph.papers, *graph.stubs)]
    assert papers[0]["authors"] == [*graph.papers[0].authors]


def neo4j(data: bytes, _graph: KnowledgeGraph, name: str) -> None:
    """Each record stays one row, and the script differs from the harmless one only in identifiers."""
    parsed, harmless = files_in(data), files_in(plain(name))
    for file in ("papers.csv", "entities.csv", "results.csv", "edges.csv"):
        rows, before = (
            [*csv.reader(io.StringIO(f[file].decode(), newline=""))] for f in (parsed, harmless)
        )
        assert rows[0] == before[0]
        assert {len(row) for row in rows} == {len(rows[0])}
        assert file == "edges.csv" or len(rows) == len(before)
        assert not [
            cell
            for row in rows
            for cell in row
            if "\n" in cell or "\r" in cell or cell.endswith("\\")
        ]
    named = re.compile(r"(?<=[`'])[A-Za-z0-9_;]+(?=[`'])")
    statements = [
        {named.sub("", s) for s in f["load.cypher"].decode().split(";\n")}
        for f in (parsed, harmless)
    ]
    assert statements[0] == statements[1]


def notes(data: bytes, graph: KnowledgeGraph, _name: str) -> None:
    parsed = files_in(data)
    assert len(parsed) == 1 + len(graph.papers) + len(graph.stubs) + len(graph.entities)
    assert len({file.casefold() for file in parsed}) == len(parsed)
    for file, content in parsed.items():
        _check_file_name(file)
        _, head, body = (
            content.decode().split("---\n", 2)
            if content.startswith(b"---\n")
            else ("", "{}", content.decode())
        )
        properties = yaml.safe_load(head)
        assert {*properties} <= {
            "title",
            "date",
            "authors",
            "arxiv",
            "venue",
            "id",
            "tags",
            "aliases",
            "type",
            "doi",
        }
        _check_markdown_shows_only_text(body)
    shown = [
        yaml.safe_load(c.decode().split("---\n", 2)[1]).get("title")
        for f, c in parsed.items()
        if "/papers/" in f
    ]
    assert {_as_one_line(p.title) for p in graph.papers} <= {*shown}


def reading_list(data: bytes, graph: KnowledgeGraph, _name: str) -> None:
    """There is one item per paper and one per claim, for any text."""
    body = data.decode()
    _check_markdown_shows_only_text(body)
    read = {(r.paper, r.entity) for r in graph.relations if r.role == INTRODUCES}
    known = [
        i
        for i in graph.introductions
        if i.paper in graph.paper_by_id and (i.paper, i.entity) not in read
    ]
    assert len(re.findall(r"(?m)^- \*\*", body)) == len(graph.papers)
    claims = len(graph.relations) + len(known) + len(graph.results)
    assert len(re.findall(r"(?m)^  - ", body)) == claims
    assert len([line for line in body.split("\n") if line]) == 1 + len(graph.papers) + claims


def _as_one_line(text: str) -> str:
    return re.sub("[\\s\x00-\x1f\x7f-\x9f\ufffe\uffff]+", " ", text).strip()


def _check_file_name(file: str) -> None:
    """Check that a file name stays in its folder and is valid on every system."""
    assert file.isprintable()
    assert not re.search(r'[\\:*?"<>|]', file)
    parts = PurePosixPath(file).parts
    assert PureWindowsPath(file).parts == parts
    assert not [
        part
        for part in parts
        if part in {".", ".."} or part != part.strip(" .") or DEVICES.match(part)
    ]
    assert len(parts[-1].encode()) < 200


def _check_markdown_shows_only_text(body: str) -> None:
    from markdown_it import MarkdownIt

    shown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(body)
    assert not ACTIVE_HTML.search(shown.replace('<a href="http', "")), shown
    assert not re.search(r'(href|src)="(?!https?:)', shown)
    assert "<code" not in shown, "what notes run stands in code"
    assert "%%" not in body


CHECKS: dict[str, Callable[[bytes, KnowledgeGraph, str], None]] = {
    **dict.fromkeys(("ttl", "nt", "nq", "trig", "jsonld", "rdf"), rdf),
    **dict.fromkeys(("graphml", "gexf"), xml),
    "html": html,
    "json": node_link,
    "cyjs": cytoscape,
    "bib": bibtex,
    "csv": tables,
    "parquet": parquet,
    "neo4j": neo4j,
    "md": reading_list,
    "obsidian": notes,
}
SLOW = {"html"}
#: Records that are derived from others and not stored.
NOT_STORED = {
    citekg.schemas.records.Outperformance,
    citekg.schemas.records.Topic,
    citekg.schemas.records.Citation,
    citekg.schemas.records.Evidence,
    citekg.schemas.records.PaperEntity,
    citekg.schemas.records.Extraction,
}
#: The hostile texts that are also tested in fields of the vocabulary.
VOCABULARY_TEXTS = (
    "script",
    "attribute",
    "lines",
    "formula",
    "IRI",
    "Cypher",
    "YAML",
    "Markdown",
    "path",
    "NUL",
)


def format_and_text_cases() -> Iterator[Any]:
    for name in EXPORTERS:
        for about, text in HOSTILE.items():
            if name not in SLOW or about in {"end of script", "template", "separators", "NUL"}:
                yield pytest.param(name, text, id=f"{name}-{about}")


def is_refused(name: str, text: str) -> bool:
    return name == "rdf" and bool(INVALID_IN_XML.search(text))


def test_every_format_has_a_check() -> None:
    assert CHECKS.keys() == EXPORTERS.keys()


def test_the_hostile_graph_covers_every_text_field_of_every_record() -> None:
    kinds = {
        k for k in vars(citekg.schemas.records).values() if isinstance(k, type) and is_dataclass(k)
    }
    stored = kinds - NOT_STORED
    assert stored == {*RECORDS.values()}, "a new record is to be listed in tests/exports/hostile.py"
    texts = {(kind, f.name) for kind in stored for f in fields(kind) if "str" in str(f.type)}
    graph = hostile_graph("HOSTILE")
    seen = {
        (kind, field)
        for part in fields(graph)
        if part.compare
        for kind, field, text in _all_texts(graph, part.name)
        if "HOSTILE" in text
    }
    ids = {
        (kind, field)
        for kind, field in texts - seen - VOCABULARY_FIELDS
        if field not in {"entity", "family"}
    }
    assert ids == set()


def _all_texts(graph: KnowledgeGraph, part: str) -> Iterator[tuple[type, str, str]]:
    records = getattr(graph, part)
    for record in records if isinstance(records, tuple) else (records,):
        yield from texts_of(record)


@pytest.mark.parametrize(("name", "text"), sample_of(format_and_text_cases(), 3))
def test_hostile_texts_in_every_field_remain_plain_text(name: str, text: str) -> None:
    graph = hostile_graph(text)
    if is_refused(name, text):
        with pytest.raises(GraphError, match="choose another format"):
            written(graph, name)
    else:
        CHECKS[name](written(graph, name), graph, name)


@pytest.mark.parametrize("name", READERS)
def test_hostile_texts_survive_a_round_trip(name: str, tmp_path: Path) -> None:
    for text in sample_of(HOSTILE.values(), 3):
        if not is_refused(name, text):
            for graph in (hostile_graph(text), with_schema(text)):
                write(graph, tmp_path / f"graph{EXPORTERS[name].suffix}", name)
                read = load_graph(tmp_path / f"graph{EXPORTERS[name].suffix}")
                assert [getattr(read, f.name) for f in fields(graph)] == [
                    getattr(graph, f.name) for f in fields(graph)
                ]


@pytest.mark.parametrize(
    ("kind", "field"),
    sorted(VOCABULARY_FIELDS, key=str),
    ids=lambda value: getattr(value, "__name__", value),
)
@pytest.mark.parametrize("name", [name for name in EXPORTERS if name not in SLOW])
def test_a_hostile_text_in_a_vocabulary_field_is_refused_or_remains_plain_text(
    name: str, kind: type, field: str
) -> None:
    for text in map(HOSTILE.__getitem__, sample_of(VOCABULARY_TEXTS, 3)):
        graph = with_vocabulary_text(kind, field, text)
        try:
            data = written(graph, name)
        except GraphError:
            continue
        CHECKS[name](data, graph, name)


@pytest.mark.parametrize("name", EXPORTERS)
def test_hostile_texts_of_a_schema_remain_plain_text(name: str) -> None:
    tested_texts = VOCABULARY_TEXTS[:1] if name in SLOW else sample_of(VOCABULARY_TEXTS, 3)
    for text in map(HOSTILE.__getitem__, tested_texts):
        if not is_refused(name, text):
            CHECKS[name](written(with_schema(text), name), with_schema(text), name)


def test_the_archive_of_notes_unpacks_only_into_its_own_folder(tmp_path: Path) -> None:
    for text in HOSTILE.values():
        write(hostile_graph(text), tmp_path / "out" / "notes.obsidian.zip", "obsidian")
        with zipfile.ZipFile(tmp_path / "out" / "notes.obsidian.zip") as archive:
            archive.extractall(tmp_path / "unpacked")
    assert {p.name for p in tmp_path.iterdir()} == {"out", "unpacked"}
    assert {p.name for p in (tmp_path / "unpacked").iterdir()} == {"citekg"}
    assert all(p.resolve().is_relative_to(tmp_path) for p in tmp_path.rglob("*"))
