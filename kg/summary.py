"""The summary of a graph in a few lines, as plain values and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from pathlib import Path
from typing import Any, Final

from citekg.exports import how_to_open
from citekg.remote import is_url
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity
from citekg.schemas.vocabulary import (
    INTRODUCES,
    LINKS,
    MIN_CONFIDENCE,
    TYPES,
    EntityType,
    Vocabulary,
)
from citekg.text_table import Table

#: The most used names of each type, with the number of papers that contain them.
MostUsed = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]

TOP_LIMIT: Final = 8


@dataclass(frozen=True)
class Counts:
    """How many records of each kind a graph holds.

    `known` counts introductions from the list alone. The relations and links include tentative
    ones, which `tentative_relations` and `tentative_links` count. `most_used` holds the top names
    by type.
    """

    vocabulary: Vocabulary
    papers: int = 0
    without_abstract: int = 0
    stubs: int = 0
    known: int = 0
    references: int = 0
    citations: int = 0
    mentions: int = 0
    results: int = 0
    tentative_results: int = 0
    tentative_relations: int = 0
    tentative_links: int = 0
    types: Counter[str] = field(default_factory=Counter)
    roles: Counter[str] = field(default_factory=Counter)
    links: Counter[str] = field(default_factory=Counter)
    most_used: MostUsed = ()

    def __add__(self, other: Counts) -> Counts:
        """Return the sum of both; the most used names are this one's."""
        summed = (
            "papers", "without_abstract", "stubs", "known", "references", "citations", "mentions",
            "results", "tentative_results", "tentative_relations", "tentative_links",
            "types", "roles", "links",
        )  # fmt: skip
        return replace(
            self, **{name: getattr(self, name) + getattr(other, name) for name in summed}
        )


def counts_of(graph: KnowledgeGraph) -> Counts:
    """Return the counts of a graph."""
    papers = {entity: len(usage.named) for entity, usage in graph.usage.items()}
    claimed = {(r.paper, r.entity) for r in graph.relations if r.role == INTRODUCES}
    return Counts(
        vocabulary=graph.vocabulary,
        papers=len(graph.papers),
        without_abstract=sum(not paper.abstract.strip() for paper in graph.papers),
        stubs=len(graph.stubs),
        known=sum(
            i.paper in graph.cited_by_id and (i.paper, i.entity) not in claimed
            for i in graph.introductions
        ),
        references=sum(len(p.references) for p in graph.papers),
        citations=len(graph.citations),
        mentions=len(graph.mentions),
        results=len(graph.results),
        tentative_results=sum(map(graph.is_tentative, graph.results)),
        tentative_relations=sum(map(graph.is_tentative, graph.relations)),
        tentative_links=sum(map(graph.is_tentative, graph.links)),
        types=Counter(e.type for e in graph.entities),
        roles=Counter(r.role for r in graph.relations),
        links=Counter(k.kind for k in graph.links),
        most_used=most_used(graph.entities, papers, graph.vocabulary),
    )


def most_used(
    entities: Iterable[Entity], papers: Mapping[str, int], vocabulary: Vocabulary
) -> MostUsed:
    """Return, for each type in use, the names in most papers, with the number of papers."""
    found: dict[str, list[tuple[str, int]]] = {type_: [] for type_ in vocabulary.types}
    for entity in entities:
        if papers.get(entity.id):
            found[entity.type].append((entity.name, papers[entity.id]))
    top = (
        (type_, nsmallest(TOP_LIMIT, names, key=lambda named: (-named[1], named[0])))
        for type_, names in found.items()
    )
    return tuple((type_, tuple(names)) for type_, names in top if names)


def records_summary(records: int, papers: int) -> str:
    """Return a line on how many records of the input were merged with others of the same paper.

    >>> records_summary(3000, 2855)
    'Read        3,000 records, 2,855 papers: 145 joined'
    >>> records_summary(1, 1)
    'Read        1 record, 1 paper: none joined'
    """
    read = f"{_count(records, 'record')}, {_count(papers, 'paper')}"
    return f"Read        {read}: {f'{records - papers:,}' if records > papers else 'none'} joined"


def built_summary(
    counts: Counts, files: Iterable[Path | str], skipped: int, warnings: int = 0, records: int = 0
) -> str:
    """Return a summary of a build: the counts, the problems in the input, and the files."""
    lines = [summary(counts), ""]
    if records:
        lines += [records_summary(records, counts.papers), ""]
    if skipped:
        lines += [f"Skipped     {_count(skipped, 'problem')} in the input, listed above", ""]
    if warnings:
        lines += [f"Warnings    {_count(warnings, 'problem')} in the input, listed above", ""]
    return "\n".join((*lines, *file_lines(files)))


