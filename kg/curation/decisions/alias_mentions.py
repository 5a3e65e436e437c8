"""Mentions of aliases from decisions that extraction missed, found by exact string match."""

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
_CERTAIN: Final = 1.0


def add_alias_mentions(extractions: Sequence[Extraction], decisions: Decisions) -> list[Extraction]:
    """Return the extractions with a mention for each whole-word occurrence of an alias.

    Occurrences that overlap another mention are left out. An alias has the most frequent type of
    its entity in the papers; if no paper names the entity, the alias has no mentions.
    """
    typed = [
        (d.alias, type_) for d in decisions.of(Alias) if (type_ := _type_of(d.name, extractions))
    ]
    longest_first = sorted(dict(typed).items(), key=lambda alias: (-len(alias[0]), alias[0]))
    return (
        [_alias_spans(extraction, longest_first) for extraction in extractions]
        if typed
        else list(extractions)
    )


def _type_of(name: str, extractions: Iterable[Extraction]) -> str | None:
    wanted = key(name)
    found = (
        e
        for r in extractions
        for e in r.entities
        if wanted in {e.key, key(e.name), *map(key, e.surfaces)}
    )
    counts = Counter(e.type for e in found)
    return min(counts, key=lambda type_: (-counts[type_], type_)) if counts else None


def _alias_spans(extraction: Extraction, aliases: Iterable[tuple[str, str]]) -> Extraction:
    covered = [span for entity in extraction.entities for span in entity.spans]
    found: list[PaperEntity] = []
    for alias, type_ in aliases:
        spans = tuple(
            span for span in _occurrences(alias, extraction.paper.text) if _is_free(span, covered)
        )
        covered += spans
        if spans:
            roles = ((MENTIONS, _CERTAIN, tuple(range(len(spans)))),)
            found.append(
                PaperEntity(key(alias), alias, type_, spans, (alias,), roles, LAYER, _CERTAIN)
            )
    return replace(extraction, entities=(*extraction.entities, *found)) if found else extraction


def _occurrences(alias: str, text: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rf"(?<!\w){re.escape(alias)}(?!\w)", text):
        yield match.span()


def _is_free(span: tuple[int, int], covered: Iterable[tuple[int, int]]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in covered)
