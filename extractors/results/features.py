"""Features of the questions about a value: its kind, and the fillers of its slots.

Each feature is a short string. Those of a candidate describe the candidate, and the text between it
and the value; no feature depends on a confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from citekg.extractors.nlp import Document
from citekg.extractors.results.value_sentences import NAME, VALUE, WORD, Item, Phrase, ValueSentence
from citekg.extractors.results.values import Value
from citekg.extractors.wording.results import (
    CHANGE_WORDS,
    CLAUSE_BREAKS,
    MEASURES,
    OWN_SUBJECTS,
    REPORT_WORDS,
    SIZES,
    UNNAMED_RIVALS,
    VERSUS_WORDS,
)
from citekg.schemas.metrics import lower_is_better
from citekg.schemas.records import PaperEntity
from citekg.schemas.vocabulary import COMPARES_TO, EVALUATES_ON, INTRODUCES

_LEFT, _RIGHT = 8, 6
_NONE: Final = Item("", "|", 0, 0, -1, opens=False)


class NameCandidate(NamedTuple):
    """A candidate of a slot for names: an entity, or a phrase that no entity covers.

    `entity` is the number of the entity, or -1. `position` is its item in the sentence of
    the value, or -1 if it is elsewhere. `span` is a token range.
    """

    entity: int
    position: int
    last: int
    span: tuple[int, int]


@dataclass
class DraftResult:
    """A result under construction: its sentence, its value, and the answers so far.

    `previous` is the character span of an earlier level after the value.
    """

    sentence: int
    number: int
    kind: str
    direction: str = ""
    metric: tuple[int, int] | None = None
    metric_key: str = ""
    on: list[NameCandidate] = field(default_factory=list)
    systems: list[NameCandidate] = field(default_factory=list)
    versus: list[NameCandidate] = field(default_factory=list)
    previous: tuple[int, int] | None = None
    probability: float = 1.0


@dataclass
class ResultContext:
    """The inputs of the features of a paper: the document, its entities and the results so far."""

    doc: Document
    entities: Sequence[PaperEntity]
    mentions: Sequence[Sequence[tuple[int, int]]]
    values: Sequence[Value]
    sentences: Sequence[ValueSentence]
    found: list[DraftResult] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.roles = [{role for role, _, _ in e.roles} for e in self.entities]
        self.introduced = [n for n, roles in enumerate(self.roles) if INTRODUCES in roles]
        self.descriptions = [self._describe(n) for n in range(len(self.entities))]

    def _describe(self, n: int) -> str:
        roles = self.roles[n]
        role = next((r for r in (INTRODUCES, EVALUATES_ON, COMPARES_TO) if r in roles), "other")
        return f"{self.entities[n].type[:1]}.{role[:5]}"


def _at(items: Sequence[Item], i: int) -> Item:
    return items[i] if 0 <= i < len(items) else _NONE


def _bucket(n: int) -> str:
    return str(n) if n < 4 else "5" if n < 6 else "9" if n < 10 else "20" if n < 20 else "99"


# --- kind -----------------------------------------------------------------------------------------


def kind_features(context: ResultContext, sentence: ValueSentence, number: int) -> list[str]:
    """Return the features that indicate whether a value is a result, and of which kind."""
    value, items = context.values[number], sentence.items
    at = sentence.position[number]
    unit = value.kind
    b1, b2, b3 = (_at(items, at - k).text for k in (1, 2, 3))
    a1, a2, a3 = (_at(items, at + k).text for k in (1, 2, 3))
    out = [
        "bias",
        f"u={unit}",
        f"U={value.unit}",
        f"s={value.shape}",
        f"us={unit},{value.shape}",
        f"b1={b1}",
        f"b2={b2}",
        f"b3={b3}",
        f"a1={a1}",
        f"a2={a2}",
        f"a3={a3}",
        f"bb={b2} {b1}",
        f"aa={a1} {a2}",
        f"ba={b1} {a1}",
        f"ub={unit},{b1}",
        f"ubb={unit},{b2} {b1}",
        f"ua={unit},{a1}",
    ]
    first, last, _ = sentence.list_of(at)
    lb, la = _at(items, first - 1), _at(items, last + 1)
    lb2, la2 = _at(items, first - 2), _at(items, last + 2)
    out += [
        f"lb={unit},{lb.text}",
        f"la={unit},{la.text}",
        f"lbb={_class(lb2)} {_class(lb)}",
        f"laa={_class(la)} {_class(la2)}",
        f"lc={unit},{_class(lb)},{_class(la)}",
        f"near={unit},{_nearest(items, first - 1, -1)}",
        f"near={unit},{_nearest(items, last + 1, 1)}r",
        f"near2={_nearest(items, first - 1, -1)},{_nearest(items, last + 1, 1)}",
        f"pv={_since_last(context, sentence, at)}",
    ]
    out += _window(items, at - 1, -1, _LEFT, f"L{unit}")
    out += _window(items, at + 1, 1, _RIGHT, f"R{unit}")
    out += _around(context, sentence, number, at)
    return out


def _nearest(items: Sequence[Item], start: int, step: int) -> str:
    """Return the class of the nearest word of change or report on one side, and how near it is."""
    for distance in range(8):
        item = _at(items, start + step * distance)
        kind = CHANGE_WORDS.get(item.text) or ("report" if item.text in REPORT_WORDS else "")
        if kind:
            return f"{kind},{min(distance, 4)}"
        if item is _NONE or item.text in {";", "while"}:
            break
    return ""


def _since_last(context: ResultContext, sentence: ValueSentence, at: int) -> str:
    """Return the words between the previous result and a value, if few, and the result's kind."""
    if not context.found or context.found[-1].sentence != sentence.index:
        return ""
    before = sentence.position[context.found[-1].number]
    between = sentence.items[before + 1 : at]
    if len(between) > 7:
        return "far"
    signs = [
        "n" if i.kind == NAME else i.text if i.text in _LINKS else _class_or_word(i)
        for i in between
    ]
    return f"{' '.join(signs)}:{context.found[-1].kind}"


