"""What the decision step looks at: a candidate's spelling, places, company and sources, as texts.

Every feature is a short text, hashed to a column of the weights, so nothing needs a vocabulary file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from extractors.candidates import Candidate
from extractors.nlp import Document
from schemas.vocabulary import TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Nouns that say what the name before them is, by what they say.
HEADS: Final[dict[str, str]] = {
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
    }.items()
    for word in words.split()
}
#: Verbs and prepositions before a name, by what they hint at.
CUES: Final[dict[str, str]] = {
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
_ENDINGS: Final = re.compile(
    r"(bench|benchmark|qa|gym|net|nets|gpt|former|formers|rl|po|world|arena|eval|lm|llm|vla|vl|coder|mark|suite|env|sim|"
    r"craft|wiki|corpus|data|set|set|gan|vae|bert|bot|agent|agents|q|ac|dt|mdp|grad|prop|flow|diff|diffusion|search|"
    r"learning|training|tuning|optimization|gradient|instruct|chat|math|code|r1|zero|base|large|policy|prompt|prompting)$"
)
#: How many places of a candidate are looked at closely.
_PLACES: Final = 6
#: Digits, and capitals after the first letter, as few ordinary words have them.
_SIGNS: Final = re.compile(r"\d|[^\W\d_][A-Z]")
_SIZE: Final = re.compile(r"\d+(?:\.\d+)?[BMKbmk]")


def features(
    doc: Document,
    candidate: Candidate,
    known: dict[tuple[int, int], str],
    tagged: NDArray[np.float32] | None = None,
) -> list[str]:
    """The features of a candidate.

    `known` gives the lexicon's type at token spans of the document; `tagged` is what the tagger
    says of its tokens, `(tokens, labels)`, where that layer is on.
    """
    out: list[str] = ["bias"]
    out += _source_features(candidate)
    out += _known_features(doc, candidate, known)
    out += _spelling_features(doc, candidate)
    out += _place_features(doc, candidate)
    for span in candidate.spans[:_PLACES]:
        out += _context_features(doc, span, known)
    if tagged is not None:
        out += _tagger_features(candidate, tagged)
    out = list(dict.fromkeys(out))
    crossing = [f for f in out if f.startswith(("src:", "lex:", "begins:", "shape:", "tag:"))]
    crossed = [
        f for f in out if f.startswith(("head:", "left1:", "cue:", "called:", "end:", "title:", "near:", "words:"))
    ]
    out += [f"{a}&{b}" for a in crossing for b in crossed]
    # Names that the lexicon knows are weighed apart: shape, place and tagger say little against them.
    return [f"known {text}" for text in out] if "known:whole" in out else out


def _tagger_features(candidate: Candidate, tagged: NDArray[np.float32]) -> Iterator[str]:
    """How sure the tagger is of each type, of the edges, and at the best place of the candidate."""
    rows = [tagged[first : last + 1].tolist() for first, last in candidate.spans]
    lengths = [last - first for first, last in candidate.spans]
    outside = [sum(row[0] for row in tokens[:n]) / n for tokens, n in zip(rows, lengths, strict=True)]
    best = min(range(len(rows)), key=outside.__getitem__)
    inside, after = rows[best][: lengths[best]], rows[best][lengths[best] :]
    types = [sum(row[1 + 2 * t] + row[2 + 2 * t] for row in inside) / len(inside) for t in range(len(TYPES))]
    likeliest = max(range(len(types)), key=types.__getitem__)
    yield f"tag:{likeliest}:{binned(sum(types))}"
    yield f"edges:{binned(sum(inside[0][1::2]))}:{binned(sum(after[0][2::2]) if after else 0.0)}"
    yield f"whole:{binned(1 - max(row[0] for row in inside))}"
    yield from (f"tagged{t}:{binned(p)}" for t, p in enumerate(types))


def binned(probability: float) -> int:
    """A probability in eighths."""
    return min(int(8 * probability), 7)


def _source_features(candidate: Candidate) -> Iterator[str]:
    finders = "+".join(sorted(candidate.finders & {"written", "phrase"}))
    yield f"src:{finders}"
    if candidate.is_short:
        yield "src:short"
    if candidate.is_long:
        yield "src:long"
    entry = candidate.entry
    yield f"begins:{candidate.begins_like}"
    if entry is None:
        yield "lex:none"
    else:
        yield f"lex:{entry.type}{'~' if entry.umbrella else ''}"
        yield f"lex?{bool(entry.context)}"


def _known_features(doc: Document, candidate: Candidate, known: dict[tuple[int, int], str]) -> Iterator[str]:
    """How much the lexicon's word is worth: a whole name, or part of a longer one; in capitals, or in plain words."""
    entry = candidate.entry
    if entry is None or entry.umbrella:
        return
    part = all(any(a <= c and d <= b and (a, b) != (c, d) for a, b in known) for c, d in candidate.spans[:_PLACES])
    surface = doc.span_text(*candidate.spans[0])
    case = "signs" if _SIGNS.search(surface) else "capital" if surface[0].isupper() else "plain"
    yield "known:part" if part else "known:whole"
    yield f"known:{case}:{bool(entry.context)}"
    yield f"known:{case}:{bool(entry.context)}:{entry.type}"


