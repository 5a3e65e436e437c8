"""Several processes read as one does."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from kg.pipeline import build, reader_of, readings
from kg.sources import read
from kg.workers import ONE_THREAD, read_in_workers
from schemas.errors import ExtractionError

EXAMPLES = str(Path(__file__).parents[2] / "examples" / "papers.jsonl")


def test_two_workers_read_what_one_reads_in_the_same_order():
    papers = read([EXAMPLES], on_problem=pytest.fail)
    reader = reader_of()
    heard: list[tuple[int, int]] = []
    alone = list(readings(reader, papers, lambda *_: None))
    together = list(readings(reader, papers, lambda *done: heard.append(done), workers=2))
    assert together == alone
    assert [r.paper for r in together] == list(papers)
    assert heard == [(n, len(papers)) for n in range(1, len(papers) + 1)]


def test_two_workers_read_with_the_layers_asked_for():
    one, two = (build([EXAMPLES], layers=["rules"], workers=n).graph for n in (1, 2))
    assert vars(one) == vars(two)
    assert {m.layer for m in two.mentions} == {"rules"}


def test_a_worker_that_is_ended_from_outside_is_told_not_waited_for():
    deadly = SimpleNamespace(read=os._exit)
    with pytest.raises(ExtractionError, match="fewer workers"):
        list(read_in_workers(deadly, (3,), 2))


def test_no_papers_need_no_worker():
    assert list(read_in_workers(SimpleNamespace(read=os._exit), (), 2)) == []


def test_the_environment_is_left_as_it_was(monkeypatch):
    first, *others = ONE_THREAD
    monkeypatch.setenv(first, "7")
    for name in others:
        monkeypatch.delenv(name, raising=False)
    list(read_in_workers(SimpleNamespace(read=repr), (), 1))
    assert {name: os.environ.get(name) for name in ONE_THREAD} == {first: "7", **dict.fromkeys(others)}
