"""Part files: the keys are read without the lines, and a damaged part has no keys."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from citekg.building.incremental.codec import encode
from citekg.building.incremental.part_files import packed, read_keys, read_lines
from citekg.sources.keyed_papers import text_key
from citekg.storage.folders import LocalFolder
from tests.kg.building.out_of_core.cached_extractions import many_papers

EXTRACTIONS = many_papers(3)
LINES = [encode(extraction) for extraction in EXTRACTIONS]
KEYS = [text_key(extraction.paper) for extraction in EXTRACTIONS]


def test_the_keys_of_a_part_are_those_of_its_lines(tmp_path: Path) -> None:
    folder = LocalFolder(tmp_path)
    folder.write("part", packed(EXTRACTIONS))
    assert read_keys(folder, "part") == KEYS
    assert [*read_lines(folder, "part").items()] == [
        (key, line.rstrip()) for key, line in zip(KEYS, LINES, strict=True)
    ]


def test_a_part_is_a_gzip_file_of_json_lines() -> None:
    head, *lines = gzip.decompress(packed(EXTRACTIONS)).splitlines(keepends=True)
    assert json.loads(head)["keys"] == b"".join(KEYS).hex()
    assert lines == LINES


def test_a_part_with_a_changed_byte_has_all_its_lines_or_no_keys(tmp_path: Path) -> None:
    folder, data = LocalFolder(tmp_path), packed(EXTRACTIONS)
    damaged = 0
    for at in range(len(data)):
        folder.write("part", data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        if read_keys(folder, "part"):
            assert [*read_lines(folder, "part")] == KEYS
        else:
            damaged += 1
    assert damaged > 0.95 * len(data)  # a few bytes of the headers have no meaning


def test_a_truncated_part_has_no_keys(tmp_path: Path) -> None:
    folder, data = LocalFolder(tmp_path), packed(EXTRACTIONS)
    for end in range(len(data)):
        folder.write("part", data[:end])
        assert read_keys(folder, "part") == []
