"""The named queries: `.rq` files in the folder of this module, each of which is a complete query.

The comment at the top of a file contains the title, the description and the parameters. The query
contains the default of a parameter as `VALUES ?x { … }`, `>= 2`, `<= 1.0` or `LIMIT 20`; a required
parameter is `VALUES ?x { }`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from citekg.schemas.errors import QueryError
from citekg.schemas.vocabulary import ROLES, TYPES

_PREFIXED: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*:[A-Za-z][A-Za-z0-9]*")
_SET: Final = re.compile(r"set (\w+)(?: = (.*?))?: (.*)")
#: The line in the comment of a query that always includes tentative claims.
_TENTATIVE: Final = "with tentative claims"
#: The kinds of numbers; a parameter has the first kind that matches its default.
_NUMBERS: Final = {
    "a whole number": re.compile(r"[0-9]{1,20}"),
    "a number from 0 to 1": re.compile(r"(?:0?\.[0-9]{1,20}|[01]|1\.0{1,20}|0\.[0-9]{1,20})"),
}

#: The value of a parameter in Python.
Value = str | float


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a named query; one without a default is required."""

    name: str
    default: str | None
    about: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A named query: its name, title, description, parameters and SPARQL.

    `tentative` is true if it always includes tentative claims.
    """

    name: str
    title: str
    about: str
    parameters: tuple[Parameter, ...]
    sparql: str
    tentative: bool = False

    def with_values(self, values: Mapping[str, Value]) -> str:
        """Return the SPARQL with values for some parameters; the others keep their defaults.

        Raises `QueryError` for an unknown parameter, an invalid value, or a missing required value.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        places: dict[str, str] = {}
        for name, value in values.items():
            if name not in known:
                raise QueryError(
                    f"@{self.name} has no parameter {name!r}: it has {', '.join(known) or 'none'}"
                )
            place, template = _locate(self.sparql, known[name])
            places[place] = template.format(_format_value(known[name], str(value)))
        for missing in (p for p in self.parameters if p.default is None and p.name not in values):
            given = f'--set {missing.name}="...", or {missing.name}="..." in Python'
            raise QueryError(f"@{self.name} needs {missing.name}, {missing.about}: give {given}")
        return (
            re.sub("|".join(map(re.escape, places)), lambda at: places[at[0]], self.sparql)
            if places
            else self.sparql
        )


def resolve(argument: str, values: Mapping[str, Value] | None = None) -> str:
    """Return the SPARQL of `@name` with parameter values; any other text is returned as it is.

    Raises `QueryError` for an unknown name, or for values without a named query.
    """
    if argument.startswith("@"):
        return find_query(argument[1:]).with_values(values or {})
    if values:
        raise QueryError("values can only be set in a named query, such as @top-methods")
    return argument


def sees_tentative(argument: str) -> bool:
    """Return whether a query includes tentative claims by default: SPARQL, and few `@name`, do."""
    return not argument.startswith("@") or find_query(argument[1:]).tentative


def parameter_values(argument: str, values: Mapping[str, Value] | None = None) -> dict[str, str]:
    """Return the parameter values of `@name`, including defaults; none for other SPARQL."""
    if not argument.startswith("@"):
        return {}
    defaults = {
        p.name: p.default for p in find_query(argument[1:]).parameters if p.default is not None
    }
    return defaults | {name: str(value) for name, value in (values or {}).items()}


def find_query(name: str) -> NamedQuery:
    """Return the query with a name; raises `QueryError` with similar names."""
    for query in library():
        if query.name == name:
            return query
    near = get_close_matches(name, [query.name for query in library()])
    hint = (
        f"did you mean {' or '.join(f'@{n}' for n in near)}?"
        if near
        else "list the names with kg query --list"
    )
    raise QueryError(f"there is no query @{name}: {hint}")


@lru_cache(maxsize=1)
def library() -> tuple[NamedQuery, ...]:
    """Return all named queries, sorted by name."""
    return tuple(_read(file) for file in sorted(Path(__file__).parent.glob("*.rq")))


def listing() -> str:
    """Return the library as text: each query with its title and parameters."""
    lines = []
    for query in library():
        lines.append(f"@{query.name}  {query.title}")
        lines += [
            f"    --set {p.name}={_format_default(p.default)}  {p.about}" for p in query.parameters
        ]
    return "\n".join(lines)


def as_values() -> list[dict[str, Any]]:
    """Return the library as values for JSON, as `kg query --list --json` prints it."""
    return [asdict(query) for query in library()]


def _read(file: Path) -> NamedQuery:
    text = file.read_text(encoding="utf-8")
    comment, _, sparql = text.partition("\n\n")
    lines = [line.removeprefix("#").strip() for line in comment.splitlines()]
    parameters = [Parameter(*found.groups()) for line in lines if (found := _SET.fullmatch(line))]
    about = " ".join(
        line for line in lines[1:] if line and line != _TENTATIVE and not _SET.fullmatch(line)
    )
    return NamedQuery(
        file.stem,
        lines[0],
        about,
        tuple(parameters),
        f"{sparql.strip()}\n",
        tentative=_TENTATIVE in lines,
    )


def _locate(sparql: str, parameter: Parameter) -> tuple[str, str]:
    """Return the text of a parameter's default in a query, and the template for another value.

    Raises `QueryError` if the query does not contain it.
    """
    for default, template in _templates(parameter):
        if (place := template.format(default)) in sparql:
            return place, template
    raise QueryError(f"the query does not use its parameter {parameter.name!r}")


def _templates(parameter: Parameter) -> tuple[tuple[str, str], ...]:
    default = parameter.default
    if default is None:
        return (("", "VALUES ?asked {{ {}}}"),)
    listed = "{{ {} }}"
    return (
        (f"ckg:{default}", listed),
        (json.dumps(default, ensure_ascii=False), listed),
        (default, "LIMIT {}"),
        (default, ">= {})"),
        (default, "<= {})"),
    )


def _format_value(parameter: Parameter, value: str) -> str:
    if parameter.default in TYPES or parameter.default in ROLES:
        known = TYPES if parameter.default in TYPES else ROLES
        if value not in known and not _PREFIXED.fullmatch(value):
            raise QueryError(
                f"{parameter.name} {value!r}: choose one of {', '.join(known)}, "
                "or prefix:Name of a schema"
            )
        return value if ":" in value else f"ckg:{value}"
    for form, pattern in _NUMBERS.items():
        if pattern.fullmatch(parameter.default or ""):
            if not pattern.fullmatch(value):
                raise QueryError(f"{parameter.name} {value!r}: give {form}")
            return value if value.isdecimal() else str(float(value))
    return json.dumps(value, ensure_ascii=False)


def _format_default(default: str | None) -> str:
    if default is None:
        return "...  (required)"
    return f'"{default}"' if " " in default else default
