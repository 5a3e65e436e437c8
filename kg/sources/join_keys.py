"""The join keys of paper records: those that share one are records of one paper."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi, semantic_scholar_id
from citekg.schemas.records import Paper
from citekg.sources.keyed_papers import as_bytes

#: The minimum length of a title, in characters, that identifies a paper of one author.
_DISTINCTIVE_LENGTH: Final = 20
_NAME_SUFFIXES: Final = ("jr", "sr", "ii", "iii")
#: The names of the join keys of a record (`join_keys`).
JOIN_KEYS: Final = ("known", "named", "doi", "corpus", "byline", "title", "preprint")


def join_keys(paper: Paper) -> tuple[bytes | bool, ...]:
    """Return the join keys of a record, as UTF-8 bytes, which sort by code point.

    They are in the order of `JOIN_KEYS`: the key of the paper, its name unless that is a DOI, the
    DOI, the corpus id, title with first author, the title, and whether it is a preprint.
    """
    name = paper.id or paper.arxiv_id
    title, preprint = folded_title(paper.title), bool(paper.arxiv_id or arxiv_id(name))
    return (
        as_bytes(name or paper.doi),
        as_bytes("" if doi(name) else name),
        as_bytes(paper.doi),
        as_bytes(_corpus_id(paper)),
        as_bytes(_byline(title, paper.authors) if preprint or paper.doi else ""),
        as_bytes(title),
        preprint,
    )


def folded_title(title: str) -> str:
    """Return a normalised title: NFKC, case-folded, without punctuation and extra spaces."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+|[^\w\s.,:;!?'\"-]", folded))


def _byline(title: str, authors: tuple[str, ...]) -> str:
    """Return a title with the last name of the first author; empty for a title that is too short.

    >>> _byline("kites that learn to fly", ("Vaswaní, A.", "Bo Wren")) == _byline(
    ...     "kites that learn to fly", ("Ada B. Vaswani Jr.",))
    True
    """
    bare = "".join(
        c
        for c in unicodedata.normalize("NFKD", "".join(authors[:1]))
        if not unicodedata.combining(c)
    )
    names = [
        word for word in folded_title(bare).split() if len(word) > 1 and word not in _NAME_SUFFIXES
    ]
    return f"{title} / {names[-1]}" if names and len(title) >= _DISTINCTIVE_LENGTH else ""


def _corpus_id(paper: Paper) -> str:
    """Return the Semantic Scholar corpus id in the links of a paper, if there is exactly one."""
    numbers = {
        semantic_scholar_id(link) for link in (paper.url, *paper.links) if "CorpusID:" in link
    }
    return numbers.pop() if len(numbers) == 1 else ""


def title_id(title: str) -> str:
    """Return the id of a paper without identifiers: a hash of its title."""
    return "t" + hashlib.sha256(folded_title(title).encode()).hexdigest()[:12]
