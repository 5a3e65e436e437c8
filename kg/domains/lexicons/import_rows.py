"""From names as an archive tells them to rows of a lexicon, with what they must stand beside where they are common.

A name that the shipped lexicon knows stays as it is there. A common word ("Adam", "Focus") is known only beside
words that tell what it is about, and left out where none are known.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from citekg.domains.lexicons.papers_with_code import ListedName
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.linking.families import entry_of
from citekg.schemas.names import key

_LONGEST: Final = 60
_MOST_WORDS: Final = 7
_NO_NAME: Final = re.compile(r"[?\t|]|https?:|\d{3}[-. )]*\d{3}")
#: A word of letters that is short, or written as any word is: with at most its first letter a capital.
_COMMON: Final = re.compile(r"[^\W\d_]{1,3}|[^\W\d_][^\W\d_A-Z]*")
_PART: Final = re.compile(r"[(%:;,/]| - ")
_SHORTEST: Final = 6
#: Words that say nothing of what a name is about.
_GENERAL: Final = frozenset(
    """computer data dataset datasets general learning method methods model models natural network networks neural
    processing systems vision language images texts""".split()
)

KNOWN, FEW, UNFIT, SHARED, COMMON = (
    "known already",
    "in too few papers",
    "no name",
    "of the name of another",
    "a common word with nothing to tell it by",
)


@dataclass(frozen=True, slots=True)
class Imported:
    """The rows of a lexicon in the order of their names, and how many names were left out, by the reason."""

    rows: tuple[Entry, ...]
    left_out: dict[str, int]


def imported(names: Iterable[ListedName], known: Lexicon, least: int = 1) -> Imported:
    """The names as rows, but for those that `known` has and those in fewer papers than `least`.

    Of several things of one name the one in most papers stays.
    """
    left_out: Counter[str] = Counter()
    groups: defaultdict[str, list[ListedName]] = defaultdict(list)
    for one in names:
        if reason := _refused(one, known, least):
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
    return Imported(tuple(row for _, row in sorted(rows.items())), {reason: n for reason, n in left_out.items() if n})


def _rank(one: ListedName) -> tuple[int, str, str]:
    return one.papers, one.type, one.full_name


def _refused(one: ListedName, known: Lexicon, least: int) -> str:
    """Why the name is left out; empty where it is not."""
    if not _is_name(one.name):
        return UNFIT
    if one.papers < least:
        return FEW
    return KNOWN if _is_known(one.name, known) else ""


def _is_name(name: str) -> bool:
    fits = len(name) <= _LONGEST and len(name.split()) <= _MOST_WORDS and not _NO_NAME.search(name)
    return fits and bool(key(name)) and bool(re.search(r"[^\W\d_]", name))


def _is_known(name: str, known: Lexicon) -> bool:
    return key(name) in known.entries or entry_of(name, known) is not None


def _rows(one: ListedName, about: tuple[str, ...], known: Lexicon, taken: Collection[str]) -> Iterator[Entry]:
    """The row of a name, then those of its versions and parts; none for a common word that nothing tells."""
    name = " ".join(one.name.split())
    full = _other_name(one, known, taken)
    same = tuple(sorted({v for v in one.variants if key(v) == key(name) and v != name and _is_name(v)}))
    row = Entry(name, one.type, (*filter(None, (full,)), *same), umbrella=one.umbrella)
    if _COMMON.fullmatch(name):
        context = _context(name, one.full_name, about)
        if not context:
            return
        row = replace(row, context=context)
        if " " in full:
            row = Entry(full, one.type, (name,), context=context, doubtful=frozenset({name}))
    yield row
    for variant in one.variants:
        if _is_part(variant, name) and key(variant) not in taken and not _is_known(variant, known):
            yield Entry(" ".join(variant.split()), one.type, family=row.name)


def _other_name(one: ListedName, known: Lexicon, taken: Collection[str]) -> str:
    """The long form of a name, where it is a name of its own and of nothing else."""
    full = " ".join(one.full_name.split())
    fits = full and _is_name(full) and key(full) != key(one.name)
    return full if fits and key(full) not in taken and not _is_known(full, known) else ""


def _is_part(variant: str, name: str) -> bool:
    """Whether a variant is called by the name and something more, and not by how it was split for a table."""
    longer = re.match(rf"{re.escape(name)}[\s_-]*[\w.]", variant) and key(variant) != key(name)
    return bool(longer) and _is_name(variant) and not _PART.search(variant)


def _context(name: str, full: str, about: Iterable[str]) -> tuple[str, ...]:
    """What the name must stand beside: what it is about, and the telling words of that."""
    said = [text.lower() for text in (*about, *([full] if " " in full else []))]
    words = [word for text in said for word in re.findall(r"[^\W\d_]+", text) if len(word) >= _SHORTEST]
    phrases = [text for text in said if text not in _GENERAL and not _NO_NAME.search(text)]
    return tuple(sorted({*phrases, *words} - _GENERAL - {name.lower()}))
