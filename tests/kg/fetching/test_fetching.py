"""Fetching papers from each service: pages, caching, intervals, API keys and faults."""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import date, datetime, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

import citekg.fetching
from citekg.cli.main import main
from citekg.fetching import SERVICES, Fetched, client, fetch
from citekg.fetching.client import ATTEMPTS
from citekg.fetching.hugging_face import days
from citekg.fetching.service import RequestRejected
from citekg.schemas.errors import FetchError, FormatError, MissingPackage
from citekg.schemas.plugins import Problem
from citekg.sources import read
from tests.kg.fetching.faults import FAULTS, NOW, FakeClock
from tests.kg.services import Response, Services, serving, title

QUERIES = {
    "arxiv": "all:kites",
    "openalex": "kites",
    "semantic-scholar": "kites",
    "hf-daily": "2024-05-06",
}
#: Number of requests for 250 papers. On Hugging Face, only an empty page marks the end.
REQUESTS = {"arxiv": 3, "openalex": 4, "semantic-scholar": 3, "hf-daily": 4}

every_service = pytest.mark.parametrize("service", list(SERVICES))


@pytest.fixture
def services() -> Iterator[Services]:
    with serving() as running:
        yield running


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for service in SERVICES.values():
        if service.key:
            monkeypatch.delenv(service.key.variable, raising=False)


@pytest.fixture
def fake_clock() -> FakeClock:
    return FakeClock()


#: Fetches: service, query and name of the file, then options of `fetch`.
Get = Callable[..., Fetched]


@pytest.fixture
def get(services: Services, tmp_path: Path, fake_clock: FakeClock) -> Get:
    """Fetches from the server on loopback, without sleeping."""

    def fetched(service: str, query: str = "", name: str = "papers.txt", **options: Any) -> Fetched:
        return fetch(
            service,
            query or QUERIES[service],
            tmp_path / name,
            base=services.address,
            clock=fake_clock.clock(),
            **options,
        )

    return fetched


def fetched_titles(file: Path) -> list[str]:
    """Return the titles in a fetched file, read as by `kg build`; check that none is skipped."""
    problems: list[Problem] = []
    found = read([str(file)], problems.append)
    assert not problems
    assert all(
        re.fullmatch(r"We fly kite number \d+ with Proximal .* D4RL\.", paper.abstract)
        for paper in found
    )
    return sorted((paper.title for paper in found), key=lambda text: int(text.split()[2]))


def expected_titles(number: int) -> list[str]:
    return [title(n) for n in range(number)]


# Fetched papers


@every_service
def test_all_pages_are_requested_and_every_paper_is_readable(
    service: str, get: Get, services: Services, tmp_path: Path
) -> None:
    fetched = get(service)
    assert (fetched.papers, fetched.requested, fetched.cached) == (250, REQUESTS[service], 0)
    assert fetched_titles(tmp_path / "papers.txt") == expected_titles(250)
    assert (
        len(services.requested)
        == len({tuple(asked.items()) for asked in services.requested})
        == REQUESTS[service]
    )


@every_service
def test_the_limit_is_respected_without_requesting_unneeded_pages(
    service: str, get: Get, services: Services, tmp_path: Path
) -> None:
    assert get(service, limit=120).papers == 120
    assert fetched_titles(tmp_path / "papers.txt") == expected_titles(120)
    assert len(services.requested) == 2


@every_service
def test_a_second_run_sends_no_request_and_writes_the_same_bytes(
    service: str, get: Get, services: Services, tmp_path: Path
) -> None:
    get(service)
    before = (tmp_path / "papers.txt").read_bytes()
    services.requested.clear()
    fetched = get(service)
    assert (fetched.requested, fetched.cached, services.requested) == (0, REQUESTS[service], [])
    assert (tmp_path / "papers.txt").read_bytes() == before
    assert get(service, limit=7, name="few.txt").requested == 0
    assert fetched_titles(tmp_path / "few.txt") == expected_titles(7)


