"""What a paper does with an entity: introduces, uses, extends, evaluates on, trains on, compares with, mentions.

A softmax regression over cue, position and company features gives each role a probability. The
same linear weights tell which mention carries the role: the one whose own features speak most for it.
"Outperforms" is read off the comparing sentence by rule, since the text must claim it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity, HashedSoftmax, hash_features
from citekg.extractors.classification.features import HEAD_KINDS
from citekg.extractors.known_introductions import shipped_introductions
from citekg.extractors.nlp import Document
from citekg.extractors.roles.patterns import PatternMatches, is_generic, is_survey, match_patterns
from citekg.schemas.names import key
from citekg.schemas.vocabulary import INTRODUCES, MENTIONS

#: The roles that the classifier tells apart; "outperforms" is a finer reading of "comparesTo".
ROLE_LABELS: Final = ("introduces", "uses", "extends", "evaluatesOn", "trainsOn", "comparesTo", "mentions")

_BETTER: Final = re.compile(
    r"\b(?:outperform\w*|surpass\w*|exceed\w*|beat(?:s|ing)?|better than|superior to|improv\w+ (?:over|upon)"
    r"|(?:gains?|superiority|advantages?|improvements?) (?:\S+ ){0,12}?over)\b"
)
_BEATEN: Final = re.compile(r"(?:\( [^()]* \) )?(?:is|are) (?:\w+ )?(?:outperformed|surpassed|exceeded|beaten)\b")
_NOT_BETTER: Final = re.compile(
    r"\b(?:not|fails? to|cannot|without|underperform\w*|worse|comparable|competitive|match\w*)\b"
)
#: Words whose nearness to a name says what is done with it; they are read with their side.
_CUES: Final = frozenset(
    """propose proposes proposed introduce introduces introduced introducing present presents presented develop
    develops developed release releases released call called named dubbed termed coin coined design devise our we this
    novel new use uses used using utilize utilizes via leverage leverages leveraging apply applies applied applying
    employ employs adopt adopts based build builds built upon extend extends extended extending generalize generalizes
    generalizing modify modified improve improves improving augment adapt adapts adapting combine combines combining
    integrate integrates integrating variant inspired evaluate evaluates evaluated evaluating evaluation experiments
    experiment test tested results on across benchmark benchmarks datasets dataset tasks achieves achieve performance
    train trains trained training pretrained finetune fine tune tuned tuning data corpus collected
    outperform outperforms outperforming surpass surpasses surpassing exceed exceeds compare compares compared
    comparison comparable versus vs than unlike contrast baselines baseline against beats competitive state art over
    such as like including e.g recent previous existing prior recently popular traditional conventional
    however while although methods models approaches typically often suffer suffers limited challenge despite
    successful success not without instead requires require rely relies existing widely analyze analyse study
    investigate theoretical prove show shows bound convergence survey review discuss demonstrate demonstrates named
    initialize initialized initializing distill distilled backbone reward optimize optimized optimizing""".split()
)
#: What a sentence does, by the words that say it: the nearest of them governs a name, however long the list.
_GOVERNING: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "introduce": """propose proposes proposed proposing introduce introduces introduced introducing present presents
        presented presenting develop develops developed developing release releases released releasing construct
        constructs constructed create creates created creating design designs designed devise devised derive derived
        call called named dubbed termed coined contribute establish establishes build curate curated""",
        "versus": """outperform outperforms outperformed outperforming surpass surpasses surpassed surpassing exceed
        exceeds exceeding beat beats beating compare compares compared comparing comparison comparable versus vs than
        unlike contrast baseline baselines competitive superior inferior against matches matching rivals""",
        "evaluate": """evaluate evaluates evaluated evaluating evaluation evaluations experiment experiments test tested
        testing benchmarks benchmark results validate validated demonstrate demonstrated achieves achieve achieving""",
        "use": """use uses used using utilize utilizes utilizing via leverage leverages leveraging apply applies applied
        applying employ employs employing adopt adopts adopted adopting combine combines combining integrate integrates
        integrating incorporate incorporates incorporating initialize initialized""",
        "extend": """extend extends extended extending generalize generalizes generalizing modify modified modifies
        augment augments augmenting adapt adapts adapted adapting upon subsumes variant improves improve improving
        improved enhance enhances enhancing accelerate accelerating""",
        "train": "train trains trained training finetune finetuned tune tuned tuning pretrained distill distilled",
        "study": "study studies studying analyze analyzes analyzing analyse investigate investigates examine revisit",
        "like": "like including e.g such",
        "background": "recent recently existing previous prior traditional conventional widely popular typically often",
        "but": "however although despite while suffers suffer limited fail fails struggle",
    }.items()
    for word in words.split()
}
#: How much what is said outweighs what is only likely, in logits: the more, the surer its words are.
_PATTERN_WEIGHT: Final = {
    "introduces": 3.5,
    "uses": 1.0,
    "extends": 3.0,
    "evaluatesOn": 3.0,
    "trainsOn": 3.0,
    "comparesTo": 3.0,
    "mentions": 3.0,
}
#: How much is held against a thing being new that is no paper's own, or that another paper is known to have introduced.
_NOT_NEW_PENALTY: Final = 3.0
#: How much speaks for a mere mention in a survey.
_SURVEY_WEIGHT: Final = 1.5
_REACH: Final = 9


@dataclass(frozen=True, slots=True)
class PredictedRole:
    """A role with its probability and the numbers of the spans that carry it, best first."""

    role: str
    confidence: float
    spans: tuple[int, ...]


def entity_features(doc: Document, chosen: AcceptedEntity, others: int) -> list[str]:
    """What is said of the entity as a whole."""
    title = [s for s in chosen.spans if s[1] <= doc.title_tokens]
    body = [s for s in chosen.spans if s[0] >= doc.title_tokens]
    out = ["bias", f"type:{chosen.type}", f"n:{min(len(body), 4)}", f"few:{min(others, 6)}"]
    out.append(f"lex:{any(c.entry for c in chosen.candidates)}")
    out.append(f"defined:{len(chosen.candidates) > 1}")
    if title:
        first, last = title[0]
        out.append(f"title:{'start' if first == 0 else 'in'}:{doc.words[last] if last < doc.title_tokens else '$'}")
        out.append(f"title-left:{doc.lower[first - 1] if first else '^'}")
    if body:
        sentences = len(doc.sentences)
        out.append(f"first:{int(5 * doc.sentence_of[body[0][0]] / sentences)}:{chosen.type}")
        out.append(f"last:{int(5 * doc.sentence_of[body[-1][0]] / sentences)}:{chosen.type}")
        out.append(f"spread:{min(3, len({doc.sentence_of[s[0]] for s in body}))}")
    out += [f"{f}&{chosen.type}" for f in out[2:]]
    known = any(c.entry for c in chosen.candidates)
    return out + [f"{f}&known{known}" for f in out[1:4] + out[5:]]


def mention_features(doc: Document, span: tuple[int, int], type_: str) -> list[str]:
    """What is said of one mention of the entity."""
    first, last = span
    if last <= doc.title_tokens:
        return ["in-title"]
    low, high = doc.sentences[doc.sentence_of[first]]
    out = []
    for i in range(max(low, first - _REACH), min(high, last + _REACH)):
        word = doc.lower[i]
        if word in _CUES and not first <= i < last:
            side, gap = ("<", first - i) if i < first else (">", i - last + 1)
            out += [f"{side}{word}", f"{side}{'near' if gap <= 3 else 'far'}:{word}"]
    out += _governing(doc, first, last, low, high)
    left = [doc.lower[i] if i >= low else "^" for i in (first - 1, first - 2, first - 3)]
    right = [doc.lower[i] if i < high else "$" for i in (last, last + 1, last + 2)]
    out += [f"l1:{left[0]}", f"l2:{left[1]} {left[0]}", f"l3:{left[2]} {left[1]} {left[0]}"]
    out += [f"r1:{right[0]}", f"r2:{right[0]} {right[1]}", f"lr:{left[0]}|{right[0]}"]
    out += [f"s:{word}" for word in set(doc.lower[low:high]) & _CUES]
    out += [f"open:{doc.lower[low]} {doc.lower[low + 1] if low + 1 < high else '$'}"]
    out += [f"head:{HEAD_KINDS[right[0]]}"] if right[0] in HEAD_KINDS else []
    out += [f"at:{'open' if first == low else 'close' if last >= high - 1 else 'mid'}"]
    out += [f"where:{int(5 * doc.sentence_of[first] / len(doc.sentences))}"]
    return out + [f"{f}&{type_}" for f in out]


def _governing(doc: Document, first: int, last: int, low: int, high: int) -> list[str]:
    """The nearest governing words: two to the left of the name (also past "like" and background), one to the right."""
    before = [k for i in range(first - 1, low - 1, -1) if (k := _GOVERNING.get(doc.lower[i]))]
    after = [k for i in range(last, high) if (k := _GOVERNING.get(doc.lower[i]))]
    acting = [k for k in before if k not in {"like", "background"}]
    return [
        f"gov:{before[0] if before else '-'}",
        f"act:{acting[0] if acting else '-'}",
        f"gov2:{'+'.join(before[:2])}",
        f"then:{after[0] if after else '-'}",
        f"act:{acting[0] if acting else '-'}:then:{after[0] if after else '-'}",
        f"we:{'we' in doc.lower[low:first] or 'our' in doc.lower[low:first]}:{acting[0] if acting else '-'}",
    ]


def role_columns(doc: Document, chosen: AcceptedEntity, others: int, told: PatternMatches) -> list[set[int]]:
    """The weight columns of an entity with all its mentions, as the classifier is trained on, then of each mention."""
    entity = hash_features([*entity_features(doc, chosen, others), *(f"said:{role}" for role in told.roles)])
    mentions = [hash_features(mention_features(doc, span, chosen.type)) for span in chosen.spans]
    return [entity.union(*mentions), *mentions]


def predict_roles(
    doc: Document, chosen: AcceptedEntity, others: int, weights: HashedSoftmax, fitting: Collection[str] = ROLE_LABELS
) -> Iterator[PredictedRole]:
    """The roles of an entity in its paper, the likeliest that fits first, each with the mentions that carry it."""
    told = match_patterns(doc, chosen)
    likely, *beside = weights.probabilities(role_columns(doc, chosen, others, told)).tolist()
    found = _reweight(likely, doc, chosen, told.roles, fitting)
    best = max(range(len(ROLE_LABELS)), key=found.__getitem__)
    carrying = _evidence_mentions(doc, chosen, [row[best] for row in beside], ROLE_LABELS[best], told)
    yield PredictedRole(ROLE_LABELS[best], found[best], carrying)
    if ROLE_LABELS[best] == "comparesTo":
        beaten = tuple(n for n in carrying if _is_outperformed(doc, chosen.spans[n]))
        if beaten:
            yield PredictedRole("outperforms", found[best], beaten)


def _reweight(
    probabilities: Sequence[float], doc: Document, chosen: AcceptedEntity, told: set[str], fitting: Collection[str]
) -> list[float]:
    """The probabilities of the roles that fit, with what the text tells in so many words and what is known."""
    logits = {role: _PATTERN_WEIGHT[role] for role in told}
    if INTRODUCES not in told and (is_generic(doc, chosen) or _is_introduced_elsewhere(doc, chosen)):
        logits[INTRODUCES] = -_NOT_NEW_PENALTY
    if is_survey(doc.text):
        logits.setdefault(MENTIONS, _SURVEY_WEIGHT)
    raised = [
        p * exp(logits.get(role, 0.0)) if role in fitting else 0.0
        for role, p in zip(ROLE_LABELS, probabilities, strict=True)
    ]
    return [p / sum(raised) for p in raised]


def _is_introduced_elsewhere(doc: Document, chosen: AcceptedEntity) -> bool:
    """Whether another paper is known to have introduced the thing."""
    known = (shipped_introductions().get(c.entry.key) for c in chosen.candidates if c.entry)
    return any(paper is not None and key(paper.title) != key(doc.paper.title) for paper in known)


def _evidence_mentions(
    doc: Document, chosen: AcceptedEntity, likely: Sequence[float], answer: str, told: PatternMatches
) -> tuple[int, ...]:
    """The numbers of the mentions that speak most for the answer, those in the abstract before the title's.

    `likely` holds the probability of the answer beside each mention.
    """
    strength = []
    for number, (span, own) in enumerate(zip(chosen.spans, likely, strict=True)):
        here = told.by_mention[span]
        in_title = span[0] < doc.title_tokens
        strength.append((in_title, answer not in here, MENTIONS in here, -own, number))
    return tuple(number for *_, number in sorted(strength))[:3]


def _is_outperformed(doc: Document, span: tuple[int, int]) -> bool:
    """Whether the sentence claims to be better than the thing at this place."""
    low, high = doc.sentences[doc.sentence_of[span[0]]]
    before = " ".join(doc.lower[max(low, span[0] - 25) : span[0]])
    if _BEATEN.match(" ".join(doc.lower[span[1] : min(high, span[1] + 10)])):
        return True
    claims = list(_BETTER.finditer(before))
    return bool(claims) and not _NOT_BETTER.search(before[max(0, claims[-1].start() - 25) :])
