"""Reading papers: page dumps, JSON Lines, locations of inputs, faults, formats and merging."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import sqlite3
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.errors import FormatError
from citekg.schemas.records import Paper, Source
from citekg.sources import FORMATS, Problem, read
from citekg.sources.decoding import replace_controls
from citekg.sources.deduplication import MergedPapers
from citekg.sources.join_keys import folded_title, title_id
from tests.kg.sources.page_dumps import (
    ABSTRACT,
    KITES,
    NESTS,
    OTHER,
    RIVERS,
    THIRD,
    WITH_BLANK_LINES,
    WITHOUT_BLANK_LINES,
    line,
)
from tests.problems import no_problem

DAILY_PAPERS = Path(__file__).parents[4] / "shared" / "corpus" / "daily-papers"
DOI = "10.1000/kites"

Write = Callable[[str, bytes], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a file in a temporary folder, which is the working directory of the test."""
    monkeypatch.chdir(tmp_path)

    def into(name: str, content: bytes) -> str:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content)
        return name

    return into


def titles_and_problems(
    *inputs: str, input_format: str | None = None
) -> tuple[list[str], list[str]]:
    problems: list[Problem] = []
    papers = read(inputs, problems.append, input_format)
    return sorted(p.title for p in papers), [str(p) for p in problems]


# Page dumps


