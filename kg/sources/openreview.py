"""OpenReview notes: responses of both versions of the API, and JSON Lines of notes.

A field of the content is a plain value in version 1 and an object with a `value` in version 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.dates import date_from_milliseconds
from citekg.sources.fields import first, get_list, get_object, get_text
from citekg.sources.json_records import json_format

_SITE: Final = "https://openreview.net"
#: The fields of dates: published, shown online, created.
_DATES: Final = ("pdate", "odate", "cdate", "tcdate")
_LINKS: Final = ("pdf", "html", "code", "project_page", "ee")


def _paper(note: dict[str, Any], source: Source) -> Paper | None:
    """Return the paper of a submission; None for a reply, such as a review or a comment."""
    own, forum = get_text(note, "id"), get_text(note, "forum")
    if forum and own and own != forum:
        return None
    content = {name: _value(held) for name, held in get_object(note, "content").items()}
    return fields.make_paper(
        source,
        get_text(content, "title"),
        get_text(content, "abstract"),
        own_id=own,
        links=(
            f"{_SITE}/forum?id={own}" if own else "",
            get_text(content, "doi"),
            *_links(content),
        ),
        date=first(*(date_from_milliseconds(get_text(note, name)) for name in _DATES)),
        authors=_authors(content),
        venue=get_text(content, "venue"),
    )


def _value(held: object) -> Any:
    """Return the value of a field of the content, in either version."""
    return held["value"] if isinstance(held, Mapping) and "value" in held else held


def _links(content: Mapping[str, Any]) -> list[str]:
    """Return the further links; paths on the site become web addresses."""
    found = [link for name in _LINKS for link in fields.get_texts(content, name)]
    return [_SITE + link if link.startswith("/") else link for link in found]


def _authors(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the authors, unless they are anonymous."""
    people = get_list(content, "authors")
    field = (
        "fullname"
        if any(isinstance(one, Mapping) and "fullname" in one for one in people)
        else "name"
    )
    return tuple(name for name in fields.author_names(people, field) if name != "Anonymous")


FORMAT: Final = json_format(
    "OpenReview notes: JSON of the API (versions 1 and 2) or JSON Lines",
    [frozenset({"forum", "content", "invitation"}), frozenset({"forum", "content", "invitations"})],
    _paper,
    lists=frozenset({"notes"}),
)
