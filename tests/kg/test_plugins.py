"""Plugins of other packages: entry points, lazy imports, name conflicts and broken plugins."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import citekg
import citekg.exports
from citekg import sources
from citekg.building.pipeline import configuration_digest, make_pipeline
from citekg.cli.main import main
from citekg.exports import exporter, write
from citekg.extractors.candidates import plugins as plugged
from citekg.schemas import plugins
from citekg.schemas.errors import FormatError, InputError, PluginError
from tests.kg.commands import commands_of, run_cli
from tests.paths import ROOT
from tests.sample import sample_graph

EXAMPLE = ROOT / "examples" / "citekg-example-plugin"
CACHED = (
    plugins.plugins,
    plugged.load_extractor,
    sources._load_plugin_format,
    sources._warn_once,
    citekg.exports._load_plugin,
)

#: The module of the fake packages.
MODULE = """
import re
from citekg.schemas.plugins import Exporter
from citekg.schemas.plugins import Problem, SourceFormat
from citekg.schemas.plugins import Proposal
from citekg.schemas.records import Paper, Source

def honey(paper):
    for found in re.finditer("warm honey baths?", paper.text):
        yield Proposal(*found.span(), type="Method")

def remedy(paper):
    for proposal in honey(paper):
        yield Proposal(proposal.start, proposal.end, "Drug")

def outside(paper):
    yield Proposal(0, len(paper.text) + 1)

def odd_type(paper):
    yield Proposal(0, 4, "Cheese")

def cutting(paper):
    yield Proposal(1, len(paper.text) - 1, "Method")

def failing(paper):
    yield from honey(paper)
    raise ValueError("no bees")

def text(paper):
    return ["warm honey baths"]

def lines(name, given):
    for line in given:
        if line.text.startswith("hive "):
            title, place = "Bees in " + line.text[5:], Source(name, line.number)
            yield Paper("", title, "Bees are studied with PPO.", sources=(place,))
        if line.text == "sting":
            raise KeyError("sting")

SOURCE = SourceFormat("hives", lambda head: head[0].startswith("hive "), lines)
SHY = SourceFormat("never", lambda head: 1 / 0, lines)
def write(graph, options):
    yield f"{len(graph.papers)} papers".encode()
def writes_half(graph, options):
    yield b"half"
    raise OSError("no wax")
