"""A build from the inputs to the graph: read the sources, extract, assemble."""

from __future__ import annotations

import hashlib
import logging
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.building.assembling import assemble, input_digest, joint_digest
from citekg.building.execution.processes import Engine, Runner, this_process, worker_processes
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.incremental.fingerprints import reading_code, with_version
from citekg.building.incremental.part_files import extract_part
from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions
from citekg.extractors.known_introductions import shipped_digest, shipped_introductions
from citekg.extractors.models import FAST
from citekg.schemas.errors import InputError, WeightsError
from citekg.schemas.plugins import plugin_names
from citekg.schemas.records import Extraction, Paper, Run
from citekg.schemas.vocabulary import DEFAULT
from citekg.sources import Problem, merge_records, read_merged, store_records
from citekg.sources.cached_records import CachedFile, CachedRecords
from citekg.sources.in_memory import Record, paths_or_records, read_records
from citekg.sources.keyed_papers import KeyedPaper, keyed_papers
from citekg.storage.folders import Folder, LocalFolder, folder_at, open_folder

if TYPE_CHECKING:
    import pandas as pd

    from citekg.building.out_of_core.target import PartitionTarget
    from citekg.extractors.domain import Domain
    from citekg.extractors.pipeline import ExtractionPipeline
    from citekg.schemas.graph import KnowledgeGraph
    from citekg.sources.deduplication import MergedPapers
    from citekg.sources.in_memory import Inputs
    from citekg.summary import Counts

SOFTWARE: Final = "citekg"
#: The subfolder of the cache with the records of input files.
_SOURCES: Final = "sources"
#: The number of papers of a task without a cache.
_CHUNK: Final = 32
#: The number of parts of the papers: enough that a killed run loses little and that the
#: processes finish at about the same time.
_PARTS: Final = 64
_MIN_PART, _MAX_PART = 16, 1024

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class BuildResult:
    """A graph, the problems in the input, and messages for decisions without effect."""

    graph: KnowledgeGraph
    problems: tuple[Problem, ...] = ()
    stale: tuple[str, ...] = ()


def build(
    inputs: Inputs,
    *,
    input_format: str | None = None,
    pipeline: ExtractionPipeline | None = None,
    engine: Engine = this_process,
    decisions: Decisions = NO_DECISIONS,
    cache: str | Path | None = None,
) -> BuildResult:
    """Return the graph of the inputs, extracted with the default pipeline unless one is given.

    Inputs are paths, or records in memory (see `citekg.sources.in_memory`).
    """
    paths, records = paths_or_records(inputs)
    papers, problems = (
        read_papers(paths, input_format) if records is None else _papers_in_memory(records)
    )
    built = build_graph(
        papers, pipeline or make_pipeline(), engine=engine, decisions=decisions, cache=cache
    )
    return replace(built, problems=tuple(problems))


def read_papers(
    inputs: Iterable[str],
    input_format: str | None = None,
    cache: str | Path | None = None,
    workers: int = 1,
) -> tuple[MergedPapers, list[Problem]]:
    """Return the deduplicated papers of the inputs, on disk, and the problems by file and line.

    With a cache in a folder of this machine, files that have not changed are not read again. With
    several workers, each process reads some of the files.
    """
    problems: list[Problem] = []
    cache_folder = folder_at(cache) if cache is not None else None
    kept = cache_folder.path / _SOURCES if isinstance(cache_folder, LocalFolder) else None
    with tempfile.TemporaryDirectory(prefix="kg-") if workers > 1 else nullcontext() as folder:
        temporary = Path(folder) if folder else None
        cached = CachedRecords.of(kept, reading_code(), temporary) if kept or temporary else None
        read_ahead = partial(_read_ahead, input_format=input_format, workers=workers)
        papers = read_merged(inputs, problems.append, input_format, cached, read_ahead)
    problems.sort()
    _log.info(
        "sources read",
        extra={"records": papers.records, "papers": len(papers), "problems": len(problems)},
    )
    return papers, problems


def _read_ahead(files: Iterable[CachedFile], input_format: str | None, workers: int) -> None:
    """Store the records of the files that have none in the cache, if there are several files."""
    missing = [file for file in files if not file.exists()]
    workers = min(workers, len(missing))
    if workers > 1:
        no_pipeline: Any = None
        with worker_processes(no_pipeline, workers, _may_fork_readers) as runner:
            [*runner(partial(_store_records, input_format=input_format), missing)]


def _may_fork_readers(_pipeline: ExtractionPipeline) -> bool:
    """Return whether no plug-in reads files: it may hold a resource that a fork breaks."""
    return not plugin_names("source")


def _store_records(
    _pipeline: ExtractionPipeline, file: CachedFile, input_format: str | None
) -> None:
    store_records(file, input_format)


