"""Match extracted entities with the gold entities of a paper; each entity becomes one case.

An extracted entity is right if it shares a surface form with a gold entity and has its type, or
another type that the annotation accepts. Optional annotations are not counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from citekg.evaluation.annotations import Annotated
from citekg.extractors.candidates.generate import RULE_FINDERS, RULES
from citekg.extractors.gold import GoldEntity, align_entities, normalise
from citekg.schemas.records import Extraction, PaperEntity
from citekg.schemas.vocabulary import COMPARES_TO, OUTPERFORMS

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline

Verdict = Literal["right", "type", "miss", "extra", "optional"]
#: The layer of each rule-based finder.
_LAYER: Final = dict.fromkeys(RULE_FINDERS, RULES)


@dataclass(frozen=True)
class Case:
    """An entity that was annotated, found, or both; `layers` proposed the annotated one."""

    paper: str
    sentence: str
    gold: GoldEntity | None
    found: PaperEntity | None
    layers: frozenset[str] = frozenset()

    @property
    def verdict(self) -> Verdict:
        """`right`, wrong `type`, `miss`, `extra`, or `optional` (not counted)."""
        if self.gold is None:
            return "extra"
        if self.gold.optional:
            return "optional"
        if self.found is None:
            return "miss"
        return "right" if self.found.type in (self.gold.type, *self.gold.other_types) else "type"

    @property
    def gold_role(self) -> str:
        """The annotated role, or an empty string."""
        return _folded(self.gold.role) if self.gold else ""

    @property
    def accepted_roles(self) -> frozenset[str]:
        """The annotated role and the further ones that are equally right."""
        if self.gold is None:
            return frozenset()
        return frozenset(map(_folded, (self.gold.role, *self.gold.other_roles))) - {""}

    @property
    def roles(self) -> frozenset[str]:
        """The roles found; outperforming counts as comparing."""
        return frozenset(_folded(role) for role, _, _ in (self.found.roles if self.found else ()))

    @property
    def right_roles(self) -> frozenset[str]:
        """The roles found that the annotation accepts."""
        return self.roles & self.accepted_roles

    @property
    def role_is_found(self) -> bool:
        """Whether the annotated role is found, or only further ones that are equally right."""
        return self.gold_role in self.roles or (
            bool(self.roles) and self.roles <= self.accepted_roles
        )


def _folded(role: str) -> str:
    return COMPARES_TO if role == OUTPERFORMS else role


def match_entities(
    annotated: Annotated,
    extraction: Extraction,
    proposed: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> Iterator[Case]:
    """Yield the cases of one paper; `proposed` maps normalised forms to the proposing layers."""
    paired = dict(align_entities(annotated.gold, extraction.entities))
    for i, gold in enumerate(annotated.gold):
        layers = frozenset(layer for form in gold.forms for layer in proposed.get(form, ()))
        entity = extraction.entities[paired[i]] if i in paired else None
        sentence = sentence_at(extraction, _offset(extraction, gold, entity))
        yield Case(annotated.paper.id, sentence, gold, entity, layers)
    for j, entity in enumerate(extraction.entities):
        if j not in paired.values():
            yield Case(
                annotated.paper.id, sentence_at(extraction, entity.spans[0][0]), None, entity
            )


def proposing_layers(annotated: Annotated, reader: ExtractionPipeline) -> dict[str, frozenset[str]]:
    """Return the layers that proposed a candidate in the paper, by its normalised form."""
    draft = reader.run(annotated.paper, until="propose")
    layers: dict[str, set[str]] = defaultdict(set)
    for candidate in draft.candidates:
        layers[normalise(draft.doc.span_text(*candidate.spans[0]))].update(
            _LAYER.get(f, f) for f in candidate.finders
        )
    return {form: frozenset(names) for form, names in layers.items()}


def sentence_at(extraction: Extraction, offset: int) -> str:
    """Return the sentence at an offset (in code points), with white space normalised."""
    around = next(
        ((a, b) for a, b in extraction.sentences if a <= offset < b),
        (0, len(extraction.paper.text)),
    )
    return " ".join(extraction.paper.text[slice(*around)].split())


def _offset(extraction: Extraction, gold: GoldEntity, found: PaperEntity | None) -> int:
    if found:
        return found.spans[0][0]
    return min((at for at in map(extraction.paper.text.find, gold.surfaces) if at >= 0), default=0)
