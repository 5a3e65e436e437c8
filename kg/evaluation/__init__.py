"""Annotated papers: matching, metrics, reports and samples to judge by hand."""
