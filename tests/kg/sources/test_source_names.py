"""Names of sources and ids of papers: no folders, and no merging of different papers."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import citekg
from citekg.cli.exit_codes import FAILED
from citekg.exports import EXPORTERS
from citekg.schemas.records import Paper, Source
from citekg.sources import Problem, read
from citekg.sources.deduplication import MergedPapers
from citekg.sources.source_names import file_name
from tests.kg.commands import run_cli
from tests.problems import no_problem

ABSTRACT = "We propose {} and evaluate it on GSM8K, where it outperforms PPO."
HOME = "ada-lovelace"


def record(title: str, **values: Any) -> dict[str, Any]:
    return {"title": title, "abstract": ABSTRACT.format(title), **values}


def write(file: Path, *records: dict[str, Any]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return file


def write_sample_files(folder: Path) -> Path:
    """Write two different files with the same name, and a third one."""
    write(folder / "2023" / "papers.jsonl", record("KiteNet-9"), record("NestNet-4"))
    write(folder / "2024" / "papers.jsonl", record("ReedNet-2"), record("KiteNet-9"))
    write(folder / "more.jsonl", record("HeronNet-5", id="h1"))
    return folder


# Names of sources


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("papers.jsonl", "papers.jsonl"),
        ("../data/papers.jsonl.gz", "papers.jsonl.gz"),
        ("/home/ada/papers.jsonl", "papers.jsonl"),
        ("/home/ada/two\nlines.jsonl", "two\\nlines.jsonl"),
        ("-", "-"),
        ("/dev/stdin", "-"),
        ("/dev/fd/63", "-"),
        ("s3://bucket/home/ada/papers.jsonl", "papers.jsonl"),
        ("https://ada:secret@a.example/home/papers.jsonl?key=secret#secret", "papers.jsonl"),
        ("https://ada:secret@a.example/", "a.example"),
        ("simplecache::s3://bucket/home/papers.jsonl", "papers.jsonl"),
        ("zip://papers.jsonl::https://ada:secret@a.example/home/all.zip", "papers.jsonl"),
    ],
)
def test_the_source_name_of_a_path_or_url_is_its_file_name(path: str, name: str) -> None:
    assert file_name(path) == name


def test_files_with_the_same_name_are_distinguished_by_their_content(tmp_path: Path) -> None:
    folder = write_sample_files(tmp_path)
    write(tmp_path / "copy" / "papers.jsonl", record("ReedNet-2"), record("KiteNet-9"))
    found = {paper.title: paper.sources for paper in read([str(folder)], no_problem)}
    assert found["HeronNet-5"] == (Source("more.jsonl", 1),)
    (nest,), (reed,) = found["NestNet-4"], found["ReedNet-2"]
    assert nest.name != reed.name
    assert all(source.name.startswith("papers.jsonl@") for source in (nest, reed))
    assert found["KiteNet-9"] == tuple(sorted((Source(nest.name, 1), Source(reed.name, 2))))


def test_a_file_without_papers_does_not_affect_the_source_name_of_another_file(
    tmp_path: Path,
) -> None:
    write(tmp_path / "a" / "papers.jsonl", record("KiteNet-9"))
    write(tmp_path / "b" / "papers.jsonl", {"title": "", "abstract": ""})
    problems: list[Problem] = []
    (paper,) = read([str(tmp_path)], problems.append)
    assert (paper.sources, len(problems)) == ((Source("papers.jsonl", 1),), 1)


def test_messages_contain_the_path_as_the_user_gave_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("data/papers.jsonl"), {"title": 7.5}, {"title": 8.5})
    for folder in ("data", str(tmp_path / "data")):
        problems: list[Problem] = []
        read([folder], problems.append)
        assert sorted(problem.place for problem in problems) == [
            f"{folder}/papers.jsonl:{n}" for n in (1, 2)
        ]


# Reproducible output


def test_exports_do_not_depend_on_the_folder_or_notation_of_the_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = write_sample_files(tmp_path / "one"), write_sample_files(tmp_path / "two" / HOME)
    monkeypatch.chdir(one)
    inputs = {
        "relative": (".",),
        "absolute": (two / "2024", two),
        "pattern": ("20*/*.jsonl", one / "more.jsonl"),
    }
    for name, given_inputs in inputs.items():
        done = run_cli("build", *given_inputs, "-o", tmp_path / name, "--no-cache")
        assert done.exit_code == 0, done.output
    for file in ("graph.ttl", "graph.json", "graph.html"):
        assert len({(tmp_path / name / file).read_bytes() for name in inputs}) == 1


def nested_contents(file: Path) -> Iterator[bytes]:
    """The bytes of a file, of the files packed in it, and of its tables as text."""
    yield from unpacked(file.name, file.read_bytes())


def unpacked(name: str, data: bytes) -> Iterator[bytes]:
    yield data
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for member in packed.namelist():
                yield member.encode()
                yield from unpacked(member, packed.read(member))
    elif name.endswith(".gz"):
        yield gzip.decompress(data)
    elif name.endswith(".parquet"):
        pq = pytest.importorskip("pyarrow.parquet", reason="an optional extra")
        yield str(pq.read_table(io.BytesIO(data)).to_pylist()).encode()


def test_exports_do_not_contain_folder_names_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_sample_files(tmp_path / HOME)
    monkeypatch.chdir(tmp_path)
    formats = [word for name in EXPORTERS for word in ("-f", name)]
    assert run_cli("build", folder, "-o", "out", *formats, "--align").exit_code == 0
    parts = ("--partitioned", "parts", "-f", "nt", "-f", "nq", "-f", "parquet")
    assert run_cli("build", f"{HOME}/../{HOME}", "-o", "out2", *parts, "--gz").exit_code == 0
    files = [
        file
        for place in ("out", "out2", "parts")
        for file in Path(place).rglob("*")
        if file.is_file()
    ]
    assert len(files) > len(EXPORTERS) + len(parts)
    leaks = [
        file
        for file in files
        for data in nested_contents(file)
        if HOME.encode() in data or b"/tmp" in data
    ]
    assert not leaks


# Ids


def write_files_with_the_same_ids(folder: Path) -> tuple[Path, Path]:
    """Write two files of fifty papers each; both use the ids 0 to 49 for different papers."""
    names = ("Kite", "Nest")
    return (
        write(folder / "a.jsonl", *(record(f"{names[0]} {n}", id=n) for n in range(50))),
        write(folder / "b.jsonl", *(record(f"{names[1]} {n}", id=n) for n in range(50))),
    )


def papers_and_problems(inputs: Iterable[object]) -> tuple[list[Paper], list[str]]:
    problems: list[Problem] = []
    return [*read(map(str, inputs), problems.append)], [str(problem) for problem in problems]


def test_different_papers_with_the_same_id_are_kept_and_reported_with_both_places(
    tmp_path: Path,
) -> None:
    a, b = write_files_with_the_same_ids(tmp_path)
    papers, problems = papers_and_problems([a, b])
    assert (len(papers), len({paper.id for paper in papers}), len(problems)) == (100, 100, 50)
    assert problems[0].startswith(
        f"{b}:1: the id '0' identifies another paper at {a}:1: both papers are kept"
    )


def test_new_ids_of_papers_with_the_same_id_do_not_depend_on_order_or_folder(
    tmp_path: Path,
) -> None:
    found = [
        papers_and_problems(write_files_with_the_same_ids(tmp_path / "x"))[0],
        papers_and_problems(write_files_with_the_same_ids(tmp_path / "y")[::-1])[0],
    ]
    assert found[0] == found[1]


def test_colliding_ids_are_a_warning_and_fail_only_a_strict_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("a.jsonl"), record("KiteNet-9", id="0"), record("NestNet-4", id="1"))
    write(Path("b.jsonl"), record("ReedNet-2", id="0"), record("NestNet-4", id="1"))
    done = run_cli("build", "a.jsonl", "b.jsonl", "-o", "out", "-f", "json")
    assert done.exit_code == 0
    assert done.stderr.startswith(
        "warning: b.jsonl:1: the id '0' identifies another paper at a.jsonl:1"
    )
    assert "Read        4 records, 3 papers: 1 joined\n" in done.stdout
    assert "Warnings    1 problem in the input" in done.stdout
    assert "Skipped" not in done.stdout
    assert len(citekg.load("out/graph.json").papers) == 3
    strict = run_cli("build", "a.jsonl", "b.jsonl", "-o", "strict", "--strict")
    assert (strict.exit_code, Path("strict").exists()) == (FAILED, False)


@pytest.mark.parametrize(
    ("same", "joined"),
    [
        ({"title": "Kites: They Fly"}, True),
        ({"doi": "10.1000/kites"}, True),
        ({"arxiv_id": "2405.00001"}, True),
        ({"venue": "Sky", "url": "https://a.example/7", "date": "2024"}, False),
    ],
)
def test_records_with_the_same_id_are_merged_only_with_the_same_title_doi_or_arxiv_id(
    same: dict[str, str], joined: bool, tmp_path: Path
) -> None:
    one = record("Kites they fly", id="7") | same
    other = record("The Second Edition", id="7") | same
    papers, problems = papers_and_problems(
        [write(tmp_path / "a", one), write(tmp_path / "b", other)]
    )
    assert (len(papers), len(problems)) == ((1, 0) if joined else (2, 1))
    assert [paper.id for paper in papers] == ["7"] or not joined


def test_papers_with_the_same_id_get_new_ids_from_their_arxiv_id_doi_or_title(
    tmp_path: Path,
) -> None:
    given_records = (
        record("Kites", id="7", arxiv_id="2405.00001", doi="10.1000/kites"),
        record("Nests", id="7", doi="10.1000/nests"),
        record("Reeds", id="7"),
    )
    papers, problems = papers_and_problems([write(tmp_path / "a", *given_records)])
    assert [paper.id for paper in papers][:2] == ["10.1000/nests", "2405.00001"]
    alone, _ = papers_and_problems([write(tmp_path / "b", record("Reeds"))])
    assert papers[2].id == alone[0].id
    assert len(problems) == 2


def test_records_of_one_paper_are_merged_although_another_paper_has_the_same_id(
    tmp_path: Path,
) -> None:
    given_records = (
        record("Kites", id="7"),
        record("KITES", id="7", venue="Sky"),
        record("Nests", id="7"),
    )
    papers, problems = papers_and_problems([write(tmp_path / "a", *given_records)])
    assert sorted((paper.title, len(paper.sources)) for paper in papers) == [
        ("Kites", 2),
        ("Nests", 1),
    ]
    assert len(problems) == 1


def test_a_record_without_a_title_is_merged_with_the_paper_of_the_same_id(tmp_path: Path) -> None:
    halves = ({"id": "7", "title": "Kites"}, {"id": "7", "abstract": ABSTRACT})
    papers, problems = papers_and_problems([write(tmp_path / "a", *halves)])
    assert ([paper.id for paper in papers], problems) == (["7"], [])


@pytest.mark.parametrize(
    ("own", "page"),
    [
        ("W17", "https://openalex.org/W17"),
        ("0" * 40, f"https://www.semanticscholar.org/paper/{'0' * 40}"),
        ("2405.00001", ""),
        ("10.1000/kites", ""),
    ],
)
def test_records_with_the_same_global_id_are_merged_despite_different_titles(
    own: str, page: str, tmp_path: Path
) -> None:
    versions = (record("Kites", id=own, url=page), record("The Second Edition", id=own, url=page))
    papers, problems = papers_and_problems([write(tmp_path / "a", *versions)])
    assert ([paper.id for paper in papers], problems) == ([own], [])


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["", "7", "8"]), st.booleans()),
        max_size=8,
    )
)
def test_merging_keeps_every_record_and_lists_every_merge(
    values: list[tuple[str, str, bool]],
) -> None:
    merged = MergedPapers(
        Paper(
            own,
            title,
            "An abstract.",
            doi="10.1000/x" if printed else "",
            sources=(Source("f", n),),
        )
        for n, (title, own, printed) in enumerate(values)
    )
    papers = [*merged]
    listed = dict(merged.merged_sources())
    assert merged.records == len(values) == sum(len(paper.sources) for paper in papers)
    assert {paper.id: paper.sources for paper in papers if len(paper.sources) > 1} == {
        paper: tuple(sorted(sources)) for paper, sources in listed.items()
    }


# The report of kg build


def test_build_lists_the_joined_records_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("a.jsonl"), record("KiteNet-9", id="k"), record("NestNet-4"))
    write(Path("data/b.jsonl"), record("ReedNet-2"), record("kitenet-9"))
    report = json.loads(
        run_cli("build", "a.jsonl", "data", "-o", "out", "-f", "json", "--json").stdout
    )
    assert (report["records"], report["papers"]) == (4, 3)
    assert report["joined"] == [{"id": "k", "sources": ["a.jsonl:1", "data/b.jsonl:2"]}]
    assert (report["skipped"], report["warnings"]) == (0, 0)


def test_files_of_an_earlier_build_are_kept_and_listed_in_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("a.jsonl"), record("KiteNet-9"))
    parts = ("--partitioned", "out", "-f", "nq", "-f", "parquet")
    assert (
        "warning"
        not in run_cli("build", "a.jsonl", "-o", "out", *parts, "-f", "html", "--gz").stderr
    )
    Path("out/graph.png").write_bytes(b"the user's own")
    assert run_cli("build", "a.jsonl", "-o", "out", "-f", "ttl", "--split").exit_code == 0
    done = run_cli("build", "a.jsonl", "-o", "out", "-f", "nt", "-f", "json", "--json")
    earlier = [
        "out/graph.core.ttl",
        "out/graph.html",
        "out/graph.provenance.ttl",
        "out/graph.nq/files.json",
        "out/graph.parquet/files.json",
    ]
    assert json.loads(done.stdout)["earlier files"] == earlier
    assert done.stderr == (
        f"warning: files of an earlier build, not written again: {', '.join(earlier)}; delete what you do not need, "
        "or choose the format with -f\n"
    )
    assert all(Path(file).is_file() for file in earlier)
