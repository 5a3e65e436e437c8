"""The lexicon: names that are known, with their types, aliases and families.

The tables in `extractors/lexicons/*.tsv` have the columns `name`, `type`, `aliases` (separated by
`|`), `family` and `flags`. Flags: `umbrella` marks terms too wide to be reported, `setting` tasks,
measures and devices, which are not reported either, `exact` asks for the exact case, `sense=word` tells
the row from others of its name, `context=a|b` accepts the name only beside one of these words (or, where
aliases end in `?`, only those aliases).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Final

from citekg.extractors.candidates.tsv import read_rows
from citekg.schemas.errors import LexiconError
from citekg.schemas.names import key
from citekg.schemas.names.words import SMALL_WORDS
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

_COLUMNS: Final = ("name", "type", "aliases", "family", "flags")
#: What a name is compared by: runs of letters (a word broken at the end of a line is one), numbers with dots, and
#: single other signs.
_PIECE: Final = re.compile(
    r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]+(?:-\s(?!and\b|or\b|to\b)[a-z]+)?|[\u3040-\u30ff\u3400-\u9fff]+"
    r"|\d+(?:\.\d+)*|[^\w\s‐-―−-]|_"
)
_BREAK: Final = re.compile(r"-\s")
_OPEN_DASH: Final = re.compile(r"[‐-―−]")
#: What a name must not touch: letters and digits of scripts that put spaces between words.
_TOUCHING: Final = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]")
#: Words of so many letters and fewer match only as written, and have no plural.
_SHORT: Final = 3
#: How many names must begin alike, and how many of them be of one type, to tell what a new one is.
_AGREEING: Final = 3
_AGREEMENT: Final = 0.85


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the lexicon.

    `context` holds lower-case words, one of which must stand in the text; `doubtful` holds the
    aliases that this condition is limited to (all, if it is empty). `sense` tells things of one name
    apart: Chameleon is a model, a set of graphs and one of pictures.
    """

    name: str
    type: str
    aliases: tuple[str, ...] = ()
    family: str = ""
    umbrella: bool = False
    setting: bool = False
    exact: bool = False
    context: tuple[str, ...] = ()
    doubtful: frozenset[str] = frozenset()
    sense: str = ""

    @property
    def key(self) -> str:
        """The identity of the entry."""
        return key(f"{self.name} ({self.sense})" if self.sense else self.name)

    def may_stand_for(self, long: str) -> bool:
        """Whether the key of a long form says no other word than one of the entry's names.

        APO, say, is anchored here and accelerated there.
        """
        said = _words(long)
        forms = map(_words, map(key, (self.name, *self.aliases)))
        return any(said <= known or known <= said for known in forms)


def _words(name_key: str) -> set[str]:
    """The words of a key that say something, in the singular."""
    return {re.sub("(?:ies|y|s)$", "", word) for word in name_key.split("-") if word not in SMALL_WORDS}


@dataclass(frozen=True, slots=True)
class Hit:
    """A name of the lexicon in a text: `start` and `end` are code points, end exclusive."""

    start: int
    end: int
    entry: Entry


