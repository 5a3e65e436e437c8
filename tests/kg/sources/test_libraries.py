"""Formats of libraries and publishers: fields, faults, and unsupported formats."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from citekg.cli.main import main
from citekg.schemas.records import Paper, Source
from citekg.sources import FORMATS, Problem, read
from tests.kg.sources.library_records import (
    ABSTRACT,
    ANTHOLOGY,
    ANTHOLOGY_HEAD,
    CROSSREF,
    GOLDEN,
    NBIB,
    OPENREVIEW_1,
    OPENREVIEW_2,
    PUBMED,
    PUBMED_HEAD,
    REFUSED,
    WEB_OF_SCIENCE,
)
from tests.kg.sources.reading import Written, read_all

REPLY = {
    **OPENREVIEW_1,
    "id": "r1",
    "replyto": "aB3_x",
    "content": {"title": "Official Review", "review": "A fine kite."},
}


XML = [name for name, (head, *_) in GOLDEN.items() if head.startswith("<")]


def without_sources(paper: Paper) -> Paper:
    return Paper(**{name: getattr(paper, name) for name in Paper.__slots__ if name != "sources"})


def another_paper(record: str) -> str:
    """Return the record with other titles and ids, so that it is another paper."""
    for old, new in (
        ("<fixed-case>K</fixed-case>ite", "Nest"),
        ("Kite", "Nest"),
        ("kite", "nest"),
        ("0001", "0002"),
        ("aB3_x", "aB3_y"),
        ("main.7", "main.8"),
        ("PMID- 1", "PMID- 2"),
    ):
        record = record.replace(old, new)
    return record


@pytest.mark.parametrize("name", GOLDEN)
def test_all_fields_of_a_record_are_read_with_its_line(written: Written, name: str) -> None:
    head, record, end, line, paper = GOLDEN[name]
    (found,), problems = read_all(written(head + record + end))
    assert problems == []
    assert without_sources(found) == paper
    assert found.sources == (Source("x", line),)


@pytest.mark.parametrize("name", XML)
def test_xml_on_one_line_gives_the_same_paper(written: Written, name: str) -> None:
    head, record, end, _, paper = GOLDEN[name]
    (found,), problems = read_all(written((head + record + end).replace("\n", " ")))
    assert (without_sources(found), problems) == (paper, [])


@pytest.mark.parametrize("name", GOLDEN)
def test_each_file_is_recognised_first_by_the_reader_of_its_format(name: str) -> None:
    head, record, end, *_ = GOLDEN[name]
    lines = (head.removeprefix("\ufeff") + record + end).splitlines()[:50]
    taken = [
        known
        for known, one in FORMATS.items()
        if one.recognises(lines) and known not in {"jsonl", "pages"}
    ]
    assert taken[0] == name.split()[0]
    # Atom feeds and CrossRef works also match a general format; the specific one comes first.
    assert taken[1:] in ([], ["arxiv-xml"], ["csl-json"])


#: For each format: the change that makes a record unreadable, and the message reported for it.
FAULTS = {
    "crossref": (('"author": [', '"author": [1, '), "'author' is not a list of objects"),
    "openreview": (
        ('"authors": [', '"authors": {}, "x": ['),
        "'authors' is an object where a list is expected",
    ),
    "openreview version 2": (
        ('{"title": {"value": "Kites"}', '{"title": {"value": []}'),
        "'title' is a list where",
    ),
    "pubmed-xml": (("</ArticleTitle>", ""), "not XML: mismatched tag"),
    "nbib": (("TI  - CO2 & kites.\n", ""), "the paper has no title"),
    "anthology-xml": (("</title>", ""), "not XML: mismatched tag"),
    "endnote-xml": (("</titles>", ""), "not XML: mismatched tag"),
    "web-of-science": (("TI Kites\n   that fly\n", ""), "the paper has no title"),
    "arxiv-rss": (("</title>", ""), "not XML: mismatched tag"),
    "arxiv-rss as Atom": (("</title>", ""), "not XML: mismatched tag"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_broken_record_is_reported_and_the_records_around_it_are_kept(
    written: Written, name: str
) -> None:
    head, record, end, line, paper = GOLDEN[name]
    (old, new), message = FAULTS[name]
    assert old in record
    broken = (
        record.replace(old, new)
        .replace("10.1000", "10.2000")
        .replace("aB3_x", "aB3_z")
        .replace("2405", "2406")
    )
    found, problems = read_all(written(head + another_paper(record) + broken + record + end))
    assert len(found) == 2
    assert paper in map(without_sources, found)
    assert len(problems) == 1
    assert problems[0].startswith(f"x:{line + record.count(chr(10))}: {message}")


@pytest.mark.parametrize("name", GOLDEN)
def test_an_undecodable_line_skips_only_its_own_record(written: Written, name: str) -> None:
    head, record, end, *_ = GOLDEN[name]
    file = written(head + another_paper(record) + record + end)
    whole = Path(file).read_bytes()
    at = whole.index(record.encode()) + record.encode().index(b"Lark")
    Path(file).write_bytes(whole[:at] + b"\xff" + whole[at:])
    found, problems = read_all(file)
    assert len(found) == 1
    assert [p.rpartition(": ")[2] for p in problems] == [
        "not UTF-8 text; convert the file to UTF-8"
    ]


@pytest.mark.parametrize("name", XML)
def test_xml_entities_are_not_expanded(written: Written, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    head, record, end, *_ = GOLDEN[name]
    declared = f'<!DOCTYPE x [<!ENTITY a "kite"><!ENTITY b SYSTEM "{secret.as_uri()}">]>\n'
    first, rest = head.split("\n", 1)
    head = f"{first}\n{declared}{re.sub('<!DOCTYPE.*', '', rest)}"
    for entity in ("a", "b"):
        bad = re.sub(r"(<(?:Article)?(?:title|Title)>)", rf"\1&{entity};", record, count=1)
        assert bad != record
        found, problems = read_all(written(head + bad + another_paper(record) + end))
        assert (len(found), [p.partition(": ")[2] for p in problems]) == (
            1,
            ["not XML: undefined entity"],
        )


# CrossRef


@pytest.mark.parametrize("indent", [None, 1])
def test_crossref_responses_with_one_work_or_a_list_of_works_are_read(
    written: Written, indent: int | None
) -> None:
    nests = json.loads(another_paper(json.dumps(CROSSREF)))
    one = {"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": CROSSREF}
    message = {
        "facets": {"x": {"values": {"a": 1}}},
        "total-results": 2,
        "items": [CROSSREF, nests],
        "query": {"q": []},
    }
    many = {
        "status": "ok",
        "message-type": "work-list",
        "message-version": "1.0.0",
        "message": message,
    }
    for answer, titles in ((one, ["Kites: A Study"]), (many, ["Kites: A Study", "Nests: A Study"])):
        found, problems = read_all(written(json.dumps(answer, indent=indent)))
        assert (sorted(paper.title for paper in found), problems) == (titles, [])


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ({"title": "Kites", "subtitle": []}, "title", "Kites"),
        ({"title": ["Kites: a study"], "subtitle": ["A Study"]}, "title", "Kites: a study"),
        ({"container-title": [], "event": {"name": "Sky 2024"}}, "venue", "Sky 2024"),
        (
            {"container-title": None, "institution": [{"name": "Sky Archive"}]},
            "venue",
            "Sky Archive",
        ),
        ({"issued": {"date-parts": [[None]]}, "published-print": {}}, "date", "2024-05-06"),
        ({"relation": {}, "DOI": "10.48550/arXiv.2405.00002"}, "arxiv_id", "2405.00002"),
    ],
)
def test_variants_of_crossref_fields_are_read(
    written: Written, change: dict[str, Any], field: str, value: str
) -> None:
    (found,), problems = read_all(written(json.dumps(CROSSREF | change)))
    assert (getattr(found, field), problems) == (value, [])


# OpenReview


def test_a_reply_on_openreview_is_not_read_as_a_paper(written: Written) -> None:
    answer = json.dumps({"notes": [REPLY, OPENREVIEW_1, REPLY], "count": 3}, indent=2)
    found, problems = read_all(written(answer))
    assert ([paper.title for paper in found], problems) == (["Kites"], [])


def test_anonymous_openreview_authors_are_omitted_and_author_objects_are_read(
    written: Written,
) -> None:
    hidden = {**OPENREVIEW_1, "content": {**_NOTE_CONTENT, "authors": ["Anonymous"]}}
    assert read_all(written(json.dumps(hidden)))[0][0].authors == ()
    objects = {
        **OPENREVIEW_2,
        "content": {
            **_NOTE_CONTENT,
            "authors": {"value": [{"fullname": "Ada Lark", "username": "~A"}]},
        },
    }
    assert read_all(written(json.dumps(objects)))[0][0].authors == ("Ada Lark",)


_NOTE_CONTENT = {"title": "Kites", "abstract": ABSTRACT}


# PubMed


def test_pubmed_xml_and_nbib_give_the_same_paper(written: Written) -> None:
    papers = []
    for name in ("pubmed-xml", "nbib"):
        head, record, end, *_ = GOLDEN[name]
        papers += [without_sources(paper) for paper in read_all(written(head + record + end))[0]]
    assert papers[0].abstract == papers[1].abstract
    assert (papers[0].id, papers[0].authors, papers[0].date) == (
        papers[1].id,
        papers[1].authors,
        papers[1].date,
    )


@pytest.mark.parametrize(
    ("date", "found"),
    [
        ("<Year>2024</Year><Month>11</Month><Day>3</Day>", "2024-11-03"),
        ("<Year>2024</Year><Month>Nov</Month><Day>03</Day>", "2024-11-03"),
        ("<Year>2024</Year><Season>Winter</Season>", "2024"),
        ("<MedlineDate>2024 Nov-Dec</MedlineDate>", "2024-11"),
    ],
)
def test_pubmed_dates_with_month_names_numbers_or_seasons_are_read(
    written: Written, date: str, found: str
) -> None:
    record = re.sub("<ArticleDate.*</ArticleDate>", "", PUBMED)
    record = re.sub("<PubDate>.*</PubDate>", f"<PubDate>{date}</PubDate>", record)
    (paper,), problems = read_all(written(PUBMED_HEAD + record))
    assert (paper.date, problems) == (found, [])


@pytest.mark.parametrize("name", ["pubmed-xml", "nbib"])
def test_section_labels_of_an_abstract_are_not_extracted_as_entities(
    written: Written, name: str
) -> None:
    labels = ("BACKGROUND", "OBJECTIVE", "MATERIALS AND METHODS", "RESULTS", "CONCLUSIONS")
    parts = "".join(
        f'<AbstractText Label="{label}">We use U-Net.</AbstractText>' for label in labels
    )
    whole = " ".join(f"{label}: We use U-Net." for label in labels)
    record = {
        "pubmed-xml": PUBMED_HEAD
        + re.sub("<AbstractText.*</AbstractText>", parts, PUBMED, flags=re.DOTALL),
        "nbib": re.sub("AB  - .*FAU - L", f"AB  - {whole}\nFAU - L", NBIB, flags=re.DOTALL),
    }[name]
    done = CliRunner().invoke(main, ["extract", written(record)])
    assert [entity["name"] for entity in json.loads(done.stdout)["entities"]] == ["U-Net"]


def test_the_id_of_a_pubmed_paper_is_its_arxiv_id_or_without_a_doi_its_pmid(
    written: Written,
) -> None:
    (paper,), _ = read_all(written(PUBMED_HEAD + PUBMED.replace(">S1<", ">arXiv:2405.00001v2<")))
    assert paper.id == "2405.00001"
    bare = re.sub('<ELocationID EIdType="doi".*?</ELocationID>', "", PUBMED)
    assert read_all(written(PUBMED_HEAD + bare))[0][0].id == "pmid:123"
    assert (
        read_all(written(NBIB.replace("LID - 10.1000/Kites.1 [doi]\n", "")))[0][0].id == "pmid:123"
    )


# The ACL Anthology


def test_an_anthology_paper_without_a_url_gets_its_id_from_volume_and_number(
    written: Written,
) -> None:
    record = re.sub("<url hash.*|<doi.*", "", ANTHOLOGY)
    for volume, number in (
        ("2024.sky-main", "2024.sky-main.7"),
        ("P18-1", "P18-1007"),
        ("W18-01", "W18-0107"),
    ):
        (paper,), _ = read_all(
            written(ANTHOLOGY_HEAD.replace("2024.sky-main<", f"{volume}<") + record)
        )
        assert (paper.id, paper.url) == (number, f"https://aclanthology.org/{number}/")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"</meta>", b"", "not XML: mismatched tag"),
        (b"Owl", b"O\xff", "not UTF-8 text; convert the file to UTF-8"),
    ],
)
def test_papers_of_an_unreadable_volume_do_not_get_the_venue_of_another_volume(
    written: Written, old: bytes, new: bytes, message: str
) -> None:
    second = ANTHOLOGY_HEAD.partition("<volume")[2] + another_paper(ANTHOLOGY)
    file = written(f"{ANTHOLOGY_HEAD}{ANTHOLOGY}</volume>\n<volume")
    Path(file).write_bytes(
        Path(file).read_bytes() + second.encode().replace(old, new) + b"</volume></collection>"
    )
    found, problems = read_all(file)
    assert {paper.title.split()[0]: paper.venue for paper in found} == {
        "Kites": "Proceedings of the Sky",
        "Nests": "",
    }
    assert [p.partition(": ")[2] for p in problems] == [message]


# Web of Science


def test_an_early_access_web_of_science_record_without_an_end_line_is_read(
    written: Written,
) -> None:
    early = WEB_OF_SCIENCE.replace("PD MAY 6\nPY 2024\n", "EA MAR 2023\n").replace("ER\n", "")
    found, problems = read_all(
        written(f"FN Clarivate Analytics Web of Science\n{early}{another_paper(WEB_OF_SCIENCE)}")
    )
    assert sorted(paper.date for paper in found) == ["2023-03", "2024-05-06"]
    assert problems == []


# Unsupported formats


@pytest.mark.parametrize("kind", REFUSED)
def test_an_unsupported_format_is_rejected_with_its_name_and_a_hint(
    tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "x"
    file.write_bytes(REFUSED[kind])
    found, problems = read_all(str(file))
    assert found == []
    assert len(problems) == 1
    assert problems[0].startswith(f"{file}:1: this is {kind}")
    assert ": " in problems[0].partition("this is ")[2]


def test_a_harvest_of_unsupported_records_is_rejected_with_the_name_of_their_format(
    written: Written,
) -> None:
    marc = '<metadata><record xmlns="http://www.loc.gov/MARC21/slim"></record></metadata>'
    harvest = (
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">\n<record>{marc}</record></OAI-PMH>'
    )
    found, (problem,) = read_all(written(harvest))
    assert (found, problem.startswith("x:1: this is a MARCXML file: ")) == ([], True)


def test_unsupported_formats_are_not_detected_if_a_format_is_forced(written: Written) -> None:
    text = f"@prefix x: <y> and other texts\n{ABSTRACT}\n"
    problems: list[Problem] = []
    (paper,) = read([written(text)], problems.append, "pages")
    assert (paper.abstract, problems) == (ABSTRACT, [])


def test_a_paper_that_mentions_an_unsupported_format_is_not_rejected(written: Written) -> None:
    about = "A study of <html> pages, %PDF- files and @prefix lines."
    found, problems = read_all(
        written(json.dumps({"title": about, "abstract": ABSTRACT + ' "@context": x'}))
    )
    assert ([paper.title for paper in found], problems) == ([about], [])


@pytest.mark.parametrize("name", GOLDEN)
def test_a_record_is_read_in_the_format_of_a_given_name(written: Written, name: str) -> None:
    head, record, end, _, paper = GOLDEN[name]
    (found,), problems = read_all(written(head + record + end), name.split()[0])
    assert (without_sources(found), problems) == (paper, [])
