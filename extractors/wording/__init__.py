"""The word lists of the rules: each list is defined once."""
