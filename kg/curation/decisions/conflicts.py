"""Contradictions between decisions, found before any paper is read.

Each rule looks at the decisions through `_Names`, which says by one word for each thing what the
merges and aliases make one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from citekg.curation.decisions.groups import Group, groups
from citekg.curation.decisions.kinds import Alias, Ban, Decision, Decisions, Distinct, Merge, SetRole, SetType, Split
from citekg.schemas.names import key
from citekg.schemas.vocabulary import MENTIONS


class _Names:
    """The one word for each name: the least key of its group."""

    def __init__(self, found: Iterable[Group]) -> None:
        self.word = {k: min(group.keys) for group in found for k in group.keys}

    def one(self, name: str) -> str:
        return self.word.get(key(name), key(name))


def conflicts(decisions: Decisions) -> list[str]:
    """Every contradiction, as a phrase that names the entries; none where the file can be replayed."""
    grouped = groups(decisions)
    names = _Names(grouped)
    rules = (_two_names, _merged_apart, _two_types, _split_twice, _banned, _roles, _misfits)
    return [told for rule in rules for told in rule(decisions, grouped, names)]


def _two_names(_decisions: Decisions, grouped: list[Group], _names: _Names) -> Iterator[str]:
    for group in grouped:
        if len(group.keeps) > 1:
            yield f"{_lines(group.joins)} keep different names of one thing: {', '.join(group.keeps.values())}"
        if not group.keeps:
            yield f"{_lines(group.joins)} each merge away the name that another one keeps"


def _merged_apart(decisions: Decisions, grouped: list[Group], names: _Names) -> Iterator[str]:
    apart: list[tuple[Distinct | Split, tuple[str, ...]]] = [(d, d.names) for d in decisions.of(Distinct)]
    apart += [(s, (s.name, s.into)) for s in decisions.of(Split)]
    for decision, told_apart in apart:
        by_thing: dict[str, list[str]] = defaultdict(list)
        for name in sorted({key(n): n for n in told_apart}.values()):
            by_thing[names.one(name)].append(name)
        for same in by_thing.values():
            if len(same) > 1:
                joins = next(g.joins for g in grouped if key(same[0]) in g.keys)
                yield f"{_lines([decision])} tells {' and '.join(same)} apart, {_lines(joins)} makes them one"


def _two_types(decisions: Decisions, _grouped: list[Group], names: _Names) -> Iterator[str]:
    for found in _by_thing(decisions.of(SetType), names):
        types = {d.type for d in found}
        if len(types) > 1:
            yield f"{_lines(found)} give {found[0].name} different types: {', '.join(sorted(types))}"


def _by_thing(found: Iterable[SetType], names: _Names) -> list[list[SetType]]:
    by_thing: dict[str, list[SetType]] = defaultdict(list)
    for decision in found:
        by_thing[names.one(decision.name)].append(decision)
    return list(by_thing.values())


def _split_twice(decisions: Decisions, _grouped: list[Group], names: _Names) -> Iterator[str]:
    places: dict[tuple[str, str], list[Split]] = defaultdict(list)
    for split in decisions.of(Split):
        for where in split.papers or (f"“{key(split.definition)}”",):
            places[names.one(split.name), where].append(split)
    for (_, where), found in places.items():
        if len({names.one(s.into) for s in found}) > 1:
            into = ", ".join(sorted({s.into for s in found}))
            yield f"{_lines(found)} make {found[0].name} in {where} different things: {into}"


def _banned(decisions: Decisions, grouped: list[Group], names: _Names) -> Iterator[str]:
    for ban in decisions.of(Ban):
        against: list[Decision] = [r for r in decisions.of(SetRole) if _hits(ban, r, names)]
        if not ban.papers:
            against += [t for t in decisions.of(SetType) if names.one(t.name) == names.one(ban.name)]
            against += [s for s in decisions.of(Split) if names.one(s.into) == names.one(ban.name)]
            against += [j for g in grouped if key(ban.name) in g.keys for j in g.joins]
        if against:
            yield f"{_lines([ban])} takes {ban.name} out, {_lines(against)} still speaks of it"


def _hits(ban: Ban, role: SetRole, names: _Names) -> bool:
    return names.one(role.name) == names.one(ban.name) and (not ban.papers or role.paper in ban.papers)


def _roles(decisions: Decisions, _grouped: list[Group], names: _Names) -> Iterator[str]:
    places: dict[tuple[str, str], list[SetRole]] = defaultdict(list)
    for decision in decisions.of(SetRole):
        places[decision.paper, names.one(decision.name)].append(decision)
    for (paper, _), found in places.items():
        roles = {d.role for d in found}
        if MENTIONS in roles and len(roles) > 1:
            more = ", ".join(sorted(roles - {MENTIONS}))
            yield f"{_lines(found)} say that {paper} only mentions {found[0].name}, and more: {more}"


def _misfits(decisions: Decisions, _grouped: list[Group], names: _Names) -> Iterator[str]:
    for type_ in decisions.of(SetType):
        for role in decisions.of(SetRole):
            if (
                names.one(role.name) == names.one(type_.name)
                and type_.type not in decisions.vocabulary.roles[role.role].fits
            ):
                yield f"{_lines([type_, role])}: {role.role} is not said of a {type_.type}"


def _lines(found: Iterable[Decision | Merge | Alias]) -> str:
    """The entries in the order of the file, as one phrase."""
    return " and ".join(str(d) for d in sorted(set(found), key=lambda d: (d.line, d.told())))
