"""Entity linking across papers: one entity for each cluster of names, in any order of papers.

Within a paper, extraction has resolved names by the definitions in the text and by the lexicon.
Across papers, one name for data and for a method is two entities (`kinds`), an undefined acronym is
linked to the long form that other papers define for it (`acronyms`), and names that differ in
hyphens, in small words, in a head noun or in a spelled-out acronym form one cluster
(`name_clusters`, `normal_forms`), named as in the lexicon or else in the earliest paper.

The id of an entity is the slug of its key. It depends on the name alone and stays the same when
papers or lexicon rows are added. A new lexicon row for a name that is already in graphs must keep
that name in its first column and list longer names as aliases.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.acronyms import assign_senses, collect_definitions
from citekg.linking.batches import PerKey, Rows, in_this_process
from citekg.linking.entity_rows import ENTITIES, entity_of, entity_row
from citekg.linking.families import add_families
from citekg.linking.input_rows import make_rows
from citekg.linking.kinds import insert_lexicon, split_kinds
from citekg.linking.name_clusters import cluster_names
from citekg.linking.name_tables import TOUCHED, Row, SqliteTables, Tables
from citekg.linking.normal_forms import is_coined
from citekg.schemas.names import key, slug
from citekg.schemas.records import Entity, Extraction
from citekg.schemas.vocabulary import TYPES, Vocabulary

#: The types (0), names (1) and surface forms (2) of each entity, with how many papers use them, and
#: the number of papers that name it (3).
_ENTITY_TEXTS: Final = f"""
    WITH named AS (
        SELECT target, type, name, paper FROM resolved_paper_name WHERE target IN ({TOUCHED})
    )
    SELECT target, 0 AS what, type AS text, COUNT(*) AS times FROM named GROUP BY target, type
    UNION ALL SELECT target, 1, name, COUNT(*) FROM named GROUP BY target, name
    UNION ALL SELECT target, 2, form, COUNT(*)
    FROM resolved_surface_form WHERE target IN ({TOUCHED}) GROUP BY target, form
    UNION ALL SELECT target, 3, '', COUNT(DISTINCT paper) FROM named GROUP BY target"""  # noqa: S608  # a constant
_TOUCH_ALL: Final = "INSERT INTO touched_entity SELECT DISTINCT target FROM resolved_paper_name"
_SENSE_COUNTS: Final = "SELECT key, target, COUNT(*) FROM resolved_paper_name GROUP BY key, target"
_SENSES: Final = "SELECT DISTINCT paper, key, target FROM resolved_paper_name"


@dataclass(frozen=True)
class Linked:
    """The entities of a corpus, and the entity id of each key.

    `id_in_paper` holds the id of `(paper, key)` where it differs from `id_of_key`.
    """

    entities: tuple[Entity, ...]
    id_of_key: Mapping[str, str]
    id_in_paper: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def entity_id(self, paper: str, name_key: str) -> str:
        """Return the id of the entity that a paper means by a key."""
        return self.id_in_paper.get((paper, name_key)) or self.id_of_key[name_key]


def link(extractions: Iterable[Extraction], lexicon: Lexicon) -> Linked:
    """Link every key of the extractions to an entity, families included; a paper counts once."""
    with closing(SqliteTables(_lexicon_tables(lexicon))) as tables:
        for table, rows in make_rows({r.paper.id: r for r in extractions}.values()).items():
            tables.insert(table, rows)
        link_names(tables, lexicon, in_this_process(tables, lexicon))
        return Linked(tuple(map(entity_of, tables.select(ENTITIES))), *_ids(tables))


@lru_cache(maxsize=1)
def _lexicon_tables(lexicon: Lexicon) -> SqliteTables:
    """Return tables with the names of the lexicon, which take longer to insert than to copy."""
    tables = SqliteTables()
    insert_lexicon(tables, lexicon)
    return tables


def touch_all(tables: Tables) -> None:
    """Store that all entities that papers name may have changed."""
    tables.execute(_TOUCH_ALL)


def link_names(
    tables: Tables,
    lexicon: Lexicon,
    per_key: PerKey,
    touch: Callable[[Tables], None] = touch_all,
) -> None:
    """Store the sense of each name in the tables, and the entities and families.

    The tables contain the names of the corpus and of the lexicon (`insert_lexicon`). The database
    groups and joins them. Everything else is computed for each name or entity separately, so that
    only the database holds all of them. `touch` stores the entities that may have changed since
    `per_key` was last applied to them.
    """
    split_kinds(tables, lexicon)
    collect_definitions(tables)
    cluster_names(tables, per_key)
    assign_senses(tables, lexicon)
    touch(tables)
    per_key(make_entity, _ENTITY_TEXTS, TOUCHED)
    add_families(tables, per_key)


def make_entity(lexicon: Lexicon, rows: Sequence[Row]) -> Rows:
    """Return an entity, the number of papers that name it, and its acronyms.

    The rows are those of `_ENTITY_TEXTS`; the last one has the number of papers.
    """
    *texts, (target, _, _, papers) = rows
    entity = _entity(target, texts, lexicon)
    return {
        "entity": [entity_row(target, entity, step=0)],
        "entity_papers": [(target, papers)],
        "acronym": [(key(alias), target) for alias in filter(is_coined, entity.names[1:])],
    }


def _ids(tables: Tables) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Return the default entity id of each key, and the ids in papers that differ from it."""
    senses: dict[str, dict[str, int]] = defaultdict(dict)
    for name, target, papers in tables.select(_SENSE_COUNTS):
        senses[name][target] = papers
    defaults = {name: min(found, key=lambda k: (-found[k], k)) for name, found in senses.items()}
    exceptions = {
        (paper, name): slug(target)
        for paper, name, target in tables.select(_SENSES)
        if defaults[name] != target
    }
    return {name: slug(target) for name, target in defaults.items()}, exceptions


def _entity(name_key: str, rows: Iterable[Row], lexicon: Lexicon) -> Entity:
    """Return the entity of a key, from the types, names and surface forms in papers."""
    types, own_names, surface_forms = (Counter[str]() for _ in range(3))
    for _, what, text, times in rows:
        (types, own_names, surface_forms)[what][text] += times
    entry = lexicon.entries.get(name_key)
    support = _types(types, entry.type if entry else "", lexicon.vocabulary)
    own = [
        Counter({s: n for s, n in some.items() if key(s) == name_key})
        for some in (own_names, own_names + surface_forms)
    ]
    name = entry.name if entry else _most_frequent(own[0] or own[1] or own_names)
    shown = {" ".join(s.split()).strip("-") for s in surface_forms} - {"", name}
    known = {*entry.aliases} if entry else set[str]()
    return Entity(
        id=slug(name_key),
        name=name,
        type=support[0][0],
        aliases=tuple(sorted(shown)),
        types=support,
        hidden_names=tuple(sorted(known - shown - {name})),
    )


def _types(
    support: Counter[str], known: str, vocabulary: Vocabulary
) -> tuple[tuple[str, int], ...]:
    """Return the types with the number of papers that use each, the most frequent first.

    Types of a schema file come before trained ones.
    """
    order = list(vocabulary.types)

    def rank(totals: tuple[str, int]) -> tuple[bool, int, bool, int]:
        type_, papers = totals
        return known not in TYPES and type_ in TYPES, -papers, type_ != known, order.index(type_)

    return tuple(sorted(support.items(), key=rank))


def _most_frequent(names: Mapping[str, int]) -> str:
    totals = Counter[str]()
    for name, times in names.items():
        totals[" ".join(name.split())] += times
    return min(totals, key=lambda n: (-totals[n], n))
