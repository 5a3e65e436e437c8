"""JSON records as sites provide them, and the papers that are read from them."""

from __future__ import annotations

import json
from typing import Any

from citekg.schemas.records import Paper

ABSTRACT = "We describe a kite that learns to fly. It stays up for an hour."
SHA = "a" * 40
INDEX = {
    "We": [0],
    "describe": [1],
    "a": [2],
    "kite": [3],
    "that": [4],
    "learns": [5],
    "to": [6],
    "fly.": [7],
    "It": [8],
    "stays": [9],
    "up": [10],
    "for": [11],
    "an": [12],
    "hour.": [13],
}
OPENALEX = {
    "id": "https://openalex.org/W42",
    "doi": "https://doi.org/10.1000/Kites.1",
    "title": "Kites",
    "publication_year": 2024,
    "publication_date": "2024-05-06",
    "ids": {"openalex": "https://openalex.org/W42"},
    "primary_location": {
        "landing_page_url": "https://doi.org/10.1000/Kites.1",
        "source": {"display_name": "Journal of the Sky"},
    },
    "locations": [
        {"landing_page_url": "https://sky.example/kites", "pdf_url": None},
        {
            "landing_page_url": "https://doi.org/10.1000/KITES.1",
            "pdf_url": "https://sky.example/kites.pdf",
        },
    ],
    "authorships": [
        {"author": {"display_name": "Ada Lark"}},
        {"author": {}, "raw_author_name": "Bo Wren"},
    ],
    "abstract_inverted_index": INDEX,
    "referenced_works": ["https://openalex.org/W41"],
}
SEMANTIC_SCHOLAR = {
    "paperId": SHA,
    "externalIds": {"ArXiv": "2405.00001", "DOI": "10.1000/kites.1", "CorpusId": 7},
    "url": f"https://www.semanticscholar.org/paper/{SHA}",
    "title": "Kites",
    "abstract": ABSTRACT,
    "venue": "",
    "openAccessPdf": {"url": "https://sky.example/kites.pdf"},
    "references": [
        {
            "paperId": "b" * 40,
            "externalIds": {"ArXiv": "2305.00009", "DOI": "10.1000/Wind", "CorpusId": 9},
        },
        {"paperId": "c" * 40, "externalIds": None},
        {"paperId": None, "title": "A book that nobody matched"},
    ],
    "publicationVenue": {"name": "Sky Conference"},
    "year": 2024,
    "publicationDate": None,
    "authors": [{"authorId": "1", "name": "Ada Lark"}, {"authorId": None, "name": "Bo Wren"}],
}
BULK = {
    "corpusid": 7,
    "externalids": {"ArXiv": None, "DOI": None, "CorpusId": "7"},
    "url": "https://www.semanticscholar.org/paper/0a1b",
    "title": "Kites",
    "abstract": ABSTRACT,
    "authors": [{"authorId": "1", "name": "Ada Lark"}],
    "venue": "Sky",
    "year": 2024,
    "publicationdate": "2024-05-06",
}
S2ORC = {
    "corpusid": 7,
    "externalids": {"arxiv": "2405.00001", "doi": None},
    "content": {
        "text": f"\nKites\n\n{ABSTRACT}\n1 Introduction",
        "annotations": {
            "title": '[{"end":6,"start":1}]',
            "abstract": json.dumps([{"end": 8 + len(ABSTRACT), "start": 8}]),
            "bibentry": json.dumps(
                [
                    {"end": 3, "start": 1, "attributes": {"id": "b0", "matched_paper_id": 9}},
                    {"end": 5, "start": 4, "attributes": {"id": "b1"}},
                ]
            ),
        },
    },
}
OLD_S2ORC = {
    "paper_id": "7",
    "title": "Kites",
    "authors": [{"first": "Ada", "middle": ["B."], "last": "Lark", "suffix": "Jr."}],
    "abstract": ABSTRACT,
    "year": 2024,
    "arxiv_id": None,
    "doi": "10.1000/kites.1",
    "venue": None,
    "journal": "Sky",
    "s2_url": "https://api.semanticscholar.org/CorpusID:7",
    "outbound_citations": ["9"],
}
HF_DAILY = {
    "paper": {
        "id": "2405.00001",
        "authors": [{"_id": "x", "name": "Ada Lark", "hidden": False}],
        "publishedAt": "2024-05-06T00:00:00.000Z",
        "title": "Kites",
        "summary": ABSTRACT.replace(" It", "\nIt"),
        "upvotes": 3,
        "githubRepo": "https://code.example/kites",
        "projectPage": "https://kites.example",
    },
    "publishedAt": "2024-05-07T00:00:00.000Z",
    "title": "Kites",
    "summary": "cut",
}
ZOTERO = {
    "id": "http://zotero.org/users/1/items/KITES",
    "type": "article-journal",
    "abstract": ABSTRACT,
    "container-title": "Sky",
    "DOI": "10.1000/Kites.1",
    "URL": "https://sky.example/kites",
    "note": "arXiv:2405.00001v2 [cs]\nComment: 9 pages",
    "title": "<i>Kites</i>",
    "author": [
        {"family": "Lark", "given": "Ada B."},
        {"family": "Wren", "given": "Bo", "non-dropping-particle": "van den", "suffix": "Jr."},
        {"literal": "The Flock"},
    ],
    "issued": {"date-parts": [["2024", "5", "6"]]},
}
KAGGLE = {
    "id": "2405.00001",
    "submitter": "Ada Lark",
    "authors": "Ada Lark and Bo Wren Jr",
    "title": "Kites\n  ",
    "comments": "3 pages. Code: https://code.example/kites.",
    "journal-ref": "Sky 1 (2024)",
    "doi": "10.1000/kites.1",
    "categories": "cs.LG",
    "abstract": "  " + ABSTRACT.replace(" It", "\nIt") + "\n",
    "versions": [{"version": "v1", "created": "Mon, 6 May 2024 19:18:42 GMT"}],
    "update_date": "2024-06-01",
    "authors_parsed": [["Lark", "Ada", ""], ["Wren", "Bo", "Jr"]],
}
PAPERS_WITH_CODE = {
    "paper_url": "https://paperswithcode.com/paper/kites",
    "arxiv_id": None,
    "title": "Kites",
    "abstract": ABSTRACT,
    "short_abstract": "cut",
    "url_abs": "https://sky.example/kites",
    "url_pdf": "https://sky.example/kites.pdf",
    "proceeding": "sky-2024-1",
    "authors": ["Ada Lark", "Bo Wren"],
    "tasks": ["Flying"],
    "date": "2024-05-06",
}
#: A record of each format and the paper that is read from it.
GOLDEN: dict[str, tuple[dict[str, Any], Paper]] = {
    "openalex": (
        OPENALEX,
        Paper(
            "10.1000/kites.1",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada Lark", "Bo Wren"),
            "https://doi.org/10.1000/Kites.1",
            "",
            "Journal of the Sky",
            doi="10.1000/kites.1",
            links=(
                "https://openalex.org/W42",
                "https://sky.example/kites",
                "https://sky.example/kites.pdf",
            ),
            references=("openalex:W41",),
        ),
    ),
    "semantic-scholar": (
        SEMANTIC_SCHOLAR,
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            "2024",
            ("Ada Lark", "Bo Wren"),
            f"https://www.semanticscholar.org/paper/{SHA}",
            "2405.00001",
            "Sky Conference",
            doi="10.1000/kites.1",
            links=("https://api.semanticscholar.org/CorpusID:7", "https://sky.example/kites.pdf"),
            references=("arxiv:2305.00009", "doi:10.1000/wind", f"s2:{'c' * 40}"),
        ),
    ),
    "semantic-scholar bulk": (
        BULK,
        Paper(
            "7",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada Lark",),
            "https://www.semanticscholar.org/paper/0a1b",
            "",
            "Sky",
            links=("https://api.semanticscholar.org/CorpusID:7",),
        ),
    ),
    "s2orc": (
        S2ORC,
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            url="https://api.semanticscholar.org/CorpusID:7",
            arxiv_id="2405.00001",
            references=("s2:9",),
        ),
    ),
    "s2orc of old": (
        OLD_S2ORC,
        Paper(
            "10.1000/kites.1",
            "Kites",
            ABSTRACT,
            "2024",
            ("Ada B. Lark Jr.",),
            "https://api.semanticscholar.org/CorpusID:7",
            "",
            "Sky",
            doi="10.1000/kites.1",
            references=("s2:9",),
        ),
    ),
    "hf-daily": (
        HF_DAILY,
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada Lark",),
            "https://huggingface.co/papers/2405.00001",
            "2405.00001",
            links=("https://code.example/kites", "https://kites.example"),
        ),
    ),
    "arxiv-json": (
        KAGGLE,
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada Lark", "Bo Wren Jr"),
            "https://arxiv.org/abs/2405.00001",
            "2405.00001",
            "Sky 1 (2024)",
            doi="10.1000/kites.1",
            links=("https://code.example/kites",),
        ),
    ),
    "csl-json": (
        ZOTERO,
        Paper(
            "2405.00001",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada B. Lark", "Bo van den Wren Jr.", "The Flock"),
            "https://sky.example/kites",
            "2405.00001",
            "Sky",
            doi="10.1000/kites.1",
        ),
    ),
    "jsonl": (
        {"id": "kites-7", "title": "Kites", "abstract": ABSTRACT, "authors": ["Ada Lark"]},
        Paper("kites-7", "Kites", ABSTRACT, authors=("Ada Lark",)),
    ),
    "papers-with-code": (
        PAPERS_WITH_CODE,
        Paper(
            "kites",
            "Kites",
            ABSTRACT,
            "2024-05-06",
            ("Ada Lark", "Bo Wren"),
            "https://sky.example/kites",
            "",
            "sky-2024-1",
            links=("https://paperswithcode.com/paper/kites", "https://sky.example/kites.pdf"),
        ),
    ),
}
