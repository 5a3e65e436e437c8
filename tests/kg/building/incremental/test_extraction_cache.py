"""Cached extractions are reused, also after killed builds, damaged files and full disks."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner

from citekg.building.incremental import fingerprints
from citekg.building.incremental.codec import decode, encode
from citekg.building.pipeline import build, build_graph, make_pipeline
from citekg.cli.main import main
from citekg.extractors import models
from citekg.extractors.candidates.tagger import Tagger, shipped_tagger
from citekg.extractors.classification.decoding import HashedSoftmax
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.extractors.roles.calibration import Calibration
from citekg.schemas.records import Extraction, Paper
from citekg.sources import read
from citekg.storage.folders import exclusive
from tests.problems import no_problem
from tests.processes import of_session, still_running

EXAMPLES = Path(__file__).parents[4] / "examples" / "papers.jsonl"
#: A program that limits the size of its files, to simulate a full disk.
MAIN_WITH_FILE_SIZE_LIMIT = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
from citekg.cli.main import main
main()"""


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the papers that this process extracts, in order."""
    seen: list[str] = []
    extract_all = ExtractionPipeline.extract_all

    def recorded(pipeline: ExtractionPipeline, papers: Iterable[Paper]) -> Iterator[Extraction]:
        for extraction in extract_all(pipeline, papers):
            seen.append(extraction.paper.id)
            yield extraction

    monkeypatch.setattr(ExtractionPipeline, "extract_all", recorded)
    return seen


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return EXAMPLES.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def whole(short_examples: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The graph of an uninterrupted build without a cache."""
    out = tmp_path_factory.mktemp("whole")
    arguments = ["build", str(short_examples), "-o", str(out), "-f", "nt", "--no-cache"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert not (out / "readings").exists()
    return (out / "graph.nt").read_bytes()


def _kg(
    *arguments: object, program: Sequence[str] = ("-m", "citekg")
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *program, *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
    )


def _parts(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.jsonl.gz"))


def test_encoding_and_decoding_preserves_an_extraction() -> None:
    pipeline = make_pipeline()
    for paper in read([str(EXAMPLES)], no_problem)[:5]:
        assert decode(paper, encode(pipeline.extract(paper))) == pipeline.extract(paper)


def test_only_new_papers_and_papers_with_changed_text_are_extracted(
    tmp_path: Path, extracted: list[str], lines: list[str]
) -> None:
    papers, cache = tmp_path / "papers.jsonl", tmp_path / "cache"
    papers.write_text("\n".join(lines[:3]), encoding="utf-8")
    first = build([str(papers)], cache=cache).graph
    assert sorted(extracted) == [p.id for p in first.papers]
    extracted.clear()
    changed = json.loads(lines[1]) | {"abstract": "Nothing is left of it."}
    moved = json.loads(lines[0]) | {"date": "1999", "venue": "another"}
    papers.write_text(
        "\n".join([json.dumps(changed), json.dumps(moved), *lines[2:4]]), encoding="utf-8"
    )
    second = build([str(papers)], cache=cache).graph
    assert sorted(extracted) == sorted([changed["id"], json.loads(lines[3])["id"]])
    assert vars(second) == vars(build([str(papers)]).graph)


def test_papers_are_extracted_again_with_other_layers(
    tmp_path: Path, extracted: list[str], lines: list[str]
) -> None:
    (tmp_path / "papers.jsonl").write_text(lines[0], encoding="utf-8")
    papers = read([str(tmp_path / "papers.jsonl")], no_problem)
    for layers in (None, ["rules"], ["rules"]):
        build_graph(papers, make_pipeline(layers), cache=tmp_path / "cache")
    assert len(extracted) == 2


def test_decisions_are_applied_without_extracting_again(
    short_examples: Path, tmp_path: Path, whole: bytes, extracted: list[str]
) -> None:
    decisions = tmp_path / "decisions.yaml"
    decisions.write_text(
        "- {kind: ban, name: Proximal Policy Optimization, author: Ada, date: 2026-01-31, reason: a test}\n",
        encoding="utf-8",
    )
    arguments = ["build", str(short_examples), "-o", str(tmp_path / "out"), "-f", "nt"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert (tmp_path / "out" / "graph.nt").read_bytes() == whole
    extracted.clear()
    result = CliRunner().invoke(main, [*arguments, "--decisions", str(decisions)])
    assert result.exit_code == 0, result.output
    assert extracted == []
    assert (tmp_path / "out" / "graph.nt").read_bytes() != whole


@pytest.mark.parametrize("harm", ["cut", "changed", "emptied", "removed"])
def test_papers_of_a_damaged_or_missing_part_are_extracted_again(
    tmp_path: Path, harm: str, extracted: list[str], lines: list[str]
) -> None:
    papers, cache = tmp_path / "papers.jsonl", tmp_path / "cache"
    papers.write_text("\n".join(lines[:2]), encoding="utf-8")
    graph = build([str(papers)], cache=cache).graph
    (part,) = _parts(cache)
    data = part.read_bytes()
    damaged = {"cut": data[:-20], "changed": data[:60] + b"?" + data[61:], "emptied": b""}
    part.write_bytes(damaged[harm]) if harm in damaged else part.unlink()
    extracted.clear()
    assert vars(build([str(papers)], cache=cache).graph) == vars(graph)
    assert len(extracted) == 2
    assert part.read_bytes() == data


@pytest.mark.parametrize(
    "other", [b"", b"half", b"[1, 2]\n", b"null", b'["00", {"a": 1}]\n', "cut"]
)
def test_cache_files_with_invalid_content_are_ignored(
    tmp_path: Path, other: bytes | str, extracted: list[str], lines: list[str]
) -> None:
    """Covers invalid parts, invalid lexicon files and unknown files."""
    papers, cache = tmp_path / "papers.jsonl", tmp_path / "cache"
    papers.write_text("\n".join(lines[:2]), encoding="utf-8")
    graph = build([str(papers)], cache=cache).graph
    (part,) = _parts(cache)
    data = part.read_bytes()
    invalid = gzip.compress(gzip.decompress(data)[:-9] if isinstance(other, str) else other)
    part.write_bytes(invalid)
    (part.parents[1] / "Thumbs.db").write_bytes(invalid)
    (part.parent / "deeper").mkdir()
    (part.parent / "deeper" / part.name).write_bytes(invalid)
    another = part.parents[1] / "0123456789abcdef"
    another.mkdir()
    (another / "lexicon.json.gz").write_bytes(invalid)
    (another / "kept.jsonl.gz").write_bytes(data)
    extracted.clear()
    assert vars(build([str(papers)], cache=cache).graph) == vars(graph)
    assert len(extracted) == 2
    assert part.read_bytes() == data


@pytest.mark.parametrize(("after", "workers"), [(0, 2), (1, 1), (2, 2)])
def test_a_killed_build_is_resumed_and_writes_the_same_bytes(
    short_examples: Path, tmp_path: Path, whole: bytes, after: int, workers: int
) -> None:
    command = ["build", short_examples, "-o", tmp_path, "-f", "nt", "--workers", workers]
    running = subprocess.Popen(
        [sys.executable, "-m", "citekg", *map(str, command)], start_new_session=True
    )
    _wait_until(lambda: len(_parts(tmp_path)) >= after or running.poll() is not None)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not still_running(of_session(running.pid))
    kept = {part: part.stat().st_mtime_ns for part in _parts(tmp_path)}
    done = _kg(*command)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "graph.nt").read_bytes() == whole
    assert {part: part.stat().st_mtime_ns for part in kept} == kept
    assert not [*tmp_path.rglob("*.part")]


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240  # a busy machine takes minutes to start a build
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_partial_files_of_a_killed_build_are_removed(tmp_path: Path) -> None:
    partial_file = tmp_path / "of" / ".part-file.jsonl.gz.x1.part"
    partial_file.parent.mkdir()
    partial_file.write_bytes(b"half")
    with exclusive(tmp_path):
        assert not partial_file.exists()


def test_partial_files_of_lost_workers_are_removed_at_the_end_of_a_build(tmp_path: Path) -> None:
    partial_file = tmp_path / ".part-file.nt.x1.part"
    with exclusive(tmp_path):
        partial_file.write_bytes(b"half")
    assert not partial_file.exists()


def test_two_builds_cannot_write_to_the_same_folder(tmp_path: Path, lines: list[str]) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text(lines[0], encoding="utf-8")
    for locked in (tmp_path, tmp_path / "readings"):
        with exclusive(locked):
            refused = _kg("build", papers, "-o", tmp_path)
        assert refused.returncode == 1
        assert f"{locked}: another build is writing there" in refused.stderr
        assert not (tmp_path / "graph.ttl").exists()
    assert _kg("build", papers, "-o", tmp_path).returncode == 0


def test_two_builds_cannot_write_parts_to_the_same_folder(
    short_examples: Path, tmp_path: Path
) -> None:
    parts = tmp_path / "parts"
    command = ["build", short_examples, "-o", tmp_path / "out", "-f", "nt", "--partitioned", parts]
    with exclusive(parts):
        refused = _kg(*command)
    assert refused.returncode == 1
    assert f"{parts}: another build is writing there" in refused.stderr
    partial_file = parts / "graph.nt" / ".part-file.nt.x1.part"
    partial_file.parent.mkdir()
    partial_file.write_bytes(b"half")
    assert _kg(*command).returncode == 0
    assert not partial_file.exists()


def test_a_full_disk_is_reported_with_the_file_and_the_cache_is_kept(
    short_examples: Path, tmp_path: Path, whole: bytes
) -> None:
    command = ["build", short_examples, "-o", tmp_path, "-f", "nt"]
    for size, file in ((100_000, "lexicon.json.gz"), (600_000, "graph.nt")):
        full = _kg(*command, program=["-c", MAIN_WITH_FILE_SIZE_LIMIT.format(size=size)])
        assert full.returncode == 1
        assert f"{file}: cannot be written: File too large" in full.stderr
        assert not [*tmp_path.rglob("*.part")]
    kept = _parts(tmp_path)
    assert len(kept) > 3
    assert _kg(*command).returncode == 0
    assert _parts(tmp_path) == kept
    assert (tmp_path / "graph.nt").read_bytes() == whole


def test_an_output_folder_that_is_not_writable_is_reported_before_extraction(
    tmp_path: Path, extracted: list[str]
) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(
        main, ["build", str(EXAMPLES), "-o", str(tmp_path / "file" / "out")]
    )
    assert result.exit_code == 1
    assert "cannot be written: Not a directory" in result.output
    assert extracted == []


def test_training_code_does_not_change_the_pipeline_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "training").mkdir()
    monkeypatch.setattr(resources, "files", lambda _package: tmp_path)
    pipeline = make_pipeline()

    def changed(file: str) -> bool:
        before = fingerprints.pipeline_fingerprint(pipeline)
        (tmp_path / file).write_bytes(b"changed")
        return fingerprints.pipeline_fingerprint(pipeline) != before

    assert not changed("training/fitting.py")
    assert not changed("training/sample.npz")
    assert not changed("README.md")
    assert changed("nlp.py")


def test_all_weights_determine_the_pipeline_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = make_pipeline()
    other_model = HashedSoftmax(pipeline.role_model.table + 1)
    others = [
        replace(pipeline, entity_model=HashedSoftmax(pipeline.entity_model.table + 1)),
        replace(pipeline, role_model=other_model),
        replace(pipeline, borderline_model=other_model),
        replace(pipeline, calibration=Calibration()),
        replace(pipeline, decision_network=replace(pipeline.decision_network, threshold=0.6)),
        replace(pipeline, result_model=replace(pipeline.result_model, calibration=(1.0, 0.0))),
    ]
    found = {*map(fingerprints.pipeline_fingerprint, (pipeline, replace(pipeline), *others))}
    tagger = shipped_tagger()
    weights = {name: values + 1 for name, values in tagger.arrays.items()}
    monkeypatch.setattr(models, "token_tagger", lambda _: Tagger(weights))
    found.add(fingerprints.pipeline_fingerprint(replace(pipeline)))
    assert len(found) == 2 + len(others)
