"""The search, and the "only" buttons of the legend, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.exports.page.browsing import Reader
from tests.sample import certain_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GRAPH = certain_graph()


@pytest.fixture(scope="module")
def page(browser: Browser, sample: Path) -> Iterator[Reader]:
    """The page of the sample graph, opened once."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    reader = Reader(context.new_page())
    yield reader.open(sample)
    context.close()
    assert reader.messages == []


def hits(page: Reader, words: str) -> list[str]:
    """Return the search results of words, each with its name and the field that matches."""
    page.tab.fill("#search", words)
    page.wait_until("!document.querySelector('#completions').innerText.includes('Searching')")
    page.tab.wait_for_timeout(100)
    shown = page.tab.locator("#completions li .name").all_inner_texts()
    return [re.sub(r"\s+", " ", text) for text in shown]


@pytest.mark.parametrize(
    ("words", "name", "kind"),
    [
        ("optimization policy proximal", "PPO", "alias: Proximal Policy Optimization"),
        ("feathers million", "FeatherSet: one million feathers.", "title"),
        ("ångström", "Quill", "author: Zoë Ångström"),
        ("angstrom quill 2024", "Quill", "author: Zoë Ångström"),
        ("arXiv:2401.00001v2", "Quill", "arXiv: 2401.00001"),
        ("angstrom2024quill", "Quill", "citation key: angstrom2024quill"),
        ("nestbnech", "NestBench", "name, similar spelling"),
    ],
)
def test_a_search_result_shows_the_matching_field(
    page: Reader, words: str, name: str, kind: str
) -> None:
    first = hits(page, words)[0]
    assert first.startswith(name)
    assert first.endswith(kind)


def test_search_finds_words_of_abstracts_and_highlights_them(page: Reader) -> None:
    found = next(hit for hit in hits(page, "work related") if "abstract" in hit)
    assert found.startswith("FeatherSet")
    assert page.tab.locator("#completions mark").inner_text() == "Related"


def test_enter_opens_the_first_result_even_if_only_its_abstract_matches(
    page: Reader, sample: Path
) -> None:
    page.open(sample)
    page.find("work related")
    page.wait_until("!document.querySelector('#panel').hidden")
    assert page.text("#panel h2") == "FeatherSet: one million feathers."


def test_the_only_button_switches_the_other_rows_of_its_group_off_and_on(
    page: Reader, sample: Path
) -> None:
    page.open(sample)
    row = page.tab.locator(".row:has([data-filter=Benchmark])")
    row.hover()
    row.locator(".only").click()
    assert page.state()["off"] == "Dataset Method Model"
    assert page.tab.is_checked("[data-filter=Paper]")
    benchmarks = sum(entity.type == "Benchmark" for entity in GRAPH.entities)
    assert f"{benchmarks} entities" in page.text("#status")
    page.tab.get_by_role("button", name="Only introduces", exact=True).focus()
    page.tab.keyboard.press("Enter")
    assert page.tab.is_checked("[data-filter=introduces]")
    assert not page.tab.is_checked("[data-filter=uses]")
    page.tab.keyboard.press("Enter")
    row.hover()
    page.tab.get_by_role("button", name="All, not only Benchmarks").click()
    assert "off" not in page.state()
