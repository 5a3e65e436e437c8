"""Extraction of reported results: the values of a text, and the fillers of their slots.

Values are read in text order. For each one the chooser decides whether it is a result and of which
kind, then its metric, its direction and its names; the answers for earlier values are features of
later ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from citekg.extractors.nlp import Document
from citekg.extractors.results import features
from citekg.extractors.results.choice import Chooser, Option
from citekg.extractors.results.earlier_levels import earlier_level
from citekg.extractors.results.features import DraftResult, NameCandidate, ResultContext
from citekg.extractors.results.value_sentences import Phrase, ValueSentence, make_value_sentences
from citekg.extractors.results.values import find_values, measure_of
from citekg.extractors.wording.results import MEASURES, UNNAMED_RIVALS, VERSUS_WORDS
from citekg.schemas.metrics import lower_is_better
from citekg.schemas.records import CHANGE, DOWN, SCORE, UP, PaperEntity

#: The tasks of the chooser, in the order of its questions.
KIND, METRIC, DIRECTION, SYSTEM, ON, VERSUS = (
    "kind",
    "metric",
    "direction",
    "system",
    "on",
    "versus",
)
#: The content of the option for the paper's own, unnamed work.
OURS: Final = None
#: Maximum number of items between a value and a phrase that may be its metric.
_MAX_GAP: Final = 24
#: Maximum number of words of a phrase that names a rival or a system.
_MAX_WORDS: Final = 5


def find_results(
    doc: Document,
    entities: Sequence[PaperEntity],
    mentions: Sequence[Sequence[tuple[int, int]]],
    chooser: Chooser,
) -> ResultContext:
    """Return the results of a document; `mentions` are the token spans of each of its entities."""
    values = find_values(doc.text)
    sentences = make_value_sentences(doc, values, mentions) if values else []
    context = ResultContext(doc, entities, mentions, values, sentences)
    for sentence in sentences:
        earlier: set[int] = set()
        for number in sorted(sentence.position):
            if number in earlier:
                continue
            draft = _read_kind(context, sentence, number, chooser)
            if draft:
                earlier |= _read_earlier_level(context, sentence, draft)
                _read_metric(context, sentence, draft, chooser)
                _read_direction(context, sentence, draft, chooser)
                _read_names(context, sentence, draft, chooser)
                context.found.append(draft)
    return context


def _read_kind(
    context: ResultContext, sentence: ValueSentence, number: int, chooser: Chooser
) -> DraftResult | None:
    own = features.kind_features(context, sentence, number)
    kinds = (SCORE,) if context.values[number].previous else (SCORE, CHANGE)
    options = [Option("", ())] + [Option(k, [f"{k}|{f}" for f in own]) for k in kinds]
    answer = chooser.choose(KIND, number, options)
    kind = options[answer.option].content
    return (
        DraftResult(sentence.index, number, kind, probability=answer.probability) if kind else None
    )


def _read_earlier_level(
    context: ResultContext, sentence: ValueSentence, draft: DraftResult
) -> set[int]:
    """Set the earlier level of a score; return the number of its value, which is no result."""
    end = context.doc.sentence_span(sentence.index)[1]
    level = (
        earlier_level(context.doc.text, context.values, draft.number, end)
        if draft.kind == SCORE
        else None
    )
    if level is None:
        return set()
    draft.previous = context.values[level].start, context.values[level].end
    return {level}


# --- metric and direction -------------------------------------------------------------------------


def _read_metric(
    context: ResultContext, sentence: ValueSentence, draft: DraftResult, chooser: Chooser
) -> None:
    options = [Option(("", None), features.no_metric_features(context, sentence, draft))]
    places = features.phrase_lists(sentence)
    for phrase, order in _phrases_near(sentence, sentence.position[draft.number]):
        key = " ".join(phrase.words)
        span = (sentence.items[phrase.first].first, sentence.items[phrase.last - 1].last)
        own = features.metric_features(context, sentence, draft, phrase, (*order, *places[phrase]))
        options.append(Option((key, span), own))
    value = context.values[draft.number]
    if value.kind in ("measure", "rate") or measure_of(value.unit):
        own = features.unit_metric_features(context, draft)
        options.append(Option((value.unit.lower(), UNIT), own))
    for earlier in _earlier_metrics(context, draft):
        own = features.earlier_metric_features(context, draft, earlier)
        options.append(Option((earlier.metric_key, earlier.metric), own))
    answer = chooser.choose(METRIC, draft.number, options)
    draft.metric_key, draft.metric = options[answer.option].content
    draft.probability *= answer.probability


#: The token span of a metric that is the unit of the value.
UNIT: Final = (-1, -1)


def _phrases_near(sentence: ValueSentence, at: int) -> Iterator[tuple[Phrase, tuple[int, int]]]:
    """Yield the phrases near an item, each with the numbers of measures and phrases between."""
    left = [p for p in sentence.phrases if p.last <= at and at - p.last <= _MAX_GAP]
    right = [p for p in sentence.phrases if p.first > at and p.first - at <= _MAX_GAP]
    for side in (left[::-1], right):
        measures = 0
        for n, phrase in enumerate(side):
            yield phrase, (measures, n)
            measures += phrase.words[-1] in MEASURES


def _earlier_metrics(context: ResultContext, draft: DraftResult) -> Iterator[DraftResult]:
    """Yield the last result of an earlier sentence that has a metric, if any."""
    for earlier in reversed(context.found):
        if earlier.sentence != draft.sentence and earlier.metric_key:
            yield earlier
            return


def _read_direction(
    context: ResultContext, sentence: ValueSentence, draft: DraftResult, chooser: Chooser
) -> None:
    if draft.kind != CHANGE:
        return
    lower = lower_is_better(draft.metric_key) if draft.metric_key else None
    own = features.direction_features(context, sentence, draft, lower)
    options = [Option(DOWN, ()), Option(UP, own)]
    answer = chooser.choose(DIRECTION, draft.number, options)
    draft.direction = options[answer.option].content
    draft.probability *= answer.probability


# --- names ----------------------------------------------------------------------------------------


def _read_names(
    context: ResultContext, sentence: ValueSentence, draft: DraftResult, chooser: Chooser
) -> None:
    at = sentence.position[draft.number]
    here = _names_here(sentence, at)
    far = _names_elsewhere(context, sentence, {c.entity for c in here})
    rivals, subjects = _rival_phrases(sentence), _subject_phrases(sentence, at)
    described = {
        c: features.name_features(context, sentence, draft, c)
        for c in (*here, *far, *rivals, *subjects)
    }
    _read_system(context, sentence, draft, chooser, [*here, *far, *rivals, *subjects], described)
    taken = {c.entity for c in draft.systems if c.entity >= 0}
    places = [c for c in (*here, *far) if c.entity not in taken and _may_be_measured_on(context, c)]
    sets = [*_sets_here(sentence, places), *_sets_far(context, places)]
    draft.on = _choose_set(ON, context, sentence, draft, chooser, sets, described)
    taken.update(c.entity for c in draft.on)
    sets = _sets_here(
        sentence, [c for c in (*here, *rivals) if c.entity not in taken or c.entity < 0]
    )
    before = draft.probability
    draft.versus = _choose_set(VERSUS, context, sentence, draft, chooser, sets, described)
    draft.probability = before


#: A set of names that may fill a slot together.
NameSet = tuple[NameCandidate, ...]


def _choose_set(
    task: str,
    context: ResultContext,
    sentence: ValueSentence,
    draft: DraftResult,
    chooser: Chooser,
    sets: Sequence[NameSet],
    described: dict[NameCandidate, list[str]],
) -> list[NameCandidate]:
    options = [Option((), features.no_name_features(task, context, sentence, draft))]
    options += (
        Option(names, features.set_features(context, sentence, draft, names, described[names[0]]))
        for names in sets
    )
    answer = chooser.choose(task, draft.number, options)
    draft.probability *= answer.probability
    return list(options[answer.option].content)


def _sets_here(sentence: ValueSentence, candidates: Sequence[NameCandidate]) -> list[NameSet]:
    """Return each candidate of a sentence alone, and those that are coordinated together."""
    here = [c for c in candidates if c.position >= 0]
    alone: list[NameSet] = [(c,) for c in here]
    groups: dict[int, list[NameCandidate]] = {}
    for c in sorted(here, key=lambda c: c.position):
        if c.entity >= 0:
            groups.setdefault(sentence.list_of(c.position)[0], []).append(c)
    phrases = [c for c in here if c.entity < 0]
    joined = [tuple(group) for group in groups.values() if len(group) > 1]
    if len(phrases) > 1:
        joined.append(tuple(phrases))
    return alone + joined


def _sets_far(context: ResultContext, candidates: Sequence[NameCandidate]) -> list[NameSet]:
    """Return each candidate of another sentence alone, those named together, and earlier sets."""
    far = [c for c in candidates if c.position < 0]
    alone: list[NameSet] = [(c,) for c in far]
    by_sentence: dict[int, list[NameCandidate]] = {}
    for c in far:
        by_sentence.setdefault(context.doc.sentence_of[c.span[0]], []).append(c)
    joined = [tuple(group) for group in by_sentence.values() if len(group) > 1]
    known = {c.entity: c for c in candidates}
    for earlier in context.found[-1:]:
        names = tuple(known[c.entity] for c in earlier.on if c.entity in known)
        if len(names) > 1 and len(names) == len(earlier.on) and names not in joined:
            joined.append(names)
    return alone + joined


def _may_be_measured_on(context: ResultContext, candidate: NameCandidate) -> bool:
    """Return whether a value may be measured on a candidate; in another sentence, only on data."""
    return candidate.position >= 0 or context.entities[candidate.entity].type in (
        "Benchmark",
        "Dataset",
    )


def _read_system(
    context: ResultContext,
    sentence: ValueSentence,
    draft: DraftResult,
    chooser: Chooser,
    candidates: Sequence[NameCandidate],
    described: dict[NameCandidate, list[str]],
) -> None:
    options = [Option(OURS, features.own_features(context, sentence, draft))]
    options += (Option(c, described[c]) for c in candidates)
    answer = chooser.choose(SYSTEM, draft.number, options)
    chosen = options[answer.option].content
    if chosen is not OURS:
        draft.systems.append(chosen)


def _names_here(sentence: ValueSentence, at: int) -> list[NameCandidate]:
    """Return the entities of a sentence, each where it is nearest to the value."""
    nearest: dict[int, int] = {}
    for position in sentence.names:
        entity = sentence.items[position].number
        known = nearest.get(entity)
        if known is None or abs(position - at) < abs(known - at):
            nearest[entity] = position
    return [
        NameCandidate(n, p, p + 1, (sentence.items[p].first, sentence.items[p].last))
        for n, p in nearest.items()
    ]


def _names_elsewhere(
    context: ResultContext, sentence: ValueSentence, here: set[int]
) -> list[NameCandidate]:
    """Return the entities of other sentences that may be the system or what it is measured on."""
    end = context.doc.sentences[sentence.index][1]
    return [
        NameCandidate(n, -1, -1, context.mentions[n][0])
        for n in range(len(context.entities))
        if n not in here and (n in context.introduced or context.mentions[n][0][0] < end)
    ]


def _rival_phrases(sentence: ValueSentence) -> list[NameCandidate]:
    """Return the phrases after words of comparison that no entity covers."""
    out: list[NameCandidate] = []
    for phrase in sentence.phrases:
        cue = next(
            (
                i
                for i in range(phrase.first - 1, max(-1, phrase.first - 4), -1)
                if sentence.items[i].text in VERSUS_WORDS
            ),
            None,
        )
        linked = (
            out
            and out[-1].last < phrase.first
            and all(
                i.text in {",", "and", "or"} for i in sentence.items[out[-1].last : phrase.first]
            )
        )
        if (cue is not None or linked) and not _is_unnamed(phrase):
            out.append(_phrase_candidate(sentence, phrase))
    return out


def _subject_phrases(sentence: ValueSentence, at: int) -> list[NameCandidate]:
    """Return the phrase at the beginning of the sentence, if no entity covers it."""
    for phrase in sentence.phrases[:3]:
        if phrase.last <= at and not _is_unnamed(phrase) and phrase.first <= 6:
            return [_phrase_candidate(sentence, phrase)]
    return []


def _is_unnamed(phrase: Phrase) -> bool:
    words = phrase.words
    return len(words) > _MAX_WORDS or all(w in UNNAMED_RIVALS or w in MEASURES for w in words)


def _phrase_candidate(sentence: ValueSentence, phrase: Phrase) -> NameCandidate:
    items = sentence.items
    span = (items[phrase.first].first, items[phrase.last - 1].last)
    return NameCandidate(-1, phrase.first, phrase.last, span)
