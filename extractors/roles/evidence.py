"""Evidence: the mentions of an entity that support a role, best first.

The sentence that states the role comes first, then one about the authors' own work, then one whose
clause has a verb of that role. Sentences about the work of others and the title come last.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.roles.introduction_claims import is_about_others
from citekg.extractors.wording.stop_words import AUTHORS, PAPER_NOUNS
from citekg.extractors.wording.verbs import GOVERNING_WORDS
from citekg.schemas.vocabulary import (
    COMPARES_TO,
    EVALUATES_ON,
    EXTENDS,
    INTRODUCES,
    MENTIONS,
    OUTPERFORMS,
    TRAINS_ON,
    USES,
)

#: The kinds of governing words (`citekg.extractors.wording.verbs`) that indicate each role.
_KINDS: Final = {
    INTRODUCES: {"introduce"},
    USES: {"use", "study"},
    EXTENDS: {"extend"},
    EVALUATES_ON: {"evaluate"},
    TRAINS_ON: {"train"},
    COMPARES_TO: {"versus"},
    OUTPERFORMS: {"versus"},
    MENTIONS: {"background", "but"},
}
#: Roles that a sentence about the authors' own work does not support better than another one.
_OF_OTHERS: Final = frozenset({COMPARES_TO, OUTPERFORMS, MENTIONS})
#: Kinds that indicate their role and no other one.
_UNAMBIGUOUS: Final = frozenset({"evaluate", "train", "versus"})
#: Kinds of words that may occur between a verb and the name that it governs.
_TRANSPARENT: Final = frozenset({"like", "background"})
_CLAUSE_ENDS: Final = frozenset({";", ":", "while", "whereas", "but", "which"})
_MAX_EVIDENCE: Final = 3


def order_evidence(
    role: str,
    doc: Document,
    accepted: AcceptedEntity,
    probabilities: Sequence[float],
    stated: Sequence[set[str]],
) -> tuple[int, ...]:
    """Return the indices of at most three mentions that support the role, best first.

    `probabilities` holds the probability of the role for each mention, `stated` the roles that the
    text states next to it.
    """
    ranked = sorted(
        (_rank(role, doc, span, stated[number]), -own, number)
        for number, (span, own) in enumerate(zip(accepted.spans, probabilities, strict=True))
    )
    return tuple(number for *_, number in ranked)[:_MAX_EVIDENCE]


def _rank(role: str, doc: Document, span: tuple[int, int], stated: set[str]) -> tuple[bool, ...]:
    """Return a sort key of a mention, the best evidence of the role first."""
    if span[1] <= doc.title_tokens:
        return (True,)
    kinds, expected = _governing_kinds(doc, span), _KINDS.get(role, set())
    has_other_role = not _UNAMBIGUOUS.isdisjoint(kinds - expected)
    return (
        False,
        role not in stated,
        role != MENTIONS and is_about_others(doc, span),
        MENTIONS in stated,
        role not in _OF_OTHERS and (has_other_role or not _is_about_own_work(doc, span)),
        expected.isdisjoint(kinds),
    )


def _is_about_own_work(doc: Document, span: tuple[int, int]) -> bool:
    """Return whether the sentence names the authors or their paper before a mention."""
    low, _ = doc.sentences[doc.sentence_of[span[0]]]
    words = doc.lower[low : span[0]]
    return not AUTHORS.isdisjoint(words) or any(
        first == "this" and second in PAPER_NOUNS for first, second in pairwise(words)
    )


def _governing_kinds(doc: Document, span: tuple[int, int]) -> set[str]:
    """Return the kinds of the words before a mention that govern it, inside its clause.

    These are the nearest verb and the words between it and the name.
    """
    low, _ = doc.sentences[doc.sentence_of[span[0]]]
    kinds: set[str] = set()
    for i in range(span[0] - 1, low - 1, -1):
        word = doc.lower[i]
        if word in _CLAUSE_ENDS:
            break
        kind = GOVERNING_WORDS.get(word)
        if kind:
            kinds.add(kind)
            if kind not in _TRANSPARENT:
                break
    return kinds
