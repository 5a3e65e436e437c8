"""The names of input files in the provenance of papers.

A file is recorded by its name, without folder, host or user, so that the same papers give the same
graph from any location. If files with the same name hold different papers, a digest is appended.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from citekg.remote import is_url
from citekg.schemas.files import printable
from citekg.schemas.records import Paper, Source
from citekg.sources.input_files import STANDARD_INPUT, InputFile

#: The number of hexadecimal digits of an appended digest.
_DIGITS: Final = 12
#: The prefixes of paths of shell pipes, whose numbers change between runs.
_PIPES: Final = ("/dev/", "/proc/")
#: The query and the fragment of a URL, which may contain a key.
_BEHIND_PATH: Final = re.compile(r"[?#].*", re.DOTALL)


@lru_cache  # every record has the path of its file
def file_name(path: str) -> str:
    """Return the name of a file without folder or host; `-` for standard input and shell pipes.

    >>> file_name("/home/ada/papers.jsonl"), file_name("/dev/fd/63")
    ('papers.jsonl', '-')
    >>> file_name("https://ada:key@a.example/x/papers.jsonl?key=1"), file_name("https://a.example/")
    ('papers.jsonl', 'a.example')
    """
    if path == STANDARD_INPUT or path.startswith(_PIPES):
        return STANDARD_INPUT
    if not is_url(path):
        return printable(Path(path).name)
    url = next(
        part for part in printable(path).split("::") if is_url(part)
    )  # of a chain, the file itself
    return _BEHIND_PATH.sub("", url).rstrip("/").rpartition("/")[2]


def recorded_sources(
    sources: Iterable[Source], names: Mapping[str, str] = MappingProxyType({})
) -> tuple[Source, ...]:
    """Return sources as papers record them: sorted, with a name instead of the path of the file.

    `names` are those that differ from `file_name`, by path.
    """
    return tuple(
        sorted({Source(names.get(one.name) or file_name(one.name), one.line) for one in sources})
    )


def source_names(places: Iterable[InputFile], records: Iterable[Paper]) -> dict[str, str]:
    """Return the recorded name of each file, keyed by the path that messages show.

    `records` are the records of the files that have the name of another one, and may include
    others; their sources are still paths. They are only iterated if there are such files.
    """
    names = {place.name: file_name(place.path) for place in places}
    shared = _with_shared_names(names)
    digests = _digests(shared, records) if shared else {}
    contents = Counter(
        name for name, _ in {(names[path], digest) for path, digest in digests.items()}
    )
    different = {path: digest for path, digest in digests.items() if contents[names[path]] > 1}
    return names | {path: f"{names[path]}@{digest[:_DIGITS]}" for path, digest in different.items()}


def paths_of_shared_names(places: Iterable[InputFile]) -> set[str]:
    """Return the paths, as messages show them, of files that have the name of another file."""
    return _with_shared_names({place.name: file_name(place.path) for place in places})


def _with_shared_names(names: Mapping[str, str]) -> set[str]:
    files = Counter(names.values())
    return {path for path, name in names.items() if files[name] > 1}


def _digests(paths: Container[str], records: Iterable[Paper]) -> dict[str, str]:
    """Return a SHA-256 digest of the records of each of these files that has records."""
    digests: dict[str, bytes] = {}
    for record in records:
        for path in {source.name for source in record.sources if source.name in paths}:
            digests[path] = sha256(digests.get(path, b"") + _content(record)).digest()
    return {path: digest.hex() for path, digest in digests.items()}


def _content(paper: Paper) -> bytes:
    """Return the content of a record with its line, but without its file."""
    lines = {"sources": [source.line for source in paper.sources]}
    return json.dumps(asdict(paper) | lines, sort_keys=True).encode()
