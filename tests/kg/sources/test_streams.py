"""Every reader streams: ten times the records take no more memory."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from citekg.schemas.plugins import Problem
from citekg.sources import FORMATS
from citekg.sources.decoding import decode_lines
from citekg.sources.input_files import InputFile

WORDS = (
    "The kite of this record flies over hills and rivers until the wind turns and it comes down again. "
    * 8
)


def openalex(n: int) -> str:
    index = {f"word{k}": [k] for k in range(60)}
    return (
        json.dumps(
            {
                "id": f"https://openalex.org/W{n}",
                "title": f"T {n}",
                "abstract_inverted_index": index,
            }
        )
        + "\n"
    )


def jsonl(n: int) -> str:
    return json.dumps({"title": f"T {n}", "abstract": WORDS, "id": str(n)}) + "\n"


def atom(n: int) -> str:
    return f"<entry><id>http://arxiv.org/abs/2405.{n:05}</id><title>T {n}</title><summary>{WORDS}</summary></entry>\n"


def note(n: int) -> str:
    content = {"title": {"value": f"T {n}"}, "abstract": {"value": WORDS}}
    return json.dumps({"id": str(n), "forum": str(n), "content": content}) + "\n"


def rss(n: int) -> str:
    return f"<item><title>T {n}</title><description>{WORDS}</description></item>\n"


def pubmed(n: int) -> str:
    text = f"<Abstract><AbstractText>{WORDS}</AbstractText></Abstract>"
    article = f"<Article><ArticleTitle>T {n}</ArticleTitle>{text}</Article>"
    return f"<PubmedArticle><MedlineCitation>{article}</MedlineCitation></PubmedArticle>\n"


def anthology(n: int) -> str:
    return f'<paper id="{n}"><title>T {n}</title><abstract>{WORDS}</abstract></paper>\n'


def endnote(n: int) -> str:
    return f"<record><titles><title>T {n}</title></titles><abstract>{WORDS}</abstract></record>\n"


#: For each format: head of a file, record, separator, tail, and number of records.
#: BibTeX, whose parser is slow, is cut into records as RIS is.
FILES = {
    "jsonl": ("", jsonl, "", "", 100),
    "openalex": ("", openalex, "", "", 100),
    "semantic-scholar": (
        '{"data": [\n',
        lambda n: jsonl(n).replace('"id"', '"paperId"'),
        ",",
        "]}\n",
        100,
    ),
    "csv": ("title,abstract,id\n", lambda n: f'T {n},"{WORDS}",{n}\n', "", "", 100),
    "arxiv-xml": ('<feed xmlns="http://www.w3.org/2005/Atom">\n', atom, "", "</feed>\n", 100),
    "ris": ("", lambda n: f"TY  - JOUR\nTI  - T {n}\nAB  - {WORDS}\nER  - \n", "", "", 100),
    "crossref": (
        '{"message-type": "work-list", "message-version": "1",\n"message": {"items": [\n',
        lambda n: jsonl(n).replace('"id"', '"DOI"'),
        ",",
        "]}}\n",
        100,
    ),
    "openreview": ("", note, "", "", 100),
    "arxiv-rss": ("<rss><channel>\n", rss, "", "</channel></rss>\n", 100),
    "pubmed-xml": ("<PubmedArticleSet>\n", pubmed, "", "</PubmedArticleSet>\n", 100),
    "anthology-xml": ("<collection><volume>\n", anthology, "", "</volume></collection>\n", 100),
    "endnote-xml": ("<xml><records>\n", endnote, "", "</records></xml>\n", 100),
    "nbib": ("", lambda n: f"PMID- {n}\nTI  - T {n}\nAB  - {WORDS}\n\n", "", "", 100),
    "web-of-science": (
        "FN Clarivate\n",
        lambda n: f"PT J\nTI T {n}\nAB {WORDS}\nER\n\n",
        "",
        "EF\n",
        100,
    ),
    "pages": ("", lambda n: f"\nThe title of {n} Kites\n\n{WORDS}\n", "", "", 100),
}


def write(path: Path, name: str, count: int) -> None:
    begin, record, between, end, _ = FILES[name]
    with path.open("w", encoding="utf-8") as file:
        file.write(begin)
        for n in range(count):
            file.write((between if n else "") + record(n))
        file.write(end)


def count_and_peak_memory(papers: Iterable[object], every: int) -> tuple[int, int]:
    """Return the number of papers and the peak memory, sampled at intervals."""
    count = most = 0
    gc.freeze()
    tracemalloc.start()
    try:
        for paper in papers:
            count += not isinstance(paper, Problem)
            if count % every == 0:
                gc.collect()
                most = max(most, tracemalloc.get_traced_memory()[0])
        return count, most
    finally:
        tracemalloc.stop()
        gc.unfreeze()


@pytest.mark.parametrize("name", FILES)
def test_ten_times_the_records_take_no_more_memory(tmp_path: Path, name: str) -> None:
    few, many = FILES[name][-1], 10 * FILES[name][-1]
    for count in (few, many):
        write(tmp_path / str(count), name, count)

    def read(count: int) -> tuple[int, int]:
        return count_and_peak_memory(
            FORMATS[name].read("x", decode_lines(InputFile(str(tmp_path / str(count))))), few // 4
        )

    read(few)  # the first call loads modules and caches
    (found_few, peak_few), (found_many, peak_many) = read(few), read(many)
    assert (found_few, found_many) == (few, many)
    assert peak_many - peak_few < 0.2 * (many - few) * len(WORDS)


def test_ten_times_the_rows_of_a_parquet_file_take_no_more_memory(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is an optional extra")
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an optional extra")
    few, many, most = 200, 2_000, 10_000
    for count in (few, many, most):
        # All abstracts differ, because equal ones need little memory in a dictionary.
        rows = {
            "title": [f"T {n}" for n in range(count)],
            "abstract": [f"{n} {WORDS}" for n in range(count)],
        }
        pq.write_table(
            pa.table(rows), tmp_path / str(count), use_dictionary=False, compression="none"
        )
        del rows

    def rows_of(count: int) -> Iterator[object]:
        read_file = FORMATS["parquet"].read_file
        assert read_file
        return read_file(tmp_path / str(count), "x")

    def peak_arrow_memory(count: int) -> int:
        before = pa.total_allocated_bytes()
        most: int = max(pa.total_allocated_bytes() - before for _ in rows_of(count))
        return most

    (found_few, peak_few), (found_many, peak_many) = (
        count_and_peak_memory(rows_of(few), few),
        count_and_peak_memory(rows_of(many), few),
    )
    assert (found_few, found_many) == (few, many)
    assert peak_many - peak_few < 0.2 * (many - few) * len(WORDS)
    assert peak_arrow_memory(most) < 0.4 * most * len(WORDS)
