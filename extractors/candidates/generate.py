"""Candidate generation: every spelling of a document that may name an entity, with all its spans.

The pipeline classifies a candidate once per document, not once per mention: evaluation and the
graph are about the entities that *the paper* names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from citekg.extractors.candidates import abbreviations, surface_forms
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.patterns import Cue, match_cues
from citekg.extractors.candidates.plugins import checked_proposals
from citekg.extractors.candidates.senses import is_called_method, is_used_in_another_sense
from citekg.extractors.candidates.tagger import LikelySpans
from citekg.extractors.nlp import Document, indices_where
from citekg.extractors.wording.head_nouns import COINED_KIND_NOUNS, KIND_NOUNS
from citekg.schemas.names import key
from citekg.schemas.vocabulary import BENCHMARK, DATASET, Vocabulary

ABBREVIATIONS, LEXICON, RULES, TAGGER = "abbreviations", "lexicon", "rules", "tagger"
#: The layers that can be switched on and off; plug-ins add further ones.
LAYERS = (ABBREVIATIONS, LEXICON, RULES, TAGGER)
#: Nouns that may follow a known name, which then names the same entity.
_FOLLOWING_NOUNS: Final = KIND_NOUNS | COINED_KIND_NOUNS
#: The finders of the layer of rules.
RULE_FINDERS = WRITTEN, PHRASE, CUE = "written", "phrase", "cue"

_URL: Final = re.compile(
    r"(?:https?://|www\.|(?<!\w)(?:github|huggingface)\.(?:com|co|io)/)[^\s(){}]+"
)
#: Every URL contains one of these.
_URL_SIGNS: Final = ("://", "www.", "github.", "huggingface.")


@dataclass
class Candidate:
    """A spelling with its token spans, the finders that proposed it and its lexicon entry.

    `prefix_type` is the type of the lexicon names with the same first token, if they agree.
    `partners` are the keys of the long forms (or short forms) that the text defines for it.
    `cue_types` are the types that the cues of a schema give it, each with its confidence. For an
    elided name, `name` is the complete name, and `like` the key of the full name before it.
    `is_learnt` marks one that the learnt tagger proposes as a name of a schema's type.
    """

    key: str
    spans: list[tuple[int, int]] = field(default_factory=list)
    finders: set[str] = field(default_factory=set)
    entry: Entry | None = None
    prefix_type: str = ""
    is_short: bool = False
    is_long: bool = False
    partners: set[str] = field(default_factory=set)
    cue_types: dict[str, float] = field(default_factory=dict)
    name: str = ""
    like: str = ""
    is_learnt: bool = False


def generate_candidates(
    doc: Document,
    lexicon: Lexicon,
    layers: frozenset[str],
    tagged: Iterable[tuple[int, int]] = (),
    cues: Iterable[Cue] = (),
    learnt: Iterable[tuple[int, int]] = (),
    *,
    likely: LikelySpans | None = None,
    drop_generic: bool = True,
) -> dict[str, Candidate]:
    """Return the candidate entities of a document, keyed by normalised name.

    `tagged` are the token spans of the tagger, `cues` those of a schema, and `learnt` the token
    spans of names of a schema's types. Known non-entities are removed. `drop_generic` also removes
    generic phrases, places, tools and robots; training keeps them as negative examples.
    `likely` are the token spans that may be names that only the rules propose, or None for all.
    """
    found = _proposed_by_layers(doc, lexicon, layers)
    for span in filter(None, (surface_forms.trim(doc, span) for span in tagged)):
        _add(found, doc, span, TAGGER)
    for span in learnt:
        _add(found, doc, span, TAGGER).is_learnt = True
    if RULES in layers:
        _add_from_cues(found, doc, cues)
        _add_from_rules(found, doc, likely)
    _add_all_occurrences(doc, found)
    _drop_parts_of_longer_names(doc, found)
    found = _drop_spans_in_urls_and_formulas(doc, found)
    found.pop("", None)  # a blank span is not a name
    for candidate in found.values():
        if LEXICON in layers:
            candidate.prefix_type = lexicon.prefix_type(doc.span_text(*candidate.spans[0]))
            if (
                candidate.entry
                and not lexicon.vocabulary.is_data(candidate.entry.type)
                and is_used_in_another_sense(doc, candidate.spans)
            ):
                candidate.entry = None
    kept = {
        name: c
        for name, c in found.items()
        if c.entry or c.cue_types or c.is_learnt or not _is_known_non_entity(doc, c, found)
    }
    return {
        name: c for name, c in kept.items() if not (drop_generic and _is_generic_or_place(doc, c))
    }


def _proposed_by_layers(
    doc: Document, lexicon: Lexicon, layers: frozenset[str]
) -> dict[str, Candidate]:
    """Return the candidates of all layers except the rules and the tagger."""
    found: dict[str, Candidate] = {}
    if LEXICON in layers:
        _add_from_lexicon(found, doc, lexicon)
    if ABBREVIATIONS in layers:
        _add_abbreviations(found, doc)
    for name in sorted(layers.difference(LAYERS)):
        _add_from_plugin(found, doc, name, lexicon.vocabulary)
    return found


def _is_known_non_entity(doc: Document, candidate: Candidate, found: dict[str, Candidate]) -> bool:
    """Return whether a candidate outside the lexicon is known not to be an entity.

    This includes names of the lexicon with a head noun after them.
    """
    first, last = candidate.spans[0]
    if candidate.partners:
        forms = (candidate, *(found[name] for name in candidate.partners if name in found))
        return not any(c.entry for c in forms) and any(
            c.is_long and _is_long_non_entity(doc, c.spans[0]) for c in forms
        )
    if (
        surface_forms.is_known_non_entity(doc, (first, last))
        or surface_forms.is_all_caps_title(doc, candidate.spans)
        or surface_forms.is_emphasised_word(doc, candidate.spans)
        or all(surface_forms.ends_in_prefix(doc, span) for span in candidate.spans)
    ):
        return True
    if doc.span_text(first, last).islower() and surface_forms.has_non_entity_head(
        doc, (first, last)
    ):
        return True
    while (
        last - first > 1
        and doc.lower[last - 1] in _FOLLOWING_NOUNS
        and not surface_forms.ends_in_coined_part(doc, last)
    ):
        last -= 1
        end = surface_forms.end_before_suffix(doc, (first, last))
        bare = found.get(key(doc.span_text(first, end)))
        if bare and bare.entry and (doc.lower[last] in KIND_NOUNS or _is_coined(doc, first, end)):
            return True
    return False


def _is_long_non_entity(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether a long form denotes a measure, a device or an organisation."""
    return surface_forms.has_non_entity_head(doc, span) or surface_forms.is_organisation(
        doc.span_text(*span)
    )


