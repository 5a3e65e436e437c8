"""Values of results as numbers with a unit."""

from __future__ import annotations

import pytest

from citekg.schemas.quantities import Quantity, parse_quantity


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("47.3\\%", Quantity(47.3, 47.3, "%")),
        ("30-40%", Quantity(30, 40, "%")),
        ("67%-77%", Quantity(67, 77, "%")),
        ("10x to 20x", Quantity(10, 20, "x")),
        ("-2.5 dB", Quantity(-2.5, -2.5, "db")),
        ("+4.3 points", Quantity(4.3, 4.3, "points")),
        ("3,000", Quantity(3000, 3000)),
        ("0.91", Quantity(0.91, 0.91)),
        ("two orders of magnitude", None),
    ],
)
def test_a_value_is_parsed_into_a_number_or_a_range_and_a_unit(
    text: str, quantity: Quantity | None
) -> None:
    assert parse_quantity(text) == quantity
