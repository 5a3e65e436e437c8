"""`kg serve --edit`: corrections and rebuilding of the graph, only for the page with the token."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

import citekg
from citekg.curation.decisions import Ban, SetType, append, read_decisions
from tests.exports.page.browsing import FLAGS, chromium
from tests.kg.commands import run_cli
from tests.kg.corrected_papers import build, write_papers
from tests.kg.refused_requests import REFUSED, with_token

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")

SET_DATASET = {"kind": "type", "name": "NestBench", "type": "Dataset"}


class Site:
    """A running `kg serve --edit` with its folder, address and token."""

    def __init__(self, folder: Path, viewer: str) -> None:
        self.folder = folder
        self.viewer = viewer
        self.address = viewer.partition("/?")[0]
        (self.token,) = parse_qs(urlsplit(viewer).query)["token"]
        self.decisions = folder / "decisions.yaml"

    def post(self, json: object = None, **changed: Any) -> requests.Response:
        """Send a correction as the page does; `changed` are other headers or a body."""
        own = {"Authorization": f"Bearer {self.token}", "Origin": self.address}
        headers = {**own, **changed.pop("headers", {})}
        return requests.post(
            f"{self.address}/corrections", json=json, headers=headers, timeout=120, **changed
        )

    def type_of(self, name: str) -> str:
        graph = citekg.load(self.folder / "out" / "graph.ttl")
        return next(e.type for e in graph.entities if e.name == name)


@contextmanager
def serve_with_edit(folder: Path) -> Iterator[Site]:
    options = ["--edit", "--input", "papers.jsonl", "--author", "Ada", "--port", "0"]
    command = [sys.executable, "-m", "citekg", "serve", "out/graph.ttl", *options]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout
    try:
        yield Site(folder, process.stdout.readline().split()[1])
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("edited")
    build(made, "-f", "ttl")
    return made


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    with serve_with_edit(folder) as running:
        yield running


@pytest.mark.parametrize(("_who", "headers", "status"), REFUSED)
def test_unauthorised_and_cross_origin_requests_are_rejected_and_change_nothing(
    site: Site, _who: str, headers: dict[str, str], status: int
) -> None:
    sent = with_token(headers, site.token)
    assert site.post({"add": [SET_DATASET]}, headers=sent).status_code == status
    assert not site.decisions.exists()
    if status == 403:
        bearer = {"Authorization": f"Bearer {site.token}"}
        listed = requests.get(f"{site.address}/corrections", headers=bearer | sent, timeout=60)
        assert listed.status_code == 403
    assert requests.put(f"{site.address}/corrections", timeout=60).status_code == 405


INVALID_CHANGES: list[tuple[object, str]] = [
    ({}, "expected decisions"),
    ({"add": []}, "expected decisions"),
    ({"add": ["ban"]}, "expected decisions"),
    ({"add": [SET_DATASET], "remove": SET_DATASET}, "expected decisions"),
    ({"add": [{"kind": "ban"}]}, "missing name"),
    ({"add": [SET_DATASET | {"author": "Mallory"}]}, "unknown field author"),
    ({"add": [SET_DATASET | {"type": "Thing"}]}, "none of Method"),
    ({"add": [SET_DATASET, SET_DATASET | {"type": "Model"}]}, "different types"),
    ({"add": [SET_DATASET, {"kind": "ban", "name": "Kelp"}]}, "Kelp is not in the graph"),
    ({"remove": SET_DATASET | {"author": "Ada", "date": "2026-01-31"}}, ""),
]


@pytest.mark.parametrize(("change", "why"), INVALID_CHANGES)
def test_a_decision_that_is_invalid_or_has_no_effect_changes_nothing(
    site: Site, change: object, why: str
) -> None:
    before = (site.folder / "out" / "graph.ttl").read_bytes()
    reply = site.post(change)
    assert (reply.status_code, why in reply.text) == (409, True), reply.text
    assert not site.decisions.exists()
    assert (site.folder / "out" / "graph.ttl").read_bytes() == before


@pytest.mark.parametrize("body", [b"", b"[", b"[]", b"\xff", b"[" * 100_000])
def test_a_body_that_is_not_a_json_object_or_is_too_large_is_rejected(
    site: Site, body: bytes
) -> None:
    reply = site.post(data=body, headers={"Content-Type": "application/json"})
    assert (reply.status_code, site.decisions.exists()) == (400, False)
    large = site.post(data=b" " * 600_000, headers={"Content-Type": "application/json"})
    assert large.status_code == 413


def test_a_correction_is_written_applied_to_the_graph_and_removed_again(
    site: Site,
) -> None:
    kept = Ban(name="Kelp", author="Bo", date="2026-01-31", reason="an older entry without effect")
    append(site.decisions, [kept])
    query = "SELECT ?n { ?e a ckg:Dataset ; skos:prefLabel ?n }"
    asked = {"params": {"query": query}, "headers": {"Accept": "text/csv"}, "timeout": 120}
    assert requests.get(f"{site.address}/sparql", **asked).text.split() == ["n"]  # type: ignore[arg-type]
    assert site.post({"add": [SET_DATASET | {"reason": "table 2"}]}).status_code == 200
    first, entry = read_decisions(site.decisions).entries
    assert first == kept
    assert isinstance(entry, SetType)
    assert (entry.author, entry.reason) == ("Ada", "table 2")
    assert site.type_of("NestBench") == "Dataset"
    assert requests.get(f"{site.address}/sparql", **asked).text.split() == ["n", "NestBench"]  # type: ignore[arg-type]
    listed = requests.get(
        f"{site.address}/corrections",
        headers={"Authorization": f"Bearer {site.token}"},
        timeout=60,
    ).json()
    assert [e["kind"] for e in listed["entries"]] == ["ban", "type"]
    assert site.post({"remove": listed["entries"][1]}).status_code == 200
    assert site.type_of("NestBench") == "Benchmark"
    assert read_decisions(site.decisions).entries == (kept,)
    site.decisions.unlink()


def test_the_page_may_connect_to_its_server_and_does_not_contain_the_token(site: Site) -> None:
    page = requests.get(f"{site.address}/", timeout=120).text
    assert "connect-src 'self'" in page.partition("<title>")[0]
    assert site.token not in page


def test_the_page_writes_and_removes_a_correction_and_shows_the_rebuilt_graph(site: Site) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = chromium()
    if executable is None:
        pytest.skip("no Chromium on this machine")
    messages: list[str] = []

    def log(message: ConsoleMessage) -> None:
        messages.append(message.text)

    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=FLAGS)
        tab = browser.new_page()
        tab.set_default_timeout(120_000)
        tab.on("console", log)
        tab.goto(f"{site.viewer}#at=e-nestbench")
        tab.click("#panel .wrong button")
        tab.select_option("dialog select[aria-label='The right type']", "Dataset")
        tab.click("text=Write and rebuild")
        tab.wait_for_selector("#panel .kind:has-text('Dataset')")
        assert site.type_of("NestBench") == "Dataset"
        tab.click("[data-control=corrections]")
        tab.click("dialog li >> text=Remove")
        tab.wait_for_selector("#panel .kind:has-text('Benchmark')")
        tab.goto(f"{site.address}/#at=e-nestbench")
        tab.wait_for_selector("[data-ready]")
        assert not tab.is_visible("[data-control=corrections]")
        browser.close()
    assert messages == []
    assert read_decisions(site.decisions).entries == ()


USAGE = [
    (["--edit"], "--edit needs the inputs of the build"),
    (["--edit", "--input", "papers.jsonl", "--host", "0.0.0.0"], "only works on this machine"),
    (["--edit", "--input", "papers.jsonl", "--origin", "*"], "does not allow --origin"),
    (["--input", "papers.jsonl"], "need --edit"),
    (["--author", "Ada"], "need --edit"),
]


@pytest.mark.parametrize(("options", "why"), USAGE)
def test_options_that_are_unsafe_or_have_no_effect_are_refused(
    folder: Path, options: list[str], why: str
) -> None:
    result = run_cli("serve", folder / "out" / "graph.ttl", *options)
    assert (result.exit_code, why in result.output) == (2, True), result.output


def test_a_graph_of_other_papers_cannot_be_edited(folder: Path, tmp_path: Path) -> None:
    file = write_papers(tmp_path)
    file.write_text(file.read_text("utf-8").partition("\n")[0], "utf-8")
    options = ["--edit", "--input", str(file)]
    result = run_cli("serve", folder / "out" / "graph.ttl", *options)
    assert result.exit_code == 1
    assert "built from other papers" in result.output
