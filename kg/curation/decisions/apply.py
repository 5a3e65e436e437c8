"""Decisions applied to what a build has found: splits, then merges and aliases, bans, types, roles.

Every step looks names up in what the steps before it have left, and within a step all entries act
at once, so the order of the entries leaves no trace. What a decision speaks of may no longer be
there: it then changes nothing, and a warning says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from citekg.curation.decisions.facts import DraftGraph, EntityRemap, joined, remap
from citekg.curation.decisions.groups import Group, groups, same_names
from citekg.curation.decisions.kinds import Alias, Ban, Decision, Decisions, Distinct, Merge, SetRole, SetType, Split
from citekg.curation.decisions.name_index import NameIndex
from citekg.schemas.errors import DecisionsError
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Relation
from citekg.schemas.vocabulary import Vocabulary

Warn = Callable[[str], None]
#: How sure a relation is that a person has decided.
_CERTAIN: Final = 1.0


def apply_decisions(facts: DraftGraph, decisions: Decisions, warn: Warn) -> DraftGraph:
    """The facts as the decisions want them; `warn` hears of every entry that finds nothing to act on.

    Raises `DecisionsError` where two splits claim the same mentions.
    """
    told: set[tuple[int, str]] = set()
    for step, kinds in _STEPS:
        if any(isinstance(entry, kinds) for entry in decisions.entries):
            facts = step(facts, decisions, lambda d, why: told.add((d.line, f"{d}: {why}")))
    for _, message in sorted(told):
        warn(f"{decisions.place}: {message}")
    return facts


_Report = Callable[[Decision, str], None]


def _split(facts: DraftGraph, decisions: Decisions, tell: _Report) -> DraftGraph:
    naming, moves = NameIndex(facts), EntityRemap()
    alike = same_names(decisions)
    by: dict[tuple[str, str], Split] = {}
    for split in decisions.of(Split):
        into = naming.identity(split.into)
        for place in _places(split, into, alike.get(key(split.name), [split.name]), naming, tell):
            if moves.in_paper.setdefault(place, into) != into:
                both = f"{by[place]} and {split}"
                raise DecisionsError(decisions.place, f"{both} make {split.name} in {place[0]} two different things")
            by[place] = split
            if into not in naming.name_of:
                moves.names[into] = min(split.into, moves.names.get(into, split.into))
    return remap(facts, moves)


def _places(split: Split, into: str, names: list[str], naming: NameIndex, tell: _Report) -> list[tuple[str, str]]:
    """The papers and entities whose mentions a split moves; none where it is done already.

    `names` are all that the merges make one with the name: a split means what a reader of the merged graph sees.
    """
    if split.papers:
        found = [(p, e) for p in split.papers for e in _present(split, p, names, naming, tell)]
    else:
        called = {e for name in names for e in (*naming.named(name), *naming.aliased(name))}
        defined = [m for m in naming.facts.mentions if key(m.text) == key(split.definition)]
        found = sorted({(m.paper, m.entity) for m in defined if m.entity in called})
        if not found:
            tell(split, f"no paper defines {split.name} as {split.definition}")
    return [(paper, entity) for paper, entity in found if entity != into]


def _present(decision: Decision, paper: str, names: list[str], naming: NameIndex, tell: _Report) -> list[str]:
    """The entities that the paper calls by one of the names; tells where there is none."""
    found = sorted({entity for name in names for entity in naming.in_paper(paper, name)})
    if paper not in naming.facts.papers:
        tell(decision, f"paper {paper} is not there")
    elif not found:
        tell(decision, f"paper {paper} does not name {' or '.join(names)}")
    return found


def _merge(facts: DraftGraph, decisions: Decisions, tell: _Report) -> DraftGraph:
    naming, moves = NameIndex(facts, decisions), EntityRemap()
    for group in groups(decisions):
        _merge_group(group, naming, moves, tell)
    return remap(facts, moves)


def _merge_group(group: Group, naming: NameIndex, moves: EntityRemap, tell: _Report) -> None:
    found = {k: naming.called(k) for k in sorted(group.keys)}
    members = {ids[0] for ids in found.values() if len(ids) == 1}
    many = [k for k, ids in found.items() if not members >= {*ids}]
    into = _report_stale(group, naming)
    for join in group.joins:
        for name in _unfound(join, many, naming):
            tell(join, f"{name} {'stands for several things' if key(name) in many else 'is not there'}")
    if many or not into or not members:
        return
    moves.everywhere.update({m: into for m in members if m != into})
    moves.aliases[into] |= {j.alias for j in group.joins if isinstance(j, Alias)}
    if group.renames:
        moves.names[into] = group.keep


def _report_stale(group: Group, naming: NameIndex) -> str:
    """The id that the group goes by; an empty one where it names nothing.

    A name that a merge keeps gives its own id, wherever it stands in the graph, so that the id is the same
    in every corpus; aliases leave the thing they belong to the id it has.
    """
    if group.renames:
        return naming.identity(group.keep)
    found = naming.called(group.keep)
    return found[0] if len(found) == 1 else ""


def _unfound(join: Merge | Alias, many: list[str], naming: NameIndex) -> list[str]:
    """The names of an entry that stand for nothing, or for more than one thing; one that is only to be given may."""
    given = join.keep if isinstance(join, Merge) else join.alias
    names = join.names if isinstance(join, Merge) else (join.name, join.alias)
    return [n for n in names if key(n) in many or not (key(n) == key(given) or naming.called(n))]


def _ban(facts: DraftGraph, decisions: Decisions, tell: _Report) -> DraftGraph:
    naming, moves = NameIndex(facts, decisions), EntityRemap()
    for ban in decisions.of(Ban):
        for paper in ban.papers:
            moves.in_paper.update({(paper, e): "" for e in _present(ban, paper, [ban.name], naming, tell)})
        if not ban.papers:
            moves.everywhere.update(dict.fromkeys(naming.named(ban.name), ""))
            if not naming.named(ban.name):
                others = ", ".join(naming.name_of[e] for e in naming.aliased(ban.name))
                tell(ban, f"{ban.name} is only another name of {others}" if others else f"{ban.name} is not there")
    return remap(facts, moves)


def _type(facts: DraftGraph, decisions: Decisions, tell: _Report) -> DraftGraph:
    naming = NameIndex(facts, decisions)
    type_of: dict[str, str] = {}
    for decision in decisions.of(SetType):
        found = naming.called(decision.name)
        if len(found) != 1:
            tell(decision, f"{decision.name} {'stands for several things' if found else 'is not there'}")
        elif type_of.setdefault(found[0], decision.type) != decision.type:
            raise DecisionsError(decisions.place, f"{decision} and another entry give {decision.name} different types")
    papers = Counter(entity for entity, _ in {(m.entity, m.paper) for m in facts.mentions})
    return replace(
        facts,
        entities=tuple(_typed(e, type_of.get(e.id, ""), papers[e.id]) for e in facts.entities),
        mentions=tuple(replace(m, type=type_of.get(m.entity, m.type)) for m in facts.mentions),
        relations=tuple(_fitting(facts.relations, type_of, facts.vocabulary)),
    )


def _typed(entity: Entity, type_: str, papers: int) -> Entity:
    return replace(entity, type=type_, types=((type_, papers),)) if type_ else entity


def _fitting(relations: tuple[Relation, ...], type_of: dict[str, str], vocabulary: Vocabulary) -> Iterator[Relation]:
    """The relations; a role that is not said of the decided type gives way to the wider one, or to plain use."""
    changed: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        type_ = type_of.get(relation.entity)
        if type_ is None:
            yield relation
        else:
            fits = replace(relation, role=vocabulary.at_least(relation.role, type_))
            changed[relation.paper, relation.entity].append(fits)
    for found in changed.values():
        yield from joined(found)


def _role(facts: DraftGraph, decisions: Decisions, tell: _Report) -> DraftGraph:
    naming = NameIndex(facts, decisions)
    types = {e.id: e.type for e in facts.entities}
    decided: dict[tuple[str, str], set[str]] = defaultdict(set)
    for decision in decisions.of(SetRole):
        found = _present(decision, decision.paper, [decision.name], naming, tell)
        if len(found) > 1:
            tell(decision, f"{decision.name} stands for several things in {decision.paper}")
        elif found and types[found[0]] not in facts.vocabulary.roles[decision.role].fits:
            tell(decision, f"{decision.role} is not said of {decision.name}, a {types[found[0]]}")
        elif found:
            decided[decision.paper, found[0]].add(decision.role)
    relations = [r for r in facts.relations if (r.paper, r.entity) not in decided]
    return replace(facts, relations=(*relations, *_decided(facts, decided)))


def _decided(facts: DraftGraph, decided: dict[tuple[str, str], set[str]]) -> Iterator[Relation]:
    """The decided relations, each proved by what proved it before or else by every mention in the paper."""
    proofs = {(r.paper, r.entity, r.role): r.evidence for r in facts.relations}
    mentions: dict[tuple[str, str], list[str]] = defaultdict(list)
    for mention in sorted(facts.mentions, key=lambda m: (m.paper, m.start)):
        mentions[mention.paper, mention.entity].append(mention.id)
    for (paper, entity), roles in decided.items():
        for role in roles:
            proof = proofs.get((paper, entity, role)) or tuple(mentions[paper, entity])
            yield Relation(paper, role, entity, _CERTAIN, proof)


def _kept_apart(facts: DraftGraph, decisions: Decisions, tell: _Report) -> DraftGraph:
    """The facts as they are; tells of names that were decided to differ and are one entity all the same."""
    naming = NameIndex(facts, decisions)
    for decision in decisions.of(Distinct):
        things: dict[str, str] = {}
        for name in sorted(decision.names):
            for entity in naming.called(name):
                if things.setdefault(entity, name) != name:
                    tell(decision, f"{things[entity]} and {name} are one thing here: a split tells them apart")
    return facts


#: The steps in their order, each with the kinds of decision that call for it.
_STEPS: Final[tuple[tuple[Callable[[DraftGraph, Decisions, _Report], DraftGraph], tuple[type[Decision], ...]], ...]] = (
    (_split, (Split,)),
    (_merge, (Merge, Alias)),
    (_ban, (Ban,)),
    (_type, (SetType,)),
    (_role, (SetRole,)),
    (_kept_apart, (Distinct,)),
)
