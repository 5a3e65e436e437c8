"""Manual review of a graph: draw a sample of its claims, and compute the precision of its marks.

Claims are relations and reported results. The sample is stratified by type and ordered by a hash of
seed and claim, so that a seed gives the same sample, and a growing graph keeps most of it.
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

from citekg.exports.texts.reported import result_line
from citekg.schemas.errors import InputError
from citekg.schemas.files import printable
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Relation, Result
from citekg.schemas.vocabulary import ROLES, TYPES
from citekg.sources.decoding import decode_lines
from citekg.sources.input_files import InputFile
from citekg.text_table import Table

if TYPE_CHECKING:
    from _csv import Reader

#: The marks of a row; an empty mark leaves it out.
MARKS: Final = {
    **dict.fromkeys(("y", "yes", "1", "true"), True),
    **dict.fromkeys(("n", "no", "0", "false"), False),
}
#: The type of a row with a reported result.
RESULT: Final = "Result"
_Z: Final = 1.96
_REQUIRED: Final = ("right", "type", "role")
#: Characters at the start of a cell that spreadsheets interpret as a formula (CSV injection).
_FORMULA: Final = ("=", "+", "-", "@")


@dataclass(frozen=True, slots=True)
class Row:
    """A relation to mark as right if the sentence shows this role for an entity of this type.

    A reported result has the type `Result`, its kind as the role, and its slots as the name: it is
    right if the sentence states all of them.
    """

    right: str
    name: str
    type: str
    role: str
    sentence: str
    paper: str
    confidence: str


def draw_sample(graph: KnowledgeGraph, count: int, seed: int) -> list[Row]:
    """Draw relations with evidence, and results, evenly over the types; `count` is the maximum."""
    by_type: dict[str, list[Relation | Result]] = defaultdict(list)
    for relation in sorted(graph.relations, key=lambda r: _rank(seed, r.paper, r.role, r.entity)):
        if relation.evidence:
            by_type[graph.mention_by_id[relation.evidence[0]].type].append(relation)
    if graph.results:
        by_type[RESULT] = [*sorted(graph.results, key=lambda r: _rank(seed, r.id))]
    in_turn = chain.from_iterable(zip_longest(*(by_type[name] for name in sorted(by_type))))
    return [_row(graph, claim) for claim in islice(filter(None, in_turn), count)]


def _rank(seed: int, *names: str) -> bytes:
    return hashlib.sha256("\0".join((str(seed), *names)).encode()).digest()


def _row(graph: KnowledgeGraph, claim: Relation | Result) -> Row:
    return _result_row(graph, claim) if isinstance(claim, Result) else _role_row(graph, claim)


def _result_row(graph: KnowledgeGraph, result: Result) -> Row:
    return Row(
        right="",
        name=result_line(result),
        type=RESULT,
        role=result.kind,
        sentence=graph.sentence(result),
        paper=graph.paper_by_id[result.paper].title,
        confidence=f"{result.confidence:.2f}",
    )


def _role_row(graph: KnowledgeGraph, relation: Relation) -> Row:
    evidence = next(iter(graph.evidence(relation)))
    paper = graph.paper_by_id[relation.paper]
    name = graph.entity_by_id[relation.entity].name
    return Row(
        right="",
        name=name,
        type=evidence.mention.type,
        role=relation.role,
        sentence=evidence.sentence,
        paper=paper.title,
        confidence=f"{relation.confidence:.2f}",
    )


def to_tsv(rows: Iterable[Row]) -> str:
    """Return the rows as tab-separated values, escaped so that no cell becomes a formula."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(field.name for field in fields(Row))
    writer.writerows(map(_safe, astuple(row)) for row in rows)
    return out.getvalue()


def _safe(cell: str) -> str:
    flat = " ".join(cell.split())
    return f"'{flat}" if flat.startswith(_FORMULA) else flat


def marked_precision(path: Path) -> Table:
    """Return the precision of a marked sample by type and by role, with Wilson 95 % intervals.

    Raises `InputError` with file and line for an invalid mark or header.
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
    rows = tuple(
        _precision_row(" ".join(filter(None, name)), marks[name])
        for name in sorted(marks, key=_order)
    )
    title = f"Marked {len(marks['all', ''])} rows of {len(marks['all', '']) + blank}"
    return Table(title, ("of", "marked", "right", "precision", "95 % interval"), rows)


def _order(counted: tuple[str, str]) -> tuple[int, int, str]:
    """Return a sort key: the total, types, then roles; shipped names before those of a schema."""
    kind, name = counted
    known = {"all": (), "type": tuple(TYPES), "role": tuple(ROLES)}
    return list(known).index(kind), [*known[kind], name].index(name), name


def _precision_row(name: str, marks: list[bool]) -> tuple[str, ...]:
    low, high = wilson(sum(marks), len(marks))
    return (
        name,
        str(len(marks)),
        str(sum(marks)),
        f"{sum(marks) / len(marks):.2f}",
        f"{low:.2f} to {high:.2f}",
    )


def wilson(right: int, count: int) -> tuple[float, float]:
    """Return the Wilson score interval (95 %) of a share; `count` is at least 1.

    >>> low, high = wilson(9, 10)
    >>> round(low, 2), round(high, 2)
    (0.6, 0.98)
    """
    share, spread = right / count, _Z * _Z / count
    middle = (share + spread / 2) / (1 + spread)
    reach = _Z * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _marks(path: Path) -> Iterator[tuple[str, str, bool | None]]:
    """Yield type, role and mark of each row; detects the delimiter that a spreadsheet wrote."""
    place = InputFile(str(path))
    lines = list(decode_lines(place))
    broken = next((line for line in lines if line.broken), None)
    if broken:
        raise InputError(f"{place.name}:{broken.number}", broken.broken)
    head = lines[0].text if lines else ""
    rows = csv.reader((f"{line.text}\n" for line in lines), delimiter=max("\t,;", key=head.count))
    try:
        yield from _read_rows(rows, place.name)
    except csv.Error as error:
        raise InputError(
            f"{place.name}:{rows.line_num}", f"the row cannot be read: {printable(str(error))}"
        ) from error


def _read_rows(rows: Reader, file: str) -> Iterator[tuple[str, str, bool | None]]:
    """Yield type, role and mark of each row below the header."""
    at = {name: n for n, name in enumerate(next(rows, []))}
    if not all(name in at for name in _REQUIRED):
        raise InputError(
            f"{file}:1",
            f"expected a header with the columns {', '.join(_REQUIRED)}, as `kg sample` writes it",
        )
    for row in filter(any, rows):
        place = f"{file}:{rows.line_num}"
        if len(row) <= max(at[name] for name in _REQUIRED):
            raise InputError(place, "the row has fewer cells than the header")
        yield row[at["type"]], row[at["role"]], _mark(row[at["right"]], place)


def _mark(cell: str, place: str) -> bool | None:
    mark = cell.strip().lower()
    if mark and mark not in MARKS:
        raise InputError(place, f"the mark {cell!r} is neither y nor n nor blank")
    return MARKS.get(mark)
