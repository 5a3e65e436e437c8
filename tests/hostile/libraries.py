"""Invalid inputs in the formats of libraries and publishers, and in unsupported formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from tests.hostile.making import ABSTRACT, ONE, Bad, file, with_valid_file
from tests.kg.sources import library_records as libraries


def _item(title: str = "Kites", more: str = "") -> str:
    return f"<item><title>{title}</title><description>{ABSTRACT}</description>{more}</item>\n"


def _article(title: str = "Kites", more: str = "") -> str:
    text = f"<Abstract><AbstractText>{ABSTRACT}</AbstractText></Abstract>"
    article = f"<Article><ArticleTitle>{title}</ArticleTitle>{text}{more}</Article>"
    return f"<PubmedArticle><MedlineCitation>{article}</MedlineCitation></PubmedArticle>\n"


def _anthology(title: str = "Kites", more: str = "") -> str:
    return f'<paper id="1"><title>{title}</title><abstract>{ABSTRACT}</abstract>{more}</paper>\n'


def _endnote(title: str = "Kites", more: str = "") -> str:
    return (
        f"<record><rec-number>1</rec-number><titles><title>{title}</title></titles>"
        f"<abstract>{ABSTRACT}</abstract>{more}</record>\n"
    )


def _nbib(title: str = "Kites", more: str = "") -> str:
    return f"PMID- {sum(map(ord, title))}\nTI  - {title}\nAB  - {ABSTRACT}\n{more}\n"


def _wos(title: str = "Kites", more: str = "") -> str:
    return f"PT J\nTI {title}\nAB {ABSTRACT}\n{more}ER\n\n"


#: For each XML format, the first line of a file and a function that makes a record.
_XML: Final[dict[str, tuple[str, Callable[..., str]]]] = {
    "arxiv-rss": (libraries.RSS_HEAD.replace("\n", " ") + "\n", _item),
    "pubmed-xml": ("<PubmedArticleSet>\n", _article),
    "anthology-xml": ('<collection id="x"><volume id="1">\n', _anthology),
    "endnote-xml": ("<xml><records><source-app>x</source-app>\n", _endnote),
}
_DECLARED: Final = '<!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY l1 "&l0;&l0;&l0;"><!ENTITY f SYSTEM "file:///etc/passwd">]>\n'


def _without_declaration(head: str) -> str:
    """Return the beginning of a file without the XML declaration, which must come first."""
    return head.partition("?>")[2] or head


def _bad_xml(name: str, head: str, record: Callable[..., str]) -> tuple[Bad, ...]:
    return (
        Bad(
            f"entities that stand for one another and for a file in {name}",
            file(
                _DECLARED,
                _without_declaration(head),
                record("&l1;"),
                record("&f;"),
                record(),
                record("Nests"),
            ),
            reported=("x:3: not XML: undefined entity", "x:4: not XML: undefined entity"),
        ),
        Bad(
            f"entities declared inside a record of {name}",
            file(head, record("a", '<!DOCTYPE x [<!ENTITY a "b">]>'), record(), record("Nests")),
            reported=("x:2: the XML declares entities, which are not expanded",),
        ),
        Bad(
            f"a hundred thousand elements inside one another in {name}",
            file(
                head, record(), record("Deep", "<a>" * 100_000 + "</a>" * 100_000), record("Nests")
            ),
            reported=("x:3: more than 100 nested elements",),
        ),
        Bad(
            f"a file of {name} that breaks off",
            file(head, record(), record("Nests"), record("Cut")[:40]),
            reported=("x:4: not XML: ",),
        ),
        Bad(
            f"a record inside another in {name}",
            file(head, record("Cut").partition("</")[0], "\n", record(), record("Nests")),
            reported=("x:2: not XML: mismatched tag",),
        ),
        Bad(
            f"a file of {name} without a record",
            with_valid_file(file(head, "</volume>\n")),
            kept=ONE,
            reported=("x: the XML holds no ",),
        ),
    )


def _work(title: str, **more: Any) -> str:
    work = {
        "DOI": f"10.1000/{title}",
        "reference-count": 0,
        "title": [title],
        "abstract": ABSTRACT,
        **more,
    }
    return json.dumps(work) + "\n"


def _note(title: str, **more: Any) -> str:
    content = {"title": title, "abstract": ABSTRACT, **more.pop("content", {})}
    return (
        json.dumps({"id": title, "forum": title, "invitation": "x", "content": content, **more})
        + "\n"
    )


_WORKS: Final = [json.loads(_work(title)) for title in ("Kites", "Nests", "Cut")]
LIBRARIES: Final = (
    *(bad for name, (head, record) in _XML.items() for bad in _bad_xml(name, head, record)),
    Bad(
        "a volume of the Anthology whose head is broken",
        file('<collection id="x">\n<volume id="1"><meta><booktitle>&x;</meta>\n', _anthology(), _anthology("Nests")),
        reported=("x:2: not XML: undefined entity",),
    ),
    Bad(
        "a thousand volumes inside one another",
        file('<collection id="x">\n', '<volume id="1">\n' * 1000, _anthology(), _anthology("Nests")),
    ),
    Bad(
        "a record of PubMed of 50 MB",
        file("<PubmedArticleSet>\n", _article(), "<PubmedArticle><x>", ("a", 50_000_000), "</x></PubmedArticle>\n",
             _article("Nests")),
        heavy=True,
        reported=("x:3: the record is longer than 32 MB",),
    ),
    Bad(
        "a Web of Science record of 50 MB",
        file("FN Clarivate\n", _wos(), "PT J\nAB a\n", ("   " + "word " * 20 + "\n", 490_000), "ER\n", _wos("Nests")),
        heavy=True,
        reported=("x:7: the record is longer than 32 MB",),
    ),
    Bad("Web of Science records without ends", file(_wos().replace("ER\n", ""), _wos("Nests").replace("ER\n", ""))),
    Bad(
        "a Web of Science record that begins inside another",
        file("FN Clarivate\nPT J\nAB They end here.\n", _wos(), _wos("Nests")),
        reported=("x:2: the paper has no title",),
    ),
    Bad(
        "dates of Web of Science that are none",
        file(_wos(more=f"PY {'9' * 5000}\nPD MAY {'9' * 5000}\n"), _wos("Nests", "PY soon\nPD 99 MAY\n")),
    ),
    Bad(
        "nbib with a tag of no meaning, one that stands twice, and a line without one",
        file(_nbib(more="ZZZZ- a\nTI  - b\nDP  - c\nno tag\n"), _nbib("Nests")),
    ),
    Bad(
        "an nbib record with a hundred thousand authors",
        file(_nbib(more="FAU - Lark, Ada\n" * 100_000), _nbib("Nests")),
    ),
    Bad(
        "a work of CrossRef with fields of the wrong kinds",
        file(
            _work("Kites", issued={"date-parts": [[None, "x", 10**50]]}, published={"date-parts": [7]}),
            _work("a", issued=["2024"]),
            _work("b", reference=["x"]),
            _work("Nests", author=[{}], **{"container-title": None}),
        ),
        reported=(
            "x:2: 'issued' is a list where an object is expected",
            "x:3: 'reference' is not a list of objects",
        ),
    ),
    Bad(
        "an answer of CrossRef that breaks off",
        file(json.dumps({"message-type": "x", "message-version": 1, "message": {"items": _WORKS}}, indent=1)[:-40]),
        reported=("x:22: the JSON of the record is incomplete",),
    ),
    Bad(
        "notes of OpenReview with fields of the wrong kinds",
        file(
            _note("Kites", cdate=10**30, content={"authors": {"value": None}}),
            _note("a", cdate=[1]),
            _note("b", content={"title": {"value": {"value": "c"}}}),
            _note("Nests", content={"pdf": {"value": "/pdf/a b"}}),
        ),
        reported=(
            "x:2: 'cdate' is a list where text is expected",
            "x:3: 'title' is an object where text is expected",
        ),
    ),
)  # fmt: skip
UNSUPPORTED: Final = (
    *(
        Bad(
            f"{kind}, which is not read",
            with_valid_file(file(start)),
            kept=ONE,
            reported=(f"x:1: this is {kind}",),
        )
        for kind, start in libraries.REFUSED.items()
    ),
    Bad(
        "a hundred thousand comments above no known element",
        with_valid_file(file("<!-- a -->" * 100_000, "<!-- b", "\n<nothing/>\n")),
        kept=ONE,
        reported=("x: the content is of no known format",),
    ),
    Bad(
        "a million brackets of a document type",
        with_valid_file(file("<!DOCTYPE " * 100_000, "[" * 1_000_000, "\n")),
        kept=ONE,
        reported=("x: the content is of no known format",),
    ),
)