@every_service
def test_refresh_requests_the_pages_again_and_replaces_the_cache(
    service: str, get: Get, services: Services, tmp_path: Path
) -> None:
    get(service)
    services.requested.clear()
    services.matching = 30
    assert get(service, refresh=True).papers == 30
    assert fetched_titles(tmp_path / "papers.txt") == expected_titles(30)
    services.requested.clear()
    assert get(service).papers == 30
    assert not services.requested


@every_service
def test_a_query_without_matches_writes_and_caches_nothing(
    service: str, get: Get, services: Services, tmp_path: Path
) -> None:
    services.matching = 0
    with pytest.raises(FetchError, match="nothing matches, so nothing was written"):
        get(service)
    assert not list(tmp_path.rglob("*.txt")) + list(tmp_path.rglob("*.gz"))
    services.matching = 3
    assert get(service).papers == 3


def test_the_pages_of_arxiv_are_combined_into_one_feed(get: Get, tmp_path: Path) -> None:
    get("arxiv")
    feed = ET.parse(tmp_path / "papers.txt").getroot()
    assert len(feed.findall("{http://www.w3.org/2005/Atom}entry")) == 250


def test_papers_without_an_abstract_are_counted_and_left_out(
    get: Get, services: Services, tmp_path: Path
) -> None:
    services.bare = frozenset(range(10, 40))
    fetched = get("semantic-scholar", limit=90)
    assert (fetched.papers, fetched.left_out, fetched.requested) == (90, 30, 2)
    assert fetched_titles(tmp_path / "papers.txt") == [
        title(n) for n in range(120) if n not in services.bare
    ]


def test_openalex_requests_filter_for_abstracts_and_select_the_needed_fields(
    get: Get, services: Services
) -> None:
    get("openalex")
    assert {asked["filter"] for asked in services.requested} == {"has_abstract:true"}
    assert "abstract_inverted_index" in services.requested[0]["select"]


def test_the_days_of_a_range_are_requested_one_by_one(get: Get, services: Services) -> None:
    services.matching = 2
    assert get("hf-daily", "2024-05-03..2024-05-05").papers == 4  # there are none on the 4th
    assert [(asked["date"][-2:], asked["p"]) for asked in services.requested] == [
        ("03", "0"), ("03", "1"), ("04", "0"), ("05", "0"), ("05", "1"),
    ]  # fmt: skip
    services.requested.clear()
    get("hf-daily", "2024-05-02..2024-05-05", refresh=False, name="longer.txt")
    assert {asked["date"] for asked in services.requested} == {"2024-05-02"}


def test_pages_of_the_current_day_are_requested_again(get: Get, services: Services) -> None:
    services.matching = 2
    get("hf-daily", "2024-05-31..2024-06-03")
    assert [asked["date"] for asked in services.requested] == ["2024-05-31"] * 2 + [
        "2024-06-01"
    ] * 2
    services.requested.clear()
    get("hf-daily", "2024-05-31..2024-06-03")
    assert [asked["date"] for asked in services.requested] == ["2024-06-01"] * 2


