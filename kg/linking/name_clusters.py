"""Clustering of names (union-find): spelling variants, names with or without their head noun."""

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

#: The minimum letters of a name to drop hyphens from: A-PO and APO may be two entities.
_SAFE_LENGTH: Final = 6
_SHORTEST_ACRONYM: Final = 3
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
#: Signs of a name, which plain words do not have.
_NAME_SIGN: Final = re.compile(r"[\d+*#]")
_CAMEL: Final = re.compile(r"[a-z][A-Z]")
_HEAD: Final = {
    False: re.compile(
        r"(?i)[\s-]+(?:algorithms?|methods?|approach(?:es)?|techniques?|frameworks?)$"
    ),
    True: re.compile(r"(?i)[\s-]+(?:benchmarks?|datasets?|suites?|environments?)$"),
}
_MODEL_HEAD: Final = re.compile(
    r"(?i)[\s-]+(?:(?:family|series)[\s-]+)?(?:of[\s-]+)?(?:models?|family|series)$"
)


def cluster_names(
    names: Sequence[Name], since: Mapping[str, str], lexicon: Lexicon, defined: Definitions
) -> dict[str, str]:
    """Return the representative of every key's cluster.

    The representative is a name of the lexicon, or else the earliest name; `since` sorts the keys.
    """
    clusters = UnionFind()
    for name in since:
        clusters.union(name, name)
    corpus = (names, lexicon, defined)
    model_names = _model_series(names, lexicon)
    for group in (
        *_spelling_variants(*corpus),
        *_head_variants(*corpus),
        *model_names,
        *defined.same_long_forms(),
    ):
        for name in group:
            clusters.union(name, min(group))
    return {
        name: min(
            group,
            key=lambda k: (
                k not in lexicon.entries,
                "" if k in lexicon.entries else since.get(k, ""),
                k,
            ),
        )
        for group in clusters.groups()
        for name in group
        if name in since
    }


def _spelling_variants(
    names: Sequence[Name], lexicon: Lexicon, defined: Definitions
) -> Iterator[set[str]]:
    """Yield keys of compatible types that differ in how their words are joined.

    For example "Web-Shop" and "WebShop".
    """
    known = _known_spellings(lexicon)
    known_by_spelling = {
        (_without_hyphens(spelling), data): name for (spelling, data), name in known.items()
    }
    groups: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for name in names:
        data = defined.types[name.key]
        if name.key in lexicon.entries or len(data) > 1:
            continue
        place = (_without_hyphens(name.key), next(iter(data)))
        if _has_visible_words(name):
            groups[place] |= {name.key, known_by_spelling.get(place, name.key)}
        elif (name.key, place[1]) in known and (
            _NAME_SIGN.search(name.key) or _is_acronym(name.name)
        ):
            groups[place] |= {name.key, known[name.key, place[1]]}
    yield from groups.values()


def _known_spellings(lexicon: Lexicon) -> dict[tuple[str, bool], str]:
    """Return the lexicon's keys by name, and by unambiguous aliases that are no plain words.

    The second item of a place says whether the type is data.
    """
    is_data = lexicon.vocabulary.is_data
    found: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for entry in lexicon.rows:
        for alias in {*entry.aliases} - entry.doubtful if not entry.sense else ():
            if _NAME_SIGN.search(alias) or (_is_acronym(alias) and not entry.context):
                found[key(alias), is_data(entry.type)].add(entry.key)
    aliases = {place: next(iter(names)) for place, names in found.items() if len(names) == 1}
    return aliases | {
        (name, is_data(entry.type)): name for name, entry in reversed(lexicon.entries.items())
    }


def _is_acronym(name: str) -> bool:
    """Return whether a name is three capitals or more, with or without a plural s."""
    return name.removesuffix("s").isupper() and len(name.removesuffix("s")) >= _SHORTEST_ACRONYM


def _has_visible_words(name: Name) -> bool:
    """Return whether hyphens, spaces or capitals separate the words of the name."""
    return "-" in parse(name.key).family or bool(_CAMEL.search(name.name))


def _without_hyphens(name: str) -> str:
    """Return a key, shorthands expanded, without hyphens between words.

    Hyphens stay if a word is a single letter, which may be part of the name.
    """
    name = spelled_out(name)
    words = _HYPHEN.split(name)
    safe = min(map(len, words)) > 1 and sum(map(len, words)) >= _SAFE_LENGTH
    return "".join(words) if safe else name


def _head_variants(
    names: Sequence[Name], lexicon: Lexicon, defined: Definitions
) -> Iterator[set[str]]:
    """Yield keys with and without the head noun: "PPO algorithms" and "PPO"."""
    is_data = lexicon.vocabulary.is_data
    head_stripped: dict[tuple[str, bool], list[str]] = {}
    for name in names:
        surface = _HEAD[is_data(name.type)].sub("", name.name)
        if surface != name.name and name.key not in lexicon.entries:
            yield {
                name.key,
                *head_stripped.setdefault(
                    (spelled_out(key(surface)), is_data(name.type)), [name.key]
                ),
            }
            entry = entry_of(surface, lexicon)
            known = entry.key if entry else key(surface)
            data = {is_data(entry.type)} if entry else defined.types.get(known)
            if not (entry and entry.umbrella) and data == defined.types[name.key]:
                yield {name.key, known}


def _model_series(names: Sequence[Name], lexicon: Lexicon) -> Iterator[set[str]]:
    """Yield keys of model series with that of the model: "Llama family models" and "Llama"."""
    for name in (name for name in names if name.type == MODEL):
        surface = _MODEL_HEAD.sub("", name.name)
        if surface != name.name and name.key not in lexicon.entries:
            entry = entry_of(surface, lexicon)
            if entry and entry.type == MODEL:
                yield {name.key, entry.key}


class UnionFind:
    """Disjoint sets of names (union-find)."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def _find(self, name: str) -> str:
        while (parent := self._parents.setdefault(name, name)) != name:
            name = parent
        return name

    def union(self, first: str, other: str) -> None:
        """Merge the sets of two names."""
        self._parents[self._find(first)] = self._find(other)

    def groups(self) -> Iterable[list[str]]:
        """Return the sets, each sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._parents):
            found[self._find(name)].append(name)
        return found.values()
