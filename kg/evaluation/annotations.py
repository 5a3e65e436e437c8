"""Read annotated papers, the gold standard of the evaluation.

The format is JSON Lines, one paper per line: `title`, `abstract`, optionally `id`, and `entities`,
each with `surfaces` (surface forms as written in the text), `type`, optionally `name`, `relation`,
`also` and `also_relation` (other acceptable types and roles) and `optional` (not counted).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from citekg.extractors.gold import GoldEntity, gold_entities
from citekg.schemas.errors import InputError
from citekg.schemas.records import Paper, Source
from citekg.schemas.vocabulary import DEFAULT, Vocabulary
from citekg.sources.decoding import decode_lines, replace_controls
from citekg.sources.input_files import InputFile, input_files


@dataclass(frozen=True)
class Annotated:
    """A paper with its gold entities."""

    paper: Paper
    gold: tuple[GoldEntity, ...]


class _InvalidRecord(Exception):
    """An invalid annotation; its text is the message."""


def annotated_papers(name: str, vocabulary: Vocabulary = DEFAULT) -> tuple[Annotated, ...]:
    """Return the annotated papers of a file (or folder, pattern, `-`), in file order.

    Raises `InputError` with file and line for the first invalid line, also for types and roles
    outside the vocabulary, and if there are no papers.
    """
    found: dict[str, Annotated] = {}
    for place in input_files([name]):
        if isinstance(place, InputError):
            raise place
        for one in _annotated(place, vocabulary):
            if one.paper.id in found:
                earlier, here = found[one.paper.id].paper.sources[0], one.paper.sources[0]
                raise InputError(
                    str(here),
                    f"the id {one.paper.id!r} is taken by {earlier}: give each paper its own",
                )
            found[one.paper.id] = one
    if not found:
        raise InputError(
            name, "no annotated papers: expected JSON Lines with title, abstract and entities"
        )
    return tuple(found.values())


def _annotated(place: InputFile, vocabulary: Vocabulary) -> Iterator[Annotated]:
    for line in decode_lines(place):
        source = Source(place.name, line.number)
        try:
            if line.broken:
                raise _InvalidRecord(line.broken)
            if line.text.strip():
                yield _paper(line.text, source, vocabulary)
        except _InvalidRecord as invalid:
            raise InputError(str(source), str(invalid)) from invalid


def _paper(text: str, source: Source, vocabulary: Vocabulary) -> Annotated:
    row = _object(text)
    title, abstract = _text(row, "title"), _text(row, "abstract")
    paper = Paper(_text(row, "id", str(source)), title, abstract, sources=(source,))
    entities = row.get("entities")
    if not isinstance(entities, list):
        raise _InvalidRecord("'entities' is not a list: give a list, which may be empty")
    whole = [_entity(e, n, paper.text, vocabulary) for n, e in enumerate(entities, start=1)]
    return Annotated(paper, tuple(gold_entities({"entities": whole})))


def _object(text: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _InvalidRecord(f"not JSON: {error}") from error
    if not isinstance(row, dict):
        raise _InvalidRecord("not an object with title, abstract and entities")
    return row


def _text(row: dict[str, Any], name: str, default: str | None = None) -> str:
    value = row.get(name, default)
    if not isinstance(value, str) or not value.strip():
        raise _InvalidRecord(f"{name!r} is missing or not a text")
    return replace_controls(value)


def _entity(value: object, number: int, text: str, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return a validated annotation with its default values."""
    if not isinstance(value, dict):
        raise _InvalidRecord(f"entity {number} is not an object")
    surfaces = _texts(value, "surfaces", [value.get("name")])
    where = f"entity {number} ({surfaces[0] if surfaces else ''!r})"
    if not surfaces:
        raise _InvalidRecord(f"{where}: 'surfaces' is empty: list the forms that the text uses")
    for absent in (s for s in surfaces if s not in text):
        raise _InvalidRecord(
            f"{where}: the surface {absent!r} does not occur in title or abstract:"
            " copy it as it is written"
        )
    entity = {"name": surfaces[0], "relation": "", **value, "surfaces": surfaces}
    _check(where, "type", [entity.get("type")], *vocabulary.types)
    _check(where, "also", _texts(value, "also", []), *vocabulary.types)
    _check(where, "relation", [entity["relation"]], "", *vocabulary.roles)
    _check(where, "also_relation", _texts(value, "also_relation", []), *vocabulary.roles)
    return entity


def _texts(value: dict[str, Any], name: str, default: list[Any]) -> list[str]:
    listed = value.get(name, default)
    if not isinstance(listed, list) or not all(isinstance(item, str) and item for item in listed):
        raise _InvalidRecord(
            f"{name!r} of the entity {value.get('name', '')!r} is not a list of texts"
        )
    return [replace_controls(item) for item in listed]


def _check(where: str, what: str, given: Iterable[object], *known: str) -> None:
    for item in given:
        if item not in known:
            raise _InvalidRecord(
                f"{where}: {what} {item!r} is none of {', '.join(filter(None, known))}"
            )