def _papers_in_memory(
    records: Iterable[Record] | pd.DataFrame,
) -> tuple[Collection[Paper], list[Problem]]:
    """Return the deduplicated papers of records in memory, and the problems."""
    problems: list[Problem] = []
    return merge_records(records, problems.append), problems


def extract(
    source: str | tuple[str, str] | Mapping[str, Any] | Paper, pipeline: ExtractionPipeline
) -> Extraction:
    """Return the extraction of a text, a pair of title and abstract, a record or a paper.

    Raises `InputError` for any other value.
    """
    if isinstance(source, str):
        source = ("", source)
    if isinstance(source, tuple) and len(source) == 2:  # a title and an abstract
        source = Paper("", *source)
    (item,) = read_records([source])
    if isinstance(item, Problem):
        raise InputError(item.place, item.message)
    return pipeline.extract(item)


def build_graph(
    papers: Collection[Paper],
    pipeline: ExtractionPipeline,
    *,
    engine: Engine = this_process,
    decisions: Decisions = NO_DECISIONS,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    cache: str | Path | None = None,
) -> BuildResult:
    """Extract the papers and assemble their graph in memory.

    `on_progress` receives the number of papers done and of all papers. `cache` is a folder, or a
    URL that fsspec opens, with the extractions of earlier builds. `engine` determines where
    extraction runs: in this process, in several, or on a cluster.
    """
    run = _run(pipeline, input_digest(papers), decisions)
    stale: list[str] = []
    with open_folder(cache) if cache is not None else nullcontext() as folder:
        found = extract_all(pipeline, papers, on_progress, engine, folder)
        graph = assemble(
            found, pipeline.lexicon, run, decisions, stale.append, shipped_introductions()
        )
    counts = {
        name: len(getattr(graph, name))
        for name in ("entities", "mentions", "relations", "links", "results")
    }
    _log.info("graph assembled", extra=counts)
    return BuildResult(graph, stale=tuple(stale))


def build_out_of_core(
    papers: Collection[Paper],
    pipeline: ExtractionPipeline,
    target: PartitionTarget,
    *,
    engine: Engine = this_process,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    cache: str | Path | None = None,
) -> tuple[list[str], Counts]:
    """Extract the papers and write their graph as many files, without holding it in memory.

    Returns the names of the lists of files, and the counts. The arguments are those of
    `build_graph`; without `cache`, a temporary folder holds the extractions.
    """
    from citekg.building.incremental.cached_steps import CachedSteps, code_version
    from citekg.building.out_of_core.build import build_partitions
    from citekg.building.out_of_core.paper_shards import shards_of

    shards = shards_of(papers)
    run = _run(pipeline, joint_digest(shard.digests for shard in shards), NO_DECISIONS)
    with (
        tempfile.TemporaryDirectory(prefix="kg-") as temporary,
        open_folder(cache or temporary) as folder,
        ExitStack() as workers,
    ):
        runner = workers.enter_context(engine(pipeline))
        [*runner(_start, [None])]  # worker processes fork before the tables start threads
        kept = ExtractionCache(folder, pipeline)
        lacking = (shard for shard in shards if not kept.has_all(shard.texts))
        new = chain.from_iterable(shard.read() for shard in lacking)
        _fill_cache(kept, new, len(papers), on_progress, runner)
        introduced_in = shipped_introductions()
        steps = CachedSteps(target.folder, f"{code_version()} {run.configuration} {run.weights}")
        return build_partitions(
            shards, pipeline, kept, run, target, runner, introduced_in, steps, workers.close
        )


def _run(pipeline: ExtractionPipeline, inputs: str, decisions: Decisions) -> Run:
    """Return the provenance of a graph; `inputs` is the digest of its papers."""
    return Run(
        SOFTWARE,
        version(SOFTWARE),
        configuration_digest(pipeline, decisions),
        inputs,
        pipeline.adapted.digest if pipeline.adapted else "",
    )


def extract_all(
    pipeline: ExtractionPipeline,
    papers: Collection[Paper],
    on_progress: Callable[[int, int], None],
    engine: Engine = this_process,
    folder: Folder | None = None,
) -> Iterator[Extraction]:
    """Yield the extractions of the papers in order.

    With a folder, only papers without a cached extraction are extracted, and added to the cache.
    """
    if folder is not None:
        with engine(pipeline) as runner:
            cache = ExtractionCache(folder, pipeline)
            _fill_cache(cache, keyed_papers(papers), len(papers), on_progress, runner)
        yield from cache.extractions(papers)
        return
    chunks = iter(partial(_next_chunk, iter(papers)), ())
    with engine(pipeline) as runner:
        extracted = chain.from_iterable(runner(_extract_chunk, chunks))
        for done, extraction in enumerate(extracted, start=1):
            yield extraction
            on_progress(done, len(papers))


