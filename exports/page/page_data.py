"""The data of the viewer: nodes, edges by kind, and the columns into which they are packed.

Nodes are numbered: entities first, then papers, then stubs, each in the graph's order. An edge
refers to its ends by these numbers, and to its evidence by the index of each mention in its paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from citekg.exports.graphs.node_link import entity_node, paper_node
from citekg.exports.texts.bibtex import entry_type
from citekg.exports.texts.citation_keys import cite_keys
from citekg.schemas.errors import GraphError
from citekg.schemas.measures import (
    amount_of,
    by_measure,
    measure_title,
    metric_name,
    value_label,
)
from citekg.schemas.names import slug
from citekg.schemas.records import CHANGE
from citekg.schemas.topics import NAMES_OF_TOPIC
from citekg.schemas.vocabulary import INTRODUCES, LINKS, EntityType

if TYPE_CHECKING:
    from citekg.schemas.graph import KnowledgeGraph
    from citekg.schemas.plugins import Additions, ExportOptions
    from citekg.schemas.records import (
        Entity,
        Introduction,
        Link,
        Paper,
        Relation,
        Result,
        ResultName,
    )

Record = dict[str, Any]
#: Records of one kind: a list per field.
Columns = dict[str, list[Any]]

_ENTITY_COLUMNS: Final = ("key", "label", "type", "aliases", "tentative", "x", "y")
_PAPER_COLUMNS: Final = ("key", "label", "date", "stub", "tentative", "x", "y")
_PAPER_DETAILS: Final = ("authors", "url", "arxiv", "doi", "links", "venue", "cite", "entry")
_RESULT_COLUMNS: Final = (
    "paper",
    "measure",
    "label",
    "amount",
    "on",
    "systems",
    "versus",
    "previous",
    "span",
    "confidence",
    "tentative",
)


def entity_types(graph: KnowledgeGraph) -> list[EntityType]:
    """Return the entity types of the vocabulary, then any other types of the graph."""
    others = sorted({e.type for e in graph.entities} - graph.vocabulary.types.keys())
    return [
        *graph.vocabulary.entity_types,
        *(EntityType(name, name, name, "", "") for name in others),
    ]


def node_numbers(graph: KnowledgeGraph) -> tuple[dict[str, int], dict[str, int]]:
    """Return the numbers of the nodes by id: those of entities, and those of papers and stubs."""
    entities = {e.id: at for at, e in enumerate(graph.entities)}
    papers = {p.id: len(entities) + at for at, p in enumerate((*graph.papers, *graph.stubs))}
    return entities, papers


def edge_columns(graph: KnowledgeGraph) -> dict[str, Columns]:
    """Return the columns of the edges of each kind.

    The kinds are relations (with introductions), links, citations and families. The edges of a pair
    and kind come one after the other, strongest role or link first.
    """
    numbers, papers = node_numbers(graph)
    order = {m.id: at for group in graph.mentions_in.values() for at, m in enumerate(group)}
    return {
        "relations": _relations(graph, numbers, papers, order),
        "links": _links(graph, numbers, papers, order),
        "citations": _citations(graph, papers),
        "families": _families(graph, numbers),
    }


def node_records(graph: KnowledgeGraph) -> list[Record]:
    """Return the nodes without their positions."""
    cites = cite_keys(graph.papers)
    cites |= cite_keys(graph.stubs, cites.values())
    nodes = [
        *(_entity_node(e, tentative=e.id in graph.tentative_entities) for e in graph.entities),
        *(_paper_node(p, cites[p.id], stub=False, tentative=False) for p in graph.papers),
        *(
            _paper_node(p, cites[p.id], stub=True, tentative=p.id in graph.tentative_stubs)
            for p in graph.stubs
        ),
    ]
    for at, node in enumerate(nodes):
        node["id"] = at
    return nodes


def graph_columns(nodes: Sequence[Record], edges: Mapping[str, Columns]) -> Record:
    """Return the data of the drawing in columns, one list per field, which compress better."""
    entities, papers = _by_kind(nodes)
    shown = {
        kind: {name: column for name, column in columns.items() if name != "evidence"}
        for kind, columns in edges.items()
    }
    nodes_shown = {
        "entities": _columns(entities, _ENTITY_COLUMNS),
        "papers": _columns(papers, _PAPER_COLUMNS),
    }
    return nodes_shown | shown


def detail_columns(nodes: Sequence[Record], edges: Mapping[str, Columns]) -> Record:
    """Return the columns that the page reads only on demand."""
    entities, papers = _by_kind(nodes)
    return {
        "entities": _columns(entities, ("hidden_names",)),
        "papers": _columns(papers, _PAPER_DETAILS),
        "relations": {"evidence": edges["relations"]["evidence"]},
        "links": {"evidence": edges["links"]["evidence"]},
    }


def _by_kind(nodes: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Return the entities and the papers among nodes."""
    entities = [n for n in nodes if n["group"] != "paper"]
    return entities, [n for n in nodes if n["group"] == "paper"]


