"""Fetching papers from services on the network; building a graph of them needs none.

`SERVICES` is the list: a module each says how its service is asked and read. What comes is written as it
is, for `kg build` to read. Every page is kept in a hidden folder beside the file, so that a run that was
stopped goes on where it was. Needs `pip install 'citekg[fetch]'`; only `kg.fetching.asking` does HTTP.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exports import write_atomically
from kg.fetching import arxiv, hugging_face, openalex, semantic_scholar
from kg.fetching.kept import Kept
from kg.fetching.service import Malformed, Page, Refused, Request, Service
from schemas.errors import FetchError, FormatError, MissingPackage

if TYPE_CHECKING:
    from kg.fetching.asking import Asker, Clock, OnWait

__all__ = ["SERVICES", "Fetched", "fetch"]

#: The services by name: the choices of `kg fetch`.
SERVICES: Final[dict[str, Service]] = {
    "arxiv": arxiv.SERVICE,
    "openalex": openalex.SERVICE,
    "semantic-scholar": semantic_scholar.SERVICE,
    "hf-daily": hugging_face.SERVICE,
}

#: The folder of kept pages beside the file.
KEPT: Final = ".fetched"


@dataclass(slots=True)
class Fetched:
    """What came: papers written, papers left out for want of an abstract, and how many match where that is told.

    `asked` and `kept` count the pages that were asked for now, and those that an earlier run had kept.
    """

    papers: int = 0
    left_out: int = 0
    matching: int | None = None
    asked: int = 0
    kept: int = 0


def fetch(
    service: str,
    query: str,
    path: str | Path,
    *,
    most: int | None = None,
    refresh: bool = False,
    contact: str = "",
    base: str = "",
    clock: Clock | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_wait: OnWait | None = None,
) -> Fetched:
    """Write the papers that match a query into a file that `kg build` reads, at most `most` of them.

    `service` is a name of `SERVICES`, `query` is in that service's own language. `refresh` asks for
    pages again that were kept; `contact`, an e-mail address, is told to the service; `base` is the
    address of a mirror. `on_progress` hears how many of how many are there, `on_wait` how many seconds
    are waited and why. The file appears complete or not at all: raises `FetchError` where the service
    fails for good or nothing matches, `FormatError` for an unknown service, and `MissingPackage`.
    """
    if service not in SERVICES:
        raise FormatError(service, SERVICES)
    asker = _asker(SERVICES[service], base, contact, clock, on_wait)
    pages = _Pages(asker, Kept(Path(path).parent / KEPT, asker.base), on_progress)
    requests = _first(asker, service, query)
    if refresh:
        pages.forget(requests)
    write_atomically(Path(path), pages.written(requests, most))
    return pages.fetched


def _asker(service: Service, base: str, contact: str, clock: Clock | None, on_wait: OnWait | None) -> Asker:
    try:
        from kg.fetching.asking import Asker, Clock
    except ImportError as error:
        raise MissingPackage("fetching", error.name or "a package", "fetch") from None
    key = os.environ.get(service.key.variable, "").strip() if service.key else ""
    if not (key + contact).isascii() or not (key + contact).isprintable():
        raise FetchError(service.about, "a key or an e-mail address holds a character that cannot be sent")
    return Asker(service, base or service.base, contact, key, clock or Clock(), on_wait)


def _first(asker: Asker, name: str, query: str) -> tuple[Request, ...]:
    try:
        return asker.service.first(query, asker.clock.today())
    except Refused as refused:
        raise FetchError(name, str(refused)) from None


class _Pages:
    """The pages of a service, kept or asked for, and the count of what came."""

    def __init__(self, asker: Asker, kept: Kept, on_progress: Callable[[int, int], None] | None) -> None:
        self.asker = asker
        self.kept = kept
        self.on_progress = on_progress
        self.fetched = Fetched()

    def written(self, requests: tuple[Request, ...], most: int | None) -> Iterator[bytes]:
        """What the file holds, page by page. Raises `FetchError`, also where nothing matches."""
        for step, first in enumerate(requests, start=1):
            for page in self._following(first):
                yield self._counted(page, most)
                self._report(step, len(requests), most)
                if self.fetched.papers == most:
                    break
            if self.fetched.papers == most:
                break
        if not self.fetched.papers:
            self.forget(requests)
            raise FetchError(requests[0].address(self.asker.base), "nothing matches, so nothing was written")
        yield self.asker.service.tail.encode()

    def _counted(self, page: Page, most: int | None) -> bytes:
        """The part of the file that a page gives, no more than is still wanted."""
        done = self.fetched
        records = page.records if most is None else page.records[: most - done.papers]
        head = page.head if not done.papers else ""
        done.papers += len(records)
        done.left_out += page.left_out
        done.matching = page.total
        return (head + "".join(records)).encode("utf-8", "surrogatepass")

    def _report(self, step: int, steps: int, most: int | None) -> None:
        """Tell the progress: of the papers where their number is known, else of the days."""
        if not self.on_progress:
            return
        if self.fetched.matching is None:
            self.on_progress(step, steps)
        else:
            self.on_progress(self.fetched.papers, min(most or self.fetched.matching, self.fetched.matching))

    def forget(self, requests: tuple[Request, ...]) -> None:
        """Keep nothing of what the requests lead to."""
        for first in requests:
            request: Request | None = first
            while request and (page := self._kept(request)):
                self.kept.forget(request)
                request = page.following

    def _following(self, first: Request) -> Iterator[Page]:
        """The page of a request and those that follow it; the same page again is the end, or a fault."""
        request: Request | None = first
        before: tuple[str, ...] = ()
        while request:
            page = self._page(request)
            if page.records and page.records == before:
                if page.total is None:
                    return
                raise FetchError(request.address(self.asker.base), "the service gives the same page again and again")
            yield page
            before, request = page.records, page.following

    def _page(self, request: Request) -> Page:
        if page := self._kept(request):
            self.fetched.kept += 1
            return page
        try:
            body, page = self.asker.ask(request)
        except FetchError as error:
            raise error.after(self.fetched.papers) from None
        self.fetched.asked += 1
        if request.keep:
            self.kept.put(request, body)
        return page

    def _kept(self, request: Request) -> Page | None:
        body = self.kept.get(request)
        try:
            return None if body is None else self.asker.service.read(request, body)
        except (Malformed, Refused):
            return None
