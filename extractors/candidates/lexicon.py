"""The lexicon (gazetteer): known names with their types, aliases and families.

The tables in `extractors/lexicons/*.tsv` have the columns `name`, `type`, `aliases` (separated by
`|`), `family` and `flags`. The flags are:

- `umbrella`: a term too general to be reported;
- `setting`: a task, measure or device, which is not reported either;
- `exact`: the name matches only in its exact case;
- `sense=word`: distinguishes the row from other rows of the same name;
- `context=a|b`: the name matches only in a text that contains one of these words.
  Where aliases end in `?`, this applies only to those aliases.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, compress
from pathlib import Path
from typing import Any, Final, NamedTuple

from citekg.extractors.cached_results import cached_results
from citekg.extractors.candidates.tsv import read_rows
from citekg.extractors.markup import clean
from citekg.extractors.wording.head_nouns import TRAILING_HEADS
from citekg.schemas.errors import LexiconError
from citekg.schemas.names import key, slug
from citekg.schemas.names.words import FUNCTION_WORDS
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

_COLUMNS: Final = ("name", "type", "aliases", "family", "flags")
#: The tokens by which names are compared: runs of letters (a word hyphenated at the end of a line
#: is one token), numbers with dots, and single other signs.
_PIECE: Final = re.compile(
    r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]+(?:-\s(?!and\b|or\b|to\b)[a-z]+)?"
    r"|[\u3040-\u30ff\u3400-\u9fff]+"
    r"|\d+(?:\.\d+)*|[^\w\s‐-―−-]|_"
)
#: The same in a text in lower case with ASCII characters and without hyphens at the end of a line.
_PLAIN_PIECE: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)*|[^\w\s-]|_")
_FLAG: Final = re.compile(r"umbrella|setting|exact|sense=[\w-]+|context=[^\t]+")
_LINE_BREAK: Final = re.compile(r"-\s")
_SPACES_AND_DASHES: Final = re.compile(r"[\s‐-―−-]+")
_UNICODE_DASH: Final = re.compile(r"[‐-―−]")
#: Characters that must not adjoin a name: letters and digits of scripts that separate words by
#: spaces.
_WORD_CHARACTER: Final = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]")
#: Maximum length of words that match only as written and have no plural.
_MAX_SHORT_LENGTH: Final = 3
#: Minimum number of names with the same first token, and minimum share of one type among them, that
#: determine the type of a new name.
_MIN_PREFIX_NAMES: Final = 3
_MIN_ACRONYM_LENGTH: Final = 3
#: Signs of a name, which plain words do not have.
NAME_SIGN: Final = re.compile(r"[\d+*#]")
_MIN_PREFIX_SHARE: Final = 0.85
_STEM_LENGTH: Final = 5


class Entry(NamedTuple):
    """A row of the lexicon; a tuple, because thousands are made at the start.

    `context` holds lower-case words, one of which must occur in the text; `doubtful` holds the
    aliases to which this condition is limited (all if it is empty). `sense` distinguishes entities
    of one name: Chameleon is a model, a set of graphs and a set of pictures. `listed` marks a
    row that a user has added.
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
    listed: bool = False

    @classmethod
    def from_json(cls, fields: Sequence[Any]) -> Entry:
        """Return the entry of its fields as JSON holds them: tuples and sets are lists."""
        name, type_, aliases, family, umbrella, setting, exact, context, doubtful, *rest = fields
        return cls(
            name,
            type_,
            tuple(aliases),
            family,
            umbrella,
            setting,
            exact,
            tuple(context),
            frozenset(doubtful),
            *rest,
        )

    @property
    def key(self) -> str:
        """The identity of the entry: the key of its name and sense."""
        return key(f"{self.name} ({self.sense})" if self.sense else self.name)

    @property
    def _names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)

    def is_abbreviated_otherwise(self, shorts: Collection[str]) -> bool:
        """Return whether the keys of short forms are none of the acronyms that the entry has."""
        own = {key(name) for name in self._names}
        has_acronym = any(map(is_acronym, self._names))
        return has_acronym and bool(shorts) and own.isdisjoint(shorts)

    def may_stand_for(self, long: str) -> bool:
        """Return whether the key of a long form adds no word to a name of the entry, or omits none.

        The APO of the lexicon is "anchored"; an "accelerated" one is another entity, and so is one
        that adds more than a head noun to an acronym ("APO with restarts"). An entry that has no
        long form, and whose name needs no context, may stand for any.
        """
        if not self.context and not any(len(name.split()) > 1 for name in self._names):
            return True
        words = _content_words(long)
        forms = map(_content_words, map(key, self._names))
        return any(
            words <= known or (known <= words and (len(known) > 1 or words - known <= _HEADS))
            for known in forms
        )

    def resembles(self, long: str) -> bool:
        """Return whether the key of a long form has half of its words in common with a name.

        Words of one stem count as one: "generalized advantage estimator". The DPO of the lexicon is
        "direct preference optimization"; "dynamic prompt optimization" is another entity. An entry
        without a long form resembles any.
        """
        stems = _stems(long)
        own = [_stems(key(name)) for name in self._names if len(name.split()) > 1]
        return not own or any(2 * len(stems & known) >= len(stems) for known in own)


