"""Whether a paper that a service found is the one that was looked up.

A title alone proves little: years repeat titles, and search engines answer with the nearest one. So titles, first
authors and years are compared, and where they leave a doubt, the papers are taken for different ones.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Final

from citekg.schemas.identifiers import arxiv_id
from citekg.schemas.records import Paper
from citekg.sources.deduplication import folded_title

#: Letters and digits of a title that no other paper is likely to have by chance.
_DISTINCTIVE: Final = 20
#: Similarity of two titles that may differ in spelling alone, as `SequenceMatcher` measures it.
_SPELLING: Final = 0.95
#: Share of the shorter title's words in the other one, for papers with the same id; less by the same first author.
_RENAMED: Final = 0.75
_RENAMED_BY_AUTHOR: Final = 0.5
#: Years that may pass from a preprint to its publication.
_YEARS: Final = 2
#: What numbers a paper of a series.
_NUMBER: Final = re.compile(r"\d+|\b[ivx]+\b")


def found_by_title(paper: Paper, found: Paper) -> bool:
    """Whether the answer to a title is the same paper.

    The titles are equal but for case, accents and punctuation, or, by the same first author, but for the spelling;
    neither arXiv ids nor first authors nor years contradict each other.
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


def found_by_id(paper: Paper, found: Paper) -> bool:
    """Whether the answer to an id is the same paper, which may have been renamed since."""
    own, other = (_letters(one.title) for one in (paper, found))
    if not own or not other or own == other:
        return True
    same_author = same_first_author(paper, found)
    shared = 1.0 if own in other or other in own else _shared_words(paper.title, found.title)
    return same_author is not False and shared >= (_RENAMED_BY_AUTHOR if same_author else _RENAMED)


def same_first_author(paper: Paper, other: Paper) -> bool | None:
    """Whether the first authors have the same last name; `None` where one is not known.

    >>> by = lambda *names: Paper("", "", "", authors=names)
    >>> same_first_author(by("Lark, A."), by("Ada Lark")), same_first_author(by("Wei Wu"), by("Wei Xu"))
    (True, False)
    """
    one, two = (_name(author.authors) for author in (paper, other))
    if not one or not two:
        return None
    # A name may have its last part first, so each side's last word is sought anywhere in the other.
    return one[-1] in two or two[-1] in one


def _name(authors: tuple[str, ...]) -> list[str]:
    """The words of the first author's name, without initials."""
    return [word for word in folded_title(_unaccented("".join(authors[:1]))).split() if len(word) > 1]


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
    """The letters and digits of a title, without case and accents."""
    return "".join(re.findall(r"[^\W_]", folded_title(_unaccented(title))))


def _unaccented(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
