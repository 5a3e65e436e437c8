"""Texts for people and reference managers: BibTeX and Markdown notes."""
