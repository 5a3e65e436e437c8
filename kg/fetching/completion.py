"""Completing papers: what a file lacks of abstracts, dates, authors and ids is looked up at services.

Papers are looked up by their arXiv id or DOI, many at a time, and the others one by one by their title. Only empty
fields are filled, and only from an answer that is the same paper (see `citekg.fetching.agreement`). Every record of the
input is written, completed or not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citekg.exports import write_atomically
from citekg.fetching import SERVICES
from citekg.fetching.answers import Answers, client
from citekg.fetching.gaps import Incomplete
from citekg.fetching.lookups import LOOKUPS, STEPS, Completion, Record
from citekg.schemas.errors import FetchError, FormatError
from citekg.schemas.records import Paper
from citekg.sources import Problem, text_records

if TYPE_CHECKING:
    from citekg.fetching.client import Clock, OnWait

__all__ = ["LOOKUPS", "Completed", "Incomplete", "complete"]


@dataclass(frozen=True, slots=True)
class Completed:
    """What came of completing a file.

    `papers` counts what was written, `repeated` the records left out because they equal an earlier one, `complete`
    those that lacked nothing, `completed` those that lack nothing now, `incomplete` lists the others, and those whose
    id is that of a different paper. `failed` says by service why it could not be asked to the end; `asked` and `kept`
    count the requests sent, and the answers that an earlier run had kept.
    """

    papers: int
    repeated: int
    complete: int
    completed: int
    incomplete: tuple[Incomplete, ...]
    failed: dict[str, str]
    asked: int
    kept: int


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
    """Write the papers of files as JSON Lines that `kg build` reads, with their empty fields filled.

    `inputs` are what `kg build` reads, or plain lists of arXiv ids or DOIs. `service` is a name of `LOOKUPS`; without
    one, all are asked, and one that fails is left out. `refresh` asks again for answers that were kept; `contact`, an
    e-mail address, is sent to the services; `base` is the address of a mirror. `on_problem` gets what of the input
    could not be read, `on_progress` how many lookups of how many a service has answered, `on_wait` how many seconds
    are waited and why. The file appears complete or not at all: raises `FetchError` where no paper could be read or
    no service could be asked to the end, `FormatError` for an unknown service or format, and `MissingPackage`.
    """
    if service is not None and service not in LOOKUPS:
        raise FormatError(service, LOOKUPS)
    names = tuple(inputs)
    found = [Record(paper) for paper in text_records(names, on_problem, input_format)]
    if not found:
        raise FetchError(", ".join(names), "no paper could be read, so nothing was written")

    def connect(name: str) -> Answers:
        return Answers(client(SERVICES[name], base, contact, clock, on_wait), Path(path).parent)

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
        asked=sum(each.asked for each in completion.answers.values()),
        kept=sum(each.kept for each in completion.answers.values()),
    )


def _line(paper: Paper) -> str:
    """A paper as a line of JSON Lines, without empty fields and without the place where it was read."""
    values = {name: value for name, value in asdict(paper).items() if value and name != "sources"}
    return json.dumps(values) + "\n"
