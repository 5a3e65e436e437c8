"""Strategies of hypothesis for graphs with arbitrary names and texts."""

from __future__ import annotations

from hypothesis import strategies as st

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.identifiers import identifiers
from citekg.schemas.names import key, slug
from citekg.schemas.records import (
    Entity,
    Mention,
    Paper,
    Relation,
    Result,
    ResultName,
    Run,
    Source,
)
from citekg.schemas.vocabulary import TYPES

LETTERS = st.characters(exclude_categories=["Cs"])
XML_LETTERS = st.characters(
    exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff", include_characters="\t\n\r"
)
DATES = ["2024", "2024-02", "2024-02-29", "2023-02-29", "0000", "2024-13", "٢٠٢٤"]
shares = st.floats(0, 1)
references = st.one_of(
    st.from_regex(r"10\.[0-9]{4}/[^\s\x00-\x1f\x7f-\x9f\ufffe\uffff]+", fullmatch=True),
    st.sampled_from(["arXiv:math.GT/0309136v1", "https://openalex.org/W3", "s2:2718", "a" * 40]),
)
types = st.sampled_from(list(TYPES))


@st.composite
def graphs(draw: st.DrawFn, letters: st.SearchStrategy[str]) -> KnowledgeGraph:
    texts, names = st.text(letters, max_size=30), st.text(letters, min_size=1, max_size=12)
    papers = [
        draw(papers_named(name, texts))
        for name in draw(st.lists(names, min_size=1, max_size=3, unique=True))
    ]
    named = names.filter(key)  # a blank text names no entity
    labels = draw(st.lists(named, max_size=3, unique_by=lambda n: slug(key(n))))
    entities = [Entity(slug(key(n)), n, draw(types), types=(("Model", 1),)) for n in labels]
    mentions = [
        Mention(
            p.id, e.id, n, n + 1, p.text[n], "Model", (0, len(p.text)), draw(texts), draw(shares)
        )
        for p in papers
        for n, e in enumerate(entities)
        if n < len(p.text)
    ]
    slots = st.lists(
        st.builds(ResultName, texts, st.sampled_from(["", *(e.id for e in entities)])), max_size=2
    )
    results = [
        Result(
            p.id,
            0,
            n,
            draw(texts),
            draw(st.sampled_from(["score", "change"])),
            draw(st.sampled_from(["", "up", "down"])),
            draw(st.one_of(texts, st.just("accuracy"))),
            tuple(draw(slots)),
            tuple(draw(slots)),
            tuple(draw(slots)),
            draw(texts),
            (0, n),
            draw(shares),
        )
        for n, p in enumerate(papers)
        if draw(st.booleans())
    ]
    return KnowledgeGraph.of(
        papers=papers,
        results=results,
        entities=entities,
        mentions=mentions,
        relations=[Relation(m.paper, "uses", m.entity, draw(shares), (m.id,)) for m in mentions],
        links=(),
        run=Run(*(draw(texts) for _ in range(4))),
    )


@st.composite
def papers_named(draw: st.DrawFn, name: str, texts: st.SearchStrategy[str]) -> Paper:
    return Paper(
        id=name,
        title=draw(texts),
        abstract=draw(texts),
        date=draw(st.one_of(texts, st.sampled_from(DATES))),
        authors=tuple(draw(st.lists(texts, max_size=3))),
        url=draw(texts),
        arxiv_id=draw(texts),
        venue=draw(texts),
        doi=draw(texts),
        links=tuple(sorted(draw(st.sets(texts, max_size=2)))),
        references=identifiers(draw(st.lists(references, max_size=3))),
        sources=tuple(
            sorted(
                {
                    Source(draw(texts), draw(st.integers(0, 9)))
                    for _ in range(draw(st.integers(0, 2)))
                }
            )
        ),
    )
