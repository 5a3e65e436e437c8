"""Coreference inside one paper: merges the accepted names of one entity and selects its name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document
from citekg.extractors.wording.head_nouns import TRAILING_HEADS
from citekg.schemas.names import key
from citekg.schemas.vocabulary import Vocabulary

#: Minimum number of letters of names that are merged if they differ only in hyphens and spaces.
_MIN_LETTERS: Final = 6


def merge_coreferent(
    doc: Document, found: list[AcceptedEntity], lexicon: Lexicon
) -> list[AcceptedEntity]:
    """Return the entities of a paper; spellings of one entity (a plural, an alias) are merged."""
    by_key: dict[str, list[AcceptedEntity]] = defaultdict(list)
    for accepted in join_bracketed(doc, found):
        name, entry = canonical_name(accepted, [doc.span_text(*span) for span in accepted.spans])
        by_key[entry.key if entry else key(name)].append(accepted)
    plain = {k: bare for k, same in by_key.items() if (bare := _plain_word(doc, k, same))}
    for bare in plain.values():
        if bare not in lexicon.entries:
            by_key.pop(bare, None)
    groups: dict[tuple[str, bool], list[AcceptedEntity]] = defaultdict(list)
    form_of: dict[tuple[str, bool], tuple[str, bool]] = {}
    for name_key, same in sorted(by_key.items(), key=lambda named: -len(named[1][0].candidates)):
        bare = head_stripped_key(name_key)
        distinct = {name_key, bare} <= lexicon.entries.keys() or name_key in plain
        is_data = lexicon.vocabulary.is_data(_most_confident(same).type)
        bare = name_key if distinct else bare
        group = form_of.get((bare, is_data), (bare, is_data))
        groups[group] += same
        form_of.update(
            {
                (head_stripped_key(c.key), is_data): group
                for each in same
                for c in each.candidates
                if not distinct
            }
        )
    entities = _join_abbreviated(
        doc, [merged(same) for same in groups.values()], lexicon.vocabulary
    )
    return sorted(entities, key=lambda c: c.spans[0])


def _join_abbreviated(
    doc: Document, found: list[AcceptedEntity], vocabulary: Vocabulary
) -> list[AcceptedEntity]:
    """Return the entities, merged where one name abbreviates words of the other.

    "Kite-PHS" and "Kite Patient Heron Search" are one entity, and so are "Kite-SLAM" and
    "KiteSLAM". Two lexicon entries are never merged.
    """
    out: list[AcceptedEntity] = []
    for each in found:
        same = next(
            (n for n, other in enumerate(out) if _is_same(doc, each, other, vocabulary)), None
        )
        if same is None:
            out.append(each)
        else:
            out[same] = merged([out[same], each])
    return out


def _is_same(
    doc: Document, each: AcceptedEntity, other: AcceptedEntity, vocabulary: Vocabulary
) -> bool:
    """Return whether two entities have coined names of which one abbreviates words of the other."""
    if each.is_known and other.is_known:
        return False
    if vocabulary.is_data(each.type) != vocabulary.is_data(other.type):
        return False
    names, others = _coined_keys(doc, each), _coined_keys(doc, other)
    return any(_are_spellings(a, b) for a in names for b in others)


def _coined_keys(doc: Document, accepted: AcceptedEntity) -> list[str]:
    candidates = accepted.candidates
    return [c.key for c in candidates if not doc.span_text(*c.spans[0]).islower()]


def _are_spellings(name: str, other: str) -> bool:
    """Return whether two keys differ in hyphens only, or in words of which one has the initials."""
    letters = name.replace("-", "")
    if letters == other.replace("-", ""):
        return len(letters) >= _MIN_LETTERS
    short, long = sorted((name.split("-"), other.split("-")), key=len)
    return len(short) > 1 and _abbreviates(short, long)


def _abbreviates(short: Sequence[str], long: Sequence[str]) -> bool:
    """Return whether each word of `short` is one of `long`, or has the initials of several."""
    at = 0
    for word in short:
        end = at + len(word)
        if at < len(long) and long[at] == word:
            at += 1
        elif len(word) > 1 and word == "".join(w[:1] for w in long[at:end]) and end <= len(long):
            at = end
        else:
            return False
    return at == len(long)


def _plain_word(doc: Document, name_key: str, same: list[AcceptedEntity]) -> str:
    """Return the lower-case word that is left of a name without its head noun, or an empty text.

    Such a word is not a name by itself: "diffusion" is not a name of diffusion models.
    """
    bare = head_stripped_key(name_key)
    words = {doc.span_text(*span).split()[0] for each in same for span in each.spans}
    is_cut = "-" in name_key and "-" not in bare
    return bare if is_cut and any(word.isalpha() and word.islower() for word in words) else ""


def join_bracketed(doc: Document, found: list[AcceptedEntity]) -> list[AcceptedEntity]:
    """Return the entities, with a short form in brackets joined to the name before it.

    Both are names outside the lexicon. The letters of the short form occur in the name in their
    order and need not be its initials: "CloudHeron (CH1)".
    """
    number_at_end = {span[1]: n for n, each in enumerate(found) for span in each.spans}
    joined = dict(enumerate(found))
    for n, each in enumerate(found):
        named = {
            number_at_end[first - 1]
            for first, last in each.spans
            if first - 1 in number_at_end and _is_in_brackets(doc, first, last)
        }
        for other in sorted(named - {n}):
            if n in joined and other in joined and _may_abbreviate(doc, each, found[other]):
                joined[other] = merged([joined[other], joined.pop(n)])
    return list(joined.values())


def _is_in_brackets(doc: Document, first: int, last: int) -> bool:
    return doc.words[first - 1] == "(" and ")" in doc.words[last : last + 1]


def _may_abbreviate(doc: Document, short: AcceptedEntity, name: AcceptedEntity) -> bool:
    """Return whether an unknown name has all letters of an unknown shorter one, in their order."""
    if any(c.entry is not None for each in (short, name) for c in each.candidates):
        return False
    letters, long = (
        [c for c in doc.span_text(*each.spans[0]).lower() if c.isalpha()] for each in (short, name)
    )
    rest = iter(long)
    return 1 < len(letters) < len(long) and all(letter in rest for letter in letters)


def head_stripped_key(name_key: str) -> str:
    """Return the key that the spellings of one entity share: no trailing head nouns, no plural."""
    words = name_key.split("-")
    while len(words) > 1 and words[-1] in TRAILING_HEADS:
        words.pop()
    last = words[-1]
    words[-1] = (
        last[:-1] if len(last) > 3 and last.endswith("s") and not last.endswith("ss") else last
    )
    return "-".join(words)


def merged(same: list[AcceptedEntity]) -> AcceptedEntity:
    """Return one entity with the names of several; the most confident one gives the type."""
    best = _most_confident(same)
    candidates = [
        candidate for c in [best, *(c for c in same if c is not best)] for candidate in c.candidates
    ]
    return AcceptedEntity(
        candidates, sorted(span for c in same for span in c.spans), best.type, best.confidence
    )


def _most_confident(same: list[AcceptedEntity]) -> AcceptedEntity:
    return max(same, key=lambda c: (c.confidence, -c.spans[0][0]))


def is_umbrella(accepted: AcceptedEntity) -> bool:
    """Return whether the lexicon marks the entity as too general to be reported."""
    return any(c.entry is not None and c.entry.umbrella for c in accepted.candidates)


def canonical_name(accepted: AcceptedEntity, surfaces: list[str]) -> tuple[str, Entry | None]:
    """Return the longest form in the text, and the lexicon's entry if it is the same entity."""
    fullest = _longest_form(accepted)
    spelled = [s for s in surfaces if key(s) == fullest.key]
    name = _best_spelling(spelled or [n for n in (fullest.name,) if n] or surfaces)
    return name, canonical_entry(accepted)


def canonical_entry(accepted: AcceptedEntity) -> Entry | None:
    """Return the lexicon's entry of the entity, if it has one."""
    fullest = _longest_form(accepted)
    return fullest.entry or _entry_of_short_form(accepted.candidates, fullest)


def _longest_form(accepted: AcceptedEntity) -> Candidate:
    """Return the candidate of the longest form, a long form if there is one."""
    long = [c for c in accepted.candidates if c.is_long] or accepted.candidates
    return long[0] if len(long) == 1 else max(long, key=lambda c: (len(c.key), c.key))


def _entry_of_short_form(candidates: list[Candidate], fullest: Candidate) -> Entry | None:
    """Return the lexicon's entry of the short form, unless the text defines it differently."""
    for candidate in candidates:
        entry = candidate.entry
        if entry and (not fullest.is_long or entry.may_stand_for(fullest.key)):
            return entry
    return None


def _best_spelling(surfaces: list[str]) -> str:
    counted = Counter(surfaces)
    return min(counted, key=lambda s: (-counted[s], s.islower(), s))
