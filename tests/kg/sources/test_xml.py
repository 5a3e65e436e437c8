"""XML of arXiv: Atom and OAI-PMH, fields, faults, and no entity expansion."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.schemas.plugins import Line
from citekg.schemas.records import Paper
from citekg.sources import Problem, arxiv_xml, read
from tests.kg.sources.xml_records import (
    ABSTRACT,
    DELETED,
    DUBLIN,
    ENTRY,
    FEED,
    HARVEST,
    RAW,
    RECORD,
)

LINK = "https://arxiv.org/abs/2405.00001"
AUTHORS = ("Ada Lark", "Bo Wren")

GOLDEN = {
    "atom": (
        f"{FEED}{ENTRY}</feed>",
        Paper(
            "2405.00001",
            "Kites & Things",
            ABSTRACT,
            "2024-05-06",
            AUTHORS,
            "http://arxiv.org/abs/2405.00001v2",
            "2405.00001",
            "Sky 1 (2024)",
            doi="10.1000/kites.1",
            links=("https://kites.example",),
        ),
    ),
    "arXiv": (
        f"{HARVEST}{RECORD}</ListRecords></OAI-PMH>",
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada Lark", "Bo Wren Jr"),
            LINK,
            "2405.00001",
            "Sky 1 (2024)",
            doi="10.1000/kites.1",
        ),
    ),
    "arXivRaw": (
        f"{HARVEST}{RAW}</ListRecords></OAI-PMH>",
        Paper(
            "2405.00001", "Kites", ABSTRACT, "2024-05-06", (*AUTHORS, "Cy Owl"), LINK, "2405.00001"
        ),
    ),
    "Dublin Core": (
        f"{HARVEST}{DUBLIN}</ListRecords></OAI-PMH>",
        Paper("2405.00001", "Kites", ABSTRACT, "2024-05-06", AUTHORS, LINK, "2405.00001"),
    ),
}


def read_all(folder: Path, text: str) -> tuple[list[Paper], list[str]]:
    file = folder / "x"
    file.write_bytes(text.encode())
    problems: list[Problem] = []
    found = list(read([str(file)], problems.append))
    return found, [str(p).removeprefix(f"{folder}/") for p in problems]


@pytest.mark.parametrize("ends", ["\n", " "], ids=["many lines", "one line"])
@pytest.mark.parametrize(("text", "paper"), GOLDEN.values(), ids=GOLDEN)
def test_ids_dates_authors_venue_and_links_are_kept(
    tmp_path: Path, text: str, paper: Paper, ends: str
) -> None:
    (found,), problems = read_all(tmp_path, text.replace("\n", ends))
    assert problems == []
    assert (
        Paper(**{name: getattr(found, name) for name in Paper.__slots__ if name != "sources"})
        == paper
    )


def another_paper(record: str) -> str:
    return (
        record.replace("2405.00001", "2405.00002")
        .replace("Kites", "Nests")
        .replace("kites.1", "nests.1")
    )


@pytest.mark.parametrize(
    ("fault", "stated"),
    [
        (("</title>", "<title>"), "not XML: mismatched tag"),
        (("  </entry>\n", ""), "not XML: mismatched tag"),
        (("Kites &amp;", "Kites &"), "not XML: not well-formed (invalid token)"),
        (("Kites &amp;", "&kites;"), "not XML: undefined entity"),
        (("<summary>", "<none>"), "not XML: mismatched tag"),
        (("title>", "none>"), "the paper has no title"),
        (
            ("http://arxiv.org/abs/2405", "http://arxiv.org/api/errors#2405"),
            "arXiv answered with an error: We describe",
        ),
    ],
)
def test_a_broken_entry_is_reported_and_the_entries_around_it_are_kept(
    tmp_path: Path, fault: tuple[str, str], stated: str
) -> None:
    rivers = ENTRY.replace("2405.00001", "2405.00003")
    found, problems = read_all(
        tmp_path, f"{FEED}{another_paper(ENTRY)}{ENTRY.replace(*fault)}{rivers}</feed>"
    )
    assert {p.id for p in found} == {"2405.00002", "2405.00003"}
    assert len(problems) == 1
    assert problems[0].startswith(f"x:{5 + ENTRY.count(chr(10))}: {stated}")


def test_a_deleted_record_is_skipped_and_a_truncated_file_is_reported(
    tmp_path: Path,
) -> None:
    found, problems = read_all(tmp_path, f"{HARVEST}{DELETED}{RECORD}{another_paper(RECORD)[:-60]}")
    assert [p.id for p in found] == ["2405.00001"]
    assert [p.partition(": ")[0] for p in problems] == ["x:14"]


def test_a_response_without_papers_is_reported(tmp_path: Path) -> None:
    found, problems = read_all(
        tmp_path, f'{HARVEST}<error code="noRecordsMatch"/></ListRecords></OAI-PMH>'
    )
    assert (found, problems) == ([], ["x: the XML holds no entry and no record"])


def test_an_undecodable_line_skips_only_its_own_record(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(
        f"{FEED}{ENTRY}{another_paper(ENTRY)}</feed>".encode().replace(b"Bo Wren", b"B\xff", 1)
    )
    problems: list[Problem] = []
    assert [p.id for p in read([str(file)], problems.append)] == ["2405.00002"]
    assert [p.message for p in problems] == ["not UTF-8 text; convert the file to UTF-8"]


def test_xml_entities_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("told")
    head = (
        '<?xml version="1.0"?>\n<!DOCTYPE feed [<!ENTITY a "kite "><!ENTITY b "&a;&a;&a;"><!ENTITY '
    )
    bomb = f'{head}c SYSTEM "{secret.as_uri()}">]>\n' + FEED.partition("\n")[2]
    for name in ("b", "c"):
        bad = ENTRY.replace("Kites &amp;", f"&{name};")
        found, problems = read_all(tmp_path, f"{bomb}{bad}{another_paper(ENTRY)}</feed>")
        assert [p.title for p in found] == ["Nests & Things"]
        assert len(problems) == 1
        assert problems[0] == "x:6: not XML: undefined entity"
    inside = ENTRY.replace("<entry>", '<entry><!ENTITY a "x">')
    found, problems = read_all(tmp_path, f"{FEED}{inside}{another_paper(ENTRY)}</feed>")
    assert [p.title for p in found] == ["Nests & Things"]
    assert problems == ["x:5: the XML declares entities, which are not expanded"]


@given(
    st.lists(
        st.sampled_from(
            ["<entry>", "</entry>", "<title>", "</title>", "&x;", "<![CDATA[", "]]>", "a"]
        )
    )
)
def test_fragments_of_xml_raise_no_exception_and_give_no_complete_paper(pieces: list[str]) -> None:
    lines = [
        Line(n, text)
        for n, text in enumerate((FEED + "<entry>\n" + "\n".join(pieces)).split("\n"), 1)
    ]
    for item in arxiv_xml.FORMAT.read("x", lines):
        assert isinstance(item, Problem) or not (item.title and item.abstract)
