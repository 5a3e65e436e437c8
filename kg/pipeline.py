"""The story of a build: read the papers, read each one's text, assemble the graph."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from extractors.introductions import shipped_introductions
from kg.assembling import assemble, digest
from kg.decisions.kinds import NO_DECISIONS, Decisions
from kg.sources import Problem, read
from kg.workers import read_in_workers
from schemas.records import Paper, Reading, Run

if TYPE_CHECKING:
    from extractors.domain import Domain
    from extractors.reading import Reader
    from kg.graph import Graph

SOFTWARE: Final = "citekg"
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class Built:
    """A graph, what of the input had to be left out, and which decisions found nothing to act on."""

    graph: Graph
    problems: tuple[Problem, ...]
    stale: tuple[str, ...] = ()


def build(
    inputs: Iterable[str],
    *,
    input_format: str | None = None,
    layers: Iterable[str] | None = None,
    workers: int = 1,
    decisions: Decisions = NO_DECISIONS,
    lexicons: Iterable[Path] = (),
    domain: Domain | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Built:
    """Read every paper of the inputs and assemble the graph; `on_progress` hears papers done and in all.

    `lexicons` are files whose rows are known beside the shipped ones; `domain` is the field to read for.
    """
    reader = reader_of(layers, lexicons, domain)
    problems: list[Problem] = []
    papers = read(inputs, problems.append, input_format)
    _log.info("sources read", extra={"papers": len(papers), "problems": len(problems)})
    run = Run(SOFTWARE, version(SOFTWARE), configuration(reader, decisions), digest(papers))
    stale: list[str] = []
    found = readings(reader, papers, on_progress, workers)
    graph = assemble(found, reader.lexicon, run, decisions, stale.append, shipped_introductions())
    counts = {name: len(getattr(graph, name)) for name in ("entities", "mentions", "relations", "links")}
    _log.info("graph assembled", extra=counts)
    return Built(graph, tuple(problems), tuple(stale))


def readings(
    reader: Reader, papers: tuple[Paper, ...], on_progress: Callable[[int, int], None], workers: int = 1
) -> Iterator[Reading]:
    """The papers, each read, in the order given, in this process or by several workers."""
    found = map(reader.read, papers) if workers == 1 else read_in_workers(reader, papers, workers)
    for done, reading in enumerate(found, start=1):
        yield reading
        on_progress(done, len(papers))


def reader_of(
    layers: Iterable[str] | None = None, lexicons: Iterable[Path] = (), domain: Domain | None = None
) -> Reader:
    """A reader with the layers named; its lexicon has the names of more files and of a domain, too.

    Without layers it has all of ours. A layer may be an extractor of another package; raises `PluginError`
    where that cannot be used.
    """
    from extractors.candidates import LAYERS
    from extractors.lexicon import with_tables
    from extractors.plugged import extractor
    from extractors.reading import Reader

    named = frozenset(LAYERS if layers is None else layers)
    for name in sorted(named.difference(LAYERS)):
        extractor(name)
    lexicon = with_tables(lexicons)
    return Reader(lexicon if domain is None else domain.lexicon(lexicon.rows), layers=named, domain=domain)


def configuration(reader: Reader, decisions: Decisions = NO_DECISIONS) -> str:
    """A SHA-256 of everything beside the papers that decides what comes out."""
    told = hashlib.sha256(",".join(sorted(map(_with_version, reader.layers))).encode())
    for entry in reader.lexicon.rows:
        told.update(repr((entry.key, entry.name, entry.type, entry.aliases, entry.family)).encode())
        told.update(repr((entry.umbrella, entry.exact, entry.context, sorted(entry.doubtful))).encode())
    told.update(repr(sorted(shipped_introductions().items())).encode())
    for weights in (reader.first, reader.second, reader.roles):
        told.update(weights.table.tobytes())
    if reader.domain:
        told.update(reader.domain.told().encode())
    if decisions.entries:
        told.update(decisions.told().encode())
    return told.hexdigest()


def _with_version(layer: str) -> str:
    """A layer of another package with the version of that."""
    from extractors.candidates import LAYERS
    from extractors.plugged import installed

    return layer if layer in LAYERS else f"{layer} of {installed(layer).package} {installed(layer).version}"
