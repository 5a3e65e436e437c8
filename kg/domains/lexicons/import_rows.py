"""Convert the names of an archive to lexicon entries, with context words for common words.

A name of the shipped lexicon is left out. A common word ("Adam", "Focus") is recognised only in a
text with one of its context words, and left out if it has none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from citekg.domains.lexicons.papers_with_code import ListedName
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.linking.known_names import entry_of
from citekg.schemas.names import key

_MAX_LENGTH: Final = 60
_MAX_WORDS: Final = 7
_NON_NAME: Final = re.compile(r"[?\t|]|https?:|\d{3}[-. )]*\d{3}")
#: A short word, or a word without capitals after its first letter.
_COMMON_WORD: Final = re.compile(r"[^\W\d_]{1,3}|[^\W\d_][^\W\d_A-Z]*")
_PART: Final = re.compile(r"[(%:;,/]| - ")
_MIN_CONTEXT_LENGTH: Final = 6
#: Words too general to serve as context.
_GENERAL_WORDS: Final = frozenset(
    """computer data dataset datasets general learning method methods model models natural network
    networks neural processing systems vision language images texts""".split()
)

KNOWN, FEW, NOT_A_NAME, SHARED, COMMON = (
    "known already",
    "in too few papers",
    "no name",
    "with the name of another entity",
    "a common word without context words",
)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Lexicon entries sorted by name, and the number of names left out, by reason."""

    rows: tuple[Entry, ...]
    left_out: dict[str, int]


def import_names(names: Iterable[ListedName], known: Lexicon, min_papers: int = 1) -> ImportResult:
    """Return the names as entries, without those in `known` and those in too few papers.

    Of several entities with one name, the one in the most papers is kept.
    """
    left_out: Counter[str] = Counter()
    groups: defaultdict[str, list[ListedName]] = defaultdict(list)
    for one in names:
        if reason := _exclusion_reason(one, known, min_papers):
            left_out[reason] += 1
        else:
            groups[key(one.name)].append(one)
    rows: dict[str, Entry] = {}
    for group in groups.values():
        best = max(group, key=_rank)
        about = tuple(dict.fromkeys(word for one in group for word in one.about))
        made = list(_rows(best, about, known, groups.keys()))
        rows |= {row.key: row for row in made if row.key not in rows}
        left_out[SHARED] += sum(one.type != best.type for one in group)
        left_out[COMMON] += not made
    return ImportResult(
        tuple(row for _, row in sorted(rows.items())),
        {reason: n for reason, n in left_out.items() if n},
    )


def _rank(one: ListedName) -> tuple[int, str, str]:
    return one.papers, one.type, one.full_name


def _exclusion_reason(one: ListedName, known: Lexicon, min_papers: int) -> str:
    """Return the reason why a name is left out, or an empty string."""
    if not _is_name(one.name):
        return NOT_A_NAME
    if one.papers < min_papers:
        return FEW
    return KNOWN if _is_known(one.name, known) else ""


def _is_name(name: str) -> bool:
    if len(name) > _MAX_LENGTH or len(name.split()) > _MAX_WORDS or _NON_NAME.search(name):
        return False
    return bool(key(name)) and bool(re.search(r"[^\W\d_]", name))


def _is_known(name: str, known: Lexicon) -> bool:
    return key(name) in known.entries or entry_of(name, known) is not None


def _rows(
    one: ListedName, about: tuple[str, ...], known: Lexicon, taken: Collection[str]
) -> Iterator[Entry]:
    """Yield the entry of a name, then those of its versions and parts.

    Yields nothing for a common word without context.
    """
    name = " ".join(one.name.split())
    full = _long_form(one, known, taken)
    same = tuple(
        sorted({v for v in one.variants if key(v) == key(name) and v != name and _is_name(v)})
    )
    row = Entry(name, one.type, (*filter(None, (full,)), *same), umbrella=one.umbrella)
    if _COMMON_WORD.fullmatch(name):
        context = _context(name, one.full_name, about)
        if not context:
            return
        row = row._replace(context=context)
        if " " in full:
            row = Entry(full, one.type, (name,), context=context, doubtful=frozenset({name}))
    yield row
    for variant in one.variants:
        if _is_part(variant, name) and key(variant) not in taken and not _is_known(variant, known):
            yield Entry(" ".join(variant.split()), one.type, family=row.name)


def _long_form(one: ListedName, known: Lexicon, taken: Collection[str]) -> str:
    """Return the long form of a name if it is an unambiguous name, else an empty string."""
    full = " ".join(one.full_name.split())
    fits = full and _is_name(full) and key(full) != key(one.name)
    return full if fits and key(full) not in taken and not _is_known(full, known) else ""


def _is_part(variant: str, name: str) -> bool:
    """Return whether a variant is the name with a suffix, but not a subset such as "X (test)"."""
    longer = re.match(rf"{re.escape(name)}[\s_-]*[\w.]", variant) and key(variant) != key(name)
    return bool(longer) and _is_name(variant) and not _PART.search(variant)


def _context(name: str, full: str, about: Iterable[str]) -> tuple[str, ...]:
    """Return the context of a common word: its topics and long form, and their specific words."""
    topics = [text.lower() for text in (*about, *([full] if " " in full else []))]
    words = [
        word
        for text in topics
        for word in re.findall(r"[^\W\d_]+", text)
        if len(word) >= _MIN_CONTEXT_LENGTH
    ]
    phrases = [t for t in topics if t not in _GENERAL_WORDS and not _NON_NAME.search(t)]
    return tuple(sorted({*phrases, *words} - _GENERAL_WORDS - {name.lower()}))
