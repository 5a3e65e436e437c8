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
    RULED,
    RULES,
    TAGGER,
    Candidate,
    gather,
)
from citekg.extractors.candidates.lexicon import Entry, Lexicon, shipped
from citekg.extractors.classification import decoding
from citekg.extractors.classification.context_features import company_features
from citekg.extractors.classification.decoding import Chosen, Weights, shipped_weights
from citekg.extractors.classification.features import feature_columns
from citekg.extractors.classification.type_patterns import called
from citekg.extractors.domain import Domain
from citekg.extractors.gold import TRAILING
from citekg.extractors.nlp import Document, document
from citekg.extractors.roles import classifier
from citekg.extractors.roles.classifier import RoleFound
from citekg.schemas.errors import ExtractionError
from citekg.schemas.names import key
from citekg.schemas.records import Paper, PaperEntity, Reading
from citekg.schemas.vocabulary import DEFAULT, TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Reader:
    """Reads papers with a lexicon, trained weights and the layers that are switched on; `domain` is a schema's."""

    lexicon: Lexicon = field(default_factory=shipped)
    first: Weights = field(default_factory=lambda: shipped_weights("first", len(decoding.ANSWERS)))
    second: Weights = field(default_factory=lambda: shipped_weights("second", len(decoding.ANSWERS)))
    types: Weights = field(default_factory=lambda: shipped_weights("types", len(TYPES)))
    roles: Weights = field(default_factory=lambda: shipped_weights("roles", len(classifier.ANSWERS)))
    layers: frozenset[str] = frozenset(LAYERS)
    domain: Domain | None = None

    def read(self, paper: Paper) -> Reading:
        """Everything the paper names, in text order."""
        doc = document(paper)
        chosen = [c for c in self.chosen(doc, self.second.threshold) if not _umbrella(c)]
        things = _one_each(doc, chosen, self.lexicon)
        found = tuple(self._entity(doc, thing, len(things)) for thing in things)
        _check(paper, found)
        return Reading(paper, tuple(doc.sentence_span(n) for n in range(len(doc.sentences))), found)

    def chosen(self, doc: Document, threshold: float) -> list[Chosen]:
        """The entities whose probability reaches the threshold, umbrella terms included."""
        tagged = tagger.shipped().probabilities(doc) if TAGGER in self.layers else None
        spans = tagger.spans(tagged) if tagged is not None else ()
        cues = self.domain.cues if self.domain else ()
        candidates = list(gather(doc, self.lexicon, self.layers, spans, cues).values())
        first = first_columns(doc, candidates, tagged)
        answers = self.first.probabilities(first)
        second = second_columns(doc, candidates, first, answers)
        named = decoding.typed(self.second.probabilities(second), self.types.probabilities(first))
        if self.domain is None:
            found = decoding.choose(doc, candidates, named, threshold)
            return [replace(each, type=called(doc, each)) for each in found]
        decided = self.domain.decided(candidates, named)
        return self.domain.called(doc, decoding.choose(doc, candidates, decided, threshold, self.domain.answers))

    def _entity(self, doc: Document, chosen: Chosen, others: int) -> PaperEntity:
        surfaces = [doc.span_text(*span) for span in chosen.spans]
        name, entry = _name(chosen, surfaces)
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

    def _roles(self, doc: Document, chosen: Chosen, others: int) -> Iterable[RoleFound]:
        if self.domain is None:
            return classifier.roles(doc, chosen, others, self.roles, DEFAULT.fitting(chosen.type))
        return self.domain.roles(doc, chosen, others, self.roles)


def first_columns(doc: Document, candidates: list[Candidate], tagged: NDArray[np.float32] | None) -> list[set[int]]:
    """The weight columns of every candidate's own features."""
    known = {span: c.entry.type for c in candidates if c.entry for span in c.spans}
    rows = tagged.tolist() if tagged is not None else None
    return [feature_columns(doc, candidate, known, rows) for candidate in candidates]


def second_columns(
    doc: Document, candidates: list[Candidate], first: list[set[int]], answers: NDArray[np.float32]
) -> list[set[int]]:
    """The same columns, and those of each candidate's company after the first answers."""
    company = company_features(doc, candidates, answers)
    return [own | decoding.columns(texts) for own, texts in zip(first, company, strict=True)]


