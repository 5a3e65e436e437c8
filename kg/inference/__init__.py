"""Inference over the extracted records: known introductions and citation-style links."""
