"""Extraction: the entities of a paper's text, their types and what the paper does with them."""
