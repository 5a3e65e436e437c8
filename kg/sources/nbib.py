"""nbib: the tagged text of PubMed and MEDLINE."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields, pubmed
from citekg.sources.authors import given_name_first
from citekg.sources.dates import parse_month_name
from citekg.sources.fields import first
from citekg.sources.tagged_text import parse_tags
from citekg.sources.text_records import block_format

_OPENS: Final = re.compile(r"PMID ?- ?\d")
_TAG: Final = re.compile(r"([A-Z]{2,4}) *- ?")
#: An identifier with its kind in brackets.
_NUMBER: Final = re.compile(r"(\S+) \[(doi|pii)\]")


def _paper(written: str, source: Source) -> Paper:
    found = {
        name: [" ".join(value) for value in values]
        for name, values in parse_tags(written, _TAG).items()
    }

    def one(*names: str) -> str:
        return first(*(value for name in names for value in found.get(name, ())))

    pmid = one("PMID")
    return fields.make_paper(
        source,
        pubmed.strip_full_stop(one("TI", "BTI", "TT")),
        pubmed.sentence_case_labels(one("AB")),
        own_id=pubmed.pubmed_id(pmid),
        links=(
            pubmed.page_url(pmid),
            *_identifiers((*found.get("LID", ()), *found.get("AID", ()))),
        ),
        more=[f"https://pmc.ncbi.nlm.nih.gov/articles/{pmc}/" for pmc in found.get("PMC", ())],
        date=first(_day(one("DEP")), parse_month_name(one("DP")[:4], one("DP")[4:])),
        authors=(
            *map(given_name_first, found.get("FAU") or found.get("AU") or ()),
            *found.get("CN", ()),
        ),
        venue=one("JT", "TA", "BTI"),
    )


def _identifiers(values: Iterable[str]) -> Iterator[str]:
    """Yield the DOI, and the arXiv id, which has the kind of publishers' ids."""
    for own, kind in (number.groups() for number in map(_NUMBER.fullmatch, values) if number):
        if kind == "doi" or own.lower().startswith("arxiv:"):
            yield own


def _day(written: str) -> str:
    """Return the date of YYYYMMDD."""
    return fields.date_prefix(f"{written[:4]}-{written[4:6]}-{written[6:]}")


FORMAT: Final = block_format("nbib: tagged text of PubMed and MEDLINE", _OPENS, _paper)
