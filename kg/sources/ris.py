"""RIS: the tagged records of reference managers, read by rispy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import name_first
from citekg.sources.decoding import cleaned
from citekg.sources.fields import InvalidRecord, first, text
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.text_records import blocks, papers

_OPENS: Final = re.compile(r"\s*TY {1,2}-\s*\S")
_TAG: Final = re.compile(r"^\s*([A-Z][A-Z0-9]) {1,2}- ?", re.MULTILINE)
_ENDS: Final = re.compile(r"^ER  - *$", re.MULTILINE)
_LINKS: Final = ("file_attachments1", "file_attachments2")
_VENUES: Final = ("secondary_title", "journal_name", "alternate_title3", "alternate_title2", "alternate_title1")


def _recognises(head: list[str]) -> bool:
    return any(map(_OPENS.match, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from papers(name, blocks(lines, lambda written: bool(_OPENS.match(written))), _paper)


def _paper(written: str, source: Source) -> Paper:
    record = _record(written)
    links = [cleaned(str(link)) for link in record.get("urls", [])]
    doi = text(record, "doi")
    people = [str(one) for name in ("authors", "first_authors") for one in record.get(name, [])]
    return fields.paper(
        source,
        first(text(record, "title"), text(record, "primary_title")),
        first(text(record, "abstract"), text(record, "notes_abstract")),
        links=(*links, f"https://doi.org/{doi}" if doi.startswith("10.") else doi, doi),
        more=[one for name in _LINKS for one in fields.texts(record, name)],
        date=max((_date(text(record, name)) for name in ("date", "year", "publication_year")), key=len),
        authors=tuple(cleaned(name_first(one)) for one in people),
        venue=first(*(text(record, name) for name in _VENUES)),
    )


def _record(written: str) -> dict[str, Any]:
    """The fields of one record, whose end may be missing. Raises `Unfit` for what is none."""
    import rispy

    tagged = _TAG.sub(r"\1  - ", written)
    end = _ENDS.search(tagged)
    found = rispy.loads((tagged[: end.start()] if end else tagged + "\n") + "ER  - \n")
    if not found:
        raise InvalidRecord("not a whole RIS record")
    return dict(found[0])


def _date(written: str) -> str:
    """RIS writes YYYY/MM/DD/other, any part of it empty."""
    return fields.date("-".join(part.zfill(2) for part in written.split("/")[:3] if part), written)


READER: Final = SourceFormat("RIS: the records of reference managers", _recognises, _read)
