"""Measured results that titles and abstracts report: values, what was measured, on what, by whom."""
