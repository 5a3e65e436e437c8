"""What a build has found before links are drawn, and how entities move within it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from citekg.schemas.records import Entity, Mention, Relation
from citekg.schemas.vocabulary import DEFAULT, MENTIONS, TYPES, Vocabulary


@dataclass(frozen=True)
class DraftGraph:
    """Entities, their mentions, and what the papers do with them; `papers` are the ids of all papers."""

    papers: frozenset[str]
    entities: tuple[Entity, ...]
    mentions: tuple[Mention, ...]
    relations: tuple[Relation, ...]
    vocabulary: Vocabulary = DEFAULT


@dataclass
class EntityRemap:
    """Which entity becomes which: everywhere, or in one paper. An empty target takes the entity out.

    `names` gives entities their name, `aliases` adds to those they have.
    """

    everywhere: dict[str, str] = field(default_factory=dict)
    in_paper: dict[tuple[str, str], str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def target(self, paper: str, entity: str) -> str:
        """Where an entity of a paper goes: itself, if nothing is said of it."""
        return self.in_paper.get((paper, entity), self.everywhere.get(entity, entity))

    @property
    def touched(self) -> set[str]:
        """Every entity that something is said of."""
        sources = {*self.everywhere, *(entity for _, entity in self.in_paper)}
        return {*sources, *self.everywhere.values(), *self.in_paper.values(), *self.names, *self.aliases} - {""}


def remap(facts: DraftGraph, moves: EntityRemap) -> DraftGraph:
    """The facts after the moves; entities that nothing names any more are gone, the others stay as they were."""
    touched = moves.touched
    if not touched:
        return facts
    mentions = [replace(m, entity=to) for m in facts.mentions if (to := moves.target(m.paper, m.entity))]
    relations = list(_relations(facts.relations, moves, touched))
    before, after = _by_entity(facts.mentions), _by_entity(mentions)
    made: list[Entity] = []
    for to, found in _sources(facts.entities, moves).items():
        was = [m for entity in found for m in before[entity.id]]
        remade = _remade(to, found, was, after[to], moves, facts.vocabulary) if to in touched else found[0]
        made.append(remade)
    entities = _with_families(made, facts.entities, moves)
    named = tuple(_still_named(entities, mentions, relations))
    return replace(facts, entities=named, mentions=tuple(mentions), relations=tuple(relations))


def _by_entity(mentions: Iterable[Mention]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = defaultdict(list)
    for mention in mentions:
        found[mention.entity].append(mention)
    return found


def _sources(entities: Iterable[Entity], moves: EntityRemap) -> dict[str, list[Entity]]:
    """What each entity is made of: itself first, then those that became it."""
    sources: dict[str, list[Entity]] = {to: [] for to in sorted({*moves.in_paper.values()} - {""})}
    for entity in sorted(entities, key=lambda e: e.id):
        to = moves.everywhere.get(entity.id, entity.id)
        if to:
            sources.setdefault(to, []).append(entity)
    return {to: sorted(found, key=lambda e: e.id != to) for to, found in sources.items()}


def _remade(
    to: str, found: list[Entity], was: list[Mention], now: list[Mention], moves: EntityRemap, vocabulary: Vocabulary
) -> Entity:
    """The entity with the names, types and aliases that follow from its mentions and those of what it is made of."""
    texts = {m.text for m in now}
    left = {m.text for m in was if moves.target(m.paper, m.entity) != to} - texts
    name = moves.names.get(to) or found[0].name
    aliases = texts | {n for e in found for n in (e.name, *e.aliases)} - left | moves.aliases.get(to, set())
    types = _types(now, found, vocabulary)
    family = next((e.family for e in found if e.family), "")
    return Entity(to, name, types[0][0], tuple(sorted(aliases - {name})), types, family)


def _types(mentions: list[Mention], found: list[Entity], vocabulary: Vocabulary) -> tuple[tuple[str, int], ...]:
    """The types by the papers that take the entity for each, first one that a schema told, then the most usual."""
    before = [e.type for e in found]
    order = [*before, *vocabulary.types]
    told = {type_ for type_ in before if type_ not in TYPES}
    support = Counter(type_ for _, type_ in {(m.paper, m.type) for m in mentions})
    found_types = sorted(support.items(), key=lambda ts: (ts[0] not in told, -ts[1], order.index(ts[0])))
    return tuple(found_types) or ((order[0], 0),)


def _relations(relations: Iterable[Relation], moves: EntityRemap, touched: set[str]) -> Iterator[Relation]:
    """The relations after the moves; where two became one, the surer speaks and both prove it."""
    places: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        to = moves.target(relation.paper, relation.entity)
        if to in touched:
            places[relation.paper, to].append(replace(relation, entity=to))
        elif to:
            yield relation
    for found in places.values():
        yield from joined(found)


def joined(relations: Iterable[Relation]) -> Iterator[Relation]:
    """The relations of one paper to one entity, each role once; a background mention only where it is all."""
    roles: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        roles[relation.role].append(relation)
    for role, found in roles.items():
        if role == MENTIONS and len(roles) > 1:
            continue
        surest = sorted(found, key=lambda r: (-r.confidence, r.evidence))
        yield replace(surest[0], evidence=tuple(dict.fromkeys(m for r in surest for m in r.evidence)))


def _with_families(made: Iterable[Entity], before: Iterable[Entity], moves: EntityRemap) -> list[Entity]:
    """The entities, each pointing to what its family has become, or to the next wider one where that is gone."""
    wider = {e.id: e.family for e in before}
    by_id = {e.id: e for e in made}

    def follow(family: str) -> str:
        while family and not moves.everywhere.get(family, family):
            family = wider.get(family, "")
        return moves.everywhere.get(family, family)

    families = {e.id: follow(e.family) for e in by_id.values()}
    for name in sorted(families):
        if name in _above(name, families):
            families[name] = ""
    return [e if e.family == families[e.id] else replace(e, family=families[e.id]) for e in by_id.values()]


def _above(name: str, families: dict[str, str]) -> set[str]:
    """The families of a name up to the widest."""
    above: set[str] = set()
    family = families.get(name, "")
    while family and family not in above:
        above.add(family)
        family = families.get(family, "")
    return above


def _still_named(entities: list[Entity], mentions: list[Mention], relations: list[Relation]) -> Iterator[Entity]:
    families = {e.id: e.family for e in entities}
    named = {m.entity for m in mentions} | {r.entity for r in relations}
    kept = named.union(*(_above(name, families) for name in named))
    yield from (e for e in entities if e.id in kept)
