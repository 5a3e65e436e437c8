"""The tables of types, roles and links agree with each other."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from citekg.schemas.vocabulary import (
    BASE_IRI,
    CITES,
    COMPARES_TO,
    INTRODUCES,
    LINK_OF_ROLE,
    LINKS,
    MENTIONS,
    ONTOLOGY,
    OUTPERFORMS,
    PREFIXES,
    ROLES,
    TYPES,
    USES,
    EntityType,
    LinkKind,
    Role,
)


def test_the_four_types_match_the_contract() -> None:
    assert list(TYPES) == ["Method", "Benchmark", "Model", "Dataset"]


def test_the_roles_match_the_contract() -> None:
    assert set(ROLES) == {
        "introduces", "uses", "extends", "evaluatesOn", "trainsOn", "comparesTo", "outperforms", "mentions",
    }  # fmt: skip


def test_the_links_match_the_contract() -> None:
    assert set(LINKS) == {"usesMethodIn", "usesDataFrom", "extends", "cites"}


@pytest.mark.parametrize("table", [TYPES, ROLES, LINKS])
def test_every_row_is_stored_under_its_own_name(
    table: dict[str, EntityType | Role | LinkKind],
) -> None:
    assert all(name == row.name and row.comment.endswith(".") for name, row in table.items())


@pytest.mark.parametrize("role", ROLES.values(), ids=lambda r: r.name)
def test_a_role_fits_known_types_and_has_a_known_parent(role: Role) -> None:
    assert set(role.fits) <= set(TYPES)
    assert role.fits
    assert role.parent is None or role.parent in ROLES


def test_outperforming_is_a_way_of_comparing_and_the_only_role_with_a_parent() -> None:
    assert {r.name: r.parent for r in ROLES.values() if r.parent} == {OUTPERFORMS: COMPARES_TO}


def test_the_strongest_claim_comes_first_and_the_weakest_last() -> None:
    assert next(iter(ROLES)) == INTRODUCES
    assert list(ROLES)[-1] == MENTIONS
    assert list(LINKS)[-1] == CITES


def test_a_background_mention_is_plain_schema_mentions_and_every_other_role_is_ours() -> None:
    assert ROLES[MENTIONS].iri == "https://schema.org/mentions"
    assert all(r.iri == ONTOLOGY + r.name for r in ROLES.values() if r.name != MENTIONS)


def test_links_are_cito_properties() -> None:
    assert LINKS["usesMethodIn"].iri == "http://purl.org/spar/cito/usesMethodIn"
    assert all(k.iri.startswith(PREFIXES["cito"]) for k in LINKS.values())


def test_classes_are_in_the_ontology() -> None:
    assert TYPES["Method"].iri == "https://w3id.org/citekg/ontology#Method"


def test_a_role_gives_a_known_link_only_for_a_type_that_it_fits() -> None:
    for (role, type_), kind in LINK_OF_ROLE.items():
        assert type_ in ROLES[role].fits, (role, type_)
        assert kind in LINKS


def test_data_is_used_from_and_methods_are_used_in() -> None:
    assert LINK_OF_ROLE[USES, "Method"] == LINK_OF_ROLE[USES, "Model"] == "usesMethodIn"
    assert (
        LINK_OF_ROLE[USES, "Dataset"] == LINK_OF_ROLE["evaluatesOn", "Benchmark"] == "usesDataFrom"
    )
    assert (COMPARES_TO, "Method") not in LINK_OF_ROLE
    assert (MENTIONS, "Method") not in LINK_OF_ROLE


def test_every_prefix_is_an_absolute_namespace_and_no_two_are_one() -> None:
    assert all(urlsplit(iri).netloc and iri[-1] in "/#" for iri in PREFIXES.values())
    assert len(set(PREFIXES.values())) == len(PREFIXES)
    assert PREFIXES["ckg"] == ONTOLOGY
    assert PREFIXES["ckgid"] == BASE_IRI
