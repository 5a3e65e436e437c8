"""Introducers of entities, from a list of well-known papers and from the corpus.

The list takes precedence over the text: a paper that is on it, by title, arXiv identifier or DOI,
introduces its entity, and no other paper does. If that paper is not in the corpus, the graph has a
stub for it. Other entities are introduced by the papers of the corpus that claim it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Final

from citekg.extractors.candidates.lexicon import Entry, Lexicon, is_acronym
from citekg.extractors.known_introductions import KnownPaper
from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Introduction, Paper, Relation
from citekg.schemas.vocabulary import DEFAULT, INTRODUCES, TYPES, USES
from citekg.sources.join_keys import folded_title, title_id

#: The names of so many papers on the list are kept; the shipped list has 2,759.
_MAX_LISTED: Final = 1 << 13


@dataclass(frozen=True)
class IntroductionList:
    """The list of introductions by the key of the name.

    `entries` are the rows of the lexicon for names on the list, by key. `types` are the types of
    all names in the lexicon. `senses` are the keys of its names with a sense, by entity id.
    """

    papers: Mapping[str, KnownPaper]
    entries: Mapping[str, Entry] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    senses: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, introduced_in: Mapping[str, KnownPaper], lexicon: Lexicon | None = None
    ) -> IntroductionList:
        """Return the list; the lexicon gives the types and the acronyms of its names."""
        if lexicon is None:
            return cls(introduced_in)
        entries = {name: lexicon.entries[name] for name in introduced_in if name in lexicon.entries}
        return cls(introduced_in, entries, lexicon.type_of, lexicon.key_of_sense)

    def name_of(self, entity: Entity) -> str | None:
        """Return the key under which the list has an entity, or None.

        The entity matches by its name with its sense or, if the name is not in the lexicon, by a
        long form among its aliases that is not abbreviated otherwise. The list applies to entities
        of the same kind as its name: methods and models, or data. Types of a schema have no known
        introductions.
        """
        if entity.type not in TYPES:
            return None
        own, *others = entity.names
        names = [self.senses.get(entity.id, key(own))]
        if names[0] not in self.types:
            long_forms = (alias for alias in others if "-" in key(alias))
            names += (key(alias) for alias in long_forms if not self._is_homonym(own, alias))
        listed = next((name for name in names if name in self.papers), None)
        return listed if listed and self._is_same_kind(listed, entity.type) else None

    def _is_homonym(self, name: str, alias: str) -> bool:
        """Return whether a name and the listed name that is its alias are two entities.

        Two acronyms with one long form are: SPO is not "Self-Play Preference Optimization", SPPO.
        """
        entry = self.entries.get(key(alias))
        if entry is None or is_acronym(alias) or not is_acronym(name):
            return False
        return entry.is_abbreviated_otherwise([key(name)])

    def _is_same_kind(self, name: str, type_: str) -> bool:
        return DEFAULT.is_data(self.types.get(name, type_)) == DEFAULT.is_data(type_)


@dataclass(frozen=True)
class KnownIntroductions:
    """The list of introductions, matched with the corpus.

    `ids` are the ids of papers in the corpus by a title or arXiv identifier of the list. `here` are
    the ids in the corpus of all papers on the list.
    """

    listed: IntroductionList
    ids: Mapping[str, str]
    here: frozenset[str]

    @classmethod
    def of(
        cls,
        introduced_in: Mapping[str, KnownPaper],
        papers: Iterable[Paper],
        lexicon: Lexicon | None = None,
    ) -> KnownIntroductions:
        """Match the list with these papers in one pass; `lexicon` gives the types of its names."""
        names = ListedNames.of(introduced_in)
        matches = (match for paper in papers for match in names.matches(paper))
        listed = IntroductionList.of(introduced_in, lexicon)
        return cls.of_matches(listed, matches if introduced_in else ())

    @classmethod
    def of_matches(
        cls, listed: IntroductionList, matches: Iterable[tuple[str, str]]
    ) -> KnownIntroductions:
        """Return the list with the results of `ListedNames.matches` for the corpus."""
        ids: dict[str, str] = {}
        here: set[str] = set()
        for name, paper in matches:
            if name:
                ids[name] = min(paper, ids.get(name, paper))
            else:
                here.add(paper)
        return cls(listed, ids, frozenset(here.union(ids.values())))

    def papers_of(self, entities: Iterable[Entity]) -> dict[str, Paper]:
        """Return the known introducers (see `paper`), by the id of the entity."""
        return {e.id: self.paper(name) for e in entities if (name := self.listed.name_of(e))}

    def paper(self, name: str) -> Paper:
        """Return the paper of a name on the list as a stub, with its id in the corpus if any."""
        found = self.listed.papers[name]
        places = (found.arxiv_id, *(name for title in found.titles for name in _names(title)))
        here = next((self.ids[place] for place in places if place in self.ids), "")
        paper_id = here or _stub_id(found)
        return Paper(paper_id, found.title, "", found.year, arxiv_id=found.arxiv_id)


@dataclass(frozen=True)
class ListedNames:
    """The names of the papers on the list, and their ids if they are outside the corpus."""

    names: frozenset[str]
    stubs: frozenset[str]

    @classmethod
    def of(cls, introduced_in: Mapping[str, KnownPaper]) -> ListedNames:
        """Return the names of a list of introductions."""
        papers = introduced_in.values()
        names = frozenset(chain.from_iterable(map(_names_of, papers)))
        return cls(names, frozenset(map(_stub_id, papers)))

    def matches(self, paper: Paper) -> Iterator[tuple[str, str]]:
        """Yield (name, id) for each listed name of a paper, and ("", id) if its id is listed."""
        own = {*_names(paper.title), paper.arxiv_id, arxiv_id(paper.doi)}
        yield from ((name, paper.id) for name in sorted(own & self.names))
        if paper.id in self.stubs:
            yield "", paper.id


def _names(title: str) -> tuple[str, ...]:
    """Return the names by which a paper with that title is found, the most reliable first."""
    return folded_title(title), f"title:{key(title)}"


@lru_cache(maxsize=_MAX_LISTED)
def _names_of(known: KnownPaper) -> frozenset[str]:
    """Return the names of a paper on the list; builds of one process share the list."""
    names = {name for title in known.titles for name in _names(title)}
    return frozenset(names | ({known.arxiv_id} - {""}))


@lru_cache(maxsize=_MAX_LISTED)
def _stub_id(known: KnownPaper) -> str:
    """Return the id of the stub of a paper on the list."""
    return known.arxiv_id or title_id(known.title)


def apply_known_roles(
    relations: Iterable[Relation],
    paper_of: Mapping[str, str],
    in_other_sense: Container[tuple[str, str]] = (),
) -> Iterator[Relation]:
    """Yield the relations, with the roles of claims and of known introducers corrected by the list.

    `paper_of` holds the known introducer of each entity: it introduces the entity, and a claim of
    any other paper becomes plain use, or is dropped if the paper has another role for the entity.
    The pairs of another paper and an entity that are `in_other_sense` stay as they are.
    """
    pairs: dict[tuple[str, str], list[Relation]] = defaultdict(list)
    for relation in relations:
        pairs[relation.paper, relation.entity].append(relation)
    for (paper, entity), found in pairs.items():
        if paper_of.get(entity) == paper:
            yield from _with_introduction(found)
        elif entity not in paper_of or (paper, entity) in in_other_sense:
            yield from found
        else:
            yield from _without_introduction(found)


def _with_introduction(found: list[Relation]) -> list[Relation]:
    if any(relation.role == INTRODUCES for relation in found):
        return found
    return [replace(max(found, key=lambda r: (r.confidence, r.role)), role=INTRODUCES)]


def _without_introduction(found: list[Relation]) -> list[Relation]:
    others = [relation for relation in found if relation.role != INTRODUCES]
    return others or [replace(relation, role=USES) for relation in found]


def introductions(
    known: Mapping[str, Paper],
    relations: Iterable[Relation],
    here: Container[str],
    denied: Container[tuple[str, str]] = (),
) -> tuple[tuple[Paper, ...], tuple[Introduction, ...]]:
    """Return the stubs, and the known introductions of the entities.

    `known` holds the known introducer of each entity that has one; `here` the ids of those in the
    corpus. Of the relations, only claims of introduction and those of papers on the list matter.
    Pairs of a paper and an entity that are `denied` are left out.
    """
    roles: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for relation in relations:
        roles[relation.entity][relation.paper].add(relation.role)
    stubs: dict[str, Paper] = {}
    found: list[Introduction] = []
    for entity, paper in known.items():
        is_denied = (paper.id, entity) in denied
        if not is_denied and _is_uncontradicted(paper.id, roles[entity], here):
            found.append(Introduction(paper.id, entity))
            if paper.id not in here:
                stubs[paper.id] = paper
    return tuple(stubs.values()), tuple(found)


def _is_uncontradicted(paper: str, roles: Mapping[str, set[str]], here: Container[str]) -> bool:
    """Return whether no decision contradicts the known introduction.

    The claims of texts that contradict it have been corrected before (`apply_known_roles`).
    """
    if paper in here:
        return paper not in roles or INTRODUCES in roles[paper]
    return not any(INTRODUCES in claimed for claimed in roles.values())
