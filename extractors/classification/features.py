"""What the decision step looks at: a candidate's spelling, places, company and sources, as texts.

Every feature is a short text, hashed to a column of the weights, so nothing needs a vocabulary file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import add
from typing import Final
from zlib import crc32

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import hash_features
from citekg.extractors.nlp import Document
from citekg.schemas.vocabulary import TYPES

#: Nouns that say what the name before them is, by what they say.
HEAD_KINDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "method": """algorithm algorithms method methods approach approaches technique techniques framework frameworks
        objective strategy procedure paradigm pipeline optimizer system systems architecture architectures agent agents
        module layer layers mechanism loss regularization policy policies planner solver library toolkit training
        prompting learning sampling planning decoding inference""",
        "benchmark": """benchmark benchmarks suite suites environment environments simulator simulators leaderboard task
        tasks game games challenge domain domains test tests testbed competition exam problems platform""",
        "model": """model models llm llms checkpoint checkpoints backbone backbones encoder series family
        weights base""",
        "dataset": """dataset datasets data corpus corpora collection annotations images videos""",
        "metric": "metric metrics score scores measure measures index indices",
        "setting": "setting settings problem literature field community researchers issue phenomenon",
    }.items()
    for word in words.split()
}
#: Verbs and prepositions before a name, by what they hint at.
CUE_KINDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "new": """propose proposes proposed introduce introduces introduced introducing present presents presented
        develop
        develops developed release releases released call called named dubbed termed coined design devise describe
        proposing presenting novel new namely""",
        "eval": """evaluate evaluates evaluated evaluation evaluations experiments experiment tested benchmarks
        benchmark
        results achieves achieve achieving performance datasets tasks on across demonstrate validate validated""",
        "data": "trained train training pretrained corpus dataset collected annotated samples",
        "use": "use uses used using via with leverage leverages apply applying employ adopt based through by combining",
        "versus": """outperforms outperform outperforming surpasses surpassing exceeds compared versus vs than against
        baselines baseline beats comparable unlike""",
        "tune": "fine finetune finetuned tune tuned tuning initialized distilled on",
        "like": "like as including e.g eg such",
    }.items()
    for word in words.split()
}
_BEFORE_ARTICLE: Final = frozenset({",", "(", ")", "is", "are", "was", "as", ":", "-", "–", "—"})
_ARTICLES: Final = frozenset({"a", "an", "the", "our", "one"})
_PHRASE_ENDS: Final = frozenset(
    ", . ; : ( ) which that for of to with where whose in on by from and is are consisting comprising".split()
)
_NAMING: Final = frozenset(', : ( - – — called named dubbed termed coined namely as denoted the " “ ‘'.split())
_ENDINGS: Final = frozenset(
    """bench benchmark qa gym net nets gpt former formers rl po world arena eval lm llm vla vl coder mark suite env sim
    craft wiki corpus data set gan vae bert bot agent agents q ac dt mdp grad prop flow diff diffusion search learning
    training tuning optimization gradient instruct chat math code r1 zero base large policy prompt prompting""".split()
)
_ENDING_LENGTHS: Final = sorted({*map(len, _ENDINGS)}, reverse=True)
#: How many places of a candidate are looked at closely.
_PLACES: Final = 6
#: Digits, and capitals after the first letter, as few ordinary words have them.
_SIGNS: Final = re.compile(r"\d|[^\W\d_][A-Z]")
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?[BMKbmk]")


def feature_columns(
    doc: Document,
    candidate: Candidate,
    known: dict[tuple[int, int], str],
    tagged: Sequence[Sequence[float]] | None = None,
) -> set[int]:
    """The weight columns of a candidate's features, what it looks like crossed with the signs of what it is.

    `known` gives the lexicon's type at token spans of the document; `tagged` is what the tagger
    says of its tokens, a row of labels each, where that layer is on.
    """
    looks = {*_source_features(doc, candidate)}
    signs = {*_form_features(doc, candidate)}
    found = {"bias", *_known_features(doc, candidate, known), *_spelling_features(doc, candidate)}
    for span in candidate.spans[:_PLACES]:
        signs.update(_neighbourhood_features(doc, span, known))
        found.update(_context_features(doc, span))
    if tagged is not None:
        tag, *others = _tagger_features(candidate, tagged)
        looks.add(tag)
        found.update(others)
    # Names that the lexicon knows are weighed apart: shape, place and tagger say little against them.
    begun = crc32(b"known ") if "known:whole" in found else 0
    crossing = [crc32(f"{text}&".encode(), begun) for text in looks]
    return hash_features(found | looks | signs, [begun]) | hash_features(signs, crossing)


def _tagger_features(candidate: Candidate, tagged: Sequence[Sequence[float]]) -> Iterator[str]:
    """How sure the tagger is of each type, of the edges, and at the best place of the candidate."""
    first, last = min(candidate.spans, key=lambda s: sum(row[0] for row in tagged[s[0] : s[1]]) / (s[1] - s[0]))
    outside, *labels = zip(*tagged[first:last], strict=True)
    types = [sum(map(add, *labels[2 * t : 2 * t + 2])) / len(outside) for t in range(len(TYPES))]
    after = sum(tagged[last][2::2]) if last < len(tagged) else 0.0
    yield f"tag:{max(range(len(types)), key=types.__getitem__)}:{binned(sum(types))}"
    yield f"edges:{binned(sum(tagged[first][1::2]))}:{binned(after)}"
    yield f"whole:{binned(1 - max(outside))}"
    yield from (f"tagged{t}:{binned(p)}" for t, p in enumerate(types))


def binned(probability: float) -> int:
    """A probability in eighths."""
    return min(int(8 * probability), 7)


def _source_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    """Who found it, what the lexicon takes it for, and its shape."""
    finders = "+".join(sorted(candidate.finders & {"written", "phrase"}))
    yield f"src:{finders}"
    if candidate.is_short:
        yield "src:short"
    if candidate.is_long:
        yield "src:long"
    entry = candidate.entry
    yield f"begins:{candidate.prefix_type}"
    if entry is None:
        yield "lex:none"
    else:
        yield f"lex:{entry.type}{'~' if entry.umbrella else ''}"
    yield f"shape:{_shape(doc.span_text(*candidate.spans[0]))}"


def _known_features(doc: Document, candidate: Candidate, known: dict[tuple[int, int], str]) -> Iterator[str]:
    """How much the lexicon's word is worth: a whole name, or part of a longer one; in capitals, or in plain words."""
    entry = candidate.entry
    if entry is None:
        return
    yield f"lex?{bool(entry.context)}"
    if entry.umbrella:
        return
    part = all(any(a <= c and d <= b and (a, b) != (c, d) for a, b in known) for c, d in candidate.spans[:_PLACES])
    surface = doc.span_text(*candidate.spans[0])
    case = "signs" if _SIGNS.search(surface) else "capital" if surface[0].isupper() else "plain"
    yield "known:part" if part else "known:whole"
    yield f"known:{case}:{bool(entry.context)}"
    yield f"known:{case}:{bool(entry.context)}:{entry.type}"