def _class_or_word(item: Item) -> str:
    text = item.text
    kind = CHANGE_WORDS.get(text)
    return kind or ("report" if text in REPORT_WORDS else "m" if text in MEASURES else "w")


_LINKS: Final = frozenset("on in for of and , with to by at vs over than ( ) / ; but while".split())


def _kind_of(item: Item) -> str:
    """Return the kind of a word near a value: change, measure, report, comparison or size."""
    if item.kind != WORD:
        return "v" if item.kind == VALUE else "n"
    if item.text in CHANGE_WORDS:
        return f"c:{CHANGE_WORDS[item.text]}"
    return next((kind for kind, words in _KINDS if item.text in words), "")


_KINDS: Final = (("m", MEASURES), ("r", REPORT_WORDS), ("vs", VERSUS_WORDS), ("z", SIZES))
_NEAREST: Final = frozenset({"m", "r", "z"})


def _window(items: Sequence[Item], start: int, step: int, size: int, prefix: str) -> Iterator[str]:
    """Yield the words of change, report, comparison, measures and sizes on one side of a value."""
    side = prefix[0]
    seen = set()
    nearest = ""
    for distance in range(size):
        item = _at(items, start + step * distance)
        text = item.text
        if item is _NONE:
            break
        kind = _kind_of(item)
        if kind:
            seen.add(kind)
        if kind in _NEAREST or kind.startswith("c:"):
            nearest = nearest or kind.removeprefix("c:")
        if item.kind == WORD and kind != "m" and (kind or (text.isalpha() and len(text) > 3)):
            yield f"{side}w={text}"
    for each in sorted(seen):
        yield f"{side}~{each}"
        yield f"{prefix}~{each}"
    yield f"{prefix}^{nearest}"


