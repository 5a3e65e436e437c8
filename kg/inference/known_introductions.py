"""Who introduced what, beyond what the texts say: a list of well-known introductions set beside the corpus.

A paper of the corpus that is the one on the list, told by its arXiv identifier or its title, is the
introducer. Otherwise a paper of the corpus that says so in its text is. Only where neither is there
does the paper on the list come in as a stub.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from citekg.extractors.known_introductions import KnownPaper
from citekg.inference.citation_links import MIN_CONFIDENCE
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Introduction, Paper, Relation
from citekg.schemas.vocabulary import INTRODUCES, TYPES, USES
from citekg.sources.deduplication import folded_title, title_id


@dataclass(frozen=True)
class KnownIntroductions:
    """The list of introductions by the key of the name, and those of its papers that the corpus has.

    `ids` are the corpus's own by the title or the arXiv identifier of the list; `here` are all ids of papers of the
    corpus that a paper of the list may go by.
    """

    introduced_in: Mapping[str, KnownPaper]
    ids: Mapping[str, str]
    here: frozenset[str]

    @classmethod
    def of(cls, introduced_in: Mapping[str, KnownPaper], papers: Iterable[Paper]) -> KnownIntroductions:
        """The list set beside these papers, which are looked at once."""
        named = {found.arxiv_id for found in introduced_in.values()} - {""}
        named |= {folded_title(found.title) for found in introduced_in.values()}
        stubs = {found.arxiv_id or title_id(found.title) for found in introduced_in.values()}
        ids: dict[str, str] = {}
        here: set[str] = set()
        for paper in papers if introduced_in else ():
            for name in {folded_title(paper.title), paper.arxiv_id} & named:
                ids[name] = min(paper.id, ids.get(name, paper.id))
            if paper.id in stubs:
                here.add(paper.id)
        return cls(introduced_in, ids, frozenset(here.union(ids.values())))

    def papers_of(self, entities: Iterable[Entity]) -> dict[str, str]:
        """The ids of the papers that are known to have introduced entities, by those of the entities."""
        return {e.id: paper.id for e in entities if (paper := self.paper_of(e))}

    def paper_of(self, entity: Entity) -> Paper | None:
        """The paper that is known to have introduced the entity, as a stub with the corpus's id if it is there.

        The entity is known by its name, or else by a long form among its other names. The list knows nothing of the
        types of a schema.
        """
        if entity.type not in TYPES:
            return None
        names = (key(entity.name), *(alias for alias in map(key, entity.aliases) if "-" in alias))
        found = next((self.introduced_in[name] for name in names if name in self.introduced_in), None)
        if found is None:
            return None
        own = self.ids.get(found.arxiv_id) if found.arxiv_id else None
        paper_id = own or self.ids.get(folded_title(found.title)) or found.arxiv_id or title_id(found.title)
        return Paper(paper_id, found.title, "", found.year, arxiv_id=found.arxiv_id)


def with_known_roles(relations: Iterable[Relation], paper_of: Mapping[str, str]) -> Iterator[Relation]:
    """The relations; what a paper is known to have introduced it introduces, whatever role was read.

    `paper_of` tells the paper by the entity. Where another paper is known, a guess that it was this one gives
    way to plain use.
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
        yield from read or [replace(max(found, key=lambda r: (r.confidence, r.role)), role=INTRODUCES)]


def introductions(
    entities: Iterable[Entity], relations: Iterable[Relation], known: KnownIntroductions
) -> tuple[tuple[Paper, ...], tuple[Introduction, ...]]:
    """The stubs, and what they and papers of the corpus are known to have introduced of the entities.

    Of the relations those count by which a paper introduces something, and those of papers on the list.
    """
    roles: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for relation in relations:
        roles[relation.entity][relation.paper].add(relation.role)
    stubs: dict[str, Paper] = {}
    found: list[Introduction] = []
    for entity in entities:
        paper = known.paper_of(entity)
        if paper and _stands(paper.id, roles[entity.id], known.here):
            found.append(Introduction(paper.id, entity.id))
            if paper.id not in known.here:
                stubs[paper.id] = paper
    return tuple(stubs.values()), tuple(found)


def _stands(paper: str, roles: Mapping[str, set[str]], here: Container[str]) -> bool:
    """Whether what is known of a paper stands against what the papers themselves say of the entity."""
    if paper in here:
        return paper not in roles or INTRODUCES in roles[paper]
    return not any(INTRODUCES in said for said in roles.values())