@pytest.mark.parametrize(
    "page", [WITH_BLANK_LINES, WITHOUT_BLANK_LINES], ids=["blank lines", "no blank lines"]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_page_dumps_with_and_without_blank_lines_give_the_same_papers(
    write: Write, page: str, line_end: str
) -> None:
    name = write("page.txt", page.replace("\n", line_end).encode())
    assert titles_and_problems(name) == (["Kites", "Nests"], [])
    papers = read([name], no_problem)
    assert {p.abstract for p in papers} == {ABSTRACT, OTHER}


def test_the_source_of_a_paper_in_a_page_dump_is_the_line_of_its_title(write: Write) -> None:
    papers = read([write("page.txt", WITH_BLANK_LINES.encode())], no_problem)
    assert {p.title: p.sources for p in papers} == {
        "Kites": (Source("page.txt", 13),),
        "Nests": (Source("page.txt", 17),),
    }


@pytest.mark.parametrize(
    "furniture", ["new", "Subscribe", "Daily Papers", "byAK and the research community", "Jun 6"]
)
def test_navigation_lines_of_a_page_are_not_read_as_titles(write: Write, furniture: str) -> None:
    assert titles_and_problems(write("page.txt", f"{furniture}\nKites\n{ABSTRACT}\n".encode())) == (
        ["Kites"],
        [],
    )


def test_only_a_button_label_directly_before_a_title_is_removed(write: Write) -> None:
    page = f"SubscribeKites\n{ABSTRACT}\nSubscribe to Nests\n{OTHER}\n$x$-Rivers\n{THIRD}\n"
    assert titles_and_problems(write("page.txt", page.encode()))[0] == [
        "$x$-Rivers",
        "Kites",
        "Subscribe to Nests",
    ]


def test_a_page_dump_is_recognised_by_alternating_titles_and_abstracts(write: Write) -> None:
    assert titles_and_problems(write("x", f"Kites\n{ABSTRACT}\nNests\n{OTHER}\n".encode())) == (
        ["Kites", "Nests"],
        [],
    )


def test_a_title_without_abstract_is_reported_and_the_next_paper_kept(write: Write) -> None:
    page = f"new\nKites\nNests\n{OTHER}\nRivers\n"
    titles, problems = titles_and_problems(write("page.txt", page.encode()))
    assert titles == ["Nests"]
    assert problems == [
        "page.txt:2: a title without an abstract: 'Kites'",
        "page.txt:5: a title without an abstract: 'Rivers'",
    ]


def test_an_abstract_without_title_is_reported_and_the_next_paper_kept(write: Write) -> None:
    titles, problems = titles_and_problems(
        write("page.txt", f"new\n{ABSTRACT}\nNests\n{OTHER}\n".encode())
    )
    assert titles == ["Nests"]
    assert problems == ["page.txt:2: an abstract without a title above it"]


# JSON Lines


def test_all_fields_of_a_paper_are_read_from_json_lines(write: Write) -> None:
    content = line(
        title="Kites",
        abstract=ABSTRACT,
        id="k1",
        date="2024-05-06",
        authors=["Ada", {"name": "Bo"}],
        url="https://kite.example",
        arxiv_id="2405.00001",
        venue="Sky 2024",
        pages=[1, 2],
    )
    (paper,) = read([write("x.jsonl", content)], no_problem)
    assert paper == Paper(
        id="k1",
        title="Kites",
        abstract=ABSTRACT,
        date="2024-05-06",
        authors=("Ada", "Bo"),
        url="https://kite.example",
        arxiv_id="2405.00001",
        venue="Sky 2024",
        sources=(Source("x.jsonl", 1),),
    )


@pytest.mark.parametrize(
    ("given_date", "kept"),
    [
        ({"date": "2024"}, "2024"),
        ({"date": "2024-05"}, "2024-05"),
        ({"date": "2024-05-06T10:00:00Z"}, "2024-05-06"),
        ({"year": 2024}, "2024"),
        ({"year": "2024"}, "2024"),
        ({"date": None, "year": 2023}, "2023"),
        ({"date": "2024-05", "year": 2023}, "2024-05"),
        ({}, ""),
    ],
)
def test_the_date_of_a_paper_is_read_from_its_date_or_year(
    write: Write, given_date: dict[str, Any], kept: str
) -> None:
    (paper,) = read([write("x", line(title="Kites", abstract=ABSTRACT, **given_date))], no_problem)
    assert paper.date == kept


def test_a_single_author_may_be_a_string(write: Write) -> None:
    (paper,) = read([write("x", line(title="Kites", abstract=ABSTRACT, authors="Ada"))], no_problem)
    assert paper.authors == ("Ada",)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"{oops\n", "not JSON: Expecting property name enclosed in double quotes at column 2"),
        (
            b'{"title": "Kites", "abstract": "cut\n',
            "not JSON: Unterminated string starting at at column 32",
        ),
        (b"[1, 2]\n", "a list where an object with title and abstract is expected"),
        (b"null\n", "null where an object with title and abstract is expected"),
        (b"7\n", "a number where an object with title and abstract is expected"),
        (b"[" * 100_000 + b"\n", "JSON that cannot be read: "),
        (line(abstract=ABSTRACT), "the paper has no title"),
        (line(title="  ", abstract=ABSTRACT), "the paper has no title"),
        (line(title=["Kites"], abstract=ABSTRACT), "'title' is a list where text is expected"),
        (
            line(title="Kites", abstract={"text": ABSTRACT}),
            "'abstract' is an object where text is expected",
        ),
        (line(title=True, abstract=ABSTRACT), "'title' is true or false where text is expected"),
    ],
)
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_bad_line_is_reported_with_its_number_and_the_others_kept(
    write: Write, bad: bytes, why: str, at: int
) -> None:
    lines = [NESTS, RIVERS]
    lines.insert(at - 1, bad)
    titles, problems = titles_and_problems(write("x.jsonl", b"".join(lines)))
    assert titles == ["Nests", "Rivers"]
    assert len(problems) == 1
    assert problems[0].startswith(f"x.jsonl:{at}: {why}")


def test_blank_lines_are_counted_and_not_reported(write: Write) -> None:
    (paper,) = read([write("x", b"\n\n" + KITES + b"\n")], no_problem)
    assert paper.sources == (Source("x", 3),)


def test_control_characters_are_replaced_by_spaces_to_preserve_offsets(write: Write) -> None:
    (paper,) = read(
        [write("x", b'{"title": "Ki\\u0000tes\\ud800", "abstract": "a\\u0007b"}\n')], no_problem
    )
    assert (paper.title, paper.abstract) == ("Ki tes\ufffd", "a b")


