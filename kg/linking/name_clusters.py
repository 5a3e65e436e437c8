"""Clustering of names: spelling variants, names with or without their head noun, normal forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from citekg.extractors.candidates.lexicon import NAME_SIGN, Lexicon, is_acronym
from citekg.linking.acronyms import SEVERAL_LONG_FORMS, same_long_forms, spelled_out
from citekg.linking.batches import PerKey, Rows
from citekg.linking.kinds import KINDS
from citekg.linking.known_names import entry_of
from citekg.linking.name_tables import Row, Tables
from citekg.linking.normal_forms import NormalForms, without_head
from citekg.schemas.names import key, parse
from citekg.schemas.vocabulary import MODEL

#: The minimum number of letters of a name without hyphens: A-PO and APO may be two entities.
_SAFE_LENGTH: Final = 6
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_TWO: Final = 2
_CAMEL: Final = re.compile(r"[a-z][A-Z]")
_MODEL_HEAD: Final = re.compile(
    r"(?i)[\s-]+(?:(?:family|series)[\s-]+)?(?:of[\s-]+)?"
    r"(?:(?:(?:large|vision)[\s-]+)*(?:language[\s-]+)?models?|family|series)$"
)


_KIND_NUMBERS: Final = {kinds: number for number, kinds in KINDS.items()}
#: The rules whose groups are ignored with two rows of the lexicon, which are two entities.
_ONE_ENTRY: Final = frozenset({"normal form", "long form"})

_NAMES: Final = """
    SELECT n.key, n.name, n.type, k.kinds FROM corpus_name AS n
    JOIN name_kind AS k ON k.key = n.key"""
#: The names of keys with a short form in them that has only one long form, and this long form.
_ABBREVIATED: Final = """
    INSERT INTO abbreviated_name
    SELECT p.key, o.short, o.long FROM name_part AS p JOIN (
        SELECT short, MIN(long) AS long FROM long_form GROUP BY short HAVING COUNT(*) = 1
    ) AS o ON o.short = p.part"""
_WITH_SHORT_FORMS: Final = """
    SELECT DISTINCT n.key, n.name, n.type, k.kinds, a.short, a.long FROM abbreviated_name AS a
    JOIN corpus_name AS n ON n.key = a.key JOIN name_kind AS k ON k.key = n.key"""
_SUPERSEDED: Final = """
    DELETE FROM name_group WHERE open <> '' AND open IN (SELECT key FROM abbreviated_name)"""
_HEAD_VARIANTS: Final = """
    INSERT INTO name_group
    SELECT 'known', v.bare, v.key, '' FROM head_variant AS v
    JOIN name_kind AS k ON k.key = v.bare AND k.kinds = v.kinds"""
_KNOWN: Final = """
    INSERT INTO name_group
    SELECT DISTINCT rule, place, place, '' FROM name_group WHERE rule = 'known'"""
#: The groups of several names, by number; all later steps use only the names in them. Most groups
#: have one row, and counting rows is fast.
_MEMBERS: Final = f"""
    INSERT INTO member
    WITH repeated AS (
        SELECT rule, place FROM name_group GROUP BY rule, place HAVING COUNT(*) > 1
    ),
    named AS (
        SELECT DISTINCT g.rule, g.place, g.key FROM name_group AS g
        JOIN repeated AS r ON r.rule = g.rule AND r.place = g.place
    ),
    valid AS (
        SELECT m.rule, m.place, ROW_NUMBER() OVER () AS id FROM named AS m
        LEFT JOIN lexicon_name AS l ON l.key = m.key GROUP BY m.rule, m.place
        HAVING MIN(m.key) <> MAX(m.key)
            AND (COUNT(l.key) < {_TWO} OR m.rule NOT IN {tuple(sorted(_ONE_ENTRY))})
    )
    SELECT v.id, m.key FROM named AS m JOIN valid AS v ON v.rule = m.rule AND v.place = m.place"""  # noqa: S608  # constants
_NODES: Final = """
    INSERT INTO node SELECT ROW_NUMBER() OVER (), key
    FROM (SELECT DISTINCT key FROM member) AS d"""
_GROUP_MEMBERS: Final = """
    INSERT INTO group_member SELECT m.place, n.id FROM member AS m JOIN node AS n
    ON n.key = m.key"""
_FIRST_LABELS: Final = "INSERT INTO label SELECT 0, id, id FROM node"
_NEXT_LABELS: Final = """
    INSERT INTO label
    WITH smallest AS (
        SELECT m.place, MIN(l.label) AS label FROM group_member AS m
        JOIN label AS l ON l.node = m.node WHERE l.step = {step} GROUP BY m.place
    )
    SELECT {step} + 1, m.node, MIN(s.label) FROM group_member AS m
    JOIN smallest AS s ON s.place = m.place GROUP BY m.node"""
_CHANGED_LABELS: Final = """
    SELECT COUNT(*) FROM label AS l JOIN label AS n ON n.node = l.node AND n.step = {step} + 1
    WHERE l.step = {step} AND l.label <> n.label"""
_OLD_LABELS: Final = "DELETE FROM label WHERE step = {step}"
#: The representative of a cluster is a name of the lexicon, or else the earliest name.
_CLUSTERS: Final = """
    INSERT INTO cluster
    SELECT r.key, r.target FROM (
        SELECT n.key, s.since, FIRST_VALUE(n.key) OVER (
            PARTITION BY l.label ORDER BY CASE WHEN x.key IS NULL THEN 1 ELSE 0 END,
                CASE WHEN x.key IS NULL THEN COALESCE(s.since, '') ELSE '' END, n.key
        ) AS target
        FROM label AS l JOIN node AS n ON n.id = l.node
        LEFT JOIN lexicon_name AS x ON x.key = n.key LEFT JOIN name_since AS s ON s.key = n.key
    ) AS r WHERE r.since IS NOT NULL AND r.key <> r.target"""


def cluster_names(tables: Tables, per_key: PerKey) -> None:
    """Store the representative of the cluster of every name, except for the representatives.

    The groups of a name depend on the name alone: names with one spelling, with one normal form and
    so on. The clusters are the connected components of the groups of several names.
    """
    per_key(name_groups, _NAMES)
    per_key(same_long_forms, SEVERAL_LONG_FORMS)
    for statement in (_ABBREVIATED, _SUPERSEDED):
        tables.execute(statement)
    per_key(expanded_forms, _WITH_SHORT_FORMS)
    for statement in (_HEAD_VARIANTS, _KNOWN, _MEMBERS, _NODES, _GROUP_MEMBERS, _FIRST_LABELS):
        tables.execute(statement)
    step, changed = 0, 1
    while changed:
        tables.execute(_NEXT_LABELS.format(step=step))
        ((changed,),) = tables.select(_CHANGED_LABELS.format(step=step))
        tables.execute(_OLD_LABELS.format(step=step))
        step += 1
    tables.execute(_CLUSTERS)


@dataclass(frozen=True, slots=True)
class _CorpusName:
    """A name of the corpus; `data` holds its kinds in papers: True for data, False for others."""

    key: str
    name: str
    type: str
    data: frozenset[bool]

    @classmethod
    def of(cls, row: Row) -> _CorpusName:
        """Return the name of a row that begins with (key, name, type, kinds)."""
        name_key, name, type_, kinds, *_ = row
        return cls(name_key, name, type_, KINDS[kinds])


def name_groups(lexicon: Lexicon, rows: Iterable[Row]) -> Rows:
    """Return the groups of the names of a key, from rows (key, name, type, kinds).

    These normal forms do not expand the short forms that papers define: the table `name_part` gets
    the parts of names that may be short forms, and the column `open` of a group the name's key.
    """
    names = [_CorpusName.of(row) for row in rows]
    groups: list[Row] = [
        ("spelling", f"{int(data)} {place}", name_key, "")
        for (place, data), name_key in _spelling_variants(names, lexicon)
    ]
    groups += (("known", known, name_key, "") for name_key, known in _model_series(names, lexicon))
    variants: list[Row] = []
    for name in names:
        data = lexicon.vocabulary.is_data(name.type)
        surface = without_head(name.name, data=data)
        if surface != name.name and name.key not in lexicon.entries:
            groups.append(("head", f"{int(data)} {spelled_out(key(surface))}", name.key, ""))
            entry = entry_of(surface, lexicon)
            if entry is None:
                variants.append((name.key, key(surface), _KIND_NUMBERS[name.data]))
            elif not entry.umbrella and name.data == {lexicon.vocabulary.is_data(entry.type)}:
                groups.append(("known", entry.key, name.key, ""))
    parts: set[Row] = set()
    for name in names:
        recorded = _RecordingDict()
        members = [*_normal_form(name, NormalForms(lexicon, recorded))]
        groups += ((*member, name.key if recorded.parts else "") for member in members)
        parts.update((name.key, part) for part in recorded.parts)
    return {
        "name_group": [*dict.fromkeys(groups)],
        "head_variant": variants,
        "name_part": sorted(parts),
    }


def expanded_forms(lexicon: Lexicon, rows: Sequence[Row]) -> Rows:
    """Return the groups by normal form of the names of a key with short forms that papers define.

    The rows are (key, name, type, kinds, short form, long form).
    """
    forms = NormalForms(lexicon, {short: long for *_, short, long in rows})
    names = dict.fromkeys(map(_CorpusName.of, rows))
    return {"name_group": [(*member, "") for name in names for member in _normal_form(name, forms)]}


class _RecordingDict(dict[str, str]):
    """An empty mapping of long forms that records the parts of names that were looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: set[str] = set()

    def get(self, part: str, default: Any = None) -> Any:
        """Return the default."""
        self.parts.add(part)
        return default


