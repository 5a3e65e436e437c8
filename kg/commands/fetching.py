"""`kg fetch`: papers from a service on the network into a file that `kg build` reads."""

from __future__ import annotations

from pathlib import Path

import click

from kg.commands.options import progress, writing
from kg.fetching import SERVICES, Fetched


@click.command()
@click.argument("service", type=click.Choice(list(SERVICES)))
@click.argument("query")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to write.")
@click.option("-n", "--most", type=click.IntRange(min=1), metavar="MAX", help="Stop after so many papers.")
@click.option("--refresh", is_flag=True, help="Ask again for pages that an earlier run has kept.")
@click.option(
    "--mailto", default="", metavar="ADDRESS", help="Your e-mail address, told to the service. Default: none."
)
@click.option("--base-url", default="", metavar="URL", help="A mirror to ask instead of the service itself.")
def fetch(
    service: str,
    query: str,
    output: Path,
    most: int | None,
    refresh: bool,  # noqa: FBT001
    mailto: str,
    base_url: str,
) -> None:
    """Fetch papers from a service into a file that kg build reads.

    QUERY is in the service's own language; for hf-daily it is a day, a month, or one..another. Stopped
    half way, the same command goes on where it was. Keys are read from OPENALEX_API_KEY and
    SEMANTIC_SCHOLAR_API_KEY. Needs more packages: pip install 'citekg[fetch]'.

    \b
    Example:
      kg fetch arxiv 'abs:"offline reinforcement learning"' -n 500 -o papers/offline.xml
      kg fetch openalex "preference optimization" -n 1000 -o papers/preferences.jsonl
      kg fetch hf-daily 2024-05 -o papers/may.jsonl
      kg build papers -o out
    """
    from kg.fetching import fetch as fetch_all

    with progress("Fetching papers") as on_progress, writing(output):
        fetched = fetch_all(
            service,
            query,
            output,
            most=most,
            refresh=refresh,
            contact=mailto,
            base=base_url,
            on_progress=on_progress,
            on_wait=_tell,
        )
    click.echo(f"{output}: {_told(fetched)}")


def _tell(seconds: float, why: str) -> None:
    click.echo(f"waiting {seconds:.0f} s: {why}", err=True)


def _told(fetched: Fetched) -> str:
    matching = "" if fetched.matching is None else f" of {fetched.matching} that match"
    left_out = f", {fetched.left_out} without an abstract left out" if fetched.left_out else ""
    return f"{fetched.papers} papers{matching}{left_out} ({fetched.asked} pages asked for, {fetched.kept} kept before)"