def _fill_cache(
    cache: ExtractionCache,
    papers: Iterable[KeyedPaper],
    total: int,
    on_progress: Callable[[int, int], None],
    runner: Runner,
) -> None:
    """Extract the papers that the cache lacks; the corpus has `total` papers."""
    size = min(max(total // _PARTS, _MIN_PART), _MAX_PART)
    for done in accumulate(runner(extract_part, cache.missing(papers, size))):
        on_progress(done, total)
    on_progress(total, total)


def _start(_pipeline: ExtractionPipeline, _task: None) -> None:
    """Do nothing; running it as a task starts the worker processes."""


def _next_chunk(papers: Iterator[Paper]) -> tuple[Paper, ...]:
    return tuple(islice(papers, _CHUNK))


def _extract_chunk(pipeline: ExtractionPipeline, papers: Iterable[Paper]) -> list[Extraction]:
    return [*pipeline.extract_all(papers)]


def process_engine(workers: int) -> Engine:
    """Return the engine of this process for one worker, else of that many processes."""
    if workers == 1:
        return this_process
    return partial(worker_processes, workers=workers, prepare=_load_models)


def _load_models(pipeline: ExtractionPipeline) -> bool:
    """Load the models before processes fork; return whether they may fork: not with plug-ins.

    A plug-in may hold a resource that a fork breaks, such as a connection or a GPU.
    """
    from citekg.extractors.candidates.generate import LAYERS

    if not pipeline.layers <= frozenset(LAYERS):
        return False
    pipeline.extract(Paper("", "Kite", "We propose Kite, which reaches 9.1% on Heron."))
    return True


def dask_engine(scheduler: str | None, workers: int) -> Engine:
    """Return the engine of a Dask cluster.

    It uses the scheduler at that address or, without one, starts a local cluster with that many
    workers.
    """
    from citekg.building.execution.dask_cluster import cluster_workers

    return partial(cluster_workers, scheduler=scheduler, workers=workers)


def make_pipeline(
    layers: Iterable[str] | None = None,
    lexicons: Iterable[Path] = (),
    domain: Domain | None = None,
    weights: Path | None = None,
    model: str = FAST,
) -> ExtractionPipeline:
    """Return a pipeline with these layers, all shipped ones by default.

    Its lexicon is the shipped one with the names of the lexicon files and of the domain. A layer
    may be an extractor of another package; raises `PluginError` if that cannot be used. `weights`
    is a file of adapted weights; raises `WeightsError` if it does not fit. `model` is one of
    `citekg.extractors.models.MODELS`; raises `ExtractionError` for another one, and
    `MissingPackage` if a package that it needs is not installed.
    """
    from citekg.extractors.candidates.generate import LAYERS
    from citekg.extractors.candidates.plugins import load_extractor
    from citekg.extractors.candidates.shipped_lexicon import extend_shipped_lexicon
    from citekg.extractors.pipeline import ExtractionPipeline

    selected = frozenset(LAYERS if layers is None else layers)
    for name in sorted(selected.difference(LAYERS)):
        load_extractor(name)
    if domain is None:
        pipeline = ExtractionPipeline(extend_shipped_lexicon(lexicons), layers=selected)
    else:
        lexicon = extend_shipped_lexicon(lexicons, domain.vocabulary)
        pipeline = ExtractionPipeline(domain.lexicon(lexicon.rows), layers=selected, domain=domain)
    if model != FAST:
        pipeline = pipeline.with_model(model)
    return with_weights(pipeline, weights) if weights else pipeline


def with_weights(pipeline: ExtractionPipeline, file: Path) -> ExtractionPipeline:
    """Return the pipeline with adapted weights.

    Raises `WeightsError` if it is not a file of weights, or was learnt with other types
    or roles.
    """
    from citekg.extractors.adaptation.weights_file import read_weights

    if pipeline.model != FAST:
        raise WeightsError(f"{file}: learnt for the model {FAST}, not {pipeline.model}")
    adapted = read_weights(file)
    own_roles = {*adapted.roles}.difference(DEFAULT.roles)
    known = pipeline.domain.vocabulary if pipeline.domain else DEFAULT
    if adapted.labels != pipeline.labels or not own_roles <= {*known.roles}:
        names = ", ".join(filter(None, (*adapted.labels, *sorted(own_roles))))
        raise WeightsError(
            f"{file}: learnt with other types or roles ({names}): give the --schema that kg learn "
            "had"
        )
    return replace(pipeline, adapted=adapted)


def configuration_digest(pipeline: ExtractionPipeline, decisions: Decisions = NO_DECISIONS) -> str:
    """Return a SHA-256 of everything that determines the graph, except the papers."""
    layers = ",".join(sorted(map(with_version, pipeline.layers)))
    hasher = hashlib.sha256(f"{layers} {pipeline.lexicon.digest}".encode())
    hasher.update(f"{shipped_digest()} {pipeline.weights_digest}".encode())
    if pipeline.domain:
        hasher.update(pipeline.domain.configuration_text().encode())
    if decisions.entries:
        hasher.update(decisions.to_text().encode())
    return hasher.hexdigest()
