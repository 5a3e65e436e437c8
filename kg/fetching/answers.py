"""The answers of one service: kept on disk by an earlier run, or asked for now and kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.fetching.response_cache import ResponseCache
from citekg.fetching.service import MalformedAnswer, Page, Request, RequestRejected, Service
from citekg.schemas.errors import FetchError, MissingPackage

if TYPE_CHECKING:
    from citekg.fetching.client import Client, Clock, OnWait

#: The folder of kept answers beside the file that is written.
KEPT: Final = ".fetched"


class Answers:
    """The pages of one service; `asked` and `kept` count those that were asked for, and those found on disk."""

    def __init__(self, asker: Client, folder: Path) -> None:
        self.asker = asker
        self.asked = 0
        self.kept = 0
        self._disk = ResponseCache(folder / KEPT, asker.base)

    def page(self, request: Request) -> Page:
        """The page of a request. Raises `FetchError`."""
        if page := self.kept_page(request):
            self.kept += 1
            return page
        self.asked += 1
        body, page = self.asker.ask(request)
        if request.keep:
            self._disk.put(request, body)
        return page

    def kept_page(self, request: Request) -> Page | None:
        """The page of a request where an earlier run has kept one that can be read."""
        body = self._disk.get(request)
        try:
            return None if body is None else self.asker.service.read(request, body)
        except (MalformedAnswer, RequestRejected):
            return None

    def forget(self, request: Request) -> None:
        """Keep the answer to a request no longer."""
        self._disk.forget(request)


def client(service: Service, base: str, contact: str, clock: Clock | None, on_wait: OnWait | None) -> Client:
    """What asks a service over HTTP, with the user's key where there is one.

    Raises `MissingPackage`, and `FetchError` for a key or an address that cannot be sent.
    """
    try:
        import defusedxml  # noqa: F401 - asked for before anything is fetched
        from citekg.fetching.client import Client, Clock
    except ImportError as error:
        raise MissingPackage("fetching", error.name or "a package", "fetch") from None
    key = os.environ.get(service.key.variable, "").strip() if service.key else ""
    if not (key + contact).isascii() or not (key + contact).isprintable():
        raise FetchError(service.about, "a key or an e-mail address holds a character that cannot be sent")
    return Client(service, base or service.base, contact, key, clock or Clock(), on_wait)
