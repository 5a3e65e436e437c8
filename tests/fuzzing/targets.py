"""What is fuzzed: for each target, what it must keep to whatever the bytes, and the seeds that it starts from.

A target takes bytes and a file to put them into. It raises where a promise is broken: any error that is
not one of ours, a paper that is none, a good record that is lost, a graph that cannot be written again.
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

#: The formats by target; the first byte of the input chooses one of them.
JSON_FORMATS: Final = (
    "openalex", "arxiv-json", "papers-with-code", "hf-daily", "semantic-scholar", "crossref", "openreview",
)  # fmt: skip
LINE_FORMATS: Final = ("jsonl", "csv", "pages")
XML_FORMATS: Final = (
    "arxiv-xml", "ris", "arxiv-rss", "pubmed-xml", "anthology-xml", "endnote-xml", "nbib", "web-of-science",
)  # fmt: skip
GRAPH_FORMATS: Final = ("json", "ttl", "nt", "nq", "trig", "jsonld", "rdf")


class BrokenPromise(AssertionError):
    """Something that must hold for every input does not."""


@dataclass(frozen=True)
class Target:
    """A parser or a few of one kind: what it promises, and where fuzzing starts."""

    check: Callable[[bytes, Path], None]
    seeds: tuple[bytes, ...]


def promise(kept: object, told: str) -> None:
    """Raise `BrokenPromise` where something does not hold."""
    if not kept:
        raise BrokenPromise(told)


def _read(data: bytes, file: Path, input_format: str | None) -> set[str]:
    """The titles that are read of a file; everything that holds of papers and problems is checked."""
    from citekg.schemas.files import printable
    from citekg.sources import Problem, read
    from citekg.sources.decoding import cleaned

    file.write_bytes(data)
    problems: list[Problem] = []
    papers = read([str(file)], problems.append, input_format)
    for paper in papers:
        promise(paper.title.strip(), "a paper without a title")
        promise(paper.id, "a paper without an id")
        texts = (paper.id, paper.title, paper.abstract, paper.date, paper.url, paper.venue, *paper.authors)
        promise(all(text == cleaned(text) for text in texts), "a text that no export can hold")
        promise(all(source.name == file.name for source in paper.sources), "a paper of another file")
    for problem in problems:
        promise(problem.place.startswith(str(file)), "a problem without its file")
        promise(problem.message == printable(problem.message), f"not one line: {problem.message!r}")
    return {paper.title for paper in papers}


def any_source(data: bytes, file: Path) -> None:
    """A file of any bytes, whose format is recognised."""
    _read(data, file, None)


def _one_of(formats: tuple[str, ...], last: dict[str, bytes]) -> Callable[[bytes, Path], None]:
    """Reads as the format that the first byte chooses; the good record that stands last must not be lost."""

    def check(data: bytes, file: Path) -> None:
        name = formats[data[0] % len(formats)] if data else formats[0]
        good = last.get(name, b"")
        begun = b"title,abstract\n" if name == "csv" else b"\n"  # so that the whole file is no archive
        titles = _read(begun + data[1:] + good, file, name)
        promise(not good or seeds.LAST in titles, "the good record behind the bad ones is lost")

    return check


def graph_file(data: bytes, file: Path) -> None:
    """A graph file of any form; what can be read can be written, and read again."""
    from citekg.exports import write
    from citekg.schemas.errors import CitekgError
    from citekg.storage.graph_files import load_graph

    name = GRAPH_FORMATS[data[0] % len(GRAPH_FORMATS)] if data else "ttl"
    path = file.with_name(f"graph.{name}")
    path.write_bytes(data[1:])
    try:
        graph = load_graph(path)
    except CitekgError as error:
        promise(str(path) in str(error), "an error that names no file")
        return
    again = file.with_name("again.json")
    with suppress(CitekgError):
        write(graph, again, "json")
        promise(load_graph(again) == graph, "a graph that does not come back from JSON")
    for form in ("ttl", "csv", "graphml"):
        with suppress(CitekgError):
            write(graph, file.with_name(f"again.{form}{'.zip' if form == 'csv' else ''}"), form)


def decisions(data: bytes, file: Path) -> None:
    """A file of decisions; what is read is told."""
    from citekg.curation.decisions import read_decisions
    from citekg.schemas.errors import DecisionsError

    file.write_bytes(data)
    try:
        promise(isinstance(read_decisions(file).told(), str), "decisions that cannot be told")
    except DecisionsError as error:
        promise(str(file) in str(error), "an error that names no file")


def annotated(data: bytes, file: Path) -> None:
    """Annotated papers, marked samples and tables of facts, as the first byte chooses."""
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
        promise(str(file) in str(error), "an error that names no file")


def name(data: bytes, _file: Path) -> None:
    """A name of any text: keys and slugs."""
    from citekg.schemas.names import broader, key, parse, slug, unslug

    surface = data.decode("utf-8", "replace")
    folded = key(surface)
    promise(key(folded) == folded, "a key that is not its own key")
    promise(unslug(slug(folded)) == folded, "a slug that cannot be read back")
    promise(parse(surface) == parse(surface), "a name that is read in two ways")
    broader(surface)


def sparql(data: bytes, _file: Path) -> None:
    """A query of any text: answered or refused, and never one that calls another endpoint."""
    from citekg.queries import answered
    from citekg.queries.answers import answer_of
    from citekg.queries.safety import calls_elsewhere
    from citekg.schemas.errors import QueryError

    asked = data.decode("utf-8", "replace")
    if not calls_elsewhere(asked):
        promise(not _has_service(asked), "a call of another endpoint that is not refused")
        if "service" in asked.lower():
            return  # nothing here may reach for the network, whatever the engine makes of it
    with suppress(QueryError):
        answered(_store(), asked, lambda results: answer_of(results, {}).render("json"))


@cache
def _store() -> pyoxigraph.Store:
    from citekg.queries.store import open_store

    from tests.sample import sample_graph

    return open_store(sample_graph())


def _has_service(asked: str) -> bool:
    """Whether another parser of SPARQL, rdflib's, sees a call of another endpoint."""
    if "service" not in asked.lower():
        return False
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        return "ServiceGraphPattern" in repr(parseQuery(asked))
    except Exception:  # noqa: BLE001  # it reads less than SPARQL, and fails in many ways
        return False


