"""Builds whose graph is never in memory as a whole."""
