"""The story of a build: read the papers, read each one's text, assemble the graph."""

from __future__ import annotations

import hashlib
import logging
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.building.assembling import assemble, input_digest
from citekg.building.execution.processes import Runner, run_here, run_in_workers
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.incremental.fingerprints import with_version
from citekg.building.incremental.part_files import extract_part
from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions
from citekg.extractors.known_introductions import shipped_introductions
from citekg.schemas.errors import InputError
from citekg.schemas.records import Extraction, Paper, Run
from citekg.sources import Problem, gathered_from_memory, read_merged
from citekg.sources.in_memory import Record, paths_or_records, read_records
from citekg.storage.folders import Folder, open_folder

if TYPE_CHECKING:
    import pandas as pd
    from citekg.building.out_of_core.target import PartitionTarget
    from citekg.extractors.domain import Domain
    from citekg.extractors.pipeline import ExtractionPipeline
    from citekg.graph.graph import Graph
    from citekg.sources.deduplication import MergedPapers
    from citekg.sources.in_memory import Inputs
    from citekg.summary import Counts

SOFTWARE: Final = "citekg"
#: How many papers go to a process at once where nothing is kept.
_CHUNK: Final = 32
#: How many parts the papers are cut into, so that a killed run loses little and no process waits long for the last.
_PARTS: Final = 64
_SMALLEST_PART, _BIGGEST_PART = 16, 1024

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class BuildResult:
    """A graph, what of the input had to be left out, and which decisions found nothing to act on."""

    graph: Graph
    problems: tuple[Problem, ...] = ()
    stale: tuple[str, ...] = ()


def build(
    inputs: Inputs,
    *,
    input_format: str | None = None,
    reader: ExtractionPipeline | None = None,
    runner: Runner = run_here,
    decisions: Decisions = NO_DECISIONS,
    cache: str | Path | None = None,
) -> BuildResult:
    """Read every paper of the inputs, with our own layers unless a reader is given, and assemble the graph.

    Inputs are paths, or records in memory (see `citekg.sources.in_memory`).
    """
    paths, records = paths_or_records(inputs)
    papers, problems = read_papers(paths, input_format) if records is None else _papers_in_memory(records)
    built = build_graph(papers, reader or make_pipeline(), runner=runner, decisions=decisions, cache=cache)
    return replace(built, problems=tuple(problems))


def read_papers(inputs: Iterable[str], input_format: str | None = None) -> tuple[MergedPapers, list[Problem]]:
    """The papers of the inputs, each once, on disk; and the problems in the inputs, by file and line."""
    problems: list[Problem] = []
    papers = read_merged(inputs, problems.append, input_format)
    problems.sort()
    _log.info("sources read", extra={"records": papers.records, "papers": len(papers), "problems": len(problems)})
    return papers, problems


def _papers_in_memory(records: Iterable[Record] | pd.DataFrame) -> tuple[Collection[Paper], list[Problem]]:
    problems: list[Problem] = []
    return gathered_from_memory(records, problems.append), problems


def extract(given: str | tuple[str, str] | Mapping[str, Any] | Paper, reader: ExtractionPipeline) -> Extraction:
    """What a text, a title and its abstract, a record or a paper names; raises `InputError` for anything else."""
    if isinstance(given, str):
        given = ("", given)
    if isinstance(given, tuple) and len(given) == 2:  # a title and an abstract
        given = Paper("", *given)
    (item,) = read_records([given])
    if isinstance(item, Problem):
        raise InputError(item.place, item.message)
    return reader.read(item)


def build_graph(
    papers: Collection[Paper],
    reader: ExtractionPipeline,
    *,
    runner: Runner = run_here,
    decisions: Decisions = NO_DECISIONS,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    cache: str | Path | None = None,
) -> BuildResult:
    """Read the papers and assemble their graph; `on_progress` hears papers done and in all.

    `cache` is a folder, or a URL that fsspec can open, that keeps what is found in each paper: what is there
    is not read again. `runner` says where papers are read: here, in several processes, or on a cluster.
    """
    run = Run(SOFTWARE, version(SOFTWARE), configuration_digest(reader, decisions), input_digest(papers))
    stale: list[str] = []
    with open_folder(cache) if cache is not None else nullcontext() as folder:
        found = extract_all(reader, papers, on_progress, runner, folder)
        graph = assemble(found, reader.lexicon, run, decisions, stale.append, shipped_introductions())
    counts = {name: len(getattr(graph, name)) for name in ("entities", "mentions", "relations", "links")}
    _log.info("graph assembled", extra=counts)
    return BuildResult(graph, stale=tuple(stale))


