"""The options of commands that export, and the writing of files in the chosen formats."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import click

from citekg.cli.options import ALL, CONFIDENCE, minimum_confidence, report_write_errors
from citekg.exports import EXPORTERS, exporter, ignored_options, write
from citekg.exports.rdf.reading import RDF_FORMATS
from citekg.exports.rdf.split import write_split
from citekg.graph.subsets import Selection
from citekg.schemas.plugins import ExportOptions, NodeSet
from citekg.schemas.vocabulary import BASE_IRI, MIN_CONFIDENCE

if TYPE_CHECKING:
    from citekg.schemas.graph import KnowledgeGraph

_log: Final = logging.getLogger(__name__)

SPLIT: Final = click.option(
    "--split", is_flag=True, help="Write RDF as two files: the core and its provenance."
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
    help="Include a SPARQL engine in the page: adds 2.3 MB (see kg sparql-engine).",
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
    """Return the options, with the SPARQL parts of pages if `sparql` is true."""
    if not sparql:
        return options
    from citekg.page_queries import sparql_parts

    return replace(options, sparql=sparql_parts)


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
