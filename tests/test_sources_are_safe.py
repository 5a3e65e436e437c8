"""The code never executes its input and never reads a format that can execute code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.paths import MODULES, ROOT

#: Modules whose data can execute code when it is read.
NEVER_IMPORTED = {
    "pickle",
    "cPickle",
    "marshal",
    "shelve",
    "dill",
    "cloudpickle",
    "joblib",
    "code",
    "telnetlib",
}
#: XML parsers that expand entities; `defusedxml` is used instead.
NEVER_FROM = {"xml.etree", "xml.dom", "xml.sax", "xmlrpc", "lxml"}
HARMLESS_FROM = {
    ("xml.sax.saxutils", "quoteattr"),
    ("xml.etree.ElementTree", "Element"),
    ("xml.etree.ElementTree", "ParseError"),
}
NEVER_CALLED = {
    "eval", "exec", "compile", "__import__", "breakpoint", "os.system", "os.popen", "os.startfile", "pty.spawn",
    "tempfile.mktemp", "yaml.load", "yaml.load_all", "yaml.full_load", "yaml.unsafe_load",
    "pd.read_pickle", "pandas.read_pickle",
}  # fmt: skip
#: Calls that are safe only with this argument.
SAFE_ONLY_WITH = {"yaml.compose": "SafeLoader", "torch.load": "weights_only=True"}
#: Keyword arguments that are never safe.
NEVER_GIVEN = {("shell", True), ("allow_pickle", True), ("verify", False), ("weights_only", False)}
#: The checked files: all Python files except the tests.
SOURCES = [
    *MODULES,
    *sorted((ROOT / "benchmarks").rglob("*.py")),
    *sorted((ROOT / "docs").rglob("*.py")),
]


def unsafe_operations(source: str) -> Iterator[str]:
    """Yield the unsafe operations of a module, with their lines."""
    for node in ast.walk(ast.parse(source)):
        for name in _unsafe_operations_of(node):
            yield f"{name}, line {getattr(node, 'lineno', 0)}"


def _unsafe_operations_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _unsafe_imports(node)
    elif isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        if called in NEVER_CALLED:
            yield called
        if called in SAFE_ONLY_WITH and SAFE_ONLY_WITH[called] not in ast.unparse(node):
            yield called
        for keyword in node.keywords:
            if (
                isinstance(keyword.value, ast.Constant)
                and (keyword.arg, keyword.value.value) in NEVER_GIVEN
            ):
                yield f"{called}({keyword.arg}={keyword.value.value!r})"


def _unsafe_imports(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    modules = (
        [alias.name for alias in node.names]
        if isinstance(node, ast.Import)
        else [node.module or ""]
    )
    names = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
    for module in modules:
        if module.partition(".")[0] in NEVER_IMPORTED:
            yield f"import {module}"
        expands = any(f"{module}.".startswith(f"{never}.") for never in NEVER_FROM)
        if expands and not (names and {(module, name) for name in names} <= HARMLESS_FROM):
            yield f"import {module}"


def test_no_module_contains_unsafe_operations() -> None:
    found = {m: [*unsafe_operations(m.read_text(encoding="utf-8"))] for m in SOURCES}
    assert {str(m.relative_to(ROOT)): unsafe for m, unsafe in found.items() if unsafe} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from marshal import loads",
        "def f():\n    import shelve",
        "from xml.etree import ElementTree",
        "import xml.etree.ElementTree as ET",
        "from xml.sax import parse",
        "eval(x)",
        "yaml.load(x, Loader=yaml.SafeLoader)",
        "yaml.compose(x)",
        "torch.load(x)",
        "subprocess.run(x, shell=True)",
        "np.load(x, allow_pickle=True)",
        "requests.get(x, verify=False)",
    ],
)
def test_each_unsafe_operation_is_detected(source: str) -> None:
    assert len([*unsafe_operations(source)]) == 1


def test_the_shipped_weights_contain_no_python_objects() -> None:
    import numpy as np

    for file in sorted((ROOT / "extractors" / "weights").glob("*.npz")):
        with np.load(file, allow_pickle=False) as stored:
            assert all(stored[name].dtype.kind in "biufUS" for name in stored.files)
