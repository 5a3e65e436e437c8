"""The most mentioned names with their aliases: `python benchmarks/names.py PAPERS > table.md`."""

from __future__ import annotations

import sys

from citekg.building.pipeline import build
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity

LIMIT = 200


def rows(graph: KnowledgeGraph, limit: int = LIMIT) -> list[str]:
    """Return table rows of the entities mentioned in most papers."""
    mentions = graph.mentions_of
    papers = {name: len({m.paper for m in found}) for name, found in mentions.items()}
    ranked = sorted(papers, key=lambda name: (-papers[name], -len(mentions[name]), name))
    return [_row(graph, graph.entity_by_id[name], papers[name]) for name in ranked[:limit]]


def _row(graph: KnowledgeGraph, entity: Entity, papers: int) -> str:
    family = graph.entity_by_id[entity.family].name if entity.family else ""
    types = " / ".join(type_ for type_, _ in entity.types)
    also = ", ".join(map(_cell, _spellings(graph, entity)))
    return f"| {papers} | {_cell(entity.name)} | {types} | {_cell(family)} | {also} |"


def _spellings(graph: KnowledgeGraph, entity: Entity) -> list[str]:
    """Return the other surface forms of the entity, each once regardless of case."""
    forms = {" ".join(mention.text.split()).strip("-") for mention in graph.mentions_of[entity.id]}
    once = {spelling.casefold(): spelling for spelling in sorted(forms, reverse=True)}
    return sorted(spelling for folded, spelling in once.items() if folded != entity.name.casefold())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("$", "\\$")


if __name__ == "__main__":
    print("| papers | name | type | family | also written |\n|---:|---|---|---|---|")
    print("\n".join(rows(build(sys.argv[1:]).graph)))
