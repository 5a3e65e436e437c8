"""The command `kg`; the only module that turns exceptions into messages on standard error.

`citekg.cli.exit_codes` lists the exit codes.
"""

from __future__ import annotations

import errno
import gc
import os
import traceback
from importlib import import_module
from typing import Any, Final

import click
from click.shell_completion import add_completion_class

from citekg.cli import exit_codes, logs
from citekg.cli.completion import Bash
from citekg.cli.interrupts import stopped
from citekg.messages import error_message
from citekg.threads import ONE_THREAD

#: The number of new objects that triggers a garbage collection; Python's default is 700.
_NEW_OBJECTS: Final = 50_000
_CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
#: The key of the original command line in the context, for messages that repeat it.
_ARGUMENTS: Final = f"{__name__}.arguments"
#: The commands, in the order of the help; each is in the module of its name.
_COMMANDS: Final = (
    "fetch",
    "build",
    "extract",
    "query",
    "validate",
    "serve",
    "publish",
    "stats",
    "topics",
    "show",
    "path",
    "influence",
    "co-use",
    "results",
    "view",
    "export",
    "sparql-engine",
    "annotate",
    "evaluate",
    "learn",
    "sample",
    "lexicon",
    "diff",
    "review",
    "plugins",
    "doctor",
    "completion",
)


class _Commands(click.Group):
    """A group that turns exceptions into messages and lists commands in the order of use.

    A command is imported when it runs, without the modules of the others.
    """

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
                raise  # the reader of the output has closed the pipe: click exits silently
            if ctx.params["debug"]:
                traceback.print_exc()
            raise click.ClickException(error_message(error)) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return super().get_command(ctx, cmd_name)
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"citekg.cli.{name}"), name)
        return command


_HELP: Final = f"""Build, query and view citation-style knowledge graphs of research papers.

\b
Example:
  kg build papers/*.txt -o out
  kg query out/graph.ttl "SELECT ?t {{ ?p ckg:uses/skos:prefLabel 'D4RL'; dcterms:title ?t }}"

\b
Exit codes:
{exit_codes.table()}
"""


@click.group(cls=_Commands, context_settings=_CONTEXT, help=_HELP)
@click.version_option(package_name="citekg", prog_name="kg")
@click.option("--debug", is_flag=True, envvar="KG_DEBUG", help="Show the traceback of an error.")
@click.option(
    "--log-level",
    type=click.Choice(logs.LEVELS),
    default="warning",
    show_default=True,
    help="The lowest level that is logged.",
)
@click.option("--log-json", is_flag=True, help="Log as JSON, one object per line.")
def main(debug: bool, log_level: str, log_json: bool) -> None:  # noqa: ARG001, FBT001
    """Set up logging, threads and memory for all commands; `_Commands` handles `--debug`."""
    logs.start(log_level, as_json=log_json)
    # Records form no reference cycles: a collection traverses all of them and frees nothing.
    gc.set_threshold(_NEW_OBJECTS)
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)


add_completion_class(Bash)
