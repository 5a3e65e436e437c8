"""Learning from a user's annotations, in numpy: what adapts the shipped weights to a field."""
