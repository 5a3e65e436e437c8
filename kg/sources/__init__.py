"""Reading papers from files, folders, globs and standard input.

`READERS` is the list of our input formats, beside which other packages may add theirs: each recognises
its own content and turns numbered lines of text into papers and problems. `gathered` does the whole: it
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
from typing import Final

from kg.sources import (
    arxiv_json,
    arxiv_xml,
    bibtex,
    hugging_face,
    json_lines,
    limits,
    openalex,
    pages,
    papers_with_code,
    parquet,
    ris,
    semantic_scholar,
    tables,
)
from kg.sources.decoding import decoded
from kg.sources.merging import Merged
from kg.sources.places import STANDARD_INPUT, Place, places
from kg.sources.reading import Line, Problem, Reader
from kg.sources.source_names import source_names
from schemas.errors import InputError, PluginError
from schemas.files import shown
from schemas.plugins import Plugin, chosen, names
from schemas.records import Paper, Source

__all__ = ["READERS", "Problem", "Reader", "gathered", "read", "reader"]

_log: Final = logging.getLogger(__name__)

#: The input formats by name, in the order in which they are asked whether a file is theirs.
READERS: Final[dict[str, Reader]] = {
    "openalex": openalex.READER,
    "arxiv-json": arxiv_json.READER,
    "papers-with-code": papers_with_code.READER,
    "hf-daily": hugging_face.READER,
    "semantic-scholar": semantic_scholar.READER,
    "arxiv-xml": arxiv_xml.READER,
    "bibtex": bibtex.READER,
    "ris": ris.READER,
    "csv": tables.READER,
    "parquet": parquet.READER,
    "jsonl": json_lines.READER,
    "pages": pages.READER,
}

#: Those that take anything of their kind, so that they are asked after the formats of other packages.
_GENERAL: Final = ("jsonl", "pages")
#: How many lines a reader sees of a file to recognise it.
_HEAD: Final = 50


def read(
    inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None
) -> tuple[Paper, ...]:
    """All papers of the inputs, as `gathered` has them, in memory."""
    return tuple(gathered(inputs, on_problem, input_format))


def gathered(inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None) -> Merged:
    """All papers of the inputs, each once, in the order of ids, on disk; what could not be read goes to `on_problem`.

    `input_format` forces a reader; otherwise the content decides, file by file.
    Raises `FormatError` for a format that nobody registered, `PluginError` for one that cannot be used.
    """
    if input_format is not None:
        reader(input_format)
    told = _Told(on_problem)
    found = list(places(inputs))
    files = [place for place in found if isinstance(place, Place)]
    merged = Merged(_papers(found, told, input_format), told.lacking, partial(source_names, files))
    for collision in merged.collisions():
        told.collision(*collision)
    told.count_the_others()
    return merged


def reader(name: str) -> Reader:
    """The reader of that name, ours or else another package's.

    Raises `FormatError` with the known names, and `PluginError` for one of another package that cannot be used.
    """
    return chosen("source", name, READERS, _added)


@cache
def _added(plugin: Plugin) -> Reader:
    found = plugin.load_as(Reader)
    asked = plugin.guarded(lambda head: (bool(found.recognises(head)),))
    return replace(found, recognises=lambda head: any(asked(head)), read=plugin.guarded(found.read))


@dataclass(frozen=True, slots=True)
class _Told:
    """The problems of each file: so many are told, the others counted."""

    on_problem: Callable[[Problem], None]
    counts: Counter[str] = field(default_factory=Counter)

    def tell(self, file: str, problem: Problem) -> None:
        self.counts[file] += 1
        if self.counts[file] <= limits.PROBLEMS:
            self.on_problem(problem.in_short())

    def lacking(self, paper: Paper) -> None:
        """Tell what a paper lacks that no other record of it has."""
        source = _source(paper)
        lacks = f"abstract: {paper.title[:60]!r}" if paper.title.strip() else "title"
        self.tell(source.name, Problem(str(source), f"the paper has no {lacks}"))

    def collision(self, paper_id: str, first: Paper, other: Paper) -> None:
        """Report that two different papers carry the same id."""
        source = _source(other)
        message = f"the id {paper_id!r} stands for another paper at {_source(first)}: both papers are kept, and go by "
        message += "their arXiv id, DOI or title; give each paper an id of its own"
        self.tell(source.name, Problem(str(source), message, "warning"))

    def count_the_others(self) -> None:
        for file, count in self.counts.items():
            if count > limits.PROBLEMS:
                more = f"{count - limits.PROBLEMS} more problems in this file are not listed"
                self.on_problem(Problem(file, more))


def _source(paper: Paper) -> Source:
    """Where the paper was read first."""
    return next(iter(paper.sources), Source(paper.id or shown(paper.title)))


def _papers(found: Iterable[Place | InputError], told: _Told, input_format: str | None) -> Iterator[Paper]:
    for place in found:
        if isinstance(place, InputError):
            told.on_problem(Problem.of(place))
            continue
        for item in _whatever(place, input_format):
            if isinstance(item, Paper):
                yield item
            else:
                told.tell(place.name, item)


def _whatever(place: Place, input_format: str | None) -> Iterator[Paper | Problem]:
    """What a file holds; an error that ends it comes out as a problem, too."""
    try:
        yield from _read_place(place, input_format)
    except InputError as error:
        yield Problem.of(error)
    except PluginError as error:
        yield Problem(place.name, str(error))


def _read_place(place: Place, input_format: str | None) -> Iterator[Paper | Problem]:
    binary = reader(input_format) if input_format else _by_magic(place)
    if binary and binary.read_file and place.path != STANDARD_INPUT:
        with place.here() as path:
            yield from binary.read_file(path, place.name)
        return
    lines = decoded(place)
    head = list(itertools.islice(lines, _HEAD))
    if len(head) < _HEAD and not any(line.broken or line.text.strip() for line in head):
        raise InputError(place.name, "the file is empty")
    found = reader(input_format) if input_format else _recognised(place, head)
    broken: dict[str, tuple[int, int]] = {}
    yield from found.read(place.name, _noting(itertools.chain(head, lines), broken))
    for reason, (first, count) in broken.items():
        more = f" (so are {count - 1} more lines of this file)" if count > 1 else ""
        yield Problem(f"{place.name}:{first}", reason + more)


def _by_magic(place: Place) -> Reader | None:
    """The reader of a format that holds no lines of text, by how the file begins."""
    known = [reader for reader in READERS.values() if reader.magic]
    start = place.start(max(len(reader.magic) for reader in known))
    return next((reader for reader in known if start.startswith(reader.magic)), None)


def _recognised(place: Place, head: list[Line]) -> Reader:
    texts = [line.text[: limits.RECOGNISED] for line in head if not line.broken]
    found = next((known for known in _asked() if _takes(known, texts)), None)
    if found:
        return reader(found)
    for line in head:
        if line.broken:
            raise InputError(f"{place.name}:{line.number}", line.broken)
    known = ", ".join((*READERS, *names("source")))
    raise InputError(place.name, f"the content is of no known format; --input-format forces one ({known})")


def _asked() -> Iterator[str]:
    """The names of all formats, in the order in which they are asked whether a file is theirs."""
    yield from (name for name in READERS if name not in _GENERAL)
    yield from (name for name in names("source") if name not in READERS)
    yield from _GENERAL


def _takes(name: str, texts: list[str]) -> bool:
    """Whether a format recognises the first lines; one of another package that cannot be used is passed over."""
    try:
        return reader(name).recognises(texts)
    except PluginError as error:
        _tell(f"{error}; files are read without it")
        return False


@cache
def _tell(warning: str) -> None:
    """Log a warning, once."""
    _log.warning(warning)


def _noting(lines: Iterable[Line], broken: dict[str, tuple[int, int]]) -> Iterator[Line]:
    """The lines, while the first of the broken ones and their count are noted by what is wrong with them."""
    for line in lines:
        if line.broken:
            first, count = broken.get(line.broken, (line.number, 0))
            broken[line.broken] = first, count + 1
        yield line
