"""Weights that annotations adapt to a field: their layers, and their file."""
