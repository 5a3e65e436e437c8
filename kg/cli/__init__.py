"""The commands of `kg` that are not in `kg/cli/main.py`, and the options that several commands share."""
