"""nbib: PubMed's and MEDLINE's tagged text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields, pubmed
from citekg.sources.authors import name_first
from citekg.sources.fields import first
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.tagged_text import tagged
from citekg.sources.text_records import blocks, papers
from citekg.sources.written_dates import in_words

_OPENS: Final = re.compile(r"PMID ?- ?\d")
_TAG: Final = re.compile(r"([A-Z]{2,4}) *- ?")
#: An identifier with its kind behind it.
_NUMBER: Final = re.compile(r"(\S+) \[(doi|pii)\]")


def _recognises(head: list[str]) -> bool:
    return any(map(_OPENS.match, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from papers(name, blocks(lines, lambda written: bool(_OPENS.match(written))), _paper)


def _paper(written: str, source: Source) -> Paper:
    found = {name: [" ".join(value) for value in values] for name, values in tagged(written, _TAG).items()}

    def one(*names: str) -> str:
        return first(*(value for name in names for value in found.get(name, ())))

    pmid = one("PMID")
    return fields.paper(
        source,
        pubmed.title(one("TI", "BTI", "TT")),
        pubmed.labelled(one("AB")),
        own_id=pubmed.own_id(pmid),
        links=(pubmed.page(pmid), *_identifiers((*found.get("LID", ()), *found.get("AID", ())))),
        more=[f"https://pmc.ncbi.nlm.nih.gov/articles/{pmc}/" for pmc in found.get("PMC", ())],
        date=first(_day(one("DEP")), in_words(one("DP")[:4], one("DP")[4:])),
        authors=(*map(name_first, found.get("FAU") or found.get("AU") or ()), *found.get("CN", ())),
        venue=one("JT", "TA", "BTI"),
    )


def _identifiers(values: Iterable[str]) -> Iterator[str]:
    """The DOI, and the arXiv id, which stands among the publishers' own."""
    for own, kind in (number.groups() for number in map(_NUMBER.fullmatch, values) if number):
        if kind == "doi" or own.lower().startswith("arxiv:"):
            yield own


def _day(written: str) -> str:
    """A day without signs between year, month and day."""
    return fields.date(f"{written[:4]}-{written[4:6]}-{written[6:]}")


READER: Final = SourceFormat("nbib: tagged text of PubMed and MEDLINE", _recognises, _read)
