"""Missing fields of papers are completed from services, never from a different paper."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citekg.cli.exit_codes import FAILED, OK, SKIPPED, WRONG_LINE
from citekg.fetching import SERVICES, client
from citekg.fetching.agreement import matches_by_id, matches_by_title
from citekg.fetching.completion import LOOKUPS, Completed, complete
from citekg.fetching.service import title_phrases
from citekg.schemas.errors import FetchError, FormatError
from citekg.schemas.plugins import Problem
from citekg.schemas.records import Paper
from citekg.sources import read
from tests.kg.commands import run_cli
from tests.kg.fetching.faults import FAULTS, FakeClock
from tests.kg.services import Response, Services, abstract, serving, title

every_lookup = pytest.mark.parametrize("service", list(LOOKUPS))
#: Requests by ids and by titles, per service, for 120 papers.
BY_IDS = {"arxiv": 2, "openalex": 3, "semantic-scholar": 2}
LONG_TITLE = "Kites that learn to fly in changing winds"


@pytest.fixture
def services() -> Iterator[Services]:
    with serving() as running:
        yield running


@pytest.fixture(autouse=True)
def _on_loopback(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Redirect every service to the loopback server; remove API keys from the environment."""
    for name, service in SERVICES.items():
        monkeypatch.setitem(SERVICES, name, replace(service, base=services.address))
        if service.key:
            monkeypatch.delenv(service.key.variable, raising=False)


@pytest.fixture(autouse=True)
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """A clock whose sleep returns at once."""
    fake_clock = FakeClock()
    monkeypatch.setattr(client, "Clock", fake_clock.clock)
    return fake_clock


