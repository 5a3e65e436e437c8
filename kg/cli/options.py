"""Options that several commands share, and the files they read and write."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import click
from citekg.cli.graph_arguments import GraphFile
from citekg.exports import EXPORTERS, ExportOptions, NodeSet, exporter, ignored_options, write
from citekg.exports.rdf.reading import RDF_FORMATS
from citekg.exports.rdf.split import write_split
from citekg.extractors.candidates.generate import LAYERS as ALL_LAYERS
from citekg.graph.subsets import Selection
from citekg.schemas import plugins
from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import BASE_IRI
from citekg.sources import FORMATS
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from citekg.exports import EvidenceLevel
    from citekg.extractors.domain import Domain
    from citekg.graph.graph import Graph
    from citekg.schemas.graph import KnowledgeGraph

_log: Final = logging.getLogger(__name__)


class Format(click.Choice):  # type: ignore[type-arg]  # generic only from click 8.2 on
    """A format of ours, or one of another package: those are looked for where the name is none of ours."""

    def __init__(self, ours: Iterable[str], kind: plugins.Kind) -> None:
        super().__init__(list(ours))
        self.kind: Final = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name itself; fails for one that is neither ours nor installed."""
        if value not in self.choices and value in plugins.plugin_names(self.kind):
            return value
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so, ours and the others."""
        others = (name for name in plugins.plugin_names(self.kind) if name not in self.choices)
        found = [CompletionItem(name) for name in others if name.startswith(incomplete)]
        return super().shell_complete(ctx, param, incomplete) + found


def any_file(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Lets a shell complete the name of a file, for an argument that may be something else as well."""
    return [CompletionItem(begun, type="file")]


GRAPH: Final = click.argument("graph", type=GraphFile())
#: For commands that read triples, whatever the options of their export were.
RDF_GRAPH: Final = click.argument("graph", type=GraphFile(triples=True))
LAYERS: Final = click.option(
    "--layers",
    callback=lambda _ctx, _param, value: _layers(value),
    metavar="LIST",
    help=f"The extraction layers to use, separated by commas, of: {', '.join(ALL_LAYERS)}, and those that "
    "kg plugins lists; default stands for all of ours.",
)
LEXICONS: Final = click.option(
    "--lexicon",
    "lexicons",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="A table of names to know beside the shipped ones (see kg lexicon); may be given several times.",
)
INPUT_FORMAT: Final = click.option(
    "--input-format", type=Format(FORMATS, "source"), help="Force the input format instead of recognising it."
)
SCHEMA: Final = click.option(
    "--schema",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A YAML or TOML file of types, roles, names and cues for another field.",
)
JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
SPLIT: Final = click.option("--split", is_flag=True, help="Write RDF as two files: the core, and its provenance.")

_BASE_IRI: Final = click.option(
    "--base-iri", default=BASE_IRI, show_default=True, help="Namespace of papers and entities in RDF."
)
_EVIDENCE: Final = click.option(
    "--evidence",
    type=click.Choice(["none", "paper", "sentence"]),
    default="sentence",
    show_default=True,
    help="How much proof RDF carries.",
)
_ALIGN: Final = click.option(
    "--align", is_flag=True, help="Say it in the vocabularies of others too, such as schema.org, in RDF."
)


_NODES: Final = click.option(
    "--nodes",
    type=click.Choice(get_args(NodeSet)),
    default="all",
    show_default=True,
    help="The nodes of GraphML, GEXF and Cytoscape JSON: papers alone and entities alone are joined by weighted edges.",
)


#: What the command line calls the options of an export.
_OPTIONS: Final = {
    "base_iri": "--base-iri",
    "evidence": "--evidence",
    "align": "--align",
    "part": "--split",
    "nodes": "--nodes",
}


#: What narrows a graph down: each option with what it sets of a `citekg.graph.subsets.Selection`, and its help.
_SELECTION: Final = (
    ("--about", "about", "Only what is claimed of this entity or its variants."),
    ("--role", "role", "Only claims of this role, such as extends."),
    ("--type", "type", "Only claims about entities of this type, such as Benchmark."),
    ("--paper", "papers", "Only this paper, by id, arXiv id, DOI or title."),
    ("--since", "since", "Only papers from this date on, such as 2024 or 2024-06."),
    ("--until", "until", "Only papers up to this date."),
    ("--venue", "venue", "Only papers whose venue contains this."),
    ("--author", "author", "Only papers with an author whose name contains this."),
    ("--text", "text", "Only papers whose title or abstract contains this."),
)
#: Those that may be given several times.
_SEVERAL: Final = frozenset({"about", "role", "type", "papers"})
MIN_CONFIDENCE: Final = click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Only claims of at least this confidence, from 0 to 1.",
)


