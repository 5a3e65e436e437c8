"""`kg lexicon`: make lexicons from other data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from citekg.cli.options import JSON, any_file, echo_json, report_write_errors
from citekg.schemas.atomic_files import write_atomically


@click.group()
def lexicon() -> None:
    """Make lexicons for kg build --lexicon, to use in addition to the built-in one.

    \b
    Example:
      kg lexicon import methods.json datasets.json -o my-lexicon.tsv
    """


@lexicon.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=any_file)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The lexicon to write, as TSV.",
)
@click.option(
    "--min-papers",
    "min_papers",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Leave out names that occur in fewer papers.",
)
@click.option(
    "--least",
    "min_papers",
    type=click.IntRange(min=0),
    default=1,
    hidden=True,
    help="The old name of --min-papers.",
)
@JSON
def import_(files: tuple[str, ...], output: Path, min_papers: int, as_json: bool) -> None:  # noqa: FBT001
    """Make a lexicon of the names in the Papers with Code archive.

    FILE is a local JSON file of methods, datasets or evaluation tables, which may be gzipped. Names
    in the built-in lexicon are left out. Common words get context words, without which they are not
    matched.

    \b
    Example:
      kg lexicon import methods.json.gz datasets.json.gz -o my-lexicon.tsv
      kg build papers.jsonl -o out --lexicon my-lexicon.tsv
    """
    from citekg.domains.lexicons.import_rows import import_names
    from citekg.domains.lexicons.papers_with_code import listed_names
    from citekg.extractors.candidates.lexicon import to_tsv
    from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
    from citekg.sources import Problem

    found = [one for file in files for one in listed_names(file)]
    for problem in found:
        if isinstance(problem, Problem):
            click.echo(f"skipped: {problem}", err=True)
    made = import_names(
        (one for one in found if not isinstance(one, Problem)), shipped_lexicon(), min_papers
    )
    with report_write_errors(output):
        write_atomically(output, (line.encode() for line in to_tsv(made.rows)))
    types = Counter(row.type for row in made.rows)
    if as_json:
        echo_json({"file": str(output), "rows": dict(types), "left out": made.left_out})
        return
    click.echo(
        f"{output}: {', '.join(f'{n} {name}' for name, n in sorted(types.items())) or 'no rows'}"
    )
    for reason, count in made.left_out.items():
        click.echo(f"left out: {count} {reason}")
