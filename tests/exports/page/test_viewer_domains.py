"""The viewer of a graph with the types and roles of a custom schema, in a real browser."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import citekg
from citekg.exports import write
from tests.exports.page.browsing import Reader

EXAMPLE = Path(__file__).parents[3] / "examples" / "biomedical"
TYPES = ("Method", "Benchmark", "Model", "Dataset", "Disease", "Drug", "GeneOrProtein", "Assay")
ICON_COLOUR = """(icon) => {
    const shape = icon.querySelector("path, circle, rect, polygon") ?? icon;
    return getComputedStyle(shape).getPropertyValue("--own");
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "graph.html"
    write(citekg.build([EXAMPLE / "papers.jsonl"], schema=EXAMPLE / "schema.yaml"), path, "html")
    return path


def test_every_type_of_the_schema_has_a_legend_row_with_a_distinct_colour(
    reader: Reader, page: Path
) -> None:
    tab = reader.open(page).tab
    icons = [tab.locator(f"label:has([data-filter='{name}']) .symbol") for name in TYPES]
    colours = [icon.evaluate(ICON_COLOUR).strip() for icon in icons]
    assert all(colours)
    assert all(one != other for one, other in combinations(colours, 2))
    legend = reader.text("[data-group=types]")
    assert "Genes and proteins" in legend
    assert "finds an association with" in reader.text("[data-group=roles]")


def test_a_type_of_the_schema_can_be_switched_off(reader: Reader, page: Path) -> None:
    reader.open(page)
    before = reader.text("#status")
    for name in TYPES[4:]:
        reader.filter(name)
    assert reader.text("#status") != before
    assert reader.state()["off"].split() == sorted(TYPES[4:])


def test_an_entity_of_the_schema_is_shown_with_its_type_and_evidence(
    reader: Reader, page: Path
) -> None:
    tab = reader.open(page).tab
    reader.find("BCR-ABL")
    assert reader.text("#panel h2") == "BCR-ABL"
    tab.wait_for_selector("#panel mark")
    panel = reader.text("#panel")
    assert "Gene or protein · 1 paper" in panel
    assert "an inhibitor of BCR-ABL" in panel.replace("\n", " ")


def test_turtle_saved_from_the_page_uses_the_terms_of_the_schema(
    reader: Reader, page: Path
) -> None:
    reader.open(page)
    saved = reader.saved("Turtle").decode()
    assert "@prefix bio: <https://example.org/biomedical#>" in saved
    assert "a <https://example.org/biomedical#Drug>" in saved
    assert "<https://example.org/biomedical#targets>" in saved