@pytest.mark.parametrize("number", [100, 200])
def test_fetching_stops_if_a_service_returns_the_same_page_repeatedly(
    get: Get, services: Services, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    services.matching = number
    same = services.openalex({"cursor": "*", "per_page": "100"})
    monkeypatch.setattr(services, "openalex", lambda _asked: same)
    with pytest.raises(FetchError, match="the same page repeatedly"):
        get("openalex")
    day = services.hugging_face({"date": "2024-05-06", "p": "0"})
    monkeypatch.setattr(services, "hugging_face", lambda _asked: day)
    assert get("hf-daily").papers == 100


def test_months_and_ranges_are_expanded_to_days() -> None:
    today = date(2024, 6, 1)
    assert [
        len(days(query, today)) for query in ("2024-05-06", "2024-02", "2023-12..2024-01-02")
    ] == [1, 29, 33]
    assert days("2024-06", today) == (today,)


@pytest.mark.parametrize(
    "query", ["May", "2024", "2024-13", "2024-05-32", "2024-05-02..2024-05-01", "2024-07", "...."]
)
def test_an_invalid_date_range_is_rejected_without_a_request(
    query: str, get: Get, services: Services
) -> None:
    with pytest.raises(RequestRejected):
        days(query, date(2024, 6, 1))
    with pytest.raises(FetchError, match=r"^hf-daily: '"):
        get("hf-daily", query)
    assert not services.requested


# Intervals, user agent and API keys


@every_service
def test_requests_keep_the_interval_of_the_service(
    service: str, get: Get, fake_clock: FakeClock
) -> None:
    get(service)
    assert fake_clock.slept == [SERVICES[service].interval] * (REQUESTS[service] - 1)


def test_the_user_agent_contains_the_version_and_the_contact(get: Get, services: Services) -> None:
    get("arxiv", limit=1)
    assert re.fullmatch(r"citekg/\d[\w.]*", services.headers[0]["User-Agent"])
    get("arxiv", limit=1, contact="ada@lark.example", refresh=True)
    assert services.headers[1]["User-Agent"].endswith(" (mailto:ada@lark.example)")


@pytest.mark.parametrize(
    ("service", "variable"),
    [("semantic-scholar", "SEMANTIC_SCHOLAR_API_KEY"), ("openalex", "OPENALEX_API_KEY")],
)
def test_an_api_key_is_sent_but_not_reported_or_cached(
    service: str,
    variable: str,
    get: Get,
    services: Services,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable, "s3cret ")
    services.faults = [Response(b"bad key s3cret", 500)]
    reported: list[str] = []
    get(service, on_wait=lambda _seconds, why: reported.append(why))
    assert reported == ["500 Internal Server Error: bad key (the key)"]
    sent = services.headers if service == "semantic-scholar" else services.requested
    assert {one.get("x-api-key") or one.get("api_key") for one in sent} == {"s3cret"}
    services.forever = Response(b'{"error": "unknown key s3cret"}', 403)
    with pytest.raises(FetchError, match=r"403 Forbidden: unknown key \(the key\)") as caught:
        get(service, refresh=True)
    services.address = "http://127.0.0.1:9"
    with pytest.raises(FetchError, match=r"no connection \(ConnectionError\)") as unanswered:
        get(service)
    for error in (caught.value, unanswered.value):
        assert "s3cret" not in "".join(traceback.format_exception(error))
    kept = b"".join(gzip.decompress(file.read_bytes()) for file in tmp_path.rglob("*.gz"))
    assert b"s3cret" not in kept + "".join(map(str, tmp_path.rglob("*"))).encode()


@pytest.mark.parametrize("key", ["qx7cret", "qx7 c+ret/"])
def test_a_debug_log_does_not_contain_the_api_key(
    key: str,
    services: Services,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fake_clock: FakeClock,
) -> None:
    monkeypatch.setattr(client, "Clock", fake_clock.clock)
    monkeypatch.setenv("OPENALEX_API_KEY", key)
    options = ("-o", str(tmp_path / "x"), "--base-url", services.address)
    result = CliRunner().invoke(
        main, ["--debug", "--log-level", "debug", "fetch", "openalex", "kites", *options]
    )
    assert (result.exit_code, services.requested[0]["api_key"]) == (0, key)
    services.forever = Response(status=403)
    refused = CliRunner().invoke(
        main, ["--debug", "--log-level", "debug", "fetch", "openalex", "other kites", *options]
    )
    assert "Traceback" in refused.output
    for output in (result.output, refused.output):
        assert "page asked for" in output
        assert "urllib3" in output
        assert "qx7" not in output


def test_an_api_key_with_invalid_characters_is_rejected(
    get: Get, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", "two\nlines")
    with pytest.raises(FetchError, match="holds a character that cannot be sent"):
        get("openalex")
    assert not services.requested


def test_redirects_are_not_followed(get: Get, services: Services) -> None:
    services.forever = Response(
        status=302, headers={"Location": "http://other.example/works?api_key=x"}
    )
    with pytest.raises(
        FetchError, match=r"moved to http://other.example/works: give that URL with --base-url$"
    ):
        get("openalex")
    assert len(services.requested) == 1


# Temporary faults


@every_service
@pytest.mark.parametrize("fault", list(FAULTS))
def test_requests_are_repeated_after_temporary_faults(
    service: str, fault: str, get: Get, services: Services, fake_clock: FakeClock, tmp_path: Path
) -> None:
    services.faults = [None, FAULTS[fault], FAULTS[fault]]
    reported: list[str] = []
    fetched = get(service, on_wait=lambda seconds, why: reported.append(f"{seconds:.1f} {why}"))
    assert (fetched.papers, len(services.requested), len(reported)) == (
        250,
        REQUESTS[service] + 2,
        2,
    )
    assert fake_clock.time - NOW < 15 * len(services.requested)
    (tmp_path / "without faults").mkdir()
    assert get(service, name="without faults/papers.txt").cached == 0
    without_faults = (tmp_path / "without faults" / "papers.txt").read_bytes()
    assert (tmp_path / "papers.txt").read_bytes() == without_faults


def test_retry_after_in_seconds_or_as_a_date_determines_the_wait(
    get: Get, services: Services, fake_clock: FakeClock
) -> None:
    later = format_datetime(datetime.fromtimestamp(NOW + 47, timezone.utc), usegmt=True)
    services.faults = [
        Response(status=429, headers={"Retry-After": "31"}),
        Response(status=503, headers={"Retry-After": later}),
    ]
    get("arxiv", limit=5)
    assert fake_clock.slept == [31, 16]


def test_without_a_valid_retry_after_waits_grow_exponentially_with_random_jitter(
    get: Get, services: Services, fake_clock: FakeClock
) -> None:
    services.forever = Response(status=503, headers={"Retry-After": "soon"})
    for _ in range(2):
        with pytest.raises(FetchError):
            get("hf-daily")
    waits = [seconds for seconds in fake_clock.slept if seconds >= 2]
    assert len(waits) == 2 * (ATTEMPTS - 1)
    assert all(2**n <= wait <= 2**n + 2 for n, wait in enumerate(waits[: ATTEMPTS - 1], start=1))
    assert waits[: ATTEMPTS - 1] != waits[ATTEMPTS - 1 :]


def test_an_unexpected_empty_page_of_arxiv_is_requested_again(
    get: Get, services: Services, tmp_path: Path
) -> None:
    services.matching = 0
    empty = services.arxiv({"start": "100", "max_results": "100", "search_query": "x"}).body
    services.matching = 250
    services.faults = [
        None,
        Response(empty.replace(b"Results>0<", b"Results>250<"), kind="application/atom+xml"),
    ]
    assert get("arxiv").papers == 250
    assert fetched_titles(tmp_path / "papers.txt") == expected_titles(250)


def test_xml_with_entity_declarations_is_rejected(get: Get, services: Services) -> None:
    services.forever = Response(
        b'<!DOCTYPE feed [<!ENTITY x "y">]><feed xmlns="http://www.w3.org/2005/Atom">&x;</feed>'
    )
    with pytest.raises(FetchError, match="the response is not an Atom feed"):
        get("arxiv")


# Permanent faults


@every_service
def test_fetched_pages_are_cached_if_a_service_fails_permanently(
    service: str, get: Get, services: Services, tmp_path: Path
) -> None:
    (tmp_path / "papers.txt").write_text("from before", encoding="utf-8")
    services.faults = [None, *[Response(status=503)] * ATTEMPTS]
    hint = (
        r"the 100 papers fetched so far are kept: run the same command to continue, "
        r"or add --refresh to start over$"
    )
    with pytest.raises(
        FetchError, match=rf"gave up after {ATTEMPTS} attempts: 503 Service Unavailable.*; {hint}"
    ):
        get(service)
    assert (tmp_path / "papers.txt").read_text(encoding="utf-8") == "from before"
    assert [file.name for file in tmp_path.iterdir() if file.name != ".fetched"] == ["papers.txt"]
    services.requested.clear()
    fetched = get(service)
    assert (fetched.papers, fetched.cached, len(services.requested)) == (
        250,
        1,
        REQUESTS[service] - 1,
    )
    assert fetched_titles(tmp_path / "papers.txt") == expected_titles(250)


def test_a_retry_after_of_hours_ends_fetching_at_once(
    get: Get, services: Services, fake_clock: FakeClock
) -> None:
    services.forever = Response(b'{"message": "budget spent"}', 429, {"Retry-After": "7200"})
    with pytest.raises(
        FetchError,
        match=r"429 .*: budget spent; the service asks to wait 120 minutes: try again then; a key",
    ):
        get("openalex")
    assert (len(services.requested), fake_clock.slept) == (1, [])


def test_a_rejected_request_is_reported_with_the_message_of_the_service(
    get: Get, services: Services
) -> None:
    with pytest.raises(
        FetchError, match=r"search_query=%28%28.*: 400 Bad Request: .*the brackets do not match"
    ):
        get("arxiv", "((")
    services.forever = Response(b'{"error": "Invalid query", "message": "no such field"}', 400)
    with pytest.raises(FetchError, match=r"400 Bad Request: no such field$"):
        get("openalex")
    assert len(services.requested) == 2


def test_an_arxiv_error_with_status_200_is_reported(get: Get, services: Services) -> None:
    services.forever = Response(
        services.arxiv({"start": "0", "max_results": "1", "search_query": "(("}).body
    )
    with pytest.raises(FetchError, match="the brackets do not match"):
        get("arxiv")


def test_a_response_that_exceeds_the_size_limit_is_rejected(
    get: Get, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MAX_BYTES", 1024**2)
    packed = gzip.compress(b" " * 20 * 1024**2)
    services.forever = Response(packed, headers={"Content-Encoding": "gzip"})
    with pytest.raises(FetchError, match="the response is larger than 1 MB"):
        get("openalex")


def test_a_service_that_does_not_respond_is_abandoned_after_a_timeout(
    get: Get, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "TIMEOUT", 0.05)
    monkeypatch.setattr(client, "ATTEMPTS", 2)
    services.held = threading.Event()
    with pytest.raises(FetchError, match=r"gave up after 2 attempts: no response in 0.05 seconds"):
        get("openalex")


@pytest.mark.parametrize("base", ["api.example.org", "ftp://api.example.org", "http://"])
def test_an_invalid_base_url_is_reported_without_a_wait(
    base: str, tmp_path: Path, fake_clock: FakeClock
) -> None:
    with pytest.raises(FetchError, match="begins with http:// or https://"):
        fetch("arxiv", "all:kites", tmp_path / "x", base=base, clock=fake_clock.clock())
    assert not fake_clock.slept


def test_a_damaged_page_in_the_cache_is_requested_again(
    get: Get, services: Services, tmp_path: Path
) -> None:
    get("openalex")
    services.requested.clear()
    damaged, emptied, *_ = sorted((tmp_path / ".fetched").iterdir())
    damaged.write_bytes(damaged.read_bytes()[:-20])
    emptied.write_bytes(gzip.compress(b"{"))
    assert get("openalex").papers == 250
    assert len(services.requested) == 2


def test_services_with_different_base_urls_do_not_share_cached_pages(
    get: Get, tmp_path: Path
) -> None:
    get("openalex")
    with serving() as other:
        other.matching = 5
        assert fetch("openalex", "kites", tmp_path / "other.txt", base=other.address).papers == 5


def test_an_unknown_service_is_rejected_with_the_known_services(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match="choose one of arxiv, hf-daily, openalex, semantic-scholar"
    ):
        fetch("scholar", "kites", tmp_path / "x")


def test_a_missing_package_is_reported_with_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "citekg.fetching.client", raising=False)
    monkeypatch.setitem(sys.modules, "requests", None)
    with pytest.raises(
        MissingPackage, match=r"fetching needs requests: pip install 'citekg\[fetch\]'"
    ):
        fetch("arxiv", "kites", tmp_path / "x")


# The command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["fetch", *arguments])


def test_the_command_fetches_and_build_makes_a_graph_of_the_folder(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_clock: FakeClock
) -> None:
    monkeypatch.setattr(client, "Clock", fake_clock.clock)
    services.matching = 2
    services.bare = frozenset({1})
    services.faults = [Response(status=429, headers={"Retry-After": "1"})]
    for service, query in QUERIES.items():
        file = tmp_path / "papers" / f"{service}.txt"
        result = run(
            service,
            query,
            "-o",
            str(file),
            "--base-url",
            services.address,
            "--mailto",
            "a@b.example",
        )
        assert result.exit_code == 0, result.output
    assert (
        "1 papers of 2 that match, 1 without an abstract omitted (1 pages requested"
        in run(
            "semantic-scholar", "kites", "-o", str(tmp_path / "x"), "--base-url", services.address
        ).output
    )
    built = CliRunner().invoke(
        main, ["build", str(tmp_path / "papers"), "-o", str(tmp_path / "out"), "-f", "nt"]
    )
    assert (built.exit_code, built.stderr) == (0, "")
    papers_there = {paper.title for paper in citekg.load(tmp_path / "out" / "graph.nt").papers}
    assert papers_there == {title(0), title(1)}


def test_the_command_reports_a_failure_in_one_line(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_clock: FakeClock
) -> None:
    monkeypatch.setattr(client, "Clock", fake_clock.clock)
    services.forever = Response(status=503)
    result = run(
        "openalex", "kites", "-o", str(tmp_path / "x.jsonl"), "--base-url", services.address
    )
    assert result.exit_code == 1
    assert result.stderr.count("waiting ") == ATTEMPTS - 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"Error: {services.address}/works?search=kites&")
    assert last.endswith("503 Service Unavailable; a key in OPENALEX_API_KEY may help")


def test_a_killed_run_resumes_from_the_cached_pages(services: Services, tmp_path: Path) -> None:
    services.held, services.free = threading.Event(), 2
    file = tmp_path / "papers.jsonl"
    asked = ["semantic-scholar", "kites", "-o", str(file), "--base-url", services.address]
    quick = (
        "import sys, time; time.sleep = lambda s: None; from citekg.cli.main import main; main()"
    )
    process = subprocess.Popen([sys.executable, "-c", quick, "fetch", *asked])
    end = time.monotonic() + 60
    while len(services.requested) < 3 and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not file.exists()
    services.held.set()
    services.held = None
    services.requested.clear()
    done = subprocess.run(
        [sys.executable, "-c", quick, "fetch", *asked], capture_output=True, text=True, check=True
    )
    assert "250 papers of 250 that match (1 pages requested, 2 from the cache)" in done.stdout
    assert [asked.get("token") for asked in services.requested] == ["T200"]
    assert fetched_titles(file) == expected_titles(250)


def test_the_documentation_lists_every_service_with_its_interval_and_key() -> None:
    reported = (Path(__file__).parents[3] / "docs" / "fetching.md").read_text(encoding="utf-8")
    for name, service in SERVICES.items():
        row = next(line for line in reported.splitlines() if line.startswith(f"| `{name}` |"))
        assert f"| {service.interval:g} s |" in row
        assert (f"`{service.key.variable}`" if service.key else "| none |") in row
        assert service.about in row
    assert citekg.fetching.CACHE_FOLDER in reported
