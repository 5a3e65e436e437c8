"""One paper, several sources: what they say is merged, and their order leaves no trace."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import unicodedata
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final

from citekg.schemas.errors import FolderError
from citekg.schemas.identifiers import arxiv_id, doi, semantic_scholar_id
from citekg.schemas.records import Paper, Source
from citekg.sources.collisions import COLLIDING, RESOLUTION, is_bare
from citekg.sources.extra_links import further
from citekg.sources.source_names import file_name

_values: Final = attrgetter(*(field.name for field in fields(Paper)))
#: How long a title is that one author gives no second paper.
_TELLING: Final = 20
_SUFFIXES: Final = ("jr", "sr", "ii", "iii")
_SINGLE: Final = ("url", "arxiv_id", "doi")
_COLUMNS: Final = (
    "known BLOB, named BLOB, doi BLOB, corpus BLOB, byline BLOB, title BLOB, alone BLOB,"
    " arxiv BLOB, preprint INTEGER, bare INTEGER, lacks INTEGER, paper BLOB"
)
_INSERT: Final = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
#: A record that goes by its number in Semantic Scholar's corpus gets the least other name of that number's papers.
_JOINED_BY_CORPUS: Final = """
    UPDATE record SET known = COALESCE((
        SELECT MIN(other.known) FROM record AS other
        WHERE other.corpus = record.corpus AND other.known NOT IN (x'', other.corpus)), known)
    WHERE known <> x'' AND known = corpus"""
#: A record that goes by a DOI is named as the preprint of the same title and author is, where there is one.
_NAMED_BY_BYLINE: Final = """
    UPDATE record SET named = COALESCE((
        SELECT MIN(other.named) FROM record AS other WHERE other.byline = record.byline AND other.preprint), x'')
    WHERE byline <> x'' AND NOT preprint AND known = doi"""
#: A record that goes by a DOI gets the least of the other names of that DOI's papers.
_JOINED_BY_DOI: Final = """
    UPDATE record SET known = COALESCE((
        SELECT MIN(other.named) FROM record AS other WHERE other.doi = record.known AND other.named <> x''), known)
    WHERE known <> x''"""
#: The records of papers of which none has a title.
_LACKING: Final = "FROM record WHERE known IN (SELECT known FROM record GROUP BY known HAVING MIN(lacks))"
_WHAT_LACKS: Final = f"SELECT paper {_LACKING} ORDER BY rowid"
_LEFT_OUT: Final = f"DELETE {_LACKING}"
#: A record that goes by no name gets the least name of its title, or the one that is made of the title.
_JOINED_BY_TITLE: Final = """
    UPDATE record SET known = COALESCE((
        SELECT MIN(other.known) FROM record AS other
        WHERE other.title = record.title AND other.known <> x'' AND NOT other.lacks), alone)
    WHERE known = x'' AND NOT lacks"""
#: The records of papers that several records were joined to.
_JOINED: Final = """
    SELECT known, paper FROM record WHERE known IN (SELECT known FROM record GROUP BY known HAVING COUNT(*) > 1)
    ORDER BY known, rowid"""
#: The joins in their order, each with the index that it needs.
_JOINS: Final = (
    ("corpus, known", _JOINED_BY_CORPUS),
    ("doi, named", _JOINED_BY_DOI),
    ("byline, preprint, named", _NAMED_BY_BYLINE),
    ("doi, named", _JOINED_BY_DOI),
    ("title, known", _JOINED_BY_TITLE),
)


def folded_title(title: str) -> str:
    """A title as it is compared: compatibility forms, case, spaces and punctuation folded."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+|[^\w\s.,:;!?'\"-]", folded))