def selection_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of `_SELECTION` and `--min-confidence`, as one argument `selection`."""
    names = [name for _, name, _ in _SELECTION]

    @wraps(command)
    def with_selection(*args: Any, min_confidence: float, **given: Any) -> None:
        chosen = {name: given.pop(name) or None for name in names}
        command(*args, selection=Selection(**chosen, min_confidence=min_confidence), **given)

    with_options: Callable[..., None] = MIN_CONFIDENCE(with_selection)
    for option, name, about in reversed(_SELECTION):
        with_options = click.option(option, name, multiple=name in _SEVERAL, help=about)(with_options)
    return with_options


def _layers(value: str | None) -> frozenset[str] | None:
    if value is None:
        return None
    named = frozenset(filter(None, (n.strip() for n in value.split(","))))
    if "default" in named:
        named = (named - {"default"}).union(ALL_LAYERS)
    unknown = named.difference(ALL_LAYERS)
    others = plugins.plugin_names("extractor") if unknown else []
    wrong = ", ".join(sorted(unknown.difference(others))) or ("" if named else "nothing")
    if wrong:
        raise click.BadParameter(f"{wrong}: choose of {', '.join((*ALL_LAYERS, *others))}")
    return named


def export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command `--base-iri`, `--evidence`, `--align` and `--nodes`, as one argument `options`."""

    @_BASE_IRI
    @_EVIDENCE
    @_ALIGN
    @_NODES
    @wraps(command)
    def with_options(
        *args: Any, base_iri: str, evidence: EvidenceLevel, align: bool, nodes: NodeSet, **rest: Any
    ) -> None:
        command(*args, options=ExportOptions(base_iri, evidence, align=align, nodes=nodes), **rest)

    return with_options


def as_json_text(values: object) -> str:
    """Values as the JSON that commands print; texts stand as they are."""
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def echo_json(values: object) -> None:
    """Print values as JSON."""
    click.echo(as_json_text(values), nl=False)


def domain_of(schema: Path | None) -> Domain | None:
    """What a schema file tells, where one is given; raises `SchemaError`."""
    from citekg.domains import read_domain

    return read_domain(schema) if schema else None


def loaded(path: Path) -> Graph:
    """The graph in a file."""
    from citekg.storage.graph_files import load_graph

    return load_graph(path)


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """Tells a file that cannot be written by a `GraphError`."""
    try:
        yield
    except OSError as error:
        raise GraphError(f"{file}: cannot be written: {error.strerror or error}") from error


def check_options(formats: tuple[str, ...], options: ExportOptions, *, split: bool) -> None:
    """Refuses an option that changes nothing in any of the formats, and warns of one that does in some only."""
    set_ = replace(options, part="core") if split else options
    without: dict[str, list[str]] = {}
    for name in dict.fromkeys(formats):
        for option in ignored_options(name, set_):
            without.setdefault(_OPTIONS[option], []).append(name)
    for option, names in without.items():
        told = f"{option} changes nothing in {', '.join(names)}"
        if len(names) == len({*formats}):
            raise click.UsageError(f"{told}: choose one of {', '.join(_heeding(option))} with -f, or leave it out")
        if _chosen("formats"):
            click.echo(f"warning: {told}", err=True)


def _heeding(option: str) -> list[str]:
    """The formats of ours in which an option of the command line changes something."""
    (name,) = (name for name, written in _OPTIONS.items() if written == option)
    return [known for known, made in EXPORTERS.items() if name in made.options_used]


def _chosen(parameter: str) -> bool:
    """Whether the user gave a parameter of the running command, which else has its default."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not click.core.ParameterSource.DEFAULT


def file_of(folder: Path, name: str, *, packed: bool) -> Path:
    """Where `kg build` writes a format, compressed where that is asked for and makes sense."""
    made = exporter(name)
    return folder / f"graph{made.suffix}{'.gz' if packed and made.packable else ''}"


def write_files(
    graph: KnowledgeGraph, file: Path, name: str, options: ExportOptions, *, split: bool
) -> tuple[Path, ...]:
    """Write a graph in a format, RDF as two files where it is to be split; returns the files."""
    with writing(file):
        if split and name in RDF_FORMATS:
            return write_split(graph, file, name, options)
        write(graph, file, name, options)
        _log.info("written", extra={"file": str(file), "format": name, "bytes": file.stat().st_size})
    return (file,)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, nothing in a pipe; it hears how many of how many are done."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
