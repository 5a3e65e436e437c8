"""`kg annotate` in Chromium: keyboard, killed server, hostile texts, unauthorized requests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from citekg.evaluation.annotations import annotated_papers
from tests.exports.page.browsing import FLAGS, chromium
from tests.kg.refused_requests import REFUSED, with_token

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")

MARKUP = '<img src=x onerror="document.title=1">'
BIRDS = (
    "Heron",
    "Egret",
    "Stork",
    "Crane",
    "Plover",
    "Snipe",
    "Curlew",
    "Godwit",
    "Dunlin",
    "Ruff",
)


def abstract(bird: str) -> str:
    return f"We present {bird}Net, a new method. {bird}Net is evaluated on MuJoCo and beats TD3. It likes wide {bird} ponds."


def write_papers(folder: Path) -> None:
    rows = [{"id": f"b{n}", "title": f"{bird} flights", "abstract": abstract(bird)} for n, bird in enumerate(BIRDS)]  # fmt: skip
    rows[3] |= {"title": MARKUP, "abstract": f"</script><script>document.title=2</script> {abstract('Crane')}"}  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "papers.jsonl").write_text(text, encoding="utf-8")


class Site:
    """A running `kg annotate` with its address and token."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.page = address
        self.address = address.partition("/?")[0]
        (self.token,) = parse_qs(urlsplit(address).query)["token"]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def post(self, json: object = None, **changed: Any) -> requests.Response:
        own = {"Authorization": f"Bearer {self.token}", "Origin": self.address}
        headers = {**own, **changed.pop("headers", {})}
        address = f"{self.address}/papers/{changed.pop('at', 0)}"
        return requests.post(address, json=json, headers=headers, timeout=60, **changed)


@contextmanager
def annotation_server(folder: Path, port: int = 0) -> Iterator[Site]:
    options = ["-o", "mine.jsonl", "--random", "--annotator", "Ada", "--port", str(port)]
    command = [sys.executable, "-m", "citekg", "annotate", "papers.jsonl", *options]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout
    site = Site(process, process.stdout.readline().split()[1])
    try:
        yield site
    finally:
        site.kill()
        process.stdout.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("annotated")
    write_papers(made)
    return made


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    with annotation_server(folder) as running:
        yield running


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = chromium()
    if executable is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


def press(tab: Page, *keys: str) -> None:
    for key in keys:
        tab.keyboard.press(key)


def wait_for_paper(tab: Page, number: int) -> None:
    tab.wait_for_selector(f"body[data-paper='{number}']")


def saved(folder: Path) -> list[Any]:
    """The saved papers, as `kg evaluate` reads them."""
    file = folder / "mine.jsonl"
    return [*annotated_papers(str(file))] if file.exists() else []


@pytest.mark.parametrize(("_who", "headers", "status"), REFUSED)
def test_requests_without_token_or_from_other_origins_neither_read_nor_save(
    site: Site, folder: Path, _who: str, headers: dict[str, str], status: int
) -> None:
    sent = with_token(headers, site.token)
    assert site.post({"entities": []}, headers=sent).status_code == status
    assert not (folder / "mine.jsonl").exists()
    if status == 403:
        bearer = {"Authorization": f"Bearer {site.token}"}
        for path in ("papers", "papers/0"):
            reply = requests.get(f"{site.address}/{path}", headers=bearer | sent, timeout=60)
            assert reply.status_code == 403


@pytest.mark.parametrize(
    ("at", "posted", "status"),
    [
        (99, {"entities": []}, 404),
        (0, {}, 409),
        (0, {"entities": [{"surfaces": ["absent words"], "type": "Method"}]}, 409),
        (0, [], 400),
    ],
)
def test_an_invalid_annotation_is_not_saved(
    site: Site, folder: Path, at: int, posted: object, status: int
) -> None:
    assert site.post(posted, at=at).status_code == status
    assert not (folder / "mine.jsonl").exists()


def test_the_page_allows_only_its_own_scripts_and_does_not_contain_the_token(site: Site) -> None:
    page = requests.get(f"{site.address}/", timeout=60)
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    assert site.token not in page.text
    assert requests.get(f"{site.address}/viewer/viewer.css", timeout=60).status_code == 404


def test_annotations_by_keyboard_survive_a_killed_server(chrome: Browser, tmp_path: Path) -> None:
    write_papers(tmp_path)
    messages: list[str] = []
    context = chrome.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    tab.set_default_timeout(20_000)
    tab.on("pageerror", lambda error: messages.append(str(error)))
    tab.on("console", lambda message: messages.append(message.text))
    with annotation_server(tmp_path) as site:
        tab.goto(site.page)
        wait_for_paper(tab, 0)
        press(tab, "Enter")
        assert "every proposal first" in tab.inner_text("#status")
        assert saved(tmp_path) == []
        for number in range(5):
            wait_for_paper(tab, number)
            press(tab, "Shift+A", "Enter")
        wait_for_paper(tab, 5)
        assert len(saved(tmp_path)) == 5
        press(tab, "Shift+A", "ArrowDown", "Digit4")
        shown = tab.inner_text("#names li [aria-current=true]")
        site.kill()
        assert messages == []
        press(tab, "Enter")
        tab.wait_for_selector("#problem:visible")
        assert "does not answer" in tab.inner_text("#problem")
        messages.clear()
    assert len(saved(tmp_path)) == 5
    with annotation_server(tmp_path, urlsplit(site.address).port or 0) as again:
        tab.goto(again.page)
        wait_for_paper(tab, 5)
        assert "restored" in tab.inner_text("#status")
        assert shown.splitlines()[1:2] == tab.inner_text("#names li >> nth=1").splitlines()[1:2]
        for number in range(5, 10):
            wait_for_paper(tab, number)
            press(tab, "Shift+A", "Enter")
        tab.wait_for_selector("#progress-text b:text-is('10 of 10')")
        assert "kg learn mine.jsonl" in tab.inner_text("#status")
    context.close()
    assert messages == []
    found = saved(tmp_path)
    assert {one.paper.id for one in found} == {f"b{n}" for n in range(10)}
    assert {one.annotator for one in found} == {"Ada"}
    assert "Dataset" in {entity.type for one in found for entity in one.gold}


