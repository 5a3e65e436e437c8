"""The engine of the page: the pinned package of Oxigraph, from a file, a registry or the cache."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from citekg.exports import write
from citekg.page_queries import engine
from citekg.page_queries.engine import Engine, find_engine, install, read_engine, sha512
from citekg.schemas.errors import EngineError
from tests.kg.commands import run_cli
from tests.sample import sample_graph

BINDINGS = b"export class Store {}\n"
WASM = b"\0asm not really"


@pytest.fixture(autouse=True)
def fake_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pin a small fake package, and use an empty cache."""
    files = {"web.js": sha512(BINDINGS), "web_bg.wasm": sha512(WASM)}
    monkeypatch.setattr(engine, "FILES", files)
    monkeypatch.setattr(engine, "user_cache", lambda: tmp_path / "cache")
    monkeypatch.delenv(engine.VARIABLE, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    unpacked = tmp_path / "package"
    unpacked.mkdir()
    (unpacked / "web.js").write_bytes(BINDINGS)
    (unpacked / "web_bg.wasm").write_bytes(WASM)
    return unpacked


@pytest.fixture
def package(folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "oxigraph.tgz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, "package")
    return path


def test_a_missing_engine_is_an_error_with_the_install_command() -> None:
    with pytest.raises(EngineError, match=r"run kg sparql-engine once .* npm pack oxigraph@"):
        find_engine()


@pytest.mark.parametrize("given", ["folder", "package"])
def test_an_installed_engine_is_found_without_a_connection(
    given: str, request: pytest.FixtureRequest
) -> None:
    install(request.getfixturevalue(given))
    assert find_engine() == Engine(BINDINGS.decode(), WASM)


def test_the_environment_variable_sets_the_folder_of_the_engine(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(engine.VARIABLE, str(folder))
    assert find_engine().wasm == WASM


def test_a_modified_file_of_an_installed_engine_is_rejected(folder: Path) -> None:
    install(folder)
    (engine.cache_folder() / "web.js").write_bytes(BINDINGS + b"fetch('https://evil.example')")
    with pytest.raises(EngineError, match=r"web\.js is not that of oxigraph"):
        find_engine()


def test_a_downloaded_package_with_a_wrong_checksum_is_rejected(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = []

    def urlopen(address: str, timeout: float) -> object:
        addresses.append((address, timeout > 0))
        return package.open("rb")

    monkeypatch.setattr(engine, "urlopen", urlopen)
    with pytest.raises(EngineError, match="SHA-512 differs"):
        install(registry="https://npm.example/")
    assert addresses == [
        (f"https://npm.example/oxigraph/-/oxigraph-{engine.VERSION}.tgz", True),
    ]
    monkeypatch.setattr(engine, "INTEGRITY", sha512(package.read_bytes()))
    install(registry="https://npm.example")
    assert find_engine().wasm == WASM


def test_an_unreachable_registry_is_an_error_that_suggests_the_option_from() -> None:
    with pytest.raises(EngineError, match=r"cannot be downloaded: .* use --from"):
        install(registry="http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"no archive", "is not an npm package"), (b"", "is not an npm package")],
)
def test_a_file_that_is_not_a_package_is_rejected(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    (tmp_path / "a.tgz").write_bytes(content)
    with pytest.raises(EngineError, match=problem):
        read_engine(tmp_path / "a.tgz")


def test_a_folder_without_the_engine_files_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"is not an unpacked npm package oxigraph"):
        read_engine(tmp_path)


def test_sparql_engine_installs_the_package_that_export_with_sparql_needs(
    package: Path, tmp_path: Path
) -> None:
    graph, page = tmp_path / "graph.json", tmp_path / "page.html"
    write(sample_graph(), graph, "json")
    export = ["export", str(graph), "-f", "html", "--sparql", "-o", str(page)]
    missing = run_cli(*export)
    assert missing.exit_code != 0
    assert "run kg sparql-engine once" in missing.output
    assert not page.exists()
    installed = run_cli("sparql-engine", "--from", package)
    assert installed.exit_code == 0, installed.output
    assert run_cli(*export).exit_code == 0
    assert "wasm-unsafe-eval" in page.read_text("utf-8")


def test_a_page_without_sparql_does_not_allow_webassembly_or_a_worker(tmp_path: Path) -> None:
    write(sample_graph(), tmp_path / "page.html", "html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "wasm-unsafe-eval" not in page
    assert "worker-src" not in page
    assert 'id="sparql"' not in page


def test_the_option_sparql_is_reported_as_without_effect_in_other_formats(tmp_path: Path) -> None:
    write(sample_graph(), tmp_path / "graph.json", "json")
    given = ["export", str(tmp_path / "graph.json"), "-f", "ttl", "--sparql", "-o", "a.ttl"]
    assert "--sparql has no effect in ttl" in run_cli(*given).output
