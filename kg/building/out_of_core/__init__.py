"""Builds that never have the whole graph in memory."""
