"""How much of an input is taken at most: beyond these, a record or a line is told and passed over.

They lie far above what papers need, and keep a broken or hostile file from taking all memory or for ever.
"""

from __future__ import annotations

from typing import Final

#: Bytes of one line: JSON may hold a whole list of papers on one.
LINE: Final = 256 * 1024 * 1024
#: Bytes of a longer line that are passed over to reach its end, before the rest of the file is given up.
SKIPPED: Final = 4 * LINE
#: Characters of one record: a JSON object, an entry, a row.
RECORD: Final = 32 * 1024 * 1024
#: Characters of a title and an abstract together.
TEXT: Final = 200_000
#: Rows of a table that took in lines below them for a stray quote, before rows must end on their own line.
STRAY_QUOTES: Final = 100
#: Characters of a macro of BibTeX; a longer one is left as its name.
MACRO: Final = 10_000
#: Names of XML that are declared above the records.
NAMESPACES: Final = 100
#: Elements of XML inside one another.
DEPTH: Final = 100
#: Characters of the start of a line by which a format is recognised.
RECOGNISED: Final = 1_000_000
#: Problems of one file that are told one by one; the others are counted.
PROBLEMS: Final = 1_000


def megabytes(size: int) -> str:
    """A limit as a message tells it.

    >>> megabytes(LINE)
    '256 MB'
    """
    return f"{size // 2**20} MB"
