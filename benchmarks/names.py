"""The names that papers mention most, with their aliases: `python benchmarks/names.py PAPERS > table.md`."""

from __future__ import annotations

import sys
from collections import defaultdict

from kg.pipeline import build
from schemas.graph import KnowledgeGraph

MOST = 200


def rows(graph: KnowledgeGraph, most: int = MOST) -> list[str]:
    """Table rows of the entities that most papers mention: papers, name, type, family, what the texts call it."""
    papers, seen = defaultdict(set), defaultdict(set)
    for mention in graph.mentions:
        papers[mention.entity].add(mention.paper)
        seen[mention.entity].add(" ".join(mention.text.split()))
    ranked = sorted((e for e in graph.entities if papers[e.id]), key=lambda e: (-len(papers[e.id]), e.id))
    return [
        f"| {len(papers[e.id])} | {_cell(e.name)} | {' / '.join(t for t, _ in e.types)} "
        f"| {_cell(graph.entity_by_id[e.family].name) if e.family else ''} "
        f"| {', '.join(_cell(s) for s in sorted(seen[e.id] - {e.name}))} |"
        for e in ranked[:most]
    ]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("$", "\\$")


if __name__ == "__main__":
    print("| papers | name | type | family | also written |\n|---:|---|---|---|---|")
    print("\n".join(rows(build(sys.argv[1:]).graph)))