#: Completes papers: records or a text, the service, then options of `complete`.
Fill = Callable[..., Completed]


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Completes records or the text of a file."""

    def filled(
        given: list[dict[str, object]] | str, service: str | None = None, **options: Any
    ) -> Completed:
        text = given if isinstance(given, str) else "".join(json.dumps(one) + "\n" for one in given)
        (tmp_path / "given").write_text(text, encoding="utf-8")
        return complete(
            [str(tmp_path / "given")], tmp_path / "out.jsonl", service=service, **options
        )

    return filled


def written(folder: Path) -> list[dict[str, object]]:
    return [
        json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def paper_id(service: str, number: int) -> str:
    return f"2405.{number:05}" if service == "arxiv" else f"10.1000/kites.{number}"


# By id


@every_lookup
def test_papers_are_looked_up_by_id_in_batches(
    service: str, fill: Fill, services: Services, tmp_path: Path
) -> None:
    done = fill("".join(f"{paper_id(service, n)}\n" for n in range(120)), service)
    assert (done.papers, done.completed, done.incomplete) == (120, 120, ())
    assert len(services.requested) == done.requested == BY_IDS[service]
    problems: list[Problem] = []
    papers = read([str(tmp_path / "out.jsonl")], problems.append)
    assert not problems
    assert {(p.title, p.abstract, p.authors, p.date[:4]) for p in papers} == {
        (title(n), abstract(n), ("Ada Lark",), "2024") for n in range(120)
    }


@pytest.mark.parametrize(
    "spelling",
    [
        "2405.00007", "arXiv:2405.00007v2", "https://arxiv.org/pdf/2405.00007v1.pdf", "10.48550/arXiv.2405.00007",
        "10.1000/kites.7", "https://doi.org/10.1000/KITES.7", "doi:10.1000/kites.7", '"10.1000/kites.7",',
    ],
)  # fmt: skip
def test_ids_of_a_plain_list_are_read_in_any_spelling(
    spelling: str, fill: Fill, tmp_path: Path
) -> None:
    assert fill(f"# my list\n\n{spelling}\r\n").completed == 1
    assert written(tmp_path)[0]["title"] == title(7)


def test_by_default_arxiv_ids_are_sent_only_to_arxiv_and_dois_only_to_openalex(
    fill: Fill, services: Services
) -> None:
    assert fill("2405.00001\n10.1000/kites.2\n").completed == 2
    assert services.paths == ["/query", "/works"]


def test_an_old_arxiv_id_is_requested_without_its_subject_class(
    fill: Fill, services: Services
) -> None:
    fill("math.GT/0309136\n", "arxiv")
    assert services.requested[0]["id_list"] == "math/0309136"


def test_unknown_ids_are_reported_and_written(fill: Fill, tmp_path: Path) -> None:
    done = fill("10.1000/kites.9999\n2405.00001\n2405.99999\n")
    assert [(one.name, one.reason) for one in done.incomplete] == [
        ("10.1000/kites.9999", "nothing found"),
        ("2405.99999", "nothing found"),
    ]
    assert [str(one).rpartition("/")[2] for one in done.incomplete][1].startswith(
        "given:3: '2405.99999' lacks title, abstract"
    )
    assert [one["id"] for one in written(tmp_path)] == [
        "10.1000/kites.9999",
        "2405.00001",
        "2405.99999",
    ]


def test_an_id_that_a_service_rejects_does_not_affect_other_papers(
    fill: Fill, services: Services
) -> None:
    services.rejected = frozenset({"0612.0001"})
    done = fill("".join(f"2405.{n:05}\n" for n in range(20)) + "0612.0001\n", "arxiv")
    assert (done.completed, [one.name for one in done.incomplete]) == (20, ["0612.0001"])


def test_invalid_ids_are_not_sent_to_a_service(fill: Fill, services: Services) -> None:
    assert fill("2413.00001\n", "arxiv").requested == 0
    assert fill("10.1000/a,b|c\n", "openalex").requested == 0
    assert not services.requested


def test_ids_unknown_to_semantic_scholar_are_not_requested_one_by_one(
    fill: Fill, services: Services
) -> None:
    assert (
        len(
            fill(
                "".join(f"10.1000/none.{n}\n" for n in range(900, 910)), "semantic-scholar"
            ).incomplete
        )
        == 10
    )
    assert len(services.requested) == 1


def test_a_different_paper_found_by_id_is_reported_and_completes_nothing(
    fill: Fill, tmp_path: Path
) -> None:
    given = {"title": "A survey of gliders", "authors": ["Bo Wren"], "doi": "10.1000/kites.7"}
    done = fill([given])
    assert [one.reason for one in done.incomplete] == [
        f"its id is that of a different paper, {title(7)!r}"
    ]
    assert written(tmp_path) == [given]


def test_a_paper_that_was_renamed_is_found_by_its_id(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.changed = {7: {"title": LONG_TITLE}}
    assert fill([{"title": "Kites that learn to fly", "doi": "10.1000/kites.7"}]).completed == 1
    assert written(tmp_path)[0]["title"] == "Kites that learn to fly"


# By title


@every_lookup
def test_papers_are_looked_up_by_title_one_by_one(
    service: str, fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.changed = {
        7: {"title": LONG_TITLE},
        8: {"title": "Gliders & their owners' habits: a study"},
    }
    done = fill(
        [
            {"title": LONG_TITLE.upper() + "."},
            {"title": "Gliders and their"},
            {"title": services.changed[8]["title"]},
        ],
        service,
    )
    assert (done.completed, done.requested) == (2, 3)
    first, second, third = written(tmp_path)
    assert (first["title"], first["abstract"], first["authors"]) == (
        LONG_TITLE.upper() + ".",
        abstract(7),
        ["Ada Lark"],
    )
    assert second == {"title": "Gliders and their"}
    assert third["abstract"] == abstract(8)


def test_an_unmatched_title_is_reported_with_the_nearest_title(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.changed = {7: {"title": LONG_TITLE}}
    done = fill([{"title": "Kites that learn to fly in changing minds"}])
    assert [one.reason for one in done.incomplete] == [
        f"the nearest title is that of a different paper, {LONG_TITLE!r}"
    ]
    assert written(tmp_path) == [{"title": "Kites that learn to fly in changing minds"}]


@pytest.mark.parametrize(
    ("known", "there"),
    [
        ({"authors": ["Bo Wren"]}, LONG_TITLE),
        ({"date": "1998"}, LONG_TITLE),
        ({"arxiv_id": "2301.00001"}, LONG_TITLE),
        ({"authors": ["Ada Lark"]}, f"{LONG_TITLE} II"),
        ({}, LONG_TITLE.replace("winds", "minds")),
    ],
)
def test_a_paper_is_not_completed_from_a_different_paper_with_a_similar_title(
    known: dict[str, object], there: str, fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.changed = {7: {"title": there}}
    given = {"title": LONG_TITLE} | known
    assert fill([given]).completed == 0
    assert written(tmp_path) == [given]


def test_a_short_title_matches_only_with_its_author(fill: Fill, services: Services) -> None:
    services.changed = {7: {"title": "Deep kites"}}
    assert fill([{"title": "Deep kites"}]).completed == 0
    assert fill([{"title": "Deep kites", "authors": ["Lark, A."]}]).completed == 1


def test_a_title_of_several_papers_matches_only_with_an_author(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.changed = {7: {"title": LONG_TITLE}, 9: {"title": LONG_TITLE, "author": "Bo Wren"}}
    done = fill([{"title": LONG_TITLE}, {"title": LONG_TITLE, "authors": ["B. Wren"]}])
    assert [one.reason for one in done.incomplete] == [
        "several papers have this title: add its authors or its id"
    ]
    assert [one.get("abstract") for one in written(tmp_path)] == [None, abstract(9)]


def test_a_title_in_another_spelling_matches_with_the_same_author(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.changed = {7: {"title": f"{LONG_TITLE} of colour"}}
    assert fill([{"title": f"{LONG_TITLE} of color", "authors": ["Ada Lark"]}]).completed == 1
    assert written(tmp_path)[0]["abstract"] == abstract(7)


def test_records_match_by_title_author_year_and_number() -> None:
    def paper(title: str, author: str = "", date: str = "") -> Paper:
        return Paper("", title, "", date, (author,) if author else ())

    own = paper("Étude of GPT-4: kites, winds and gliders", "Lark, Ada", "2023")
    assert matches_by_title(
        own, paper("Etude of GPT-4 - Kites, Winds and Gliders", "A. Lark", "2024-05")
    )
    assert not matches_by_title(
        own, paper("Étude of GPT-3: kites, winds and gliders", "Ada Lark", "2023")
    )
    assert not matches_by_title(paper("", "Ada Lark"), paper("", "Ada Lark"))
    assert matches_by_id(paper(""), paper("Anything"))
    assert matches_by_id(paper("Kites", "Ada Lark"), paper("Kites: a study of wind", "A. Lark"))
    assert not matches_by_id(paper("Kites", "Bo Wren"), paper("Kites: a study of wind", "Ada Lark"))
    assert not matches_by_id(
        paper("Kites in the wind", "Ada Lark"), paper("Kites in the sea", "Bo Wren")
    )


def test_query_operators_are_removed_from_title_searches() -> None:
    assert title_phrases('Kites, "winds" | NOT: (what\'s new?)') == ("kites winds not", "new")
    assert title_phrases(" ?! ") == ()


# Existing values and records


@every_lookup
def test_existing_values_are_not_overwritten(service: str, fill: Fill, tmp_path: Path) -> None:
    given = {
        "id": "mine", "title": title(7).upper(), "abstract": "Mine.", "authors": ["Lark"], "venue": "My venue",
        "doi": "10.1000/kites.7", "arxiv_id": "2405.00007",
    }  # fmt: skip
    assert fill([given], service).completed == 1
    now = written(tmp_path)[0]
    assert {name: now[name] for name in given} == given
    assert str(now["date"]).startswith("2024")


def test_the_next_service_is_queried_for_an_abstract_that_the_first_one_lacks(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.bare = frozenset({7})
    assert fill("10.1000/kites.7\n").completed == 1
    assert services.paths == ["/works", "/query"]  # OpenAlex gave the arXiv id
    assert written(tmp_path)[0]["abstract"] == abstract(7)


def test_fields_that_no_service_has_are_reported(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.bare = frozenset({7})
    done = fill("10.1000/kites.7\n", "openalex")
    assert [(one.lacks, one.reason) for one in done.incomplete] == [
        (("abstract",), "the record that was found does not contain it")
    ]
    assert written(tmp_path)[0]["title"] == title(7)


def test_complete_records_are_written_without_a_request(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    given = {
        "title": "Kites",
        "abstract": "We fly.",
        "date": "2024",
        "authors": ["Ada Lark"],
        "doi": "10.1000/kites.7",
    }
    done = fill([given])
    assert (done.complete, done.completed, done.requested, services.requested) == (1, 0, 0, [])
    assert written(tmp_path) == [{"id": "10.1000/kites.7"} | given] or written(tmp_path) == [given]


def test_a_record_without_arxiv_id_doi_or_title_is_reported_and_written(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    done = fill([{"abstract": "We fly kites.", "id": "k1"}])
    assert done.incomplete[0].reason == "there is no arXiv id, DOI or title to look it up by"
    assert written(tmp_path) == [{"id": "k1", "abstract": "We fly kites."}]
    assert not services.requested


def test_a_repeated_id_is_requested_and_written_once(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    done = fill("2405.00001v1\narXiv:2405.00001\n10.1000/kites.2\n")
    assert (done.papers, done.repeated, done.completed) == (2, 1, 3)
    assert services.requested[0]["id_list"] == "2405.00001"
    assert len(written(tmp_path)) == 2


def test_different_records_with_the_same_id_are_both_written(fill: Fill, tmp_path: Path) -> None:
    done = fill(
        [{"doi": "10.1000/kites.7", "venue": "One"}, {"doi": "10.1000/kites.7", "venue": "Two"}]
    )
    assert (done.papers, done.repeated) == (2, 0)
    assert [(one["venue"], one["abstract"]) for one in written(tmp_path)] == [
        ("One", abstract(7)),
        ("Two", abstract(7)),
    ]


def test_files_of_all_reference_formats_are_completed(tmp_path: Path) -> None:
    pytest.importorskip("bibtexparser")
    pytest.importorskip("rispy")
    files = {
        "a.bib": "@article{a, title={TITLE}, author={Lark, Ada}}".replace(
            "TITLE", title(1).replace("&", "\\&")
        ),
        "b.ris": f"TY  - JOUR\nTI  - {title(2)}\nAU  - Lark, Ada\nER  - \n",
        "c.csv": f"title,abstract,authors\n{title(3)},,Ada Lark\n",
        "d.jsonl": json.dumps({"title": title(4), "authors": "Ada Lark"}) + "\n",
        "e.txt": "2405.00005\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = complete([str(tmp_path / name) for name in files], tmp_path / "out.jsonl")
    assert (done.completed, done.incomplete) == (5, ())
    assert [one["title"] for one in written(tmp_path)] == [title(n) for n in range(1, 6)]


def test_a_second_run_gives_the_same_bytes_and_refresh_repeats_all_requests(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    given = "2405.00001\n10.1000/kites.2\n10.1000/none.999\n"
    fill(given)
    before, asked = (tmp_path / "out.jsonl").read_bytes(), len(services.requested)
    again = fill(given)
    assert (tmp_path / "out.jsonl").read_bytes() == before
    assert again.cached >= 2
    services.requested.clear()
    assert fill(given, refresh=True).requested == asked == len(services.requested)


# Faults


@every_lookup
@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_request_is_repeated_after_a_temporary_fault(
    service: str, fault: str, fill: Fill, services: Services
) -> None:
    services.faults = [FAULTS[fault]]
    assert fill(f"{paper_id(service, 7)}\n", service).completed == 1
    assert len(services.requested) == 2


def test_requests_keep_the_interval_of_each_service(fill: Fill, fake_clock: FakeClock) -> None:
    fill("".join(f"2405.{n:05}\n" for n in range(120)), "arxiv")
    assert fake_clock.slept == [SERVICES["arxiv"].interval]


def test_a_failing_service_is_skipped_and_the_others_complete_the_papers(
    fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SERVICES, "arxiv", replace(SERVICES["arxiv"], base="http://127.0.0.1:9"))
    done = fill("2405.00001\n")
    assert done.completed == 1
    assert done.failed == {"arxiv": "gave up after 6 attempts: no connection (ConnectionError)"}


def test_nothing_is_written_if_all_services_fail_but_fetched_papers_are_cached(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    given = "".join(f"10.1000/kites.{n}\n" for n in range(120))
    services.faults = [None, *[Response(status=503)] * client.ATTEMPTS]
    with pytest.raises(
        FetchError,
        match=r"OpenAlex: gave up .* 503 .*the 50 papers fetched so far are kept: run the same command",
    ):
        fill(given, "openalex")
    assert not (tmp_path / "out.jsonl").exists()
    services.requested.clear()
    done = fill(given, "openalex")
    assert (done.completed, done.cached, len(services.requested)) == (120, 1, 2)
    services.forever = Response(status=503)
    with pytest.raises(FetchError, match=r"^arXiv, OpenAlex, Semantic Scholar: "):
        fill("2405.00200\n10.1000/kites.201\n")


def test_an_invalid_or_unrelated_response_completes_nothing(
    fill: Fill, services: Services, tmp_path: Path
) -> None:
    services.forever = Response(
        json.dumps({"meta": {"count": 1}, "results": [{"title": 7, "doi": ["x"]}]}).encode()
    )
    assert [one.reason for one in fill("10.1000/kites.7\n", "openalex").incomplete] == [
        "nothing found"
    ]
    services.forever = Response(
        json.dumps({"meta": {"count": 1}, "results": [services._work(8)]}).encode()
    )
    assert fill("10.1000/kites.9\n", "openalex").completed == 0
    assert written(tmp_path) == [{"id": "10.1000/kites.9", "doi": "10.1000/kites.9"}]


def test_a_service_without_lookup_of_single_papers_is_rejected_with_suitable_ones(
    fill: Fill,
) -> None:
    with pytest.raises(FormatError, match="choose one of arxiv, openalex, semantic-scholar"):
        fill("2405.00001\n", "hf-daily")


# The command


def test_the_command_completes_a_list_and_build_makes_a_graph_of_it(tmp_path: Path) -> None:
    listed, out = tmp_path / "my ids.txt", tmp_path / "papers.jsonl"
    listed.write_text("2405.00001\nnonsense here\n10.1000/kites.2\n10.1000/none.999\n")
    result = run_cli("fetch", "--complete", listed, "-o", out)
    assert result.exit_code == SKIPPED, result.output
    assert "3 papers: 2 completed, 0 already complete, 1 not completed (" in result.stdout
    assert f"skipped: {listed}:2: neither an arXiv id nor a DOI: 'nonsense here'" in result.stderr
    assert (
        f"not completed: {listed}:4: '10.1000/none.999' lacks title, abstract, date, authors: nothing found"
        in result.stderr
    )
    built = run_cli("build", out, "-o", tmp_path / "out", "-f", "json")
    assert "2 papers" in built.stdout
    listed.write_text("2405.00001\n10.1000/kites.2\n")
    assert run_cli("fetch", "--complete", listed, "-o", out).exit_code == OK


def test_build_rejects_a_list_of_ids_and_suggests_the_command_to_complete_it(
    tmp_path: Path,
) -> None:
    listed = tmp_path / "my ids.txt"
    listed.write_text("arXiv:2405.00001v2\n10.1000/kites.2\n")
    result = run_cli("build", listed, "-o", tmp_path / "out")
    assert result.exit_code == FAILED
    hint = f"kg fetch --complete {shlex.quote(str(listed))} -o papers.jsonl"
    assert hint in result.stderr
    command = shlex.split(hint.replace("papers.jsonl", shlex.quote(str(tmp_path / "p.jsonl"))))
    assert run_cli(*command[1:]).exit_code == OK


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arxiv", "all:kites", "--complete", "x.bib"], "leave out QUERY and -n"),
        (["--complete", "x.bib", "-n", "3"], "leave out QUERY and -n"),
        (
            ["hf-daily", "--complete", "x.bib"],
            "hf-daily cannot look up single papers: choose arxiv, openalex, semantic-scholar",
        ),
        (["--complete", "x.bib", "--base-url", "http://127.0.0.1:9"], "give the SERVICE"),
        (
            ["--complete", "papers.jsonl"],
            "papers.jsonl is the file to complete: choose another one with -o",
        ),
        ([], "give a SERVICE and a QUERY, or --complete with a FILE of papers"),
        (["arxiv"], "give a SERVICE and a QUERY"),
        (["arxiv", "all:kites", "--input-format", "csv"], "--input-format needs --complete"),
    ],
)
def test_contradictory_or_incomplete_options_are_rejected(
    arguments: list[str],
    message: str,
    services: Services,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_cli("fetch", *arguments, "-o", "papers.jsonl")
    assert result.exit_code == WRONG_LINE
    assert message in " ".join(result.stderr.split())
    assert not services.requested


@pytest.mark.parametrize("text", [None, "", "\n\n", "# nothing\n", "no format at all\n"])
def test_a_file_without_papers_is_rejected_without_a_request(
    text: str | None, services: Services, tmp_path: Path
) -> None:
    file = tmp_path / "given"
    if text is not None:
        file.write_text(text)
    result = run_cli("fetch", "--complete", file, "-o", tmp_path / "out.jsonl")
    assert result.exit_code == FAILED
    assert "no paper could be read, so nothing was written" in result.stderr
    assert not services.requested
    assert not (tmp_path / "out.jsonl").exists()


def test_a_failed_service_is_reported_by_a_warning_and_the_exit_code(
    services: Services, tmp_path: Path
) -> None:
    services.faults = [Response(b'{"error": "no such key"}', 403)]
    (tmp_path / "ids.txt").write_text("2405.00001\n")
    result = run_cli("fetch", "--complete", tmp_path / "ids.txt", "-o", tmp_path / "out.jsonl")
    assert result.exit_code == SKIPPED
    assert (
        "warning: arXiv did not answer all requests: 403 Forbidden: no such key; run the same command to resume"
        in result.stderr
    )
    assert "1 papers: 1 completed" in result.stdout
