"""The embedded Oxigraph store of a graph or a graph file, which answers queries.

The store of a large file is cached in a hidden folder next to the file. Its name is a hash of the
file's content, so an unchanged file is opened at once and a changed file is loaded again.
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

from citekg.exports.graph_files import read_bytes, read_safe_rdf
from citekg.exports.rdf.mapping import DATASET, TYPE, URI_SPACE
from citekg.exports.rdf.reading import RDF_FORMATS, rdf_files
from citekg.exports.rdf.serializers import oxigraph_triples
from citekg.exports.rdf.triples import triples
from citekg.queries.tentative import set_apart
from citekg.schemas.errors import GraphError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import BASE_IRI, PREFIXES
from citekg.storage.graph_files import READERS, graph_file, graph_format, load_graph

if TYPE_CHECKING:
    import pyoxigraph as ox

#: The formats of graph files; RDF, which a store loads directly, comes first.
TRIPLES_FIRST: Final = (*RDF_FORMATS, *(name for name in READERS if name not in RDF_FORMATS))
#: The minimum size of a file, in bytes, whose store is cached.
MIN_CACHED_BYTES: Final = 1_000_000
#: The maximum size of a file, in bytes, that is loaded for shell completion.
_MAX_QUICK_BYTES: Final = 5_000_000
_UNFINISHED: Final = "unfinished-"
#: The file with the checksum of a complete store; the engine may crash on a damaged store, or
#: return incomplete results.
_CHECKSUM: Final = "sha256"
#: The version of the content of cached stores.
_LAYOUT: Final = 2
_HOUR: Final = 3600
_PREFIX, _SPACE = "preferredNamespacePrefix", "preferredNamespaceUri"


def open_store(source: Path | KnowledgeGraph, *, keep: bool = True) -> ox.Store:
    """Return a store with the triples of a graph or a file, also one that citekg did not write.

    Tentative claims are in a separate named graph (see `citekg.queries.tentative`).

    With `keep` the store of a large file is cached beside it. Raises `GraphError` for a file that
    cannot be read.
    """
    import pyoxigraph as ox

    if isinstance(source, Path):
        source = graph_file(source, TRIPLES_FIRST)
    if isinstance(source, KnowledgeGraph) or not keep:
        return _filled(ox.Store(), source)
    digest, size = _digest(source)
    if size < MIN_CACHED_BYTES:
        return _filled(ox.Store(), source)
    return _cached(store_folder(source), digest, lambda store: _filled(store, source))


def store_of(graph: KnowledgeGraph, options: ExportOptions) -> ox.Store:
    """Return a store in memory with the triples of a graph that its export with options has."""
    import pyoxigraph as ox

    store = ox.Store()
    _add_triples(store, graph, options)
    set_apart(store)
    return store


def open_quickly(path: Path) -> ox.Store | None:
    """Return the store of a graph file if it is cached or the file is small, or else `None`."""
    import pyoxigraph as ox

    digest, size = _digest(path)
    if size < _MAX_QUICK_BYTES:
        return _filled(ox.Store(), path)
    finished = store_folder(path) / digest
    return ox.Store.read_only(str(finished)) if _is_complete(finished) else None


def _digest(path: Path) -> tuple[str, int]:
    """Return the hash of a graph file and its other parts, and their size in bytes."""
    import pyoxigraph as ox

    name = graph_format(path)
    hasher, size = hashlib.sha256(f"{ox.__version__}\0{_LAYOUT}\0{name}".encode()), 0
    for file in rdf_files(path) if name in RDF_FORMATS else (path,):
        data = read_bytes(file)
        hasher.update(b"\0" + data)
        size += len(data)
    return hasher.hexdigest()[:32], size


def store_folder(path: Path) -> Path:
    """Return the cache folder of a graph file; it may be deleted at any time."""
    return path.with_name(f".{path.name}.store")


def base_iri_of(store: ox.Store) -> str:
    """Return the base IRI of the instances in a store."""
    import pyoxigraph as ox

    for dataset in store.quads_for_pattern(None, ox.NamedNode(TYPE), ox.NamedNode(DATASET)):
        for quad in store.quads_for_pattern(dataset.subject, ox.NamedNode(URI_SPACE), None):
            return str(getattr(quad.object, "value", BASE_IRI))
    return BASE_IRI


def prefixes_in(store: ox.Store) -> dict[str, str]:
    """Return the prefixes, with their IRIs, that the graph declares for its own vocabulary."""
    import pyoxigraph as ox

    prefix, space = (ox.NamedNode(PREFIXES["vann"] + name) for name in (_PREFIX, _SPACE))
    found: dict[str, str] = {}
    for declared in store.quads_for_pattern(None, prefix, None):
        for quad in store.quads_for_pattern(declared.subject, space, None):
            found[str(getattr(declared.object, "value", ""))] = str(
                getattr(quad.object, "value", "")
            )
    return found


def _cached(folder: Path, digest: str, fill: Callable[[ox.Store], ox.Store]) -> ox.Store:
    """Return the cached store of a digest; it is filled if missing or damaged.

    If the folder cannot be written, the store is in memory.
    """
    import pyoxigraph as ox

    finished = folder / digest
    try:
        if not _is_complete(finished):
            shutil.rmtree(finished, ignore_errors=True)
            _write_cache(folder, finished, fill)
        return ox.Store.read_only(str(finished))
    except OSError:
        return fill(ox.Store())


def _write_cache(folder: Path, finished: Path, fill: Callable[[ox.Store], ox.Store]) -> None:
    """Fill a store under a temporary name and rename it, so that a store is complete or absent."""
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


def _is_complete(store: Path) -> bool:
    with suppress(OSError):
        return (store / _CHECKSUM).read_bytes() == _checksum(store)
    return False


def _checksum(store: Path) -> bytes:
    """Return the SHA-256 of the data files of a store; its other files change."""
    hasher = hashlib.sha256()
    for file in sorted(store.iterdir()):
        if file.suffix == ".sst" or file.name.startswith(("MANIFEST-", "CURRENT")):
            hasher.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return hasher.digest()


def _remove(stores: Iterable[Path]) -> None:
    """Remove outdated stores, except those that another process may be filling."""
    for store in stores:
        if not store.name.startswith(_UNFINISHED) or time.time() - store.stat().st_mtime > _HOUR:
            shutil.rmtree(store, ignore_errors=True)


def _filled(store: ox.Store, source: Path | KnowledgeGraph) -> ox.Store:
    if isinstance(source, Path) and graph_format(source) in RDF_FORMATS:
        _load_files(store, source, graph_format(source))
    else:
        graph = load_graph(source) if isinstance(source, Path) else source
        _add_triples(store, graph, ExportOptions())
    set_apart(store)
    return store


def _add_triples(store: ox.Store, graph: KnowledgeGraph, options: ExportOptions) -> None:
    import pyoxigraph as ox

    store.bulk_extend(ox.Quad(*triple) for triple in oxigraph_triples(triples(graph, options)))


def _load_files(store: ox.Store, path: Path, name: str) -> None:
    import pyoxigraph as ox

    for file in rdf_files(path):
        try:
            store.bulk_load(
                read_safe_rdf(file, name), format=getattr(ox.RdfFormat, RDF_FORMATS[name])
            )
        except SyntaxError as error:
            line = f":{error.lineno}" if error.lineno else ""
            raise GraphError(f"{file}{line}: not {name}: {error.msg}") from error
