"""The papers as a reading list in Markdown, newest first: reference, link, claims and evidence.

Stubs are left out, because only their introductions are known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from citekg.exports.graphs.flat import first_sentence
from citekg.exports.texts.markdown import plain, web_link
from citekg.exports.texts.reported import markdown_line
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.identifiers import identifier, url_of
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Introduction, Paper, Relation, Result
from citekg.schemas.vocabulary import COMPARES_TO, INTRODUCES, OUTPERFORMS

#: The maximum number of authors before "et al.".
_MAX_AUTHORS: Final = 6


def reading_list(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001
    """Yield Markdown (CommonMark): an item for each paper, with its claims as nested items.

    A claim is shown with its confidence, whether it is tentative, and its first sentence of
    evidence. A comparison with something that the paper outperforms is not repeated.
    """
    claims: dict[str, list[str]] = defaultdict(list)
    for paper_id, line in _claims(graph):
        claims[paper_id].append(line)
    count = len(graph.papers)
    yield f"# Reading list: {count} paper{'s' * (count != 1)}\n".encode()
    by_title = sorted(graph.papers, key=lambda p: (p.title, p.id))
    for paper in sorted(by_title, key=lambda p: p.date, reverse=True):
        lines = (_reference(paper), *(f"  - {claim}" for claim in claims[paper.id]))
        yield ("\n" + "\n".join(lines) + "\n").encode()


def _claims(graph: KnowledgeGraph) -> Iterator[tuple[str, str]]:
    """Yield paper and line of each claim: strongest roles first, then the results."""
    order = {name: at for at, name in enumerate(graph.vocabulary.roles)}
    names = {e.id: e.name for e in graph.entities}
    stated = sorted(
        graph.relations,
        key=lambda r: (order.get(r.role, len(order)), -r.confidence, names[r.entity]),
    )
    beaten = {(r.paper, r.entity) for r in stated if r.role == OUTPERFORMS}
    yield from (
        (r.paper, _claim(graph, r))
        for r in stated
        if r.role != COMPARES_TO or (r.paper, r.entity) not in beaten
    )
    read = {(r.paper, r.entity) for r in stated if r.role == INTRODUCES}
    yield from (
        (i.paper, _known(graph, i)) for i in graph.introductions if (i.paper, i.entity) not in read
    )
    yield from ((r.paper, _reported(graph, r)) for r in graph.results)


def _claim(graph: KnowledgeGraph, relation: Relation) -> str:
    roles = graph.vocabulary.roles
    label = roles[relation.role].label if relation.role in roles else relation.role
    sentence = first_sentence(graph, relation.evidence)
    name = graph.entity_by_id[relation.entity].name
    mark = ", tentative" if graph.is_tentative(relation) else ""
    claim = f"{plain(label)} {plain(name)} ({relation.confidence:.2f}{mark})"
    return f"{claim}: “{plain(sentence)}”" if sentence else claim


def _known(graph: KnowledgeGraph, introduction: Introduction) -> str:
    label = graph.vocabulary.roles[INTRODUCES].label
    return f"{plain(label)} {plain(graph.entity_by_id[introduction.entity].name)} (known)"


def _reported(graph: KnowledgeGraph, result: Result) -> str:
    line = markdown_line(result, lambda name: plain(name.text))
    mark = ", tentative" if graph.is_tentative(result) else ""
    sentence = plain(graph.sentence(result))
    return f"reported in the abstract: {line} ({result.confidence:.2f}{mark}): “{sentence}”"


def _reference(paper: Paper) -> str:
    title = plain(paper.title) or "Untitled"
    year = f" ({paper.date[:4]})" if paper.date[:4].isdecimal() else ""
    authors = ", ".join(filter(None, map(plain, paper.authors[:_MAX_AUTHORS])))
    others = " et al." if len(paper.authors) > _MAX_AUTHORS else ""
    parts = filter(None, (f"**{title}**{year}", f"{authors}{others}", plain(paper.venue)))
    sentences = (part if part.endswith(".") else f"{part}." for part in parts)
    return " ".join(("-", *sentences, *filter(None, [_link(paper)])))


def _link(paper: Paper) -> str:
    """Return a link to the paper's page, or else to that of its arXiv id or DOI."""
    names = filter(None, (identifier(paper.arxiv_id), identifier(paper.doi)))
    places = (paper.url, *map(url_of, names), *paper.links)
    return next(filter(None, map(web_link, places)), "")
