"""Reading a paper: candidates, the decision, names, roles. The whole of extraction in one place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.generate import (
    ABBREVIATIONS,
    LAYERS,
    LEXICON,
    RULE_FINDERS,
    RULES,
    TAGGER,
    Candidate,
    generate_candidates,
)
from citekg.extractors.candidates.lexicon import Entry, Lexicon, shipped_lexicon
from citekg.extractors.classification import decoding
from citekg.extractors.classification.context_features import context_features
from citekg.extractors.classification.decoding import AcceptedEntity, HashedSoftmax, shipped_model
from citekg.extractors.classification.features import feature_columns
from citekg.extractors.classification.type_patterns import stated_type
from citekg.extractors.domain import Domain
from citekg.extractors.gold import TRAILING_HEADS
from citekg.extractors.nlp import Document, make_document
from citekg.extractors.roles import classifier
from citekg.extractors.roles.classifier import PredictedRole
from citekg.schemas.errors import ExtractionError
from citekg.schemas.names import key
from citekg.schemas.records import Extraction, Paper, PaperEntity
from citekg.schemas.vocabulary import DEFAULT, TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ExtractionPipeline:
    """Reads papers with a lexicon, trained weights and the layers that are switched on; `domain` is a schema's."""

    lexicon: Lexicon = field(default_factory=shipped_lexicon)
    entity_model: HashedSoftmax = field(default_factory=lambda: shipped_model("first", len(decoding.LABELS)))
    stacked_model: HashedSoftmax = field(default_factory=lambda: shipped_model("second", len(decoding.LABELS)))
    type_model: HashedSoftmax = field(default_factory=lambda: shipped_model("types", len(TYPES)))
    roles: HashedSoftmax = field(default_factory=lambda: shipped_model("roles", len(classifier.ROLE_LABELS)))
    layers: frozenset[str] = frozenset(LAYERS)
    domain: Domain | None = None

    def read(self, paper: Paper) -> Extraction:
        """Everything the paper names, in text order."""
        doc = make_document(paper)
        chosen = [c for c in self.accepted(doc, self.stacked_model.threshold) if not _is_umbrella(c)]
        things = _merge_coreferent(doc, chosen, self.lexicon)
        found = tuple(self._entity(doc, thing, len(things)) for thing in things)
        _check_spans(paper, found)
        return Extraction(paper, tuple(doc.sentence_span(n) for n in range(len(doc.sentences))), found)

    def accepted(self, doc: Document, threshold: float) -> list[AcceptedEntity]:
        """The entities whose probability reaches the threshold, umbrella terms included."""
        tagged = tagger.shipped_tagger().probabilities(doc) if TAGGER in self.layers else None
        spans = tagger.decode_spans(tagged) if tagged is not None else ()
        cues = self.domain.cues if self.domain else ()
        candidates = list(generate_candidates(doc, self.lexicon, self.layers, spans, cues).values())
        first = candidate_columns(doc, candidates, tagged)
        answers = self.entity_model.probabilities(first)
        second = stacked_columns(doc, candidates, first, answers)
        named = decoding.with_type_probabilities(
            self.stacked_model.probabilities(second), self.type_model.probabilities(first)
        )
        if self.domain is None:
            found = decoding.decode(doc, candidates, named, threshold)
            return [replace(each, type=stated_type(doc, each)) for each in found]
        decided = self.domain.with_schema_types(candidates, named)
        return self.domain.with_stated_types(
            doc, decoding.decode(doc, candidates, decided, threshold, self.domain.labels)
        )

    def _entity(self, doc: Document, chosen: AcceptedEntity, others: int) -> PaperEntity:
        surfaces = [doc.span_text(*span) for span in chosen.spans]
        name, entry = _canonical_name(chosen, surfaces)
        return PaperEntity(
            key=entry.key if entry else key(name),
            name=entry.name if entry else name,
            type=chosen.type,
            spans=tuple((doc.starts[a], doc.ends[b - 1]) for a, b in chosen.spans),
            surfaces=tuple(sorted(set(surfaces))),
            roles=tuple((r.role, round(r.confidence, 2), r.spans) for r in self._roles(doc, chosen, others)),
            layer=_layer(chosen),
            confidence=round(chosen.confidence, 2),
        )

    def _roles(self, doc: Document, chosen: AcceptedEntity, others: int) -> Iterable[PredictedRole]:
        if self.domain is None:
            return classifier.predict_roles(doc, chosen, others, self.roles, DEFAULT.fitting(chosen.type))
        return self.domain.roles(doc, chosen, others, self.roles)


def candidate_columns(doc: Document, candidates: list[Candidate], tagged: NDArray[np.float32] | None) -> list[set[int]]:
    """The weight columns of every candidate's own features."""
    known = {span: c.entry.type for c in candidates if c.entry for span in c.spans}
    rows = tagged.tolist() if tagged is not None else None
    return [feature_columns(doc, candidate, known, rows) for candidate in candidates]


