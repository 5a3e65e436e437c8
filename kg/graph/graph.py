"""The class `Graph`: records with filters, look-ups, and views for other libraries."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from citekg.graph.record_sets import (
    Citations,
    Entities,
    Introductions,
    Links,
    Mentions,
    Outperformances,
    Papers,
    Relations,
    Results,
    Topics,
)
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper
from citekg.schemas.vocabulary import BENCHMARK, METHOD, MIN_CONFIDENCE, PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable

    import igraph
    import networkx as nx
    import pandas as pd
    import rdflib

    from citekg.graph.influence import CoUse, Influence
    from citekg.graph.neighbours import Neighbours
    from citekg.graph.notebook import Cell
    from citekg.graph.paths import Step
    from citekg.graph.result_tables import ResultTable
    from citekg.queries import Answer
    from citekg.schemas.plugins import ExportOptions


@dataclass(frozen=True, repr=False)
class Graph(KnowledgeGraph):
    """A knowledge graph with filters, look-ups, SPARQL, exports, and views for other libraries.

    `papers`, `stubs`, `entities`, `mentions`, `relations`, `links`, `introductions`, `results`,
    `citations`, `outperformances` and `topics` are tuples of frozen records with a method `where`;
    `help(graph.relations.where)` lists its filters.

    >>> graph.entities.where(type="Method", min_papers=9)
    <3 entities: chain-of-thought, Proximal Policy Optimization, Transformer>
    """

    if TYPE_CHECKING:
        papers: Papers
        entities: Entities
        mentions: Mentions
        relations: Relations
        links: Links
        stubs: Papers
        introductions: Introductions
        results: Results = Results()

    @classmethod
    def wrap(cls, graph: KnowledgeGraph) -> Graph:
        """Return a `Graph` with the records of a graph."""
        return (
            graph
            if isinstance(graph, Graph)
            else cls(**{f.name: getattr(graph, f.name) for f in fields(graph)})
        )

    def __post_init__(self) -> None:
        kinds = {
            "papers": Papers,
            "entities": Entities,
            "mentions": Mentions,
            "relations": Relations,
            "links": Links,
            "stubs": Papers,
            "introductions": Introductions,
            "results": Results,
        }
        for name, kind in kinds.items():
            object.__setattr__(self, name, kind(getattr(self, name), self))

    @cached_property
    def citations(self) -> Citations:
        """The citations from the reference lists of papers to papers and stubs."""
        return Citations(super().citations, self)

    @cached_property
    def outperformances(self) -> Outperformances:
        """The outperformances in `results`: one entity is better than another, with the margin."""
        return Outperformances(super().outperformances, self)

    @cached_property
    def topics(self) -> Topics:
        """Groups of entities that the same papers name, derived from `relations`, largest first.

        >>> graph.topics[0].label
        'GSM8K · Group Relative Policy Optimization · MATH'
        """
        return Topics(super().topics, self)

    def find(self, name: str) -> Entity:
        """Return the entity with this name, alias or id; raises `UnknownName`, with similar names.

        Case, hyphens and plurals are ignored; digits and other signs count.

        >>> graph.find("grpo").name
        'Group Relative Policy Optimization'
        """
        from citekg.graph.lookup import find

        return find(self, name)

    def find_paper(self, name: str) -> Paper:
        """Return the paper or stub with this id, arXiv id, DOI or title.

        An identifier may be a URL or have a version; the case of a title is ignored. Raises
        `UnknownName`, with similar titles.

        >>> graph.find_paper("https://arxiv.org/abs/1707.06347v2").title
        'Proximal Policy Optimization Algorithms'
        """
        from citekg.graph.lookup import find_paper

        return find_paper(self, name)

    def introducers(self, name: str | Entity) -> Papers:
        """Return the papers and stubs that introduce an entity; several mean it is contested.

        A paper introduces nothing that papers of earlier years name.

        >>> graph.introducers("GRPO")
        <1 paper: DeepSeekMath: Pushing the Limits of Mat…>
        """
        from citekg.graph.usage import introducers

        return Papers(introducers(self, self._entity(name)), self)

    def users_of(self, name: str | Entity, *roles: str) -> Relations:
        """Return the relations to an entity with these roles, by role, then newest paper first.

        The default roles are using, extending, evaluating on and training on it. Raises
        `UnknownName`, and `FilterError` for an unknown role.

        >>> users = graph.users_of("GRPO", "extends", "uses")
        >>> [(use.role, graph.paper_by_id[use.paper].date) for use in users][:2]
        [('extends', '2025-03'), ('uses', '2025-01')]
        """
        from citekg.graph.usage import users_of

        found = Relations(users_of(self, self._entity(name), roles), self)
        return found.where(role=roles or None)

    def neighbours(self, of: str | Entity | Paper) -> Neighbours:
        """Return the neighbours of an entity or a paper, each with the edge and its evidence.

        A text is a name or an alias, or else the id, arXiv id, DOI or title of a paper. Raises
        `UnknownName`.

        >>> for neighbour in graph.neighbours("D4RL")[:2]:
        ...     arrow = "→" if neighbour.forward else "←"
        ...     print(arrow, neighbour.words, neighbour.name)
        ← introduces D4RL: Datasets for Deep Data-Driven Reinforcement Learning
        ← evaluates on Conservative Q-Learning for Offline Reinforcement Learning
        """
        from citekg.graph.neighbours import neighbours

        return neighbours(self, of)

    def paths(
        self,
        one: str | Entity | Paper,
        other: str | Entity | Paper,
        count: int = 1,
        *,
        min_confidence: float = 0.0,
    ) -> list[tuple[Step, ...]]:
        """Return at most `count` shortest paths between two entities or papers, with evidence.

        A text is a name or an alias, or else the id, arXiv id, DOI or title of a paper. The paths
        use relations of at least `min_confidence`. The list is empty if there is no path. Raises
        `UnknownName`.

        >>> path = graph.paths("GRPO", "PPO")[0]
        >>> [(step.forward, step.words, step.end[:12]) for step in path]
        [(False, 'introduces', 'DeepSeekMath'), (True, 'extends', 'Proximal Pol')]
        """
        from citekg.graph.paths import paths

        return paths(self, one, other, count, min_confidence)

    def _entity(self, name: str | Entity) -> Entity:
        return name if isinstance(name, Entity) else self.find(name)

    def influential_papers(self, count: int = 10) -> list[Influence]:
        """Return the papers and stubs that others build on most, by PageRank."""
        from citekg.graph.influence import influential_papers

        return influential_papers(self, count)

    def influential_entities(self, count: int = 10, type: str = "") -> list[Influence]:  # noqa: A002  # as in `where`
        """Return the entities of one type or of all that others build on most, by PageRank."""
        from citekg.graph.influence import influential_entities

        return influential_entities(self, count, type)

    def co_use(self, one: str = METHOD, other: str = BENCHMARK, count: int = 10) -> list[CoUse]:
        """Return the pairs of entities of two types that most papers use together."""
        from citekg.graph.influence import co_use

        return co_use(self, one, other, count)

    def leaderboard(
        self,
        name: str | Entity | Paper,
        *,
        against: bool = False,
        min_confidence: float = MIN_CONFIDENCE,
    ) -> ResultTable:
        """Return the results that abstracts report on a benchmark, of a method or by a paper.

        Results with the same benchmark, metric and unit form a group, best first; a notebook shows
        them as a table. With `against`, the results that are compared with the entity. Conditions
        may differ: each result has its sentence. Raises `UnknownName`.
        """
        from citekg.graph.result_tables import result_table

        return result_table(self, name, against=against, min_confidence=min_confidence)

    def subset(
        self,
        *,
        about: str | Entity | Iterable[str | Entity] | None = None,
        role: str | Iterable[str] | None = None,
        type: str | Iterable[str] | None = None,  # noqa: A002  # as in `where`
        papers: str | Paper | Iterable[str | Paper] | None = None,
        since: str | int | None = None,
        until: str | int | None = None,
        venue: str | None = None,
        author: str | None = None,
        text: str | None = None,
        min_confidence: float = 0.0,
    ) -> Graph:
        """Return the part of the graph that matches all filters; see `citekg.graph.subsets.subset`.

        It holds the matching relations, with their papers, entities and evidence, and the links
        that derive from them. `about` includes the variants of an entity. The filters are those of
        `relations.where` and `papers.where`. Raises `FilterError` and `UnknownName` as they do.

        >>> graph.subset(about="GRPO", role="extends", since=2025).papers
        <1 paper: DAPO: An Open-Source LLM Reinforcement…>
        """
        from citekg.graph.subsets import Selection, subset

        selection = Selection(
            about, role, type, papers, since, until, venue, author, text, min_confidence
        )
        return subset(self, selection)

    def query(self, sparql: str, *, tentative: bool = False, **values: str | float) -> Answer:
        """Answer a SPARQL query; the project's prefixes are declared. Raises `QueryError`.

        `sparql` may be the `@name` of a query that comes with citekg (docs/queries.md); `values`
        sets its parameters. A named query leaves tentative claims out unless `tentative` is set;
        any other query includes them. Iterating the answer yields a dictionary for each row; a
        notebook shows a table. A term or a value that is probably misspelt gives a Python warning
        with similar ones.

        >>> sparql = "SELECT ?name { ?e a ckg:Dataset ; skos:prefLabel ?name } ORDER BY ?name"
        >>> answer = graph.query(f"{sparql} LIMIT 2")
        >>> [row["name"] for row in answer]
        ['AMPS', 'ANLI']
        >>> [row["name"] for row in graph.query("@top-methods", type="Dataset", limit=1)]
        ['UltraFeedback']
        """
        from citekg.queries import query

        answer = query(self, sparql, values=values, tentative=tentative)
        for hint in answer.hints:
            warnings.warn(hint, stacklevel=2)
        return answer

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Return the graph as a networkx multigraph.

        The nodes are papers, stubs and entities; the keyed edges are relations, introductions,
        links, citations, families and outperformances. Every node has `kind` (`paper`, `stub` or
        `entity`), `label`, and the fields of its record. Every edge has `kind` (`relation`,
        `introduction`, `link`, `citation`, `family` or `outperformance`) and the fields of its
        record: strings, the number `confidence`, tuples for lists. docs/exports.md lists them.

        >>> net = graph.to_networkx()
        >>> net.nodes["e-group-relative-policy-optimization"]["type"]
        'Method'
        """
        from citekg.exports.graphs.networkx_graph import to_networkx

        return to_networkx(self)

    def to_rdflib(self, options: ExportOptions | None = None) -> rdflib.Graph:
        """Return the triples of the RDF export as an rdflib graph, with the project's prefixes."""
        import rdflib

        from citekg.exports.rdf.serializers import ntriples
        from citekg.schemas.plugins import ExportOptions

        made = rdflib.Graph()
        options = options or ExportOptions()
        for prefix, namespace in {**PREFIXES, "ckgid": options.base_iri}.items():
            made.bind(prefix, namespace, replace=True)
        return made.parse(data=b"".join(ntriples(self, options)), format="nt")

    def to_igraph(self) -> igraph.Graph:
        """Return the networkx view as a directed igraph graph; vertices have a `name` (`e-grpo`).

        Needs igraph (`pip install 'citekg[igraph]'`); raises `MissingPackage` without it.
        """
        from citekg.exports.graphs.igraph_graph import to_igraph

        return to_igraph(self)

    def to_pandas(self) -> dict[str, pd.DataFrame]:
        """Return a DataFrame for each record kind, by name.

        The names are papers (stubs are marked), entities, mentions, relations, links,
        introductions, results and citations. Needs pandas (`pip install 'citekg[pandas]'`);
        raises `MissingPackage` without it.

        >>> graph.to_pandas()["relations"].columns.tolist()
        ['paper', 'role', 'entity', 'confidence', 'tentative', 'evidence']
        """
        from citekg.exports.tables.tables import to_pandas

        return to_pandas(self)

    def save(
        self, path: str | Path, name: str | None = None, options: ExportOptions | None = None
    ) -> Path:
        """Write the graph in the named format, or that of the file name; the write is atomic.

        `exports.EXPORTERS` lists the formats: ttl, json, html, graphml, csv and others. A path that
        ends in `.gz` is compressed. An option that has no effect in the format gives a Python
        warning.
        """
        from citekg.exports import format_of, ignored_options, write
        from citekg.schemas.plugins import ExportOptions

        path = Path(path)
        name = name or format_of(path)
        for option in ignored_options(name, options or ExportOptions()):
            warnings.warn(f"{option} has no effect in {name}", stacklevel=2)
        write(self, path, name, options)
        return path

    def show(self, height: int = 640) -> Cell:
        """Return the interactive page for a notebook cell, `height` pixels high."""
        from citekg.graph.notebook import cell

        return cell(self, height)

    def _repr_html_(self) -> str:
        from citekg.summary import graph_table

        return graph_table(self).html()