@dataclass
class Lexicon:
    """Entries, ready to be found in a text; `vocabulary` holds the types that they have.

    Names of several pieces match whatever their case, single words with a capital only as written.
    `forms` holds the names and aliases by their pieces, each with its entry.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    rows: list[Entry] = field(default_factory=list)
    vocabulary: Vocabulary = DEFAULT
    forms: dict[str, list[tuple[str, Entry]]] = field(default_factory=dict)
    _beginnings: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, entries: Iterable[Entry], vocabulary: Vocabulary = DEFAULT) -> Lexicon:
        """A lexicon of these entries; of two with the same identity the first names it, both are found."""
        lexicon = cls(vocabulary=vocabulary)
        for entry in entries:
            lexicon._add(entry)
        return lexicon

    def _add(self, entry: Entry) -> None:
        self.entries.setdefault(entry.key, entry)
        self.rows.append(entry)
        for form in (entry.name, *entry.aliases):
            pieces = [p[0] for p in _pieces(form)]
            if not pieces:
                continue
            self.forms.setdefault(" ".join(pieces), []).append((form, entry))
            self._beginnings.update(" ".join(pieces[:n]) for n in range(1, len(pieces)))

    def prefix_type(self, surface: str) -> str:
        """What most names that begin like this one are ("Qwen9" begins like many models), or an empty string."""
        first = next((piece for piece, _, _ in _pieces(surface)), "")
        return self.prefix_types.get(first, "")

    @cached_property
    def prefix_types(self) -> dict[str, str]:
        """The type of the names by their first piece, where at least three of them agree almost wholly."""
        counted: dict[str, Counter[str]] = {}
        for entry in self.rows:
            first = next((piece for piece, _, _ in _pieces(entry.name)), "")
            counted.setdefault(first, Counter())[entry.type] += 1
        common = {first: types.most_common(1)[0] for first, types in counted.items()}
        return {
            first: type_
            for first, (type_, count) in common.items()
            if count >= _AGREEING and count >= _AGREEMENT * counted[first].total()
        }

    def find(self, text: str) -> Iterator[Hit]:
        """Every name in the text, longest first at each place; hits may be nested in longer ones."""
        found = list(_pieces(text))
        words = _Words(_OPEN_DASH.sub("-", text.lower()))
        for i, (piece, start, _) in enumerate(found):
            begins = piece in self._beginnings or self._named(piece)
            if not begins or (start and _TOUCHING.match(text, start - 1)):
                continue
            for end, named in reversed(list(self._spelled(found, i))):
                yield from _hits(text, words, start, end, named)

    def spells(self, text: str) -> bool:
        """Whether the text holds the pieces of any name, in whatever case and company."""
        found = list(_pieces(text))
        return any(True for i in range(len(found)) for _ in self._spelled(found, i))

    @staticmethod
    def pieces(text: str) -> Iterator[str]:
        """What names in the text are compared by."""
        return (piece for piece, _, _ in _pieces(text))

    def _spelled(self, found: list[tuple[str, int, int]], first: int) -> Iterator[tuple[int, list[tuple[str, Entry]]]]:
        """Where the forms end that the pieces spell from `first` on, and the forms."""
        spelling = ""
        for at in range(first, len(found)):
            piece, _, end = found[at]
            spelling = f"{spelling} {piece}" if spelling else piece
            named = self._named(spelling)
            if named:
                yield end, named
            if spelling not in self._beginnings:
                return

    def _named(self, spelling: str) -> list[tuple[str, Entry]]:
        """The forms of that spelling, then those that it is the plural of."""
        own = self.forms.get(spelling, [])
        if spelling.endswith("s") and len(spelling) > _SHORT:
            return own + self.forms.get(spelling[:-1], [])
        return own


class _Words:
    """Where words stand in a text, each looked up once."""

    def __init__(self, lowered: str) -> None:
        self._text = lowered
        self._places: dict[str, tuple[int, int] | None] = {}

    def stand_outside(self, word: str, start: int, end: int) -> bool:
        """Whether the word stands anywhere but between these offsets."""
        if word not in self._places:
            places = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", self._text))
            self._places[word] = (places[0].end(), places[-1].start()) if places else None
        ends = self._places[word]
        return ends is not None and (ends[0] <= start or ends[1] >= end)


def _hits(text: str, words: _Words, start: int, end: int, named: list[tuple[str, Entry]]) -> Iterator[Hit]:
    """The first of the entries that fits the place."""
    if _TOUCHING.match(text, end):
        return
    for form, entry in named:
        if _case_fits(form, entry, text[start:end]) and _context_fits(form, entry, words, start, end):
            yield Hit(start, end, entry)
            return


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _PIECE.finditer(text):
        piece = match[0].casefold()
        yield _BREAK.sub("", piece) if "-" in piece else piece, match.start(), match.end()


def _case_fits(form: str, entry: Entry, surface: str) -> bool:
    """Whether the surface is written as the form asks."""
    if entry.exact:
        return _unhyphenated(surface) in (_unhyphenated(form), _unhyphenated(form) + "s")
    if len(form) > _SHORT and (form.islower() or len(_PIECE.findall(form)) > 1):
        return True
    bare = _unhyphenated(surface)
    written = _unhyphenated(form)
    return bare in (written, written + "s") or (form.islower() and bare.casefold() == written)


def _unhyphenated(text: str) -> str:
    return re.sub(r"[\s‐-―−-]+", "", text)


def _context_fits(form: str, entry: Entry, words: _Words, start: int, end: int) -> bool:
    """Whether an ambiguous form stands beside one of the words that it needs."""
    if not entry.context or (entry.doubtful and form not in entry.doubtful):
        return True
    return any(words.stand_outside(word, start, end) for word in entry.context)


def read_table(path: Path, vocabulary: Vocabulary = DEFAULT) -> Iterator[Entry]:
    """The entries of a lexicon file, of the vocabulary's types; raises `LexiconError` naming file and line."""
    for number, cells in read_rows(path, _COLUMNS):
        if len(cells) != len(_COLUMNS) or not cells[0] or cells[1] not in vocabulary.types:
            wanted = f"{len(_COLUMNS)} columns, a name and a type of {', '.join(vocabulary.types)}"
            raise LexiconError(f"{path}:{number}: want {wanted}")
        yield _entry(*cells)