@given(st.text())
def test_replacing_control_characters_preserves_the_length_and_is_idempotent(text: str) -> None:
    assert len(replace_controls(text)) == len(text)
    assert replace_controls(replace_controls(text)) == replace_controls(text)


# Empty, binary and undecodable files


def test_an_empty_file_is_reported(write: Write) -> None:
    assert titles_and_problems(write("x", b""), write("y", KITES)) == (
        ["Kites"],
        ["x: the file is empty"],
    )


def test_a_file_of_blank_lines_is_reported_as_empty(write: Write) -> None:
    assert titles_and_problems(write("x", b"\n \n\n")) == ([], ["x: the file is empty"])


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0",
        bytes(range(256)) * 40,
        b"\x7fELF\2\1\1\0\0\0\0\0",
        KITES.decode().encode("utf-16-le"),
    ],
    ids=["picture", "all bytes", "program", "UTF-16 without mark"],
)
def test_a_binary_file_is_reported_once_and_the_other_files_are_read(
    write: Write, content: bytes
) -> None:
    titles, problems = titles_and_problems(write("a.bin", content), write("x.jsonl", KITES))
    assert titles == ["Kites"]
    assert len(problems) == 1
    assert problems[0].startswith("a.bin:1: ")
    assert any(
        reason in problems[0] for reason in ("binary data", "not UTF-8", "this is a PNG picture")
    )


@pytest.mark.parametrize("name", ["x.jsonl", "x.txt"])
def test_a_line_in_another_encoding_is_reported_and_the_others_kept(
    write: Write, name: str
) -> None:
    caf = f"Caf\xe9. {ABSTRACT}"
    lines = {
        "x.jsonl": KITES.decode()
        + f'{{"title": "Nests", "abstract": "{caf}"}}\n'
        + RIVERS.decode(),
        "x.txt": f"Kites\n{ABSTRACT}\nNests\n{caf}\nRivers\n{THIRD}\n",
    }
    titles, problems = titles_and_problems(write(name, lines[name].encode("latin-1")))
    assert titles == ["Kites", "Rivers"]
    number = {"x.jsonl": 2, "x.txt": 4}[name]
    assert problems == [f"{name}:{number}: not UTF-8 text; convert the file to UTF-8"]


def test_a_title_in_another_encoding_is_skipped_with_its_abstract(write: Write) -> None:
    page = f"Kites\n{ABSTRACT}\nCaf\xe9\n{OTHER}\nRivers\n{THIRD}\n"
    titles, problems = titles_and_problems(write("x", page.encode("latin-1")))
    assert titles == ["Kites", "Rivers"]
    assert problems == ["x:3: not UTF-8 text; convert the file to UTF-8"]


