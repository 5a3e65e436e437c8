"""Fetch papers from web services; building a graph needs no network.

`SERVICES` lists the services; one module per service defines its requests and parses its responses.
Records are written unchanged, in a format that `kg build` reads. Every page is cached in a hidden
folder beside the output file, so that an interrupted run resumes. Needs
`pip install 'citekg[fetch]'`; only `citekg.fetching.client` does HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.fetching import arxiv, hugging_face, openalex, semantic_scholar
from citekg.fetching.cached_client import CACHE_FOLDER, CachedClient, make_client
from citekg.fetching.service import Page, Request, RequestRejected, Service
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import FetchError, FormatError

if TYPE_CHECKING:
    from citekg.fetching.client import Client, Clock, OnWait

__all__ = ["CACHE_FOLDER", "SERVICES", "Fetched", "fetch"]

#: The services by name: the choices of `kg fetch`.
SERVICES: Final[dict[str, Service]] = {
    "arxiv": arxiv.SERVICE,
    "openalex": openalex.SERVICE,
    "semantic-scholar": semantic_scholar.SERVICE,
    "hf-daily": hugging_face.SERVICE,
}


@dataclass(slots=True)
class Fetched:
    """The result of `fetch`: numbers of papers and pages.

    `papers` counts the papers written, `left_out` those without an abstract, `matching` all that
    match, `None` if the service does not report it. `requested` counts the pages requested in this
    run, `cached` those read from the cache.
    """

    papers: int = 0
    left_out: int = 0
    matching: int | None = None
    requested: int = 0
    cached: int = 0


def fetch(
    service: str,
    query: str,
    path: str | Path,
    *,
    limit: int | None = None,
    refresh: bool = False,
    contact: str = "",
    base: str = "",
    clock: Clock | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_wait: OnWait | None = None,
) -> Fetched:
    """Write the papers that match a query, at most `limit`, into a file that `kg build` reads.

    `service` is a key of `SERVICES`; `query` uses that service's query syntax. `refresh` ignores
    cached pages; `contact`, an e-mail address, is sent to the service; `base` is the URL of a
    mirror. `on_progress` is called with the number done and the total, `on_wait` with the seconds
    of a wait and its reason. The file is written atomically. Raises `FetchError` if the service
    fails permanently or nothing matches, `FormatError` for an unknown service, and
    `MissingPackage`.
    """
    if service not in SERVICES:
        raise FormatError(service, SERVICES)
    client = make_client(SERVICES[service], base, contact, clock, on_wait)
    cached_client = CachedClient(client, Path(path).parent)
    pages = _Pages(cached_client, on_progress)
    requests = _initial_requests(client, service, query)
    if refresh:
        pages.delete(requests)
    write_atomically(Path(path), pages.output(requests, limit))
    pages.fetched.requested, pages.fetched.cached = cached_client.requested, cached_client.cached
    return pages.fetched


def _initial_requests(client: Client, name: str, query: str) -> tuple[Request, ...]:
    try:
        return client.service.first(query, client.clock.today())
    except RequestRejected as rejected:
        raise FetchError(name, str(rejected)) from None


class _Pages:
    """The pages of a service, cached or requested, and the counts for `Fetched`."""

    def __init__(
        self, cached_client: CachedClient, on_progress: Callable[[int, int], None] | None
    ) -> None:
        self.cached_client = cached_client
        self.client = cached_client.client
        self.on_progress = on_progress
        self.fetched = Fetched()

    def output(self, requests: tuple[Request, ...], limit: int | None) -> Iterator[bytes]:
        """Yield the content of the output file, page by page.

        Raises `FetchError`, also if nothing matches.
        """
        for step, first in enumerate(requests, start=1):
            for page in self._paginate(first):
                yield self._encode(page, limit)
                self._report(step, len(requests), limit)
                if self.fetched.papers == limit:
                    break
            if self.fetched.papers == limit:
                break
        if not self.fetched.papers:
            self.delete(requests)
            raise FetchError(
                requests[0].address(self.client.base), "nothing matches, so nothing was written"
            )
        yield self.client.service.tail.encode()

    def _encode(self, page: Page, limit: int | None) -> bytes:
        """Return the records of a page as bytes, up to the limit, and count them."""
        done = self.fetched
        records = page.records if limit is None else page.records[: limit - done.papers]
        head = page.head if not done.papers else ""
        done.papers += len(records)
        done.left_out += page.left_out
        done.matching = page.total
        return (head + "".join(records)).encode("utf-8", "surrogatepass")

    def _report(self, step: int, steps: int, limit: int | None) -> None:
        """Report progress in papers if their number is known, else in initial requests."""
        if not self.on_progress:
            return
        if self.fetched.matching is None:
            self.on_progress(step, steps)
        else:
            self.on_progress(
                self.fetched.papers, min(limit or self.fetched.matching, self.fetched.matching)
            )

    def delete(self, requests: tuple[Request, ...]) -> None:
        """Delete the cached pages of the requests and of those that follow them."""
        for first in requests:
            request: Request | None = first
            while request and (page := self.cached_client.cached_page(request)):
                self.cached_client.delete(request)
                request = page.next_request

    def _paginate(self, first: Request) -> Iterator[Page]:
        """Yield the page of a request and the pages after it.

        A repeated page ends the pagination; it is an error if the service reports a total.
        """
        request: Request | None = first
        previous: tuple[str, ...] = ()
        while request:
            page = self._page(request)
            if page.records and page.records == previous:
                if page.total is None:
                    return
                raise FetchError(
                    request.address(self.client.base),
                    "the service returns the same page repeatedly",
                )
            yield page
            previous, request = page.records, page.next_request

    def _page(self, request: Request) -> Page:
        try:
            return self.cached_client.page(request)
        except FetchError as error:
            raise error.after(self.fetched.papers) from None
