"""Mentions that extraction left: where a text holds, as written, an alias that a person has decided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from citekg.curation.decisions.kinds import Alias, Decisions
from citekg.schemas.names import key
from citekg.schemas.records import Extraction, PaperEntity
from citekg.schemas.vocabulary import MENTIONS

LAYER: Final = "decisions"
_SURE: Final = 1.0


def with_aliases(readings: Sequence[Extraction], decisions: Decisions) -> list[Extraction]:
    """The readings, each with the aliases that stand free in its text and that nothing else was found in.

    An alias has the type that most papers take the thing for; of a thing that no paper names, nothing is told.
    """
    typed = [(d.alias, type_) for d in decisions.of(Alias) if (type_ := _type_of(d.name, readings))]
    longest_first = sorted(dict(typed).items(), key=lambda alias: (-len(alias[0]), alias[0]))
    return [_alias_spans(reading, longest_first) for reading in readings] if typed else list(readings)


def _type_of(name: str, readings: Iterable[Extraction]) -> str | None:
    called = key(name)
    found = (e for r in readings for e in r.entities if called in {e.key, key(e.name), *map(key, e.surfaces)})
    counted = Counter(e.type for e in found)
    return min(counted, key=lambda type_: (-counted[type_], type_)) if counted else None


def _alias_spans(reading: Extraction, aliases: Iterable[tuple[str, str]]) -> Extraction:
    taken = [span for entity in reading.entities for span in entity.spans]
    found: list[PaperEntity] = []
    for alias, type_ in aliases:
        spans = tuple(span for span in _places(alias, reading.paper.text) if _is_free(span, taken))
        taken += spans
        if spans:
            roles = ((MENTIONS, _SURE, tuple(range(len(spans)))),)
            found.append(PaperEntity(key(alias), alias, type_, spans, (alias,), roles, LAYER, _SURE))
    return replace(reading, entities=(*reading.entities, *found)) if found else reading


def _places(alias: str, text: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rf"(?<!\w){re.escape(alias)}(?!\w)", text):
        yield match.span()


def _is_free(span: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in taken)
