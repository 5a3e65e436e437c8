"""`kg extract`: print the entities and the reported results of each paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citekg.cli.extraction_options import INPUT_FORMAT, LAYERS
from citekg.cli.options import (
    INPUTS,
    LEXICONS,
    MODEL,
    SCHEMA,
    STRICT,
    WEIGHTS,
    WORKERS,
    progress,
    read_schema,
)
from citekg.cli.problems import exit_if_skipped, report_problems

if TYPE_CHECKING:
    from citekg.schemas.records import Extraction, Result


@click.command()
@INPUTS
@INPUT_FORMAT
@LAYERS
@LEXICONS
@SCHEMA
@WEIGHTS
@MODEL
@WORKERS
@STRICT
def extract(
    inputs: tuple[str, ...],
    input_format: str | None,
    layers: frozenset[str] | None,
    lexicons: tuple[Path, ...],
    schema: Path | None,
    weights: Path | None,
    model: str,
    workers: int,
    strict: bool,  # noqa: FBT001
) -> None:
    """Print the entities and reported results of each paper as JSON Lines, one paper per line.

    INPUT is a file, a folder, a glob pattern, or - for standard input, as for kg build.

    \b
    Example:
      kg extract examples/papers.jsonl > extracted.jsonl
    """
    from citekg.building.pipeline import extract_all, make_pipeline, process_engine, read_papers

    domain = read_schema(schema)
    papers, problems = read_papers(inputs, input_format)
    report_problems(problems, strict=strict)
    pipeline = make_pipeline(layers, lexicons, domain, weights, model)
    with progress("Reading papers") as on_progress:
        for extraction in extract_all(pipeline, papers, on_progress, process_engine(workers)):
            click.echo(json.dumps(_as_values(extraction), ensure_ascii=False))
    exit_if_skipped(problems)


def _as_values(extraction: Extraction) -> dict[str, Any]:
    text = extraction.paper.text
    return {
        "id": extraction.paper.id,
        "title": extraction.paper.title,
        "entities": [
            {
                "id": entity.key,
                "name": entity.name,
                "surfaces": list(entity.surfaces),
                "type": entity.type,
                "relations": [role for role, _, _ in entity.roles],
                "mentions": [{"start": a, "end": b, "text": text[a:b]} for a, b in entity.spans],
                "confidence": entity.confidence,
            }
            for entity in extraction.entities
        ],
        "results": [_result_values(result, text) for result in extraction.results],
    }


def _result_values(result: Result, text: str) -> dict[str, Any]:
    start, end = result.sentence
    return {
        **result.slots(),
        "start": result.start,
        "end": result.end,
        "sentence": text[start:end],
        "confidence": result.confidence,
    }
