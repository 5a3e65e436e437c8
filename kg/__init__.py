"""citekg: citation-style knowledge graphs of methods, benchmarks, models and datasets in papers.

    import citekg

    graph = citekg.build(["papers.jsonl"])  # or records in memory, or a pandas DataFrame
    citekg.extract("We use PPO and evaluate on D4RL.").entities
    graph = citekg.load("out/graph.ttl")
    graph.papers, graph.entities, graph.relations, graph.links
    graph.query("SELECT ?label { ?e a ckg:Method ; skos:prefLabel ?label }")
    graph.to_networkx(); graph.to_rdflib(); graph.save("graph.html")

Every error is one of those in `citekg.schemas.errors`.
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

__all__ = ["Graph", "__version__", "build", "extract", "load"]

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
    weights: str | Path | None = None,
    model: str = "fast",
    on_problem: Callable[[Problem], None] | None = None,
) -> Graph:
    """Return the graph of papers from files, folders or globs, or from memory.

    In memory, papers are dictionaries with the keys of JSON Lines (docs/sources.md),
    `citekg.schemas.records.Paper` records, or a pandas DataFrame with the columns of a table of
    papers; the place of a problem is then `records:N`.

    Records that cannot be read are left out and passed to `on_problem` as a `Problem` with file and
    line. Without `on_problem`, the first such record raises `InputError`; problems that lose no
    record become Python warnings.

    `layers` are the extraction layers to use, by default
    `citekg.extractors.candidates.generate.LAYERS`; extractors of other packages are given by name.
    With more than one worker, a script needs `if __name__ == "__main__"`. `cache` is a folder
    with the extractions of earlier builds, so that only new papers are extracted.

    `decisions` is a decisions file (docs/decisions.md) to apply; a decision about an entity that no
    longer exists becomes a Python warning. `lexicons` are files of names (docs/lexicon.md) that
    complement the shipped ones. `schema` is a file of types, roles, names and cues for another
    field (docs/domains.md). `weights` is a file that `kg learn` adapted to annotated papers
    (docs/learning.md). `model` is `fast`, or `accurate` with a pretrained encoder, which needs the
    extra of that name (docs/quality.md).

    Raises `DecisionsError` if the decisions file is invalid or contradicts itself,
    `LexiconError` or `SchemaError` if a row or an entry of those files is invalid,
    `WeightsError` if the weights are damaged or do not fit, `ExtractionError` if there is no such
    model, and `MissingPackage` if a package that it needs is not installed.
    """
    from citekg.building.pipeline import build as build_all
    from citekg.building.pipeline import make_pipeline, process_engine
    from citekg.curation.decisions import NO_DECISIONS, read_decisions
    from citekg.domains import read_domain
    from citekg.graph.graph import Graph
    from citekg.schemas.errors import InputError
    from citekg.schemas.vocabulary import DEFAULT

    domain = None if schema is None else read_domain(Path(schema))
    vocabulary = domain.vocabulary if domain else DEFAULT
    built = build_all(
        inputs,
        input_format=input_format,
        pipeline=make_pipeline(
            layers if layers is None else _several(layers),
            map(Path, _several(lexicons)),
            domain,
            None if weights is None else Path(weights),
            model,
        ),
        engine=process_engine(workers),
        decisions=NO_DECISIONS
        if decisions is None
        else read_decisions(Path(decisions), vocabulary),
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
    return Graph.wrap(built.graph)


def __getattr__(name: str) -> Any:
    """Return `Graph` or `__version__`, resolved on first use to keep `import citekg` cheap."""
    if name == "Graph":
        from citekg.graph.graph import Graph

        return Graph
    if name == "__version__":
        from importlib.metadata import version

        return version("citekg")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def extract(
    text: str | tuple[str, str] | Mapping[str, Any] | Paper,
    *,
    layers: str | Iterable[str] | None = None,
    lexicons: str | Path | Iterable[str | Path] = (),
    schema: str | Path | None = None,
    weights: str | Path | None = None,
    model: str = "fast",
) -> Extraction:
    """Return the extraction of an abstract, a (title, abstract) pair, a record or a `Paper`.

    Its `entities` have spans in code points of `.paper.text`, which is the title, a line break and
    the abstract. The options are those of `build`. Raises `InputError` for a record that cannot be
    read.

    >>> found = extract("We use PPO and evaluate on D4RL.").entities
    >>> [(entity.name, entity.type, entity.roles[0][0]) for entity in found]
    [('Proximal Policy Optimization', 'Method', 'uses'), ('D4RL', 'Benchmark', 'evaluatesOn')]
    """
    from citekg.building.pipeline import extract as extract_from
    from citekg.building.pipeline import make_pipeline
    from citekg.domains import read_domain

    domain = None if schema is None else read_domain(Path(schema))
    named = layers if layers is None else _several(layers)
    adapted = None if weights is None else Path(weights)
    pipeline = make_pipeline(named, map(Path, _several(lexicons)), domain, adapted, model)
    return extract_from(text, pipeline)


def _several(given: _T | Iterable[_T]) -> Iterable[_T]:
    """Return one value or several as an iterable; a string is one value."""
    return [given] if isinstance(given, (str, Path)) else given


def load(path: str | Path) -> Graph:
    """Return a graph that citekg wrote as RDF or JSON, compressed with gzip or not.

    The extension of the file, or else its content, determines the format. The path may also be the
    folder that `kg build` wrote, or one of a partitioned graph. Raises `GraphError` if the file is
    missing, broken, or no citekg graph.
    """
    from citekg.graph.graph import Graph
    from citekg.storage.graph_files import load_graph

    return Graph.wrap(load_graph(Path(path)))
