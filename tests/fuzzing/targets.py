"""The fuzz targets: for each, the invariants that hold for all bytes, and its seeds.

A target takes bytes and a file to write them to. It raises if an invariant is violated: an unexpected
exception, an invalid paper, a lost valid record, a graph that cannot be written again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.fuzzing import seeds

if TYPE_CHECKING:
    import pyoxigraph

#: The formats by target; the first byte of the input selects one.
JSON_FORMATS: Final = (
    "openalex", "arxiv-json", "papers-with-code", "hf-daily", "semantic-scholar", "crossref", "openreview",
)  # fmt: skip
LINE_FORMATS: Final = ("jsonl", "csv", "pages")
XML_FORMATS: Final = (
    "arxiv-xml", "ris", "arxiv-rss", "pubmed-xml", "anthology-xml", "endnote-xml", "nbib", "web-of-science",
)  # fmt: skip
GRAPH_FORMATS: Final = ("json", "ttl", "nt", "nq", "trig", "jsonld", "rdf")


class InvariantViolation(AssertionError):
    """An invariant is violated."""


@dataclass(frozen=True)
class Target:
    """A fuzz target: the check of its invariants, and its seeds."""

    check: Callable[[bytes, Path], None]
    seeds: tuple[bytes, ...]


def require(holds: object, message: str) -> None:
    """Raise `InvariantViolation` unless the invariant holds."""
    if not holds:
        raise InvariantViolation(message)


def _read(data: bytes, file: Path, input_format: str | None) -> set[str]:
    """Return the titles of the papers of a file; check the invariants of papers and problems."""
    from citekg.schemas.files import printable
    from citekg.sources import Problem, read
    from citekg.sources.decoding import replace_controls

    file.write_bytes(data)
    problems: list[Problem] = []
    papers = read([str(file)], problems.append, input_format)
    for paper in papers:
        require(paper.title.strip(), "a paper without a title")
        require(paper.id, "a paper without an id")
        texts = (
            paper.id,
            paper.title,
            paper.abstract,
            paper.date,
            paper.url,
            paper.venue,
            *paper.authors,
        )
        require(
            all(text == replace_controls(text) for text in texts), "a text that no export can hold"
        )
        require(
            all(source.name == file.name for source in paper.sources), "a paper of another file"
        )
    for problem in problems:
        require(problem.place.startswith(str(file)), "a problem without its file")
        require(problem.message == printable(problem.message), f"not one line: {problem.message!r}")
    return {paper.title for paper in papers}


def any_source(data: bytes, file: Path) -> None:
    """Parse arbitrary bytes with a detected format."""
    _read(data, file, None)


def _one_of(formats: tuple[str, ...], last: dict[str, bytes]) -> Callable[[bytes, Path], None]:
    """Return a check that parses the format of the first byte and must find the last record."""

    def check(data: bytes, file: Path) -> None:
        name = formats[data[0] % len(formats)] if data else formats[0]
        valid_record = last.get(name, b"")
        first_line = (
            b"title,abstract\n" if name == "csv" else b"\n"
        )  # so that the file is not recognised as an archive
        titles = _read(first_line + data[1:] + valid_record, file, name)
        require(
            not valid_record or seeds.LAST_TITLE in titles,
            "the good record behind the bad ones is lost",
        )

    return check


def graph_file(data: bytes, file: Path) -> None:
    """Parse a graph file; what can be read can be written and read again."""
    from citekg.exports import write
    from citekg.schemas.errors import CitekgError
    from citekg.storage.graph_files import load_graph

    name = GRAPH_FORMATS[data[0] % len(GRAPH_FORMATS)] if data else "ttl"
    path = file.with_name(f"graph.{name}")
    path.write_bytes(data[1:])
    try:
        graph = load_graph(path)
    except CitekgError as error:
        require(str(path) in str(error), "an error that names no file")
        return
    second_file = file.with_name("again.json")
    with suppress(CitekgError):
        write(graph, second_file, "json")
        require(load_graph(second_file) == graph, "a graph that does not come back from JSON")
    for form in ("ttl", "csv", "graphml"):
        with suppress(CitekgError):
            write(graph, file.with_name(f"again.{form}{'.zip' if form == 'csv' else ''}"), form)


def decisions(data: bytes, file: Path) -> None:
    """Parse a file of decisions; what can be read can be reported."""
    from citekg.curation.decisions import read_decisions
    from citekg.schemas.errors import DecisionsError

    file.write_bytes(data)
    try:
        require(isinstance(read_decisions(file).to_text(), str), "decisions without a text")
    except DecisionsError as error:
        require(str(file) in str(error), "an error that names no file")


def annotated(data: bytes, file: Path) -> None:
    """Parse annotated papers, marked samples or lexicon tables, as the first byte selects."""
    from citekg.evaluation.annotations import annotated_papers
    from citekg.evaluation.sampling import marked_precision
    from citekg.extractors.candidates.lexicon import read_table
    from citekg.schemas.errors import CitekgError

    readers: tuple[Callable[[], object], ...] = (
        lambda: annotated_papers(str(file)),
        lambda: marked_precision(file).text(),
        lambda: list(read_table(file)),
    )
    file.write_bytes(data[1:])
    try:
        readers[data[0] % len(readers) if data else 0]()
    except CitekgError as error:
        require(str(file) in str(error), "an error that names no file")


def name(data: bytes, _file: Path) -> None:
    """Normalise an arbitrary name: keys and slugs."""
    from citekg.schemas.names import broader, key, parse, slug, unslug

    surface = data.decode("utf-8", "replace")
    folded = key(surface)
    require(key(folded) == folded, "a key that is not its own key")
    require(unslug(slug(folded)) == folded, "a slug that cannot be read back")
    require(parse(surface) == parse(surface), "a name that is read in two ways")
    broader(surface)


def sparql(data: bytes, _file: Path) -> None:
    """Evaluate an arbitrary query: answered or refused, and no call of another endpoint."""
    from citekg.queries import run_query
    from citekg.queries.answers import collect_answer
    from citekg.queries.safety import calls_service
    from citekg.schemas.errors import QueryError

    asked = data.decode("utf-8", "replace")
    if not calls_service(asked):
        require(not _has_service(asked), "a call of another endpoint that is not refused")
        if "service" in asked.lower():
            return  # the engine must not use the network here
    with suppress(QueryError):
        run_query(_store(), asked, lambda results: collect_answer(results, {}).render("json"))


@cache
def _store() -> pyoxigraph.Store:
    from citekg.queries.store import open_store
    from tests.sample import sample_graph

    return open_store(sample_graph())


def _has_service(asked: str) -> bool:
    """Return whether rdflib's SPARQL parser finds a call of another endpoint."""
    if "service" not in asked.lower():
        return False
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        return "ServiceGraphPattern" in repr(parseQuery(asked))
    except Exception:  # noqa: BLE001  # it supports less than SPARQL 1.1, and fails in many ways
        return False