def _entry(name: str, type_: str, aliases: str, family: str, flags: str) -> Entry:
    marked = [a for a in aliases.split("|") if a]
    found = re.findall(r"umbrella|setting|exact|sense=[\w-]+|context=[^\t]+", flags)
    given = dict(flag.partition("=")[::2] for flag in found)
    return Entry(
        name=name,
        type=type_,
        aliases=tuple(a.removesuffix("?") for a in marked),
        family=family,
        umbrella="umbrella" in given or "setting" in given,
        setting="setting" in given,
        exact="exact" in given,
        context=tuple(w.strip().lower() for w in given.get("context", "").split("|") if w.strip()),
        doubtful=frozenset(a.removesuffix("?") for a in marked if a.endswith("?")),
        sense=given.get("sense", ""),
    )


def to_tsv(entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of a lexicon file, which `read_table` reads back as these entries."""
    for cells in (_COLUMNS, *map(_cells, entries)):
        yield "\t".join(cells) + "\n"


def _cells(entry: Entry) -> tuple[str, ...]:
    flags = (
        "setting" if entry.setting else "umbrella" if entry.umbrella else "",
        "exact" if entry.exact else "",
        f"sense={entry.sense}" if entry.sense else "",
        f"context={'|'.join(entry.context)}" if entry.context else "",
    )
    aliases = (f"{alias}?" if alias in entry.doubtful else alias for alias in entry.aliases)
    return entry.name, entry.type, "|".join(aliases), entry.family, " ".join(filter(None, flags))


def with_shipped(paths: Iterable[Path], vocabulary: Vocabulary = DEFAULT) -> Lexicon:
    """The shipped lexicon with the rows of these files, of the vocabulary's types, before its own, so that they win.

    Raises `LexiconError` for a file that cannot be read or a row that breaks a rule.
    """
    own = [entry for path in paths for entry in read_table(path, vocabulary)]
    return Lexicon.of((*own, *shipped_lexicon().rows), vocabulary) if own else shipped_lexicon()


@cache
def shipped_lexicon() -> Lexicon:
    """The lexicon that comes with the package."""
    folder = resources.files("citekg.extractors") / "lexicons"
    tables = sorted((t for t in folder.iterdir() if t.name.endswith(".tsv")), key=lambda t: t.name)
    return Lexicon.of(entry for to_tsv in tables for entry in read_table(Path(str(to_tsv))))
