"""The decisions file: reading, errors with line numbers, and adding and removing entries."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import citekg
from citekg.cli.main import main
from citekg.curation.decisions import (
    KINDS,
    Alias,
    Ban,
    Decision,
    DenyRole,
    Distinct,
    Merge,
    Rename,
    SetRole,
    SetType,
    Split,
    append,
    decision_from,
    read_decisions,
    remove,
    to_record,
)
from citekg.schemas.errors import DecisionsError
from citekg.schemas.names import key
from tests.kg.curation.decisions.decision_texts import CONFLICTS, EVERY_KIND, FAULTS, entry, merge

ADA: dict[str, Any] = {"author": "Ada", "date": "2026-01-31", "reason": "read"}


def file_of(folder: Path, text: str) -> Path:
    path = folder / "decisions.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_kind_is_read_with_its_line_and_values_as_plain_text(tmp_path: Path) -> None:
    entries = read_decisions(file_of(tmp_path, EVERY_KIND)).entries
    assert entries == (
        Merge(
            names=("GKO", "Group Kite Optimization"),
            keep="GKO",
            **{**ADA, "reason": "read: the same"},
        ),
        Distinct(names=("NO", "1e3"), **ADA),
        Split(name="ACL", into="Automatic Curriculum Learning", papers=("2401.10", "007"), **ADA),
        Split(name="ACL", into="Curricula", definition="automatic curricula", **ADA),
        SetType(name="MATH", type="Benchmark", **ADA),
        SetRole(paper="2401.10", name="MATH", role="trainsOn", **ADA),
        Ban(name="et al.", **ADA),
        Ban(name="on", papers=("2401.10",), **ADA),
        Alias(name="MATH", alias="数学", **ADA),
        Split(name="ACL", into="ACL-25", spellings=("ACL 25", "ACL’25"), **ADA),
        DenyRole(paper="2401.10", name="MATH", role="introduces", **ADA),
        Rename(name="Gko", to="GKO", **{**ADA, "reason": ""}),
    )
    assert [e.line for e in entries] == [2, *range(8, 19)]


def test_the_file_in_the_docs_is_valid_and_contains_every_kind() -> None:
    page = (Path(__file__).parents[4] / "docs" / "decisions.md").read_text(encoding="utf-8")
    shown = page.partition("```yaml\n")[2].partition("```")[0]
    with TemporaryDirectory() as folder:
        entries = read_decisions(file_of(Path(folder), shown)).entries
    assert {e.kind for e in entries} == set(KINDS)
    assert all(f"| `{kind}` |" in page for kind in KINDS)


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "[]\n", "\ufeff"])
def test_a_file_without_entries_contains_no_decisions(tmp_path: Path, text: str) -> None:
    assert read_decisions(file_of(tmp_path, text)).entries == ()


@pytest.mark.parametrize(("text", "line", "why"), FAULTS)
def test_errors_are_reported_with_file_and_line(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    path = file_of(tmp_path, text)
    with pytest.raises(DecisionsError) as caught:
        read_decisions(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"- \x00", b"[" * 100_000, b"--- a\n--- b\n"])
def test_a_file_that_is_not_valid_yaml_is_rejected_with_a_message_of_one_line(
    tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "decisions.yaml"
    path.write_bytes(data)
    with pytest.raises(DecisionsError, match=r"decisions\.yaml") as caught:
        read_decisions(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DecisionsError, match="cannot be read"):
        read_decisions(tmp_path / "none.yaml")


@pytest.mark.parametrize(("entries", "why"), CONFLICTS)
def test_entries_that_contradict_each_other_are_reported(
    tmp_path: Path, entries: list[str], why: str
) -> None:
    with pytest.raises(DecisionsError) as caught:
        read_decisions(file_of(tmp_path, "\n".join(entries)))
    assert why in str(caught.value)


COMPATIBLE = [
    [merge("A", "B"), merge("A", "C"), merge("A", "B")],
    [merge("B", "A"), merge("C", "B")],
    [
        merge("A", "B"),
        entry("distinct", "names: [A, C]"),
        entry("split", "name: A, into: C, papers: p"),
    ],
    [
        entry("ban", "name: A"),
        entry("split", "name: A, into: B, papers: p"),
        entry("distinct", "names: [A, B]"),
    ],
    [entry("ban", "name: A, papers: p"), entry("role", "paper: q, name: A, role: uses")],
    [entry("split", "name: A, into: B, papers: p"), entry("split", "name: A, into: C, papers: q")],
]


@pytest.mark.parametrize("entries", COMPATIBLE)
def test_compatible_entries_are_accepted(tmp_path: Path, entries: list[str]) -> None:
    assert len(read_decisions(file_of(tmp_path, "\n".join(entries))).entries) == len(entries)


_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda t: t == t.strip()
)
_YAML_SPECIAL = st.sampled_from(
    [
        "NO",
        "null",
        "1.0",
        "2401.10",
        "2026-01-31",
        "- x",
        "a: b",
        "#x",
        "'",
        '"',
        "*a",
        "&a",
        "~",
        "@1",
        "C++",
        "{",
        "%",
    ]
)


@given(
    st.lists(
        st.tuples(_TEXT | _YAML_SPECIAL, _TEXT | _YAML_SPECIAL).filter(
            lambda nn: key(nn[0]) != key(nn[1])
        ),
        max_size=4,
    )
)
def test_added_entries_are_read_back_with_any_names(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("added") / "decisions.yaml"
    added: list[Decision] = [
        Distinct(names=pair, author="Ä", date="2026-01-31", reason="r: #1") for pair in pairs
    ]
    for decision in added:
        append(path, [decision])
    assert not path.exists() if not added else read_decisions(path).entries == tuple(added)


@pytest.mark.parametrize(
    "before",
    ["", "# mine\n", EVERY_KIND, EVERY_KIND.rstrip("\n"), "  # far\n  - " + merge("A", "B")[2:]],
)
def test_adding_an_entry_keeps_the_existing_text(tmp_path: Path, before: str) -> None:
    path = file_of(tmp_path, before)
    old = read_decisions(path).entries
    new = Distinct(names=("P", "Q"), **ADA)
    append(path, [new])
    assert path.read_text(encoding="utf-8").startswith(before)
    assert read_decisions(path).entries == (*old, new)
    assert [p.name for p in tmp_path.iterdir()] == ["decisions.yaml"]


@pytest.mark.parametrize(
    "before", ["[]\n", f"[{merge('A', 'B')[2:]}]\n", "- broken: [\n", "kind: ban\n"]
)
def test_a_file_to_which_no_entry_can_be_added_is_not_changed(tmp_path: Path, before: str) -> None:
    path = file_of(tmp_path, before)
    with pytest.raises(DecisionsError):
        append(path, [Distinct(names=("P", "Q"), **ADA)])
    assert path.read_text(encoding="utf-8") == before


def test_an_entry_that_contradicts_the_file_is_not_added(tmp_path: Path) -> None:
    path = file_of(tmp_path, EVERY_KIND)
    with pytest.raises(DecisionsError, match="contradict"):
        append(path, [Distinct(names=("GKO", "Group Kite Optimization"), **ADA)])
    assert path.read_text(encoding="utf-8") == EVERY_KIND


@pytest.mark.parametrize("at", range(12))
def test_removing_an_entry_keeps_the_other_entries_and_comments(tmp_path: Path, at: int) -> None:
    text = EVERY_KIND.replace("- {kind: type", "# about types\n\n- {kind: type")
    path = file_of(tmp_path, text)
    entries = read_decisions(path).entries
    remove(path, entries[at])
    assert read_decisions(path).entries == (*entries[:at], *entries[at + 1 :])
    left = path.read_text(encoding="utf-8")
    assert {"# what we found in January", "# about types"} <= {*left.splitlines()}
    assert not {*left.splitlines()} - {*text.splitlines()}


@pytest.mark.parametrize(
    "text", [f"[{merge('A', 'B')[2:]}, {merge('C', 'D')[2:]}]\n", merge("A", "C"), "# none\n"]
)
def test_an_entry_that_is_missing_or_shares_its_line_is_not_removed(
    tmp_path: Path, text: str
) -> None:
    path = file_of(tmp_path, text)
    with pytest.raises(DecisionsError):
        remove(path, Merge(names=("A", "B"), keep="A", **ADA))
    assert path.read_text(encoding="utf-8") == text


def test_the_only_entry_can_be_removed(tmp_path: Path) -> None:
    path = file_of(tmp_path, merge("A", "B"))
    remove(path, Merge(names=("A", "B"), keep="A", **ADA))
    assert read_decisions(path).entries == ()


def test_a_record_with_given_author_and_date_becomes_the_same_decision(tmp_path: Path) -> None:
    path = file_of(tmp_path, EVERY_KIND)
    for entry_ in read_decisions(path).entries:
        values = to_record(entry_)
        del values["author"], values["date"]
        assert decision_from(values, "Ada", "2026-01-31") == entry_


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "ban"},
        {"kind": "ban", "name": ""},
        {"kind": "ban", "name": 3},
        {"kind": "ban", "name": "X", "papers": [["p"]]},
        {"kind": "ban", "name": "X", "papers": []},
        {"kind": "ban", "name": "X", "author": "Mallory"},
        {"kind": "ban", "name": "X", "line": "1"},
        {"kind": "type", "name": "X", "type": "Thing"},
        {"kind": ["ban"], "name": "X"},
    ],
)
def test_an_invalid_record_is_rejected(values: dict[str, object]) -> None:
    with pytest.raises(DecisionsError):
        decision_from(values, "Ada", "2026-01-31")


PAPERS = """\
{"id": "k1", "title": "Kite Search", "abstract": "We propose Kite Search (KS). KS beats PPO on D4RL."}
{"id": "k2", "title": "Flying", "abstract": "We use Proximal Policy Optimization (PPO) and evaluate on D4RL."}
"""


def build_with(folder: Path, decisions: str) -> tuple[int, str, str]:
    (folder / "papers.jsonl").write_text(PAPERS, encoding="utf-8")
    file = file_of(folder, decisions)
    options = ["-o", str(folder / "out"), "-f", "json", "--decisions", str(file)]
    result = CliRunner().invoke(main, ["build", str(folder / "papers.jsonl"), *options])
    return result.exit_code, result.stdout, result.stderr


def test_a_build_applies_the_decisions_and_warns_about_stale_ones(tmp_path: Path) -> None:
    code, _, messages = build_with(
        tmp_path, "\n".join([entry("ban", "name: D4RL"), entry("ban", "name: Kelp")])
    )
    assert code == 0
    assert (
        messages.strip()
        == f"warning: {tmp_path / 'decisions.yaml'}: line 2 (ban): Kelp is not in the graph"
    )
    graph = citekg.load(tmp_path / "out" / "graph.json")
    assert "D4RL" not in {e.name for e in graph.entities}
    with pytest.warns(UserWarning, match="Kelp is not in the graph"):
        assert (
            citekg.build([tmp_path / "papers.jsonl"], decisions=tmp_path / "decisions.yaml")
            == graph
        )


@pytest.mark.parametrize("text", ["\n".join(CONFLICTS[0][0]), "- {kind: bann}", "- ["])
def test_a_build_with_invalid_or_contradictory_decisions_writes_nothing(
    tmp_path: Path, text: str
) -> None:
    code, _, messages = build_with(tmp_path, text)
    assert code == 1
    assert messages.startswith(f"Error: {tmp_path / 'decisions.yaml'}")
    assert not (tmp_path / "out").exists()
