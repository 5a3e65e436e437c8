"""Citation keys of papers, such as `schulman2017proximal`.

A key is the family name of the first author, the year, and the first word of the title that tells something.
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
#: Letters that Unicode does not decompose into a base letter and an accent; apostrophes part no words.
_FOLDED: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i"}
    | dict.fromkeys("'’", "")
)
#: Words that tell nothing of a title.
_STOP_WORDS: Final = frozenset(
    """a an and are as at be by can do does for from how in into is it its of on or over that the to toward towards
    under using via what when where which who why with""".split()
)


def cite_keys(papers: Iterable[Paper]) -> dict[str, str]:
    r"""What `\\cite` calls each paper, by its id; different for all of them, and the same whatever their order.

    Papers of one key get `a`, `b` and so on behind it, in the order of their ids. A part that is not known is left
    out; a paper of which nothing is known goes by its node's name.
    """
    by_key: dict[str, list[Paper]] = defaultdict(list)
    for paper in sorted(papers, key=lambda p: p.id):
        by_key[_key(paper)].append(paper)
    taken = {key for key, sharing in by_key.items() if len(sharing) == 1}
    keys = {sharing[0].id: key for key, sharing in by_key.items() if len(sharing) == 1}
    for key, sharing in sorted(by_key.items()):
        if len(sharing) > 1:
            free = (name for name in map(key.__add__, _endings()) if name not in taken)
            keys.update((paper.id, name) for paper, name in zip(sharing, free, strict=False))
            taken.update(keys[paper.id] for paper in sharing)
    return keys


def _endings() -> Iterator[str]:
    """`a` to `z`, `aa` to `zz`, and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def _key(paper: Paper) -> str:
    year = _YEAR.match(paper.date)
    parts = (_family_name(paper.authors[0]) if paper.authors else "", year[0] if year else "", _title_word(paper.title))
    return "".join(parts) if any(parts) else paper_node(paper.id).replace("~", "_").lower()


def _family_name(author: str) -> str:
    """The last word of the family name, which stands last or before a comma.

    >>> [_family_name(name) for name in ("John Schulman", "Schulman, J.", "Zoë Ångström Jr.", "Shai Ben-David")]
    ['schulman', 'schulman', 'angstrom', 'bendavid']
    """
    family = author.partition(",")[0]
    words = ["".join(_WORD.findall(_folded(word))) for word in family.split()]
    names = [word for word in words if word]
    telling = [word for word in names if word not in _SUFFIXES]
    return next(iter((telling or names)[-1:]), "")


def _title_word(title: str) -> str:
    """The first word of a title that tells something of it.

    >>> _title_word("On the Way to Chain-of-Thought"), _title_word("The")
    ('way', 'the')
    """
    words = _WORD.findall(_folded(title))
    return next((word for word in words if word not in _STOP_WORDS), next(iter(words), ""))


def _folded(text: str) -> str:
    """The text in small ASCII letters, as far as its letters have one."""
    apart = unicodedata.normalize("NFKD", text.lower()).translate(_FOLDED)
    return "".join(c for c in apart if not unicodedata.combining(c))