def _spelling_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    first, last = candidate.spans[0]
    surface = doc.span_text(first, last)
    words = [w for w in doc.lower[first:last] if w[0].isalnum() or w[0] == "_"]
    yield f"shape:{_shape(surface)}"
    yield f"words:{min(len(words), 6)}"
    yield f"length:{min(len(surface), 12)}"
    yield f"name:{candidate.key}"
    yield f"last:{words[-1] if words else ''}"
    yield f"first:{words[0] if words else ''}"
    lowered = surface.lower()
    ending = _ENDINGS.search(lowered)
    yield f"end:{ending[1] if ending else ''}"
    for n in (2, 3, 4):
        yield f"suffix:{lowered[-n:]}"
        yield f"prefix:{lowered[:n]}"
    if _SIZE.search(surface):
        yield "size"
    for word in set(words):
        yield f"has:{word}"


@lru_cache(maxsize=100_000)
def _shape(surface: str) -> str:
    shape = re.sub(r"[A-Z]", "A", re.sub(r"[^\W\d_A-Z]", "a", re.sub(r"\d", "0", surface)))
    return re.sub(r"(.)\1+", r"\1\1", re.sub(r"aa+", "a", shape))[:14]


def _place_features(doc: Document, candidate: Candidate) -> Iterator[str]:
    in_title = [span for span in candidate.spans if span[1] <= doc.title_tokens]
    body = [span for span in candidate.spans if span[0] >= doc.title_tokens]
    yield f"title:{bool(in_title)}{min(len(body), 3)}"
    yield f"count:{min(len(candidate.spans), 4)}"
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
            yield from sorted({f"called:title-{HEADS[w]}" for w in doc.lower[last : doc.title_tokens] if w in HEADS})
    if body:
        yield f"where:{int(4 * body[0][0] / len(doc.words))}"


def _context_features(doc: Document, span: tuple[int, int], known: dict[tuple[int, int], str]) -> Iterator[str]:
    first, last = span
    low, high = doc.sentences[doc.sentence_of[first]]
    section = "t" if first < doc.title_tokens else "b"
    left = [doc.lower[i] if i >= low else "^" for i in range(first - 1, first - 4, -1)]
    right = [doc.lower[i] if i < high else "$" for i in range(last, last + 3)]
    yield f"left1:{section}{left[0]}"
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
    yield from (f"head:{h}" for h in _heads(doc, last, high))
    yield from (f"called:{k}" for k in _called(doc, first, last, low, high))
    yield from (f"cue:{c}" for c in _cues(doc, first, low))
    yield from (f"near:{t}" for t in _neighbours(doc, span, known))


def _heads(doc: Document, last: int, high: int) -> Iterator[str]:
    """The noun right after the name, and the noun that closes a list the name stands in."""
    if last < high and doc.lower[last] in HEADS:
        yield HEADS[doc.lower[last]]
    for i in range(last, min(high, last + 14)):
        word = doc.lower[i]
        if word in {".", ";", ":", "which", "that", "while", "by", "for", "to", "we"}:
            break
        if word in HEADS and i > last:
            yield "far-" + HEADS[word]
            break


def _called(doc: Document, first: int, last: int, low: int, high: int) -> Iterator[str]:
    """What the text calls the thing: "X, a new benchmark", "X is a dataset", "the benchmark called X"."""
    i = last
    while i < high and doc.lower[i] in _BEFORE_ARTICLE:
        i += 1
    if last < i < high and doc.lower[i] in _ARTICLES:
        nouns = []
        for word in doc.lower[i + 1 : min(high, i + 12)]:
            if word in _PHRASE_ENDS:
                break
            nouns += [HEADS[word]] if word in HEADS else []
        yield from (f"after-{n}" for n in nouns[-1:])
    i = first - 1
    while i >= low and doc.lower[i] in _NAMING:
        i -= 1
    if i >= low and doc.lower[i] in HEADS:
        yield f"before-{HEADS[doc.lower[i]]}"


def _cues(doc: Document, first: int, low: int) -> Iterator[str]:
    for i in range(first - 1, max(low - 1, first - 9), -1):
        cue = CUES.get(doc.lower[i])
        if cue:
            yield f"{cue}{'1' if first - i <= 2 else '2'}"
        if doc.lower[i] in HEADS:
            yield f"h-{HEADS[doc.lower[i]]}{'1' if first - i <= 2 else '2'}"


def _neighbours(doc: Document, span: tuple[int, int], known: dict[tuple[int, int], str]) -> Iterator[str]:
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
