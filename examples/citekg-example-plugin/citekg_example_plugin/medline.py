"""A source: the text that PubMed saves as "PubMed" format, one field a line, a blank line between papers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from kg.sources.reading import Line, Problem, Reader
from schemas.records import Paper, Source

_FIELD = re.compile(r"([A-Z]{2,4}) *- (.*)")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _recognises(head: list[str]) -> bool:
    return any(line.startswith("PMID- ") for line in head)


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    fields: dict[str, list[str]] = defaultdict(list)
    start, tag = 0, ""
    for line in lines:
        found = _FIELD.match(line.text)
        if found and found[1] == "PMID" and fields:
            yield _paper(fields, Source(name, start))
            fields.clear()
        if found:
            tag, text = found.groups()
            start = line.number if tag == "PMID" else start
            fields[tag].append(text.strip())
        elif tag in fields and line.text.startswith("      "):
            fields[tag][-1] += f" {line.text.strip()}"
    if fields:
        yield _paper(fields, Source(name, start))


def _paper(fields: dict[str, list[str]], source: Source) -> Paper | Problem:
    def first(tag: str) -> str:
        return next(iter(fields.get(tag, ())), "")

    if not (first("PMID") and first("TI") and first("AB")):
        return Problem(str(source), "the record lacks PMID, TI or AB")
    return Paper(
        id=f"pmid{first('PMID')}",
        title=first("TI").rstrip("."),
        abstract=first("AB"),
        date=_date(first("DP")),
        authors=tuple(" ".join(reversed(author.split(", ", 1))) for author in fields.get("FAU", ())),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{first('PMID')}/",
        venue=first("JT") or first("TA"),
        sources=(source,),
    )


def _date(written: str) -> str:
    """`2020-12-31` of `2020 Dec 31`, as far as it is told."""
    year, month, day = (*written.split(), "", "", "")[:3]
    if not year.isdigit():
        return ""
    if month not in _MONTHS:
        return year
    date = f"{year}-{_MONTHS.index(month) + 1:02}"
    return f"{date}-{int(day):02}" if day.isdigit() else date


READER = Reader("MEDLINE: the PubMed format of PubMed", _recognises, _read)
