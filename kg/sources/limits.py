"""Limits of the input; a record or line beyond them is reported and skipped.

They are far above what papers need. They bound memory and time for broken or hostile files.
"""

from __future__ import annotations

from typing import Final

#: Bytes of one line: JSON may have a whole list of papers on one.
MAX_LINE_BYTES: Final = 256 * 1024 * 1024
#: Bytes of a longer line that are skipped to reach its end, before the rest of the file is skipped.
MAX_SKIPPED_BYTES: Final = 4 * MAX_LINE_BYTES
#: Characters of one record: a JSON object, an entry, a row.
MAX_RECORD_LENGTH: Final = 32 * 1024 * 1024
#: Characters of a title and an abstract together.
MAX_TEXT_LENGTH: Final = 200_000
#: Rows of a table that ran over several lines in error, before rows must end on their own line.
MAX_STRAY_QUOTES: Final = 100
#: Characters of a BibTeX macro; a longer one is left as its name.
MAX_MACRO_LENGTH: Final = 10_000
#: XML namespaces declared above the records.
MAX_NAMESPACES: Final = 100
#: Nesting depth of XML elements.
MAX_DEPTH: Final = 100
#: Characters at the start of a line that format detection sees.
MAX_HEAD_LENGTH: Final = 1_000_000
#: Problems of one file that are listed; the others are counted.
MAX_PROBLEMS: Final = 1_000


def megabytes(size: int) -> str:
    """Return a number of bytes or characters as messages show it.

    >>> megabytes(MAX_LINE_BYTES)
    '256 MB'
    """
    return f"{size // 2**20} MB"
