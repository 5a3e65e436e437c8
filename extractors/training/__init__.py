"""Training of the shipped weights; a running `kg` never imports it."""
