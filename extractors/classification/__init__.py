"""Which candidates are entities, and of which type."""
