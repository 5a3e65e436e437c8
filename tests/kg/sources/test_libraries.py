"""Formats of libraries and publishers: fields, faults, and unsupported formats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from citekg.cli.main import main
from citekg.schemas.records import Paper, Source
from citekg.sources import FORMATS, Problem, read, source_format

ABSTRACT = "We describe a kite that learns to fly. It stays up for an hour."
DOI = "10.1000/kites.1"
BOTH = ("Ada B. Lark", "Bo Wren Jr.")
RESOLVED = f"https://doi.org/{DOI}"

CROSSREF = {
    "indexed": {"date-parts": [[2024, 7, 1]]},
    "reference-count": 3,
    "DOI": "10.1000/Kites.1",
    "type": "journal-article",
    "is-referenced-by-count": 5,
    "title": ["Kites"],
    "subtitle": ["A <i>Study</i>"],
    "container-title": ["Journal of the Sky"],
    "issued": {"date-parts": [[2024]]},
    "published-online": {"date-parts": [[2024, 5, 6]]},
    "published-print": {"date-parts": [[2025, 1, 2]]},
    "abstract": "<jats:title>Abstract</jats:title><jats:p>We describe a kite that learns to fly.</jats:p>"
    "<jats:p>It stays up for an hour.</jats:p>",
    "author": [
        {"given": "Ada B.", "family": "Lark", "sequence": "first"},
        {"given": "Bo", "family": "Wren", "suffix": "Jr."},
        {"name": "The Flock"},
    ],
    "reference": [{"key": "1", "DOI": "10.1000/Wind"}, {"key": "2", "unstructured": "Lark et al."}],
    "URL": "https://doi.org/10.1000/kites.1",
    "resource": {"primary": {"URL": "https://sky.example/kites"}},
    "link": [
        {"URL": "https://sky.example/kites.pdf", "content-type": "application/pdf"},
        {"URL": "https://sky.example/kites.xml", "content-type": "text/xml"},
    ],
    "relation": {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2405.00001"}]},
}
OPENREVIEW_1 = {
    "id": "aB3_x",
    "forum": "aB3_x",
    "replyto": None,
    "invitation": "Sky.example/2024/Conference/-/Blind_Submission",
    "cdate": 1700000000000,
    "pdate": 1714953600000,
    "content": {
        "title": "Kites",
        "abstract": ABSTRACT,
        "authors": ["Ada B. Lark", "Bo Wren Jr."],
        "venue": "Sky 2024 Poster",
        "pdf": "/pdf/0123.pdf",
        "code": "https://code.example/kites",
    },
}
OPENREVIEW_2 = {
    **{name: value for name, value in OPENREVIEW_1.items() if name != "invitation"},
    "invitations": ["Sky.example/2024/Conference/-/Submission"],
    "content": {name: {"value": value} for name, value in OPENREVIEW_1["content"].items()},  # type: ignore[attr-defined]
}
REPLY = {
    **OPENREVIEW_1,
    "id": "r1",
    "replyto": "aB3_x",
    "content": {"title": "Official Review", "review": "A fine kite."},
}

PUBMED_HEAD = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2024//EN" "https://dtd.example/pubmed.dtd">
<PubmedArticleSet>
"""
PUBMED = """<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">123</PMID>
<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet">
<PubDate><Year>2024</Year><Month>Jun</Month></PubDate></JournalIssue><Title>Journal of the Sky</Title></Journal>
<ArticleTitle>CO<sub>2</sub> &amp; kites.</ArticleTitle>
<ELocationID EIdType="pii" ValidYN="Y">S1</ELocationID>
<ELocationID EIdType="doi" ValidYN="Y">10.1000/Kites.1</ELocationID>
<Abstract><AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">We describe a kite.</AbstractText>
<AbstractText Label="RESULTS">It stays up for <i>an</i> hour.</AbstractText>
<AbstractText Label="UNLABELLED">It learns.</AbstractText></Abstract>
<AuthorList CompleteYN="Y"><Author><LastName>Lark</LastName><ForeName>Ada B.</ForeName><Initials>AB</Initials></Author>
<Author><LastName>Wren</LastName><Initials>B</Initials><Suffix>Jr.</Suffix></Author>
<Author><CollectiveName>The Flock</CollectiveName></Author></AuthorList>
<ArticleDate DateType="Electronic"><Year>2024</Year><Month>05</Month><Day>06</Day></ArticleDate></Article>
<CommentsCorrectionsList><CommentsCorrections><PMID>7</PMID></CommentsCorrections></CommentsCorrectionsList>
</MedlineCitation><PubmedData>
<ArticleIdList><ArticleId IdType="pubmed">123</ArticleId><ArticleId IdType="pmc">PMC9</ArticleId></ArticleIdList>
<ReferenceList><Reference><Citation>Wind.</Citation><ArticleIdList><ArticleId IdType="doi">10.1000/Wind</ArticleId>
<ArticleId IdType="pmc">PMC1</ArticleId></ArticleIdList></Reference></ReferenceList>
</PubmedData></PubmedArticle>
"""
NBIB = """PMID- 123
OWN - NLM
DP  - 2024 Jun
TI  - CO2 & kites.
LID - S1 [pii]
LID - 10.1000/Kites.1 [doi]
AB  - BACKGROUND: We describe a kite. RESULTS: It stays
      up for an hour. It learns.
FAU - Lark, Ada B.
AU  - Lark AB
FAU - Wren, B, Jr.
AU  - Wren B Jr
CN  - The Flock
DEP - 20240506
TA  - J Sky
JT  - Journal of the Sky
PMC - PMC9
"""
ANTHOLOGY_HEAD = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2024.sky">
  <volume id="main" ingest-date="2024-07-01" type="proceedings">
    <meta>
      <booktitle>Proceedings of the <fixed-case>S</fixed-case>ky</booktitle>
      <editor><first>Cy</first><last>Owl</last></editor>
      <month>May 6–8</month>
      <year>2024</year>
      <url hash="0a">2024.sky-main</url>
    </meta>
    <frontmatter>
      <url hash="0b">2024.sky-main.0</url>
    </frontmatter>