def _around(context: ResultContext, sentence: ValueSentence, number: int, at: int) -> Iterator[str]:
    """Yield the features of the sentence, of the signs around a value and of the values before."""
    value, items, doc = context.values[number], sentence.items, context.doc
    text = doc.text
    yield (
        f"g={text[value.end : value.end + 1]}" if text[value.end : value.end + 1] in "-$)(" else "g"
    )
    yield f"h={text[max(0, value.start - 1) : value.start]}"
    words = {item.text for item in items}
    yield f"title={sentence.index == 0 and doc.title_tokens > 0}"
    last = len(doc.sentences) - 1
    place = f"place={round(3 * sentence.index / max(1, last))}"
    yield place
    own = not OWN_SUBJECTS.isdisjoint(words)
    report = not REPORT_WORDS.isdisjoint(words)
    change = not CHANGE_WORDS.keys().isdisjoint(words)
    yield f"own={own},{report},{change}"
    yield f"rc={report},{change},{value.kind},{place}"
    yield f"first={items[0].text}"
    opened = sum(i.text == "(" for i in items[:at]) > sum(i.text == ")" for i in items[:at])
    yield f"in={opened},{value.kind}"
    if value.previous:
        yield "from"
    before = [f for f in context.found if f.sentence == sentence.index]
    yield f"before={before[-1].kind if before else ''},{value.kind}"
    yield f"results={min(len(context.found), 2)},{value.kind}"
    first, end, place_in = sentence.list_of(at)
    if end > first:
        yield f"list={min(end - first, 3)},{place_in > 0}"
        if place_in:
            linked = any(f.number == number - 1 for f in before)
            yield f"linked={linked and before[-1].kind}"
        else:
            follower = next(i for i in items[at + 1 :] if i.kind == VALUE)
            yield f"next={context.values[follower.number].kind}"


# --- metric ---------------------------------------------------------------------------------------


def direction_features(
    context: ResultContext,
    sentence: ValueSentence,
    draft: DraftResult,
    lower: bool | None,  # noqa: FBT001
) -> list[str]:
    """Return the features that indicate whether the metric of a change grows or falls.

    `lower` says whether lower values of the metric are better; None if that is unknown.
    """
    value, items = context.values[draft.number], sentence.items
    at = sentence.position[draft.number]
    out = ["bias", f"low={lower}", f"s={value.text[:1] in '-−'},{value.text[:1] == '+'}"]
    head = draft.metric_key.rpartition(" ")[2]
    out += [f"m={head}", f"u={value.unit}"]
    sides = []
    for step, size, side in ((-1, 12, "L"), (1, 8, "R")):
        near = ""
        for distance in range(1, size):
            item = _at(items, at + step * distance)
            kind = CHANGE_WORDS.get(item.text, "")
            if item is _NONE or (item.text in {";", "while"}):
                break
            if kind and not near:
                near = kind
                out += [f"{side}k={kind}", f"{side}k={kind},{lower}", f"{side}w={item.text}"]
                out += [f"{side}k={kind},{_bucket(distance)}"]
            elif kind:
                out.append(f"{side}+{kind}")
        sides.append(near)
    out += [f"sides={sides}", f"sides={sides},{lower}"]
    earlier = [f for f in context.found if f.sentence == sentence.index and f.direction]
    place = sentence.list_of(at)[2]
    if earlier and place:
        out.append(f"prev={earlier[-1].direction}")
    if earlier:
        out.append(f"pv={_since_last(context, sentence, at)},{earlier[-1].direction}")
    return out