class MergedPapers(Collection[Paper]):
    """Papers, each once, in the order of their ids; they lie on disk until they are asked for, any number of times.

    A paper is known by its id, else its arXiv id, else its title. Records with the same bare id that differ in title,
    DOI and arXiv id are different papers, which go by the latter instead (see `citekg.sources.collisions`). A record that
    goes by its DOI joins the paper of that DOI, or else the preprint of the same title and first author, and one
    without an id the paper of the same title. The fullest record wins, the others fill its gaps, such as those of a
    record without title or abstract.
    """

    def __init__(
        self,
        records: Iterable[Paper],
        lacking: Callable[[Paper], None] = lambda _record: None,
        source_names: Callable[[Iterable[Paper]], Mapping[str, str]] = lambda _records: {},
    ) -> None:
        """Take in all records; `lacking` gets those that lack a title, which are no papers.

        `source_names` gets the others and returns the names that papers record, by the paths of their sources.
        Raises `FolderError` where the disk for temporary files is full.
        """
        import sqlite3

        self._base = sqlite3.connect("")  # a temporary file, which is gone with its process
        weakref.finalize(self, self._base.close)
        with _telling():
            self._base.execute(f"CREATE TABLE record ({_COLUMNS})")
            self._base.executemany(_INSERT, map(_row, records))
            for statement in RESOLUTION:
                self._base.execute(statement)
            for index, joined in _JOINS:
                self._base.execute(f'CREATE INDEX IF NOT EXISTS "{index}" ON record ({index})')
                self._base.execute(joined)
            self._base.execute("CREATE INDEX known ON record (known, lacks)")
            for (told,) in self._base.execute(_WHAT_LACKS):
                lacking(_opened(told))
            self._base.execute(_LEFT_OUT)
            stored = self._base.execute("SELECT paper FROM record ORDER BY rowid")
            self._source_names = source_names(_opened(paper) for (paper,) in stored)
            counted = self._base.execute("SELECT COUNT(*), COUNT(DISTINCT known) FROM record")
            self.records, self._count = map(int, counted.fetchone())

    def __iter__(self) -> Iterator[Paper]:
        """The papers, read from disk."""
        rows = self._base.execute("SELECT known, paper FROM record ORDER BY known, rowid")
        for known, group in groupby(rows, key=itemgetter(0)):
            paper = _one(_text(known), [_opened(told) for _, told in group])
            yield replace(paper, sources=tuple(sorted({*map(self._named, paper.sources)})))

    def joined(self) -> Iterator[tuple[str, tuple[Source, ...]]]:
        """The id of each paper that several records were joined to, with the files and lines of these."""
        for known, group in groupby(self._base.execute(_JOINED), key=itemgetter(0)):
            yield _text(known), tuple(source for _, stored in group for source in _opened(stored).sources)

    def collisions(self) -> Iterator[tuple[str, Paper, Paper]]:
        """Each id that records give to different papers, with the first of these and with one of the others."""
        id_of_first, first = b"", Paper("", "", "")
        for known, stored, _ in self._base.execute(COLLIDING):
            if known == id_of_first:
                yield _text(known), first, _opened(stored)
            else:
                id_of_first, first = known, _opened(stored)

    def _named(self, source: Source) -> Source:
        """A source by the name instead of the path of its file."""
        return Source(self._source_names.get(source.name) or file_name(source.name), source.line)

    def __len__(self) -> int:
        """How many papers there are."""
        return self._count

    def __contains__(self, paper: object) -> bool:
        """Whether a paper is among them."""
        return any(paper == other for other in self)


def _row(paper: Paper) -> tuple[bytes | int, ...]:
    """A record with what it goes by and may be joined by, as bytes, which sort as texts do."""
    name = paper.id or paper.arxiv_id
    known, named, title = name or paper.doi, "" if doi(name) else name, folded_title(paper.title)
    preprint = bool(paper.arxiv_id or arxiv_id(name))
    byline = _byline(title, paper.authors) if preprint or paper.doi else ""
    told = (known, named, paper.doi, _corpus(paper), byline, title, title_id(paper.title), paper.arxiv_id)
    lacks = not paper.title.strip()
    return *(text.encode("utf-8", "surrogatepass") for text in told), preprint, is_bare(paper), lacks, _packed(paper)


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")


def _byline(title: str, authors: tuple[str, ...]) -> str:
    """A title with the last name of its first author, empty for a title that several papers of an author may have.

    >>> _byline("kites that learn to fly", ("Vaswaní, A.", "Bo Wren")) == _byline(
    ...     "kites that learn to fly", ("Ada B. Vaswani Jr.",))
    True
    """
    bare = "".join(c for c in unicodedata.normalize("NFKD", "".join(authors[:1])) if not unicodedata.combining(c))
    names = [word for word in folded_title(bare).split() if len(word) > 1 and word not in _SUFFIXES]
    return f"{title} / {names[-1]}" if names and len(title) >= _TELLING else ""


def _corpus(paper: Paper) -> str:
    """The number that Semantic Scholar gives the paper, from its page of that number, where there is one alone."""
    numbers = {semantic_scholar_id(link) for link in (paper.url, *paper.links) if "CorpusID:" in link}
    return numbers.pop() if len(numbers) == 1 else ""


def _packed(paper: Paper) -> bytes:
    """A paper as JSON, its fields in their order."""
    return json.dumps(_values(paper), default=lambda source: [source.name, source.line]).encode()


def _opened(told: bytes) -> Paper:
    """The paper that was packed."""
    values: list[Any] = [tuple(map(_part, v)) if isinstance(v, list) else v for v in json.loads(told)]
    return Paper(*values)


def _part(value: str | list[Any]) -> str | Source:
    return Source(*value) if isinstance(value, list) else value


@contextmanager
def _telling() -> Iterator[None]:
    import sqlite3

    try:
        yield
    except sqlite3.OperationalError as error:
        raise FolderError(f"{tempfile.gettempdir()}: the papers cannot be put aside there: {error}") from error


def title_id(title: str) -> str:
    """The id of a paper that has nothing but its title to be known by."""
    return "t" + hashlib.sha256(folded_title(title).encode()).hexdigest()[:12]


def _one(paper_id: str, group: list[Paper]) -> Paper:
    ranked = sorted(group, key=_fullness, reverse=True)
    url, arxiv, own_doi = (next(filter(None, (getattr(p, name) for p in ranked)), "") for name in _SINGLE)
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
        links=further((link for p in ranked for link in (p.url, *p.links)), url, arxiv, own_doi),
        references=tuple(sorted({name for p in ranked for name in p.references})),
    )


def _fullness(paper: Paper) -> tuple[int, str, str, int, tuple[str, ...], str, str, str, str]:
    return (len(paper.abstract), paper.abstract, paper.title, len(paper.authors), paper.authors, *_rest(paper))


def _rest(paper: Paper) -> tuple[str, str, str, str]:
    return paper.url, paper.arxiv_id, paper.venue, paper.doi
