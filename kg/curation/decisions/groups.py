"""Which names the merges and aliases of a file make one, and which of them stays."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from citekg.curation.decisions.kinds import Alias, Decisions, Merge
from citekg.schemas.names import key


@dataclass(frozen=True)
class Group:
    """Names of one thing, by key; `keeps` holds, by key, those it may go by: one, unless the entries disagree.

    `renames` says that a merge asks for that name; aliases alone leave the thing the name it has.
    """

    keys: frozenset[str]
    keeps: dict[str, str]
    renames: bool
    joins: tuple[Merge | Alias, ...]

    @property
    def keep(self) -> str:
        """The name that stays, where the entries agree."""
        return next(iter(self.keeps.values()))

    @property
    def names(self) -> list[str]:
        """Every name as an entry spells it."""
        return sorted({name for join in self.joins for name in _names(join)})


def groups(decisions: Decisions) -> list[Group]:
    """The groups of names in one order, each of two names or more."""
    joins: list[Merge | Alias] = [*decisions.of(Merge), *decisions.of(Alias)]
    leader: dict[str, str] = {}
    for join in joins:
        first, *others = (key(n) for n in _names(join))
        for other in others:
            _join(leader, first, other)
    members: dict[str, list[Merge | Alias]] = defaultdict(list)
    for join in joins:
        members[_leader(leader, key(_names(join)[0]))].append(join)
    return [_group(members[lead]) for lead in sorted(members)]


def same_names(decisions: Decisions) -> dict[str, list[str]]:
    """By key, all names that the merges and aliases make one with a name, for names of which they speak."""
    return {k: group.names for group in groups(decisions) for k in group.keys}


def _names(join: Merge | Alias) -> tuple[str, ...]:
    return join.names if isinstance(join, Merge) else (join.name, join.alias)


def _kept(join: Merge | Alias) -> str:
    return join.keep if isinstance(join, Merge) else join.name


def _group(joins: list[Merge | Alias]) -> Group:
    away = {key(n) for j in joins for n in _names(j) if key(n) != key(_kept(j))}
    keeps = {key(_kept(j)): _kept(j) for j in reversed(joins) if key(_kept(j)) not in away}
    return Group(
        keys=frozenset(key(n) for j in joins for n in _names(j)),
        keeps=dict(sorted(keeps.items())),
        renames=any(isinstance(j, Merge) and key(j.keep) in keeps for j in joins),
        joins=tuple(joins),
    )


def _leader(leader: dict[str, str], name: str) -> str:
    while name in leader:
        name = leader[name]
    return name


def _join(leader: dict[str, str], one: str, other: str) -> None:
    low, high = sorted((_leader(leader, one), _leader(leader, other)))
    if low != high:
        leader[high] = low
