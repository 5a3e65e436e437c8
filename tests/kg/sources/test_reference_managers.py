"""Reading BibTeX, RIS and tables: the fields that are kept, and the handling of faults."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.plugins import Line
from citekg.schemas.records import Paper
from citekg.sources import tables
from tests.kg.sources.reading import Written, read_all
from tests.kg.sources.reference_records import (
    ABSTRACT,
    ANTHOLOGY,
    ARTICLE,
    PREPRINT,
    RIS,
    SCHOLAR,
    TABLE,
    TABS,
)

AUTHORS = ("Ada Lark", "Bo Wren")
DOI = "10.1000/kites.1"
GOLDEN = {
    "anthology": (
        ANTHOLOGY,
        Paper(
            "2024.sky-1.7",
            "Kites & Öther Things",
            "We describe a kite that learns to fly. It gains 50% for $x_1$ with ourkite.",
            "2024-06",
            ("Ada Lark", "Bo von Wrén", "The Flock and Friends"),
            "https://aclanthology.org/2024.sky-1.7/",
            "",
            "Proceedings of the Sky",
        ),
    ),
    "article": (
        ARTICLE,
        Paper(
            DOI,
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada Lark",),
            "https://doi.org/10.1000/Kites.1",
            "",
            "Sky",
            doi=DOI,
            links=("https://sky.example/kites.pdf",),
        ),
    ),
    "preprint": (
        PREPRINT,
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            "2024",
            ("Ada Lark",),
            "https://arxiv.org/abs/2405.00001",
            "2405.00001",
        ),
    ),
    "preprint named by its journal": (
        SCHOLAR,
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            "2024",
            ("Ada Lark",),
            "",
            "2405.00001",
            "arXiv preprint arXiv:2405.00001v2",
        ),
    ),
    "ris": (
        RIS,
        Paper(
            DOI,
            "Kites",
            ABSTRACT,
            "2024-05-06",
            AUTHORS,
            "https://sky.example/kites",
            "",
            "Sky",
            doi=DOI,
        ),
    ),
    "csv": (
        TABLE,
        Paper(
            DOI,
            "Kites",
            ABSTRACT,
            "2024",
            AUTHORS,
            "https://sky.example/kites",
            "",
            "Sky",
            doi=DOI,
            links=("https://code.example/kites",),
            references=("arxiv:2305.00009", "doi:10.1000/wind"),
        ),
    ),
    "tsv": (
        TABS,
        Paper("2405.00001", "Kites", ABSTRACT, "2024-05", ("Ada Lark",), "", "2405.00001"),
    ),
}


@pytest.mark.parametrize(("text", "paper"), GOLDEN.values(), ids=GOLDEN)
def test_ids_dates_authors_venue_and_links_are_kept(
    written: Written, text: str, paper: Paper
) -> None:
    (found,), problems = read_all(written(text))
    assert problems == []
    assert (
        Paper(**{name: getattr(found, name) for name in Paper.__slots__ if name != "sources"})
        == paper
    )


def test_an_entry_without_an_identifier_is_merged_with_the_paper_of_the_same_title(
    written: Written,
) -> None:
    bare = f"@article{{a, title={{KITES}}, abstract={{{ABSTRACT}}}}}\n"
    (found,), problems = read_all(written(ARTICLE + bare))
    assert (found.id, [s.line for s in found.sources], problems) == (DOI, [1, 9], [])


@pytest.mark.parametrize(
    ("broken", "stated"),
    [
        ("@article{b, title={Rivers}, abstract={They bend.", "not a whole BibTeX entry"),
        ("@article{b, abstract={They bend.}}", "the paper has no title"),
    ],
)
def test_a_broken_entry_is_reported_and_the_entries_around_it_are_kept(
    written: Written, capfd: pytest.CaptureFixture[str], broken: str, stated: str
) -> None:
    found, problems = read_all(written(f"{ANTHOLOGY}{broken}\n{ARTICLE}"))
    assert {p.id for p in found} == {"2024.sky-1.7", DOI}
    assert len(problems) == 1
    assert problems[0].startswith(f"x:15: {stated}")
    assert capfd.readouterr().err == ""


def test_the_first_value_of_a_duplicate_field_is_used(written: Written) -> None:
    (found,), problems = read_all(
        written(ARTICLE.replace("  Title", "  Date = {2023},\n  Title").replace("Date", "date"))
    )
    assert (found.id, found.date, found.title, problems) == (DOI, "2023", "Kites", [])


def test_comments_preambles_and_macros_are_not_read_as_papers(written: Written) -> None:
    found, problems = read_all(
        written(f'@comment{{x}}\n@preamble{{"y"}}\n@string{{z = "q"}}\n{ARTICLE}')
    )
    assert (len(found), problems) == (1, [])


@pytest.mark.parametrize("gone", ["AB", "TI", "ER"])
def test_a_ris_record_that_lacks_a_line_does_not_affect_the_next_record(
    written: Written, gone: str
) -> None:
    lines = [f"{line}\n" for line in RIS.replace(" learns\nto", " learns to").splitlines()]
    lacking = "".join(line for line in lines if not line.startswith(gone)).replace("1000", "2000")
    found, problems = read_all(written(lacking + RIS))
    assert DOI in {p.id for p in found}
    stated = {"AB": [], "TI": ["x:1: the paper has no title"], "ER": []}
    assert problems == stated[gone]
    assert len(found) == 2 - len(problems)


@pytest.mark.parametrize(
    "text", [ANTHOLOGY + ARTICLE, ARTICLE + ARTICLE.replace("1000", "2000"), RIS + RIS]
)
def test_an_undecodable_line_skips_only_its_own_record(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x"
    file.write_bytes(text.encode().replace(b"Lark", b"L\xff", 1))
    found, problems = read_all(str(file))
    assert len(found) == 1
    assert [p.rpartition(": ")[2] for p in problems] == [
        "not UTF-8 text; convert the file to UTF-8"
    ]


HEADER = "id,title,abstract\n"


@pytest.mark.parametrize(
    ("row", "stated"),
    [
        ("2,Nests\n", "the row has 2 columns where the header has 3"),
        ("2,Nests,They, hold eggs.\n", "the row has 4 columns where the header has 3"),
        ('2,Nests,"They hold eggs.\n', "the row cannot be read"),
        ('2,"Nests,They hold eggs.\n', "the row cannot be read"),
        ("2,,They hold eggs.\n", "the paper has no title"),
    ],
)
def test_an_invalid_row_is_reported_and_the_rows_around_it_are_kept(
    written: Written, row: str, stated: str
) -> None:
    text = f"{HEADER}1,Kites,They fly.\n{row}3,Rivers,They bend.\n"
    found, problems = read_all(written(text))
    assert {p.id for p in found} == {"1", "3"}
    assert len(problems) == 1
    assert problems[0].startswith(f"x:3: {stated}")


def test_an_unclosed_quote_is_reported_and_the_rows_after_it_are_kept(
    written: Written,
) -> None:
    rows = "".join(f"{n},Rivers {n},{'They bend. ' * 40}\n" for n in range(1000))
    found, problems = read_all(written(f'{HEADER}1x,"Kites,They fly.\n{rows}'))
    assert len(found) == 1000
    assert [p.partition(": ")[0] for p in problems] == ["x:2"]


cells = st.text(alphabet='ab",;\t \n', min_size=1, max_size=8).filter(str.strip)


@given(st.lists(st.tuples(cells, cells), max_size=5), st.sampled_from([",", "\t", ";"]))
def test_titles_and_abstracts_of_a_written_table_are_read_back(
    rows: list[tuple[str, str]], delimiter: str
) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(
        [("title", "abstract"), *rows]
    )
    lines = [Line(n, text) for n, text in enumerate(file.getvalue().split("\n"), 1)]
    found = [p for p in tables.FORMAT.read("x", lines) if isinstance(p, Paper)]
    assert [(p.title, p.abstract) for p in found] == [
        (" ".join(t.split()), " ".join(a.split())) for t, a in rows
    ]
