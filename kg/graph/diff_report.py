"""The differences between two graphs as text and as values for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from citekg.exports.texts.reported import result_line
from citekg.graph.diff import Changed, GraphDiff
from citekg.schemas.records import Entity, Paper, Result
from citekg.schemas.vocabulary import ROLES


def as_values(found: GraphDiff) -> dict[str, Any]:
    """Return the differences as lists and dictionaries, as `kg diff --json` prints them."""
    return {
        "equal": found.equal,
        "papers": {
            "new": [_paper(p) for p in found.new_papers],
            "removed": [_paper(p) for p in found.removed_papers],
        },
        "entities": {
            "new": [_entity(e) for e in found.new_entities],
            "removed": [_entity(e) for e in found.removed_entities],
            "renamed": [_change(c) for c in found.renamed],
            "merged": [
                {"from": [_entity(e) for e in m.before], "into": _entity(m.after)}
                for m in found.merged
            ],
            "split": [
                {"from": _entity(s.before), "into": [_entity(e) for e in s.after]}
                for s in found.split
            ],
            "moved": [
                {"from": _entity(m.before), "to": _entity(m.after), "mentions": m.mentions}
                for m in found.moved
            ],
            "retyped": [_change(c) for c in found.retyped],
        },
        "roles": [
            {
                "paper": _paper(r.paper),
                "entity": _entity(r.entity),
                "from": list(r.before),
                "to": list(r.after),
            }
            for r in found.roles
        ],
        "results": [
            {"paper": _paper(r.paper), "from": _result(r.before), "to": _result(r.after)}
            for r in found.results
        ],
        "records": {kind: {"new": new, "removed": removed} for kind, new, removed in found.records},
    }


def _paper(paper: Paper) -> dict[str, str]:
    return {"id": paper.id, "title": paper.title}


def _entity(entity: Entity) -> dict[str, str]:
    return {"id": entity.id, "name": entity.name, "type": entity.type}


def _result(result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {**result.slots(), "start": result.start, "end": result.end}


def _change(change: Changed) -> dict[str, dict[str, str]]:
    return {"from": _entity(change.before), "to": _entity(change.after)}


def as_text(found: GraphDiff) -> str:
    """Return the differences as text, one section for each kind of change."""
    if found.equal:
        return "The graphs are equal."
    parts = [_section(heading, list(lines)) for heading, lines in _sections(found)]
    counts = ", ".join(
        f"{kind} +{new} -{removed}" for kind, new, removed in found.records if new or removed
    )
    return "\n\n".join([*filter(None, parts), f"Records that differ: {counts}"])


def _section(heading: str, lines: list[str]) -> str:
    return (
        "\n".join([f"{heading} ({len(lines)})", *(f"  {line}" for line in lines)]) if lines else ""
    )


def _sections(found: GraphDiff) -> Iterator[tuple[str, Iterable[str]]]:
    yield "New papers", (f"{p.id}  {p.title}" for p in found.new_papers)
    yield "Removed papers", (f"{p.id}  {p.title}" for p in found.removed_papers)
    yield "New entities", map(_named, found.new_entities)
    yield "Removed entities", map(_named, found.removed_entities)
    yield "Renamed", (f"{_with_id(c.before, c)} -> {_with_id(c.after, c)}" for c in found.renamed)
    yield (
        "Merged",
        (f"{', '.join(map(_named, m.before))} -> {_named(m.after)}" for m in found.merged),
    )
    yield "Split", (f"{_named(s.before)} -> {', '.join(map(_named, s.after))}" for s in found.split)
    yield (
        "Moved mentions",
        (f"{_named(m.before)} -> {_named(m.after)}: {m.mentions}" for m in found.moved),
    )
    yield (
        "Other types",
        (f"{c.after.name}: {c.before.type} -> {c.after.type}" for c in found.retyped),
    )
    yield (
        "Other roles",
        (
            f"{r.paper.id}  {r.entity.name}: {_labels(r.before)} -> {_labels(r.after)}"
            for r in found.roles
        ),
    )
    yield (
        "Other results",
        (f"{r.paper.id}  {_statement(r.before)} -> {_statement(r.after)}" for r in found.results),
    )


def _named(entity: Entity) -> str:
    return f"{entity.name} ({entity.type})"


def _statement(result: Result | None) -> str:
    return result_line(result) if result else "nothing"


def _with_id(entity: Entity, change: Changed) -> str:
    """Return the name, with the id if only the id changed."""
    return (
        f"{entity.name} [{entity.id}]" if change.before.name == change.after.name else entity.name
    )


def _labels(roles: tuple[str, ...]) -> str:
    return ", ".join(ROLES[role].label if role in ROLES else role for role in roles) or "nothing"
