"""Every command in the README and the pages runs, and so does the README's Python."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from citekg.cli.main import main
from tests.kg.commands import commands_of
from tests.pages import PAGES, blocks
from tests.paths import ROOT

README = ROOT / "README.md"
#: Commands that use the network, do not end, open a browser, or read the user's files.
EXCLUDED_COMMANDS = {
    "fetch",
    "serve",
    "annotate",
    "publish",
    "view",
    "lexicon",
    "evaluate",
    "review",
    "sparql-engine",
}
#: Pages whose commands run in order, in other tests.
EXCLUDED_PAGES = {"tutorial.md", "learning.md"}
#: Files of the user in the commands of the pages, and an engine that is downloaded.
USER_FILES = re.compile(
    r"papers/|scheduler|export\.txt|my-lexicon\.tsv|shared-tasks|--score|my-schema|annotated|\bpapers -o|schema\."
    r"|--resume|--sparql"
)


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield every command line that begins with `kg`, with its page."""
    for page in (README, *(p for p in PAGES if p.name not in EXCLUDED_PAGES)):
        for block in (b.replace("\\\n", " ") for b in blocks(page, "sh")):
            for line in re.findall(r'^kg (?:[^"\n]|"[^"]*")*', block, re.MULTILINE):
                arguments = shlex.split(line, comments=True)[1:]
                if arguments[0] not in EXCLUDED_COMMANDS and not USER_FILES.search(line):
                    yield page.name, arguments


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, example_extractions: Path) -> Path:
    """A folder with the files that the pages name."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(example_extractions, folder / "out" / "readings")
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copy(ROOT / "examples" / "papers.jsonl", folder / "papers.jsonl")
    (folder / "question.rq").write_text("ASK {}")
    (folder / "decisions.yaml").write_text(
        "- {kind: distinct, names: [PPO, GRPO], author: Ada, date: 2026-01-31, reason: two}\n"
    )
    built = CliRunner().invoke(
        main, ["build", str(folder / "papers.jsonl"), "-o", str(folder / "out")]
    )
    assert built.exit_code == 0, built.output
    shutil.copytree(folder / "out", folder / "before")
    bio = folder / "examples" / "biomedical"
    schema = ["--schema", str(bio / "schema.yaml")]
    built = CliRunner().invoke(
        main, ["build", str(bio / "papers.jsonl"), *schema, "-o", str(folder / "bio")]
    )
    assert built.exit_code == 0, built.output
    return folder


@pytest.mark.parametrize(
    ("page", "command"),
    [*commands()],
    ids=lambda value: value if isinstance(value, str) else " ".join(value)[:60],
)
def test_a_command_of_the_documentation_runs(
    page: str, command: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, command)
    assert result.exit_code in ({0, 4} if command[0] == "diff" else {0}), f"{page}: {result.output}"


def test_the_pages_contain_the_expected_commands() -> None:
    found = [command for _, command in commands()]
    assert len(found) >= 12
    assert {"build", "query", "show", "path", "influence", "diff"} <= {
        command[0] for command in found
    }


def test_every_command_that_a_page_names_exists() -> None:
    named = {
        line
        for page in (README, *PAGES)
        for line in re.findall(r"`kg ([a-z-]+)", page.read_text(encoding="utf-8"))
    }
    assert named - {*commands_of(main)} <= {"--debug", "--help", "--log-level", "--version"}


def test_the_python_of_the_readme_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("igraph", reason="igraph is not installed")
    monkeypatch.chdir(folder)
    program = "\n".join(blocks(README, "python"))
    assert "graph.query" in program
    exec(compile(program, "README.md", "exec"), {})
    assert (folder / "graph.gexf").exists()
