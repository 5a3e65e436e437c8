"""What a text calls a thing in so many words: "Kite, a new corpus", "the benchmark named Kite".

The tables hold the nouns of the types that annotators and authors call by the same words. Methods and
models are not told apart so ("X, a simple model" may be either): an algorithm is only known to be no
benchmark and no data set.
"""

from __future__ import annotations

import re
from typing import Final

from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.roles.patterns import MAKE, PROPOSE, context_around
from citekg.schemas.vocabulary import BENCHMARK, DATASET, METHOD, MODEL

#: The nouns that call a thing by its type, as patterns in lower case.
_NOUNS: Final = {
    DATASET: (
        r"(?:data ?sets?|corpus|corpora|treebanks?|(?:data|image) collections?|(?:image|face|video|speech) databases?)"
    ),
    BENCHMARK: (
        r"(?:benchmarks?|(?:benchmark|test|evaluation) ?suites?|testbeds?|leaderboards?|challenge sets?|simulators?"
        r"|(?:simulation|gym) environments?|evaluation frameworks?)"
    ),
    METHOD: (
        r"(?:algorithms?|methods?|approach(?:es)?|techniques?|controllers?|planners?|optimi[sz]ers?|solvers?|samplers?"
        r"|estimators?|detectors?|librar(?:y|ies)|toolkits?|architectures?|networks?)"
    ),
}
#: What may not follow the noun, because it would make it part of another: "a data set pruning method".
_NOT_COMPOUND: Final = (
    r"(?=$|[\s,.;:()])(?! (?:distillation|condensation|generat\w+|construction|creat\w+|curation|synthesis|augmentation"
    r"|selection|pruning|search|analysis|(?:collection )?(?:methods?|frameworks?|pipelines?|tools?|toolkits?|approach"
    r"|algorithms?|models?|networks?|classifiers?|generators?|platforms?|library|libraries|systems?))\b)"
)
#: Words that end a description before it comes to its noun.
_CLAUSE_WORDS: Final = (
    r"(?:on|in|for|to|with|by|of|using|via|from|at|across|under|that|which|who|while|when|where|whose|without|through"
    r"|into|over|is|are|was|were|has|have|can|we|it|they|than|as|based|trained|built|designed|consisting|containing"
    r"|comprising|including|covering|and (?:an?|the|our|new|novel))\b"
)
_WORD: Final = rf"(?!{_CLAUSE_WORDS})[^\s,;:()]+"
_NAMED: Final = (
    r"(?:,? (?:called|named|dubbed|termed|coined|namely|entitled|denoted(?: as| by)?|(?:that |which )?we (?:call|name"
    r"|term|dub))(?: the)? | \()"
)


def _behind(noun: str) -> re.Pattern[str]:
    article = r"(?:an?|the first|the largest|our|one of the (?:first|largest))"
    return re.compile(
        rf"(?: ?\([^()]*\))?(?:,| is| are|:| ?[-–—]| \() ?{article} (?:{_WORD},? ){{0,9}}?{noun}{_NOT_COMPOUND}"
    )


def _before(type_: str, noun: str) -> re.Pattern[str]:
    """The noun with a word that names, or beside the name: "a new corpus Kite", "our method, Kite"."""
    beside = (
        rf"our (?:[\w-]+ ){{0,3}}?{noun}(?:,|:| of)? "
        if type_ == METHOD
        else rf"(?:{PROPOSE}|{MAKE}) (?:an?|the|our) (?:{_WORD},? ){{0,6}}?{noun},? "
    )
    return re.compile(rf"(?<![\w-])(?:{noun}{_NAMED}|{beside})$")


_BEHIND: Final = {type_: _behind(noun) for type_, noun in _NOUNS.items()}
_BEFORE: Final = {type_: _before(type_, noun) for type_, noun in _NOUNS.items()}
_HEAD: Final = {type_: re.compile(rf" {noun}{_NOT_COMPOUND}") for type_, noun in _NOUNS.items()}
_INTRODUCED: Final = re.compile(rf"(?<![\w-])(?:(?:{PROPOSE}|{MAKE}) (?:an?|the)|our) (?:[\w-]+ ){{0,3}}$")
#: What stands right behind the name, behind an article: "on the Kite corpus".
_OF_KIND: Final = {
    DATASET: re.compile(rf"(?: ?\([^()]*\))? (?:data ?set|corpus|treebank){_NOT_COMPOUND}"),
    BENCHMARK: re.compile(rf"(?: ?\([^()]*\))? (?:benchmark|leaderboard|testbed|simulator){_NOT_COMPOUND}"),
}
_ARTICLE: Final = re.compile(r"(?<![\w-])(?:the|an?|our) (?:[\w-]+ ){0,2}$")
#: What no model is, whatever else it is called.
_ALGORITHM: Final = re.compile(
    rf"(?: ?\([^()]*\))?(?:,| is| are|:| ?[-–—]| \() ?an? (?:{_WORD},? ){{0,9}}?"
    r"(?:algorithm|method|approach|technique)\b"
)


def stated_type(doc: Document, chosen: AcceptedEntity) -> str:
    """The type that the text calls an entity by, or else the one it is taken for.

    Names that the lexicon knows keep their type: "Kite, a benchmark" tells nothing new of them.
    """
    if any(c.entry is not None for c in chosen.candidates):
        return chosen.type
    if chosen.type == MODEL and any(_ALGORITHM.match(context_around(doc, span)[1]) for span in chosen.spans):
        return METHOD
    told = {type_ for span in chosen.spans for type_ in _stated_types(doc, span)}
    if chosen.type not in (BENCHMARK, DATASET):
        told.discard(METHOD)
    return chosen.type if chosen.type in told else min(told, default=chosen.type, key=[*_NOUNS].index)


def _stated_types(doc: Document, span: tuple[int, int]) -> set[str]:
    """The types that the text tells beside this mention, a token span."""
    before, behind = context_around(doc, span)
    made = _INTRODUCED.search(before)
    is_one = not any(map(str.isspace, doc.span_text(*span))) and _ARTICLE.search(before)
    return {
        type_
        for type_ in _NOUNS
        if _BEHIND[type_].match(behind)
        or _BEFORE[type_].search(before)
        or (made and _HEAD[type_].match(behind))
        or (is_one and type_ in _OF_KIND and _OF_KIND[type_].match(behind))
    }
