"""A SPARQL 1.1 server as a place for a graph: adding to it, clearing it, counting it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import requests
from citekg.schemas.errors import PublishError
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth, HTTPDigestAuth
from urllib3.util import Retry

Via = Literal["graph-store", "update"]

#: What the end of a server's address tells: the protocol there, and where its queries are asked.
_KNOWN: Final[tuple[tuple[str, Via, str], ...]] = (
    ("/sparql-graph-crud-auth", "graph-store", "/sparql-auth"),
    ("/sparql-graph-crud", "graph-store", "/sparql"),
    ("/sparql-auth", "update", "/sparql-auth"),
    ("/store", "graph-store", "/query"),
    ("/data", "graph-store", "/query"),
    ("/rdf-graphs/service", "graph-store", ""),
    ("/statements", "update", ""),
    ("/update", "update", "/query"),
)
#: What the operating system says, inside the errors that wrap it.
_SYSTEM_REASON: Final = re.compile(r"\[Errno -?\d+\] ([\w ]+)")
_AGAIN: Final = Retry(total=3, backoff_factor=0.5, status_forcelist=(502, 503, 504), allowed_methods=None)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a graph goes: an address that is written to, one that is asked, and a graph there.

    `graph` is an IRI, or empty for the default graph; `via` is the protocol of `endpoint`.
    """

    endpoint: str
    query: str
    via: Via
    graph: str

    @property
    def graph_name(self) -> str:
        """The graph as a message names it."""
        return f"the graph {self.graph}" if self.graph else "the default graph"


@dataclass(frozen=True, slots=True)
class Account:
    """Whom the server is to take us for."""

    name: str
    password: str = field(repr=False)


def place(endpoint: str, graph: str, *, query: str | None = None, via: Via | None = None) -> Place:
    """The place at an address; what is not told follows from how the known servers name theirs.

    Raises `PublishError` for an address that is none, and where the protocol cannot be told.
    """
    if urlsplit(endpoint).scheme not in ("http", "https"):
        raise PublishError(f"{endpoint}: not the address of a server: it begins with http:// or https://")
    for ending, protocol, beside in _KNOWN:
        if endpoint.endswith(ending):
            return Place(endpoint, query or endpoint.removesuffix(ending) + beside, via or protocol, graph)
    if via is None:
        raise PublishError(f"{endpoint}: say with --via whether this is a graph-store or takes an update")
    return Place(endpoint, query or endpoint, via, graph)


class Server:
    """The server at a place; `seconds` is how long it may be silent. All methods raise `PublishError`."""

    def __init__(self, place: Place, account: Account | None = None, seconds: float = 300) -> None:
        self.place = place
        self.account = account
        self.seconds = seconds
        self.session = requests.Session()
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, HTTPAdapter(max_retries=_AGAIN))

    def count(self) -> int:
        """How many triples the graph holds now."""
        pattern = "?s ?p ?o"
        where = f"GRAPH <{self.place.graph}> {{ {pattern} }}" if self.place.graph else pattern
        asked = {"query": f"SELECT (COUNT(*) AS ?n) {{ {where} }}"}
        accept = {"Accept": "application/sparql-results+json"}
        response = self._send("POST", self.place.query, data=asked, headers=accept)
        try:
            return int(response.json()["results"]["bindings"][0]["n"]["value"])
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise PublishError(
                f"{self.place.query}: not an endpoint that answers queries: name it with --query"
            ) from error

    def add(self, triples: str) -> None:
        """Add triples, written as N-Triples."""
        if self.place.via == "update":
            self._update(f"INSERT DATA {{ {self._in_graph(triples)} }}")
        else:
            self._graph_store("POST", data=triples.encode(), headers={"Content-Type": "text/turtle; charset=utf-8"})

    def clear(self) -> None:
        """Take everything out of the graph."""
        if self.place.via == "update":
            self._update(f"CLEAR SILENT {f'GRAPH <{self.place.graph}>' if self.place.graph else 'DEFAULT'}")
        else:
            self._graph_store("DELETE", may_miss=True)

    def _in_graph(self, triples: str) -> str:
        return f"GRAPH <{self.place.graph}> {{ {triples} }}" if self.place.graph else triples

    def _update(self, update: str) -> None:
        content_type = {"Content-Type": "application/sparql-update; charset=utf-8"}
        self._send("POST", self.place.endpoint, data=update.encode(), headers=content_type)

    def _graph_store(self, method: str, *, may_miss: bool = False, **request: Any) -> None:
        graph = {"graph": self.place.graph} if self.place.graph else {"default": ""}
        self._send(method, self.place.endpoint, may_miss=may_miss, params=graph, **request)

    def _send(self, method: str, address: str, *, may_miss: bool = False, **request: Any) -> requests.Response:
        response = self._sent(method, address, **request)
        if response.status_code == HTTPStatus.UNAUTHORIZED and self.account and self.session.auth is None:
            self.session.auth = self._proof(response.headers.get("WWW-Authenticate", ""), self.account)
            response = self._sent(method, address, **request)
        if response.ok or (may_miss and response.status_code == HTTPStatus.NOT_FOUND):
            return response
        raise PublishError(f"{address}: {_refusal(response, self.account)}")

    def _sent(self, method: str, address: str, **request: Any) -> requests.Response:
        try:
            return self.session.request(method, address, timeout=self.seconds, **request)
        except requests.RequestException as error:
            raise PublishError(f"{address}: no answer: {_failure(error)}") from error

    def _proof(self, challenge: str, account: Account) -> HTTPBasicAuth | HTTPDigestAuth:
        """The account in the way that the server asks for."""
        kind = HTTPDigestAuth if challenge.lower().startswith("digest") else HTTPBasicAuth
        return kind(account.name, account.password)


def _failure(error: requests.RequestException) -> str:
    """Why there was no answer, in a few words: the reason of the system, without the chain of errors around it."""
    if isinstance(error, requests.Timeout):
        return "the server took too long"
    reason = _SYSTEM_REASON.search(str(error))
    why = reason[1] if reason else type(error).__name__
    return f"{why}; start the server there, or name another with --endpoint"


def _refusal(response: requests.Response, account: Account | None) -> str:
    """Why the server refused, in a line."""
    if response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return "the server does not let this user write" if account else "the server wants an account: --user"
    lines = [line.strip() for line in response.text.splitlines() if line.strip()]
    return f"refused with {response.status_code} {response.reason}: {lines[0][:200] if lines else 'no reason given'}"