def _spelling_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    surface = doc.span_text(*candidate.spans[0])
    words = _words(doc, candidate)
    yield f"length:{min(len(surface), 12)}"
    yield f"name:{candidate.key}"
    yield f"last:{words[-1] if words else ''}"
    yield f"first:{words[0] if words else ''}"
    lowered = surface.lower()
    for n in (2, 3, 4):
        yield f"suffix:{lowered[-n:]}"
        yield f"prefix:{lowered[:n]}"
    if _SIZE.search(surface):
        yield "size"
    for word in set(words):
        yield f"has:{word}"
    yield f"count:{min(len(candidate.spans), 4)}"
    body = next((first for first, _ in candidate.spans if first >= doc.title_tokens), None)
    if body is not None:
        yield f"where:{int(4 * body / len(doc.words))}"


def _words(doc: Document, candidate: Candidate) -> list[str]:
    return [w for w in doc.lower[slice(*candidate.spans[0])] if w[0].isalnum() or w[0] == "_"]


@lru_cache(maxsize=100_000)
def _shape(surface: str) -> str:
    shape = re.sub(r"[A-Z]", "A", re.sub(r"[^\W\d_A-Z]", "a", re.sub(r"\d", "0", surface)))
    return re.sub(r"(.)\1+", r"\1\1", re.sub(r"aa+", "a", shape))[:14]


def _form_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    """How long it is, how it ends, and how it stands in the title."""
    yield f"words:{min(len(_words(doc, candidate)), 6)}"
    lowered = doc.span_text(*candidate.spans[0]).lower()
    yield f"end:{next((lowered[-n:] for n in _ENDING_LENGTHS if lowered[-n:] in _ENDINGS), '')}"
    in_title = [span for span in candidate.spans if span[1] <= doc.title_tokens]
    in_body = sum(first >= doc.title_tokens for first, _ in candidate.spans)
    yield f"title:{bool(in_title)}{min(in_body, 3)}"
    if in_title:
        first, last = in_title[0]
        after = doc.words[last] if last < doc.title_tokens else "END"
        if first == 0:
            yield f"title:start{after if after == ':' else ''}"
        if last == doc.title_tokens:
            yield "title:end"
        if first == 0 and last == doc.title_tokens:
            yield "title:whole"
        if first == 0:
            yield from (f"called:title-{HEAD_KINDS[w]}" for w in doc.lower[last : doc.title_tokens] if w in HEAD_KINDS)