def topic_columns(graph: KnowledgeGraph) -> Record:
    """Return the topics in columns: ids, the nodes that name each, and the topic of each node.

    `of` has the index of the topic of every entity and paper, -1 for none; stubs have none.
    """
    numbers = {e.id: at for at, e in enumerate(graph.entities)}
    topics = {topic.id: at for at, topic in enumerate(graph.topics)}
    records = (
        *(graph.topic_of.get(entity.id) for entity in graph.entities),
        *(graph.topic_of_paper.get(paper.id) for paper in graph.papers),
    )
    return {
        "topics": {
            "key": [*topics],
            "names": [
                [numbers[entity] for entity in topic.entities[:NAMES_OF_TOPIC]]
                for topic in graph.topics
            ],
            "of": [topics[topic.id] if topic else -1 for topic in records],
        }
    }


def result_columns(graph: KnowledgeGraph) -> Record:
    """Return the reported results and their measures in columns; the results of a measure in order.

    A name is its text, or a pair of its text and its node if the graph has its entity. A span is
    `[start, end, sentence start, sentence end]`, with offsets in code points.
    """
    numbers, papers = node_numbers(graph)
    measures: list[Record] = []
    results: list[Record] = []
    for measure, found in by_measure(graph.results, graph.paper_by_id):
        measures.append(
            {
                "title": measure_title(measure, metric_name(found), ()),
                "on": _names(found[0].on, numbers),
                "change": int(measure.kind == CHANGE),
                "lower": measure.lower_is_better,
            }
        )
        for result in found:
            marks = {"measure": len(measures) - 1, "tentative": int(graph.is_tentative(result))}
            results.append(_result(result, papers, numbers) | marks)
    return {
        "measures": _columns(measures, ("title", "on", "change", "lower")),
        "results": _columns(results, _RESULT_COLUMNS),
    }


def addition_columns(graph: KnowledgeGraph, additions: Additions) -> Record:
    """Return the numbers of the nodes and results that an earlier graph lacks."""
    entities = [at for at, e in enumerate(graph.entities) if e.id in additions.entities]
    papers = [at for at, p in enumerate(graph.papers) if p.id in additions.papers]
    results = [r.id for _, found in by_measure(graph.results, graph.paper_by_id) for r in found]
    return {
        "earlier": additions.earlier,
        "papers": [len(graph.entities) + at for at in papers],
        "entities": entities,
        "results": [at for at, result in enumerate(results) if result in additions.results],
    }


def _result(result: Result, papers: dict[str, int], numbers: dict[str, int]) -> Record:
    return {
        "paper": papers[result.paper],
        "label": value_label(result),
        "amount": amount_of(result),
        "on": [numbers[n.entity] for n in result.on if n.entity in numbers],
        "systems": _names(result.systems, numbers),
        "versus": _names(result.versus, numbers),
        "previous": result.previous,
        "span": [result.start, result.end, *result.sentence],
        "confidence": round(result.confidence * 100),
    }


def _names(names: Iterable[ResultName], numbers: dict[str, int]) -> list[Any]:
    return [[n.text, numbers[n.entity]] if n.entity in numbers else n.text for n in names]


def paper_texts(graph: KnowledgeGraph) -> list[Record]:
    """Return the abstract and the mentions of each paper.

    A mention is `[entity, start, end, sentence start, sentence end]`, with offsets in code points.
    """
    numbers = {e.id: at for at, e in enumerate(graph.entities)}
    mentions = graph.mentions_in
    return [
        {
            "abstract": p.abstract,
            "mentions": [
                (numbers[m.entity], m.start, m.end, *m.sentence) for m in mentions.get(p.id, ())
            ],
        }
        for p in graph.papers
    ]


