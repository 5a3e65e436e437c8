"""Decisions of a curator: merges, splits, types, roles, bans and aliases, and proposals for them."""
