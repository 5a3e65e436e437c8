"""Weights that a user's annotations adapt to a field: their layers, and the file that holds them."""
