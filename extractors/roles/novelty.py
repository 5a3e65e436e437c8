"""Prior knowledge about the introducer of an entity, as log-odds of the role `introduces`.

A row of the list of known introductions decides. Without a row, a generic name and a name that the
text does not claim as new are less likely to be introduced.
"""

from __future__ import annotations

import re
from typing import Final

from citekg.extractors.classification.coreference import canonical_entry
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.known_introductions import KnownPaper, shipped_introductions
from citekg.extractors.nlp import Document
from citekg.extractors.roles.introduction_claims import (
    is_claimed,
    is_example_or_rival,
    is_generic,
    is_widespread,
)
from citekg.schemas.vocabulary import DEFAULT

#: Log-odds of an introduction that the list decides.
_CERTAIN: Final = 12.0
#: Log-odds of an introduction that the text claims, of one that it does not claim, of such a one if
#: the lexicon has the name and the text no coined form of it, and of a generic name or one that the
#: text presents as known, as an example or as a rival.
_CLAIMED: Final = 3.5
_UNCLAIMED: Final = -0.7
_UNCLAIMED_KNOWN: Final = -2.0
_COINED: Final = re.compile(r"\S*(?:[A-Z]\S*[A-Z\d]|[a-z\d][A-Z])\S*")
_NOT_NEW: Final = -3.0


def introduction_log_odds(doc: Document, accepted: AcceptedEntity, *, is_stated: bool) -> float:
    """Return the log-odds to add to the probability that the paper introduces the entity.

    `is_stated` is true if the text claims the introduction. If both title and abstract claim a
    listed name, the paper coins it in a new sense, or is the listed paper under another title. The
    same holds if the text claims it under another short form.
    """
    introducer = known_introducer(doc, accepted)
    if introducer and introducer.is_paper(doc.paper):
        return _CERTAIN
    if introducer and not (
        is_stated and (_is_coined_here(doc, accepted) or _is_abbreviated_otherwise(accepted))
    ):
        return -_CERTAIN
    if is_stated:
        return _CLAIMED
    if is_generic(doc, accepted) or any(_is_of_others(doc, span) for span in accepted.spans):
        return _NOT_NEW
    forms = [doc.span_text(*span) for span in accepted.spans]
    is_coined = any(map(_COINED.fullmatch, forms))
    return _UNCLAIMED_KNOWN if accepted.is_known and not is_coined else _UNCLAIMED


def _is_of_others(doc: Document, span: tuple[int, int]) -> bool:
    return is_widespread(doc, span) or is_example_or_rival(doc, span)


def _is_coined_here(doc: Document, accepted: AcceptedEntity) -> bool:
    """Return whether both title and abstract claim the name: it has a new sense in this paper."""
    claimed = [span for span in accepted.spans if is_claimed(doc, span, accepted)]
    in_title = [last <= doc.title_tokens for _, last in claimed]
    return any(in_title) and not all(in_title)


def _is_abbreviated_otherwise(accepted: AcceptedEntity) -> bool:
    """Return whether the text gives a known entity an acronym that the lexicon does not list."""
    entry = canonical_entry(accepted)
    shorts = {c.key for c in accepted.candidates if c.is_short}
    return entry is not None and entry.is_abbreviated_otherwise(shorts)


def known_introducer(doc: Document, accepted: AcceptedEntity) -> KnownPaper | None:
    """Return the paper that the list names for the entity, if any.

    A listed method does not apply to data of the same name, and the other way round. A name of
    several words has one sense, whatever the type.
    """
    entry = canonical_entry(accepted)
    if entry is None or entry.type not in DEFAULT.types or accepted.type not in DEFAULT.types:
        return None
    found = shipped_introductions().get(entry.key)
    if found is None or found.is_paper(doc.paper):
        return found
    if any(" " in doc.span_text(*span) for span in accepted.spans):
        return found
    return found if DEFAULT.is_data(entry.type) == DEFAULT.is_data(accepted.type) else None