def metric_features(
    context: ResultContext,
    sentence: ValueSentence,
    draft: DraftResult,
    phrase: Phrase,
    order: Sequence[int],
) -> list[str]:
    """Return the features of a phrase that may name the metric of a value.

    `order` holds four numbers: the phrases with a measure between the phrase and the value, all
    phrases there, the position of the phrase in its coordination, and the size of the coordination.
    """
    items, at = sentence.items, sentence.position[draft.number]
    value = context.values[draft.number]
    is_left = phrase.last <= at
    side = "L" if is_left else "R"
    low, high = (phrase.last, at) if is_left else (at + 1, phrase.first)
    gap = high - low
    head = phrase.words[-1]
    measured = head in MEASURES
    has = not MEASURES.isdisjoint(phrase.words)
    m = f"{int(measured)}{int(has)}"
    between = items[low:high]
    breaks = sum(i.text in CLAUSE_BREAKS for i in between)
    values = sum(i.kind == VALUE for i in between)
    names = sum(i.kind == NAME for i in between)
    key = " ".join(phrase.words)
    out = [
        f"side={side},{m}",
        f"gap={side},{_bucket(gap)}",
        f"gapm={side},{_bucket(gap)},{m}",
        f"h={head}",
        f"w0={phrase.words[0]}",
        f"len={min(len(phrase.words), 4)},{m}",
        f"v={side},{values},{m}",
        f"n={side},{min(names, 2)}",
        f"br={side},{min(breaks, 3)},{m}",
        f"ord={side},{min(order[0], 3)},{m}",
        f"all={side},{min(order[1], 4)},{m}",
        f"k={draft.kind},{side},{m},{min(gap, 4)}",
        f"u={value.kind},{side},{m}",
        f"uh={value.kind},{head}",
        f"kh={draft.kind},{head}",
        f"pre={_at(items, phrase.first - 1).text},{side}",
        f"post={_at(items, phrase.last).text},{side}",
    ]
    named = context.doc.words[items[phrase.last - 1].first]
    m2 = f"{m}{int(named[:2].isupper())}"
    out += [f"suffix={head[-4:]}", f"case={m2},{side}", f"casegap={m2},{side},{min(gap, 4)}"]
    governed = CHANGE_WORDS.get(_at(items, phrase.first - 1).text, "")
    has_by = "by" in (_at(items, at - 1).text, _at(items, at - 2).text)
    out.append(f"obj={governed},{side},{int(has_by)}")
    first_value, last_value, value_place = sentence.list_of(at)
    listed = items_of(items, first_value, last_value, VALUE)
    if order[3] > 1 and listed > 1:
        out.append(f"align={order[3] == listed},{order[2] == value_place},{m}")
    elif order[3] > 1:
        out.append(f"grouped={order[2]},{side},{m}")
    elif listed > 1:
        out.append(f"shared={side},{value_place},{m}")
    b1, pre = _at(items, at - 1).text, _at(items, phrase.first - 1).text
    changed = CHANGE_WORDS.get(pre, "")
    out.append(f"prekb={changed},{b1},{side},{m}")
    out.append(f"subj={phrase.first <= 1},{b1},{m},{side}")
    out.append(f"alt={_alternation(sentence, at, phrase)},{m}")
    if gap <= 6:
        classes_between = " ".join(_class(i) for i in between)
        out += [
            f"pathc={side}:{classes_between}",
            f"pathcm={side}:{classes_between},{m},{draft.kind}",
        ]
    if gap <= 4:
        path = " ".join(i.text for i in between)
        out += [
            f"path={side}:{path}",
            f"pathm={side}:{path},{m}",
            f"pathk={draft.kind}:{side}:{path}",
        ]
    classes = sorted({CHANGE_WORDS[i.text] for i in between if i.text in CHANGE_WORDS})
    out.append(f"cls={side},{classes},{m}")
    adjacent = _at(items, at + 1) if is_left else _at(items, at - 1)
    out.append(f"adj={side},{adjacent.text},{m}")
    edge = first_value if is_left else last_value
    if listed > 1:
        inner = items[phrase.last : edge] if is_left else items[edge + 1 : phrase.first]
        if len(inner) <= 4:
            out.append(f"lpath={side}:{' '.join(_class(i) for i in inner)},{m}")
        out.append(f"lgap={side},{_bucket(len(inner))},{m}")
    same = [f for f in context.found if f.sentence == sentence.index]
    if same:
        chosen = same[-1].metric_key == key
        out.append(f"pvm={_since_last(context, sentence, at)},{chosen},{side},{m}")
        out.append(f"prev={chosen},{side},{m}")
        place = sentence.list_of(at)[2]
        out.append(f"prevl={chosen},{place > 0},{values}")
        out.append(f"prevv={chosen},{values},{side},{m}")
    return out


def _class(item: Item) -> str:
    """Return the class of a word of change, report or comparison, else the word."""
    text = item.text
    return CHANGE_WORDS.get(text) or ("report" if text in REPORT_WORDS else text)


