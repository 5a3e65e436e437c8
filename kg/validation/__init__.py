"""Validation of a graph: SHACL shapes and referential integrity."""