def test_many_lines_in_another_encoding_are_reported_once(write: Write) -> None:
    bad = '{"title": "Caf\xe9"}\n'.encode("latin-1")
    titles, problems = titles_and_problems(write("x", KITES + bad * 3))
    assert titles == ["Kites"]
    assert problems == [
        "x:2: not UTF-8 text; convert the file to UTF-8 (so are 2 more lines of this file)"
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_a_byte_order_mark_determines_the_encoding(write: Write, encoding: str) -> None:
    # The bytes of the Malayalam letter uu are those of a line end.
    text = f"\n\nKites \u0d0a\r\n{ABSTRACT}\nNests\n{OTHER}\n"
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    name = write("x", mark + text.encode(encoding))
    assert titles_and_problems(name) == (["Kites \u0d0a", "Nests"], [])


def test_only_the_line_with_nul_bytes_is_skipped(write: Write) -> None:
    titles, problems = titles_and_problems(write("x", KITES + b'{"title": "Nests\0"}\n' + RIVERS))
    assert titles == ["Kites", "Rivers"]
    assert problems == ["x:2: binary data, not text (it holds NUL bytes)"]


def test_text_of_an_unknown_format_is_reported_with_the_option_to_force_one(write: Write) -> None:
    known = ", ".join(FORMATS)
    titles, problems = titles_and_problems(write("x", b"hello\nworld\n"))
    assert titles == []
    assert problems == [
        f"x: the content is of no known format; --input-format forces one ({known})"
    ]


# Locations of inputs


def test_missing_files_empty_folders_and_unmatched_patterns_are_reported_and_skipped(
    write: Write,
) -> None:
    name = write("x", KITES)
    Path("bare").mkdir()
    titles, problems = titles_and_problems("gone.txt", "bare", "*.none", name)
    assert titles == ["Kites"]
    assert problems == [
        "gone.txt: there is no such file or folder",
        "bare: the folder holds no files",
        "*.none: the pattern matches no file",
    ]


def test_all_files_below_a_folder_are_read_except_hidden_ones(write: Write) -> None:
    write("d/a.jsonl", KITES)
    write("d/deep/er/b.txt", f"new\nNests\n{OTHER}\n".encode())
    write("d/.hidden/c.jsonl", RIVERS)
    write("d/.c.jsonl", RIVERS)
    assert titles_and_problems("d") == (["Kites", "Nests"], [])


def test_glob_patterns_of_inputs_are_expanded(write: Write) -> None:
    write("d/a.jsonl", KITES)
    write("d/e/b.jsonl", NESTS)
    write("d/c.txt", RIVERS)
    assert titles_and_problems("d/*.jsonl") == (["Kites"], [])
    assert titles_and_problems("**/*.jsonl") == (["Kites", "Nests"], [])


def test_a_file_whose_name_looks_like_a_pattern_is_read(write: Write) -> None:
    assert titles_and_problems(write("a[1].jsonl", KITES)) == (["Kites"], [])


def test_a_file_that_is_given_several_times_is_read_once(write: Write) -> None:
    write("d/a.jsonl", KITES + b"{oops\n")
    titles, problems = titles_and_problems("d", "d/a.jsonl", "./d/a.jsonl", "d/*")
    assert titles == ["Kites"]
    assert len(problems) == 1


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Piped:
        buffer = io.BytesIO(KITES)

    monkeypatch.setattr("sys.stdin", Piped)
    (paper,) = read(["-"], no_problem)
    assert paper.sources == (Source("-", 1),)


def test_gzip_data_is_decompressed_regardless_of_the_file_name(write: Write) -> None:
    assert titles_and_problems(write("x.jsonl.gz", gzip.compress(KITES))) == (["Kites"], [])
    assert titles_and_problems(write("x.txt", gzip.compress(WITH_BLANK_LINES.encode()))) == (
        ["Kites", "Nests"],
        [],
    )


def test_papers_before_the_damaged_part_of_gzip_data_are_kept(write: Write) -> None:
    long = line(title="Rivers", abstract=" ".join(os.urandom(2).hex() for _ in range(2000)))
    whole = gzip.compress(KITES + NESTS + long)
    titles, problems = titles_and_problems(write("x.gz", whole[: len(whole) - 500]))
    assert titles == ["Kites", "Nests"]
    assert len(problems) == 1
    assert problems[0].startswith("x.gz:3: the gzip data is broken from here on (")


@pytest.mark.parametrize(
    "content", [b"\x1f\x8b\x08\0\0\0\0\0\0\3garbage", gzip.compress(KITES, mtime=0)[:9]]
)
def test_gzip_data_that_is_damaged_from_the_start_is_reported_once(
    write: Write, content: bytes
) -> None:
    titles, problems = titles_and_problems(write("x.gz", content), write("y", KITES))
    assert titles == ["Kites"]
    assert len(problems) == 1
    assert problems[0].startswith("x.gz:1: the gzip data is broken")


# Formats


@pytest.mark.parametrize("name", ["x.txt", "x.jsonl", "x", "x.pdf"])
def test_the_content_and_not_the_file_name_determines_the_format(write: Write, name: str) -> None:
    assert titles_and_problems(write(name, KITES))[0] == ["Kites"]
    assert titles_and_problems(write(name, WITH_BLANK_LINES.encode()))[0] == ["Kites", "Nests"]


def test_a_format_can_be_forced(write: Write) -> None:
    titles, problems = titles_and_problems(
        write("x", WITH_BLANK_LINES.encode()), input_format="jsonl"
    )
    assert titles == []
    assert problems[0].startswith("x:1: not JSON")
    one = write("y", f"Kites\n{ABSTRACT}\nNests\nRivers\nMoons\nStones\n".encode())
    assert titles_and_problems(one)[0] == []
    assert titles_and_problems(one, input_format="pages")[0] == ["Kites"]


def test_an_unknown_format_is_rejected_with_the_known_formats() -> None:
    with pytest.raises(FormatError, match=r"unknown format 'pdf': choose one of .*jsonl, .*pages"):
        read([], no_problem, "pdf")


def test_every_reader_has_a_description() -> None:
    assert all(reader.about for reader in FORMATS.values())


# Merging


def test_papers_whose_titles_differ_in_case_and_punctuation_are_merged(write: Write) -> None:
    one = line(title="Kites: They Fly!", abstract=ABSTRACT)
    other = line(title="KITES - they fly", abstract=ABSTRACT + " More.")
    (paper,) = read([write("a", one), write("b", other)], no_problem)
    assert paper.abstract == ABSTRACT + " More."
    assert paper.sources == (Source("a", 1), Source("b", 1))


@pytest.mark.parametrize(
    ("one", "other"), [("C++", "C#"), ("Kites", "Kites+"), ("AIME 2024", "AIME 2025"), ("A*", "A")]
)
def test_titles_that_differ_in_a_symbol_or_digit_are_not_equal_when_folded(
    one: str, other: str
) -> None:
    assert folded_title(one) != folded_title(other)


def test_a_record_without_id_is_merged_by_title_and_fills_missing_fields(write: Write) -> None:
    one = line(title="Kites", abstract=ABSTRACT + " And more.")
    other = line(
        title="kites", abstract=ABSTRACT, id="k1", date="2024-05", authors=["Ada"], venue="Sky"
    )
    (paper,) = read([write("a", one), write("b", other)], no_problem)
    assert (paper.id, paper.title, paper.date, paper.authors, paper.venue) == (
        "k1",
        "Kites",
        "2024-05",
        ("Ada",),
        "Sky",
    )
    assert paper.abstract == ABSTRACT + " And more."


def test_links_and_references_of_several_sources_are_combined(write: Write) -> None:
    one = line(
        title="Kites",
        abstract=ABSTRACT,
        id="k1",
        url="https://a.example",
        doi="https://doi.org/10.1000/KITES",
    )
    more = line(
        title="Kites",
        abstract=ABSTRACT[:40],
        id="k1",
        url="https://b.example",
        links={
            "code": "https://code.example",
            "doi": "https://doi.org/10.1000/Kites",
            "bad": "javascript:x",
        },
        references=["https://arxiv.org/abs/2405.00002v1", "Lark et al. 2020"],
    )
    last = line(title="Kites", abstract=ABSTRACT[:40], id="k1", references="doi:10.1000/Wind")
    (paper,) = read([write("a", one), write("b", more), write("c", last)], no_problem)
    assert (paper.url, paper.doi) == ("https://a.example", "10.1000/kites")
    assert paper.links == ("https://b.example", "https://code.example")
    assert paper.references == ("arxiv:2405.00002", "doi:10.1000/wind")


def test_a_record_with_a_doi_is_merged_with_the_paper_of_that_doi(write: Write) -> None:
    one = line(title="Kites", abstract=ABSTRACT, arxiv_id="2405.00001", doi="10.1000/kites")
    other = b'title,doi,abstract\nKites as printed,10.1000/KITES,"' + ABSTRACT.encode() + b'"\n'
    (paper,) = read([write("b", other), write("a", one)], no_problem)
    assert (paper.id, paper.doi, [s.name for s in paper.sources]) == (
        "2405.00001",
        "10.1000/kites",
        ["a", "b"],
    )


@pytest.mark.parametrize("value", [7.5, [{"a": "b"}], {"x": ["y"]}, True])
def test_links_and_references_of_the_wrong_type_are_reported(write: Write, value: object) -> None:
    for field in ("links", "references"):
        problems = titles_and_problems(
            write("x", line(title="Kites", abstract=ABSTRACT, **{field: value}))
        )[1]
        assert problems
        assert f"x:1: '{field}' is" in problems[0]


def test_papers_with_different_ids_and_the_same_title_are_not_merged(write: Write) -> None:
    both = line(title="Kites", abstract=ABSTRACT, id="k1") + line(
        title="Kites", abstract=OTHER, id="k2"
    )
    assert [p.id for p in read([write("x", both)], no_problem)] == ["k1", "k2"]


def test_the_arxiv_id_is_used_as_the_id_of_a_paper_without_one(write: Write) -> None:
    (paper,) = read(
        [write("x", line(title="Kites", abstract=ABSTRACT, arxiv_id="2405.00001"))], no_problem
    )
    assert (paper.id, paper.arxiv_id) == ("2405.00001", "2405.00001")


def test_the_generated_id_of_a_paper_does_not_depend_on_other_papers(write: Write) -> None:
    (alone,) = read([write("a", KITES)], no_problem)
    many = read(["a", write("b", NESTS + RIVERS)], no_problem)
    assert alone in many
    assert len({p.id for p in many}) == 3


def _record(n: int, paper_id: str, title: str, abstract: str, date: str, venue: str) -> Paper:
    arxiv = "2405.00001" if n % 3 == 0 else ""
    links = (f"https://code.example/{n % 2}", "https://doi.org/10.1000/kites")
    paper = Paper(
        paper_id,
        title,
        abstract,
        date,
        venue=venue,
        arxiv_id=arxiv,
        sources=(Source(f"f{n % 2}", n),),
    )
    authors = ("Ada Lark",) if n % 2 else ()
    own_doi = ["", DOI, DOI, "10.1000/nests"][n % 4]
    return replace(paper, doi=own_doi, links=links, references=(f"s2:{n % 3}",), authors=authors)


records = st.lists(
    st.tuples(
        st.sampled_from(["", "", "k1", "k2", DOI]),
        st.sampled_from(["Kites", "kites!", "Nests", "Kites that learn to fly"]),
        st.sampled_from([ABSTRACT, OTHER, ABSTRACT[:30]]),
        st.sampled_from(["", "2024", "2024-05"]),
        st.sampled_from(["", "Sky", "Sea"]),
    ),
    max_size=7,
)


@given(records, st.randoms(use_true_random=False))
def test_merging_does_not_depend_on_the_order_of_the_records(
    values: list[tuple[str, str, str, str, str]], shuffle: Any
) -> None:
    papers = [_record(n, *value) for n, value in enumerate(values)]
    shuffled = list(papers)
    shuffle.shuffle(shuffled)
    assert [*MergedPapers(papers)] == [*MergedPapers(shuffled)]


def test_papers_may_be_freed_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The garbage collector runs in any thread, for example in one of a server."""
    unraisable: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    held = [MergedPapers([Paper("k1", "Kites", ABSTRACT)])]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert unraisable == []


@given(records)
def test_merging_is_idempotent_and_keeps_all_sources(
    values: list[tuple[str, str, str, str, str]],
) -> None:
    papers = [_record(n, *value) for n, value in enumerate(values)]
    once = [*MergedPapers(papers)]
    assert [*MergedPapers(once)] == once
    assert {s for p in once for s in p.sources} == {s for p in papers for s in p.sources}
    assert len({p.id for p in once}) == len(once)


def test_a_merged_paper_is_matched_by_the_title_and_author_of_different_records() -> None:
    title = "Kites that learn to fly"
    preprint = Paper("2405.00001", title, ABSTRACT)
    with_author = Paper("2405.00001", "Kites", "", authors=("Ada Lark",))
    published = Paper(DOI, title, OTHER, authors=("A. Lark",), doi=DOI)
    assert [p.id for p in MergedPapers([preprint, published])] == [DOI, "2405.00001"]
    (paper,) = MergedPapers([preprint, with_author, published])
    assert (paper.id, paper.doi) == ("2405.00001", DOI)


def test_a_paper_that_gets_a_doi_by_merging_is_merged_with_records_of_that_doi() -> None:
    corpus = "https://api.semanticscholar.org/CorpusID:27"
    named = Paper("k1", "Kites", ABSTRACT, url=corpus)
    by_corpus_id = Paper("27", "Kites", "", url=corpus, doi=DOI)
    by_doi = Paper(DOI, "Nests", "", doi=DOI)
    assert [p.id for p in MergedPapers([named, by_corpus_id, by_doi])] == ["k1"]


def test_an_id_generated_from_the_title_is_stable_when_papers_are_merged_again() -> None:
    corpus = "https://api.semanticscholar.org/CorpusID:27"
    papers = [Paper("", "Nests", ABSTRACT, url=corpus), Paper("27", "Kites", "", url=corpus)]
    once = [*MergedPapers(papers)]
    assert [p.id for p in once] == [title_id("Nests")]
    assert [*MergedPapers(once)] == once


def _steps_to_merge(papers: list[Paper], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the number of instructions of the database in thousands."""
    steps, connect = itertools.count(), sqlite3.connect

    def counting(name: str, *, check_same_thread: bool) -> sqlite3.Connection:
        database = connect(name, check_same_thread=check_same_thread)
        database.set_progress_handler(lambda: next(steps) and 0, 1000)
        return database

    monkeypatch.setattr(sqlite3, "connect", counting)
    MergedPapers(papers)
    monkeypatch.undo()
    return next(steps)


@pytest.mark.parametrize(
    "same",
    [
        {"title": "Kites"},
        {"id": "27", "links": ("CorpusID:27",)},
        {"id": DOI, "doi": DOI},
        {"id": DOI, "doi": DOI, "title": "Kites that learn to fly", "authors": ("Ada Lark",)},
    ],
    ids=["title", "corpus-id", "doi", "byline"],
)
def test_the_merging_work_grows_linearly_with_the_records_of_one_key(
    same: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = replace(Paper("", "Nests", ABSTRACT), **same)
    few, many = (
        _steps_to_merge([replace(one, venue=str(n)) for n in range(size)], monkeypatch)
        for size in (1_000, 4_000)
    )
    assert many < 6 * few


def test_papers_do_not_depend_on_the_order_of_the_inputs(write: Write) -> None:
    names = [
        write("a.jsonl", KITES + NESTS),
        write("b.txt", WITH_BLANK_LINES.encode()),
        write("c.jsonl", line(title="kites", abstract=OTHER, id="k1")),
    ]
    assert read(names, no_problem) == read(names[::-1], no_problem)


# Real page dumps


def test_the_five_real_page_dumps_give_the_expected_number_of_papers() -> None:
    if not DAILY_PAPERS.is_dir() and not os.environ.get("CI"):
        pytest.skip(f"the page dumps are not at {DAILY_PAPERS}")
    dumps = sorted(DAILY_PAPERS.glob("*.txt"))
    papers = read([str(d) for d in dumps], no_problem)
    sources = [s for p in papers for s in p.sources]
    assert [sum(s.name == d.name for s in sources) for d in dumps] == [243, 73, 85, 60, 79]
    assert len(papers) == 477
