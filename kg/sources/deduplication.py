"""Deduplicate the records of papers: merge those of one paper, whatever their order.

Records are stored in a temporary SQLite table and joined by identifiers, then by DOI, by title and
first author, and by title.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import unicodedata
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from itertools import groupby
from operator import attrgetter, itemgetter
from string import Template
from typing import Any, Final

from citekg.schemas.errors import FolderError
from citekg.schemas.identifiers import arxiv_id, doi, semantic_scholar_id
from citekg.schemas.records import Paper, Source
from citekg.sources.collisions import RESOLVE_COLLISIONS, SELECT_COLLISIONS, has_local_id
from citekg.sources.extra_links import further_links
from citekg.sources.source_names import file_name

_values: Final = attrgetter(*(field.name for field in fields(Paper)))
#: The minimum length of a title, in characters, that identifies a paper of one author.
_DISTINCTIVE_LENGTH: Final = 20
_NAME_SUFFIXES: Final = ("jr", "sr", "ii", "iii")
_SINGLE_FIELDS: Final = ("url", "arxiv_id", "doi")
_COLUMNS: Final = (
    "known BLOB, named BLOB, doi BLOB, corpus BLOB, byline BLOB, title BLOB, preprint INTEGER,"
    " alone BLOB, arxiv BLOB, bare INTEGER, lacks INTEGER, paper BLOB, merged INTEGER"
)
_INSERT: Final = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"
#: The records of papers that have no title in any record.
_UNTITLED: Final = (
    "FROM record WHERE known IN (SELECT known FROM record GROUP BY known HAVING MIN(lacks))"
)
_SELECT_UNTITLED: Final = f"SELECT paper {_UNTITLED} ORDER BY rowid"
_DELETE_UNTITLED: Final = f"DELETE {_UNTITLED}"
#: The records of papers that have several records.
_SELECT_MERGED: Final = """
    SELECT known, paper FROM record
    WHERE known IN (SELECT known FROM record GROUP BY known HAVING COUNT(*) > 1)
    ORDER BY known, rowid"""


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
    sources="known <> x'' AND NOT lacks",
    own_key="title",
    targets="known = x'' AND NOT lacks",
)
#: A record that still has no key takes the id made of its title.
_KNOW_BY_TITLE: Final = "UPDATE record SET known = alone WHERE known = x'' AND NOT lacks"
_STATEMENTS: Final = (
    *_BY_CORPUS_ID.statements(),
    *_BY_DOI.statements(),
    *_BY_BYLINE.statements(),
    *_BY_DOI.statements(),
    *_BY_TITLE.statements(),
)
#: The papers that have more records than when their join keys were computed.
_SELECT_GROWN: Final = """
    CREATE TABLE grown AS SELECT known FROM record WHERE known <> x'' GROUP BY known
    HAVING COUNT(*) > MIN(merged) AND NOT MIN(lacks)"""
#: Gives all records of a paper the join keys of the merged paper.
_SHARE_KEYS: Final = """
    UPDATE record SET named = ?, doi = ?, corpus = ?, byline = ?, title = ?, preprint = ?,
    merged = ? WHERE known = ?"""


def folded_title(title: str) -> str:
    """Return a normalised title: NFKC, case-folded, without punctuation and extra spaces."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+|[^\w\s.,:;!?'\"-]", folded))


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
        records: Iterable[Paper],
        on_untitled: Callable[[Paper], None] = lambda _record: None,
        source_names: Callable[[Iterable[Paper]], Mapping[str, str]] = lambda _records: {},
    ) -> None:
        """Store and merge all records.

        `on_untitled` gets the records of papers without a title, which are left out. `source_names`
        gets the other records and maps the paths of their files to the names that papers record.
        Raises `FolderError` where the disk for temporary files is full.
        """
        import sqlite3

        # A temporary file, which is gone with its process. The garbage collector may close it in
        # another thread than this one, which SQLite refuses unless the check is off.
        self._database = sqlite3.connect("", check_same_thread=False)
        weakref.finalize(self, self._database.close)
        with _disk_errors():
            self._database.execute(f"CREATE TABLE record ({_COLUMNS})")
            self._database.executemany(_INSERT, map(_row, records))
            for statement in RESOLVE_COLLISIONS:
                self._database.execute(statement)
            self._database.execute("CREATE INDEX known ON record (known, lacks)")
            self._join()
            for (stored,) in self._database.execute(_SELECT_UNTITLED):
                on_untitled(_deserialise(stored))
            self._database.execute(_DELETE_UNTITLED)
            rows = self._database.execute("SELECT paper FROM record ORDER BY rowid")
            self._source_names = source_names(_deserialise(paper) for (paper,) in rows)
            counted = self._database.execute("SELECT COUNT(*) FROM record")
            (self.records,) = map(int, counted.fetchone())
            self._database.execute("CREATE TABLE paper (merged BLOB)")
            merged = ((_serialise(paper),) for paper in self._merged())
            inserted = self._database.executemany("INSERT INTO paper VALUES (?)", merged)
            self._count = inserted.rowcount

    def _join(self) -> None:
        """Join the records until no merged paper has a key by which it joins another.

        A merged paper can have a combination of keys that none of its records has, such as the
        title of one and the author of another, and an id made of its title is a key, too.
        """
        while True:
            for statement in _STATEMENTS:
                self._database.execute(statement)
            named = self._database.execute(_KNOW_BY_TITLE).rowcount
            if not self._share_keys() and not named:
                return

    def _share_keys(self) -> bool:
        """Give the records of papers that grew the keys of the merged paper, if there are any."""
        self._database.execute(_SELECT_GROWN)
        grew = False
        for (known,) in self._database.execute("SELECT known FROM grown"):
            grew = True
            rows = self._database.execute("SELECT paper FROM record WHERE known = ?", (known,))
            group = [_deserialise(stored) for (stored,) in rows]
            _, *keys = _keys(_merge(_text(known), group))
            self._database.execute(_SHARE_KEYS, (*keys, len(group), known))
        self._database.execute("DROP TABLE grown")
        return grew

    def __iter__(self) -> Iterator[Paper]:
        """Yield the papers, read from disk."""
        for (stored,) in self._database.execute("SELECT merged FROM paper ORDER BY rowid"):
            yield _deserialise(stored)

    def _merged(self) -> Iterator[Paper]:
        """Yield the papers, each merged of its records."""
        rows = self._database.execute("SELECT known, paper FROM record ORDER BY known, rowid")
        for known, group in groupby(rows, key=itemgetter(0)):
            paper = _merge(_text(known), [_deserialise(stored) for _, stored in group])
            yield replace(paper, sources=tuple(sorted({*map(self._named, paper.sources)})))

    def merged_sources(self) -> Iterator[tuple[str, tuple[Source, ...]]]:
        """Yield the id of each paper with several records, and the sources of these records."""
        for known, group in groupby(self._database.execute(_SELECT_MERGED), key=itemgetter(0)):
            yield (
                _text(known),
                tuple(source for _, stored in group for source in _deserialise(stored).sources),
            )

    def collisions(self) -> Iterator[tuple[str, Paper, Paper]]:
        """Yield each id of different papers, with the first paper and one of the others."""
        id_of_first, first = b"", Paper("", "", "")
        for known, stored, _ in self._database.execute(SELECT_COLLISIONS):
            if known == id_of_first:
                yield _text(known), first, _deserialise(stored)
            else:
                id_of_first, first = known, _deserialise(stored)

    def _named(self, source: Source) -> Source:
        """Return a source with the name instead of the path of its file."""
        return Source(self._source_names.get(source.name) or file_name(source.name), source.line)

    def __len__(self) -> int:
        """Return the number of papers."""
        return self._count

    def __contains__(self, paper: object) -> bool:
        """Return whether a paper is in the collection."""
        return any(paper == other for other in self)


