"""The arguments and options that several commands share, and what the commands do with them."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from citekg.cli.graph_arguments import GraphFile
from citekg.exports import EXPORTERS, exporter, ignored_options, write
from citekg.exports.rdf.reading import RDF_FORMATS
from citekg.exports.rdf.split import write_split
from citekg.extractors.candidates.generate import LAYERS as ALL_LAYERS
from citekg.extractors.models import FAST, MODELS
from citekg.graph.subsets import Selection
from citekg.schemas import plugins
from citekg.schemas.errors import GraphError
from citekg.schemas.plugins import ExportOptions, NodeSet
from citekg.schemas.vocabulary import BASE_IRI, MIN_CONFIDENCE
from citekg.sources import FORMATS

if TYPE_CHECKING:
    from citekg.curation.decisions import Decisions
    from citekg.extractors.domain import Domain
    from citekg.graph.graph import Graph
    from citekg.schemas.graph import KnowledgeGraph
    from citekg.schemas.vocabulary import Vocabulary

#: The least time between two pictures of a progress bar.
_REFRESH_SECONDS: Final = 0.1
_log: Final = logging.getLogger(__name__)
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
    """Let a shell complete file names, for an argument that may be something else as well."""
    return [CompletionItem(incomplete, type="file")]


INPUTS: Final = click.argument(
    "inputs", nargs=-1, required=True, metavar="INPUT...", shell_complete=any_file
)
GRAPH: Final = click.argument("graph", type=GraphFile())
#: For commands that read triples, so that the options of the RDF export count.
RDF_GRAPH: Final = click.argument("graph", type=GraphFile(triples=True))
LAYERS: Final = click.option(
    "--layers",
    callback=lambda _ctx, _param, value: _parse_layers(value),
    metavar="LIST",
    help=f"The extraction layers to use, separated by commas: {', '.join(ALL_LAYERS)}, or a layer "
    "of a plug-in (see kg plugins); default means all built-in layers.",
)
LEXICONS: Final = click.option(
    "--lexicon",
    "lexicons",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="A lexicon to use in addition to the built-in one (see kg lexicon); can be repeated.",
)
INPUT_FORMAT: Final = click.option(
    "--input-format",
    type=Format(FORMATS, "source"),
    help="Read the input as this format instead of detecting the format.",
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
    help="The model of extraction; accurate finds more in other fields, and needs ten times the "
    "time and: pip install 'citekg[accurate]'.",
)
ANNOTATOR: Final = click.option(
    "--annotator", help="Only the lines of this annotator, of a file that several wrote."
)
WORKERS: Final = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="The number of processes for extraction.",
)
STRICT: Final = click.option(
    "--strict", is_flag=True, help="Stop at the first problem in the input."
)
JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
SPLIT: Final = click.option(
    "--split", is_flag=True, help="Write RDF as two files: the core and its provenance."
)
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

_BASE_IRI: Final = click.option(
    "--base-iri",
    default=BASE_IRI,
    show_default=True,
    help="The namespace of papers and entities in RDF.",
)
_EVIDENCE: Final = click.option(
    "--evidence",
    type=click.Choice(["none", "paper", "sentence"]),
    default="sentence",
    show_default=True,
    help="How much evidence RDF contains.",
)
_ALIGN: Final = click.option(
    "--align",
    is_flag=True,
    help="Add triples in other vocabularies, such as schema.org, to RDF.",
)
_NODES: Final = click.option(
    "--nodes",
    type=click.Choice(get_args(NodeSet)),
    default="all",
    show_default=True,
    help="The nodes of GraphML, GEXF and Cytoscape JSON. Weighted edges join the nodes if only "
    "papers or only entities are written.",
)

_TITLE: Final = click.option(
    "--title", default="", help="The name of the corpus, for the About section of the page."
)
_LICENCE: Final = click.option(
    "--licence",
    "--license",
    "licence",
    default="",
    help="The licence of the corpus, for the About section of the page.",
)
SPARQL: Final = click.option(
    "--sparql",
    is_flag=True,
    help="Let the page answer SPARQL itself: adds 2.3 MB (see kg sparql-engine).",
)

#: The fields of `ExportOptions` that `export_options` adds.
_EXPORT_OPTIONS: Final = ("base_iri", "evidence", "align", "nodes", "title", "licence")
#: The option of the command line for each field of `ExportOptions`.
_OPTION_NAMES: Final = {
    "base_iri": "--base-iri",
    "evidence": "--evidence",
    "align": "--align",
    "part": "--split",
    "nodes": "--nodes",
    "title": "--title",
    "licence": "--licence",
    "sparql": "--sparql",
}

#: The options that select a part of a graph: the option, its field of `Selection`, and its help.
_SELECTION: Final = (
    ("--about", "about", "Only claims about this entity or its variants."),
    ("--role", "role", "Only claims with this role, such as extends."),
    ("--type", "type", "Only claims about entities of this type, such as Benchmark."),
    ("--paper", "papers", "Only this paper, by id, arXiv id, DOI or title."),
    ("--since", "since", "Only papers from this date on, such as 2024 or 2024-06."),
    ("--until", "until", "Only papers up to this date."),
    ("--venue", "venue", "Only papers whose venue contains this text."),
    ("--author", "author", "Only papers with an author whose name contains this text."),
    ("--text", "text", "Only papers whose title or abstract contains this text."),
)
#: The fields of `Selection` whose options can be repeated.
_REPEATABLE: Final = frozenset({"about", "role", "type", "papers"})


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


def selection_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `_SELECTION`, `--min-confidence` and `--all`, as one argument `selection`.

    A selection leaves tentative claims out by default; without any, the whole graph is selected.
    """
    names = [name for _, name, _ in _SELECTION]

    @wraps(command)
    def with_selection(
        *args: Any, min_confidence: float | None, tentative: bool, **given: Any
    ) -> None:
        chosen = {name: given.pop(name) or None for name in names}
        least = minimum_confidence(min_confidence, tentative=tentative)
        if least is None:
            least = MIN_CONFIDENCE if any(chosen.values()) else 0.0
        command(*args, selection=Selection(**chosen, min_confidence=least), **given)

    with_options: Callable[..., None] = CONFIDENCE(ALL(with_selection))
    for option, name, about in reversed(_SELECTION):
        with_options = click.option(option, name, multiple=name in _REPEATABLE, help=about)(
            with_options
        )
    return with_options


