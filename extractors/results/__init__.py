"""Measured results in titles and abstracts: values, what was measured, on what and by whom."""
