"""The fields of a record whose lines begin with a tag, or with spaces where they go on with a field."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from citekg.sources.decoding import cleaned


def tagged(written: str, tag: re.Pattern[str]) -> Mapping[str, list[list[str]]]:
    r"""The fields by tag: for each time that a tag stands there, the lines of its value.

    `tag` matches the start of a line and holds the tag as its group; what stands above the first is no field.

    >>> tagged("TI  - Kites\n      fly\nAU  - Lark\nAU  - Wren", re.compile(r"([A-Z]+) *- "))["TI"]
    [['Kites', 'fly']]
    """
    found: defaultdict[str, list[list[str]]] = defaultdict(list)
    value: list[str] = []
    for line in cleaned(written).splitlines():
        if begun := tag.match(line):
            value = [line[begun.end() :].strip()]
            found[begun[1]].append(value)
        elif line.strip():
            value.append(line.strip())
    return found
