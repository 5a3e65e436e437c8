"""`kg sparql-engine`: put the engine that answers SPARQL in the page on this machine."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("sparql-engine")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True),
    help="An npm package of Oxigraph (.tgz), or the folder of an unpacked one; nothing is "
    "downloaded.",
)
@click.option("--registry", metavar="URL", help="Another npm registry to download from.")
def sparql_engine(source: Path | None, registry: str | None) -> None:
    """Download Oxigraph's WebAssembly, for pages with a built-in SPARQL engine.

    The npm package (2.9 MB) is kept in a cache folder of the user. Its version and its checksum are
    fixed. Once it is there, --sparql of kg export and kg view needs no connection.

    \b
    Example:
      kg sparql-engine
      kg export out/graph.ttl -f html --sparql -o page.html
    """
    from citekg.page_queries.engine import REGISTRY, VERSION, install

    if source and registry:
        raise click.UsageError("give either --from or --registry")
    folder = install(source, registry or REGISTRY)
    click.echo(f"Oxigraph {VERSION} is in {folder}")
