"""A graph on a SPARQL 1.1 server: add triples, clear it, count it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth, HTTPDigestAuth
from urllib3.util import Retry

from citekg.schemas.errors import PublishError

Via = Literal["graph-store", "update"]

#: Known servers, by the end of the endpoint URL: the protocol, and the path for queries.
_KNOWN_PATHS: Final[tuple[tuple[str, Via, str], ...]] = (
    ("/sparql-graph-crud-auth", "graph-store", "/sparql-auth"),
    ("/sparql-graph-crud", "graph-store", "/sparql"),
    ("/sparql-auth", "update", "/sparql-auth"),
    ("/store", "graph-store", "/query"),
    ("/data", "graph-store", "/query"),
    ("/rdf-graphs/service", "graph-store", ""),
    ("/statements", "update", ""),
    ("/update", "update", "/query"),
)
#: The error message of the operating system within the errors that wrap it.
_SYSTEM_REASON: Final = re.compile(r"\[Errno -?\d+\] ([\w ]+)")
_RETRY: Final = Retry(
    total=3, backoff_factor=0.5, status_forcelist=(502, 503, 504), allowed_methods=None
)


@dataclass(frozen=True, slots=True)
class Place:
    """The destination of a graph: the URLs for writing and for queries, and the graph there.

    `graph` is an IRI, or empty for the default graph; `via` is the protocol of `endpoint`. The repr
    enters the fingerprint of the progress file.
    """

    endpoint: str
    query: str
    via: Via
    graph: str

    @property
    def graph_name(self) -> str:
        """The name of the graph in messages."""
        return f"the graph {self.graph}" if self.graph else "the default graph"


@dataclass(frozen=True, slots=True)
class Account:
    """The user name and password for the server."""

    name: str
    password: str = field(repr=False)


def resolve_place(
    endpoint: str, graph: str, *, query: str | None = None, via: Via | None = None
) -> Place:
    """Return the destination at a URL; `query` and `via` default to those of known servers.

    Raises `PublishError` for a URL that is not HTTP, and if the protocol is not known.
    """
    if urlsplit(endpoint).scheme not in ("http", "https"):
        raise PublishError(
            f"{endpoint}: not the URL of a server: it must begin with http:// or https://"
        )
    for suffix, protocol, query_path in _KNOWN_PATHS:
        if endpoint.endswith(suffix):
            query = query or endpoint.removesuffix(suffix) + query_path
            return Place(endpoint, query, via or protocol, graph)
    if via is None:
        raise PublishError(f"{endpoint}: unknown protocol: give --via graph-store or --via update")
    return Place(endpoint, query or endpoint, via, graph)


class Server:
    """A client of the server; `seconds` is the timeout. All methods raise `PublishError`."""

    def __init__(
        self, resolve_place: Place, account: Account | None = None, seconds: float = 300
    ) -> None:
        self.place = resolve_place
        self.account = account
        self.seconds = seconds
        self.session = requests.Session()
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, HTTPAdapter(max_retries=_RETRY))

    def count(self) -> int:
        """Return the number of triples in the graph."""
        pattern = "?s ?p ?o"
        where = f"GRAPH <{self.place.graph}> {{ {pattern} }}" if self.place.graph else pattern
        data = {"query": f"SELECT (COUNT(*) AS ?n) {{ {where} }}"}
        accept = {"Accept": "application/sparql-results+json"}
        response = self._send("POST", self.place.query, data=data, headers=accept)
        try:
            return int(response.json()["results"]["bindings"][0]["n"]["value"])
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise PublishError(
                f"{self.place.query}: not an endpoint that answers queries:"
                " give its URL with --query"
            ) from error

    def add(self, triples: str) -> None:
        """Add triples in N-Triples syntax."""
        if self.place.via == "update":
            self._update(f"INSERT DATA {{ {self._in_graph(triples)} }}")
        else:
            self._graph_store(
                "POST",
                data=triples.encode(),
                headers={"Content-Type": "text/turtle; charset=utf-8"},
            )

    def clear(self) -> None:
        """Delete all triples of the graph."""
        if self.place.via == "update":
            self._update(
                f"CLEAR SILENT {f'GRAPH <{self.place.graph}>' if self.place.graph else 'DEFAULT'}"
            )
        else:
            self._graph_store("DELETE", allow_missing=True)

    def _in_graph(self, triples: str) -> str:
        return f"GRAPH <{self.place.graph}> {{ {triples} }}" if self.place.graph else triples

    def _update(self, update: str) -> None:
        content_type = {"Content-Type": "application/sparql-update; charset=utf-8"}
        self._send("POST", self.place.endpoint, data=update.encode(), headers=content_type)

    def _graph_store(self, method: str, *, allow_missing: bool = False, **request: Any) -> None:
        graph = {"graph": self.place.graph} if self.place.graph else {"default": ""}
        self._send(
            method, self.place.endpoint, allow_missing=allow_missing, params=graph, **request
        )

    def _send(
        self, method: str, address: str, *, allow_missing: bool = False, **request: Any
    ) -> requests.Response:
        response = self._send_once(method, address, **request)
        if (
            response.status_code == HTTPStatus.UNAUTHORIZED
            and self.account
            and self.session.auth is None
        ):
            challenge = response.headers.get("WWW-Authenticate", "")
            self.session.auth = self._authentication(challenge, self.account)
            response = self._send_once(method, address, **request)
        if response.ok or (allow_missing and response.status_code == HTTPStatus.NOT_FOUND):
            return response
        raise PublishError(f"{address}: {_rejection(response, self.account)}")

    def _send_once(self, method: str, address: str, **request: Any) -> requests.Response:
        try:
            return self.session.request(method, address, timeout=self.seconds, **request)
        except requests.RequestException as error:
            raise PublishError(f"{address}: no answer: {_failure(error)}") from error

    def _authentication(self, challenge: str, account: Account) -> HTTPBasicAuth | HTTPDigestAuth:
        """Return basic or digest authentication, as the challenge of the server requires."""
        kind = HTTPDigestAuth if challenge.lower().startswith("digest") else HTTPBasicAuth
        return kind(account.name, account.password)


def _failure(error: requests.RequestException) -> str:
    """Return why there was no answer: the message of the system, without the wrapping errors."""
    if isinstance(error, requests.Timeout):
        return "the server took too long"
    reason = _SYSTEM_REASON.search(str(error))
    why = reason[1] if reason else type(error).__name__
    return f"{why}; start the server there, or give another URL with --endpoint"


def _rejection(response: requests.Response, account: Account | None) -> str:
    """Return why the server rejected a request, in one line."""
    if response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return (
            "this user may not write to the server"
            if account
            else "the server requires an account: give --user"
        )
    lines = [line.strip() for line in response.text.splitlines() if line.strip()]
    reason = lines[0][:200] if lines else "no reason given"
    return f"rejected with {response.status_code} {response.reason}: {reason}"
