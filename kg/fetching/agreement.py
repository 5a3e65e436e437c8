"""Record matching: decide whether the paper that a service returns is the one looked up.

A title alone is weak evidence: titles recur over the years, and search engines return the most
similar one. Therefore titles, first authors and years are compared; in doubt, two papers differ.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper
from citekg.sources.join_keys import folded_title

#: Minimum number of letters and digits of a title that is unlikely to recur by chance.
_DISTINCTIVE: Final = 20
#: Minimum `SequenceMatcher` ratio of two titles that differ only in spelling.
_SPELLING: Final = 0.95
#: Minimum word overlap of two titles of papers with the same id: without and with the same author.
_RETITLED: Final = 0.75
_RETITLED_BY_AUTHOR: Final = 0.5
#: Maximum number of years between a preprint and its publication.
_YEARS: Final = 2
#: Arabic or Roman numbers, which distinguish the papers of a series.
_NUMBER: Final = re.compile(r"\d+|\b[ivx]+\b")


def matches_by_title(paper: Paper, found: Paper) -> bool:
    """Return whether the result of a title search is the same paper.

    The normalised titles are equal, or similar and the first author is the same; and arXiv ids,
    first authors and years do not contradict one another.
    """
    same_author = same_first_author(paper, found)
    if paper.arxiv_id and found.arxiv_id and arxiv_id(paper.arxiv_id) != found.arxiv_id:
        return False
    if same_author is False or _years_apart(paper, found) > _YEARS:
        return False
    own, other = _letters(paper.title), _letters(found.title)
    if own == other:
        return len(own) >= _DISTINCTIVE or (bool(own) and same_author is True)
    return same_author is True and _spelled_alike(paper.title, found.title)


def matches_by_id(paper: Paper, found: Paper) -> bool:
    """Return whether the result of an id lookup is the same paper, possibly retitled."""
    own, other = (_letters(one.title) for one in (paper, found))
    if not own or not other or own == other:
        return True
    same_author = same_first_author(paper, found)
    shared = 1.0 if own in other or other in own else _shared_words(paper.title, found.title)
    return same_author is not False and shared >= (
        _RETITLED_BY_AUTHOR if same_author else _RETITLED
    )


def same_first_author(paper: Paper, other: Paper) -> bool | None:
    """Return whether the first authors share a last name; `None` if an author is unknown.

    >>> by = lambda *names: Paper("", "", "", authors=names)
    >>> same_first_author(by("Lark, A."), by("Ada Lark"))
    True
    >>> same_first_author(by("Wei Wu"), by("Wei Xu"))
    False
    """
    one, two = (_name(author.authors) for author in (paper, other))
    if not one or not two:
        return None
    # The last name may come first, so the last word of each name is searched for in the other.
    return one[-1] in two or two[-1] in one


def _name(authors: tuple[str, ...]) -> list[str]:
    """Return the words of the first author's name, without initials."""
    return [
        word for word in folded_title(_unaccented("".join(authors[:1]))).split() if len(word) > 1
    ]


def _years_apart(paper: Paper, other: Paper) -> int:
    years = [one.date[:4] for one in (paper, other)]
    return abs(int(years[0]) - int(years[1])) if all(map(str.isdecimal, years)) else 0


def _spelled_alike(one: str, other: str) -> bool:
    first, second = (folded_title(_unaccented(title)) for title in (one, other))
    alike = SequenceMatcher(None, first, second, autojunk=False).ratio() >= _SPELLING
    return alike and _NUMBER.findall(first) == _NUMBER.findall(second)


def _shared_words(one: str, other: str) -> float:
    words = [set(folded_title(_unaccented(title)).split()) for title in (one, other)]
    return len(words[0] & words[1]) / max(1, min(map(len, words)))


def _letters(title: str) -> str:
    """Return the letters and digits of a title, lower-cased and without accents."""
    return "".join(re.findall(r"[^\W_]", folded_title(_unaccented(title))))


def _unaccented(text: str) -> str:
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)
    )