#: Head nouns in the form of content words.
_HEADS: Final = frozenset(re.sub("(?:ies|y|s)$", "", word) for word in TRAILING_HEADS)


def _content_words(name_key: str) -> set[str]:
    """Return the content words of a key, in the singular."""
    return {
        re.sub("(?:ies|y|s)$", "", word)
        for word in name_key.split("-")
        if word not in FUNCTION_WORDS
    }


def _stems(name_key: str) -> set[str]:
    """Return the first letters of the content words of a key, of which inflections are equal."""
    return {word[:_STEM_LENGTH] for word in _content_words(name_key)}


_NO_FORMS: Final[list[tuple[str, Entry]]] = []


@dataclass(frozen=True, slots=True)
class Hit:
    """A lexicon name in a text: `start` and `end` are code points, end exclusive."""

    start: int
    end: int
    entry: Entry


@dataclass(eq=False)
class Lexicon:
    """A gazetteer of entries that finds their names in texts; complete when it is made.

    Names of several tokens match in any case, but an acronym among them needs a capital; single
    words with a capital match only as written.
    `vocabulary` holds the types of the entries. `forms` maps the joined tokens of names and aliases
    to each form and its entry. `prefixes` are joined tokens with which names of more tokens begin.
    `seconds` are the tokens that may follow the first token of a name, or None if that is a name.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    rows: list[Entry] = field(default_factory=list)
    vocabulary: Vocabulary = DEFAULT
    forms: dict[str, list[tuple[str, Entry]]] = field(default_factory=dict)
    prefixes: set[str] = field(default_factory=set)
    seconds: dict[str, set[str] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[Entry], vocabulary: Vocabulary = DEFAULT) -> Lexicon:
        """Return a lexicon of these entries.

        Of two entries with the same identity, the first is in `entries`; both are matched.
        """
        lexicon = cls(vocabulary=vocabulary)
        for entry in entries:
            lexicon._add(entry)
        return lexicon

    def _add(self, entry: Entry) -> None:
        self.entries.setdefault(entry.key, entry)
        self.rows.append(entry)
        for spelling in (entry.name, *entry.aliases):
            form = clean(spelling).text
            pieces = _folded_pieces(form)
            if not pieces:
                continue
            self.forms.setdefault(" ".join(pieces), []).append((form, entry))
            self._add_start(*pieces[:2])
            if len(pieces) > 1:
                self.prefixes.update(accumulate(pieces[:-1], "{} {}".format))

    def _add_start(self, first: str, second: str = "") -> None:
        """Add the first tokens of a name, of which the last may be in the plural."""
        if not second:
            self.seconds[first] = self.seconds[f"{first}s"] = None
        elif (seconds := self.seconds.setdefault(first, set())) is not None:
            seconds.update((second, f"{second}s"))

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the entries, in hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.rows, default=sorted).encode()).hexdigest()

    def prefix_type(self, surface: str) -> str:
        """Return the type that most names with the same first token have, or an empty string.

        "Qwen9" begins like many models.
        """
        first = _first_piece(surface)
        return self.prefix_types.get(first, "") if first else ""

    @cached_property
    def prefix_types(self) -> dict[str, str]:
        """Types by first token, where at least three names begin with it and nearly all agree."""
        types: dict[str, list[str]] = defaultdict(list)
        for entry in self.rows:
            types[_first_piece(entry.name)].append(entry.type)
        counted = {
            first: Counter(found)
            for first, found in types.items()
            if len(found) >= _MIN_PREFIX_NAMES
        }
        common = {first: counts.most_common(1)[0] for first, counts in counted.items()}
        return {
            first: type_
            for first, (type_, count) in common.items()
            if count >= _MIN_PREFIX_NAMES and count >= _MIN_PREFIX_SHARE * counted[first].total()
        }

    @cached_property
    def type_of(self) -> dict[str, str]:
        """The type of each name, by key."""
        return {name: entry.type for name, entry in self.entries.items()}

    @cached_property
    def key_of_sense(self) -> dict[str, str]:
        """The keys of the names with a sense, by the id of their entity."""
        return {slug(name): name for name, entry in self.entries.items() if entry.sense}

    @cached_property
    def key_of_spelling(self) -> dict[tuple[str, bool], str]:
        """Keys by name, and by unambiguous aliases that are no plain words.

        The second item of a place says whether the type is data.
        """
        data_types = {type_ for type_ in self.vocabulary.types if self.vocabulary.is_data(type_)}
        found: dict[tuple[str, bool], set[str]] = defaultdict(set)
        for entry in self.rows:
            for alias in {*entry.aliases} - entry.doubtful if not entry.sense else ():
                if NAME_SIGN.search(alias) or (is_acronym(alias) and not entry.context):
                    found[key(alias), entry.type in data_types].add(entry.key)
        aliases = {place: next(iter(names)) for place, names in found.items() if len(names) == 1}
        return aliases | {
            (name, entry.type in data_types): name for name, entry in reversed(self.entries.items())
        }

    def find(self, text: str) -> Iterator[Hit]:
        """Yield every name in the text, longest first at each position; hits may be nested."""
        pieces, places = _pieces(text)
        words = _WordPositions(text)
        for i in self._starts(pieces):
            matched = self._match_forms(pieces, i)
            start = places[i].start()
            if not matched or (start and _WORD_CHARACTER.match(text, start - 1)):
                continue
            for last, named in reversed(matched):
                end = places[last].end()
                if entry := self._entry_at(text, words, start, end, named):
                    yield Hit(start, end, entry)

    def _starts(self, pieces: Sequence[str]) -> list[int]:
        """Return the tokens with which a name may start, from each with the token after it."""
        seconds = self.seconds
        followed = [*pieces, ""]
        return [
            i
            for i in compress(range(len(pieces)), map(seconds.__contains__, pieces))
            if (allowed := seconds[pieces[i]]) is None or followed[i + 1] in allowed
        ]

    def _entry_at(
        self,
        text: str,
        words: _WordPositions,
        start: int,
        end: int,
        named: list[tuple[str, Entry]],
    ) -> Entry | None:
        """Return the first of the entries whose conditions hold between two offsets, if any."""
        if _WORD_CHARACTER.match(text, end):
            return None
        surface = text[start:end]
        for form, entry in named:
            if (
                _case_fits(form, entry, surface)
                and _context_fits(form, entry, words, start, end)
                and not self._is_spelled_as_other(form, surface)
            ):
                return entry
        return None

    def _is_spelled_as_other(self, form: str, surface: str) -> bool:
        """Return whether a word of a form is written as another name, of the same letters.

        "Codex-S" is no CoDEx-S, because Codex and CoDEx are two entities.
        """
        return form != surface and any(
            word != written and self._differ_by_case(word, written)
            for word, written in zip(_written_pieces(form), _written_pieces(surface), strict=False)
        )

    def _differ_by_case(self, word: str, written: str) -> bool:
        """Return whether two spellings of a word are names of different entities."""
        entries: dict[str, set[str]] = {word: set(), written: set()}
        for form, entry in self.forms.get(word.casefold(), ()):
            if form in entries:
                entries[form].add(entry.key)
        return all(entries.values()) and entries[word].isdisjoint(entries[written])

    def spells(self, text: str) -> bool:
        """Return whether the text contains the tokens of any name, in any case and context."""
        pieces, _ = _pieces(text)
        return any(self._match_forms(pieces, i) for i in self._starts(pieces))

    @staticmethod
    def pieces(text: str) -> Iterator[str]:
        """Yield the folded tokens of a text, by which names are compared."""
        return iter(_folded_pieces(text))

    def _match_forms(
        self, pieces: Sequence[str], first: int
    ) -> list[tuple[int, list[tuple[str, Entry]]]]:
        """Return the last token and the forms of every name that starts at token `first`."""
        matched = []
        spelling, at = pieces[first], first
        while True:
            if named := self._forms_of(spelling):
                matched.append((at, named))
            at += 1
            if spelling not in self.prefixes or at == len(pieces):
                return matched
            spelling = f"{spelling} {pieces[at]}"

    def _forms_of(self, spelling: str) -> list[tuple[str, Entry]]:
        """Return the forms with that spelling, followed by those of which it is the plural."""
        own = self.forms.get(spelling, _NO_FORMS)
        if spelling[-1] == "s" and len(spelling) > _MAX_SHORT_LENGTH:
            singular = self.forms.get(spelling[:-1])
            return own + singular if singular else own
        return own


def is_acronym(name: str) -> bool:
    """Return whether a name is three capitals or more, with or without a plural s."""
    bare = name.removesuffix("s")
    return bare.isupper() and len(bare) >= _MIN_ACRONYM_LENGTH


class _WordPositions:
    """The positions of words in a text, in lower case; each word is searched once."""

    def __init__(self, text: str) -> None:
        self._original = text
        self._positions: dict[str, tuple[int, int] | None] = {}

    @cached_property
    def _text(self) -> str:
        return _UNICODE_DASH.sub("-", self._original.lower())

    def occurs_outside(self, word: str, start: int, end: int) -> bool:
        """Return whether the word occurs anywhere except between these offsets."""
        if word not in self._positions:
            pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
            positions = [*re.finditer(pattern, self._text)] if word in self._text else []
            self._positions[word] = (
                (positions[0].end(), positions[-1].start()) if positions else None
            )
        ends = self._positions[word]
        return ends is not None and (ends[0] <= start or ends[1] >= end)


@cached_results(maxsize=1 << 14)
def _written_pieces(name: str) -> tuple[str, ...]:
    """Return the tokens of a name as written."""
    return tuple(_PIECE.findall(name))


def _folded_pieces(text: str) -> list[str]:
    """Return the folded tokens of a text."""
    if _is_plain(text):
        return _PLAIN_PIECE.findall(text.lower())
    return [*map(_folded, _PIECE.findall(text))]


def _first_piece(text: str) -> str:
    """Return the first folded token of a text, or an empty string."""
    match = _PIECE.search(text)
    return _folded(match[0]) if match else ""


def _is_plain(text: str) -> bool:
    """Return whether `_PLAIN_PIECE` finds the tokens of a text in lower case."""
    return text.isascii() and not ("-" in text and _LINE_BREAK.search(text))


def _pieces(text: str) -> tuple[list[str], list[re.Match[str]]]:
    """Return the folded tokens, and the match of each, which has its place."""
    if _is_plain(text):
        places = [*_PLAIN_PIECE.finditer(text.lower())]
        return [place[0] for place in places], places
    places = [*_PIECE.finditer(text)]
    return [_folded(place[0]) for place in places], places


def _folded(piece: str) -> str:
    folded = piece.casefold()
    return _LINE_BREAK.sub("", folded) if "-" in folded else folded


def _case_fits(form: str, entry: Entry, surface: str) -> bool:
    """Return whether the case of the surface is one that the form allows."""
    if entry.exact:
        return _unhyphenated(surface) in (_unhyphenated(form), _unhyphenated(form) + "s")
    if len(form) > _MAX_SHORT_LENGTH and form.islower():
        return True
    words = _written_pieces(form) if len(form) > _MAX_SHORT_LENGTH else ()
    if len(words) > 1:
        return not any(
            len(word) > 1 and word.isupper() and written.islower() and word.isalpha()
            for word, written in zip(words, _written_pieces(surface), strict=False)
        )
    bare = _unhyphenated(surface)
    written = _unhyphenated(form)
    return bare in (written, written + "s") or (form.islower() and bare.casefold() == written)


def _unhyphenated(text: str) -> str:
    return _SPACES_AND_DASHES.sub("", text)


def _context_fits(form: str, entry: Entry, words: _WordPositions, start: int, end: int) -> bool:
    """Return whether the text satisfies the context condition of a form."""
    if not entry.context or (entry.doubtful and form not in entry.doubtful):
        return True
    return any(words.occurs_outside(word, start, end) for word in entry.context)


def read_table(path: Path, vocabulary: Vocabulary = DEFAULT) -> Iterator[Entry]:
    """Yield the entries of a lexicon file.

    Raises `LexiconError` with file and line for a row with missing columns or a type that is not in
    the vocabulary.
    """
    for number, cells in read_rows(path, _COLUMNS):
        if len(cells) != len(_COLUMNS) or not cells[0] or cells[1] not in vocabulary.types:
            expected = (
                f"{len(_COLUMNS)} columns, a name and a type of {', '.join(vocabulary.types)}"
            )
            raise LexiconError(f"{path}:{number}: expected {expected}")
        yield _entry(*cells)


def _entry(name: str, type_: str, aliases: str, family: str, flags: str) -> Entry:
    if not aliases and not flags:
        return Entry(name, type_, family=family)
    marked = [a for a in aliases.split("|") if a]
    given = dict(flag.partition("=")[::2] for flag in _FLAG.findall(flags))
    return Entry(
        name,
        type_,
        tuple(a.removesuffix("?") for a in marked),
        family,
        umbrella="umbrella" in given or "setting" in given,
        setting="setting" in given,
        exact="exact" in given,
        context=tuple(w.strip().lower() for w in given.get("context", "").split("|") if w.strip()),
        doubtful=frozenset(a.removesuffix("?") for a in marked if a[-1] == "?"),
        sense=given.get("sense", ""),
    )


def to_tsv(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of a lexicon file; `read_table` reads them back as the same entries."""
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
