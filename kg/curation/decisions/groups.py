"""Groups of names that the merges, aliases and renames of a decisions file join."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TypeAlias

from citekg.curation.decisions.kinds import Alias, Decisions, Merge, Rename
from citekg.schemas.names import key

#: The decisions that join names.
Joining: TypeAlias = Merge | Alias | Rename


@dataclass(frozen=True)
class Group:
    """The names of one entity, by key.

    `kept_names` are the names to keep according to the entries, by key: one, unless the entries
    disagree. `renames` is true if a merge or a rename determines the name; aliases do not.
    """

    keys: frozenset[str]
    kept_names: dict[str, str]
    renames: bool
    entries: tuple[Joining, ...]

    @property
    def keep(self) -> str:
        """The name that the group keeps, if the entries agree."""
        return next(iter(self.kept_names.values()))

    @property
    def names(self) -> list[str]:
        """Every name as an entry spells it, sorted."""
        return sorted({name for entry in self.entries for name in names_of(entry)})


def name_groups(decisions: Decisions) -> list[Group]:
    """Return the groups of joined or renamed names, in a fixed order (union-find)."""
    merges: list[Joining] = [
        *decisions.of(Merge),
        *decisions.of(Alias),
        *decisions.of(Rename),
    ]
    parents: dict[str, str] = {}
    for entry in merges:
        first, *others = (key(n) for n in names_of(entry))
        for other in others:
            _union(parents, first, other)
    members: dict[str, list[Joining]] = defaultdict(list)
    for entry in merges:
        members[_find(parents, key(names_of(entry)[0]))].append(entry)
    return [_group(members[name]) for name in sorted(members)]


def names_by_key(decisions: Decisions) -> dict[str, list[str]]:
    """Return, by the key of each name in a merge, alias or rename, all names of its group."""
    return {k: group.names for group in name_groups(decisions) for k in group.keys}


def names_of(entry: Joining) -> tuple[str, ...]:
    """Return the names that an entry joins."""
    if isinstance(entry, Merge):
        return entry.names
    return (entry.name, optional_name(entry))


def _kept_name(entry: Joining) -> str:
    if isinstance(entry, Alias):
        return entry.name
    return optional_name(entry)


def optional_name(entry: Joining) -> str:
    """Return the name that the entry introduces, which may be missing in the graph."""
    if isinstance(entry, Merge):
        return entry.keep
    return entry.to if isinstance(entry, Rename) else entry.alias


def _group(merges: list[Joining]) -> Group:
    merged_away = {key(n) for j in merges for n in names_of(j) if key(n) != key(_kept_name(j))}
    kept = {
        key(_kept_name(j)): _kept_name(j)
        for j in reversed(merges)
        if key(_kept_name(j)) not in merged_away
    }
    return Group(
        keys=frozenset(key(n) for j in merges for n in names_of(j)),
        kept_names=dict(sorted(kept.items())),
        renames=any(not isinstance(j, Alias) and key(_kept_name(j)) in kept for j in merges),
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
