"""The arguments and options that several commands share, and what the commands do with them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from citekg.cli.graph_arguments import GraphFile
from citekg.extractors.models import FAST, MODELS
from citekg.schemas import plugins
from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import MIN_CONFIDENCE

if TYPE_CHECKING:
    from citekg.curation.decisions import Decisions
    from citekg.extractors.domain import Domain
    from citekg.graph.graph import Graph
    from citekg.schemas.vocabulary import Vocabulary

#: The minimum time in seconds between two updates of a progress bar.
_REFRESH_SECONDS: Final = 0.1
_Command = TypeVar("_Command", bound=Callable[..., Any])


class Format(click.Choice):  # type: ignore[type-arg]  # generic only from click 8.2 on
    """A choice of format names: the built-in ones, and those of plug-ins.

    Plug-ins are looked up only where a name is not built in, because the look-up takes time.
    """

    def __init__(self, builtin: Iterable[str], kind: plugins.Kind) -> None:
        super().__init__(list(builtin))
        self.kind: Final = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; fail for one that is neither built in nor of a plug-in."""
        if value not in self.choices and value in plugins.plugin_names(self.kind):
            return value
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin with the incomplete word, built-in ones first."""
        others = (name for name in plugins.plugin_names(self.kind) if name not in self.choices)
        found = [CompletionItem(name) for name in others if name.startswith(incomplete)]
        return super().shell_complete(ctx, param, incomplete) + found


def any_file(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let a shell complete file names, for an argument that need not be a file."""
    return [CompletionItem(incomplete, type="file")]


INPUTS: Final = click.argument(
    "inputs", nargs=-1, required=True, metavar="INPUT...", shell_complete=any_file
)
GRAPH: Final = click.argument("graph", type=GraphFile())
#: For commands that read triples, which depend on the options of the RDF export.
RDF_GRAPH: Final = click.argument("graph", type=GraphFile(triples=True))
LEXICONS: Final = click.option(
    "--lexicon",
    "lexicons",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="A lexicon to use in addition to the built-in one (see kg lexicon); can be repeated.",
)
SCHEMA: Final = click.option(
    "--schema",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A YAML or TOML file with the types, roles, names and cues of another field.",
)
WEIGHTS: Final = click.option(
    "--weights",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Weights that kg learn adapted to annotated papers, with the same --schema.",
)
MODEL: Final = click.option(
    "--model",
    type=click.Choice(MODELS),
    default=FAST,
    show_default=True,
    help="The model of extraction. The accurate one finds a little more, makes a few more errors "
    "and takes ten times as long; it needs pip install 'citekg[accurate]'.",
)
ANNOTATOR: Final = click.option("--annotator", help="Use only the lines of this annotator.")
WORKERS: Final = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="The number of worker processes.",
)
STRICT: Final = click.option(
    "--strict", is_flag=True, help="Stop at the first problem in the input."
)
JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
CONFIDENCE: Final = click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    help="Only claims with at least this confidence, from 0 to 1.",
)
ALL: Final = click.option(
    "--all",
    "tentative",
    is_flag=True,
    help=f"Include tentative claims: those with a confidence below {MIN_CONFIDENCE}.",
)


def count_option(default: int, about: str) -> Callable[[_Command], _Command]:
    """Return the option `-n` with a default, as the argument `count`."""
    return click.option(
        "-n", "count", type=click.IntRange(min=1), default=default, show_default=True, help=about
    )


def confidence_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--min-confidence` and `--all`, as one argument `min_confidence`.

    Without either, tentative claims are left out.
    """

    @CONFIDENCE
    @ALL
    @wraps(command)
    def with_minimum(
        *args: Any, min_confidence: float | None, tentative: bool, **given: Any
    ) -> None:
        least = minimum_confidence(min_confidence, tentative=tentative)
        command(*args, min_confidence=MIN_CONFIDENCE if least is None else least, **given)

    return with_minimum


def minimum_confidence(given: float | None, *, tentative: bool) -> float | None:
    """Return the value of `--min-confidence`, 0 for `--all`, or `None` if neither is given.

    Raises `UsageError` if both are given.
    """
    if tentative and given is not None:
        raise click.UsageError("give either --min-confidence or --all")
    return 0.0 if tentative else given


def as_json_text(values: object) -> str:
    """Return values as the JSON that commands print; characters beyond ASCII are not escaped."""
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def echo_json(values: object) -> None:
    """Print values as JSON."""
    click.echo(as_json_text(values), nl=False)


def author_name(given: str | None, option: str = "--author") -> str:
    """Return the given name or the login name; raises `UsageError`, which names the option."""
    from getpass import getuser

    try:
        return given or getuser()
    except (KeyError, OSError) as error:
        raise click.UsageError(
            f"your login name is unknown: give your name with {option}"
        ) from error


def decisions_of(file: Path | None, vocabulary: Vocabulary) -> Decisions:
    """Return the decisions of a file, none without one; raises `DecisionsError`."""
    from citekg.curation.decisions import NO_DECISIONS, read_decisions

    return read_decisions(file, vocabulary) if file else NO_DECISIONS


def read_schema(schema: Path | None) -> Domain | None:
    """Return the domain of a schema file, or None without a file; raises `SchemaError`."""
    from citekg.domains import read_domain

    return read_domain(schema) if schema else None


def load(path: Path) -> Graph:
    """Return the graph of a file; raises `GraphError`."""
    from citekg.graph.graph import Graph
    from citekg.storage.graph_files import load_graph

    return Graph.wrap(load_graph(path))


@contextmanager
def report_write_errors(file: Path) -> Iterator[None]:
    """Raise `GraphError` in place of an `OSError` while a file is written."""
    try:
        yield
    except OSError as error:
        raise GraphError(f"{file}: cannot be written: {error.strerror or error}") from error


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal, nothing in a pipe.

    Yields a function of the amount done and the total. The bar is not drawn in a separate thread,
    since a process with several threads cannot fork.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(what, total=None)
        shown = 0.0

        def show(done: int, total: int) -> None:
            nonlocal shown
            bar.update(task, completed=done, total=total)
            if time.monotonic() - shown > _REFRESH_SECONDS:
                shown = time.monotonic()
                bar.refresh()

        yield show
