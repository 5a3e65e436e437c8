"""RDF: mapping of records to triples, serialisation and reading."""