def _alternation(sentence: ValueSentence, at: int, phrase: Phrase) -> str:
    """Return on which side of the value its neighbours have their phrases: "A of 1 and B of 2".

    Both sides are tested for all values of the sentence that are at most eight items away.
    """
    values = sorted(sentence.position.values())
    near = [v for v in values if abs(v - at) <= 8]
    if len(near) < 2:
        return "one"
    ends = {p.last for p in sentence.phrases if p.words[-1] in MEASURES}
    starts = {p.first for p in sentence.phrases if p.words[-1] in MEASURES}
    left = all(not ends.isdisjoint((v, v - 1)) for v in near)
    right = all(not starts.isdisjoint((v + 1, v + 2)) for v in near)
    own_left = phrase.last in (at, at - 1)
    own_right = phrase.first in (at + 1, at + 2)
    return f"{left},{right},{own_left},{own_right}"


def phrase_lists(sentence: ValueSentence) -> dict[Phrase, tuple[int, int]]:
    """Return the position of each phrase in its coordination, and the size of the coordination."""
    groups: list[list[Phrase]] = []
    for phrase in sentence.phrases:
        between = sentence.items[groups[-1][-1].last : phrase.first] if groups else []
        if between and len(between) <= 2 and all(i.text in _AND for i in between):
            groups[-1].append(phrase)
        else:
            groups.append([phrase])
    return {p: (n, len(group)) for group in groups for n, p in enumerate(group)}


_AND: Final = frozenset({",", "and", "or", "/", "&"})


def no_metric_features(
    context: ResultContext, sentence: ValueSentence, draft: DraftResult
) -> list[str]:
    """Return the features of the choice of no metric."""
    value, items = context.values[draft.number], sentence.items
    at = sentence.position[draft.number]
    same = [f for f in context.found if f.sentence == sentence.index]
    near = [i.text in MEASURES for i in items[max(0, at - 4) : at + 4]]
    return [
        "none",
        f"none:u={value.kind}",
        f"none:U={value.unit}",
        f"none:k={draft.kind}",
        f"none:b={_at(items, at - 1).text}",
        f"none:a={_at(items, at + 1).text}",
        f"none:near={any(near)},{draft.kind}",
        f"none:any={any(i.text in MEASURES for i in items)},{draft.kind}",
        f"none:prev={same[-1].metric_key == '' if same else None}",
    ]


def earlier_metric_features(
    context: ResultContext, draft: DraftResult, earlier: DraftResult
) -> list[str]:
    """Return the features of taking the metric of a result of an earlier sentence."""
    value, other = context.values[draft.number], context.values[earlier.number]
    return [
        "earlier",
        f"earlier:d={min(draft.sentence - earlier.sentence, 3)}",
        f"earlier:u={value.kind == other.kind},{value.kind}",
        f"earlier:k={draft.kind},{earlier.kind}",
        f"earlier:h={earlier.metric_key.rpartition(' ')[2]}",
    ]


def unit_metric_features(context: ResultContext, draft: DraftResult) -> list[str]:
    """Return the features of taking the unit of a value as its metric, as in "30 FPS"."""
    value = context.values[draft.number]
    return [
        "unit",
        f"unit:u={value.kind}",
        f"unit:U={value.unit.lower()}",
        f"unit:k={draft.kind}",
    ]


# --- names ----------------------------------------------------------------------------------------


