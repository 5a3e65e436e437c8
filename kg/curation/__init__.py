"""Decisions of a curator: merges, splits, types, roles, bans and aliases, and merge candidates."""
