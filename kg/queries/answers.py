"""Answers to SPARQL queries and their output formats."""

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

#: The result formats that SPARQL 1.1 defines.
_STANDARD: Final = ("csv", "tsv", "json")
#: The number of rows that a notebook shows.
_TABLE_LIMIT: Final = 50

_LOCAL: Final = re.compile(r"\w(?:[\w~.-]*[\w~-])?")
_NUMBERS: Final = {"integer": int, "decimal": float, "double": float, "float": float}
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_AS_ROWS: Final = """
    SELECT ?subject ?predicate ?object { ?subject ?predicate ?object }
    ORDER BY ?subject ?predicate ?object
"""


@dataclass(frozen=True)
class Answer:
    """The answer to a query: rows (SELECT), yes or no (ASK), or triples (CONSTRUCT, DESCRIBE).

    `document` is the answer in the SPARQL 1.1 JSON format, with triples as rows of `subject`,
    `predicate` and `object`. Iterating yields a dictionary for each row, from variable to Python
    value: strings and IRIs as `str`, numbers as numbers, and no key for an unbound variable.
    `hints` are messages about terms that are probably misspelt.
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
        """Return the names of the columns."""
        return self._parsed[0]

    @property
    def rows(self) -> list[list[Term | None]]:
        """Return the rows as RDF terms of pyoxigraph, `None` for an unbound variable."""
        return self._parsed[1]

    @property
    def boolean(self) -> bool | None:
        """Return the answer to ASK, `None` for other queries."""
        return self._parsed[2]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self.rows:
            yield {
                name: _python(term)
                for name, term in zip(self.variables, row, strict=True)
                if term is not None
            }

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return bool(self.rows) if self.boolean is None else self.boolean

    def render(self, output: str = "table") -> str:
        """Return the answer as text that ends with a line break, in one of `OUTPUTS`.

        `csv`, `tsv` and `json` are the SPARQL 1.1 result formats; triples as `table` are written as
        Turtle. Raises `FormatError` for another output, `QueryError` for rows as Turtle.
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
        more = f", the first {_TABLE_LIMIT}" if len(self) > _TABLE_LIMIT else ""
        return Table(self._count() + more, self.variables, self._cells(_TABLE_LIMIT)).html()

    def table(self) -> Table:
        """Return the rows as a table of text, with prefixed names; empty for the answer to ASK."""
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
        """Return the prefixed name of an IRI by its longest namespace, as queries write it."""
        fitting = [(space, name) for name, space in self.prefixes.items() if iri.startswith(space)]
        for space, name in sorted(fitting, key=lambda pair: -len(pair[0])):
            if _LOCAL.fullmatch(iri, len(space)):
                return f"{name}:{iri[len(space) :]}".replace("~", r"\~")
        return iri

    def _standard(self, output: str) -> str:
        import pyoxigraph as ox

        form = getattr(ox.QueryResultsFormat, output.upper())
        results = ox.parse_query_results(self.document, format=ox.QueryResultsFormat.JSON)
        return _decode(results.serialize(format=form)).replace("\r\n", "\n")

    def _turtle(self) -> str:
        import pyoxigraph as ox

        if not self.triples:
            raise QueryError(
                "only CONSTRUCT and DESCRIBE give triples for Turtle: "
                "choose table, csv, tsv or json"
            )
        iris = {_text(term) for row in self.rows for term in row if term is not None}
        used = {
            n: space
            for n, space in self.prefixes.items()
            if any(iri.startswith(space) for iri in iris)
        }
        triples = (ox.Triple(*row) for row in self.rows)  # type: ignore[arg-type]  # never None
        lines = _decode(
            ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=used)
        ).splitlines(keepends=True)
        return "".join((*sorted(lines[: len(used)]), *lines[len(used) :]))


def collect_answer(results: Results, prefixes: Mapping[str, str]) -> Answer:
    """Return the answer that holds all results of a query."""
    import pyoxigraph as ox

    triples = isinstance(results, ox.QueryTriples)
    if isinstance(results, ox.QueryTriples):
        store = ox.Store()
        store.extend(ox.Quad(*triple) for triple in results)
        results = cast("ox.QuerySolutions", store.query(_AS_ROWS))
    return Answer(
        _decode(results.serialize(format=ox.QueryResultsFormat.JSON)).encode(), triples, prefixes
    )


def _decode(serialised: bytes | None) -> str:
    """Return the text that a serialiser returns if it gets no file."""
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
