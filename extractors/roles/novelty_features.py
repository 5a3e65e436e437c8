"""Features that distinguish a paper's own entities from others, for the role model.

The features of `classifier.entity_features` are single facts, and the model is linear. The features
of this module combine facts that indicate novelty only together: a name outside the lexicon that is
written with capitals, follows an indefinite article and is abbreviated in brackets is likely new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.roles.introduction_claims import is_generic
from citekg.extractors.roles.novelty import known_introducer
from citekg.extractors.wording.stop_words import ARTICLES
from citekg.extractors.wording.verbs import GOVERNING_WORDS

Span = tuple[int, int]

#: The first statement about the authors' own work.
_OWN_STATEMENT: Final = re.compile(
    r"\b(?:(?:we|this (?:paper|work|article|study|report)) (?:\w+ ){0,2}?(?:propos|introduc|present"
    r"|develop|design|devis|describ|releas|construct|creat|build)|our (?:new|novel|proposed)\b"
    r"|in this (?:paper|work|article|study)\b|is proposed\b)",
    re.IGNORECASE,
)
_AUTHORS: Final = frozenset({"we", "our"})
_OTHERS_WORK: Final = frozenset(
    {word for word, kind in GOVERNING_WORDS.items() if kind == "background"}
    | {"al", "current", "many", "most"}
)
#: Words of a sentence about possible future work.
_POSSIBLE: Final = frozenset({"compatible", "future", "potential", "plug"})
#: Words that end the search for the article of a name.
_BREAKS: Final = frozenset(", ; : . ( and of with by using via for on in that which".split())
#: The number of tokens before a name that are searched for its article, and for words before a
#: list.
_ARTICLE_WINDOW: Final = 6
_LIST_WINDOW: Final = 8
#: Words shorter than this are ignored when a name and a title are compared.
_MIN_LETTERS: Final = 4
_WORD_BREAK: Final = re.compile(r"[\s-]+")


def novelty_features(doc: Document, accepted: AcceptedEntity, introduced_beside: int) -> list[str]:
    """Return the features, each joined with whether the lexicon has the name.

    `introduced_beside` is the number of other entities that the text claims to introduce. The texts
    are hashed into the trained weights.
    """
    name = max((doc.span_text(*span) for span in accepted.spans), key=len)
    words = _WORD_BREAK.split(name)
    body = [span for span in accepted.spans if span[0] >= doc.title_tokens]
    shape, place = _shape(name, words), _place_in_title(doc, accepted.spans)
    is_abbreviated = any(_is_abbreviated(doc, span) for span in body)
    definition = f"{len(accepted.candidates) > 1}:{is_abbreviated}"
    generic, listed = is_generic(doc, accepted), _listed(doc, accepted)
    overlap, others = _overlap(doc, words), min(introduced_beside, 2)
    out = [
        *(f"shape:{shape}{more}" for more in ("", f":{place}", f":{accepted.type}")),
        f"last-word:{words[-1].lower()}",
        *(f"definition:{definition}:{more}" for more in (place, shape)),
        *(f"generic:{generic}{more}" for more in ("", f":{definition}", f":{place}")),
        *(f"listed:{listed}{more}" for more in ("", f":{accepted.type}")),
        *(f"overlap:{overlap}{more}" for more in ("", f":{place}", f":{shape}")),
        *(f"beside:{others}{more}" for more in ("", f":{place}", f":{definition}", f":{overlap}")),
    ]
    if body:
        out += _of_first_mention(doc, body[0], accepted.type, [definition, place, shape])
        out += _of_all_mentions(doc, body, accepted.type, definition, place)
    known = f"&known:{accepted.is_known}"
    return [feature + known for feature in out]


def _of_first_mention(
    doc: Document, span: Span, type_: str, traits: Sequence[str]
) -> Iterator[str]:
    """Yield the features of the sentence around the first mention in the abstract."""
    low, high = doc.sentences[doc.sentence_of[span[0]]]
    left = doc.lower[low : span[0]]
    article, about = _article(left), _is_about(left)
    order = _order(doc, span)
    for trait in ("", about, order, *traits):
        yield f"article:{article}:{trait}"
    for trait in ("", traits[0], order):
        yield f"about:{about}:{trait}"
    near = left[-_LIST_WINDOW:]
    is_example = not {"e.g", "e.g.", "such"}.isdisjoint(near)
    yield f"colon:{':' in left}:{about}"
    yield f"example:{is_example}:{about}"
    yield f"possible:{not _POSSIBLE.isdisjoint(doc.lower[low:high])}:{type_}"
    yield f"order:{order}"
    yield f"order:{order}:{about}:{type_}"


def _of_all_mentions(
    doc: Document, body: Sequence[Span], type_: str, definition: str, place: str
) -> Iterator[str]:
    """Yield the features of the positions of mentions relative to the first own statement."""
    orders = "+".join(sorted({_order(doc, span) for span in body}))
    for trait in ("", f":{definition}:{type_}", f":{place}", f":{len(body) > 1}"):
        yield f"orders:{orders}{trait}"
    is_stated = _own_statement(doc.text, doc.starts[doc.title_tokens]) < len(doc.text)
    yield f"own-statement:{is_stated}:{place}"


def _order(doc: Document, span: Span) -> str:
    """Return whether a mention is before, in or after the first own statement's sentence."""
    low, high = doc.sentences[doc.sentence_of[span[0]]]
    at = _own_statement(doc.text, doc.starts[doc.title_tokens])
    if at < doc.starts[low]:
        return "after"
    return "in" if at < doc.ends[high - 1] else "before"


