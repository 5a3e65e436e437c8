"""arXiv's XML: Atom of its API, and OAI-PMH records (`arXiv`, `arXivRaw`, Dublin Core)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.identifiers import arxiv_id, identifier
from citekg.schemas.identifiers import doi as doi_of
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.authors import given_name_first, parse_arxiv_authors
from citekg.sources.extra_links import find_urls, is_web_url
from citekg.sources.fields import InvalidRecord, first
from citekg.sources.text_records import parse_blocks
from citekg.sources.unsupported import unsupported_text
from citekg.sources.xml_records import is_xml, parse_element, text_named, texts_named, xml_records

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAMES: Final = re.compile(
    r"https?://www\.w3\.org/2005/Atom|https?://www\.openarchives\.org/OAI/2\.0/"
)
_ERROR: Final = re.compile(r"/api/errors#")


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_NAMES.search, head)) and not unsupported_text(head)


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from parse_blocks(name, xml_records(name, lines, ("entry", "record")), _paper)


def _paper(written: str, source: Source) -> Paper | None:
    record = parse_element(written)
    if record.tag.endswith("}entry"):
        return _entry(record, source)
    if any(part.tag.endswith("}header") and part.get("status") == "deleted" for part in record):
        return None
    return _harvested(record, source)


def _entry(entry: Element, source: Source) -> Paper | None:
    """Return the paper of an Atom entry. Raises `InvalidRecord` for an error of the API."""
    own = text_named(entry, "id")
    if _ERROR.search(own):
        raise InvalidRecord(f"arXiv answered with an error: {text_named(entry, 'summary')}")
    doi = text_named(entry, "doi")
    return fields.make_paper(
        source,
        text_named(entry, "title"),
        text_named(entry, "summary"),
        own_id=own,
        links=(own, doi),
        more=find_urls(text_named(entry, "comment")),
        date=fields.date_prefix(text_named(entry, "published"), text_named(entry, "updated")),
        authors=fields.author_names(texts_named(entry, "name")),
        venue=text_named(entry, "journal_ref"),
    )


def _harvested(record: Element, source: Source) -> Paper:
    """Return the paper of an OAI-PMH record in any of the metadata formats."""
    own = first(*(name for name in texts_named(record, "id", "identifier") if arxiv_id(name)))
    arxiv = arxiv_id(own)
    doi = first(
        text_named(record, "doi"),
        *(name for name in texts_named(record, "identifier") if doi_of(name)),
    )
    return fields.make_paper(
        source,
        text_named(record, "title"),
        text_named(record, "abstract", "description"),
        own_id=text_named(record, "identifier"),
        links=(
            f"https://arxiv.org/abs/{arxiv}" if arxiv else "",
            *texts_named(record, "identifier"),
            doi,
        ),
        more=find_urls(
            " ".join((*texts_named(record, "comments"), *texts_named(record, "description")[1:]))
        ),
        date=_harvested_date(record),
        authors=_authors(record),
        venue=text_named(record, "journal-ref") or (_publication(record) if arxiv else ""),
    )


def _publication(record: Element) -> str:
    """Return the journal reference, which Dublin Core has among the identifiers."""
    return next(
        (
            value
            for value in texts_named(record, "identifier")
            if not (identifier(value) or is_web_url(value))
        ),
        "",
    )


def _harvested_date(record: Element) -> str:
    """Return the date of the first version: `created`, or the first `date`."""
    return first(
        *(
            fields.date_prefix(written) or fields.parse_email_date(written)
            for written in texts_named(record, "created", "date")
        )
    )


def _authors(record: Element) -> tuple[str, ...]:
    found = [part for part in record.iter() if part.tag.endswith("}author")]
    if found:
        parts = (
            (text_named(one, "forenames"), text_named(one, "keyname"), text_named(one, "suffix"))
            for one in found
        )
        return tuple(" ".join(" ".join(name).split()) for name in parts)
    creators = texts_named(record, "creator")
    return tuple(map(given_name_first, creators)) or parse_arxiv_authors(
        text_named(record, "authors")
    )


FORMAT: Final = SourceFormat("arXiv: Atom answers of the API and OAI-PMH XML", _recognises, _read)
