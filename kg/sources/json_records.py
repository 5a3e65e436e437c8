"""An incremental JSON parser that yields the records of a file one at a time.

Records may be one per line (JSON Lines), in one list, or in a list inside the object of an API
response; on one line or over many. An invalid record does not affect the next one, which starts at
its own brace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources.fields import TOO_LONG, InvalidRecord, json_type
from citekg.sources.limits import MAX_RECORD_LENGTH

#: A string without escapes, the quote that opens another string, or a bracket.
_TOKEN: Final = re.compile(r'"[^"\\]*"|["\[\]{}]')
_ESCAPES_OR_END: Final = re.compile(r'(?:\\.){1,1000}|"')
_BRACKET: Final = re.compile(r"[\[\]{}]")
_KEY: Final = re.compile(r'(?<!\\)"([\w-]+)"\s*:')
#: Converts a record to a paper, or to a paper and warnings, or to None if it is not a paper.
RecordParser = Callable[[dict[str, Any], Source], "Paper | Iterable[Paper | Problem] | None"]
#: Converts the keys and values of an object to a value; see `object_pairs_hook` of `json`.
PairsHook = Callable[[list[tuple[str, Any]]], object]


def json_format(
    about: str,
    keys: Iterable[frozenset[str]],
    paper: RecordParser,
    lists: frozenset[str] = frozenset(),
) -> SourceFormat:
    """Return a JSON format.

    `paper` converts a record to a paper and warnings. It returns None if a record is not a paper
    and raises `InvalidRecord` for an invalid one. A file has the format if its first lines hold all
    keys of one set of `keys`. `lists` names the lists of records inside the object of a response,
    and the objects inside it that hold such a list or are a record.
    """
    key_sets = tuple(keys)

    def recognises(head: list[str]) -> bool:
        if not any(line.lstrip().startswith(("{", "[")) for line in head):
            return False
        seen = {key for line in head for key in _KEY.findall(line)}
        return any(each <= seen for each in key_sets)

    def read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
        return parse_records(name, iter_records(lines, lists), paper)

    return SourceFormat(about, recognises, read, by_line=True)


def parse_records(
    name: str,
    found: Iterable[tuple[int, object]],
    paper: RecordParser,
) -> Iterator[Paper | Problem]:
    """Yield the papers and problems of records, given with their line numbers."""
    count, line = 0, 0
    for number, record in found:
        count, line = (count + 1 if number == line else 1), number
        prefix = f"record {count}: " if count > 1 and not isinstance(record, _UnclosedList) else ""
        try:
            read = paper(_check_object(record), Source(name, number))
            for item in (read,) if isinstance(read, Paper) else read or ():
                if isinstance(item, Problem):
                    yield replace(item, message=prefix + item.message)
                else:
                    yield _check_identifiable(item)
        except InvalidRecord as error:
            yield Problem(f"{name}:{number}", f"{prefix}{error}")


class _UnclosedList(InvalidRecord):
    """A list without an end, which is not an error of a record."""


def _check_identifiable(paper: Paper) -> Paper:
    """Return the paper. Raises `InvalidRecord` if it has neither a title nor an identifier."""
    if not (paper.title.strip() or paper.id or paper.arxiv_id or paper.doi):
        raise InvalidRecord("the paper has no title")
    return paper


def _check_object(record: object) -> dict[str, Any]:
    """Return the record. Raises `InvalidRecord` if it is not an object."""
    if isinstance(record, InvalidRecord):
        raise record
    if not isinstance(record, dict):
        raise InvalidRecord(
            f"{json_type(record)} where an object with title and abstract is expected"
        )
    return record


def iter_records(
    lines: Iterable[Line], lists: frozenset[str], hook: PairsHook | None = None
) -> Iterator[tuple[int, object]]:
    """Yield each record with its first line; an `InvalidRecord` where it cannot be parsed."""
    scanner = _Scanner(lists, hook)
    for line in lines:
        if line.broken:
            scanner.has_broken_line = True
            continue
        whole = _parse_line(line.text, hook) if scanner.is_between_records else None
        if whole is None:
            yield from scanner.feed(line)
        else:
            yield from ((line.number, record) for record in _unwrapped(whole, lists))
    yield from scanner.end()


def _parse_line(
    written: str, hook: PairsHook | None
) -> dict[str, Any] | list[Any] | InvalidRecord | None:
    """Return the object or list on one line, which a comma may follow; None for any other line."""
    if len(written) > MAX_RECORD_LENGTH or not written.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(written.rstrip().removesuffix(","), object_pairs_hook=hook)
    except (RecursionError, ValueError):
        return None
    return value if isinstance(value, (dict, list, InvalidRecord)) else None


def _unwrapped(value: object, lists: frozenset[str]) -> Iterator[object]:
    """Yield the records in a value: a record, a list of them, or a response that holds a list."""
    pending = [value]
    while pending:
        one = pending.pop()
        inner = (
            [one[name] for name in lists if isinstance(one.get(name), (list, dict))]
            if isinstance(one, dict)
            else []
        )
        if isinstance(one, list):
            pending.extend(reversed(one))
        elif inner:
            pending.append(inner[0])
        else:
            yield one


def _tokens(written: str) -> Iterator[tuple[int, str]]:
    """Yield the strings and the brackets outside of strings, each with its offset in code points.

    After a quote without an end, yield all brackets.
    """
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


class _Scanner:
    """The state of the parser: the open brackets and the open record."""

    def __init__(self, lists: frozenset[str], hook: PairsHook | None) -> None:
        self.lists = lists
        self.hook = hook
        self.outer: list[
            bool
        ] = []  # for each bracket around the records: does it hold a list of them?
        self.key = ""  # the last string, which names the list that may follow
        self.parts: list[str] = []  # the open record, line by line
        self.size = 0  # its length in characters, also of parts that are not stored
        self.opened = Line(0, "")
        self.depth = 0
        self.has_broken_line = False  # of the open record; reported elsewhere

    @property
    def is_between_records(self) -> bool:
        """Return whether no record is open and one may begin."""
        return not self.depth and (not self.outer or self.outer[-1])

    def feed(self, line: Line) -> Iterator[tuple[int, object]]:
        """Yield the records that end on the line."""
        if self.depth and _is_new_record(self.opened.text, line.text):
            yield from self._close(InvalidRecord("the JSON of the record is incomplete"))
        if self.is_between_records and line.text.strip(", \t") and not _BRACKET.search(line.text):
            yield line.number, InvalidRecord(f"not JSON: {line.text.strip()[:60]!r}")
            return
        start = 0
        for at, token in _tokens(line.text):
            if token[0] == '"':
                self.key = token[1:-1]
                continue
            self._enter_response(token)
            if not self.depth:
                if self._open_bracket(token, line):
                    start = at
            elif self._closes_record(token):
                self._append(line.text[start : at + 1])
                yield from self._close(
                    _parse(self.parts, self.hook)
                    if self.size <= MAX_RECORD_LENGTH
                    else InvalidRecord(TOO_LONG)
                )
        if self.depth:
            self._append(line.text[start:])

    def _append(self, part: str) -> None:
        """Append to the open record, up to the maximum length of a record."""
        self.size += len(part)
        if self.size <= MAX_RECORD_LENGTH:
            self.parts.append(part)

    def end(self) -> Iterator[tuple[int, object]]:
        """Yield the error of a record or a list that the file leaves open."""
        if self.depth:
            yield from self._close(InvalidRecord("the JSON of the record is incomplete"))
        elif self.outer:
            yield (
                self.opened.number,
                _UnclosedList("the list is incomplete after the start of this record"),
            )

    @property
    def _is_listed(self) -> bool:
        """Return whether a bracket that opens here holds the records of a response."""
        return bool(self.outer) and not any(self.outer) and self.key in self.lists

    def _enter_response(self, bracket: str) -> None:
        """Treat the open record as a response, where the bracket opens its list of records."""
        if bracket in "{[" and self.depth == 1 and not any(self.outer) and self.key in self.lists:
            self.outer.append(False)
            self.depth, self.parts, self.size = 0, [], 0

    def _open_bracket(self, bracket: str, line: Line) -> bool:
        """Process a bracket outside of all records; return whether it opens one."""
        if bracket == "{" and (self.is_between_records or self._is_listed):
            self.opened, self.depth, self.size, self.has_broken_line = line, 1, 0, False
            return True
        if bracket in "{[":
            self.opened = line
            self.outer.append(
                bracket == "[" and (not self.outer or self.outer[-1] or self._is_listed)
            )
        elif self.outer:
            self.outer.pop()
        return False

    def _closes_record(self, bracket: str) -> bool:
        """Process a bracket inside a record; return whether it ends the record."""
        self.depth += 1 if bracket in "{[" else -1
        return self.depth == 0

    def _close(self, record: object) -> Iterator[tuple[int, object]]:
        """Close the open record and yield it, unless one of its lines was broken."""
        self.depth, self.parts = 0, []
        if not self.has_broken_line:
            yield self.opened.number, record


def _is_new_record(opened: str, line: str) -> bool:
    """Return whether a line opens a record at the indentation of the open one."""
    indent = len(line) - len(line.lstrip())
    same = line.startswith("{", indent) and opened.startswith(line[:indent] + "{")
    return same and (indent > 0 or opened.strip() != "{")


def _parse(parts: list[str], hook: PairsHook | None) -> object:
    """Return the value of a JSON text, or an `InvalidRecord`."""
    try:
        return json.loads("\n".join(parts), object_pairs_hook=hook)
    except json.JSONDecodeError as error:
        where = f" {error.lineno - 1} lines below" if error.lineno > 1 else ""
        return InvalidRecord(f"not JSON: {error.msg}{where}")
    except RecursionError:
        return InvalidRecord("JSON that cannot be read: it is nested too deeply")
    except ValueError:
        return InvalidRecord("JSON that cannot be read: it holds a number of too many digits")
