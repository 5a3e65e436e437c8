"""The differences between two graphs: papers, entities, merges, splits, types, roles, results.

Entities of the two graphs are aligned by their common mentions: the same span of the same paper,
even if the entity has another id or name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import Additions
from citekg.schemas.records import Entity, Paper, Result

#: The record kinds whose differences are counted, by their field in the graph.
RECORDS = (
    "papers",
    "entities",
    "mentions",
    "relations",
    "links",
    "stubs",
    "introductions",
    "results",
    "citations",
)


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge: several old entities whose mentions all belong to one new entity."""

    before: tuple[Entity, ...]
    after: Entity


@dataclass(frozen=True, slots=True)
class Split:
    """A split: an old entity whose mentions belong to several new entities."""

    before: Entity
    after: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """Mentions that moved between two entities without a merge or split."""

    before: Entity
    after: Entity
    mentions: int


@dataclass(frozen=True, slots=True)
class Changed:
    """An entity whose id, name or type changed."""

    before: Entity
    after: Entity


@dataclass(frozen=True, slots=True)
class RoleChange:
    """The old and new roles of an entity in a paper; either may be empty."""

    paper: Paper
    entity: Entity
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultChange:
    """The old and new result at one place of a paper's text; either may be missing."""

    paper: Paper
    before: Result | None
    after: Result | None


@dataclass(frozen=True)
class GraphDiff:
    """All differences; `records` counts the added and removed records of each kind."""

    new_papers: tuple[Paper, ...]
    removed_papers: tuple[Paper, ...]
    new_entities: tuple[Entity, ...]
    removed_entities: tuple[Entity, ...]
    renamed: tuple[Changed, ...]
    merged: tuple[Merged, ...]
    split: tuple[Split, ...]
    moved: tuple[Moved, ...]
    retyped: tuple[Changed, ...]
    roles: tuple[RoleChange, ...]
    results: tuple[ResultChange, ...]
    records: tuple[tuple[str, int, int], ...]

    @property
    def equal(self) -> bool:
        """Return whether both graphs hold equal records; the runs may differ."""
        return not any(new or removed for _, new, removed in self.records)


def compare(old: KnowledgeGraph, new: KnowledgeGraph) -> GraphDiff:
    """Return the differences from the old graph to the new one."""
    alignment = _Alignment(old, new)
    merged, split, renamed = (
        tuple(alignment.merged()),
        tuple(alignment.split()),
        tuple(alignment.renamed()),
    )
    same = [*renamed, *(Changed(old.entity_by_id[i], new.entity_by_id[i]) for i in alignment.kept)]
    explained = (
        {e.id for m in merged for e in m.before}
        | {c.before.id for c in renamed}
        | {s.before.id for s in split}
    )
    created = (
        {m.after.id for m in merged}
        | {c.after.id for c in renamed}
        | {e.id for s in split for e in s.after}
    )
    return GraphDiff(
        new_papers=tuple(p for p in new.papers if p.id not in old.paper_by_id),
        removed_papers=tuple(p for p in old.papers if p.id not in new.paper_by_id),
        new_entities=tuple(
            e for e in new.entities if e.id not in old.entity_by_id and e.id not in created
        ),
        removed_entities=tuple(
            e for e in old.entities if e.id not in new.entity_by_id and e.id not in explained
        ),
        renamed=tuple(
            c for c in same if (c.before.id, c.before.name) != (c.after.id, c.after.name)
        ),
        merged=merged,
        split=split,
        moved=tuple(alignment.moved(merged, split)),
        retyped=tuple(c for c in same if c.before.type != c.after.type),
        roles=tuple(_role_changes(old, new, alignment)),
        results=tuple(_result_changes(old, new)),
        records=tuple(_counts(old, new)),
    )


def additions(old: KnowledgeGraph, new: KnowledgeGraph, earlier: str) -> Additions:
    """Return the additions of the new graph to the old one, which is named `earlier`.

    An entity that was renamed, merged or split is not new, nor is a result that changed.
    """
    found = compare(old, new)
    papers = frozenset(paper.id for paper in found.new_papers)
    in_known_papers = {c.after.id for c in found.results if c.after and not c.before}
    in_new_papers = {result.id for result in new.results if result.paper in papers}
    return Additions(
        earlier,
        papers,
        frozenset(entity.id for entity in found.new_entities),
        frozenset(in_known_papers | in_new_papers),
    )


def _counts(old: KnowledgeGraph, new: KnowledgeGraph) -> Iterator[tuple[str, int, int]]:
    for kind in RECORDS:
        before, after = Counter(getattr(old, kind)), Counter(getattr(new, kind))
        yield kind, (after - before).total(), (before - after).total()


