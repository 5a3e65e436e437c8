"""Clustering of names (union-find): spelling variants, names with or without their head noun."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from citekg.extractors.candidates.lexicon import NAME_SIGN, Lexicon, is_acronym
from citekg.linking.acronyms import Definitions, spelled_out
from citekg.linking.kinds import Name
from citekg.linking.known_names import entry_of
from citekg.linking.normal_forms import NormalForms, without_head
from citekg.schemas.names import key, parse
from citekg.schemas.vocabulary import MODEL

#: The minimum letters of a name to drop hyphens from: A-PO and APO may be two entities.
_SAFE_LENGTH: Final = 6
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_TWO: Final = 2
_CAMEL: Final = re.compile(r"[a-z][A-Z]")
_MODEL_HEAD: Final = re.compile(
    r"(?i)[\s-]+(?:(?:family|series)[\s-]+)?(?:of[\s-]+)?"
    r"(?:(?:(?:large|vision)[\s-]+)*(?:language[\s-]+)?models?|family|series)$"
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
        *_same_normal_forms(*corpus),
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
    known = lexicon.key_of_spelling
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
            NAME_SIGN.search(name.key) or is_acronym(name.name)
        ):
            groups[place] |= {name.key, known[name.key, place[1]]}
    yield from groups.values()


def _has_visible_words(name: Name) -> bool:
    """Return whether hyphens, spaces or capitals separate the words of the name."""
    return "-" in parse(name.key).family or bool(_CAMEL.search(name.name))


def _without_hyphens(name: str) -> str:
    """Return a key, shorthands expanded, without hyphens between words.

    Hyphens stay if a word is a single letter, which may be part of the name.
    """
    if "-" not in name:
        return name
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
        surface = without_head(name.name, data=is_data(name.type))
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


def _same_normal_forms(
    names: Sequence[Name], lexicon: Lexicon, defined: Definitions
) -> Iterator[set[str]]:
    """Yield keys of one kind and one normal form: "Optimistic MWU" and its spelled-out form.

    Two rows of the lexicon are two entities.
    """
    forms = NormalForms(lexicon, defined.unambiguous())
    is_data = lexicon.vocabulary.is_data
    groups: dict[tuple[str, bool], set[str]] = defaultdict(set)
    for name in names:
        if len(defined.types[name.key]) == 1:
            data = is_data(name.type)
            form = forms.of(name.key, name.name, data=data)
            known = lexicon.entries.get(form)
            same_kind = known is not None and is_data(known.type) == data
            groups[form, data] |= {name.key, form} if same_kind else {name.key}
    yield from (group for group in groups.values() if len(group & lexicon.entries.keys()) < _TWO)


def _model_series(names: Sequence[Name], lexicon: Lexicon) -> Iterator[set[str]]:
    """Yield keys of models with and without their kind: "Llama language models", "Llama"."""
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
