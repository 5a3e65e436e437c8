"""What citekg can be given by another package: an extractor, a source and an exporter, one module each."""

from citekg.schemas.plugins import Exporter

#: The exporter; its module is imported when a graph is written.
DOT = Exporter(
    ".dot",
    "links between papers, for Graphviz",
    "citekg_example_plugin.graphviz:dot",
    usage="dot -Tsvg -O {file}",
)
