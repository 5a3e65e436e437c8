"""What papers call things, as rows: all that linking has to know of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.linking.name_tables import Row
from citekg.schemas.names import key
from citekg.schemas.records import Extraction, PaperEntity
from citekg.schemas.vocabulary import INTRODUCES

_CAPITALS: Final = re.compile(r"(?=(?:.*[A-ZΑ-Ω]){2})\S+|[A-Z][^\Wa-z]*\S?")
_UNDATED: Final = "~"


def rows_of(readings: Iterable[Extraction], shard: int = 0) -> dict[str, list[Row]]:
    """The rows of these papers by the table they go to: `named`, `short_form`, `surface`.

    `named` holds the one short form that the paper gives the thing, or an empty text where it gives none or several.
    """
    rows: dict[str, list[Row]] = {"named": [], "short_form": [], "surface": []}
    for reading in readings:
        paper, since = reading.paper.id, _since(reading)
        for entity in reading.entities:
            shorts = sorted(_short_forms(entity))
            only = shorts[0] if len(shorts) == 1 else ""
            named = (entity.key, entity.name, entity.type, only, int(_is_introduced(entity)))
            rows["named"].append((shard, paper, since, *named))
            rows["short_form"] += ((paper, entity.key, short) for short in shorts)
            rows["surface"] += ((paper, entity.key, form) for form in entity.surfaces)
    return rows


def _since(reading: Extraction) -> str:
    """What sorts papers by age, those without a date last."""
    return f"{reading.paper.date or _UNDATED}\t{reading.paper.id}"


def _short_forms(entity: PaperEntity) -> Iterator[str]:
    """The keys of the short forms, one word with capitals, that the paper gives an entity beside its name."""
    longest = max((len(key(surface)) for surface in entity.surfaces), default=0)
    for short in {key(surface) for surface in entity.surfaces if _CAPITALS.fullmatch(surface)}:
        if short != entity.key and len(short) < min(longest, len(entity.key)):
            yield short


def _is_introduced(entity: PaperEntity) -> bool:
    """Whether the paper says that the thing is its own, so that the name is no short form of another's."""
    return any(role == INTRODUCES for role, _, _ in entity.roles)
