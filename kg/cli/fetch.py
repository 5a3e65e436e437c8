"""`kg fetch`: papers from a service on the network into a file that `kg build` reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from citekg.cli.exit_codes import SKIPPED
from citekg.cli.options import INPUT_FORMAT, progress, writing
from citekg.fetching import SERVICES, Fetched

if TYPE_CHECKING:
    from citekg.fetching.completion import Completed


@click.command()
@click.argument("service", type=click.Choice(list(SERVICES)), required=False)
@click.argument("query", required=False)
@click.option(
    "--complete",
    "incomplete",
    type=click.Path(),
    multiple=True,
    metavar="FILE",
    help="Fill what the papers of FILE lack instead of searching; may be given several times.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to write.")
@click.option("-n", "--most", type=click.IntRange(min=1), metavar="MAX", help="Stop after so many papers.")
@INPUT_FORMAT
@click.option("--refresh", is_flag=True, help="Ask again for pages that an earlier run has kept.")
@click.option(
    "--mailto", default="", metavar="ADDRESS", help="Your e-mail address, told to the service. Default: none."
)
@click.option("--base-url", default="", metavar="URL", help="A mirror to ask instead of the service itself.")
def fetch(
    service: str | None,
    query: str | None,
    incomplete: tuple[str, ...],
    output: Path,
    most: int | None,
    input_format: str | None,
    refresh: bool,  # noqa: FBT001
    mailto: str,
    base_url: str,
) -> None:
    """Fetch papers from a service into a file that kg build reads.

    QUERY is in the service's own language; for hf-daily it is a day, a month, or one..another. With
    --complete, papers that a file lists by title, arXiv id or DOI get their abstracts, dates, authors and ids:
    FILE is anything that kg build reads, or a plain list of arXiv ids or DOIs. Without a SERVICE, arXiv,
    OpenAlex and Semantic Scholar are asked. Stopped half way, the same command goes on where it was. Keys are
    read from OPENALEX_API_KEY and SEMANTIC_SCHOLAR_API_KEY. Needs more packages: pip install 'citekg[fetch]'.

    \b
    Example:
      kg fetch arxiv 'abs:"offline reinforcement learning"' -n 500 -o papers/offline.xml
      kg fetch openalex "preference optimization" -n 1000 -o papers/preferences.jsonl
      kg fetch hf-daily 2024-05 -o papers/may.jsonl
      kg fetch --complete library.bib -o papers/library.jsonl
      kg build papers -o out
    """
    options = {"refresh": refresh, "contact": mailto, "base": base_url, "on_wait": _tell}
    if incomplete:
        _check_completing(service, query, most, base_url, incomplete, output)
        _complete(incomplete, output, service=service, input_format=input_format, **options)
    elif not service or not query:
        raise click.UsageError("name a SERVICE and a QUERY, or with --complete a FILE of papers")
    elif input_format:
        raise click.UsageError("--input-format is for --complete")
    else:
        _search(service, query, output, most=most, **options)


def _search(service: str, query: str, output: Path, **options: Any) -> None:
    from citekg.fetching import fetch as fetch_all

    with progress("Fetching papers") as on_progress, writing(output):
        fetched = fetch_all(service, query, output, on_progress=on_progress, **options)
    click.echo(f"{output}: {_told(fetched)}")


def _check_completing(
    service: str | None, query: str | None, most: int | None, base_url: str, files: tuple[str, ...], output: Path
) -> None:
    """Refuse what --complete cannot do, and an output that would replace one of the files."""
    from citekg.fetching.completion import LOOKUPS

    if query or most:
        raise click.UsageError("--complete looks up the papers of a FILE: leave QUERY and -n out")
    if service and service not in LOOKUPS:
        raise click.UsageError(f"{service} finds no single papers: name {', '.join(LOOKUPS)}, or none for all of them")
    if base_url and not service:
        raise click.UsageError("--base-url is the mirror of one service: name the SERVICE")
    if any(Path(file).resolve() == output.resolve() for file in files):
        raise click.UsageError(f"{output} is the file to complete: name another one with -o")


def _complete(files: tuple[str, ...], output: Path, **options: Any) -> None:
    from citekg.fetching.completion import complete
    from citekg.sources import Problem

    problems: list[Problem] = []
    with progress("Completing papers") as on_progress, writing(output):
        done = complete(files, output, on_problem=problems.append, on_progress=on_progress, **options)
    for problem in sorted(problems):
        click.echo(f"skipped: {problem}", err=True)
    for paper in done.incomplete:
        click.echo(f"not completed: {paper}", err=True)
    for name, why in done.failed.items():
        told = f"{SERVICES[name].about} was not asked to the end: {why}; the same command asks again"
        click.echo(f"warning: {told}", err=True)
    click.echo(f"{output}: {_summary(done)}")
    if problems or done.failed:
        sys.exit(SKIPPED)


def _summary(done: Completed) -> str:
    repeated = f", {done.repeated} repeated records left out" if done.repeated else ""
    return (
        f"{done.papers} papers{repeated}: {done.completed} completed, {done.complete} complete before, "
        f"{len(done.incomplete)} not completed ({done.asked} requests sent, {done.kept} answers kept before)"
    )


def _tell(seconds: float, why: str) -> None:
    click.echo(f"waiting {seconds:.0f} s: {why}", err=True)


def _told(fetched: Fetched) -> str:
    matching = "" if fetched.matching is None else f" of {fetched.matching} that match"
    left_out = f", {fetched.left_out} without an abstract left out" if fetched.left_out else ""
    return f"{fetched.papers} papers{matching}{left_out} ({fetched.asked} pages asked for, {fetched.kept} kept before)"
