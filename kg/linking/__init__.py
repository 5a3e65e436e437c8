"""From what each paper names to one node a thing, whatever the order of the papers.

Within a paper the text's own definitions and the lexicon have already given every entity a key.
Across papers, an acronym that stands undefined goes to the long form that others define for it
(`kg.senses`), and names that differ in hyphens or in the small words of a long form are one thing,
called as the lexicon or else the earliest paper does.

The identifier of a thing is the slug of its key, so it depends on its name alone and stays when
papers or names are added. A row that is added to the lexicon for a name that graphs already hold
keeps that name in its first column, and takes a longer one as an alias.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon
from citekg.linking.acronyms import Name, assign_senses, definitions
from citekg.linking.families import with_families
from citekg.linking.input_rows import rows_of
from citekg.linking.name_clusters import cluster_names
from citekg.linking.name_tables import Row, SqliteTables, Tables
from citekg.schemas.names import key, slug
from citekg.schemas.records import Entity, Extraction
from citekg.schemas.vocabulary import TYPES, Vocabulary

_NAMES: Final = "SELECT DISTINCT key, name, type FROM named ORDER BY key, name, type"
_SINCE: Final = "SELECT key, MIN(since) FROM named GROUP BY key"
#: What papers take a thing for, what they call it, and what forms they write it in.
_THINGS: Final = """
    SELECT target, 0 AS what, type AS text, COUNT(*) AS times FROM meant_named GROUP BY target, type UNION ALL
    SELECT target, 1, name, COUNT(*) FROM meant_named GROUP BY target, name UNION ALL
    SELECT target, 2, form, COUNT(*) FROM meant_surface GROUP BY target, form ORDER BY target, what, text"""
_MEANINGS: Final = "SELECT key, target, COUNT(*) FROM meant_named GROUP BY key, target"
_PLACES: Final = "SELECT DISTINCT paper, key, target FROM meant_named"


@dataclass(frozen=True)
class Linked:
    """The entities of a corpus, and the entity id that each key stands for.

    `id_in_paper` holds what `(paper, key)` means where the paper tells, and `id_of_key` does not.
    """

    entities: tuple[Entity, ...]
    id_of_key: Mapping[str, str]
    id_in_paper: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def entity_id(self, paper: str, name_key: str) -> str:
        """The entity that a paper means by a key."""
        return self.id_in_paper.get((paper, name_key)) or self.id_of_key[name_key]


def link(readings: Iterable[Extraction], lexicon: Lexicon) -> Linked:
    """Give every key of the readings its entity; families come in as entities too. A paper counts once."""
    tables = SqliteTables()
    for table, rows in rows_of({r.paper.id: r for r in readings}.values()).items():
        tables.insert(table, rows)
    return Linked(entities_of(tables, lexicon), *_ids(tables))


def entities_of(tables: Tables, lexicon: Lexicon) -> tuple[Entity, ...]:
    """The entities that the papers of the tables name, and their families; the tables learn what each name means."""
    names = [Name(*row) for row in tables.select(_NAMES)]
    defined = definitions(tables, names, lexicon)
    same = cluster_names(names, dict(tables.select(_SINCE)), lexicon, defined)
    tables.insert("same", sorted(same.items()))
    assign_senses(tables, defined, same)
    things = groupby(tables.select(_THINGS), itemgetter(0))
    return tuple(with_families({target: _entity(target, rows, lexicon) for target, rows in things}, lexicon))


def _ids(tables: Tables) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """What each key means in most papers, and where it means something else."""
    meanings: dict[str, dict[str, int]] = defaultdict(dict)
    for name, target, papers in tables.select(_MEANINGS):
        meanings[name][target] = papers
    usual = {name: min(found, key=lambda k: (-found[k], k)) for name, found in meanings.items()}
    rare = {(paper, name): slug(target) for paper, name, target in tables.select(_PLACES) if usual[name] != target}
    return {name: slug(target) for name, target in usual.items()}, rare


def _entity(name_key: str, rows: Iterable[Row], lexicon: Lexicon) -> Entity:
    """What is called by a key, from what papers take it for, call it and write."""
    types, called, written = (Counter[str]() for _ in range(3))
    for _, what, text, times in rows:
        (types, called, written)[what][text] += times
    entry = lexicon.entries.get(name_key)
    support = _types(types, entry.type if entry else "", lexicon.vocabulary)
    own = [Counter({s: n for s, n in some.items() if key(s) == name_key}) for some in (called, called + written)]
    name = entry.name if entry else _most_common(own[0] or own[1] or called)
    others = {name, *entry.aliases} if entry else {name}
    seen = {" ".join(s.split()).strip("-") for s in written} - {""}
    return Entity(
        id=slug(name_key),
        name=name,
        type=support[0][0],
        aliases=tuple(sorted((others | seen) - {name})),
        types=support,
    )


def _types(support: Counter[str], known: str, vocabulary: Vocabulary) -> tuple[tuple[str, int], ...]:
    """The types by the papers that take a thing for each; what a schema says goes before what is only learnt."""
    order = list(vocabulary.types)

    def rank(counted: tuple[str, int]) -> tuple[bool, int, bool, int]:
        type_, papers = counted
        return known not in TYPES and type_ in TYPES, -papers, type_ != known, order.index(type_)

    return tuple(sorted(support.items(), key=rank))


def _most_common(names: Mapping[str, int]) -> str:
    counted = Counter[str]()
    for name, times in names.items():
        counted[" ".join(name.split())] += times
    return min(counted, key=lambda n: (-counted[n], n))
