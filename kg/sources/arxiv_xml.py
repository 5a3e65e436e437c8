"""arXiv's XML: Atom answers of its API, and OAI-PMH harvests (`arXiv`, `arXivRaw` and Dublin Core records)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.identifiers import arxiv_id, identifier
from citekg.schemas.identifiers import doi as doi_of
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import name_first, submitted
from citekg.sources.extra_links import is_web, web_links
from citekg.sources.fields import InvalidRecord, first
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.text_records import papers
from citekg.sources.unsupported import unread_text
from citekg.sources.xml_records import is_xml, parsed, text, texts, xml_records

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAMES: Final = re.compile(r"https?://www\.w3\.org/2005/Atom|https?://www\.openarchives\.org/OAI/2\.0/")
_ERROR: Final = re.compile(r"/api/errors#")


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_NAMES.search, head)) and not unread_text(head)


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from papers(name, xml_records(name, lines, ("entry", "record")), _paper)


def _paper(written: str, source: Source) -> Paper | None:
    record = parsed(written)
    if record.tag.endswith("}entry"):
        return _entry(record, source)
    if any(part.tag.endswith("}header") and part.get("status") == "deleted" for part in record):
        return None
    return _harvested(record, source)


def _entry(entry: Element, source: Source) -> Paper | None:
    """The paper of an Atom entry; an answer that is an error is told as one."""
    own = text(entry, "id")
    if _ERROR.search(own):
        raise InvalidRecord(f"arXiv answered with an error: {text(entry, 'summary')}")
    doi = text(entry, "doi")
    return fields.paper(
        source,
        text(entry, "title"),
        text(entry, "summary"),
        own_id=own,
        links=(own, doi),
        more=web_links(text(entry, "comment")),
        date=fields.date(text(entry, "published"), text(entry, "updated")),
        authors=fields.names(texts(entry, "name")),
        venue=text(entry, "journal_ref"),
    )


def _harvested(record: Element, source: Source) -> Paper:
    """The paper of an OAI-PMH record, whatever its metadata are written in."""
    own = first(*(name for name in texts(record, "id", "identifier") if arxiv_id(name)))
    arxiv = arxiv_id(own)
    doi = first(text(record, "doi"), *(name for name in texts(record, "identifier") if doi_of(name)))
    return fields.paper(
        source,
        text(record, "title"),
        text(record, "abstract", "description"),
        own_id=text(record, "identifier"),
        links=(f"https://arxiv.org/abs/{arxiv}" if arxiv else "", *texts(record, "identifier"), doi),
        more=web_links(" ".join((*texts(record, "comments"), *texts(record, "description")[1:]))),
        date=_harvested_date(record),
        authors=_people(record),
        venue=text(record, "journal-ref") or (_printed(record) if arxiv else ""),
    )


def _printed(record: Element) -> str:
    """Where it came out, which Dublin Core has among the identifiers."""
    return next((told for told in texts(record, "identifier") if not (identifier(told) or is_web(told))), "")


def _harvested_date(record: Element) -> str:
    """When the first version came: `created`, the first `date` of Dublin Core or of a raw version."""
    return first(*(fields.date(written) or fields.day(written) for written in texts(record, "created", "date")))


def _people(record: Element) -> tuple[str, ...]:
    found = [part for part in record.iter() if part.tag.endswith("}author")]
    if found:
        parts = ((text(one, "forenames"), text(one, "keyname"), text(one, "suffix")) for one in found)
        return tuple(" ".join(" ".join(name).split()) for name in parts)
    creators = texts(record, "creator")
    return tuple(map(name_first, creators)) or submitted(text(record, "authors"))


READER: Final = SourceFormat("arXiv: Atom answers of the API and OAI-PMH XML", _recognises, _read)
