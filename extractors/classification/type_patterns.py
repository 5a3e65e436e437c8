"""Type patterns: the type that the text states of an entity (after Hearst 1992).

Examples: "Kite, a new corpus", "the benchmark named Kite". The nouns are those that annotators and
authors use for the same types. They do not distinguish methods from models ("X, a simple model" may
be either): "algorithm" only excludes benchmarks and datasets.
"""

from __future__ import annotations

import re
from typing import Final

from citekg.extractors.classification.compound_names import is_sized
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.wording.clause_words import CLAUSE_WORDS
from citekg.extractors.wording.context import context_around
from citekg.extractors.wording.verbs import MAKE, PROPOSE
from citekg.schemas.names import parse
from citekg.schemas.names.words import DATE, MODEL_LINES, SIZE, STAGE, VERSION
from citekg.schemas.vocabulary import BENCHMARK, DATASET, METHOD, MODEL

#: Nouns that state a type, as patterns in lower case.
_NOUNS: Final = {
    DATASET: (
        r"(?:data ?sets?|corpus|corpora|treebanks?|(?:data|image|test|document) collections?"
        r"|(?:image|face|video|speech|text|signal) databases?)"
    ),
    BENCHMARK: (
        r"(?:benchmarks?|(?:benchmark|test|evaluation) ?suites?|testbeds?|leaderboards?"
        r"|(?:challenge|test) sets?|simulators?"
        r"|(?:simulation|gym) environments?|evaluation frameworks?)"
    ),
    METHOD: (
        r"(?:algorithms?|methods?|approach(?:es)?|techniques?|controllers?|planners?"
        r"|optimi[sz]ers?|solvers?|samplers?"
        r"|estimators?|detectors?|librar(?:y|ies)|toolkits?|architectures?|networks?"
        r"|generators?|statistical tests?|(?:robust|faster|regulari[sz]ed|online|generali[sz]ed)"
        r" (?:version|variant|extension) of)"
    ),
}
#: Text that must not follow the noun, because the noun would be part of a compound: "a data set
#: pruning method".
_NOT_COMPOUND: Final = (
    r"(?=$|[\s,.;:()])(?! (?:distillation|condensation|generat\w+|construction|creat\w+|curation"
    r"|synthesis|augmentation"
    r"|selection|pruning|search|analysis|(?:collection )?(?:methods?|frameworks?|pipelines?|tools?"
    r"|toolkits?|approach"
    r"|algorithms?|models?|networks?|classifiers?|generators?|platforms?|library|libraries"
    r"|systems?))\b)"
)
#: A word of a noun phrase before its head noun.
_WORD: Final = (
    rf"(?!(?:{CLAUSE_WORDS}|built|designed|consisting|containing|comprising|including|covering"
    r"|and (?:an?|the|our|new|novel))\b)[^\s,;:()]+"
)
#: Text after a name, before what it is: an apposition or a predicate.
_IS: Final = r"(?: ?\([^()]*\))?(?:,| is| are|:| ?[-–—]| \() ?"
_NAMING: Final = (
    r"(?:,? (?:called|named|dubbed|termed|coined|namely|entitled|denoted(?: as| by)?|(?:that "
    r"|which )?we (?:call|name"
    r"|term|dub))(?: the)? | \()"
)


def _after(type_: str, noun: str) -> re.Pattern[str]:
    """Return the pattern of an apposition or predicate after the name.

    "On Kite, our method" states no type of Kite.
    """
    ours = "" if type_ == METHOD else "|our"
    article = rf"(?:an?|the first|the largest{ours}|one of the (?:first|largest))"
    return re.compile(rf"{_IS}{article} (?:{_WORD},? ){{0,9}}?{noun}{_NOT_COMPOUND}")


def _before(type_: str, noun: str) -> re.Pattern[str]:
    """Return the pattern of the noun before a name: "a new corpus Kite", "our method, Kite"."""
    adjacent = (
        rf"our (?:[\w-]+ ){{0,3}}?{noun}(?:,|:| of)? "
        if type_ == METHOD
        else rf"(?:{PROPOSE}|{MAKE}) (?:an?|the|our) (?:{_WORD},? ){{0,6}}?{noun},? "
    )
    return re.compile(rf"(?<![\w-])(?:{noun}{_NAMING}|{adjacent})$")


