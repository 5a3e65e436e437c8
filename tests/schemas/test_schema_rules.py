"""What a vocabulary of one's own must keep to, and what it is reported where it does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from citekg.schemas.errors import GraphError
from citekg.schemas.vocabulary import DEFAULT, EntityType, Role, Vocabulary

DRUG = EntityType("Drug", "drug", "Drugs", "What is given.", "Method")
CURES = Role("cures", "cures", ("Drug",), "It heals.")


def own(
    *, types: tuple[EntityType, ...] = (), roles: tuple[Role, ...] = (), **more: Any
) -> Vocabulary:
    return Vocabulary(
        (*DEFAULT.entity_types, DRUG, *types), (*DEFAULT.paper_roles, CURES, *roles), **more
    )


def test_a_valid_vocabulary_is_accepted() -> None:
    vocabulary = own(namespaces=(("med", "https://med.example/#"),))
    assert [*vocabulary.types][-1] == "Drug"
    assert [*vocabulary.roles][-1] == "cures"
    assert vocabulary.type_of_iri[DRUG.iri] == "Drug"
    assert vocabulary.role_of_iri[CURES.iri] == "cures"


def test_a_type_is_data_as_what_it_is_like_is() -> None:
    vocabulary = own(types=(replace(DRUG, name="Trial", like="Dataset"),))
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
def test_the_error_of_a_vocabulary_that_breaks_a_rule_states_which(
    reported: dict[str, Any], fault: str
) -> None:
    with pytest.raises(GraphError, match=fault):
        own(**reported)


@pytest.mark.parametrize("role", ["introduces", "uses", "mentions"])
def test_every_vocabulary_has_the_roles_that_links_need(role: str) -> None:
    roles = tuple(r for r in DEFAULT.paper_roles if r.name != role)
    with pytest.raises(GraphError, match=f"lacks the role {role}"):
        Vocabulary(DEFAULT.entity_types, roles)
