"""A graph in a few lines of text, for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from kg.tables import Table
from schemas.graph import KnowledgeGraph
from schemas.vocabulary import LINKS, TYPES, EntityType

_MOST: Final = 8
_HOW_TO_OPEN: Final = {
    ".html": "open it in a browser",
    ".ttl": 'kg query {file} "SELECT ..."',
    ".json": 'kg.load("{file}") in Python',
    ".nt": 'kg.load("{file}") in Python',
    ".gexf": "open it in Gephi",
    ".cyjs": "import it into Cytoscape",
    ".zip": "unpack it",
}


def built_summary(graph: KnowledgeGraph, files: Iterable[Path | str], skipped: int) -> str:
    """What was built, and where it is."""
    lines = [graph_summary(graph), ""]
    if skipped:
        lines += [f"Skipped     {skipped} problem{'s' * (skipped != 1)} in the input, listed above", ""]
    hints = {str(file): _HOW_TO_OPEN.get(Path(file).suffix, "").format(file=file) for file in files}
    width = max(map(len, hints), default=0) + 2
    lines += [f"{file:<{width}}{hint}".rstrip() for file, hint in hints.items()]
    return "\n".join(lines)


def graph_summary(graph: KnowledgeGraph) -> str:
    """Papers, entities by type, roles, links and the most used names."""
    return "\n".join(_lines(graph))


def graph_values(graph: KnowledgeGraph) -> dict[str, Any]:
    """The same as values: what `kg stats --json` prints."""
    return {
        "papers": len(graph.papers),
        "stubs": len(graph.stubs),
        "entities": dict(Counter(e.type for e in graph.entities)),
        "roles": dict(Counter(r.role for r in graph.relations)),
        "links": dict(Counter(k.kind for k in graph.links)),
        "references": sum(len(p.references) for p in graph.papers),
        "citations": len(graph.citations),
        "mentions": len(graph.mentions),
        "most used": {
            type_: [{"name": name, "papers": count} for name, count in names] for type_, names in _most_used(graph)
        },
    }


def _lines(graph: KnowledgeGraph) -> Iterator[str]:
    entity_types = Counter(e.type for e in graph.entities)
    roles = Counter(r.role for r in graph.relations)
    links = Counter(k.kind for k in graph.links)
    yield f"Papers      {len(graph.papers)}"
    yield f"Entities    {_counted((_plural(t), entity_types[t.name]) for t in graph.vocabulary.entity_types)}"
    yield f"Roles       {_counted((r.label, roles[r.name]) for r in graph.vocabulary.paper_roles)}"
    yield f"Links       {_counted((LINKS[k].label, links[k]) for k in LINKS)}"
    if graph.stubs:
        beyond = sum(i.paper not in graph.paper_by_id for i in graph.introductions)
        yield f"Stubs       {len(graph.stubs)} papers beyond these, known to have introduced {beyond} of the names"
    if references := sum(len(p.references) for p in graph.papers):
        yield f"References  {references} on the papers' own lists, {len(graph.citations)} of them to papers here"
    yield f"Mentions    {len(graph.mentions)}"
    for type_, top in _top_names(graph):
        yield f"Top {_plural(graph.vocabulary.types[type_]):<11} {top}"


def graph_table(graph: KnowledgeGraph) -> Table:
    """The same as a table for a notebook: how many of each type with the most used names, roles and links."""
    entity_types = Counter(e.type for e in graph.entities)
    roles, links = Counter(r.role for r in graph.relations), Counter(k.kind for k in graph.links)
    top = dict(_top_names(graph, 4))
    stubs = f"and {len(graph.stubs)} stub{'s' * (len(graph.stubs) != 1)}" if graph.stubs else ""
    rows = [("Papers", str(len(graph.papers)), stubs)]
    rows += [(t.plural, str(entity_types[t.name]), top.get(t.name, "")) for t in graph.vocabulary.entity_types]
    labels = graph.vocabulary.roles
    rows += [
        ("Relations", str(len(graph.relations)), _counted((labels[r].label, n) for r, n in roles.most_common(4))),
        ("Links", str(len(graph.links)), _counted((LINKS[k].label, n) for k, n in links.most_common(4))),
        ("Mentions", str(len(graph.mentions)), ""),
    ]
    return Table("Knowledge graph", ("", "how many", "foremost"), tuple(rows))


def _top_names(graph: KnowledgeGraph, most: int = _MOST) -> Iterator[tuple[str, str]]:
    """The most used names of each type as text."""
    for type_, names in _most_used(graph, most):
        yield type_, ", ".join(f"{name} ({count})" for name, count in names)


def _most_used(graph: KnowledgeGraph, most: int = _MOST) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """For each type that papers have something to do with, the names that most of them have, and how many do."""
    papers = Counter(e for e, _ in {(r.entity, r.paper) for r in graph.relations})
    for type_ in graph.vocabulary.types:
        found = [(e.name, papers[e.id]) for e in graph.entities if e.type == type_ and papers[e.id]]
        if found:
            yield type_, sorted(found, key=lambda named: (-named[1], named[0]))[:most]


def _plural(type_: EntityType) -> str:
    return type_.plural.lower() if type_.name in TYPES else type_.plural


def _counted(pairs: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {name}" for name, count in pairs)
