"""Read annotated papers, the gold standard of the evaluation.

The format is JSON Lines, one paper per line: `title`, `abstract`, optionally `id`, and `entities`,
each with `surfaces` (surface forms as written in the text), `type`, optionally `name`, `relation`,
`also` and `also_relation` (other acceptable types and roles) and `optional` (not counted). A line
may name its `annotator`; several annotators may annotate one paper in one file.
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
from citekg.sources.input_files import input_files


@dataclass(frozen=True)
class Annotated:
    """A paper with its gold entities, and the name of the annotator if the line has it."""

    paper: Paper
    gold: tuple[GoldEntity, ...]
    annotator: str = ""


class _InvalidRecord(Exception):
    """An invalid annotation; its text is the message."""


def annotated_papers(
    name: str, vocabulary: Vocabulary = DEFAULT, annotator: str | None = None
) -> tuple[Annotated, ...]:
    """Return the annotated papers of a file (or folder, pattern, `-`), in file order.

    With `annotator`, only the lines of that annotator count. Raises `InputError` with file and line
    for the first invalid line, also for types and roles outside the vocabulary, for a paper that
    is annotated twice, and if there are no papers.
    """
    found: dict[str, Annotated] = {}
    for one in read_annotations(name, vocabulary):
        if annotator is not None and one.annotator != annotator:
            continue
        if one.paper.id in found:
            raise _annotated_twice(found[one.paper.id], one)
        found[one.paper.id] = one
    if not found:
        by = f" by {annotator!r}" if annotator is not None else ""
        raise InputError(
            name, f"no annotated papers{by}: expected JSON Lines with title, abstract and entities"
        )
    return tuple(found.values())


def read_annotations(name: str, vocabulary: Vocabulary = DEFAULT) -> Iterator[Annotated]:
    """Yield the annotated papers of a file (or folder, pattern, `-`), of all annotators.

    Raises `InputError` with file and line for the first invalid line.
    """
    for place in input_files([name]):
        if isinstance(place, InputError):
            raise place
        for line in decode_lines(place):
            source = Source(place.name, line.number)
            if line.broken:
                raise InputError(str(source), line.broken)
            if line.text.strip():
                yield parse_annotated(line.text, source, vocabulary)


def parse_annotated(text: str, source: Source, vocabulary: Vocabulary = DEFAULT) -> Annotated:
    """Return the annotated paper of a line; raises `InputError` with its source."""
    try:
        return _paper(text, source, vocabulary)
    except _InvalidRecord as invalid:
        raise InputError(str(source), str(invalid)) from invalid


def _annotated_twice(earlier: Annotated, here: Annotated) -> InputError:
    """Return the error for two lines with the same id."""
    place, id_ = here.paper.sources[0], here.paper.id
    taken = f"the id {id_!r} is taken by {earlier.paper.sources[0]}"
    if earlier.annotator != here.annotator:
        names = " and ".join(repr(one.annotator) for one in (earlier, here))
        return InputError(str(place), f"{taken}, by another annotator ({names}): use --annotator")
    return InputError(str(place), f"{taken}: give each paper its own")


def _paper(text: str, source: Source, vocabulary: Vocabulary) -> Annotated:
    row = _object(text)
    title, abstract = _text(row, "title"), _text(row, "abstract")
    paper = Paper(_text(row, "id", str(source)), title, abstract, sources=(source,))
    entities = row.get("entities")
    if not isinstance(entities, list):
        raise _InvalidRecord("'entities' is not a list: give a list, which may be empty")
    whole = [_entity(e, n, paper.text, vocabulary) for n, e in enumerate(entities, start=1)]
    annotator = _text(row, "annotator") if "annotator" in row else ""
    return Annotated(paper, tuple(gold_entities({"entities": whole})), annotator)


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
