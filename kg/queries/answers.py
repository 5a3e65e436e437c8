"""Answers to queries, and how they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from citekg.schemas.errors import FormatError, QueryError
from citekg.text_table import Table

if TYPE_CHECKING:
    import pyoxigraph as ox

    Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
    Results = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

#: The output formats, the same for `Answer.render` and the command line.
OUTPUTS: Final = ("table", "csv", "tsv", "json", "md", "latex", "ttl")

#: Those that SPARQL 1.1 defines.
_STANDARD: Final = ("csv", "tsv", "json")
#: How many rows a notebook shows.
_SHOWN: Final = 50

_LOCAL: Final = re.compile(r"\w(?:[\w~.-]*[\w~-])?")
_NUMBERS: Final = {"integer": int, "decimal": float, "double": float, "float": float}
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_AS_ROWS: Final = """
    SELECT ?subject ?predicate ?object { ?subject ?predicate ?object } ORDER BY ?subject ?predicate ?object
"""


@dataclass(frozen=True)
class Answer:
    """What a query gave: rows (SELECT), yes or no (ASK), or triples (CONSTRUCT, DESCRIBE).

    `document` holds it in the SPARQL 1.1 JSON format, triples as rows of `subject`, `predicate` and
    `object`. Iterating gives a dict a row, from variable to Python value: texts and IRIs as `str`,
    numbers as numbers, and no key for what is unbound. `hints` are messages about what in the
    query is probably misspelt.
    """

    document: bytes
    triples: bool
    prefixes: Mapping[str, str]
    hints: tuple[str, ...] = ()

    @cached_property
    def _parsed(self) -> tuple[tuple[str, ...], list[list[Term | None]], bool | None]:
        import pyoxigraph as ox

        results = ox.parse_query_results(self.document, format=ox.QueryResultsFormat.JSON)
        if isinstance(results, ox.QueryBoolean):
            return (), [], bool(results)
        variables = tuple(variable.value for variable in results.variables)
        return variables, [[row[name] for name in variables] for row in results], None

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self._parsed[0]

    @property
    def rows(self) -> list[list[Term | None]]:
        """The rows as RDF terms of pyoxigraph, `None` for what is unbound."""
        return self._parsed[1]

    @property
    def boolean(self) -> bool | None:
        """The answer to ASK, `None` for other queries."""
        return self._parsed[2]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self.rows:
            yield {name: _python(term) for name, term in zip(self.variables, row, strict=True) if term is not None}

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return bool(self.rows) if self.boolean is None else self.boolean

    def render(self, output: str = "table") -> str:
        """The answer as text that ends with a line break, in one of `OUTPUTS`.

        `csv`, `tsv` and `json` are the SPARQL 1.1 result formats; triples asked for as `table` come
        as Turtle. Raises `FormatError` for another output, `QueryError` for rows asked for as Turtle.
        """
        if output not in OUTPUTS:
            raise FormatError(output, OUTPUTS)
        if output == "ttl" or (output == "table" and self.triples):
            return self._turtle()
        text = self._standard(output) if output in _STANDARD else self._text(output)
        return text if text.endswith("\n") else f"{text}\n"

    def __repr__(self) -> str:
        if self.boolean is not None:
            return f"<Answer: {'yes' if self.boolean else 'no'}>"
        return f"<Answer: {self._count()} of {', '.join(self.variables)}>"

    def __str__(self) -> str:
        return self._text("table")

    def _repr_html_(self) -> str:
        if self.boolean is not None:
            return Table("Answer", ("",), (("yes" if self.boolean else "no",),)).html()
        more = f", the first {_SHOWN}" if len(self) > _SHOWN else ""
        return Table(self._count() + more, self.variables, self._cells(_SHOWN)).html()

    def table(self) -> Table:
        """The rows as a table of text, IRIs as prefixed names; none and no column for the answer to ASK."""
        return Table("", self.variables, self._cells(), len(self.variables), self._count())

    def _cells(self, limit: int | None = None) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(self._cell(term) for term in row) for row in self.rows[:limit])

    def _text(self, output: str) -> str:
        if self.boolean is not None:
            return "yes" if self.boolean else "no"
        return self.table().render(output)

    def _count(self) -> str:
        return f"{len(self)} row{'' if len(self) == 1 else 's'}"

    def _cell(self, term: Term | None) -> str:
        if term is None:
            return ""
        text = _text(term)
        return self._short(text) if type(term).__name__ == "NamedNode" else " ".join(text.split())

    def _short(self, iri: str) -> str:
        """The prefixed name of an IRI, as a query would write it, by its longest namespace."""
        fitting = [(space, name) for name, space in self.prefixes.items() if iri.startswith(space)]
        for space, name in sorted(fitting, key=lambda pair: -len(pair[0])):
            if _LOCAL.fullmatch(iri, len(space)):
                return f"{name}:{iri[len(space) :]}".replace("~", r"\~")
        return iri

    def _standard(self, output: str) -> str:
        import pyoxigraph as ox

        form = getattr(ox.QueryResultsFormat, output.upper())
        results = ox.parse_query_results(self.document, format=ox.QueryResultsFormat.JSON)
        return _whole(results.serialize(format=form)).replace("\r\n", "\n")

    def _turtle(self) -> str:
        import pyoxigraph as ox

        if not self.triples:
            raise QueryError("only CONSTRUCT and DESCRIBE give triples for Turtle: ask for table, csv, tsv or json")
        iris = {_text(term) for row in self.rows for term in row if term is not None}
        used = {n: space for n, space in self.prefixes.items() if any(iri.startswith(space) for iri in iris)}
        triples = (ox.Triple(*row) for row in self.rows)  # type: ignore[arg-type]  # no part of a triple is unbound
        lines = _whole(ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=used)).splitlines(keepends=True)
        return "".join((*sorted(lines[: len(used)]), *lines[len(used) :]))


def answer_of(results: Results, prefixes: Mapping[str, str]) -> Answer:
    """The answer that holds all of these results."""
    import pyoxigraph as ox

    triples = isinstance(results, ox.QueryTriples)
    if isinstance(results, ox.QueryTriples):
        store = ox.Store()
        store.extend(ox.Quad(*triple) for triple in results)
        results = cast("ox.QuerySolutions", store.query(_AS_ROWS))
    return Answer(_whole(results.serialize(format=ox.QueryResultsFormat.JSON)).encode(), triples, prefixes)


def _whole(serialised: bytes | None) -> str:
    """The text that a serialiser returned, as it does where it is given no file."""
    return (serialised or b"").decode()


def _python(term: Term) -> Any:
    datatype = getattr(term, "datatype", None)
    text = _text(term)
    if datatype is None:
        return text
    if datatype.value == f"{_XSD}boolean":
        return text in ("true", "1")
    return _NUMBERS.get(datatype.value.removeprefix(_XSD), str)(text)


def _text(term: Term) -> str:
    return str(getattr(term, "value", term))
