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
#: Libraries with slow imports: `kg` imports them only in the functions that need them.
HEAVY = {
    "dask", "distributed", "fsspec", "igraph", "networkx", "numpy", "pandas", "pyarrow", "pyoxigraph", "pyvis",
    "rdflib", "rich", "scipy", "sklearn", "spacy", "torch",
}  # fmt: skip
#: Module names that do not describe the content.
VAGUE = {"utils", "util", "helpers", "helper", "manager", "handler", "processor", "core", "common"}
#: Words that no identifier contains, because the field has a standard term.
RETIRED_WORDS = {
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
#: Phrases that no docstring, comment, message or page contains.
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


def _findings(files: Iterable[Path], find: Callable[[Path], Iterable[object]]) -> dict[str, object]:
    """Return the findings of each file; files without findings are omitted."""
    return {_path(file): found for file in files if (found := sorted(map(str, find(file))))}


@cache
def _imported(module: Path) -> tuple[str, ...]:
    """Return the dotted names that a module imports anywhere."""
    return tuple(_imports(_tree(module)))


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that are imported anywhere within a node."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _imported_on_load(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the top-level packages that loading a module imports, except for type checking."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) in {
            "TYPE_CHECKING",
            "typing.TYPE_CHECKING",
        }:
            yield from _imported_on_load(node.orelse)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (name.partition(".")[0] for name in _imports(node))
        else:
            for field in ("body", "orelse", "handlers", "finalbody"):
                yield from _imported_on_load(getattr(node, field, []))


def _folder_of(name: str) -> str | None:
    """Return the folder of an imported dotted name, or None if it is outside citekg."""
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


def test_every_package_folder_contains_modules() -> None:
    assert {m.relative_to(ROOT).parts[0] for m in MODULES} == set(PACKAGES)


def test_a_folder_imports_only_the_allowed_folders() -> None:
    def forbidden(module: Path) -> set[str]:
        folder = module.relative_to(ROOT).parts[0]
        imported = {found for name in _imported(module) if (found := _folder_of(name))}
        return imported - {folder} - MAY_IMPORT[folder]

    assert _findings(MODULES, forbidden) == {}


def test_there_are_no_relative_imports() -> None:
    """The test above does not see the folder of a relative import."""

    def relative(module: Path) -> list[int]:
        nodes = ast.walk(_tree(module))
        return [node.lineno for node in nodes if isinstance(node, ast.ImportFrom) and node.level]

    assert _findings(MODULES, relative) == {}


@pytest.mark.parametrize("folder", PACKAGES)
def test_subfolders_have_no_circular_imports(folder: str) -> None:
    edges: dict[str, set[str]] = defaultdict(set)
    subfolders = {p.name for p in (ROOT / folder).iterdir() if (p / "__init__.py").exists()}
    for module in (m for m in MODULES if m.relative_to(ROOT).parts[0] == folder):
        own = module.relative_to(ROOT).parts[1]
        depth = PACKAGES[folder].count(".") + 1
        parts = (name.split(".") for name in _imported(module) if _folder_of(name) == folder)
        others = {p[depth] for p in parts if len(p) > depth} & subfolders
        if own in subfolders:
            edges[own] |= others - {own}
    assert not _import_cycle(edges)


def _import_cycle(edges: dict[str, set[str]]) -> list[str]:
    """Return the nodes that remain when nodes without imports are removed repeatedly."""
    left = {one: set(others) for one, others in edges.items()}
    while free := [one for one, others in left.items() if not others & left.keys()]:
        for one in free:
            del left[one]
    return sorted(left)


def test_module_names_are_unique_within_a_subfolder() -> None:
    names = Counter(
        (*m.relative_to(ROOT).parts[:2], m.stem) for m in MODULES if m.stem != "__init__"
    )
    assert ["/".join(name) for name, count in names.items() if count > 1] == []


def test_schemas_import_only_the_standard_library_and_citekg() -> None:
    known = {*sys.stdlib_module_names, "citekg"}
    schemas = [m for m in MODULES if m.parent.name == "schemas"]
    assert schemas
    assert _findings(schemas, lambda m: {n.partition(".")[0] for n in _imported(m)} - known) == {}


