"""`kg build`: read papers and write their graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citekg.cli.earlier_files import earlier_files, earlier_lists
from citekg.cli.export_options import SPLIT, check_options, export_options, output_file, write_files
from citekg.cli.extraction_options import INPUT_FORMAT, LAYERS
from citekg.cli.options import (
    INPUTS,
    JSON,
    LEXICONS,
    MODEL,
    SCHEMA,
    STRICT,
    WEIGHTS,
    WORKERS,
    Format,
    decisions_of,
    echo_json,
    progress,
    read_schema,
)
from citekg.cli.problems import exit_if_skipped, report_problems
from citekg.exports import EXPORTERS, PARTITIONED
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import DEFAULT

if TYPE_CHECKING:
    from citekg.building.out_of_core.target import PartitionTarget
    from citekg.curation.decisions import Decisions
    from citekg.extractors.pipeline import ExtractionPipeline
    from citekg.sources import Problem
    from citekg.sources.deduplication import MergedPapers
    from citekg.storage.folders import Folder
    from citekg.summary import Counts


@dataclass(frozen=True)
class BuildOptions:
    """The arguments and options of `kg build`; the fields have the names of click's parameters.

    `decisions` is a file, `partitioned` a folder or URL, `options` those of the export formats.
    """

    inputs: tuple[str, ...]
    output: Path
    formats: tuple[str, ...]
    input_format: str | None
    layers: frozenset[str] | None
    lexicons: tuple[Path, ...]
    schema: Path | None
    weights: Path | None
    model: str
    workers: int
    decisions: Path | None
    cache: str | None
    no_cache: bool
    engine: str
    scheduler: str | None
    partitioned: str | None
    strict: bool
    split: bool
    as_json: bool
    compress: bool
    options: ExportOptions

    @property
    def distinct_formats(self) -> tuple[str, ...]:
        """The formats to write, each once, in the order given."""
        return tuple(dict.fromkeys(self.formats))

    @property
    def partition_folder(self) -> str:
        """The folder or URL of a partitioned output, without a final slash."""
        return str(self.partitioned or self.output).rstrip("/")

    @property
    def cache_place(self) -> str | Path | None:
        """The folder or URL of the cache, or None without one."""
        return None if self.no_cache else self.cache or self.output / "readings"

    def check(self) -> None:
        """Refuse combinations of options that have no effect; raises `UsageError`."""
        check_options(self.formats, self.options, split=self.split)
        if self.scheduler and self.engine != "dask":
            raise click.UsageError("--scheduler needs --engine dask")
        if self.partitioned and not {*self.formats} & {*PARTITIONED}:
            raise click.UsageError(
                f"--partitioned needs one of the formats {', '.join(PARTITIONED)}: choose with -f"
            )
        if self.partitioned and self.no_cache and self.engine == "dask":
            raise click.UsageError(
                "--partitioned with --engine dask needs the cache: leave out --no-cache"
            )


@dataclass(frozen=True)
class _Result:
    """What a build wrote: the graph's counts, its files, and the files of an earlier build."""

    counts: Counts
    files: list[Path | str]
    earlier: list[str]


@click.command()
@INPUTS
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder to write to.",
)
@click.option(
    "-f",
    "--format",
    "formats",
    type=Format(EXPORTERS, "exporter"),
    multiple=True,
    default=("ttl", "html", "json"),
    show_default=True,
    help="A format to write; can be repeated.",
)
@INPUT_FORMAT
@LAYERS
@LEXICONS
@SCHEMA
@WEIGHTS
@MODEL
@WORKERS
@click.option(
    "--decisions",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of merges, splits, types, roles, bans and aliases to apply (see kg review).",
)
@click.option(
    "--cache",
    metavar="FOLDER",
    help="The folder or URL (such as s3://...) that caches the extraction of each paper, so that "
    "the next build extracts only new papers. Default: the folder readings in OUTPUT.",
)
@click.option("--no-cache", is_flag=True, help="Use no cache: extract every paper.")
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Where extraction runs: in processes of this machine, or on workers of a Dask cluster.",
)
@click.option(
    "--scheduler",
    metavar="URL",
    help="The scheduler of the Dask cluster, such as tcp://host:8786.",
)
@click.option(
    "--partitioned",
    metavar="FOLDER",
    help="Write N-Triples, N-Quads and Parquet (if chosen with -f) as several files each to "
    "this folder or URL.",
)
@STRICT
@SPLIT
@JSON
@click.option(
    "--gz",
    "compress",
    is_flag=True,
    help="Compress all files except pages and zip files, as .gz.",
)
@export_options
def build(**arguments: Any) -> None:
    """Read papers and write their graph.

    INPUT is a file, a folder, a glob pattern, or - for standard input. Formats: JSON with title and
    abstract, CSV, BibTeX, RIS, CSL-JSON, arXiv XML, the text of Daily Papers pages, and the exports
    of OpenAlex, Semantic Scholar, Hugging Face and Papers with Code. The format is detected from
    the content; .gz files are decompressed.

    \b
    Example:
      kg build examples/papers.jsonl -o out
    """
    from citekg.building.pipeline import make_pipeline, read_papers

    options = BuildOptions(**arguments)
    options.check()
    domain = read_schema(options.schema)
    decisions = decisions_of(options.decisions, domain.vocabulary if domain else DEFAULT)
    papers, problems = read_papers(
        options.inputs, options.input_format, options.cache_place, options.workers
    )
    report_problems(problems, strict=options.strict)
    if not papers:
        raise click.ClickException("no paper could be read, so nothing was written")
    pipeline = make_pipeline(
        options.layers, options.lexicons, domain, options.weights, options.model
    )
    result = _write_graph(options, papers, pipeline, decisions)
    _warn_about_earlier(result.earlier)
    _report(result, papers, problems, as_json=options.as_json)
    exit_if_skipped(problems)


