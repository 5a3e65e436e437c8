"""Stated non-entities: names that the text calls a problem, a setting, a measure and the like.

Each row of the tables is a position next to a name and the words there: "the problem of X", "the X
inequality", "metrics (X, Y)", "X et al.". One such statement decides for all mentions of a name,
and for its short and long form. Statements of the opposite, as in "the X algorithm", prevent it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from citekg.extractors.candidates.generate import PHRASE, TAGGER, Candidate
from citekg.extractors.classification.coreference import head_stripped_key
from citekg.extractors.nlp import Document
from citekg.extractors.wording.context import context_around
from citekg.extractors.wording.head_nouns import HARDWARE_NOUNS
from citekg.extractors.wording.non_entities import (
    METRIC_LIST,
    SECTION_LABELS,
    STATED_KINDS,
    STATED_METHODS,
)
from citekg.extractors.wording.verbs import NAMING_VERBS, PROPOSE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Minimum probability of a phrase in plain words that neither the lexicon nor a definition
#: proposes, chosen by cross-validation; most of those below it are not entities.
_MIN_PLAIN: Final = 0.8

#: Probability of not being an entity from which a candidate is not checked, because it is not
#: accepted anyway.
_MAX_DOUBT: Final = 0.8

_KIND: Final = rf"(?:{'|'.join(STATED_KINDS)})"
_SOLVED: Final = r"(?! (?:solv\w+|algorithms?|methods?|models?|networks?|approach\w*|framework))"
#: Text between a name and the noun that states its kind: "Kite (K), a", "Kite is the".
_STATES: Final = r"(?: ?\([^()]*\)| ?\))?(?:, an?| (?:is|are|refers? to) (?:an?|the|our))"
_HARDWARE: Final = rf"(?:{'|'.join(sorted(HARDWARE_NOUNS))})"
#: Text right after the name of hardware: ", a small robot that walks", but not ", a robot
#: simulator" or ", a policy for robots".
_HARDWARE_AFTER: Final = re.compile(
    rf"{_STATES} (?:(?!(?:for|of|in|on|with|to|that|which|from|by|as|via|using)\b)[\w-]+,? ){{0,5}}"
    rf"{_HARDWARE}(?=$|[,.;:()]| (?:that|which|with|without|for|in|on|of|to|and|has|is|can|able"
    r"|capable|designed|developed|consisting|equipped|made)\b)"
)
#: Text right before the name of hardware: "a robot called", "this drone, which is named".
_HARDWARE_BEFORE: Final = re.compile(
    rf"(?<![\w-]){_HARDWARE},? (?:which |that )?(?:is |we )?(?:{'|'.join(sorted(NAMING_VERBS))}) $"
)
#: Text right before the name of hardware at the end of a sentence: "a small robot, Kite."
_HARDWARE_LISTED: Final = re.compile(rf"(?<![\w-]){_HARDWARE}, $")
#: Text right after a name that is not an entity.
_AFTER: Final = re.compile(
    rf" ?(?:\([^()]*\) ?|\) )?{_KIND}(?=$|[\s,.;:()]){_SOLVED}"
    rf"|{_STATES} (?:[\w-]+ ){{0,3}}{_KIND}(?=$|[\s,.;:()]){_SOLVED}"
    r"|,? et al\b"
)
#: The year of a citation, after a name that is spelled like an author's.
_CITED_YEAR: Final = re.compile(r"(?: and [\w-]+)? ?[(\[](?:19|20)\d\d[a-z]?[)\]]")
_SURNAME: Final = re.compile(r"[A-Z][a-z]+")
#: A citation key, and the text around it: "[CG18, LSTZ20]".
_CITATION_KEY: Final = re.compile(r"[A-Z][A-Za-z+]{0,7}\d\d[a-z]?")
_OPEN_BRACKET: Final = re.compile(r"\[[\w+,; ]*$")
_CLOSED_BRACKET: Final = re.compile(r"[\w+,; ]*\]")
#: Text right before a name that is not an entity.
_BEFORE: Final = re.compile(
    r"(?<![\w-])(?:"
    r"(?:problem|task|setting|notion|phenomenon|assumption|theory|field) of (?:the |an? )?"
    rf"|(?:an?|novel|new) (?:[\w-]+ ){{0,3}}(?:{_KIND}|task)(?:,| -+| [–—]|:) "
    rf"|(?:{_KIND}|task) (?:(?:that |which )?(?:we |is |are )?(?:call|called|named|dubbed|termed"
    r"|known as|namely|referred to as)) (?:the )?"
    rf"|{METRIC_LIST}"
    r")$"
)
#: Text that indicates an entity, after the name and before it.
_METHOD_AFTER: Final = re.compile(
    rf" ?(?:\([^()]*\) ?|\) )?(?:based |style )?(?:{'|'.join(STATED_METHODS)})\b"
)
_METHOD_BEFORE: Final = re.compile(
    rf"(?<![\w-])(?:{PROPOSE} (?:[\w-]+ ){{0,3}}"
    rf"|(?:{'|'.join(STATED_METHODS)})(?: of| called|,)? )$"
)


def is_stated_non_entity(
    doc: Document, candidate: Candidate, partners: Sequence[Candidate] = ()
) -> bool:
    """Return whether the text states that a candidate is not an entity.

    It is one if the text also calls it, or one of its `partners`, a method. Names of the lexicon
    and of plug-ins are exempt: "the LASSO problem" is about the LASSO.
    """
    if candidate.entry or candidate.cue_types:
        return False
    contexts = [context_around(doc, span) for span in candidate.spans]
    name = doc.span_text(*candidate.spans[0])
    if _SURNAME.fullmatch(name) and any(_CITED_YEAR.match(after) for _, after in contexts):
        return True
    if _CITATION_KEY.fullmatch(name) and all(
        _OPEN_BRACKET.search(before) and _CLOSED_BRACKET.match(after) for before, after in contexts
    ):
        return True
    if any(_is_hardware(before, after) for before, after in contexts):
        return True
    if not any(_AFTER.match(after) or _BEFORE.search(before) for before, after in contexts):
        return False
    further = (context_around(doc, span) for form in partners for span in form.spans)
    return not (
        any(_METHOD_BEFORE.search(before) for before, _ in contexts)
        or any(_METHOD_AFTER.match(after) for _, after in (*contexts, *further))
    )


def _is_hardware(before: str, after: str) -> bool:
    """Return whether the words around a name state that it is hardware, such as a robot."""
    return bool(
        _HARDWARE_AFTER.match(after)
        or _HARDWARE_BEFORE.search(before)
        or (after[:1] in ("", ".") and _HARDWARE_LISTED.search(before))
    )


def is_section_label(doc: Document, candidate: Candidate) -> bool:
    """Return whether a candidate only labels parts of an abstract: "METHODS: We fly."."""
    if doc.lower[slice(*candidate.spans[0])][0] not in SECTION_LABELS:
        return False
    return all(_is_label(doc, *span) for span in candidate.spans)


def _is_label(doc: Document, first: int, last: int) -> bool:
    start = doc.sentences[doc.sentence_of[first]][0]
    return all(w in SECTION_LABELS for w in doc.lower[start:last] if w[0].isalpha())


def is_doubtful_phrase(doc: Document, candidate: Candidate, probability: float) -> bool:
    """Return whether a phrase in plain words is too improbable, unless known or defined."""
    if not _is_unknown(candidate) or not candidate.finders <= {PHRASE, TAGGER}:
        return False
    return probability < _MIN_PLAIN and doc.span_text(*candidate.spans[0]).islower()


def reject_stated(
    doc: Document,
    candidates: Sequence[Candidate],
    probabilities: NDArray[np.float32],
    exempt: Collection[str] = (),
) -> list[int]:
    """Return the indices of the candidates that stay; those with a key in `exempt` do.

    With a rejected short form, its long form is rejected, unless the lexicon has one of them. So
    are the rejected name with a head noun, and unknown names that occur only inside a rejected
    name.
    """
    by_key = {c.key: c for c in candidates}
    stated = [
        c
        for c, (doubt, *_) in zip(candidates, probabilities.tolist(), strict=True)
        if doubt < _MAX_DOUBT
        and c.key not in exempt
        and not any(form.entry for form in _partners(c, by_key))
        and (is_stated_non_entity(doc, c, _partners(c, by_key)) or is_section_label(doc, c))
    ]
    keys = {name for c in stated for name in (c.key, *c.partners)}
    inside = {token for c in stated for span in c.spans for token in range(*span)}
    return [
        i
        for i, (candidate, row) in enumerate(zip(candidates, probabilities.tolist(), strict=True))
        if candidate.key in exempt
        or (
            not keys & {candidate.key, head_stripped_key(candidate.key)}
            and not (_is_unknown(candidate) and _is_inside(candidate, inside))
            and not is_doubtful_phrase(doc, candidate, 1 - row[0])
        )
    ]


def _partners(candidate: Candidate, by_key: Mapping[str, Candidate]) -> list[Candidate]:
    """Return the other forms of a candidate that the text defines."""
    return [by_key[name] for name in sorted(candidate.partners) if name in by_key]


def _is_unknown(candidate: Candidate) -> bool:
    return not (candidate.entry or candidate.partners or candidate.cue_types)


def _is_inside(candidate: Candidate, tokens: set[int]) -> bool:
    return all(tokens.issuperset(range(*span)) for span in candidate.spans)