#: The targets by name, the most exposed first.
TARGETS: Final[dict[str, Target]] = {
    "any-source": Target(any_source, seeds.FILES),
    "json": Target(_one_of(JSON_FORMATS, {}), seeds.chosen(JSON_FORMATS, seeds.RECORDS)),
    "lines": Target(
        _one_of(LINE_FORMATS, seeds.VALID_RECORDS), seeds.chosen(LINE_FORMATS, seeds.RECORDS)
    ),
    "bibtex": Target(
        _one_of(("bibtex",), seeds.VALID_RECORDS), seeds.chosen(("bibtex",), seeds.RECORDS)
    ),
    "xml-ris": Target(
        _one_of(XML_FORMATS, seeds.VALID_RECORDS), seeds.chosen(XML_FORMATS, seeds.RECORDS)
    ),
    "graph": Target(graph_file, seeds.chosen(GRAPH_FORMATS, seeds.graphs())),
    "decisions": Target(decisions, seeds.DECISIONS),
    "annotated": Target(annotated, seeds.ANNOTATED),
    "name": Target(name, seeds.NAMES),
    "sparql": Target(sparql, seeds.QUERIES),
}


def dictionary(target: Target) -> str:
    """Return the tokens of the seeds as a libFuzzer dictionary."""
    found = {
        word for seed in target.seeds for word in re.findall(rb"[\w:@/.-]{2,40}|[^\w\s]{1,4}", seed)
    }
    return "".join(
        f'"{"".join(f"{chr(92)}x{sign:02x}" for sign in word)}"\n' for word in sorted(found)
    )