def build_out_of_core(
    papers: Collection[Paper],
    reader: ExtractionPipeline,
    target: PartitionTarget,
    *,
    runner: Runner = run_here,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    cache: str | Path | None = None,
) -> tuple[list[str], Counts]:
    """Read the papers and write their graph to many files; it is never in memory as a whole.

    Returns the names of the lists of files, and counts what is in them. The arguments are those of `build_graph`; the
    readings always lie in a folder, one that is thrown away where none is named.
    """
    from citekg.building.out_of_core.build import build_partitions

    run = Run(SOFTWARE, version(SOFTWARE), configuration_digest(reader), input_digest(papers))
    with tempfile.TemporaryDirectory(prefix="kg-") as thrown_away, open_folder(cache or thrown_away) as folder:
        kept = _filled_cache(reader, papers, on_progress, runner, folder)
        return build_partitions(papers, reader, kept, run, target, runner, shipped_introductions())


def extract_all(
    reader: ExtractionPipeline,
    papers: Collection[Paper],
    on_progress: Callable[[int, int], None],
    runner: Runner = run_here,
    folder: Folder | None = None,
) -> Iterator[Extraction]:
    """The papers, each read, in the order given; what the folder keeps is not read again, and the rest goes there."""
    if folder is not None:
        yield from _filled_cache(reader, papers, on_progress, runner, folder).readings(papers)
        return
    chunks = iter(partial(_next_chunk, iter(papers)), ())
    for done, reading in enumerate(chain.from_iterable(runner(reader, _extract_chunk, chunks)), start=1):
        yield reading
        on_progress(done, len(papers))


def _filled_cache(
    reader: ExtractionPipeline,
    papers: Collection[Paper],
    on_progress: Callable[[int, int], None],
    runner: Runner,
    folder: Folder,
) -> ExtractionCache:
    """What the folder keeps, once all papers have been read."""
    kept = ExtractionCache(folder, reader)
    parts = kept.missing(papers, min(max(len(papers) // _PARTS, _SMALLEST_PART), _BIGGEST_PART))
    for done in accumulate(runner(reader, extract_part, parts)):
        on_progress(done, len(papers))
    on_progress(len(papers), len(papers))
    return kept


def _next_chunk(papers: Iterator[Paper]) -> tuple[Paper, ...]:
    return tuple(islice(papers, _CHUNK))


def _extract_chunk(reader: ExtractionPipeline, papers: Iterable[Paper]) -> list[Extraction]:
    return [reader.read(paper) for paper in papers]


def make_runner(workers: int) -> Runner:
    """What reads in this process, or in several."""
    return run_here if workers == 1 else partial(run_in_workers, workers=workers)


def dask_runner(scheduler: str | None, workers: int) -> Runner:
    """What reads on a Dask cluster: that of a scheduler, or so many workers that are started here."""
    from citekg.building.execution.dask_cluster import run_on_cluster

    return partial(run_on_cluster, scheduler=scheduler, workers=workers)


def make_pipeline(
    layers: Iterable[str] | None = None, lexicons: Iterable[Path] = (), domain: Domain | None = None
) -> ExtractionPipeline:
    """A reader with the layers named; its lexicon has the names of more files and of a domain, too.

    Without layers it has all of ours. A layer may be an extractor of another package; raises `PluginError`
    where that cannot be used.
    """
    from citekg.extractors.candidates.generate import LAYERS
    from citekg.extractors.candidates.lexicon import with_shipped
    from citekg.extractors.candidates.plugins import extractor
    from citekg.extractors.pipeline import ExtractionPipeline

    named = frozenset(LAYERS if layers is None else layers)
    for name in sorted(named.difference(LAYERS)):
        extractor(name)
    if domain is None:
        return ExtractionPipeline(with_shipped(lexicons), layers=named)
    lexicon = with_shipped(lexicons, domain.vocabulary)
    return ExtractionPipeline(domain.lexicon(lexicon.rows), layers=named, domain=domain)


def configuration_digest(reader: ExtractionPipeline, decisions: Decisions = NO_DECISIONS) -> str:
    """A SHA-256 of everything beside the papers that decides what comes out."""
    told = hashlib.sha256(",".join(sorted(map(with_version, reader.layers))).encode())
    for entry in reader.lexicon.rows:
        told.update(repr((entry.key, entry.name, entry.type, entry.aliases, entry.family)).encode())
        told.update(repr((entry.umbrella, entry.exact, entry.context, sorted(entry.doubtful))).encode())
    told.update(repr(sorted(shipped_introductions().items())).encode())
    for weights in (reader.entity_model, reader.stacked_model, reader.roles):
        told.update(weights.table.tobytes())
    if reader.domain:
        told.update(reader.domain.told().encode())
    if decisions.entries:
        told.update(decisions.told().encode())
    return told.hexdigest()