"""
ANTHOLOGY = """    <paper id="7">
      <title><fixed-case>K</fixed-case>ites for <tex-math>x^2</tex-math></title>
      <author><first>Ada B.</first><last>Lark</last>
        <variant script="hani"><first>x</first><last>y</last></variant></author>
      <author><last>Flock</last></author>
      <pages>1–9</pages>
      <abstract>We describe a <b>kite</b>, see <url>https://kites.example</url>.</abstract>
      <url hash="0c">2024.sky-main.7</url>
      <doi>10.1000/Kites.1</doi>
      <pwccode url="https://code.example/kites" additional="false">kites</pwccode>
    </paper>
"""
ENDNOTE = """<record><database name="x.enl" path="x.enl">x.enl</database>
<source-app name="EndNote" version="20.0">EndNote</source-app><rec-number>1</rec-number>
<ref-type name="Journal Article">17</ref-type><contributors><authors>
<author><style face="normal">Lark, Ada B.</style></author><author><style face="normal">Wren, Bo, Jr.</style></author>
</authors></contributors><titles><title><style face="normal">Ki</style><style face="italic">tes</style></title>
<secondary-title><style face="normal">Journal of the Sky</style></secondary-title></titles>
<dates><year><style face="normal">2024</style></year><pub-dates><date><style>May 6</style></date></pub-dates></dates>
<abstract><style face="normal">We describe a kite that learns to fly.&#xD;It stays up for an hour.</style></abstract>
<urls><related-urls><url><style>https://sky.example/kites</style></url></related-urls>
<pdf-urls><url>internal-pdf://1/kites.pdf</url><url>https://sky.example/kites.pdf</url></pdf-urls></urls>
<electronic-resource-num><style>10.1000/Kites.1</style></electronic-resource-num></record>
"""
WEB_OF_SCIENCE = """PT J
AU Lark, AB
   Wren, B
AF Lark, Ada B.
   Wren, Bo, Jr.
TI Kites
   that fly
SO JOURNAL OF THE SKY
AB We describe a kite that learns to fly.
   It stays up for an hour.
