"""Recognise a graph that citekg wrote, which holds papers but is no source of papers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from citekg.schemas.errors import InputError
from citekg.schemas.vocabulary import ONTOLOGY
from citekg.sources.format import Line

#: How the files of a graph begin, and what else is in their first lines: JSON, the page, and RDF of each format.
_FORMS: Final = (
    ('{"directed"', ""),
    ("<!doctype html>", "<title>citekg"),
    *((start, ONTOLOGY) for start in ("@prefix", "<", '{"@')),
)


def refuse_graph(name: str, head: Iterable[Line]) -> None:
    """Raises `InputError` where the first lines are those of a graph."""
    text = "\n".join(line.text for line in head if not line.broken).lstrip()
    if any(text.startswith(start) and mark in text for start, mark in _FORMS):
        raise InputError(name, "this is a graph, not papers: kg stats, kg show and kg query read it")
