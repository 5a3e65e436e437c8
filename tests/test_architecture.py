"""The rules of the code's structure, checked on the code itself."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from citekg.exports import write
from tests.paths import MODULES, PACKAGES, ROOT
from tests.sample import sample_graph

#: The folders that each folder may import beside its own.
MAY_IMPORT = {
    "schemas": set[str](),
    "extractors": {"schemas"},
    "exports": {"schemas"},
    "kg": {"schemas", "extractors", "exports"},
}
#: Libraries that cost time to import, so that no module of a running `kg` loads them unasked.
HEAVY = {
    "dask", "distributed", "fsspec", "igraph", "networkx", "numpy", "pandas", "pyarrow", "pyoxigraph", "pyvis",
    "rdflib", "rich", "scipy", "sklearn", "spacy", "torch",
}  # fmt: skip
#: Names of modules that say nothing of their content.
VAGUE = {"utils", "util", "helpers", "helper", "manager", "handler", "processor", "core", "common"}
#: Words that no identifier holds: the field has a term for what they meant.
RETIRED = {
    "told",
    "telling",
    "said",
    "saying",
    "thing",
    "things",
    "proof",
    "proofs",
    "whatever",
    "heeds",
    "unheeded",
}
#: Phrases that no docstring, comment, message or page holds.
RETIRED_PHRASES = re.compile(
    r"\b(?:told|at hand|hangs? together|goes by|go by|parted by|stands? beside|comes? near|prove[sd]? it|"
    r"in so many words|the thing|things)\b|\bproofs?\b",
    re.IGNORECASE,
)

TRAINING = {m for m in MODULES if m.relative_to(ROOT).parts[:2] == ("extractors", "training")}
#: The code of `kg learn`, which the command imports when it runs.
LEARNING = {m for m in MODULES if m.relative_to(ROOT).parts[1] == "learning"}
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")]
)


def _path(module: Path) -> str:
    return str(module.relative_to(ROOT))


@cache
def _text(module: Path) -> str:
    return module.read_text(encoding="utf-8")


@cache
def _tree(module: Path) -> ast.Module:
    return ast.parse(_text(module))


@cache
def _tokens(module: Path) -> tuple[tokenize.TokenInfo, ...]:
    return tuple(tokenize.generate_tokens(io.StringIO(_text(module)).readline))


def _faults(files: Iterable[Path], find: Callable[[Path], Iterable[object]]) -> dict[str, object]:
    """What is found in each file; a file without a finding is left out."""
    return {_path(file): found for file in files if (found := sorted(map(str, find(file))))}


@cache
def _imported(module: Path) -> tuple[str, ...]:
    """The dotted names that a module imports anywhere."""
    return tuple(_imports(_tree(module)))


def _imports(tree: ast.AST) -> Iterator[str]:
    """The dotted names that are imported anywhere below a node."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _imported_at_once(body: list[ast.stmt]) -> Iterator[str]:
    """The top-level packages that importing a module imports: not in functions, not for the type checker alone."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) in {
            "TYPE_CHECKING",
            "typing.TYPE_CHECKING",
        }:
            yield from _imported_at_once(node.orelse)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (name.partition(".")[0] for name in _imports(node))
        else:
            for field in ("body", "orelse", "handlers", "finalbody"):
                yield from _imported_at_once(getattr(node, field, []))


def _folder_of(name: str) -> str | None:
    """The folder of an imported dotted name, or None for a name that is not ours."""
    if not name.startswith("citekg"):
        return None
    return next(
        (
            f
            for f, package in PACKAGES.items()
            if f != "kg" and f"{name}.".startswith(f"{package}.")
        ),
        "kg",
    )


def test_every_folder_is_there() -> None:
    assert {m.relative_to(ROOT).parts[0] for m in MODULES} == set(PACKAGES)


def test_a_folder_imports_only_the_folders_below_it() -> None:
    def forbidden(module: Path) -> set[str]:
        folder = module.relative_to(ROOT).parts[0]
        imported = {found for name in _imported(module) if (found := _folder_of(name))}
        return imported - {folder} - MAY_IMPORT[folder]

    assert _faults(MODULES, forbidden) == {}


def test_imports_have_full_names() -> None:
    """The test above does not see the folder of a relative import."""

    def relative(module: Path) -> list[int]:
        nodes = ast.walk(_tree(module))
        return [node.lineno for node in nodes if isinstance(node, ast.ImportFrom) and node.level]

    assert _faults(MODULES, relative) == {}


@pytest.mark.parametrize("folder", PACKAGES)
def test_no_two_subfolders_import_each_other(folder: str) -> None:
    edges: dict[str, set[str]] = defaultdict(set)
    subfolders = {p.name for p in (ROOT / folder).iterdir() if (p / "__init__.py").exists()}
    for module in (m for m in MODULES if m.relative_to(ROOT).parts[0] == folder):
        own = module.relative_to(ROOT).parts[1]
        depth = PACKAGES[folder].count(".") + 1
        parts = (name.split(".") for name in _imported(module) if _folder_of(name) == folder)
        others = {p[depth] for p in parts if len(p) > depth} & subfolders
        if own in subfolders:
            edges[own] |= others - {own}
    assert not _circle(edges)


def _circle(edges: dict[str, set[str]]) -> list[str]:
    """What is left after everything that imports nothing else has been taken away, again and again."""
    left = {one: set(others) for one, others in edges.items()}
    while free := [one for one, others in left.items() if not others & left.keys()]:
        for one in free:
            del left[one]
    return sorted(left)


def test_no_module_name_occurs_twice_in_a_subfolder() -> None:
    names = Counter(
        (*m.relative_to(ROOT).parts[:2], m.stem) for m in MODULES if m.stem != "__init__"
    )
    assert ["/".join(name) for name, count in names.items() if count > 1] == []


def test_the_records_need_only_the_standard_library() -> None:
    known = {*sys.stdlib_module_names, "citekg"}
    schemas = [m for m in MODULES if m.parent.name == "schemas"]
    assert schemas
    assert _faults(schemas, lambda m: {n.partition(".")[0] for n in _imported(m)} - known) == {}


def test_a_plug_in_needs_only_the_schemas() -> None:
    modules = (ROOT / "examples/citekg-example-plugin/citekg_example_plugin").glob("*.py")
    imported = {name for m in modules for name in _imported(m) if name.startswith("citekg.")}
    assert {
        "citekg.schemas.plugins." + n for n in ("Exporter", "Proposal", "SourceFormat")
    } <= imported
    assert all(name.startswith("citekg.schemas.") for name in imported)


def test_heavy_libraries_are_imported_by_the_functions_that_need_them() -> None:
    running = sorted({*MODULES} - TRAINING - LEARNING)
    assert _faults(running, lambda m: HEAVY & {*_imported_at_once(_tree(m).body)}) == {}


def test_training_is_imported_only_by_training() -> None:
    def of_training(module: Path) -> list[str]:
        names = _imported(module)
        return [name for name in names if name.startswith("citekg.extractors.training")]

    assert TRAINING
    assert _faults(sorted({*MODULES} - TRAINING), of_training) == {}


def test_learning_is_imported_only_by_learning_and_its_command() -> None:
    def of_learning(module: Path) -> list[str]:
        return [name for name in _imported(module) if ".learning" in name]

    assert LEARNING
    others = {*MODULES} - LEARNING - {ROOT / "kg" / "cli" / "learn.py"}
    assert _faults(sorted(others), of_learning) == {}


def test_only_one_module_imports_spacy() -> None:
    importing = [
        _path(m) for m in MODULES if any(n.partition(".")[0] == "spacy" for n in _imported(m))
    ]
    assert importing == ["extractors/nlp.py"]


def test_a_module_is_named_for_its_content() -> None:
    assert _faults(MODULES, lambda m: VAGUE & {*m.relative_to(ROOT).with_suffix("").parts}) == {}


def test_identifiers_use_the_terms_of_the_field() -> None:
    def retired(module: Path) -> list[str]:
        names = {token.string for token in _tokens(module) if token.type == tokenize.NAME}
        words = re.compile(r"[a-z]+|[A-Z][a-z]*")
        return [name for name in names if RETIRED & {*words.findall(name.lower())}]

    possible = re.compile("|".join(RETIRED), re.IGNORECASE)  # tokenizing is slow
    assert _faults([m for m in MODULES if possible.search(_text(m))], retired) == {}


def _retired_phrases(text: str) -> list[str]:
    return [found[0] for found in RETIRED_PHRASES.finditer(text)]


def test_docstrings_comments_and_messages_use_the_terms_of_the_field() -> None:
    def retired(module: Path) -> list[str]:
        kinds = (tokenize.COMMENT, tokenize.STRING)
        texts = (token.string for token in _tokens(module) if token.type in kinds)
        return [phrase for text in texts for phrase in _retired_phrases(text)]

    possible = [m for m in MODULES if "wording" not in m.parts and _retired_phrases(_text(m))]
    assert _faults(possible, retired) == {}


def test_pages_use_the_terms_of_the_field() -> None:
    assert PAGES
    assert _faults(PAGES, lambda page: _retired_phrases(page.read_text(encoding="utf-8"))) == {}


def test_nothing_prints() -> None:
    def prints(module: Path) -> list[int]:
        calls = (node for node in ast.walk(_tree(module)) if isinstance(node, ast.Call))
        return [c.lineno for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]

    assert _faults(MODULES, prints) == {}


def test_no_test_imports_another_test_module() -> None:
    """What tests share is in plain modules and in the fixtures of a conftest."""

    def of_tests(module: Path) -> list[str]:
        names = (name for name in _imported(module) if name.startswith("tests."))
        return [name for name in names if re.search(r"\.test_\w+(\.|$)", name)]

    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert _faults([m for m in modules if ".test_" in _text(m)], of_tests) == {}


def test_asking_for_help_loads_nothing_heavy() -> None:
    code = "import sys, citekg, citekg.cli.main; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {*HEAVY, "filelock", "sqlite3", "yaml"} & set(loaded.stdout.split())


def test_a_query_loads_the_store_and_nothing_else_that_is_heavy(tmp_path: Path) -> None:
    graph = tmp_path / "graph.ttl"
    write(sample_graph(), graph, "ttl")
    code = "import sys, citekg.cli.main as m; m.main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    command = [sys.executable, "-c", code, "query", str(graph), "ASK { ?s ?p ?o }", "--json"]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert HEAVY & set(loaded.stdout.split()) == {"pyoxigraph"}
