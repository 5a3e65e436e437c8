"""The records of a JSON file, one at a time, whatever holds them.

They may stand a line each (JSON Lines), in one list, or in a list inside an answer's object; on
one line or over many. A broken record costs only itself: the next one starts at its own brace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources.fields import TOO_LONG, InvalidRecord, named
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.limits import RECORD

#: A text without escapes, the quote that opens another one, or a bracket.
_TOKEN: Final = re.compile(r'"[^"\\]*"|["\[\]{}]')
_ESCAPES_OR_END: Final = re.compile(r'(?:\\.){1,1000}|"')
_BRACKET: Final = re.compile(r"[\[\]{}]")
_KEY: Final = re.compile(r'(?<!\\)"([\w-]+)"\s*:')
#: What makes a paper of a record, or a paper and warnings, or None of a record that is no paper.
OfRecord = Callable[[dict[str, Any], Source], "Paper | Iterable[Paper | Problem] | None"]
#: What takes the keys and values of an object, and returns what stands for it.
Hook = Callable[[list[tuple[str, Any]]], object]


def json_reader(
    about: str,
    keys: Iterable[frozenset[str]],
    paper: OfRecord,
    lists: frozenset[str] = frozenset(),
) -> SourceFormat:
    """A reader of JSON whose records `paper` turns into papers and warnings, raising `Unfit` for one that is broken.

    A record that is no paper (None) is passed over. Known by its keys: the head of the file must hold all of one
    of the sets. `lists` names the lists of records inside an answer's object, and the objects inside it that hold
    such a list or are a record.
    """
    sets = tuple(keys)

    def recognises(head: list[str]) -> bool:
        if not any(line.lstrip().startswith(("{", "[")) for line in head):
            return False
        seen = {key for line in head for key in _KEY.findall(line)}
        return any(each <= seen for each in sets)

    def read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
        return from_records(name, records(lines, lists), paper)

    return SourceFormat(about, recognises, read)


def from_records(
    name: str,
    found: Iterable[tuple[int, object]],
    paper: OfRecord,
) -> Iterator[Paper | Problem]:
    """What `paper` makes of the records, each with the number of its line; of several on a line its own."""
    count, line = 0, 0
    for number, record in found:
        count, line = (count + 1 if number == line else 1), number
        which = f"record {count}: " if count > 1 and not isinstance(record, _NoEnd) else ""
        try:
            read = paper(_object(record), Source(name, number))
            for item in (read,) if isinstance(read, Paper) else read or ():
                if isinstance(item, Problem):
                    yield replace(item, message=which + item.message)
                else:
                    yield _nameable(item)
        except InvalidRecord as unfit:
            yield Problem(f"{name}:{number}", f"{which}{unfit}")


class _NoEnd(InvalidRecord):
    """A list that breaks off, which is no fault of a record."""


def _nameable(paper: Paper) -> Paper:
    """The paper. Raises `Unfit` where it has no title, and no identifier by which another record could give it one."""
    if not (paper.title.strip() or paper.id or paper.arxiv_id or paper.doi):
        raise InvalidRecord("the paper has no title")
    return paper


def _object(record: object) -> dict[str, Any]:
    if isinstance(record, InvalidRecord):
        raise record
    if not isinstance(record, dict):
        raise InvalidRecord(f"{named(record)} where an object with title and abstract is due")
    return record


def records(lines: Iterable[Line], lists: frozenset[str], hook: Hook | None = None) -> Iterator[tuple[int, object]]:
    """Each record with the number of its first line; an `Unfit` stands for one that cannot be read."""
    scan = _Scan(lists, hook)
    for line in lines:
        if line.broken:
            scan.spoiled = True
            continue
        whole = _whole(line.text, hook) if scan.between else None
        if whole is None:
            yield from scan.feed(line)
        else:
            yield from ((line.number, record) for record in _unwrapped(whole, lists))
    yield from scan.end()


def _whole(written: str, hook: Hook | None) -> dict[str, Any] | list[Any] | InvalidRecord | None:
    """The object or list that one line holds, but for a comma behind it; not where there may be too much in it."""
    if len(written) > RECORD or not written.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(written.rstrip().removesuffix(","), object_pairs_hook=hook)
    except (RecursionError, ValueError):
        return None
    return value if isinstance(value, (dict, list, InvalidRecord)) else None


def _unwrapped(value: object, lists: frozenset[str]) -> Iterator[object]:
    """The records in a value that is a record, a list of them, or an answer that holds a list."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        inner = (
            [one[name] for name in lists if isinstance(one.get(name), (list, dict))] if isinstance(one, dict) else []
        )
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif inner:
            waiting.append(inner[0])
        else:
            yield one