CR Owl C, 2019, SKY, V1, P2, DOI 10.1000/Wind
   Finch D, 2020, SEA, DOI [10.1000/Sea, 10.1000/Sea2]
   Finch E, 2021, ARXIV, DOI DOI 10.48550/arXiv.2405.00009
PD MAY 6
PY 2024
DI 10.1000/Kites.1
UT WOS:000000000000001
ER

"""
RSS_HEAD = """<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" version="2.0">
<channel><title>cs.XX updates on arXiv.org</title><link>http://rss.arxiv.org/rss/cs.XX</link>
"""
RSS = f"""<item><title>Kites</title><link>https://arxiv.org/abs/2404.00001</link>
<description>arXiv:2404.00001v1 Announce Type: new
Abstract: {ABSTRACT}</description><guid isPermaLink="false">oai:arXiv.org:2404.00001v1</guid>
<pubDate>Mon, 06 May 2024 00:00:00 -0400</pubDate><arxiv:announce_type>new</arxiv:announce_type>
<dc:creator>Ada B. Lark, Bo Wren Jr.</dc:creator><arxiv:DOI>10.1000/Kites.1</arxiv:DOI></item>
"""
ATOM_HEAD = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><id>http://rss.arxiv.org/atom/cs.XX</id>
"""
ATOM = f"""<entry><id>oai:arXiv.org:2404.00001v2</id><title>Kites</title><updated>2024-05-06T04:00:00+00:00</updated>
<link href="https://arxiv.org/abs/2404.00001" rel="alternate" type="text/html"/>
<summary>arXiv:2404.00001v2 Announce Type: replace
Abstract: {ABSTRACT}</summary><published>2024-05-06T00:00:00-04:00</published>
<arxiv:announce_type>replace</arxiv:announce_type><dc:creator>Ada B. Lark, Bo Wren Jr.</dc:creator></entry>
"""

