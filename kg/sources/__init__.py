"""Read papers from files, folders, glob patterns, URLs and standard input.

`FORMATS` lists the input formats of citekg; plug-ins add others. A format recognises its own
content and parses numbered lines of text into papers and problems. `read_merged` runs all steps:
it finds the files, decodes them, detects their formats and merges the records of each paper on
disk. `read` returns the papers in memory.
"""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from citekg.schemas.errors import InputError, PluginError
from citekg.schemas.files import printable
from citekg.schemas.plugins import Line, Plugin, Problem, SourceFormat, plugin_names, resolve
from citekg.schemas.records import Paper, Source
from citekg.sources import (
    anthology,
    arxiv_json,
    arxiv_rss,
    arxiv_xml,
    bibtex,
    crossref,
    csl_json,
    daily_papers,
    endnote,
    hugging_face,
    id_lists,
    json_lines,
    limits,
    nbib,
    openalex,
    openreview,
    papers_with_code,
    parquet,
    pubmed,
    ris,
    semantic_scholar,
    tables,
    web_of_science,
)
from citekg.sources.databases import disk_errors
from citekg.sources.decoding import decode_lines, decode_windows_1252
from citekg.sources.deduplication import MergedPapers
from citekg.sources.field_names import missing_columns_message
from citekg.sources.file_parts import may_have_parts, parts_of
from citekg.sources.graph_files import reject_graph
from citekg.sources.in_memory import Record, read_records
from citekg.sources.input_files import STANDARD_INPUT, InputFile, input_files
from citekg.sources.record_table import RecordTable
from citekg.sources.source_names import paths_of_shared_names, source_names
from citekg.sources.unsupported import unsupported_text

if TYPE_CHECKING:
    import pandas as pd

    from citekg.sources.cached_records import CachedFile, CachedRecords

__all__ = [
    "FORMATS",
    "Problem",
    "SourceFormat",
    "merge_records",
    "read",
    "read_merged",
    "source_format",
    "store_records",
]

_log: Final = logging.getLogger(__name__)

#: The input formats by name, in the order in which detection tries them.
FORMATS: Final[dict[str, SourceFormat]] = {
    "openalex": openalex.FORMAT,
    "arxiv-json": arxiv_json.FORMAT,
    "papers-with-code": papers_with_code.FORMAT,
    "hf-daily": hugging_face.FORMAT,
    "semantic-scholar": semantic_scholar.FORMAT,
    "crossref": crossref.FORMAT,
    "csl-json": csl_json.FORMAT,
    "openreview": openreview.FORMAT,
    "arxiv-rss": arxiv_rss.FORMAT,
    "arxiv-xml": arxiv_xml.FORMAT,
    "pubmed-xml": pubmed.FORMAT,
    "anthology-xml": anthology.FORMAT,
    "endnote-xml": endnote.FORMAT,
    "bibtex": bibtex.FORMAT,
    "ris": ris.FORMAT,
    "nbib": nbib.FORMAT,
    "web-of-science": web_of_science.FORMAT,
    "csv": tables.FORMAT,
    "parquet": parquet.FORMAT,
    "jsonl": json_lines.FORMAT,
    "pages": daily_papers.FORMAT,
}

#: General formats, which also match files of other formats: detection tries plug-ins first.
_GENERAL: Final = ("jsonl", "pages")
#: The number of lines at the start of a file that format detection sees.
_HEAD: Final = 50
_WINDOWS_1252: Final = "not UTF-8 text; read as Windows-1252, as Excel writes it"


def read(
    inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None
) -> tuple[Paper, ...]:
    """Return all papers of the inputs in memory, as `read_merged` reads them."""
    return tuple(read_merged(inputs, on_problem, input_format))


