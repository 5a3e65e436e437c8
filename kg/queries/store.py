"""The embedded store that answers queries: a graph or a graph file, loaded into Oxigraph.

A big file is loaded once: its store is kept in a hidden folder beside it, named by the hash of the
file's content, so that a file that changes is loaded anew and one that does not is opened at once.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citekg.exports import ExportOptions
from citekg.exports.graph_files import contents, harmless
from citekg.exports.rdf.mapping import DATASET, TYPE, URI_SPACE
from citekg.exports.rdf.reading import RDF_FORMATS, files_of
from citekg.exports.rdf.serializers import oxigraph_triples
from citekg.exports.rdf.triples import triples
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import BASE_IRI, PREFIXES
from citekg.storage.graph_files import READERS, graph_file, graph_format, load_graph

if TYPE_CHECKING:
    import pyoxigraph as ox

#: The formats of graph files, those that a store loads as they are first.
TRIPLES_FIRST: Final = (*RDF_FORMATS, *(name for name in READERS if name not in RDF_FORMATS))
#: Files from this size on, in bytes, have their store kept.
WORTH_KEEPING: Final = 1_000_000
#: Files up to this size, in bytes, are loaded while a shell waits.
_QUICK: Final = 5_000_000
_UNFINISHED: Final = "unfinished-"
#: The file that tells what a store held when it was filled; the engine itself may fall over, or find less, in a broken
#: one.
_CHECKSUM: Final = "sha256"
_HOUR: Final = 3600
_PREFIX, _SPACE = "preferredNamespacePrefix", "preferredNamespaceUri"


def open_store(source: Path | KnowledgeGraph, *, keep: bool = True) -> ox.Store:
    """A store of the graph's triples, or of those in the file, whoever wrote them.

    With `keep` the store of a big file is kept beside it. Raises `GraphError` for a file that
    cannot be read.
    """
    import pyoxigraph as ox

    if isinstance(source, Path):
        source = graph_file(source, TRIPLES_FIRST)
    if isinstance(source, KnowledgeGraph) or not keep:
        return _filled(ox.Store(), source)
    digest, size = _digest(source)
    if size < WORTH_KEEPING:
        return _filled(ox.Store(), source)
    return _kept(folder_beside(source), digest, lambda store: _filled(store, source))


def opened_quickly(path: Path) -> ox.Store | None:
    """The store of a graph file if it is kept, or if the file is small; `None` where it would take long."""
    import pyoxigraph as ox

    digest, size = _digest(path)
    if size < _QUICK:
        return _filled(ox.Store(), path)
    finished = folder_beside(path) / digest
    return ox.Store.read_only(str(finished)) if _is_whole(finished) else None


def _digest(path: Path) -> tuple[str, int]:
    """What a graph file and its other parts hold, hashed, and how many bytes they are."""
    import pyoxigraph as ox

    name = graph_format(path)
    hasher, size = hashlib.sha256(f"{ox.__version__}\0{name}".encode()), 0
    for file in files_of(path) if name in RDF_FORMATS else (path,):
        data = contents(file)
        hasher.update(b"\0" + data)
        size += len(data)
    return hasher.hexdigest()[:32], size


def folder_beside(path: Path) -> Path:
    """Where the store of a graph file is kept; it may be deleted at any time."""
    return path.with_name(f".{path.name}.store")


def base_of(store: ox.Store) -> str:
    """The base IRI of the instances in the store."""
    import pyoxigraph as ox

    for dataset in store.quads_for_pattern(None, ox.NamedNode(TYPE), ox.NamedNode(DATASET)):
        for quad in store.quads_for_pattern(dataset.subject, ox.NamedNode(URI_SPACE), None):
            return str(getattr(quad.object, "value", BASE_IRI))
    return BASE_IRI


def prefixes_in(store: ox.Store) -> dict[str, str]:
    """The prefixes, with their IRIs, that the graph in the store declares for a vocabulary of its own."""
    import pyoxigraph as ox

    prefix, space = (ox.NamedNode(PREFIXES["vann"] + name) for name in (_PREFIX, _SPACE))
    found: dict[str, str] = {}
    for told in store.quads_for_pattern(None, prefix, None):
        for quad in store.quads_for_pattern(told.subject, space, None):
            found[str(getattr(told.object, "value", ""))] = str(getattr(quad.object, "value", ""))
    return found


def _kept(folder: Path, digest: str, fill: Callable[[ox.Store], ox.Store]) -> ox.Store:
    """The store of that digest, filled first where there is no whole one; in memory where none can be kept."""
    import pyoxigraph as ox

    finished = folder / digest
    try:
        if not _is_whole(finished):
            shutil.rmtree(finished, ignore_errors=True)
            _keep(folder, finished, fill)
        return ox.Store.read_only(str(finished))
    except OSError:
        return fill(ox.Store())


def _keep(folder: Path, finished: Path, fill: Callable[[ox.Store], ox.Store]) -> None:
    """Fill a store under another name and rename it, so that a store is complete or not there."""
    import pyoxigraph as ox

    folder.mkdir(exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder))
    try:
        fill(ox.Store(str(unfinished))).flush()
        (unfinished / _CHECKSUM).write_bytes(_checksum(unfinished))
        unfinished.replace(finished)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        _remove(other for other in folder.iterdir() if other != finished)


def _is_whole(store: Path) -> bool:
    with suppress(OSError):
        return (store / _CHECKSUM).read_bytes() == _checksum(store)
    return False


def _checksum(store: Path) -> bytes:
    """The SHA-256 of the files that hold what a store holds; others come and go beside them."""
    told = hashlib.sha256()
    for file in sorted(store.iterdir()):
        if file.suffix == ".sst" or file.name.startswith(("MANIFEST-", "CURRENT")):
            told.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return told.digest()


def _remove(stores: Iterable[Path]) -> None:
    """Remove outdated stores, but none that another run may be filling now."""
    for store in stores:
        if not store.name.startswith(_UNFINISHED) or time.time() - store.stat().st_mtime > _HOUR:
            shutil.rmtree(store, ignore_errors=True)


def _filled(store: ox.Store, source: Path | KnowledgeGraph) -> ox.Store:
    import pyoxigraph as ox

    if isinstance(source, Path) and graph_format(source) in RDF_FORMATS:
        _load_files(store, source, graph_format(source))
    else:
        graph = load_graph(source) if isinstance(source, Path) else source
        store.bulk_extend(ox.Quad(*triple) for triple in oxigraph_triples(triples(graph, ExportOptions())))
    return store


def _load_files(store: ox.Store, path: Path, name: str) -> None:
    import pyoxigraph as ox

    for file in files_of(path):
        try:
            store.bulk_load(harmless(file, name), format=getattr(ox.RdfFormat, RDF_FORMATS[name]))
        except SyntaxError as error:
            line = f":{error.lineno}" if error.lineno else ""
            raise GraphError(f"{file}{line}: not {name}: {error.msg}") from error