_PMC = ("https://pmc.ncbi.nlm.nih.gov/articles/PMC9/",)
_LABELLED = "Background: We describe a kite. Results: It stays up for an hour. It learns."
_NOTE = Paper(
    "aB3_x",
    "Kites",
    ABSTRACT,
    "2024-05-06",
    BOTH,
    "https://openreview.net/forum?id=aB3_x",
    "",
    "Sky 2024 Poster",
    links=("https://code.example/kites", "https://openreview.net/pdf/0123.pdf"),
)
#: By format and variant: head of a file, record, tail, line of the record, and its paper.
GOLDEN: dict[str, tuple[str, str, str, int, Paper]] = {
    "crossref": (
        "",
        json.dumps(CROSSREF) + "\n",
        "",
        1,
        Paper(
            "2405.00001",
            "Kites: A Study",
            ABSTRACT,
            "2024-05-06",
            (*BOTH, "The Flock"),
            RESOLVED,
            "2405.00001",
            "Journal of the Sky",
            doi=DOI,
            links=("https://sky.example/kites", "https://sky.example/kites.pdf"),
            references=("doi:10.1000/wind",),
        ),
    ),
    "openreview": ("", json.dumps(OPENREVIEW_1) + "\n", "", 1, _NOTE),
    "openreview version 2": ("", json.dumps(OPENREVIEW_2) + "\n", "", 1, _NOTE),
    "pubmed-xml": (
        PUBMED_HEAD,
        PUBMED,
        "</PubmedArticleSet>\n",
        4,
        Paper(
            DOI,
            "CO2 & kites",
            _LABELLED,
            "2024-05-06",
            ("Ada B. Lark", "B Wren Jr.", "The Flock"),
            "https://pubmed.ncbi.nlm.nih.gov/123/",
            "",
            "Journal of the Sky",
            doi=DOI,
            links=_PMC,
            references=("doi:10.1000/wind",),
        ),
    ),
    "nbib": (
        "\n",
        NBIB + "\n",
        "",
        2,
        Paper(
            DOI,
            "CO2 & kites",
            _LABELLED,
            "2024-05-06",
            ("Ada B. Lark", "B Wren Jr.", "The Flock"),
            "https://pubmed.ncbi.nlm.nih.gov/123/",
            "",
            "Journal of the Sky",
            doi=DOI,
            links=_PMC,
        ),
    ),
    "anthology-xml": (
        ANTHOLOGY_HEAD,
        ANTHOLOGY,
        "  </volume>\n</collection>\n",
        14,
        Paper(
            DOI,
            "Kites for $x^2$",
            "We describe a kite, see https://kites.example.",
            "2024-05",
            ("Ada B. Lark", "Flock"),
            "https://aclanthology.org/2024.sky-main.7/",
            "",
            "Proceedings of the Sky",
            doi=DOI,
            links=("https://code.example/kites",),
        ),
    ),
    "endnote-xml": (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<xml><records>\n',
        ENDNOTE,
        "</records></xml>\n",
        3,
        Paper(
            DOI,
            "Kites",
            ABSTRACT,
            "2024-05-06",
            BOTH,
            "https://sky.example/kites",
            "",
            "Journal of the Sky",
            doi=DOI,
            links=("https://sky.example/kites.pdf",),
        ),
    ),
    "web-of-science": (
        "\ufeffFN Clarivate Analytics Web of Science\nVR 1.0\n",
        WEB_OF_SCIENCE,
        "EF\n",
        3,
        Paper(
            DOI,
            "Kites that fly",
            ABSTRACT,
            "2024-05-06",
            BOTH,
            "https://doi.org/10.1000/Kites.1",
            "",
            "JOURNAL OF THE SKY",
            doi=DOI,
            references=(
                "arxiv:2405.00009",
                "doi:10.1000/sea",
                "doi:10.1000/sea2",
                "doi:10.1000/wind",
            ),
        ),
    ),
    "arxiv-rss": (
        RSS_HEAD,
        RSS,
        "</channel></rss>\n",
        4,
        Paper(
            "2404.00001",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            BOTH,
            "https://arxiv.org/abs/2404.00001",
            "2404.00001",
            doi=DOI,
        ),
    ),
    "arxiv-rss as Atom": (
        ATOM_HEAD,
        ATOM,
        "</feed>\n",
        4,
        Paper(
            "2404.00001",
            "Kites",
            ABSTRACT,
            "2024-04",
            BOTH,
            "https://arxiv.org/abs/2404.00001",
            "2404.00001",
        ),
    ),
}
XML = [name for name, (head, *_) in GOLDEN.items() if head.startswith("<")]
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


def without_sources(paper: Paper) -> Paper:
    return Paper(**{name: getattr(paper, name) for name in Paper.__slots__ if name != "sources"})


def other(record: str) -> str:
    """The record of another paper."""
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
def test_what_a_format_states_of_a_paper_is_kept_with_its_line(written: Written, name: str) -> None:
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
def test_each_file_is_recognised_by_the_reader_of_its_format_alone(name: str) -> None:
    head, record, end, *_ = GOLDEN[name]
    lines = (head.removeprefix("\ufeff") + record + end).splitlines()[:50]
    taken = [
        known
        for known, one in FORMATS.items()
        if one.recognises(lines) and known not in {"jsonl", "pages"}
    ]
    assert taken[0] == name.split()[0]
    # Feeds are Atom, and CrossRef's works are nearly CSL-JSON: the narrower format is asked first.
    assert taken[1:] in ([], ["arxiv-xml"], ["csl-json"])


