"""XML of arXiv: Atom and OAI-PMH, fields, faults, and no entity expansion."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citekg.schemas.plugins import Line
from citekg.schemas.records import Paper
from citekg.sources import Problem, arxiv_xml, read

ABSTRACT = "We describe a kite that learns to fly. It stays up for an hour."
FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">ArXiv Query: kites</title>
  <id>http://arxiv.org/api/x</id>
"""
ENTRY = """  <entry>
    <id>http://arxiv.org/abs/2405.00001v2</id>
    <updated>2024-06-01T00:00:00Z</updated>
    <published>2024-05-06T17:59:59Z</published>
    <title>Kites &amp;
  Things</title>
    <summary>  We describe a kite that learns to fly.
It stays up for an hour.
    </summary>
    <author><name>Ada Lark</name></author>
    <author>
      <name>Bo Wren</name>
      <arxiv:affiliation xmlns:arxiv="http://arxiv.org/schemas/atom">Sky</arxiv:affiliation>
    </author>
    <arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.1000/kites.1</arxiv:doi>
    <arxiv:journal_ref xmlns:arxiv="http://arxiv.org/schemas/atom">Sky 1 (2024)</arxiv:journal_ref>
    <arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">3 pages, see https://kites.example</arxiv:comment>
    <link href="http://arxiv.org/abs/2405.00001v2" rel="alternate" type="text/html"/>
  </entry>
"""
HARVEST = """<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<responseDate>2024-06-02T00:00:00Z</responseDate>
<ListRecords>
"""
HEADER = "<header><identifier>oai:arXiv.org:2405.00001</identifier><datestamp>2024-06-01</datestamp></header>"
RECORD = f"""<record>{HEADER}<metadata>
 <arXiv xmlns="http://arxiv.org/OAI/arXiv/" xsi:schemaLocation="http://arxiv.org/OAI/arXiv/ x.xsd">
 <id>2405.00001</id><created>2024-05-06</created><updated>2024-06-01</updated>
 <authors><author><keyname>Lark</keyname><forenames>Ada</forenames></author>
 <author><keyname>Wren</keyname><forenames>Bo</forenames><suffix>Jr</suffix></author></authors>
 <title>Kites</title><journal-ref>Sky 1 (2024)</journal-ref><doi>10.1000/kites.1</doi>
 <abstract>  {ABSTRACT}</abstract></arXiv>
</metadata></record>
"""
RAW = f"""<record>{HEADER}<metadata>
 <arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">
 <id>2405.00001</id><submitter>Ada Lark</submitter>
 <version version="v1"><date>Mon, 6 May 2024 17:59:59 GMT</date><size>9kb</size></version>
 <version version="v2"><date>Sat, 1 Jun 2024 00:00:00 GMT</date><size>9kb</size></version>
 <title>Kites</title><authors>Ada Lark, Bo Wren and Cy Owl</authors>
 <abstract>{ABSTRACT}</abstract></arXivRaw>
</metadata></record>
"""
DUBLIN = f"""<record>{HEADER}<metadata>
 <oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
 <dc:title>Kites</dc:title><dc:creator>Lark, Ada</dc:creator><dc:creator>Wren, Bo</dc:creator>
 <dc:description>{ABSTRACT}</dc:description><dc:description>Comment: 3 pages</dc:description>
 <dc:date>2024-05-06</dc:date><dc:identifier>http://arxiv.org/abs/2405.00001</dc:identifier></oai_dc:dc>
</metadata></record>
"""
DELETED = (
    '<record><header status="deleted"><identifier>oai:arXiv.org:1</identifier></header></record>\n'
)
LINK = "https://arxiv.org/abs/2405.00001"
BOTH = ("Ada Lark", "Bo Wren")

GOLDEN = {
    "atom": (
        f"{FEED}{ENTRY}</feed>",
        Paper(
            "2405.00001",
            "Kites & Things",
            ABSTRACT,
            "2024-05-06",
            BOTH,
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
        Paper("2405.00001", "Kites", ABSTRACT, "2024-05-06", (*BOTH, "Cy Owl"), LINK, "2405.00001"),
    ),
    "Dublin Core": (
        f"{HARVEST}{DUBLIN}</ListRecords></OAI-PMH>",
        Paper("2405.00001", "Kites", ABSTRACT, "2024-05-06", BOTH, LINK, "2405.00001"),
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


def other(record: str) -> str:
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
def test_a_broken_entry_in_the_middle_costs_itself_alone(
    tmp_path: Path, fault: tuple[str, str], stated: str
) -> None:
    rivers = ENTRY.replace("2405.00001", "2405.00003")
    found, problems = read_all(
        tmp_path, f"{FEED}{other(ENTRY)}{ENTRY.replace(*fault)}{rivers}</feed>"
    )
    assert {p.id for p in found} == {"2405.00002", "2405.00003"}
    assert len(problems) == 1
    assert problems[0].startswith(f"x:{5 + ENTRY.count(chr(10))}: {stated}")


def test_a_deleted_record_is_passed_over_and_a_file_that_breaks_off_is_reported(
    tmp_path: Path,
) -> None:
    found, problems = read_all(tmp_path, f"{HARVEST}{DELETED}{RECORD}{other(RECORD)[:-60]}")
    assert [p.id for p in found] == ["2405.00001"]
    assert [p.partition(": ")[0] for p in problems] == ["x:14"]


def test_an_answer_that_holds_no_papers_is_reported(tmp_path: Path) -> None:
    found, problems = read_all(
        tmp_path, f'{HARVEST}<error code="noRecordsMatch"/></ListRecords></OAI-PMH>'
    )
    assert (found, problems) == ([], ["x: the XML holds no entry and no record"])


def test_a_line_that_is_no_text_costs_its_record_alone(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(
        f"{FEED}{ENTRY}{other(ENTRY)}</feed>".encode().replace(b"Bo Wren", b"B\xff", 1)
    )
    problems: list[Problem] = []
    assert [p.id for p in read([str(file)], problems.append)] == ["2405.00002"]
    assert [p.message for p in problems] == ["not UTF-8 text; convert the file to UTF-8"]


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("told")
    head = (
        '<?xml version="1.0"?>\n<!DOCTYPE feed [<!ENTITY a "kite "><!ENTITY b "&a;&a;&a;"><!ENTITY '
    )
    bomb = f'{head}c SYSTEM "{secret.as_uri()}">]>\n' + FEED.partition("\n")[2]
    for name in ("b", "c"):
        bad = ENTRY.replace("Kites &amp;", f"&{name};")
        found, problems = read_all(tmp_path, f"{bomb}{bad}{other(ENTRY)}</feed>")
        assert [p.title for p in found] == ["Nests & Things"]
        assert len(problems) == 1
        assert problems[0] == "x:6: not XML: undefined entity"
    inside = ENTRY.replace("<entry>", '<entry><!ENTITY a "x">')
    found, problems = read_all(tmp_path, f"{FEED}{inside}{other(ENTRY)}</feed>")
    assert [p.title for p in found] == ["Nests & Things"]
    assert problems == ["x:5: the XML declares entities, which are not expanded"]


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.sampled_from(
            ["<entry>", "</entry>", "<title>", "</title>", "&x;", "<![CDATA[", "]]>", "a"]
        )
    )
)
def test_no_text_makes_the_reader_fall_over(pieces: list[str]) -> None:
    lines = [
        Line(n, text)
        for n, text in enumerate((FEED + "<entry>\n" + "\n".join(pieces)).split("\n"), 1)
    ]
    for item in arxiv_xml.FORMAT.read("x", lines):
        assert isinstance(item, Problem) or not (item.title and item.abstract)
