"""The RDF view of a graph: mapping, serialisation and reading."""
