"""Corrections in the page, which the next build applies, and the help of the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

import citekg
from citekg.curation.decisions import Ban, DenyRole, Merge, Rename, SetRole, read_decisions
from citekg.exports import write
from tests.exports.page.browsing import Reader
from tests.exports.page.hostile import HOSTILE, hostile_graph
from tests.kg.corrected_papers import build
from tests.sample import sample_graph

if TYPE_CHECKING:
    from playwright.sync_api import Locator

_WRONG_BUTTON = "button:text('This is wrong…')"


def correct(reader: Reader, place: str | Locator, label: str, *values: str) -> None:
    """Choose the correction whose text begins with a label, and fill in its controls."""
    found = reader.tab.locator(place) if isinstance(place, str) else place
    found.locator(_WRONG_BUTTON).first.click()
    option = reader.tab.locator("dialog .option", has_text=label).first
    option.locator("input[type=radio]").check()
    controls = option.locator("select, input[type=text]")
    for at, value in enumerate(values):
        control = controls.nth(at)
        if control.evaluate("control => control.localName") == "select":
            control.select_option(value)
        else:
            control.fill(value)
    reader.tab.click("dialog button[type=submit]")
    reader.wait_until("!document.querySelector('dialog')")


def save(reader: Reader, author: str = "Ada") -> str:
    """Return the file of the corrections that the page saves."""
    reader.tab.click("[data-control=corrections]")
    reader.tab.fill("dialog label input", author)
    with reader.tab.expect_download() as download:
        reader.tab.click("text=Save decisions.yaml")
    assert download.value.suggested_filename == "decisions.yaml"
    reader.tab.keyboard.press("Escape")
    reader.wait_until("!document.querySelector('dialog')")
    return Path(download.value.path()).read_text("utf-8")


def test_saved_corrections_of_a_type_and_a_merge_are_applied_by_the_next_build(
    reader: Reader, tmp_path: Path
) -> None:
    out = build(tmp_path)
    before = {e.name: e for e in citekg.load(out / "graph.json").entities}
    assert before["NestBench"].type == "Benchmark"
    assert before["Kite Search"].aliases == ("KiteSearch",)
    reader.open(out / "graph.html", at="e-nestbench")
    correct(reader, "#panel", "Wrong type", "Dataset")
    reader.find("Kite Search")
    correct(reader, "#panel", "Not the same", "KiteSearch", "Tethered KiteSearch")
    assert reader.text("[data-control=corrections]") == "Corrections (2)"
    decisions = tmp_path / "decisions.yaml"
    decisions.write_text(save(reader), "utf-8")
    again = build(tmp_path, "--decisions", str(decisions))
    after = {e.name: e for e in citekg.load(again / "graph.json").entities}
    assert after["NestBench"].type == "Dataset"
    assert after["Kite Search"].aliases == ()
    graph = citekg.load(again / "graph.json")
    split = after["Tethered KiteSearch"]
    assert {(m.paper, m.text) for m in graph.mentions if m.entity == split.id} == {
        ("2402.00002", "KiteSearch")
    }
    reader.open(again / "graph.html", at="e-nestbench")
    assert reader.text("#panel .kind").startswith("Dataset")
    reader.find("Tethered KiteSearch")
    assert reader.text("#panel h2") == "Tethered KiteSearch"


def test_correction_options_are_saved_as_decisions_of_the_matching_kind(
    reader: Reader, tmp_path: Path
) -> None:
    graph = sample_graph()
    write(graph, tmp_path / "graph.html", "html")
    reader.open(tmp_path / "graph.html", at="e-et-al", tentative="1")
    correct(reader, "#panel", "It is not an entity")
    reader.find("强化学习")
    correct(reader, "#panel", "It is the same as", "ppo", "other")
    reader.find("C++")
    correct(reader, "#panel", "Wrong name", "Cpp 🪶")
    reader.find("PPO")
    row = reader.tab.locator("#panel li", has=reader.tab.locator(".unfold"))
    uses = row.filter(has_text="Quill: a").first
    uses.locator(".unfold").first.click()
    correct(reader, uses, "It does not")
    introduced = row.filter(has_text="Proximal Policy Optimization Algorithms").first
    if introduced.locator(".unfold").get_attribute("aria-expanded") == "false":
        introduced.locator(".unfold").click()
    correct(reader, introduced, "It did not introduce")
    (tmp_path / "decisions.yaml").write_text(save(reader), "utf-8")
    entries = read_decisions(tmp_path / "decisions.yaml").entries
    assert [type(entry) for entry in entries] == [Ban, Merge, Rename, DenyRole, DenyRole]
    assert {entry.author for entry in entries} == {"Ada"}
    assert (entries[1].names, entries[1].keep) == (("强化学习", "PPO"), "PPO")  # type: ignore[attr-defined]
    assert [entry.paper for entry in entries[3:]] == ["2401.00001", "ppo"]  # type: ignore[attr-defined]


def test_a_corrected_role_without_an_author_is_saved_as_a_set_role_decision(
    reader: Reader, tmp_path: Path
) -> None:
    out = build(tmp_path)
    graph = citekg.load(out / "graph.json")
    reader.open(out / "graph.html", at="p-2402.00002")
    row = reader.tab.locator("#panel li", has_text="Proximal Policy Optimization").first
    row.locator(".unfold").click()
    correct(reader, row, "Wrong role", "comparesTo")
    (tmp_path / "decisions.yaml").write_text(save(reader, author=""), "utf-8")
    (entry,) = read_decisions(tmp_path / "decisions.yaml", graph.vocabulary).entries
    assert isinstance(entry, SetRole)
    assert (entry.paper, entry.role, entry.author) == ("2402.00002", "comparesTo", "unknown")


def test_a_correction_is_in_the_address_and_can_be_undone(reader: Reader, sample: Path) -> None:
    reader.open(sample, at="e-quill")
    correct(reader, "#panel", "Wrong type", "Model")
    assert json.loads(reader.state()["corrections"])[0][-2:] == ["Quill", "Model"]
    correct(reader, "#panel", "Wrong type", "Dataset")
    assert reader.text("[data-control=corrections]") == "Corrections (1)"
    reader.tab.reload()
    reader.tab.wait_for_selector("[data-ready]")
    assert "Corrected: Quill is a dataset" in reader.text("#panel .wrong")
    reader.tab.click("#panel .wrong >> text=Undo")
    assert "corrections" not in reader.state()
    assert not reader.tab.is_visible("[data-control=corrections]")
    reader.tab.go_back()
    reader.wait_until("!document.querySelector('[data-control=corrections]').hidden")


def test_the_dialog_reports_missing_input_and_escape_closes_only_the_dialog(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample, at="e-quill")
    reader.tab.click(f"#panel {_WRONG_BUTTON}")
    reader.tab.click("dialog button[type=submit]")
    assert reader.text("dialog .problem") == "Choose what is wrong."
    reader.tab.locator("dialog .option", has_text="Wrong name").locator("input[type=radio]").check()
    reader.tab.click("dialog button[type=submit]")
    assert reader.text("dialog .problem") == "Enter a name."
    reader.tab.keyboard.press("Escape")
    reader.wait_until("!document.querySelector('dialog')")
    assert reader.state()["at"] == "e-quill"


def test_hostile_corrections_in_the_address_remain_plain_text(
    reader: Reader, tmp_path: Path
) -> None:
    text = HOSTILE
    write(hostile_graph(), tmp_path / "graph.html", "html")
    bad = json.dumps([["rename", "2026-01-31", text, text, text], ["type", "2026-01-31", "", text]])
    reader.open(tmp_path / "graph.html")
    reader.tab.evaluate("text => (location.hash = new URLSearchParams({ corrections: text }))", bad)
    reader.wait_until("!document.querySelector('[data-control=corrections]').hidden")
    (tmp_path / "decisions.yaml").write_text(save(reader, author=text[:100]), "utf-8")
    (entry,) = yaml.safe_load((tmp_path / "decisions.yaml").read_text("utf-8"))
    assert (entry["to"], entry["reason"]) == (text, text)
    assert reader.tab.locator("dialog img, dialog script").count() == 0


def test_the_help_explains_types_roles_confidence_and_sources_until_escape_closes_it(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample).tab.keyboard.press("?")
    text = reader.text("dialog")
    assert all(part in text for part in ("Method: ", "Outperforms", "confidence", "page one.txt"))
    assert "2024 to 2025" in text
    assert reader.state()["help"] == "1"
    reader.tab.keyboard.press("Escape")
    reader.wait_until("!document.querySelector('dialog')")
    assert "help" not in reader.state()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violations_in_the_dialogs(reader: Reader, sample: Path, theme: str) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python", reason="axe-playwright-python is not installed"
    )
    script = (Path(axe.__file__).parent / "axe.min.js").read_text("utf-8")
    reader.open(sample, at="e-quill", theme=theme)
    correct(reader, "#panel", "Wrong type", "Model")
    for opens in ("#panel .wrong > button", "[data-control=corrections]", "[aria-label^=Help]"):
        reader.tab.click(opens)
        reader.tab.evaluate(script)
        found = reader.tab.evaluate("() => axe.run()")["violations"]
        assert [(v["impact"], v["id"], v["nodes"][0]["html"]) for v in found] == []
        reader.tab.keyboard.press("Escape")
        reader.wait_until("!document.querySelector('dialog')")