def corpus_facts(graph: KnowledgeGraph, options: ExportOptions) -> Record:
    """Return the corpus metadata of the page: title, licence, sources, dates and version.

    A source is the name of a file with the number of papers that it has.
    """
    counts = Counter(name for p in graph.papers for name in {source.name for source in p.sources})
    dates = sorted(paper.date for paper in graph.papers if paper.date)
    return {
        "title": options.title,
        "licence": options.licence,
        "sources": sorted(counts.items()),
        "first": dates[0] if dates else "",
        "last": dates[-1] if dates else "",
        "inputs": graph.run.inputs,
        "configuration": graph.run.configuration,
    }


def _columns(records: Sequence[Record], names: Iterable[str]) -> Columns:
    return {name: [r[name] for r in records] for name in names}


def _entity_node(entity: Entity, *, tentative: bool) -> Record:
    return {
        "group": "entity",
        "key": _entity_name(entity.id),
        "label": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "hidden_names": list(entity.hidden_names),
        "tentative": int(tentative),
    }


def _entity_name(entity: str) -> str:
    """Return the node id of an entity as in other formats, also for an id that they reject."""
    try:
        return entity_node(entity)
    except GraphError:
        return entity_node(slug(entity))


def _paper_node(paper: Paper, cite: str, *, stub: bool, tentative: bool) -> Record:
    return {
        "group": "paper",
        "key": paper_node(paper.id),
        "label": paper.title,
        "date": paper.date,
        "authors": list(paper.authors),
        "url": paper.url,
        "arxiv": paper.arxiv_id,
        "doi": paper.doi,
        "links": list(paper.links),
        "venue": paper.venue,
        "cite": cite,
        "entry": entry_type(paper),
        "stub": int(stub),
        "tentative": int(tentative),
    }


def _relations(
    graph: KnowledgeGraph,
    entities: Mapping[str, int],
    papers: Mapping[str, int],
    order: Mapping[str, int],
) -> Columns:
    """Return the relations, then the known introductions that no text states."""
    roles = {name: at for at, name in enumerate(graph.vocabulary.roles)}
    relations = sorted(graph.relations, key=lambda r: (r.paper, r.entity, roles[r.role]))
    stated = {(r.paper, r.entity) for r in relations if r.role == INTRODUCES}
    known = [i for i in graph.introductions if (i.paper, i.entity) not in stated]
    rows: list[Relation | Introduction] = [*relations, *known]
    only_known = len(known)
    claims = _claims(graph, relations, order)
    return {
        "from": [papers[r.paper] for r in rows],
        "to": [entities[r.entity] for r in rows],
        "role": [roles[r.role] for r in relations] + [roles[INTRODUCES]] * only_known,
        "known": [0] * len(relations) + [1] * only_known,
        "confidence": claims["confidence"] + [100] * only_known,
        "tentative": claims["tentative"] + [0] * only_known,
        "evidence": claims["evidence"] + [[]] * only_known,
    }


def _links(
    graph: KnowledgeGraph,
    entities: Mapping[str, int],
    papers: Mapping[str, int],
    order: Mapping[str, int],
) -> Columns:
    kinds = {name: at for at, name in enumerate(LINKS)}
    links = sorted(graph.links, key=lambda k: (k.citing, k.cited, kinds[k.kind], k.entity))
    ends = {
        "from": [papers[k.citing] for k in links],
        "to": [papers[k.cited] for k in links],
        "kind": [kinds[k.kind] for k in links],
        "entity": [entities[k.entity] for k in links],
    }
    return ends | _claims(graph, links, order)


def _claims(
    graph: KnowledgeGraph, claims: Sequence[Relation | Link], order: Mapping[str, int]
) -> Columns:
    """Return how certain claims are, and their evidence; `order` numbers each paper's mentions."""
    return {
        "confidence": [round(claim.confidence * 100) for claim in claims],
        "tentative": [int(graph.is_tentative(claim)) for claim in claims],
        "evidence": [[*map(order.__getitem__, claim.evidence)] for claim in claims],
    }


def _citations(graph: KnowledgeGraph, papers: Mapping[str, int]) -> Columns:
    return {
        "from": [papers[c.citing] for c in graph.citations],
        "to": [papers[c.cited] for c in graph.citations],
    }


def _families(graph: KnowledgeGraph, entities: Mapping[str, int]) -> Columns:
    members = [e for e in graph.entities if e.family and e.family in entities]
    return {
        "from": [entities[e.id] for e in members],
        "to": [entities[e.family] for e in members],
    }
