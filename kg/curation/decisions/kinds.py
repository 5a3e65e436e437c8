"""The kinds of decision that a curator can make about a graph, as records with the file's fields.

A decision refers to an entity by its name in the graph, so that it stays valid
when extraction or linking change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import date
from typing import ClassVar, Final, TypeVar

from citekg.schemas.names import key
from citekg.schemas.vocabulary import DEFAULT, MENTIONS, Vocabulary

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The fields of every decision: who made it, when (`YYYY-MM-DD`), and optionally why.

    `line` is its line in the file, or 0.
    """

    kind: ClassVar[str]
    author: str
    date: str
    reason: str = ""
    line: int = field(default=0, compare=False)

    def content(self) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
        """Return the fields and values without author, date and reason; lists are sorted."""
        common = {f.name for f in fields(Decision)}
        values = [(f.name, getattr(self, f.name)) for f in fields(self) if f.name not in common]
        content = ((name, tuple(sorted(v)) if isinstance(v, tuple) else v) for name, v in values)
        return (("kind", self.kind), *content)

    def __str__(self) -> str:
        return f"line {self.line} ({self.kind})" if self.line else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge(Decision):
    """All these names denote one entity, whose preferred name is `keep`."""

    kind: ClassVar[str] = "merge"
    names: tuple[str, ...]
    keep: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinct(Decision):
    """These names denote different entities: their merge is not proposed again."""

    kind: ClassVar[str] = "distinct"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(Decision):
    """The name denotes `into` instead: in these papers, or where the text gives this definition.

    With `spellings`, these spellings of the name denote `into`, in every paper.
    """

    kind: ClassVar[str] = "split"
    name: str
    into: str
    papers: tuple[str, ...] = ()
    definition: str = ""
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetType(Decision):
    """The entity has this type: Method, Benchmark, Model or Dataset, or one of a schema."""

    kind: ClassVar[str] = "type"
    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleDecision(Decision):
    """A decision about a role of an entity in a paper."""

    paper: str
    name: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRole(RoleDecision):
    """The role of the entity in a paper; several entries with one paper and name are additive."""

    kind: ClassVar[str] = "role"


@dataclass(frozen=True, slots=True, kw_only=True)
class DenyRole(RoleDecision):
    """The entity does not have this role in the paper; its other roles stay.

    The paper may be one outside the corpus that the list of known introductions names.
    """

    kind: ClassVar[str] = "no-role"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(Decision):
    """The preferred name of the entity is `to`; an entity of that name is merged into it."""

    kind: ClassVar[str] = "rename"
    name: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ban(Decision):
    """The name does not denote an entity: in these papers or, if none are given, in all papers."""

    kind: ClassVar[str] = "ban"
    name: str
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias(Decision):
    """The alias is another name of the entity."""

    kind: ClassVar[str] = "alias"
    name: str
    alias: str


#: Every kind, by its value of `kind` in the file.
KINDS: Final[dict[str, type[Decision]]] = {
    k.kind: k for k in (Merge, Distinct, Split, SetType, SetRole, DenyRole, Ban, Alias, Rename)
}

_D = TypeVar("_D", bound=Decision)


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions of one file.

    `place` is the name of the file in messages, `vocabulary` the types and roles that it may use.
    """

    entries: tuple[Decision, ...] = ()
    place: str = "decisions"
    vocabulary: Vocabulary = DEFAULT

    def of(self, kind: type[_D]) -> list[_D]:
        """Return the decisions of a kind, sorted by content instead of their order in the file."""
        return sorted(
            (e for e in self.entries if isinstance(e, kind)), key=lambda e: (e.content(), e.line)
        )

    def to_text(self) -> str:
        """Return the distinct decisions in a fixed order; equal for equal sets of decisions."""
        return repr(sorted({e.content() for e in self.entries}))


NO_DECISIONS: Final = Decisions()


def violations(decision: Decision, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield a message for each rule of the vocabulary or format that a decision breaks."""
    if not _DATE.fullmatch(decision.date) or not _is_date(decision.date):
        yield f"date: {decision.date!r} is not a date written YYYY-MM-DD"
    if isinstance(decision, SetType) and decision.type not in vocabulary.types:
        yield f"type: {decision.type!r} is none of {', '.join(vocabulary.types)}"
    if isinstance(decision, RoleDecision) and decision.role not in vocabulary.roles:
        yield f"role: {decision.role!r} is none of {', '.join(vocabulary.roles)}"
    if isinstance(decision, DenyRole) and decision.role == MENTIONS:
        yield "role: a ban in this paper says that the paper does not mention it"
    yield from _name_violations(decision)


def _name_violations(decision: Decision) -> Iterator[str]:
    if isinstance(decision, Merge | Distinct) and len({key(n) for n in decision.names}) < 2:
        yield "names: give two names or more that differ"
    if isinstance(decision, Merge) and decision.keep not in decision.names:
        yield f"keep: {decision.keep!r} is not one of the names"
    if isinstance(decision, Split):
        if sum(map(bool, (decision.papers, decision.definition, decision.spellings))) != 1:
            yield "give either papers or a definition or spellings"
        if key(decision.name) == key(decision.into):
            yield f"into: {decision.into!r} is the name itself"
    if isinstance(decision, Rename) and decision.name == decision.to:
        yield f"to: {decision.to!r} is the name itself"
    if isinstance(decision, Alias) and key(decision.name) == key(decision.alias):
        yield f"alias: {decision.alias!r} is the name itself"


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