def file_lines(files: Iterable[Path | str]) -> list[str]:
    """Return a line for each written file, with how to open it."""
    hints = {str(file): "" if is_url(str(file)) else how_to_open(Path(file)) for file in files}
    width = max(map(len, hints), default=0) + 2
    return [f"{file:<{width}}{hint}".rstrip() for file, hint in hints.items()]


def summary(counts: Counts) -> str:
    """Return the papers, entities by type, roles, links and the most used names as text."""
    return "\n".join(_lines(counts))


def counts_to_json(counts: Counts) -> dict[str, Any]:
    """Return the counts as plain values, the output of `kg stats --json`."""
    return {
        "papers": counts.papers,
        "without abstract": counts.without_abstract,
        "stubs": counts.stubs,
        "entities": dict(counts.types),
        "relations": counts.roles.total(),
        "roles": dict(counts.roles),
        "known introductions": counts.known,
        "links": dict(counts.links),
        "references": counts.references,
        "citations": counts.citations,
        "mentions": counts.mentions,
        "results": counts.results,
        "tentative relations": counts.tentative_relations,
        "tentative links": counts.tentative_links,
        "tentative results": counts.tentative_results,
        "most used": {
            type_: [{"name": name, "papers": count} for name, count in names]
            for type_, names in counts.most_used
        },
    }


def _lines(counts: Counts) -> Iterator[str]:
    vocabulary = counts.vocabulary
    yield f"Papers      {counts.papers}"
    if missing := counts.without_abstract:
        yield f"Abstracts   {missing} paper{'s have' if missing > 1 else ' has'} no abstract"
    types = _count_list((_plural(t), counts.types[t.name]) for t in vocabulary.entity_types)
    yield f"Entities    {types}"
    roles = _count_list((r.label, counts.roles[r.name]) for r in vocabulary.paper_roles)
    yield f"Relations   {counts.roles.total()}: {roles}"
    links = _count_list((LINKS[k].label, counts.links[k]) for k in LINKS)
    yield f"Links       {counts.links.total()}: {links}"
    if counts.results:
        doubtful = f", {counts.tentative_results} of them tentative" * bool(
            counts.tentative_results
        )
        yield f"Results     {counts.results} reported in abstracts{doubtful}"
    tentative = (counts.tentative_relations, counts.tentative_links)
    if any(tentative):
        numbers = "{} of the relations and {} of the links".format(*tentative)
        yield f"Tentative   {numbers}: their confidence is below {MIN_CONFIDENCE}"
    if counts.known:
        origin = "from the list of known introductions, not from a text"
        yield f"Known       {counts.known} more introductions, {origin}"
    if counts.stubs:
        role = "known to have introduced some of the entities"
        yield f"Stubs       {counts.stubs} papers outside this corpus, {role}"
    if counts.references:
        cited = f"{counts.citations} of them to papers of this graph"
        yield f"References  {counts.references} in reference lists, {cited}"
    yield f"Mentions    {counts.mentions}"
    for type_, top in _top_names(counts):
        yield f"Top {_plural(vocabulary.types[type_]):<11} {top}"


def graph_table(graph: KnowledgeGraph) -> Table:
    """Return the counts as a table for a notebook, with the most used names of each type."""
    counts = counts_of(graph)
    top = dict(_top_names(counts, 4))
    stubs = f"and {counts.stubs} stub{'s' * (counts.stubs != 1)}" if counts.stubs else ""
    rows = [("Papers", str(counts.papers), stubs)]
    rows += [
        (t.plural, str(counts.types[t.name]), top.get(t.name, ""))
        for t in graph.vocabulary.entity_types
    ]
    labels = graph.vocabulary.roles
    rows += [
        (
            "Relations",
            str(counts.roles.total()),
            _count_list((labels[r].label, n) for r, n in counts.roles.most_common(4)),
        ),
        (
            "Links",
            str(counts.links.total()),
            _count_list((LINKS[k].label, n) for k, n in counts.links.most_common(4)),
        ),
        ("Mentions", str(counts.mentions), ""),
    ]
    if counts.results:
        rows.append(("Results", str(counts.results), "reported in abstracts"))
    return Table("Knowledge graph", ("", "count", "most frequent"), tuple(rows))


def _top_names(counts: Counts, limit: int = TOP_LIMIT) -> Iterator[tuple[str, str]]:
    """Yield each type with its most used names as text."""
    for type_, names in counts.most_used:
        yield type_, ", ".join(f"{name} ({count})" for name, count in names[:limit])


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _plural(type_: EntityType) -> str:
    return type_.plural.lower() if type_.name in TYPES else type_.plural


def _count_list(pairs: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {name}" for name, count in pairs)
