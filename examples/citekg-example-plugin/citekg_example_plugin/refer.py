"""A source: the Refer format of EndNote (`.enw`), one field a line, a blank line between papers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source

_FIELD = re.compile(r"%([0-9A-Z@]) (.*)")


def _recognises(head: list[str]) -> bool:
    return any(line.startswith("%0 ") for line in head) and any(
        line.startswith("%T ") for line in head
    )


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    fields: defaultdict[str, list[str]] = defaultdict(list)
    start, tag = 0, ""
    for line in lines:
        found = _FIELD.match(line.text)
        if found and found[1] == "0" and fields:
            yield _paper(fields, Source(name, start))
            fields.clear()
        if found:
            tag = found[1]
            start = line.number if tag == "0" else start
            fields[tag].append(found[2].strip())
        elif line.text.strip() and fields:
            fields[tag][-1] += " " + line.text.strip()
    if fields:
        yield _paper(fields, Source(name, start))


def _paper(fields: dict[str, list[str]], source: Source) -> Paper | Problem:
    def first(tag: str) -> str:
        return next(iter(fields.get(tag, ())), "")

    if not (first("T") and first("X")):
        return Problem(str(source), "the record lacks a title (%T) or an abstract (%X)")
    return Paper(
        id=first("R"),
        title=first("T").rstrip("."),
        abstract=first("X"),
        date=first("D")[:4],
        authors=tuple(" ".join(reversed(name.split(", ", 1))) for name in fields.get("A", ())),
        url=first("U"),
        venue=first("J") or first("B"),
        sources=(source,),
    )


FORMAT = SourceFormat("Refer: the ENW format of EndNote", _recognises, _read)
