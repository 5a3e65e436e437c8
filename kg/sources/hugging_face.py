"""Hugging Face daily papers as the API answers them: a list of entries, or the papers themselves."""

from __future__ import annotations

from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import below, first, listed, text
from citekg.sources.json_records import json_reader


def _paper(entry: dict[str, Any], source: Source) -> Paper:
    paper = below(entry, "paper") or entry
    own_id = text(paper, "id")
    return fields.paper(
        source,
        first(text(paper, "title"), text(entry, "title")),
        first(text(paper, "summary"), text(entry, "summary")),
        own_id=own_id,
        links=(f"https://huggingface.co/papers/{own_id}" if arxiv_id(own_id) else "", own_id),
        more=(text(paper, "githubRepo"), text(paper, "projectPage")),
        date=fields.date(text(paper, "publishedAt"), text(entry, "publishedAt")),
        authors=fields.names(listed(paper, "authors")),
    )


READER: Final = json_reader(
    "Hugging Face daily papers: JSON of the API",
    [frozenset({"paper", "publishedAt"}), frozenset({"summary", "publishedAt"})],
    _paper,
)