def stacked_columns(
    doc: Document, candidates: list[Candidate], first: list[set[int]], answers: NDArray[np.float32]
) -> list[set[int]]:
    """The same columns, and those of each candidate's company after the first answers."""
    company = context_features(doc, candidates, answers)
    return [own | decoding.hash_features(texts) for own, texts in zip(first, company, strict=True)]


def _merge_coreferent(doc: Document, found: list[AcceptedEntity], lexicon: Lexicon) -> list[AcceptedEntity]:
    """The entities of a paper, those that turn out to be one thing (a plural, an alias) put together."""
    by_key: dict[str, list[AcceptedEntity]] = defaultdict(list)
    for chosen in found:
        name, entry = _canonical_name(chosen, [doc.span_text(*span) for span in chosen.spans])
        by_key[entry.key if entry else key(name)].append(chosen)
    alike: dict[tuple[str, bool], list[AcceptedEntity]] = defaultdict(list)
    form_of: dict[tuple[str, bool], tuple[str, bool]] = {}
    for name_key, same in sorted(by_key.items(), key=lambda named: -len(named[1][0].candidates)):
        two_things = {name_key, head_stripped_key(name_key)} <= lexicon.entries.keys()
        is_data = lexicon.vocabulary.is_data(_most_confident(same).type)
        bare = name_key if two_things else head_stripped_key(name_key)
        thing = form_of.get((bare, is_data), (bare, is_data))
        alike[thing] += same
        form_of.update(
            {(head_stripped_key(c.key), is_data): thing for each in same for c in each.candidates if not two_things}
        )
    return sorted((_merge(same) for same in alike.values()), key=lambda c: c.spans[0])


def head_stripped_key(name_key: str) -> str:
    """A key without trailing heads and plural, by which one paper's spellings of a thing are told to be one."""
    words = name_key.split("-")
    while len(words) > 1 and words[-1] in TRAILING_HEADS:
        words.pop()
    last = words[-1]
    words[-1] = last[:-1] if len(last) > 3 and last.endswith("s") and not last.endswith("ss") else last
    return "-".join(words)


def _merge(same: list[AcceptedEntity]) -> AcceptedEntity:
    best = _most_confident(same)
    candidates = [candidate for c in [best, *(c for c in same if c is not best)] for candidate in c.candidates]
    return AcceptedEntity(candidates, sorted(span for c in same for span in c.spans), best.type, best.confidence)


def _most_confident(same: list[AcceptedEntity]) -> AcceptedEntity:
    return max(same, key=lambda c: (c.confidence, -c.spans[0][0]))


def _is_umbrella(chosen: AcceptedEntity) -> bool:
    """Whether the entity is a term too wide to be reported."""
    return any(c.entry is not None and c.entry.umbrella for c in chosen.candidates)


def _canonical_name(chosen: AcceptedEntity, surfaces: list[str]) -> tuple[str, Entry | None]:
    """The fullest form that the text gives, and the lexicon's entry for the thing, if it is the same thing."""
    long = [c for c in chosen.candidates if c.is_long] or chosen.candidates
    fullest = max(long, key=lambda c: (len(c.key), c.key))
    name = _best_spelling([s for s in surfaces if key(s) == fullest.key] or surfaces)
    entry = fullest.entry or _entry_of_short_form(chosen.candidates, fullest)
    return name, entry


def _entry_of_short_form(candidates: list[Candidate], fullest: Candidate) -> Entry | None:
    """What the lexicon knows under the short form, unless the text defines it as something else."""
    for candidate in candidates:
        entry = candidate.entry
        if entry and (not fullest.is_long or entry.may_stand_for(fullest.key)):
            return entry
    return None


def _best_spelling(surfaces: list[str]) -> str:
    counted = Counter(surfaces)
    return min(counted, key=lambda s: (-counted[s], s.islower(), s))


def _layer(chosen: AcceptedEntity) -> str:
    """The layer that an entity is credited to, of those that found it."""
    finders = {f for c in chosen.candidates for f in c.finders}
    others = sorted(finders.difference(LAYERS, RULE_FINDERS))
    return next((layer for layer in (ABBREVIATIONS, LEXICON, *others, TAGGER) if layer in finders), RULES)


def _check_spans(paper: Paper, found: tuple[PaperEntity, ...]) -> None:
    """Every span lies in the text, spells one of its surfaces and touches no other: checked once for all."""
    end_before = 0
    for start, end, entity in sorted(((a, b, e) for e in found for a, b in e.spans), key=lambda abe: abe[:2]):
        if not end_before <= start < end <= len(paper.text) or paper.text[start:end] not in entity.surfaces:
            raise ExtractionError(
                f"paper {paper.id!r}: the span {start}:{end} of {entity.name!r} is no free slice of its text"
            )
        end_before = end
