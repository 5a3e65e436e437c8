"""Deduplicate the records of papers: merge those of one paper, independent of their order.

Records are stored in a temporary SQLite table and joined by identifiers, then by DOI, by title and
first author, and by title.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import groupby, starmap
from operator import itemgetter
from string import Template
from typing import Final

from citekg.schemas.records import Paper, Source
from citekg.sources.collisions import RESOLVE_COLLISIONS, SELECT_COLLISIONS
from citekg.sources.databases import disk_errors
from citekg.sources.join_keys import join_keys
from citekg.sources.keyed_papers import KeyedPaper, PaperKeys, as_text
from citekg.sources.merged_groups import MergedGroup, group_key
from citekg.sources.merging import merge_group
from citekg.sources.paper_columns import PaperColumns, PaperRow
from citekg.sources.record_contents import deserialise, serialise
from citekg.sources.record_table import PLACE, RecordTable, Row
from citekg.sources.source_names import file_name, recorded_sources

#: The records of papers that have no title in any record.
_UNTITLED: Final = (
    "FROM record WHERE known IN (SELECT known FROM record GROUP BY known HAVING MIN(lacks))"
)
_SELECT_UNTITLED: Final = f"SELECT {PLACE} {_UNTITLED} ORDER BY number"
_DELETE_UNTITLED: Final = f"DELETE {_UNTITLED}"
#: The paths of the files whose names papers record without a digest.
_USUAL_FILES: Final = "CREATE TABLE usual_file (file BLOB PRIMARY KEY)"
#: The papers that have several records.
_SEVERAL: Final = "SELECT known FROM record GROUP BY known HAVING COUNT(*) > 1"
#: Whether a record is the only one of its paper and not changed by merging.
_IS_UNCHANGED: Final = f"""
    known NOT IN ({_SEVERAL}) AND id = known AND file IN (SELECT file FROM usual_file)"""  # noqa: S608  # a constant
_SELECT_UNCHANGED: Final = f"""
    SELECT known, digest, text, 0, {PLACE} FROM record WHERE {_IS_UNCHANGED}"""  # noqa: S608  # constants
#: The records of the other papers; a digest is only that of a record whose file has its usual name.
_SELECT_CHANGED: Final = f"""
    SELECT known, CASE WHEN file IN (SELECT file FROM usual_file) THEN digest ELSE x'' END, {PLACE}
    FROM record WHERE NOT ({_IS_UNCHANGED}) ORDER BY known, number"""  # noqa: S608  # constants
#: The records of papers that have several records.
_SELECT_MERGED: Final = f"""
    SELECT known, {PLACE} FROM record WHERE known IN ({_SEVERAL})
    ORDER BY known, number"""  # noqa: S608  # constants


@dataclass(frozen=True, slots=True)
class _Join:
    """A join: each target record takes the smallest value of the source records with its key.

    `key`, `value` and `sources` are key, value and condition of the sources; `own_key` and
    `targets` are key and condition of the targets, and `takes` is the column that they assign.
    `clears` are further assignments.
    """

    key: str
    value: str
    sources: str
    own_key: str
    targets: str
    takes: str = "known"
    clears: str = ""

    def statements(self) -> tuple[str, ...]:
        """Return the SQL statements; each reads a record once, however many share its key."""
        return tuple(Template(statement).substitute(asdict(self)) for statement in _JOIN)


_JOIN: Final = (
    """CREATE TABLE smallest AS SELECT $key AS key, MIN($value) AS value
       FROM record WHERE $key <> x'' AND $sources GROUP BY $key""",
    "CREATE UNIQUE INDEX smallest_key ON smallest (key)",
    """UPDATE record SET $takes = (SELECT value FROM smallest WHERE key = record.$own_key) $clears
       WHERE $targets AND $own_key IN (SELECT key FROM smallest)""",
    "DROP TABLE smallest",
)
#: A record known only by its Semantic Scholar corpus id takes another key with that id.
_BY_CORPUS_ID: Final = _Join(
    key="corpus",
    value="known",
    sources="known NOT IN (x'', corpus)",
    own_key="corpus",
    targets="known = corpus",
    clears=", named = x''",
)
#: A record known by a DOI takes a name of the records with that DOI.
_BY_DOI: Final = _Join(
    key="doi", value="named", sources="named <> x''", own_key="known", targets="known <> x''"
)
#: A record known by a DOI is named like the preprint with the same title and first author.
_BY_BYLINE: Final = _Join(
    key="byline",
    value="named",
    sources="preprint AND named <> x''",
    own_key="byline",
    targets="NOT preprint AND known = doi",
    takes="named",
)
#: A record without a key takes a key with its title.
_BY_TITLE: Final = _Join(
    key="title",
    value="known",
    sources="known <> x'' AND NOT lacks AND title IN"
    " (SELECT title FROM record WHERE known = x'' AND NOT lacks)",
    own_key="title",
    targets="known = x'' AND NOT lacks",
)
#: A record that still has no key takes the id made from its title.
_USE_TITLE_ID: Final = "UPDATE record SET known = alone WHERE known = x'' AND NOT lacks"
_STATEMENTS: Final = (
    *_BY_CORPUS_ID.statements(),
    *_BY_DOI.statements(),
    *_BY_BYLINE.statements(),
    *_BY_DOI.statements(),
    *_BY_TITLE.statements(),
)
#: The papers that have more records than when their join keys were computed. Most papers have one
#: record, and an index finds the others.
_SELECT_GROWN: Final = f"""
    CREATE TABLE grown AS SELECT known FROM record WHERE known <> x'' AND known IN ({_SEVERAL})
    GROUP BY known HAVING COUNT(*) > MIN(merged) AND NOT MIN(lacks)"""  # noqa: S608  # a constant
_SELECT_GROUP: Final = f"SELECT digest, {PLACE} FROM record WHERE known = ? ORDER BY number"  # noqa: S608  # a constant
#: Gives all records of a paper the join keys of the merged paper.
_SHARE_KEYS: Final = """
    UPDATE record SET named = ?, doi = ?, corpus = ?, byline = ?, title = ?, preprint = ?,
    merged = ? WHERE known = ?"""


class MergedPapers(Collection[Paper]):
    """Deduplicated papers, sorted by id and stored on disk; iterable any number of times.

    The key of a paper is its id, else its arXiv id, DOI or title. Records with the same local id
    that differ in title, DOI and arXiv id are different papers and lose that id (see
    `citekg.sources.collisions`). A record known by its DOI joins the paper of that DOI, or else the
    preprint with the same title and first author. A record without an id joins the paper with the
    same title. The most complete record of a paper wins, the others fill its gaps.
    """

    def __init__(
        self,
        records: Iterable[Paper] | RecordTable,
        on_untitled: Callable[[Paper], None] = lambda _record: None,
        source_names: Callable[[Iterable[Paper]], Mapping[str, str]] = lambda _records: {},
    ) -> None:
        """Store all records, unless a table of them is given, and merge them.

        `on_untitled` gets the records of papers without a title, which are left out. `source_names`
        gets the other records and maps the paths of their files to the names that papers record.
        Raises `FolderError` if the disk for temporary files is full.
        """
        with disk_errors():
            # The database is closed when the table is garbage-collected.
            self._table = records if isinstance(records, RecordTable) else RecordTable(records)
            self._database = self._table.database
            singletons = self._table.separate()
            self._database.execute("CREATE INDEX known ON record (known, lacks)")
            for statement in RESOLVE_COLLISIONS:
                self._database.execute(statement)
            self._join()
            untitled = self._database.execute(_SELECT_UNTITLED).fetchall()
            for place in untitled:
                on_untitled(self._content(*place))
            if untitled:
                self._database.execute(_DELETE_UNTITLED)
            rows = self._database.execute(f"SELECT {PLACE} FROM record ORDER BY number")  # noqa: S608  # a constant
            self._source_names = source_names(starmap(self._content, rows))
            ((count,),) = self._database.execute("SELECT COUNT(*) FROM record")
            self.records = int(count) + sum(map(len, singletons))
            others = PaperColumns.of(self._rows())
            self._papers = PaperColumns.sorted_by_id([*singletons, others])

    def _join(self) -> None:
        """Join the records until no merged paper joins another one.

        A merged paper can have a combination of keys that none of its records has, such as the
        title of one and the author of another. An id made from its title is also a key.
        """
        while True:
            for statement in _STATEMENTS:
                self._database.execute(statement)
            named = self._database.execute(_USE_TITLE_ID).rowcount
            if not self._share_keys() and not named:
                return

    def _share_keys(self) -> bool:
        """Assign the join keys of merged papers to their records, for papers with new records.

        Returns whether there are such papers.
        """
        self._database.execute(_SELECT_GROWN)
        has_grown = False
        for (known,) in self._database.execute("SELECT known FROM grown"):
            has_grown = True
            digests, places = _split(self._database.execute(_SELECT_GROUP, (known,)))
            if key := group_key(known, digests):
                keys = self._group(key, known, places).keys
            else:
                keys = join_keys(self._merge(known, places))[1:]
            self._database.execute(_SHARE_KEYS, (*keys, len(places), known))
        self._database.execute("DROP TABLE grown")
        return has_grown

    def _group(self, key: bytes, known: bytes, places: Iterable[Row]) -> MergedGroup:
        """Return the group with a key; its records are merged if it is not known."""
        groups = self._table.groups
        return groups.find(key) or groups.add(key, self._merge(known, places))

    def _merge(self, known: bytes, places: Iterable[Row]) -> Paper:
        """Return the paper of the records with these contents."""
        return merge_group(as_text(known), [*starmap(self._content, places)])

    def __iter__(self) -> Iterator[Paper]:
        """Yield the papers, read from disk."""
        for paper in self.keyed():
            yield paper.read()

    def keys(self) -> PaperKeys:
        """Return the keys of all papers, in the order of their ids."""
        papers = self._papers
        return PaperKeys(
            papers.checksums.tolist(),
            papers.digests.reshape(-1).data,
            papers.texts.reshape(-1).data,
        )

    def keyed(self, first: int = 0) -> Iterator[KeyedPaper]:
        """Yield the papers from a number on, in the order of their ids, without reading them."""
        for number in range(first, len(self)):
            known, digest, text, *place = self._papers.row(number)
            yield KeyedPaper(as_text(known), digest, text, partial(self._read, *place))

    def _read(self, is_merged: int, contents: int, offset: int, size: int) -> Paper:
        """Return the paper of a merged content, or of a record, with the name of its file."""
        paper = self._content(contents, offset, size)
        if is_merged:
            return paper
        return replace(paper, sources=recorded_sources(paper.sources, self._source_names))

    def _content(self, contents: int, offset: int, size: int) -> Paper:
        """Return the paper of a content."""
        return deserialise(self._table.contents.read(contents, offset, size))

    def _rows(self) -> Iterator[PaperRow]:
        """Yield the papers of the joined records; only those that merging changes are read."""
        files = self._database.execute("SELECT DISTINCT file FROM record WHERE file <> x''")
        usual = [row for row in files.fetchall() if self._has_usual_name(*row)]
        self._database.execute(_USUAL_FILES)
        self._database.executemany("INSERT INTO usual_file VALUES (?)", usual)
        yield from self._database.execute(_SELECT_UNCHANGED)
        changed = groupby(self._database.execute(_SELECT_CHANGED), key=itemgetter(0))
        yield from starmap(self._merged, changed)

    def _merged(self, known: bytes, rows: Iterable[Row]) -> PaperRow:
        """Store the merged content of records; return the row of the paper."""
        digests, places = _split(row[1:] for row in rows)
        if key := group_key(known, digests):
            group = self._group(key, known, places)
            return known, group.digest, group.text, 1, *group.place
        paper = self._merge(known, places)
        paper = replace(paper, sources=recorded_sources(paper.sources, self._source_names))
        one = KeyedPaper.of(paper)
        return known, one.digest, one.text, 1, *self._table.contents.append(serialise(paper))

    def _has_usual_name(self, file: bytes) -> bool:
        """Return whether papers record the name of a file, given by its path, without a digest."""
        path = as_text(file)
        return self._source_names.get(path, file_name(path)) == file_name(path)

    def merged_sources(self) -> Iterator[tuple[str, tuple[Source, ...]]]:
        """Yield the id of each paper with several records, and the sources of these records."""
        for known, group in groupby(self._database.execute(_SELECT_MERGED), key=itemgetter(0)):
            yield (
                as_text(known),
                tuple(source for _, *place in group for source in self._content(*place).sources),
            )

    def collisions(self) -> Iterator[tuple[str, Paper, Paper]]:
        """Yield each id of different papers, with the first paper and one of the others."""
        id_of_first, first = b"", Paper("", "", "")
        for known, *place, _ in self._database.execute(SELECT_COLLISIONS):
            if known == id_of_first:
                yield as_text(known), first, self._content(*place)
            else:
                id_of_first, first = known, self._content(*place)

    def __len__(self) -> int:
        """Return the number of papers."""
        return len(self._papers)

    def __contains__(self, paper: object) -> bool:
        """Return whether a paper is in the collection."""
        return any(paper == other for other in self)


def _split(rows: Iterable[Row]) -> tuple[list[bytes], list[Row]]:
    """Return the digests of records, which are first in their rows, and the other columns."""
    found = [*rows]
    return [row[0] for row in found], [row[1:] for row in found]
