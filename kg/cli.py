"""The command `kg`. Every error of ours becomes one line on standard error here, and only here.

Exit codes: 0 all well; 1 an error, nothing was made; 2 the command line is wrong; 3 the work was
done, but some of the input had to be skipped; 4 two graphs were compared, and they differ; 5 a graph
was validated, and it breaks a rule.
"""

from __future__ import annotations

import os
from typing import Any, Final

import click

from kg.commands import asking, building, exploring, fetching, measuring, publishing, reviewing, serving, showing
from kg.workers import ONE_THREAD
from schemas.errors import CitekgError

_CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_COMMANDS: Final = (
    fetching.fetch,
    building.build,
    building.extract,
    asking.query,
    asking.validate,
    serving.serve,
    publishing.publish,
    showing.stats,
    exploring.show,
    exploring.path,
    exploring.influence,
    exploring.co_use,
    showing.view,
    showing.export,
    measuring.evaluate,
    measuring.sample,
    reviewing.diff,
    reviewing.review,
)


class _Commands(click.Group):
    """Turns our errors into messages; lists commands in the order in which they are used."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CitekgError as error:
            raise click.ClickException(str(error)) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)


@click.group(cls=_Commands, context_settings=_CONTEXT)
@click.version_option(package_name="citekg", prog_name="kg")
def main() -> None:
    """Build, question and show citation-style knowledge graphs of research papers.

    \b
    Example:
      kg build papers/*.txt -o out
      kg query out/graph.ttl "SELECT ?paper { ?p ckg:uses/skos:prefLabel 'D4RL'; dcterms:title ?paper }"

    Exit codes: 0 all well; 1 an error, nothing was made; 2 a wrong command line;
    3 done, but some of the input was skipped; 4 (kg diff) the graphs differ;
    5 (kg validate) the graph breaks a rule.
    """
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)


for _command in _COMMANDS:
    main.add_command(_command)

if __name__ == "__main__":
    main()
