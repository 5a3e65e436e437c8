"""Known introductions: who introduced what, by a list of well-known papers and by the corpus.

A paper of the corpus that is on the list, by arXiv identifier or title, is the introducer.
Otherwise it is a paper of the corpus that claims so in its text. Only if there is neither, the
paper on the list enters the graph as a stub.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from citekg.extractors.known_introductions import KnownPaper
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Introduction, Paper, Relation
from citekg.schemas.vocabulary import INTRODUCES, MIN_CONFIDENCE, TYPES, USES
from citekg.sources.deduplication import folded_title, title_id


@dataclass(frozen=True)
class KnownIntroductions:
    """The list of introductions by the key of the name, matched with the corpus.

    `ids` are the ids of papers in the corpus by a title or arXiv identifier of the list. `here` are
    all ids in the corpus that a paper of the list may have.
    """

    introduced_in: Mapping[str, KnownPaper]
    ids: Mapping[str, str]
    here: frozenset[str]

    @classmethod
    def of(
        cls, introduced_in: Mapping[str, KnownPaper], papers: Iterable[Paper]
    ) -> KnownIntroductions:
        """Match the list with these papers in one pass."""
        list_names = {found.arxiv_id for found in introduced_in.values()} - {""}
        list_names |= {folded_title(found.title) for found in introduced_in.values()}
        stubs = {found.arxiv_id or title_id(found.title) for found in introduced_in.values()}
        ids: dict[str, str] = {}
        here: set[str] = set()
        for paper in papers if introduced_in else ():
            for name in {folded_title(paper.title), paper.arxiv_id} & list_names:
                ids[name] = min(paper.id, ids.get(name, paper.id))
            if paper.id in stubs:
                here.add(paper.id)
        return cls(introduced_in, ids, frozenset(here.union(ids.values())))

    def papers_of(self, entities: Iterable[Entity]) -> dict[str, str]:
        """Return the ids of the known introducers, by the id of the entity."""
        return {e.id: paper.id for e in entities if (paper := self.paper_of(e))}

    def paper_of(self, entity: Entity) -> Paper | None:
        """Return the known introducer of an entity as a stub, with its id in the corpus if any.

        The entity matches by its name, or else by a long form among its aliases. Types of a schema
        have no known introductions.
        """
        if entity.type not in TYPES:
            return None
        names = (key(entity.name), *(alias for alias in map(key, entity.aliases) if "-" in alias))
        found = next(
            (self.introduced_in[name] for name in names if name in self.introduced_in), None
        )
        if found is None:
            return None
        own = self.ids.get(found.arxiv_id) if found.arxiv_id else None
        paper_id = (
            own
            or self.ids.get(folded_title(found.title))
            or found.arxiv_id
            or title_id(found.title)
        )
        return Paper(paper_id, found.title, "", found.year, arxiv_id=found.arxiv_id)


def apply_known_roles(
    relations: Iterable[Relation], paper_of: Mapping[str, str]
) -> Iterator[Relation]:
    """Yield the relations, with the role of the known introducers corrected to `introduces`.

    `paper_of` holds the known introducer of each entity. If another paper is known, a claim below
    `MIN_CONFIDENCE` becomes plain use.
    """
    own: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        introducer = paper_of.get(relation.entity)
        if introducer == relation.paper:
            own[relation.entity].append(relation)
        elif introducer and relation.role == INTRODUCES and relation.confidence < MIN_CONFIDENCE:
            yield replace(relation, role=USES)
        else:
            yield relation
    for found in own.values():
        read = [r for r in found if r.role == INTRODUCES]
        yield from read or [
            replace(max(found, key=lambda r: (r.confidence, r.role)), role=INTRODUCES)
        ]


def introductions(
    entities: Iterable[Entity], relations: Iterable[Relation], known: KnownIntroductions
) -> tuple[tuple[Paper, ...], tuple[Introduction, ...]]:
    """Return the stubs, and the known introductions of the entities.

    Of the relations, only claims of introduction and those of papers on the list matter.
    """
    roles: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for relation in relations:
        roles[relation.entity][relation.paper].add(relation.role)
    stubs: dict[str, Paper] = {}
    found: list[Introduction] = []
    for entity in entities:
        paper = known.paper_of(entity)
        if paper and _is_uncontradicted(paper.id, roles[entity.id], known.here):
            found.append(Introduction(paper.id, entity.id))
            if paper.id not in known.here:
                stubs[paper.id] = paper
    return tuple(stubs.values()), tuple(found)


def _is_uncontradicted(paper: str, roles: Mapping[str, set[str]], here: Container[str]) -> bool:
    """Return whether the claims of the papers allow the known introduction."""
    if paper in here:
        return paper not in roles or INTRODUCES in roles[paper]
    return not any(INTRODUCES in claimed for claimed in roles.values())
