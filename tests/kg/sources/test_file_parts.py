"""A large file of JSON objects, one per line, is read in parts with the same result as whole."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.building.pipeline import read_papers
from citekg.schemas.plugins import Line, Problem
from citekg.schemas.records import Paper
from citekg.sources import FORMATS
from citekg.sources.file_parts import may_have_parts, parts_of
from citekg.sources.input_files import InputFile
from tests.kg.sources.json_kites import record

PART_BYTES = "citekg.sources.file_parts.PART_BYTES"


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of 20 records, which has parts of at least 300 bytes."""
    monkeypatch.setattr(PART_BYTES, 300)
    monkeypatch.setattr("citekg.sources.cached_records.MIN_BYTES", 100)
    file = tmp_path / "large.jsonl"
    file.write_text("".join(record(n) + "\n" for n in range(20)), encoding="utf-8")
    return file


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of lines of each part that is parsed."""
    counts: list[int] = []
    known = FORMATS["jsonl"]

    def read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
        some = [*lines]
        counts.append(len(some))
        yield from known.read(name, some)

    monkeypatch.setitem(FORMATS, "jsonl", replace(known, read=read))
    return counts


def outcome(
    file: Path, part_bytes: int, cache: Path | None = None
) -> tuple[list[Paper], list[Problem]]:
    with patch(PART_BYTES, part_bytes):
        papers, problems = read_papers([str(file)], cache=cache)
    return [*papers], problems


def kaggle(number: int) -> str:
    known = {"id": f"2501.{number:05}", "authors_parsed": [["Ada", "B", ""]]}
    return json.dumps(known | {"title": f"Kite {number}", "abstract": "We fly\n kites."})


@st.composite
def files(draw: st.DrawFn) -> str:
    """Lines of records, of broken ones, and of other JSON values and texts."""
    make = draw(st.sampled_from([record, kaggle]))
    whole = st.integers(0, 30).map(make)
    lines = st.one_of(
        whole,
        whole,
        whole,
        whole.map(lambda text: text[:-9]),
        whole.map(lambda text: text + ","),
        whole.map(lambda text: json.dumps(json.loads(text), indent=1)),
        whole.map(lambda text: f'{{"papers": [{text}]}}'),
        whole.map(lambda text: f"[{text}]"),
        st.sampled_from(
            ["", " ", "{", "}", "[", "]", "[\n", "no JSON", '"text"', "{}", "\x85\u2028"]
        ),
    )
    return draw(st.sampled_from(["\n", "\r\n"])).join(
        [make(0), *draw(st.lists(lines, max_size=30))]
    )


@given(text=files(), part_bytes=st.integers(1, 900))
def test_parts_give_the_papers_and_problems_of_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, text: str, part_bytes: int
) -> None:
    file = tmp_path_factory.mktemp("parts") / "x.jsonl"
    file.write_bytes(text.encode())
    assert outcome(file, part_bytes) == outcome(file, 10**9)


def test_the_parts_join_to_the_file_and_begin_at_objects(large: Path) -> None:
    file = InputFile(str(large))
    assert may_have_parts(file)
    parts = parts_of(file, "jsonl")
    lines = [[*part.lines()] for part in parts]
    assert len(parts) > 3
    assert b"".join(line for some in lines for line in some if isinstance(line, bytes)) == (
        large.read_bytes()
    )
    firsts = [1 + sum(map(len, lines[:n])) for n in range(len(lines))]
    assert [part.first_line for part in parts] == firsts


def test_after_lines_were_appended_only_the_last_parts_are_read_again(
    large: Path, parsed: list[int]
) -> None:
    cache = large.parent / "cache"
    outcome(large, 300, cache)
    assert sum(parsed) == 20
    parsed.clear()
    with large.open("a", encoding="utf-8") as file:
        file.write(record(20) + "\n")
    again = outcome(large, 300, cache)
    assert sum(parsed) < 10
    assert again == outcome(large, 10**9)
    assert len(again[0]) == 21


def test_cached_records_of_parts_that_no_longer_exist_are_removed(large: Path) -> None:
    cache = large.parent / "cache"
    outcome(large, 300, cache)
    stored = [*cache.rglob("*.records")]
    large.write_text(large.read_text(encoding="utf-8")[:700], encoding="utf-8")
    outcome(large, 300, cache)
    assert 0 < len([*cache.rglob("*.records")]) < len(stored)
    outcome(large, 10**9, cache)
    assert len([*cache.rglob("*.records")]) == 1


def test_several_processes_read_the_parts_of_one_file(large: Path, parsed: list[int]) -> None:
    alone = outcome(large, 10**9)
    parsed.clear()
    papers, problems = read_papers([str(large)], workers=2)
    assert ([*papers], problems) == alone
    assert parsed == []  # in this process


def test_unreadable_lines_are_counted_for_each_part(large: Path) -> None:
    good = large.read_bytes().splitlines(keepends=True)
    large.write_bytes(b"".join([*good[:2], b"\xff\n", b"\xff\n", *good[2:], b"\xff\n"]))
    papers, problems = outcome(large, 300)
    assert len(papers) == 20
    first, last = (problem for problem in problems if "UTF-8" in problem.message)
    assert (first.place, last.place) == (f"{large}:3", f"{large}:23")
    assert "so are 1 more lines of this part of the file, which begins at line 1" in first.message
    assert "more lines" not in last.message


@pytest.mark.parametrize("forced", [None, "jsonl"])
def test_a_list_and_a_compressed_file_are_read_as_a_whole(
    large: Path, parsed: list[int], forced: str | None
) -> None:
    lines = large.read_text(encoding="utf-8").splitlines()
    (large.parent / "list.jsonl").write_text("[" + ",\n".join(lines) + "]", encoding="utf-8")
    (large.parent / "packed.jsonl").write_bytes(gzip.compress(large.read_bytes() * 30))
    large.unlink()
    read_papers([str(large.parent)], input_format=forced)
    assert parsed == [20, 600]


def test_a_format_that_does_not_read_line_by_line_gets_the_whole_file(
    large: Path, parsed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, "jsonl", replace(FORMATS["jsonl"], by_line=False))
    assert outcome(large, 300) == outcome(large, 10**9)
    assert parsed == [20, 20]


def test_a_file_is_not_searched_behind_a_place_without_records(large: Path) -> None:
    with large.open("ab") as file:
        file.truncate(2**40)  # zeros without a line end
    assert len(parts_of(InputFile(str(large)), "jsonl")) < 6
