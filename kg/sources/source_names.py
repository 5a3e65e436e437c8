"""The names under which papers record the files that they were read from.

A file is known by its name alone, without folder, host or user, so that the same papers give the same graph
wherever they lie. Where files with the same name hold different papers, a digest of these papers is added.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Final

from citekg.schemas.files import printable
from citekg.schemas.records import Paper
from citekg.sources.input_files import STANDARD_INPUT, InputFile
from citekg.storage.remote import is_url

#: How many hexadecimal digits of the digest are added to a name.
_DIGITS: Final = 12
#: The paths that a shell gives to pipes; their numbers change from run to run.
_PIPES: Final = ("/dev/", "/proc/")
#: What follows the path in a URL: a query and a fragment, which may hold a key.
_BEHIND_PATH: Final = re.compile(r"[?#].*", re.DOTALL)


def file_name(path: str) -> str:
    """The name of a file without its folder or host; `-` for standard input and for pipes of the shell.

    >>> file_name("/home/ada/papers.jsonl"), file_name("s3://bucket/2024/papers.jsonl"), file_name("/dev/fd/63")
    ('papers.jsonl', 'papers.jsonl', '-')
    >>> file_name("https://ada:secret@a.example/x/papers.jsonl?key=1"), file_name("https://a.example/")
    ('papers.jsonl', 'a.example')
    """
    if path == STANDARD_INPUT or path.startswith(_PIPES):
        return STANDARD_INPUT
    if not is_url(path):
        return printable(Path(path).name)
    url = next(part for part in printable(path).split("::") if is_url(part))  # of a chain, the file itself
    return _BEHIND_PATH.sub("", url).rstrip("/").rpartition("/")[2]


def source_names(places: Iterable[InputFile], records: Iterable[Paper]) -> dict[str, str]:
    """The name of each file by the path that messages show; `records` are those read from them, still with paths.

    They are looked through only where two files have the same name.
    """
    names = {place.name: file_name(place.path) for place in places}
    files = Counter(names.values())
    shared = {path for path, name in names.items() if files[name] > 1}
    digests = _digests(shared, records) if shared else {}
    contents = Counter(name for name, _ in {(names[path], digest) for path, digest in digests.items()})
    different = {path: digest for path, digest in digests.items() if contents[names[path]] > 1}
    return names | {path: f"{names[path]}@{digest[:_DIGITS]}" for path, digest in different.items()}


def _digests(paths: Container[str], records: Iterable[Paper]) -> dict[str, str]:
    """A SHA-256 of what was read from each of these files, for those from which anything was."""
    digests: dict[str, bytes] = {}
    for record in records:
        for path in {source.name for source in record.sources if source.name in paths}:
            digests[path] = sha256(digests.get(path, b"") + _content(record)).digest()
    return {path: digest.hex() for path, digest in digests.items()}


def _content(paper: Paper) -> bytes:
    """What a record says of a paper and on which line it stands, but not in which file."""
    lines = {"sources": [source.line for source in paper.sources]}
    return json.dumps(asdict(paper) | lines, sort_keys=True).encode()