#: For each format what to change in a record so that it cannot be read, and what is then reported.
FAULTS = {
    "crossref": (('"author": [', '"author": [1, '), "'author' is no list of objects"),
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
def test_a_broken_record_in_the_middle_costs_itself_alone(written: Written, name: str) -> None:
    head, record, end, line, paper = GOLDEN[name]
    (old, new), message = FAULTS[name]
    assert old in record
    broken = (
        record.replace(old, new)
        .replace("10.1000", "10.2000")
        .replace("aB3_x", "aB3_z")
        .replace("2405", "2406")
    )
    found, problems = read_all(written(head + other(record) + broken + record + end))
    assert len(found) == 2
    assert paper in map(without_sources, found)
    assert len(problems) == 1
    assert problems[0].startswith(f"x:{line + record.count(chr(10))}: {message}")


@pytest.mark.parametrize("name", GOLDEN)
def test_a_line_that_is_no_text_costs_its_record_alone(written: Written, name: str) -> None:
    head, record, end, *_ = GOLDEN[name]
    file = written(head + other(record) + record + end)
    whole = Path(file).read_bytes()
    at = whole.index(record.encode()) + record.encode().index(b"Lark")
    Path(file).write_bytes(whole[:at] + b"\xff" + whole[at:])
    found, problems = read_all(file)
    assert len(found) == 1
    assert [p.rpartition(": ")[2] for p in problems] == [
        "not UTF-8 text; convert the file to UTF-8"
    ]


@pytest.mark.parametrize("name", XML)
def test_no_entity_is_expanded(written: Written, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    head, record, end, *_ = GOLDEN[name]
    declared = f'<!DOCTYPE x [<!ENTITY a "kite"><!ENTITY b SYSTEM "{secret.as_uri()}">]>\n'
    first, rest = head.split("\n", 1)
    head = f"{first}\n{declared}{re.sub('<!DOCTYPE.*', '', rest)}"
    for entity in ("a", "b"):
        bad = re.sub(r"(<(?:Article)?(?:title|Title)>)", rf"\1&{entity};", record, count=1)
        assert bad != record
        found, problems = read_all(written(head + bad + other(record) + end))
        assert (len(found), [p.partition(": ")[2] for p in problems]) == (
            1,
            ["not XML: undefined entity"],
        )


# CrossRef


@pytest.mark.parametrize("indent", [None, 1])
def test_an_answer_of_crossref_holds_one_work_or_a_list_of_them(
    written: Written, indent: int | None
) -> None:
    nests = json.loads(other(json.dumps(CROSSREF)))
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
def test_the_variants_of_a_work_of_crossref_are_read(
    written: Written, change: dict[str, Any], field: str, value: str
) -> None:
    (found,), problems = read_all(written(json.dumps(CROSSREF | change)))
    assert (getattr(found, field), problems) == (value, [])


# OpenReview


def test_a_reply_to_a_paper_on_openreview_is_no_paper(written: Written) -> None:
    answer = json.dumps({"notes": [REPLY, OPENREVIEW_1, REPLY], "count": 3}, indent=2)
    found, problems = read_all(written(answer))
    assert ([paper.title for paper in found], problems) == (["Kites"], [])


def test_hidden_authors_on_openreview_are_none_and_objects_of_authors_are_read(
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


def test_a_paper_of_pubmed_is_one_in_both_formats(written: Written) -> None:
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
def test_the_dates_of_pubmed_are_read_in_words_and_numbers(
    written: Written, date: str, found: str
) -> None:
    record = re.sub("<ArticleDate.*</ArticleDate>", "", PUBMED)
    record = re.sub("<PubDate>.*</PubDate>", f"<PubDate>{date}</PubDate>", record)
    (paper,), problems = read_all(written(PUBMED_HEAD + record))
    assert (paper.date, problems) == (found, [])


@pytest.mark.parametrize("name", ["pubmed-xml", "nbib"])
def test_the_labels_of_an_abstract_are_taken_for_no_entities(written: Written, name: str) -> None:
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


def test_a_preprint_in_pubmed_is_known_by_its_arxiv_id_and_an_article_without_a_doi_by_its_number(
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


def test_a_paper_of_the_anthology_without_an_address_is_numbered_in_its_volume(
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
def test_a_volume_that_cannot_be_read_lends_its_papers_no_other_volumes_name(
    written: Written, old: bytes, new: bytes, message: str
) -> None:
    second = ANTHOLOGY_HEAD.partition("<volume")[2] + other(ANTHOLOGY)
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


def test_a_web_of_science_record_without_an_end_and_one_in_early_access_are_read(
    written: Written,
) -> None:
    early = WEB_OF_SCIENCE.replace("PD MAY 6\nPY 2024\n", "EA MAR 2023\n").replace("ER\n", "")
    found, problems = read_all(
        written(f"FN Clarivate Analytics Web of Science\n{early}{other(WEB_OF_SCIENCE)}")
    )
    assert sorted(paper.date for paper in found) == ["2023-03", "2024-05-06"]
    assert problems == []


# Formats that are not read

_ZIPPED = b"PK\x03\x04" + b"\0" * 26
REFUSED = {
    "a PDF file": b"%PDF-1.7\n",
    "a ZIP archive": _ZIPPED + b"papers.jsonl",
    "an Office document (DOCX": _ZIPPED + b"[Content_Types].xml",
    "an OpenDocument file": _ZIPPED + b"mimetypeapplication/vnd.oasis.opendocument.text",
    "an EPUB book": _ZIPPED + b"mimetypeapplication/epub+zip",
    "a compressed EndNote library (.enlx)": _ZIPPED + b"My Library.Data/sdb/sdb.eni",
    "an EndNote library (.enl)": b"ABox\0\0\1",
    "an SQLite database, such as an EndNote": b"SQLite format 3\0",
    "an old Office document": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0",
    "an HTML page": b"\n<!DOCTYPE html>\n<html><head></head></html>",
    "a MARCXML file": b'<?xml version="1.0"?><collection xmlns="http://www.loc.gov/MARC21/slim"><record></record>',
    "a MARC file": b"01142cam  2200301 a 4500001001300000\x1e",
    "a MODS file": b'<modsCollection xmlns="http://www.loc.gov/mods/v3"><mods></mods>',
    "a JATS file": b'<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "x.dtd">\n<article dtd-version="1.2">',
    "a TEI file": b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>',
    "an RDF file (RDF/XML)": b'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    "an RDF file: graphs": b"@prefix x: <https://x.example/> .\n",
    "an RDF file: graphs are": b"<https://x.example/a> <https://x.example/b> <https://x.example/c> .\n",
    "an RDF file (JSON-LD)": b'{"@context": {}, "@graph": []}',
    "a DBLP file": b'<?xml version="1.0"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n<article key="x">',
    "an RSS feed of another site than arXiv": b'<?xml version="1.0"?>\n<!-- x -->\n<rss version="2.0"><channel>',
    "a Refer (ENW) file": b"%0 Journal Article\n%T Kites\n%X They fly.\n",
    "an RTF document": b"{\\rtf1 Kites}",
    "a LaTeX document": b"\\documentclass{article}\n",
    "a Jupyter notebook": b'{"cells": [], "nbformat": 4}',
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_format_that_is_not_read_is_refused_by_its_name_with_what_to_do(
    tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "x"
    file.write_bytes(REFUSED[kind])
    found, problems = read_all(str(file))
    assert found == []
    assert len(problems) == 1
    assert problems[0].startswith(f"{file}:1: this is {kind}")
    assert ": " in problems[0].partition("this is ")[2]


def test_a_harvest_of_another_format_of_records_is_refused_by_the_name_of_that(
    written: Written,
) -> None:
    marc = '<metadata><record xmlns="http://www.loc.gov/MARC21/slim"></record></metadata>'
    harvest = (
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">\n<record>{marc}</record></OAI-PMH>'
    )
    found, (problem,) = read_all(written(harvest))
    assert (found, problem.startswith("x:1: this is a MARCXML file: ")) == ([], True)


def test_a_format_that_is_forced_is_never_refused_by_its_looks(written: Written) -> None:
    text = f"@prefix x: <y> and other texts\n{ABSTRACT}\n"
    problems: list[Problem] = []
    (paper,) = read([written(text)], problems.append, "pages")
    assert (paper.abstract, problems) == (ABSTRACT, [])


def test_a_paper_about_a_format_is_no_file_of_it(written: Written) -> None:
    about = "A study of <html> pages, %PDF- files and @prefix lines."
    found, problems = read_all(
        written(json.dumps({"title": about, "abstract": ABSTRACT + ' "@context": x'}))
    )
    assert ([paper.title for paper in found], problems) == ([about], [])


def test_every_new_format_can_be_forced_by_name() -> None:
    assert {source_format(name.split()[0]).about for name in GOLDEN}
