"""Records of libraries and publishers, their papers, and files of unsupported formats."""

from __future__ import annotations

import json
from typing import Any

from citekg.schemas.records import Paper

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
OPENREVIEW_1: dict[str, Any] = {
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
    "content": {name: {"value": value} for name, value in OPENREVIEW_1["content"].items()},
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
