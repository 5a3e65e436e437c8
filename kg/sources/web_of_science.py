"""Web of Science: the tagged plain text that the site exports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import given_name_first
from citekg.sources.dates import parse_month_name
from citekg.sources.fields import first
from citekg.sources.tagged_text import parse_tags
from citekg.sources.text_records import block_format

_OPENS: Final = re.compile(r"PT [A-Z]\s*$")
_FILE: Final = re.compile(r"FN (?:Clarivate|Thomson|ISI)\b")
_TAG: Final = re.compile(r"([A-Z][A-Z0-9])(?: |$)")
_END: Final = re.compile(r"^ER\s*$", re.MULTILINE)
#: The DOIs of a cited work: one, or several in brackets.
_CITED: Final = re.compile(r"\bDOI \[?([^\]]+)")


def _recognises(head: list[str]) -> bool:
    return any(map(_FILE.match, head)) or (
        any(map(_OPENS.match, head)) and any(t.startswith("TI ") for t in head)
    )


def _paper(written: str, source: Source) -> Paper:
    found = {
        name: [line for value in values for line in value]
        for name, values in _fields(written).items()
    }

    def one(*names: str) -> str:
        return first(*(" ".join(found[name]) for name in names if name in found))

    doi = one("DI")
    return fields.make_paper(
        source,
        one("TI"),
        one("AB"),
        own_id=one("UT"),
        links=(f"https://doi.org/{doi}" if doi.startswith("10.") else "", doi),
        references=[own for line in found.get("CR", ()) for own in _cited(line)],
        date=parse_month_name(one("PY"), one("PD")) or parse_month_name(one("EA")[-4:], one("EA")),
        authors=(
            *map(given_name_first, found.get("AF") or found.get("AU") or ()),
            *found.get("CA", ()),
        ),
        venue=one("SO", "CT", "J9"),
    )


def _fields(written: str) -> dict[str, list[list[str]]]:
    """Return the fields up to the end tag of the record, which may be missing."""
    end = _END.search(written)
    return dict(parse_tags(written[: end.start()] if end else written, _TAG))


def _cited(line: str) -> Iterator[str]:
    """Yield the DOIs of a cited work."""
    for found in _CITED.findall(line):
        yield from (own.strip().removeprefix("DOI ") for own in found.split(","))


FORMAT: Final = block_format("Web of Science: plain text", _OPENS, _paper, _recognises)
