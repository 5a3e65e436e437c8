"""`kg fetch`: download papers from a service into a file that `kg build` reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citekg.cli.exit_codes import SKIPPED
from citekg.cli.extraction_options import INPUT_FORMAT
from citekg.cli.options import progress, report_write_errors
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
    help="Complete the papers of FILE instead of searching; can be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file to write.",
)
@click.option(
    "-n",
    "--limit",
    "limit",
    type=click.IntRange(min=1),
    metavar="MAX",
    help="The maximum number of papers.",
)
@click.option(
    "--most", "limit", type=click.IntRange(min=1), hidden=True, help="The old name of --limit."
)
@INPUT_FORMAT
@click.option("--refresh", is_flag=True, help="Request pages again that are in the cache.")
@click.option(
    "--mailto",
    default="",
    metavar="ADDRESS",
    help="Your e-mail address, sent to the service. Default: none.",
)
@click.option(
    "--base-url", default="", metavar="URL", help="A mirror to use instead of the service itself."
)
def fetch(
    service: str | None,
    query: str | None,
    incomplete: tuple[str, ...],
    output: Path,
    limit: int | None,
    input_format: str | None,
    refresh: bool,  # noqa: FBT001
    mailto: str,
    base_url: str,
) -> None:
    """Fetch papers from a service into a file that kg build reads.

    QUERY is in the query language of the service; for hf-daily it is a day, a month, or a range
    such as 2024-05..2024-07. The same command resumes an interrupted download.

    --complete looks up papers that a file lists by title, arXiv id or DOI, and adds their
    abstracts, dates, authors and ids. FILE is any input of kg build, or a plain list of
    arXiv ids or DOIs. Without a SERVICE, it uses arXiv, OpenAlex and Semantic Scholar.

    The command reads API keys from OPENALEX_API_KEY and SEMANTIC_SCHOLAR_API_KEY. It needs more
    packages: pip install 'citekg[fetch]'.

    \b
    Example:
      kg fetch arxiv 'abs:"offline reinforcement learning"' -n 500 -o papers/offline.xml
      kg fetch openalex "preference optimization" -n 1000 -o papers/preferences.jsonl
      kg fetch hf-daily 2024-05 -o papers/may.jsonl
      kg fetch --complete library.bib -o papers/library.jsonl
      kg build papers -o out
    """
    options = {"refresh": refresh, "contact": mailto, "base": base_url, "on_wait": _report_wait}
    if incomplete:
        _check_completion(service, query, limit, base_url, incomplete, output)
        _complete(incomplete, output, service=service, input_format=input_format, **options)
    elif not service or not query:
        raise click.UsageError("give a SERVICE and a QUERY, or --complete with a FILE of papers")
    elif input_format:
        raise click.UsageError("--input-format needs --complete")
    else:
        _search(service, query, output, limit=limit, **options)


def _search(service: str, query: str, output: Path, **options: Any) -> None:
    from citekg.fetching import fetch as download

    with progress("Fetching papers") as on_progress, report_write_errors(output):
        fetched = download(service, query, output, on_progress=on_progress, **options)
    click.echo(f"{output}: {_download_summary(fetched)}")


def _check_completion(
    service: str | None,
    query: str | None,
    limit: int | None,
    base_url: str,
    files: tuple[str, ...],
    output: Path,
) -> None:
    """Refuse options that do not go with --complete, and an output that is one of the files.

    Raises `UsageError`.
    """
    from citekg.fetching.completion import LOOKUPS

    if query or limit:
        raise click.UsageError("--complete looks up the papers of a FILE: leave out QUERY and -n")
    if service and service not in LOOKUPS:
        raise click.UsageError(
            f"{service} cannot look up single papers: choose {', '.join(LOOKUPS)}, or none for all"
        )
    if base_url and not service:
        raise click.UsageError("--base-url is the mirror of one service: give the SERVICE")
    if any(Path(file).resolve() == output.resolve() for file in files):
        raise click.UsageError(f"{output} is the file to complete: choose another one with -o")


def _complete(files: tuple[str, ...], output: Path, **options: Any) -> None:
    from citekg.fetching.completion import complete
    from citekg.sources import Problem

    problems: list[Problem] = []
    with progress("Completing papers") as on_progress, report_write_errors(output):
        done = complete(
            files, output, on_problem=problems.append, on_progress=on_progress, **options
        )
    for problem in sorted(problems):
        click.echo(f"skipped: {problem}", err=True)
    for paper in done.incomplete:
        click.echo(f"not completed: {paper}", err=True)
    for name, why in done.failed.items():
        failed = f"{SERVICES[name].about} did not answer all requests"
        message = f"{failed}: {why}; run the same command to resume"
        click.echo(f"warning: {message}", err=True)
    click.echo(f"{output}: {_completion_summary(done)}")
    if problems or done.failed:
        sys.exit(SKIPPED)


def _completion_summary(done: Completed) -> str:
    repeated = f", {done.repeated} repeated records omitted" if done.repeated else ""
    return (
        f"{done.papers} papers{repeated}: {done.completed} completed, {done.complete} already "
        f"complete, {len(done.incomplete)} not completed ({done.requested} requests sent, "
        f"{done.cached} responses from the cache)"
    )


def _report_wait(seconds: float, why: str) -> None:
    click.echo(f"waiting {seconds:.0f} s: {why}", err=True)


def _download_summary(fetched: Fetched) -> str:
    matching = "" if fetched.matching is None else f" of {fetched.matching} that match"
    left_out = f", {fetched.left_out} without an abstract omitted" if fetched.left_out else ""
    pages = f"{fetched.requested} pages requested, {fetched.cached} from the cache"
    return f"{fetched.papers} papers{matching}{left_out} ({pages})"
