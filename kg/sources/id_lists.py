"""Plain lists of arXiv ids or DOIs, one per line.

They contain no titles, so a build does not accept them; `kg fetch --complete` fetches the papers.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source


def _identifier_text(line: str) -> str:
    """Return the identifier on a line, without separators and quotes."""
    return line.strip().rstrip(",;").strip("\"'")


def _is_blank(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _recognises(head: list[str]) -> bool:
    """Return whether at least half of the lines are identifiers."""
    lines = [_identifier_text(line) for line in head if not _is_blank(line)]
    known = sum(bool(arxiv_id(line) or doi(line)) for line in lines)
    return known > 0 and 2 * known >= len(lines)


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    for line in lines:
        if line.broken or _is_blank(line.text):
            continue
        written = _identifier_text(line.text)
        arxiv = arxiv_id(written)
        own_doi = "" if arxiv else doi(written)
        if arxiv or own_doi:
            source = Source(name, line.number)
            yield Paper(arxiv or own_doi, "", "", arxiv_id=arxiv, doi=own_doi, sources=(source,))
        else:
            yield Problem(
                f"{name}:{line.number}", f"neither an arXiv id nor a DOI: {written[:60]!r}"
            )


def fetch_hint(name: str) -> str:
    """Return the message for a list of ids where papers are expected."""
    return (
        "a list of arXiv ids or DOIs holds no titles and abstracts; fetch them first: "
        f"kg fetch --complete {shlex.quote(name)} -o papers.jsonl"
    )


FORMAT: Final = SourceFormat("a plain list of arXiv ids or DOIs, one a line", _recognises, _read)