def name_features(
    context: ResultContext, sentence: ValueSentence, draft: DraftResult, candidate: NameCandidate
) -> list[str]:
    """Return the features of a candidate for a slot of names."""
    n = candidate.entity
    what = context.descriptions[n] if n >= 0 else "phrase"
    out = [f"w={what}", f"wk={what},{draft.kind}", "bias"]
    if n >= 0:
        roles = ",".join(sorted(context.roles[n]))
        out += [f"r={roles}", f"t={context.entities[n].type}"]
        count = min(len(context.mentions[n]), 4)
        titled = context.mentions[n][0][0] < context.doc.title_tokens
        out += [f"count={count},{what}", f"titled={titled},{what}"]
        same_role = [k for k in range(len(context.roles)) if context.descriptions[k] == what]
        out.append(f"rank={min(same_role.index(n), 3)},{min(len(same_role), 4)},{what}")
    else:
        out.append(f"head={context.doc.lower[candidate.span[1] - 1]}")
        out.append(f"lead={context.doc.lower[candidate.span[0]]}")
    if candidate.position >= 0:
        out += _here(sentence, draft, candidate, what)
    else:
        out += _elsewhere(context, sentence, n, what)
    out += _chosen(context, sentence, draft, candidate, what)
    return out


def _here(  # noqa: C901
    sentence: ValueSentence, draft: DraftResult, candidate: NameCandidate, what: str
) -> Iterator[str]:
    """Yield the features of a candidate in the sentence of the value."""
    items, at = sentence.items, sentence.position[draft.number]
    first, last, place = (
        sentence.list_of(candidate.position)
        if candidate.entity >= 0
        else (candidate.position, candidate.last - 1, 0)
    )
    is_left = candidate.position < at
    side = "L" if is_left else "R"
    low, high = (candidate.last, at) if is_left else (at + 1, candidate.position)
    between = items[low:high]
    gap = len(between)
    values = sum(i.kind == VALUE for i in between)
    names = sum(i.kind == NAME for i in between)
    breaks = sum(i.text in CLAUSE_BREAKS for i in between)
    b1, b2 = _at(items, first - 1).text, _at(items, first - 2).text
    a1, a2 = _at(items, last + 1).text, _at(items, last + 2).text
    yield f"in={side},{what}"
    yield f"gap={side},{_bucket(gap)},{what}"
    yield f"v={side},{min(values, 3)},{what}"
    yield f"n={side},{min(names, 3)},{what}"
    yield f"br={side},{min(breaks, 3)},{what}"
    yield f"b1={b1}"
    yield f"b1={b1},{what}"
    yield f"b1={b1},{side}"
    yield f"bb={b2} {b1}"
    yield f"bv={b1},{side},{min(values, 2)}"
    yield f"a1={a1}"
    yield f"a1={a1},{what}"
    yield f"aa={a1} {a2}"
    yield f"start={first == 0},{what},{side}"
    if gap <= 3:
        yield f"path={side}:{' '.join(i.text for i in between)}"
        yield f"pathw={side}:{' '.join(i.text for i in between)},{what}"
    cue = next(
        (i.text for i in reversed(items[:first]) if i.text in VERSUS_WORDS or i.text in _CUES), ""
    )
    yield f"cue={cue}"
    yield f"cue={cue},{what}"
    yield f"cue={cue},{side},{min(values, 1)}"
    lead, end, order = sentence.list_of(at)
    if last > first and end > lead and candidate.entity >= 0:
        total = items_of(items, first, last, NAME)
        count = items_of(items, lead, end, VALUE)
        yield f"align={total == count},{place == order}"
    elif end > lead:
        yield f"shared={side},{what}"
    elif last > first:
        yield f"listed={side},{what}"
    if end > lead:
        inner = items[candidate.last : lead] if is_left else items[end + 1 : first]
        if len(inner) <= 3:
            yield f"lpath={side}:{' '.join(_class(i) for i in inner)},{what}"
        yield f"lgap={side},{_bucket(len(inner))},{what}"
    elif last > first and not is_left:
        inner = items[at + 1 : first]
        if len(inner) <= 3:
            yield f"npath={side}:{' '.join(_class(i) for i in inner)},{what}"
    if values:
        nearer = any(i.kind == VALUE for i in items[candidate.last : candidate.last + 6])
        yield f"other={nearer},{side},{what}"
    if is_left:
        following = sum(i.kind == VALUE for i in items[at + 1 :])
        yield f"rest={min(following, 2)},{what},{min(values, 2)}"


_CUES: Final = frozenset("on in for of with by achieves when using from improves to".split())


