"""Names of organisations before the name of an entity: "OpenAI HumanEval" is HumanEval."""

from __future__ import annotations

from typing import Final

from citekg.schemas.names.words import MAKERS

_MIN_CAPITALS: Final = 2


def without_maker(surface: str) -> str:
    """Return a name without the organisation before it, or an empty text if there is none.

    The remaining name must have a digit or two capitals; otherwise it may be a common word.

    >>> without_maker("OpenAI HumanEval"), without_maker("Google Search"), without_maker("BERT")
    ('HumanEval', '', '')
    """
    maker, _, name = surface.strip().partition(" ")
    if maker.lower().removesuffix("'s").removesuffix("\u2019s") not in MAKERS:
        return ""
    capitals = sum(map(str.isupper, name))
    return name if capitals >= _MIN_CAPITALS or any(map(str.isdigit, name)) else ""
