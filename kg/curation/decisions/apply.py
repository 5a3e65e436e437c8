"""Applying a curator's decisions: splits, then merges, aliases and renames, bans, types, roles.

Each step looks names up in the result of the steps before it, and all entries of a step take
effect together, so the order of the entries does not matter. A decision about an entity that is
no longer in the graph changes nothing and gives a warning.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from citekg.curation.decisions.draft_graph import DraftGraph, EntityRemap, merge_relations, remap
from citekg.curation.decisions.groups import (
    Group,
    Joining,
    name_groups,
    names_by_key,
    names_of,
    optional_name,
)
from citekg.curation.decisions.kinds import (
    Alias,
    Ban,
    Decision,
    Decisions,
    DenyRole,
    Distinct,
    Merge,
    Rename,
    SetRole,
    SetType,
    Split,
)
from citekg.curation.decisions.name_index import NameIndex
from citekg.schemas.errors import DecisionsError
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Relation
from citekg.schemas.vocabulary import INTRODUCES, MENTIONS, Vocabulary

Warn = Callable[[str], None]
#: The confidence of a relation that a curator has decided.
_CERTAIN: Final = 1.0


def apply_decisions(graph: DraftGraph, decisions: Decisions, warn: Warn) -> DraftGraph:
    """Return the graph after the decisions; `warn` gets a message for each entry without effect.

    Raises `DecisionsError` if two splits claim the same mentions.
    """
    warnings: set[tuple[int, str]] = set()
    for step, kinds in _STEPS:
        if any(isinstance(entry, kinds) for entry in decisions.entries):
            graph = step(graph, decisions, lambda d, why: warnings.add((d.line, f"{d}: {why}")))
    for _, message in sorted(warnings):
        warn(f"{decisions.place}: {message}")
    return graph


_Report = Callable[[Decision, str], None]


def _split(graph: DraftGraph, decisions: Decisions, report: _Report) -> DraftGraph:
    index, remapping = NameIndex(graph), EntityRemap()
    merged_names = names_by_key(decisions)
    split_of: dict[tuple[str, str], Split] = {}
    for split in decisions.of(Split):
        into = index.id_for(split.into)
        targets = remapping.in_mention if split.spellings else remapping.in_paper
        for place in _split_places(
            split, into, merged_names.get(key(split.name), [split.name]), index, report
        ):
            if targets.setdefault(place, into) != into:
                both = f"{split_of[place]} and {split}"
                raise DecisionsError(
                    decisions.place,
                    f"{both} make {split.name} in {place[0]} two different entities",
                )
            split_of[place] = split
            if into not in index.name_of:
                remapping.names[into] = min(split.into, remapping.names.get(into, split.into))
    return remap(graph, remapping)


def _split_places(
    split: Split, into: str, names: list[str], index: NameIndex, report: _Report
) -> list[tuple[str, str]]:
    """Return the (paper, entity) pairs whose mentions a split moves; none if it is already done.

    A split of spellings moves single mentions: the pairs are (mention, entity).

    `names` are all names that merges join with the name of the split, because a split refers to the
    names of the merged graph.
    """
    if split.papers:
        found = [(p, e) for p in split.papers for e in _entities_in(split, p, names, index, report)]
    else:
        candidates = {e for name in names for e in (*index.by_name(name), *index.by_alias(name))}
        texts = {key(text) for text in split.spellings or (split.definition,)}
        spelt = [m for m in index.graph.mentions if m.entity in candidates and key(m.text) in texts]
        found = sorted({(m.id if split.spellings else m.paper, m.entity) for m in spelt})
        if not found:
            verb = "spells" if split.spellings else "defines"
            forms = ", ".join(split.spellings) or split.definition
            report(split, f"no paper {verb} {split.name} as {forms}")
    return [(paper, entity) for paper, entity in found if entity != into]


def _entities_in(
    decision: Decision, paper: str, names: list[str], index: NameIndex, report: _Report
) -> list[str]:
    """Return the entities with one of the names in the paper; report if there is none."""
    found = sorted({entity for name in names for entity in index.in_paper(paper, name)})
    if paper not in index.graph.papers:
        report(decision, f"paper {paper} is not in the graph")
    elif not found:
        report(decision, f"paper {paper} does not name {' or '.join(names)}")
    return found


def _merge(graph: DraftGraph, decisions: Decisions, report: _Report) -> DraftGraph:
    index, remapping = NameIndex(graph, decisions), EntityRemap()
    for group in name_groups(decisions):
        _merge_group(group, index, remapping, report)
    return remap(graph, remapping)


def _merge_group(group: Group, index: NameIndex, remapping: EntityRemap, report: _Report) -> None:
    found = {k: index.lookup(k) for k in sorted(group.keys)}
    members = {ids[0] for ids in found.values() if len(ids) == 1}
    ambiguous = [k for k, ids in found.items() if not members >= {*ids}]
    into = _target_id(group, index)
    for entry in group.entries:
        for name in _unresolved(entry, ambiguous, index):
            problem = (
                "is the name of several entities"
                if key(name) in ambiguous
                else "is not in the graph"
            )
            report(
                entry,
                f"{name} {problem}",
            )
    if ambiguous or not into or not members:
        return
    remapping.everywhere.update({m: into for m in members if m != into})
    remapping.aliases[into] |= {e.alias for e in group.entries if isinstance(e, Alias)}
    if group.renames:
        remapping.names[into] = group.keep


def _target_id(group: Group, index: NameIndex) -> str:
    """Return the id of the merged entity, or an empty text if the group names no entity.

    The name that a merge keeps determines the id, so that the id is the same in every corpus.
    Aliases leave the id of their entity as it is.
    """
    if group.renames:
        return index.id_for(group.keep)
    found = index.lookup(group.keep)
    return found[0] if len(found) == 1 else ""


def _unresolved(entry: Joining, ambiguous: list[str], index: NameIndex) -> list[str]:
    """Return the names of an entry that match no entity, or more than one.

    The name that the entry introduces may be missing.
    """
    names = {key(name): name for name in reversed(names_of(entry))}
    optional = key(optional_name(entry)) if len(names) > 1 else ""
    return [
        name
        for k, name in names.items()
        if k in ambiguous or not (k == optional or index.lookup(name))
    ]


def _ban(graph: DraftGraph, decisions: Decisions, report: _Report) -> DraftGraph:
    index, remapping = NameIndex(graph, decisions), EntityRemap()
    for ban in decisions.of(Ban):
        for paper in ban.papers:
            remapping.in_paper.update(
                {(paper, e): "" for e in _entities_in(ban, paper, [ban.name], index, report)}
            )
        if not ban.papers:
            remapping.everywhere.update(dict.fromkeys(index.by_name(ban.name), ""))
            if not index.by_name(ban.name):
                others = ", ".join(index.name_of[e] for e in index.by_alias(ban.name))
                report(
                    ban,
                    f"{ban.name} is only another name of {others}"
                    if others
                    else f"{ban.name} is not in the graph",
                )
    return remap(graph, remapping)


def _set_types(graph: DraftGraph, decisions: Decisions, report: _Report) -> DraftGraph:
    index = NameIndex(graph, decisions)
    type_of: dict[str, str] = {}
    for decision in decisions.of(SetType):
        found = index.lookup(decision.name)
        if len(found) != 1:
            report(
                decision,
                f"{decision.name} is "
                + ("the name of several entities" if found else "not in the graph"),
            )
        elif type_of.setdefault(found[0], decision.type) != decision.type:
            raise DecisionsError(
                decisions.place,
                f"{decision} and another entry give {decision.name} different types",
            )
    papers = Counter(entity for entity, _ in {(m.entity, m.paper) for m in graph.mentions})
    return replace(
        graph,
        entities=tuple(_typed(e, type_of.get(e.id, ""), papers[e.id]) for e in graph.entities),
        mentions=tuple(replace(m, type=type_of.get(m.entity, m.type)) for m in graph.mentions),
        relations=tuple(_fitting(graph.relations, type_of, graph.vocabulary)),
    )


def _typed(entity: Entity, type_: str, papers: int) -> Entity:
    return replace(entity, type=type_, types=((type_, papers),)) if type_ else entity


def _fitting(
    relations: tuple[Relation, ...], type_of: dict[str, str], vocabulary: Vocabulary
) -> Iterator[Relation]:
    """Yield the relations with roles that fit the decided types.

    A role that does not fit is replaced by the next broader one, or by plain use.
    """
    changed: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        type_ = type_of.get(relation.entity)
        if type_ is None:
            yield relation
        else:
            fits = replace(relation, role=vocabulary.fitting_role(relation.role, type_))
            changed[relation.paper, relation.entity].append(fits)
    for found in changed.values():
        yield from merge_relations(found)


def _set_roles(graph: DraftGraph, decisions: Decisions, report: _Report) -> DraftGraph:
    index = NameIndex(graph, decisions)
    types = {e.id: e.type for e in graph.entities}
    decided: dict[tuple[str, str], set[str]] = defaultdict(set)
    for decision in decisions.of(SetRole):
        found = _entities_in(decision, decision.paper, [decision.name], index, report)
        if len(found) > 1:
            report(decision, f"{decision.name} is the name of several entities in {decision.paper}")
        elif found and types[found[0]] not in graph.vocabulary.roles[decision.role].fits:
            report(
                decision, f"{decision.role} does not apply to {decision.name}, a {types[found[0]]}"
            )
        elif found:
            decided[decision.paper, found[0]].add(decision.role)
    relations = [r for r in graph.relations if (r.paper, r.entity) not in decided]
    return replace(graph, relations=(*relations, *_decided(graph, decided)))


def _deny_roles(graph: DraftGraph, decisions: Decisions, report: _Report) -> DraftGraph:
    """Remove denied roles and their narrower ones; a paper without another role mentions it."""
    index = NameIndex(graph, decisions)
    broader = graph.vocabulary.broader_roles
    denied: dict[tuple[str, str], set[str]] = defaultdict(set)
    for decision in decisions.of(DenyRole):
        if decision.paper not in graph.papers and decision.role == INTRODUCES:
            continue  # a paper outside the corpus: see `denied_introductions`
        for entity in _entities_in(decision, decision.paper, [decision.name], index, report):
            denied[decision.paper, entity].add(decision.role)
    kept = [
        r for r in graph.relations if not denied[r.paper, r.entity] & {r.role, *broader(r.role)}
    ]
    related = {(r.paper, r.entity) for r in kept}
    mentioned = {pair: {MENTIONS} for pair in denied if pair not in related and denied[pair]}
    return replace(graph, relations=(*kept, *_decided(graph, mentioned)))


def denied_introductions(graph: DraftGraph, decisions: Decisions) -> frozenset[tuple[str, str]]:
    """Return the pairs of a paper, in the corpus or not, and an entity that it did not introduce.

    `graph` is the graph after the decisions.
    """
    denials = [d for d in decisions.of(DenyRole) if d.role == INTRODUCES]
    if not denials:
        return frozenset()
    index = NameIndex(graph, decisions)
    return frozenset((d.paper, entity) for d in denials for entity in index.lookup(d.name))


def _decided(graph: DraftGraph, decided: dict[tuple[str, str], set[str]]) -> Iterator[Relation]:
    """Yield the decided relations with their earlier evidence, else all mentions in the paper."""
    evidence_of = {(r.paper, r.entity, r.role): r.evidence for r in graph.relations}
    mentions: dict[tuple[str, str], list[str]] = defaultdict(list)
    for mention in sorted(graph.mentions, key=lambda m: (m.paper, m.start)):
        mentions[mention.paper, mention.entity].append(mention.id)
    for (paper, entity), roles in decided.items():
        for role in roles:
            evidence = evidence_of.get((paper, entity, role)) or tuple(mentions[paper, entity])
            yield Relation(paper, role, entity, _CERTAIN, evidence)


def _report_merged_distincts(
    graph: DraftGraph, decisions: Decisions, report: _Report
) -> DraftGraph:
    """Return the graph as it is; report names that should differ but denote one entity."""
    index = NameIndex(graph, decisions)
    for decision in decisions.of(Distinct):
        name_of: dict[str, str] = {}
        for name in sorted(decision.names):
            for entity in index.lookup(name):
                if name_of.setdefault(entity, name) != name:
                    report(
                        decision,
                        f"{name_of[entity]} and {name} are one entity here: a split separates them",
                    )
    return graph


#: The steps in their order, each with the kinds of decision that it applies.
_STEPS: Final[
    tuple[
        tuple[Callable[[DraftGraph, Decisions, _Report], DraftGraph], tuple[type[Decision], ...]],
        ...,
    ]
] = (
    (_split, (Split,)),
    (_merge, (Merge, Alias, Rename)),
    (_ban, (Ban,)),
    (_set_types, (SetType,)),
    (_set_roles, (SetRole,)),
    (_deny_roles, (DenyRole,)),
    (_report_merged_distincts, (Distinct,)),
)
