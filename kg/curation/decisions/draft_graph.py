"""The draft of a graph before links are made, and the remapping of its entities."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from citekg.schemas.names import is_elided
from citekg.schemas.records import Entity, Mention, Relation
from citekg.schemas.vocabulary import DEFAULT, MENTIONS, TYPES, Vocabulary


@dataclass(frozen=True)
class DraftGraph:
    """The entities of a build, their mentions and relations; `papers` are the ids of all papers."""

    papers: frozenset[str]
    entities: tuple[Entity, ...]
    mentions: tuple[Mention, ...]
    relations: tuple[Relation, ...]
    vocabulary: Vocabulary = DEFAULT


@dataclass
class EntityRemap:
    """A mapping from entities to new ones: in the whole graph, in one paper, or in one mention.

    An empty target removes the entity. The keys of `in_mention` are pairs of the ids of a mention
    and an entity. `names` sets the preferred names of entities, `aliases` adds aliases.
    """

    everywhere: dict[str, str] = field(default_factory=dict)
    in_paper: dict[tuple[str, str], str] = field(default_factory=dict)
    in_mention: dict[tuple[str, str], str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def target(self, paper: str, entity: str, mention: str = "") -> str:
        """Return the new id of an entity in a paper, or in a mention; else its own id."""
        in_mention = self.in_mention.get((mention, entity))
        if in_mention is not None:
            return in_mention
        return self.in_paper.get((paper, entity), self.everywhere.get(entity, entity))

    def target_of(self, mention: Mention) -> str:
        """Return the new id of the entity of a mention; its own id if it is not remapped."""
        return self.target(mention.paper, mention.entity, mention.id if self.in_mention else "")

    @property
    def affected(self) -> set[str]:
        """The ids of all entities in the remapping."""
        sources = {*self.everywhere, *(e for _, e in (*self.in_paper, *self.in_mention))}
        return {
            *sources,
            *self.everywhere.values(),
            *self.in_paper.values(),
            *self.in_mention.values(),
            *self.names,
            *self.aliases,
        } - {""}


def remap(graph: DraftGraph, remapping: EntityRemap) -> DraftGraph:
    """Return the graph after the remapping, without entities that are no longer named."""
    affected = remapping.affected
    if not affected:
        return graph
    mentions = [replace(m, entity=to) for m in graph.mentions if (to := remapping.target_of(m))]
    relations = list(_relations(graph.relations, remapping, affected))
    relations += _missing_relations(mentions, relations, affected)
    before, after = _by_entity(graph.mentions), _by_entity(mentions)
    rebuilt_entities: list[Entity] = []
    for to, found in _sources(graph.entities, remapping).items():
        was = [m for entity in found for m in before[entity.id]]
        rebuilt = (
            _rebuilt(to, found, was, after[to], remapping, graph.vocabulary)
            if to in affected
            else found[0]
        )
        rebuilt_entities.append(rebuilt)
    entities = _with_families(rebuilt_entities, graph.entities, remapping)
    named = tuple(_still_named(entities, mentions, relations))
    return replace(graph, entities=named, mentions=tuple(mentions), relations=tuple(relations))


def _by_entity(mentions: Iterable[Mention]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        found[mention.entity].append(mention)
    return found


def _sources(entities: Iterable[Entity], remapping: EntityRemap) -> dict[str, list[Entity]]:
    """Return the source entities of each new entity: itself first, then the merged ones."""
    sources: dict[str, list[Entity]] = {
        to: []
        for to in sorted({*remapping.in_paper.values(), *remapping.in_mention.values()} - {""})
    }
    for entity in sorted(entities, key=lambda e: e.id):
        to = remapping.everywhere.get(entity.id, entity.id)
        if to:
            sources.setdefault(to, []).append(entity)
    return {to: sorted(found, key=lambda e: e.id != to) for to, found in sources.items()}


def _rebuilt(
    to: str,
    found: list[Entity],
    was: list[Mention],
    now: list[Mention],
    remapping: EntityRemap,
    vocabulary: Vocabulary,
) -> Entity:
    """Return an entity with the name, types and aliases of its mentions and of its sources."""
    texts = {m.text for m in now if not is_elided(m.text)}
    lost = {m.text for m in was if remapping.target_of(m) != to} - texts
    name = remapping.names.get(to) or found[0].name
    aliases = (
        texts
        | {n for e in found for n in (e.name, *e.aliases)} - lost
        | remapping.aliases.get(to, set())
    )
    types = _types(now, found, vocabulary)
    family = next((e.family for e in found if e.family), "")
    hidden = {n for e in found for n in e.hidden_names} - aliases - {name}
    shown = tuple(sorted(aliases - {name}))
    return Entity(to, name, types[0][0], shown, types, family, tuple(sorted(hidden)))


def _types(
    mentions: list[Mention], found: list[Entity], vocabulary: Vocabulary
) -> tuple[tuple[str, int], ...]:
    """Return the types with the number of papers that use each.

    Types of a schema come first, then the most frequent ones.
    """
    before = [e.type for e in found]
    order = [*before, *vocabulary.types]
    schema_types = {type_ for type_ in before if type_ not in TYPES}
    support = Counter(type_ for _, type_ in {(m.paper, m.type) for m in mentions})
    found_types = sorted(
        support.items(), key=lambda ts: (ts[0] not in schema_types, -ts[1], order.index(ts[0]))
    )
    return tuple(found_types) or ((order[0], 0),)


def _relations(
    relations: Iterable[Relation], remapping: EntityRemap, affected: set[str]
) -> Iterator[Relation]:
    """Yield the relations after the remapping.

    If two become one, the more confident one stays, with the evidence of both.
    """
    places: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        for to, evidence in _targets(relation, remapping).items():
            if to in affected:
                moved = replace(relation, entity=to, evidence=evidence)
                places[relation.paper, to].append(moved)
            elif to:
                yield relation
    for found in places.values():
        yield from merge_relations(found)


def _targets(relation: Relation, remapping: EntityRemap) -> dict[str, tuple[str, ...]]:
    """Return the evidence of a relation by the new entity of each mention."""
    found: dict[str, list[str]] = defaultdict(list)
    for mention in relation.evidence if remapping.in_mention else ():
        found[remapping.target(relation.paper, relation.entity, mention)].append(mention)
    if not found:
        return {remapping.target(relation.paper, relation.entity): relation.evidence}
    return {to: tuple(evidence) for to, evidence in found.items()}


def _missing_relations(
    mentions: Iterable[Mention], relations: Iterable[Relation], affected: set[str]
) -> Iterator[Relation]:
    """Yield the role `mentions` for affected entities that a paper names without another role."""
    related = {(r.paper, r.entity) for r in relations}
    named: dict[tuple[str, str], list[Mention]] = defaultdict(list)
    for mention in mentions:
        if mention.entity in affected and (mention.paper, mention.entity) not in related:
            named[mention.paper, mention.entity].append(mention)
    for (paper, entity), found in named.items():
        evidence = tuple(m.id for m in sorted(found, key=lambda m: m.start))
        yield Relation(paper, MENTIONS, entity, max(m.confidence for m in found), evidence)


def merge_relations(relations: Iterable[Relation]) -> Iterator[Relation]:
    """Yield the relations of one paper to one entity, each role once.

    A background mention stays only if there is no other role.
    """
    roles: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        roles[relation.role].append(relation)
    for role, found in roles.items():
        if role == MENTIONS and len(roles) > 1:
            continue
        ranked = sorted(found, key=lambda r: (-r.confidence, r.evidence))
        yield replace(
            ranked[0], evidence=tuple(dict.fromkeys(m for r in ranked for m in r.evidence))
        )


def _with_families(
    rebuilt_entities: Iterable[Entity], before: Iterable[Entity], remapping: EntityRemap
) -> list[Entity]:
    """Return the entities with remapped families.

    A family that is removed is replaced by the next broader one.
    """
    wider = {e.id: e.family for e in before}
    by_id = {e.id: e for e in rebuilt_entities}

    def follow(family: str) -> str:
        while family and not remapping.everywhere.get(family, family):
            family = wider.get(family, "")
        return remapping.everywhere.get(family, family)

    families = {e.id: follow(e.family) for e in by_id.values()}
    for name in sorted(families):
        if name in _ancestors(name, families):
            families[name] = ""
    return [
        e if e.family == families[e.id] else replace(e, family=families[e.id])
        for e in by_id.values()
    ]


def _ancestors(name: str, families: dict[str, str]) -> set[str]:
    """Return the families of an entity, up to the broadest."""
    ancestors: set[str] = set()
    family = families.get(name, "")
    while family and family not in ancestors:
        ancestors.add(family)
        family = families.get(family, "")
    return ancestors


def _still_named(
    entities: list[Entity], mentions: list[Mention], relations: list[Relation]
) -> Iterator[Entity]:
    """Yield the entities with a mention or a relation, and their ancestors."""
    families = {e.id: e.family for e in entities}
    named = {m.entity for m in mentions} | {r.entity for r in relations}
    kept = named.union(*(_ancestors(name, families) for name in named))
    yield from (e for e in entities if e.id in kept)
