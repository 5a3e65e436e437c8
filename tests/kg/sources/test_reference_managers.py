"""Reading BibTeX, RIS and tables: what is kept of each, and what a fault costs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citekg.schemas.plugins import Line
from citekg.schemas.records import Paper
from citekg.sources import Problem, read, tables

ABSTRACT = "We describe a kite that learns to fly. It stays up for an hour."

ANTHOLOGY = r"""@string{sky = "Proceedings of the Sky"}
% a remark
@inproceedings{lark-wren-2024-kites,
    title = "{K}ites \& {\"O}ther Things",
    author = "Lark, Ada  and
      von Wr{\'e}n, Bo  and
      {The Flock and Friends}  and others",
    month = jun,
    year = "2024",
    booktitle = sky,
    url = "https://aclanthology.org/2024.sky-1.7/",
    abstract = "We describe a \textbf{kite} that learns
      to fly. It gains 50% for $x_1$ with \ourkite{}."
}
"""
ARTICLE = r"""@Article{lark24,
  Title = {Kites},
  Author = {Ada Lark},
  Date = {2024-05-06},
  JournalTitle = {Sky},
  DOI = {10.1000/Kites.1}, PDF = {https://sky.example/kites.pdf},
  Abstract = {We describe a kite that learns to fly. It stays up for an hour.},
}
"""
PREPRINT = r"""@misc{lark24kites, title={Kites}, author={Lark, Ada}, year={2024}, eprint={2405.00001},
  archivePrefix={arXiv}, url={https://arxiv.org/abs/2405.00001},
  abstract={We describe a kite that learns to fly. It stays up for an hour.}}
"""
SCHOLAR = r"""@article{lark24kites, title={Kites}, author={Lark, Ada}, year={2024},
  journal={arXiv preprint arXiv:2405.00001v2},
  abstract={We describe a kite that learns to fly. It stays up for an hour.}}
"""
RIS = """TY  - JOUR
TI  - Kites
AU  - Lark, Ada
AU  - Wren, Bo
T2  - Sky
PY  - 2024
DA  - 2024/05/06/
AB  - We describe a kite that learns
to fly. It stays up for an hour.
DO  - 10.1000/Kites.1
UR  - https://sky.example/kites
XX  - what nobody knows
ER  -
"""
TABLE = (
    "Key,Title,Author,Publication Year,Publication Title,DOI,Url,References,Code,Abstract Note\r\n"
    'K1,Kites,"Lark, Ada; Wren, Bo",2024,Sky,10.1000/Kites.1,https://sky.example/kites,'
    '"[""https://doi.org/10.1000/Wind"", ""2305.00009""]",https://code.example/kites,'
    '"We describe a kite that learns to fly.\r\nIt stays up for an hour."\r\n'
)
TABS = f"title\tabstract\tauthors\tdate\tvenue\turl\tarxiv_id\nKites\t{ABSTRACT}\tAda Lark\t2024-05\t\t\t2405.00001v2\n"

BOTH = ("Ada Lark", "Bo Wren")
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
            BOTH,
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
            BOTH,
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
Written = Callable[[str], str]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Writes a text to the file `x`, in the folder where the test runs."""
    monkeypatch.chdir(tmp_path)

    def into(text: str) -> str:
        Path("x").write_bytes(text.encode())
        return "x"

    return into


def read_all(name: str) -> tuple[list[Paper], list[str]]:
    problems: list[Problem] = []
    return list(read([name], problems.append)), [str(p) for p in problems]


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


def test_an_entry_without_any_identifier_joins_the_paper_of_its_title(written: Written) -> None:
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
def test_a_broken_entry_in_the_middle_costs_itself_alone(
    written: Written, capfd: pytest.CaptureFixture[str], broken: str, stated: str
) -> None:
    found, problems = read_all(written(f"{ANTHOLOGY}{broken}\n{ARTICLE}"))
    assert {p.id for p in found} == {"2024.sky-1.7", DOI}
    assert len(problems) == 1
    assert problems[0].startswith(f"x:15: {stated}")
    assert capfd.readouterr().err == ""


def test_of_a_field_that_is_written_twice_the_first_counts(written: Written) -> None:
    (found,), problems = read_all(
        written(ARTICLE.replace("  Title", "  Date = {2023},\n  Title").replace("Date", "date"))
    )
    assert (found.id, found.date, found.title, problems) == (DOI, "2023", "Kites", [])


def test_comments_preambles_and_macros_are_no_papers(written: Written) -> None:
    found, problems = read_all(
        written(f'@comment{{x}}\n@preamble{{"y"}}\n@string{{z = "q"}}\n{ARTICLE}')
    )
    assert (len(found), problems) == (1, [])


@pytest.mark.parametrize("gone", ["AB", "TI", "ER"])
def test_a_ris_record_that_lacks_a_line_costs_no_other(written: Written, gone: str) -> None:
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
def test_a_line_that_is_no_text_costs_its_record_alone(tmp_path: Path, text: str) -> None:
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
def test_a_bad_row_in_the_middle_costs_itself_alone(
    written: Written, row: str, stated: str
) -> None:
    text = f"{HEADER}1,Kites,They fly.\n{row}3,Rivers,They bend.\n"
    found, problems = read_all(written(text))
    assert {p.id for p in found} == {"1", "3"}
    assert len(problems) == 1
    assert problems[0].startswith(f"x:3: {stated}")


def test_a_quote_that_is_never_closed_is_reported_and_what_it_swallowed_kept(
    written: Written,
) -> None:
    rows = "".join(f"{n},Rivers {n},{'They bend. ' * 40}\n" for n in range(1000))
    found, problems = read_all(written(f'{HEADER}1x,"Kites,They fly.\n{rows}'))
    assert len(found) == 1000
    assert [p.partition(": ")[0] for p in problems] == ["x:2"]


cells = st.text(alphabet='ab",;\t \n', min_size=1, max_size=8).filter(str.strip)


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(cells, cells), max_size=5), st.sampled_from([",", "\t", ";"]))
def test_what_a_table_holds_is_read_back(rows: list[tuple[str, str]], delimiter: str) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(
        [("title", "abstract"), *rows]
    )
    lines = [Line(n, text) for n, text in enumerate(file.getvalue().split("\n"), 1)]
    found = [p for p in tables.FORMAT.read("x", lines) if isinstance(p, Paper)]
    assert [(p.title, p.abstract) for p in found] == [
        (" ".join(t.split()), " ".join(a.split())) for t, a in rows
    ]
