"""Checks of the triple store, in memory and on disk."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from citekg.doctor.findings import BROKEN, Finding

if TYPE_CHECKING:
    import pyoxigraph as ox


def in_memory() -> Iterator[Finding]:
    """Check a store in memory."""
    import pyoxigraph as ox

    yield _self_test(f"pyoxigraph {ox.__version__}, in memory", ox.Store())


def on_disk() -> Iterator[Finding]:
    """Check a store in the temporary folder, like the one cached beside a large graph file."""
    import pyoxigraph as ox

    with TemporaryDirectory(prefix="kg-doctor-") as folder:
        yield _self_test("on disk", ox.Store(folder))


def _self_test(name: str, store: ox.Store) -> Finding:
    import pyoxigraph as ox

    store.add(ox.Quad(ox.NamedNode("urn:a"), ox.NamedNode("urn:b"), ox.Literal("c")))
    if bool(store.query("ASK { <urn:a> <urn:b> 'c' }")):
        return Finding(name, "opens and answers")
    return Finding(
        name, "does not find what was put in", BROKEN, "pip install --force-reinstall pyoxigraph"
    )