def _is_coined(doc: Document, first: int, last: int) -> bool:
    return not doc.span_text(first, last).islower()


def _is_generic_or_place(doc: Document, candidate: Candidate) -> bool:
    """Return whether a candidate is a generic phrase, a robot, a place or a tool.

    Candidates of the lexicon, of cues and of definitions are exempt.
    """
    if candidate.entry or candidate.cue_types or candidate.partners or candidate.is_learnt:
        return False
    if doc.span_text(*candidate.spans[0]).islower() and surface_forms.is_generic_method(
        doc, candidate.spans[0]
    ):
        return True
    return surface_forms.is_place_or_tool(doc, candidate.spans[0]) or surface_forms.is_robot(
        doc, candidate.spans
    )


def _add(
    found: dict[str, Candidate], doc: Document, span: tuple[int, int], finder: str
) -> Candidate:
    name = key(doc.span_text(*span))
    candidate = found.get(name)
    if candidate is None:
        candidate = found[name] = Candidate(name)
    candidate.spans.append(span)
    candidate.finders.add(finder)
    return candidate


def _add_from_cues(found: dict[str, Candidate], doc: Document, cues: Iterable[Cue]) -> None:
    for span, cue in match_cues(doc, cues):
        cue_types = _add(found, doc, span, CUE).cue_types
        cue_types[cue.type] = max(cue.confidence, cue_types.get(cue.type, 0.0))


def _add_from_rules(found: dict[str, Candidate], doc: Document, likely: LikelySpans | None) -> None:
    """Add the names of the spelling rules.

    With likely spans, only names that have one are new candidates. Only names that begin with the
    first word of a likely span or of another candidate are searched.
    """
    known, begins = {*found}, None
    if likely:
        firsts = {first for candidate in found.values() for first, _ in candidate.spans}
        begins = {doc.lower[first] for first in firsts.union(likely.starts())}
    for span in surface_forms.written_names(doc, begins):
        _add(found, doc, span, WRITTEN)
    for span in surface_forms.technique_phrases(doc, begins):
        _add(found, doc, span, PHRASE)
    if likely:
        for name in found.keys() - known:
            if not any(map(likely.may_be_name, found[name].spans)):
                del found[name]


def _add_from_lexicon(found: dict[str, Candidate], doc: Document, lexicon: Lexicon) -> None:
    for hit in lexicon.find(doc.text):
        span = doc.token_span(hit.start, hit.end)
        if span:
            _add(found, doc, span, LEXICON).entry = hit.entry


def _add_abbreviations(found: dict[str, Candidate], doc: Document) -> None:
    for long, short in _definition_spans(doc):
        long_form, short_form = (
            _add(found, doc, long, ABBREVIATIONS),
            _add(found, doc, short, ABBREVIATIONS),
        )
        long_form.is_long = short_form.is_short = True
        long_form.partners.add(short_form.key)
        short_form.partners.add(long_form.key)
    for candidate in found.values():
        if (
            candidate.is_short
            and candidate.entry
            and _is_defined_otherwise(doc, candidate, candidate.entry)
        ):
            candidate.entry = None


