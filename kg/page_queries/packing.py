"""The quads of a store in columns, several times smaller than as N-Quads.

IRIs are sorted and front-coded: the number of characters that a name shares with the one before,
and the rest. Subjects with the same properties share a shape, which is a list of columns; each
column holds the objects of one property and datatype. A text that the page already contains is a
number in its list of texts. `exports/page/viewer/sparql_worker.js` unpacks the columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import pyoxigraph as ox

#: The datatype of a column of IRIs.
_IRI: Final = -1


class _Row(NamedTuple):
    """A quad as text; `datatype` is empty for an IRI. Rows sort by graph, subject and predicate."""

    graph: str
    subject: str
    predicate: str
    datatype: str
    value: str


def pack_quads(quads: Iterable[ox.Quad], held: Sequence[str]) -> dict[str, Any]:
    """Return the columns of quads as JSON values; `held` are texts that the page already contains.

    The quads must not contain blank nodes or language tags; those of citekg do not.
    """
    rows = sorted(map(_row, quads))
    names = sorted({name for row in rows for name in _names(row)})
    numbers = {name: at for at, name in enumerate(names)}
    columns = _Columns(numbers, {text: at for at, text in enumerate(held)})
    graphs: list[list[Any]] = []
    for graph, group in groupby(rows, key=lambda row: row.graph):
        subjects: list[int] = []
        shapes: list[int] = []
        for subject, own in groupby(group, key=lambda row: row.subject):
            subjects.append(numbers[subject])
            shapes.append(columns.add(numbers[subject], own))
        graphs.append([graph, _differences(subjects), shapes])
    return {
        "names": _front_coded(names),
        "graphs": graphs,
        "shapes": [list(shape) for shape in columns.shapes],
        "columns": columns.packed(),
    }


class _Columns:
    """Columns and shapes, numbered in order of appearance."""

    def __init__(self, names: Mapping[str, int], held: Mapping[str, int]) -> None:
        self.names = names
        self.held = held
        self.shapes: dict[tuple[int, ...], int] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self._values: list[list[int | str]] = []
        self._subjects: list[list[int]] = []

    def add(self, subject: int, rows: Iterable[_Row]) -> int:
        """Add the objects of a subject to their columns; return the number of its shape."""
        shape = tuple(self._add(subject, row) for row in rows)
        return self.shapes.setdefault(shape, len(self.shapes))

    def _add(self, subject: int, row: _Row) -> int:
        datatype = self.names[row.datatype] if row.datatype else _IRI
        key = self.names[row.predicate], datatype
        column = self._numbers.setdefault(key, len(self._numbers))
        if column == len(self._values):
            self._values.append([])
            self._subjects.append([])
        known = self.names if datatype == _IRI else self.held
        self._values[column].append(known.get(row.value, row.value))
        self._subjects[column].append(subject)
        return column

    def packed(self) -> list[list[Any]]:
        """Return each column: property, datatype, whether it is relative, and its values.

        A relative column holds the distances of its IRIs from their subjects, where these vary less
        than the IRIs themselves.
        """
        packed: list[list[Any]] = []
        for (property_, datatype), values, subjects in zip(
            self._numbers, self._values, self._subjects, strict=True
        ):
            relative = False
            if datatype == _IRI:
                distances = [
                    int(value) - subject for value, subject in zip(values, subjects, strict=True)
                ]
                relative = len({*distances}) < len({*values})
                values = [*distances] if relative else values
            packed.append([property_, datatype, int(relative), values])
        return packed


def _row(quad: ox.Quad) -> _Row:
    import pyoxigraph as ox

    graph = "" if isinstance(quad.graph_name, ox.DefaultGraph) else quad.graph_name.value
    if not isinstance(quad.subject, ox.NamedNode):
        raise TypeError(f"{quad.subject} is not an IRI")
    value, datatype = quad.object, ""
    if isinstance(value, ox.Literal):
        if value.language:
            raise TypeError(f"{value} has a language")
        datatype = value.datatype.value
    elif not isinstance(value, ox.NamedNode):
        raise TypeError(f"{value} is neither an IRI nor a literal")
    return _Row(graph, quad.subject.value, quad.predicate.value, datatype, value.value)


def _names(row: _Row) -> tuple[str, ...]:
    return row.subject, row.predicate, row.datatype or row.value


def _differences(numbers: Sequence[int]) -> list[int]:
    return [number - before for before, number in zip((0, *numbers), numbers, strict=False)]


def _front_coded(names: Sequence[str]) -> list[list[Any]]:
    """Return the lengths of the prefixes that names share with the one before, and the rests.

    >>> _front_coded(["urn:a", "urn:abc", "urn:b"])
    [[0, 5, 4], ['urn:a', 'bc', 'b']]
    """
    shared = [
        _shared_start(before, name) for before, name in zip(("", *names), names, strict=False)
    ]
    return [shared, [name[count:] for name, count in zip(names, shared, strict=True)]]


def _shared_start(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