def items_of(items: Sequence[Item], first: int, last: int, kind: str) -> int:
    """Return the number of items of a kind in an item range, both ends included."""
    return sum(item.kind == kind for item in items[first : last + 1])


def _elsewhere(context: ResultContext, sentence: ValueSentence, n: int, what: str) -> Iterator[str]:
    """Yield the features of an entity that other sentences name."""
    sentence_of = context.doc.sentence_of
    places = [sentence_of[first] for first, _ in context.mentions[n]]
    before = [sentence.index - p for p in places if p < sentence.index]
    distance = min(before, default=-1)
    yield f"far={min(distance, 4)},{what}"
    words = {item.text for item in sentence.items}
    own = not OWN_SUBJECTS.isdisjoint(words)
    yield f"far={what},{own}"
    here = {context.descriptions[i.number] for i in sentence.items if i.kind == NAME}
    kind = what[:1]
    yield f"far={what},{any(h[:1] == kind for h in here)},{min(distance, 2)}"
    yield f"far={what},{any(h[:1] in 'BD' for h in here)}"
    yield f"far={what},intro={any('.intro' in h for h in here)},{any(h[:1] in 'Mm' for h in here)}"
    rivals = [
        k
        for k in range(len(context.roles))
        if k != n
        and context.descriptions[k][:1] == kind
        and any(0 <= sentence.index - sentence_of[a] <= distance for a, _ in context.mentions[k])
    ]
    yield f"fresh={not rivals},{what}"
    first_words = sentence.items[0].text
    yield f"opening={first_words},{what}"


def _chosen(
    context: ResultContext,
    sentence: ValueSentence,
    draft: DraftResult,
    candidate: NameCandidate,
    what: str,
) -> Iterator[str]:
    """Yield the features of the earlier results that have the candidate in the same slots."""
    if not context.found:
        return
    last = context.found[-1]
    n = candidate.entity
    same = last.sentence == sentence.index
    in_on, in_system, in_versus = (
        any(c.entity == n and (n >= 0 or c.span == candidate.span) for c in slot)
        for slot in (last.on, last.systems, last.versus)
    )
    yield f"last={same},{in_on},{in_system},{in_versus}"
    yield f"last={same},{in_on},{in_system},{in_versus},{candidate.position >= 0},{what[:1]}"
    distance = min(sentence.index - last.sentence, 3)
    yield f"lastd={distance},{in_on},{in_system},{in_versus},{candidate.position >= 0}"
    if same:
        linked = sentence.list_of(sentence.position[draft.number])[2] > 0
        yield f"lastl={linked},{in_on},{in_system},{in_versus}"


def set_features(
    context: ResultContext,
    sentence: ValueSentence,
    draft: DraftResult,
    names: tuple[NameCandidate, ...],
    first: Sequence[str],
) -> list[str]:
    """Return the features of a set of names; `first` are those of the first name alone."""
    out = [*first]
    at = sentence.position[draft.number]
    lead, end, order = sentence.list_of(at)
    listed = items_of(sentence.items, lead, end, VALUE)
    head = names[0]
    side = "F" if head.position < 0 else "L" if head.position < at else "R"
    if len(names) > 1:
        what = context.descriptions[head.entity] if head.entity >= 0 else "phrase"
        out += [
            "grp",
            f"grp:{side},{what}",
            f"grp:{len(names) == listed},{side}",
            f"grp:n={min(listed, 3)}",
        ]
        out += [
            f"grp:{f}" for f in first if f.startswith(("v=", "b1=", "in=", "far=", "last", "gap"))
        ]
    elif head.position >= 0 and head.entity >= 0:
        start, last, place = sentence.list_of(head.position)
        size = items_of(sentence.items, start, last, NAME)
        if size > 1:
            out += [f"mem:{size == listed},{place == order}", f"mem:{side},{listed > 1}"]
        out.append(f"alt={_name_alternation(sentence, head.position, at)}")
    if context.found:
        on, versus = context.found[-1].on, context.found[-1].versus
        entities = [c.entity for c in names]
        same = context.found[-1].sentence == sentence.index
        out.append(f"copy={same},{entities == [c.entity for c in on]},{side},{len(names) > 1}")
        out.append(f"copyv={same},{entities == [c.entity for c in versus]},{side}")
    return out


