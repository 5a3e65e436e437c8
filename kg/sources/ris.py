"""RIS: tagged records of reference managers, parsed by rispy."""

from __future__ import annotations

import re
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import given_name_first
from citekg.sources.decoding import replace_controls
from citekg.sources.fields import InvalidRecord, first, get_text
from citekg.sources.text_records import block_format

_OPENS: Final = re.compile(r"\s*TY {1,2}-\s*\S")
_TAG: Final = re.compile(r"^\s*([A-Z][A-Z0-9]) {1,2}- ?", re.MULTILINE)
_ENDS: Final = re.compile(r"^ER  - *$", re.MULTILINE)
_LINKS: Final = ("file_attachments1", "file_attachments2")
_VENUES: Final = (
    "secondary_title",
    "journal_name",
    "alternate_title3",
    "alternate_title2",
    "alternate_title1",
)


def _paper(written: str, source: Source) -> Paper:
    record = _record(written)
    links = [replace_controls(str(link)) for link in record.get("urls", [])]
    doi = get_text(record, "doi")
    people = [str(one) for name in ("authors", "first_authors") for one in record.get(name, [])]
    return fields.make_paper(
        source,
        first(get_text(record, "title"), get_text(record, "primary_title")),
        first(get_text(record, "abstract"), get_text(record, "notes_abstract")),
        links=(*links, f"https://doi.org/{doi}" if doi.startswith("10.") else doi, doi),
        more=[one for name in _LINKS for one in fields.get_texts(record, name)],
        date=max(
            (_date(get_text(record, name)) for name in ("date", "year", "publication_year")),
            key=len,
        ),
        authors=tuple(replace_controls(given_name_first(one)) for one in people),
        venue=first(*(get_text(record, name) for name in _VENUES)),
    )


def _record(written: str) -> dict[str, Any]:
    """Return the fields of a record; its end tag may be missing. Raises `InvalidRecord`."""
    import rispy

    tagged = _TAG.sub(r"\1  - ", written)
    end = _ENDS.search(tagged)
    found = rispy.loads((tagged[: end.start()] if end else tagged + "\n") + "ER  - \n")
    if not found:
        raise InvalidRecord("not a whole RIS record")
    return dict(found[0])


def _date(written: str) -> str:
    """Return the date of YYYY/MM/DD/other, of which any part may be empty."""
    return fields.date_prefix(
        "-".join(part.zfill(2) for part in written.split("/")[:3] if part), written
    )


FORMAT: Final = block_format("RIS: the records of reference managers", _OPENS, _paper)
