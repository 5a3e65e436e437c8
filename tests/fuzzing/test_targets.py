"""Regression tests of findings, and every target with its seeds and with mutated seeds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzzing import seeds
from tests.fuzzing.targets import GRAPH_FORMATS, TARGETS, InvariantViolation, dictionary, require


def _of_graph(form: str, old: str, new: str) -> bytes:
    """Return a graph of the seeds with a replaced text."""
    whole = seeds.graphs()[form][1].decode()
    require(old in whole, f"{old!r} does not stand in the seed")
    return bytes([GRAPH_FORMATS.index(form)]) + whole.replace(old, new, 1).encode()


#: Minimised inputs of earlier findings: the target and the bytes.
FINDINGS = {
    "a first line with a line end of its own": ("any-source", b"a\rb\nc"),
    "a first line longer than a cell may be": ("any-source", b"a" * 200_000),
    "a tab in the parser's own message": ("any-source", b'title\tabstract\n"a"b\tc\n'),
    "two entries of one key in one": (
        "bibtex",
        b"\0@misc{x, t={a}, t={b}\n},@misc{x, t={c}, t={d}}\n@misc{y, title={a}, abstract={b}}",
    ),
    "a month of too many digits": (
        "bibtex",
        b"\0@misc{x, title={a}, abstract={b}, month=" + b"9" * 5000 + b"}",
    ),
    "a control character in a link": (
        "xml-ris",
        b"\1TY  - J\nTI  - a\nAB  - b\nUR  - \1c\nER  - \n",
    ),
    "a quote that does not end, before a line that is no text": ("lines", b'\1"a,b\ncaf\xe9\n'),
    "names of XML that are declared wrongly": ("xml-ris", b"\0<a xmlns:b='' xmlns:xml='c'>"),
    "a marked sample with a line end of its own": (
        "annotated",
        b"\1right,type,role\ny\rz,Model,uses\n",
    ),
    "a table of names that is no text": (
        "annotated",
        b"\2name\ttype\taliases\tfamily\tflags\n\x8f",
    ),
    "a comment of a query with a carriage return": (
        "sparql",
        b"SELECT * { SERVICE # why\n<http://127.0.0.1:9/>#\r\0\n{ ?a ?b ?c } }",
    ),
    "a graph whose base is no address": (
        "graph",
        _of_graph("ttl", 'void:uriSpace "https', 'void:uriSpace " https'),
    ),
    "a graph with a claim without a mention as evidence": (
        "graph",
        _of_graph("json", '["p1_m20"]', '["p1_m21"]'),
    ),
    "a graph of a type that nobody knows": (
        "graph",
        _of_graph("json", '"type": "Method"', '"type": "Mhetod"'),
    ),
    "a graph with types that are no pairs": (
        "graph",
        _of_graph("json", '[["Method", 1]]', '["M"]'),
    ),
    "a graph with half a letter": ("graph", _of_graph("json", "Quill extends", r"\ud800 extends")),
    "a letter beyond Unicode": ("decisions", b'- "\\UFFFFFFFF"\n'),
}


def check(target: str, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        TARGETS[target].check(data, Path(folder) / "input")


@pytest.mark.parametrize(("target", "data"), FINDINGS.values(), ids=FINDINGS)
def test_earlier_findings_stay_fixed(target: str, data: bytes) -> None:
    check(target, data)


@pytest.mark.parametrize("target", TARGETS)
def test_the_invariants_of_every_target_hold_on_its_seeds(target: str) -> None:
    for seed in TARGETS[target].seeds:
        check(target, seed)


@pytest.mark.parametrize("target", TARGETS)
@given(data=st.data())
def test_the_invariants_of_every_target_hold_on_mutated_seeds(
    target: str, data: st.DataObject
) -> None:
    seed, other = (data.draw(st.sampled_from(TARGETS[target].seeds)) for _ in range(2))
    start, end = sorted(data.draw(st.integers(0, len(seed))) for _ in range(2))
    between = data.draw(
        st.sampled_from((b"", other, b"\0", b"\n", b'"', b"{", b"<", b"\xff"))
        | st.binary(max_size=20)
    )
    check(target, seed[:start] + between + seed[end:])


def test_a_violated_invariant_raises_an_error() -> None:
    with pytest.raises(InvariantViolation, match="a message"):
        require("", "a message")


@pytest.mark.parametrize("target", TARGETS)
def test_the_dictionary_of_every_target_has_the_format_of_libfuzzer(target: str) -> None:
    lines = dictionary(TARGETS[target]).splitlines()
    assert lines
    assert all(line.startswith('"\\x') and line.endswith('"') for line in lines)
