"""The graph as Python users hold it: the records, and the views that other libraries want."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from citekg.graph.record_sets import Citations, Entities, Introductions, Links, Mentions, Papers, Relations
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Paper
from citekg.schemas.vocabulary import BENCHMARK, METHOD, PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable

    import igraph
    import networkx as nx
    import pandas as pd
    import rdflib
    from citekg.exports import ExportOptions
    from citekg.graph.influence import CoUse, Influence
    from citekg.graph.neighbours import Neighbours
    from citekg.graph.notebook import Cell
    from citekg.graph.paths import Step
    from citekg.queries import Answer


@dataclass(frozen=True, repr=False)
class Graph(KnowledgeGraph):
    """A knowledge graph with its views: filters, networkx, rdflib, igraph, pandas, SPARQL, files, the interactive page.

    `papers`, `stubs`, `entities`, `mentions`, `relations`, `links`, `introductions` and `citations` are tuples of
    frozen records that have a `where`; `help(graph.relations.where)` tells what each filters by.

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

    def __post_init__(self) -> None:
        kinds = {
            "papers": Papers,
            "entities": Entities,
            "mentions": Mentions,
            "relations": Relations,
            "links": Links,
            "stubs": Papers,
            "introductions": Introductions,
        }
        for name, kind in kinds.items():
            object.__setattr__(self, name, kind(getattr(self, name), self))

    @cached_property
    def citations(self) -> Citations:
        """Which papers and stubs the papers' own lists of references point to; nothing here is derived from texts."""
        return Citations(super().citations, self)

    def find(self, name: str) -> Entity:
        """The entity of this name, alias or id; raises `UnknownName`, with names that come near.

        Case, dashes and plurals do not matter, digits and signs do.

        >>> graph.find("grpo").name
        'Group Relative Policy Optimization'
        """
        from citekg.graph.lookup import find

        return find(self, name)

    def find_paper(self, name: str) -> Paper:
        """The paper or stub of this id, arXiv id, DOI or title; raises `UnknownName`, with similar titles.

        An identifier may be written in any form, the case of a title does not matter.

        >>> graph.find_paper("https://arxiv.org/abs/1707.06347v2").title
        'Proximal Policy Optimization Algorithms'
        """
        from citekg.graph.lookup import find_paper

        return find_paper(self, name)

    def introducers(self, name: str | Entity) -> Papers:
        """The papers that introduce it, stubs among them; more than one means that the name is contested.

        >>> graph.introducers("GRPO")
        <1 paper: DeepSeekMath: Pushing the Limits of Mat…>
        """
        from citekg.graph.usage import introducers

        return Papers(introducers(self, self._entity(name)), self)

    def users_of(self, name: str | Entity, *roles: str) -> Relations:
        """What papers do with it in these roles, by default using, extending, evaluating or training on it.

        By role, then the newest paper first. Raises `UnknownName` and, for a role that nobody knows, `FilterError`.

        >>> [(use.role, graph.paper_by_id[use.paper].date) for use in graph.users_of("GRPO", "extends", "uses")][:2]
        [('extends', '2025-03'), ('uses', '2025-01')]
        """
        from citekg.graph.usage import users_of

        found = Relations(users_of(self, self._entity(name), roles), self)
        return found.where(role=roles or None)

    def neighbours(self, of: str | Entity | Paper) -> Neighbours:
        """Everything that one edge joins with an entity or a paper, each with what joins them and its proof.

        A text is a name or an alias, or else the id, arXiv id, DOI or title of a paper. Raises `UnknownName`.

        >>> for beside in graph.neighbours("D4RL")[:2]:
        ...     print("→" if beside.forward else "←", beside.words, beside.name)
        ← introduces D4RL: Datasets for Deep Data-Driven Reinforcement Learning
        ← evaluates on Conservative Q-Learning for Offline Reinforcement Learning
        """
        from citekg.graph.neighbours import neighbours

        return neighbours(self, of)

    def paths(
        self, one: str | Entity | Paper, other: str | Entity | Paper, count: int = 1, *, min_confidence: float = 0.0
    ) -> list[tuple[Step, ...]]:
        """The shortest paths between two entities or papers, at most so many, each step with its evidence.

        A text is a name or an alias, or else the id, arXiv id, DOI or title of a paper. The paths lead over relations
        of at least `min_confidence`. Empty where no path joins them; raises `UnknownName`.

        >>> [(step.forward, step.words, step.end[:26]) for step in graph.paths("GRPO", "PPO")[0]]
        [(False, 'introduces', 'DeepSeekMath: Pushing the '), (True, 'extends', 'Proximal Policy Optimizati')]
        """
        from citekg.graph.paths import paths

        return paths(self, one, other, count, min_confidence)

    def _entity(self, name: str | Entity) -> Entity:
        return name if isinstance(name, Entity) else self.find(name)

    def influential_papers(self, count: int = 10) -> list[Influence]:
        """The papers, stubs among them, that others build on most."""
        from citekg.graph.influence import influential_papers

        return influential_papers(self, count)

    def influential_entities(self, count: int = 10, type: str = "") -> list[Influence]:  # noqa: A002  # as in `where`
        """The entities, of one type or of any, that others build on most."""
        from citekg.graph.influence import influential_entities

        return influential_entities(self, count, type)

    def co_use(self, one: str = METHOD, other: str = BENCHMARK, count: int = 10) -> list[CoUse]:
        """The pairs of an entity of one type and one of the other that most papers have both at hand."""
        from citekg.graph.influence import co_use

        return co_use(self, one, other, count)

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
        """The part of the graph that passes all of this, as a graph of its own; see `citekg.graph.subsets.subset`.

        It holds the relations that pass, with their papers, entities and evidence, and the links that still follow
        from them. `about` means the variants of an entity too. The filters are those of `relations.where` and
        `papers.where`. Raises `FilterError` and `UnknownName` as they do.

        >>> graph.subset(about="GRPO", role="extends", since=2025).papers
        <1 paper: DAPO: An Open-Source LLM Reinforcement…>
        """
        from citekg.graph.subsets import Selection, subset

        selection = Selection(about, role, type, papers, since, until, venue, author, text, min_confidence)
        return subset(self, selection)

    def query(self, sparql: str, **values: str | float) -> Answer:
        """Answer a SPARQL query; the project's prefixes are declared. Raises `QueryError`.

        It may be the `@name` of a query that comes with kg (docs/queries.md), with values for its parameters,
        texts or numbers. The answer is iterable, a dict a row; a notebook shows it as a table. A term or a
        value that is probably misspelt gives a Python warning with similar ones.

        >>> answer = graph.query("SELECT ?name { ?e a ckg:Dataset ; skos:prefLabel ?name } ORDER BY ?name LIMIT 2")
        >>> [row["name"] for row in answer]
        ['AMPS', 'ANLI']
        >>> [row["name"] for row in graph.query("@top-methods", type="Dataset", limit=1)]
        ['UltraFeedback']
        """
        from citekg.queries import query

        answer = query(self, sparql, values=values)
        for hint in answer.hints:
            warnings.warn(hint, stacklevel=2)
        return answer

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """Papers, stubs and entities as nodes; relations, introductions, links, citations and families as keyed edges.

        Every node has `kind` (`paper`, `stub` or `entity`), `label`, and the fields of its record; every edge
        has `kind` (`relation`, `introduction`, `link`, `citation` or `family`) and the fields of its record:
        texts, the number `confidence`, tuples for lists. docs/exports.md lists them.

        >>> net = graph.to_networkx()
        >>> net.nodes["e-group-relative-policy-optimization"]["type"]
        'Method'
        """
        from citekg.exports.graphs.networkx_graph import to_networkx

        return to_networkx(self)

    def to_rdflib(self, options: ExportOptions | None = None) -> rdflib.Graph:
        """The triples of the RDF export, all of them unless the options want less, with the project's prefixes."""
        import rdflib
        from citekg.exports import ExportOptions
        from citekg.exports.rdf.serializers import ntriples

        made = rdflib.Graph()
        options = options or ExportOptions()
        for prefix, namespace in {**PREFIXES, "ckgid": options.base_iri}.items():
            made.bind(prefix, namespace, replace=True)
        return made.parse(data=b"".join(ntriples(self, options)), format="nt")

    def to_igraph(self) -> igraph.Graph:
        """The networkx view as a directed igraph graph, its vertices called by `name`, such as `e-grpo`.

        Needs igraph (`pip install 'citekg[igraph]'`); raises `MissingPackage` without it.
        """
        from citekg.exports.graphs.igraph_graph import to_igraph

        return to_igraph(self)

    def to_pandas(self) -> dict[str, pd.DataFrame]:
        """DataFrames by name: papers (stubs marked), entities, mentions, relations, links, introductions, citations.

        Needs pandas (`pip install 'citekg[pandas]'`); raises `MissingPackage` without it.

        >>> graph.to_pandas()["relations"].columns.tolist()
        ['paper', 'role', 'entity', 'confidence', 'evidence']
        """
        from citekg.exports.tables.tables import to_pandas

        return to_pandas(self)

    def save(self, path: str | Path, name: str | None = None, options: ExportOptions | None = None) -> Path:
        """Write the graph in the named format, or the one of the file's ending; never half a file.

        `exports.EXPORTERS` has the names: ttl, json, html, graphml, csv and others. A path that ends in `.gz` is
        written compressed. An option that changes nothing in the format is told
        as a Python warning.
        """
        from citekg.exports import ExportOptions, format_of, ignored_options, write

        path = Path(path)
        name = name or format_of(path)
        for option in ignored_options(name, options or ExportOptions()):
            warnings.warn(f"{option} changes nothing in {name}", stacklevel=2)
        write(self, path, name, options)
        return path

    def show(self, height: int = 640) -> Cell:
        """The interactive page, `height` pixels high, as a notebook shows the last value of a cell."""
        from citekg.graph.notebook import cell

        return cell(self, height)

    def _repr_html_(self) -> str:
        from citekg.summary import graph_table

        return graph_table(self).html()
