"""Text formats for people and reference managers: BibTeX, reading lists and Markdown notes."""
