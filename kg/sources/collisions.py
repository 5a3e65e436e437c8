"""Records of different papers that carry the same id.

A bare id means something in its own source only, such as the number of a row. It joins records that have one title,
one DOI or one arXiv id. Where they have not, it names none of them: each goes by its arXiv id, DOI or title instead.
"""

from __future__ import annotations

from typing import Final

from citekg.schemas.identifiers import arxiv_id, doi, identifier
from citekg.schemas.records import Paper

#: Lists the records whose bare id stands for different papers. A record without a title can contradict none.
_FIND: Final = """
    CREATE TABLE collision AS SELECT rowid AS number, known AS id FROM record WHERE known IN (
        SELECT known FROM record WHERE known <> x'' AND NOT lacks & 1 GROUP BY known
        HAVING MAX(bare) AND MIN(title) < MAX(title)
        AND (MIN(doi) < MAX(doi) OR MAX(doi) = x'') AND (MIN(arxiv) < MAX(arxiv) OR MAX(arxiv) = x''))"""
#: Takes the id from them.
_RESOLVE: Final = """
    UPDATE record SET known = CASE WHEN arxiv <> x'' THEN arxiv ELSE doi END, named = arxiv
    WHERE bare AND rowid IN (SELECT number FROM collision)"""
#: The statements to run on the table of records before any others are joined.
RESOLUTION: Final = (_FIND, _RESOLVE)
#: The first record of each paper that has such an id, by the id.
COLLIDING: Final = """
    SELECT id, paper, MIN(number) FROM collision JOIN record ON record.rowid = number
    GROUP BY id, known ORDER BY id, MIN(number)"""


def is_bare(paper: Paper) -> bool:
    """Whether the id of a record is neither an arXiv id, nor a DOI, nor the one that a site has in the paper's address.

    >>> is_bare(Paper("17", "Kites", "")), is_bare(Paper("2405.00001", "Kites", ""))
    (True, False)
    >>> is_bare(Paper("W17", "Kites", "", url="https://openalex.org/W17"))
    False
    """
    own = paper.id
    if not own or own in (paper.arxiv_id, paper.doi) or arxiv_id(own) or doi(own):
        return False
    pages = (link for link in (paper.url, *paper.links) if own in link)
    return all(identifier(page).partition(":")[2] != own for page in pages)
