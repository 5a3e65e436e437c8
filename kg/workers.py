"""Reading papers in several processes at once, with the same result as in one."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

from schemas.errors import ExtractionError
from schemas.records import Paper, PaperEntity, Reading

if TYPE_CHECKING:
    from extractors.reading import Reader

#: What keeps numpy's matrix products to one thread, if it is set before numpy is imported: on one
#: paper's small matrices more threads only wait for one another.
ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
_CHUNK: Final = 32

#: What a worker sends back of a paper: its sentences and entities; the paper itself stays at home.
_Found = tuple[tuple[tuple[int, int], ...], tuple[PaperEntity, ...]]

_reader: Reader


def read_in_workers(reader: Reader, papers: tuple[Paper, ...], workers: int) -> Iterator[Reading]:
    """The papers, each read, in the order given, by so many processes.

    Raises `ExtractionError` where a process is ended from outside. A script that calls this must
    keep its own start behind `if __name__ == "__main__"`, because every process imports it anew.
    """
    chunks = [papers[i : i + _CHUNK] for i in range(0, len(papers), _CHUNK)]
    context = get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(chunks)) or 1, context, _start, (reader,)) as pool:
        with _environment(ONE_THREAD):
            found = pool.map(_read, chunks)
        try:
            for chunk, results in zip(chunks, found, strict=True):
                for paper, (sentences, entities) in zip(chunk, results, strict=True):
                    yield Reading(paper, sentences, entities)
        except BrokenProcessPool as error:
            raise ExtractionError("a worker was ended from outside (out of memory?): use fewer workers") from error


def _start(reader: Reader) -> None:
    """Make a new process ready; an interrupt is left to the process that waits for the results."""
    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _reader = reader


def _read(papers: Iterable[Paper]) -> list[_Found]:
    readings = (_reader.read(paper) for paper in papers)
    return [(reading.sentences, reading.entities) for reading in readings]


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Environment variables that hold for the processes started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