def _name_alternation(sentence: ValueSentence, position: int, at: int) -> str:
    """Return how names and values alternate: "1 on A and 2 on B", "A (1) and B (2)"."""
    values = sorted(sentence.position.values())
    if len(values) < 2:
        return "one"
    marks = sorted([*((p, "v") for p in values), *((p, "n") for p in sentence.names)])
    signs = "".join(sign for _, sign in marks)
    order = [p for p, _ in marks]
    i, j = order.index(at), order.index(position)
    if abs(i - j) > 3:
        return "far"
    right = "vnvn" in signs[max(0, i - 2) : i + 4] and j == i + 1
    left = "nvnv" in signs[max(0, i - 3) : i + 3] and j == i - 1
    last = signs[-1]
    return f"{right},{left},{j - i},{last}"


def no_name_features(
    task: str, context: ResultContext, sentence: ValueSentence, draft: DraftResult
) -> list[str]:
    """Return the features of the choice of no name for a slot."""
    items, at = sentence.items, sentence.position[draft.number]
    value = context.values[draft.number]
    words = {item.text for item in items}
    kinds = [
        (context.descriptions[i.number], p < at) for p, i in enumerate(items) if i.kind == NAME
    ]
    data = sorted({("L" if left else "R") for what, left in kinds if what[:1] in "BD"})
    cues = sorted(words & VERSUS_WORDS)[:1]
    described = not _DATA_NOUNS.isdisjoint(words)
    any_data = sum(what[:1] in "BD" for what in context.descriptions)
    out = [
        "none",
        f"none:u={value.kind},{draft.kind}",
        f"none:data={data}",
        f"none:cue={cues},{draft.kind}",
        f"none:described={described},{bool(data)}",
        f"none:any={min(any_data, 3)},{bool(data)}",
        f"none:first={items[0].text}",
        f"none:m={draft.metric_key.rpartition(' ')[2]}",
        f"none:low={lower_is_better(draft.metric_key) if draft.metric_key else None}",
    ]
    if context.found:
        last = context.found[-1]
        slot = last.on if task == "on" else last.versus
        out.append(f"none:last={last.sentence == sentence.index},{bool(slot)},{bool(data)}")
        linked = sentence.list_of(at)[2] > 0
        out.append(f"none:linked={linked},{bool(slot)}")
    return out


_DATA_NOUNS: Final = frozenset(
    """dataset datasets benchmark benchmarks task tasks environment environments simulation world
    games game domains corpus data""".split()
)


def own_features(context: ResultContext, sentence: ValueSentence, draft: DraftResult) -> list[str]:
    """Return the features of the choice of the paper's own work without a name as the system."""
    words = {item.text for item in sentence.items}
    at = sentence.position[draft.number]
    own = not OWN_SUBJECTS.isdisjoint(words)
    introduced = [context.descriptions[n] for n in context.introduced]
    named = [context.descriptions[i.number] for i in sentence.items if i.kind == NAME]
    left = [context.descriptions[i.number] for i in sentence.items[:at] if i.kind == NAME]
    any_method = any(d[:1] == "M" and ".intro" in d for d in introduced)
    out = [
        "own",
        f"own:intro={min(len(introduced), 2)}",
        f"own:method={any_method}",
        f"own:method={any_method},{own}",
        f"own:here={any(d[:1] == 'M' for d in named)},{any_method}",
        f"own:left={any(d[:1] == 'M' for d in left)},{any_method},{own}",
        f"own:first={sentence.items[0].text}",
        f"own:any={any(d[:1] == 'M' for d in context.descriptions)}",
    ]
    if context.found:
        last_own = not context.found[-1].systems
        out.append(f"own:last={last_own},{context.found[-1].sentence == sentence.index}")
    return out


def is_unnamed(words: Sequence[str]) -> bool:
    """Return whether a phrase denotes unnamed rivals: "best baseline", "prior methods"."""
    return all(word in UNNAMED_RIVALS for word in words)
