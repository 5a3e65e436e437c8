"""The command `kg`. Every exception that reaches it becomes one line on standard error here, and only here.

What its exit codes mean stands in `citekg.cli.exit_codes`.
"""

from __future__ import annotations

import errno
import os
import traceback
from typing import Any, Final

import click
from citekg.building.execution.processes import ONE_THREAD
from citekg.cli import (
    build,
    completion,
    doctor,
    exit_codes,
    explore,
    fetch,
    lexicon,
    logs,
    measure,
    plugins,
    publish,
    query,
    review,
    serve,
    show,
)
from citekg.cli.interrupts import stopped
from citekg.messages import error_message

_CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
#: Where the command line, as it was given, is kept for messages that repeat it.
_ARGUMENTS: Final = f"{__name__}.arguments"
_COMMANDS: Final = (
    fetch.fetch,
    build.build,
    build.extract,
    query.query,
    query.validate,
    serve.serve,
    publish.publish,
    show.stats,
    explore.show,
    explore.path,
    explore.influence,
    explore.co_use,
    show.view,
    show.export,
    measure.evaluate,
    measure.sample,
    lexicon.lexicon,
    review.diff,
    review.review,
    plugins.plugins,
    doctor.doctor,
    completion.completion,
)


class _Commands(click.Group):
    """Turns exceptions into messages; lists commands in the order in which they are used."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except KeyboardInterrupt:
            click.echo(stopped(ctx.invoked_subcommand, ctx.meta[_ARGUMENTS]), err=True)
            ctx.exit(exit_codes.STOPPED)
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # whoever read the output has left: click ends quietly then
            if ctx.params["debug"]:
                traceback.print_exc()
            raise click.ClickException(error_message(error)) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)


_HELP: Final = f"""Build, question and show citation-style knowledge graphs of research papers.

\b
Example:
  kg build papers/*.txt -o out
  kg query out/graph.ttl "SELECT ?paper {{ ?p ckg:uses/skos:prefLabel 'D4RL'; dcterms:title ?paper }}"

\b
Exit codes:
{exit_codes.table()}
"""


@click.group(cls=_Commands, context_settings=_CONTEXT, help=_HELP)
@click.version_option(package_name="citekg", prog_name="kg")
@click.option("--debug", is_flag=True, envvar="KG_DEBUG", help="Show the traceback of an error.")
@click.option(
    "--log-level", type=click.Choice(logs.LEVELS), default="warning", show_default=True, help="What is logged."
)
@click.option("--log-json", is_flag=True, help="Log as JSON, an object a line.")
def main(debug: bool, log_level: str, log_json: bool) -> None:  # noqa: ARG001, FBT001
    """Sets up what all commands need; what `--debug` does stands in `_Commands`."""
    logs.start(log_level, as_json=log_json)
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)


for _command in _COMMANDS:
    main.add_command(_command)

if __name__ == "__main__":
    main()