def _is_defined_otherwise(doc: Document, short: Candidate, entry: Entry) -> bool:
    """Return whether the text expands a short form differently from its entry.

    Entries with a context condition allow less difference. Data without a long form are something
    else if the text calls the short form a method.
    """
    has_long_form = any(" " in name for name in (entry.name, *entry.aliases))
    if entry.type in (BENCHMARK, DATASET) and not has_long_form:
        return is_called_method(doc, short.spans)
    is_possible = entry.may_stand_for if entry.context else entry.resembles
    return not any(map(is_possible, short.partners))


def _add_from_plugin(
    found: dict[str, Candidate], doc: Document, layer: str, vocabulary: Vocabulary
) -> None:
    """Add the proposals of a plug-in; one with a type counts like a name of the lexicon."""
    for proposal in checked_proposals(layer, doc.paper, vocabulary):
        span = _original_token_span(doc, proposal.start, proposal.end)
        if span:
            candidate = _add(found, doc, span, layer)
            if proposal.type and candidate.entry is None:
                candidate.entry = Entry(doc.span_text(*span), proposal.type)


def _definition_spans(doc: Document) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for definition in abbreviations.definitions(doc.cleaned):
        long, short = doc.token_span(*definition.long), doc.token_span(*definition.short)
        if long and short:
            yield long, short


def _add_all_occurrences(doc: Document, found: dict[str, Candidate]) -> None:
    """Give each candidate all spans that are spelled like one of its own, in order."""
    spelled = {
        doc.words[a:b]: candidate for candidate in found.values() for a, b in candidate.spans
    }
    lengths: dict[str, set[int]] = {}
    for words in spelled:
        lengths.setdefault(words[0], set()).add(len(words))
    spans_of: dict[str, set[tuple[int, int]]] = {name: set() for name in found}
    for i in indices_where(lengths.__contains__, doc.words):
        for length in lengths[doc.words[i]]:
            candidate = spelled.get(doc.words[i : i + length])
            if candidate and i + length <= len(doc.words):
                spans_of[candidate.key].add((i, i + length))
    for name, candidate in found.items():
        candidate.spans = sorted(spans_of[name])


def _drop_parts_of_longer_names(doc: Document, found: dict[str, Candidate]) -> None:
    """Leave out the spans of known names inside hyphenated names, if other spans remain.

    In a text on Kite and Kite-Mini, only the mentions of Kite alone tell whether it is an entity.
    """
    spans = {span for candidate in found.values() for span in candidate.spans}
    for candidate in found.values():
        if candidate.entry and len(candidate.spans) > 1:
            free = [each for each in candidate.spans if not _is_hyphenated(doc, each, spans)]
            candidate.spans = free or candidate.spans


def _is_hyphenated(doc: Document, span: tuple[int, int], spans: set[tuple[int, int]]) -> bool:
    """Return whether a hyphen joins a span to a part that makes it a longer one of the spans.

    A suffix makes no longer name: "Kite-based".
    """
    first, last = span
    if doc.words[first - 1 : first] == ("-",):
        return any((low, last) in spans for low in range(max(first - 4, 0), first - 1))
    if doc.words[last : last + 1] != ("-",) or last + 1 == len(doc.words):
        return False
    is_suffix = surface_forms.end_before_suffix(doc, (first, last + 2)) == last
    return not is_suffix and any((first, end) in spans for end in range(last + 2, last + 5))


def _drop_spans_in_urls_and_formulas(
    doc: Document, found: dict[str, Candidate]
) -> dict[str, Candidate]:
    """Return the candidates without spans inside URLs and formulas.

    A name may contain a whole formula, but not a part of one. Candidates without other spans are
    dropped.
    """
    excluded = [*doc.formulas]
    if any(sign in doc.text for sign in _URL_SIGNS):
        excluded += (match.span() for match in _URL.finditer(doc.text))
    for candidate in found.values() if excluded else ():
        candidate.spans = [
            (first, last)
            for first, last in candidate.spans
            if not any(
                _is_inside_or_splits(doc.starts[first], doc.ends[last - 1], *each)
                for each in excluded
            )
        ]
    return {name: candidate for name, candidate in found.items() if candidate.spans}


def _is_inside_or_splits(start: int, end: int, low: int, high: int) -> bool:
    """Return whether the span `start:end` lies inside the span `low:high`, or splits it."""
    return (low <= start and end <= high) or low < start < high or low < end < high


def _original_token_span(doc: Document, start: int, end: int) -> tuple[int, int] | None:
    """Return the token span of a span of the original text, or None if it splits a token."""
    tokens = [i for (a, b), i in doc.original_token_spans.items() if start <= a and b <= end]
    if not tokens:
        return None
    first, last = min(tokens), max(tokens)
    edges = doc.original_span(doc.starts[first], doc.ends[last])
    return (first, last + 1) if edges == (start, end) else None