@lru_cache(maxsize=1)
def _own_statement(text: str, start: int) -> int:
    """Return the offset of the first statement about own work, or the length of the text."""
    found = _OWN_STATEMENT.search(text, start)
    return found.start() if found else len(text)


def _article(left: Sequence[str]) -> str:
    """Return the article of a name, or the word in its place, from the words to its left."""
    for word in reversed(left[-_ARTICLE_WINDOW:]):
        if word in ARTICLES or word in _BREAKS:
            return "a" if word == "an" else word
    return ""


def _is_about(left: Sequence[str]) -> str:
    """Return whether the words before a name are about the authors' work or others'."""
    if not _AUTHORS.isdisjoint(left):
        return "own"
    return "" if _OTHERS_WORK.isdisjoint(left) else "others"


def _shape(name: str, words: Sequence[str]) -> str:
    """Return how a name is written: "lower", "title", "words", "upper", "capital" or "mixed"."""
    if name.islower():
        return "lower" if len(words) > 1 else "lower-word"
    if " " in name:
        long = (word for word in words if len(word) >= _MIN_LETTERS)
        return "title" if all(word[0].isupper() for word in long) else "words"
    if name.isupper():
        return "upper"
    if name.isalpha() and name[1:].islower():
        return "capital"
    return "mixed-digits" if any(map(str.isdigit, name)) else "mixed"


def _place_in_title(doc: Document, spans: Sequence[Span]) -> str:
    """Return whether the title begins with the name, has it elsewhere, or lacks it."""
    if spans[0][1] > doc.title_tokens:
        return "none"
    return "start" if spans[0][0] == 0 else "inside"


def _is_abbreviated(doc: Document, span: Span) -> bool:
    """Return whether one word in brackets follows a mention."""
    return doc.words[span[1] : span[1] + 1] == ("(",) and doc.words[span[1] + 2 : span[1] + 3] == (
        ")",
    )


def _listed(doc: Document, accepted: AcceptedEntity) -> str:
    """Return which paper the list of known introductions names: "this", "other" or none."""
    introducer = known_introducer(doc, accepted)
    if introducer is None:
        return ""
    return "this" if introducer.is_paper(doc.paper) else "other"


def _overlap(doc: Document, words: Sequence[str]) -> str:
    """Return how many thirds of a name's longer words the title has, or "" without such words."""
    long = [word.lower() for word in words if len(word) >= _MIN_LETTERS]
    if not long:
        return ""
    title = doc.lower[: doc.title_tokens]
    return str(round(3 * sum(word in title for word in long) / len(long)))
