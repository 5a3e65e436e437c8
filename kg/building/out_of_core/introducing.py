"""The introducers of entities in the whole corpus, determined for each entity separately."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.inference.citation_links import date_of, introducers
from citekg.inference.known_introductions import (
    KnownIntroductions,
    apply_known_roles,
    introductions,
)
from citekg.inference.link_conditions import in_other_sense, plain_entities
from citekg.linking.batches import PerKey, Rows
from citekg.linking.entity_rows import entity_of
from citekg.linking.name_tables import Row, Tables
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Introduction, Paper, Relation
from citekg.schemas.vocabulary import INTRODUCES

#: The claims of introductions, and all roles in papers of the list.
_IS_CLAIM: Final = f"role = '{INTRODUCES}' OR paper IN (SELECT paper FROM known_paper)"  # noqa: S608  # a constant
#: The evidence for the introducer of an entity: the entity itself (0), the claims about it (1), and
#: the types and surface forms of the entity in the papers with these claims (2).
_EVIDENCE: Final = f"""
    WITH claim AS (
        SELECT target, paper, role, MAX(confidence) AS confidence FROM resolved_paper_role
        WHERE {_IS_CLAIM} GROUP BY target, paper, role
    )
    SELECT key, 0, id, name, type, more, 0.0 FROM entity WHERE step = 0
    UNION ALL SELECT target, 1, paper, role, '', '', confidence FROM claim
    UNION ALL SELECT DISTINCT n.target, 2, n.paper, n.type, f.form, '', 0.0
    FROM resolved_paper_name AS n
    JOIN (SELECT DISTINCT paper, target FROM claim) AS c
        ON c.paper = n.paper AND c.target = n.target
    JOIN surface_form AS f ON f.paper = n.paper AND f.key = n.key
    ORDER BY 1, 2, 3, 4, 5, 6, 7"""  # noqa: S608  # a constant
_STUBS: Final = "SELECT DISTINCT paper, title, date, arxiv_id FROM stub ORDER BY paper"


def determine_introducers(tables: Tables, known: KnownIntroductions, per_key: PerKey) -> None:
    """Store the introducers of the entities, the known introductions and the stubs."""
    tables.insert("known_paper", ((paper,) for paper in sorted(known.here)))
    corpus = repr((sorted(known.ids.items()), sorted(known.here)))
    per_key(partial(introductions_of, known), _EVIDENCE, given=corpus)


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


def introductions_of(known: KnownIntroductions, lexicon: Lexicon, rows: Iterable[Row]) -> Rows:
    """Return the introducers of an entity and the data for its links, from rows of `_EVIDENCE`.

    The data for links are whether its names are plain words and, for an entity on the list, its
    paper there and its names.
    """
    (entity_row,), claims, named_as = _by_kind(rows)
    target, _, *cells, _ = entity_row
    entity = entity_of((*cells, None))
    listed = known.papers_of([entity])
    relations = _claims_of(entity, claims, named_as, listed, lexicon)
    stubs, introduced = introductions([entity], relations, known)
    dates = {stub.id: date_of(stub) for stub in stubs}
    introducer_ids = (by[0] for by in introducers(relations, introduced).values() if len(by) == 1)
    return {
        "listed": [(target, paper) for paper in listed.values()],
        "listed_form": [(target, name, key(name)) for name in entity.names if listed],
        "plain": [(target,) for _ in plain_entities([entity], listed)],
        "stub": [(stub.id, stub.title, stub.date, stub.arxiv_id) for stub in stubs],
        "introduction": [(one.paper, target, entity.id) for one in introduced],
        "introduced_by": [(target, paper, dates.get(paper)) for paper in introducer_ids],
    }


def _by_kind(rows: Iterable[Row]) -> tuple[list[Row], list[Row], list[Row]]:
    """Return the rows of an entity, of claims, and of types and surface forms."""
    kinds: tuple[list[Row], list[Row], list[Row]] = [], [], []
    for row in rows:
        kinds[row[1]].append(row)
    return kinds


def _claims_of(
    entity: Entity,
    claims: Iterable[Row],
    named_as: Iterable[Row],
    listed: Mapping[str, str],
    lexicon: Lexicon,
) -> list[Relation]:
    """Return the claims of the papers that mean this entity, corrected by the list."""
    relations = (
        Relation(paper, role, entity.id, confidence, ())
        for _, _, paper, role, *_, confidence in claims
    )
    uses = ((paper, entity.id, type_, form) for _, _, paper, type_, form, *_ in named_as)
    other = in_other_sense(uses, {entity.id: entity.type}, lexicon.vocabulary)
    corrected = apply_known_roles(relations, listed)
    return [claim for claim in corrected if (claim.paper, claim.entity) not in other]
