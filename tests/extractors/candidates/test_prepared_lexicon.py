"""The prepared form of a lexicon, and the shipped lexicon in the cache of the user."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.candidates import shipped_lexicon as module
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.prepared_lexicon import read_prepared, write_prepared
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.schemas.vocabulary import TYPES

WORDS = st.text("aAbsπ2 -", min_size=1, max_size=9)
ENTRIES = st.builds(
    Entry,
    name=WORDS.filter(str.strip),
    type=st.sampled_from([*TYPES]),
    aliases=st.lists(WORDS, max_size=3).map(tuple),
    family=st.sampled_from(["", "GPT"]),
    umbrella=st.booleans(),
    setting=st.booleans(),
    exact=st.booleans(),
    context=st.lists(st.sampled_from(["robot", "graph"]), max_size=2).map(tuple),
    doubtful=st.frozensets(WORDS, max_size=2),
    sense=st.sampled_from(["", "graphs"]),
)
ATTRIBUTES = (
    "entries", "rows", "vocabulary", "forms", "prefixes", "seconds", "digest", "prefix_types",
    "key_of_spelling",
)  # fmt: skip


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Use an empty cache, and load the shipped lexicon anew, also in the next test."""
    monkeypatch.setattr(module, "user_cache", lambda: tmp_path / "cache")
    shipped_lexicon.cache_clear()
    yield tmp_path / "cache"
    shipped_lexicon.cache_clear()


@pytest.fixture
def table(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only table of a small shipped lexicon."""
    path = cache.with_name("own.tsv")
    write_table(path, "Kite")
    monkeypatch.setattr(module, "_tables", lambda: [path])
    return path


def write_table(path: Path, name: str) -> None:
    path.write_text(f"name\ttype\taliases\tfamily\tflags\n{name}\tMethod\tThe {name}\t\t\n")


def reloaded() -> Lexicon:
    """Return the shipped lexicon as another process loads it."""
    shipped_lexicon.cache_clear()
    return shipped_lexicon()


def prepared(folder: Path) -> Path:
    (file,) = folder.glob("lexicon-*.json")
    return file


def contents(lexicon: Lexicon) -> dict[str, object]:
    return {name: getattr(lexicon, name) for name in ATTRIBUTES}


@given(st.lists(ENTRIES, max_size=8))
def test_a_lexicon_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, entries: list[Entry]
) -> None:
    file = tmp_path_factory.mktemp("prepared") / "lexicon.json"
    lexicon = Lexicon.of(entries)
    write_prepared(file, lexicon)
    read = read_prepared(file)
    assert read is not None
    assert contents(read) == contents(lexicon)
    assert [*map(type, read.rows)] == [Entry] * len(entries)


def test_the_shipped_lexicon_is_the_same_from_its_tables_and_from_the_cache(cache: Path) -> None:
    from_tables = reloaded()
    file = prepared(cache)
    written = file.stat().st_mtime_ns
    from_cache = reloaded()
    assert from_cache is not from_tables
    assert contents(from_cache) == contents(from_tables)
    assert file.stat().st_mtime_ns == written
    assert {id(e) for e in from_cache.entries.values()} <= {id(e) for e in from_cache.rows}


def flipped(content: bytes) -> bytes:
    return content[:100] + bytes([content[100] ^ 1]) + content[101:]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "truncated": lambda content: content[:-1],
    "one bit changed": flipped,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.usefixtures("table")
def test_a_damaged_file_is_replaced(cache: Path, damage: str) -> None:
    known = contents(reloaded())
    content = prepared(cache).read_bytes()
    prepared(cache).write_bytes(DAMAGES[damage](content))
    assert contents(reloaded()) == known
    assert prepared(cache).read_bytes() == content


@pytest.mark.usefixtures("table")
def test_files_of_other_versions_are_deleted(cache: Path) -> None:
    cache.mkdir()
    (cache / "lexicon-0123456789abcdef.json").write_text("{}")
    (cache / "oxigraph-0.5").mkdir()
    reloaded()
    assert prepared(cache).name != "lexicon-0123456789abcdef.json"
    assert (cache / "oxigraph-0.5").is_dir()


def test_another_table_makes_another_file(cache: Path, table: Path) -> None:
    names = []
    for name in ("Kite", "Heron"):
        write_table(table, name)
        assert [entry.name for entry in reloaded().rows] == [name]
        names.append(prepared(cache).name)
    assert names[0] != names[1]


@pytest.mark.usefixtures("table")
def test_a_cache_that_cannot_be_written_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = contents(reloaded())
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(module, "user_cache", lambda: tmp_path / "file" / "cache")
    assert contents(reloaded()) == known


@pytest.mark.usefixtures("table")
def test_without_a_home_folder_nothing_is_cached(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(module, "user_cache", no_home)
    assert reloaded().entries
    assert not cache.exists()