@contextmanager
def first_page(chrome: Browser, site: Site) -> Iterator[Page]:
    """The page of the first paper, not yet saved; it must write nothing to the console."""
    context = chrome.new_context(viewport={"width": 1280, "height": 800})
    made = context.new_page()
    made.set_default_timeout(20_000)
    messages: list[str] = []
    made.on("pageerror", lambda error: messages.append(str(error)))
    made.on("console", lambda message: messages.append(message.text))
    made.goto(site.page)
    wait_for_paper(made, 0)
    yield made
    context.close()
    assert messages == []


@pytest.fixture
def tab(chrome: Browser, site: Site) -> Iterator[Page]:
    """The page of a server that tests share; they save nothing."""
    with first_page(chrome, site) as made:
        yield made


def rows(tab: Page) -> list[str]:
    """The names of the list, with their roles and states."""
    found = tab.locator("#names li button").all()
    return [f"{one.get_attribute('class')} {' '.join(one.inner_text().split())}" for one in found]


def names(tab: Page) -> list[str]:
    return tab.locator("#names li b").all_inner_texts()


def row(tab: Page, name: str) -> str:
    (found,) = [text for text in rows(tab) if name in text]
    return found


def test_names_are_added_edited_joined_split_typed_and_undone_by_keyboard(tab: Page) -> None:
    press(tab, "Shift+A")
    before = rows(tab)
    press(tab, "ArrowUp", "n", *["ArrowRight"] * 12, "ArrowLeft", "Shift+ArrowLeft", "Digit4")
    assert names(tab)[-1].endswith(" ponds")
    assert row(tab, "ponds").startswith("accepted")
    assert "no role" in row(tab, "ponds")
    press(tab, "Shift+Digit4", "Shift+Digit7", "o")
    assert "trains on, uses · optional" in row(tab, "ponds")
    press(tab, "e", "e", "Shift+ArrowRight", "Enter")
    assert names(tab)[-1] == "ponds"
    press(tab, "j", "ArrowDown", "j")
    assert len(rows(tab)) == len(before)
    assert any(name.startswith("ponds = ") for name in names(tab))
    press(tab, "s")
    assert len(rows(tab)) == len(before) + 1
    press(tab, *["u"] * 7)
    assert rows(tab) == before
    press(tab, "Shift+U")
    assert len(rows(tab)) == len(before) + 1


def test_words_selected_with_the_mouse_become_a_name(tab: Page) -> None:
    word = tab.locator("#text p [data-token]", has_text="ponds").bounding_box()
    assert word
    middle = word["y"] + word["height"] / 2
    tab.mouse.move(word["x"] + 2, middle)
    tab.mouse.down()
    tab.mouse.move(word["x"] + word["width"] - 2, middle, steps=4)
    tab.mouse.up()
    assert row(tab, "ponds").startswith("accepted")


def test_hostile_texts_are_shown_as_plain_text(tab: Page) -> None:
    for number in range(10):
        wait_for_paper(tab, number)
        if MARKUP in tab.inner_text("#text h1"):
            break
        press(tab, "f")
    assert tab.inner_text("#text h1") == MARKUP
    assert tab.inner_text("#text p").startswith("</script><script>document.title=2</script> We")
    assert tab.locator("#text img, #text script").count() == 0
    assert tab.title() == "Annotate · citekg"


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light"), (1920, "dark")])
def test_the_page_fits_its_window_in_both_themes(
    site: Site, chrome: Browser, width: int, scheme: Any
) -> None:
    context = chrome.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    tab = context.new_page()
    tab.goto(site.page)
    wait_for_paper(tab, 0)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.get_attribute("html", "data-theme") == scheme
    press(tab, "?")
    assert "Shift + A" in tab.inner_text("dialog")
    context.close()


def test_rejected_proposals_are_not_saved_and_a_saved_paper_can_be_changed(
    chrome: Browser, tmp_path: Path
) -> None:
    write_papers(tmp_path)
    with annotation_server(tmp_path) as site, first_page(chrome, site) as tab:
        rejected = tab.inner_text("#chosen h2")
        press(tab, "x", "Shift+A")
        assert row(tab, rejected).startswith("rejected")
        press(tab, "Enter")
        wait_for_paper(tab, 1)
        (one,) = saved(tmp_path)
        assert one.gold
        assert rejected not in {entity.name for entity in one.gold}
        press(tab, "b")
        wait_for_paper(tab, 0)
        assert "saved" in tab.inner_text("#progress-text").split(", ")[1]
        assert len(rows(tab)) == len(one.gold)
        press(tab, "x", "Enter")
        wait_for_paper(tab, 1)
        (again,) = saved(tmp_path)
        assert len(again.gold) == len(one.gold) - 1
