"""Reading papers from files, folders, globs and standard input.

`FORMATS` is the list of our input formats, beside which other packages may add theirs: each recognises
its own content and turns numbered lines of text into papers and problems. `read_merged` does the whole: it
finds the files, decodes them, chooses the reader, and merges what several sources say of one paper, without ever
holding all of them; `read` does hold them.
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
from citekg.schemas.plugins import Plugin, plugin_names, resolve
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
from citekg.sources.decoding import decoded, in_windows
from citekg.sources.deduplication import MergedPapers
from citekg.sources.field_names import wanted
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.graph_files import refuse_graph
from citekg.sources.in_memory import Record, read_records
from citekg.sources.input_files import STANDARD_INPUT, InputFile, input_files
from citekg.sources.source_names import source_names
from citekg.sources.unsupported import unread_text

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "FORMATS",
    "Problem",
    "SourceFormat",
    "read_merged",
    "gathered_from_memory",
    "read",
    "source_format",
    "records",
]

_log: Final = logging.getLogger(__name__)

#: The input formats by name, in the order in which they are asked whether a file is theirs.
FORMATS: Final[dict[str, SourceFormat]] = {
    "openalex": openalex.READER,
    "arxiv-json": arxiv_json.READER,
    "papers-with-code": papers_with_code.READER,
    "hf-daily": hugging_face.READER,
    "semantic-scholar": semantic_scholar.READER,
    "crossref": crossref.READER,
    "csl-json": csl_json.READER,
    "openreview": openreview.READER,
    "arxiv-rss": arxiv_rss.READER,
    "arxiv-xml": arxiv_xml.READER,
    "pubmed-xml": pubmed.READER,
    "anthology-xml": anthology.READER,
    "endnote-xml": endnote.READER,
    "bibtex": bibtex.READER,
    "ris": ris.READER,
    "nbib": nbib.READER,
    "web-of-science": web_of_science.READER,
    "csv": tables.READER,
    "parquet": parquet.READER,
    "jsonl": json_lines.READER,
    "pages": daily_papers.READER,
}

#: Those that take anything of their kind, so that they are asked after the formats of other packages.
_GENERAL: Final = ("jsonl", "pages")
#: How many lines a reader sees of a file to recognise it.
_HEAD: Final = 50
_GUESSED: Final = "not UTF-8 text; read as Windows-1252, as Excel writes it"


def read(
    inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None
) -> tuple[Paper, ...]:
    """All papers of the inputs, as `read_merged` has them, in memory."""
    return tuple(read_merged(inputs, on_problem, input_format))


def read_merged(
    inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None
) -> MergedPapers:
    """All papers of the inputs, each once, in the order of ids, on disk; what could not be read goes to `on_problem`.

    `input_format` forces a reader; otherwise the content decides, file by file.
    Raises `FormatError` for a format that nobody registered, `PluginError` for one that cannot be used.
    """
    if input_format is not None:
        source_format(input_format)
    told = _ProblemLog(on_problem)
    found = list(input_files(inputs))
    files = [place for place in found if isinstance(place, InputFile)]
    merged = MergedPapers(_papers(found, told, input_format), told.lacking, partial(source_names, files))
    for collision in merged.collisions():
        told.collision(*collision)
    told.count_the_others()
    return merged


def records(
    inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None
) -> Iterator[Paper]:
    """All records of the inputs in their order, unmerged, also those without a title or an abstract.

    Lists of arXiv ids or DOIs are read, too: their records hold an id alone. Raises as `read_merged` does.
    """
    if input_format is not None:
        source_format(input_format)
    told = _ProblemLog(on_problem)
    yield from _papers(input_files(inputs), told, input_format, id_list=id_lists.READER)
    told.count_the_others()


def gathered_from_memory(
    records: Iterable[Record] | pd.DataFrame, on_problem: Callable[[Problem], None]
) -> MergedPapers:
    """All papers of records in memory, as `read_merged` has those of files."""
    told = _ProblemLog(on_problem)
    merged = MergedPapers(_readable(read_records(records), told), told.lacking)
    for collision in merged.collisions():
        told.collision(*collision)
    told.count_the_others()
    return merged


def _readable(items: Iterable[Paper | Problem], told: _ProblemLog) -> Iterator[Paper]:
    """The papers, while problems are reported."""
    for item in items:
        if isinstance(item, Paper):
            yield item
        else:
            told.tell(item.place.partition(":")[0], item)


def source_format(name: str) -> SourceFormat:
    """The reader of that name, ours or else another package's.

    Raises `FormatError` with the known names, and `PluginError` for one of another package that cannot be used.
    """
    return resolve("source", name, FORMATS, _added)


def holds_papers(path: str) -> bool:
    """Whether a file is one of papers: whether there is a paper with a title among the first it holds."""
    items = itertools.islice(_read_safely(InputFile(path), None, None), _HEAD)
    return any(isinstance(item, Paper) and item.title.strip() for item in items)


@cache
def _added(plugin: Plugin) -> SourceFormat:
    found = plugin.load_as(SourceFormat)
    asked = plugin.guarded(lambda head: (bool(found.recognises(head)),))
    return replace(found, recognises=lambda head: any(asked(head)), read=plugin.guarded(found.read))


@dataclass(frozen=True, slots=True)
class _ProblemLog:
    """The problems of each file: so many are told, the others counted."""

    on_problem: Callable[[Problem], None]
    counts: Counter[str] = field(default_factory=Counter)

    def tell(self, file: str, problem: Problem) -> None:
        self.counts[file] += 1
        if self.counts[file] <= limits.PROBLEMS:
            self.on_problem(problem.in_short())

    def lacking(self, paper: Paper) -> None:
        """Report a record without a title, which no other record of the paper has."""
        source = _source(paper)
        self.tell(source.name, Problem(str(source), "the paper has no title"))

    def collision(self, paper_id: str, first: Paper, other: Paper) -> None:
        """Report that two different papers carry the same id."""
        source = _source(other)
        message = f"the id {paper_id!r} stands for another paper at {_source(first)}: both papers are kept, and go by "
        message += "their arXiv id, DOI or title; give each paper an id of its own"
        self.tell(source.name, Problem(str(source), message, warning=True))

    def count_the_others(self) -> None:
        for file, count in self.counts.items():
            if count > limits.PROBLEMS:
                more = f"{count - limits.PROBLEMS} more problems in this file are not listed"
                self.on_problem(Problem(file, more))


def _source(paper: Paper) -> Source:
    """Where the paper was read first."""
    return next(iter(paper.sources), Source(paper.id or printable(paper.title)))


def _papers(
    found: Iterable[InputFile | InputError],
    told: _ProblemLog,
    input_format: str | None,
    id_list: SourceFormat | None = None,
) -> Iterator[Paper]:
    """Every record of the files; `id_list` reads lists of identifiers, which are refused without it."""
    for place in found:
        if isinstance(place, InputError):
            told.on_problem(Problem.of(place))
            continue
        for item in _read_safely(place, input_format, id_list):
            if isinstance(item, Paper):
                yield item
            else:
                told.tell(place.name, item)


def _read_safely(place: InputFile, input_format: str | None, id_list: SourceFormat | None) -> Iterator[Paper | Problem]:
    """What a file holds; an error that ends it comes out as a problem, too."""
    try:
        yield from _read_place(place, input_format, id_list)
    except InputError as error:
        yield Problem.of(error)
    except PluginError as error:
        yield Problem(place.name, str(error))


def _read_place(place: InputFile, input_format: str | None, id_list: SourceFormat | None) -> Iterator[Paper | Problem]:
    binary = source_format(input_format) if input_format else _by_magic(place)
    if binary and binary.read_file and place.path != STANDARD_INPUT:
        with place.here() as path:
            yield from binary.read_file(path, place.name)
        return
    lines = decoded(place)
    head = list(itertools.islice(lines, _HEAD))
    if len(head) < _HEAD and not any(line.broken or line.text.strip() for line in head):
        raise InputError(place.name, "the file is empty")
    if not input_format:
        refuse_graph(place.name, head)
    found = source_format(input_format) if input_format else _recognised(place, head, id_list)
    noted: dict[str, tuple[int, int]] = {}
    yield from found.read(place.name, _noting(_legible(itertools.chain(head, lines), found), noted))
    for reason, (first, count) in noted.items():
        more = f" (so are {count - 1} more lines of this file)" if count > 1 else ""
        yield Problem(f"{place.name}:{first}", reason + more, warning=reason == _GUESSED)


def _by_magic(place: InputFile) -> SourceFormat | None:
    """The reader of a format that holds no lines of text, by how the file begins."""
    known = [source_format for source_format in FORMATS.values() if source_format.magic]
    start = place.start(max(len(source_format.magic) for source_format in known))
    return next((source_format for source_format in known if start.startswith(source_format.magic)), None)


def _recognised(place: InputFile, head: list[Line], id_list: SourceFormat | None) -> SourceFormat:
    if id_lists.READER.recognises(_texts(head)):
        if id_list is None:
            raise InputError(place.name, id_lists.hint(place.name))
        return id_list
    name = next((known for known in _asked() if _takes(known, head)), None)
    if name in (None, *_GENERAL) and (refused := unread_text(_texts(head))):
        raise InputError(f"{place.name}:1", f"this is {refused}")
    columns = tables.unknown_columns(_texts(in_windows(head))) if name in (None, "pages") else []
    if columns:
        raise InputError(f"{place.name}:1", wanted(columns))
    if name:
        return source_format(name)
    for line in head:
        if line.broken:
            raise InputError(f"{place.name}:{line.number}", line.broken)
    known = ", ".join((*FORMATS, *plugin_names("source")))
    raise InputError(place.name, f"the content is of no known format; --input-format forces one ({known})")


def _texts(head: Iterable[Line]) -> list[str]:
    """The lines by which a format is recognised."""
    return [line.text[: limits.RECOGNISED] for line in head if not line.broken]


def _asked() -> Iterator[str]:
    """The names of all formats, in the order in which they are asked whether a file is theirs."""
    yield from (name for name in FORMATS if name not in _GENERAL)
    yield from (name for name in plugin_names("source") if name not in FORMATS)
    yield from _GENERAL


def _takes(name: str, head: list[Line]) -> bool:
    """Whether a format recognises the first lines; one of another package that cannot be used is passed over."""
    try:
        known = source_format(name)
        return known.recognises(_texts(_legible(head, known)))
    except PluginError as error:
        _tell(f"{error}; files are read without it")
        return False


@cache
def _tell(warning: str) -> None:
    """Log a warning, once."""
    _log.warning(warning)


def _legible(lines: Iterable[Line], known: SourceFormat) -> Iterable[Line]:
    """The lines, in Windows-1252 where the format allows that."""
    return in_windows(lines) if known.windows else lines


def _noting(lines: Iterable[Line], noted: dict[str, tuple[int, int]]) -> Iterator[Line]:
    """The lines, while the first of those that are not as they should be and their count are noted by the reason."""
    for line in lines:
        if reason := line.broken or (_GUESSED if line.windows else ""):
            first, count = noted.get(reason, (line.number, 0))
            noted[reason] = first, count + 1
        yield line
