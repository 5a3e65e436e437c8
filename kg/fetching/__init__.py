"""Fetching papers from services on the network; building a graph of them needs none.

`SERVICES` is the list: a module each says how its service is asked and read. What comes is written as it
is, for `kg build` to read. Every page is kept in a hidden folder beside the file, so that a run that was
stopped goes on where it was. Needs `pip install 'citekg[fetch]'`; only `citekg.fetching.client` does HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.exports import write_atomically
from citekg.fetching import arxiv, hugging_face, openalex, semantic_scholar
from citekg.fetching.answers import KEPT, Answers, client
from citekg.fetching.service import Page, Request, RequestRejected, Service
from citekg.schemas.errors import FetchError, FormatError

if TYPE_CHECKING:
    from citekg.fetching.client import Client, Clock, OnWait

__all__ = ["KEPT", "SERVICES", "Fetched", "fetch"]

#: The services by name: the choices of `kg fetch`.
SERVICES: Final[dict[str, Service]] = {
    "arxiv": arxiv.SERVICE,
    "openalex": openalex.SERVICE,
    "semantic-scholar": semantic_scholar.SERVICE,
    "hf-daily": hugging_face.SERVICE,
}


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
    asker = client(SERVICES[service], base, contact, clock, on_wait)
    pages = _Pages(Answers(asker, Path(path).parent), on_progress)
    requests = _first(asker, service, query)
    if refresh:
        pages.forget(requests)
    write_atomically(Path(path), pages.written(requests, most))
    pages.fetched.asked, pages.fetched.kept = pages.answers.asked, pages.answers.kept
    return pages.fetched


def _first(asker: Client, name: str, query: str) -> tuple[Request, ...]:
    try:
        return asker.service.first(query, asker.clock.today())
    except RequestRejected as refused:
        raise FetchError(name, str(refused)) from None


class _Pages:
    """The pages of a service, kept or asked for, and the count of what came."""

    def __init__(self, answers: Answers, on_progress: Callable[[int, int], None] | None) -> None:
        self.answers = answers
        self.asker = answers.asker
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
            while request and (page := self.answers.kept_page(request)):
                self.answers.forget(request)
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
        try:
            return self.answers.page(request)
        except FetchError as error:
            raise error.after(self.fetched.papers) from None