def _one_each(doc: Document, found: list[Chosen], lexicon: Lexicon) -> list[Chosen]:
    """The entities of a paper, those that turn out to be one thing (a plural, an alias) put together."""
    by_key: dict[str, list[Chosen]] = defaultdict(list)
    for chosen in found:
        name, entry = _name(chosen, [doc.span_text(*span) for span in chosen.spans])
        by_key[entry.key if entry else key(name)].append(chosen)
    alike: dict[tuple[str, bool], list[Chosen]] = defaultdict(list)
    form_of: dict[tuple[str, bool], tuple[str, bool]] = {}
    for name_key, same in sorted(by_key.items(), key=lambda named: -len(named[1][0].candidates)):
        two_things = {name_key, bare_key(name_key)} <= lexicon.entries.keys()
        is_data = lexicon.vocabulary.is_data(_surest(same).type)
        bare = name_key if two_things else bare_key(name_key)
        thing = form_of.get((bare, is_data), (bare, is_data))
        alike[thing] += same
        form_of.update({(bare_key(c.key), is_data): thing for each in same for c in each.candidates if not two_things})
    return sorted((_together(same) for same in alike.values()), key=lambda c: c.spans[0])


def bare_key(name_key: str) -> str:
    """A key without trailing heads and plural, by which one paper's spellings of a thing are told to be one."""
    words = name_key.split("-")
    while len(words) > 1 and words[-1] in TRAILING:
        words.pop()
    last = words[-1]
    words[-1] = last[:-1] if len(last) > 3 and last.endswith("s") and not last.endswith("ss") else last
    return "-".join(words)


def _together(same: list[Chosen]) -> Chosen:
    best = _surest(same)
    candidates = [candidate for c in [best, *(c for c in same if c is not best)] for candidate in c.candidates]
    return Chosen(candidates, sorted(span for c in same for span in c.spans), best.type, best.confidence)


def _surest(same: list[Chosen]) -> Chosen:
    return max(same, key=lambda c: (c.confidence, -c.spans[0][0]))


def _umbrella(chosen: Chosen) -> bool:
    """Whether the entity is a term too wide to be reported."""
    return any(c.entry is not None and c.entry.umbrella for c in chosen.candidates)


def _name(chosen: Chosen, surfaces: list[str]) -> tuple[str, Entry | None]:
    """The fullest form that the text gives, and the lexicon's entry for the thing, if it is the same thing."""
    long = [c for c in chosen.candidates if c.is_long] or chosen.candidates
    fullest = max(long, key=lambda c: (len(c.key), c.key))
    name = _best_spelling([s for s in surfaces if key(s) == fullest.key] or surfaces)
    entry = fullest.entry or _entry_of_short(chosen.candidates, fullest)
    return name, entry


def _entry_of_short(candidates: list[Candidate], fullest: Candidate) -> Entry | None:
    """What the lexicon knows under the short form, unless the text defines it as something else."""
    for candidate in candidates:
        entry = candidate.entry
        if entry and (not fullest.is_long or entry.may_be(fullest.key)):
            return entry
    return None


def _best_spelling(surfaces: list[str]) -> str:
    counted = Counter(surfaces)
    return min(counted, key=lambda s: (-counted[s], s.islower(), s))


def _layer(chosen: Chosen) -> str:
    """The layer that an entity is credited to, of those that found it."""
    finders = {f for c in chosen.candidates for f in c.finders}
    others = sorted(finders.difference(LAYERS, RULED))
    return next((layer for layer in (ABBREVIATIONS, LEXICON, *others, TAGGER) if layer in finders), RULES)


def _check(paper: Paper, found: tuple[PaperEntity, ...]) -> None:
    """Every span lies in the text, spells one of its surfaces and touches no other: checked once for all."""
    end_before = 0
    for start, end, entity in sorted(((a, b, e) for e in found for a, b in e.spans), key=lambda abe: abe[:2]):
        if not end_before <= start < end <= len(paper.text) or paper.text[start:end] not in entity.surfaces:
            raise ExtractionError(
                f"paper {paper.id!r}: the span {start}:{end} of {entity.name!r} is no free slice of its text"
            )
        end_before = end
