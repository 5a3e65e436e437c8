"""Files of an earlier `kg build` that remain because the current build writes fewer formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from citekg.cli.export_options import output_file
from citekg.exports import EXPORTERS, PARTITIONED
from citekg.exports.graph_files import PARTS_LIST
from citekg.exports.rdf.reading import RDF_FORMATS
from citekg.exports.rdf.split import part_path
from citekg.storage.folders import Folder


def earlier_files(output: Path, written: Iterable[Path | str]) -> list[str]:
    """Return the graph files in a folder that were not just written, sorted.

    Only files with a name that `kg build` gives to a built-in format count: all others are the
    user's.
    """
    found = {path for name in EXPORTERS for path in _possible_files(output, name) if path.is_file()}
    return sorted(map(str, found.difference(map(Path, written))))


def earlier_lists(folder: Folder, formats: Iterable[str]) -> list[str]:
    """Return the lists of partitioned files in a folder in other formats, sorted by format.

    Raises `FolderError` if the folder cannot be read.
    """
    lists = {
        name: f"graph.{name}/{PARTS_LIST}" for name in sorted({*PARTITIONED}.difference(formats))
    }
    return [file for name, file in lists.items() if file in folder.names(f"graph.{name}")]


def _possible_files(output: Path, name: str) -> Iterator[Path]:
    """Yield every file that a build may write in a format: whole or split, compressed or not."""
    for path in {output_file(output, name, compress=compress) for compress in (False, True)}:
        yield path
        if name in RDF_FORMATS:
            yield from (part_path(path, part) for part in ("core", "provenance"))
