"""The named queries: plain `.rq` files beside this module, each of which runs as it stands.

The comment at the head of a file says what it is about and which values can be set. A value stands
in the query as `VALUES ?x { … }`, `>= 2` or `LIMIT 20`, with its default.
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

from schemas.errors import QueryError
from schemas.vocabulary import ROLES, TYPES

_PREFIXED: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*:[A-Za-z][A-Za-z0-9]*")
_SHARE: Final = re.compile(r"[01]\.[0-9]+")
_NUMBER: Final = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?")
_SET: Final = re.compile(r"set (\w+) = (.*?): (.*)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value of a named query that can be set."""

    name: str
    default: str
    about: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query of the library: its name, what it is about, its parameters and its SPARQL."""

    name: str
    title: str
    about: str
    parameters: tuple[Parameter, ...]
    sparql: str

    def with_values(self, values: Mapping[str, str]) -> str:
        """The SPARQL with these values for the parameters; the others keep their defaults.

        Raises `QueryError` for an unknown parameter or a value that does not fit.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        places: dict[str, str] = {}
        for name, value in values.items():
            if name not in known:
                raise QueryError(f"@{self.name} has no parameter {name!r}: it has {', '.join(known) or 'none'}")
            place, written = _place(self.sparql, known[name])
            places[place] = place.replace(written, _written(known[name], value))
        return (
            re.sub("|".join(map(re.escape, places)), lambda at: places[at[0]], self.sparql) if places else self.sparql
        )


def question(argument: str, values: Mapping[str, str] | None = None) -> str:
    """The SPARQL that a command line means: `@name` of the library, or the text itself.

    Raises `QueryError` for an unknown name, or for values where there is no named query.
    """
    if argument.startswith("@"):
        return named(argument[1:]).with_values(values or {})
    if values:
        raise QueryError("values can only be set in a named query, such as @top-methods")
    return argument


def named(name: str) -> NamedQuery:
    """The named query; raises `QueryError` with near names."""
    for query in library():
        if query.name == name:
            return query
    near = get_close_matches(name, [query.name for query in library()])
    hint = f"did you mean {' or '.join(f'@{n}' for n in near)}?" if near else "list them to see the names"
    raise QueryError(f"there is no query @{name}: {hint}")


@lru_cache(maxsize=1)
def library() -> tuple[NamedQuery, ...]:
    """All named queries, by name."""
    return tuple(_read(file) for file in sorted(Path(__file__).parent.glob("*.rq")))


def listing() -> str:
    """The library as text: each query with its title and what can be set."""
    lines = []
    for query in library():
        lines.append(f"@{query.name}  {query.title}")
        lines += [f"    --set {p.name}={_quoted(p.default)}  {p.about}" for p in query.parameters]
    return "\n".join(lines)


def as_values() -> list[dict[str, Any]]:
    """The library as plain values: what `kg query --list --json` prints."""
    return [asdict(query) for query in library()]


def _read(file: Path) -> NamedQuery:
    text = file.read_text(encoding="utf-8")
    comment, _, sparql = text.partition("\n\n")
    lines = [line.removeprefix("#").strip() for line in comment.splitlines()]
    parameters = [Parameter(*found.groups()) for line in lines if (found := _SET.fullmatch(line))]
    about = " ".join(line for line in lines[1:] if line and not _SET.fullmatch(line))
    return NamedQuery(file.stem, lines[0], about, tuple(parameters), f"{sparql.strip()}\n")


def _place(sparql: str, parameter: Parameter) -> tuple[str, str]:
    """Where the parameter's default stands in a query, and the default as it is written there."""
    for written, place in _places(parameter):
        if place in sparql:
            return place, written
    raise QueryError(f"the query does not use its parameter {parameter.name!r}")


def _places(parameter: Parameter) -> tuple[tuple[str, str], ...]:
    default, text = parameter.default, json.dumps(parameter.default, ensure_ascii=False)
    return (
        (f"ckg:{default}", f"{{ ckg:{default} }}"),
        (text, f"{{ {text} }}"),
        (default, f"LIMIT {default}"),
        (default, f">= {default})"),
    )


def _written(parameter: Parameter, value: str) -> str:
    if parameter.default in TYPES or parameter.default in ROLES:
        known = TYPES if parameter.default in TYPES else ROLES
        if value not in known and not _PREFIXED.fullmatch(value):
            raise QueryError(
                f"{parameter.name} {value!r}: choose one of {', '.join(known)}, or prefix:Name of a schema"
            )
        return value if ":" in value else f"ckg:{value}"
    if parameter.default.isdecimal():
        if not (value.isascii() and value.isdecimal()):
            raise QueryError(f"{parameter.name} {value!r}: give a whole number")
        return value
    if _SHARE.fullmatch(parameter.default):
        return _share(parameter, value)
    return json.dumps(value, ensure_ascii=False)


def _share(parameter: Parameter, value: str) -> str:
    if not (_NUMBER.fullmatch(value) and float(value) <= 1):
        raise QueryError(f"{parameter.name} {value!r}: give a number from 0 to 1")
    return str(float(value))


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text
