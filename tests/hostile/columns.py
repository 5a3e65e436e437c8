"""The Parquet files and the URLs of the catalogue."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tests.hostile.making import (
    ABSTRACT,
    BOTH,
    KITES,
    NONE,
    ONE,
    Bad,
    Make,
    file,
    with_inputs,
    with_valid_file,
)

_NAMES: Final = ["Kites", "Nests"]
_ABSTRACTS: Final = [ABSTRACT, ABSTRACT]
#: A number of microseconds after the last date that Python supports.
_OUT_OF_RANGE: Final = 2**60


def _table(columns: dict[str, Any] | list[tuple[str, Any]], **options: Any) -> Make:
    """A Parquet file of these columns, each a list or a function that makes an Arrow array."""

    def make(_folder: Path) -> list[str]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        named = list(columns.items()) if isinstance(columns, dict) else columns
        arrays = [made(pa) if callable(made) else made for _, made in named]
        pq.write_table(pa.table(arrays, names=[name for name, _ in named]), "x", **options)
        return ["x"]

    return make


def _papers(**more: Any) -> dict[str, Any]:
    return {"title": _NAMES, "abstract": _ABSTRACTS, **more}


def _changed(make: Make, change: Any) -> Make:
    """The same file with its bytes changed."""

    def made(folder: Path) -> Iterable[str]:
        (name,) = make(folder)
        (folder / name).write_bytes(change((folder / name).read_bytes()))
        return [name]

    return made


def _invalid_utf8(pa: Any) -> Any:
    ends = b"".join(n.to_bytes(4, "little") for n in (0, 5, 7))
    return pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(ends), pa.py_buffer(b"Kites\xff\xfe")]
    )


def _nested(depth: int) -> Any:
    def make(pa: Any) -> Any:
        array = pa.array(["a", "b"])
        for _ in range(depth):
            array = pa.ListArray.from_arrays([0, 1, 2], array)
        return array

    return make


def _constant_column(value: str, count: int) -> Any:
    """A column with the same value in every row, which is stored once."""
    return lambda pa: pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), [value])


def _parquet(
    what: str, make: Make, *reported: str, kept: tuple[str, ...] = ONE, **more: Any
) -> Bad:
    return Bad(what, make, reported, kept, needs="pyarrow", **more)


PARQUET: Final = (
    _parquet(
        "Parquet without a row",
        with_valid_file(_table({"title": [], "abstract": []})),
        "x: not read: it has no rows",
    ),
    _parquet(
        "Parquet without a column", with_valid_file(_table({})), "x: not read: it has no rows"
    ),
    _parquet(
        "Parquet of other things",
        with_valid_file(_table({"na\nme\x1b[2J": ["a"], "value": [1]})),
        "x: the columns wanted are title and at least one of abstract",
    ),
    _parquet(
        "Parquet that names a column twice",
        _table([("title", ["a", "b"]), ("abstract", _ABSTRACTS), ("Title ", _NAMES)]),
        "x: two columns are called 'title'; the last of them counts",
        kept=BOTH,
    ),
    _parquet(
        "a time of the year 36,000",
        _table(_papers(date=lambda pa: pa.array([0, _OUT_OF_RANGE], pa.timestamp("us")))),
        "x:2: the row cannot be read",
    ),
    _parquet(
        "a day of the year two million",
        _table(_papers(date=lambda pa: pa.array([0, 2**30], pa.int32()).cast(pa.date32()))),
        "x:2: the row cannot be read",
    ),
    _parquet(
        "a time in a zone that is none",
        with_valid_file(
            _table(_papers(date=lambda pa: pa.array([0, 0], pa.timestamp("us", "Mars/Olympus"))))
        ),
        "x:1: the row cannot be read",
        "x:2: the row cannot be read",
    ),
    _parquet(
        "the same in a site's columns",
        _table(
            {
                "id": ["https://openalex.org/W1", "https://openalex.org/W2"],
                "title": _NAMES,
                "abstract": _ABSTRACTS,
                "abstract_inverted_index": ["", ""],
                "publication_date": lambda pa: pa.array([0, _OUT_OF_RANGE], pa.timestamp("us")),
            }
        ),
        "x:1: 'abstract_inverted_index' is",
        "x:2: the row cannot be read",
        kept=NONE,
    ),
    _parquet(
        "letters that are none in a column of text",
        _table({"title": _invalid_utf8, "abstract": _ABSTRACTS}),
        "x:2: the row cannot be read: 'utf-8' codec can't decode byte 0xff",
    ),
    _parquet(
        "numbers that are none",
        _table(_papers(year=[float("nan"), float("inf")])),
        "x:2: the date 'inf' cannot be read and is left out",
        kept=BOTH,
    ),
    _parquet(
        "control characters in Parquet",
        _table({"title": ["Ki\0tes\x1b"], "abstract": [ABSTRACT]}),
        kept=("Ki tes",),
    ),
    _parquet(
        "an abstract of a million letters in Parquet",
        _table({"title": _NAMES, "abstract": [ABSTRACT, "word " * 250_000]}),
        "x:2: title and abstract hold 1250004 characters, more than the 200000 that are read",
    ),
    _parquet("lists inside one another", _table(_papers(venue=_nested(30))), kept=BOTH),
    _parquet(
        "a thousand lists inside one another",
        with_valid_file(_table(_papers(venue=_nested(1000)))),
        "x: not a Parquet file: Parquet schema too deeply nested",
    ),
    _parquet(
        "twenty thousand columns",
        _table(_papers(**{f"c{n}": [0, 0] for n in range(20_000)})),
        kept=BOTH,
    ),
    _parquet(
        "the first bytes of Parquet alone", with_valid_file(file(b"PAR1")), "x: not a Parquet file"
    ),
    _parquet(
        "Parquet whose end is longer than the file",
        with_valid_file(file(b"PAR1", b"\0" * 99, b"\xff\xff\xff\x7fPAR1")),
        "x: not a Parquet file",
    ),
    _parquet(
        "Parquet that breaks off",
        with_valid_file(_changed(_table(_papers()), lambda data: data[:-9])),
        "x: not a Parquet file",
    ),
    _parquet(
        "an encrypted end",
        with_valid_file(_changed(_table(_papers()), lambda data: data[:-4] + b"PARE")),
        "x: not a Parquet file",
    ),
    _parquet(
        "Parquet inside gzip",
        with_valid_file(_changed(_table(_papers()), gzip.compress)),
        "x:1: this is a Parquet file: give the file itself, unpacked",
    ),
    _parquet(
        "three million rows in a kilobyte",
        with_valid_file(
            _table(
                {
                    "title": _constant_column("Nests", 3_000_000),
                    "abstract": _constant_column(ABSTRACT, 3_000_000),
                }
            )
        ),
        "x: not read: it has more rows (3000000) than bytes",
        heavy=True,
    ),
    _parquet(
        "a gigabyte in 30 kilobytes",
        with_valid_file(
            _table(
                {"title": ["a"] * 4, "abstract": ["a" * 2**24] * 4},
                compression="zstd",
                use_dictionary=False,
            )
        ),
        "x: not read: it unpacks to more than 200 times its size",
        heavy=True,
    ),
    _parquet(
        "a text of nine megabytes that stands once for 256 rows",
        with_valid_file(
            _table(
                {
                    "title": [f"{n}" for n in range(256)],
                    "abstract": _constant_column("a" * 9_000_000, 256),
                },
                compression="zstd",
                dictionary_pagesize_limit=2**30,
            )
        ),
        "x:1: title and abstract hold 9000001 characters",
        "x:2: title and abstract hold 9000001 characters",
        "x:256: title and abstract hold 9000003 characters",
        heavy=True,
    ),
)


def _remote_files(**contents: bytes) -> Make:
    """Files in the memory file system of fsspec, and the URL of their folder."""

    def make(_folder: Path) -> list[str]:
        import fsspec

        files = fsspec.filesystem("memory")
        for name, content in contents.items():
            with files.open(f"/far/{name}", "wb") as made:
                made.write(content)
        return ["memory://far"]

    return make


def _url(
    what: str, make: Make | str, *reported: str, kept: tuple[str, ...] = ONE, needs: str = "fsspec"
) -> Bad:
    return Bad(
        what,
        with_valid_file(lambda _: [make]) if isinstance(make, str) else make,
        reported,
        kept,
        needs=needs,
    )


URLS: Final = (
    _url(
        "a kind of URL that nobody knows",
        "kites://x/y",
        "kites://x/y: cannot be opened: Protocol not known: kites",
    ),
    _url("a URL of no kind", "://", "://: not found, or the server does not answer"),
    _url(
        "a URL that holds nothing",
        "memory://gone",
        "memory://gone: not found, or the server does not answer",
    ),
    _url(
        "a URL of two lines",
        "memory://a\nb",
        "memory://a\\nb: not found, or the server does not answer",
    ),
    _url(
        "a URL with a NUL",
        "memory://a\0b",
        "memory://a\\x00b: not found, or the server does not answer",
    ),
    _url(
        "a URL that lacks what its kind needs", "reference://x", "reference://x: cannot be opened"
    ),
    _url(
        "a URL into an archive that is none",
        with_inputs(file(KITES, name="good"), "zip://a::file://good", "good"),
        "zip://a::file://good: cannot be opened: File is not a zip file",
    ),
    _url(
        "the URL of a device",
        "file:///dev/zero",
        "file:///dev/zero: cannot be read: a device, not a file",
    ),
    _url(
        "the URL of a file that is not there",
        "file:///gone/x",
        "file:///gone/x: not found, or the server does not answer",
    ),
    _url(
        "an address that does not answer",
        "http://127.0.0.1:1/x.jsonl",
        "http://127.0.0.1:1/x.jsonl: not found, or the server does not answer",
        needs="aiohttp",
    ),
    _url(
        "an address that is none",
        "http://[::1/x",
        "http://[::1/x: not found, or the server does not answer",
        needs="aiohttp",
    ),
    _url(
        "files elsewhere that are empty, broken or hidden",
        _remote_files(**{"a": b"", "b.gz": gzip.compress(KITES)[:-8], "c": KITES, ".d": b"{"}),
        "memory:///far/a: the file is empty",
        "memory:///far/b.gz:2: the gzip data is broken from here on",
    ),
)
