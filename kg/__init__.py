"""citekg: citation-style knowledge graphs of what papers introduce, use, extend and evaluate on.

    import kg

    graph = citekg.build(["papers.jsonl"])  # or records in memory, or a pandas DataFrame
    citekg.extract("We use PPO and evaluate on D4RL.").entities
    graph = citekg.load("out/graph.ttl")
    graph.papers, graph.entities, graph.relations, graph.links
    graph.query("SELECT ?label { ?e a ckg:Method ; skos:prefLabel ?label }")
    graph.to_networkx(); graph.to_rdflib(); graph.save("graph.html")

Whatever goes wrong is raised as one of the errors in `citekg.schemas.errors`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from citekg.graph.graph import Graph
    from citekg.schemas.records import Extraction, Paper
    from citekg.sources import Problem
    from citekg.sources.in_memory import Inputs

__all__ = ["build", "extract", "load"]

_T = TypeVar("_T", bound="str | Path")


def build(
    inputs: Inputs,
    *,
    input_format: str | None = None,
    layers: str | Iterable[str] | None = None,
    workers: int = 1,
    cache: str | Path | None = None,
    decisions: str | Path | None = None,
    lexicons: str | Path | Iterable[str | Path] = (),
    schema: str | Path | None = None,
    on_problem: Callable[[Problem], None] | None = None,
) -> Graph:
    """Read papers from a file, folder or glob, or from several, or from memory, and return their graph.

    In memory, papers are dictionaries with the keys of JSON Lines (docs/sources.md), `citekg.schemas.records.Paper`, or a
    pandas DataFrame with the columns of a table of papers; the place of a problem is then `records:N`.

    What cannot be read is left out and handed to `on_problem` as a `Problem` that names file and
    line; without `on_problem` the first one is raised as `InputError`, so that nothing is lost unseen, and
    warnings, which cost no paper, become Python warnings.
    `layers` are the extraction layers to use (`citekg.extractors.candidates.generate.LAYERS` by default), extractors of
    other packages by their names among them.
    With several `workers` a script must keep its start behind `if __name__ == "__main__"`.
    `cache` is a folder that keeps what was found in each paper, so that the next build reads only what is new.

    `decisions` is a file of them (docs/decisions.md), replayed on the graph; a decision about what is
    no longer there is told as a Python warning. Raises `DecisionsError` where the file is broken or
    contradicts itself. `lexicons` are files of names (docs/lexicon.md), known beside the shipped ones;
    `schema` is a file of types, roles, names and cues for another field (docs/domains.md). Raises
    `LexiconError` or `SchemaError` where a row or an entry breaks a rule.
    """
    from citekg.building.pipeline import build as build_all
    from citekg.building.pipeline import make_pipeline, make_runner
    from citekg.curation.decisions import NO_DECISIONS, read_decisions
    from citekg.domains import read_domain
    from citekg.schemas.errors import InputError
    from citekg.schemas.vocabulary import DEFAULT

    domain = None if schema is None else read_domain(Path(schema))
    vocabulary = domain.vocabulary if domain else DEFAULT
    built = build_all(
        inputs,
        input_format=input_format,
        reader=make_pipeline(layers if layers is None else _several(layers), map(Path, _several(lexicons)), domain),
        runner=make_runner(workers),
        decisions=NO_DECISIONS if decisions is None else read_decisions(Path(decisions), vocabulary),
        cache=cache,
    )
    for problem in built.problems:
        if on_problem is not None:
            on_problem(problem)
        elif problem.warning:
            warnings.warn(str(problem), stacklevel=2)
        else:
            raise InputError(problem.place, problem.message)
    for message in built.stale:
        warnings.warn(message, stacklevel=2)
    return built.graph


def extract(
    text: str | tuple[str, str] | Mapping[str, Any] | Paper,
    *,
    layers: str | Iterable[str] | None = None,
    lexicons: str | Path | Iterable[str | Path] = (),
    schema: str | Path | None = None,
) -> Extraction:
    """What one text names: an abstract, a pair of title and abstract, a record or a `Paper`; `.entities` lists it.

    The spans of an entity are code points of `.paper.text`, which is the title, a line break, and the abstract.
    The options are those of `build`. Raises `InputError` for a record that cannot be read.

    >>> [(e.name, e.type, e.roles[0][0]) for e in extract("We use PPO and evaluate on D4RL.").entities]
    [('Proximal Policy Optimization', 'Method', 'uses'), ('D4RL', 'Benchmark', 'evaluatesOn')]
    """
    from citekg.building.pipeline import extract as extract_from
    from citekg.building.pipeline import make_pipeline
    from citekg.domains import read_domain

    domain = None if schema is None else read_domain(Path(schema))
    named = layers if layers is None else _several(layers)
    return extract_from(text, make_pipeline(named, map(Path, _several(lexicons)), domain))


def _several(given: _T | Iterable[_T]) -> Iterable[_T]:
    """One or several as several: a text is one, and not its letters."""
    return [given] if isinstance(given, (str, Path)) else given


def load(path: str | Path) -> Graph:
    """Load a graph that citekg wrote: any RDF or JSON, gzipped or not, known by the file's ending or else its content.

    It may be the folder that `kg build` wrote to, or one of a graph in parts. Raises `GraphError` where the file is
    missing, broken, or no citekg graph.
    """
    from citekg.storage.graph_files import load_graph as load_file

    return load_file(Path(path))