def export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `ExportOptions`, such as `--base-iri`, as one argument `options`."""

    @_BASE_IRI
    @_EVIDENCE
    @_ALIGN
    @_NODES
    @_TITLE
    @_LICENCE
    @wraps(command)
    def with_options(*args: Any, **given: Any) -> None:
        chosen = {name: given.pop(name) for name in _EXPORT_OPTIONS}
        command(*args, options=ExportOptions(**chosen), **given)

    return with_options


def with_sparql(options: ExportOptions, *, sparql: bool) -> ExportOptions:
    """Return options whose pages answer SPARQL, if wanted."""
    if not sparql:
        return options
    from citekg.page_queries import sparql_parts

    return replace(options, sparql=sparql_parts)


def _parse_layers(value: str | None) -> frozenset[str] | None:
    """Return the layers of a comma-separated list; `default` stands for the built-in ones."""
    if value is None:
        return None
    names = frozenset(filter(None, (n.strip() for n in value.split(","))))
    if "default" in names:
        names = (names - {"default"}).union(ALL_LAYERS)
    unknown = names.difference(ALL_LAYERS)
    others = plugins.plugin_names("extractor") if unknown else []
    wrong = ", ".join(sorted(unknown.difference(others))) or ("" if names else "nothing")
    if wrong:
        raise click.BadParameter(f"{wrong}: choose from {', '.join((*ALL_LAYERS, *others))}")
    return names


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


def check_options(formats: tuple[str, ...], options: ExportOptions, *, split: bool) -> None:
    """Refuse an option that has no effect in any of the formats; warn if it has none in some.

    Raises `UsageError`.
    """
    given = replace(options, part="core") if split else options
    without_effect: dict[str, list[str]] = {}
    for name in dict.fromkeys(formats):
        for option in ignored_options(name, given):
            without_effect.setdefault(_OPTION_NAMES[option], []).append(name)
    for option, names in without_effect.items():
        message = f"{option} has no effect in {', '.join(names)}"
        if len(names) == len({*formats}):
            known = ", ".join(_formats_using(option))
            raise click.UsageError(f"{message}: choose one of {known} with -f, or leave it out")
        if _is_given("formats"):
            click.echo(f"warning: {message}", err=True)


def _formats_using(option: str) -> list[str]:
    """Return the built-in formats in which an option of the command line has an effect."""
    (field,) = (field for field, name in _OPTION_NAMES.items() if name == option)
    return [name for name, known in EXPORTERS.items() if field in known.options_used]


def _is_given(parameter: str) -> bool:
    """Return whether the user gave a parameter of the running command."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not click.core.ParameterSource.DEFAULT


def output_file(folder: Path, name: str, *, compress: bool) -> Path:
    """Return the file that `kg build` writes in a format; a compressible one may end in .gz."""
    made = exporter(name)
    return folder / f"graph{made.suffix}{'.gz' if compress and made.compressible else ''}"


def write_files(
    graph: KnowledgeGraph, file: Path, name: str, options: ExportOptions, *, split: bool
) -> tuple[Path, ...]:
    """Write a graph in a format, RDF as two files with `split`; return the files."""
    with report_write_errors(file):
        if split and name in RDF_FORMATS:
            return write_split(graph, file, name, options)
        write(graph, file, name, options)
        _log.info(
            "written", extra={"file": str(file), "format": name, "bytes": file.stat().st_size}
        )
    return (file,)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal, nothing in a pipe.

    Yields a function that takes how much is done and how much there is. No thread of its own draws
    the bar, since a process of several threads cannot fork.
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
