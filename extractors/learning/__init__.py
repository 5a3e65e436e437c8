"""Learning from a user's annotations, in numpy: adaptation of the shipped weights to a field."""
