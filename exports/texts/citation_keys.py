"""Citation keys of papers, such as `schulman2017proximal`.

A key is the family name of the first author, the year, and the first content word of the title.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count, product
from string import ascii_lowercase
from typing import Final

from citekg.exports.graphs.node_link import paper_node
from citekg.schemas.records import Paper

_YEAR: Final = re.compile(r"[0-9]{4}(?![0-9])")
_WORD: Final = re.compile(r"[a-z0-9]+")
_SUFFIXES: Final = frozenset({"jr", "sr", "ii", "iii", "iv"})
#: Letters that Unicode does not decompose; apostrophes are removed, as they do not separate words.
_FOLDED: Final = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ł": "l",
        "ħ": "h",
        "ı": "i",
    }
    | dict.fromkeys("'’", "")
)
#: Stop words of titles.
_STOP_WORDS: Final = frozenset(
    """a an and are as at be by can do does for from how in into is it its of on or over
    that the to toward towards under using via what when where which who why with""".split()
)


def cite_keys(papers: Iterable[Paper], taken: Iterable[str] = ()) -> dict[str, str]:
    r"""Return a unique key for `\\cite` of each paper by id, independent of the order of papers.

    Papers with the same key get the suffixes `a`, `b` and so on, in the order of their ids, and so
    does a paper whose key is `taken`. Unknown parts are left out; a paper without any part is named
    by its node.
    """
    by_key: dict[str, list[Paper]] = defaultdict(list)
    for paper in sorted(papers, key=lambda p: p.id):
        by_key[_key(paper)].append(paper)
    used = set(taken)
    single = {key for key, sharing in by_key.items() if len(sharing) == 1} - used
    keys = {by_key[key][0].id: key for key in single}
    used |= single
    for key, sharing in sorted(by_key.items()):
        if key not in single:
            free = (name for name in map(key.__add__, _endings()) if name not in used)
            keys.update((paper.id, name) for paper, name in zip(sharing, free, strict=False))
            used.update(keys[paper.id] for paper in sharing)
    return keys


def _endings() -> Iterator[str]:
    """Yield `a` to `z`, `aa` to `zz`, and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def _key(paper: Paper) -> str:
    year = _YEAR.match(paper.date)
    parts = (
        _family_name(paper.authors[0]) if paper.authors else "",
        year[0] if year else "",
        _title_word(paper.title),
    )
    return "".join(parts) if any(parts) else paper_node(paper.id).replace("~", "_").lower()


def _family_name(author: str) -> str:
    """Return the last word of the family name, which is last or before a comma.

    >>> [_family_name(name) for name in ("Schulman, J.", "Zoë Ångström Jr.", "Shai Ben-David")]
    ['schulman', 'angstrom', 'bendavid']
    """
    family = author.partition(",")[0]
    words = ["".join(_WORD.findall(_fold(word))) for word in family.split()]
    names = [word for word in words if word]
    without_suffix = [word for word in names if word not in _SUFFIXES]
    return next(iter((without_suffix or names)[-1:]), "")


def _title_word(title: str) -> str:
    """Return the first word of a title that is not a stop word, or else the first word.

    >>> _title_word("On the Way to Chain-of-Thought"), _title_word("The")
    ('way', 'the')
    """
    words = _WORD.findall(_fold(title))
    return next((word for word in words if word not in _STOP_WORDS), next(iter(words), ""))


def _fold(text: str) -> str:
    """Return the text in lower case without accents (Unicode NFKD)."""
    if text.isascii():
        return text.lower().replace("'", "")
    decomposed = unicodedata.normalize("NFKD", text.lower()).translate(_FOLDED)
    return "".join(c for c in decomposed if not unicodedata.combining(c))
