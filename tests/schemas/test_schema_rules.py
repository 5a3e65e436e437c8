"""The rules of a user-defined vocabulary, and the errors for a vocabulary that breaks them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import DEFAULT, EntityType, Role, Vocabulary

DRUG = EntityType("Drug", "drug", "Drugs", "What is given.", "Method")
CURES = Role("cures", "cures", ("Drug",), "It heals.")


def extended_vocabulary(
    *, types: tuple[EntityType, ...] = (), roles: tuple[Role, ...] = (), **more: Any
) -> Vocabulary:
    return Vocabulary(
        (*DEFAULT.entity_types, DRUG, *types), (*DEFAULT.paper_roles, CURES, *roles), **more
    )


def test_a_valid_vocabulary_is_accepted() -> None:
    vocabulary = extended_vocabulary(namespaces=(("med", "https://med.example/#"),))
    assert [*vocabulary.types][-1] == "Drug"
    assert [*vocabulary.roles][-1] == "cures"
    assert vocabulary.type_of_iri[DRUG.iri] == "Drug"
    assert vocabulary.role_of_iri[CURES.iri] == "cures"


def test_a_type_is_data_if_the_type_that_it_is_like_is_data() -> None:
    vocabulary = extended_vocabulary(types=(replace(DRUG, name="Trial", like="Dataset"),))
    assert [vocabulary.is_data(name) for name in ("Drug", "Trial", "Benchmark", "Model")] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("reported", "fault"),
    [
        ({"types": (DRUG,)}, "has two terms 'Drug'"),
        ({"types": (replace(DRUG, name="DRUG"),)}, "has two terms"),
        ({"types": (replace(DRUG, name="cures"),)}, "has two terms"),
        ({"roles": (replace(CURES, name="Cures"),)}, "has two terms"),
        ({"types": (replace(DRUG, name="a b"),)}, "has an unsafe IRI"),
        ({"types": (replace(DRUG, name="X", namespace="no namespace"),)}, "has an unsafe IRI"),
        ({"types": (replace(DRUG, name="X", like="Thing"),)}, "declares that X is like 'Thing'"),
        ({"types": (replace(DRUG, name="X", link="likes"),)}, "gives X the link 'likes'"),
        (
            {"roles": (replace(CURES, name="heals", fits=("Drug", "Pill")),)},
            "declares that heals fits Pill",
        ),
        ({"roles": (replace(CURES, name="heals", parent="helps"),)}, "puts heals below helps"),
        ({"roles": (replace(CURES, name="heals", parent="heals"),)}, "puts heals below heals"),
        ({"namespaces": (("1x", "https://med.example/#"),)}, "unsafe or reserved prefix, 1x"),
        ({"namespaces": (("ckg", "https://med.example/#"),)}, "unsafe or reserved prefix, ckg"),
        ({"namespaces": (("med", "https://med.example/<#"),)}, "unsafe or reserved prefix, med"),
    ],
)
def test_the_error_for_an_invalid_vocabulary_states_the_broken_rule(
    reported: dict[str, Any], fault: str
) -> None:
    with pytest.raises(GraphError, match=fault):
        extended_vocabulary(**reported)


@pytest.mark.parametrize("role", ["introduces", "uses", "mentions"])
def test_a_vocabulary_must_have_the_roles_from_which_links_are_derived(role: str) -> None:
    roles = tuple(r for r in DEFAULT.paper_roles if r.name != role)
    with pytest.raises(GraphError, match=f"lacks the role {role}"):
        Vocabulary(DEFAULT.entity_types, roles)
