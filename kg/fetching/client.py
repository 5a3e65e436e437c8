"""Asking a service over HTTP: at its pace, again where it fails for a moment, and never with a key in a message."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final
from urllib.parse import quote_plus

import requests
from citekg.fetching.service import MalformedAnswer, Page, Request, RequestRejected, Service
from citekg.schemas.errors import FetchError
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_exponential, wait_random

#: How often one page is asked for, and how many seconds pass in between, where the service does not tell.
ATTEMPTS: Final = 6
BACKOFF: Final = wait_exponential(multiplier=2, max=60) + wait_random(0, 2)
#: The longest wait that a service may ask for, the longest silence (both in seconds), the largest answer (in bytes).
MAX_WAIT: Final = 600
TIMEOUT: Final = 60
MAX_BYTES: Final = 64 * 1024 * 1024

_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_SHOWN: Final = 200

_LOG: Final = logging.getLogger(__name__)
_WIRE: Final = logging.getLogger("urllib3.connectionpool")

OnWait = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, in seconds since 1970, and waiting."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep

    def today(self) -> date:
        """The day in UTC."""
        return datetime.fromtimestamp(self.now(), timezone.utc).date()


class _Passing(Exception):
    """A failure that may be gone in a moment; `wait` is how many seconds the service asks for."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(slots=True)
class Client:
    """Asks one service. `contact` is the user's e-mail address, if it is to be told; `key` is the user's key."""

    service: Service
    base: str
    contact: str = ""
    key: str = field(default="", repr=False)
    clock: Clock = field(default_factory=Clock)
    on_wait: OnWait | None = None
    _session: requests.Session = field(default_factory=requests.Session, init=False, repr=False)
    _asked: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        if self.key:
            _WIRE.addFilter(self._is_keyless)  # it logs whole addresses

    def _is_keyless(self, record: logging.LogRecord) -> bool:
        return quote_plus(self.key) not in record.getMessage()

    def ask(self, request: Request) -> tuple[bytes, Page]:
        """The answer as it came, and what it holds. Raises `FetchError` once there is no hope."""
        again = Retrying(
            stop=stop_after_attempt(ATTEMPTS),
            wait=_wait,
            retry=retry_if_exception_type(_Passing),
            sleep=self.clock.sleep,
            before_sleep=self._tell,
            reraise=True,
        )
        try:
            return again(self._once, request)
        except _Passing as passing:
            raise FetchError(request.address(self.base), f"gave up after {ATTEMPTS} attempts: {passing}") from None
        except RequestRejected as refused:
            raise FetchError(request.address(self.base), str(refused), refused.status) from None

    def _once(self, request: Request) -> tuple[bytes, Page]:
        self._keep_pace()
        _LOG.info("page asked for", extra={"address": request.address(self.base)})
        body = self._body(request)
        try:
            return body, self.service.read(request, body)
        except MalformedAnswer as malformed:
            raise _Passing(str(malformed)) from None

    def _keep_pace(self) -> None:
        """Wait until the service's interval since the last request is over."""
        left = self.service.interval - (self.clock.now() - self._asked)
        if left > 0:
            self.clock.sleep(min(left, self.service.interval))
        self._asked = self.clock.now()

    def _body(self, request: Request) -> bytes:
        # A message of requests holds the whole address, and with it the key: none is shown or chained.
        try:
            with self._session.request(**self._sending(request)) as response:
                return self._taken(response)
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, requests.exceptions.MissingSchema):
            raise RequestRejected("this is not the address of a service: it begins with http:// or https://") from None
        except requests.Timeout:
            raise _Passing(f"no answer in {TIMEOUT} seconds") from None
        except requests.exceptions.ChunkedEncodingError:
            raise _Passing("the answer broke off") from None
        except requests.RequestException as error:
            raise _Passing(f"no connection ({type(error).__name__})") from None

    def _sending(self, request: Request) -> dict[str, Any]:
        about = f" (mailto:{self.contact})" if self.contact else ""
        headers = {"User-Agent": f"citekg/{version('citekg')}{about}"}
        parameters = dict(request.parameters)
        if self.key and self.service.key:
            (headers if self.service.key.place == "header" else parameters)[self.service.key.name] = self.key
        if request.body:
            headers["Content-Type"] = "application/json"
        return {
            "method": "POST" if request.body else "GET",
            "url": f"{self.base.rstrip('/')}{request.path}",
            "data": request.body.encode() or None,
            "params": parameters,
            "headers": headers,
            "timeout": TIMEOUT,
            "stream": True,
            "allow_redirects": False,  # a header with a key goes to no other place
        }

    def _taken(self, response: requests.Response) -> bytes:
        """The body of a good answer. Raises `_Passing` and `Refused` for any other."""
        body = _limited(response)
        if response.status_code == HTTPStatus.OK:
            return body
        told = f"{response.status_code} {response.reason}{self._reason(body)}"
        if response.status_code in _PASSING:
            wait = _asked_wait(response.headers.get("Retry-After", ""), self.clock.now())
            if wait is not None and wait > MAX_WAIT:
                raise RequestRejected(
                    f"{told}; asks for {wait / 60:.0f} minutes of patience: try again then{self._advice()}"
                )
            raise _Passing(told + self._advice(), wait)
        if response.is_redirect:
            told += f": moved to {response.headers['Location'].partition('?')[0]}: name that place with --base-url"
        raise RequestRejected(told, response.status_code)

    def _reason(self, body: bytes) -> str:
        """What a refusal says of itself, without the key should it be quoted."""
        text = body[:10_000].decode("utf-8", "replace")
        try:
            told = json.loads(text)
            text = str(told.get("message") or told.get("error") or "")
        except (AttributeError, RecursionError, ValueError):
            text = re.sub(r"(?s)<(style|script|title)\b.*?</\1>|<[^>]*>", " ", text)
        text = " ".join((text.replace(self.key, "(the key)") if self.key else text).split())
        return f": {text[:_SHOWN]}" if text else ""

    def _advice(self) -> str:
        return f"; a key in {self.service.key.variable} may help" if self.service.key and not self.key else ""

    def _tell(self, state: RetryCallState) -> None:
        if self.on_wait and state.outcome and state.next_action:
            self.on_wait(state.next_action.sleep, str(state.outcome.exception()))


def _limited(response: requests.Response) -> bytes:
    """The body, unpacked; raises `Refused` where it is too large."""
    body = bytearray()
    for chunk in response.iter_content(64 * 1024):
        body += chunk
        if len(body) > MAX_BYTES:
            raise RequestRejected(f"the answer is larger than {MAX_BYTES // 1024**2} MB")
    return bytes(body)


def _wait(state: RetryCallState) -> float:
    """What the service asks for, else longer each time."""
    failed = state.outcome.exception() if state.outcome else None
    wait = failed.wait if isinstance(failed, _Passing) else None
    return BACKOFF(state) if wait is None else wait


def _asked_wait(written: str, now: float) -> float | None:
    """The seconds that a Retry-After asks for, as a number or as a date; `None` where it says nothing."""
    if written.strip().isdecimal():
        return float(written)
    try:
        return max(0.0, parsedate_to_datetime(written).timestamp() - now)
    except (TypeError, ValueError):
        return None
