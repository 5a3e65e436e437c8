"""Names that are one thing: the same words joined otherwise, with or without the noun that says what it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.acronyms import Definitions, Name, spelled_out
from citekg.linking.families import entry_of
from citekg.schemas.names import key, parse
from citekg.schemas.vocabulary import MODEL

#: The fewest letters of a name that hyphens may be dropped from: A-PO and APO may be two things.
_SAFE_LENGTH: Final = 6
_SHORTEST_ACRONYM: Final = 3
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
#: What tells a name from plain words.
_TELLING: Final = re.compile(r"[\d+*#]")
_CAMEL: Final = re.compile(r"[a-z][A-Z]")
_HEAD: Final = {
    False: re.compile(r"(?i)[\s-]+(?:algorithms?|methods?|approach(?:es)?|techniques?|frameworks?)$"),
    True: re.compile(r"(?i)[\s-]+(?:benchmarks?|datasets?|suites?|environments?)$"),
}
_MODELS: Final = re.compile(r"(?i)[\s-]+(?:(?:family|series)[\s-]+)?(?:of[\s-]+)?(?:models?|family|series)$")


def cluster_names(
    names: Sequence[Name], since: Mapping[str, str], lexicon: Lexicon, defined: Definitions
) -> dict[str, str]:
    """For every key the one that stands for it: itself, unless others are the same thing.

    The lexicon's name stands for the others, or else the one that has been there longest: `since` sorts the keys.
    """
    alike = UnionFind()
    for name in since:
        alike.join(name, name)
    given = (names, lexicon, defined)
    lines = _model_lines(names, lexicon)
    for group in (*_respelled(*given), *_headless(*given), *lines, *defined.same_long_forms()):
        for name in group:
            alike.join(name, min(group))
    return {
        name: min(group, key=lambda k: (k not in lexicon.entries, "" if k in lexicon.entries else since.get(k, ""), k))
        for group in alike.groups()
        for name in group
        if name in since
    }


def _respelled(names: Sequence[Name], lexicon: Lexicon, defined: Definitions) -> Iterator[set[str]]:
    """Keys of things of like types that differ in how their words are joined: "Web-Shop" and "WebShop"."""
    known = _known_spellings(lexicon)
    joined = {(_bare(spelling), data): name for (spelling, data), name in known.items()}
    groups: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for name in names:
        data = defined.types[name.key]
        if name.key in lexicon.entries or len(data) > 1:
            continue
        place = (_bare(name.key), next(iter(data)))
        if _shows_words(name):
            groups[place] |= {name.key, joined.get(place, name.key)}
        elif (name.key, place[1]) in known and (_TELLING.search(name.key) or _is_acronym(name.name)):
            groups[place] |= {name.key, known[name.key, place[1]]}
    yield from groups.values()


def _known_spellings(lexicon: Lexicon) -> dict[tuple[str, bool], str]:
    """The things of the lexicon by their names, and by aliases of one thing alone that are no plain words."""
    is_data = lexicon.vocabulary.is_data
    found: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for entry in lexicon.rows:
        for alias in {*entry.aliases} - entry.doubtful if not entry.sense else ():
            if _TELLING.search(alias) or (_is_acronym(alias) and not entry.context):
                found[key(alias), is_data(entry.type)].add(entry.key)
    aliases = {place: next(iter(names)) for place, names in found.items() if len(names) == 1}
    return aliases | {(name, is_data(entry.type)): name for name, entry in reversed(lexicon.entries.items())}


def _is_acronym(name: str) -> bool:
    """Whether a name is three capitals or more, and perhaps the s of several."""
    return name.removesuffix("s").isupper() and len(name.removesuffix("s")) >= _SHORTEST_ACRONYM


def _shows_words(name: Name) -> bool:
    """Whether hyphens, spaces or capitals show the words of the name."""
    return "-" in parse(name.key).family or bool(_CAMEL.search(name.name))


def _bare(name: str) -> str:
    """A key spelled out and without hyphens between words, unless a word may be a name's own letter."""
    name = spelled_out(name)
    words = _HYPHEN.split(name)
    safe = min(map(len, words)) > 1 and sum(map(len, words)) >= _SAFE_LENGTH
    return "".join(words) if safe else name


def _headless(names: Sequence[Name], lexicon: Lexicon, defined: Definitions) -> Iterator[set[str]]:
    """Keys with and without the noun that says what a thing is: "PPO algorithms" and "PPO"."""
    is_data = lexicon.vocabulary.is_data
    others: dict[tuple[str, bool], list[str]] = {}
    for name in names:
        surface = _HEAD[is_data(name.type)].sub("", name.name)
        if surface != name.name and name.key not in lexicon.entries:
            yield {name.key, *others.setdefault((spelled_out(key(surface)), is_data(name.type)), [name.key])}
            entry = entry_of(surface, lexicon)
            known = entry.key if entry else key(surface)
            data = {is_data(entry.type)} if entry else defined.types.get(known)
            if not (entry and entry.umbrella) and data == defined.types[name.key]:
                yield {name.key, known}


def _model_lines(names: Sequence[Name], lexicon: Lexicon) -> Iterator[set[str]]:
    """Keys of models that are only said to be some: "Llama family models" and "Llama"."""
    for name in (name for name in names if name.type == MODEL):
        surface = _MODELS.sub("", name.name)
        if surface != name.name and name.key not in lexicon.entries:
            entry = entry_of(surface, lexicon)
            if entry and entry.type == MODEL:
                yield {name.key, entry.key}


class UnionFind:
    """Names in groups that grow together."""

    def __init__(self) -> None:
        self._leader: dict[str, str] = {}

    def _find(self, name: str) -> str:
        while (leader := self._leader.setdefault(name, name)) != name:
            name = leader
        return name

    def join(self, one: str, other: str) -> None:
        """Put two names, with all they are joined to, into one group."""
        self._leader[self._find(one)] = self._find(other)

    def groups(self) -> Iterable[list[str]]:
        """The groups, each sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._leader):
            found[self._find(name)].append(name)
        return found.values()
