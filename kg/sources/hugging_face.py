"""Hugging Face daily papers: API responses with entries or papers."""

from __future__ import annotations

from typing import Any, Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import first, get_list, get_object, get_text
from citekg.sources.json_records import json_format


def _paper(entry: dict[str, Any], source: Source) -> Paper:
    paper = get_object(entry, "paper") or entry
    own_id = get_text(paper, "id")
    return fields.make_paper(
        source,
        first(get_text(paper, "title"), get_text(entry, "title")),
        first(get_text(paper, "summary"), get_text(entry, "summary")),
        own_id=own_id,
        links=(f"https://huggingface.co/papers/{own_id}" if arxiv_id(own_id) else "", own_id),
        more=(get_text(paper, "githubRepo"), get_text(paper, "projectPage")),
        date=fields.date_prefix(get_text(paper, "publishedAt"), get_text(entry, "publishedAt")),
        authors=fields.author_names(get_list(paper, "authors")),
    )


FORMAT: Final = json_format(
    "Hugging Face daily papers: JSON of the API",
    [frozenset({"paper", "publishedAt"}), frozenset({"summary", "publishedAt"})],
    _paper,
)
