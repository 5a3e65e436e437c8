"""Look up records by id and by title, service by service, and fill their empty fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import combinations
from typing import Final

from citekg.fetching import SERVICES
from citekg.fetching.agreement import matches_by_id, matches_by_title, same_first_author
from citekg.fetching.cached_client import CachedClient
from citekg.fetching.gaps import Incomplete, fill_gaps, missing_fields, paper_ids
from citekg.fetching.service import Lookup, Page, Request, Service, title_phrases
from citekg.schemas.errors import FetchError
from citekg.schemas.plugins import Line
from citekg.schemas.records import Paper
from citekg.sources import source_format

#: The services that support lookups of single papers, by name.
LOOKUPS: Final[dict[str, Lookup]] = {
    name: one.lookup for name, one in SERVICES.items() if one.lookup
}

#: The order of lookups, by ids or by titles. arXiv has the abstracts of all its papers, but its
#: search is slow; a title search at OpenAlex may yield an arXiv id.
STEPS: Final = (
    ("arxiv", "ids"),
    ("openalex", "ids"),
    ("openalex", "titles"),
    ("arxiv", "ids"),
    ("semantic-scholar", "ids"),
    ("semantic-scholar", "titles"),
    ("arxiv", "titles"),
)
_NOTHING_FOUND: Final = "nothing found"
_FIELD_MISSING: Final = "the record that was found does not contain it"
_NO_QUERY: Final = "there is no arXiv id, DOI or title to look it up by"


@dataclass(slots=True)
class Record:
    """A record of the input: its state of completion, and why it is not complete."""

    paper: Paper
    found: set[str] = field(default_factory=set)  # the services that found it
    disputed: bool = False  # its id belongs to a different paper
    doubt: str = ""

    def fill(self, found: Paper, service: str) -> None:
        """Fill the empty fields from a service's record of the same paper."""
        self.paper = fill_gaps(self.paper, found)
        self.found.add(service)

    @property
    def is_incomplete(self) -> bool:
        """Whether a field is missing, or the id belongs to a different paper."""
        return self.disputed or bool(missing_fields(self.paper))

    def incomplete(self) -> Incomplete:
        """Return the fields that are still missing, and the reason."""
        arxiv, own_doi = paper_ids(self.paper)
        name = self.paper.title.strip() or arxiv or own_doi or self.paper.id
        place = str(next(iter(self.paper.sources), ""))
        return Incomplete(place, name, missing_fields(self.paper), self._reason())

    def _reason(self) -> str:
        if self.found and not self.disputed:
            return _FIELD_MISSING
        can_look_up = any(paper_ids(self.paper)) or title_phrases(self.paper.title)
        return self.doubt or (_NOTHING_FOUND if can_look_up else _NO_QUERY)


@dataclass(slots=True)
class Completion:
    """Fills the records, service by service; `failed` gives the error of each failed service."""

    records: Sequence[Record]
    connect: Callable[[str], CachedClient]
    refresh: bool
    on_progress: Callable[[int, int], None]
    clients: dict[str, CachedClient] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    _looked_up: set[tuple[str, str]] = field(default_factory=set)
    _services: set[str] = field(default_factory=set)

    def run(self, steps: Sequence[tuple[str, str]]) -> None:
        """Run the steps. Raises `FetchError` if every service that was queried failed."""
        for name, way in steps:
            if name in self.failed:
                continue
            try:
                (self._by_ids if way == "ids" else self._by_titles)(name)
            except FetchError as error:
                self.failed[name] = error.message
        if self.failed and self.failed.keys() == self._services:
            about = ", ".join(SERVICES[name].about for name in self.failed)
            why = "; ".join(dict.fromkeys(self.failed.values()))
            raise FetchError(about, why).after(len(self.records) - len(self.open()))

    def open(self) -> list[Record]:
        """Return the records that lack a field."""
        return [record for record in self.records if missing_fields(record.paper)]

    def _by_ids(self, name: str) -> None:
        lookup, by_key = LOOKUPS[name], self._by_key(name)
        keys = list(by_key)
        for start in range(0, len(keys), lookup.size):
            batch = keys[start : start + lookup.size]
            for paper in self._found_by_ids(name, batch):
                arxiv, own_doi = paper_ids(paper)
                for key in {lookup.key(arxiv, ""), lookup.key("", own_doi)}.intersection(batch):
                    _fill_by_id(by_key[key], paper, name)
            self._looked_up.update((name, key) for key in batch)
            self.on_progress(start + len(batch), len(keys))

    def _by_key(self, name: str) -> dict[str, list[Record]]:
        """Return the records that lack a field, by their id, if it was not yet looked up."""
        by_key: dict[str, list[Record]] = {}
        for record in self.open():
            key = LOOKUPS[name].key(*paper_ids(record.paper))
            if key and (name, key) not in self._looked_up:
                by_key.setdefault(key, []).append(record)
        return by_key

    def _found_by_ids(self, name: str, wanted: Sequence[str]) -> Iterator[Paper]:
        """Yield the papers of a service with the ids.

        If the service rejects the request because of one id, bisect to get the other papers.
        """
        lookup = LOOKUPS[name]
        found = self._found(name, lookup.by_ids(wanted))
        if found is not None or len(wanted) == 1:
            yield from found or ()
            return
        middle = len(wanted) // 2
        for half in (wanted[:middle], wanted[middle:]):
            yield from self._found_by_ids(name, half)

    def _by_titles(self, name: str) -> None:
        titled = [one for one in self.open() if not (one.disputed or name in one.found)]
        titled = [one for one in titled if title_phrases(one.paper.title)]
        for number, record in enumerate(titled, start=1):
            request = LOOKUPS[name].by_title(record.paper.title)
            _fill_by_title(record, self._found(name, request) or (), name)
            self.on_progress(number, len(titled))

    def _found(self, name: str, request: Request) -> tuple[Paper, ...] | None:
        """Return the papers of a response, `None` if the service rejects the request.

        Raises `FetchError` for other failures.
        """
        self._services.add(name)
        if name not in self.clients:
            self.clients[name] = self.connect(name)
        if self.refresh:
            self.clients[name].delete(request)
        try:
            return tuple(_papers(SERVICES[name], self.clients[name].page(request)))
        except FetchError as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            none_known = LOOKUPS[name].none_known
            return () if none_known and none_known in error.message else None


def _fill_by_id(records: Iterable[Record], found: Paper, service: str) -> None:
    for record in records:
        if matches_by_id(record.paper, found):
            record.fill(found, service)
        else:
            record.disputed = True
            record.doubt = f"its id is that of a different paper, {found.title[:60]!r}"


def _fill_by_title(record: Record, found: Sequence[Paper], service: str) -> None:
    same = [paper for paper in found if matches_by_title(record.paper, paper)]
    if any(same_first_author(*pair) is False for pair in combinations(same, 2)):
        record.doubt = "several papers have this title: add its authors or its id"
        return
    for paper in same:
        record.fill(paper, service)
    if found and not same:
        record.doubt = (
            record.doubt
            or f"the nearest title is that of a different paper, {found[0].title[:60]!r}"
        )


def _papers(service: Service, page: Page) -> Iterator[Paper]:
    """Yield the papers of a page, parsed as `kg build` parses them from a file."""
    if not page.records or not service.lookup:
        return
    text = page.head + "".join(page.records) + service.tail
    lines = (Line(number, line) for number, line in enumerate(text.split("\n"), start=1))
    read = source_format(service.lookup.reader).read(service.about, lines)
    yield from (item for item in read if isinstance(item, Paper))
