"""Role classification: the role of each entity in a paper.

The roles are introduces, uses, extends, evaluatesOn, trainsOn, comparesTo and mentions. A softmax
regression over hashed features (feature hashing; Weinberger et al. 2009) gives each role a
probability. The same linear model scores the single mentions; those that score highest for the
predicted role are its evidence. Rules assign further roles, and "outperforms", because the text
must claim them. Confidence is calibrated by role (see `calibration`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Final, Protocol

from citekg.extractors.cached_results import cached_results
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.classification.hashing import hash_crossed, hash_features
from citekg.extractors.nlp import Document
from citekg.extractors.roles.calibration import FURTHER, Calibration, shipped_calibration
from citekg.extractors.roles.evidence import order_evidence
from citekg.extractors.roles.novelty import introduction_log_odds
from citekg.extractors.roles.novelty_features import novelty_features
from citekg.extractors.roles.patterns import PatternMatches, is_survey, match_patterns
from citekg.extractors.wording.head_nouns import HEAD_KINDS
from citekg.extractors.wording.verbs import GOVERNING_WORDS, OUTPERFORM, ROLE_CUES
from citekg.schemas.vocabulary import (
    COMPARES_TO,
    EVALUATES_ON,
    EXTENDS,
    INTRODUCES,
    MENTIONS,
    TRAINS_ON,
    USES,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The labels of the role classifier; "outperforms" is a refinement of "comparesTo".
ROLE_LABELS: Final = (
    "introduces",
    "uses",
    "extends",
    "evaluatesOn",
    "trainsOn",
    "comparesTo",
    "mentions",
)

_SUPERIORITY: Final = re.compile(
    rf"\b(?:{OUTPERFORM}|beat(?:s|ing)?|better than|superior to|outclass\w*|outstrip\w*"
    r"|edg(?:es|ing) out|eclips(?:es|ing)|overtak(?:es|ing)|ahead of"
    r"|improv\w+ (?:over|upon)"
    r"|(?:gains?|superiority|advantages?|improvements?) (?:\S+ ){0,12}?over)\b"
)
_PASSIVE_SUPERIORITY: Final = re.compile(
    r"(?:\( [^()]* \) )?(?:is|are) (?:\w+ )?(?:outperformed|surpassed|exceeded|beaten)\b"
)
_PRONOUN_SUPERIORITY: Final = re.compile(
    rf"(?:\( [^()]* \) )?,? ?(?:and|but|while|yet) (?:\w+ly )?(?:{OUTPERFORM}"
    r"|beat(?:s|ing)?|improv\w+ (?:on|upon|over)) (?:it|them|its|the)\b"
)
_NEGATION: Final = re.compile(
    r"\b(?:not|fails? to|cannot|without|underperform\w*|worse|comparable|competitive|match\w*"
    r"|on (?:a )?par|equal\w*|rival\w*|behind|short of|los(?:es|t|ing) (?:to|against)|trail\w*"
    r"|none|neither|never|rarely|hardly|whether|no better"
    r"|(?:outperformed|surpassed|exceeded|beaten) by"
    r"|no (?:\w+ )?(?:method|model|approach|variant|system|algorithm|baseline|one))\b"
)
#: Another predicate after a claim of superiority, which the claim does not reach.
_NEXT_PREDICATE: Final = re.compile(
    r"\b(?:and|but|yet|while|though|although)(?: \w+ly)? (?:is|are|was|performs?|falls?|comes?"
    r"|remains?|stays?|approach\w*|slower)\b"
)
#: Log-odds added to a role that a pattern states. More reliable patterns weigh more.
_PATTERN_WEIGHT: Final = {
    "uses": 1.0,
    "extends": 3.0,
    "evaluatesOn": 3.0,
    "trainsOn": 4.0,
    "comparesTo": 3.0,
    "mentions": 3.0,
}
#: Log-odds added to "trainsOn" if no sentence with the name is about training.
_NO_TRAINING: Final = -2.0
_TRAINING: Final = re.compile(
    r".*train.*|(?:fine-?)?tun(?:e|es|ed|ing)|distill?(?:s|ed|ing|ation)?|align(?:s|ed|ing|ment)?"
)
#: Log-odds added to "mentions" in a survey.
_SURVEY_WEIGHT: Final = 2.5
#: Pairs of roles that a paper may have for one entity.
_TOGETHER: Final = (
    {EXTENDS, COMPARES_TO},
    {USES, COMPARES_TO},
    {EVALUATES_ON, TRAINS_ON},
    {INTRODUCES, EVALUATES_ON},
    {INTRODUCES, TRAINS_ON},
)
#: The minimum share of a further role in the probability that the first role leaves.
_MIN_SHARE: Final = 0.5
#: Names with at least this number of words count as equally long.
_MAX_WORDS: Final = 4
#: Number of tokens on each side of a mention in which cue words are features.
_WINDOW: Final = 9


class RoleModel(Protocol):
    """A model that gives rows of feature columns a probability for each role."""

    def probabilities(self, rows: Sequence[set[int]]) -> NDArray[np.float32]:
        """Return the probability of each label, `(rows, labels)`."""


@dataclass(frozen=True, slots=True)
class PredictedRole:
    """A role, its probability (0 to 1) and the indices of its evidence mentions, best first."""

    role: str
    confidence: float
    spans: tuple[int, ...]


def entity_features(doc: Document, accepted: AcceptedEntity, entity_count: int) -> list[str]:
    """Return the features of the entity as a whole.

    `entity_count` is the number of entities accepted in the document. The texts are hashed into the
    trained weights.
    """
    title = [s for s in accepted.spans if s[1] <= doc.title_tokens]
    body = [s for s in accepted.spans if s[0] >= doc.title_tokens]
    out = ["bias", f"type:{accepted.type}", f"n:{min(len(body), 4)}", f"few:{min(entity_count, 6)}"]
    out.append(f"lex:{accepted.is_known}")
    out.append(f"defined:{len(accepted.candidates) > 1}")
    if title:
        first, last = title[0]
        out.append(
            f"title:{'start' if first == 0 else 'in'}"
            f":{doc.words[last] if last < doc.title_tokens else '$'}"
        )
        out.append(f"title-left:{doc.lower[first - 1] if first else '^'}")
    if body:
        sentences = len(doc.sentences)
        out.append(f"first:{int(5 * doc.sentence_of[body[0][0]] / sentences)}:{accepted.type}")
        out.append(f"last:{int(5 * doc.sentence_of[body[-1][0]] / sentences)}:{accepted.type}")
        out.append(f"spread:{min(3, len({doc.sentence_of[s[0]] for s in body}))}")
    out += [f"{f}&{accepted.type}" for f in out[2:]]
    is_known = accepted.is_known
    return out + [f"{f}&known{is_known}" for f in out[1:4] + out[5:]]


def name_features(doc: Document, accepted: AcceptedEntity) -> list[str]:
    """Return the features of the names of an entity: some names have a usual role.

    `entity_columns` also joins them with the type.
    """
    surfaces = [doc.span_text(*span) for span in accepted.spans]
    words = max(surfaces, key=len).lower().split()
    case, count = f"lower:{all(map(str.islower, surfaces))}", min(len(words), _MAX_WORDS)
    out = [f"name:{candidate.key}" for candidate in accepted.candidates]
    out += [f"first-of-name:{words[0]}", f"last-of-name:{words[-1]}"]
    return [*out, f"words-of-name:{count}", case, f"{case}:{count}"]


def mention_columns(doc: Document, span: tuple[int, int], type_: str) -> set[int]:
    """Return the weight columns of one mention, a token span, of an entity of that type."""
    if span[1] <= doc.title_tokens:
        return hash_features(["in-title"])
    return hash_crossed(mention_features(doc, span), f"&{type_}")


def mention_features(doc: Document, span: tuple[int, int]) -> list[str]:
    """Return the features of one mention in the abstract, a token span."""
    first, last = span
    low, high = doc.sentences[doc.sentence_of[first]]
    out = []
    for i in range(max(low, first - _WINDOW), min(high, last + _WINDOW)):
        word = doc.lower[i]
        if word in ROLE_CUES and not first <= i < last:
            side, gap = ("<", first - i) if i < first else (">", i - last + 1)
            out += [f"{side}{word}", f"{side}{'near' if gap <= 3 else 'far'}:{word}"]
    out += _governing(doc, first, last, low, high)
    left = [doc.lower[i] if i >= low else "^" for i in (first - 1, first - 2, first - 3)]
    right = [doc.lower[i] if i < high else "$" for i in (last, last + 1, last + 2)]
    out += [f"l1:{left[0]}", f"l2:{left[1]} {left[0]}", f"l3:{left[2]} {left[1]} {left[0]}"]
    out += [f"r1:{right[0]}", f"r2:{right[0]} {right[1]}", f"lr:{left[0]}|{right[0]}"]
    out += [f"s:{word}" for word in set(doc.lower[low:high]) & ROLE_CUES]
    out += [f"open:{doc.lower[low]} {doc.lower[low + 1] if low + 1 < high else '$'}"]
    out += [f"head:{HEAD_KINDS[right[0]]}"] if right[0] in HEAD_KINDS else []
    out += [f"at:{'open' if first == low else 'close' if last >= high - 1 else 'mid'}"]
    out += [f"where:{int(5 * doc.sentence_of[first] / len(doc.sentences))}"]
    return out


def _governing(doc: Document, first: int, last: int, low: int, high: int) -> list[str]:
    """Return features of the nearest governing words in the sentence of a mention.

    These are two words before the name, also past "like" and background words, and one after it.
    """
    before = [k for i in range(first - 1, low - 1, -1) if (k := GOVERNING_WORDS.get(doc.lower[i]))]
    after = [k for i in range(last, high) if (k := GOVERNING_WORDS.get(doc.lower[i]))]
    acting = [k for k in before if k not in {"like", "background"}]
    return [
        f"gov:{before[0] if before else '-'}",
        f"act:{acting[0] if acting else '-'}",
        f"gov2:{'+'.join(before[:2])}",
        f"then:{after[0] if after else '-'}",
        f"act:{acting[0] if acting else '-'}:then:{after[0] if after else '-'}",
        f"we:{'we' in doc.lower[low:first] or 'our' in doc.lower[low:first]}"
        f":{acting[0] if acting else '-'}",
    ]


def entity_columns(doc: Document, accepted: AcceptedEntity, entity_count: int) -> set[int]:
    """Return the weight columns that the models of roles and of borderline entities share."""
    names = hash_crossed(name_features(doc, accepted), f"&{accepted.type}")
    return names.union(hash_features(entity_features(doc, accepted, entity_count)))


def role_columns(
    doc: Document,
    accepted: AcceptedEntity,
    shared: Set[int],
    matches: PatternMatches,
    further: Iterable[str] = (),
) -> list[set[int]]:
    """Return the weight columns of the entity, then those of each of its mentions.

    The first set joins those of the entity, of which `entity_columns` gives the `shared` ones, with
    those of the `further` features of adapted weights and of all mentions; the classifier is
    trained on it.
    """
    own = hash_features(
        [
            *novelty_features(doc, accepted, matches.introduced_beside),
            *(f"said:{role}" for role in matches.roles),
            *further,
        ]
    )
    mentions = [mention_columns(doc, span, accepted.type) for span in accepted.spans]
    return [own.union(shared, *mentions), *mentions]


def predict_roles(
    doc: Document,
    accepted: AcceptedEntity,
    entity_count: int,
    model: RoleModel,
    fitting: Collection[str] = ROLE_LABELS,
    matches: PatternMatches | None = None,
    calibration: Calibration | None = None,
    labels: Sequence[str] = ROLE_LABELS,
    further: Iterable[str] = (),
) -> Iterator[PredictedRole]:
    """Yield the roles of an entity among `fitting`, as `roles_of_probabilities` does.

    `entity_count` is the number of entities accepted in the document, `matches` the roles that its
    patterns state (see `match_jointly`), and `calibration` turns scores into probabilities; by
    default it is that of the shipped weights. Adapted weights have `labels` and `further` features
    of their own.
    """
    matches = matches or match_patterns(doc, accepted)
    calibration = shipped_calibration() if calibration is None else calibration
    shared = entity_columns(doc, accepted, entity_count)
    columns = role_columns(doc, accepted, shared, matches, further)
    probabilities = model.probabilities(columns).tolist()
    return roles_of_probabilities(
        doc, accepted, probabilities, fitting, matches, calibration, labels
    )


def roles_of_probabilities(
    doc: Document,
    accepted: AcceptedEntity,
    rows: Sequence[Sequence[float]],
    fitting: Collection[str],
    matches: PatternMatches,
    calibration: Calibration,
    labels: Sequence[str] = ROLE_LABELS,
) -> Iterator[PredictedRole]:
    """Yield the roles of an entity among `fitting`, each with its evidence; the likeliest is first.

    A further role follows if the text states it of one of the mentions, and if it is compatible
    with the first one: a paper may extend a method and compare with it. "outperforms" follows
    "comparesTo" if the text claims superiority. `rows` are the probabilities that the model gives
    the columns of the entity and of its mentions (see `role_columns`).
    """
    probabilities, *mention_probabilities = rows
    weights = _reweight(
        dict(zip(labels, probabilities, strict=True)), doc, accepted, matches, fitting
    )
    scores = [weights[role] for role in labels]
    first = max(range(len(labels)), key=scores.__getitem__)
    stated = [matches.by_mention[span] for span in accepted.spans]
    for role, score in _role_scores(doc, accepted, labels[first], weights, matches):
        label = labels.index(role)
        own = [row[label] for row in mention_probabilities]
        evidence = order_evidence(role, doc, accepted, own, stated)
        if label != first:
            evidence = tuple(n for n in evidence if role in stated[n])
        confidence = calibration.probability(role if label == first else FURTHER, score)
        yield PredictedRole(role, confidence, evidence)
        outperformed = tuple(
            n
            for n in evidence
            if accepted.spans[n] not in matches.outperformed_by_others
            and _is_outperformed(doc, accepted.spans[n])
        )
        if role == COMPARES_TO and outperformed:
            yield PredictedRole("outperforms", confidence, outperformed)


def _role_scores(
    doc: Document,
    accepted: AcceptedEntity,
    first: str,
    scores: Mapping[str, float],
    matches: PatternMatches,
) -> Iterator[tuple[str, float]]:
    """Yield the first role and the further ones that the abstract states, each with its score.

    The score of a further role is its share of what the first one leaves.
    """
    yield first, scores[first]
    stated = {
        role
        for span in accepted.spans
        if span[0] >= doc.title_tokens
        for role in matches.by_mention[span]
    }
    rest = 1 - scores[first] or 1.0
    for role, score in scores.items():
        if role in stated and {first, role} in _TOGETHER:
            share = score / rest
            if share >= _MIN_SHARE:
                yield role, share


def _reweight(
    probabilities: Mapping[str, float],
    doc: Document,
    accepted: AcceptedEntity,
    matches: PatternMatches,
    fitting: Collection[str],
) -> dict[str, float]:
    """Return the probabilities of roles, adjusted by stated roles and background knowledge.

    Roles outside `fitting`, and those that the text denies, get probability 0.
    """
    possible = {*fitting} - matches.denied or {*fitting}
    logits = {role: _PATTERN_WEIGHT[role] for role in matches.roles - {INTRODUCES}}
    logits[INTRODUCES] = introduction_log_odds(doc, accepted, is_stated=INTRODUCES in matches.roles)
    if TRAINS_ON not in logits and not _is_about_training(doc, accepted):
        logits[TRAINS_ON] = _NO_TRAINING
    if is_survey(doc.text):
        logits.setdefault(MENTIONS, _SURVEY_WEIGHT)
    weights = {
        role: p * exp(logits.get(role, 0.0)) if role in possible else 0.0
        for role, p in probabilities.items()
    }
    total = sum(weights.values())
    return {role: p / total for role, p in weights.items()}


def _is_about_training(doc: Document, accepted: AcceptedEntity) -> bool:
    """Return whether a sentence with the name contains a word about training."""
    sentences = {doc.sentence_of[first] for first, _ in accepted.spans}
    return any(any(map(_is_training_word, doc.lower[slice(*doc.sentences[n])])) for n in sentences)


@cached_results(maxsize=1 << 14)
def _is_training_word(word: str) -> bool:
    return _TRAINING.fullmatch(word) is not None


def _is_outperformed(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether the sentence claims superiority over the entity at a token span."""
    low, high = doc.sentences[doc.sentence_of[span[0]]]
    before = " ".join(doc.lower[max(low, span[0] - 25) : span[0]])
    after = " ".join(doc.lower[span[1] : min(high, span[1] + 10)])
    if _PASSIVE_SUPERIORITY.match(after) or _PRONOUN_SUPERIORITY.match(after):
        return True
    claims = list(_SUPERIORITY.finditer(before))
    if not claims or doc.words[high - 1] == "?" or _NEXT_PREDICATE.search(before, claims[-1].end()):
        return False
    return not _NEGATION.search(before[max(0, claims[-1].start() - 25) :])
