"""The rules of the code's structure, checked on the code itself."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
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
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")]
)


def _path(module: Path) -> str:
    return str(module.relative_to(ROOT))


def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("module", MODULES, ids=_path)
def test_a_folder_imports_only_the_folders_below_it(module: Path) -> None:
    folder, tree = module.relative_to(ROOT).parts[0], _tree(module)
    relative = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    assert not relative, "import by full name, so that this test sees the folder"
    imported = {found for name in _imports(tree) if (found := _folder_of(name))} - {folder}
    assert imported <= MAY_IMPORT[folder]


@pytest.mark.parametrize("folder", PACKAGES)
def test_no_two_subfolders_import_each_other(folder: str) -> None:
    edges: dict[str, set[str]] = defaultdict(set)
    subfolders = {p.name for p in (ROOT / folder).iterdir() if (p / "__init__.py").exists()}
    for module in (m for m in MODULES if m.relative_to(ROOT).parts[0] == folder):
        own = module.relative_to(ROOT).parts[1]
        depth = PACKAGES[folder].count(".") + 1
        parts = (name.split(".") for name in _imports(_tree(module)) if _folder_of(name) == folder)
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


@pytest.mark.parametrize(
    "folder", sorted({m.relative_to(ROOT).parts[:2] for m in MODULES}), ids="/".join
)
def test_no_module_name_stands_twice_in_a_subfolder(folder: tuple[str, str]) -> None:
    names = Counter(
        m.stem for m in MODULES if m.relative_to(ROOT).parts[:2] == folder and m.stem != "__init__"
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("module", [m for m in MODULES if m.parent.name == "schemas"], ids=_path)
def test_the_records_need_the_standard_library_alone(module: Path) -> None:
    imported = {name.partition(".")[0] for name in _imports(_tree(module))}
    assert imported <= {*sys.stdlib_module_names, "citekg"}


def test_a_plug_in_needs_the_schemas_alone() -> None:
    modules = (ROOT / "examples/citekg-example-plugin/citekg_example_plugin").glob("*.py")
    imported = {name for m in modules for name in _imports(_tree(m)) if name.startswith("citekg.")}
    assert {
        "citekg.schemas.plugins." + n for n in ("Exporter", "Proposal", "SourceFormat")
    } <= imported
    assert all(name.startswith("citekg.schemas.") for name in imported)


@pytest.mark.parametrize("module", sorted({*MODULES} - TRAINING), ids=_path)
def test_heavy_libraries_are_imported_by_the_functions_that_need_them(module: Path) -> None:
    assert not HEAVY & set(_imported_at_once(_tree(module).body))


@pytest.mark.parametrize("module", sorted({*MODULES} - TRAINING), ids=_path)
def test_training_is_imported_by_training_alone(module: Path) -> None:
    assert not [
        name for name in _imports(_tree(module)) if name.startswith("citekg.extractors.training")
    ]


def test_only_one_module_imports_spacy() -> None:
    importing = [
        _path(m) for m in MODULES if any(n.partition(".")[0] == "spacy" for n in _imports(_tree(m)))
    ]
    assert importing == ["extractors/nlp.py"]


@pytest.mark.parametrize("module", MODULES, ids=_path)
def test_a_module_is_named_for_its_content(module: Path) -> None:
    assert not VAGUE & {*module.relative_to(ROOT).with_suffix("").parts}


@pytest.mark.parametrize("module", MODULES, ids=_path)
def test_identifiers_use_the_terms_of_the_field(module: Path) -> None:
    names = {token.string for token in _tokens(module) if token.type == tokenize.NAME}
    assert (
        sorted(
            name for name in names if RETIRED & {*re.findall(r"[a-z]+|[A-Z][a-z]*", name.lower())}
        )
        == []
    )


@pytest.mark.parametrize("module", MODULES, ids=_path)
def test_docstrings_comments_and_messages_use_the_terms_of_the_field(module: Path) -> None:
    texts = (t.string for t in _tokens(module) if t.type in (tokenize.COMMENT, tokenize.STRING))
    assert [
        found[0]
        for text in texts
        if "wording" not in module.parts
        for found in RETIRED_PHRASES.finditer(text)
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=_path)
def test_pages_use_the_terms_of_the_field(page: Path) -> None:
    assert [found[0] for found in RETIRED_PHRASES.finditer(page.read_text(encoding="utf-8"))] == []


def _tokens(module: Path) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(module.read_text(encoding="utf-8")).readline)


@pytest.mark.parametrize("module", MODULES, ids=_path)
def test_nothing_prints(module: Path) -> None:
    calls = [n for n in ast.walk(_tree(module)) if isinstance(n, ast.Call)]
    assert not [c.lineno for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]


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
