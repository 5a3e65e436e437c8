"""Topics on the page: the list moves the camera and filters, the drawing has their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from citekg.exports import write
from citekg.exports.page.page_data import topic_columns
from tests.exports.page.browsing import Reader
from tests.naming import graph_of_names
from tests.sample import sample_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BIRDS, FISH = ("Kite", "Heron", "Egret"), ("Trout", "Perch", "Roach")
#: Papers of two topics, each with a name that no other paper has, and a paper without a topic.
PAPERS = (
    *(f"{' '.join(BIRDS[n % 3 :])} {BIRDS[n % 2]}{n}" for n in range(8)),
    *(f"{' '.join(FISH[n % 2 :])} {FISH[n % 3]}{n}" for n in range(9)),
    "Moth",
)


@pytest.fixture(scope="module")
def reader(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    path = tmp_path_factory.mktemp("topics") / "graph.html"
    write(graph_of_names(PAPERS), path, "html")
    tab = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    yield Reader(tab).open(path)
    tab.close()


def rows(reader: Reader) -> list[list[str]]:
    """Return the names and the number of papers of each topic in the list."""
    found = reader.tab.locator("[data-group=topics] .topic").all()
    return [
        [row.locator(".name").inner_text(), row.locator(".count").inner_text()] for row in found
    ]


def test_the_list_shows_each_topic_with_its_number_of_papers(reader: Reader) -> None:
    names = [[{*name.split(" · ")}, count] for name, count in rows(reader)]
    assert names == [[{*FISH}, "9"], [{*BIRDS}, "8"]]


def test_a_topic_filter_can_be_set_and_removed(reader: Reader) -> None:
    reader.tab.click(".topic:has-text('Heron') .only")
    assert reader.state()["topic"].split("_")[0] in {name.casefold() for name in BIRDS}
    assert reader.text("#status").startswith("8 papers, ")
    assert "Topic:" in reader.text("#chips")
    assert [count for _, count in rows(reader)] == ["9", "8"]
    reader.tab.click("#chips .close")
    assert "topic" not in reader.state()
    assert reader.text("#status").startswith("18 papers, ")


def wait_for_camera_in_address(reader: Reader) -> None:
    """Wait until the page has written the camera to the address: 250 ms after its last frame."""
    wait = "setTimeout(() => requestAnimationFrame(() => setTimeout(done, 400)), 400)"
    reader.tab.evaluate(f"new Promise(done => {wait})")


def test_a_click_on_a_topic_name_moves_the_camera(reader: Reader) -> None:
    wait_for_camera_in_address(reader)  # the address may still have the camera of the previous test
    before = reader.tab.evaluate("location.hash")
    reader.tab.click(".topic:has-text('Heron') .name")
    reader.wait_until(f"location.hash !== {before!r} && location.hash.includes('camera')")
    assert "topic=" not in reader.tab.url
    reader.tab.click("#zoom button:last-child")
    wait_for_camera_in_address(reader)


def test_the_drawing_shows_the_first_name_of_each_topic(reader: Reader) -> None:
    svg = reader.saved("SVG").decode()
    large = [part for part in svg.splitlines() if 'font-weight="700"' in part]
    assert {part.rpartition("</text>")[0].rpartition(">")[2] for part in large} == {
        name.split(" · ")[0] for name, _ in rows(reader)
    }


def test_the_topic_columns_assign_entities_and_papers_to_topics() -> None:
    graph = sample_graph()
    topics = topic_columns(graph)["topics"]
    assert len(topics["of"]) == len(graph.entities) + len(graph.papers)
    (topic,) = graph.topics
    assert [graph.entities[at].id for at in topics["names"][0]] == [*topic.entities[:3]]
    inside = [e.id for e, at in zip(graph.entities, topics["of"], strict=False) if at == 0]
    assert inside == sorted(topic.entities)