class _Alignment:
    """The correspondence of old and new entities by their common mentions.

    `in_paper` counts mentions by paper and old entity, `to` by old entity; `of` gives the old
    entities of each new one.
    """

    def __init__(self, old: KnowledgeGraph, new: KnowledgeGraph) -> None:
        self.old, self.new = old, new
        now = {(m.paper, m.start, m.end): m.entity for m in new.mentions}
        self.in_paper: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.to: dict[str, Counter[str]] = defaultdict(Counter)
        self.of: dict[str, set[str]] = defaultdict(set)
        for mention in old.mentions:
            after = now.get((mention.paper, mention.start, mention.end))
            if after is not None:
                self.in_paper[mention.paper, mention.entity][after] += 1
                self.to[mention.entity][after] += 1
                self.of[after].add(mention.entity)

    @property
    def kept(self) -> list[str]:
        """Return the ids of entities in both graphs."""
        return [e.id for e in self.old.entities if e.id in self.new.entity_by_id]

    def merged(self) -> Iterator[Merged]:
        """Yield the new entities that contain several old ones.

        An old entity of which only some mentions moved does not count.
        """
        for after, before in sorted(self.of.items()):
            whole = {
                b
                for b in before
                if set(self.to[b]) == {after} and (b == after or b not in self.new.entity_by_id)
            }
            joined = whole | ({after} & before)
            if len(joined) > 1:
                yield Merged(self._old(joined), self.new.entity_by_id[after])

    def split(self) -> Iterator[Split]:
        """Yield the old entities of which a part became a separate new entity."""
        for before, after in sorted(self.to.items()):
            whole = {
                a
                for a in after
                if self.of[a] == {before} and (a == before or a not in self.old.entity_by_id)
            }
            parts = whole | ({before} & set(after))
            if len(parts) > 1:
                yield Split(
                    self.old.entity_by_id[before],
                    tuple(self.new.entity_by_id[a] for a in sorted(parts)),
                )

    def renamed(self) -> Iterator[Changed]:
        """Yield entities with a new id whose common mentions are the same."""
        for before, after in sorted(self.to.items()):
            only = next(iter(after))
            if (
                len(after) == 1
                and self.of[only] == {before}
                and self._is_gone(before)
                and self._is_new(only)
            ):
                yield Changed(self.old.entity_by_id[before], self.new.entity_by_id[only])

    def moved(self, merged: Iterable[Merged], split: Iterable[Split]) -> Iterator[Moved]:
        """Yield the moves of mentions that are not due to merges, splits or new ids."""
        explained = {(b.id, m.after.id) for m in merged for b in m.before}
        explained |= {(s.before.id, a.id) for s in split for a in s.after}
        explained |= {(c.before.id, c.after.id) for c in self.renamed()}
        for before, targets in sorted(self.to.items()):
            for after, count in sorted(targets.items()):
                if before != after and (before, after) not in explained:
                    yield Moved(self.old.entity_by_id[before], self.new.entity_by_id[after], count)

    def now(self, paper: str, entity: str) -> str:
        """Return the new id of an old entity, by most of its mentions in the paper, or overall."""
        found = self.in_paper.get((paper, entity)) or self.to.get(entity)
        return min(found, key=lambda e: (-found[e], e)) if found else entity

    def _is_gone(self, entity: str) -> bool:
        return entity not in self.new.entity_by_id

    def _is_new(self, entity: str) -> bool:
        return entity not in self.old.entity_by_id

    def _old(self, ids: Iterable[str]) -> tuple[Entity, ...]:
        return tuple(self.old.entity_by_id[i] for i in sorted(ids))


def _role_changes(
    old: KnowledgeGraph, new: KnowledgeGraph, alignment: _Alignment
) -> Iterator[RoleChange]:
    """Yield the role changes in papers of both graphs, by paper and entity."""
    before: dict[tuple[str, str], set[str]] = defaultdict(set)
    after: dict[tuple[str, str], set[str]] = defaultdict(set)
    for relation in old.relations:
        before[relation.paper, alignment.now(relation.paper, relation.entity)].add(relation.role)
    for relation in new.relations:
        after[relation.paper, relation.entity].add(relation.role)
    order = dict.fromkeys((*new.vocabulary.roles, *old.vocabulary.roles))
    for paper, entity in sorted(before.keys() | after.keys()):
        was, now = before[paper, entity], after[paper, entity]
        if was != now and paper in old.paper_by_id and paper in new.paper_by_id:
            named = new.entity_by_id.get(entity) or old.entity_by_id[entity]
            yield RoleChange(
                new.paper_by_id[paper], named, _in_order(was, order), _in_order(now, order)
            )


def _result_changes(old: KnowledgeGraph, new: KnowledgeGraph) -> Iterator[ResultChange]:
    """Yield the changed, new and missing results in papers of both graphs."""
    both = old.paper_by_id.keys() & new.paper_by_id.keys()
    before, after = ({(r.paper, r.start): r for r in g.results} for g in (old, new))
    for place in sorted(before.keys() | after.keys()):
        was, now = before.get(place), after.get(place)
        if place[0] in both and _statement(was) != _statement(now):
            yield ResultChange(new.paper_by_id[place[0]], was, now)


def _statement(result: Result | None) -> Result | None:
    """Return a result without the fields that do not state it: ids and the confidence."""
    return result and replace(result.with_entities(lambda _name: ""), confidence=1.0)


def _in_order(roles: set[str], order: Iterable[str]) -> tuple[str, ...]:
    return tuple(role for role in order if role in roles)
