"""A graph in two RDF files: the core, which is sufficient for most queries, and its provenance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from citekg.exports import write
from citekg.exports.rdf.reading import RDF_FORMATS
from citekg.schemas.errors import FormatError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions, Part


def write_split(
    graph: KnowledgeGraph, path: Path, name: str, options: ExportOptions | None = None
) -> tuple[Path, Path]:
    """Write `graph.core.ttl` and `graph.provenance.ttl` for a path `graph.ttl`; return both paths.

    Loading the core also reads the provenance beside it. Raises `FormatError` for a format that is
    not RDF.
    """
    if name not in RDF_FORMATS:
        raise FormatError(name, RDF_FORMATS)
    files = part_path(path, "core"), part_path(path, "provenance")
    parts: tuple[Part, Part] = ("core", "provenance")
    for file, part in zip(files, parts, strict=True):
        write(graph, file, name, replace(options or ExportOptions(), part=part))
    return files


def part_path(path: Path, part: str) -> Path:
    """Return the path of a part: `graph.core.ttl.gz` for `graph.ttl.gz`."""
    endings = "".join(path.suffixes[-2 if path.suffix == ".gz" else -1 :])
    return path.with_name(f"{path.name.removesuffix(endings)}.{part}{endings}")
