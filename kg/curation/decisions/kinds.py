"""The kinds of decision a person may take about a graph, as records; the fields are those of the file.

A name stands for the entity that a reader of the graph sees under it, so that decisions hold
whatever extraction and linking make of the papers the next time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import date
from typing import ClassVar, Final, TypeVar

from citekg.schemas.names import key
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What every decision carries: who took it, when (`YYYY-MM-DD`) and why; `line` is its place in the file."""

    kind: ClassVar[str]
    author: str
    date: str
    reason: str
    line: int = field(default=0, compare=False)

    def told(self) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
        """What is decided, as field and value, without who, when and why; lists are sorted."""
        signed = {f.name for f in fields(Decision)}
        values = [(f.name, getattr(self, f.name)) for f in fields(self) if f.name not in signed]
        told = ((name, tuple(sorted(v)) if isinstance(v, tuple) else v) for name, v in values)
        return (("kind", self.kind), *told)

    def __str__(self) -> str:
        return f"line {self.line} ({self.kind})" if self.line else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge(Decision):
    """All these names are one thing; `keep` is the one it goes by."""

    kind: ClassVar[str] = "merge"
    names: tuple[str, ...]
    keep: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinct(Decision):
    """These names are different things: their merge is not proposed again."""

    kind: ClassVar[str] = "distinct"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(Decision):
    """In these papers, or where the text also gives this definition, the name is another thing, called `into`."""

    kind: ClassVar[str] = "split"
    name: str
    into: str
    papers: tuple[str, ...] = ()
    definition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetType(Decision):
    """The name is of this type: a Method, Benchmark, Model or Dataset, or one of a schema."""

    kind: ClassVar[str] = "type"
    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRole(Decision):
    """What the paper does with the name; several entries of one paper and name add up."""

    kind: ClassVar[str] = "role"
    paper: str
    name: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ban(Decision):
    """The name is no entity, in these papers or, without any, anywhere."""

    kind: ClassVar[str] = "ban"
    name: str
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias(Decision):
    """The alias is another name of the thing."""

    kind: ClassVar[str] = "alias"
    name: str
    alias: str


#: Every kind by the word that stands for it in the file.
KINDS: Final[dict[str, type[Decision]]] = {k.kind: k for k in (Merge, Distinct, Split, SetType, SetRole, Ban, Alias)}

_D = TypeVar("_D", bound=Decision)


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions of one file; `place` is the name it goes by in messages, `vocabulary` what they speak of."""

    entries: tuple[Decision, ...] = ()
    place: str = "decisions"
    vocabulary: Vocabulary = DEFAULT

    def of(self, kind: type[_D]) -> list[_D]:
        """The decisions of a kind, in the order of what they say, so that their order in the file leaves no trace."""
        return sorted((e for e in self.entries if isinstance(e, kind)), key=lambda e: (e.told(), e.line))

    def told(self) -> str:
        """What is decided, each once and in one order: equal for files that decide the same."""
        return repr(sorted({e.told() for e in self.entries}))


NO_DECISIONS: Final = Decisions()


def faults(decision: Decision, vocabulary: Vocabulary) -> Iterator[str]:
    """What is wrong with a decision taken by itself, where the graph speaks this vocabulary."""
    if not _DATE.fullmatch(decision.date) or not _is_day(decision.date):
        yield f"date: {decision.date!r} is no day written YYYY-MM-DD"
    if isinstance(decision, Merge | Distinct) and len({key(n) for n in decision.names}) < 2:
        yield "names: give two names or more that differ"
    if isinstance(decision, Merge) and decision.keep not in decision.names:
        yield f"keep: {decision.keep!r} is not one of the names"
    if isinstance(decision, Split):
        if bool(decision.papers) == bool(decision.definition):
            yield "give either papers or a definition"
        if key(decision.name) == key(decision.into):
            yield f"into: {decision.into!r} is the name itself"
    if isinstance(decision, SetType) and decision.type not in vocabulary.types:
        yield f"type: {decision.type!r} is none of {', '.join(vocabulary.types)}"
    if isinstance(decision, SetRole) and decision.role not in vocabulary.roles:
        yield f"role: {decision.role!r} is none of {', '.join(vocabulary.roles)}"
    if isinstance(decision, Alias) and key(decision.name) == key(decision.alias):
        yield f"alias: {decision.alias!r} is the name itself"


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
