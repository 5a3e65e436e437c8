"""Classification of candidates: which are entities, and of which type."""
