"""Draw random links of a graph for manual review.

Usage: `python benchmarks/links.py GRAPH [SEED [COUNT]]`.

Each is printed with its kind, its entity, both papers, and the evidence sentences with the mention
in brackets. The same graph and seed give the same links.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import citekg
from citekg.graph.graph import Graph
from citekg.schemas.records import Link


def sample_links(graph: Graph, seed: int, count: int) -> list[Link]:
    """Return a random sample of links, all if there are fewer than `count`."""
    listed = sorted(graph.links, key=lambda k: (k.citing, k.cited, k.kind, k.entity))
    return random.Random(seed).sample(listed, min(count, len(listed)))


def lines(graph: Graph, link: Link) -> Iterator[str]:
    """Yield a link as text: the claim, then its evidence."""
    cited, entity = graph.cited_by_id[link.cited], graph.entity_by_id[link.entity]
    stub = "" if link.cited in graph.paper_by_id else ", a stub"
    yield f"{graph.paper_by_id[link.citing].title}"
    yield f"   {link.kind} {cited.title} ({cited.date or 'undated'}{stub})"
    yield f"   through {entity.name}, a {entity.type}; confidence {link.confidence}"
    for evidence in graph.evidence(link):
        mention, sentence = evidence.mention, evidence.sentence
        start, end = mention.start - mention.sentence[0], mention.end - mention.sentence[0]
        marked = f"{sentence[:start]}[{mention.text}]{sentence[end:]}"
        yield f"   > {' '.join(marked.split())}"


if __name__ == "__main__":
    graph = citekg.load(sys.argv[1])
    seed, count = map(int, (*sys.argv[2:4], *("1", "100")[len(sys.argv) - 2 :]))
    for number, link in enumerate(sample_links(graph, seed, count), start=1):
        print(f"{number}.", *lines(graph, link), sep="\n", end="\n\n")
