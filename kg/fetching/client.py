"""An HTTP client with rate limiting, retries with backoff, and no API key in any message."""

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
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_exponential, wait_random

from citekg.fetching.service import MalformedResponse, Page, Request, RequestRejected, Service
from citekg.schemas.errors import FetchError

#: Attempts per page, and the seconds between them unless the service sends `Retry-After`:
#: exponential backoff with jitter.
ATTEMPTS: Final = 6
BACKOFF: Final = wait_exponential(multiplier=2, max=60) + wait_random(0, 2)
#: The longest `Retry-After` and the timeout (in seconds), and the largest response (in bytes).
MAX_WAIT: Final = 600
TIMEOUT: Final = 60
MAX_BYTES: Final = 64 * 1024 * 1024

_RETRY_STATUS: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_SHOWN: Final = 200

_LOG: Final = logging.getLogger(__name__)
_URLLIB3_LOG: Final = logging.getLogger("urllib3.connectionpool")

OnWait = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, in seconds since 1970, and sleeping; tests replace both."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep

    def today(self) -> date:
        """Return the current date in UTC."""
        return datetime.fromtimestamp(self.now(), timezone.utc).date()


class _TransientError(Exception):
    """A failure worth a retry; `wait` is the `Retry-After` of the service in seconds, if any."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(slots=True)
class Client:
    """A client of a service; `contact` is the user's e-mail address, `key` the API key, if any."""

    service: Service
    base: str
    contact: str = ""
    key: str = field(default="", repr=False)
    clock: Clock = field(default_factory=Clock)
    on_wait: OnWait | None = None
    _session: requests.Session = field(default_factory=requests.Session, init=False, repr=False)
    _last_request: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        if self.key:
            _URLLIB3_LOG.addFilter(self._has_no_key)  # it logs whole URLs

    def _has_no_key(self, record: logging.LogRecord) -> bool:
        return quote_plus(self.key) not in record.getMessage()

    def send(self, request: Request) -> tuple[bytes, Page]:
        """Return the response body and the parsed page, with retries.

        Raises `FetchError` if the request is rejected or all attempts fail.
        """
        retrying = Retrying(
            stop=stop_after_attempt(ATTEMPTS),
            wait=_wait,
            retry=retry_if_exception_type(_TransientError),
            sleep=self.clock.sleep,
            before_sleep=self._report_wait,
            reraise=True,
        )
        try:
            return retrying(self._request_once, request)
        except _TransientError as error:
            raise FetchError(
                request.address(self.base), f"gave up after {ATTEMPTS} attempts: {error}"
            ) from None
        except RequestRejected as rejected:
            raise FetchError(request.address(self.base), str(rejected), rejected.status) from None

    def _request_once(self, request: Request) -> tuple[bytes, Page]:
        self._wait_for_interval()
        _LOG.info("page asked for", extra={"address": request.address(self.base)})
        body = self._body(request)
        try:
            return body, self.service.read(request, body)
        except MalformedResponse as malformed:
            raise _TransientError(str(malformed)) from None

    def _wait_for_interval(self) -> None:
        """Wait until the service's interval since the last request has passed."""
        left = self.service.interval - (self.clock.now() - self._last_request)
        if left > 0:
            self.clock.sleep(min(left, self.service.interval))
        self._last_request = self.clock.now()

    def _body(self, request: Request) -> bytes:
        # Errors of requests hold the whole URL, and with it the key: none is shown or chained.
        try:
            with self._session.request(**self._request_arguments(request)) as response:
                return self._read_response(response)
        except (
            requests.exceptions.InvalidURL,
            requests.exceptions.InvalidSchema,
            requests.exceptions.MissingSchema,
        ):
            raise RequestRejected(
                "this is not the address of a service: it begins with http:// or https://"
            ) from None
        except requests.Timeout:
            raise _TransientError(f"no response in {TIMEOUT} seconds") from None
        except requests.exceptions.ChunkedEncodingError:
            raise _TransientError("the response broke off") from None
        except requests.RequestException as error:
            raise _TransientError(f"no connection ({type(error).__name__})") from None

    def _request_arguments(self, request: Request) -> dict[str, Any]:
        about = f" (mailto:{self.contact})" if self.contact else ""
        headers = {"User-Agent": f"citekg/{version('citekg')}{about}"}
        parameters = dict(request.parameters)
        if self.key and self.service.key:
            (headers if self.service.key.place == "header" else parameters)[
                self.service.key.name
            ] = self.key
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
            "allow_redirects": False,  # a header with a key is sent to no other host
        }

    def _read_response(self, response: requests.Response) -> bytes:
        """Return the body of a response with status 200.

        Raises `_TransientError` and `RequestRejected` for any other.
        """
        body = _read_limited(response)
        if response.status_code == HTTPStatus.OK:
            return body
        message = f"{response.status_code} {response.reason}{self._reason(body)}"
        if response.status_code in _RETRY_STATUS:
            wait = _retry_after(response.headers.get("Retry-After", ""), self.clock.now())
            if wait is not None and wait > MAX_WAIT:
                raise RequestRejected(
                    f"{message}; the service asks to wait {wait / 60:.0f} minutes:"
                    f" try again then{self._advice()}"
                )
            raise _TransientError(message + self._advice(), wait)
        if response.is_redirect:
            location = response.headers["Location"].partition("?")[0]
            message += f": moved to {location}: give that URL with --base-url"
        raise RequestRejected(message, response.status_code)

    def _reason(self, body: bytes) -> str:
        """Return the reason that an error response gives, with the key redacted."""
        text = body[:10_000].decode("utf-8", "replace")
        try:
            response = json.loads(text)
            text = str(response.get("message") or response.get("error") or "")
        except (AttributeError, RecursionError, ValueError):
            text = re.sub(r"(?s)<(style|script|title)\b.*?</\1>|<[^>]*>", " ", text)
        text = " ".join((text.replace(self.key, "(the key)") if self.key else text).split())
        return f": {text[:_SHOWN]}" if text else ""

    def _advice(self) -> str:
        return (
            f"; a key in {self.service.key.variable} may help"
            if self.service.key and not self.key
            else ""
        )

    def _report_wait(self, state: RetryCallState) -> None:
        if self.on_wait and state.outcome and state.next_action:
            self.on_wait(state.next_action.sleep, str(state.outcome.exception()))


def _read_limited(response: requests.Response) -> bytes:
    """Return the decompressed body; raises `RequestRejected` if it exceeds `MAX_BYTES`."""
    body = bytearray()
    for chunk in response.iter_content(64 * 1024):
        body += chunk
        if len(body) > MAX_BYTES:
            raise RequestRejected(f"the response is larger than {MAX_BYTES // 1024**2} MB")
    return bytes(body)


def _wait(state: RetryCallState) -> float:
    """Return the seconds until the next attempt: `Retry-After`, else exponential backoff."""
    failed = state.outcome.exception() if state.outcome else None
    wait = failed.wait if isinstance(failed, _TransientError) else None
    return BACKOFF(state) if wait is None else wait


def _retry_after(value: str, now: float) -> float | None:
    """Return the seconds of a `Retry-After` (RFC 9110: seconds or a date); `None` if invalid."""
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError):
        return None
