"""`kg build` and `kg extract`: from papers to a graph, or to what each paper names."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from citekg.cli.earlier_files import earlier_files, earlier_lists
from citekg.cli.exit_codes import SKIPPED
from citekg.cli.options import (
    INPUT_FORMAT,
    JSON,
    LAYERS,
    LEXICONS,
    SCHEMA,
    SPLIT,
    Format,
    any_file,
    check_options,
    domain_of,
    echo_json,
    export_options,
    file_of,
    progress,
    write_files,
)
from citekg.exports import EXPORTERS, PARTITIONED, ExportOptions
from citekg.schemas.vocabulary import DEFAULT
from citekg.sources import Problem

if TYPE_CHECKING:
    from citekg.schemas.records import Extraction
    from citekg.sources.deduplication import MergedPapers
    from citekg.summary import Counts

_INPUTS = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...", shell_complete=any_file)
_STRICT = click.option("--strict", is_flag=True, help="Stop at the first problem in the input.")
_WORKERS = click.option(
    "--workers", type=click.IntRange(min=1), default=1, show_default=True, help="How many processes read papers."
)


@click.command()
@_INPUTS
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write to."
)
@click.option(
    "-f",
    "--format",
    "formats",
    type=Format(EXPORTERS, "exporter"),
    multiple=True,
    default=("ttl", "html", "json"),
    show_default=True,
    help="A format to write; may be given several times.",
)
@INPUT_FORMAT
@LAYERS
@LEXICONS
@SCHEMA
@_WORKERS
@click.option(
    "--decisions",
    "decided",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of merges, splits, types, roles, bans and aliases to replay (see kg review).",
)
@click.option(
    "--cache",
    metavar="FOLDER",
    help="Where to keep what is found in each paper, so that only new ones are read; also a URL, such as s3://... "
    "Default: the folder readings in OUTPUT.",
)
@click.option("--no-cache", is_flag=True, help="Keep nothing: read every paper.")
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Where papers are read: by processes of this machine, or by the workers of a Dask cluster.",
)
@click.option("--scheduler", metavar="URL", help="The scheduler of the cluster, such as tcp://host:8786.")
@click.option(
    "--partitioned",
    metavar="FOLDER",
    help="Write N-Triples, N-Quads and Parquet, where asked for with -f, as many files to this folder or URL.",
)
@_STRICT
@SPLIT
@JSON
@click.option("--gz", "packed", is_flag=True, help="Write every file but pages and zip files compressed, as .gz.")
@export_options
def build(
    inputs: tuple[str, ...],
    output: Path,
    formats: tuple[str, ...],
    input_format: str | None,
    layers: frozenset[str] | None,
    lexicons: tuple[Path, ...],
    schema: Path | None,
    workers: int,
    decided: Path | None,
    cache: str | None,
    no_cache: bool,  # noqa: FBT001
    engine: str,
    scheduler: str | None,
    partitioned: str | None,
    strict: bool,  # noqa: FBT001
    split: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
    packed: bool,  # noqa: FBT001
    options: ExportOptions,
) -> None:
    """Read papers and write their graph.

    INPUT is a file, a folder, a glob or - for standard input: JSON with title and abstract, CSV, BibTeX,
    RIS, CSL-JSON, arXiv's XML, text of Daily Papers pages, or what OpenAlex, Semantic Scholar, Hugging Face and
    Papers with Code hand out. The content tells which; .gz is unpacked.

    \b
    Example:
      kg build examples/papers.jsonl -o out
    """
    from citekg.building.out_of_core.target import PartitionTarget, write_partitioned
    from citekg.building.pipeline import (
        build_graph,
        build_out_of_core,
        dask_runner,
        make_pipeline,
        make_runner,
        read_papers,
    )
    from citekg.curation.decisions import NO_DECISIONS, read_decisions
    from citekg.storage.folders import alone_in, folder_at
    from citekg.summary import counts_of

    check_options(formats, options, split=split)
    _check(formats, engine, scheduler, partitioned, no_cache=no_cache)
    domain = domain_of(schema)
    decisions = read_decisions(decided, domain.vocabulary if domain else DEFAULT) if decided else NO_DECISIONS
    reader = make_pipeline(layers, lexicons, domain)
    papers, problems = read_papers(inputs, input_format)
    _report(problems, strict=strict)
    if not papers:
        raise click.ClickException("no paper could be read, so nothing was written")
    asked = tuple(dict.fromkeys(formats))
    target = PartitionTarget(
        folder_at(partitioned or output), tuple(f for f in asked if f in PARTITIONED), options, packed
    )
    how: dict[str, Any] = {
        "runner": dask_runner(scheduler, workers) if engine == "dask" else make_runner(workers),
        "cache": None if no_cache else cache or output / "readings",
    }
    files: list[Path | str] = []
    with alone_in(output), progress("Reading papers") as on_progress:
        if partitioned and asked == target.formats and not decided:
            lists, counts = build_out_of_core(papers, reader, target, on_progress=on_progress, **how)
        else:
            built = build_graph(papers, reader, decisions=decisions, on_progress=on_progress, **how)
            counts, lists = counts_of(built.graph), write_partitioned(built.graph, target) if partitioned else []
            for message in built.stale:
                click.echo(f"warning: {message}", err=True)
            for name in (f for f in asked if not (partitioned and f in target.formats)):
                files += write_files(built.graph, file_of(output, name, packed=packed), name, options, split=split)
    parted = str(partitioned or output).rstrip("/")
    files += (f"{parted}/{name}" for name in lists)
    earlier = earlier_files(output, files)
    earlier += (f"{parted}/{name}" for name in earlier_lists(target.folder, target.formats if partitioned else ()))
    _warn_of(earlier)
    _tell(counts, files, papers, problems, as_json=as_json, earlier=earlier)
    _exit(problems)


def _check(
    formats: tuple[str, ...], engine: str, scheduler: str | None, partitioned: str | None, *, no_cache: bool
) -> None:
    """Refuses options that would do nothing."""
    if scheduler and engine != "dask":
        raise click.UsageError("--scheduler is for --engine dask")
    if partitioned and not {*formats} & {*PARTITIONED}:
        raise click.UsageError(f"--partitioned is for {', '.join(PARTITIONED)}: choose one of them with -f")
    if partitioned and no_cache and engine == "dask":
        raise click.UsageError("--partitioned on a cluster needs the readings that --no-cache does not keep")


def _warn_of(earlier: list[str]) -> None:
    """Name the files of an earlier build that are still there: they may hold another graph."""
    if earlier:
        click.echo(
            f"warning: of an earlier build, not written again: {', '.join(earlier)}; delete what you do not need, or "
            "ask for the format with -f",
            err=True,
        )


def _tell(
    counts: Counts,
    files: list[Path | str],
    papers: MergedPapers,
    problems: list[Problem],
    *,
    as_json: bool,
    earlier: list[str],
) -> None:
    from citekg.summary import built_summary, values

    warnings = sum(problem.warning for problem in problems)
    skipped = len(problems) - warnings
    if as_json:
        joined = [{"id": paper, "sources": [str(s) for s in sources]} for paper, sources in papers.joined()]
        made = {"files": [str(file) for file in files], "earlier files": earlier}
        read = {"records": papers.records, "joined": joined, "skipped": skipped}
        echo_json(values(counts) | made | read | {"warnings": warnings})
    else:
        click.echo(built_summary(counts, files, skipped, warnings, papers.records))


@click.command()
@_INPUTS
@INPUT_FORMAT
@LAYERS
@LEXICONS
@SCHEMA
@_WORKERS
@_STRICT
def extract(
    inputs: tuple[str, ...],
    input_format: str | None,
    layers: frozenset[str] | None,
    lexicons: tuple[Path, ...],
    schema: Path | None,
    workers: int,
    strict: bool,  # noqa: FBT001
) -> None:
    """Print what each paper names, as JSON Lines: one paper a line.

    \b
    Example:
      kg extract examples/papers.jsonl > extracted.jsonl
    """
    from citekg.building.pipeline import extract_all, make_pipeline, make_runner, read_papers

    reader = make_pipeline(layers, lexicons, domain_of(schema))
    papers, problems = read_papers(inputs, input_format)
    _report(problems, strict=strict)
    with progress("Reading papers") as on_progress:
        for reading in extract_all(reader, papers, on_progress, make_runner(workers)):
            click.echo(json.dumps(_extracted(reading), ensure_ascii=False))
    _exit(problems)


def _extracted(reading: Extraction) -> dict[str, Any]:
    text = reading.paper.text
    return {
        "id": reading.paper.id,
        "title": reading.paper.title,
        "entities": [
            {
                "id": entity.key,
                "name": entity.name,
                "surfaces": list(entity.surfaces),
                "type": entity.type,
                "relations": [role for role, _, _ in entity.roles],
                "mentions": [{"start": a, "end": b, "text": text[a:b]} for a, b in entity.spans],
                "confidence": entity.confidence,
            }
            for entity in reading.entities
        ],
    }


def _report(problems: list[Problem] | tuple[Problem, ...], *, strict: bool) -> None:
    for problem in sorted(problems):
        click.echo(f"{'warning' if problem.warning else 'skipped'}: {problem}", err=True)
        if strict:
            raise click.ClickException("stopped at the first problem, as --strict asks; nothing was written")


def _exit(problems: list[Problem] | tuple[Problem, ...]) -> None:
    if not all(problem.warning for problem in problems):
        sys.exit(SKIPPED)
