"""Evaluation on annotated papers: matching, metrics, reports, and samples for manual review."""
