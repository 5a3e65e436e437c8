"""Recognise a graph file of citekg, which is not a source of papers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from citekg.schemas.errors import InputError
from citekg.schemas.plugins import Line
from citekg.schemas.vocabulary import ONTOLOGY

#: The beginnings of graph files, and a mark in their first lines: JSON, the page and RDF.
_SIGNATURES: Final = (
    ('{"directed"', ""),
    ("<!doctype html>", "<title>citekg"),
    *((start, ONTOLOGY) for start in ("@prefix", "<", '{"@')),
)


def reject_graph(name: str, head: Iterable[Line]) -> None:
    """Raise `InputError` if the first lines are those of a graph."""
    text = "\n".join(line.text for line in head if not line.broken).lstrip()
    if any(text.startswith(start) and mark in text for start, mark in _SIGNATURES):
        raise InputError(
            name, "this is a graph, not papers: kg stats, kg show and kg query read it"
        )