def _context_features(doc: Document, span: tuple[int, int]) -> Iterator[str]:
    """The words beside one place of a name."""
    first, last = span
    low, high = doc.sentences[doc.sentence_of[first]]
    section = "t" if first < doc.title_tokens else "b"
    left = [doc.lower[i] if i >= low else "^" for i in range(first - 1, first - 4, -1)]
    right = [doc.lower[i] if i < high else "$" for i in range(last, last + 3)]
    yield f"left2:{left[1]} {left[0]}"
    yield f"left3:{left[2]} {left[1]} {left[0]}"
    yield f"right1:{section}{right[0]}"
    yield f"right2:{right[0]} {right[1]}"
    yield f"both:{left[0]}_{right[0]}"
    if first > 0 and doc.ends[first - 1] == doc.starts[first]:
        yield f"glue<{doc.words[first - 1]}"
    if last < len(doc.words) and doc.starts[last] == doc.ends[last - 1]:
        yield f"glue>{doc.words[last]}"
        if last + 1 < high and doc.words[last] == "-":
            yield f"glue>>{doc.lower[last + 1]}"


def _neighbourhood_features(doc: Document, span: tuple[int, int], known: dict[tuple[int, int], str]) -> Iterator[str]:
    """What the words and names beside one place of a name say that it is."""
    first, last = span
    low, high = doc.sentences[doc.sentence_of[first]]
    yield f"left1:{'t' if first < doc.title_tokens else 'b'}{doc.lower[first - 1] if first > low else '^'}"
    yield from (f"head:{h}" for h in _head_kinds(doc, last, high))
    yield from (f"called:{k}" for k in _apposition_kinds(doc, first, last, low, high))
    yield from (f"cue:{c}" for c in _cue_kinds(doc, first, low))
    yield from (f"near:{t}" for t in _listed_types(doc, span, known))


def _head_kinds(doc: Document, last: int, high: int) -> Iterator[str]:
    """The noun right after the name, and the noun that closes a list the name stands in."""
    if last < high and doc.lower[last] in HEAD_KINDS:
        yield HEAD_KINDS[doc.lower[last]]
    for i in range(last, min(high, last + 14)):
        word = doc.lower[i]
        if word in {".", ";", ":", "which", "that", "while", "by", "for", "to", "we"}:
            break
        if word in HEAD_KINDS and i > last:
            yield "far-" + HEAD_KINDS[word]
            break


def _apposition_kinds(doc: Document, first: int, last: int, low: int, high: int) -> Iterator[str]:
    """What the text calls the thing: "X, a new benchmark", "X is a dataset", "the benchmark called X"."""
    i = last
    while i < high and doc.lower[i] in _BEFORE_ARTICLE:
        i += 1
    if last < i < high and doc.lower[i] in _ARTICLES:
        nouns = []
        for word in doc.lower[i + 1 : min(high, i + 12)]:
            if word in _PHRASE_ENDS:
                break
            nouns += [HEAD_KINDS[word]] if word in HEAD_KINDS else []
        yield from (f"after-{n}" for n in nouns[-1:])
    i = first - 1
    while i >= low and doc.lower[i] in _NAMING:
        i -= 1
    if i >= low and doc.lower[i] in HEAD_KINDS:
        yield f"before-{HEAD_KINDS[doc.lower[i]]}"


def _cue_kinds(doc: Document, first: int, low: int) -> Iterator[str]:
    for i in range(first - 1, max(low - 1, first - 9), -1):
        cue = CUE_KINDS.get(doc.lower[i])
        if cue:
            yield f"{cue}{'1' if first - i <= 2 else '2'}"
        if doc.lower[i] in HEAD_KINDS:
            yield f"h-{HEAD_KINDS[doc.lower[i]]}{'1' if first - i <= 2 else '2'}"


def _listed_types(doc: Document, span: tuple[int, int], known: dict[tuple[int, int], str]) -> Iterator[str]:
    """The lexicon's types of the names in the same list."""
    for (first, last), type_ in known.items():
        gap = (last, span[0]) if last <= span[0] else (span[1], first) if first >= span[1] else None
        if gap and 0 < gap[1] - gap[0] <= 8 and in_one_list(doc, *gap):
            yield type_


def in_one_list(doc: Document, first: int, last: int) -> bool:
    """Whether the tokens between two names make them members of one list."""
    between = doc.lower[first:last]
    return (
        any(w in {",", "and", "or", "/", "&"} for w in between)
        and sum(w not in {",", "and", "or", "/", "&", "(", ")"} for w in between) <= 3
    )