WAX = Exporter(".wax", "wax", "bees:write")
HALF = Exporter(".half", "half", "bees:writes_half")
LOST = Exporter(".lost", "lost", "bees:nowhere")
NUMBER = 7
"""


def clear_caches() -> None:
    for function in CACHED:
        function.cache_clear()


Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A function that puts an installed package with these entry points on the path."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "bees.py").write_text(MODULE, encoding="utf-8")
    (site / "broken.py").write_text("import no_such_module_at_all\n", encoding="utf-8")
    (site / "leaving.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(site)

    def add(package: str, version: str = "1.0", **groups: dict[str, str]) -> None:
        folder = site / f"{package.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        )
        reported = (
            f"[citekg.{group}]\n" + "\n".join(f"{n} = {v}" for n, v in e.items())
            for group, e in groups.items()
        )
        (folder / "entry_points.txt").write_text("\n".join(reported) + "\n")
        clear_caches()

    clear_caches()
    yield add
    clear_caches()
    for module in ("bees", "broken", "leaving"):
        sys.modules.pop(module, None)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    value = {
        "title": "Sweet policies",
        "abstract": "We dip policies into warm honey baths. Warm honey baths beat PPO.",
    }
    path = tmp_path / "papers.jsonl"
    path.write_text(json.dumps(value) + "\n", encoding="utf-8")
    return path


def plugin_states() -> dict[str, str]:
    return {
        f"{one['kind']} {one['name']}": one["state"]
        for one in json.loads(run_cli("plugins", "--json").output)
    }


def test_plugins_are_listed_with_package_and_version(install: Install) -> None:
    install(
        "bee-keeping", "2.1", extractors={"honey": "bees:honey"}, sources={"hives": "bees:SOURCE"}
    )
    install("wax-works", exporters={"wax": "bees:WAX"})
    found = [
        one
        for one in json.loads(run_cli("plugins", "--json").output)
        if one["package"] in ("bee-keeping", "wax-works")
    ]
    assert found == [
        {
            "kind": "extractor",
            "name": "honey",
            "package": "bee-keeping",
            "version": "2.1",
            "state": "ready",
        },
        {
            "kind": "source",
            "name": "hives",
            "package": "bee-keeping",
            "version": "2.1",
            "state": "ready",
        },
        {
            "kind": "exporter",
            "name": "wax",
            "package": "wax-works",
            "version": "1.0",
            "state": "ready",
        },
    ]
    assert (
        "extractor  honey                bee-keeping 2.1        ready" in run_cli("plugins").output
    )


def test_plugins_are_not_imported_before_they_are_used(install: Install, paper: Path) -> None:
    install("bee-keeping", extractors={"honey": "broken:x"}, exporters={"wax": "broken:x"})
    citekg.build([paper], layers=["lexicon"]).save(paper.with_suffix(".json"))
    assert "broken" not in sys.modules


def test_an_extractor_runs_only_if_its_layer_is_named(install: Install, paper: Path) -> None:
    install("bee-keeping", extractors={"honey": "bees:honey"})
    graph = citekg.build([paper], layers=["lexicon", "tagger", "honey"])
    (bath,) = graph.entities.where(name="honey")
    assert bath.type == "Method"
    assert {m.layer for m in graph.mentions.where(entity=bath)} == {"honey"}
    assert "honey" not in {m.layer for m in citekg.build([paper]).mentions}


def test_an_extractor_may_propose_the_types_of_a_schema(install: Install, paper: Path) -> None:
    install("bee-keeping", extractors={"remedy": "bees:remedy"})
    schema = ROOT / "examples" / "biomedical" / "schema.yaml"
    graph = citekg.build([paper], layers=["lexicon", "remedy"], schema=schema)
    assert [e.name.casefold() for e in graph.entities.where(type="Drug", name="honey")] == [
        "warm honey baths"
    ]
    with pytest.raises(PluginError, match="proposes the type 'Drug', which is none of Method"):
        citekg.build([paper], layers=["lexicon", "remedy"])


def test_worker_processes_use_extractor_plugins(install: Install, paper: Path) -> None:
    install("bee-keeping", extractors={"honey": "bees:honey"})
    one, two = (citekg.build([paper], layers=["lexicon", "honey"], workers=n) for n in (1, 2))
    assert one == two
    assert one.mentions.where(layer="honey")


def test_the_configuration_digest_depends_on_the_version_of_an_extractor(
    install: Install, tmp_path: Path
) -> None:
    install("bee-keeping", extractors={"honey": "bees:honey"})
    before = configuration_digest(make_pipeline(["lexicon", "honey"]))
    (tmp_path / "site" / "bee_keeping-1.0.dist-info" / "METADATA").write_text(
        "Name: bee-keeping\nVersion: 1.1\n"
    )
    clear_caches()
    assert (
        configuration_digest(make_pipeline(["lexicon", "honey"]))
        != before
        != configuration_digest(make_pipeline(["lexicon"]))
    )


def test_default_means_all_built_in_layers(install: Install, paper: Path) -> None:
    install("bee-keeping", extractors={"honey": "bees:honey"})
    found = run_cli("extract", paper, "--layers", "default,honey").output
    assert "warm honey bath" in found.casefold()
    assert (
        run_cli("extract", paper, "--layers", "default").output == run_cli("extract", paper).output
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("outside", "proposes an invalid span of paper"),
        ("text", "proposes an invalid span of paper .*: 'warm honey baths'"),
        (
            "odd_type",
            "proposes the type 'Cheese', which is none of Method, Benchmark, Model, Dataset",
        ),
        ("failing", "failed: ValueError: no bees"),
        ("NUMBER", "is not a function from a paper to proposals"),
        ("nowhere", "cannot be imported: AttributeError"),
    ],
)
def test_an_invalid_extractor_stops_the_build_and_is_named_in_the_error(
    install: Install, paper: Path, name: str, message: str
) -> None:
    install("bee-keeping", "2.1", extractors={"bad": f"bees:{name}"})
    with pytest.raises(PluginError, match=f"the extractor 'bad' of bee-keeping 2.1 {message}"):
        citekg.build([paper], layers=["lexicon", "bad"])
    done = run_cli("build", paper, "-o", paper.parent / "out", "--layers", "lexicon,bad")
    assert (done.exit_code, done.exception.__class__) == (1, SystemExit)
    assert done.output.startswith("Error: the extractor 'bad' of bee-keeping 2.1 ")


def test_an_error_in_a_worker_is_reported_like_one_in_the_main_process(
    install: Install, paper: Path
) -> None:
    install("bee-keeping", extractors={"bad": "bees:failing"})
    with pytest.raises(
        PluginError, match=r"the extractor 'bad' of bee-keeping 1\.0 failed: ValueError: no bees"
    ):
        citekg.build([paper], layers=["bad"], workers=2)


def test_a_proposed_span_that_splits_a_word_is_discarded(install: Install, paper: Path) -> None:
    install("bee-keeping", extractors={"cutting": "bees:cutting"})
    assert citekg.build([paper], layers=["cutting"]).entities == ()


def test_an_unknown_extractor_is_rejected_with_the_available_layers(
    install: Install, paper: Path
) -> None:
    install("bee-keeping", extractors={"honey": "bees:honey"})
    with pytest.raises(
        PluginError, match="the extractor 'hony' is not installed; kg plugins lists what is"
    ):
        citekg.build([paper], layers=["hony"])
    assert "hony: choose from abbreviations, lexicon, rules, tagger, honey" in run_cli(
        "extract", paper, "--layers", "hony"
    ).output.replace("\n", " ")


def test_a_source_recognises_its_files_and_can_be_forced(install: Install, tmp_path: Path) -> None:
    install("bee-keeping", sources={"hives": "bees:SOURCE"})
    file = tmp_path / "bees.txt"
    file.write_text("hive one\nhive two\n", encoding="utf-8")
    (tmp_path / "late.txt").write_text("\nhive three\n", encoding="utf-8")
    assert {p.title for p in citekg.build([file], layers=["lexicon"]).papers} == {
        "Bees in one",
        "Bees in two",
    }
    done = run_cli(
        "extract", tmp_path / "late.txt", "--input-format", "hives", "--layers", "lexicon"
    )
    assert "Bees in three" in done.output
    with pytest.raises(
        InputError, match=r"no known format; --input-format forces one \(.*, hives\)"
    ):
        citekg.build([tmp_path / "late.txt"])


def test_a_source_failure_is_reported_and_other_papers_are_kept(
    install: Install, tmp_path: Path, paper: Path
) -> None:
    install("bee-keeping", sources={"hives": "bees:SOURCE"})
    (tmp_path / "bees.txt").write_text("hive one\nsting\nhive two\n", encoding="utf-8")
    done = run_cli("extract", tmp_path / "bees.txt", paper, "--layers", "lexicon")
    assert done.exit_code == 3
    assert (
        "bees.txt: the source 'hives' of bee-keeping 1.0 failed: KeyError: 'sting'" in done.output
    )
    assert {"Bees in one", "Sweet policies"} <= {
        json.loads(x)["title"] for x in done.output.splitlines() if x[0] == "{"
    }


@pytest.mark.parametrize("broken", ["broken:x", "leaving:x", "bees:NUMBER", "bees:SHY"])
def test_a_broken_source_is_reported_once_and_files_are_read_without_it(
    install: Install, paper: Path, broken: str
) -> None:
    install("bad-bees", sources={"hives": broken})
    (paper.parent / "more.jsonl").write_bytes(paper.read_bytes().replace(b"Sweet", b"Sour"))
    done = run_cli("extract", paper.parent / "*.jsonl", "--layers", "lexicon")
    assert done.exit_code == 0, done.output
    assert done.output.count("warning citekg.sources: the source 'hives' of bad-bees 1.0 ") == 1
    assert "Sweet policies" in done.output
    assert "Sour policies" in done.output


def test_a_broken_source_cannot_be_forced(install: Install, paper: Path) -> None:
    install("bad-bees", sources={"hives": "broken:x"})
    with pytest.raises(
        PluginError, match=r"the source 'hives' of bad-bees 1\.0 cannot be imported"
    ):
        citekg.build([paper], input_format="hives")


def test_an_exporter_is_found_by_name_and_by_file_extension(
    install: Install, tmp_path: Path, paper: Path
) -> None:
    install("wax-works", exporters={"wax": "bees:WAX", "bad": "broken:x"})
    done = run_cli(
        "build", paper, "-o", tmp_path / "out", "-f", "wax", "-f", "json", "--layers", "lexicon"
    )
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "graph.wax").read_text() == "1 papers"
    assert (
        run_cli(
            "export", tmp_path / "out" / "graph.json", "-f", "wax", "-o", tmp_path / "new.wax"
        ).exit_code
        == 0
    )
    assert (
        citekg.load(tmp_path / "out" / "graph.json").save(tmp_path / "other.wax").read_text()
        == "1 papers"
    )
    with pytest.raises(FormatError, match=r"unknown format 'honey': choose one of bad, .*, wax"):
        citekg.load(tmp_path / "out" / "graph.json").save(tmp_path / "graph.honey")


def test_shell_completion_includes_exporter_plugins(install: Install) -> None:
    install("wax-works", exporters={"graphwax": "bees:WAX", "ttl": "bees:WAX"})
    (option,) = (o for o in commands_of(main)["export"].params if o.name == "name")
    with click.Context(main) as context:
        found = [item.value for item in option.type.shell_complete(context, option, "graph")]
        assert found == ["graphml", "graphwax"]
        assert [item.value for item in option.type.shell_complete(context, option, "ttl")] == [
            "ttl"
        ]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("bees:HALF", "failed: OSError: no wax"),
        ("bees:LOST", "failed: AttributeError: .*nowhere"),
        ("bees:NUMBER", "is not a citekg.schemas.plugins.Exporter"),
        ("broken:x", "cannot be imported: ModuleNotFoundError: .*no_such_module_at_all"),
        ("leaving:x", "cannot be imported: SystemExit: 9"),
    ],
)
def test_a_broken_exporter_is_reported_by_name_and_leaves_no_file(
    install: Install, tmp_path: Path, broken: str, message: str
) -> None:
    install("wax-works", exporters={"bad": broken})
    with pytest.raises(PluginError, match=f"the exporter 'bad' of wax-works 1.0 {message}"):
        write(sample_graph(), tmp_path / "graph.bad", "bad")
    assert not list(tmp_path.glob("*graph*"))
    write(sample_graph(), tmp_path / "graph.ttl", "ttl")


def test_a_plugin_with_a_built_in_name_is_rejected(install: Install) -> None:
    install(
        "usurper",
        exporters={"ttl": "bees:WAX"},
        sources={"jsonl": "bees:SOURCE"},
        extractors={"rules": "bees:honey"},
    )
    assert exporter("ttl").suffix == ".ttl"
    assert sources.source_format("jsonl") is sources.FORMATS["jsonl"]
    states = plugin_states()
    for kind, name in (("exporter", "ttl"), ("source", "jsonl"), ("extractor", "rules")):
        reported = (
            f"the {kind} {name!r} of usurper 1.0 has the name of one of citekg, which stays in use"
        )
        assert states[f"{kind} {name}"] == reported
    assert (
        "usurper 1.0        refused\n    the exporter 'ttl' of usurper" in run_cli("plugins").output
    )


def test_two_plugins_of_the_same_name_are_both_rejected_and_others_work(
    install: Install, tmp_path: Path
) -> None:
    install("one-wax", exporters={"wax": "bees:WAX", "half": "bees:HALF"})
    install("two-wax", "3.0", exporters={"wax": "bees:WAX"})
    clash = "the exporter 'wax' of one-wax 1.0 has the name of one of two-wax 3.0: uninstall one of them"
    with pytest.raises(PluginError, match=clash):
        write(sample_graph(), tmp_path / "graph.wax", "wax")
    assert plugin_states()["exporter wax"] == clash
    assert plugin_states()["exporter half"] == "ready"
    assert sample_graph().papers


def test_the_list_without_plugins_states_that_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("citekg.doctor.plugins.plugins", lambda _kind: ())
    assert (
        run_cli("plugins").output == "No other package adds anything here; see docs/extending.md.\n"
    )
    assert json.loads(run_cli("plugins", "--json").output) == []


@pytest.mark.skipif(
    not (find_spec("setuptools") and find_spec("pip")), reason="needs pip and setuptools"
)
@pytest.mark.timeout(300)
def test_the_example_package_installs_and_passes_its_own_tests(tmp_path: Path) -> None:
    target = tmp_path / "target"
    installing = [
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        target,
    ]
    subprocess.run(
        [sys.executable, *map(str, installing), str(EXAMPLE)],
        check=True,
        capture_output=True,
        timeout=120,
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(target), str(ROOT)))}
    testing = [
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        EXAMPLE / "pyproject.toml",
        "--doctest-modules",
    ]
    done = subprocess.run(
        [sys.executable, *map(str, testing), str(EXAMPLE / "tests"), str(target / "citekg_example_plugin")],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