def _write_graph(
    options: BuildOptions,
    papers: MergedPapers,
    pipeline: ExtractionPipeline,
    decisions: Decisions,
) -> _Result:
    """Build the graph and write all formats; locks exclude other builds into the same folders.

    A build whose formats are all partitioned runs out of core, unless there are decisions.
    """
    from citekg.building.out_of_core.target import PartitionTarget
    from citekg.building.pipeline import build_out_of_core, dask_engine, process_engine
    from citekg.storage.folders import folder_at

    target = PartitionTarget(
        folder_at(options.partitioned or options.output),
        tuple(f for f in options.distinct_formats if f in PARTITIONED),
        options.options,
        options.compress,
    )
    build_arguments: dict[str, Any] = {
        "engine": dask_engine(options.scheduler, options.workers)
        if options.engine == "dask"
        else process_engine(options.workers),
        "cache": options.cache_place,
    }
    files: list[Path | str] = []
    with _locked(options.output, target.folder), progress("Reading papers") as on_progress:
        build_arguments["on_progress"] = on_progress
        if (
            options.partitioned
            and options.distinct_formats == target.formats
            and not options.decisions
        ):
            lists, counts = build_out_of_core(papers, pipeline, target, **build_arguments)
        else:
            counts, files, lists = _write_in_memory(
                options, papers, pipeline, decisions, target, build_arguments
            )
    files += (f"{options.partition_folder}/{name}" for name in lists)
    earlier = earlier_files(options.output, files)
    earlier += (
        f"{options.partition_folder}/{name}"
        for name in earlier_lists(target.folder, target.formats if options.partitioned else ())
    )
    return _Result(counts, files, earlier)


@contextmanager
def _locked(output: Path, partitions: Folder) -> Iterator[None]:
    """Lock the output folder, and that of the parts if it is another one on this machine."""
    from citekg.storage.folders import LocalFolder, exclusive

    folders = {output.resolve(): output}
    if isinstance(partitions, LocalFolder):
        folders.setdefault(partitions.path.resolve(), partitions.path)
    with ExitStack() as locks:
        for folder in folders.values():
            locks.enter_context(exclusive(folder))
        yield


def _write_in_memory(
    options: BuildOptions,
    papers: MergedPapers,
    pipeline: ExtractionPipeline,
    decisions: Decisions,
    target: PartitionTarget,
    build_arguments: dict[str, Any],
) -> tuple[Counts, list[Path | str], list[str]]:
    """Build the graph in memory and write it.

    Return its counts, the files, and the lists of the partitioned files.
    """
    from citekg.building.out_of_core.target import write_partitioned
    from citekg.building.pipeline import build_graph
    from citekg.summary import counts_of

    built = build_graph(papers, pipeline, decisions=decisions, **build_arguments)
    lists = write_partitioned(built.graph, target) if options.partitioned else []
    for message in built.stale:
        click.echo(f"warning: {message}", err=True)
    files: list[Path | str] = []
    for name in options.distinct_formats:
        if not (options.partitioned and name in target.formats):
            file = output_file(options.output, name, compress=options.compress)
            files += write_files(built.graph, file, name, options.options, split=options.split)
    return counts_of(built.graph), files, lists


def _warn_about_earlier(earlier: list[str]) -> None:
    """Warn about remaining files of an earlier build, which may contain another graph."""
    if earlier:
        click.echo(
            f"warning: files of an earlier build, not written again: {', '.join(earlier)}; delete "
            "what you do not need, or choose the format with -f",
            err=True,
        )


def _report(
    result: _Result, papers: MergedPapers, problems: list[Problem], *, as_json: bool
) -> None:
    """Print what was built, and how many records were read, merged and skipped."""
    from citekg.summary import built_summary, counts_to_json

    warnings = sum(problem.warning for problem in problems)
    skipped = len(problems) - warnings
    if not as_json:
        text = built_summary(result.counts, result.files, skipped, warnings, papers.records)
        click.echo(text)
        return
    joined = [
        {"id": paper, "sources": [str(s) for s in sources]}
        for paper, sources in papers.merged_sources()
    ]
    written = {"files": [str(file) for file in result.files], "earlier files": result.earlier}
    read = {"records": papers.records, "joined": joined, "skipped": skipped}
    echo_json(counts_to_json(result.counts) | written | read | {"warnings": warnings})
