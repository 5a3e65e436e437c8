"""Measuring the quality of a graph by hand: a sample to mark, and what the marks say.

The sample holds as many relations of each type as it can, chosen by a hash of the seed and of the
relation itself, so that one seed gives one sample, and a graph that grows keeps most of it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.schemas.errors import InputError
from citekg.schemas.files import printable
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Relation
from citekg.schemas.vocabulary import ROLES, TYPES
from citekg.sources.decoding import decoded
from citekg.sources.input_files import InputFile
from citekg.text_table import Table

if TYPE_CHECKING:
    from _csv import Reader

#: How a row is marked; nothing at all leaves it out.
MARKS: Final = {**dict.fromkeys(("y", "yes", "1", "true"), True), **dict.fromkeys(("n", "no", "0", "false"), False)}
_Z: Final = 1.96
_NEEDED: Final = ("right", "type", "role")
#: What a spreadsheet would take for a formula at the start of a cell.
_FORMULA: Final = ("=", "+", "-", "@")


@dataclass(frozen=True, slots=True)
class Row:
    """A relation to mark: whether the sentence shows that the paper does this with a thing of this type."""

    right: str
    name: str
    type: str
    role: str
    sentence: str
    paper: str
    confidence: str


def sample(graph: KnowledgeGraph, count: int, seed: int) -> list[Row]:
    """So many relations of the graph, as even over the types as it allows; relations without proof are left out."""
    by_type: dict[str, list[Relation]] = defaultdict(list)
    for relation in sorted(graph.relations, key=lambda r: _rank(r, seed)):
        if relation.evidence:
            by_type[graph.mention_by_id[relation.evidence[0]].type].append(relation)
    in_turn = chain.from_iterable(zip_longest(*(by_type[name] for name in sorted(by_type))))
    return [_row(graph, relation) for relation in islice(filter(None, in_turn), count)]


def _rank(relation: Relation, seed: int) -> bytes:
    told = "\0".join((str(seed), relation.paper, relation.role, relation.entity))
    return hashlib.sha256(told.encode()).digest()


def _row(graph: KnowledgeGraph, relation: Relation) -> Row:
    proof = next(iter(graph.evidence(relation)))
    paper = graph.paper_by_id[relation.paper]
    name = graph.entity_by_id[relation.entity].name
    sure = f"{relation.confidence:.2f}"
    return Row("", name, proof.mention.type, relation.role, proof.sentence, paper.title, sure)


def written(rows: Iterable[Row]) -> str:
    """The rows as tab-separated values that a spreadsheet opens without taking any cell for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(field.name for field in fields(Row))
    writer.writerows(map(_safe, astuple(row)) for row in rows)
    return out.getvalue()


def _safe(cell: str) -> str:
    flat = " ".join(cell.split())
    return f"'{flat}" if flat.startswith(_FORMULA) else flat


def marked_precision(path: Path) -> Table:
    """The precision by type and by role of a marked sample, with Wilson 95 % intervals.

    Raises `InputError` with file and line for a mark or a header that cannot be understood.
    """
    marks: dict[tuple[str, str], list[bool]] = defaultdict(list)
    blank = 0
    for type_, role, mark in _marks(path):
        if mark is None:
            blank += 1
        else:
            for name in (("all", ""), ("type", type_), ("role", role)):
                marks[name].append(mark)
    if not marks:
        raise InputError(str(path), "no row is marked: write y or n into the column 'right'")
    rows = tuple(_judged(" ".join(filter(None, name)), marks[name]) for name in sorted(marks, key=_place))
    title = f"Marked {len(marks['all', ''])} rows of {len(marks['all', '']) + blank}"
    return Table(title, ("of", "marked", "right", "precision", "95 % interval"), rows)


def _place(counted: tuple[str, str]) -> tuple[int, int, str]:
    """What sorts all before types before roles, and those that a schema adds behind the shipped ones."""
    kind, name = counted
    known = {"all": (), "type": tuple(TYPES), "role": tuple(ROLES)}
    return list(known).index(kind), [*known[kind], name].index(name), name


def _judged(name: str, marks: list[bool]) -> tuple[str, ...]:
    low, high = wilson(sum(marks), len(marks))
    return name, str(len(marks)), str(sum(marks)), f"{sum(marks) / len(marks):.2f}", f"{low:.2f} to {high:.2f}"


def wilson(right: int, count: int) -> tuple[float, float]:
    """The Wilson 95 % interval of a share; `count` is at least 1.

    >>> low, high = wilson(9, 10)
    >>> round(low, 2), round(high, 2)
    (0.6, 0.98)
    """
    share, spread = right / count, _Z * _Z / count
    middle = (share + spread / 2) / (1 + spread)
    reach = _Z * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _marks(path: Path) -> Iterator[tuple[str, str, bool | None]]:
    """Type, role and mark of each row, whatever a spreadsheet made of tabs, quotes and line ends."""
    place = InputFile(str(path))
    lines = list(decoded(place))
    broken = next((line for line in lines if line.broken), None)
    if broken:
        raise InputError(f"{place.name}:{broken.number}", broken.broken)
    head = lines[0].text if lines else ""
    rows = csv.reader((f"{line.text}\n" for line in lines), delimiter=max("\t,;", key=head.count))
    try:
        yield from _marked(rows, place.name)
    except csv.Error as error:
        raise InputError(f"{place.name}:{rows.line_num}", f"the row cannot be read: {printable(str(error))}") from error


def _marked(rows: Reader, file: str) -> Iterator[tuple[str, str, bool | None]]:
    """Type, role and mark of each row below the header."""
    at = {name: n for n, name in enumerate(next(rows, []))}
    if not all(name in at for name in _NEEDED):
        raise InputError(f"{file}:1", f"want a header with the columns {', '.join(_NEEDED)}, as `kg sample` writes it")
    for row in filter(any, rows):
        place = f"{file}:{rows.line_num}"
        if len(row) <= max(at[name] for name in _NEEDED):
            raise InputError(place, "the row has fewer cells than the header")
        yield row[at["type"]], row[at["role"]], _mark(row[at["right"]], place)


def _mark(cell: str, place: str) -> bool | None:
    said = cell.strip().lower()
    if said and said not in MARKS:
        raise InputError(place, f"the mark {cell!r} is neither y nor n nor blank")
    return MARKS.get(said)
