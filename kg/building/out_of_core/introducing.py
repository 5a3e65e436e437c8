"""The introducers of entities in the whole corpus, determined for each entity separately."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.inference.citation_links import date_of, sole_introducers
from citekg.inference.known_introductions import (
    IntroductionList,
    KnownIntroductions,
    apply_known_roles,
    introductions,
)
from citekg.inference.link_conditions import in_other_sense, plain_entities
from citekg.linking.batches import PerKey, Rows
from citekg.linking.entity_rows import entity_of
from citekg.linking.name_tables import TOUCHED, Row, Tables
from citekg.schemas.names import key
from citekg.schemas.records import Introduction, Paper, Relation
from citekg.schemas.vocabulary import INTRODUCES, MIN_CONFIDENCE

#: The entities whose evidence may have changed. All those on the list are among them, because a
#: paper of the list may have entered the corpus; they are few.
_TOUCHED: Final = f"{TOUCHED} UNION SELECT target FROM listed_as"  # noqa: S608  # a constant
#: The claims of introductions, and all roles of entities on the list in papers of the list.
_CLAIMS: Final = f"""
    INSERT INTO claim
    SELECT target, paper, role, MAX(confidence) FROM resolved_paper_role
    WHERE target IN ({_TOUCHED}) AND (role = '{INTRODUCES}' OR (
        paper IN (SELECT paper FROM known_paper) AND target IN (SELECT target FROM listed_as)
    ))
    GROUP BY target, paper, role"""  # noqa: S608  # constants
#: The papers with claims about an entity, and a type there of the other kind.
_OTHER_KINDS: Final = """
    INSERT INTO other_kind
    SELECT DISTINCT n.paper, n.target FROM resolved_paper_name AS n
    JOIN claim AS c ON c.paper = n.paper AND c.target = n.target
    JOIN entity AS e ON e.key = n.target AND e.step = 0
    JOIN type_kind AS k ON k.type = n.type JOIN type_kind AS own ON own.type = e.type
    WHERE k.data <> own.data"""
_ENTITIES: Final = f"""
    SELECT key, id, name, type, more FROM entity WHERE step = 0 AND key IN ({TOUCHED})"""  # noqa: S608  # a constant
_LISTED_NAMES: Final = "SELECT DISTINCT name FROM listed_as ORDER BY name"
#: The evidence for the introducer of an entity: the entity itself (0), the claims about it (1), its
#: types and surface forms in papers with a claim and a type of the other kind (2), its paper on the
#: list of introductions (3) or, if it is not on the list, how many papers name it in each year (4).
#: An entity without a claim or such a paper has no introducer.
_EVIDENCE: Final = f"""
    SELECT key, 0, id, type, '', '', 0.0 FROM entity WHERE step = 0
        AND key IN (SELECT target FROM claim UNION SELECT target FROM listed_as)
    UNION ALL SELECT c.target, 1, c.paper, c.role, p.date, '', c.confidence
    FROM claim AS c JOIN paper AS p ON p.paper = c.paper
    UNION ALL SELECT DISTINCT n.target, 2, n.paper, n.type, f.form, '', 0.0
    FROM resolved_paper_name AS n JOIN other_kind AS o ON o.paper = n.paper AND o.target = n.target
    JOIN surface_form AS f ON f.paper = n.paper AND f.key = n.key
    UNION ALL SELECT l.target, 3, p.paper, p.title, p.date, p.arxiv_id, p.here
    FROM listed_as AS l JOIN listed_paper AS p ON p.name = l.name
    UNION ALL SELECT r.target, 4, LEFT(r.date, 4), '', '', '', COUNT(DISTINCT r.paper)
    FROM resolved_paper_role AS r
    WHERE r.confidence >= {MIN_CONFIDENCE} AND r.target IN (
        SELECT target FROM claim WHERE role = '{INTRODUCES}' AND confidence >= {MIN_CONFIDENCE}
            AND target NOT IN (SELECT target FROM listed_as)
    ) GROUP BY r.target, LEFT(r.date, 4)"""  # noqa: S608  # constants
_STUBS: Final = "SELECT DISTINCT paper, title, date, arxiv_id FROM stub ORDER BY paper"


def determine_introducers(tables: Tables, known: KnownIntroductions, per_key: PerKey) -> None:
    """Store the introducers of the entities, the known introductions and the stubs."""
    tables.insert("known_paper", ((paper,) for paper in sorted(known.here)))
    per_key(partial(link_data_of, known.listed), _ENTITIES, TOUCHED)
    names = [name for (name,) in tables.select(_LISTED_NAMES)]
    tables.insert("listed_paper", (_listed_paper(name, known) for name in names))
    tables.execute(_CLAIMS)
    tables.execute(_OTHER_KINDS)
    per_key(introductions_of, _EVIDENCE, _TOUCHED)


def _listed_paper(name: str, known: KnownIntroductions) -> Row:
    paper = known.paper(name)
    return name, paper.id, paper.title, paper.date, paper.arxiv_id, float(paper.id in known.here)


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


def link_data_of(listed: IntroductionList, lexicon: Lexicon, rows: Iterable[Row]) -> Rows:  # noqa: ARG001
    """Return what the links to an entity depend on, from its row of `_ENTITIES`.

    This is whether its names are plain words and, for an entity on the list, its name there and
    its own names.
    """
    ((target, *cells),) = rows
    entity = entity_of((*cells, None))
    name = listed.name_of(entity)
    if name is None:
        return {"plain": [(target,) for _ in plain_entities([entity], listed=())]}
    return {
        "listed_as": [(target, name)],
        "listed_form": [(target, form, key(form)) for form in entity.names],
    }


def introductions_of(lexicon: Lexicon, rows: Iterable[Row]) -> Rows:
    """Return the introducers of an entity, from rows of `_EVIDENCE`."""
    (entity_row,), claims, named_as, listed, naming = _by_kind(rows)
    target, _, entity, type_, *_ = entity_row
    papers = [Paper(row[2], row[3], "", row[4], arxiv_id=row[5]) for row in listed]
    known = {entity: papers[0]} if papers else {}
    here = {row[2] for row in listed if row[-1]}
    other = in_other_sense(
        ((paper, entity, meant, form) for _, _, paper, meant, form, *_ in named_as),
        {entity: type_},
        lexicon.vocabulary,
    )
    claimed = (Relation(row[2], row[3], entity, row[-1], ()) for row in claims)
    corrected = apply_known_roles(claimed, {name: paper.id for name, paper in known.items()})
    relations = [claim for claim in corrected if (claim.paper, claim.entity) not in other]
    stubs, introduced = introductions(known, relations, here)
    stub_dates = {stub.id: date_of(stub) for stub in stubs}
    dates = stub_dates | {row[2]: row[4] for row in claims}
    years = {entity: {row[2]: int(row[-1]) for row in naming}}
    found = sole_introducers(relations, introduced, dates, years).values()
    return {
        "listed": [(target, paper.id) for paper in papers],
        "stub": [(stub.id, stub.title, stub.date, stub.arxiv_id) for stub in stubs],
        "introduction": [(one.paper, target, entity) for one in introduced],
        "introduced_by": [(target, paper, stub_dates.get(paper)) for paper in found],
    }


def _by_kind(rows: Iterable[Row]) -> tuple[list[Row], ...]:
    """Return the rows of `_EVIDENCE` of each kind, which is their second cell."""
    kinds: tuple[list[Row], ...] = ([], [], [], [], [])
    for row in rows:
        kinds[row[1]].append(row)
    return kinds
