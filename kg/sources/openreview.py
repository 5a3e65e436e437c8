"""OpenReview notes: answers of both versions of the API, and JSON Lines of notes.

Version 1 gives a field of the content as it is, version 2 as an object with its `value`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import below, first, listed, text
from citekg.sources.json_records import json_reader
from citekg.sources.written_dates import of_milliseconds

_SITE: Final = "https://openreview.net"
#: When a note was published, shown or written.
_DATES: Final = ("pdate", "odate", "cdate", "tcdate")
_LINKS: Final = ("pdf", "html", "code", "project_page", "ee")


def _paper(note: dict[str, Any], source: Source) -> Paper | None:
    """The paper that a note submits; a reply, such as a review or a comment, is none."""
    own, forum = text(note, "id"), text(note, "forum")
    if forum and own and own != forum:
        return None
    content = {name: _value(held) for name, held in below(note, "content").items()}
    return fields.paper(
        source,
        text(content, "title"),
        text(content, "abstract"),
        own_id=own,
        links=(f"{_SITE}/forum?id={own}" if own else "", text(content, "doi"), *_links(content)),
        date=first(*(of_milliseconds(text(note, name)) for name in _DATES)),
        authors=_authors(content),
        venue=text(content, "venue"),
    )


def _value(held: object) -> Any:
    """What a field of the content holds, in either version."""
    return held["value"] if isinstance(held, Mapping) and "value" in held else held


def _links(content: Mapping[str, Any]) -> list[str]:
    """The further links; those of the site itself are given without its name."""
    found = [link for name in _LINKS for link in fields.texts(content, name)]
    return [_SITE + link if link.startswith("/") else link for link in found]


def _authors(content: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the authors, where they are not hidden."""
    people = listed(content, "authors")
    field = "fullname" if any(isinstance(one, Mapping) and "fullname" in one for one in people) else "name"
    return tuple(name for name in fields.names(people, field) if name != "Anonymous")


READER: Final = json_reader(
    "OpenReview notes: JSON of the API (versions 1 and 2) or JSON Lines",
    [frozenset({"forum", "content", "invitation"}), frozenset({"forum", "content", "invitations"})],
    _paper,
    lists=frozenset({"notes"}),
)
