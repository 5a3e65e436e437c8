"""The rows that a paper adds to the linking tables: its names, short forms and surface forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.linking.name_tables import Row
from citekg.schemas.names import is_elided, key
from citekg.schemas.records import Extraction, PaperEntity
from citekg.schemas.vocabulary import INTRODUCES

_CAPITALS: Final = re.compile(r"(?=(?:.*[A-ZΑ-Ω]){2})\S+|[A-Z][^\Wa-z]*\S?")
_UNDATED: Final = "~"


def make_rows(extractions: Iterable[Extraction], shard: int = 0) -> dict[str, list[Row]]:
    """Return the rows of these papers by table: `paper_name`, `short_form`, `surface_form`.

    The first column is the number of a shard. The column `short` holds the only short form that the
    paper gives the entity, or an empty text if there is none or more than one.
    """
    rows: dict[str, list[Row]] = {"paper_name": [], "short_form": [], "surface_form": []}
    for extraction in extractions:
        paper, since = extraction.paper.id, _age_key(extraction)
        for entity in extraction.entities:
            shorts = sorted(_short_forms(entity))
            only_short = shorts[0] if len(shorts) == 1 else ""
            name_cells = (
                entity.key,
                entity.name,
                entity.type,
                only_short,
                int(_is_introduced(entity)),
            )
            rows["paper_name"].append((shard, paper, since, *name_cells))
            rows["short_form"] += ((shard, paper, entity.key, short) for short in shorts)
            written = (form for form in entity.surfaces if not is_elided(form))
            rows["surface_form"] += ((shard, paper, entity.key, form) for form in written)
    return rows


def _age_key(extraction: Extraction) -> str:
    """Return a text that sorts papers by date, those without a date last."""
    return f"{extraction.paper.date or _UNDATED}\t{extraction.paper.id}"


def _short_forms(entity: PaperEntity) -> Iterator[str]:
    """Yield the keys of the single-word, capitalised short forms of an entity, without its name."""
    longest = max((len(key(surface)) for surface in entity.surfaces), default=0)
    for short in {key(surface) for surface in entity.surfaces if _CAPITALS.fullmatch(surface)}:
        if short != entity.key and len(short) < min(longest, len(entity.key)):
            yield short


def _is_introduced(entity: PaperEntity) -> bool:
    """Return whether the paper introduces the entity; its name is then not a short form."""
    return any(role == INTRODUCES for role, _, _ in entity.roles)
