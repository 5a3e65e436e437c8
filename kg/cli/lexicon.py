"""`kg lexicon`: tables of names of one's own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
from citekg.cli.options import JSON, any_file, echo_json, writing
from citekg.exports import write_atomically


@click.group()
def lexicon() -> None:
    """Make tables of names to know beside the shipped ones, for kg build --lexicon.

    \b
    Example:
      kg lexicon import methods.json datasets.json -o my-lexicon.tsv
    """


@lexicon.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=any_file)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The table to write."
)
@click.option(
    "--least", type=click.IntRange(min=0), default=1, show_default=True, help="Leave out names in fewer papers."
)
@JSON
def import_(files: tuple[str, ...], output: Path, least: int, as_json: bool) -> None:  # noqa: FBT001
    """Make a table of the names in the Papers with Code archive.

    FILE is its JSON of methods, datasets or evaluation tables, gzipped or not, on this machine. Names that
    are known already are left out; common words are known only beside what they are about.

    \b
    Example:
      kg lexicon import methods.json.gz datasets.json.gz -o my-lexicon.tsv
      kg build papers.jsonl -o out --lexicon my-lexicon.tsv
    """
    from citekg.domains.lexicons.import_rows import imported
    from citekg.domains.lexicons.papers_with_code import listed_names
    from citekg.extractors.candidates.lexicon import shipped_lexicon, to_tsv
    from citekg.sources import Problem

    found = [one for file in files for one in listed_names(file)]
    for problem in found:
        if isinstance(problem, Problem):
            click.echo(f"skipped: {problem}", err=True)
    made = imported((one for one in found if not isinstance(one, Problem)), shipped_lexicon(), least)
    with writing(output):
        write_atomically(output, (line.encode() for line in to_tsv(made.rows)))
    types = Counter(row.type for row in made.rows)
    if as_json:
        echo_json({"file": str(output), "rows": dict(types), "left out": made.left_out})
        return
    click.echo(f"{output}: {', '.join(f'{n} {name}' for name, n in sorted(types.items())) or 'no rows'}")
    for reason, count in made.left_out.items():
        click.echo(f"left out: {count} {reason}")