def _normal_form(name: _CorpusName, forms: NormalForms) -> Iterator[tuple[str, str, str]]:
    """Yield the group of the names of one kind and one normal form: (rule, place, member).

    For example "Optimistic MWU" and its spelled-out form.
    """
    lexicon = forms.lexicon
    if len(name.data) > 1:
        return
    data = lexicon.vocabulary.is_data(name.type)
    form = forms.of(name.key, name.name, data=data)
    known = lexicon.entries.get(form)
    same_kind = known is not None and lexicon.vocabulary.is_data(known.type) == data
    for member in {name.key, form} if same_kind else {name.key}:
        yield "normal form", f"{int(data)} {form}", member


def _spelling_variants(
    names: Iterable[_CorpusName], lexicon: Lexicon
) -> Iterator[tuple[tuple[str, bool], str]]:
    """Yield the keys of names by kind and by the spelling without separators of words.

    For example "Web-Shop" and "WebShop" have the same spelling.
    """
    known = lexicon.key_of_spelling
    known_by_spelling = _known_by_spelling(lexicon)
    for name in names:
        if name.key in lexicon.entries or len(name.data) > 1:
            continue
        place = (_without_hyphens(name.key), next(iter(name.data)))
        if _has_visible_words(name):
            yield place, name.key
            yield place, known_by_spelling.get(place, name.key)
        elif (name.key, place[1]) in known and (
            NAME_SIGN.search(name.key) or is_acronym(name.name)
        ):
            yield place, name.key
            yield place, known[name.key, place[1]]


