"""Groups of names that the merges and aliases of a decisions file join."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from citekg.curation.decisions.kinds import Alias, Decisions, Merge
from citekg.schemas.names import key


@dataclass(frozen=True)
class Group:
    """The names of one entity, by key.

    `kept_names` are the names that entries ask to keep, by key: one, unless the entries disagree.
    `renames` is true if a merge chooses the name; aliases alone leave the entity its name.
    """

    keys: frozenset[str]
    kept_names: dict[str, str]
    renames: bool
    entries: tuple[Merge | Alias, ...]

    @property
    def keep(self) -> str:
        """The name that the group keeps, if the entries agree."""
        return next(iter(self.kept_names.values()))

    @property
    def names(self) -> list[str]:
        """Every name as an entry spells it, sorted."""
        return sorted({name for entry in self.entries for name in _names(entry)})


def name_groups(decisions: Decisions) -> list[Group]:
    """Return the groups of two names or more, in a fixed order (union-find)."""
    merges: list[Merge | Alias] = [*decisions.of(Merge), *decisions.of(Alias)]
    parents: dict[str, str] = {}
    for entry in merges:
        first, *others = (key(n) for n in _names(entry))
        for other in others:
            _union(parents, first, other)
    members: dict[str, list[Merge | Alias]] = defaultdict(list)
    for entry in merges:
        members[_find(parents, key(_names(entry)[0]))].append(entry)
    return [_group(members[name]) for name in sorted(members)]


def names_by_key(decisions: Decisions) -> dict[str, list[str]]:
    """Return, by the key of each name in a merge or alias, all names of its group."""
    return {k: group.names for group in name_groups(decisions) for k in group.keys}


def _names(entry: Merge | Alias) -> tuple[str, ...]:
    return entry.names if isinstance(entry, Merge) else (entry.name, entry.alias)


def _kept_name(entry: Merge | Alias) -> str:
    return entry.keep if isinstance(entry, Merge) else entry.name


def _group(merges: list[Merge | Alias]) -> Group:
    merged_away = {key(n) for j in merges for n in _names(j) if key(n) != key(_kept_name(j))}
    kept = {
        key(_kept_name(j)): _kept_name(j)
        for j in reversed(merges)
        if key(_kept_name(j)) not in merged_away
    }
    return Group(
        keys=frozenset(key(n) for j in merges for n in _names(j)),
        kept_names=dict(sorted(kept.items())),
        renames=any(isinstance(j, Merge) and key(j.keep) in kept for j in merges),
        entries=tuple(merges),
    )


def _find(parents: dict[str, str], name: str) -> str:
    while name in parents:
        name = parents[name]
    return name


def _union(parents: dict[str, str], one: str, other: str) -> None:
    root, child = sorted((_find(parents, one), _find(parents, other)))
    if root != child:
        parents[child] = root
