"""Writing a graph in many files to a folder, here or elsewhere, with a list of them that comes last."""

from __future__ import annotations

import json
from dataclasses import asdict

from exports import ExportOptions
from exports.partitioned import partitions
from kg.building.folders import Folder
from schemas.graph import KnowledgeGraph


def write_partitioned(
    graph: KnowledgeGraph, folder: Folder, name: str, options: ExportOptions, *, packed: bool = False
) -> str:
    """Write a graph in one of the formats that can be parted; returns the name of the list of files.

    While there is no `files.json` the files are not all there. Those of an earlier graph are taken away.
    Raises `FormatError` for any other format, and `FolderError` where the folder cannot be written to.
    """
    place = f"graph.{name}"
    listed = f"{place}/files.json"
    before = folder.names(place)
    if listed in before:
        folder.remove(listed)
    written = []
    for file, data in partitions(graph, name, options, packed=packed):
        folder.write(file, data)
        written.append(file.removeprefix(f"{place}/"))
    for file in before:
        if file != listed and file.removeprefix(f"{place}/") not in written:
            folder.remove(file)
    folder.write(listed, json.dumps({"files": written, "run": asdict(graph.run)}, indent=1).encode() + b"\n")
    return listed
