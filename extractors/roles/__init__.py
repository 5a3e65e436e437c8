"""Role classification: the role of each entity in a paper."""
