"""The words of the rules: each list stands here once."""
