"""Topics on the page: the list is a way in and a filter, and the drawing has their names."""

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
#: Eight papers of each topic, each with one name of its own; the last paper names nothing else.
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


def test_the_list_has_the_topics_with_their_papers(reader: Reader) -> None:
    names = [[{*name.split(" · ")}, count] for name, count in rows(reader)]
    assert names == [[{*FISH}, "9"], [{*BIRDS}, "8"]]


def test_a_topic_can_be_isolated_and_shown_with_the_others_again(reader: Reader) -> None:
    reader.tab.click(".topic:has-text('Heron') .only")
    assert reader.state()["topic"].split("_")[0] in {name.casefold() for name in BIRDS}
    assert reader.text("#status").startswith("8 papers, ")
    assert "Topic:" in reader.text("#chips")
    assert [count for _, count in rows(reader)] == ["9", "8"]
    reader.tab.click("#chips .close")
    assert "topic" not in reader.state()
    assert reader.text("#status").startswith("18 papers, ")


def camera_rested(reader: Reader) -> None:
    """Wait until the page has written the camera to the address: 250 ms after its last frame."""
    wait = "setTimeout(() => requestAnimationFrame(() => setTimeout(done, 400)), 400)"
    reader.tab.evaluate(f"new Promise(done => {wait})")


def test_the_name_of_a_topic_moves_the_drawing_to_it(reader: Reader) -> None:
    camera_rested(reader)  # the address may still have the camera of the test before
    before = reader.tab.evaluate("location.hash")
    reader.tab.click(".topic:has-text('Heron') .name")
    reader.wait_until(f"location.hash !== {before!r} && location.hash.includes('camera')")
    assert "topic=" not in reader.tab.url
    reader.tab.click("#zoom button:last-child")
    camera_rested(reader)


def test_the_drawing_has_the_names_of_the_topics(reader: Reader) -> None:
    svg = reader.saved("SVG").decode()
    large = [part for part in svg.splitlines() if 'font-weight="700"' in part]
    assert {part.rpartition("</text>")[0].rpartition(">")[2] for part in large} == {
        name.split(" · ")[0] for name, _ in rows(reader)
    }


def test_the_columns_have_a_topic_for_each_entity_and_paper() -> None:
    graph = sample_graph()
    topics = topic_columns(graph)["topics"]
    assert len(topics["of"]) == len(graph.entities) + len(graph.papers)
    (topic,) = graph.topics
    assert [graph.entities[at].id for at in topics["names"][0]] == [*topic.entities[:3]]
    inside = [e.id for e, at in zip(graph.entities, topics["of"], strict=False) if at == 0]
    assert inside == sorted(topic.entities)
