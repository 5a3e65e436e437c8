"""The seed corpus: small synthetic files of every format, most of them from other tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Introduction, Link, Mention, Paper, Relation, Run, Source
from tests.kg.curation.decisions.decision_texts import CONFLICTS, EVERY_KIND, FAULTS
from tests.kg.evaluation.annotated import LINE
from tests.kg.queries.service_calls import CALLS
from tests.kg.sources import json_records as js
from tests.kg.sources import library_records as libraries
from tests.kg.sources import reference_records as references
from tests.kg.sources import xml_records as xml
from tests.kg.sources.page_dumps import KITES, NESTS, WITH_BLANK_LINES, WITHOUT_BLANK_LINES

LAST_TITLE: Final = "Zephyrs over ponds"
_ABSTRACT: Final = "Winds turn. This one tells when they do, and how long a feather stays up."

#: For each format a valid record that is appended to arbitrary bytes.
VALID_RECORDS: Final = {
    "jsonl": b"\n" + json.dumps({"title": LAST_TITLE, "abstract": _ABSTRACT}).encode() + b"\n",
    "csv": f"\n{LAST_TITLE},{_ABSTRACT.replace(',', '')}\n".encode(),
    "bibtex": f"\n@misc{{z, title={{{LAST_TITLE}}}, abstract={{{_ABSTRACT}}}}}\n".encode(),
    "ris": f"\nTY  - JOUR\nTI  - {LAST_TITLE}\nAB  - {_ABSTRACT}\nER  - \n".encode(),
    "arxiv-xml": f"\n<entry xmlns='http://www.w3.org/2005/Atom'><id>z</id><title>{LAST_TITLE}</title><summary>{_ABSTRACT}</summary></entry>\n".encode(),
    "arxiv-rss": f"\n<item><title>{LAST_TITLE}</title><description>{_ABSTRACT}</description></item>\n".encode(),
    "pubmed-xml": (
        f"\n<PubmedArticle><c><Article><ArticleTitle>{LAST_TITLE}</ArticleTitle><Abstract><AbstractText>{_ABSTRACT}"
        "</AbstractText></Abstract></Article></c></PubmedArticle>\n"
    ).encode(),
    "anthology-xml": f"\n<paper><title>{LAST_TITLE}</title><abstract>{_ABSTRACT}</abstract></paper>\n".encode(),
    "endnote-xml": (
        f"\n<record><titles><title>{LAST_TITLE}</title></titles><abstract>{_ABSTRACT}</abstract></record>\n".encode()
    ),
    "nbib": f"\nPMID- 1\nTI  - {LAST_TITLE}\nAB  - {_ABSTRACT}\n".encode(),
    "web-of-science": f"\nPT J\nTI {LAST_TITLE}\nAB {_ABSTRACT}\nER\n".encode(),
}


def _json(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


#: Files by format.
RECORDS: Final[Mapping[str, tuple[bytes, ...]]] = {
    **{
        name: tuple(
            (head + record + end).encode()
            for key, (head, record, end, *_) in libraries.GOLDEN.items()
            if key.split()[0] == name
        )
        for name in sorted({key.split()[0] for key in libraries.GOLDEN})
    },
    "openalex": (_json(js.OPENALEX), json.dumps({"results": [js.OPENALEX]}, indent=1).encode()),
    "arxiv-json": (_json(js.KAGGLE, js.KAGGLE),),
    "papers-with-code": (json.dumps([js.PAPERS_WITH_CODE] * 2, indent=2).encode(),),
    "hf-daily": (_json([js.HF_DAILY]),),
    "semantic-scholar": (
        _json(js.SEMANTIC_SCHOLAR, js.BULK),
        _json(js.S2ORC),
        _json({"data": [js.OLD_S2ORC]}),
    ),
    "jsonl": (
        KITES + NESTS,
        _json({"title": "A", "abstract": "b", "authors": ["c", {"name": "d"}], "year": 2024}),
    ),
    "csv": (references.TABLE.encode(), references.TABS.encode(), b'"a,b",c\n"d ""e""\nf",g\n'),
    "pages": (WITH_BLANK_LINES.encode(), WITHOUT_BLANK_LINES.encode()),
    "bibtex": (
        references.ANTHOLOGY.encode(),
        references.ARTICLE.encode() + references.PREPRINT.encode(),
        references.SCHOLAR.encode(),
    ),
    "ris": (references.RIS.encode(), references.RIS.replace("ER  -\n", "").encode() * 2),
    "arxiv-xml": (
        f"{xml.FEED}{xml.ENTRY}</feed>".encode(),
        f"{xml.HARVEST}{xml.RECORD}{xml.DELETED}</ListRecords></OAI-PMH>".encode(),
        f"{xml.HARVEST}{xml.RAW}{xml.DUBLIN}</ListRecords></OAI-PMH>".encode(),
        b'<!DOCTYPE x [<!ENTITY a "b">]><entry>&a;</entry>',
    ),
}
FILES: Final = (
    *libraries.REFUSED.values(),
    *(file for files in RECORDS.values() for file in files),
    gzip.compress(KITES + NESTS),
    gzip.compress(KITES) + gzip.compress(NESTS) + b"behind",
    KITES.decode().encode("utf-16"),
    b"\xef\xbb\xbf" + KITES,
    KITES + "Caf\xe9\n".encode("latin-1") + NESTS,
    KITES + b"\0\n" + NESTS,
    KITES.replace(b"\n", b"\r") + NESTS,
    b"PK\x03\x04" + KITES,
    b"",
)
_AUTHOR_DATE_REASON: Final = "author: Ada, date: 2026-01-31, reason: read"
DECISIONS: Final = (
    EVERY_KIND.encode(),
    *(str(fault[0]).encode() for fault in FAULTS),
    *(str(conflict[0]).encode() for conflict in CONFLICTS),
    f"- &a {{kind: ban, name: on, {_AUTHOR_DATE_REASON}}}\n- *a\n- {{<<: *a, name: !!python/name:os.x b}}\n".encode(),
    b'- kind: "\\U0001F600"\n  name: |\n   a\n  reason: >-\n   b\n',
)
ANNOTATED: Final = (
    b"\0" + _json(LINE),
    b"\0" + _json({"title": "A", "abstract": "b", "entities": []}),
    b"\1right\tname\ttype\trole\tsentence\tpaper\tconfidence\ny\tA\tMethod\tuses\tb\tc\t0.5\n",
    b'\1right,type,role\n"n",Model,uses\n,Model,\n',
    b"\2name\ttype\taliases\tfamily\tflags\nA\tMethod\tB|C?\t\tcontext=x|y umbrella sense=z\n",
)
NAMES: Final = tuple(
    name.encode()
    for name in (
        "Qwen2.5-VL-7B-Instruct",
        "HumanEval+",
        "AIME '24",
        r"$\pi_0$-FAST",
        "DeepSeek-R1-Distill-Qwen-32B (4-bit)",
        "8x7B",
        "GPT-4o (2024-05-13)",
        "C#",
        "強化学習",
        "A*",
        "Stra\u00dfe\u0301\u202e",
        r"\textbf{Voyager}s",
        "LLaMA-3.1 70B v0.2",
    )
)
QUERIES: Final = (
    *(call.replace("U", "http://127.0.0.1:9/", 1).encode() for call in CALLS),
    b"SELECT * { SERVICE # why\n<http://127.0.0.1:9/>#\rASK { ?a ?b true SERVICE<http://127.0.0.1:9/>"
    b"{ ?a ?b ?c } }\0\n{ ?a ?b ?c } }",
    b"SELECT ?name { ?p ckg:introduces/skos:prefLabel ?name } ORDER BY ?name",
    b"PREFIX x: <http://x/> CONSTRUCT { ?a x:b ?c } WHERE { ?a x:b+|^x:c ?c FILTER(?c > 1 && REGEX(STR(?c), 'a')) }",
    b"INSERT DATA { <a:a> <a:b> 'service' }",
    b'ASK { ?a ?b "SERVICE <u> { }" } # SERVICE',
    b"DESCRIBE <x:y>",
)


def chosen(formats: tuple[str, ...], files: Mapping[str, Iterable[bytes]]) -> tuple[bytes, ...]:
    """Return the files of the formats, each after the byte that selects its format."""
    return tuple(bytes([n]) + file for n, name in enumerate(formats) for file in files[name])


@cache
def graphs() -> Mapping[str, tuple[bytes, ...]]:
    """Return a small graph in every readable format, with and without its evidence."""
    from citekg.exports import exporter
    from citekg.schemas.plugins import ExportOptions
    from citekg.storage.graph_files import READERS

    bare, whole = ExportOptions(evidence="none"), ExportOptions()
    return {
        name: tuple(
            b"".join(exporter(name).writer(_small_graph(), options)) for options in (bare, whole)
        )
        for name in READERS
    }


def _small_graph() -> KnowledgeGraph:
    spans = {"quill": (0, 5, "Quill", (0, 5)), "ppo": (20, 23, "PPO", (6, 24))}
    roles = {"quill": "introduces", "ppo": "extends"}
    mentions = [
        Mention("p1", e, a, b, t, "Method", s, "lexicon", 0.5) for e, (a, b, t, s) in spans.items()
    ]
    return KnowledgeGraph.of(
        papers=[
            Paper(
                "p1",
                "Quill",
                "Quill extends PPO.",
                "2024-01-02",
                ("Ada",),
                sources=(Source("x", 1),),
            )
        ],
        entities=[Entity(m.entity, m.text, "Method", ("Q",), (("Method", 1),)) for m in mentions],
        mentions=mentions,
        relations=[Relation("p1", roles[m.entity], m.entity, 0.5, (m.id,)) for m in mentions],
        links=[Link("p1", "extends", "p2", "ppo", 0.5, ("p1_m20",))],
        run=Run("citekg", "0", "c", "1"),
        stubs=[Paper("p2", "Policies", "", "2017")],
        introductions=[Introduction("p2", "ppo")],
    )
