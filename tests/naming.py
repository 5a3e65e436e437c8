"""Graphs of papers that only name entities."""

from __future__ import annotations

from collections.abc import Iterable

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Mention, Paper, Relation
from tests.sample import sample_graph


def graph_of_names(papers: Iterable[str]) -> KnowledgeGraph:
    """Return a graph whose papers use the methods that their titles consist of, given as words."""
    found, mentions, relations = list[Paper](), list[Mention](), list[Relation]()
    for number, names in enumerate(papers):
        paper = Paper(f"p{number:03}", f"On {names}", "")
        found.append(paper)
        for name in names.split():
            start = paper.text.index(name)
            mention = Mention(
                paper.id, name.casefold(), start, start + len(name), name, "Method",
                (0, len(paper.title)), "lexicon", 0.9,
            )  # fmt: skip
            mentions.append(mention)
            relations.append(Relation(paper.id, "uses", mention.entity, 0.9, (mention.id,)))
    known = sorted({mention.text for mention in mentions})
    return KnowledgeGraph.of(
        papers=found,
        entities=[Entity(name.casefold(), name, "Method", (), (("Method", 2),)) for name in known],
        mentions=mentions,
        relations=relations,
        links=(),
        run=sample_graph().run,
    )
