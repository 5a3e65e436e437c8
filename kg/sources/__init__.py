"""Reading papers from files, folders, globs and standard input.

`READERS` is the list of input formats: each recognises its own content and turns numbered lines
of text into papers and problems. `read` does the whole: it finds the files, decodes them, chooses
the reader, and merges what several sources say of one paper.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from kg.sources import (
    arxiv_json,
    arxiv_xml,
    bibtex,
    hugging_face,
    json_lines,
    openalex,
    pages,
    papers_with_code,
    ris,
    semantic_scholar,
    tables,
)
from kg.sources.decoding import decoded
from kg.sources.merging import merged
from kg.sources.places import Place, places
from kg.sources.reading import Line, Problem, Reader
from schemas.errors import FormatError, InputError, InputMissing
from schemas.records import Paper

__all__ = ["READERS", "Problem", "Reader", "read"]

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
    "jsonl": json_lines.READER,
    "pages": pages.READER,
}

#: How many lines a reader sees of a file to recognise it.
_HEAD: Final = 50


def read(
    inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None = None
) -> tuple[Paper, ...]:
    """All papers of the inputs, each once, sorted by id; what could not be read goes to `on_problem`.

    `input_format` forces a reader; otherwise the content decides, file by file.
    Raises `FormatError` for a format that nobody registered.
    """
    if input_format is not None and input_format not in READERS:
        raise FormatError(input_format, READERS)
    return merged(_papers(inputs, on_problem, input_format))


def _papers(inputs: Iterable[str], on_problem: Callable[[Problem], None], input_format: str | None) -> Iterator[Paper]:
    for place in places(inputs):
        if isinstance(place, InputMissing):
            on_problem(Problem.of(place))
            continue
        try:
            for item in _read_place(place, input_format):
                if isinstance(item, Problem):
                    on_problem(item)
                else:
                    yield item
        except InputError as error:
            on_problem(Problem.of(error))


def _read_place(place: Place, input_format: str | None) -> Iterator[Paper | Problem]:
    lines = decoded(place)
    head = list(itertools.islice(lines, _HEAD))
    if len(head) < _HEAD and not any(line.broken or line.text.strip() for line in head):
        raise InputError(place.name, "the file is empty")
    reader = READERS[input_format] if input_format else _recognised(place, head)
    broken: dict[str, list[int]] = defaultdict(list)
    yield from reader.read(place.name, _noting(itertools.chain(head, lines), broken))
    for reason, numbers in broken.items():
        more = f" (so are {len(numbers) - 1} more lines of this file)" if len(numbers) > 1 else ""
        yield Problem(f"{place.name}:{numbers[0]}", reason + more)


def _recognised(place: Place, head: list[Line]) -> Reader:
    for reader in READERS.values():
        if reader.recognises([line.text for line in head if not line.broken]):
            return reader
    for line in head:
        if line.broken:
            raise InputError(f"{place.name}:{line.number}", line.broken)
    known = ", ".join(READERS)
    raise InputError(place.name, f"the content is of no known format; --input-format forces one ({known})")


def _noting(lines: Iterable[Line], broken: dict[str, list[int]]) -> Iterator[Line]:
    """The lines, while the numbers of the broken ones are noted by what is wrong with them."""
    for line in lines:
        if line.broken:
            broken[line.broken].append(line.number)
        yield line
