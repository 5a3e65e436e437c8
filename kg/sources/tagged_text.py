"""Parse records of tagged lines; a line without a tag continues the field above it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from citekg.sources.decoding import replace_controls


def parse_tags(written: str, tag: re.Pattern[str]) -> Mapping[str, list[list[str]]]:
    r"""Return the fields by tag: for each occurrence of a tag, the lines of its value.

    `tag` matches the start of a line, with the tag as group 1. Lines above the first tag are
    ignored.

    >>> parse_tags("TI  - Kites\n      fly\nAU  - Lark", re.compile(r"([A-Z]+) *- "))["TI"]
    [['Kites', 'fly']]
    """
    found: defaultdict[str, list[list[str]]] = defaultdict(list)
    value: list[str] = []
    for line in replace_controls(written).splitlines():
        if begun := tag.match(line):
            value = [line[begun.end() :].strip()]
            found[begun[1]].append(value)
        elif line.strip():
            value.append(line.strip())
    return found
