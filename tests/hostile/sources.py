"""The catalogue of invalid inputs: description, files, expected messages, and papers still read.

`reported` has the beginning of each message, with the file and, if known, the line. `kept` has the
titles of the papers that must be read. A heavy input runs in a separate process, whose memory and
time are measured.
"""

from __future__ import annotations

import gzip
import json
from typing import Final

from tests.hostile.columns import PARQUET, URLS
from tests.hostile.libraries import LIBRARIES, UNSUPPORTED
from tests.hostile.making import (
    ABSTRACT,
    BOTH,
    KITES,
    NESTS,
    NONE,
    ONE,
    Bad,
    deep_folders,
    file,
    line,
    many_files,
    named_pipe,
    packed_blanks,
    sparse,
    symbolic_links,
    tar_of,
    unix_socket,
    with_inputs,
    with_valid_file,
    zip_of,
)
from tests.kg.sources import json_records as js


def _works(*records: dict[str, object]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def _entry(title: str = "Kites", more: str = "") -> str:
    return f"@misc{{key, title={{{title}}}, abstract={{{ABSTRACT}}}{more}}}\n"


def _ris(title: str = "Kites", more: str = "") -> str:
    return f"TY  - JOUR\nTI  - {title}\nAB  - {ABSTRACT}\n{more}ER  - \n"


def _code(title: str) -> dict[str, object]:
    return {"paper_url": title, "title": title, "abstract": ABSTRACT}


_ATOM: Final = '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'


def _atom(title: str = "Kites", more: str = "") -> str:
    return f"<entry><id>{title}</id><title>{title}</title><summary>{ABSTRACT}</summary>{more}</entry>\n"


_LAUGHS: Final = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
_HEADER: Final = "title,abstract\n"
_OTHER: Final = {
    **js.OPENALEX,
    "id": "https://openalex.org/W43",
    "doi": None,
    "title": "Nests",
    "primary_location": None,
}
_OTHER["locations"] = []

ENCODINGS: Final = (
    Bad(
        "a list of arXiv ids and DOIs instead of papers",
        with_valid_file(
            file("arXiv:2405.00001v2\n10.1000/kites\nhttps://doi.org/10.1000/", ("a", 1000), "\n")
        ),
        kept=ONE,
        reported=(
            "x: a list of arXiv ids or DOIs holds no titles and abstracts; fetch them first: kg fetch --complete x ",
        ),
    ),
    Bad("UTF-16 with a mark is read", file((KITES + NESTS).decode().encode("utf-16"))),
    Bad(
        "UTF-16 without a mark",
        with_valid_file(file(KITES.decode().encode("utf-16-le"))),
        kept=ONE,
        reported=("x:1: binary data, not text (it holds NUL bytes)",),
    ),
    Bad(
        "UTF-32",
        with_valid_file(file(KITES.decode().encode("utf-32"))),
        kept=ONE,
        reported=("x:1: binary data, not text (it holds NUL bytes)",),
    ),
    Bad(
        "a line in Latin-1",
        file(KITES, line("Café").decode().encode("latin-1"), NESTS),
        reported=("x:2: not UTF-8 text; convert the file to UTF-8",),
    ),
    Bad(
        "three encodings in one file",
        file(KITES, "Café\n".encode("utf-16-be"), b"caf\xe9\n", NESTS),
        reported=(
            "x:2: binary data, not text (it holds NUL bytes)",
            "x:3: not UTF-8 text; convert the file to UTF-8",
        ),
    ),
    Bad(
        "all of a file in Latin-1",
        with_valid_file(file(line("Café").decode().encode("latin-1") * 3)),
        kept=ONE,
        reported=("x:1: not UTF-8 text; convert the file to UTF-8",),
    ),
    Bad(
        "a mark of UTF-8 before each line is read",
        file(b"\xef\xbb\xbf", KITES, b"\xef\xbb\xbf", NESTS),
    ),
    Bad(
        "NUL in a line",
        file(KITES, b'{"title": "a\0b"}\n', NESTS),
        reported=("x:2: binary data, not text (it holds NUL bytes)",),
    ),
    Bad(
        "half a letter as bytes",
        file(KITES, b'{"title": "\xed\xa0\x80"}\n', NESTS),
        reported=("x:2: not UTF-8 text; convert the file to UTF-8",),
    ),
    Bad(
        "a letter in more bytes than it takes",
        file(KITES, b'{"title": "\xc0\xaf"}\n', NESTS),
        reported=("x:2: not UTF-8 text; convert the file to UTF-8",),
    ),
    Bad(
        "half a letter as an escape is replaced",
        file(KITES, r'{"title": "N\ud800", "abstract": "b"}'),
        kept=("Kites", "N\ufffd"),
    ),
    Bad("control characters become spaces", file(line("Ki\x1b[2Jtes\x07")), kept=("Ki [2Jtes ",)),
    Bad(
        "signs that turn the direction of text stay what they are",
        file(line("Kites\u202egnp")),
        kept=("Kites\u202egnp",),
    ),
    Bad(
        "HTML in a title stays text",
        file(line("<script>alert(1)</script>")),
        kept=("<script>alert(1)</script>",),
    ),
    Bad("lines that end in carriage returns are read", file((KITES + NESTS).replace(b"\n", b"\r"))),
    Bad(
        "lines that end in three ways are read",
        file(KITES.replace(b"\n", b"\r\n"), NESTS, b"\r\n\r"),
    ),
    Bad("an empty file", with_valid_file(file()), kept=ONE, reported=("x: the file is empty",)),
    Bad(
        "nothing but white space",
        with_valid_file(file(" \t\r\n\u2003\n\n")),
        kept=ONE,
        reported=("x: the file is empty",),
    ),
    Bad(
        "nothing but a mark of UTF-8",
        with_valid_file(file(b"\xef\xbb\xbf")),
        kept=ONE,
        reported=("x: the file is empty",),
    ),
)
PACKED: Final = (
    Bad(
        "gzip data that breaks off",
        file(
            gzip.compress(KITES + NESTS + line("Cut", "x".join(map(str, range(9999)))))[:-900],
            name="x.gz",
        ),
        reported=("x.gz:3: the gzip data is broken from here on",),
    ),
    Bad(
        "gzip data with something behind it",
        file(gzip.compress(KITES + NESTS), b"behind", name="x.gz"),
        reported=("x.gz:3: the gzip data is broken from here on",),
    ),
    Bad(
        "gzip data in several parts is read",
        file(gzip.compress(KITES), gzip.compress(NESTS), name="x.gz"),
    ),
    Bad(
        "gzip data with a wrong checksum",
        file(gzip.compress(KITES + NESTS)[:-8], b"\0" * 8, name="x.gz"),
        reported=("x.gz:3: the gzip data is broken from here on",),
    ),
    Bad(
        "gzip inside gzip",
        with_valid_file(file(gzip.compress(gzip.compress(KITES)), name="x.gz")),
        kept=ONE,
        reported=("x.gz:1: this is a gzip file inside gzip: unpack it first",),
    ),
    Bad(
        "the first bytes of gzip alone",
        with_valid_file(file(b"\x1f\x8b", name="x.gz")),
        kept=ONE,
        reported=("x.gz:1: the gzip data is broken from here on",),
    ),
    Bad(
        "a gzip bomb of one line",
        packed_blanks(1024, KITES),
        kept=ONE,
        heavy=True,
        reported=(
            "x.gz:2: the gzip data is broken from here on (it unpacks to more than 200 times its size)",
        ),
    ),
    Bad(
        "a gzip bomb of many lines",
        packed_blanks(64, KITES, b" " * 63 + b"\n"),
        kept=ONE,
        heavy=True,
        reported=("x.gz:",),
    ),
    Bad(
        "a zip archive",
        with_valid_file(zip_of(a=KITES, b=NESTS)),
        kept=ONE,
        reported=("x.zip:1: this is a ZIP archive: unpack it first",),
    ),
    Bad(
        "a zip archive whose names lead out of it",
        with_valid_file(zip_of(**{"../../evil.jsonl": NESTS})),
        kept=ONE,
        reported=("x.zip:1: this is a ZIP archive: unpack it first",),
    ),
    Bad(
        "a tar archive",
        with_valid_file(tar_of("../evil.jsonl", KITES + NESTS)),
        kept=ONE,
        reported=("x.tar:1: this is a tar archive: unpack it first",),
    ),
    Bad(
        "bzip2",
        with_valid_file(file(b"BZh91AY&SY\x11\x22")),
        kept=ONE,
        reported=("x:1: this is a bzip2 file: unpack it first",),
    ),
    Bad(
        "xz",
        with_valid_file(file(b"\xfd7zXZ\0\0\x04")),
        kept=ONE,
        reported=("x:1: this is an xz file: unpack it first",),
    ),
    Bad(
        "zstandard",
        with_valid_file(file(b"\x28\xb5\x2f\xfd\x04\x00")),
        kept=ONE,
        reported=("x:1: this is a zstandard file: unpack it first",),
    ),
    Bad(
        "a PDF",
        with_valid_file(file(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", KITES)),
        kept=ONE,
        reported=(
            "x:1: this is a PDF file: full texts are not read; give the titles and abstracts",
        ),
    ),
    Bad(
        "a PNG picture",
        with_valid_file(file(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")),
        kept=ONE,
        reported=("x:1: this is a PNG picture",),
    ),
    Bad(
        "a program",
        with_valid_file(file(b"\x7fELF\2\1\1\0")),
        kept=ONE,
        reported=("x:1: binary data, not text (it holds NUL bytes)",),
    ),
    Bad(
        "a database",
        with_valid_file(file(b"SQLite format 3\0")),
        kept=ONE,
        reported=(
            "x:1: this is an SQLite database, such as an EndNote, Zotero or Mendeley library: open it in",
        ),
    ),
)
LONG: Final = (
    Bad(
        "a title of 50 MB",
        file(KITES, b'{"title": "', ("a", 50_000_000), b'"}\n', NESTS),
        heavy=True,
        reported=("x:2: the record is longer than 32 MB",),
    ),
    Bad(
        "a line of 50 MB that is no JSON",
        file(KITES, ("a", 50_000_000), b"\n", NESTS),
        heavy=True,
        reported=("x:2: the record is longer than 32 MB",),
    ),
    Bad(
        "a text of 50 MB of quotes and escapes",
        file(KITES, b'{"title": "', ('\\"', 25_000_000), b"\n", NESTS),
        heavy=True,
        reported=("x:2: the record is longer than 32 MB",),
    ),
    Bad(
        "the same in a site's JSON",
        file(_works(js.OPENALEX), '{"title": "', ('\\"', 25_000_000), "\n", _works(_OTHER)),
        heavy=True,
        reported=("x:2: the JSON of the record is incomplete",),
    ),
    Bad(
        "a list of 50 MB on one line is read",
        file(
            "[",
            (json.dumps(js.PAPERS_WITH_CODE | {"abstract": ABSTRACT * 50}) + ",", 11_000),
            json.dumps(js.PAPERS_WITH_CODE),
            "]",
        ),
        kept=ONE,
        heavy=True,
    ),
    Bad(
        "three megabytes of brackets",
        file(_works(js.OPENALEX), "[", ("[],", 1_000_000), "\n", _works(_OTHER)),
        heavy=True,
        reported=("x:2: the list is incomplete after the start of this record",),
    ),
    Bad(
        "a line of 300 MB",
        sparse(300 * 2**20, KITES, b"\n" + NESTS),
        heavy=True,
        reported=("x:2: the line is longer than 256 MB",),
    ),
    Bad(
        "a line without an end",
        sparse(3 * 2**30, KITES),
        kept=ONE,
        heavy=True,
        reported=("x:2: the line is longer than 1024 MB; the rest of the file is left out",),
    ),
    Bad(
        "an abstract of more than a million letters",
        file(KITES, line("Long", "word " * 250_000), NESTS),
        reported=(
            "x:2: title and abstract hold 1250004 characters, more than the 200000 that are read",
        ),
    ),
    Bad(
        "a hundred thousand bad lines",
        file(KITES, b"{\n" * 100_000, NESTS),
        reported=(
            "x:2: not JSON",
            "x:3: not JSON",
            "x: 99000 more problems in this file are not listed",
        ),
    ),
)
JSON: Final = (
    Bad(
        "a hundred thousand lists inside one another",
        file(KITES, b"[" * 100_000, b"\n", NESTS),
        reported=("x:2: JSON that cannot be read: it is nested too deeply",),
    ),
    Bad(
        "a hundred thousand objects inside one another",
        file(KITES, b'{"a":' * 100_000, b"\n", NESTS),
        reported=("x:2: JSON that cannot be read: it is nested too deeply",),
    ),
    Bad(
        "a paper inside 400 lists is read",
        file("[" * 400, json.dumps(js.OPENALEX), "]" * 400),
        kept=ONE,
    ),
    Bad(
        "a hundred thousand lists in a site's JSON",
        file(_works(js.OPENALEX), "[" * 100_000, "\n", _works(_OTHER)),
        reported=("x:2: the list is incomplete after the start of this record",),
    ),
    Bad(
        "a key that stands twice",
        file(KITES, b'{"title": "a", "title": "b", "abstract": "c"}\n', NESTS),
        reported=("x:2: 'title' is given twice",),
    ),
    Bad(
        "a key that is not read stands twice",
        file(b'{"x": 1, "x": 2, "title": "Kites", "abstract": "c"}\n', NESTS),
    ),
    Bad(
        "NaN for a year",
        file(KITES, b'{"title": "a", "abstract": "b", "year": NaN}\n', NESTS),
        kept=(*BOTH, "a"),
        reported=("x:2: the date NaN cannot be read and is left out",),
    ),
    Bad(
        "infinity for a title",
        file(KITES, b'{"title": -Infinity, "abstract": "b"}\n', NESTS),
        reported=("x:2: 'title' is a number where text is expected",),
    ),
    Bad(
        "a number of 5,000 digits",
        file(KITES, b'{"title": "a", "abstract": "b", "year": 1', b"0" * 5000, b"}\n", NESTS),
        reported=("x:2: JSON that cannot be read: it holds a number of too many digits",),
    ),
    Bad(
        "a list where a paper is expected",
        file(KITES, b'["title", "abstract"]\n', NESTS),
        reported=("x:2: a list where an object with title and abstract is expected",),
    ),
    Bad(
        "a paper without a title",
        file(KITES, b'{"abstract": "b"}\n', NESTS),
        reported=("x:2: the paper has no title",),
    ),
    Bad(
        "a paper without an abstract is a paper",
        file(KITES, b'{"title": "b"}\n', NESTS),
        kept=(*BOTH, "b"),
    ),
    Bad(
        "an object for a title",
        file(KITES, b'{"title": {"en": "a"}, "abstract": "b"}\n', NESTS),
        reported=("x:2: 'title' is an object where text is expected",),
    ),
    Bad(
        "a list of papers on one line with bad ones among them",
        file("[", KITES.strip(), b', 7, {"title": [1]}, {"abstract": "b"}, ', NESTS.strip(), "]"),
        reported=(
            "x:1: record 2: a number where an object with title and abstract is expected",
            "x:1: record 3: 'title' is a list where text is expected",
            "x:1: record 4: the paper has no title",
        ),
    ),
    Bad(
        "a list of one's own that breaks off",
        file(
            json.dumps([_code("Kites"), _code("Nests"), _code("Cut")], indent=1).replace(
                "paper_url", "id"
            )[:-9]
        ),
        reported=("x:12: the JSON of the record is incomplete",),
    ),
    Bad(
        "a list without records",
        with_valid_file(file("[\n]\n")),
        kept=ONE,
        reported=("x: the JSON holds no record",),
    ),
    Bad(
        "50 MB of one's own papers on one line",
        file(
            "[",
            KITES.strip(),
            ("," + line("Nests", ABSTRACT * 50, id="n").decode().strip(), 11_000),
            "]",
        ),
        heavy=True,
    ),
    Bad(
        "dates, authors and ids of every wrong kind",
        file(
            line(date={"a": 1}, authors=7, venue=[1], arxiv_id="none"),
            line("Nests", date="9" * 5000, authors=[{"name": 7}]),
        ),
        reported=("x:1: ", "x:1: ", "x:2: "),
    ),
    Bad(
        "items of Zotero with parts of dates and names that are none",
        file(
            _works(
                {
                    "id": 1,
                    "type": "book",
                    "title": "Kites",
                    "issued": {"date-parts": [[{"a": 1}]]},
                    "author": [],
                },
                {
                    "id": 2,
                    "type": "book",
                    "title": "Nests",
                    "issued": {"date-parts": [["soon", None]]},
                },
                {"id": 3, "type": "book", "title": "Cut", "author": ["Ada Lark"]},
            )
        ),
        reported=(
            "x:1: the date",
            "x:2: the date 'soon'",
            "x:3: an author is not an object with a name",
        ),
    ),
    Bad(
        "a list that breaks off",
        file(json.dumps([_code("Kites"), _code("Nests"), _code("Cut")], indent=1)[:-9]),
        reported=("x:12: the JSON of the record is incomplete",),
    ),
    Bad(
        "an inverted index that would fill the memory",
        file(
            _works(
                js.OPENALEX,
                {
                    **_OTHER,
                    "title": "Bomb",
                    "abstract_inverted_index": {"a" * 100_000: [0] * 100_000},
                },
                _OTHER,
            )
        ),
        reported=("x:2: the abstract is longer than 200000 characters",),
    ),
    Bad(
        "parts of a full text that would fill the memory",
        file(
            _works(
                js.SEMANTIC_SCHOLAR,
                {
                    "corpusid": 8,
                    "title": "Bomb",
                    "content": {
                        "text": "a" * 100_000,
                        "annotations": {"abstract": [{"start": 0, "end": 100_000}] * 10_000},
                    },
                },
            ),
            json.dumps({**js.BULK, "title": "Nests", "corpusid": 9}),
        ),
        kept=BOTH,
        reported=(
            "x:2: title and abstract hold 1000000000 characters, more than the 200000 that are read",
        ),
    ),
    Bad(
        "a place in a full text that is infinite",
        file(
            _works(
                js.SEMANTIC_SCHOLAR,
                {
                    "corpusid": 8,
                    "title": "x",
                    "content": {
                        "text": "a",
                        "annotations": {"abstract": '[{"start": 1e999, "end": 2}]'},
                    },
                },
            )
        ),
        kept=ONE,
        reported=("x:2: the places of the abstract in the full text are not readable",),
    ),
    Bad(
        "places in a full text that are nested too deeply",
        file(
            _works(
                js.SEMANTIC_SCHOLAR,
                {
                    "corpusid": 8,
                    "title": "x",
                    "content": {"text": "a", "annotations": {"abstract": "[" * 100_000}},
                },
            )
        ),
        kept=ONE,
        reported=("x:2: the places of the abstract in the full text are not readable",),
    ),
    Bad(
        "a time zone of a trillion hours",
        file(
            _works(
                {
                    **js.KAGGLE,
                    "versions": [{"created": "Mon, 6 May 2024 19:18:42 +9999999999999999"}],
                }
            )
        ),
        kept=ONE,
    ),
)
XML: Final = (
    Bad(
        "a billion laughs",
        file(
            '<!DOCTYPE x [<!ENTITY l0 "ha">',
            _LAUGHS,
            "]>\n",
            _ATOM,
            _atom("&l9;"),
            _atom("Nests"),
            "</feed>",
        ),
        kept=("Nests",),
        reported=("x:4: not XML: undefined entity",),
    ),
    Bad(
        "an entity as long as a book, many times",
        file(
            f'<!DOCTYPE x [<!ENTITY a "{"a" * 100_000}">]>\n',
            _ATOM,
            _atom("&a;" * 10_000),
            _atom("Nests"),
        ),
        kept=("Nests",),
        reported=("x:4: not XML: undefined entity",),
    ),
    Bad(
        "an entity that stands for a file",
        file(
            '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n',
            _ATOM,
            _atom("&a;"),
            _atom("Nests"),
        ),
        kept=("Nests",),
        reported=("x:4: not XML: undefined entity",),
    ),
    Bad(
        "entities declared inside a record",
        file(
            _ATOM,
            _atom("a", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
            _atom("Nests"),
        ),
        kept=("Nests",),
        reported=("x:3: the XML declares entities, which are not expanded",),
    ),
    Bad(
        "a type declared elsewhere is not fetched",
        file('<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">\n', _ATOM, _atom(), _atom("Nests")),
    ),
    Bad(
        "another file included is not read",
        file(
            _ATOM,
            _atom(more='<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>'),
            _atom("Nests"),
        ),
    ),
    Bad(
        "XML that breaks off",
        file(_ATOM, _atom(), _atom("Nests"), "<entry><id>1</id><title>Cut</ti"),
        reported=("x:5: not XML: not well-formed (invalid token)",),
    ),
    Bad(
        "a record inside another",
        file(_ATOM, "<entry><title>Cut</title>", _atom(), _atom("Nests")),
        reported=("x:3: not XML: mismatched tag",),
    ),
    Bad(
        "a hundred thousand elements inside one another",
        file(_ATOM, _atom(), _atom("Deep", "<a>" * 100_000 + "</a>" * 100_000), _atom("Nests")),
        reported=("x:4: more than 100 nested elements",),
    ),
    Bad(
        "titles inside titles",
        file(
            _ATOM, _atom(), _atom("Deep", "<title>a" * 5_000 + "</title>" * 5_000), _atom("Nests")
        ),
        reported=("x:4: more than 100 nested elements",),
    ),
    Bad(
        "a tag that opens a hundred thousand times",
        file(_ATOM, _atom(), "<entry " * 100_000, "\n", _atom("Nests")),
    ),
    Bad(
        "names declared wrongly above the records",
        file(_ATOM, "<a xmlns:b='' xmlns:xml='x' xmlns:c='&d;'>\n", _atom(), _atom("Nests")),
    ),
    Bad(
        "a hundred thousand names declared above the records",
        file(
            _ATOM,
            "".join(f'<a xmlns:n{n}="u"/>' for n in range(100_000)),
            "\n",
            _atom() + _atom("Nests"),
        ),
    ),
    Bad(
        "XML in Latin-1",
        file(_ATOM, _atom(), _atom("Café").encode("latin-1"), _atom("Nests")),
        reported=("x:4: not UTF-8 text; convert the file to UTF-8",),
    ),
    Bad(
        "XML without a record",
        with_valid_file(file(_ATOM, "</feed>")),
        kept=ONE,
        reported=("x: the XML holds no entry and no record",),
    ),
    Bad(
        "a record of 50 MB",
        file(_ATOM, _atom(), "<entry><x>", ("a", 50_000_000), "</x></entry>\n", _atom("Nests")),
        heavy=True,
        reported=("x:4: the record is longer than 32 MB",),
    ),
)
REFERENCES: Final = (
    Bad(
        "BibTeX with a brace too few",
        file(_entry(), "@misc{cut, title={Cut, abstract={b}\n", _entry("Nests")),
        reported=("x:2: not a whole BibTeX entry",),
    ),
    Bad("BibTeX with a brace too many", file(_entry(), "}}}\n", _entry("Nests"))),
    Bad(
        "BibTeX with a hundred thousand braces inside one another",
        file(_entry(), _entry("{" * 100_000 + "}" * 100_000), _entry("Nests")),
        reported=("x:2: the record is nested too deeply",),
    ),
    Bad(
        "BibTeX with 5,000 groups that do not end",
        file(
            _entry(),
            f"@misc{{x, title={{Open}}, abstract={{{chr(92)}a{{$ }}}}}}\n" * 500,
            _entry("Nests"),
        ),
        kept=(*BOTH, "Open"),
    ),
    Bad(
        "an entry of 50 MB",
        file(_entry(), "@misc{key, title={", ("a", 50_000_000), "}}\n", _entry("Nests")),
        heavy=True,
        reported=("x:2: the record is longer than 32 MB",),
    ),
    Bad(
        "a macro as long as a book, named by many entries",
        file(
            "@string{m = {",
            ("a", 1_000_000),
            "}}\n",
            (_entry(more=", venue = m"), 500),
            _entry("Nests"),
        ),
        heavy=True,
    ),
    Bad(
        "macros that name one another",
        file(
            "@string{a = b # b}\n@string{b = a # a}\n",
            _entry(more=", journal = a"),
            _entry("Nests"),
        ),
    ),
    Bad(
        "a month of 5,000 digits",
        file(_entry(more=f", year = 2024, month = {'9' * 5000}"), _entry("Nests")),
        kept=("Kites", "Nests"),
    ),
    Bad(
        "LaTeX that would read a file",
        file(_entry(more=", journal={\\input{/etc/passwd}}"), _entry("Nests")),
    ),
    Bad("a field that stands twice", file(_entry(more=", title={Second}"), _entry("Nests"))),
    Bad(
        "two entries of one key in one",
        file(
            "@misc{x, title={Kites}, @misc{x, abstract={b}}} @misc{x, a={b}}\n",
            _entry(),
            _entry("Nests"),
        ),
        reported=("x:1: not a whole BibTeX entry",),
    ),
    Bad(
        "RIS without ends",
        file(_ris().replace("ER  - \n", ""), _ris("Nests").replace("ER  - \n", "")),
    ),
    Bad(
        "RIS with a record that begins inside another",
        file("TY  - JOUR\nTI  - Cut\n", _ris(), _ris("Nests")),
        kept=(*BOTH, "Cut"),
    ),
    Bad("RIS that ends before it begins", file("ER  - \nER  - \n", _ris(), _ris("Nests"))),
    Bad(
        "RIS with a tag of no meaning and one that stands twice",
        file(_ris(more="ZZ  - a\nTI  - b\nPY  - c\n"), _ris("Nests")),
    ),
    Bad(
        "a RIS record of 50 MB",
        file(_ris(), "TY  - JOUR\nTI  - ", ("a", 50_000_000), "\nER  - \n", _ris("Nests")),
        heavy=True,
        reported=("x:5: the record is longer than 32 MB",),
    ),
)
TABLES: Final = (
    Bad(
        "a quote that does not end",
        file(_HEADER, f'Kites,"{ABSTRACT}"\n', '"Cut,b\n', f'Nests,"{ABSTRACT}"\n'),
        reported=("x:3: the row cannot be read",),
    ),
    Bad(
        "a quote that does not end, before a broken line",
        file(_HEADER, '"Cut,b\n', b"caf\xe9,b\n", f'Kites,"{ABSTRACT}"\n', f'Nests,"{ABSTRACT}"\n'),
        kept=(*BOTH, "café"),
        reported=(
            "x:2: the row cannot be read",
            "x:3: not UTF-8 text; read as Windows-1252, as Excel writes it",
        ),
    ),
    Bad(
        "a line of a table that is neither UTF-8 nor Windows-1252",
        file(_HEADER, f'Kites,"{ABSTRACT}"\n', b"caf\x81,b\n", f'Nests,"{ABSTRACT}"\n'),
        reported=("x:3: not UTF-8 text; convert the file to UTF-8",),
    ),
    Bad(
        "a line in Windows-1252 in a table in UTF-8",
        file(_HEADER, f'Kites,"{ABSTRACT} “high”"\n', b"caf\xe9,b\n", f'Nests,"{ABSTRACT}"\n'),
        reported=("x:3: not UTF-8 text; convert the file to UTF-8",),
    ),
    Bad(
        "a table of columns that nobody knows",
        with_valid_file(file("Name;Text\n", f"Nests;{ABSTRACT}\n" * 3)),
        kept=ONE,
        reported=("x:1: the columns wanted are title and at least one of abstract",),
    ),
    Bad(
        "a column of titles and one that is not known",
        with_valid_file(file("Title,Text\n", f'Nests,"{ABSTRACT}"\n')),
        kept=ONE,
        reported=("x:1: the columns wanted are title and at least one of abstract",),
    ),
    Bad(
        "a table with bars and a line for Excel",
        file("sep=|\nTitle|Abstract\n", f"Kites|{ABSTRACT}\nNests|b\n"),
    ),
    Bad(
        "a day and a month that may be a month and a day",
        file("title,year\nKites,05/06/2024\nNests,2024\n"),
        reported=("x:2: of the date '05/06/2024' only 2024 is read",),
    ),
    Bad(
        "twenty thousand quotes that open where others close",
        file(_HEADER, f'Kites,"{ABSTRACT}"\n', '"a\n', 'b","c\n' * 20_000, f'Nests,"{ABSTRACT}"\n'),
        heavy=True,
        reported=(
            "x:3: the row cannot be read",
            "x:4: the row cannot be read",
            "x: 19001 more problems in this file are not listed",
        ),
    ),
    Bad(
        "a cell of two million letters",
        file(_HEADER, f'Kites,"{ABSTRACT}"\n', "a" * 2_000_000, ",b\n", f'Nests,"{ABSTRACT}"\n'),
        reported=("x:3: the row cannot be read",),
    ),
    Bad(
        "a first line of two million letters",
        with_valid_file(file("a" * 2_000_000, "\n")),
        kept=ONE,
        reported=("x: the content is of no known format",),
    ),
    Bad(
        "a table without a header",
        file("Kites,a b c\nNests,a b c\n"),
        form="csv",
        kept=NONE,
        reported=("x:1: the columns wanted are title and at least one of abstract",),
    ),
    Bad(
        "a table with nothing below its header",
        with_valid_file(file(_HEADER)),
        kept=ONE,
        reported=("x:1: there is no row below the header",),
    ),
    Bad(
        "a header that names a column twice",
        file("title,abstract,title\na,A b c.,Kites\nb,D e f.,Nests\n"),
        reported=("x:1: two columns are called 'title'; the last of them counts",),
    ),
    Bad(
        "a header with a line end of its own",
        with_valid_file(file("ti\rtle,abstract\nKites,b\n")),
        kept=ONE,
        reported=("x: the content is of no known format",),
    ),
    Bad(
        "NUL in a cell",
        file(_HEADER, f"Kites,{ABSTRACT[:20]}\n", b"a\0b,c\n", f"Nests,{ABSTRACT[:20]}\n"),
        reported=("x:3: binary data, not text (it holds NUL bytes)",),
    ),
    Bad(
        "rows with too few and too many cells",
        file(_HEADER, "Kites,A b c.\na\na,b,c\nNests,D e f.\n"),
        reported=(
            "x:3: the row has 1 columns where the header has 2",
            "x:4: the row has 3 columns where the header has 2",
        ),
    ),
)
PLACES: Final = (
    Bad(
        "a link that leads to itself",
        with_valid_file(with_inputs(symbolic_links(a="a"), "d/a")),
        kept=ONE,
        reported=("d/a: a broken link",),
    ),
    Bad(
        "a broken link",
        with_valid_file(with_inputs(symbolic_links(a="gone"), "d/a")),
        kept=ONE,
        reported=("d/a: a broken link",),
    ),
    Bad(
        "links that lead nowhere, in a folder",
        with_valid_file(symbolic_links(a="gone", b="b"), "d/good.jsonl"),
        kept=ONE,
        reported=(
            "d/a: a broken link",
            "d/b: a broken link",
        ),
    ),
    Bad(
        "a folder that holds a link to itself",
        with_valid_file(symbolic_links(up="."), "d/good.jsonl"),
        kept=ONE,
        reported=("d/up: a link to a folder is not followed; give that folder itself",),
    ),
    Bad(
        "two links up, in a pattern for all depths",
        with_inputs(
            with_valid_file(symbolic_links(one=".", two="."), "d/good.jsonl"), "d/**/*.jsonl"
        ),
        kept=ONE,
    ),
    Bad(
        "an endless device",
        with_valid_file(lambda _: ["/dev/zero"]),
        kept=ONE,
        reported=("/dev/zero: cannot be read: a device, not a file",),
    ),
    Bad(
        "a device of noise",
        with_valid_file(lambda _: ["/dev/urandom"]),
        kept=ONE,
        reported=("/dev/urandom: cannot be read: a device, not a file",),
    ),
    Bad(
        "a device that is empty",
        with_valid_file(lambda _: ["/dev/null"]),
        kept=ONE,
        reported=("/dev/null: cannot be read: a device, not a file",),
    ),
    Bad(
        "a pipe that nobody writes into",
        with_valid_file(named_pipe),
        kept=ONE,
        reported=("pipe: the file is empty",),
    ),
    Bad(
        "a socket",
        with_valid_file(unix_socket),
        kept=ONE,
        reported=("socket: cannot be read: a socket, not a file",),
    ),
    Bad(
        "a socket and a pipe in a folder",
        with_valid_file(
            with_inputs(lambda f: [*named_pipe(f), *unix_socket(f)], "."), "good.jsonl"
        ),
        kept=ONE,
        reported=(
            "pipe: a pipe, a socket or a device, not a file",
            "socket: a pipe, a socket or a device, not a file",
        ),
    ),
    Bad(
        "ten thousand empty files",
        with_valid_file(many_files(10_000, "{}.jsonl"), "d/good.jsonl"),
        kept=ONE,
        reported=(
            "d/0.jsonl: the file is empty",
            "d/1.jsonl: the file is empty",
            "d/9999.jsonl: the file is empty",
        ),
    ),
    Bad("four hundred folders inside one another are read", deep_folders(400), kept=ONE),
    Bad(
        "an empty folder",
        with_valid_file(symbolic_links()),
        kept=ONE,
        reported=("d: the folder holds no files",),
    ),
    Bad(
        "a file that is not there",
        with_valid_file(lambda _: ["gone.jsonl"]),
        kept=ONE,
        reported=("gone.jsonl: there is no such file or folder",),
    ),
    Bad(
        "a pattern that matches nothing",
        with_valid_file(lambda _: ["gone/*.jsonl"]),
        kept=ONE,
        reported=("gone/*.jsonl: the pattern matches no file",),
    ),
    Bad(
        "a name longer than any file's",
        with_valid_file(lambda _: ["a" * 5000]),
        kept=ONE,
        reported=("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",),
    ),
    Bad(
        "a name with a NUL",
        with_valid_file(lambda _: ["a\0b"]),
        kept=ONE,
        reported=("a\\x00b: there is no such file or folder",),
    ),
    Bad(
        "a name of two lines",
        file(KITES, b"{\n", name="a\nb\x1b[2J.jsonl"),
        kept=ONE,
        reported=("a\\nb\\x1b[2J.jsonl:2: not JSON",),
    ),
    Bad(
        "a name that is no UTF-8",
        file(KITES, b"{\n", name="caf\udce9.jsonl"),
        kept=ONE,
        reported=("caf\\udce9.jsonl:2: not JSON",),
    ),
    Bad(
        "one file, given five times",
        with_inputs(file(KITES, b"{\n"), "x", "./x", "x", "*", "."),
        kept=ONE,
        reported=("x:2: not JSON",),
    ),
)
CATALOGUE: Final = (
    *ENCODINGS, *PACKED, *LONG, *JSON, *XML, *REFERENCES, *LIBRARIES, *UNSUPPORTED, *TABLES, *PLACES, *PARQUET, *URLS,
)  # fmt: skip
