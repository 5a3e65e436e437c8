"""The Markdown notes: every link has a target, and every file name and text is safe."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from citekg.exports import exporter
from citekg.exports.texts.markdown_notes import file_names
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from tests.exports.any_graph import LETTERS, graphs
from tests.sample import sample_graph

WIKI_LINK = re.compile(r"(?<!\\)\[\[([^\]|]+)(?:\|[^\]]*)?\]\]")


def vault(graph: KnowledgeGraph) -> dict[str, str]:
    """Return the text of every note by its name in the vault, without the suffix."""
    archive = zipfile.ZipFile(
        io.BytesIO(b"".join(exporter("obsidian").writer(graph, ExportOptions())))
    )
    assert archive.testzip() is None
    return {
        name.removeprefix("citekg/").removesuffix(".md"): archive.read(name).decode()
        for name in archive.namelist()
    }


def properties(note: str) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(note.split("---\n")[1])
    return read


def test_there_is_one_note_per_paper_stub_and_entity_and_an_index_of_entities() -> None:
    graph, notes = sample_graph(), vault(sample_graph())
    assert len(notes) == len(graph.papers) + len(graph.stubs) + len(graph.entities) + 1
    assert set(WIKI_LINK.findall(notes["citekg"])) == {
        name for name in notes if name.startswith("entities/")
    }


def test_a_paper_note_lists_authors_entities_by_role_and_linked_papers() -> None:
    note = vault(sample_graph())["papers/Quill a reward-free C policy 🪶"]
    assert properties(note)["authors"] == ["Zoë Ångström", "Bo \\ Li", "Ada Ünal"]
    assert "## Evaluates on\n\n- [[entities/HumanEval|HumanEval]]: “Quill is tested" in note
    assert "## Builds on\n\n- extends [[papers/Proximal Policy Optimization Algorithms|" in note
    assert "- [[papers/Fledge|Fledge]] extends this ([[entities/Quill|Quill]])" in note


def test_an_entity_note_lists_its_papers_and_its_family() -> None:
    notes = vault(sample_graph())
    assert (
        "## A paper introduces it\n\n- [[papers/Quill a reward-free C policy 🪶|"
        in notes["entities/Quill"]
    )
    assert "A variant of [[entities/Qwen2.5-VL|Qwen2.5-VL]]." in notes["entities/Qwen2.5-VL-7B"]
    assert "## Known to be introduced by\n\n- [[papers/Proximal" in notes["entities/PPO"]


@given(graph=graphs(LETTERS))
def test_every_link_has_a_note_and_every_front_matter_is_yaml(graph: KnowledgeGraph) -> None:
    notes = vault(graph)
    assert len(notes) == len(graph.papers) + len(graph.entities) + 1
    for name, note in notes.items():
        assert set(WIKI_LINK.findall(note)) <= set(notes)
        assert name == "citekg" or "tags" in properties(note)


@given(
    titles=st.dictionaries(
        st.text(LETTERS, min_size=1, max_size=4), st.text(LETTERS, max_size=200), max_size=6
    )
)
def test_file_names_are_valid_and_unique_on_every_system(titles: dict[str, str]) -> None:
    names = file_names(titles)
    assert len({name.casefold() for name in names.values()}) == len(titles)
    for name in names.values():
        assert not re.search(r'[\\/:*?"<>|#^\[\]\x00-\x1f]', name)
        assert 0 < len(name.encode()) <= 140
        assert name == name.strip(" .")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("CON", "CON_"),
        ("nul.txt", "nul_.txt"),
        ("lpt1", "lpt1_"),
        ("Com¹ .a.b", "Com¹_ .a.b"),
        ("CONIN$", "CONIN$_"),
    ],
)
def test_file_names_that_windows_reserves_are_not_used(title: str, name: str) -> None:
    assert file_names({"a": title, "b": "Contrast"}) == {"a": name, "b": "Contrast"}


def test_markup_in_texts_is_escaped_and_unsafe_links_are_omitted() -> None:
    graph = sample_graph()
    title = "<script>alert(1)</script> [[x]] #tag %%c%% `code` $x$"
    paper = replace(graph.papers[0], title=title, abstract="- no list", url="javascript:alert(1)")
    papers = (replace(paper, links=("javascript:alert(2)",)), *graph.papers[1:])
    papers = tuple(replace(p, references=()) for p in papers)
    graph = replace(graph, papers=papers, mentions=(), relations=(), links=(), introductions=())
    [note] = [note for name, note in vault(graph).items() if "script" in name]
    body = note.split("---\n")[2]
    assert body == (
        "# \\<script\\>alert(1)\\</script\\> \\[\\[x\\]\\] \\#tag \\%\\%c\\%\\% \\`code\\` \\$x\\$\n\n\\- no list\n"
    )
