"""Names of authors as tables and reference managers write them."""

from __future__ import annotations

import re
from typing import Final

#: What stands in parentheses, which may hold others.
_ASIDE: Final = re.compile(r"\((?:[^()]|\([^()]*\))*\)")


def name_first(name: str) -> str:
    """A name with its last part first, turned around; any other name as it is.

    >>> name_first("Lark, Ada B."), name_first("Wren, Bo, Jr."), name_first("Ada Lark")
    ('Ada B. Lark', 'Bo Wren Jr.', 'Ada Lark')
    """
    last, given, suffix = [*(part.strip() for part in name.split(",", 2)), "", ""][:3]
    return " ".join(f"{given} {last} {suffix}".split())


def people(written: str) -> tuple[str, ...]:
    """The authors of one text: parted by semicolons or bars, else by "and", else by commas.

    >>> people("Lark, Ada; Wren, Bo"), people("Ada Lark and Bo Wren"), people("Ada Lark, Bo Wren")
    (('Ada Lark', 'Bo Wren'), ('Ada Lark', 'Bo Wren'), ('Ada Lark', 'Bo Wren'))
    """
    for sign in (";", "|", " and "):
        if sign in written:
            return tuple(filter(None, (name_first(one) for one in written.split(sign))))
    return tuple(" ".join(one.split()) for one in written.split(",") if one.strip())


def submitted(written: str) -> tuple[str, ...]:
    """The authors as they are submitted to arXiv: on one line, their institutions in parentheses left out.

    >>> submitted("Ada Lark (1 and 2), Bo Wren (2) and Cy Owl ((1) Sky, (2) Sea)")
    ('Ada Lark', 'Bo Wren', 'Cy Owl')
    """
    names = re.split(r",|\sand\s", _ASIDE.sub(" ", written))
    return tuple(" ".join(name.split()) for name in names if name.strip())
