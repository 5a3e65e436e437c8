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
def test_every_row_is_keyed_by_its_name_and_has_a_comment(
    table: dict[str, EntityType | Role | LinkKind],
) -> None:
    assert all(name == row.name and row.comment.endswith(".") for name, row in table.items())


@pytest.mark.parametrize("role", ROLES.values(), ids=lambda r: r.name)
def test_a_role_fits_known_types_and_has_a_known_parent(role: Role) -> None:
    assert set(role.fits) <= set(TYPES)
    assert role.fits
    assert role.parent is None or role.parent in ROLES


def test_outperforms_is_the_only_role_with_a_parent_which_is_compares_to() -> None:
    assert {r.name: r.parent for r in ROLES.values() if r.parent} == {OUTPERFORMS: COMPARES_TO}


def test_introduces_is_the_first_role_and_mentions_and_cites_are_last() -> None:
    assert next(iter(ROLES)) == INTRODUCES
    assert list(ROLES)[-1] == MENTIONS
    assert list(LINKS)[-1] == CITES


def test_mentions_is_a_schema_org_property_and_other_roles_are_citekg_properties() -> None:
    assert ROLES[MENTIONS].iri == "https://schema.org/mentions"
    assert all(r.iri == ONTOLOGY + r.name for r in ROLES.values() if r.name != MENTIONS)


def test_links_are_cito_properties() -> None:
    assert LINKS["usesMethodIn"].iri == "http://purl.org/spar/cito/usesMethodIn"
    assert all(k.iri.startswith(PREFIXES["cito"]) for k in LINKS.values())


def test_the_iri_of_a_type_is_in_the_citekg_namespace() -> None:
    assert TYPES["Method"].iri == "https://w3id.org/citekg/ontology#Method"


def test_roles_are_mapped_to_known_links_only_for_types_that_they_fit() -> None:
    for (role, type_), kind in LINK_OF_ROLE.items():
        assert type_ in ROLES[role].fits, (role, type_)
        assert kind in LINKS


def test_links_distinguish_the_use_of_data_from_the_use_of_methods() -> None:
    assert LINK_OF_ROLE[USES, "Method"] == LINK_OF_ROLE[USES, "Model"] == "usesMethodIn"
    assert (
        LINK_OF_ROLE[USES, "Dataset"] == LINK_OF_ROLE["evaluatesOn", "Benchmark"] == "usesDataFrom"
    )
    assert (COMPARES_TO, "Method") not in LINK_OF_ROLE
    assert (MENTIONS, "Method") not in LINK_OF_ROLE


def test_prefixes_are_distinct_absolute_namespaces() -> None:
    assert all(urlsplit(iri).netloc and iri[-1] in "/#" for iri in PREFIXES.values())
    assert len(set(PREFIXES.values())) == len(PREFIXES)
    assert PREFIXES["ckg"] == ONTOLOGY
    assert PREFIXES["ckgid"] == BASE_IRI