def _row(paper: Paper) -> tuple[bytes | bool, ...]:
    return (
        *_keys(paper),
        _bytes(title_id(paper.title)),
        _bytes(paper.arxiv_id),
        has_local_id(paper),
        not paper.title.strip(),
        _serialise(paper),
    )


def _keys(paper: Paper) -> tuple[bytes | bool, ...]:
    """Return the join keys of a record, as UTF-8 bytes, which sort by code point.

    These are the columns from `known` to `preprint`: the key of the paper, its name unless that is
    a DOI, the DOI, the corpus id, title with first author, the title, and whether it is a preprint.
    """
    name = paper.id or paper.arxiv_id
    title, preprint = folded_title(paper.title), bool(paper.arxiv_id or arxiv_id(name))
    return (
        _bytes(name or paper.doi),
        _bytes("" if doi(name) else name),
        _bytes(paper.doi),
        _bytes(_corpus_id(paper)),
        _bytes(_byline(title, paper.authors) if preprint or paper.doi else ""),
        _bytes(title),
        preprint,
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")


def _byline(title: str, authors: tuple[str, ...]) -> str:
    """Return a title with the last name of the first author; empty for a title that is too short.

    >>> _byline("kites that learn to fly", ("Vaswaní, A.", "Bo Wren")) == _byline(
    ...     "kites that learn to fly", ("Ada B. Vaswani Jr.",))
    True
    """
    bare = "".join(
        c
        for c in unicodedata.normalize("NFKD", "".join(authors[:1]))
        if not unicodedata.combining(c)
    )
    names = [
        word for word in folded_title(bare).split() if len(word) > 1 and word not in _NAME_SUFFIXES
    ]
    return f"{title} / {names[-1]}" if names and len(title) >= _DISTINCTIVE_LENGTH else ""


def _corpus_id(paper: Paper) -> str:
    """Return the Semantic Scholar corpus id in the links of a paper, if there is exactly one."""
    numbers = {
        semantic_scholar_id(link) for link in (paper.url, *paper.links) if "CorpusID:" in link
    }
    return numbers.pop() if len(numbers) == 1 else ""


def _serialise(paper: Paper) -> bytes:
    """Return the values of a paper as a JSON array."""
    return json.dumps(_values(paper), default=lambda source: [source.name, source.line]).encode()


def _deserialise(stored: bytes) -> Paper:
    """Return the paper of a JSON array."""
    values: list[Any] = [
        tuple(map(_part, v)) if isinstance(v, list) else v for v in json.loads(stored)
    ]
    return Paper(*values)


def _part(value: str | list[Any]) -> str | Source:
    return Source(*value) if isinstance(value, list) else value


@contextmanager
def _disk_errors() -> Iterator[None]:
    """Turn an error of the temporary database into a `FolderError`."""
    import sqlite3

    try:
        yield
    except sqlite3.OperationalError as error:
        raise FolderError(
            f"{tempfile.gettempdir()}: the papers cannot be stored there: {error}"
        ) from error


def title_id(title: str) -> str:
    """Return the id of a paper without identifiers: a hash of its title."""
    return "t" + hashlib.sha256(folded_title(title).encode()).hexdigest()[:12]


def _merge(paper_id: str, group: list[Paper]) -> Paper:
    """Return one paper of several records; values of more complete records come first."""
    ranked = sorted(group, key=_completeness, reverse=True)
    url, arxiv, own_doi = (
        next(filter(None, (getattr(p, name) for p in ranked)), "") for name in _SINGLE_FIELDS
    )
    return replace(
        ranked[0],
        id=paper_id,
        title=next(p.title for p in ranked if p.title.strip()),
        date=max((p.date for p in ranked), key=lambda d: (len(d), d)),
        authors=next((p.authors for p in ranked if p.authors), ()),
        url=url,
        arxiv_id=arxiv,
        venue=next((p.venue for p in ranked if p.venue), ""),
        sources=tuple(sorted({s for p in ranked for s in p.sources})),
        doi=own_doi,
        links=further_links(
            (link for p in ranked for link in (p.url, *p.links)), url, arxiv, own_doi
        ),
        references=tuple(sorted({name for p in ranked for name in p.references})),
    )


def _completeness(paper: Paper) -> tuple[int, str, str, int, tuple[str, ...], str, str, str, str]:
    """Return the sort key of a record: length of the abstract first, then ties by content."""
    return (
        len(paper.abstract),
        paper.abstract,
        paper.title,
        len(paper.authors),
        paper.authors,
        paper.url,
        paper.arxiv_id,
        paper.venue,
        paper.doi,
    )
