"""Complete papers: look up missing abstracts, dates, authors and ids at web services.

Papers are looked up in batches by arXiv id or DOI, and the others one by one by title. Only empty
fields are filled, and only from a record of the same paper (see `citekg.fetching.agreement`). Every
record of the input is written, completed or not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citekg.fetching import SERVICES
from citekg.fetching.cached_client import CachedClient, make_client
from citekg.fetching.gaps import Incomplete
from citekg.fetching.lookups import LOOKUPS, STEPS, Completion, Record
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import FetchError, FormatError
from citekg.schemas.records import Paper
from citekg.sources import Problem, read_unmerged

if TYPE_CHECKING:
    from citekg.fetching.client import Clock, OnWait

__all__ = ["LOOKUPS", "Completed", "Incomplete", "complete"]


@dataclass(frozen=True, slots=True)
class Completed:
    """The result of `complete`.

    `papers` counts the papers written, `repeated` the duplicate records left out, `complete` the
    papers that lacked nothing, `completed` those whose last gap was filled. `incomplete` lists the
    others, and papers whose id belongs to a different paper. `failed` gives the error of each
    service that failed. `requested` counts the requests sent, `cached` the responses read from the
    cache.
    """

    papers: int
    repeated: int
    complete: int
    completed: int
    incomplete: tuple[Incomplete, ...]
    failed: dict[str, str]
    requested: int
    cached: int


def complete(
    inputs: Iterable[str],
    path: str | Path,
    *,
    service: str | None = None,
    input_format: str | None = None,
    refresh: bool = False,
    contact: str = "",
    base: str = "",
    clock: Clock | None = None,
    on_problem: Callable[[Problem], None] = lambda _problem: None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    on_wait: OnWait | None = None,
) -> Completed:
    """Write the papers of files as JSON Lines that `kg build` reads, with empty fields filled.

    `inputs` are what `kg build` reads, or plain lists of arXiv ids or DOIs. `service` is a key of
    `LOOKUPS`; without it, all services are queried, and one that fails is skipped. `refresh`
    ignores cached responses; `contact`, an e-mail address, is sent to the services; `base` is the
    URL of a mirror. `on_problem` is called with each unreadable part of the input, `on_progress`
    with the number of lookups done and the total of a service, `on_wait` with the seconds of a wait
    and its reason. The file is written atomically. Raises `FetchError` if no paper could be read or
    every service failed, `FormatError` for an unknown service or format, and `MissingPackage`.
    """
    if service is not None and service not in LOOKUPS:
        raise FormatError(service, LOOKUPS)
    names = tuple(inputs)
    found = [Record(paper) for paper in read_unmerged(names, on_problem, input_format)]
    if not found:
        raise FetchError(", ".join(names), "no paper could be read, so nothing was written")

    def connect(name: str) -> CachedClient:
        client = make_client(SERVICES[name], base, contact, clock, on_wait)
        return CachedClient(client, Path(path).parent)

    completion = Completion(found, connect, refresh, on_progress)
    complete_before = len(found) - len(completion.open())
    completion.run([step for step in STEPS if service in {None, step[0]}])
    lines = dict.fromkeys(_line(record.paper) for record in found)
    write_atomically(Path(path), (line.encode() for line in lines))
    return Completed(
        papers=len(lines),
        repeated=len(found) - len(lines),
        complete=complete_before,
        completed=len(found) - complete_before - len(completion.open()),
        incomplete=tuple(record.incomplete() for record in found if record.is_incomplete),
        failed=completion.failed,
        requested=sum(each.requested for each in completion.clients.values()),
        cached=sum(each.cached for each in completion.clients.values()),
    )


def _line(paper: Paper) -> str:
    """Return a paper as a line of JSON Lines, without empty fields and without its sources."""
    values = {name: value for name, value in asdict(paper).items() if value and name != "sources"}
    return json.dumps(values) + "\n"