def read_merged(
    inputs: Iterable[str],
    on_problem: Callable[[Problem], None],
    input_format: str | None = None,
    cached: CachedRecords | None = None,
    read_ahead: Callable[[list[CachedFile]], None] = lambda _files: None,
) -> MergedPapers:
    """Return all papers of the inputs, deduplicated, sorted by id and stored on disk.

    Problems of the input are reported to `on_problem`. `input_format` forces a format; without it,
    the format of each file is detected. Files whose records are in `cached` are not read;
    `read_ahead` gets those that can be, and may store their records (`store_records`). Raises
    `FormatError` for an unknown format, `PluginError` for a plug-in that cannot be used and
    `FolderError` where records cannot be stored.
    """
    if input_format is not None:
        source_format(input_format)
    log = _ProblemLog(on_problem)
    found = list(input_files(inputs))
    files = [file for file in found if isinstance(file, InputFile)]
    parts = {file: _parts(file, input_format) for file in files}
    places = cached.of_files(itertools.chain(*parts.values()), input_format) if cached else {}
    read_ahead([*places.values()])
    table, renamed = RecordTable(), paths_of_shared_names(files)
    groups = cached.groups() if cached and places else None
    if groups:
        groups.load(table)
    for file in found:
        if isinstance(file, InputError):
            log.on_problem(Problem.from_error(file))
            continue
        for part in parts[file]:
            with disk_errors():
                is_renamed = part.name in renamed
                _add(table, part, log, input_format, places.get(part), is_renamed=is_renamed)
    merged = MergedPapers(table, log.missing_title, partial(source_names, files))
    if groups:
        groups.store(table)
    for collision in merged.collisions():
        log.collision(*collision)
    log.report_counts()
    return merged


def store_records(place: CachedFile, input_format: str | None) -> None:
    """Read a file and store its records, unless they are stored; problems are not reported.

    Raises `FolderError` where records cannot be stored.
    """
    if not place.exists():
        with disk_errors():
            table, log = RecordTable(), _ProblemLog(lambda _problem: None)
            place.store(table, 0, _read_into(table, place.file, log, input_format))


def _parts(file: InputFile, input_format: str | None) -> list[InputFile]:
    """Return the parts of a file that can be read apart, in their order, or the file."""
    try:
        if not may_have_parts(file):
            return [file]
        lines = decode_lines(file)
        found = _text_format(file, list(itertools.islice(lines, _HEAD)), input_format, None)
        name = next((name for name, known in FORMATS.items() if known is found), None)
        return parts_of(file, name) if name and found.by_line else [file]
    except (InputError, PluginError, OSError):
        return [file]  # reading it reports the error


def _add(
    table: RecordTable,
    file: InputFile,
    log: _ProblemLog,
    input_format: str | None,
    place: CachedFile | None,
    *,
    is_renamed: bool,
) -> None:
    """Add the records of a file to a table, and report its problems.

    `is_renamed` is whether papers may record another name for the file than its own.
    """
    found = place.load(table, is_renamed=is_renamed) if place else None
    for problem in found or ():
        log.report(file.name, problem)
    if found is None:
        before = table.rows
        problems = _read_into(table, file, log, input_format)
        if place and place.is_kept:
            place.store(table, before, problems)


def _read_into(
    table: RecordTable, file: InputFile, log: _ProblemLog, input_format: str | None
) -> list[Problem]:
    """Read a file into a table and report its problems; return the first of them."""
    problems: list[Problem] = []

    def papers() -> Iterator[Paper]:
        for item in _read_safely(file, input_format, None):
            if isinstance(item, Paper):
                yield item
            else:
                log.report(file.name, item)
                if len(problems) <= limits.MAX_PROBLEMS:
                    problems.append(item)

    table.add(papers())
    return problems


def read_unmerged(
    inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None
) -> Iterator[Paper]:
    """Yield all records of the inputs in their order, also those without a title or an abstract.

    Lists of arXiv ids or DOIs are accepted; their records hold only the id. Raises the errors of
    `read_merged`.
    """
    if input_format is not None:
        source_format(input_format)
    log = _ProblemLog(on_problem)
    yield from _papers(input_files(inputs), log, input_format, id_list=id_lists.FORMAT)
    log.report_counts()


def merge_records(
    records: Iterable[Record] | pd.DataFrame, on_problem: Callable[[Problem], None]
) -> MergedPapers:
    """Return the papers of records in memory, deduplicated as `read_merged` does it for files."""
    log = _ProblemLog(on_problem)
    merged = MergedPapers(_papers_only(read_records(records), log), log.missing_title)
    for collision in merged.collisions():
        log.collision(*collision)
    log.report_counts()
    return merged


