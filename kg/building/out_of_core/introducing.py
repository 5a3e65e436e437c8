"""Who introduced what in the whole corpus, settled for some entities at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.inference.citation_links import date_of, introducers
from citekg.inference.known_introductions import (
    KnownIntroductions,
    apply_known_roles,
    introductions,
)
from citekg.inference.link_conditions import in_other_sense
from citekg.linking.batches import Groups, Rows, Workers, in_batches, store
from citekg.linking.entity_rows import ENTITY, WITH_FAMILY, entity_of
from citekg.linking.name_tables import Row, Tables
from citekg.schemas.records import Entity, Introduction, Paper, Relation
from citekg.schemas.vocabulary import INTRODUCES

_ENTITIES: Final = f"""
    SELECT e.key, {ENTITY} FROM {WITH_FAMILY}
    WHERE e.step = 0 ORDER BY e.key"""  # noqa: S608  # constants
#: The claims of introductions, and all roles in papers of the list.
_IS_CLAIM: Final = f"role = '{INTRODUCES}' OR paper IN (SELECT paper FROM known_paper)"  # noqa: S608  # a constant
_CLAIMS: Final = f"""
    SELECT target, paper, role, MAX(confidence) FROM resolved_paper_role
    WHERE {_IS_CLAIM}
    GROUP BY target, paper, role ORDER BY target, paper, role"""  # noqa: S608  # a constant
#: The types and surface forms of what papers claim to introduce.
_CLAIMED_TYPES: Final = f"""
    WITH claim AS (
        SELECT DISTINCT paper, target FROM resolved_paper_role
        WHERE {_IS_CLAIM}
    )
    SELECT DISTINCT n.target, n.paper, n.type, f.form FROM resolved_paper_name AS n
    JOIN claim AS c ON c.paper = n.paper AND c.target = n.target
    JOIN surface_form AS f ON f.paper = n.paper AND f.key = n.key
    ORDER BY n.target"""  # noqa: S608  # a constant
_STUBS: Final = "SELECT DISTINCT paper, title, date, arxiv_id FROM stub ORDER BY paper"


@dataclass(frozen=True)
class _Claims:
    """An entity, the claims of papers about it, and the types and surface forms in these papers."""

    entity: Row
    claims: list[Row]
    named_as: list[Row]


def settle_introductions(tables: Tables, known: KnownIntroductions, workers: Workers) -> None:
    """Store the introducers of the entities, the known introductions and the stubs."""
    tables.insert("known_paper", ((paper,) for paper in sorted(known.here)))
    claims, named_as = (Groups(tables.select(query)) for query in (_CLAIMS, _CLAIMED_TYPES))
    tasks = (
        (known, [_Claims(row, claims.of(row[0]), named_as.of(row[0])) for row in batch])
        for batch in in_batches(tables.select(_ENTITIES))
    )
    store(tables, workers(introductions_of, tasks))


def stubs_of(tables: Tables) -> tuple[Paper, ...]:
    """Return the stored stubs."""
    return tuple(
        Paper(paper, title, "", date, arxiv_id=arxiv_id)
        for paper, title, date, arxiv_id in tables.select(_STUBS)
    )


def known_introductions_of(tables: Tables) -> tuple[Introduction, ...]:
    """Return the stored introductions from the list."""
    rows = tables.select("SELECT DISTINCT paper, entity FROM introduction ORDER BY paper, entity")
    return tuple(Introduction(*row) for row in rows)


def introductions_of(lexicon: Lexicon, task: tuple[KnownIntroductions, Iterable[_Claims]]) -> Rows:
    """Return the rows that `settle_introductions` stores, for some entities."""
    known, entities = task
    found: Rows = {name: [] for name in ("listed", "introduced_by", "introduction", "stub")}
    for one in entities:
        for table, row in _rows_of(one, known, lexicon):
            found[table].append(row)
    return found


def _rows_of(
    one: _Claims, known: KnownIntroductions, lexicon: Lexicon
) -> Iterator[tuple[str, Row]]:
    target, entity = one.entity[0], entity_of(one.entity[1:])
    listed = known.papers_of([entity])
    yield from (("listed", (target, paper)) for paper in listed.values())
    claims = _claims_of(entity, one, listed, lexicon)
    stubs, introduced = introductions([entity], claims, known)
    for stub in stubs:
        yield "stub", (stub.id, stub.title, stub.date, stub.arxiv_id)
    for introduction in introduced:
        yield "introduction", (introduction.paper, target, entity.id)
    dates = {stub.id: date_of(stub) for stub in stubs}
    for papers in introducers(claims, introduced).values():
        if len(papers) == 1:
            yield "introduced_by", (target, papers[0], dates.get(papers[0]))


def _claims_of(
    entity: Entity, one: _Claims, listed: dict[str, str], lexicon: Lexicon
) -> list[Relation]:
    """Return the claims of the papers that mean this entity, corrected by the list."""
    relations = (
        Relation(paper, role, entity.id, confidence, ())
        for _, paper, role, confidence in one.claims
    )
    named_as = ((paper, entity.id, type_, form) for _, paper, type_, form in one.named_as)
    other = in_other_sense(named_as, {entity.id: entity.type}, lexicon.vocabulary)
    corrected = apply_known_roles(relations, listed)
    return [claim for claim in corrected if (claim.paper, claim.entity) not in other]