#: The targets by name, the most exposed first.
TARGETS: Final[dict[str, Target]] = {
    "any-source": Target(any_source, seeds.FILES),
    "json": Target(_one_of(JSON_FORMATS, {}), seeds.chosen(JSON_FORMATS, seeds.RECORDS)),
    "lines": Target(_one_of(LINE_FORMATS, seeds.GOOD), seeds.chosen(LINE_FORMATS, seeds.RECORDS)),
    "bibtex": Target(_one_of(("bibtex",), seeds.GOOD), seeds.chosen(("bibtex",), seeds.RECORDS)),
    "xml-ris": Target(_one_of(XML_FORMATS, seeds.GOOD), seeds.chosen(XML_FORMATS, seeds.RECORDS)),
    "graph": Target(graph_file, seeds.chosen(GRAPH_FORMATS, seeds.graphs())),
    "decisions": Target(decisions, seeds.DECISIONS),
    "annotated": Target(annotated, seeds.ANNOTATED),
    "name": Target(name, seeds.NAMES),
    "sparql": Target(sparql, seeds.QUERIES),
}


def dictionary(target: Target) -> str:
    """The words and signs of the seeds as libFuzzer reads them, to put together anew."""
    found = {word for seed in target.seeds for word in re.findall(rb"[\w:@/.-]{2,40}|[^\w\s]{1,4}", seed)}
    return "".join(f'"{"".join(f"{chr(92)}x{sign:02x}" for sign in word)}"\n' for word in sorted(found))
