"""Invalid files of all other kinds give a one-line message; deep queries do not crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from citekg.queries import query
from citekg.queries.safety import calls_service
from citekg.schemas import files
from citekg.schemas.errors import CitekgError, QueryError
from tests.hostile.others import FILES, QUERIES, Refused
from tests.sample import sample_graph


@pytest.mark.parametrize("bad", FILES, ids=lambda bad: bad.what)
def test_an_invalid_file_is_refused_with_one_line_that_begins_with_its_name(
    bad: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "PIPE_WAIT", 0.01)
    (name,) = bad.make(tmp_path)
    with pytest.raises(CitekgError) as caught:
        bad.read(Path(name))
    message = str(caught.value)
    assert message.startswith(name + bad.reported)
    assert "\n" not in message


@pytest.mark.parametrize("asked", QUERIES.values(), ids=QUERIES)
def test_a_query_that_is_too_deep_or_too_long_is_refused(asked: str) -> None:
    with pytest.raises(
        QueryError, match=r"the query (has more than 100 brackets open|joins more than 1000|has <)"
    ):
        query(sample_graph(), asked)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("SELECT * { ?s <https://a.example/b_(c),d&e> ?o }", False),
        (r"SELECT * { ?s <https://a.example/b\u002C#c'd> ?o }", False),
        ("SELECT * { ?s ?p ?o FILTER(1<(2)&&3>2) }", True),
        ("SELECT * { ?s ?p ?o FILTER(1< (2)||3>2) }", True),
        (r"PREFIX e: <urn:> SELECT * { ?s e:a\(\' ?o }", False),
    ],
)
def test_angle_brackets_of_iris_and_comparisons_are_distinguished(
    asked: str, answered: bool
) -> None:
    assert bool(query(sample_graph(), asked).rows) is answered


def test_the_search_for_service_calls_handles_a_megabyte_of_colons() -> None:
    """A quadratic search took minutes here, so this test finishes only if the search is linear."""
    assert not calls_service("service " + "a:" * 500_000)
    assert calls_service("service " + "a:" * 500_000 + " {")
    assert not calls_service("service " + "#\r" * 500_000)


def test_a_long_query_that_lists_many_values_is_answered() -> None:
    listed = " ".join(f"ckgid:p-{n}.{n}-v1" for n in range(20_000))
    assert not query(
        sample_graph(), f"SELECT * {{ VALUES ?p {{ {listed} }} ?p ckg:uses ckgid:e-none }}"
    ).rows
    numbers = ", ".join(map(str, range(20_000)))
    assert query(sample_graph(), f"SELECT * {{ BIND(7 AS ?n) FILTER(?n IN ({numbers})) }}").rows
