"""Extraction: the entities in the text of a paper, their types and their roles."""
