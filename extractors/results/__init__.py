"""Measured results in titles and abstracts: values, metrics, data and systems."""
