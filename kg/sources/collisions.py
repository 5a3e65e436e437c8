"""Resolve collisions: records of different papers with the same id.

A local id, such as the number of a row, is only valid in its own source. It joins records with one
title, one DOI or one arXiv id. Otherwise it is dropped, and the key of each record is its arXiv id,
DOI or title.
"""

from __future__ import annotations

from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi, identifier
from citekg.schemas.records import Paper

#: Lists the records whose local id identifies different papers. Untitled records never conflict.
#: Most ids have one record, and an index finds the others.
_FIND: Final = """
    CREATE TABLE collision AS SELECT number, known AS id FROM record WHERE known IN (
        SELECT known FROM record WHERE known IN (
            SELECT known FROM record WHERE known <> x'' GROUP BY known HAVING COUNT(*) > 1
        ) AND NOT lacks & 1 GROUP BY known
        HAVING MAX(bare) AND MIN(title) < MAX(title)
        AND (MIN(doi) < MAX(doi) OR MAX(doi) = x'')
        AND (MIN(arxiv) < MAX(arxiv) OR MAX(arxiv) = x''))"""
#: Drops that id.
_RESOLVE: Final = """
    UPDATE record SET known = CASE WHEN arxiv <> x'' THEN arxiv ELSE doi END, named = arxiv
    WHERE bare AND number IN (SELECT number FROM collision)"""
#: The statements to run on the table of records before the joins.
RESOLVE_COLLISIONS: Final = (_FIND, _RESOLVE)
#: Selects the first record of each paper with such an id, sorted by id.
SELECT_COLLISIONS: Final = """
    SELECT c.id, r.contents, r.offset, r.size, MIN(c.number)
    FROM collision AS c JOIN record AS r ON r.number = c.number
    GROUP BY c.id, r.known ORDER BY c.id, MIN(c.number)"""


def has_local_id(paper: Paper) -> bool:
    """Return whether the id of a record is not an arXiv id, a DOI or a part of its web addresses.

    >>> has_local_id(Paper("17", "Kites", "")), has_local_id(Paper("2405.00001", "Kites", ""))
    (True, False)
    >>> has_local_id(Paper("W17", "Kites", "", url="https://openalex.org/W17"))
    False
    """
    own = paper.id
    if not own or own in (paper.arxiv_id, paper.doi) or arxiv_id(own) or doi(own):
        return False
    pages = (link for link in (paper.url, *paper.links) if own in link)
    return all(identifier(page).partition(":")[2] != own for page in pages)
