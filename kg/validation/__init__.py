"""Checks of a graph: SHACL shapes and integrity."""
