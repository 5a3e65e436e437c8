"""The months as dates and BibTeX abbreviate them."""

from __future__ import annotations

from typing import Final

#: The first three letters of the English names, in order.
MONTHS: Final = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