def _papers_only(items: Iterable[Paper | Problem], log: _ProblemLog) -> Iterator[Paper]:
    """Yield the papers and report the problems."""
    for item in items:
        if isinstance(item, Paper):
            yield item
        else:
            log.report(item.place.partition(":")[0], item)


def source_format(name: str) -> SourceFormat:
    """Return the format of that name: one of citekg, or else of a plug-in.

    Raises `FormatError` for an unknown name and `PluginError` for a plug-in that cannot be used.
    """
    return resolve("source", name, FORMATS, _load_plugin_format)


def holds_papers(path: str) -> bool:
    """Return whether there is a paper with a title among the first records of a file."""
    items = itertools.islice(_read_safely(InputFile(path), None, None), _HEAD)
    return any(isinstance(item, Paper) and item.title.strip() for item in items)


@cache
def _load_plugin_format(plugin: Plugin) -> SourceFormat:
    """Return the format of a plug-in; its functions raise `PluginError` if they fail."""
    found = plugin.load_as(SourceFormat)
    recognise = plugin.guarded(lambda head: (bool(found.recognises(head)),))
    return replace(
        found, recognises=lambda head: any(recognise(head)), read=plugin.guarded(found.read)
    )


@dataclass(frozen=True, slots=True)
class _ProblemLog:
    """Reports the first `MAX_PROBLEMS` problems of each file and counts the others."""

    on_problem: Callable[[Problem], None]
    counts: Counter[str] = field(default_factory=Counter)

    def report(self, file: str, problem: Problem) -> None:
        """Report a problem of a file, unless the file has too many."""
        self.counts[file] += 1
        if self.counts[file] <= limits.MAX_PROBLEMS:
            self.on_problem(problem.shortened())

    def missing_title(self, paper: Paper) -> None:
        """Report a record of a paper that has no title in any record."""
        source = _source(paper)
        self.report(source.name, Problem(str(source), "the paper has no title"))

    def collision(self, paper_id: str, first: Paper, other: Paper) -> None:
        """Report that two different papers have the same id."""
        source = _source(other)
        message = (
            f"the id {paper_id!r} identifies another paper at {_source(first)}: both papers are"
            " kept under their arXiv id, DOI or title; give each paper its own id"
        )
        self.report(source.name, Problem(str(source), message, warning=True))

    def report_counts(self) -> None:
        """Report for each file how many problems were not listed."""
        for file, count in self.counts.items():
            if count > limits.MAX_PROBLEMS:
                more = f"{count - limits.MAX_PROBLEMS} more problems in this file are not listed"
                self.on_problem(Problem(file, more))


def _source(paper: Paper) -> Source:
    """Return the first source of a paper."""
    return next(iter(paper.sources), Source(paper.id or printable(paper.title)))


def _papers(
    files: Iterable[InputFile | InputError],
    log: _ProblemLog,
    input_format: str | None,
    id_list: SourceFormat | None = None,
) -> Iterator[Paper]:
    """Yield every record of the files; `id_list` parses lists of ids, rejected without it."""
    for file in files:
        if isinstance(file, InputError):
            log.on_problem(Problem.from_error(file))
            continue
        for item in _read_safely(file, input_format, id_list):
            if isinstance(item, Paper):
                yield item
            else:
                log.report(file.name, item)


def _read_safely(
    file: InputFile, input_format: str | None, id_list: SourceFormat | None
) -> Iterator[Paper | Problem]:
    """Yield the papers and problems of a file; an error that stops reading is also a problem."""
    try:
        yield from _read_file(file, input_format, id_list)
    except InputError as error:
        yield Problem.from_error(error)
    except PluginError as error:
        yield Problem(file.name, str(error))


