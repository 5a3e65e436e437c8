"""The house rules that a reader of the code relies on, checked on the code itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from citekg.exports import write

from tests.sample import sample_graph

HOUSE = Path(__file__).parent.parent
#: What each room may import of the others.
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
#: Modules that only a developer who trains the weights runs.
TRAINING = ("training",)
VAGUE = {"utils", "util", "helpers", "helper", "manager", "handler", "processor", "core", "common"}

MODULES = sorted(p for room in MAY_IMPORT for p in (HOUSE / room).rglob("*.py"))


def _name(module: Path) -> str:
    return str(module.relative_to(HOUSE))


def _imports(tree: ast.AST) -> Iterator[str]:
    """The top-level packages that are imported anywhere below a node."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def _imported_at_once(body: list[ast.stmt]) -> Iterator[str]:
    """What is imported as soon as the module is: not in functions, not for the type checker alone."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            yield from _imported_at_once(node.orelse)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imports(node)
        else:
            for field in ("body", "orelse", "handlers", "finalbody"):
                yield from _imported_at_once(getattr(node, field, []))


def _relative(tree: ast.AST) -> list[ast.ImportFrom]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]


def test_every_room_is_there() -> None:
    assert {m.relative_to(HOUSE).parts[0] for m in MODULES} == set(MAY_IMPORT)


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_room_imports_only_the_rooms_below_it(module: Path) -> None:
    room = module.relative_to(HOUSE).parts[0]
    tree = ast.parse(module.read_text(encoding="utf-8"))
    assert not _relative(tree), "import by full name, so that this test sees the room"
    rooms = {name for name in _imports(tree) if name in MAY_IMPORT} - {room}
    assert rooms <= MAY_IMPORT[room]


@pytest.mark.parametrize("module", [m for m in MODULES if m.parent.name == "schemas"], ids=_name)
def test_the_records_need_the_standard_library_alone(module: Path) -> None:
    imported = set(_imports(ast.parse(module.read_text(encoding="utf-8"))))
    assert imported <= {*sys.stdlib_module_names, "schemas"}


@pytest.mark.parametrize("module", [m for m in MODULES if not m.stem.startswith(TRAINING)], ids=_name)
def test_heavy_libraries_are_imported_by_the_functions_that_need_them(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    assert not HEAVY & set(_imported_at_once(tree.body))


def test_only_one_module_knows_spacy() -> None:
    knowing = [_name(m) for m in MODULES if "spacy" in set(_imports(ast.parse(m.read_text(encoding="utf-8"))))]
    assert knowing == [str(Path("extractors") / "nlp.py")]


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_module_is_named_for_what_it_holds(module: Path) -> None:
    assert not VAGUE & {*module.relative_to(HOUSE).with_suffix("").parts}


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_nothing_prints(module: Path) -> None:
    calls = [n for n in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    assert not [c.lineno for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]


def test_asking_for_help_loads_nothing_heavy() -> None:
    code = "import sys, kg, citekg.cli.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=HOUSE, capture_output=True, text=True, check=True)
    assert not {*HEAVY, "filelock", "sqlite3", "yaml"} & set(loaded.stdout.split())


def test_a_query_loads_the_store_and_nothing_else_that_is_heavy(tmp_path: Path) -> None:
    graph = tmp_path / "graph.ttl"
    write(sample_graph(), graph, "ttl")
    code = "import sys, citekg.cli.main; citekg.cli.main.main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    command = [sys.executable, "-c", code, "query", str(graph), "ASK { ?s ?p ?o }", "--json"]
    loaded = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=True)
    assert HEAVY & set(loaded.stdout.split()) == {"pyoxigraph"}
