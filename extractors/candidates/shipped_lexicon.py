"""The lexicon that comes with the package, from its tables or from the cache of the user.

The cache holds it in prepared form. The name of the file contains a digest of the tables and of the
code, so that a change of either makes another file.
"""

from __future__ import annotations

import contextlib
import hashlib
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from citekg.extractors.candidates.lexicon import Lexicon, read_table
from citekg.extractors.candidates.prepared_lexicon import read_prepared, write_prepared
from citekg.schemas.code_digest import add_code
from citekg.schemas.user_cache import user_cache
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

#: The code that makes a lexicon, beside that of the schemas.
_CODE: Final = frozenset({"candidates", "markup.py", "wording"})
_FILES: Final = "lexicon-*.json"


@cache
def shipped_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    tables = _tables()
    prepared = _prepared_file(tables)
    lexicon = read_prepared(prepared) if prepared else None
    if lexicon is None:
        lexicon = Lexicon.of(entry for table in tables for entry in read_table(table))
        if prepared:
            _keep(prepared, lexicon)
    return lexicon


def extend_shipped_lexicon(paths: Iterable[Path], vocabulary: Vocabulary = DEFAULT) -> Lexicon:
    """Return the shipped lexicon with the rows of these files before its own, so that they win.

    Raises `LexiconError` for a file that cannot be read or an invalid row.
    """
    own = [e._replace(listed=True) for path in paths for e in read_table(path, vocabulary)]
    return Lexicon.of((*own, *shipped_lexicon().rows), vocabulary) if own else shipped_lexicon()


def _tables() -> list[Path]:
    folder = Path(str(resources.files("citekg.extractors"))) / "lexicons"
    return sorted(folder.glob("*.tsv"))


def _prepared_file(tables: Iterable[Path]) -> Path | None:
    """Return the file of the prepared form, or None if the user has no home folder."""
    hasher = hashlib.sha256(unicodedata.unidata_version.encode())
    for table in tables:
        hasher.update(table.read_bytes())
    add_code(hasher, (), ("citekg.schemas",), lambda path: path.suffix == ".py")
    add_code(
        hasher,
        (),
        ("citekg.extractors",),
        lambda path: path.suffix == ".py" and path.parts[0] in _CODE,
    )
    try:
        return user_cache() / _FILES.replace("*", hasher.hexdigest()[:16])
    except RuntimeError:
        return None


def _keep(file: Path, lexicon: Lexicon) -> None:
    """Write the prepared form and delete those of other versions, if the cache can be written."""
    with contextlib.suppress(OSError):
        write_prepared(file, lexicon)
        for other in file.parent.glob(_FILES):
            if other != file:
                other.unlink(missing_ok=True)