def _tokens(written: str) -> Iterator[tuple[int, str]]:
    """The texts and the brackets outside of texts, each with its place; behind a quote without an end all brackets."""
    at, sought = 0, _TOKEN
    while token := sought.search(written, at):
        start, at = token.span()
        if token[0] == '"':
            marks = _ESCAPES_OR_END.finditer(written, at)
            end = next((mark.end() for mark in marks if mark[0] == '"'), 0)
            if not end:
                sought = _BRACKET
                continue
            at = end
        yield start, written[start:at]


class _Scan:
    """Where in the brackets of a JSON text the lines have come to, and the record that is open."""

    def __init__(self, lists: frozenset[str], hook: Hook | None) -> None:
        self.lists = lists
        self.hook = hook
        self.outer: list[bool] = []  # for each bracket around the records: is it a list of them?
        self.key = ""  # the last text read, which names the list that may follow
        self.parts: list[str] = []  # the open record, line by line
        self.size = 0  # how many characters that is, also of what is not held
        self.opened = Line(0, "")
        self.depth = 0
        self.spoiled = False  # a line of the open record could not be read, which is told elsewhere

    @property
    def between(self) -> bool:
        """No record is open and one may begin."""
        return not self.depth and (not self.outer or self.outer[-1])

    def feed(self, line: Line) -> Iterator[tuple[int, object]]:
        """The records that end on the line."""
        if self.depth and _starts_anew(self.opened.text, line.text):
            yield from self._closed(InvalidRecord("the JSON of the record breaks off"))
        if self.between and line.text.strip(", \t") and not _BRACKET.search(line.text):
            yield line.number, InvalidRecord(f"not JSON: {line.text.strip()[:60]!r}")
            return
        start = 0
        for at, token in _tokens(line.text):
            if token[0] == '"':
                self.key = token[1:-1]
                continue
            self._enter_answer(token)
            if not self.depth:
                if self._between_records(token, line):
                    start = at
            elif self._inside_record(token):
                self._hold(line.text[start : at + 1])
                yield from self._closed(
                    _parsed(self.parts, self.hook) if self.size <= RECORD else InvalidRecord(TOO_LONG)
                )
        if self.depth:
            self._hold(line.text[start:])

    def _hold(self, part: str) -> None:
        """Add to the open record, as long as it is not too long for one."""
        self.size += len(part)
        if self.size <= RECORD:
            self.parts.append(part)

    def end(self) -> Iterator[tuple[int, object]]:
        """What is to be told once the lines are over."""
        if self.depth:
            yield from self._closed(InvalidRecord("the JSON of the record breaks off"))
        elif self.outer:
            yield self.opened.number, _NoEnd("the list breaks off behind what starts here")

    @property
    def _is_listed(self) -> bool:
        """A bracket that opens here holds the records of an answer."""
        return bool(self.outer) and not any(self.outer) and self.key in self.lists

    def _enter_answer(self, bracket: str) -> None:
        """Note that what looked like a record is an answer, where the bracket opens what holds its records."""
        if bracket in "{[" and self.depth == 1 and not any(self.outer) and self.key in self.lists:
            self.outer.append(False)
            self.depth, self.parts, self.size = 0, [], 0

    def _between_records(self, bracket: str, line: Line) -> bool:
        """Take a bracket outside of all records; true where it opens one."""
        if bracket == "{" and (self.between or self._is_listed):
            self.opened, self.depth, self.size, self.spoiled = line, 1, 0, False
            return True
        if bracket in "{[":
            self.opened = line
            self.outer.append(bracket == "[" and (not self.outer or self.outer[-1] or self._is_listed))
        elif self.outer:
            self.outer.pop()
        return False

    def _inside_record(self, bracket: str) -> bool:
        """Take a bracket inside a record; true where it ends the record."""
        self.depth += 1 if bracket in "{[" else -1
        return self.depth == 0

    def _closed(self, record: object) -> Iterator[tuple[int, object]]:
        self.depth, self.parts = 0, []
        if not self.spoiled:
            yield self.opened.number, record


def _starts_anew(opened: str, line: str) -> bool:
    """A brace as far left as that of the open record, which is therefore broken."""
    indent = len(line) - len(line.lstrip())
    same = line.startswith("{", indent) and opened.startswith(line[:indent] + "{")
    return same and (indent > 0 or opened.strip() != "{")


def _parsed(parts: list[str], hook: Hook | None) -> object:
    try:
        return json.loads("\n".join(parts), object_pairs_hook=hook)
    except json.JSONDecodeError as error:
        where = f" {error.lineno - 1} lines below" if error.lineno > 1 else ""
        return InvalidRecord(f"not JSON: {error.msg}{where}")
    except RecursionError:
        return InvalidRecord("JSON that cannot be read: it is nested too deeply")
    except ValueError:
        return InvalidRecord("JSON that cannot be read: it holds a number of too many digits")