_AFTER: Final = {type_: _after(type_, noun) for type_, noun in _NOUNS.items()}
_BEFORE: Final = {type_: _before(type_, noun) for type_, noun in _NOUNS.items()}
_HEAD: Final = {type_: re.compile(rf" {noun}{_NOT_COMPOUND}") for type_, noun in _NOUNS.items()}
_INTRODUCED: Final = re.compile(
    rf"(?<![\w-])(?:(?:{PROPOSE}|{MAKE}) (?:an?|the)|our) (?:[\w-]+ ){{0,3}}$"
)
#: The noun right after a name with an article: "on the Kite corpus".
_KIND_AFTER: Final = {
    DATASET: re.compile(
        rf"(?: ?\([^()]*\))? (?:data ?set|corpus|treebank|(?:test )?collection|database)"
        rf"{_NOT_COMPOUND}"
    ),
    BENCHMARK: re.compile(
        rf"(?: ?\([^()]*\))? (?:benchmark|leaderboard|testbed|simulator|challenge){_NOT_COMPOUND}"
    ),
}
_ARTICLE: Final = re.compile(r"(?<![\w-])(?:the|an?|our) (?:[\w-]+ ){0,2}$")
#: A statement that the name is an algorithm, which excludes a model.
_ALGORITHM: Final = re.compile(
    rf"{_IS}an? (?:{_WORD},? ){{0,9}}?(?:algorithm|method|approach|technique)\b"
)
#: A statement that the name is a trained model: "Kite, a large language model".
_TRAINED: Final = re.compile(
    rf"{_IS}an? (?:{_WORD},? ){{0,6}}?(?:language|foundation) model{_NOT_COMPOUND}"
)


def stated_type(doc: Document, accepted: AcceptedEntity) -> str:
    """Return the type that the text or the name states of an entity, or else the predicted one.

    Entities of the lexicon keep their type: "Kite, a benchmark" adds nothing new about them.
    """
    if accepted.is_known:
        return accepted.type
    if accepted.type == METHOD and is_sized(doc, accepted.spans[0]):
        return MODEL
    after = [context_around(doc, span)[1] for span in accepted.spans]
    if accepted.type == METHOD and any(map(_TRAINED.match, after)):
        return MODEL
    if accepted.type == MODEL and any(map(_ALGORITHM.match, after)):
        return METHOD
    stated = {type_ for span in accepted.spans for type_ in _stated_types(doc, span)}
    if accepted.type not in (BENCHMARK, DATASET):
        stated.discard(METHOD)
    if not stated and accepted.type in (BENCHMARK, DATASET) and _is_model_variant(doc, accepted):
        return MODEL
    return (
        accepted.type
        if accepted.type in stated
        else min(stated, default=accepted.type, key=[*_NOUNS].index)
    )


def _is_model_variant(doc: Document, accepted: AcceptedEntity) -> bool:
    """Return whether a name is a model family with a size, a stage or a version."""
    name = parse(doc.span_text(*accepted.spans[0]))
    kinds = {kind for kind, _ in name.parts}
    return name.family in MODEL_LINES and bool(kinds) and kinds <= {SIZE, STAGE, VERSION, DATE}


def _stated_types(doc: Document, span: tuple[int, int]) -> set[str]:
    """Return the types that the text states next to one mention, a token span."""
    before, after = context_around(doc, span)
    is_introduced = _INTRODUCED.search(before)
    has_article = not any(map(str.isspace, doc.span_text(*span))) and _ARTICLE.search(before)
    return {
        type_
        for type_ in _NOUNS
        if _AFTER[type_].match(after)
        or _BEFORE[type_].search(before)
        or (is_introduced and _HEAD[type_].match(after))
        or (has_article and type_ in _KIND_AFTER and _KIND_AFTER[type_].match(after))
    }
