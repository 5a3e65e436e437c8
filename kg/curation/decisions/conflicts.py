"""Contradictions between decisions, found before any paper is read.

Each rule compares names by their representative in `_Representatives`, so that names joined by
merges and aliases count as one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from citekg.curation.decisions.groups import Group, Joining, name_groups
from citekg.curation.decisions.kinds import (
    Ban,
    Decision,
    Decisions,
    DenyRole,
    Distinct,
    Rename,
    RoleDecision,
    SetRole,
    SetType,
    Split,
)
from citekg.schemas.names import key
from citekg.schemas.vocabulary import MENTIONS


class _Representatives:
    """The representative of each name: the smallest key of its group."""

    def __init__(self, found: Iterable[Group]) -> None:
        self.representative = {k: min(group.keys) for group in found for k in group.keys}

    def of(self, name: str) -> str:
        """Return the representative of a name."""
        return self.representative.get(key(name), key(name))


def conflicts(decisions: Decisions) -> list[str]:
    """Return a message for each contradiction that names its entries; none if there is none."""
    grouped = name_groups(decisions)
    names = _Representatives(grouped)
    rules = (
        _two_kept_names,
        _merged_distincts,
        _two_types,
        _split_twice,
        _banned_names,
        _mentions_and_more,
        _unfit_roles,
        _denied_roles,
    )
    return [message for rule in rules for message in rule(decisions, grouped, names)]


def _two_kept_names(
    _decisions: Decisions, grouped: list[Group], _names: _Representatives
) -> Iterator[str]:
    for group in grouped:
        if len(group.kept_names) > 1:
            kept = ", ".join(group.kept_names.values())
            yield f"{_lines(group.entries)} keep different names of one entity: {kept}"
        if not group.kept_names:
            yield f"{_lines(group.entries)} each merge away the name that another one keeps"
        renames = [entry for entry in group.entries if isinstance(entry, Rename)]
        spelt = sorted({r.to for r in renames if key(r.to) in group.kept_names})
        if len(group.kept_names) == 1 and len(spelt) > 1:
            yield f"{_lines(renames)} spell one name differently: {', '.join(spelt)}"


def _merged_distincts(
    decisions: Decisions, grouped: list[Group], names: _Representatives
) -> Iterator[str]:
    separations: list[tuple[Distinct | Split, tuple[str, ...]]] = [
        (d, d.names) for d in decisions.of(Distinct)
    ]
    separations += [(s, (s.name, s.into)) for s in decisions.of(Split)]
    for decision, distinct_names in separations:
        by_root: dict[str, list[str]] = defaultdict(list)
        for name in sorted({key(n): n for n in distinct_names}.values()):
            by_root[names.of(name)].append(name)
        for same in by_root.values():
            if len(same) > 1:
                joined = _lines(next(g.entries for g in grouped if key(same[0]) in g.keys))
                yield f"{_lines([decision])} keeps {' and '.join(same)} apart, {joined} merges them"


def _two_types(
    decisions: Decisions, _grouped: list[Group], names: _Representatives
) -> Iterator[str]:
    for found in _group_by_entity(decisions.of(SetType), names):
        types = {d.type for d in found}
        if len(types) > 1:
            given = ", ".join(sorted(types))
            yield f"{_lines(found)} give {found[0].name} different types: {given}"


def _group_by_entity(found: Iterable[SetType], names: _Representatives) -> list[list[SetType]]:
    by_root: dict[str, list[SetType]] = defaultdict(list)
    for decision in found:
        by_root[names.of(decision.name)].append(decision)
    return list(by_root.values())


def _split_twice(
    decisions: Decisions, _grouped: list[Group], names: _Representatives
) -> Iterator[str]:
    places: dict[tuple[str, str], list[Split]] = defaultdict(list)
    for split in decisions.of(Split):
        quoted = [key(text) for text in (*split.spellings, split.definition) if text]
        for where in split.papers or [f"“{text}”" for text in quoted]:
            places[names.of(split.name), where].append(split)
    for (_, where), found in places.items():
        if len({names.of(s.into) for s in found}) > 1:
            into = ", ".join(sorted({s.into for s in found}))
            yield f"{_lines(found)} make {found[0].name} in {where} different entities: {into}"


def _banned_names(
    decisions: Decisions, grouped: list[Group], names: _Representatives
) -> Iterator[str]:
    for ban in decisions.of(Ban):
        against: list[Decision] = [
            r for r in decisions.of(RoleDecision) if _is_banned_in(ban, r, names)
        ]
        if not ban.papers:
            against += [t for t in decisions.of(SetType) if names.of(t.name) == names.of(ban.name)]
            against += [s for s in decisions.of(Split) if names.of(s.into) == names.of(ban.name)]
            against += [j for g in grouped if key(ban.name) in g.keys for j in g.entries]
        if against:
            yield f"{_lines([ban])} bans {ban.name}, {_lines(against)} still refers to it"


def _is_banned_in(ban: Ban, role: RoleDecision, names: _Representatives) -> bool:
    return names.of(role.name) == names.of(ban.name) and (
        not ban.papers or role.paper in ban.papers
    )


def _mentions_and_more(
    decisions: Decisions, _grouped: list[Group], names: _Representatives
) -> Iterator[str]:
    places: dict[tuple[str, str], list[SetRole]] = defaultdict(list)
    for decision in decisions.of(SetRole):
        places[decision.paper, names.of(decision.name)].append(decision)
    for (paper, _), found in places.items():
        roles = {d.role for d in found}
        if MENTIONS in roles and len(roles) > 1:
            more = ", ".join(sorted(roles - {MENTIONS}))
            claim = f"{paper} only mentions {found[0].name}"
            yield f"{_lines(found)} say that {claim}, and more: {more}"


def _unfit_roles(
    decisions: Decisions, _grouped: list[Group], names: _Representatives
) -> Iterator[str]:
    for type_ in decisions.of(SetType):
        for role in decisions.of(SetRole):
            if (
                names.of(role.name) == names.of(type_.name)
                and type_.type not in decisions.vocabulary.roles[role.role].fits
            ):
                yield f"{_lines([type_, role])}: {role.role} does not apply to a {type_.type}"


def _denied_roles(
    decisions: Decisions, _grouped: list[Group], names: _Representatives
) -> Iterator[str]:
    for denial in decisions.of(DenyRole):
        for role in decisions.of(SetRole):
            same = (denial.paper, names.of(denial.name)) == (role.paper, names.of(role.name))
            if same and denial.role in {role.role, *decisions.vocabulary.broader_roles(role.role)}:
                yield f"{_lines([denial, role])}: {role.role} is both denied and given"


def _lines(found: Iterable[Decision | Joining]) -> str:
    """Return the entries in the order of the file, as one phrase."""
    return " and ".join(str(d) for d in sorted(set(found), key=lambda d: (d.line, d.content())))
