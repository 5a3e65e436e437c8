"""Reading a paper: candidates, the decision, names, roles. The whole of extraction in one place."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from extractors import deciding, roles, tagger
from extractors.candidates import LAYERS, TAGGER, Candidate, gather
from extractors.deciding import Chosen, Weights, shipped_weights
from extractors.features import features
from extractors.lexicon import Entry, Lexicon, shipped
from extractors.nlp import Document, document
from schemas.errors import ExtractionError
from schemas.names import key
from schemas.records import Paper, PaperEntity, Reading


@dataclass(frozen=True)
class Reader:
    """Reads papers with a lexicon, trained weights and the layers that are switched on."""

    lexicon: Lexicon = field(default_factory=shipped)
    deciding: Weights = field(default_factory=lambda: shipped_weights("deciding", len(deciding.ANSWERS)))
    roles: Weights = field(default_factory=lambda: shipped_weights("roles", len(roles.ANSWERS)))
    layers: frozenset[str] = frozenset(LAYERS)

    def read(self, paper: Paper) -> Reading:
        """Everything the paper names, in text order."""
        doc = document(paper)
        entities = _one_each(doc, [c for c in self.chosen(doc, self.deciding.threshold) if not _umbrella(c)])
        found = tuple(self._entity(doc, chosen, len(entities)) for chosen in entities)
        _check(paper, found)
        return Reading(paper, tuple(doc.sentence_span(n) for n in range(len(doc.sentences))), found)

    def chosen(self, doc: Document, threshold: float) -> list[Chosen]:
        """The entities whose probability reaches the threshold, umbrella terms included."""
        tagged = tagger.shipped().probabilities(doc) if TAGGER in self.layers else None
        spans = tagger.spans(tagged) if tagged is not None else ()
        candidates = list(gather(doc, self.lexicon, self.layers, spans).values())
        known = {span: c.entry.type for c in candidates if c.entry for span in c.spans}
        scored = []
        for candidate in candidates:
            found = deciding.columns(features(doc, candidate, known, tagged))
            scored.append((candidate, [float(p) for p in self.deciding.probabilities(found)]))
        return deciding.choose(doc, scored, threshold)

    def _entity(self, doc: Document, chosen: Chosen, others: int) -> PaperEntity:
        surfaces = [doc.span_text(*span) for span in chosen.spans]
        name, entry = _name(chosen, surfaces)
        return PaperEntity(
            key=entry.key if entry else key(name),
            name=entry.name if entry else name,
            type=chosen.type,
            spans=tuple((doc.starts[a], doc.ends[b - 1]) for a, b in chosen.spans),
            surfaces=tuple(sorted(set(surfaces))),
            roles=tuple(
                (r.role, round(r.confidence, 2), r.spans) for r in roles.roles(doc, chosen, others, self.roles)
            ),
            layer=_layer(chosen),
            confidence=round(chosen.confidence, 2),
        )


def _one_each(doc: Document, found: list[Chosen]) -> list[Chosen]:
    """The entities of a paper, those that turn out to be one thing (a plural, an alias) put together."""
    by_key: dict[str, list[Chosen]] = defaultdict(list)
    for chosen in found:
        name, entry = _name(chosen, [doc.span_text(*span) for span in chosen.spans])
        by_key[entry.key if entry else key(name)].append(chosen)
    for name_key in sorted(by_key):
        if name_key.endswith("s") and name_key[:-1] in by_key:
            by_key[name_key[:-1]] += by_key.pop(name_key)
    return sorted((_together(same) for same in by_key.values()), key=lambda c: c.spans[0])


def _together(same: list[Chosen]) -> Chosen:
    best = max(same, key=lambda c: (c.confidence, -c.spans[0][0]))
    candidates = [candidate for c in [best, *(c for c in same if c is not best)] for candidate in c.candidates]
    return Chosen(candidates, sorted(span for c in same for span in c.spans), best.type, best.confidence)


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
        if entry and (not fullest.is_long or _share_words(entry.key, fullest.key)):
            return entry
    return None


def _share_words(one: str, other: str) -> bool:
    a, b = set(one.split("-")), set(other.split("-"))
    return 2 * len(a & b) >= min(len(a), len(b)) + 1


def _best_spelling(surfaces: list[str]) -> str:
    counted = Counter(surfaces)
    return min(counted, key=lambda s: (-counted[s], s.islower(), s))


def _layer(chosen: Chosen) -> str:
    finders = {f for c in chosen.candidates for f in c.finders}
    for layer in ("abbreviations", "lexicon", "tagger"):
        if layer in finders:
            return layer
    return "rules"


def _check(paper: Paper, found: tuple[PaperEntity, ...]) -> None:
    """Every span lies in the text, spells one of its surfaces and touches no other: checked once, for every extractor."""
    end_before = 0
    for start, end, entity in sorted(((a, b, e) for e in found for a, b in e.spans), key=lambda abe: abe[:2]):
        if not end_before <= start < end <= len(paper.text) or paper.text[start:end] not in entity.surfaces:
            raise ExtractionError(f"paper {paper.id!r}: the span {start}:{end} of {entity.name!r} is no free slice of its text")
        end_before = end
