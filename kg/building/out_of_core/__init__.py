"""Builds whose graph never is in memory as a whole."""