def _read_file(
    file: InputFile, input_format: str | None, id_list: SourceFormat | None
) -> Iterator[Paper | Problem]:
    """Yield the papers and problems of a file. Raises `InputError` and `PluginError`."""
    input_format = file.input_format or input_format
    binary = source_format(input_format) if input_format else _detect_binary(file)
    if binary and binary.read_file and file.path != STANDARD_INPUT:
        with file.local_path() as path:
            yield from binary.read_file(path, file.name)
        return
    lines = decode_lines(file)
    head = list(itertools.islice(lines, _HEAD))
    if len(head) < _HEAD and not any(line.broken or line.text.strip() for line in head):
        raise InputError(file.name, "the file is empty")
    found = _text_format(file, head, input_format, id_list)
    faults: dict[str, tuple[int, int]] = {}
    yield from found.read(
        file.name, _count_broken(_decode_for(itertools.chain(head, lines), found), faults)
    )
    for reason, (first, count) in faults.items():
        part = f"part of the file, which begins at line {file.first_line}" if file.span else "file"
        more = f" (so are {count - 1} more lines of this {part})" if count > 1 else ""
        yield Problem(f"{file.name}:{first}", reason + more, warning=reason == _WINDOWS_1252)


def _text_format(
    file: InputFile, head: list[Line], input_format: str | None, id_list: SourceFormat | None
) -> SourceFormat:
    """Return the given format, or that of the first lines of a file.

    Raises `InputError` if no format fits, and `PluginError`.
    """
    if input_format:
        return source_format(input_format)
    reject_graph(file.name, head)
    return _detect(file, head, id_list)


def _detect_binary(file: InputFile) -> SourceFormat | None:
    """Return the binary format whose magic bytes are at the start of the file."""
    known = [each for each in FORMATS.values() if each.magic]
    start = file.first_bytes(max(len(each.magic) for each in known))
    return next((each for each in known if start.startswith(each.magic)), None)


def _detect(file: InputFile, head: list[Line], id_list: SourceFormat | None) -> SourceFormat:
    """Return the format of a file by its first lines. Raises `InputError` if none fits."""
    if id_lists.FORMAT.recognises(_texts(head)):
        if id_list is None:
            raise InputError(file.name, id_lists.fetch_hint(file.name))
        return id_list
    name = next((known for known in _format_names() if _is_recognised(known, head)), None)
    if name in (None, *_GENERAL) and (refused := unsupported_text(_texts(head))):
        raise InputError(f"{file.name}:1", f"this is {refused}")
    columns = (
        tables.unknown_columns(_texts(decode_windows_1252(head))) if name in (None, "pages") else []
    )
    if columns:
        raise InputError(f"{file.name}:1", missing_columns_message(columns))
    if name:
        return source_format(name)
    for line in head:
        if line.broken:
            raise InputError(f"{file.name}:{line.number}", line.broken)
    known = ", ".join((*FORMATS, *plugin_names("source")))
    raise InputError(
        file.name, f"the content is of no known format; --input-format forces one ({known})"
    )


def _texts(head: Iterable[Line]) -> list[str]:
    """Return the lines that format detection sees."""
    return [line.text[: limits.MAX_HEAD_LENGTH] for line in head if not line.broken]


def _format_names() -> Iterator[str]:
    """Yield the names of all formats in the order in which detection tries them."""
    yield from (name for name in FORMATS if name not in _GENERAL)
    yield from (name for name in plugin_names("source") if name not in FORMATS)
    yield from _GENERAL


def _is_recognised(name: str, head: list[Line]) -> bool:
    """Return whether a format recognises the first lines; False for a plug-in that fails."""
    try:
        known = source_format(name)
        return known.recognises(_texts(_decode_for(head, known)))
    except PluginError as error:
        _warn_once(f"{error}; files are read without it")
        return False


@cache
def _warn_once(warning: str) -> None:
    """Log a warning, once."""
    _log.warning(warning)


def _decode_for(lines: Iterable[Line], known: SourceFormat) -> Iterable[Line]:
    """Return the lines, decoded as Windows-1252 if the format allows it."""
    return decode_windows_1252(lines) if known.windows else lines


def _count_broken(lines: Iterable[Line], faults: dict[str, tuple[int, int]]) -> Iterator[Line]:
    """Yield the lines and fill `faults`: the first line and the number of lines with each fault."""
    for line in lines:
        if reason := line.broken or (_WINDOWS_1252 if line.windows else ""):
            first, count = faults.get(reason, (line.number, 0))
            faults[reason] = first, count + 1
        yield line
