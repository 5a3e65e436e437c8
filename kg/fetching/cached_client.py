"""The pages of one service, from the cache on disk or by HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.fetching.response_cache import ResponseCache
from citekg.fetching.service import MalformedResponse, Page, Request, RequestRejected, Service
from citekg.schemas.errors import FetchError, MissingPackage

if TYPE_CHECKING:
    from citekg.fetching.client import Client, Clock, OnWait

#: Name of the cache folder beside the output file.
CACHE_FOLDER: Final = ".fetched"


class CachedClient:
    """A client with a response cache; counts pages `requested` and pages read from the cache."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client = client
        self.requested = 0
        self.cached = 0
        self._disk = ResponseCache(folder / CACHE_FOLDER, client.base)

    def page(self, request: Request) -> Page:
        """Return the page of a request, from the cache if possible. Raises `FetchError`."""
        if page := self.cached_page(request):
            self.cached += 1
            return page
        self.requested += 1
        body, page = self.client.send(request)
        if request.keep:
            self._disk.put(request, body)
        return page

    def cached_page(self, request: Request) -> Page | None:
        """Return the cached page of a request, `None` if there is none that can be parsed."""
        body = self._disk.get(request)
        try:
            return None if body is None else self.client.service.read(request, body)
        except (MalformedResponse, RequestRejected):
            return None

    def delete(self, request: Request) -> None:
        """Delete the cached response to a request."""
        self._disk.delete(request)


def make_client(
    service: Service, base: str, contact: str, clock: Clock | None, on_wait: OnWait | None
) -> Client:
    """Return an HTTP client of a service, with the user's API key if the environment has one.

    Raises `MissingPackage`, and `FetchError` for a key or e-mail address that cannot be sent.
    """
    try:
        import defusedxml  # noqa: F401 - fail before anything is fetched

        from citekg.fetching.client import Client, Clock
    except ImportError as error:
        raise MissingPackage("fetching", error.name or "a package", "fetch") from None
    key = os.environ.get(service.key.variable, "").strip() if service.key else ""
    if not (key + contact).isascii() or not (key + contact).isprintable():
        raise FetchError(
            service.about, "the key or e-mail address holds a character that cannot be sent"
        )
    return Client(service, base or service.base, contact, key, clock or Clock(), on_wait)