@lru_cache(maxsize=1)
def _known_by_spelling(lexicon: Lexicon) -> dict[tuple[str, bool], str]:
    """Return the keys of the lexicon by their spelling without hyphens."""
    return {
        (_without_hyphens(spelling), data): name
        for (spelling, data), name in lexicon.key_of_spelling.items()
    }


def _has_visible_words(name: _CorpusName) -> bool:
    """Return whether hyphens, spaces or capitals separate the words of the name."""
    return "-" in parse(name.key).family or bool(_CAMEL.search(name.name))


def _without_hyphens(name: str) -> str:
    """Return a key with abbreviations expanded, and without hyphens between words.

    Hyphens stay if a word is a single letter, which may be part of the name.
    """
    if "-" not in name:
        return name
    name = spelled_out(name)
    words = _HYPHEN.split(name)
    safe = min(map(len, words)) > 1 and sum(map(len, words)) >= _SAFE_LENGTH
    return "".join(words) if safe else name


def _model_series(names: Iterable[_CorpusName], lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yield keys of models with and without their kind: "Llama language models", "Llama"."""
    for name in (name for name in names if name.type == MODEL):
        surface = _MODEL_HEAD.sub("", name.name)
        if surface != name.name and name.key not in lexicon.entries:
            entry = entry_of(surface, lexicon)
            if entry and entry.type == MODEL:
                yield name.key, entry.key