def test_the_example_plugin_imports_only_the_schemas_of_citekg() -> None:
    modules = (ROOT / "examples/citekg-example-plugin/citekg_example_plugin").glob("*.py")
    imported = {name for m in modules for name in _imported(m) if name.startswith("citekg.")}
    assert {
        "citekg.schemas.plugins." + n for n in ("Exporter", "Proposal", "SourceFormat")
    } <= imported
    assert all(name.startswith("citekg.schemas.") for name in imported)


def test_heavy_libraries_are_imported_only_inside_functions() -> None:
    running = sorted({*MODULES} - TRAINING - LEARNING)
    assert _findings(running, lambda m: HEAVY & {*_imported_on_load(_tree(m).body)}) == {}


def test_only_training_imports_training() -> None:
    def of_training(module: Path) -> list[str]:
        names = _imported(module)
        return [name for name in names if name.startswith("citekg.extractors.training")]

    assert TRAINING
    assert _findings(sorted({*MODULES} - TRAINING), of_training) == {}


def test_only_learning_and_its_command_import_learning() -> None:
    def of_learning(module: Path) -> list[str]:
        return [name for name in _imported(module) if ".learning" in name]

    assert LEARNING
    others = {*MODULES} - LEARNING - {ROOT / "kg" / "cli" / "learn.py"}
    assert _findings(sorted(others), of_learning) == {}


def test_only_one_module_imports_spacy() -> None:
    importing = [
        _path(m) for m in MODULES if any(n.partition(".")[0] == "spacy" for n in _imported(m))
    ]
    assert importing == ["extractors/nlp.py"]


def test_no_module_has_a_vague_name() -> None:
    assert _findings(MODULES, lambda m: VAGUE & {*m.relative_to(ROOT).with_suffix("").parts}) == {}


def test_identifiers_contain_no_retired_words() -> None:
    def retired(module: Path) -> list[str]:
        names = {token.string for token in _tokens(module) if token.type == tokenize.NAME}
        words = re.compile(r"[a-z]+|[A-Z][a-z]*")
        return [name for name in names if RETIRED_WORDS & {*words.findall(name.lower())}]

    possible = re.compile("|".join(RETIRED_WORDS), re.IGNORECASE)  # tokenizing is slow
    assert _findings([m for m in MODULES if possible.search(_text(m))], retired) == {}


def _retired_phrases(text: str) -> list[str]:
    return [found[0] for found in RETIRED_PHRASES.finditer(text)]


def test_docstrings_comments_and_messages_contain_no_retired_phrases() -> None:
    def retired(module: Path) -> list[str]:
        kinds = (tokenize.COMMENT, tokenize.STRING)
        texts = (token.string for token in _tokens(module) if token.type in kinds)
        return [phrase for text in texts for phrase in _retired_phrases(text)]

    possible = [m for m in MODULES if "wording" not in m.parts and _retired_phrases(_text(m))]
    assert _findings(possible, retired) == {}


def test_documentation_pages_contain_no_retired_phrases() -> None:
    assert PAGES
    assert _findings(PAGES, lambda page: _retired_phrases(page.read_text(encoding="utf-8"))) == {}


def test_no_module_calls_print() -> None:
    def prints(module: Path) -> list[int]:
        calls = (node for node in ast.walk(_tree(module)) if isinstance(node, ast.Call))
        return [c.lineno for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]

    assert _findings(MODULES, prints) == {}


def test_no_test_imports_another_test_module() -> None:
    """What tests share is in plain modules and in the fixtures of a conftest."""

    def of_tests(module: Path) -> list[str]:
        names = (name for name in _imported(module) if name.startswith("tests."))
        return [name for name in names if re.search(r"\.test_\w+(\.|$)", name)]

    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert _findings([m for m in modules if ".test_" in _text(m)], of_tests) == {}


def test_importing_the_command_line_loads_no_heavy_library() -> None:
    code = "import sys, citekg, citekg.cli.main; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {*HEAVY, "filelock", "sqlite3", "yaml"} & set(loaded.stdout.split())


def test_a_query_loads_pyoxigraph_as_the_only_heavy_library(tmp_path: Path) -> None:
    graph = tmp_path / "graph.ttl"
    write(sample_graph(), graph, "ttl")
    code = "import sys, citekg.cli.main as m; m.main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    command = [sys.executable, "-c", code, "query", str(graph), "ASK { ?s ?p ?o }", "--json"]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert HEAVY & set(loaded.stdout.split()) == {"pyoxigraph"}
